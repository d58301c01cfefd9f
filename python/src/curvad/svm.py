"""`sklearn.svm` by curvad: change the import, keep the code."""

from __future__ import annotations

from . import _detectors

__all__ = ["OneClassSVM"]


class OneClassSVM(_detectors.OneClassSVM):
    """`sklearn.svm.OneClassSVM`: outliers are the rows outside the region, where `decision_function` is below 0.

    `score_samples` is the decision function itself, without the constant that scikit-learn adds.
    """

    def _offset(self, threshold: float) -> float:
        return 0.0 if self.contamination == "auto" else -threshold
