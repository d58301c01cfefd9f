"""Why a row is anomalous."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Explanation:
    """Why a row is anomalous, or is not; `print` it to read it."""

    #: The row, as the numbers that the model works on.
    row: list[float]
    #: The training row it is, if it is one.
    training_row: int | None
    score: float
    #: Scores above it are anomalies; None where all training scores are equal.
    threshold: float | None
    #: 1 for an anomaly.
    label: int
    #: What the shares of columns are shares of: 'distance', 'curvature', 'fall' or 'deviation'.
    basis: str
    #: `feature`, `name`, `value`, `typical`, `in_deviations` and `share` of each, those that set the row apart first.
    columns: list[dict[str, Any]]
    #: The nearest training rows, nearest first: `index` and `distance`.
    neighbors: list[dict[str, Any]]
    #: The nearest normal row that was found: `row`, `score`, `is_normal`, `is_plausible`, `is_unmoved`, `why`.
    counterfactual: dict[str, Any]
    #: What differs there, the most first: `feature`, `name`, `from`, `to`, `change`, `in_deviations`.
    changes: list[dict[str, Any]]
    in_words: str

    @classmethod
    def from_json(cls, text: str) -> Explanation:
        return cls(**json.loads(text, object_pairs_hook=_snake_case))

    def __str__(self) -> str:
        return self.in_words


def _snake_case(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): value for name, value in pairs}
