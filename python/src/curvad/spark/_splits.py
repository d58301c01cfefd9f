"""Blocks of rows that are near each other: a few splits across principal directions, learned from a sample."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass
class Splits:
    """A tree: rows with `direction · row <= value` go to `left`, the others to `right`; a negative child −1 − b is block b."""

    direction: list[Floats] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    blocks: int = 0

    def block_of(self, rows: Floats) -> npt.NDArray[np.int32]:
        blocks = np.zeros(len(rows), dtype=np.int32)
        waiting = [(0, np.arange(len(rows)))] if self.direction else []
        while waiting:
            node, members = waiting.pop()
            if node < 0:
                blocks[members] = -1 - node
                continue
            is_left = along(rows[members], self.direction[node]) <= self.value[node]
            waiting.append((self.left[node], members[is_left]))
            waiting.append((self.right[node], members[~is_left]))
        return blocks


def along(rows: Floats, direction: Floats) -> Floats:
    """Where rows are in a direction: summed column by column, so that a row's place does not depend on what comes with it."""
    sums = np.zeros(len(rows))
    for column, weight in enumerate(direction):
        sums += rows[:, column] * weight
    return sums


def principal_directions(rows: Floats) -> Floats:
    """Orthonormal directions as columns, the one along which rows are least spread first."""
    centred = rows - rows.mean(axis=0)
    centred /= max(np.abs(centred).max(initial=0.0), 1e-300)  # no square may overflow
    return np.asarray(np.linalg.eigh(centred.T @ centred)[1])


def learn_splits(sample: Floats, blocks: int) -> Splits:
    """Parts the sample into about so many blocks of equal size, each time across the direction it is longest in.

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
        node = len(splits.direction)
        direction, value = place
        splits.direction.append(direction)
        splits.value.append(value)
        splits.left.append(0)
        splits.right.append(0)
        is_left = along(rows, direction) <= value
        splits.left[node] = grow(rows[is_left], wanted // 2)
        splits.right[node] = grow(rows[~is_left], wanted - wanted // 2)
        return node

    grow(sample, blocks)
    return splits


def _place(rows: Floats, wanted: int) -> tuple[Floats, float] | None:
    """Where to part rows; None where they stay one block."""
    if wanted < 2 or len(rows) < 2:
        return None
    direction = principal_directions(rows)[:, -1]
    values = np.sort(along(rows, direction))
    value = values[len(values) * (wanted // 2) // wanted - 1 if len(values) >= wanted else 0]
    if value == values[-1]:  # something must be left for the other side
        below = values[values < value]
        if len(below) == 0:
            return None
        value = below[-1]
    return direction, float(value)


def cells_of(rows: Floats, most: int) -> list[Places]:
    """The places of rows in cells of at most so many that are near each other."""
    cells: list[Places] = []
    waiting = [np.arange(len(rows))]
    while waiting:
        members = waiting.pop()
        if len(members) <= most:
            cells.append(members)
            continue
        here = rows[members]
        order = np.argsort(along(here, principal_directions(here)[:, -1]), kind="stable")
        middle = len(order) // 2
        waiting.append(np.sort(members[order[middle:]]))
        waiting.append(np.sort(members[order[:middle]]))
    return cells
