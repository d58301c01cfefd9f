"""What Python has for the same window, as bench:streams asks for it: CPU seconds a row, as JSON.

Arguments: a file of rows as float64, columns, rows of the window. The first rows fill the window.
"""

import json
import sys
import time

import numpy as np

path, columns, window = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rows = np.fromfile(path).reshape(-1, columns)
start, fresh = rows[:window], rows[window:]
seconds = {}


def timed(name, step, some):
    before = time.process_time()
    for row in some:
        step(row)
    seconds[name] = (time.process_time() - before) / len(some)


try:
    from river import anomaly, neighbors

    # Trees score nothing before a window is full.
    trees = anomaly.HalfSpaceTrees(window_size=window, seed=1)
    named = [dict(enumerate(row)) for row in rows]
    for row in named[:window]:
        trees.learn_one(row)

    def half_space(row):
        trees.score_one(row)
        trees.learn_one(row)

    factor = anomaly.LocalOutlierFactor(n_neighbors=10, engine=neighbors.LazySearch(window_size=window))
    for row in named[:window]:
        factor.learn_one(row)

    def windowed(row):
        factor.score_one(row)
        factor.learn_one(row)

    timed("River, LocalOutlierFactor of the window", windowed, named[window : window + 3])
    timed("River, HalfSpaceTrees (not exact)", half_space, named[window : window + 2000])
except ImportError as error:
    print(error, file=sys.stderr)

try:
    from pyod.models.knn import KNN
    from pyod.models.lof import LOF

    def refitted(make):
        def step(row):
            make().fit(start).decision_function(row.reshape(1, -1))

        return step

    timed("PyOD, KNN fitted anew", refitted(lambda: KNN(n_neighbors=10, method="largest")), fresh[:2])
    timed("PyOD, LOF fitted anew", refitted(lambda: LOF(n_neighbors=10)), fresh[:2])
except ImportError as error:
    print(error, file=sys.stderr)

print(json.dumps(seconds))
