"""The words that options take; nothing is imported here, so that help and completion are quick."""

from __future__ import annotations

from typing import Literal

Direction = Literal["higher", "lower"]
RankConvention = Literal["mean", "min", "dense"]
MissingPolicy = Literal[
    "error", "worst", "last-rank", "impute-median", "available", "drop-judges", "drop-candidates"
]
PLACES = ("rows", "columns")
SCALINGS = ("none", "global", "judge")
HEAT_VALUES = ("scores", "ranks")
SEVERAL = ("judge", "stratum", "cluster")  # that several columns may name together
BRACKETS = ("error", "rank", "count")
COMBINE = ("error", "mean", "judges")
LATE = ("error", "timeout", "solved")
WRONG = ("unsolved", "solved", "disqualify", "penalise")
UNVERIFIED = ("solved", "unsolved")
PLANS = ("bootstrap", "stratified", "clustered", "two-level", "bayesian", "jackknife", "subsample")
PValue = Literal["plus-one", "paper", "sign-flip"]
Leader = Literal["plurality", "best-score"]
TESTS = ("max-t", "sign-flip", "t-holm", "wilcoxon-holm", "nemenyi")
PAIRINGS = ("same", "all")
SCALES = ("logit", "elo")
ERRORS = ("bootstrap", "sandwich", "fisher")
RATING_INTERVALS = ("percentile", "basic", "expanded-percentile", "wald")
RATING_TESTS = ("max-t", "holm")
TRIALS, PANELS = 10_000, 400  # of criteria, and of convergence for each number of judges
TABLES_OF_SEVERAL = ("means", "tournaments", "navigation", "embedding")  # of tournaments
RATING_TABLES = (
    *("pairs", "matrix", "groups", "calibration", "tunability", "tuning", "ensembles"),
    *TABLES_OF_SEVERAL,
)
