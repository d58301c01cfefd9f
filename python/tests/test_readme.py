"""The snippets of README.md, executed as they stand, in the order in which they stand."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[1] / "README.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
IMPORTS = "import numpy as np\n"


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda s: s.split("\n")[0])
def test_snippet(snippet, tmp_path):
    if "pyspark" in snippet and (shutil.which("java") is None or importlib.util.find_spec("pyspark") is None):
        pytest.skip("Spark is not there: it needs a JRE of version 17, and pip install curvad[spark]")
    for module in ("duckdb", "dask"):
        if f"import {module}" in snippet:
            pytest.importorskip(module)
    result = subprocess.run(
        [sys.executable, "-c", IMPORTS + snippet],
        cwd=tmp_path,
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_there_are_snippets():
    assert len(SNIPPETS) >= 5
