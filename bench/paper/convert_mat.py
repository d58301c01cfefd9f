"""Converts a data set of the ODDS library (a .mat file with X and y) to the two files that bench/paper reads.

NAME.bin has the values, row after row, little-endian, as float64; NAME.json describes them and has the labels
(1 for an anomaly). Needs NumPy and SciPy.

Speech is the set of the paper that is hard to come by. The right speech.mat is the one for which
`git hash-object speech.mat` gives 6562d481c9e587a951118cac466bee716bb157c4. Then:

    python3 bench/paper/convert_mat.py speech.mat "$CURVAD_DATA"
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from scipy.io import loadmat


def convert(source, folder):
    content = loadmat(source)
    X = np.ascontiguousarray(content["X"], dtype="<f8")
    y = content["y"].ravel()
    if X.ndim != 2 or len(y) != len(X) or not np.isin(y, (0, 1)).all() or not np.isfinite(X).all():
        raise SystemExit(f"{source}: X must be a finite table and y have a 0 or 1 for each of its rows")
    name = Path(source).stem
    values = X.tobytes()
    description = {
        "name": name,
        "task": "anomaly",
        "n": X.shape[0],
        "d": X.shape[1],
        "dtype": "float64",
        "sha256": hashlib.sha256(values).hexdigest(),
        "bytes": len(values),
        "labels": y.astype(int).tolist(),
    }
    (Path(folder) / f"{name}.bin").write_bytes(values)
    (Path(folder) / f"{name}.json").write_text(json.dumps(description) + "\n")
    print(f"{name}: {X.shape[0]} rows, {X.shape[1]} columns, {int(y.sum())} anomalies")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {sys.argv[0]} FILE.mat FOLDER")
    convert(sys.argv[1], sys.argv[2])
