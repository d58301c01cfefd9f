"""`sklearn.covariance` by curvad: change the import, keep the code."""

from ._detectors import EllipticEnvelope

__all__ = ["EllipticEnvelope"]
