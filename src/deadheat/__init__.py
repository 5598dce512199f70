"""Say who really won, and how sure we can be.

>>> import deadheat as dh
>>> table = dh.examples.load("compressors")
>>> dh.rank(table, by="average_rank").rows()[0]["candidate"]
'bzip2-9'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deadheat.version import __version__

if TYPE_CHECKING:
    from deadheat.data import examples
    from deadheat.data.read import read, read_runs
    from deadheat.data.results import Results
    from deadheat.data.rule import scores_runs
    from deadheat.data.runs import Runs
    from deadheat.errors import DataError, DeadheatError, UsageError
    from deadheat.inference.check import check
    from deadheat.inference.compare import Comparison, compare
    from deadheat.inference.influence import Influence, influence
    from deadheat.inference.judging import verdict
    from deadheat.inference.verdict import Verdict
    from deadheat.ranking.function import RankingFunction
    from deadheat.ranking.ranking import rank
    from deadheat.ranking.registry import (
        functions,
        ranks_duels,
        ranks_scores,
        ranks_standings,
        ranks_table,
    )
    from deadheat.ranking.score import score

__all__ = [
    "Comparison",
    "DataError",
    "DeadheatError",
    "Influence",
    "RankingFunction",
    "Results",
    "Runs",
    "UsageError",
    "Verdict",
    "__version__",
    "check",
    "compare",
    "examples",
    "functions",
    "influence",
    "rank",
    "ranks_duels",
    "ranks_scores",
    "ranks_standings",
    "ranks_table",
    "read",
    "read_runs",
    "score",
    "scores_runs",
    "verdict",
]

# Imported when first asked for: the command line then answers --help, and Ctrl-C, at once.
_HOMES = {
    "data": ["examples"],
    "data.read": ["read", "read_runs"],
    "data.results": ["Results"],
    "data.rule": ["scores_runs"],
    "data.runs": ["Runs"],
    "errors": ["DataError", "DeadheatError", "UsageError"],
    "inference.check": ["check"],
    "inference.compare": ["Comparison", "compare"],
    "inference.influence": ["Influence", "influence"],
    "inference.judging": ["verdict"],
    "inference.verdict": ["Verdict"],
    "ranking.function": ["RankingFunction"],
    "ranking.ranking": ["rank"],
    "ranking.score": ["score"],
    "ranking.registry": [
        "functions",
        "ranks_duels",
        "ranks_scores",
        "ranks_standings",
        "ranks_table",
    ],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOME_OF[name]}")
    value = import_module(f"{home.__name__}.{name}") if name == "examples" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
