"""What the tests are fed with."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def rows() -> np.ndarray:
    random = np.random.default_rng(7)
    inner = random.normal(size=(600, 5)) @ random.normal(size=(5, 5))
    return np.vstack([inner, random.uniform(-12, 12, size=(20, 5))])


@pytest.fixture(scope="session")
def new_rows() -> np.ndarray:
    return np.random.default_rng(8).normal(size=(200, 5)) * 3


@pytest.fixture(scope="session")
def data_directory() -> Path:
    path = Path(os.environ.get("CURVAD_DATA", ""))
    if not os.environ.get("CURVAD_DATA") or not path.is_dir():
        pytest.skip("set CURVAD_DATA to the directory of the real data sets")
    return path
