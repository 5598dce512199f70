"""Bradley-Terry ratings: the fit, plain where it exists and penalised where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deadheat.core.errors import DataError, UnknownNameError, UsageError, command_with, counted
from deadheat.core.types import Floats
from deadheat.models.rating import newton
from deadheat.models.rating.existence import (
    Existence,
    mle_around,
    require_connected,
    runaway_levels,
    ties_run_away,
)
from deadheat.models.rating.pair_counts import PairCounts, checked_strength

Penalty = Literal["none", "firth", "ridge", "pseudo"]
STRENGTH = {"none": 0.0, "firth": 0.0, "ridge": 1.0, "pseudo": 0.5}
WITHOUT_TIES = {"half": None, "davidson": -np.inf, "rao-kupper": 0.0}
MOST_FIRTH = 10_000  # candidates: of more a matrix (n, n) is not affordable


@dataclass(frozen=True, eq=False)
class Fit:
    ratings: Floats  # (n,) log-odds that sum to 0; always finite
    mle: Floats
    """(n,) the plain maximum-likelihood ratings. Where they do not exist, those of the largest
    part within which they do, summing to 0 there; +inf for whoever is above that part by a chain
    of wins, -inf for whoever is below, NaN for whoever is neither. Where ties and ratings grow
    together without limit, it has no finite value at all."""
    within: Floats  # (n,) plain ratings within each part of existence.strong, summing to 0 in each
    tie: float | None  # log nu of Davidson, the threshold of Rao and Kupper, None for half wins
    penalty: str
    ties: str
    strength: float
    existence: Existence
    pairs: PairCounts

    @property
    def with_parameter(self) -> bool:
        return self.tie is not None and bool(self.pairs.ties.any())

    @property
    def log_likelihood(self) -> float:
        """Of the counts at the ratings, without the penalty."""
        return float((self.pairs.outcomes * self.terms_of(self.pairs).logs).sum())

    @property
    def ridge(self) -> float:
        return self.strength if self.penalty == "ridge" else 0.0

    def terms(self, differences: Floats) -> newton.Terms:
        """Return the likelihood of single battles at differences of ratings (...)."""
        if self.tie is None or not self.with_parameter:
            return newton.tie_model("half")(differences, 0.0)
        return newton.tie_model(self.ties)(differences, self.tie)

    def terms_of(self, pairs: PairCounts) -> newton.Terms:
        return self.terms(self.ratings[pairs.first] - self.ratings[pairs.second])


def fit(
    pairs: PairCounts, *, penalty: str = "auto", ties: str = "half", strength: float | None = None
) -> Fit:
    r"""Return Bradley-Terry ratings by (penalised) maximum likelihood.

    .. math:: \ell(b) = \sum_{i<j} W_{ij} \log p_{ij} + W_{ji} \log p_{ji}, \quad
        p_{ij} = \frac{1}{1 + e^{-(b_i - b_j)}}, \quad \sum_i b_i = 0

    The penalty ``firth`` is half the log-determinant of the information (Firth 1993, Biometrika
    80(1)), ``ridge`` :math:`-\tfrac{\lambda}{2} \sum_i b_i^2`, ``pseudo`` so many wins more for
    both sides of each pair; ``auto`` is none where plain ratings exist, else firth. Each pair
    counts once (Gosiewska et al. 2019, "EPP: interpretable score of model predictive power", sec.
    4). Differs from the package EloML, which enters every pair twice, so that its standard errors
    are too small by a factor of :math:`\sqrt 2`, and which cuts half wins.
    """
    newton.tie_model(ties)
    known = ("auto", *get_args(Penalty))
    if penalty not in known:
        raise UnknownNameError("penalty", str(penalty), known)
    found = require_connected(pairs)
    away = not _tie_exists(pairs, ties)
    exists = found.strongly_connected and not away
    if penalty == "auto":
        penalty = "none" if exists else "firth"
    if penalty == "none" and not exists:
        raise _no_ratings(pairs, found)
    if strength is not None and penalty not in ("ridge", "pseudo"):
        hint = f"with a penalty that has one: {command_with(penalty='ridge')}\n"
        hint += f"without it: {command_with(strength=None)}"
        raise UsageError(f"penalty {penalty} has no strength, got {strength:g}.", hint=hint)
    strength = STRENGTH[penalty] if strength is None else checked_strength(strength)
    ratings, tie = estimate(pairs, ties=ties, penalty=penalty, strength=strength)
    within = ratings if penalty == "none" else _within(pairs, found, ties)
    nowhere = np.full(pairs.n, np.nan)
    mle = runaway_levels(pairs).mle(nowhere) if away else _mle(pairs, found, within)
    return Fit(ratings, mle, within, tie, penalty, ties, strength, found, pairs)


def estimate(
    pairs: PairCounts,
    *,
    ties: str,
    penalty: str,
    strength: float,
    start: tuple[Floats | None, float | None] = (None, None),
) -> tuple[Floats, float | None]:
    """Return the ratings (n,) and the tie parameter of a maximum."""
    firth, ridge = penalty == "firth", strength if penalty == "ridge" else 0.0
    if firth and pairs.n > MOST_FIRTH:
        raise UsageError(
            f"penalty firth needs a matrix of {pairs.n:,} x {pairs.n:,} numbers.",
            hint=f"for so many candidates: {command_with(penalty='ridge')}",
        )
    counts = with_pseudo_wins(pairs, strength) if penalty == "pseudo" else pairs
    ratings, tie = start
    if ties != "half" and pairs.ties.any():
        if ratings is None or tie is None:  # equals have the share of ties in the data
            share = float(counts.ties.sum() / max(counts.met.sum(), np.finfo(float).tiny))
            share = min(max(share, 1e-3), 1 - 1e-3)
            odds = share / (1 - share)
            tie = float(np.log(2 * odds) if ties == "davidson" else np.log1p(2 * odds))
            ratings = np.zeros(pairs.n)
        both = newton.TieLikelihood(counts, ties, firth=firth, ridge=ridge)
        at = newton.climb(both, np.append(ratings, tie)[None]).first.parameters
        return at[:-1], float(at[-1])
    if pairs.n <= newton.DENSE:
        matches = newton.matches_of(counts.matrix(counts.points, counts.points_against)[None])
        rows = None if ratings is None else ratings[None]
        at = newton.fit_dense(matches, firth=firth, ridge=ridge, start=rows)[0]
    else:
        listed = newton.SparseLikelihood(counts, firth=firth, ridge=ridge)
        rows = np.zeros((1, pairs.n)) if ratings is None else ratings[None]
        at = newton.climb(listed, rows).parameters[0]
        at = at - at.mean()
    return at, WITHOUT_TIES[ties]


def with_pseudo_wins(pairs: PairCounts, number: Floats | float) -> PairCounts:
    return pairs.with_counts(pairs.wins + number, pairs.losses + number, pairs.ties)


def _no_ratings(pairs: PairCounts, found: Existence) -> DataError:
    hint = f"for finite ratings: {command_with(penalty='firth')}"
    if found.strongly_connected:
        said = "no finite ratings and tie parameter fit best: wins and ties contradict nothing."
        return DataError(said, hint=f"{hint}\nwith ties as half wins: {command_with(ties='half')}")
    above, below = found.strong[0], found.strong[1]
    return DataError(
        f"no finite ratings fit best: the candidates fall into {len(found.strong)} parts of which "
        f"one never lost to another. {counted(len(above), 'candidate')} at the top: "
        f"{pairs.names_of(above)}; then {pairs.names_of(below)}.",
        hint=hint,
    )


def _tie_exists(pairs: PairCounts, ties: str) -> bool:
    return ties == "half" or not pairs.ties.any() or not ties_run_away(pairs)


def _within(pairs: PairCounts, found: Existence, ties: str) -> Floats:
    """Return the plain ratings of each part by itself; NaN where ties run away in it."""
    within = np.zeros(pairs.n)
    for part in found.strong:
        if len(part) > 1:
            members = np.array(part)
            inner = pairs.among(members)
            within[members] = np.nan
            if _tie_exists(inner, ties):
                within[members], _ = estimate(inner, ties=ties, penalty="none", strength=0.0)
    return within


def _mle(pairs: PairCounts, found: Existence, within: Floats) -> Floats:
    """Return the plain ratings of the largest part, and on which side of it the others are."""
    part = found.largest
    if len(part) > 1:
        return mle_around(pairs, part, within[list(part)])
    mle = np.full(pairs.n, np.nan)  # nothing to be above or below of, unless of all
    mle[list(found.undefeated)], mle[list(found.winless)] = np.inf, -np.inf
    return mle
