"""A model that the worker of this process keeps, and is given again where it does not."""

from __future__ import annotations

import uuid
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ._explanation import Explanation
from ._worker import worker

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
MODEL_SCHEMA = pa.schema([pa.field("model", pa.large_binary())])
NOTHING = pa.schema([])


def new_key(owner: object) -> str:
    """A name under which the worker keeps something until its owner is gone."""
    key = uuid.uuid4().hex
    weakref.finalize(owner, worker().drop, key).atexit = False
    return key


class KeptModel:
    def __init__(self) -> None:
        self.key = new_key(self)
        self.bytes = b""

    def load(self, data: bytes) -> pa.Table:
        """Gives the worker a model file; what it says of it."""
        self.bytes = data
        answer = worker().call({"call": "load", "key": self.key}, MODEL_SCHEMA, [self._file()])
        worker().keep(self.key)
        return answer

    def take(self) -> bytes:
        """The file of the model that the worker fitted under this key."""
        worker().keep(self.key)
        self.bytes = worker().call({"call": "model", "key": self.key}, NOTHING, []).column("model")[0].as_py()
        return self.bytes

    def ask(self, request: Mapping[str, Any], schema: pa.Schema, batches: Sequence[pa.RecordBatch]) -> pa.Table:
        return worker().call_kept(self.key, self._file(), request, schema, batches)

    def explain(self, request: Mapping[str, Any], schema: pa.Schema, batches: Sequence[pa.RecordBatch]) -> list[Explanation]:
        texts = self.ask({"call": "explain", **request}, schema, batches).column("explanation").to_pylist()
        if None in texts:
            raise ValueError(f"row {texts.index(None)} lacks values, and the model leaves such rows out: fill it in")
        return [Explanation.from_json(text) for text in texts]

    def explain_training(self, rows: Sequence[int]) -> list[Explanation]:
        return self.explain({"rows": [int(row) for row in rows]}, NOTHING, [])

    def _file(self) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([pa.array([self.bytes], pa.large_binary())], schema=MODEL_SCHEMA)


def training_rows(X: Any) -> list[int] | None:
    """The indices that X is: a whole number, or a list of them; None for rows."""
    if isinstance(X, (int, np.integer)) and not isinstance(X, bool):
        return [int(X)]
    if isinstance(X, (list, tuple, range)) and all(isinstance(row, (int, np.integer)) for row in X):
        return [int(row) for row in X]
    if isinstance(X, np.ndarray) and X.ndim == 1 and np.issubdtype(X.dtype, np.integer):
        return [int(row) for row in X]
    return None
