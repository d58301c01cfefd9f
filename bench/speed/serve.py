"""The service that a Python team would write: FastAPI with scikit-learn's LOF, as bench:serve starts it."""

import sys

import numpy as np
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from sklearn.neighbors import LocalOutlierFactor

path, columns, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
model = LocalOutlierFactor(n_neighbors=20, novelty=True).fit(np.fromfile(path).reshape(-1, columns))
app = FastAPI()


class Body(BaseModel):
    instances: list[list[float]]


@app.post("/invocations")
def invocations(body: Body):
    scores = -model.score_samples(np.asarray(body.instances))
    return {"predictions": [{"score": s, "label": int(s > -model.offset_)} for s in scores.tolist()]}


uvicorn.run(app, port=port, log_level="error")
