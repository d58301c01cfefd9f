"""Puts the built JavaScript into the wheel, and refuses to make one without it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JavaScript(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root).parent
        dist = root / "dist"
        files = [file for folder in (".", "shared", "formats", "threads") for file in dist.glob(f"{folder}/*.js")]
        if not (dist / "cli-worker.js").exists():
            raise RuntimeError(f"{dist} has no cli-worker.js: run `npm ci && npm run build` first")
        include = {str(file): f"curvad/_js/{file.relative_to(dist)}" for file in files}
        include[str(dist / "THIRD-PARTY-LICENSES.txt")] = "curvad/_js/THIRD-PARTY-LICENSES.txt"
        include[str(root / "LICENSE")] = "curvad/_js/LICENSE"
        # Node takes .js files for modules where a package says so.
        manifest = Path(tempfile.mkdtemp()) / "package.json"
        manifest.write_text('{ "type": "module" }\n')
        include[str(manifest)] = "curvad/_js/package.json"
        build_data["force_include"].update(include)
