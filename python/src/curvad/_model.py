"""Model files as they are, whoever fitted them: in JavaScript, at the command line, here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrays import column, row_batches
from ._explanation import Explanation
from ._kept import Floats, KeptModel, Labels, training_rows
from ._tables import table_of


class Model:
    """A fitted detector. Scores are higher for what is more anomalous."""

    def __init__(self, data: bytes) -> None:
        self.bytes = data
        self._kept = KeptModel()
        info = json.loads(self._kept.load(data).column("info")[0].as_py())
        self.detector: str = info["detector"]
        #: Numbers of a row, as the model works on them.
        self.columns: int = info["columns"]
        #: The columns that it finds by name, if it knows any.
        self.names: list[str] | None = info["names"]
        self.threshold: float = np.inf if info["threshold"] is None else info["threshold"]

    def score(self, rows: Any) -> Floats:
        """Scores of new rows: a table with the columns of the model (pandas, polars, Arrow), or a matrix."""
        return column(self._ask("score", rows), "score")

    def predict(self, rows: Any) -> Labels:
        """1 for rows above the threshold of the model, 0 for others."""
        labels = column(self._ask("score", rows), "label")
        return np.nan_to_num(labels.astype(np.float64)).astype(np.int64)

    def probability(self, rows: Any) -> Floats:
        """How unusual rows are, from 0 to 1: about the share of training rows with a lower score."""
        return column(self._ask("probability", rows), "probability")

    def explain(self, rows: Any) -> list[Explanation]:
        """Why rows are anomalous, and what would make them normal: of new rows, or of training rows by their indices."""
        known = training_rows(rows)
        return self._kept.explain({}, *_stream(rows)) if known is None else self._kept.explain_training(known)

    def _ask(self, call: str, rows: Any) -> pa.Table:
        return self._kept.ask({"call": call}, *_stream(rows))

    def save(self, path: str | Path) -> None:
        """Writes the model file."""
        Path(path).write_bytes(self.bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.bytes,)

    def __repr__(self) -> str:
        return f"<curvad.Model: {self.detector} of {self.columns} columns, threshold {self.threshold:g}>"


def _stream(rows: Any) -> tuple[pa.Schema, list[pa.RecordBatch]]:
    table = table_of(rows)
    if table is not None:
        return table.schema, table.to_batches()
    matrix = np.asarray(rows)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise ValueError(f"rows must be a matrix or a table, got an array of shape {matrix.shape}")
    return row_batches(matrix if matrix.dtype == np.float32 else matrix.astype(np.float64))


def load(source: str | Path | bytes) -> Model:
    """Loads a model file, from its path or its bytes."""
    return Model(source if isinstance(source, bytes) else Path(source).read_bytes())
