"""`sklearn.neighbors` by curvad: change the import, keep the code."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arrays import column, row_batches
from ._base import threads_of
from ._detectors import LOF
from ._kept import Floats, Labels, new_key
from ._worker import worker

__all__ = ["LocalOutlierFactor", "NearestNeighbors"]

METRICS = {"minkowski": "euclidean", "euclidean": "euclidean", "l2": "euclidean"} | dict.fromkeys(
    ("manhattan", "l1", "cityblock"), "manhattan"
)


def metric_of(metric: str, p: float) -> str:
    """The metric as curvad names it."""
    if metric == "minkowski" and p == 1:
        return "manhattan"
    if metric not in METRICS or (metric == "minkowski" and p != 2):
        raise ValueError(f"metric must be euclidean or manhattan (minkowski with p=2 or 1), got {metric!r} with p={p}")
    return METRICS[metric]


class NearestNeighbors(BaseEstimator):
    """Exact neighbours, in double precision; equal distances go to the lower index."""

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: str = "minkowski",
        p: float = 2,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> NearestNeighbors:
        """Holds rows. `algorithm` and `leaf_size` change nothing: the search is always exact."""
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C")
        self.effective_metric_ = metric_of(self.metric, self.p)
        self.n_samples_fit_ = X.shape[0]
        self._rows = X
        self._key = new_key(self)
        return self

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[Floats, Labels] | Labels:
        """Distances and indices of the nearest rows, nearest first; without X those of the fitted rows among others."""
        check_is_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if not isinstance(k, (int, np.integer)):
            raise TypeError(f"n_neighbors must be a whole number, got {type(k).__name__}")
        most = self.n_samples_fit_ - (X is None)
        if not 0 < k <= most:
            raise ValueError(f"Expected n_neighbors <= n_samples_fit = {most} and above 0, got {k}")
        request: dict[str, Any] = {"k": int(k), "threads": threads_of(self.n_jobs)}
        if X is None:
            schema, count = pa.schema([]), self.n_samples_fit_
            batches: list[pa.RecordBatch] = []
            request["call"] = "nearEach"
        else:
            X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", reset=False)
            schema, batches = row_batches(X)
            count = X.shape[0]
            request["call"] = "near"
        self._hold()
        answer = worker().call({**request, "key": self._key}, schema, batches)
        indices = column(answer, "index").astype(np.int64).reshape(count, k)
        return (column(answer, "distance").reshape(count, k), indices) if return_distance else indices

    def kneighbors_graph(self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity") -> Any:
        """The same as a sparse matrix, of ones or of distances."""
        from scipy.sparse import csr_matrix

        if mode not in ("connectivity", "distance"):
            raise ValueError(f"mode must be 'connectivity' or 'distance', got {mode!r}")
        distances, indices = cast("tuple[Floats, Labels]", self.kneighbors(X, n_neighbors))
        count, k = indices.shape
        values = np.ones(count * k) if mode == "connectivity" else distances.ravel()
        return csr_matrix((values, indices.ravel(), np.arange(0, count * k + 1, k)), (count, self.n_samples_fit_))

    def _hold(self) -> None:
        """Sees to it that the worker holds the rows."""
        if worker().keeps(self._key):
            return
        options = {"metric": self.effective_metric_, "precision": "double"}
        worker().call({"call": "hold", "key": self._key, "options": options}, *row_batches(self._rows))
        worker().keep(self._key)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_key"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_rows" in state:
            self._key = new_key(self)


class LocalOutlierFactor(LOF):
    """`sklearn.neighbors.LocalOutlierFactor`: its parameters, attributes and threshold."""

    def __init__(
        self,
        n_neighbors: int = 20,
        *,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: str = "minkowski",
        p: float = 2,
        contamination: float | str = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_neighbors, metric=metric, contamination=contamination, novelty=novelty, n_jobs=n_jobs)
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p

    def _options(self, rows: int) -> dict[str, Any]:
        self.n_neighbors_ = max(1, min(self.n_neighbors, rows - 1))
        return {"neighbors": self.n_neighbors_, "metric": metric_of(self.metric, self.p), "precision": "double"}

    def _offset(self, threshold: float) -> float:
        return -1.5 if self.contamination == "auto" else -threshold

    def fit(self, X: Any, y: Any = None) -> LocalOutlierFactor:
        super().fit(X, y)
        self.negative_outlier_factor_: npt.NDArray[np.float64] = -self.scores_
        self.n_samples_fit_ = len(self.scores_)
        return self
