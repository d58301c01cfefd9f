"""The detectors of curvad, with scikit-learn's names for what they share."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._base import _Detector, _NeighborDetector, seed_of


def neighbors_of(wanted: int, rows: int) -> int:
    """As many neighbours as there can be; fewer than were wanted with a warning, as scikit-learn does."""
    if wanted < rows:
        return wanted
    warnings.warn(f"n_neighbors ({wanted}) is not below the number of rows ({rows}): {rows - 1} are used", stacklevel=4)
    return rows - 1


def approximation_of(approximate: bool | float) -> Any:
    """None for an exact search; a number is the ε of one that may miss neighbours within 1 + ε times their distance."""
    if isinstance(approximate, (bool, np.bool_)):
        return bool(approximate) or None
    return {"epsilon": float(approximate)}


class LandmarkCAD(_NeighborDetector):
    """The detector to start with: distance to seeded landmarks times curvature, on softly clipped z-scores."""

    _detector = "LandmarkCAD"
    _fewest = 3

    def __init__(
        self,
        *,
        landmarks: int = 1024,
        n_neighbors: int = 10,
        curvature: float = 0.25,
        contamination: float | str = "auto",
        novelty: bool = False,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.landmarks = landmarks
        self.n_neighbors = n_neighbors
        self.curvature = curvature
        self.contamination = contamination
        self.novelty = novelty
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        return {
            "landmarks": self.landmarks,
            "neighbors": neighbors_of(self.n_neighbors, rows),
            "curvature": self.curvature,
            "seed": seed_of(self.random_state),
        }


class CAD(_NeighborDetector):
    """Curvature of the polyhedron around each row; a kernel makes it kernel CAD."""

    _detector = "CAD"
    _fewest = 3

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        kernel: str = "linear",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        standardize: bool = False,
        approximate: bool | float = False,
        contamination: float | str = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.standardize = standardize
        self.approximate = approximate
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        return {
            "neighbors": neighbors_of(self.n_neighbors, rows),
            "kernel": self.kernel,
            "gamma": self.gamma,
            "degree": self.degree,
            "coef0": self.coef0,
            "standardize": self.standardize,
            "approximate": approximation_of(self.approximate),
        }


class KNN(_NeighborDetector):
    """Distance to the k-th nearest row, or the mean of the k distances."""

    _detector = "KNN"

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        metric: str = "euclidean",
        aggregate: str = "largest",
        standardize: bool = False,
        approximate: bool | float = False,
        contamination: float | str = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.aggregate = aggregate
        self.standardize = standardize
        self.approximate = approximate
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        return {
            "neighbors": neighbors_of(self.n_neighbors, rows),
            "metric": self.metric,
            "aggregate": self.aggregate,
            "standardize": self.standardize,
            "approximate": approximation_of(self.approximate),
        }


class LOF(_NeighborDetector):
    """Local outlier factor: density beside that of the neighbours."""

    _detector = "LOF"

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        metric: str = "euclidean",
        standardize: bool = False,
        approximate: bool | float = False,
        contamination: float | str = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.standardize = standardize
        self.approximate = approximate
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        return {
            "neighbors": neighbors_of(self.n_neighbors, rows),
            "metric": self.metric,
            "standardize": self.standardize,
            "approximate": approximation_of(self.approximate),
        }


class IsolationForest(_Detector):
    """How few random cuts part a row from the others; scikit-learn's trees for the same seed."""

    _detector = "IsolationForest"

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int | float | str = "auto",
        contamination: float | str = "auto",
        max_features: float = 1.0,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.max_features = max_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        size: int | None = None
        if isinstance(self.max_samples, float):
            size = int(self.max_samples * rows)
        elif not isinstance(self.max_samples, str):
            size = min(self.max_samples, rows)
        elif self.max_samples != "auto":
            raise ValueError(f"max_samples must be 'auto' or a number, got {self.max_samples!r}")
        return {
            "trees": self.n_estimators,
            "sampleSize": size,
            "features": self.max_features,
            "seed": seed_of(self.random_state),
        }


class OneClassSVM(_Detector):
    """Outside the smallest region that holds most rows."""

    _detector = "OneClassSVM"

    def __init__(
        self,
        *,
        kernel: str = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        nu: float = 0.5,
        cache_size: float = 200,
        standardize: bool = False,
        contamination: float | str = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.cache_size = cache_size
        self.standardize = standardize
        self.contamination = contamination
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        return {
            "kernel": "polynomial" if self.kernel == "poly" else self.kernel,
            "degree": self.degree,
            "gamma": self.gamma,
            "coef0": self.coef0,
            "tolerance": self.tol,
            "nu": self.nu,
            "cacheSize": self.cache_size,
            "standardize": self.standardize,
        }


class EllipticEnvelope(_Detector):
    """Mahalanobis distance from a robust centre."""

    _detector = "EllipticEnvelope"

    def __init__(
        self,
        *,
        assume_centered: bool = False,
        support_fraction: float | None = None,
        contamination: float | str = 0.1,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.assume_centered = assume_centered
        self.support_fraction = support_fraction
        self.contamination = contamination
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _options(self, rows: int) -> dict[str, Any]:
        return {
            "assumeCentered": self.assume_centered,
            "supportFraction": self.support_fraction,
            "seed": seed_of(self.random_state),
        }
