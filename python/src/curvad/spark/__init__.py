"""curvad on Apache Spark 3.5 and 4: scores of any number of rows, in batches and in streams.

Every Python worker of Spark runs one `curvad worker` beside it, which gets Arrow batches and answers with scores; they are
the local scores to the last bit.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._distributed import DistributedFit, fit_distributed
    from ._estimator import CurvadEstimator, CurvadModel
    from ._fit import fit
    from ._score import score

__all__ = ["CurvadEstimator", "CurvadModel", "DistributedFit", "fit", "fit_distributed", "score"]

#: Imported when they are first used: executors need little of it.
_MODULES = {
    **dict.fromkeys(("DistributedFit", "fit_distributed"), "_distributed"),
    **dict.fromkeys(("CurvadEstimator", "CurvadModel"), "_estimator"),
    "fit": "_fit",
    "score": "_score",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
