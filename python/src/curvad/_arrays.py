"""NumPy arrays as Arrow batches, without a copy where they lie row after row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ._worker import BATCH_VALUES

Rows = npt.NDArray[np.float64] | npt.NDArray[np.float32]


def rows_schema(rows: Rows) -> pa.Schema:
    value = pa.float32() if rows.dtype == np.float32 else pa.float64()
    return pa.schema([pa.field("rows", pa.list_(value, rows.shape[1]))])


def row_batches(rows: Rows, classes: npt.NDArray[np.int64] | None = None) -> tuple[pa.Schema, list[pa.RecordBatch]]:
    """Rows as batches of one column of lists, and a column of classes where there are any."""
    count, columns = rows.shape
    flat = pa.array(np.ascontiguousarray(rows).reshape(-1))
    schema = rows_schema(rows)
    lists = pa.FixedSizeListArray.from_arrays(flat, columns)
    arrays: list[pa.Array] = [lists]
    if classes is not None:
        schema = schema.append(pa.field("class", pa.int64()))
        arrays.append(pa.array(classes))
    whole = pa.RecordBatch.from_arrays(arrays, schema=schema)
    step = max(1, BATCH_VALUES // columns)
    return schema, [whole.slice(start, step) for start in range(0, count, step)]


def column(table: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """A column of an answer."""
    return np.asarray(table.column(name).to_numpy())
