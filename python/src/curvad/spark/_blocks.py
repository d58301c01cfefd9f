"""One task of a distributed fit: a block of rows looks for its neighbours in the blocks that boxes cannot exclude."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs

from .._worker import worker

Floats = npt.NDArray[np.float64]
Arrow = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
NOTHING = pa.schema([])
#: Names that no column of the rows has.
ID = "curvad_id"
BLOCK = "curvad_block"


@dataclass
class Plan:
    """What every task must know."""

    directory: str
    names: list[str]
    #: Of the detector: its name and its options.
    request: dict[str, Any]
    scaling: dict[str, Any]
    #: The blocks, and the low and high corner of each.
    blocks: list[int]
    low: Floats
    high: Floats
    #: Where the detector has some: with their ids.
    landmarks: pa.Table | None = None

    @property
    def needs_neighbors(self) -> bool:
        return self.request["options"].get("curvature") != 0

    def distances(self, place: int) -> Floats:
        """About how far other blocks are: in which order they are visited changes no result."""
        scale = scales_of(self.scaling)
        gap = np.maximum(0, np.maximum(self.low - self.high[place], self.low[place] - self.high)) / scale
        return np.asarray((gap * gap).sum(axis=1))


def scales_of(scaling: dict[str, Any]) -> Floats:
    """What columns are divided by: those that are left out, by infinity."""
    scale = np.asarray(scaling["scale"], np.float64)
    return np.where(scale == 0, np.inf, scale)


def read_block(directory: str, block: int, names: list[str]) -> pa.Table:
    """The rows of a block, by ascending ids."""
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/rows/{BLOCK}={block}")
    table = pa.dataset.dataset(path, filesystem=files, format="parquet").to_table(columns=[ID, *names])
    return table.sort_by(ID)


def ask(request: dict[str, Any], table: pa.Table | None = None) -> pa.Table:
    """One call of the worker of this process."""
    if table is None:
        return worker().call(request, NOTHING, [])
    return worker().call(request, table.schema.remove_metadata(), table.replace_schema_metadata().to_batches())


def told(table: pa.Table, name: str = "facts") -> Any:
    """What an answer says as JSON."""
    return json.loads(table.column(name)[0].as_py())


def boxes_of(directory: str, names: list[str], blocks: list[int]) -> Arrow:
    """The corners of blocks."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in _places(batches):
            table = read_block(directory, blocks[place], names)
            rows = np.column_stack([table.column(name).to_numpy() for name in names])
            low, high = (pa.array([edge.tolist()], pa.list_(pa.float64())) for edge in (rows.min(axis=0), rows.max(axis=0)))
            yield pa.RecordBatch.from_arrays([pa.array([place], pa.int32()), low, high], names=["place", "low", "high"])

    return run


def scores_of(plan: Plan) -> Arrow:
    """Scores of the rows of blocks; what a task did stands as JSON in its first row."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in _places(batches):
            answer, facts = _score_block(plan, place)
            count = answer.num_rows
            yield pa.RecordBatch.from_arrays(
                [
                    _column(answer, "id").cast(pa.int64()),
                    _column(answer, "score"),
                    pa.array([json.dumps(facts), *[None] * (count - 1)], pa.string()),
                ],
                names=["id", "score", "facts"],
            )

    return run


def _places(batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


def _column(table: pa.Table, name: str) -> pa.Array:
    return pa.concat_arrays(table.column(name).chunks)


def _score_block(plan: Plan, place: int) -> tuple[pa.Table, dict[str, Any]]:
    start = time.monotonic()
    key = uuid.uuid4().hex
    mine = read_block(plan.directory, plan.blocks[place], plan.names)
    size, visited = mine.nbytes, 0
    ask({"call": "block", "key": key, "id": ID, "scaling": plan.scaling, **plan.request}, mine)
    worker().keep(key)
    try:
        for other in _candidates(plan, place, key) if plan.needs_neighbors else []:
            if _wanting(plan, [other], key)[0] == 0:
                continue  # what was found meanwhile is nearer
            rows = read_block(plan.directory, plan.blocks[other], plan.names)
            size, visited = size + rows.nbytes, visited + 1
            ask({"call": "visit", "key": key, "id": ID}, rows)
        landmarks = {} if plan.landmarks is None else {"id": ID}
        answer = ask({"call": "blockScores", "key": key, **landmarks}, plan.landmarks)
    finally:
        worker().drop(key)
    facts = {
        "block": plan.blocks[place],
        "rows": mine.num_rows,
        "visited": visited,
        "skipped": len(plan.blocks) - 1 - visited,
        "bytes": size,
        "seconds": round(time.monotonic() - start, 3),
    }
    return answer, facts


def _candidates(plan: Plan, place: int, key: str) -> list[int]:
    """The places of the blocks that may have a neighbour, nearest first. What nobody wants now nobody will want."""
    others = [int(other) for other in np.argsort(plan.distances(place), kind="stable") if other != place]
    return [other for other, wanting in zip(others, _wanting(plan, others, key), strict=True) if wanting > 0]


def _wanting(plan: Plan, places: list[int], key: str) -> npt.NDArray[np.int64]:
    """How many rows may have a neighbour in each of these blocks."""
    if not places:
        return np.empty(0, np.int64)
    corners = np.concatenate([plan.low[places], plan.high[places]], axis=1)
    boxes = pa.FixedSizeListArray.from_arrays(pa.array(corners.ravel()), corners.shape[1])
    answer = ask({"call": "wanting", "key": key}, pa.table({"box": boxes}))
    return np.asarray(answer.column("rows").to_numpy(), np.int64)
