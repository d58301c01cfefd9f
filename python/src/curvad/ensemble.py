"""`sklearn.ensemble` by curvad: change the import, keep the code."""

from __future__ import annotations

from . import _detectors

__all__ = ["IsolationForest"]


class IsolationForest(_detectors.IsolationForest):
    """`sklearn.ensemble.IsolationForest`: its trees, scores and threshold for the same `random_state`."""

    def _offset(self, threshold: float) -> float:
        return -0.5 if self.contamination == "auto" else -threshold
