"""Fits on a cluster of two workers, compared bit for bit with a fit in one process.

    python bench/spark_fit.py [rows …]

Prints for each number of rows how long it took, the share of other blocks that no task had to read, and what tasks read.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from spark_session import session

import curvad
from curvad.spark import fit_distributed

COLUMNS = 16
NAMES = [f"x{j}" for j in range(COLUMNS)]
#: Up to so many rows the whole fit is done in one process, too.
MOST_COMPARED = 200_000


def rows_like_real_ones(count: int) -> np.ndarray:
    """Clusters of few dimensions among 16 columns, some of them of whole numbers, and one row in twenty a duplicate."""
    random = np.random.default_rng(2)
    kinds = random.integers(40, size=count)
    centres, axes = random.normal(size=(40, COLUMNS)) * 4, random.normal(size=(40, 4, COLUMNS))
    inner = random.normal(size=(count, 4))
    rows = centres[kinds] + np.einsum("ij,ijk->ik", inner, axes[kinds]) + random.normal(size=(count, COLUMNS)) * 0.1
    rows[:, :4] = rows[:, :4].round()
    rows[random.integers(count, size=count // 20)] = rows[random.integers(count, size=count // 20)]
    rows[random.integers(count, size=count // 1000)] *= 3
    return rows


def main(counts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as place, session() as spark:
        spark.range(8).mapInArrow(lambda batches: batches, "id long").count()  # executors and their Python are there
        print("detector         rows  blocks  skipped   seconds  s/task  most  MB read/task  most   local s  differ")
        for count in counts:
            for detector in (curvad.LandmarkCAD(), curvad.CAD(standardize=True), curvad.LOF(standardize=True)):
                directory = Path(place) / f"{type(detector).__name__}-{count}"
                rows = rows_like_real_ones(count)
                table = pa.table({"id": np.arange(count), **{name: rows[:, j] for j, name in enumerate(NAMES)}})
                directory.mkdir()
                pq.write_table(table, directory / "rows.parquet", row_group_size=count // 8)
                df = spark.read.parquet(str(directory / "rows.parquet")).repartition(8)
                start = time.monotonic()
                found = fit_distributed(df, detector, id="id", directory=directory / "work", max_rows=MOST_COMPARED)
                seconds = time.monotonic() - start
                tasks = found.tasks
                local, differ = "", ""
                if count <= MOST_COMPARED:
                    start = time.monotonic()
                    expected = detector.fit(table.drop(["id"]).to_pandas())
                    local = f"{time.monotonic() - start:.1f}"
                    scores = pq.read_table(directory / "work" / "scores", columns=["id", "score"]).sort_by("id")
                    differ = str((scores["score"].to_numpy() != expected.scores_).sum())
                    assert differ == "0"
                    assert found.model.bytes == expected.model_
                read = tasks["bytes"] / 1e6
                print(
                    f"{type(detector).__name__:11} {count:>9} {len(tasks):>7} {found.skipped:>8.1%} {seconds:>9.1f} "
                    f"{tasks['seconds'].mean():>7.2f} {tasks['seconds'].max():>5.1f} {read.mean():>13.1f} {read.max():>5.0f} "
                    f"{local:>9} {differ:>7}",
                    flush=True,
                )


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [50_000, 100_000, 200_000, 400_000, 800_000])
