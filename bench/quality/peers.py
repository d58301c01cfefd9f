"""Scores of PyOD's detectors, with their defaults, on the training rows of data sets; z-scored columns, no labels.

Reads lines "folder name seed", and answers each with a line of JSON: { detector: { scores, seconds } }.
"""

import json
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def detectors(seed):
    from pyod.models.cblof import CBLOF
    from pyod.models.copod import COPOD
    from pyod.models.ecod import ECOD
    from pyod.models.gmm import GMM
    from pyod.models.hbos import HBOS
    from pyod.models.iforest import IForest
    from pyod.models.inne import INNE
    from pyod.models.knn import KNN
    from pyod.models.lof import LOF
    from pyod.models.ocsvm import OCSVM
    from pyod.models.pca import PCA

    return {
        "Isolation Forest": lambda: IForest(random_state=seed),
        "INNE": lambda: INNE(random_state=seed),
        "GMM": lambda: GMM(random_state=seed),
        "kNN, k = 10": lambda: KNN(n_neighbors=10),
        "kNN, k = 5": lambda: KNN(),
        "OCSVM": lambda: OCSVM(),
        "HBOS": lambda: HBOS(),
        "COPOD": lambda: COPOD(),
        "ECOD": lambda: ECOD(),
        "PCA": lambda: PCA(random_state=seed),
        "CBLOF": lambda: CBLOF(random_state=seed),
        "LOF": lambda: LOF(),
    }


def read(folder, name):
    with open(f"{folder}/{name}.json") as file:
        meta = json.load(file)
    rows = np.fromfile(f"{folder}/{name}.bin", dtype=np.dtype(meta["dtype"]).newbyteorder("<"))
    rows = rows.reshape(meta["n"], meta["d"]).astype(float)
    deviation = rows.std(axis=0)
    return (rows - rows.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def main():
    import pyod
    import sklearn

    print(json.dumps({"versions": f"PyOD {pyod.__version__}, scikit-learn {sklearn.__version__}"}), flush=True)
    for line in sys.stdin:
        folder, name, seed = line.rstrip("\n").split("\t")
        rows = read(folder, name)
        answer = {}
        for title, make in detectors(int(seed)).items():
            start = time.perf_counter()
            try:
                scores = make().fit(rows).decision_scores_
                answer[title] = {"scores": np.nan_to_num(scores).tolist(), "seconds": time.perf_counter() - start}
            except Exception as error:  # a detector that cannot take a table is reported, not hidden
                answer[title] = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
