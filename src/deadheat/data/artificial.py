"""Artificial tables of scores whose judges agree as much as is asked for."""

from __future__ import annotations

from collections.abc import Callable
from math import asin, pi, sqrt
from typing import Any

import numpy as np

from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.core.types import Floats
from deadheat.data.results import Results

CONCORDANCE = 0.3
STEPS = 80  # halvings: more than doubles have digits
NOISE = (1e-6, 1e8)  # standard deviations between which the one asked for is looked for
DECAY = 100.0


def artificial(
    n: int = 20,
    m: int = 50,
    *,
    concordance: float | None = None,
    kind: str = "skill",
    levels: int | None = None,
    clones: int = 0,
    opposite: int = 0,
    unit: bool = False,
    seed: int = 0,
) -> Results:
    r"""Return a random table of n candidates and m judges, higher is better.

    Parameters
    ----------
    concordance
        The expected value of Kendall's W, .3 by default: 1 where all judges say the same, 1/m
        where they are independent, less where they contradict each other, which around a
        reference ranking they never do. A value below the least possible gives that least.
    kind
        ``"skill"``: normal scores, every two judges with the same correlation, as if each saw the
        skill of a candidate through noise of its own. ``"ranking"``: one reference ranking of
        equal steps plus normal noise, as the generator of ranky does. ``"low-rank"``: random
        orthogonal factors with singular values :math:`100 e^{-k}`, which is how the matrix
        *Artificial* of [1]_ was made; its concordance cannot be chosen.
    levels
        Round the scores of each judge to so many levels, which makes ties.
    clones
        Make so many of the last candidates exact copies of the first ones.
    opposite
        Turn the scores of so many of the last judges around.
    unit
        Map the scores to numbers between 0 and 1, in the same order.

    Notes
    -----
    Two judges with a correlation r of normal scores have [2]_

    .. math:: E(\rho) = \frac{6}{\pi (n + 1)} \Big(\arcsin r + (n - 2) \arcsin \frac r2\Big)

    and m judges have :math:`E(W) = (1 + (m - 1) E(\rho)) / m`. Around a reference ranking
    :math:`\mu` the ranks of two judges are independent, so that :math:`E(\rho)` is the sum of
    squares of :math:`E(R_i) = \frac12 + \sum_k \Phi((\mu_k - \mu_i) / (\sigma \sqrt 2))` about
    their mean, over :math:`(n^3 - n) / 12`. Both are solved for r or sigma. ``levels``, ``clones``
    and ``opposite`` come after that, and change W.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, table 1; the
       matrix is from Sun-Hosoya, Guyon, Sebag (2018), "ActivMetaL". The factors are read off its
       singular values, no text says them.
    .. [2] Moran (1948), "Rank correlation and product-moment correlation", Biometrika 35.

    Examples
    --------
    >>> artificial(5, 8, concordance=0.9, seed=1)
    <Results: 5 candidates x 8 judges, higher is better>
    """
    sizes: dict[str, Any] = {"n": n, "m": m, "levels": 1 if levels is None else levels}
    for name, size in (sizes | {"clones": clones, "opposite": opposite, "seed": seed}).items():
        least = int(name in sizes)
        whole = isinstance(size, int | np.integer) and not isinstance(size, bool)
        if not whole or size < least:
            fact = f"{name} must be a whole number of at least {least}, got {size!r}."
            raise UsageError(fact, hint=f"e.g. {name}=2.")
    if clones >= n:
        fact = f"{clones} of {n} candidates cannot be clones."
        raise UsageError(fact, hint="somebody must be the original.")
    if opposite > m:
        raise UsageError(f"{opposite} of {m} judges cannot be opposite.", hint="at most all.")
    scores = _scores(n, m, concordance, kind, np.random.default_rng(seed))
    if levels is not None:  # in steps of equal width between a judge's extremes
        low, high = scores.min(axis=0), scores.max(axis=0)
        width = np.where(high > low, high - low, 1.0)
        scores = np.minimum(np.floor((scores - low) / width * levels), levels - 1) + 1
    scores[:, m - opposite :] *= -1
    if clones:
        scores[n - clones :] = scores[np.arange(clones) % (n - clones)]
    if unit:
        from scipy.special import ndtr

        scores = ndtr((scores - scores.mean()) / (2 * (scores.std() or 1.0)))
    return Results(scores=scores, better="higher", source=f"an artificial table, seed {seed}")


def _scores(
    n: int, m: int, concordance: float | None, kind: str, rng: np.random.Generator
) -> Floats:
    if kind not in KINDS:
        raise UnknownNameError("kind of artificial table", kind, KINDS)
    if kind == "low-rank" and concordance is not None:
        fact = "the concordance of a low-rank table cannot be chosen."
        raise UsageError(fact, hint='kind="skill" and kind="ranking" take one.')
    wanted: Any = CONCORDANCE if concordance is None else concordance
    if not (isinstance(wanted, int | float | np.number) and 0 <= wanted <= 1):
        hint = f"it is Kendall's W: 1/m = {1 / m:.2g} stands for independent judges."
        raise UsageError(f"the concordance must lie between 0 and 1, got {wanted!r}.", hint=hint)
    rho = (m * wanted - 1) / (m - 1) if m > 1 else 1.0
    return KINDS[kind](n, m, rho, rng)


def expected_rho(r: float, n: int) -> float:
    """Return the expected Spearman correlation of n normal pairs with Pearson correlation r."""
    return 6 / (pi * (n + 1)) * (asin(r) + (n - 2) * asin(r / 2))


def _of_skill(n: int, m: int, rho: float, rng: np.random.Generator) -> Floats:
    """Return normal scores of judges with one correlation: what they have in common, and the rest.

    The variances are the two eigenvalues of the matrix with 1 on its diagonal and r elsewhere.
    """
    least = -1 / (m - 1) if m > 1 else 0.0
    r = _bisect(lambda x: expected_rho(x, n), rho, least, 1.0)
    noise = rng.standard_normal((n, m))
    common = noise.mean(axis=1, keepdims=True)
    apart, together = sqrt(max(1 - r, 0)), sqrt(max(1 + (m - 1) * r, 0))
    return np.asarray(apart * (noise - common) + together * common)


def _around_a_ranking(n: int, m: int, rho: float, rng: np.random.Generator) -> Floats:
    from scipy.special import ndtr

    steps = rng.permutation(n).astype(np.float64)
    apart = np.subtract.outer(np.arange(n), np.arange(n))

    def of_noise(logarithm: float) -> float:
        places = ndtr(apart / (np.exp(-logarithm) * sqrt(2))).sum(axis=1)
        return float(12 * ((places - places.mean()) ** 2).sum() / (n**3 - n)) if n > 1 else 1.0

    low, high = -np.log(NOISE[1]), -np.log(NOISE[0])
    deviation = np.exp(-_bisect(of_noise, rho, low, high))
    return np.asarray(steps[:, None] + deviation * rng.standard_normal((n, m)))


def _low_rank(n: int, m: int, rho: float, rng: np.random.Generator) -> Floats:  # noqa: ARG001
    k = min(n, m)
    left, right = (np.linalg.qr(rng.standard_normal((size, k)))[0] for size in (n, m))
    return np.asarray(left * (DECAY * np.exp(-np.arange(k))) @ right.T)


KINDS: dict[str, Callable[[int, int, float, np.random.Generator], Floats]]
KINDS = {"skill": _of_skill, "ranking": _around_a_ranking, "low-rank": _low_rank}


def _bisect(rising: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Return where a rising function has a value; the nearest end where it never has."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return high
