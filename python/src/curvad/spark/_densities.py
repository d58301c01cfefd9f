"""LOF of blocks whose neighbours are known: two more passes, each of which asks the blocks that were visited for one value
of each of their rows. Sums go from the nearest neighbour to the farthest, as in src/detectors/lof.ts: the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from ._blocks import ID, Arrow, Plan, places_in, read_table, scored, write_table
from ._splits import Floats

#: As in src/detectors/lof.ts.
SMALLEST = 1e-10


def densities_of(plan: Plan, seen: dict[int, list[int]]) -> Arrow:
    """Keeps the local reachability densities of the rows of blocks; `seen` are the blocks that hold their neighbours."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in places_in(batches):
            block = plan.blocks[place]
            lists = Lists(plan, block)
            farthest = lists.of_neighbors("distances", seen[block])
            sums = np.zeros(len(lists.ids))
            for a in range(lists.k):
                sums += np.maximum(farthest(a), lists.distance[:, a])
            values = 1 / (sums / lists.k + SMALLEST)
            found = pa.record_batch([pa.array(lists.ids), pa.array(values)], names=[ID, "value"])
            write_table(plan.directory, "densities", block, [found])
            yield pa.record_batch([pa.array([block], pa.int32())], names=["block"])

    return run


def factors_of(plan: Plan, seen: dict[int, list[int]], facts: dict[int, Any]) -> Arrow:
    """The local outlier factors of the rows of blocks."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in places_in(batches):
            block = plan.blocks[place]
            lists = Lists(plan, block)
            density = lists.of_neighbors("densities", seen[block])
            sums = np.zeros(len(lists.ids))
            for a in range(lists.k):
                sums += density(a)
            own = read_table(plan.directory, "densities", block).column("value").to_numpy()
            yield scored(lists.ids, sums / lists.k / own, facts[block])

    return run


class Lists:
    """The rows of a block with their neighbours, nearest first."""

    def __init__(self, plan: Plan, block: int) -> None:
        self._plan = plan
        table = read_table(plan.directory, "lists", block)
        self.ids = np.asarray(table.column(ID).to_numpy())
        self.k = int(table.schema.field("near").type.list_size)
        self._near, self.distance = (
            np.asarray(table.column(name).combine_chunks().flatten()).reshape(-1, self.k) for name in ("near", "distance")
        )

    def of_neighbors(self, folder: str, blocks: list[int]) -> Callable[[int], Floats]:
        """A value of the a-th neighbour of each row, out of what blocks keep."""
        parts = [read_table(self._plan.directory, folder, block) for block in blocks]
        ids = np.concatenate([part.column(ID).to_numpy() for part in parts])
        values = np.concatenate([part.column("value").to_numpy() for part in parts])
        order = np.argsort(ids)
        ids, values = ids[order], values[order]
        return lambda a: np.asarray(values[np.searchsorted(ids, self._near[:, a])])
