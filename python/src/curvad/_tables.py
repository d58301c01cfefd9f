"""Tables as Arrow, however they come: pandas, polars, pyarrow, DuckDB, whatever has Arrow's interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds


def table_of(X: Any) -> pa.Table | None:
    """The table that X is; None for rows without names."""
    if isinstance(X, pa.Table):
        return _ready(X)
    if isinstance(X, pa.RecordBatch):
        return _ready(pa.Table.from_batches([X]))
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        return _ready(_from_pandas(X))
    if hasattr(X, "__arrow_c_stream__"):
        return _ready(pa.table(X))
    return None


def named(X: Any, names: Sequence[str]) -> pa.Table:
    """Rows without names as a table that has them."""
    rows = np.asarray(X)
    if rows.ndim != 2 or rows.shape[1] != len(names):
        raise ValueError(f"rows must have {len(names)} columns ({', '.join(names[:12])}), got an array of shape {rows.shape}")
    return _ready(pa.table({name: _cells(rows[:, j]) for j, name in enumerate(names)}))


def is_plain(table: pa.Table) -> bool:
    """Whether every cell is a number: nothing is to be prepared."""
    return all(_is_of_numbers(column) for column in table.columns)


def _is_of_numbers(column: pa.ChunkedArray) -> bool:
    if column.null_count > 0:
        return False
    if kinds.is_floating(column.type) and not kinds.is_float16(column.type):
        return not pc.any(pc.is_nan(column)).as_py()
    return bool(kinds.is_integer(column.type) or kinds.is_boolean(column.type))


def _from_pandas(frame: Any) -> pa.Table:
    names = [str(name) for name in frame.columns]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise ValueError(f"two columns have the name {twice!r}: rename one")
    return pa.table({name: _cells(frame.iloc[:, j]) for j, name in enumerate(names)})


def _cells(values: Any) -> Any:
    """A column; what Arrow finds no common type for becomes text."""
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return pa.array([None if value is None or value != value else str(value) for value in values], pa.string())


def _ready(table: pa.Table) -> pa.Table:
    """Dictionaries that are the same in all batches, and nothing in the schema but names and types."""
    return table.unify_dictionaries().replace_schema_metadata()
