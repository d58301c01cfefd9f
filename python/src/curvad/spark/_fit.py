"""Fits on the rows of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

from .._base import _Detector
from .._detectors import LandmarkCAD
from .._model import Model
from ._score import check_columns

#: Rows that a driver takes, unless it is told otherwise.
MOST_ROWS = 1_000_000


def fit(
    df: DataFrame,
    detector: _Detector | None = None,
    columns: Sequence[str] | None = None,
    max_rows: int = MOST_ROWS,
    sample: bool = False,
    seed: int = 0,
) -> Model:
    """Fits a detector on the driver and gives the model, to score any number of rows with.

    `detector`: one that is not fitted yet; `LandmarkCAD` where none is given. More rows than `max_rows` are refused,
    unless `sample` takes about so many of them at random.
    """
    names = list(columns) if columns is not None else list(df.columns)
    check_columns(df, names)
    rows = df.select(*(f"`{name}`" for name in names))
    if sample:
        count = rows.count()
        if count > max_rows:
            rows = rows.sample(fraction=max_rows / count, seed=seed)
    else:
        rows = rows.limit(max_rows + 1)
    table: Any = rows.toPandas()
    if not sample and len(table) > max_rows:
        raise ValueError(f"there are more than {max_rows} rows: use sample=True, or a larger max_rows where they fit")
    fitted = (LandmarkCAD() if detector is None else detector).fit(table)
    return Model(fitted.model_)
