"""From scores in rounds to pairs: on the same round, or every round against every other."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from deadheat.errors import DataError, UnknownNameError, UsageError
from deadheat.ranking import blocks
from deadheat.ranking.ranks import levels
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.typing import Booleans, Floats

Pairing = Literal["same", "all"]


def pairs_of_rounds(
    scores: Floats,
    round_weights: Floats | None = None,
    *,
    pairing: str = "same",
    tie_tol: float = 0.0,
    names: tuple[str, ...] = (),
) -> PairCounts:
    r"""Return the pairs of a table of scores (n, S), higher is better.

    Parameters
    ----------
    scores
        A candidate that misses a round (NaN) meets nobody in it.
    round_weights
        For replicates: how often each round is there, (B, S).
    pairing
        ``same``: two candidates meet once in each round, which is what one wants where rounds
        differ in difficulty. ``all``: every round of one meets every round of the other,
        :math:`W_{ij} = \sum_{s,t} w_s w_t [x_{is} > x_{jt}]`, the Mann-Whitney count.
    tie_tol
        Scores this close are tied, as everywhere in the package.
    names
        What the candidates are called.

    References
    ----------
    .. [1] Gosiewska et al. (2019), "EPP: interpretable score of model predictive power", sec. 5.1
           (all pairs of splits) and sec. 6 (the same split).
    """
    table, weights = checked_rounds(scores, round_weights, pairing=pairing, tie_tol=tie_tol)
    rows = np.ones((1, table.shape[1])) if weights is None else weights
    pairs = (_same if pairing == "same" else _all)(table, rows, names)
    return pairs if weights is not None else pairs.of_replicate(0)


def checked_rounds(
    scores: Floats, round_weights: Floats | None, *, pairing: str, tie_tol: float
) -> tuple[Floats, Floats | None]:
    """Return the scores with their ties made exact, and the weights of the rounds."""
    if pairing not in get_args(Pairing):
        raise UnknownNameError("pairing", str(pairing), get_args(Pairing))
    table: Floats = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise UsageError(f"scores must be candidates x rounds, got {table.ndim} dimension(s).")
    if not table.shape[1]:
        raise DataError("there is no round.", hint="one column of scores per round.")
    one_judge = pairing == "all"
    n, rounds = table.shape
    table = levels(table.reshape(n * rounds, 1) if one_judge else table, tolerance=tie_tol)
    table = table.reshape(n, rounds)
    if round_weights is None:
        return table, None
    weights = np.atleast_2d(np.asarray(round_weights, dtype=np.float64))
    if weights.shape[1] != rounds or not (weights >= 0).all():
        raise UsageError(
            f"round weights of shape {np.shape(round_weights)} for {rounds} rounds.",
            hint="one row per replicate, one weight of at least 0 per round.",
        )
    return table, weights


def _same(scores: Floats, weights: Floats, names: tuple[str, ...]) -> PairCounts:
    n, rounds = scores.shape
    there = (~np.isnan(scores)).astype(np.float64)
    first, second = np.triu_indices(n, 1)
    met = (there @ there.T)[first, second] > 0
    first, second = first[met], second[met]
    counts = np.empty((3, len(weights), len(first)))
    step = max(1, blocks.WORKING_SET // rounds)
    for low in range(0, len(first), step):
        part = slice(low, low + step)
        mine, yours = scores[first[part]], scores[second[part]]
        for kind, compare in enumerate((np.greater, np.less, np.equal)):
            said: Floats = compare(mine, yours).astype(np.float64)
            np.matmul(weights, said.T, out=counts[kind, :, part])
    return PairCounts(n, first, second, counts[0], counts[1], counts[2], names)


def _all(scores: Floats, weights: Floats, names: tuple[str, ...]) -> PairCounts:
    """Count through running sums of weights: what lies below x among the sorted scores of j."""
    n = len(scores)
    there = ~np.isnan(scores)
    first, second = np.triu_indices(n, 1)
    anywhere: Booleans = np.any(there, axis=1)
    met = anywhere[first] & anywhere[second]
    first, second = first[met], second[met]
    wins, losses = (np.zeros((len(weights), len(first))) for _ in range(2))
    tied = np.zeros(len(first), dtype=bool)
    by_second = np.argsort(second, kind="stable")
    ends = np.searchsorted(second[by_second], np.arange(n + 1))
    starts = np.searchsorted(first, np.arange(n + 1))
    for j in range(n):
        won, level = _against(scores, weights, j)  # (B, n), (n,)
        above, below = by_second[ends[j] : ends[j + 1]], slice(starts[j], starts[j + 1])
        wins[:, above], tied[above] = won[:, first[above]], level[first[above]]
        losses[:, below] = won[:, second[below]]
    total = weights @ there.T.astype(np.float64)
    played = total[:, first] * total[:, second]
    ties = np.where(tied, np.maximum(played - wins - losses, 0.0), 0.0)
    return PairCounts(n, first, second, wins, losses, ties, names)


def _against(scores: Floats, weights: Floats, j: int) -> tuple[Floats, Booleans]:
    """Return what each candidate wins against j, (B, n), and whether it ever ties with j."""
    order = np.argsort(scores[j])[: np.count_nonzero(~np.isnan(scores[j]))]
    own, flat = scores[j][order], np.where(np.isnan(scores), -np.inf, scores).ravel()
    below = np.searchsorted(own, flat, side="left").reshape(scores.shape)
    upto = np.searchsorted(own, flat, side="right").reshape(scores.shape)
    there = ~np.isnan(scores)
    won = np.empty((len(weights), len(scores)))
    step = max(1, blocks.WORKING_SET // scores.size)
    for low in range(0, len(weights), step):
        rows = weights[low : low + step]
        reached = np.zeros((len(rows), len(order) + 1))
        np.cumsum(rows[:, order], axis=1, out=reached[:, 1:])
        won[low : low + step] = np.einsum("bns,bs,ns->bn", reached[:, below], rows, there)
    level: Booleans = np.any((upto > below) & there, axis=1)
    return won, level
