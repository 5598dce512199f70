"""The paired difference of two merits over the replicates: interval, p-values, shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.inference.evidence import Evidence
from deadheat.inference.intervals import intervals
from deadheat.inference.merit_intervals import jackknife_errors, jackknife_p
from deadheat.inference.pairs import monte_carlo_error, p_beats
from deadheat.inference.spread import twice_the_ranks
from deadheat.ranking.ranks import ranks
from deadheat.resampling.plans import Jackknife
from deadheat.typing import Floats


@dataclass(frozen=True, kw_only=True)
class Paired:
    """Hold what replicates say about a difference of two merits, the first less the second."""

    difference: float
    sign: int
    """1 if the first is ahead as observed, 0 if the two are tied, -1 if it is behind."""
    low: float
    high: float
    alpha: float
    p_a_better: float
    """One-sided: how surprising the replicates are unless the first is better."""
    p_b_better: float
    ahead: float
    """The share of replicates in which the first is ahead."""
    tied: float
    behind: float
    replicates: int
    exact: bool
    """Whether nothing was drawn at random: each replicate leaves one out."""

    @property
    def p(self) -> float:
        """The two-sided p-value: twice the smaller of the one-sided ones."""
        return min(1.0, 2 * min(self.p_a_better, self.p_b_better))

    def told(self) -> dict[str, Any]:
        """Return it by name."""
        return {
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "alpha": self.alpha,
            "p_a_better": self.p_a_better,
            "p_b_better": self.p_b_better,
            "p": self.p,
            "ahead_share": self.ahead,
            "tied_share": self.tied,
            "behind_share": self.behind,
            "share_error": None
            if self.exact
            else float(monte_carlo_error(self.ahead, self.replicates)),
            "replicates": self.replicates,
        }


def paired(evidence: Evidence, a: int, b: int, *, alpha: float) -> Paired:
    r"""Return what the replicates say about merit a less merit b.

    The interval is the percentile interval of the differences; inside strata its levels are those
    of Student's t. The p-value of "a is better" is

    .. math:: p = \frac{1 + \#\{r : f^*_a \le f^*_b\}}{1 + k}

    over k replicates, in which tied merits are those that :func:`ranks` ties. Under the jackknife,
    whose replicates have no distribution to take quantiles from, both are Student's, with
    jackknife standard errors.

    Notes
    -----
    Differs from [1]_, which prints the count over k: that can be 0.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
           Using Statistical Resampling".
    """
    both = [a, b]
    unit = evidence.unit
    of_both = unit if np.ndim(unit) == 0 else np.asarray(unit)[both]
    places = twice_the_ranks(evidence.merits[:, both], of_both)
    observed = ranks(evidence.observed[both], unit=of_both)
    sign = int(np.sign(observed[1] - observed[0]))
    values = evidence.merits[:, both].astype(np.float64)
    differences = values[:, 0] - values[:, 1]
    differences[places[:, 0] == places[:, 1]] = 0.0
    difference = float(evidence.observed[a]) - float(evidence.observed[b]) if sign else 0.0
    exact = isinstance(evidence.plan, Jackknife)
    if exact:
        low, high = _around(evidence, difference, differences, alpha)
        p = [float(jackknife_p(evidence, i, np.array([j]))[0]) for i, j in ((a, b), (b, a))]
    else:
        low, high = (
            float(end[0])
            for end in intervals(
                evidence.quantiles("percentile"),
                observed=np.array([difference]),
                merits=differences[:, None],
                alpha=alpha,
                m=evidence.independent,
                freedom=evidence.freedom,
                kept=evidence.variance_kept,
            )
        )
        p = [float(p_beats(places, i, np.array([1 - i]))[0]) for i in (0, 1)]
    return Paired(
        difference=difference,
        sign=sign,
        low=low,
        high=high,
        alpha=alpha,
        p_a_better=p[0],
        p_b_better=p[1],
        ahead=float(np.mean(places[:, 0] < places[:, 1])),
        tied=float(np.mean(places[:, 0] == places[:, 1])),
        behind=float(np.mean(places[:, 0] > places[:, 1])),
        replicates=len(places),
        exact=exact,
    )


def _around(
    evidence: Evidence, difference: float, left_out: Floats, alpha: float
) -> tuple[float, float]:
    from scipy.special import stdtrit

    error = float(jackknife_errors(left_out[:, None], evidence.left_out_strata)[0])
    half = error * float(stdtrit(evidence.freedom, 1 - alpha / 2))
    return difference - half, difference + half
