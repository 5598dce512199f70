"""Bradley-Terry ratings of replicates: a few cheap steps from the fit, in full where they fail."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from deadheat.errors import UsageError
from deadheat.ranking import blocks
from deadheat.ranking.rating.bradley_terry import Fit, estimate, with_pseudo_wins
from deadheat.ranking.rating.bradley_terry import fit as fitted
from deadheat.ranking.rating.existence import separated, weak_labels
from deadheat.ranking.rating.newton import Matches, newton
from deadheat.ranking.rating.pair_counts import PairCounts, sums_by_candidate
from deadheat.ranking.rating.sparse import DENSE, leverages
from deadheat.ranking.rating.steps import HalfSteps, ScaledLeverages, TieSteps
from deadheat.ranking.rating.tie_levels import ties_run_away
from deadheat.ranking.rating.tie_models import tie_model
from deadheat.typing import Booleans, Floats, Integers

SETTLED = 1e-9  # a step of this size, beside the size of the ratings, changes no replicate
RUNNING_AWAY = 8.0  # by which ratings are farther apart than in the fit, if they may have no limit
MOST_EXACT = 100  # candidates up to whom leverages are those of the replicate


def refits(fit: Fit, pairs: PairCounts) -> Floats:
    """Return the ratings (B, n) of replicates, counts (B, P) of the pairs that were fitted.

    For block after block :class:`Refitter` inverts the Hessian of the fit only once.
    """
    return Refitter(fit)(pairs)


class Refitter:
    r"""Rate replicates of what was fitted.

    Each step is :math:`b \leftarrow b + H^{-1} u(b)` with the replicate's own gradient u and the
    Hessian H of the fit, O(n²) each, from the fitted ratings on. Where that does not settle, the
    replicate is fitted in full.

    Parameters
    ----------
    fit
        The fit of the whole.

    Notes
    -----
    All replicates have the penalty of the fit. Only where the fit has none, and a replicate has
    no finite ratings, that replicate takes Firth's;
    :func:`~deadheat.ranking.rating.existence.separated` says which. Firth's penalty is exact for
    up to 100 candidates. Beyond, the leverages of replicates are those of
    :class:`~deadheat.ranking.rating.steps.ScaledLeverages`, which takes milliseconds and not a
    hundred; with a tie parameter, or beyond 1,500 candidates, those of the fit, whose standard
    errors of who has few matches are too small by some percent. Either way the fit itself is what
    its own counts give.
    Parts of a replicate that no battle connects keep the mean that they have in the fit. A
    candidate in none of its battles gets NaN.
    """

    def __init__(self, fit: Fit) -> None:
        self.fit = fit

    def __call__(self, pairs: PairCounts) -> Floats:
        """Return the ratings (B, n) of counts (B, P)."""
        known = self.fit.pairs
        if pairs.wins.ndim != 2 or not (
            np.array_equal(pairs.first, known.first) and np.array_equal(pairs.second, known.second)
        ):
            raise UsageError(
                "replicates need counts (B, P) of the pairs that were fitted.",
                hint="count them from the same battles or rounds with other weights.",
            )
        ratings = self._rated(pairs)
        ratings[sums_by_candidate(pairs, pairs.met, pairs.met) == 0] = np.nan
        return ratings

    def _rated(self, pairs: PairCounts) -> Floats:
        fit = self.fit
        if self._exact:
            return _in_full(fit, pairs, firth=True)
        if self._prior is not None and not self._follows:
            pairs = with_pseudo_wins(pairs, self._prior)
        ratings, settled = self._step(pairs)
        if fit.penalty == "none" or self._follows:  # steps do not know parts, nor what has no limit
            far = np.ptp(ratings, axis=1) > np.ptp(fit.ratings) + RUNNING_AWAY
            settled &= ~_torn(pairs) & ~far
        if not settled.all():
            wrong = np.flatnonzero(~settled)
            ratings[wrong] = _in_full(fit, _rows(pairs, wrong), firth=self._follows)
        return ratings

    def with_ties(self, pairs: PairCounts) -> tuple[Floats, Floats]:
        """Return the ratings (B, n) and tie parameters (B,) of a fit that has one.

        Who does not settle is fitted in full; without a plain fit by Firth's penalty.
        """
        fit, step = self.fit, self._step
        size = len(pairs.wins)
        ratings: Floats = np.empty((size, pairs.n))
        tie: Floats = np.empty(size)
        settled: Booleans = np.zeros(size, dtype=bool)
        if isinstance(step, TieSteps) and not self._exact:
            held = pairs if self._prior is None else with_pseudo_wins(pairs, self._prior)
            ratings, tie, settled = step.with_ties(held)
        penalty = "auto" if fit.penalty == "none" else fit.penalty
        strength = fit.strength if fit.penalty in ("ridge", "pseudo") else None
        for b in np.flatnonzero(~settled).tolist():
            one = fitted(pairs.of_replicate(b), ties=fit.ties, penalty=penalty, strength=strength)
            ratings[b], tie[b] = one.ratings, one.tie
        return ratings, tie

    @property
    def _exact(self) -> bool:
        """Whether each replicate has Firth's penalty with leverages of its own."""
        return self.fit.penalty == "firth" and self.fit.pairs.n <= MOST_EXACT

    @property
    def _follows(self) -> bool:
        """Whether leverages follow the ratings of a replicate."""
        plain = not self.fit.with_parameter and self.fit.pairs.n <= DENSE
        return self.fit.penalty == "firth" and plain

    @cached_property
    def _prior(self) -> Floats | None:
        """The wins (P,) that the penalty adds to both sides of each pair."""
        pairs, fit = self.fit.pairs, self.fit
        if fit.penalty == "firth":
            return leverages(pairs, _bends(fit)) / 2
        return np.full(len(pairs.first), fit.strength) if fit.penalty == "pseudo" else None

    @cached_property
    def _step(self) -> Callable[[PairCounts], tuple[Floats, Booleans]]:
        """What takes the cheap steps, and says which replicates settled."""
        pairs, prior = self.fit.pairs, self._prior
        counts = pairs if prior is None else with_pseudo_wins(pairs, prior)
        if self.fit.with_parameter:
            return TieSteps(self.fit, counts)
        followed = ScaledLeverages(self.fit) if self._follows else None
        return HalfSteps(self.fit, counts, leverages=followed)


def _bends(fit: Fit) -> Floats:
    """Return the information (P,) about the difference of each pair in the fit."""
    pairs = fit.pairs
    x = fit.ratings[pairs.first] - fit.ratings[pairs.second]
    if not fit.with_parameter or fit.tie is None:
        return np.asarray(-pairs.met * tie_model("half")(x, 0.0).xx[0])
    terms = tie_model(fit.ties)(x, fit.tie)
    return np.asarray(pairs.met * (np.exp(terms.logs) * terms.x**2).sum(axis=0))


def _rows(pairs: PairCounts, chosen: Integers | slice) -> PairCounts:
    return pairs.with_counts(pairs.wins[chosen], pairs.losses[chosen], pairs.ties[chosen])


def _torn(pairs: PairCounts) -> Booleans:
    """Return which replicates fall into parts; only where some pair is missing it is looked up."""
    torn: Booleans = np.any(pairs.met == 0, axis=1)
    for b in np.flatnonzero(torn).tolist():
        torn[b] = weak_labels(pairs.of_replicate(b)).any()
    return torn


def _in_full(fit: Fit, pairs: PairCounts, *, firth: bool = False) -> Floats:
    """Return the ratings of replicates whose counts hold prior wins already, but for ``firth``."""
    if fit.with_parameter or pairs.n > DENSE:
        rows = (pairs.of_replicate(b) for b in range(len(pairs.wins)))
        return np.array([_part_by_part(fit, row, firth=firth) for row in rows])
    ridge = fit.strength if fit.penalty == "ridge" else 0.0
    ratings = np.empty((len(pairs.wins), pairs.n))
    step = max(1, blocks.WORKING_SET // pairs.n**2)
    for low in range(0, len(ratings), step):
        few = _rows(pairs, slice(low, low + step))
        parts = _labels(few)
        parts *= fit.penalty != "ridge"  # which itself puts all parts on one scale
        split = np.full(len(parts), firth)
        split |= separated(few) if fit.penalty == "none" else False
        wins = few.matrix(few.points, few.points_against)
        once = np.ones(parts.shape)
        matches = Matches(wins, once, np.zeros(parts.shape), parts)
        for penalised in (False, True):
            chosen = split == penalised
            if chosen.any():
                start = np.tile(fit.ratings, (int(chosen.sum()), 1))
                found = newton(
                    matches.rows(chosen),
                    firth=penalised,
                    ridge=ridge,
                    start=start,
                    settled_at=SETTLED,
                )
                ratings[low : low + step][chosen] = found.ratings
        ratings[low : low + step] += _means(fit.ratings, parts)
    return ratings


def _labels(pairs: PairCounts) -> Integers:
    """Return the number of the connected part of each candidate, (B, n)."""
    labels = np.zeros((len(pairs.wins), pairs.n), dtype=np.int64)
    whole = len(pairs.first) == pairs.n * (pairs.n - 1) // 2
    torn = np.any(pairs.met == 0, axis=1) if whole else np.ones(len(labels), dtype=bool)
    for b in np.flatnonzero(torn).tolist():
        labels[b] = weak_labels(pairs.of_replicate(b))
    return labels


def _means(ratings: Floats, parts: Integers) -> Floats:
    """Return the mean of ratings (n,) over each candidate's part, (B, n)."""
    rows = [(np.bincount(p, ratings) / np.bincount(p))[p] for p in parts]
    return np.array(rows)


def _part_by_part(fit: Fit, pairs: PairCounts, *, firth: bool) -> Floats:
    """Return the ratings of one replicate, each connected part by itself."""
    ratings = np.zeros(pairs.n)
    labels = weak_labels(pairs) * (fit.penalty != "ridge")
    for label in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == label)
        mean = fit.ratings[members].mean()
        inner = pairs.among(members)
        penalty = fit.penalty
        if penalty == "none":
            alone = inner.with_counts(inner.wins[None], inner.losses[None], inner.ties[None])
            lost = separated(alone)[0] or (fit.with_parameter and ties_run_away(inner))
            penalty = "firth" if lost else "none"
        elif penalty == "pseudo" or (penalty == "firth" and not firth):
            penalty = "none"  # the counts hold its wins
        start = (fit.ratings[members] - mean, fit.tie)
        best = estimate(inner, ties=fit.ties, penalty=penalty, strength=fit.strength, start=start)
        ratings[members] = best.ratings + mean
    return ratings
