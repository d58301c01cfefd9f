"""scikit-learn and curvad in one run, only the import changed: results compared, CPU seconds and wall time taken.

    CURVAD_DATA=… python bench/drop_in.py [shuttle cover …]

Everything counts for curvad: the pipe, and the CPU time of its Node.js process. It ends with an error where results are
not those that README.md promises: LOF where no rows tie at the k-th neighbour, and what depends on that.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

import curvad
from curvad import _worker


def load(name: str) -> np.ndarray:
    directory = Path(os.environ["CURVAD_DATA"])
    facts = json.loads((directory / f"{name}.json").read_text())
    rows = np.fromfile(directory / f"{name}.bin", dtype=facts["dtype"]).reshape(facts["n"], facts["d"])
    rows = rows.astype(np.float64)
    deviation = rows.std(axis=0)
    return (rows - rows.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def cpu_seconds() -> float:
    """Of this process and of the Node.js child."""
    total = time.process_time()
    pid = _worker.worker().pid
    if pid is not None:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def lof(package: str, rows: np.ndarray) -> np.ndarray:
    neighbors = importlib.import_module(f"{package}.neighbors")
    return neighbors.LocalOutlierFactor(n_neighbors=NEIGHBORS).fit(rows).negative_outlier_factor_


def nearest(package: str, rows: np.ndarray) -> np.ndarray:
    neighbors = importlib.import_module(f"{package}.neighbors")
    return neighbors.NearestNeighbors(n_neighbors=10).fit(rows).kneighbors()[0]


def forest(package: str, rows: np.ndarray) -> np.ndarray:
    ensemble = importlib.import_module(f"{package}.ensemble")
    return ensemble.IsolationForest(random_state=0).fit(rows).score_samples(rows)


def without_ties(rows: np.ndarray) -> np.ndarray:
    """Whether the neighbours of a row, and those of its neighbours, are the same for everybody."""
    neighbors = importlib.import_module("curvad.neighbors")
    distances, indices = neighbors.NearestNeighbors(n_neighbors=NEIGHBORS + 1).fit(rows).kneighbors()
    is_sure = distances[:, -1] - distances[:, -2] > 1e-9 * distances[:, -1]
    return is_sure & is_sure[indices[:, :-1]].all(axis=1)


#: What README.md promises.
TOLERANCES = {"LocalOutlierFactor": 1e-9, "NearestNeighbors": 1e-9, "IsolationForest": 1e-12}
NEIGHBORS = 20
TASKS = {"LocalOutlierFactor": lof, "NearestNeighbors": nearest, "IsolationForest": forest}


def main(names: list[str]) -> None:
    curvad.KNN().fit(np.random.default_rng(0).normal(size=(100, 3)))  # the child is there
    print(f"{'':9} {'':19} {'rows':>15} {'scikit-learn':>13} {'curvad':>8} {'ratio':>6}  largest difference, and without ties")
    for name in names:
        rows = load(name)
        for task, run in TASKS.items():
            best = {"sklearn": np.inf, "curvad": np.inf}
            results = {}
            for _ in range(2 if len(rows) < 100_000 else 1):
                for package in best:
                    start = cpu_seconds()
                    results[package] = run(package, rows)
                    best[package] = min(best[package], cpu_seconds() - start)
            differences = np.abs(results["curvad"] - results["sklearn"]) / np.maximum(1, np.abs(results["sklearn"]))
            sure = differences[without_ties(rows)] if run is lof else differences
            shape = f"{rows.shape[0]} x {rows.shape[1]}"
            ratio = best["sklearn"] / best["curvad"]
            print(
                f"{name:9} {task:19} {shape:>15} {best['sklearn']:>11.2f} s {best['curvad']:>6.2f} s {ratio:>6.1f}  "
                f"{differences.max():.1e}  {sure.max():.1e} ({len(sure) / len(rows):.0%} of the rows)",
                flush=True,
            )
            assert sure.max() <= TOLERANCES[task]


if __name__ == "__main__":
    main(sys.argv[1:] or ["shuttle", "cover"])
