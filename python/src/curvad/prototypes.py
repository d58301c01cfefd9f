"""Prototype selectors, with the interface of imbalanced-learn's samplers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_X_y, validate_data

from ._arrays import column, row_batches
from ._base import seed_of
from ._worker import worker

__all__ = ["DROP3", "ENN", "IRMD", "PSA", "SDM", "SOS", "InverseCAD", "ShellExtraction"]


class _Selector(BaseEstimator):
    """Keeps rows that stand for the others: `fit_resample(X, y)`; `sample_indices_` tells which."""

    _selector: ClassVar[str]

    def _options(self) -> dict[str, Any]:
        return {}

    def _how(self) -> Any:
        return "retain"

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The rows that are kept, and their classes, as they came: numpy or pandas."""
        self.fit(X, y)
        return _take(X, self.sample_indices_), _take(y, self.sample_indices_)

    def fit(self, X: Any, y: Any) -> _Selector:
        """Chooses rows: `sample_indices_`."""
        check_X_y(X, y, dtype=[np.float64, np.float32])
        rows, classes = validate_data(self, X, y, dtype=[np.float64, np.float32], order="C")
        codes = np.unique(classes, return_inverse=True)[1].astype(np.int64)
        options = {name: value for name, value in self._options().items() if value is not None}
        request = {
            "call": "select",
            "selector": self._selector,
            "options": options,
            "classes": "class",
            "how": self._how(),
        }
        answer = worker().call(request, *row_batches(rows, codes))
        self.sample_indices_: npt.NDArray[np.int64] = column(answer, "index").astype(np.int64)
        return self


def _take(values: Any, indices: npt.NDArray[np.int64]) -> Any:
    if hasattr(values, "iloc"):
        return values.iloc[indices]
    return np.asarray(values)[indices]


class _Ranker(_Selector):
    """A selector that ranks rows and keeps a share of each class."""

    keep: float

    def _how(self) -> Any:
        return {"keep": self.keep}


class InverseCAD(_Selector):
    """Flat corners of the polyhedron; keeps a share of each class, or with keep=None as many as it finds flat."""

    _selector = "InverseCAD"

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        keep: float | None = None,
        kernel: str = "linear",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        standardize: bool = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.keep = keep
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.standardize = standardize

    def _options(self) -> dict[str, Any]:
        return {
            "neighbors": self.n_neighbors,
            "kernel": self.kernel,
            "gamma": self.gamma,
            "degree": self.degree,
            "coef0": self.coef0,
            "standardize": self.standardize,
        }

    def _how(self) -> Any:
        return "retain" if self.keep is None else {"keep": self.keep}


class ENN(_Selector):
    """Drops rows whose neighbours are mostly of another class."""

    _selector = "ENN"

    def __init__(self, n_neighbors: int = 3) -> None:
        self.n_neighbors = n_neighbors

    def _options(self) -> dict[str, Any]:
        return {"neighbors": self.n_neighbors}


class DROP3(ENN):
    """Drops rows whose neighbours are classified as well without them."""

    _selector = "DROP3"


class IRMD(_Ranker):
    """Least aligned with an orthonormal basis."""

    _selector = "IRMD"

    def __init__(self, *, keep: float = 0.2, epsilon: float = 0.001) -> None:
        self.keep = keep
        self.epsilon = epsilon

    def _options(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon}


class PSA(_Ranker):
    """Groups that scatter as the whole does."""

    _selector = "PSA"

    def __init__(
        self, *, keep: float = 0.2, group_size: int | None = None, draws: int = 20, random_state: Any = 0
    ) -> None:
        self.keep = keep
        self.group_size = group_size
        self.draws = draws
        self.random_state = random_state

    def _options(self) -> dict[str, Any]:
        return {"groupSize": self.group_size, "draws": self.draws, "seed": seed_of(self.random_state)}


class SOS(_Ranker):
    """Spread over the distances from the mean."""

    _selector = "SOS"

    def __init__(self, *, keep: float = 0.2) -> None:
        self.keep = keep


class SDM(_Ranker):
    """Nearest to the mean."""

    _selector = "SDM"

    def __init__(self, *, keep: float = 0.2) -> None:
        self.keep = keep


class ShellExtraction(_Ranker):
    """The outer shell."""

    _selector = "ShellExtraction"

    def __init__(self, *, keep: float = 0.2, lambda_: float = 0.8, delta: float = 0.1) -> None:
        self.keep = keep
        self.lambda_ = lambda_
        self.delta = delta

    def _options(self) -> dict[str, Any]:
        return {"lambda": self.lambda_, "delta": self.delta}
