"""Say who really won, and how sure we can be.

>>> import deadheat as dh
>>> table = dh.examples.load("compressors")
>>> dh.rank(table, by="average_rank").rows()[0]["candidate"]
'bzip2-9'
"""

from __future__ import annotations

import sys
from types import ModuleType

from deadheat.core.version import __version__

TYPE_CHECKING = False  # typing takes longer to load than all that comes before Ctrl-C is heeded
if TYPE_CHECKING:
    from typing import Any

    from deadheat.agree.api import Agreement, agreement
    from deadheat.axioms.api import axioms
    from deadheat.axioms.result import AxiomAudit, Axioms
    from deadheat.check.api import check
    from deadheat.compare.api import Comparison, compare
    from deadheat.consensus.api import Consensus, consensus
    from deadheat.core.errors import DataError, DeadheatError, UsageError
    from deadheat.criteria.api import criteria
    from deadheat.criteria.convergence import convergence
    from deadheat.criteria.result import Criteria
    from deadheat.data import examples
    from deadheat.data.artificial import artificial
    from deadheat.data.battles import Battles
    from deadheat.data.convert import convert
    from deadheat.data.formats import reads_dialect, reads_format
    from deadheat.data.reading.read import read, read_battles, read_runs
    from deadheat.data.results import Results
    from deadheat.data.runs import Runs
    from deadheat.data.scoring_rule import scores_runs
    from deadheat.influence.api import Influence, influence
    from deadheat.rank.api import rank
    from deadheat.ranking.function import (
        RankingFunction,
        functions,
        ranks_duels,
        ranks_scores,
        ranks_standings,
        ranks_table,
    )
    from deadheat.rate.api import rate
    from deadheat.rate.result import Ratings
    from deadheat.rate.tournaments import RatingParts
    from deadheat.report.api import Report, report
    from deadheat.report.load import Saved, load
    from deadheat.report.picture import Picture
    from deadheat.report.plot import plot
    from deadheat.reproduce.api import Reproduction, reproduce
    from deadheat.score.api import score
    from deadheat.statistics import distances
    from deadheat.verdict.api import verdict
    from deadheat.verdict.result import Verdict

__all__ = [
    "Agreement",
    "AxiomAudit",
    "Axioms",
    "Battles",
    "Comparison",
    "Consensus",
    "Criteria",
    "DataError",
    "DeadheatError",
    "Influence",
    "Picture",
    "RankingFunction",
    "RatingParts",
    "Ratings",
    "Report",
    "Reproduction",
    "Results",
    "Runs",
    "Saved",
    "UsageError",
    "Verdict",
    "__version__",
    "agreement",
    "artificial",
    "axioms",
    "check",
    "compare",
    "consensus",
    "convergence",
    "convert",
    "criteria",
    "distances",
    "examples",
    "functions",
    "influence",
    "load",
    "plot",
    "rank",
    "ranks_duels",
    "ranks_scores",
    "ranks_standings",
    "ranks_table",
    "rate",
    "read",
    "read_battles",
    "read_runs",
    "reads_dialect",
    "reads_format",
    "report",
    "reproduce",
    "score",
    "scores_runs",
    "verdict",
]

# Imported when first asked for: the command line then answers --help, and Ctrl-C, at once.
_HOMES = {
    "agree.api": ["agreement", "Agreement"],
    "axioms.api": ["axioms"],
    "axioms.result": ["AxiomAudit", "Axioms"],
    "check.api": ["check"],
    "compare.api": ["compare", "Comparison"],
    "consensus.api": ["consensus", "Consensus"],
    "core.errors": ["DataError", "DeadheatError", "UsageError"],
    "criteria.api": ["criteria"],
    "criteria.convergence": ["convergence"],
    "criteria.result": ["Criteria"],
    "data": ["examples"],
    "data.artificial": ["artificial"],
    "data.battles": ["Battles"],
    "data.convert": ["convert"],
    "data.formats": ["reads_dialect", "reads_format"],
    "data.reading.read": ["read", "read_battles", "read_runs"],
    "data.results": ["Results"],
    "data.runs": ["Runs"],
    "data.scoring_rule": ["scores_runs"],
    "influence.api": ["influence", "Influence"],
    "rank.api": ["rank"],
    "ranking.function": [
        "functions",
        "ranks_duels",
        "ranks_scores",
        "ranks_standings",
        "ranks_table",
        "RankingFunction",
    ],
    "rate.api": ["rate"],
    "rate.result": ["Ratings"],
    "rate.tournaments": ["RatingParts"],
    "report.api": ["report", "Report"],
    "report.load": ["load", "Saved"],
    "report.picture": ["Picture"],
    "report.plot": ["plot"],
    "reproduce.api": ["reproduce", "Reproduction"],
    "score.api": ["score"],
    "statistics": ["distances"],
    "verdict.api": ["verdict"],
    "verdict.result": ["Verdict"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOME_OF[name]}")
    module = name in {"distances", "examples"}
    value = import_module(f"{home.__name__}.{name}") if module else getattr(home, name)
    globals()[name] = value
    return value


class _Package(ModuleType):
    """Keep functions that are named like the folder they live in, such as ``axioms``."""

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse the folder, which the import system puts here when it is first imported."""
        folder = isinstance(value, ModuleType) and value.__name__ == f"{__name__}.{name}"
        if not (folder and name in _HOME_OF):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted(__all__)
