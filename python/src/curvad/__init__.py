"""Exact, fast anomaly detection by polyhedron curvature, as scikit-learn estimators and on Spark."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

#: Where names come from that are imported when they are first used: scikit-learn alone takes a second, and who only
#: scores with a model file does without.
_MODULES = {
    **dict.fromkeys(
        ("CAD", "KNN", "LOF", "EllipticEnvelope", "IsolationForest", "LandmarkCAD", "OneClassSVM"), "_detectors"
    ),
    "Explanation": "_explanation",
    **dict.fromkeys(("Model", "load"), "_model"),
    "NodeNotFoundError": "_node",
    **dict.fromkeys(("CurvadError", "WorkerDiedError", "stop_worker"), "_worker"),
    "NearestNeighbors": "neighbors",
    **dict.fromkeys(("DROP3", "ENN", "IRMD", "PSA", "SDM", "SOS", "InverseCAD", "ShellExtraction"), "prototypes"),
}
_SUBMODULES = ("covariance", "ensemble", "neighbors", "prototypes", "svm")


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
