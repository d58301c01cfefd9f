"""PyOD's KNN with its defaults, timed by the processor: reads lines of JSON, each with files of float64 rows to fit on
and to score, and answers with the seconds of both."""

import json
import os
import sys
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # read once, when numpy and its BLAS are loaded

import numpy as np
import pyod
from pyod.models.knn import KNN
from threadpoolctl import threadpool_limits

warnings.filterwarnings("ignore")
limits = threadpool_limits(1)  # keep the object: the limit lasts as long as it does


def seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


print(json.dumps({"version": pyod.__version__}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    rows, fresh = (np.fromfile(request[name]).reshape(-1, request["columns"]) for name in ("rows", "fresh"))
    model = KNN()
    answer = {"fit": seconds(lambda: model.fit(rows)), "score": seconds(lambda: model.decision_function(fresh))}
    print(json.dumps(answer), flush=True)
