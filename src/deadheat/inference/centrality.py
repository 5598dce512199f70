"""How close a ranking comes to all judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deadheat.data.results import Results
from deadheat.inference.concordance import Sums
from deadheat.ranking.chosen import functions_for
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.rank_vectors import mean_ranks, unit_ranks
from deadheat.ranking.ranks import ranks
from deadheat.ranking.table import affordable, merits_of, require_usable, usable
from deadheat.typing import Floats


@dataclass(frozen=True)
class Centrality:
    """Hold the mean correlation with the judges of the ranking by each function, by its name.

    It is over the judges that tell candidates apart, by their weights; NaN where a function ties
    all candidates. The closest function comes first.
    """

    spearman: Mapping[str, float]
    tau_b: Mapping[str, float]

    def most_central(self) -> list[str]:
        """Return the functions that come closest by Spearman's correlation, all ties."""
        best = max((v for v in self.spearman.values() if v == v), default=np.nan)
        return [name for name, v in self.spearman.items() if v >= best - 1e-12]


def centrality_of(sums: Sums, ranking: Floats) -> float:
    """Return the mean correlation of one ranking with the judges, in O(n)."""
    weight = float(sums.weights[sums.telling].sum())
    if not weight:
        return np.nan
    unit = unit_ranks(mean_ranks(ranking[None, :]))[0]
    return float(np.clip(unit @ sums.direction / weight, -1, 1))


def rankings_by(results: Results, by: object = None) -> tuple[dict[str, Floats], list[str]]:
    """Return the ranks by each function, and a sentence for each that cannot rank the table.

    Without ``by`` they are all that fit the table and are quick on it. One that gives somebody no
    merit is left out.
    """
    fs, refusals = _functions(results, by)
    merits = merits_of(results, fs)
    found = {
        f.name: ranks(merits[f.name][0], unit=f.unit(results.scores, results.weights)) for f in fs
    }
    return {name: row for name, row in found.items() if not np.isnan(row).any()}, refusals


def centrality(rankings: Mapping[str, Floats], sums: Sums, taus: Floats) -> Centrality:
    """Return how central rankings are, of which the means of tau-b are known."""
    values = {name: centrality_of(sums, row) for name, row in rankings.items()}
    order = sorted(values, key=lambda name: 2.0 if np.isnan(values[name]) else -values[name])
    tau_b = dict(zip(rankings, taus.tolist(), strict=True))
    return Centrality({k: values[k] for k in order}, {k: tau_b[k] for k in order})


def _functions(results: Results, by: object) -> tuple[list[RankingFunction], list[str]]:
    if by is None:
        return usable(results, affordable(results))[0], []
    fs, named = functions_for(results, by)
    for f in named:
        require_usable(results, f)
    return usable(results, fs, named)
