"""The classical tests of all pairs: paired t and Wilcoxon with Holm, and Nemenyi."""

from __future__ import annotations

import numpy as np

from deadheat.errors import UsageError
from deadheat.inference.corrections import adjusted, require_alpha
from deadheat.inference.pair_tests import PairTests, pair_tests, ratios
from deadheat.inference.units import Units, every_pair, parts
from deadheat.ranking.ranks import ranks
from deadheat.typing import Floats

LONGEST_EXACT = 50
DIGITS = 12  # differences of the largest score that agree to so many are tied


def t_holm(units: Units, *, alpha: float) -> PairTests:
    """Test all pairs by the paired t-test over units, with Holm's correction.

    Differences and errors are those of :class:`Units`: with weights, sizes of clusters and strata.
    There are as many degrees of freedom as units less strata. The critical value is that of
    Bonferroni.
    """
    require_alpha(alpha)
    from scipy.special import stdtr, stdtrit

    i, j = every_pair(units.n)
    differences, errors = units.differences(i, j), units.errors(i, j)
    p = 2 * stdtr(units.freedom, -np.abs(ratios(differences, errors)))
    return pair_tests(
        units.n,
        adjusted(p, "holm"),
        differences=differences,
        errors=errors,
        critical=float(stdtrit(units.freedom, 1 - alpha / (2 * max(len(i), 1)))),
        method="t-holm",
        alpha=alpha,
    )


def wilcoxon_holm(units: Units, *, alpha: float) -> PairTests:
    """Test all pairs by Wilcoxon's signed ranks over units, with Holm's correction.

    Differences of 0 are left out [1]_. Without them and without tied differences the p-value of up
    to 50 units is exact, else the normal approximation with its correction for ties. Every pair is
    treated on its own, whatever the others are like. Units count alike, so they must be of one
    size; strata play no part.

    Notes
    -----
    What is tested is that differences are symmetric about 0, and not that the merits are equal:
    under equal means and opposite skewness it rejects more often, the more judges there are
    (:data:`~deadheat.inference.measured.WILCOXON_ERRS_ON_SKEWED`).
    ``differences`` are the positive ranks less the negative ones over all of them (the matched-pair
    rank-biserial correlation), which may point another way than the merits. They have no errors.

    References
    ----------
    .. [1] Wilcoxon (1945), "Individual comparisons by ranking methods", Biometrics Bulletin 1(6).
    """
    require_alpha(alpha)
    _require_equal_sizes("wilcoxon-holm", units)
    n, m = units.n, units.u
    i, j = every_pair(n)
    p, balance = np.ones(len(i)), np.zeros(len(i))
    scores = units.means
    scores = scores / max(float(np.abs(scores).max(initial=0.0)), np.finfo(float).tiny)
    for part in parts(len(i), m):
        p[part], balance[part] = _wilcoxon(np.round(scores[i[part]] - scores[j[part]], DIGITS))
    return pair_tests(
        n,
        adjusted(p, "holm"),
        differences=balance,
        errors=np.full(len(i), np.nan),
        critical=np.nan,
        method="wilcoxon-holm",
        alpha=alpha,
    )


def nemenyi(units: Units, *, alpha: float) -> PairTests:
    r"""Test all pairs of candidates by the differences of their mean ranks over m units.

    Two candidates differ where their mean ranks are more than
    :math:`CD = \frac{q_\alpha}{\sqrt 2} \sqrt{\frac{n (n + 1)}{6 m}}` apart, with the studentized
    range q of n and infinite degrees of freedom [1]_. ``differences`` are positive for the better
    candidate, whose mean rank is lower; ``critical * errors`` is CD. Units count alike, so they
    must be of one size; strata play no part.

    Notes
    -----
    What is said about a pair depends on which other candidates there are [2]_, and on 0/1 scores
    the test has hardly any power.

    References
    ----------
    .. [1] Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", JMLR 7,
       sec. 3.2.2.
    .. [2] Benavoli, Corani, Mangili (2016), "Should we really use post-hoc tests based on
       mean-ranks?", JMLR 17.
    """
    require_alpha(alpha)
    _require_equal_sizes("nemenyi", units)
    n, m = units.n, units.u
    i, j = every_pair(n)
    mean_ranks = ranks(units.means.T).mean(axis=0)
    differences = np.round(mean_ranks[j] - mean_ranks[i], DIGITS)
    error = np.sqrt(n * (n + 1) / (6 * m))
    p, critical = np.ones(len(i)), np.nan
    if n > 1:
        from scipy.stats import studentized_range

        distinct, back = np.unique(np.abs(differences), return_inverse=True)
        p = np.clip(studentized_range.sf(distinct / error * np.sqrt(2), n, np.inf), 0, 1)[back]
        critical = float(studentized_range.isf(alpha, n, np.inf)) / np.sqrt(2)
    return pair_tests(
        n,
        p,
        differences=differences,
        errors=np.full(len(i), error),
        critical=critical,
        method="nemenyi",
        alpha=alpha,
    )


def _wilcoxon(differences: Floats) -> tuple[Floats, Floats]:
    """Return the p-value and the rank-biserial correlation of each row."""
    from scipy.stats import rankdata, wilcoxon

    sizes = np.abs(differences)
    some = np.any(sizes > 0, axis=1)
    ordered = np.sort(sizes, axis=1)
    clean = (ordered[:, 0] > 0) & (ordered[:, 1:] > ordered[:, :-1]).all(axis=1)
    exact = clean & (differences.shape[1] <= LONGEST_EXACT)
    p = np.ones(len(differences))
    for rows, how in ((exact, "exact"), (some & ~exact, "asymptotic")):
        if rows.any():
            p[rows] = wilcoxon(differences[rows], axis=1, method=how).pvalue
    place = rankdata(np.where(sizes > 0, sizes, np.nan), axis=1, nan_policy="omit")
    place = np.nan_to_num(place)
    total = np.maximum(place.sum(axis=1), 1)
    return p, (place * np.sign(differences)).sum(axis=1) / total


def _require_equal_sizes(test: str, units: Units) -> None:
    least, most = float(units.sizes.min()), float(units.sizes.max())
    if most - least > 1e-9 * most:
        clustered = units.u < len(units.judges)
        what = "clusters of unequal size" if clustered else "judges of unequal weight"
        raise UsageError(
            f"{test} counts all alike, and there are {what} ({least:g} to {most:g}).",
            hint="max-t and t-holm weigh them.",
        )
