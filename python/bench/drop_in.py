"""scikit-learn and curvad in one run, only the import changed: results compared, CPU seconds and wall time taken.

    CURVAD_DATA=… python bench/drop_in.py [shuttle cover …]

Everything counts for curvad: the pipe, and the CPU time of its Node.js process.
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
    return neighbors.LocalOutlierFactor(n_neighbors=20).fit(rows).negative_outlier_factor_


def nearest(package: str, rows: np.ndarray) -> np.ndarray:
    neighbors = importlib.import_module(f"{package}.neighbors")
    return neighbors.NearestNeighbors(n_neighbors=10).fit(rows).kneighbors()[0]


def forest(package: str, rows: np.ndarray) -> np.ndarray:
    ensemble = importlib.import_module(f"{package}.ensemble")
    return ensemble.IsolationForest(random_state=0).fit(rows).score_samples(rows)


TASKS = {"LocalOutlierFactor": lof, "NearestNeighbors": nearest, "IsolationForest": forest}


def main(names: list[str]) -> None:
    curvad.KNN().fit(np.random.default_rng(0).normal(size=(100, 3)))  # the child is there
    print(f"{'':9} {'':19} {'rows':>15} {'scikit-learn':>13} {'curvad':>8} {'ratio':>6}  largest difference")
    for name in names:
        rows = load(name)
        for task, run in TASKS.items():
            best = {"sklearn": np.inf, "curvad": np.inf}
            results = {}
            for _ in range(2):
                for package in best:
                    start = cpu_seconds()
                    results[package] = run(package, rows)
                    best[package] = min(best[package], cpu_seconds() - start)
            difference = np.max(np.abs(results["curvad"] - results["sklearn"]) / np.maximum(1, np.abs(results["sklearn"])))
            shape = f"{rows.shape[0]} x {rows.shape[1]}"
            ratio = best["sklearn"] / best["curvad"]
            print(
                f"{name:9} {task:19} {shape:>15} {best['sklearn']:>11.2f} s {best['curvad']:>6.2f} s {ratio:>6.1f}  {difference:.1e}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:] or ["shuttle", "cover"])
