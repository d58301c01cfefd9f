"""Prototype selectors with the interface of imbalanced-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

import curvad

RANKERS = [curvad.InverseCAD(keep=0.2), curvad.IRMD(), curvad.PSA(), curvad.SOS(), curvad.SDM()]
SELECTORS = [*RANKERS, curvad.InverseCAD(), curvad.ENN(), curvad.DROP3(), curvad.ShellExtraction()]
X, CODES = load_iris(return_X_y=True)
Y = np.array(["setosa", "versicolor", "virginica"])[CODES]


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_keeps_rows_and_their_classes_as_they_came(selector):
    selector = clone(selector)
    rows, classes = selector.fit_resample(X, Y)
    np.testing.assert_array_equal(rows, X[selector.sample_indices_])
    np.testing.assert_array_equal(classes, Y[selector.sample_indices_])
    assert len(set(selector.sample_indices_)) == len(rows) < len(X)
    frame, series = selector.fit_resample(pd.DataFrame(X, columns=list("abcd")), pd.Series(Y, name="kind"))
    np.testing.assert_array_equal(frame.index, selector.sample_indices_)
    np.testing.assert_array_equal(series.to_numpy(), classes)


@pytest.mark.parametrize("selector", RANKERS, ids=repr)
def test_keeps_the_share_of_each_class(selector):
    _, classes = clone(selector).fit_resample(X, Y)
    assert np.unique(classes, return_counts=True)[1].tolist() == [10, 10, 10]


def test_enn_drops_what_its_neighbours_outvote():
    kept = curvad.ENN(n_neighbors=3).fit(X, Y).sample_indices_
    votes = [
        KNeighborsClassifier(3).fit(np.delete(X, i, 0), np.delete(CODES, i)).predict(X[i : i + 1])[0]
        for i in range(len(X))
    ]
    assert set(np.flatnonzero(votes == CODES)) == set(kept)
