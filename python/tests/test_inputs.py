"""What people hand to an estimator: whatever holds the same numbers gets the same bits, and what does not fit one clear error."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import curvad

NAMES = list("abcd")
X = np.random.default_rng(0).normal(size=(200, 4))
TABLE = pd.DataFrame(X, columns=NAMES)
WHOLE = np.round(X * 10)


def lof(**options) -> curvad.LOF:
    return curvad.LOF(novelty=True, **options)


@pytest.mark.parametrize(
    "rows",
    [
        X.tolist(),
        X.astype(object),
        X.astype(">f8"),
        np.asfortranarray(X),
        np.repeat(X, 2, axis=0)[::2],
        TABLE,
        TABLE.convert_dtypes(dtype_backend="pyarrow"),
        pl.from_pandas(TABLE),
    ],
    ids=["list", "object", "big-endian", "fortran", "strided", "pandas", "pandas of Arrow", "polars"],
)
def test_the_same_numbers_have_the_same_scores_however_they_are_held(rows):
    fitted = lof().fit(rows)
    np.testing.assert_array_equal(fitted.scores_, lof().fit(X).scores_)
    np.testing.assert_array_equal(fitted.score_samples(rows), lof().fit(X).score_samples(X))


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int8, np.int64, "Int64"])
def test_narrow_and_whole_numbers_are_their_values(kind):
    rows = pd.DataFrame(WHOLE).astype(kind) if kind == "Int64" else WHOLE.astype(kind)
    np.testing.assert_array_equal(lof().fit(rows).scores_, lof().fit(WHOLE).scores_)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (scipy.sparse.csr_matrix(X), "dense data is required"),
        (X + 1j, "Complex data not supported"),
        (X[:, 0], "Expected 2D array"),
        (np.empty((0, 3)), r"0 sample\(s\)"),
        (np.where(X > 2, np.nan, X), "contains NaN"),
        (np.where(X > 2, np.inf, X), "contains infinity"),
        (TABLE.where(TABLE < 2), 'column "d" is missing'),
        (np.array([["a", "b"]] * 30, dtype=object), "could not convert string"),
    ],
    ids=["sparse", "complex", "one row", "empty", "NaN", "infinity", "missing in a table", "text"],
)
def test_what_cannot_be_fitted_is_one_error_that_says_why(rows, message):
    with pytest.raises((ValueError, TypeError), match=message):
        lof().fit(rows)


def test_works_with_the_tools_around_scikit_learn(tmp_path):
    pipeline = make_pipeline(StandardScaler(), lof()).set_output(transform="pandas").fit(TABLE)
    expected = pipeline.score_samples(TABLE)
    joblib.dump(pipeline, tmp_path / "pipeline.joblib")
    code = (
        "import joblib, numpy as np, pandas as pd\n"
        f"table = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 4)), columns={NAMES!r})\n"
        f"print(*map(float.hex, joblib.load({str(tmp_path / 'pipeline.joblib')!r}).score_samples(table).tolist()))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    np.testing.assert_array_equal([float.fromhex(text) for text in found.stdout.split()], expected)
    assert pipeline[-1].n_features_in_ == 4
    assert isinstance(pipeline[-1].offset_, float)

    truth = np.where(np.arange(200) < 180, 1, -1)
    folds = PredefinedSplit(np.arange(200) % 2)
    search = GridSearchCV(lof(), {"n_neighbors": [5, 20]}, scoring="roc_auc", cv=folds, n_jobs=2)
    alone = GridSearchCV(lof(), {"n_neighbors": [5, 20]}, scoring="roc_auc", cv=folds).fit(X, truth)
    np.testing.assert_array_equal(
        search.fit(X, truth).cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"]
    )


def test_tasks_of_an_event_loop_take_turns():
    async def fits() -> list[np.ndarray]:
        return await asyncio.gather(*(asyncio.to_thread(lambda: curvad.KNN().fit(X).scores_) for _ in range(4)))

    for scores in asyncio.run(fits()):
        np.testing.assert_array_equal(scores, curvad.KNN().fit(X).scores_)
