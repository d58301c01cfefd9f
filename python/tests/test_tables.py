"""Tables with text, categories, times and missing values, from whatever library has them."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import curvad
from curvad._worker import worker

DETECTORS = [
    curvad.LandmarkCAD(novelty=True),
    curvad.CAD(standardize=True, novelty=True),
    curvad.KNN(standardize=True, novelty=True),
    curvad.LOF(standardize=True, novelty=True),
    curvad.IsolationForest(random_state=0),
    curvad.OneClassSVM(standardize=True),
    curvad.EllipticEnvelope(random_state=0),
]


@pytest.fixture(scope="module")
def machines() -> pd.DataFrame:
    random = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "heat": random.normal(20, 2, 300),
            "kind": random.choice(["lathe", "mill", "saw"], 300),
            "on": random.random(300) < 0.7,
            "shift": pd.Categorical(random.choice(["day", "night"], 300)),
            "parts": random.integers(0, 40, 300),
            "when": pd.date_range("2024-01-01", periods=300, freq="h"),
        }
    )
    frame.loc[7, "heat"] = 80.0
    return frame


def as_numbers(frame: pd.DataFrame) -> np.ndarray:
    """The recipe of docs/tables.md, written out: a column of 0 and 1 for each text, in the order of the first rows."""
    texts = {name: list(dict.fromkeys(frame[name])) for name in ("kind", "shift")}
    columns = [frame["heat"], *(frame["kind"] == text for text in sorted(texts["kind"])), frame["on"]]
    return np.column_stack([*columns, *(frame["shift"] == text for text in sorted(texts["shift"])), frame["parts"]]).astype(float)


def test_text_becomes_columns_of_0_and_1(machines):
    detector = curvad.KNN(n_neighbors=5, standardize=True).fit(machines)
    # The order of columns changes the order in which squares are added, and no more.
    expected = curvad.KNN(n_neighbors=5, standardize=True).fit(as_numbers(machines))
    np.testing.assert_allclose(detector.scores_, expected.scores_, rtol=1e-9)
    assert detector.top(1)[0] == expected.scores_.argmax() == 7
    assert len(detector.notes_) == 1
    assert '"when" (it holds dates and times; dates=\'epoch\'' in detector.notes_[0]


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: type(detector).__name__)
def test_every_library_gives_the_same_scores_and_columns_are_found_by_name(detector, machines):
    detector.fit(machines)
    scores, expected = detector.scores_, detector.score_samples(machines[:50])
    assert list(detector.feature_names_in_) == list(machines.columns)
    for table in (pl.from_pandas(machines), pa.Table.from_pandas(machines)):
        np.testing.assert_array_equal(detector.fit(table).scores_, scores)
        np.testing.assert_array_equal(detector.score_samples(table[:50]), expected)
    shuffled = machines[["parts", "shift", "on", "kind", "heat"]][:50].assign(extra=1)
    for fitted in (detector, pickle.loads(pickle.dumps(detector))):
        np.testing.assert_array_equal(fitted.score_samples(shuffled), expected)
        np.testing.assert_array_equal(fitted.predict(shuffled), np.where(expected < fitted.offset_, -1, 1))
    model = curvad.load(detector.model_)
    assert model.names == ["heat", "kind", "on", "shift", "parts"]
    np.testing.assert_array_equal(model.score(shuffled), -expected)


def test_numbers_need_no_pandas(machines):
    numbers = machines[["heat", "parts"]]
    expected = curvad.LandmarkCAD().fit(numbers)
    for table in (pl.from_pandas(numbers), pa.Table.from_pandas(numbers)):
        detector = curvad.LandmarkCAD().fit(table)
        np.testing.assert_array_equal(detector.scores_, expected.scores_)
        np.testing.assert_array_equal(curvad.load(detector.model_).score(numbers), expected.score_samples(numbers) * -1)


def test_missing_values_are_refused_filled_in_marked_or_left_out(machines):
    gaps = machines.copy()
    gaps.loc[[3, 4], "heat"] = np.nan
    gaps.loc[5, "kind"] = None
    with pytest.raises(curvad.CurvadError, match='row 3, column "heat" is missing.*missing=\'median\'') as caught:
        curvad.KNN().fit(gaps)
    assert (caught.value.code, caught.value.row) == ("MISSING_VALUE", 3)
    filled = gaps.assign(heat=gaps["heat"].fillna(gaps["heat"].median()))
    median = curvad.KNN(missing="median").fit(gaps)
    np.testing.assert_array_equal(median.scores_, curvad.KNN(missing="median").fit(filled).scores_)
    dropped = curvad.KNN(missing="drop").fit(gaps)
    kept = gaps.dropna()
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(dropped.scores_)), [3, 4, 5])
    np.testing.assert_array_equal(dropped.scores_[kept.index], curvad.KNN().fit(kept).scores_)
    np.testing.assert_array_equal(dropped.probability()[kept.index], curvad.KNN().fit(kept).probability())
    assert dropped.top(1)[0] == 7
    with pytest.raises(ValueError, match="row 1 lacks values"):
        dropped.explain(gaps[2:5])
    matrix = np.random.default_rng(0).normal(size=(60, 3))
    matrix[2, 1] = np.nan
    forest = curvad.IsolationForest(missing="median", random_state=0).fit(matrix)
    filled_in = np.where(np.isnan(matrix), np.nanmedian(matrix[:, 1]), matrix)
    np.testing.assert_array_equal(forest.scores_, curvad.IsolationForest(random_state=0).fit(filled_in).scores_)
    np.testing.assert_array_equal(forest.score_samples(matrix), forest.score_samples(filled_in))


def test_times_and_many_texts_are_used_where_they_are_asked_for(machines):
    many = machines.assign(name=[f"machine {i % 20}" for i in range(300)])
    assert any("'frequency' uses it" in note for note in curvad.KNN().fit(many).notes_)
    detector = curvad.KNN(dates="both", categories="frequency").fit(many)
    assert detector.notes_ == []
    assert curvad.load(detector.model_).names == list(many.columns)
    late = many[:1].assign(when=pd.Timestamp("2030-01-01"))
    assert detector.score_samples(late)[0] < detector.score_samples(many[:1])[0]


def test_a_table_that_does_not_fit_is_one_clear_error(machines):
    detector = curvad.KNN(novelty=True).fit(machines)
    with pytest.raises(curvad.CurvadError, match="kind"):
        detector.predict(machines.drop(columns="kind"))
    with pytest.raises(ValueError, match="rows must have 6 columns"):
        detector.predict(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="two columns have the name 'heat'"):
        detector.fit(machines.rename(columns={"kind": "heat"}))
    with pytest.raises(curvad.CurvadError, match="no column of numbers"):
        detector.fit(machines[["when"]])
    mixed = machines.assign(kind=[i if i % 2 else "text" for i in range(300)])
    assert len(detector.fit(mixed).scores_) == 300


def test_explains_rows_by_names_and_by_their_indices(machines):
    detector = curvad.LandmarkCAD().fit(machines)
    assert [int(row) for row in detector.top(1)] == [7]
    (told,) = detector.explain(detector.top(1))
    assert (told.training_row, told.label, told.columns[0]["name"]) == (7, 1, "heat")
    assert told.score == detector.scores_[7]
    assert told.columns[0]["value"] == pytest.approx(80)
    assert sum(column["share"] for column in told.columns) == pytest.approx(1)
    assert told.counterfactual["is_normal"]
    assert [change["name"] for change in told.changes] == ["heat"]
    assert "heat: 80" in str(told)
    new = detector.explain(machines[7:9].assign(heat=[90.0, 20.0]))
    assert [one.label for one in new] == [1, 0]
    assert new[0].training_row is None
    assert curvad.load(detector.model_).explain(7)[0] == told
    matrix = np.random.default_rng(0).normal(size=(100, 3))
    assert curvad.KNN().fit(matrix).explain(matrix[:1])[0].columns[0]["name"] is None
    with pytest.raises(curvad.CurvadError, match="training rows 0 to 299"):
        detector.explain(300)


def test_probability_is_the_share_of_training_rows_below(machines):
    detector = curvad.LandmarkCAD().fit(machines)
    ranks = pd.Series(detector.scores_).rank().to_numpy() / (len(machines) + 1)
    np.testing.assert_allclose(detector.probability(), ranks, rtol=1e-12)
    again = curvad.load(detector.model_).probability(machines)
    np.testing.assert_array_equal(again, detector.probability(machines))
    assert ((again >= 0) & (again <= 1)).all()


#: Options that are not parameters here: threads and memory, or what `contamination` and `novelty` stand for.
ELSEWHERE = {"backend", "precision", "threshold", "cap", "contamination", "maxIterations", "orientation"}
#: Options that have no effect on a detector.
WITHOUT_EFFECT = {"LandmarkCAD": {"standardize"}, "IsolationForest": {"standardize"}, "EllipticEnvelope": {"standardize"}}


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: type(detector).__name__)
def test_every_option_of_javascript_is_a_parameter(detector):
    kind = type(detector)
    answer = worker().call({"call": "detectors"}, pa.schema([]), [])
    theirs = json.loads(answer.column("options")[0].as_py())[kind.__name__]
    ours = kind()._options(10**6)
    assert set(ours) == set(theirs) - ELSEWHERE - WITHOUT_EFFECT.get(kind.__name__, set())
    for name in set(ours) - {"seed", "gamma", "sampleSize", "neighbors"}:
        assert (ours[name], name) == (theirs[name], name)
