"""Bradley-Terry ratings, on a table of scores known as EPP."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.newton import Matches, fit_dense
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import ranks_duels


def remarks(scores: Floats, judge_weights: Floats) -> Iterator[str]:
    """Say when ratings are penalised, or stand on no common scale."""
    everybody = np.ones((1, len(scores)))
    matches = _matches(Duels(Block(scores, judge_weights[None, :], everybody)), everybody)
    parts = len(np.unique(matches.parts))
    if parts > 1:
        yield (
            f"epp: the candidates fall into {counted(parts, 'part')} that share no judge; ratings "
            "of different parts cannot be compared, the mean of each is set to 0."
        )
    elif _separated(matches)[0]:
        yield (
            "epp: some candidates never lost a judge to some others, so that no finite ratings fit "
            "best; they are penalised (Firth)."
        )


@ranks_duels(
    "epp",
    satisfies={"consistency", "participation", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "iia", "liia", "clones"},
    heading="rating",
    cost="n² m, and n³ for each fit",
    aliases=("bradley_terry",),
    remarks=remarks,
)
def epp(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by Bradley-Terry ratings: differences are the log-odds that one beats the other (EPP).

    .. math:: f = \arg\max_b \sum_{i<j} c_i c_j \bigl(W_{ij} \log p_{ij} + W_{ji} \log p_{ji}\bigr),
        \quad p_{ij} = \frac{1}{1 + e^{b_j - b_i}}, \quad W_{ij} = G_{ij} + \tfrac12 E_{ij}, \quad
        \sum_i c_i b_i = 0

    Every judge is a match of every two candidates. Where no finite ratings fit best, because no
    chain of judges says that somebody ever lost to somebody else, half of the log-determinant of
    the information is added [2]_, replicate by replicate; :func:`deadheat.rate` keeps to one
    penalty. Candidates whom no chain of judges connects are not comparable; the mean of each
    connected part is 0. Without holes the order is that of the average rank. In [1]_ each pair is
    entered twice and some candidate is 0; here each pair counts once, and 0 is average.

    .. [1] Gosiewska, Bakala, Woznica, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power", sec. 4.
    .. [2] Firth (1993), "Bias reduction of maximum likelihood estimates", Biometrika 80(1).

    >>> epp([[3, 3, 1, 3], [2, 2, 2, 2]]).round(4)  # 3 of 4 judges: odds of 3, log 3 = 1.0986
    array([[ 0.5493, -0.5493]])
    """
    matches = _matches(duels, candidate_weights)
    penalised = _separated(matches)
    merits = np.empty(matches.copies.shape)
    for firth in (False, True):
        chosen = penalised == firth
        if chosen.any():
            merits[chosen] = fit_dense(matches.rows(chosen), firth=firth)
    return merits


def _matches(duels: Duels, candidate_weights: Floats) -> Matches:
    """Return the matches with exact zeros: who never won, won nothing, whatever the noise."""
    copies = np.asarray(candidate_weights, dtype=np.float64)
    margins = duels.margins.astype(np.float64)
    common = np.broadcast_to(np.asarray(duels.common, dtype=np.float64), margins.shape)
    noise = duels.noise[:, :, None]
    won = (common + margins) / 2
    wins = np.where(won <= noise, 0.0, np.where(common - won <= noise, common, won))
    own = np.diagonal(common, axis1=1, axis2=2).copy()
    n = copies.shape[1]
    there = copies > 0
    wins *= there[:, :, None] & there[:, None, :]
    wins[:, np.arange(n), np.arange(n)] = 0.0
    parts = np.where(there, 0, np.arange(1, n + 1))  # each absent one is a part of its own
    for b in np.flatnonzero(~_complete(wins, there)).tolist():
        parts[b] = _labels((wins[b] + wins[b].T) > 0, "weak")
    return Matches(wins, copies, own, parts)


def _complete(wins: Floats, there: Booleans) -> Booleans:
    """Return in which replicates all have met who are there."""
    met = ((wins + wins.mT) > 0).sum(axis=2)
    return np.asarray(((met == there.sum(axis=1, keepdims=True) - 1) | ~there).all(axis=1))


def _separated(matches: Matches) -> Booleans:
    """Return in which replicates some chain of wins is missing within a connected part."""
    there = matches.copies > 0
    complete = _complete(matches.wins, there)
    found = np.empty(len(there), dtype=bool)
    found[complete] = _has_unbeaten_part(matches.wins[complete], there[complete])
    for b in np.flatnonzero(~complete).tolist():
        strong = _labels(matches.wins[b] > 0, "strong")
        found[b] = len(np.unique(strong)) > len(np.unique(matches.parts[b]))
    return found


def _has_unbeaten_part(wins: Floats, there: Booleans) -> Booleans:
    """Return whether some k won everything against the rest, where all pairs have met.

    Those k stand first by the number of rivals whom they have beaten less those who have beaten
    them, and only for such k does it sum to as many as there are pairs with the rest.
    """
    over = (wins > 0).sum(axis=2) - (wins > 0).sum(axis=1).astype(np.int64)
    best_first = -np.sort(np.where(there, -over, np.iinfo(np.int64).max), axis=1)
    count = there.sum(axis=1, keepdims=True)
    k = np.arange(1, there.shape[1] + 1)
    lead = np.cumsum(np.where(k <= count, best_first, 0), axis=1)
    return np.asarray(((lead == k * (count - k)) & (k < count)).any(axis=1))


def _labels(edges: Booleans, connection: str) -> Integers:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(csr_array(edges), connection=connection)[1])
