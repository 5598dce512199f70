"""Pictures of runs: how many are solved by when, how much slower than the fastest, of what kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from deadheat.core.errors import UsageError, counted, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.runs import Runs
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import ranks
from deadheat.report.charts.grids import heat
from deadheat.report.charts.pixels import LINE, fitting, spread_apart
from deadheat.report.charts.rows import name_of, name_room, prose
from deadheat.report.charts.spec import Spec, data, field, framed, layer, lookup, mark, then, tips
from deadheat.report.picture import Picture, draws

LARGEST_RATIO = 1e6
NARROWEST = 12  # pixels across a column
MOST_CELLS = 4_000


@draws(Runs, first=True)
def cactus(runs: Runs, *, width: int) -> Picture:
    """Show how many instances each candidate has solved by which time."""
    found = solved_by(runs)
    span = time_span(found)
    most = max((curve.height for curve in found.curves), default=0.0) or 1.0
    noun, title = found.noun, f"solved {found.noun}"
    untimed = f" {found.untimed:,} solved without a time are left out." if found.untimed else ""
    return Picture(
        view=step_lines(
            found,
            span,
            width=width,
            top=most * 1.03,
            titles=("seconds, log scale" if span.log else "seconds", title),
            form=",.0f" if most >= 5 else ",~r",
        ),
        title=f"{title} by time",
        see=f"A higher line has solved more {noun} by that time{among(found)}.",
        alt=f"Solved {noun} of {number(found.whole)} by {number(span.stop)} seconds, most first; "
        "what is not solved in time counts as not solved. "
        f"{prose([_solved_in_words(curve, found.whole) for curve in found.curves])}{untimed}",
    )


def _solved_in_words(curve: Curve, whole: float) -> str:
    half = curve.time_to_reach(whole / 2)
    when = "never half of all" if math.isinf(half) else f"half of all by {number(half)} seconds"
    share = percent(curve.height / whole)
    return f"{name_of(curve.candidate)}: {number(curve.height)} ({share}), {when}."


@draws(Runs, figure="Dolan and Moré (2002), figure 1")
def performance_profile(runs: Runs, *, width: int) -> Picture:
    """Show how often each candidate is within a factor of the fastest one."""
    found = profile(runs)
    largest = max((float(c.places[-1]) for c in found.curves if len(c.places)), default=1.0)
    span = Span(1.0, min(max(largest * 1.05, 2.0), LARGEST_RATIO), log=True)
    titles = ("times the fastest", f"share of {found.noun}")
    said = [
        f"{name_of(curve.candidate)}: fastest on {percent(fastest)}, solves {percent(ever)}."
        for curve in found.curves
        for fastest, ever in [curve.at(np.array([1.0, np.inf])).tolist()]
    ]
    return Picture(
        view=step_lines(found, span, width=width, top=1.0, titles=titles, form=".0%"),
        title="performance profile",
        see="On the left is how often each is the fastest, on the right how much it solves at all"
        f"{among(found)}.",
        alt=f"Share of {found.noun} on which each is within a factor of the fastest. {prose(said)}",
    )


@draws(Runs)
def solved_by_family(runs: Runs, *, width: int) -> Picture:
    """Show how much of each family (stratum) of instances each candidate solves."""
    found = solved_by_stratum(runs)
    n, room = len(found.candidates), (width - name_room(width)) // NARROWEST
    across = n <= room and n < len(found.strata)  # candidates stand across, families down
    found = found.at_most(MOST_CELLS // n if across else max(2, min(room, MOST_CELLS // n)))
    sizes = found.sizes.tolist()
    families = [f"{name} ({size})" for name, size in zip(found.strata, sizes, strict=True)]
    cells = []
    for s, k in np.ndindex(found.solved.shape):
        (i, j), solved = (s, k) if across else (k, s), int(found.solved[s, k])
        cells.append({"i": i, "j": j, "v": round(solved / sizes[s], 3), "solved": solved})
    legend = {"format": ".0%", "values": [0, 0.5, 1], "gradientLength": min(140, width // 3)}
    look: Spec = {
        "color": field("v:Q", title="solved", scale={"domain": [0, 1]}, legend=legend),
        "deep": "datum.v < 0.5",
        "text": "solved:Q",
        "tooltip": tips("row:N", "column:N", "solved:Q", ("v:Q", "share", ".0%")),
    }
    rows, columns = (families, found.candidates) if across else (found.candidates, families)
    what = "runs" if len(runs.seeds) > 1 else "instances"
    merged = f"; the {found.merged:,} smallest families are one" if found.merged else ""
    return Picture(
        view=heat(cells, rows, columns, width, **look),
        title=f"solved {what} by family",
        see=f"Each cell is how many {what} of a family a candidate solves, of as many as its name "
        f"has in brackets{merged}.",
        alt=f"Solved {what} in {counted(len(families), 'family', 'families')}. "
        + prose([_most_and_least(found, s, families[s]) for s in range(len(families))]),
    )


def _most_and_least(found: SolvedByStratum, s: int, family: str) -> str:
    solved = found.solved[s]
    most, least = int(solved.max()), int(solved.min())
    if most == least:
        return f"{name_of(family)}: {most} by everybody."
    best = np.flatnonzero(solved == most).tolist()
    one = name_of(found.candidates[best[0]])
    who = one if len(best) == 1 else counted(len(best), "candidate")
    return f"{name_of(family)}: {least} to {most}, most by {who}."


# ------------------------------------------------------------------------------
# What is counted: step curves over time or over ratios of times, and cells by stratum.

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

    def time_to_reach(self, height: float) -> float:
        step = int(np.searchsorted(self.heights, height))
        return float(self.places[step]) if step < len(self.places) else float("inf")

    def thinned(self, most: int) -> Curve:
        """Return at most so many steps, with both ends; those between are late, never early."""
        if len(self.places) <= most:
            return self
        kept = np.unique(np.linspace(0, len(self.places) - 1, most).round().astype(np.int64))
        return self.part(kept)

    def part(self, kept: Integers | Booleans) -> Curve:
        return replace(self, places=self.places[kept], heights=self.heights[kept])

    def over(self, whole: float) -> Curve:
        return replace(self, heights=np.asarray(self.heights / whole))


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

    @classmethod
    def of(cls, runs: Runs, curves: Sequence[Curve], whole: float) -> RunCurves:
        limits = np.empty(0) if runs.cutoff is None else runs.cutoff[~np.isnan(runs.cutoff)]
        return cls(
            curves=tuple(curves),
            whole=whole,
            cutoff=float(limits.max()) if len(limits) else None,
            untimed=int(np.count_nonzero(runs.solved & np.isnan(_times(runs)))),
            seeds=max(len(runs.seeds), 1),
        )

    @property
    def noun(self) -> str:
        return "runs" if self.seeds > 1 else "instances"


def solved_by(runs: Runs) -> RunCurves:
    """Return how many runs each candidate has solved by which time: a cactus plot.

    A run counts if it is solved: a timeout does not, whatever its time. The best candidate is the
    one that solves most, among equals the one that needs less time for it.

    >>> runs = Runs(
    ...     candidate=["a", "a", "b"], instance=["i", "j", "i"], status=["ok", "ok", "TO"],
    ...     time=[7.0, 2.0, 60.0], cutoff=60.0,
    ... )
    >>> [(c.candidate, c.places.tolist(), c.heights.tolist()) for c in solved_by(runs).curves]
    [('a', [2.0, 7.0], [1.0, 2.0]), ('b', [], [])]
    """
    times = _times(runs)
    curves = _steps(runs, times)
    timed = runs.solved & ~np.isnan(times)
    totals = [float(times[timed & (runs.candidate == i)].sum()) for i in range(len(curves))]
    quick = ranks(-np.array(totals), unit=0.0)
    order = sorted(range(len(curves)), key=lambda i: (-curves[i].height, quick[i]))
    return RunCurves.of(runs, [curves[i] for i in order], float(len(np.unique(runs.judge))))


class Span(NamedTuple):
    """Hold where the axis across begins and ends, and whether it is logarithmic."""

    start: float
    stop: float
    log: bool


def time_span(found: RunCurves) -> Span:
    """Return the axis of times: logarithmic where half of the runs take a twentieth of the limit.

    Then it begins at a power of ten, and not below a hundred-thousandth of the limit.
    """
    times = np.concatenate(
        [np.repeat(c.places, np.diff(c.heights, prepend=0.0).astype(int)) for c in found.curves]
    )
    latest = float(times.max()) if len(times) else 0.0
    stop = max(latest, found.cutoff or 0.0) or 1.0
    above = times[times > stop * DEEPEST]
    if not len(above) or float(np.median(times)) * SKEWED > stop:
        return Span(0.0, stop, log=False)
    return Span(float(10 ** np.floor(np.log10(above.min()))), stop, log=True)


def profile(runs: Runs) -> RunCurves:
    r"""Return on which share of the runs each candidate is within a factor of the fastest.

    .. math:: \rho_s(\tau) = \frac{1}{n_p} \left|\{p : t_{ps} \le \tau \min_{s'} t_{ps'}\}\right|

    with the times :math:`t_{ps}` of solved runs; what is not solved is within no factor, and counts
    in :math:`n_p` nevertheless, even where nobody solved it. The best candidate is the one that
    solves most, among equals the one that is fastest most often. [1]_ has no ratio of times of 0:
    here they count as the smallest time above 0 in the table.

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
    curves = [curve.over(float(len(judges))) for curve in _steps(runs, times / fastest[place])]
    one = np.ones(1)
    order = sorted(curves, key=lambda curve: (-curve.height, -float(curve.at(one)[0])))
    return RunCurves.of(runs, order, 1.0)


def _times(runs: Runs) -> Floats:
    if runs.time is None:
        raise UsageError(
            f"{runs.source}: the runs have no times, so there is no curve over time.",
            hint=f"name the column of the seconds, e.g. {say('time', 'cpu_time')}.",
        )
    return np.asarray(runs.time)


def _steps(runs: Runs, places: Floats) -> list[Curve]:
    """Return how many solved runs each candidate has up to each place, those without left out."""
    there = runs.solved & ~np.isnan(_times(runs))
    found = (
        np.unique(places[there & (runs.candidate == i)], return_counts=True)
        for i in range(len(runs.candidates))
    )
    return [
        Curve(candidate=name, places=mine, heights=np.cumsum(counts).astype(np.float64))
        for name, (mine, counts) in zip(runs.candidates, found, strict=True)
    ]


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


# ------------------------------------------------------------------------------
# Step curves, one per candidate: the best in colour with their names beside them, others grey.

NAMED = 12  # curves with a colour and a name
HUES = 6
GREY = 40  # other curves that are drawn each by itself
STEPS, FEW_STEPS = 160, 50
DECADES = 1.5  # above which powers of ten are ticks enough
NARROW = 400
STEP = {"interpolate": "step-after", "clip": True}


def step_lines(
    found: RunCurves, span: Span, *, width: int, top: float, titles: tuple[str, str], form: str
) -> Spec:
    """Return the chart of curves over a span and from 0 to ``top``, the best named."""
    height, room = (220, 84) if width < NARROW else (320, 150)
    best, rest = found.curves[:NAMED], found.curves[NAMED:]
    ends = [float(curve.at(np.array([span.stop]))[0]) for curve in best]
    # Better ones stand above where ends are equal.
    wanted = [height * (1 - end / top) + k * 1e-6 for k, end in enumerate(ends)]
    places = spread_apart(wanted, gap=LINE, low=0.0, high=float(height))
    named = data(
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
    )
    axis: Spec = {"format": ",~r", "labelOverlap": True}
    if span.log and np.log10(span.stop / span.start) > DECADES:
        first, last = math.log10(span.start) - 1e-9, math.log10(span.stop) + 1e-9
        axis["values"] = [float(f"1e{k}") for k in range(math.ceil(first), int(last) + 1)]
    else:
        axis["tickCount"] = 5
    scale = {"type": "log" if span.log else "linear", "domain": [*span[:2]], "nice": False}
    x = field("x:Q", title=titles[0], scale=scale, axis=axis)
    up = {"scale": {"domain": [0, top], "nice": False}, "axis": {"format": form, "tickCount": 5}}
    y = field("y:Q", title=titles[1], **up)
    dashes = {"domain": [0, 1], "range": [[1, 0], [4, 2]]}
    look = {
        "color": field("hue:N", legend=None, scale={"domain": list(range(HUES))}),
        "strokeDash": field("dash:N", legend=None, scale=dashes),
    }
    points = data(row for k, curve in enumerate(best) for row in _points(k, curve, span))
    known = {**named, "key": "line", "fields": ["candidate", "hue", "dash"]}
    lines = {"detail": "line:N", "tooltip": field("candidate:N"), "strokeWidth": 1.8, **STEP}
    leaders = {"x2": {"value": {"expr": "width + 10"}}, "y2": "label:Q", "strokeWidth": 1}
    names: Spec = {"text": "short:N", "color": look["color"], "tooltip": field("candidate:N")}
    names |= {"align": "left", "dx": 12, "limit": room, "baseline": "middle"}
    end, points = "width", then(points, {"lookup": "line", "from": known})
    chart = layer(
        *_others(rest, span, x, y),
        mark("line", points, x=x, y=y, **look, **lines),
        mark("rule", named, x=end, y=y, **look, **leaders),
        mark("text", named, x=end, y="label:Q", **names),
    )
    return framed(chart, width, height)


def among(found: RunCurves) -> str:
    others = len(found.curves) - NAMED
    if others <= 0:
        return ""
    where = "the grey lines" if others <= GREY else "within the grey band"
    return f"; the best {NAMED} are named and the other {others:,} are {where}"


def _points(line: int, curve: Curve, span: Span, most: int = STEPS) -> list[dict[str, Any]]:
    thin = curve.part((curve.places > span.start) & (curve.places < span.stop)).thinned(most)
    ends = curve.at(np.array([span.start, span.stop])).tolist()
    places = [span.start, *thin.places.tolist(), span.stop]
    heights = [ends[0], *thin.heights.tolist(), ends[1]]
    return [
        {"line": line, "x": float(f"{x:.5g}"), "y": float(f"{y:.5g}")}
        for x, y in zip(places, heights, strict=True)
    ]


def _others(rest: tuple[Curve, ...], span: Span, x: Spec, y: Spec) -> list[Spec]:
    """Return the candidates without a name: faint lines, or where they are many one band."""
    if not rest:
        return []
    look: Spec = {"x": x, "y": y, "style": "faint", **STEP}
    if len(rest) <= GREY:
        rows = [row for k, c in enumerate(rest) for row in _points(k, c, span, FEW_STEPS)]
        names = ({"line": k, "candidate": c.candidate} for k, c in enumerate(rest))
        lines = lookup(data(rows), "line", names)
        look |= {"detail": "line:N", "tooltip": field("candidate:N"), "strokeWidth": 1}
        return [mark("line", lines, **look)]
    places = (np.geomspace if span.log else np.linspace)(span.start, span.stop, STEPS)
    heights = np.stack([curve.at(places) for curve in rest])
    low, high = heights.min(axis=0), heights.max(axis=0)
    band = data({"x": a, "y": b, "high": c} for a, b, c in zip(places, low, high, strict=True))
    others = {"value": f"{len(rest):,} others"}
    return [mark("area", band, y2="high:Q", tooltip=others, **look)]
