"""Scores of the rows of a DataFrame."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.types import ByteType, DoubleType, StructField, StructType

from .._model import Model
from .._stream import score_batches
from .._worker import CurvadError

#: A column that Spark may ask a stream about.
ADDED = ("score", "label")


def score(
    df: DataFrame,
    model: Model | bytes | str | Path | Any,
    columns: Sequence[str] | None = None,
    id: str | Sequence[str] | None = None,  # noqa: A002: the name of the option everywhere
) -> DataFrame:
    """Scores the rows of a DataFrame, of a stream too.

    `model`: a model file (bytes or path), a `Model`, or a fitted detector. `columns`: those to score; by default those
    that the model knows by name, otherwise all but `id`. The result has the columns `id` names, or all columns, and
    `score` (higher is more anomalous) and `label` (1 above the threshold of the model).
    """
    data = model_bytes(model)
    known = Model(data)
    passed = list(df.columns) if id is None else [id] if isinstance(id, str) else list(id)
    wanted = list(columns) if columns is not None else known.names
    if wanted is None:
        wanted = [name for name in df.columns if id is None or name not in passed]
    check_columns(df, [*wanted, *passed])
    taken = set(passed) & set(ADDED)
    if taken:
        raise ValueError(f"the result has a column {taken.pop()!r} of its own: rename yours, or name others with id=")
    if columns is not None and known.names is not None and sorted(wanted) != sorted(known.names):
        raise ValueError(f"the model knows its columns by name: {known.names}, got {wanted}")
    if known.names is None and len(wanted) != known.columns:
        raise ValueError(f"the model has {known.columns} columns, got {len(wanted)}: {wanted}")
    fields = [StructField(df.schema[name].name, df.schema[name].dataType, df.schema[name].nullable) for name in passed]
    schema = StructType([*fields, StructField("score", DoubleType()), StructField("label", ByteType())])
    needed = list(dict.fromkeys([*passed, *wanted]))
    return df.select(*(f"`{name}`" for name in needed)).mapInArrow(scorer(data, wanted, passed), schema)


def model_bytes(model: Any) -> bytes:
    """The model file of whatever stands for a model."""
    if isinstance(model, bytes):
        return model
    if isinstance(model, (str, Path)):
        return Path(model).read_bytes()
    for name in ("bytes", "model_"):
        data = getattr(model, name, None)
        if isinstance(data, bytes):
            return data
    raise TypeError(f"a model is a path, bytes, a Model or a fitted detector, got {type(model).__name__}")


def check_columns(df: DataFrame, names: Sequence[str]) -> None:
    unknown = [name for name in names if name not in df.columns]
    if unknown:
        raise ValueError(f"there is no column {unknown[0]!r}; there are {', '.join(df.columns[:12])}")


def scorer(
    data: bytes, wanted: list[str], passed: list[str]
) -> Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]:
    """What runs beside the executors."""
    key = hashlib.sha256(data).hexdigest()

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            for batch, answer in score_batches(batches, key, data, wanted):
                arrays = [batch.column(name) for name in passed]
                yield pa.RecordBatch.from_arrays(
                    [*arrays, answer.column("score"), answer.column("label")], names=[*passed, *ADDED]
                )
        except CurvadError as error:
            context = TaskContext.get()
            where = "" if context is None else f"partition {context.partitionId()}, "
            raise CurvadError(f"{where}{error}", error.code, error.batch, error.row) from None

    return run
