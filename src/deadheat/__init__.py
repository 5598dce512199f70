"""Say who really won, and how sure we can be.

>>> import deadheat as dh
>>> table = dh.examples.load("compressors")
>>> dh.rank(table, by="average_rank").rows()[0]["candidate"]
'bzip2-9'
"""

from __future__ import annotations

import sys
from types import ModuleType

from deadheat.version import __version__

TYPE_CHECKING = False  # typing takes longer to load than all that comes before Ctrl-C is heeded
if TYPE_CHECKING:
    from typing import Any

    from deadheat.axioms.examine import axioms
    from deadheat.axioms.result import AxiomAudit, Axioms
    from deadheat.criteria.criteria import criteria
    from deadheat.criteria.result import Criteria
    from deadheat.data import examples
    from deadheat.data.artificial import artificial
    from deadheat.data.battles import Battles, read_battles
    from deadheat.data.read import read, read_runs
    from deadheat.data.results import Results
    from deadheat.data.rule import scores_runs
    from deadheat.data.runs import Runs
    from deadheat.errors import DataError, DeadheatError, UsageError
    from deadheat.inference.agreement import Agreement, agreement
    from deadheat.inference.check import check
    from deadheat.inference.compare import Comparison, compare
    from deadheat.inference.influence import Influence, influence
    from deadheat.inference.judging import verdict
    from deadheat.inference.rate import rate
    from deadheat.inference.rating_parts import RatingParts
    from deadheat.inference.ratings import Ratings
    from deadheat.inference.verdict import Verdict
    from deadheat.ranking import distances
    from deadheat.ranking.consensus.result import Consensus, consensus
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
    from deadheat.report.picture import Picture
    from deadheat.report.plotting import plot
    from deadheat.report.report import Report, report
    from deadheat.saved import Saved, load

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
    "report",
    "score",
    "scores_runs",
    "verdict",
]

# Imported when first asked for: the command line then answers --help, and Ctrl-C, at once.
_HOMES = {
    "axioms.examine": ["axioms"],
    "axioms.result": ["AxiomAudit", "Axioms"],
    "criteria.criteria": ["criteria"],
    "criteria.result": ["Criteria"],
    "data": ["examples"],
    "data.artificial": ["artificial"],
    "data.battles": ["Battles", "read_battles"],
    "data.read": ["read", "read_runs"],
    "data.results": ["Results"],
    "data.rule": ["scores_runs"],
    "data.runs": ["Runs"],
    "errors": ["DataError", "DeadheatError", "UsageError"],
    "inference.agreement": ["Agreement", "agreement"],
    "inference.check": ["check"],
    "inference.compare": ["Comparison", "compare"],
    "inference.influence": ["Influence", "influence"],
    "inference.judging": ["verdict"],
    "inference.rate": ["rate"],
    "inference.rating_parts": ["RatingParts"],
    "inference.ratings": ["Ratings"],
    "inference.verdict": ["Verdict"],
    "ranking": ["distances"],
    "ranking.consensus.result": ["Consensus", "consensus"],
    "ranking.function": ["RankingFunction"],
    "ranking.ranking": ["rank"],
    "ranking.score": ["score"],
    "report.picture": ["Picture"],
    "report.plotting": ["plot"],
    "report.report": ["Report", "report"],
    "saved": ["Saved", "load"],
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
    return sorted({*globals(), *__all__})
