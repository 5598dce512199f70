"""What judges have in common: clusters of them, and how close a ranking comes to all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deadheat.core.errors import DataError, MissingScoresError, counted, named, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.on_tables import affordable, functions_for, merits_of, usable
from deadheat.ranking.ranks import best_first, ranks
from deadheat.statistics.concordance import Sums, mean_ranks, unit_ranks, untied_pairs

SAME_CORRELATION = 1e-12
Centrality = dict[str, dict[str, float]]  # of the ranking by each function, closest first


def complete(results: Results) -> Results:
    """Return the table without judges of weight 0, or say that it has holes."""
    if not results.has_holes:
        return results.without_idle_judges()
    holes = results.holes
    i, j = np.argwhere(holes)[0].tolist()
    whole = (("judge", 0, results.m), ("candidate", 1, results.n))
    ways = [
        f"{say('missing', f'drop-{kind}s')} keeps {left:,} of {counted(number, kind)}"
        for kind, axis, number in whole
        if (left := number - int(holes.any(axis=axis).sum())) > 1
    ]
    if not holes.all(axis=0).any():
        ways.append(f"{say('missing', 'worst')} keeps all")
    raise MissingScoresError(
        f"{results.source}: agreement compares whole rankings, and the score of "
        f"{results.place(i, j)} is missing ({int(holes.sum()):,} in all).",
        hint=f"choose a policy: {'; '.join(ways) or 'first leave out judges without a score'}.",
    )


@dataclass(frozen=True, eq=False)
class Clusters:
    of_judge: Integers  # from 1, the largest cluster first; 0 for judges that tie all
    order: Integers  # those that tell candidates apart, beside those most like them

    def members(self) -> list[list[int]]:
        number = int(self.of_judge.max(initial=0))
        return [np.flatnonzero(self.of_judge == k).tolist() for k in range(1, number + 1)]


def clusters_of(ranks: Floats, telling: Booleans, *, threshold: float) -> Clusters:
    """Return clusters of the judges with ranks (m, n), by average linkage on 1 - rho.

    The two with the highest mean correlation are joined, as long as that is at least the threshold.
    """
    judges = np.flatnonzero(telling)
    of_judge = np.zeros(len(ranks), dtype=np.int64)
    if len(judges) < 2:
        of_judge[judges] = 1
        return Clusters(of_judge, judges)
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    units = unit_ranks(ranks[judges])
    apart = 1 - np.clip(units @ units.T, -1, 1)
    joined = linkage(squareform(apart, checks=False), "average")
    found = fcluster(joined, 1 - threshold + 1e-12, criterion="distance")
    _, first, back, sizes = np.unique(
        found, return_index=True, return_inverse=True, return_counts=True
    )
    place = np.empty(len(sizes), dtype=np.int64)  # largest first, among equals by first judge
    place[np.lexsort((first, -sizes))] = np.arange(1, len(sizes) + 1)
    of_judge[judges] = place[back]
    return Clusters(of_judge, judges[leaves_list(joined)])


def centrality_of(sums: Sums, ranking: Floats) -> float:
    """Return the mean correlation of one ranking with the judges, in O(n)."""
    weight = float(sums.weights[sums.telling].sum())
    if not weight:
        return np.nan
    unit = unit_ranks(mean_ranks(ranking[None, :]))[0]
    return float(np.clip(unit @ sums.direction / weight, -1, 1))


def rankings_by(results: Results, by: object = None) -> tuple[dict[str, Floats], list[str]]:
    """Return the ranks by each function, and a sentence for each that cannot rank the table.

    Without ``by`` they are all that are quick on the table. One that gives somebody no merit is
    refused where it was named, and else left out.
    """
    fs, named_ones = functions_for(results, by) if by is not None else (affordable(results), [])
    fs, refusals = usable(results, fs, named_ones)
    merits = merits_of(results, fs)
    rankings = {}
    for f in fs:
        row = merits[f.name][0]
        nobody = [results.candidates[i] for i in np.flatnonzero(np.isnan(row)).tolist()]
        if not nobody:
            rankings[f.name] = ranks(row, unit=f.unit(results.scores, results.weights))
            continue
        fact = f"no merit to {counted(len(nobody), 'candidate')}: {named(nobody)}."
        if f in named_ones:
            raise DataError(
                f"{f.name} gives {fact}",
                hint="every candidate that is present needs a merit; check its kernel.",
            )
        refusals = [*refusals, f"{f.name} is left out: it gives {fact}"]
    return rankings, [] if by is None else refusals


def centrality(rankings: Mapping[str, Floats], sums: Sums, taus: Floats) -> Centrality:
    """Return mean correlations with the judges of the ranking by each function, closest first.

    They divide by the spread of a ranking, so that ties may bring it closer than any way to break
    them. The strict ones are means over all these ways and decide who is closest: no ranking is
    closer to judges without ties than that by mean ranks (rho), or than Kemeny's (tau-b).
    """
    central: Centrality = {}
    for (name, row), tau in zip(rankings.items(), taus.tolist(), strict=True):
        # Ranks and orders of pairs are means of those of all strict rankings that a ranking may
        # become, and products of vectors are linear; so only the length to divide by is another.
        rho, (spread, pairs) = centrality_of(sums, row), np.sqrt(untied_shares(row)).tolist()
        central[name] = {
            "mean_spearman": rho,
            "mean_tau_b": tau,
            "strict_spearman": rho * spread if spread else 0.0,
            "strict_tau_b": tau * pairs if pairs else 0.0,
        }
    return closest_first(central)


def closest_first(central: Centrality, correlation: str = "spearman") -> Centrality:
    key = "strict_spearman" if correlation == "spearman" else "strict_tau_b"
    order = best_first(np.array([means[key] for means in central.values()])).tolist()
    names = list(central)
    return {names[k]: central[names[k]] for k in order}


def most_central(central: Centrality, within: float = SAME_CORRELATION) -> list[str]:
    """Return the functions that come closest by Spearman's correlation, all ties."""
    values = {name: means["strict_spearman"] for name, means in central.items()}
    best = max((value for value in values.values() if value == value), default=np.nan)
    return [name for name, value in values.items() if value >= best - within]


def untied_shares(ranking: Floats) -> tuple[float, float]:
    """Return the spread of ranks, and the pairs in order, as shares of those without ties."""
    n = len(ranking)
    row = mean_ranks(ranking[None, :])
    spread = float(((row - (n + 1) / 2) ** 2).sum())
    pairs = int(untied_pairs(row)[0])
    return spread / max((n**3 - n) / 12, 1), pairs / max(n * (n - 1) / 2, 1)
