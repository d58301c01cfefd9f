"""What all detectors share: a fit that leaves a model file, and everything else asked of that file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arrays import column, row_batches
from ._explanation import Explanation
from ._kept import NOTHING, Floats, KeptModel, Labels, training_rows
from ._tables import is_plain, named, table_of
from ._worker import KEY, worker

Stream = tuple[pa.Schema, list[pa.RecordBatch]]


def option(name: str, default: Any, convert: Callable[[Any, int], Any] | None = None) -> Any:
    """A parameter that is an option of curvad by another name; `convert` makes one of the other, for so many rows."""
    return field(default=default, metadata={"option": name, "convert": convert})


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


@dataclass(kw_only=True, eq=False, repr=False)
class _Detector(OutlierMixin, BaseEstimator):
    """A detector of curvad behind the interface of scikit-learn."""

    contamination: float | str = "auto"
    n_jobs: int | None = None
    #: Of tables: cells without a value are refused ('error'), filled in ('median'), marked too ('indicator'), or their
    #: rows left out ('drop').
    missing: str = "error"
    #: Text of up to so many values becomes a column of 0 and 1 for each.
    most_categories: int = 10
    #: Text of more values: left out ('omit'), or its share of the rows ('frequency').
    categories: str = "omit"
    #: Times: left out ('omit'), days ('epoch'), hour and weekday ('cycles'), or 'both'.
    dates: str = "omit"

    _detector: ClassVar[str]
    #: Fewest rows it can be fitted on.
    _fewest: ClassVar[int] = 2

    def _options(self, rows: int) -> dict[str, Any]:
        """Options as curvad names them; None takes the default."""
        return {
            parameter.metadata["option"]: convert(value, rows) if (convert := parameter.metadata["convert"]) else value
            for parameter in fields(self)
            if "option" in parameter.metadata
            for value in [getattr(self, parameter.name)]
        }

    def _offset(self, threshold: float) -> float:
        """Minus the score beyond which a row is an outlier."""
        return -threshold

    def fit(self, X: Any, y: Any = None) -> _Detector:
        """Learns from rows of numbers, or from a table with text, categories, times and missing values.

        Leaves `scores_` (training scores, higher is more anomalous), `labels_` (1 for outliers among the training
        rows, 0 for others), `offset_`, and of a table `notes_`: what was left out of it, and why.
        """
        table = self._table_to_learn(X)
        self._is_table = table is not None
        request: dict[str, Any] = {}
        if table is None:
            X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", ensure_min_samples=self._fewest)
            names = getattr(self, "feature_names_in_", None)
            stream, rows = row_batches(X), X.shape[0]
            request = {} if names is None else {"names": [str(name) for name in names]}
        else:
            self.feature_names_in_ = np.array(table.column_names, dtype=object)
            self.n_features_in_ = table.num_columns
            stream, rows = (table.schema, table.to_batches()), table.num_rows
            request = {"table": self._table_options()}
        kept = KeptModel()
        threads = {"threads": threads_of(self.n_jobs)}
        answer = worker().call({"call": "fit", **self._described(rows), **threads, **request, "key": kept.key}, *stream)
        facts = json.loads(answer.schema.metadata[KEY])
        #: The model file.
        self.model_ = kept.take()
        self._kept = kept
        self.notes_: list[str] = facts.get("notes", [])
        #: Of rows that `missing='drop'` left out NaN, and never above the threshold.
        self.scores_ = column(answer, "score")
        self.threshold_ = -self._offset(np.inf if facts["threshold"] is None else facts["threshold"])
        self.offset_ = -self.threshold_
        self.labels_ = (self.scores_ > self.threshold_).astype(np.int64)
        return self

    def _described(self, rows: int) -> dict[str, Any]:
        """What curvad must know to make this detector for so many rows."""
        self._check_contamination()
        options = {name: value for name, value in self._options(rows).items() if value is not None}
        if not isinstance(self.contamination, str):
            options["contamination"] = float(self.contamination)
        return {"detector": self._detector, "options": options}

    def _table_options(self) -> dict[str, Any]:
        return {
            "missing": self.missing,
            "mostCategories": self.most_categories,
            "categories": self.categories,
            "dates": self.dates,
        }

    def _table_to_learn(self, X: Any) -> pa.Table | None:
        """X as a table where something is to be prepared; None for numbers, which scikit-learn's own checks take."""
        table = table_of(X)
        if table is None and self.missing != "error" and np.ndim(X) == 2:
            table = named(X, [f"x{j}" for j in range(np.shape(X)[1])])
        return None if table is None or (is_plain(table) and hasattr(X, "iloc")) else table

    def _stream(self, X: Any) -> Stream:
        """New rows as the worker takes them."""
        check_is_fitted(self)
        if self._is_table:
            table = table_of(X)
            table = named(X, list(self.feature_names_in_)) if table is None else table
            return table.schema, table.to_batches()
        return row_batches(validate_data(self, X, dtype=[np.float64, np.float32], order="C", reset=False))

    def fit_predict(self, X: Any, y: Any = None) -> Labels:
        """Fits and tells which of these rows are outliers: −1, or 1 for the others."""
        return np.where(self.fit(X).labels_ == 1, -1, 1)

    def score_samples(self, X: Any) -> Floats:
        """Minus the score of each row, taken as new: lower is more anomalous."""
        stream = self._stream(X)
        return -column(self._kept.ask({"call": "score", "threads": threads_of(self.n_jobs)}, *stream), "score")

    def decision_function(self, X: Any) -> Floats:
        """`score_samples` moved so that outliers are below 0."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Labels:
        """−1 for rows that are outliers, 1 for the others."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def top(self, n: int = 10) -> Labels:
        """The training rows with the highest scores, highest first."""
        check_is_fitted(self)
        scores = np.where(np.isnan(self.scores_), -np.inf, self.scores_)
        return np.argsort(-scores, kind="stable")[:n]

    def probability(self, X: Any = None) -> Floats:
        """How unusual new rows are, from 0 to 1: about the share of training rows with a lower score.

        It is comparable between detectors. Without X: of the training rows.
        """
        check_is_fitted(self)
        stream = (NOTHING, []) if X is None else self._stream(X)
        found = column(self._kept.ask({"call": "probability"}, *stream), "probability")
        if X is not None or len(found) == len(self.scores_):
            return found
        all_rows = np.full(len(self.scores_), np.nan)
        all_rows[~np.isnan(self.scores_)] = found
        return all_rows

    def explain(self, X: Any) -> list[Explanation]:
        """Why rows are anomalous, and what would make them normal: of new rows, or of training rows by their indices.

        `print(*detector.explain(detector.top(3)), sep="\n\n")`
        """
        check_is_fitted(self)
        rows = training_rows(X)
        return self._kept.explain({}, *self._stream(X)) if rows is None else self._kept.explain_training(rows)

    def save(self, path: str | Path) -> None:
        """Writes the model file, which every curvad reads: JavaScript, the command line, Spark."""
        check_is_fitted(self)
        Path(path).write_bytes(self.model_)

    def _check_contamination(self) -> None:
        share = self.contamination
        if isinstance(share, str):
            if share != "auto":
                raise ValueError(f"contamination must be 'auto' or a number above 0 and at most 0.5, got {share!r}")
        elif not (isinstance(share, (int, float, np.number)) and 0 < share <= 0.5):
            raise ValueError(f"contamination must be 'auto' or in the range (0, 0.5], got {share!r}")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_kept"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "model_" in state:
            self._kept = KeptModel()
            self._kept.bytes = self.model_


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


@dataclass(kw_only=True, eq=False, repr=False)
class _NeighborDetector(_Detector):
    """A detector that compares a row with its neighbours.

    A training row is no neighbour of itself, but a new row that equals one has it for a neighbour. So scikit-learn
    parts the two uses, and so does `novelty`: False for `fit_predict`, True for `predict`. `score_samples` and
    `decision_function` take every row as new, `scores_` and `labels_` are those of the training rows, always.
    """

    novelty: bool = False

    @available_if(_scores_training_rows)
    def fit_predict(self, X: Any, y: Any = None) -> Labels:
        """Fits and tells which of these rows are outliers: −1, or 1 for the others."""
        return super().fit_predict(X)

    @available_if(_scores_new_rows)
    def predict(self, X: Any) -> Labels:
        """−1 for new rows that are outliers, 1 for the others."""
        return super().predict(X)
