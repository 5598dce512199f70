"""The rankings themselves, of the functions that were measured."""

from __future__ import annotations

from deadheat.criteria.result import Criteria
from deadheat.ranking.ranking import Ranking, rank


def ranking_of(criteria: Criteria, table: int = 0) -> Ranking:
    """Return the ranking of one of the tables by every function."""
    return rank(criteria.measured[table].results, by=list(criteria.functions))
