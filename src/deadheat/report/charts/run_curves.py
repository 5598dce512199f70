"""How many runs are solved by when: the step curves of cactus plots and performance profiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from deadheat.core.errors import UsageError, say, visible
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.runs import Runs
from deadheat.ranking.ranks import ranks
from deadheat.report.charts.placement import LINE, fitting, spread
from deadheat.report.charts.rows import data, framed, looked_up

SKEWED = 20.0  # times the median time is the limit: then most of what happens is near 0
DEEPEST = 1e-5  # of the limit, below which times are not told apart


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """Hold a step curve: ``heights[k]`` holds from ``places[k]`` on, and 0 before the first."""

    candidate: str
    places: Floats
    heights: Floats

    @property
    def height(self) -> float:
        return float(self.heights[-1]) if len(self.heights) else 0.0

    def at(self, places: Floats) -> Floats:
        below = np.searchsorted(self.places, places, side="right")
        return np.concatenate([[0.0], self.heights])[below]

    def reached(self, height: float) -> float:
        step = int(np.searchsorted(self.heights, height))
        return float(self.places[step]) if step < len(self.places) else float("inf")

    def thinned(self, most: int) -> Curve:
        """Return the curve through at most so many of its steps: the first, the last, and others.

        The steps that stay have their right heights; those between are drawn late, never early.
        """
        if len(self.places) <= most:
            return self
        kept = np.unique(np.linspace(0, len(self.places) - 1, most).round().astype(np.int64))
        return self.part(kept)

    def part(self, kept: Integers | Booleans) -> Curve:
        return replace(self, places=self.places[kept], heights=self.heights[kept])


@dataclass(frozen=True, eq=False, kw_only=True)
class RunCurves:
    """Hold the curves of all candidates, best first.

    A height counts up to the ``whole``: all instances (times their ``seeds``), or 1. ``cutoff`` is
    the largest time limit, if any is known; no curve can show runs solved at an ``untimed`` hour.
    """

    curves: tuple[Curve, ...]
    whole: float
    cutoff: float | None
    untimed: int
    seeds: int

    @property
    def noun(self) -> str:
        return "runs" if self.seeds > 1 else "instances"

    def shares(self) -> RunCurves:
        """Return the same curves with shares of all runs as heights: a quantile plot.

        What is not solved counts in the whole, so that no curve rises above what is solved.
        """
        curves = tuple(
            replace(each, heights=np.asarray(each.heights / self.whole)) for each in self.curves
        )
        return replace(self, curves=curves, whole=1.0)


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
    each = [times[timed & (runs.candidate == i)] for i in range(len(runs.candidates))]
    curves = [_steps(name, mine) for name, mine in zip(runs.candidates, each, strict=True)]
    totals = [float(mine.sum()) for mine in each]
    quick = ranks(-np.array(totals), unit=0.0)
    order = sorted(range(len(curves)), key=lambda i: (-curves[i].height, quick[i]))
    return _run_curves(runs, [curves[i] for i in order], float(len(np.unique(runs.judge))))


class Span(NamedTuple):
    """Hold where the axis across begins and ends, and whether it is logarithmic."""

    start: float
    stop: float
    log: bool


def time_span(found: RunCurves) -> Span:
    """Return the axis of times of some curves.

    It is logarithmic where half of the runs are solved in the first twentieth of the time. Then it
    begins at a power of ten, and not below a hundred-thousandth of the limit.
    """
    counts = [np.diff(curve.heights, prepend=0.0).astype(np.int64) for curve in found.curves]
    times = np.concatenate(
        [np.repeat(curve.places, k) for curve, k in zip(found.curves, counts, strict=True)]
    )
    latest = float(times.max()) if len(times) else 0.0
    stop = max(latest, found.cutoff or 0.0) or 1.0
    above = times[times > stop * DEEPEST]
    if not len(above) or float(np.median(times)) * SKEWED > stop:
        return Span(0.0, stop, log=False)
    return Span(float(10 ** np.floor(np.log10(above.min()))), stop, log=True)


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
    counts = [
        _steps(name, ratios[timed & (runs.candidate == i)])
        for i, name in enumerate(runs.candidates)
    ]
    curves = [replace(each, heights=np.asarray(each.heights / number)) for each in counts]
    one = np.ones(1)
    order = sorted(curves, key=lambda curve: (-curve.height, -float(curve.at(one)[0])))
    return _run_curves(runs, order, 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class SolvedByStratum:
    """Hold how many runs each candidate (best first) solved of each stratum (largest first).

    ``solved`` is (S, n); ``sizes`` (S,) are the runs that each candidate should have. The last
    stratum stands for ``merged`` ones, if any.
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
            hint=f"name the column of the seconds, e.g. {say('time', 'cpu_time')}.",
        )
    return np.asarray(runs.time)


def _steps(candidate: str, values: Floats) -> Curve:
    places, counts = np.unique(values, return_counts=True)
    heights = np.cumsum(counts).astype(np.float64)
    return Curve(candidate=candidate, places=places, heights=heights)


def _run_curves(runs: Runs, curves: Sequence[Curve], whole: float) -> RunCurves:
    limits = None if runs.cutoff is None else runs.cutoff[~np.isnan(runs.cutoff)]
    return RunCurves(
        curves=tuple(curves),
        whole=whole,
        cutoff=float(limits.max()) if limits is not None and len(limits) else None,
        untimed=int(np.count_nonzero(runs.solved & np.isnan(_times(runs)))),
        seeds=max(len(runs.seeds), 1),
    )


# ------------------------------------------------------------------------------
# Step curves, one per candidate: the best in colour with their names beside them, others grey.

NAMED = 12  # curves with a colour and a name
HUES = 6
GREY = 40  # other curves that are drawn each by itself
STEPS, FEW_STEPS = 160, 50
DECADES = 1.5  # above which powers of ten are ticks enough
NARROW = 400
PLAIN = ",~r"


def step_lines(
    found: RunCurves, span: Span, *, width: int, top: float, titles: tuple[str, str], form: str
) -> Any:
    """Return the chart of curves over a span and from 0 to ``top``, the best named."""
    height, room = (220, 84) if width < NARROW else (320, 150)
    best, rest = found.curves[:NAMED], found.curves[NAMED:]
    named = data(_ends(best, span.stop, top, height, room))
    points = data(row for k, curve in enumerate(best) for row in _points(k, curve, span))
    kind: Any = "log" if span.log else "linear"
    x = alt.X(
        "x:Q",
        title=titles[0],
        scale=alt.Scale(type=kind, domain=[span.start, span.stop], nice=False),
        axis=_axis(span),
    )
    y = alt.Y(
        "y:Q",
        title=titles[1],
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=form, tickCount=5),
    )
    hue = alt.Color("hue:N", legend=None, scale=alt.Scale(domain=list(range(HUES))))
    dash = alt.StrokeDash(
        "dash:N", legend=None, scale=alt.Scale(domain=[0, 1], range=[[1, 0], [4, 2]])
    )
    end: Any = {"value": "width"}
    told = alt.LookupData(data=named.data, key="line", fields=["candidate", "hue", "dash"])
    lines = points.mark_line(interpolate="step-after", strokeWidth=1.8, clip=True)
    lines = lines.transform_lookup(lookup="line", from_=told).encode(
        x=x,
        y=y,
        detail=alt.Detail("line:N"),
        color=hue,
        strokeDash=dash,
        tooltip=alt.Tooltip("candidate:N"),
    )
    leaders = named.mark_rule(strokeWidth=1).encode(
        x=end,
        x2=alt.value({"expr": "width + 10"}),
        y=y,
        y2=alt.Y2("label:Q"),
        color=hue,
        strokeDash=dash,
    )
    names = named.mark_text(align="left", dx=12, limit=room, baseline="middle").encode(
        x=end,
        y=alt.Y("label:Q"),
        text=alt.Text("short:N"),
        color=hue,
        tooltip=alt.Tooltip("candidate:N"),
    )
    return framed(alt.layer(*_others(rest, span, x, y), lines, leaders, names), width, height)


def without_time(found: RunCurves) -> str:
    return f" {found.untimed:,} solved without a time are left out." if found.untimed else ""


def among(found: RunCurves) -> str:
    others = len(found.curves) - NAMED
    if others <= 0:
        return ""
    drawn = "the grey lines" if others <= GREY else "within the grey band"
    return f"; the best {NAMED} are named and the other {others:,} are {drawn}"


def _ends(
    best: tuple[Curve, ...], stop: float, top: float, height: int, room: int
) -> list[dict[str, Any]]:
    ends = [float(curve.at(np.array([stop]))[0]) for curve in best]
    # Better ones stand above where ends are equal.
    wanted = [height * (1 - end / top) + k * 1e-6 for k, end in enumerate(ends)]
    places = spread(wanted, gap=LINE, low=0.0, high=float(height))
    return [
        {
            "line": k,
            "candidate": curve.candidate,
            "short": fitting(curve.candidate, room),
            "hue": k % HUES,
            "dash": k // HUES,
            "y": ends[k],
            "label": top * (1 - places[k] / height),
        }
        for k, curve in enumerate(best)
    ]


def _points(line: int, curve: Curve, span: Span, most: int = STEPS) -> list[dict[str, Any]]:
    thin = curve.part((curve.places > span.start) & (curve.places < span.stop)).thinned(most)
    ends = curve.at(np.array([span.start, span.stop])).tolist()
    places = [span.start, *thin.places.tolist(), span.stop]
    heights = [ends[0], *thin.heights.tolist(), ends[1]]
    return [
        {"line": line, "x": float(f"{x:.5g}"), "y": float(f"{y:.5g}")}
        for x, y in zip(places, heights, strict=True)
    ]


def _others(rest: tuple[Curve, ...], span: Span, x: alt.X, y: alt.Y) -> list[Any]:
    """Return the candidates without a name: faint lines, or where they are many one band."""
    if not rest:
        return []
    if len(rest) <= GREY:
        rows = [row for k, c in enumerate(rest) for row in _points(k, c, span, FEW_STEPS)]
        names = ({"line": k, "candidate": c.candidate} for k, c in enumerate(rest))
        lines = looked_up(data(rows), "line", names).mark_line(
            style="faint", interpolate="step-after", strokeWidth=1, clip=True
        )
        return [
            lines.encode(x=x, y=y, detail=alt.Detail("line:N"), tooltip=alt.Tooltip("candidate:N"))
        ]
    even = np.geomspace if span.log else np.linspace
    places = even(span.start, span.stop, STEPS)
    heights = np.stack([curve.at(places) for curve in rest])
    low, high = heights.min(axis=0), heights.max(axis=0)
    band = data({"x": a, "y": b, "high": c} for a, b, c in zip(places, low, high, strict=True))
    return [
        band.mark_area(style="faint", interpolate="step-after", clip=True).encode(
            x=x, y=y, y2=alt.Y2("high:Q"), tooltip=alt.value(visible(f"{len(rest):,} others"))
        )
    ]


def _axis(span: Span) -> alt.Axis:
    if span.log and np.log10(span.stop / span.start) > DECADES:
        first, last = (float(np.log10(end)) for end in (span.start, span.stop))
        ticks = [float(f"1e{k}") for k in range(math.ceil(first - 1e-9), int(last + 1e-9) + 1)]
        return alt.Axis(values=ticks, format=PLAIN, labelOverlap=True)
    return alt.Axis(format=PLAIN, tickCount=5, labelOverlap=True)
