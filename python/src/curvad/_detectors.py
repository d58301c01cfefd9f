"""The detectors of curvad, with scikit-learn's names for what they share."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from ._base import _Detector, _NeighborDetector, option, seed_of


def neighbors_of(wanted: int, rows: int) -> int:
    """As many neighbours as there can be; fewer than were wanted with a warning, as scikit-learn does."""
    if wanted < rows:
        return wanted
    warnings.warn(f"n_neighbors ({wanted}) is not below the number of rows ({rows}): {rows - 1} are used", stacklevel=6)
    return rows - 1


def seed(random_state: Any, _: int) -> int:
    return seed_of(random_state)


def approximation(approximate: bool | float, _: int) -> Any:
    """None for an exact search; a number is the ε of one that may miss neighbours within 1 + ε times their distance."""
    if isinstance(approximate, (bool, np.bool_)):
        return bool(approximate) or None
    return {"epsilon": float(approximate)}


def sample_size(max_samples: int | float | str, rows: int) -> int | None:
    if isinstance(max_samples, float):
        return int(max_samples * rows)
    if not isinstance(max_samples, str):
        return min(max_samples, rows)
    if max_samples != "auto":
        raise ValueError(f"max_samples must be 'auto' or a number, got {max_samples!r}")
    return None


def kernel_name(kernel: str, _: int) -> str:
    return "polynomial" if kernel == "poly" else kernel


@dataclass(kw_only=True, eq=False, repr=False)
class LandmarkCAD(_NeighborDetector):
    """The detector to start with: distance to seeded landmarks times curvature, on softly clipped z-scores."""

    _detector = "LandmarkCAD"
    _fewest = 3

    landmarks: int = option("landmarks", 1024)
    n_neighbors: int = option("neighbors", 10, neighbors_of)
    curvature: float = option("curvature", 0.25)
    random_state: Any = option("seed", 0, seed)


@dataclass(eq=False, repr=False)
class CAD(_NeighborDetector):
    """Curvature of the polyhedron around each row; a kernel makes it kernel CAD."""

    _detector = "CAD"
    _fewest = 3

    n_neighbors: int = option("neighbors", 10, neighbors_of)
    _: KW_ONLY
    kernel: str = option("kernel", "linear")
    gamma: float | None = option("gamma", None)
    degree: int = option("degree", 3)
    coef0: float = option("coef0", 1.0)
    standardize: bool = option("standardize", False)
    approximate: bool | float = option("approximate", False, approximation)


@dataclass(eq=False, repr=False)
class KNN(_NeighborDetector):
    """Distance to the k-th nearest row, or the mean of the k distances."""

    _detector = "KNN"

    n_neighbors: int = option("neighbors", 10, neighbors_of)
    _: KW_ONLY
    metric: str = option("metric", "euclidean")
    aggregate: str = option("aggregate", "largest")
    standardize: bool = option("standardize", False)
    approximate: bool | float = option("approximate", False, approximation)


@dataclass(eq=False, repr=False)
class LOF(_NeighborDetector):
    """Local outlier factor: density beside that of the neighbours."""

    _detector = "LOF"

    n_neighbors: int = option("neighbors", 10, neighbors_of)
    _: KW_ONLY
    metric: str = option("metric", "euclidean")
    standardize: bool = option("standardize", False)
    approximate: bool | float = option("approximate", False, approximation)


@dataclass(kw_only=True, eq=False, repr=False)
class IsolationForest(_Detector):
    """How few random cuts part a row from the others; scikit-learn's trees for the same seed."""

    _detector = "IsolationForest"

    n_estimators: int = option("trees", 100)
    max_samples: int | float | str = option("sampleSize", "auto", sample_size)
    max_features: float = option("features", 1.0)
    random_state: Any = option("seed", None, seed)


@dataclass(kw_only=True, eq=False, repr=False)
class OneClassSVM(_Detector):
    """Outside the smallest region that holds most rows."""

    _detector = "OneClassSVM"

    kernel: str = option("kernel", "rbf", kernel_name)
    degree: int = option("degree", 3)
    gamma: float | str = option("gamma", "scale")
    coef0: float = option("coef0", 0.0)
    tol: float = option("tolerance", 1e-3)
    nu: float = option("nu", 0.5)
    cache_size: float = option("cacheSize", 200)
    standardize: bool = option("standardize", False)


@dataclass(kw_only=True, eq=False, repr=False)
class EllipticEnvelope(_Detector):
    """Mahalanobis distance from a robust centre."""

    _detector = "EllipticEnvelope"

    assume_centered: bool = option("assumeCentered", False)
    support_fraction: float | None = option("supportFraction", None)
    contamination: float | str = 0.1
    random_state: Any = option("seed", None, seed)
