"""The stages of a Spark ML pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.ml import Estimator, Transformer
from pyspark.sql import DataFrame

from .._model import Model
from ._fit import MOST_ROWS, fit
from ._score import model_bytes, score


class CurvadModel(Transformer):
    """Adds the columns `score` and `label` to a DataFrame."""

    def __init__(self, model: Any, columns: list[str] | None = None) -> None:
        super().__init__()
        self.model = Model(model_bytes(model))
        self.columns = columns

    def _transform(self, dataset: DataFrame) -> DataFrame:
        return score(dataset, self.model, columns=self.columns)

    def save(self, path: str | Path) -> None:
        """Writes the model file; `CurvadModel(path)` reads it."""
        self.model.save(path)


class CurvadEstimator(Estimator):  # type: ignore[type-arg]
    """Fits a detector of curvad on the driver."""

    def __init__(
        self,
        detector: Any = None,
        columns: list[str] | None = None,
        max_rows: int = MOST_ROWS,
        sample: bool = False,
    ) -> None:
        super().__init__()
        self.detector = detector
        self.columns = columns
        self.max_rows = max_rows
        self.sample = sample

    def _fit(self, dataset: DataFrame) -> CurvadModel:
        model = fit(dataset, self.detector, self.columns, self.max_rows, self.sample)
        return CurvadModel(model, self.columns)
