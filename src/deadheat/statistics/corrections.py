"""Many tests at once: adjusted p-values, and Holm's step-down test with its thresholds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deadheat.core.errors import UsageError, command_with
from deadheat.core.types import Booleans, Floats

LEAST_ALPHA = 1e-9
ROUNDING = 1e-12  # p-values are fractions of counts: 25/1000 is not above 0.15/6


def adjusted_p_values(p: Floats, method: str) -> Floats:
    """Return the adjusted p-values of one family of tests, in the order they were given.

    Under any dependence, ``holm`` and ``bonferroni`` control the family-wise error and
    ``benjamini-yekutieli`` the false discovery rate; for independent or positively dependent tests
    ``hochberg`` and ``hommel`` (in M squared steps) the former, ``benjamini-hochberg`` the latter.
    """
    order, corrected = np.argsort(p, kind="stable"), np.empty(len(p))
    corrected[order] = np.minimum(METHODS[method](np.asarray(p, dtype=np.float64)[order]), 1.0)
    return corrected


def holm_rejections(p: Floats, alpha: float) -> tuple[Booleans, Floats]:
    r"""Return which hypotheses Holm's step-down test rejects, and what each p was compared with.

    With :math:`p_{(1)} \le \dots \le p_{(M)}`, reject while
    :math:`p_{(i)} \le \alpha / (M + 1 - i)` and stop at the first failure; NaN behind it (Holm
    1979). Differs from Fawcett et al. (2023), by whose letter the smallest p-values would never be
    rejected: theirs are those before the lowest *i* with :math:`p_{(i)} < \alpha/(M+1-i)`.
    """
    order = np.argsort(p, kind="stable")
    steps = alpha / np.arange(len(p), 0, -1)
    passed = np.logical_and.accumulate(p[order] <= steps * (1 + ROUNDING))
    reached = np.concatenate([[True], passed])[: len(p)]
    rejected, thresholds = np.empty(len(p), dtype=bool), np.empty(len(p))
    rejected[order] = passed
    thresholds[order] = np.where(reached, steps, np.nan)
    return rejected, thresholds


def rejections(p: Floats, alpha: float, correction: str = "holm") -> tuple[Booleans, Floats]:
    """Return which hypotheses a correction rejects, and what each p was compared with."""
    if correction == "holm":
        return holm_rejections(p, alpha)
    corrected = adjusted_p_values(p, correction)
    thresholds = np.divide(alpha * p, corrected, out=np.full(len(p), np.nan), where=corrected > 0)
    return corrected <= alpha * (1 + ROUNDING), thresholds


def fewest_draws(tests: int, alpha: float, correction: str = "holm") -> int:
    """Return how many draws it takes to reject one of some tests: p is 1/(draws + 1) at least."""
    factor = _harmonic(tests) if correction == "benjamini-yekutieli" else 1.0
    return max(1, int(np.ceil(factor * tests / alpha - 1e-9)) - 1)


def require_alpha(alpha: float) -> None:
    hint = f"the usual level: {command_with(alpha=0.05)}"
    if isinstance(alpha, bool) or not isinstance(alpha, int | float | np.number):
        raise UsageError(f"alpha must be a number, got {alpha!r}.", hint=hint)
    if 0 < alpha < LEAST_ALPHA:
        raise UsageError(
            f"alpha = {alpha:g} is below {LEAST_ALPHA:g}, which no resampling can reach.", hint=hint
        )
    if not 0 < alpha < 1:
        if 1 <= alpha < 100:
            hint = f"for {alpha:g} %: {command_with(alpha=alpha / 100)}"
        raise UsageError(f"alpha must lie strictly between 0 and 1, got {alpha:g}.", hint=hint)


def _from_the_last(values: Floats) -> Floats:
    return np.minimum.accumulate(values[::-1])[::-1]


def _benjamini_hochberg(p: Floats) -> Floats:
    return _from_the_last(p * len(p) / np.arange(1, len(p) + 1))


def _harmonic(tests: int) -> float:
    return float((1 / np.arange(1, tests + 1)).sum())


def _hommel(p: Floats) -> Floats:
    """Return the largest Simes p-value of any set with each hypothesis."""
    largest = p.copy()
    for size in range(2, len(p) + 1):  # with the largest others: a smaller p never raises it
        first = len(p) - size
        with_others = (size * p[first + 1 :] / np.arange(2, size + 1)).min()
        simes = np.minimum(size * p[: first + 1], with_others)
        np.maximum(largest[: first + 1], simes, out=largest[: first + 1])
    return largest


METHODS: dict[str, Callable[[Floats], Floats]] = {
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "hochberg": lambda p: _from_the_last(p * np.arange(len(p), 0, -1)),
    "hommel": _hommel,
    "bonferroni": lambda p: p * len(p),
    "benjamini-hochberg": _benjamini_hochberg,
    "benjamini-yekutieli": lambda p: _benjamini_hochberg(p) * _harmonic(len(p)),
    "none": lambda p: p,
}
CORRECTIONS = tuple(name for name in METHODS if name != "none")  # control an error over all tests
