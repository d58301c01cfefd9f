"""Exact, fast anomaly detection by polyhedron curvature, as scikit-learn estimators."""

from ._detectors import CAD, KNN, LOF, EllipticEnvelope, IsolationForest, LandmarkCAD, OneClassSVM
from ._explanation import Explanation
from ._model import Model, load
from ._node import NodeNotFoundError
from ._worker import CurvadError, WorkerDiedError, stop_worker
from .neighbors import NearestNeighbors
from .prototypes import DROP3, ENN, IRMD, PSA, SDM, SOS, InverseCAD, ShellExtraction

__all__ = [
    "CAD",
    "DROP3",
    "ENN",
    "IRMD",
    "KNN",
    "LOF",
    "PSA",
    "SDM",
    "SOS",
    "CurvadError",
    "EllipticEnvelope",
    "Explanation",
    "InverseCAD",
    "IsolationForest",
    "LandmarkCAD",
    "Model",
    "NearestNeighbors",
    "NodeNotFoundError",
    "OneClassSVM",
    "ShellExtraction",
    "WorkerDiedError",
    "load",
    "stop_worker",
]
