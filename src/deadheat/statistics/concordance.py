"""How much the judges of a table agree, in numbers: Kendall's W, mean correlations, a test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import factorial

import numpy as np
from scipy.special import ndtr

from deadheat.data.results import Results
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.rank_vectors import mean_ranks, unit_ranks
from deadheat.ranking.ranks import levels, ranks
from deadheat.typing import Booleans, Floats

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
        """Yield which judges, and their mean ranks (k, n)."""
        for part in self._parts():
            yield part, self._of(part) if self.large else self.whole[part]

    @property
    def large(self) -> bool:
        """Whether the table has so many cells that its ranks are found again and never kept."""
        return self.results.scores.size > MOST_CELLS

    @cached_property
    def whole(self) -> Floats:
        """The ranks of all judges, (m, n)."""
        return np.concatenate([self._of(part) for part in self._parts()])

    def _parts(self) -> Iterator[slice]:
        step = max(1, WORKING_SET // PARTS // self.results.n)
        for start in range(0, self.results.m, step):
            yield slice(start, min(start + step, self.results.m))

    def _of(self, part: slice) -> Floats:
        scores = levels(self.results.scores[:, part], tolerance=self.results.tie_tol)
        return mean_ranks(-scores.T)


@dataclass(frozen=True, eq=False)
class Sums:
    """Hold what one pass over the judges adds up.

    Attributes
    ----------
    spreads
        The sum of squared differences of each judge's ranks from their mean, (m,): 0 where it
        ties all.
    total
        The weighted sum of the centred ranks, (n,).
    direction
        The same of the ranks scaled to length 1, over the judges that tell candidates apart.
    """

    weights: Floats
    spreads: Floats
    total: Floats
    direction: Floats

    @property
    def telling(self) -> Booleans:
        """Which judges tell candidates apart."""
        return np.asarray(self.spreads > 0)


def sums_of(judges: JudgeRanks) -> Sums:
    """Return the sums over all judges, in O(n m)."""
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
    """Hold how much the judges agree; NaN is what is undefined."""

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
    smaller,

    .. math:: W = \frac{\sum_i (\sum_j w_j c_{ij})^2}{\sum_j w_j \sum_j w_j v_j}
       \qquad \chi^2 = (n - 1) \frac{\sum_i (\sum_j w_j c_{ij})^2}{\sum_j w_j^2 v_j}

    For equal weights :math:`\chi^2 = m (n - 1) W`, the statistic of Friedman's test with n - 1
    degrees of freedom. Without the correction for ties :math:`v_j = (n^3 - n) / 12`. A weight is
    a repetition in W. In the mean correlation a pair of judges weighs the product of their
    weights: a judge is not compared with its own copies.

    Notes
    -----
    Differs from [1]_: the mean correlation does not follow from W by
    :math:`(m W - 1) / (m - 1)`, which is wrong where there are ties; it is computed directly, in
    O(n m) and not in the O(2^n) that the supplement fears. The other is ``spearman_from_w``, in
    which m is :math:`(\sum w)^2 / \sum w^2` for weighted judges.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), supplement, sec. 4.2.
    .. [2] Kendall, Babington Smith (1939), "The problem of m rankings", Ann. Math. Stat. 10(3).
    .. [3] Iman, Davenport (1980), "Approximations of the critical region of the Friedman
       statistic", Comm. in Statistics 9(6): ``f``.
    """
    weights, n, m = sums.weights, len(sums.total), len(sums.weights)
    squares = float(sums.total @ sums.total)
    all_weights, spread = float(weights.sum()), float(weights @ sums.spreads)
    w = min(_ratio(squares, all_weights * spread), 1.0)  # but for rounding
    judges = all_weights**2 / float((weights**2).sum())
    chi2 = _ratio((n - 1) * squares, float(weights**2 @ sums.spreads)) if m > 1 else np.nan
    f = _f(chi2, w, n)
    return Concordance(
        kendall_w=w,
        kendall_w_uncorrected=_ratio(12 * squares, all_weights**2 * (n**3 - n)),
        mean_spearman=mean_spearman(sums),
        spearman_from_w=(judges * w - 1) / (judges - 1) if m > 1 else np.nan,
        chi2=chi2,
        df=n - 1,
        friedman_p=_chi2_p(chi2, n - 1),
        f=f,
        f_p=_f_p(f, n - 1, (n - 1) * (judges - 1)),
    )


def mean_spearman(sums: Sums) -> float:
    """Return the mean correlation over all pairs of judges that tell candidates apart."""
    weights = sums.weights[sums.telling]
    own = float((weights**2).sum())
    both = float(weights.sum()) ** 2 - own
    if len(weights) < 2:
        return np.nan
    return float(np.clip((float(sums.direction @ sums.direction) - own) / both, -1, 1))


def with_the_others(judges: JudgeRanks, sums: Sums) -> tuple[Floats, Floats]:
    """Return each judge's mean correlation with the others, and that with their ranking.

    The ranking of the others is by their mean ranks, without the judge itself. Both are (m,).
    """
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

    All arrangements of few candidates; of more an Edgeworth series [1]_, since Student's t calls
    the tails of ten candidates too small.

    References
    ----------
    .. [1] Best, Roberts (1975), "Algorithm AS 89", Applied Statistics 24(3).
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

    over all judges that tell candidates apart: 1 where all say the same (or the opposite), m where
    no two correlate, and never more than n - 1. NaN where both n and m are beyond 5,000.
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
class Shuffled:
    """Hold the p-value of W from arrangements of the ranks of every judge: all, or some."""

    p: float
    arrangements: int
    exact: bool


def shuffled(judges: JudgeRanks, sums: Sums, *, seed: int) -> Shuffled | None:
    """Return the exact p-value of W where few arrangements exist, else that of random ones.

    The first judge may stay as it is: only how the others stand to it counts. Nothing is returned
    for large tables, where Friedman's approximation is good, and where W is undefined.
    """
    n, m = judges.results.n, judges.results.m
    if m < 2 or not sums.telling.any():
        return None
    few = n <= 8 and (m - 1) * np.log(factorial(n)) <= np.log(MOST_ARRANGEMENTS)
    if not few and n * m * SHUFFLES > MOST_SHUFFLED:
        return None
    weighted = (judges.whole - (n + 1) / 2) * sums.weights[:, None]
    reached = float(sums.total @ sums.total) * (1 - 1e-9)
    if few:
        totals = _every_total(weighted)
        as_large = int(((totals**2).sum(axis=1) >= reached).sum())
        return Shuffled(p=as_large / len(totals), arrangements=len(totals), exact=True)
    as_large = sum(
        int(((totals**2).sum(axis=1) >= reached).sum()) for totals in _some_totals(weighted, seed)
    )
    return Shuffled(p=(as_large + 1) / (SHUFFLES + 1), arrangements=SHUFFLES, exact=False)


def _every_total(weighted: Floats) -> Floats:
    totals = weighted[:1]
    for row in weighted[1:]:
        arranged = np.array(list(permutations(row.tolist())))
        totals = (totals[:, None, :] + arranged).reshape(-1, len(row))
    return totals


def _some_totals(weighted: Floats, seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    step = max(1, WORKING_SET // weighted.size)
    for start in range(0, SHUFFLES, step):
        shape = (min(step, SHUFFLES - start), *weighted.shape)
        yield rng.permuted(np.broadcast_to(weighted, shape), axis=2).sum(axis=1)


def _ratio(above: float, below: float) -> float:
    return above / below if below > 0 else np.nan


def _chi2_p(chi2: float, df: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, chi2)) if df and chi2 == chi2 else np.nan


def _f(chi2: float, w: float, n: int) -> float:
    """Return (m - 1) W / (1 - W), with the m that makes chi2 = m (n - 1) W; NaN if infinite."""
    if not (chi2 == chi2 and w == w and n > 1):
        return np.nan
    judges = chi2 / ((n - 1) * w) if w > 0 else 1.0
    return (judges - 1) * w / (1 - w) if w < UNANIMOUS else np.nan


def _f_p(f: float, above: float, below: float) -> float:
    from scipy.special import fdtrc

    return float(fdtrc(above, below, f)) if f == f else np.nan
