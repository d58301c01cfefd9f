"""Model files as they are, whoever fitted them: in JavaScript, at the command line, here."""

from __future__ import annotations

import json
import uuid
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrays import column, row_batches
from ._base import MODEL_SCHEMA, Floats, Labels
from ._worker import worker


class Model:
    """A fitted detector. Scores are higher for what is more anomalous."""

    def __init__(self, data: bytes) -> None:
        self.bytes = data
        self._key = uuid.uuid4().hex
        weakref.finalize(self, worker().drop, self._key).atexit = False
        answer = worker().call({"call": "load", "key": self._key}, MODEL_SCHEMA, [self._batch()])
        worker().keep(self._key)
        info = json.loads(answer.column("info")[0].as_py())
        self.detector: str = info["detector"]
        self.columns: int = info["columns"]
        #: The columns that it finds by name, if it knows any.
        self.names: list[str] | None = info["names"]
        self.threshold: float = np.inf if info["threshold"] is None else info["threshold"]

    def score(self, rows: Any) -> Floats:
        """Scores of new rows: a table with the columns of the model (pandas or Arrow), or a matrix."""
        return column(self._ask(rows), "score")

    def predict(self, rows: Any) -> Labels:
        """1 for rows above the threshold of the model, 0 for others."""
        return column(self._ask(rows), "label").astype(np.int64)

    def _ask(self, rows: Any) -> pa.Table:
        if hasattr(rows, "iloc"):
            rows = pa.Table.from_pandas(rows, preserve_index=False)
        if isinstance(rows, pa.Table):
            schema, batches = rows.schema, rows.to_batches()
        else:
            matrix = np.asarray(rows)
            if matrix.ndim != 2 or matrix.shape[1] == 0:
                raise ValueError(f"rows must be a matrix or a table, got an array of shape {matrix.shape}")
            if matrix.dtype != np.float32:
                matrix = matrix.astype(np.float64)
            schema, batches = row_batches(matrix)
        return worker().call_kept(self._key, self._batch(), {"call": "score"}, schema, batches)

    def save(self, path: str | Path) -> None:
        """Writes the model file."""
        Path(path).write_bytes(self.bytes)

    def _batch(self) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([pa.array([self.bytes], pa.large_binary())], schema=MODEL_SCHEMA)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.bytes,)

    def __repr__(self) -> str:
        return f"<curvad.Model: {self.detector} of {self.columns} columns, threshold {self.threshold:g}>"


def load(source: str | Path | bytes) -> Model:
    """Loads a model file, from its path or its bytes."""
    return Model(source if isinstance(source, bytes) else Path(source).read_bytes())
