"""Plackett-Luce ratings: what whole rankings of rounds say, with ties and absent candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import numpy.typing as npt

from deadheat.errors import DataError, UnknownNameError, UsageError
from deadheat.ranking.rating.connected import require_connected
from deadheat.ranking.rating.covariance import meat_of_units
from deadheat.ranking.rating.existence import Existence, above_and_below, existence
from deadheat.ranking.rating.luce_newton import Peak, Penalised, Penalty, peak, peaks
from deadheat.ranking.rating.luce_score import Rounds
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.ranking.rating.round_ranks import checked_ranks
from deadheat.typing import Booleans, Floats

STRENGTH = {"none": 0.0, "pseudo": 0.5, "ridge": 1.0}
FEWEST_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class PlackettLuce:
    """Ratings with sum 0 whose differences are log-odds, and how they were found."""

    ratings: Floats
    mle: Floats
    """(n,) plain maximum-likelihood ratings. Where they do not exist, those of the largest part
    within which they do, with sum 0 there; +inf for whoever is ranked above that part by some
    chain, -inf below, NaN for neither."""
    ties: dict[int, float]
    """The logarithm of the prevalence of ties, by their size."""
    penalty: Penalty
    strength: float
    existence: Existence
    """Of the graph of who was ranked above whom."""
    log_likelihood: float
    iterations: int
    converged: bool
    rounds: Rounds
    weights: Floats
    peak: Peak

    @property
    def separated(self) -> bool:
        """Whether plain maximum likelihood has no finite answer.

        Exact without ties. With ties it errs on the safe side: the ranked-above graph is not
        strongly connected, though ties may hold the ratings together.
        """
        return not self.existence.strongly_connected

    def fisher(self) -> Floats:
        """Return the covariance (n, n) of the ratings from the curvature of the likelihood.

        A penalty moves the ratings but counts for no information, as in [2]_ of
        :func:`plackett_luce`.
        """
        plain = Penalised(self.rounds, "none", self.strength)
        information = plain.information(self.peak.parameters, self.weights)
        return _centred(np.linalg.inv(plain.anchored(information)), len(self.ratings))

    def sandwich(self, clusters: Sequence[object] | None = None) -> Floats:
        """Return the covariance (n, n) that takes rounds, or clusters of them, as the units drawn.

        The choices of a round need not follow the model for this to hold. With S rounds the sum
        is multiplied by S / (S - 1).
        """
        if np.count_nonzero(self.weights) < FEWEST_ROUNDS:
            raise DataError(
                "there is only one round.", hint="how rounds differ takes two or more to see."
            )
        scores = self.rounds.score(self.peak.parameters[None])[1][0] * self.weights[:, None]
        model = Penalised(self.rounds, self.penalty, self.strength)
        bread = np.linalg.inv(model.anchored(self.peak.information))
        meat = meat_of_units(scores, self.weights, clusters)
        return _centred(bread @ meat @ bread, len(self.ratings))


def plackett_luce(
    ranks: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    penalty: str = "auto",
    strength: float | None = None,
    names: Sequence[str] = (),
) -> PlackettLuce:
    r"""Fit ratings to rankings: each round is one observation, not one match for each pair.

    The probability of a ranking is that of choosing the best of all, then the best of the rest:

    .. math::

        P(1 \succ 2 \succ \dots \succ k) = \prod_{j=1}^{k} \frac{e^{b_j}}{\sum_{l \ge j} e^{b_l}}

    Tied candidates are chosen together, by the model of Davidson and Luce [2]_: a tie of size d
    has the weight :math:`\delta_d` times the geometric mean of the worths, with one
    :math:`\delta_d` for each size that was seen. For pairs this is Davidson's model of 1970.

    Parameters
    ----------
    ranks : array_like, (S, n)
        One row per round, the lowest rank is best, equal ranks are ties, NaN is absent.
    weights : array_like, (S,), optional
        How often each round counts.
    penalty : {"auto", "none", "pseudo", "ridge"}
        ``pseudo``: each candidate wins and loses ``strength`` times against a ghost of worth 1,
        as in [2]_ (there ``npseudo``). ``ridge``: minus ``strength`` / 2 times the sum of squares.
        ``auto``: none where plain maximum likelihood is surely finite, else ``pseudo``.
    strength : float, optional
        Of ``pseudo`` (one half) or of ``ridge`` (1).
    names : sequence of str, optional
        What the candidates are called in messages.

    Notes
    -----
    Without ties the maximum exists exactly where everybody is linked to everybody by a chain of
    being ranked above [1]_; with ties this is sufficient.

    References
    ----------
    .. [1] Hunter (2004), "MM algorithms for generalized Bradley-Terry models", Annals of
       Statistics 32(1).
    .. [2] Turner, van Etten, Firth, Kosmidis (2020), "Modelling rankings in R: the PlackettLuce
       package", Computational Statistics 35.

    Examples
    --------
    >>> fit = plackett_luce([[1, 2, 3], [1, 3, 2], [2, 1, 3], [3, 2, 1]])
    >>> fit.ratings.round(3), fit.penalty
    (array([ 0.321,  0.055, -0.376]), 'none')
    """
    rounds = Rounds(checked_ranks(ranks))
    counted = _checked_weights(weights, len(rounds.ranks))
    pairs = ranked_above(rounds, counted, names)
    require_connected(pairs, existence(pairs))
    _require_choices(rounds, counted)
    found = _strict(pairs)
    chosen = _chosen_penalty(penalty, found)
    model = Penalised(rounds, chosen, _checked_strength(chosen, strength))
    top = peak(model, counted, np.zeros(rounds.parameters))
    if not top.converged:
        raise DataError(
            f"the Plackett-Luce ratings did not settle in {top.iterations} steps.",
            hint='penalty="pseudo" holds them together.',
        )
    n = model.n
    return PlackettLuce(
        ratings=top.parameters[:n],
        mle=_mle(rounds, counted, pairs, found) if chosen != "none" else top.parameters[:n],
        ties=dict(zip(rounds.tie_sizes, top.parameters[n:].tolist(), strict=True)),
        penalty=chosen,
        strength=model.strength,
        existence=found,
        log_likelihood=top.log_likelihood,
        iterations=top.iterations,
        converged=top.converged,
        rounds=rounds,
        weights=counted,
        peak=top,
    )


def plackett_luce_refits(fit: PlackettLuce, weights: Floats) -> tuple[Floats, Booleans]:
    """Return the ratings (B, n) under other round weights (B, S), and where they were separated.

    All replicates have the penalty of the fit. A replicate without penalty whose maximum does not
    exist is penalised by pseudo-wins and reported; a candidate in none of its rounds gets NaN.
    """
    rounds, n = fit.rounds, len(fit.ratings)
    counted = np.asarray(weights, dtype=np.float64)
    seen = np.array([(rounds.chosen == d).any(axis=1) for d in rounds.tie_sizes])
    held = counted @ seen.reshape(-1, len(rounds.ranks)).T == 0
    model = Penalised(rounds, fit.penalty, fit.strength)
    found, settled = peaks(model, counted, fit.peak, held)
    separated = np.zeros(len(counted), dtype=bool)
    for b in np.flatnonzero(~settled):
        there = counted[b] > 0
        drawn, its_weights = Rounds(rounds.ranks[there]), counted[b][there]
        separated[b] = fit.penalty == "none" and _is_separated(drawn, its_weights)
        penalty = "pseudo" if separated[b] else fit.penalty
        strength = STRENGTH["pseudo"] if separated[b] else fit.strength
        again = Penalised(drawn, penalty, strength)
        found[b, :n] = peak(again, its_weights, np.zeros(drawn.parameters)).parameters[:n]
    ratings = found[:, :n]
    ratings[counted @ (~np.isnan(rounds.ranks)) == 0] = np.nan
    return ratings - np.nanmean(ratings, axis=1, keepdims=True), separated


def ranked_above(rounds: Rounds, weights: Floats, names: Sequence[str] = ()) -> PairCounts:
    """Return who was ranked above whom how often, and who was tied with whom."""
    n = rounds.ranks.shape[1]
    above, level = np.zeros((n, n)), np.zeros((n, n))
    for row, weight in zip(rounds.ranks, weights.tolist(), strict=True):
        above += weight * (row[:, None] < row)
        level += weight * (row[:, None] == row)
    first, second = np.triu_indices(n, 1)
    met = (above + above.T + level)[first, second] > 0
    first, second = first[met], second[met]
    won, lost = above[first, second], above[second, first]
    return PairCounts(n, first, second, won, lost, level[first, second], tuple(names))


def _strict(pairs: PairCounts) -> Existence:
    return existence(pairs.with_counts(pairs.wins, pairs.losses, np.zeros(len(pairs.first))))


def _is_separated(rounds: Rounds, weights: Floats) -> bool:
    pairs = ranked_above(rounds, weights)
    there = np.flatnonzero(weights @ (~np.isnan(rounds.ranks)) > 0)
    return not _strict(pairs.among(there)).strongly_connected


def _mle(rounds: Rounds, weights: Floats, pairs: PairCounts, found: Existence) -> Floats:
    """Return the plain ratings of the largest part that has them, and where the others are."""
    part = min(found.strong, key=lambda part: (-len(part), part))
    mle = np.full(pairs.n, np.nan)
    mle[list(part)] = 0.0
    if len(part) > 1:
        inner = Rounds(rounds.ranks[:, list(part)])
        plain = Penalised(inner, "none", 0.0)
        top = peak(plain, weights, np.zeros(inner.parameters))
        mle[list(part)] = top.parameters[: len(part)] if top.converged else np.nan
    strict = pairs.with_counts(pairs.wins, pairs.losses, np.zeros(len(pairs.first)))
    above, below = above_and_below(strict, part)
    mle[above], mle[below] = np.inf, -np.inf
    return mle


def _require_choices(rounds: Rounds, weights: Floats) -> None:
    """Refuse rounds in which everything is tied wherever a tie is possible."""
    if not rounds.tie_sizes:
        return
    single = (rounds.chosen == 1) & (rounds.left >= rounds.tie_sizes[0])
    if not (weights @ single).any():
        raise DataError(
            "every choice in every round is a tie.", hint="such rounds say that all are equal."
        )


def _chosen_penalty(penalty: str, found: Existence) -> Penalty:
    if penalty == "auto":
        return "none" if found.strongly_connected else "pseudo"
    for known in get_args(Penalty):
        if penalty == known:
            if known == "none" and not found.strongly_connected:
                raise DataError(
                    "plain Plackett-Luce ratings need not exist: the candidates fall into "
                    f"{len(found.strong)} groups of which the earlier are never ranked below.",
                    hint='penalty="pseudo" gives finite ratings.',
                )
            chosen: Penalty = known
            return chosen
    raise UnknownNameError("penalty", penalty, ("auto", *get_args(Penalty)))


def _checked_weights(weights: npt.ArrayLike | None, rounds: int) -> Floats:
    counted = np.ones(rounds) if weights is None else np.asarray(weights, dtype=np.float64)
    if counted.shape != (rounds,) or not (np.isfinite(counted) & (counted >= 0)).all():
        raise UsageError(
            f"the {rounds} rounds need as many weights of at least 0.",
            hint="a weight says how often a round counts.",
        )
    return counted


def _checked_strength(penalty: Penalty, strength: float | None) -> float:
    if strength is None:
        return STRENGTH[penalty]
    if not (np.isfinite(strength) and strength > 0):
        raise UsageError(f"strength must be above 0, got {strength}.", hint="the default is 0.5.")
    return float(strength)


def _centred(covariance: Floats, n: int) -> Floats:
    """Return the covariance of the ratings minus their mean."""
    part = covariance[:n, :n]
    rows = part - part.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))
