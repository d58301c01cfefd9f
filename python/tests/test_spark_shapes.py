"""Boxes around cells of rows: what they exclude is farther away than they say, whatever the rows are like."""

from __future__ import annotations

import numpy as np
import pytest

from curvad.spark._shapes import Shapes, stored
from curvad.spark._splits import cells_of, learn_splits


def clusters(random: np.random.Generator) -> np.ndarray:
    """Flat clusters that overlap in every column."""
    axes = random.normal(size=(6, 3, 8))
    return (random.normal(size=(6, 100, 3)) @ axes + random.normal(size=(6, 1, 8)) * 2).reshape(-1, 8)


def lattice(random: np.random.Generator) -> np.ndarray:
    return random.integers(3, size=(500, 4)).astype(float)


def line(random: np.random.Generator) -> np.ndarray:
    return random.normal(size=(400, 1)) @ random.normal(size=(1, 5)) + 1e6


def wide(random: np.random.Generator) -> np.ndarray:
    return random.normal(size=(300, 40))


def huge(random: np.random.Generator) -> np.ndarray:
    return random.normal(size=(300, 3)) * 1e140


def same(_: np.random.Generator) -> np.ndarray:
    return np.full((200, 3), 0.1)


@pytest.mark.parametrize("make", [clusters, lattice, line, wide, huge, same], ids=lambda make: make.__name__)
def test_no_row_of_a_cell_is_nearer_than_its_box(make):
    rows = make(np.random.default_rng(2))
    cells = cells_of(rows, 60)
    np.testing.assert_array_equal(np.sort(np.concatenate(cells)), np.arange(len(rows)))
    assert max(len(members) for members in cells) <= 60
    shapes = Shapes.around(3, rows, cells)
    for cell, members in enumerate(cells):
        with np.errstate(over="ignore"):
            gaps = rows[:, None].astype(np.longdouble) - rows[members].astype(np.longdouble)
            nearest = np.sqrt((gaps**2).sum(axis=2)).min(axis=1)
        bound = shapes.bounds(cell, rows)
        assert (bound <= nearest).all()
        assert (bound[members] == 0).all()
        centre = rows[members].mean(axis=0)
        assert np.sqrt(((rows[members] - centre) ** 2).sum(axis=1)).max() <= shapes.radius[cell]
        assert shapes.near(rows, nearest.astype(float) * (1 + 1e-12))[cell]


def test_boxes_tell_clusters_apart_that_overlap_in_every_column():
    rows = clusters(np.random.default_rng(2))
    assert all(np.ptp(rows[:100, j]) > 0.2 * np.ptp(rows[:, j]) for j in range(8))
    shapes = Shapes.around(0, rows, [np.arange(100 * c, 100 * c + 100) for c in range(6)])
    bounds = np.array([shapes.bounds(c, rows).reshape(6, 100).min(axis=1) for c in range(6)])
    assert (bounds[~np.eye(6, dtype=bool)] > 1).mean() > 0.9


@pytest.mark.parametrize("precision", ["single", "double"])
def test_rows_are_scaled_and_clipped_as_curvad_stores_them(precision):
    scaling = {"offset": [1, 2, 3], "scale": [2, 0, 0.5], "clip": True, "precision": precision}
    rows = np.array([[3.0, 9.0, 3.5], [-99.0, 9.0, 13.0]])
    expected = np.array([[1, 0, 1], [-(5 + np.log(46)), 0, 5 + np.log(16)]])
    np.testing.assert_allclose(stored(rows, scaling), expected, rtol=1e-7 if precision == "single" else 1e-15)


def test_splits_part_a_sample_evenly_and_place_a_row_whatever_comes_with_it():
    rows = clusters(np.random.default_rng(2))
    splits = learn_splits(rows, 7)
    blocks = splits.block_of(rows)
    counts = np.bincount(blocks)
    assert len(counts) == splits.blocks == 7
    assert counts.min() > 60
    assert counts.max() < 110
    np.testing.assert_array_equal([splits.block_of(row[None])[0] for row in rows], blocks)
    assert learn_splits(np.ones((50, 3)), 4).blocks == 1
