"""The types that every layer speaks."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
Booleans: TypeAlias = npt.NDArray[np.bool_]

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Any]

Direction = Literal["higher", "lower"]
Scale = Literal["ordinal", "interval", "ratio"]
RankConvention = Literal["mean", "min", "dense"]
MissingPolicy = Literal[
    "error", "worst", "last-rank", "impute-median", "available", "drop-judges", "drop-candidates"
]
