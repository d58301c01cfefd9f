"""The snippets of README.md, executed as they stand, in the order in which they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[1] / "README.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
IMPORTS = "import numpy as np\n"


@pytest.mark.parametrize("snippet", [s for s in SNIPPETS if "pyspark" not in s], ids=lambda s: s.split("\n")[0])
def test_snippet(snippet, tmp_path):
    result = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", IMPORTS + snippet],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_there_are_snippets():
    assert len(SNIPPETS) >= 4
