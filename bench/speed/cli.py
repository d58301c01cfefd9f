"""What `curvad score` does, with pandas and scikit-learn: reads the model's rows and a CSV of others, scores
them by LOF in novelty mode on all cores, and writes the scores. Prints the seconds it took to read and score."""

import json
import sys
import time

import pandas as pd
import sklearn
from sklearn.neighbors import LocalOutlierFactor

train, fresh, out = sys.argv[1:4]
model = LocalOutlierFactor(n_neighbors=10, novelty=True, n_jobs=-1).fit(pd.read_csv(train).to_numpy())
start = time.perf_counter()
rows = pd.read_csv(fresh).to_numpy()
read = time.perf_counter()
scores = -model.score_samples(rows)
scored = time.perf_counter()
pd.DataFrame({"row": range(len(rows)), "score": scores, "anomaly": (scores > 1.5).astype(int)}).to_csv(out, index=False)
end = time.perf_counter()
versions = {"pandas": pd.__version__, "scikit-learn": sklearn.__version__}
print(json.dumps({"versions": versions, "total": end - start, "read": read - start, "score": scored - read}))
