"""curvad on Apache Spark 3.5 and 4: scores of any number of rows, in batches and in streams.

Every Python worker of Spark runs one `curvad worker` beside it, which gets Arrow batches and answers with scores; they are
the local scores to the last bit.
"""

from ._distributed import DistributedFit, fit_distributed
from ._estimator import CurvadEstimator, CurvadModel
from ._fit import fit
from ._score import score

__all__ = ["CurvadEstimator", "CurvadModel", "DistributedFit", "fit", "fit_distributed", "score"]
