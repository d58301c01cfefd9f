"""What all detectors share: a fit that leaves a model file, and everything else asked of that file."""

from __future__ import annotations

import json
import uuid
import weakref
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arrays import column, row_batches
from ._worker import KEY, worker

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
MODEL_SCHEMA = pa.schema([pa.field("model", pa.large_binary())])


def threads_of(n_jobs: int | None) -> int:
    """Threads beside the main one of the child, as scikit-learn counts jobs."""
    if n_jobs is None or n_jobs == 1:
        return 0
    if n_jobs > 1:
        return n_jobs
    from os import cpu_count

    return max(1, (cpu_count() or 1) + 1 + n_jobs)


def seed_of(random_state: Any) -> int:
    """A seed of curvad: the number itself, or one drawn from a generator."""
    from sklearn.utils import check_random_state

    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


class _Detector(OutlierMixin, BaseEstimator):
    """A detector of curvad behind the interface of scikit-learn."""

    _detector: ClassVar[str]
    #: Fewest rows it can be fitted on.
    _fewest: ClassVar[int] = 2

    contamination: float | str
    n_jobs: int | None

    def _options(self, rows: int) -> dict[str, Any]:
        """Options as curvad names them; None takes the default."""
        raise NotImplementedError

    def _offset(self, threshold: float) -> float:
        """Minus the score beyond which a row is an outlier."""
        return -threshold

    def fit(self, X: Any, y: Any = None) -> _Detector:
        """Learns from rows.

        Leaves `scores_` (training scores, higher is more anomalous), `labels_` (1 for outliers among the training
        rows, 0 for others) and `offset_`.
        """
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", ensure_min_samples=self._fewest)
        names = getattr(self, "feature_names_in_", None)
        request = {
            "call": "fit",
            **self._described(X.shape[0]),
            "threads": threads_of(self.n_jobs),
            "key": self._new_key(),
            **({} if names is None else {"names": [str(name) for name in names]}),
        }
        answer = worker().call(request, *row_batches(X))
        worker().keep(self._key)
        facts = json.loads(answer.schema.metadata[KEY])
        threshold = np.inf if facts["threshold"] is None else facts["threshold"]
        model = worker().call({"call": "model", "key": self._key}, pa.schema([]), [])
        self._adopt(model.column("model")[0].as_py(), column(answer, "score"), threshold)
        return self

    def _described(self, rows: int) -> dict[str, Any]:
        """What curvad must know to make this detector for so many rows."""
        self._check_contamination()
        options = {name: value for name, value in self._options(rows).items() if value is not None}
        if not isinstance(self.contamination, str):
            options["contamination"] = float(self.contamination)
        return {"detector": self._detector, "options": options}

    def fit_predict(self, X: Any, y: Any = None) -> Labels:
        """Fits and tells which of these rows are outliers: −1, or 1 for the others."""
        return np.where(self.fit(X).labels_ == 1, -1, 1)

    def score_samples(self, X: Any) -> Floats:
        """Minus the score of each row, taken as new: lower is more anomalous."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", reset=False)
        batch = pa.RecordBatch.from_arrays([pa.array([self.model_], pa.large_binary())], schema=MODEL_SCHEMA)
        request = {"call": "score", "threads": threads_of(self.n_jobs)}
        answer = worker().call_kept(self._key, batch, request, *row_batches(X))
        return -column(answer, "score")

    def decision_function(self, X: Any) -> Floats:
        """`score_samples` moved so that outliers are below 0."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Labels:
        """−1 for rows that are outliers, 1 for the others."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def save(self, path: str | Path) -> None:
        """Writes the model file, which every curvad reads: JavaScript, the command line, Spark."""
        check_is_fitted(self)
        Path(path).write_bytes(self.model_)

    def _adopt(self, model: bytes, scores: Floats, threshold: float) -> None:
        #: The model file.
        self.model_ = model
        self.scores_ = scores
        self.threshold_ = -self._offset(threshold)
        self.offset_ = -self.threshold_
        self.labels_ = (scores > self.threshold_).astype(np.int64)

    def _new_key(self) -> str:
        self._key = uuid.uuid4().hex
        weakref.finalize(self, worker().drop, self._key).atexit = False
        return self._key

    def _check_contamination(self) -> None:
        share = self.contamination
        if isinstance(share, str):
            if share != "auto":
                raise ValueError(f"contamination must be 'auto' or a number above 0 and at most 0.5, got {share!r}")
        elif not (isinstance(share, (int, float, np.number)) and 0 < share <= 0.5):
            raise ValueError(f"contamination must be 'auto' or in the range (0, 0.5], got {share!r}")

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_key"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "model_" in state:
            self._new_key()


def _scores_new_rows(self: _NeighborDetector) -> bool:
    if self.novelty:
        return True
    raise AttributeError(
        "predict is for new rows: use novelty=True for them; fit_predict(X), or labels_ after fit(X), is for the training rows"
    )


def _scores_training_rows(self: _NeighborDetector) -> bool:
    if not self.novelty:
        return True
    raise AttributeError("fit_predict is for the training rows: use novelty=False, or labels_ after fit(X)")


class _NeighborDetector(_Detector):
    """A detector that compares a row with its neighbours.

    A training row is no neighbour of itself, but a new row that equals one has it for a neighbour. So scikit-learn
    parts the two uses, and so does `novelty`: False for `fit_predict`, True for `predict`. `score_samples` and
    `decision_function` take every row as new, `scores_` and `labels_` are those of the training rows, always.
    """

    novelty: bool

    @available_if(_scores_training_rows)
    def fit_predict(self, X: Any, y: Any = None) -> Labels:
        """Fits and tells which of these rows are outliers: −1, or 1 for the others."""
        return super().fit_predict(X)

    @available_if(_scores_new_rows)
    def predict(self, X: Any) -> Labels:
        """−1 for new rows that are outliers, 1 for the others."""
        return super().predict(X)
