"""How many runs are solved by when: the numbers of cactus plots and performance profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deadheat.data.runs import Runs
from deadheat.data.wording import both
from deadheat.errors import UsageError
from deadheat.ranking.ranks import ranks
from deadheat.typing import Floats, Integers

SKEWED = 20.0  # times the median time is the limit: then most of what happens is near 0
DEEPEST = 1e-5  # of the limit, below which times are not told apart


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """Hold a step curve: ``heights[k]`` holds from ``places[k]`` on, and 0 before the first."""

    candidate: str
    places: Floats
    heights: Floats

    def at(self, places: Floats) -> Floats:
        """Return the height of the curve at some places."""
        below = np.searchsorted(self.places, places, side="right")
        return np.concatenate([[0.0], self.heights])[below]

    def reached(self, height: float) -> float:
        """Return where the curve reaches a height; inf where it never does."""
        step = int(np.searchsorted(self.heights, height))
        return float(self.places[step]) if step < len(self.places) else float("inf")

    def thinned(self, most: int) -> Curve:
        """Return the curve through at most so many of its steps: the first, the last, and others.

        The steps that stay have their right heights; those between are drawn late, never early.
        """
        if len(self.places) <= most:
            return self
        kept = np.unique(np.linspace(0, len(self.places) - 1, most).round().astype(np.int64))
        return Curve(candidate=self.candidate, places=self.places[kept], heights=self.heights[kept])


@dataclass(frozen=True, eq=False, kw_only=True)
class RunCurves:
    """Hold the curves of all candidates, best first.

    Attributes
    ----------
    curves
        One per candidate.
    whole
        What a height counts up to: all instances (times their seeds), or 1.
    cutoff
        The largest time limit; None where none is known.
    untimed
        How many solved runs have no time. No curve can show them.
    seeds
        How many seeds there are; a height counts each as a run of its own.
    """

    curves: tuple[Curve, ...]
    whole: float
    cutoff: float | None
    untimed: int
    seeds: int

    @property
    def noun(self) -> str:
        """What is counted."""
        return "runs" if self.seeds > 1 else "instances"

    def shares(self) -> RunCurves:
        """Return the same curves with shares of all runs as heights: a quantile plot.

        What is not solved counts in the whole, so that no curve rises above what is solved.

        Examples
        --------
        >>> runs = Runs(
        ...     candidate=["a", "a", "b"], instance=["i", "j", "i"], status=["ok", "TO", "ok"],
        ...     time=[7.0, 60.0, 2.0], cutoff=60.0,
        ... )
        >>> [(c.candidate, c.places.tolist(), c.heights.tolist())
        ...     for c in solved_by(runs).shares().curves]
        [('b', [2.0], [0.5]), ('a', [7.0], [0.5])]
        """
        curves = tuple(
            replace(each, heights=np.asarray(each.heights / self.whole)) for each in self.curves
        )
        return replace(self, curves=curves, whole=1.0)

    def extent(self, candidates: Sequence[Curve], places: Floats) -> tuple[Floats, Floats]:
        """Return the lowest and the highest of some curves at some places."""
        heights = np.stack([curve.at(places) for curve in candidates])
        return heights.min(axis=0), heights.max(axis=0)


def solved_by(runs: Runs) -> RunCurves:
    """Return how many runs each candidate has solved by which time: a cactus plot.

    A run counts if it is solved: a timeout does not, whatever its time. The best candidate is the
    one that solves most, among equals the one that needs less time for it.

    Examples
    --------
    >>> runs = Runs(
    ...     candidate=["a", "a", "b"], instance=["i", "j", "i"], status=["ok", "ok", "TO"],
    ...     time=[7.0, 2.0, 60.0], cutoff=60.0,
    ... )
    >>> [(c.candidate, c.places.tolist(), c.heights.tolist()) for c in solved_by(runs).curves]
    [('a', [2.0, 7.0], [1.0, 2.0]), ('b', [], [])]
    """
    times = _times(runs)
    timed = runs.solved & ~np.isnan(times)
    curves = [
        _steps(name, times[timed & (runs.candidate == i)]) for i, name in enumerate(runs.candidates)
    ]
    totals = [float(times[timed & (runs.candidate == i)].sum()) for i in range(len(curves))]
    quick = ranks(-np.array(totals), unit=0.0)
    order = sorted(range(len(curves)), key=lambda i: (-_height(curves[i]), quick[i]))
    return _gathered(runs, [curves[i] for i in order], float(len(np.unique(runs.judge))))


def time_span(found: RunCurves) -> tuple[float, float, bool]:
    """Return where an axis of times begins and ends, and whether it should be logarithmic.

    It should where half of the runs are solved in the first twentieth of the time. A logarithmic
    axis begins at a power of ten, and not below a hundred-thousandth of the limit.
    """
    counts = [np.diff(curve.heights, prepend=0.0).astype(np.int64) for curve in found.curves]
    times = np.concatenate(
        [np.repeat(curve.places, k) for curve, k in zip(found.curves, counts, strict=True)]
    )
    latest = float(times.max()) if len(times) else 0.0
    stop = max(latest, found.cutoff or 0.0) or 1.0
    above = times[times > stop * DEEPEST]
    if not len(above) or float(np.median(times)) * SKEWED > stop:
        return 0.0, stop, False
    return float(10 ** np.floor(np.log10(above.min()))), stop, True


def performance_profile(runs: Runs) -> RunCurves:
    r"""Return on which share of the runs each candidate is within a factor of the fastest.

    .. math:: \rho_s(\tau) = \frac{1}{n_p} \left|\{p : t_{ps} \le \tau \min_{s'} t_{ps'}\}\right|

    with the times :math:`t_{ps}` of solved runs; what is not solved is within no factor, and counts
    in :math:`n_p` nevertheless, even where nobody solved it. The best candidate is the one that
    solves most, among equals the one that is fastest most often.

    Notes
    -----
    Differs from [1]_ for times of 0, of which there is no ratio: they count as the smallest time
    above 0 in the table. A profile depends on who takes part: the order of two candidates in it
    may change with a third.

    References
    ----------
    .. [1] Dolan, Moré (2002), "Benchmarking optimization software with performance profiles",
           Mathematical Programming 91, eq. 1 and 2.
    """
    times = _times(runs)
    timed = runs.solved & ~np.isnan(times)
    above = times[timed & (times > 0)]
    times = np.maximum(times, above.min() if len(above) else 1.0)
    judges, place = np.unique(runs.judge, return_inverse=True)
    fastest = np.full(len(judges), np.inf)
    np.minimum.at(fastest, place[timed], times[timed])
    ratios = times / fastest[place]
    number = float(len(judges))
    curves = []
    for i, name in enumerate(runs.candidates):
        own = _steps(name, ratios[timed & (runs.candidate == i)])
        curves.append(
            Curve(candidate=name, places=own.places, heights=np.asarray(own.heights / number))
        )
    one = np.ones(1)
    order = sorted(curves, key=lambda curve: (-_height(curve), -float(curve.at(one)[0])))
    return _gathered(runs, order, 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class SolvedByStratum:
    """Hold how many runs of each stratum each candidate solved.

    Attributes
    ----------
    candidates
        Best first: by the number of all solved runs.
    strata
        The largest first.
    solved
        (S, n), the number of solved runs.
    sizes
        (S,), the number of runs each candidate should have: instances times seeds.
    merged
        How many strata the last one stands for; 0 where it is one.
    """

    candidates: tuple[str, ...]
    strata: tuple[str, ...]
    solved: Integers
    sizes: Integers
    merged: int = 0

    def at_most(self, number: int) -> SolvedByStratum:
        """Return the largest strata, and the others as one, so many in all."""
        if len(self.strata) <= number:
            return self
        kept = number - 1
        others = len(self.strata) - kept
        return SolvedByStratum(
            candidates=self.candidates,
            strata=(*self.strata[:kept], f"{others} others"),
            solved=np.vstack([self.solved[:kept], self.solved[kept:].sum(axis=0)]),
            sizes=np.append(self.sizes[:kept], self.sizes[kept:].sum()),
            merged=others,
        )


def solved_by_stratum(runs: Runs) -> SolvedByStratum:
    """Return how many runs of each stratum each candidate solved; absent runs are not solved."""
    names = runs.strata or ("all",)
    table = np.zeros((len(names), len(runs.candidates)), dtype=np.int64)
    np.add.at(table, (runs.categories[runs.solved], runs.candidate[runs.solved]), 1)
    _, first = np.unique(runs.judge, return_index=True)
    sizes = np.bincount(runs.categories[first], minlength=len(names))
    columns = np.argsort(-table.sum(axis=0), kind="stable")
    rows = np.argsort(-sizes, kind="stable")
    return SolvedByStratum(
        candidates=tuple(runs.candidates[i] for i in columns.tolist()),
        strata=tuple(names[s] or "(none)" for s in rows.tolist()),
        solved=table[rows][:, columns],
        sizes=sizes[rows],
    )


def _times(runs: Runs) -> Floats:
    if runs.time is None:
        raise UsageError(
            f"{runs.source}: the runs have no times, so there is no curve over time.",
            hint=f"name the column of the seconds, e.g. {both('time', 'cpu_time')}.",
        )
    return np.asarray(runs.time)


def _steps(candidate: str, values: Floats) -> Curve:
    places, counts = np.unique(values, return_counts=True)
    heights = np.cumsum(counts).astype(np.float64)
    return Curve(candidate=candidate, places=places, heights=heights)


def _height(curve: Curve) -> float:
    return float(curve.heights[-1]) if len(curve.heights) else 0.0


def _gathered(runs: Runs, curves: Sequence[Curve], whole: float) -> RunCurves:
    limits = None if runs.cutoff is None else runs.cutoff[~np.isnan(runs.cutoff)]
    return RunCurves(
        curves=tuple(curves),
        whole=whole,
        cutoff=float(limits.max()) if limits is not None and len(limits) else None,
        untimed=int(np.count_nonzero(runs.solved & np.isnan(_times(runs)))),
        seeds=max(len(runs.seeds), 1),
    )
