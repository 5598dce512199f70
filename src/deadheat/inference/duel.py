"""One candidate against another, judge by judge: wins, ties, losses, and the sign test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.data.results import Results
from deadheat.ranking.ranks import levels
from deadheat.resampling.grouping import codes
from deadheat.typing import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Duel:
    """Hold on how many judges one candidate scores higher than another.

    Judges of weight 0 and those that did not score both are left out of every count.
    """

    differences: Floats
    """The scores of the first less those of the second, (m,), positive where the first is better;
    NaN where one is missing."""
    higher: int
    tied: int
    lower: int
    win_rate: float
    """The weighted share of judges on which the first scores higher."""
    effect: float
    """P(first > second) + half P(tie), over a judge drawn by weight."""
    sign_p: float
    """The p-value of the exact two-sided sign test; 1 where no judge tells the two apart."""
    signs_over: str
    """What the sign test counts: ``judges``, or ``clusters`` of them."""

    @property
    def judges(self) -> int:
        """On how many judges both have a score."""
        return self.higher + self.tied + self.lower

    def told(self) -> dict[str, Any]:
        """Return the counts by name."""
        return {
            "higher": self.higher,
            "tied": self.tied,
            "lower": self.lower,
            "win_rate": self.win_rate,
            "effect": self.effect,
            "sign_p": self.sign_p,
            "signs_over": self.signs_over,
        }


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
