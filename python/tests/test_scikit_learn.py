"""The estimators behind scikit-learn's interface: its own checks, and its own results."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.covariance
import sklearn.ensemble
import sklearn.neighbors
import sklearn.svm
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import curvad
import curvad.covariance
import curvad.ensemble
import curvad.neighbors
import curvad.svm

NEIGHBOR_DETECTORS = [curvad.LandmarkCAD, curvad.CAD, curvad.KNN, curvad.LOF]
DETECTORS = [
    *(detector(novelty=True) for detector in NEIGHBOR_DETECTORS),
    curvad.IsolationForest(random_state=0),
    curvad.OneClassSVM(),
    curvad.EllipticEnvelope(random_state=0),
]


@parametrize_with_checks(
    [
        *DETECTORS,
        *(detector() for detector in NEIGHBOR_DETECTORS),
        curvad.NearestNeighbors(),
        curvad.neighbors.LocalOutlierFactor(),
        curvad.neighbors.LocalOutlierFactor(novelty=True),
        curvad.ensemble.IsolationForest(),
        curvad.svm.OneClassSVM(),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("n_neighbors", [5, 20])
@pytest.mark.parametrize("contamination", ["auto", 0.07])
def test_local_outlier_factor_is_scikit_learns(rows, new_rows, n_neighbors, contamination):
    options = {"n_neighbors": n_neighbors, "contamination": contamination}
    ours = curvad.neighbors.LocalOutlierFactor(**options).fit(rows)
    theirs = sklearn.neighbors.LocalOutlierFactor(**options).fit(rows)
    np.testing.assert_allclose(ours.negative_outlier_factor_, theirs.negative_outlier_factor_, rtol=1e-9)
    np.testing.assert_allclose(ours.offset_, theirs.offset_, rtol=1e-9)
    np.testing.assert_array_equal(ours.fit_predict(rows), theirs.fit_predict(rows))
    ours, theirs = (lof.set_params(novelty=True).fit(rows) for lof in (ours, theirs))
    np.testing.assert_allclose(ours.score_samples(new_rows), theirs.score_samples(new_rows), rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(new_rows), theirs.predict(new_rows))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_nearest_neighbors_are_scikit_learns(rows, new_rows, metric):
    ours, theirs = (
        kind(n_neighbors=7, metric=metric).fit(rows)
        for kind in (curvad.neighbors.NearestNeighbors, sklearn.neighbors.NearestNeighbors)
    )
    for queries in (None, new_rows):
        (distances, indices), (expected, their_indices) = ours.kneighbors(queries), theirs.kneighbors(queries)
        np.testing.assert_allclose(distances, expected, rtol=1e-12)
        np.testing.assert_array_equal(indices, their_indices)
        np.testing.assert_allclose(
            ours.kneighbors_graph(queries, mode="distance").toarray(),
            theirs.kneighbors_graph(queries, mode="distance").toarray(),
            rtol=1e-12,
        )


@pytest.mark.parametrize("options", [{}, {"contamination": 0.1}, {"n_estimators": 30, "max_samples": 100}])
def test_isolation_forest_is_scikit_learns_for_the_same_seed(rows, new_rows, options):
    ours = curvad.ensemble.IsolationForest(random_state=3, **options).fit(rows)
    theirs = sklearn.ensemble.IsolationForest(random_state=3, **options).fit(rows)
    np.testing.assert_allclose(ours.score_samples(new_rows), theirs.score_samples(new_rows), rtol=1e-12)
    np.testing.assert_array_equal(ours.predict(new_rows), theirs.predict(new_rows))


@pytest.mark.parametrize("options", [{}, {"kernel": "poly", "gamma": 0.1, "coef0": 1.0}, {"nu": 0.1, "gamma": "auto"}])
def test_one_class_svm_decides_as_scikit_learns(rows, new_rows, options):
    ours = curvad.svm.OneClassSVM(tol=1e-8, **options).fit(rows)
    theirs = sklearn.svm.OneClassSVM(tol=1e-8, **options).fit(rows)
    expected = theirs.decision_function(new_rows)
    np.testing.assert_allclose(ours.decision_function(new_rows), expected, atol=1e-5 * np.ptp(expected))


def test_elliptic_envelope_is_at_least_as_tight_as_scikit_learns(rows):
    ours = curvad.covariance.EllipticEnvelope(random_state=0).fit(rows)
    theirs = sklearn.covariance.EllipticEnvelope(random_state=0).fit(rows)
    assert np.corrcoef(ours.decision_function(rows), theirs.decision_function(rows))[0, 1] > 0.999


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: type(detector).__name__)
class TestEveryDetector:
    def test_has_the_conventions_of_outlier_detectors(self, detector, rows, new_rows):
        fitted = clone(detector).fit(rows)
        decision = fitted.decision_function(new_rows)
        np.testing.assert_array_equal(decision, fitted.score_samples(new_rows) - fitted.offset_)
        np.testing.assert_array_equal(fitted.predict(new_rows), np.where(decision < 0, -1, 1))
        np.testing.assert_array_equal(fitted.labels_, fitted.scores_ > fitted.threshold_)

    def test_survives_pickling_with_the_same_bits_when_the_child_is_gone(self, detector, rows, new_rows):
        fitted = clone(detector).fit(rows)
        expected = fitted.score_samples(new_rows)
        data = pickle.dumps(fitted)
        del fitted
        curvad.stop_worker()
        np.testing.assert_array_equal(pickle.loads(data).score_samples(new_rows), expected)

    def test_gives_each_row_its_score_whatever_comes_with_it(self, detector, rows, new_rows):
        fitted = clone(detector).fit(rows)
        alone = np.concatenate([fitted.score_samples(row[None]) for row in new_rows[:20]])
        np.testing.assert_array_equal(alone, fitted.score_samples(new_rows)[:20])

    def test_reads_pandas_by_name_and_saves_a_model_that_does(self, detector, rows, new_rows, tmp_path):
        names = list("abcde")
        fitted = clone(detector).fit(pd.DataFrame(rows, columns=names))
        assert list(fitted.feature_names_in_) == names
        fitted.save(tmp_path / "model.curvad")
        model = curvad.load(tmp_path / "model.curvad")
        assert (model.detector, model.columns, model.names) == (type(detector).__name__, 5, names)
        shuffled = pd.DataFrame(new_rows, columns=names)[list("ecabd")]
        expected = -fitted.score_samples(pd.DataFrame(new_rows, columns=names))
        np.testing.assert_array_equal(model.score(shuffled), expected)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).score(new_rows), expected)
        np.testing.assert_array_equal(model.predict(new_rows), expected > model.threshold)

    def test_takes_contamination_for_the_share_of_outliers(self, detector, rows):
        fitted = clone(detector).set_params(contamination=0.1).fit(rows)
        assert fitted.labels_.sum() == 62
        for wrong in (0, 0.6, -1, "some", None):
            with pytest.raises(ValueError, match="contamination"):
                clone(detector).set_params(contamination=wrong).fit(rows)

    def test_does_the_same_on_threads(self, detector, rows, new_rows):
        expected = clone(detector).fit(rows)
        fitted = clone(detector).set_params(n_jobs=2).fit(rows)
        np.testing.assert_array_equal(fitted.scores_, expected.scores_)
        np.testing.assert_array_equal(fitted.score_samples(new_rows), expected.score_samples(new_rows))


@pytest.mark.parametrize("detector", NEIGHBOR_DETECTORS)
def test_novelty_parts_training_rows_from_new_ones(detector, rows):
    fitted = detector().fit(rows)
    np.testing.assert_array_equal(detector().fit_predict(rows), 1 - 2 * fitted.labels_)
    with pytest.raises(AttributeError) as caught:
        detector().predict  # noqa: B018
    assert "use novelty=True" in str(caught.value.__cause__)
    with pytest.raises(AttributeError) as caught:
        detector(novelty=True).fit_predict  # noqa: B018
    assert "use novelty=False" in str(caught.value.__cause__)


def test_works_in_pipelines_and_searches(rows):
    pipeline = make_pipeline(StandardScaler(), curvad.LOF(novelty=True))
    assert set(pipeline.fit(rows).predict(rows)) == {-1, 1}
    truth = np.r_[np.ones(600), -np.ones(20)]
    forest = curvad.IsolationForest(random_state=0)
    search = GridSearchCV(forest, {"n_estimators": [10, 50]}, scoring="roc_auc", cv=StratifiedKFold(3))
    assert search.fit(rows, truth).best_score_ > 0.9
