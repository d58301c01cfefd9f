"""Scores Parquet rows on a cluster of two workers: beside the command line, and beside scikit-learn in a pandas UDF.

    python bench/spark_score.py [rows]

The scores of the cluster are compared with those of the command line, bit for bit. scikit-learn gets a tenth of the rows.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import sklearn.neighbors
from pyspark.sql import DataFrame
from spark_session import session

import curvad
from curvad._node import node_path, script_path
from curvad.spark import score

COLUMNS, TRAINING, FILES, NEIGHBORS = 10, 10_000, 8, 20
NAMES = [f"x{j}" for j in range(COLUMNS)]


def timed(run: Callable[[], object]) -> float:
    start = time.monotonic()
    run()
    return time.monotonic() - start


def write_rows(directory: Path, count: int) -> None:
    """Clusters of different density, as several files and as one."""
    random = np.random.default_rng(1)
    centres = random.normal(size=(12, COLUMNS)) * 6
    kinds = random.integers(len(centres), size=count)
    rows = centres[kinds] + random.normal(size=(count, COLUMNS)) * (0.3 + kinds[:, None] / 6)
    table = pa.table({"id": np.arange(count), **{name: rows[:, j] for j, name in enumerate(NAMES)}})
    pq.write_table(table, directory / "whole.parquet")
    (directory / "parts").mkdir()
    step = -(-count // FILES)
    for part in range(FILES):
        pq.write_table(table.slice(part * step, step), directory / "parts" / f"{part}.parquet")


def with_scikit_learn(df: DataFrame, training: np.ndarray) -> DataFrame:
    lof = sklearn.neighbors.LocalOutlierFactor(n_neighbors=NEIGHBORS, novelty=True).fit(training)

    def run(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            yield pd.DataFrame({"id": frame["id"], "score": -lof.score_samples(frame[NAMES].to_numpy())})

    return df.mapInPandas(run, "id long, score double")


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as place, session() as spark:
        directory = Path(place)
        write_rows(directory, count)
        training = pq.read_table(directory / "whole.parquet", columns=NAMES).slice(0, TRAINING).to_pandas()
        model = directory / "lof.curvad"
        curvad.LOF(n_neighbors=NEIGHBORS).fit(training).save(model)
        df = spark.read.parquet(str(directory / "parts"))

        def on_spark() -> None:
            score(df, model, id="id").write.mode("overwrite").parquet(str(directory / "scores"))

        score(df.limit(1000), model, id="id").count()  # executors, Python and Node.js are there
        command = [node_path(), script_path(), "score", str(model), str(directory / "whole.parquet"), "--quiet"]
        some = df.where(f"id < {count // 10}")
        seconds = {
            "curvad.spark.score, two executors": [timed(on_spark), count],
            "curvad score, one thread": [timed(lambda: run_to_file(command, directory)), count],
            "scikit-learn's LOF in a pandas UDF": [
                timed(lambda: with_scikit_learn(some, training.to_numpy()).write.parquet(str(directory / "theirs"))),
                count // 10,
            ],
        }
        ours = pq.read_table(directory / "scores").sort_by("id")["score"].to_numpy()
        local = pd.read_csv(directory / "scores.csv", float_precision="round_trip")["score"].to_numpy()
        theirs = pq.read_table(directory / "theirs").sort_by("id")["score"].to_numpy()
        rates = {name: rows / taken for name, (taken, rows) in seconds.items()}
        for name, (taken, rows) in seconds.items():
            print(f"{name:36} {rows:>9} rows in {taken:6.1f} s: {rates[name]:>9.0f} rows a second")
        ratio = rates["curvad.spark.score, two executors"] / rates["scikit-learn's LOF in a pandas UDF"]
        print(f"curvad on Spark is {ratio:.1f} times as fast as scikit-learn on Spark")
        print(f"scores that differ from those of the command line: {(ours != local).sum()} of {count}")
        print(f"largest difference to scikit-learn's: {np.max(np.abs(ours[: len(theirs)] / theirs - 1)):.1e}")
        assert len(ours) == count
        assert (ours == local).all()


def run_to_file(command: list[str], directory: Path) -> None:
    with (directory / "scores.csv").open("wb") as out:
        subprocess.run([*command, "--threads", "0", "--format", "csv", "--id", "id"], stdout=out, check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
