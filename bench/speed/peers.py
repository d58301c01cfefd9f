"""scikit-learn and faiss behind a pipe: one JSON request per line in, one JSON answer out.

Idea: the process stays alive, so the benchmark can measure both sides alternately in one
run, each on one thread, without paying for the start of Python.
"""

import json
import os
import platform
import statistics
import sys
import warnings
from time import perf_counter, process_time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[name] = "1"  # read once, when numpy and its BLAS are loaded


def answer(content):
    print(json.dumps(content), flush=True)


missing = []
try:
    import numpy as np
    import scipy
    import sklearn
    from sklearn.covariance import EllipticEnvelope


    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
    from sklearn.svm import OneClassSVM
except ImportError:
    missing.append("scikit-learn")
try:
    import faiss
except ImportError:
    missing.append("faiss-cpu")
if missing:
    answer({"ready": False, "missing": missing, "hint": "pip install scikit-learn faiss-cpu"})
    sys.exit(0)

faiss.omp_set_num_threads(1)
try:
    from threadpoolctl import threadpool_limits

    limits = threadpool_limits(1)  # keep the object: the limit lasts as long as it does
except ImportError:
    pass

VERSIONS = {
    "python": platform.python_version(),
    "numpy": np.__version__,
    "scipy": scipy.__version__,
    "scikit-learn": sklearn.__version__,
    "faiss": faiss.__version__,
}
arrays = {}
models = {}


def seconds(call):
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


def processor_seconds(call):
    """What other programs disturb little; the peers have one thread."""
    start = process_time()
    result = call()
    return process_time() - start, result


def load(request):
    shape = request["rows"], request["columns"]
    arrays[request["name"]] = np.fromfile(request["path"], dtype=request["dtype"]).reshape(shape)
    return {"ok": True}


def knn_sklearn(X, k):
    # kneighbors() without rows is the self-join with each row's own index left out
    return NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X).kneighbors()[1]


def knn_sklearn_tree(X, k):
    return NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(X).kneighbors()[1]


def knn_faiss(X, k):
    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X)
    return index.search(X, k + 1)[1]


def knn_hnsw(X, k):
    """Approximate: some neighbours are missed."""
    index = faiss.IndexHNSWFlat(X.shape[1], 16)
    index.add(X)
    return index.search(X, k + 1)[1]


def without_self(indices):
    """Drop each row's own index; among duplicates it may be absent, then drop the last."""
    drop = indices == np.arange(len(indices))[:, None]
    drop[~drop.any(axis=1), -1] = True
    return indices[~drop].reshape(len(indices), -1)


def knn(request):
    X, k, peer = arrays[request["data"]], request["k"], request["peer"]
    search = {"sklearn": knn_sklearn, "sklearn tree": knn_sklearn_tree, "faiss": knn_faiss, "hnsw": knn_hnsw}[peer]
    clock = processor_seconds if request.get("processor") else seconds
    runs = [clock(lambda: search(X, k)) for _ in range(request.get("repeat", 1))]
    result = {"seconds": min(time for time, _ in runs)}
    if path := request.get("indices"):
        indices = without_self(runs[-1][1]) if peer in ("faiss", "hnsw") else runs[-1][1]
        indices.astype(np.int32).tofile(path)
        result["indices"] = path
    return result


def one_row(request):
    """Seconds of the processor for the neighbours of one new row, after a fit."""
    X, k = arrays[request["data"]], request["k"]
    search = NearestNeighbors(n_neighbors=k).fit(X)
    rows = [X[i : i + 1] for i in range(0, len(X), max(1, len(X) // 500))]
    time, _ = processor_seconds(lambda: [search.kneighbors(row) for row in rows])
    return {"seconds": time / len(rows)}


def lof_fit(request):
    lof = LocalOutlierFactor(n_neighbors=request["k"], novelty=True)
    time, models["lof"] = seconds(lambda: lof.fit(arrays[request["data"]]))
    return {"seconds": time}


def lof_one(request):
    lof, rows = models["lof"], arrays[request["rows"]]
    times = []
    for i in range(request.get("repeat", 200)):
        row = rows[i % len(rows)][None]
        times.append(seconds(lambda: lof.score_samples(row))[0])
    return {"median": statistics.median(times), "best": min(times)}


class Distances:
    """The distance to the k-th neighbour, for which scikit-learn has the search but no detector."""

    def __init__(self, k):
        self.search = NearestNeighbors(n_neighbors=k)

    def fit(self, X):
        self.search.fit(X)
        self.scores = self.search.kneighbors()[0][:, -1]

    def score(self, Y):
        return self.search.kneighbors(Y)[0][:, -1]


class OutlierFactors:
    """LocalOutlierFactor as it comes: algorithm='auto'. Its fit scores the training rows in either mode."""

    def __init__(self, k):
        self.lof = LocalOutlierFactor(n_neighbors=k, novelty=True)

    def fit(self, X):
        self.lof.fit(X)
        self.scores = -self.lof.negative_outlier_factor_

    def score(self, Y):
        return -self.lof.score_samples(Y)


# Each is made with the options of the request; higher scores are more anomalous.
DETECTORS = {"KNN": Distances, "LOF": OutlierFactors}


def detector(request):
    """Seconds of fit, which scores the training rows, and of scoring new rows; the scores go to files."""
    made = DETECTORS[request["detector"]](**request["options"])
    fit, _ = seconds(lambda: made.fit(arrays[request["train"]]))
    score, scores = seconds(lambda: made.score(arrays[request["new"]]))
    made.scores.astype(np.float64).tofile(request["trainScores"])
    scores.astype(np.float64).tofile(request["newScores"])
    return {"fit": fit, "score": score}


def envelope(request):
    """A fit of EllipticEnvelope and the scores of its rows."""
    X = arrays[request["data"]].astype(np.float64)
    model = EllipticEnvelope(random_state=request.get("seed", 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        time, scores = seconds(lambda: model.fit(X).mahalanobis(X))
    return {"seconds": time, "largest": float(scores.max())}


def forest_fit(request):
    # contamination 'auto', the default, does not score the training rows
    forest = IsolationForest(random_state=0, n_jobs=1)
    time, models["forest"] = seconds(lambda: forest.fit(arrays[request["data"]]))
    return {"seconds": time}


def forest_score(request):
    rows = arrays[request["rows"]]
    if request.get("one"):
        rows = rows[:1]
    return {"seconds": seconds(lambda: models["forest"].score_samples(rows))[0]}


def svm_fit(request):
    svm = OneClassSVM(nu=request["nu"], gamma=request["gamma"], cache_size=200)
    time, models["svm"] = seconds(lambda: svm.fit(arrays[request["data"]]))
    return {"seconds": time, "iterations": int(svm.n_iter_)}


def svm_score(request):
    time, values = seconds(lambda: models["svm"].decision_function(arrays[request["rows"]]))
    values.astype(np.float32).tofile(request["values"])
    return {"seconds": time}


def version(_):
    return {"versions": VERSIONS}


OPS = {
    "load": load,
    "knn": knn,
    "one_row": one_row,
    "lof_fit": lof_fit,
    "lof_one": lof_one,
    "detector": detector,
    "forest_fit": forest_fit,
    "forest_score": forest_score,
    "svm_fit": svm_fit,
    "svm_score": svm_score,
    "envelope": envelope,
    "version": version,
}

answer({"ready": True, "versions": VERSIONS})
for line in sys.stdin:
    if not line.strip():
        continue
    try:
        request = json.loads(line)
        if request["op"] == "quit":
            answer({"ok": True})
            break
        answer(OPS[request["op"]](request))
    except Exception as error:  # a failed request must not end the benchmark
        answer({"error": f"{type(error).__name__}: {error}"})
