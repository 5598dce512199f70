"""Intervals of single merits from bootstrap replicates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from deadheat.errors import DataError, UnknownNameError, UsageError
from deadheat.inference.corrections import require_alpha
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.ranks import RELATIVE_TOLERANCE, signs
from deadheat.typing import Floats

NORMAL = NormalDist()
SLOWEST = 1e-12  # where an accelerated level has reached 0 or 1
SUMMED_OTHERWISE = 100  # how much further rounding may take the observed merit than replicates
SMALLEST_ERROR = 0.25  # of the observed standard error, for those of replicates

Ends = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """Hold what an interval may be made from; sizes B, n and m as everywhere."""

    observed: Floats
    merits: Floats
    alpha: float
    m: int
    freedom: int
    kept: float
    acceleration: Floats | None = None
    errors: Floats | None = None
    replicate_errors: Floats | None = None
    scores: Floats | None = None
    lower: bool = False
    effective: Floats | float | None = None

    @property
    def same(self) -> Floats:
        """How far a replicate may be from the observed merit (n,) and still be equal to it."""
        tolerance = RELATIVE_TOLERANCE.get(self.merits.dtype, 1e-12)
        return np.asarray(tolerance * np.abs(self.observed.astype(np.float64)))


def intervals(
    kind: str,
    *,
    observed: Floats,
    merits: Floats,
    alpha: float,
    m: int,
    freedom: int | None = None,
    kept: float | None = None,
    acceleration: Floats | None = None,
    errors: Floats | None = None,
    replicate_errors: Floats | None = None,
    scores: Floats | None = None,
    lower: bool = False,
    effective: Floats | float | None = None,
) -> Ends:
    r"""Return the low and high ends of a :math:`1 - \alpha` interval for each merit.

    Write :math:`q_p` for the p-quantile of the replicates (linear, as in numpy) and
    :math:`\hat f` for the observed merit.

    ``percentile``
        :math:`[q_{\alpha/2}, q_{1-\alpha/2}]`, the interval of [1]_.
    ``basic``
        :math:`[2 \hat f - q_{1-\alpha/2}, 2 \hat f - q_{\alpha/2}]`.
    ``bca``
        Percentile with levels corrected for bias and skewness [2]_. Needs ``acceleration``.
    ``expanded-percentile``
        Percentile at :math:`\alpha'/2 = \Phi(-\sqrt{m/(m-1)}\, t_{1-\alpha/2,\, m-1})`, which
        makes up for the narrowness of the bootstrap at small m [3]_. In general
        :math:`\Phi(-t_{1-\alpha/2,\, \nu} / \sqrt{\rho})` with :math:`\nu` degrees of freedom,
        where replicates have the share :math:`\rho` of the variance that they should have.
    ``bootstrap-t``
        :math:`[\hat f - t^*_{1-\alpha/2} s, \hat f - t^*_{\alpha/2} s]` with the quantiles of
        :math:`t^* = (f^* - \hat f)/s^*`. Needs ``errors`` and ``replicate_errors``.
    ``wilson``
        The score interval of a share [4]_, without replicates. Needs ``scores``, all 0 or 1
        (or 0 and -1, where lower was better), whose mean over judges is the merit.

    Parameters
    ----------
    observed, merits
        (n,) and (B, n), without NaN.
    m
        How many units were resampled: judges, or clusters of them. With one unit there is no
        interval: NaN.
    freedom, kept
        The :math:`\nu` and :math:`\rho` above; m - 1 and (m - 1)/m by default.
    acceleration
        (n,), from :mod:`deadheat.inference.acceleration`.
    errors, replicate_errors
        (n,) and (B, n), the standard error of each merit, observed and in each replicate.
    scores
        (n, m), NaN where missing.
    lower
        Whether lower scores were better, so that they are 0 and -1 here.
    effective
        How many judges the merit is worth, one number or one per candidate; ``m`` by default.
        With weights it is :math:`(\sum w)^2 / \sum w^2`.

    Notes
    -----
    Where all replicates are equal up to rounding (1e-12, and 1e-6 of float32 merits), the interval
    has width zero, at the observed merit if they equal that too. In ``bca`` the share of
    replicates below the observed merit (half of those equal to it) is kept within 1/(B+1) of 0
    and 1, so that its normal quantile stays finite where all lie on one side. In ``bootstrap-t``
    a standard error :math:`s^*` below a quarter of s counts as a quarter of s: scores of 0 and 1
    have replicates with none at all. In simulations a quarter cost no coverage, while a half cost
    up to .05 on skewed scores.

    :data:`deadheat.inference.measured.COVERS_ON_20` has their coverage on 20 judges.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
           Using Statistical Resampling".
    .. [2] Efron (1987), "Better bootstrap confidence intervals", JASA 82(397).
    .. [3] Hesterberg (2015), "What teachers should know about the bootstrap", The American
           Statistician 69(4), sec. 5.
    .. [4] Wilson (1927), "Probable inference, the law of succession, and statistical inference",
           JASA 22(158).

    Examples
    --------
    >>> merits = np.arange(101.0)[:, None]
    >>> intervals("percentile", observed=np.array([40.0]), merits=merits, alpha=0.1, m=30)
    (array([5.]), array([95.]))
    """
    if kind not in KINDS:
        raise UnknownNameError("interval", str(kind), KINDS)
    require_alpha(alpha)
    if m < 2:
        return np.full(observed.shape, np.nan), np.full(observed.shape, np.nan)
    sample = Sample(
        observed=observed,
        merits=merits,
        alpha=alpha,
        m=m,
        freedom=m - 1 if freedom is None else freedom,
        kept=(m - 1) / m if kept is None else kept,
        acceleration=acceleration,
        errors=errors,
        replicate_errors=replicate_errors,
        scores=scores,
        lower=lower,
        effective=effective,
    )
    return _closed(sample, *KINDS[kind](sample))


def _closed(sample: Sample, low: Floats, high: Floats) -> Ends:
    """Return the ends, and one number twice where rounding alone separates them."""
    constant = high - low <= sample.same
    near = np.abs(low - sample.observed) <= SUMMED_OTHERWISE * sample.same
    there = np.where(near, sample.observed, low)
    return np.where(constant, there, low), np.where(constant, there, high)


def _percentile(sample: Sample) -> Ends:
    return _between(sample.merits, sample.alpha / 2, 1 - sample.alpha / 2)


def _basic(sample: Sample) -> Ends:
    low, high = _percentile(sample)
    return 2 * sample.observed - high, 2 * sample.observed - low


def _expanded_percentile(sample: Sample) -> Ends:
    from scipy.special import stdtrit

    t = float(stdtrit(sample.freedom, 1 - sample.alpha / 2))
    tail = NORMAL.cdf(-t / np.sqrt(sample.kept))
    return _between(sample.merits, tail, 1 - tail)


def _bca(sample: Sample) -> Ends:
    acceleration = _given(sample.acceleration, kind="bca", name="acceleration")
    bias = _normal_quantiles(_share_below(sample))
    levels = []
    for tail in (sample.alpha / 2, 1 - sample.alpha / 2):
        shifted = bias + NORMAL.inv_cdf(tail)
        slowed = np.maximum(1 - acceleration * shifted, SLOWEST)
        levels.append(_normal_shares(bias + shifted / slowed))
    return _between(sample.merits, *levels)


def _bootstrap_t(sample: Sample) -> Ends:
    errors = _given(sample.errors, kind="bootstrap-t", name="errors")
    of_replicates = _given(sample.replicate_errors, kind="bootstrap-t", name="replicate_errors")
    sizes = np.where(errors > 0, errors, 1.0)
    low, high = np.empty(errors.shape), np.empty(errors.shape)
    for part in _candidates(sample.merits):
        floored = np.maximum(of_replicates[:, part], SMALLEST_ERROR * sizes[part])
        studentized = (sample.merits[:, part] - sample.observed[part]) / floored
        low[part], high[part] = _between(studentized, sample.alpha / 2, 1 - sample.alpha / 2)
    return sample.observed - high * errors, sample.observed - low * errors


def _wilson(sample: Sample) -> Ends:
    scores = _given(sample.scores, kind="wilson", name="scores")
    lowest = zero_of(scores, lower=sample.lower)
    if lowest is None:
        other = scores[~(np.isnan(scores) | np.isin(scores, (0.0, 1.0)))][0]
        raise DataError(
            f"the Wilson interval needs scores of 0 and 1, and there is a score of {other:g}.",
            hint="--interval bootstrap-t or --interval expanded-percentile are for other scores.",
        )
    share = sample.observed.astype(np.float64) - lowest
    slack = RELATIVE_TOLERANCE.get(sample.observed.dtype, 1e-12)
    if not ((share > -slack) & (share < 1 + slack)).all():
        raise DataError(
            "the Wilson interval is for shares, and the merits are no means of 0 and 1 "
            f"(one is {sample.observed[np.argmax(np.abs(share - 0.5))]:g}).",
            hint="rank by mean, or take --interval bootstrap-t.",
        )
    share = np.clip(share, 0.0, 1.0)
    size = np.asarray(sample.m if sample.effective is None else sample.effective, dtype=np.float64)
    z = NORMAL.inv_cdf(1 - sample.alpha / 2)
    middle = (share + z**2 / (2 * size)) / (1 + z**2 / size)
    half = z / (1 + z**2 / size) * np.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    return np.maximum(middle - half, 0.0) + lowest, np.minimum(middle + half, 1.0) + lowest


def zero_of(scores: Floats, *, lower: bool = False) -> float | None:
    """Return the score that means failure where scores are 0 and 1 (or -1 and 0), else None.

    ``lower`` says whether lower was better, which scores that are all 0 do not show.
    """
    for zero in (-1.0, 0.0) if lower else (0.0, -1.0):
        if all(((row == zero) | (row == zero + 1) | np.isnan(row)).all() for row in scores):
            return zero
    return None


def _given(values: Floats | None, *, kind: str, name: str) -> Floats:
    if values is None:
        raise UsageError(
            f"the interval {kind} needs {name}.",
            hint="percentile and expanded-percentile need the replicates alone.",
        )
    return values


def _share_below(sample: Sample) -> Floats:
    """Return the share of replicates below the observed merit, half of the equal ones with it."""
    share = np.empty(sample.observed.shape)
    for part in _candidates(sample.merits):
        observed = sample.observed[part]
        differences = sample.merits[:, part] - observed
        noise = np.broadcast_to(sample.same[part], differences.shape)
        share[part] = (1 - signs(differences, noise=noise).mean(axis=0)) / 2
    least = 1 / (len(sample.merits) + 1)
    return np.clip(share, least, 1 - least)


def _between(values: Floats, low: Floats | float, high: Floats | float) -> Ends:
    """Return two quantiles of each candidate's replicates, at levels for all or of its own."""
    n = values.shape[1]
    levels = np.array([np.broadcast_to(low, n), np.broadcast_to(high, n)])
    found = np.empty((2, n))
    for part in _candidates(values):
        ordered = np.sort(np.ascontiguousarray(values[:, part].T))  # 3 times faster than quantile
        at = levels[:, part] * (len(values) - 1)
        below = np.floor(at).astype(np.intp)
        above = np.minimum(below + 1, len(values) - 1)
        rows = np.arange(len(ordered))
        start, end = ordered[rows, below], ordered[rows, above]
        found[:, part] = start + (at - below) * (end - start)
    return found[0], found[1]


def _candidates(values: Floats) -> list[slice]:
    """Return slices of so few candidates that all their replicates stay affordable."""
    step = max(1, WORKING_SET // len(values))
    return [slice(start, start + step) for start in range(0, values.shape[1], step)]


def _normal_quantiles(shares: Floats) -> Floats:
    return np.array([NORMAL.inv_cdf(share) for share in shares])


def _normal_shares(quantiles: Floats) -> Floats:
    return np.array([NORMAL.cdf(quantile) for quantile in quantiles])


KINDS: dict[str, Callable[[Sample], Ends]] = {
    "percentile": _percentile,
    "basic": _basic,
    "bca": _bca,
    "expanded-percentile": _expanded_percentile,
    "bootstrap-t": _bootstrap_t,
    "wilson": _wilson,
}
