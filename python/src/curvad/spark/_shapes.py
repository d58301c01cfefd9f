"""Boxes around cells of rows, turned to lie along them: what tells that a cell holds no neighbour of a row.

Everything here is about rows as curvad stores them: moved, scaled, clipped, rounded. Bounds are never above the true
distance: the axes of a box are orthonormal up to an error that is measured, and boxes are widened by more than the rounding
of any sum here, and of the stored values that are made once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._splits import Floats, Places, principal_directions

#: Axes of a box: those along which its rows are least spread tell most.
MOST_AXES = 32
#: Where softly clipped values begin.
CLIP = 5.0
#: More than axes may be wrong by: it is measured where a box is made.
ORTHONORMAL = 1e-9
#: Pairs of a row and an axis that are looked at in one go.
VALUES_AT_ONCE = 2**22


def stored(rows: Floats, scaling: dict[str, Any]) -> Floats:
    """Rows as they are stored; where a logarithm is taken, up to its last digits."""
    scale = np.asarray(scaling["scale"], np.float64)
    values = (rows - np.asarray(scaling["offset"], np.float64)) / np.where(scale == 0, np.inf, scale)
    if scaling.get("clip", False):
        size = np.abs(values)
        values = np.where(size > CLIP, np.copysign(CLIP + np.log1p(np.maximum(size - CLIP, 0)), values), values)
    return values.astype(np.float32).astype(np.float64) if scaling["precision"] == "single" else values


@dataclass
class Shapes:
    """Of many cells, one after the other."""

    #: The block of each cell, which of its cells it is, and how many rows it has.
    block: npt.NDArray[np.int32]
    cell: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int64]
    #: A point amid the rows, and how far they are from it at most.
    centre: Floats
    radius: Floats
    #: The box: for each cell its axes as columns, and from where to where it is along each.
    axes: Floats
    low: Floats
    high: Floats

    def __len__(self) -> int:
        return len(self.block)

    @classmethod
    def around(cls, block: int, rows: Floats, cells: Sequence[Places]) -> Shapes:
        """The boxes around some rows of a block, as they are stored."""
        parts = [_box(rows[members]) for members in cells]
        centre, radius, axes, low, high = (np.stack([part[i] for part in parts]) for i in range(5))
        numbers = np.arange(len(cells), dtype=np.int32)
        counts = np.array([len(members) for members in cells], np.int64)
        return cls(np.full(len(cells), block, np.int32), numbers, counts, centre, radius, axes, low, high)

    @classmethod
    def joined(cls, parts: Sequence[Shapes]) -> Shapes:
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))

    def bounds(self, cell: int, rows: Floats) -> Floats:
        """At most the distance from each row to anything in a cell."""
        axes = self.axes[cell]
        places = rows @ axes
        outside = np.maximum(0.0, np.maximum(self.low[cell] - places, places - self.high[cell]))
        length = np.sqrt((outside * outside).sum(axis=1))
        return np.asarray(np.maximum(0.0, length - _slack(rows, axes)) * (1 - ORTHONORMAL))

    def near(self, points: Floats, reach: Floats) -> npt.NDArray[np.bool_]:
        """Which cells may be within their reach of any of some points; `reach` is one for each point."""
        found = np.zeros(len(self), dtype=bool)
        step = max(1, VALUES_AT_ONCE // max(1, points.size * self.axes.shape[2]))
        for first in range(0, len(self), step):
            some = slice(first, first + step)
            axes = self.axes[some]
            places = np.einsum("pd,jdm->jpm", points, axes)
            outside = np.maximum(0.0, np.maximum(self.low[some, None] - places, places - self.high[some, None]))
            length = np.sqrt((outside * outside).sum(axis=2))
            bound = np.maximum(0.0, length - _slack(points, axes[0])) * (1 - ORTHONORMAL)
            found[some] = (bound <= reach).any(axis=1)
        return found


def _slack(rows: Floats, axes: Floats) -> float:
    """More than the length of what is wrong with a row along all axes: sums over its columns are rounded, and a stored value
    that is made once more may differ in the last digit of a logarithm, and so be rounded to the other side."""
    columns, count = axes.shape
    largest = float(np.abs(rows).max(initial=0.0))
    return float(np.sqrt(columns * count) * largest * ((columns + 8) * 2.0**-50 + 2.0**-22))


def _box(rows: Floats) -> tuple[Floats, Any, Floats, Floats, Floats]:
    columns = rows.shape[1]
    centre = rows.mean(axis=0)
    axes = principal_directions(rows)[:, : min(columns, MOST_AXES)]
    if not np.abs(axes.T @ axes - np.eye(axes.shape[1])).sum() < ORTHONORMAL / 2:
        axes = np.eye(columns)[:, : axes.shape[1]]
    places = rows @ axes
    widening = _slack(rows, axes)
    radius = np.sqrt(((rows - centre) ** 2).sum(axis=1)).max() * (1 + 1e-9) + widening
    return centre, np.float64(radius), axes, places.min(axis=0) - widening, places.max(axis=0) + widening
