"""Say who really won, and how sure we can be.

>>> import deadheat as dh
>>> table = dh.examples.load("compressors")
>>> dh.rank(table, by="average_rank").rows()[0]["candidate"]
'bzip2-9'
"""

from __future__ import annotations

from deadheat.data import examples
from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.errors import DataError, DeadheatError, UsageError
from deadheat.inference.check import check
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranking import rank
from deadheat.ranking.registry import (
    functions,
    ranks_duels,
    ranks_scores,
    ranks_standings,
    ranks_table,
)
from deadheat.version import __version__

__all__ = [
    "DataError",
    "DeadheatError",
    "RankingFunction",
    "Results",
    "UsageError",
    "__version__",
    "check",
    "examples",
    "functions",
    "rank",
    "ranks_duels",
    "ranks_scores",
    "ranks_standings",
    "ranks_table",
    "read",
]
