"""Blocks of rows that are near each other: a few splits, learned from a sample."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass
class Splits:
    """A tree: rows with `column <= value` go to `left`, the others to `right`; a negative child −1 − b is block b."""

    column: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    blocks: int = 0

    def block_of(self, rows: Floats) -> npt.NDArray[np.int32]:
        blocks = np.empty(len(rows), dtype=np.int32)
        if not self.column:
            blocks[:] = 0
            return blocks
        waiting = [(0, np.arange(len(rows)))]
        while waiting:
            node, members = waiting.pop()
            if node < 0:
                blocks[members] = -1 - node
                continue
            is_left = rows[members, self.column[node]] <= self.value[node]
            waiting.append((self.left[node], members[is_left]))
            waiting.append((self.right[node], members[~is_left]))
        return blocks


def learn_splits(sample: Floats, blocks: int) -> Splits:
    """Parts the sample into about so many blocks of equal size, each time across its widest column.

    Rows that are equal stay together, so a block of many duplicates may be larger.
    """
    splits = Splits()

    def leaf() -> int:
        splits.blocks += 1
        return -splits.blocks

    def grow(rows: Floats, wanted: int) -> int:
        place = _place(rows, wanted)
        if place is None:
            return leaf()
        node = len(splits.column)
        column, value = place
        splits.column.append(column)
        splits.value.append(value)
        splits.left.append(0)
        splits.right.append(0)
        is_left = rows[:, column] <= value
        splits.left[node] = grow(rows[is_left], wanted // 2)
        splits.right[node] = grow(rows[~is_left], wanted - wanted // 2)
        return node

    grow(sample, blocks)
    return splits


def _place(rows: Floats, wanted: int) -> tuple[int, float] | None:
    """Where to part rows; None where they stay one block."""
    if wanted < 2 or len(rows) < 2:
        return None
    for column in np.argsort(-rows.std(axis=0)):
        values = np.sort(rows[:, column])
        value = values[len(values) * (wanted // 2) // wanted - 1 if len(values) >= wanted else 0]
        if value == values[-1]:  # something must be left for the other side
            below = values[values < value]
            if len(below) == 0:
                continue
            value = below[-1]
        return int(column), float(value)
    return None
