"""One task of a distributed fit: a block of rows looks for its neighbours in the cells of others that boxes cannot exclude."""

from __future__ import annotations

import json
import pickle
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
from ._shapes import Shapes, stored
from ._splits import Floats, Places, cells_of

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
    blocks: list[int]
    #: Where the detector has some: with their ids.
    landmarks: pa.Table | None = None

    @property
    def needs_neighbors(self) -> bool:
        return self.request["options"].get("curvature") != 0


def read_rows(directory: str, block: int, names: list[str]) -> pa.Table:
    """The rows of a block as Spark wrote them, by ascending ids."""
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/rows/{BLOCK}={block}")
    table = pa.dataset.dataset(path, filesystem=files, format="parquet").to_table(columns=[ID, *names])
    return table.sort_by(ID)


def read_cells(directory: str, block: int, cells: Iterable[int] | None = None) -> pa.Table:
    """Some cells of a block, or all of it, by ascending ids: no more is read than that."""
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/cells/{block}.arrow")
    with files.open_input_file(path) as source, pa.ipc.open_file(source) as found:
        wanted = range(found.num_record_batches) if cells is None else cells
        return pa.Table.from_batches([found.get_batch(int(cell)) for cell in wanted]).sort_by(ID)


def write_table(directory: str, folder: str, block: int, batches: list[pa.RecordBatch]) -> None:
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/{folder}")
    files.create_dir(path, recursive=True)
    name = f"{path}/{block}.arrow"
    draft = f"{name}.{uuid.uuid4().hex}"  # a task may run twice at the same time
    with files.open_output_stream(draft) as sink, pa.ipc.new_file(sink, batches[0].schema) as out:
        for batch in batches:
            out.write_batch(batch)
    if files.get_file_info(name).type == pa.fs.FileType.NotFound:
        files.move(draft, name)
    else:
        files.delete_file(draft)


def read_table(directory: str, folder: str, block: int) -> pa.Table:
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/{folder}/{block}.arrow")
    with files.open_input_file(path) as source, pa.ipc.open_file(source) as found:
        return found.read_all()


def write_shapes(directory: str, shapes: Shapes) -> None:
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/shapes")
    with files.open_output_stream(path) as sink:
        sink.write(pickle.dumps(shapes, protocol=5))


def read_shapes(directory: str) -> Shapes:
    files, path = pa.fs.FileSystem.from_uri(f"{directory}/shapes")
    with files.open_input_stream(path) as source:
        shapes: Shapes = pickle.loads(source.read())  # noqa: S301: it was written by write_shapes
        return shapes


def values_of(table: pa.Table, names: list[str]) -> Floats:
    """Rows of a table as a matrix."""
    return np.column_stack([table.column(name).to_numpy() for name in names])


def ask(request: dict[str, Any], table: pa.Table | None = None) -> pa.Table:
    """One call of the worker of this process."""
    if table is None:
        return worker().call(request, NOTHING, [])
    return worker().call(request, table.schema.remove_metadata(), table.replace_schema_metadata().to_batches())


def told(table: pa.Table, name: str = "facts") -> Any:
    """What an answer says as JSON."""
    return json.loads(table.column(name)[0].as_py())


def shapes_of(plan: Plan, cell_rows: int) -> Arrow:
    """Parts blocks into cells, in files that each of them can be read from, and tells the boxes around them."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in places_in(batches):
            block = plan.blocks[place]
            table = read_rows(plan.directory, block, plan.names)
            rows = stored(values_of(table, plan.names), plan.scaling)
            cells = cells_of(rows, cell_rows)
            parts = [table.take(members).combine_chunks().to_batches()[0] for members in cells]
            write_table(plan.directory, "cells", block, parts)
            data = pickle.dumps(Shapes.around(block, rows, cells), protocol=5)
            yield pa.RecordBatch.from_arrays([pa.array([data], pa.binary())], names=["shapes"])

    return run


def scores_of(plan: Plan) -> Arrow:
    """Scores of the rows of blocks; what a task did stands as JSON in its first row."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in places_in(batches):
            answer, facts = _search(plan, plan.blocks[place], _scores)
            yield scored(answer.column("id"), answer.column("score"), facts)

    return run


def lists_of(plan: Plan) -> Arrow:
    """Keeps the neighbours of the rows of blocks, and tells what tasks did."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in places_in(batches):
            _, facts = _search(plan, plan.blocks[place], _write_lists)
            yield pa.record_batch([pa.array([json.dumps(facts)])], names=["facts"])

    return run


def scored(ids: Any, scores: Any, facts: dict[str, Any]) -> pa.RecordBatch:
    """Scores of a block as a task gives them."""
    told_once = [json.dumps(facts), *[None] * (len(ids) - 1)]
    arrays = [_joined(ids).cast(pa.int64()), _joined(scores), pa.array(told_once, pa.string())]
    return pa.RecordBatch.from_arrays(arrays, names=["id", "score", "facts"])


def _joined(values: Any) -> pa.Array:
    return pa.concat_arrays(values.chunks) if isinstance(values, pa.ChunkedArray) else pa.array(values)


def places_in(batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


def _search(plan: Plan, block: int, finish: Callable[[Plan, int, pa.Table, str], Any]) -> tuple[Any, dict[str, Any]]:
    """Finds the neighbours of the rows of a block; what is made of them, and what that took."""
    start = time.monotonic()
    key = uuid.uuid4().hex
    mine = read_cells(plan.directory, block)
    ask({"call": "block", "key": key, "id": ID, "scaling": plan.scaling, **plan.request}, mine)
    worker().keep(key)
    try:
        visits = Visits(plan, block, mine, key)
        if plan.needs_neighbors:
            visits.run()
        answer = finish(plan, block, mine, key)
    finally:
        worker().drop(key)
    facts = {
        "block": block,
        "rows": mine.num_rows,
        "visited": len(visits.visited),
        "skipped": len(plan.blocks) - 1 - len(visits.visited),
        "cells_read": visits.cells,
        "cells_skipped": visits.others - visits.cells,
        "bytes": mine.nbytes + visits.bytes,
        "seconds": round(time.monotonic() - start, 3),
        "seen": [block, *visits.visited],
    }
    return answer, facts


def _scores(plan: Plan, _: int, __: pa.Table, key: str) -> pa.Table:
    landmarks = {} if plan.landmarks is None else {"id": ID}
    return ask({"call": "blockScores", "key": key, **landmarks}, plan.landmarks)


def _write_lists(plan: Plan, block: int, mine: pa.Table, key: str) -> None:
    """The neighbours of the rows of a block, and their k-distances apart: other blocks ask for these."""
    lists = ask({"call": "lists", "key": key})
    ids, count = mine.column(ID).combine_chunks(), mine.num_rows
    near, distance = (np.asarray(lists.column(name).to_numpy()) for name in ("id", "distance"))
    k = len(near) // count
    parts = [pa.FixedSizeListArray.from_arrays(pa.array(values), k) for values in (near.astype(np.int64), distance)]
    write_table(plan.directory, "lists", block, [pa.record_batch([ids, *parts], names=[ID, "near", "distance"])])
    farthest = pa.array(distance.reshape(count, k)[:, -1])
    write_table(plan.directory, "distances", block, [pa.record_batch([ids, farthest], names=[ID, "value"])])


class Visits:
    """The visits of one block in others: the nearest first, as what is found there excludes more."""

    def __init__(self, plan: Plan, block: int, mine: pa.Table, key: str) -> None:
        self.plan = plan
        self.block = block
        self.key = key
        self.visited: list[int] = []
        self.cells = self.bytes = 0
        self.shapes = read_shapes(plan.directory)
        self.others = int((self.shapes.block != block).sum())
        self._rows = stored(values_of(mine, plan.names), plan.scaling)
        #: My cells: their rows, a point amid them, and how far they are from it.
        self._mine = cells_of(self._rows, int(self.shapes.rows.max()))
        self._centre = np.stack([self._rows[members].mean(axis=0) for members in self._mine])
        self._radius = np.array([_radius(self._rows[m], c) for m, c in zip(self._mine, self._centre, strict=True)])

    def run(self) -> None:
        self._ask_limits()
        near = np.flatnonzero(self.shapes.near(self._centre, self._reach()) & (self.shapes.block != self.block))
        distance = self._distances(near)
        first = {block: distance[self.shapes.block[near] == block].min() for block in set(self.shapes.block[near].tolist())}
        for block in sorted(first, key=lambda other: (first[other], other)):
            self._visit(block, near[self.shapes.block[near] == block])

    def _visit(self, block: int, cells: Places) -> None:
        asking = np.zeros(len(self._rows), dtype=bool)
        wanted = []
        for cell in cells:
            found = self._asking(int(cell))
            if found.any():
                asking |= found
                wanted.append(int(self.shapes.cell[cell]))
        if not wanted:
            return
        table = read_cells(self.plan.directory, block, wanted)
        rows = np.flatnonzero(asking).tolist()
        ask({"call": "visit", "key": self.key, "id": ID, "asking": rows}, table)
        self.visited.append(block)
        self.cells += len(wanted)
        self.bytes += table.nbytes
        self._ask_limits()

    def _asking(self, cell: int) -> npt.NDArray[np.bool_]:
        """Which of my rows may have a neighbour in a cell."""
        found = np.zeros(len(self._rows), dtype=bool)
        gap = self.shapes.bounds(cell, self._centre)
        for mine in np.flatnonzero(gap <= self._reach()):
            members = self._mine[mine]
            found[members] = self.shapes.bounds(cell, self._rows[members]) <= self._limits[members]
        return found

    def _ask_limits(self) -> None:
        self._limits = np.asarray(ask({"call": "limits", "key": self.key}).column("limit").to_numpy())
        self._most = np.array([self._limits[members].max() for members in self._mine])

    def _reach(self) -> Floats:
        """How far a cell of mine looks from the point amid it."""
        return np.asarray((self._most + self._radius) * (1 + 1e-9))

    def _distances(self, cells: Places) -> Floats:
        """About how far cells are: in which order they are visited changes no result."""
        gaps = np.linalg.norm(self.shapes.centre[cells][:, None] - self._centre, axis=2).min(axis=1)
        return np.asarray(gaps)


def _radius(rows: Floats, centre: Floats) -> float:
    """More than how far rows are from a point."""
    length = np.sqrt(((rows - centre) ** 2).sum(axis=1)).max(initial=0.0)
    return float(length * (1 + 1e-9) + np.abs(rows).max(initial=0.0) * np.sqrt(rows.shape[1]) * 2.0**-21)
