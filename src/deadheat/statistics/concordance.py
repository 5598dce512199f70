"""How much the judges of a table agree, in numbers: Kendall's W, mean correlations, a test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import factorial

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc, ndtr

from deadheat.core.errors import UsageError, counted
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET, slices, tie_groups
from deadheat.ranking.ranks import levels, ranks

# Vectors of ranks: checked, with ties as mean ranks, and scaled so that products correlate.


def pair_of_ranks(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return two rankings of the same candidates as mean ranks, or say what is wrong with them."""
    first, second = _numbers(a, "the first ranking", 1), _numbers(b, "the second ranking", 1)
    if len(first) != len(second):
        raise UsageError(
            f"the rankings have {counted(len(first), 'candidate')} and {len(second):,}.",
            hint="both must rank the same candidates, in the same order.",
        )
    both = mean_ranks(np.stack([first, second]))
    return both[0], both[1]


def mean_ranks(values: Floats) -> Floats:
    """Return the rank of every value in its row, 1 = the lowest; equal ones share the mean."""
    _, first, last = tie_groups(-np.asarray(values, dtype=np.float64).T)
    return np.ascontiguousarray((first + last).T / 2 + 1)


def unit_ranks(ranks: Floats) -> Floats:
    r"""Return rank vectors (J, n) centred and of length 1; NaN where all ranks are the same.

    A product of two is Spearman's correlation, and with :math:`s = \sum_j z_j` the mean over all
    pairs is :math:`(|s|^2 - J) / (J (J - 1))`: no pair is ever looked at.
    """
    n = ranks.shape[1]
    centred = ranks - (n + 1) / 2
    lengths = np.sqrt(np.einsum("jn,jn->j", centred, centred))
    lengths[lengths == 0] = np.nan
    return np.asarray(centred / lengths[:, None])


def _numbers(given: npt.ArrayLike, what: str, dimensions: int) -> Floats:
    words = ("is", "has", "vector", "(n,)"), ("are", "have", "table", "(J, n)")
    (are, have, kind, shape), several = words[dimensions - 1], dimensions > 1
    hint = f"give {'one row per ranking, with ' if several else ''}one rank per candidate."
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{what} {are} not a {kind} of numbers.", hint=hint) from None
    if values.ndim != dimensions or not values.shape[-1]:
        raise UsageError(f"{what} {have} shape {values.shape}, not {shape}.", hint=hint)
    if not np.isfinite(values).all():
        place = tuple(np.argwhere(~np.isfinite(values))[0].tolist())
        which = f"ranking {place[0] + 1}" if several else what
        raise UsageError(
            f"{which} has {values[place]} at place {place[-1] + 1}.",
            hint="every candidate needs a rank; leave out those that are not in all rankings.",
        )
    return values


ROWS = "the rankings"
MOST_ARRANGEMENTS = 40_000
SHUFFLES = 9_999
FEW_CANDIDATES = 7  # of which all arrangements are tried
MOST_SHUFFLED = 10_000_000  # numbers: beyond, the chi-square approximation needs no help
LARGEST_GRAM = 5_000
MOST_CELLS = 20_000_000  # of a table whose ranks are kept
UNANIMOUS = 1 - 1e-12  # W: all judges rank alike, but for rounding
PARTS = 8  # as many arrays of the size of a block are alive at a time


@dataclass(frozen=True, eq=False)
class JudgeRanks:
    """Give the ranks (judges, candidates) of a table block by block, 1 = best, ties shared."""

    results: Results

    def __iter__(self) -> Iterator[tuple[slice, Floats]]:
        return ((p, self._ranks(p) if self.large else self.whole[p]) for p in self._parts)

    @property
    def large(self) -> bool:
        """Whether the table has so many cells that its ranks are found again and never kept."""
        return self.results.scores.size > MOST_CELLS

    @cached_property
    def whole(self) -> Floats:
        return np.concatenate([self._ranks(part) for part in self._parts])

    @property
    def _parts(self) -> list[slice]:
        return slices(self.results.m, self.results.n, of=WORKING_SET // PARTS)

    def _ranks(self, part: slice) -> Floats:
        scores = levels(self.results.scores[:, part], tolerance=self.results.tie_tol)
        return mean_ranks(-scores.T)


@dataclass(frozen=True, eq=False)
class Sums:
    weights: Floats
    spreads: Floats  # of each judge's ranks, squared differences from the mean, (m,); 0: ties all
    total: Floats  # the weighted sum of the centred ranks, (n,)
    direction: Floats  # the same of ranks scaled to length 1, over the judges that are telling

    @property
    def telling(self) -> Booleans:
        return np.asarray(self.spreads > 0)


def sums_of(judges: JudgeRanks) -> Sums:
    n, m, weights = judges.results.n, judges.results.m, judges.results.weights
    spreads, total, direction = np.zeros(m), np.zeros(n), np.zeros(n)
    for part, block in judges:
        centred = block - (n + 1) / 2
        spreads[part] = np.einsum("jn,jn->j", centred, centred)
        total += weights[part] @ centred
        direction += weights[part] @ np.nan_to_num(unit_ranks(block))
    return Sums(weights, spreads, total, direction)


@dataclass(frozen=True, kw_only=True)
class Concordance:
    kendall_w: float
    kendall_w_uncorrected: float
    mean_spearman: float
    spearman_from_w: float
    chi2: float
    df: int
    friedman_p: float
    f: float
    f_p: float


def concordance(sums: Sums) -> Concordance:
    r"""Return Kendall's W, the mean of Spearman's correlations, and the tests of W.

    With judge weights w, ranks centred to c, and :math:`v_j = \sum_i c_{ij}^2`, which ties make
    smaller (else :math:`(n^3 - n) / 12`),

    .. math:: W = \frac{\sum_i (\sum_j w_j c_{ij})^2}{\sum_j w_j \sum_j w_j v_j}
       \qquad \chi^2 = (n - 1) \frac{\sum_i (\sum_j w_j c_{ij})^2}{\sum_j w_j^2 v_j}

    For equal weights :math:`\chi^2 = m (n - 1) W` is Friedman's statistic with n - 1 degrees of
    freedom (Kendall, Babington Smith 1939); ``f`` is that of Iman and Davenport (1980). In the mean
    correlation a pair of judges weighs the product of their weights. Differs from the supplement of
    Pavao, Vaccaro, Guyon (2021), sec. 4.2, by which it is :math:`(m W - 1) / (m - 1)`
    (``spearman_from_w``, with :math:`m = (\sum w)^2 / \sum w^2`): that is wrong with ties.
    """
    weights, n, m = sums.weights, len(sums.total), len(sums.weights)
    squares, along = float(sums.total @ sums.total), sums.direction
    all_weights, spread = float(weights.sum()), float(weights @ sums.spreads)
    w = min(_ratio(squares, all_weights * spread), 1.0)  # but for rounding
    judges = all_weights**2 / float((weights**2).sum())
    chi2 = _ratio((n - 1) * squares, float(weights**2 @ sums.spreads)) if m > 1 else np.nan
    f = np.nan  # (m - 1) W / (1 - W), with the m that makes chi2 = m (n - 1) W; NaN if infinite
    if chi2 == chi2 and n > 1 and w < UNANIMOUS:
        f = ((chi2 / ((n - 1) * w) if w > 0 else 1.0) - 1) * w / (1 - w)
    return Concordance(
        kendall_w=w,
        kendall_w_uncorrected=_ratio(12 * squares, all_weights**2 * (n**3 - n)),
        mean_spearman=_mean_product(float(along @ along), weights[sums.telling]),
        spearman_from_w=(judges * w - 1) / (judges - 1) if m > 1 else np.nan,
        chi2=chi2,
        df=n - 1,
        friedman_p=float(chdtrc(n - 1, chi2)) if n > 1 and chi2 == chi2 else np.nan,
        f=f,
        f_p=float(fdtrc(n - 1, (n - 1) * (judges - 1), f)) if f == f else np.nan,
    )


def _mean_product(total: float, weights: Floats) -> float:
    """Return the weighted mean product of two unit vectors whose sum has this squared length."""
    own = float((weights**2).sum())
    if len(weights) < 2:
        return np.nan
    return float(np.clip((total - own) / (float(weights.sum()) ** 2 - own), -1, 1))


def with_the_others(judges: JudgeRanks, sums: Sums) -> tuple[Floats, Floats]:
    """Return each judge's mean correlation with the others, and that with their mean ranking."""
    m, n, weights = judges.results.m, judges.results.n, sums.weights
    means, rest = np.full(m, np.nan), np.full(m, np.nan)
    others = float(weights[sums.telling].sum()) - weights
    for part, block in judges:
        units = unit_ranks(block)
        around = np.where(others[part] > 0, others[part], np.nan)
        means[part] = (units @ sums.direction - weights[part]) / around
        without = sums.total - weights[part, None] * (block - (n + 1) / 2)
        theirs = unit_ranks(ranks(-without, unit=n * float(weights.sum())))
        rest[part] = np.einsum("jn,jn->j", units, theirs)
    return np.clip(means, -1, 1), np.clip(rest, -1, 1)


def chance_of_less(rho: float, own: Floats, theirs: Floats) -> float:
    """Return the chance that ranks (n,), shuffled, correlate no more with others than rho.

    For more than 7 by the Edgeworth series of Best and Roberts (1975, Algorithm AS 89).
    """
    n = len(own)
    if n <= FEW_CANDIDATES:
        products = np.array(list(permutations(own - own.mean()))) @ theirs
        return float(np.mean(products <= (own - own.mean()) @ theirs + 1e-9))
    b = 1 / n
    x = -rho * np.sqrt(n - 1)
    y = x * x
    tail = 0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y)
    middle = -0.0758 + b * (0.1033 + 0.3932 * b) - y * b * (0.0879 + 0.0151 * b - y * tail)
    series = x * b * (0.2274 + b * (0.2531 + 0.1745 * b) + y * middle) * np.exp(-y / 2)
    return float(np.clip(series + ndtr(-x), 0.0, 1.0))


def effective_judges(judges: JudgeRanks, sums: Sums) -> float:
    r"""Return how many judges that have nothing in common would be as varied as these.

    .. math:: \Big(\sum_j w_j\Big)^2 \Big/ \sum_{jk} w_j w_k \rho_{jk}^2

    over all that do not tie everybody; NaN where both n and m are beyond 5,000.
    """
    n, weights = judges.results.n, sums.weights[sums.telling]
    if not len(weights) or min(n, len(weights)) > LARGEST_GRAM:
        return np.nan
    if len(weights) <= n:
        units = unit_ranks(judges.whole[sums.telling]) * np.sqrt(weights)[:, None]
        gram = units @ units.T
    else:
        gram = np.zeros((n, n))
        for part, block in judges:
            units = np.nan_to_num(unit_ranks(block)) * np.sqrt(sums.weights[part])[:, None]
            gram += units.T @ units
    return float(weights.sum() ** 2 / (gram * gram).sum())


@dataclass(frozen=True, kw_only=True)
class PermutationTest:
    p: float  # of W, from arrangements of the ranks of every judge
    arrangements: int
    exact: bool  # whether these are all there are


def permutation_test(judges: JudgeRanks, sums: Sums, *, seed: int) -> PermutationTest | None:
    """Return the exact p-value of W, or that of random arrangements; None if Friedman's is good."""
    n, m = judges.results.n, judges.results.m
    if m < 2 or not sums.telling.any():
        return None
    few = n <= 8 and (m - 1) * np.log(factorial(n)) <= np.log(MOST_ARRANGEMENTS)
    if not few and n * m * SHUFFLES > MOST_SHUFFLED:
        return None
    weighted = (judges.whole - (n + 1) / 2) * sums.weights[:, None]
    reached = float(sums.total @ sums.total) * (1 - 1e-9)
    if few:
        totals = weighted[:1]  # the first judge may stay as it is
        for row in weighted[1:]:
            arranged = np.array(list(permutations(row.tolist())))
            totals = (totals[:, None, :] + arranged).reshape(-1, n)
        as_large = int(((totals**2).sum(axis=1) >= reached).sum())
        return PermutationTest(p=as_large / len(totals), arrangements=len(totals), exact=True)
    rng, as_large = np.random.default_rng(seed), 0
    for some in slices(SHUFFLES, weighted.size):
        shape = (some.stop - some.start, *weighted.shape)
        totals = rng.permuted(np.broadcast_to(weighted, shape), axis=2).sum(axis=1)
        as_large += int(((totals**2).sum(axis=1) >= reached).sum())
    return PermutationTest(p=(as_large + 1) / (SHUFFLES + 1), arrangements=SHUFFLES, exact=False)


def _ratio(above: float, below: float) -> float:
    return above / below if below > 0 else np.nan


# All correlations and distances among many rankings at once.


def spearman_matrix(ranks: npt.ArrayLike) -> Floats:
    """Return Spearman's correlations (J, J) of J rankings (J, n), NaN with those that tie all."""
    units = unit_ranks(mean_ranks(_numbers(ranks, ROWS, 2)))
    return np.asarray(np.clip(units @ units.T, -1, 1))


def tau_b_matrix(ranks: npt.ArrayLike) -> Floats:
    """Return Kendall's tau-b (J, J) of J rankings (J, n), NaN with those that tie all."""
    agreeing, _, untied = _products(_numbers(ranks, ROWS, 2), both=False)
    sizes = np.sqrt(untied)
    sizes[sizes == 0] = np.nan
    return np.asarray(np.clip(agreeing / sizes / sizes[:, None], -1, 1))


def kendall_matrix(ranks: npt.ArrayLike) -> Floats:
    """Return Kendall's distances (J, J) of J rankings (J, n); a tie in one costs one half."""
    agreeing, untied_both, untied = _products(_numbers(ranks, ROWS, 2), both=True)
    return np.asarray((untied + untied[:, None] - untied_both - agreeing) / 2)


def tau_b_means(
    ranks: Floats, weights: Floats, others: Floats | None = None
) -> tuple[float, Floats]:
    """Return the mean of tau-b over all pairs of J rankings, and that of others with all J.

    As by :func:`unit_ranks`, with the signs of all pairs of candidates: in O(J n^2) steps.
    """
    untied = untied_pairs(ranks)
    telling = untied > 0
    shares = weights[telling]
    rows = np.empty((0, ranks.shape[1])) if others is None else others
    scaled = shares / np.sqrt(untied[telling])
    total, products = 0.0, np.zeros(len(rows))
    both = sign_blocks(ranks[telling]), sign_blocks(rows, len(shares))
    for ours, theirs in zip(*both, strict=True):
        directions = ours @ scaled
        total += float(directions @ directions)
        products += directions @ theirs
    sizes = np.sqrt(untied_pairs(rows)) * shares.sum()
    sizes[sizes == 0] = np.nan
    return _mean_product(total, shares), np.clip(products / sizes, -1, 1)


def untied_pairs(ranks: Floats) -> Integers:
    n = ranks.shape[1]
    ordered = np.sort(ranks, axis=1)
    fresh = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=fresh[:, 1:])
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(fresh, place, 0), axis=1)
    return np.asarray(n * (n - 1) // 2 - (place - first).sum(axis=1))


def sign_blocks(ranks: Floats, number: int | None = None) -> Iterator[Floats]:
    """Yield the signs of some pairs (pairs, J) at a time, as of ``number`` rankings."""
    by_candidate = np.ascontiguousarray(ranks.T, dtype=np.float64)
    n = len(by_candidate)
    most = max(1, WORKING_SET // max(len(ranks) if number is None else number, 1))
    for i in range(n - 1):
        for start in range(i + 1, n, most):
            apart = by_candidate[start : start + most] - by_candidate[i]
            yield np.sign(apart, out=apart)


def _products(ranks: Floats, *, both: bool) -> tuple[Floats, Floats, Floats]:
    """Return, per two rankings, the sum of products of signs and of their sizes; untied pairs."""
    number = len(ranks)
    agreeing = np.zeros((number, number))
    sizes = np.zeros((number, number) if both else (0, 0))
    for signs in sign_blocks(ranks):
        agreeing += signs.T @ signs
        if both:
            np.abs(signs, out=signs)
            sizes += signs.T @ signs
    return agreeing, sizes, np.diagonal(agreeing).copy()
