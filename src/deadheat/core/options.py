"""The words that options take; nothing is imported here, so that help and completion are quick."""

from __future__ import annotations

from typing import Literal

Direction = Literal["higher", "lower"]
RankConvention = Literal["mean", "min", "dense"]
MissingPolicy = Literal[
    "error", "worst", "last-rank", "impute-median", "available", "drop-judges", "drop-candidates"
]
