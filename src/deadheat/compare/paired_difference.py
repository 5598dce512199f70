"""The paired difference of two merits over the replicates: interval, p-values, shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.results import Results
from deadheat.ranking.ranks import levels, ranks
from deadheat.resampling.draws import codes
from deadheat.statistics.evidence import Evidence, jackknife_errors, jackknife_p, twice_the_ranks
from deadheat.statistics.groups import monte_carlo_error, p_beats
from deadheat.statistics.intervals import intervals

# One candidate against another, judge by judge: wins, ties, losses, and the sign test.


@dataclass(frozen=True, eq=False, kw_only=True)
class Duel:
    """Hold on how many judges one candidate scores higher than another.

    Judges of weight 0 and those that did not score both are left out of every count.
    ``differences`` (m,) are positive where the first is better, NaN where a score is missing.
    ``win_rate`` is the weighted share of judges on which the first scores higher, ``effect`` is
    P(first > second) + half P(tie). ``sign_p`` is the exact two-sided sign test over
    ``signs_over``, judges or clusters of them; 1 where none tells the two apart.
    """

    differences: Floats
    higher: int
    tied: int
    lower: int
    win_rate: float
    effect: float
    sign_p: float
    signs_over: str

    @property
    def judges(self) -> int:
        return self.higher + self.tied + self.lower

    def told(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "differences"}


def duel(results: Results, a: int, b: int) -> Duel:
    r"""Count the judges on which one candidate scores higher, and test whether that is chance.

    Scores within the tie tolerance of the table are tied. The sign test leaves ties out and does
    not weigh judges: with h judges higher and l lower, :math:`p = 2 P(X \le \min(h, l))`, at most
    1, for X binomial with h + l trials and probability one half. Where judges have clusters, a
    cluster counts once, for whoever scores higher on more of its judges: its judges are not
    independent.

    References
    ----------
    .. [1] Demsar (2006), "Statistical comparisons of classifiers over multiple data sets",
           JMLR 7, sec. 3.1.4.

    Examples
    --------
    >>> table = Results(scores=[[3, 2, 5, 1], [1, 2, 4, 0]], better="higher")
    >>> found = duel(table, 0, 1)
    >>> found.higher, found.tied, found.lower, found.effect, found.sign_p
    (3, 1, 0, 0.875, 0.25)
    """
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, or only the sign is known
        differences = np.asarray(results.scores[a] - results.scores[b], dtype=np.float64)
    tied_level = levels(results.scores, tolerance=results.tie_tol)[[a, b]]
    differences[(tied_level[0] == tied_level[1]) & ~np.isnan(tied_level[0])] = 0.0
    there = ~np.isnan(tied_level).any(axis=0) & (results.weights > 0)
    outcome = np.sign(differences[there])
    weights = results.weights[there]
    total = float(weights.sum())
    won, drawn = float(weights[outcome > 0].sum()), float(weights[outcome == 0].sum())
    units = outcome
    if results.clusters is not None:
        of_judge = codes(tuple(results.clusters))[there]
        units = np.sign(np.bincount(of_judge, weights=outcome)) if len(outcome) else outcome
    return Duel(
        differences=differences,
        higher=int((outcome > 0).sum()),
        tied=int((outcome == 0).sum()),
        lower=int((outcome < 0).sum()),
        win_rate=won / total if total else float("nan"),
        effect=(won + drawn / 2) / total if total else float("nan"),
        sign_p=sign_test(int((units > 0).sum()), int((units < 0).sum())),
        signs_over="judges" if results.clusters is None else "clusters",
    )


def sign_test(higher: int, lower: int) -> float:
    """Return the p-value of the exact two-sided sign test.

    >>> sign_test(8, 1)
    0.0390625
    """
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(higher, lower), higher + lower, 0.5)))


@dataclass(frozen=True, kw_only=True)
class Paired:
    """Hold what replicates say about a difference of two merits, the first less the second.

    ``sign`` is 1 if the first is ahead as observed, 0 if the two are tied, -1 if it is behind.
    ``p_a_better`` says how surprising the replicates are unless the first is better. ``ahead`` is
    the share of replicates in which it is ahead. Where nothing was drawn at random but each
    replicate leaves one out, it is ``exact``.
    """

    difference: float
    sign: int
    low: float
    high: float
    alpha: float
    p_a_better: float
    p_b_better: float
    ahead: float
    tied: float
    behind: float
    replicates: int
    exact: bool

    @property
    def p(self) -> float:
        """The two-sided p-value: twice the smaller of the one-sided ones."""
        return min(1.0, 2 * min(self.p_a_better, self.p_b_better))

    def told(self) -> dict[str, Any]:
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
    exact = not evidence.plan.random
    if exact:
        from scipy.special import stdtrit

        error = float(jackknife_errors(differences[:, None], evidence.left_out_strata)[0])
        half = error * float(stdtrit(evidence.freedom, 1 - alpha / 2))
        low, high = difference - half, difference + half
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
                kept=evidence.plan.variance_kept(evidence.results.m),
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
