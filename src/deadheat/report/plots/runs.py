"""Pictures of runs: how many are solved by when, how much slower than the fastest, of what kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from deadheat.core.errors import UsageError, counted, listed
from deadheat.core.types import Booleans, Floats, Integers, Row
from deadheat.data.runs import Runs
from deadheat.output.text import number, percent
from deadheat.rank.api import rank
from deadheat.ranking.ranks import ranks
from deadheat.report.charts.grids import WIDE_ENOUGH, heat
from deadheat.report.charts.pixels import LINE, fitting, inner, label_width, powers, spread_apart
from deadheat.report.charts.rows import how_many, name_of, name_room, only_first, prose
from deadheat.report.charts.spec import Spec, data, field, layer, lookup, mark, then, tips
from deadheat.report.charts.theme import HUES
from deadheat.report.picture import Picture, draws

LARGEST_RATIO = 1e6
MOST_CELLS = 4_000
MOST_FAMILIES = 40


@draws(Runs, first=True)
def cactus(runs: Runs, *, width: int, top: int | None = None, level: Sequence[str] = ()) -> Picture:
    """Show how many instances each candidate has solved by which time, and how far behind it is.

    Those who are ``level`` with the leader, by default who solve most, are in the accent colour.
    """
    found = solved_by(runs)
    span = time_span(found)
    most = max((curve.height for curve in found.curves), default=0.0) or 1.0
    title = f"solved {found.noun}"
    untimed = f" {found.untimed:,} solved without a time are left out." if found.untimed else ""
    lines = StepLines(found, span, width=width, top=most * 1.03, first=top, level=level)
    return Picture(
        view=lines.chart(
            titles=("seconds, log scale" if span.log else "seconds", title),
            form=",.0f" if most >= 5 else ",~r",
            told=number,
        ),
        title="Who solves most, and how fast",
        see=f"Above: {found.noun} solved by that time; right: in all. Below: how many behind the "
        f"best. {lines.in_words(runs)}",
        alt=f"Solved {found.noun} of {number(found.whole)} by {number(span.stop)} seconds, most "
        "first; what is not solved in time counts as not solved. "
        f"{prose([_solved_in_words(curve, found.whole) for curve in found.curves])}{untimed}",
    )


def _solved_in_words(curve: Curve, whole: float) -> str:
    half = curve.time_to_reach(whole / 2)
    when = "never half of all" if math.isinf(half) else f"half of all by {number(half)} seconds"
    share = percent(curve.height / whole)
    return f"{name_of(curve.candidate)}: {number(curve.height)} ({share}), {when}."


@draws(Runs, figure="Dolan and Moré (2002), figure 1")
def performance_profile(
    runs: Runs, *, width: int, top: int | None = None, level: Sequence[str] = ()
) -> Picture:
    """Show how often each candidate is within a factor of the fastest one.

    Those who are ``level`` with the leader, by default who solve most, are in the accent colour.
    """
    found = profile(runs)
    largest = max((float(c.places[-1]) for c in found.curves if len(c.places)), default=1.0)
    span = Span(1.0, min(max(largest * 1.05, 2.0), LARGEST_RATIO), log=True)
    titles = ("times the fastest, log scale", f"share of {found.noun}")
    said = [
        f"{name_of(curve.candidate)}: fastest on {percent(fastest)}, solves {percent(ever)}."
        for curve in found.curves
        for fastest, ever in [curve.at(np.array([1.0, np.inf])).tolist()]
    ]
    lines = StepLines(found, span, width=width, top=1.0, first=top, level=level)
    return Picture(
        view=lines.chart(titles=titles, form=".0%", told=percent),
        title="How close to the fastest",
        see=f"Left: how often each is the fastest. Right: what it solves at all. Below: how far "
        f"behind the best. {lines.in_words(runs)}",
        alt=f"Share of {found.noun} on which each is within a factor of the fastest. {prose(said)}",
    )


@draws(Runs)
def solved_by_family(
    runs: Runs, *, width: int, top: int | None = None, order: Sequence[str] = ()
) -> Picture:
    """Show how many runs of each stratum of instances each candidate fails to solve.

    A stratum without a noun of its own is a family. Candidates stand in that ``order``, by default
    in that of the ranking by the rule of the runs.
    """
    found, nouns = solved_by_stratum(runs, order or _ranked(runs)), runs.nouns
    n, families = len(found.candidates), len(found.strata)
    what = "runs" if len(runs.seeds) > 1 else nouns.judges()
    title, family = "Where it was lost", nouns.facts().get("stratum", "family")
    few = how_many(top, n)
    fewer = only_first(few, n, nouns)
    every = found.with_failures_of(few)
    if not every.strata:
        who = f"Every {nouns.candidate}" if few == n else f"Each of the first {few:,}"
        return Picture.sentence(title, f"{who} solved all {what}.", width)
    if families == 1:
        failed, of = every.failures[0].tolist(), f"of {every.sizes[0]:,} {what}"
        told = [f"{name_of(found.candidates[0])} fails on {failed[0]:,} {of}"]
        told += [f"the next on {failed[1]:,}"] if few > 1 else []
        return Picture.sentence(title, ", ".join(told) + ".", width)
    room = int((inner(width) - name_room(width)) // WIDE_ENOUGH)
    found = every.at_most(min(max(2, room), MOST_CELLS // few, MOST_FAMILIES))
    failures, sizes = found.failures, found.sizes.tolist()
    heads = [f"{name} ({size})" for name, size in zip(found.strata, sizes, strict=True)]
    cells = [
        {"i": k, "j": s, "v": int(failures[s, k]), "share": round(failures[s, k] / sizes[s], 3)}
        for s, k in np.ndindex(failures.shape)
        if failures[s, k]
    ]
    lost = {cell["i"] for cell in cells}
    rows = found.candidates  # those who lost nothing have a row, too
    cells += [{"i": k, "j": 0, "v": None, "share": 0} for k in range(len(rows)) if k not in lost]
    legend = {"format": ".0%", "values": [0.1, 0.5, 1], "symbolType": "square"}
    shade = {"domain": [0, 0.001, 1], "range": [0, 0.12, 1]}
    look: Spec = {
        "opacity": field("share:Q", title=f"share of the {family}", scale=shade, legend=legend),
        "style": "loses",
        "deep": "datum.share > 0.6",
        "text": "v:Q",
        "tooltip": tips(
            ("row:N", nouns.candidate),
            ("column:N", family),
            ("v:Q", "not solved"),
            ("share:Q", "share", ".0%"),
        ),
    }
    merged = f" The last column is {counted(found.merged, family)}." if found.merged else ""
    return Picture(
        view=heat(cells, rows, heads, width, **look),
        title=title,
        see=f"{HUES['loses']}: {what} not solved, by {family} (its {what} in brackets); blank: "
        f"none. {_most_lost(every, families)}{merged}{fewer}",
        alt=f"Not solved {what} in {counted(len(every.strata), family)}. "
        + prose([_most_and_least(every, s) for s in range(len(every.strata))]),
    )


def _ranked(runs: Runs) -> list[str]:
    """Return the candidates best first; a run that is absent counts as not solved."""
    return [row["candidate"] for row in rank(runs, missing="worst").rows()]


def _most_lost(found: SolvedByStratum, families: int) -> str:
    """Say which families hold most failures: as few as hold half of them."""
    by_family = found.failures.sum(axis=1)
    half = int(np.searchsorted(np.cumsum(by_family), by_family.sum() / 2)) + 1
    share = percent(float(by_family[:half].sum() / by_family.sum()))
    if half > 3 or half == families:
        return f"{by_family.sum():,} failures in all."
    return f"{share} of the {by_family.sum():,} failures are in {listed(found.strata[:half])}."


def _most_and_least(found: SolvedByStratum, s: int) -> str:
    failed, family = found.failures[s], f"{name_of(found.strata[s])} ({found.sizes[s]})"
    most, least = int(failed.max()), int(failed.min())
    return f"{family}: {most} by everybody." if most == least else f"{family}: {least} to {most}."


# ------------------------------------------------------------------------------
# What is counted: step curves over time or over ratios of times, and cells by stratum.

SKEWED = 20.0  # times the median time is the limit: then most of what happens is near 0
DEEPEST = 1e-5  # of the limit, below which times are not told apart
EARLIEST = 0.01  # of the runs, that may lie left of the axis


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

    Then it begins where times do: at a round number below nearly all of them.
    """
    times = np.concatenate(
        [np.repeat(c.places, np.diff(c.heights, prepend=0.0).astype(int)) for c in found.curves]
    )
    latest = float(times.max()) if len(times) else 0.0
    stop = max(latest, found.cutoff or 0.0) or 1.0
    above = times[times > stop * DEEPEST]
    if not len(above) or float(np.median(times)) * SKEWED > stop:
        return Span(0.0, stop, log=False)
    begin = float(np.quantile(above, EARLIEST))
    return Span(powers(begin / 5, begin, most=9)[-1], stop, log=True)


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
            hint="it needs a column time, the seconds of each run.",
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
    """Hold how many runs each candidate solved of each stratum (most failures first).

    ``solved`` is (S, n); ``sizes`` (S,) are the runs that each candidate should have. The last
    stratum stands for ``merged`` ones, if any.
    """

    candidates: tuple[str, ...]
    strata: tuple[str, ...]
    solved: Integers
    sizes: Integers
    merged: int = 0

    @property
    def failures(self) -> Integers:
        return np.asarray(self.sizes[:, None] - self.solved)

    def with_failures_of(self, few: int) -> SolvedByStratum:
        """Return the first few candidates, and the strata where one of them fails."""
        solved = self.solved[:, :few]
        lost = np.flatnonzero((solved < self.sizes[:, None]).any(axis=1))
        worst = lost[np.argsort((solved - self.sizes[:, None])[lost].sum(axis=1), kind="stable")]
        return SolvedByStratum(
            candidates=self.candidates[:few],
            strata=tuple(self.strata[s] for s in worst.tolist()),
            solved=solved[worst],
            sizes=self.sizes[worst],
        )

    def at_most(self, number: int) -> SolvedByStratum:
        """Return the strata with most failures, and the others as one, so many in all."""
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


def solved_by_stratum(runs: Runs, order: Sequence[str] = ()) -> SolvedByStratum:
    """Return how many runs of each stratum each candidate solved; absent runs are not solved.

    Without an ``order`` of candidates who solves most comes first.
    """
    names = runs.strata or ("all",)
    table = np.zeros((len(names), len(runs.candidates)), dtype=np.int64)
    np.add.at(table, (runs.categories[runs.solved], runs.candidate[runs.solved]), 1)
    _, first = np.unique(runs.judge, return_index=True)
    sizes = np.bincount(runs.categories[first], minlength=len(names))
    columns = np.argsort(-table.sum(axis=0), kind="stable")
    if order:
        columns = np.array([runs.candidates.index(name) for name in order])
    rows = np.argsort((table - sizes[:, None]).sum(axis=1), kind="stable")
    return SolvedByStratum(
        candidates=tuple(runs.candidates[i] for i in columns.tolist()),
        strata=tuple(names[s] or "(none)" for s in rows.tolist()),
        solved=table[rows][:, columns],
        sizes=sizes[rows],
    )


# ------------------------------------------------------------------------------
# Step curves, one per candidate: the leaders in the accent colour, others grey.

NAMED = 12  # curves with a name
GREY = 40  # other curves that are drawn each by itself
STEPS, FEW_STEPS = 140, 50
NARROW = 400
STEP = {"interpolate": "step-after", "clip": True}
DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2])  # of the leaders, which share a colour
AXIS = 66  # pixels left of the curves
HIGH, LOW = 260, 130  # pixels of the curves, and of how far they are behind


class StepLines:
    """Hold the curves over a span and from 0 to ``top``, and below how far each is behind."""

    def __init__(
        self,
        found: RunCurves,
        span: Span,
        *,
        width: int,
        top: float,
        first: int | None,
        level: Sequence[str],
    ) -> None:
        self.found, self.span, self.top = found, span, top
        self.curves = found.curves[: how_many(first, len(found.curves))]
        self.best, self.rest = self.curves[:NAMED], self.curves[NAMED:]
        most = max((curve.height for curve in found.curves), default=0.0)
        leaders = [curve.candidate for curve in found.curves if curve.height == most]
        self.told, names = bool(level), set(level or leaders)
        self.leading = [k for k, curve in enumerate(self.best) if curve.candidate in names]
        self.room = 128 if width < NARROW else 176
        self.width = width - AXIS - self.room

    def in_words(self, runs: Runs) -> str:
        """Say what the colours mean, and who is not drawn or has no name."""
        accent = f"{HUES['accent']}: level with the leader."
        if not self.told:
            accent = f"{HUES['accent']}: solves most{', together' * (len(self.leading) > 1)}."
        others = len(self.rest)
        where = "grey lines" if others <= GREY else "within the grey band"
        rest = f" The best {NAMED} are named, the other {others:,} {where}." if others else ""
        n = len(self.found.curves)
        return f"{accent}{rest}{only_first(len(self.curves), n, runs.nouns)}"

    def chart(self, *, titles: tuple[str, str], form: str, told: Callable[[float], str]) -> Spec:
        """Return both panels, with what each reaches in the end as it is ``told``."""
        grid = (np.geomspace if self.span.log else np.linspace)(
            self.span.start, self.span.stop, STEPS
        )
        everybody = np.stack([curve.at(grid) for curve in self.found.curves])
        ahead = everybody.max(axis=0)
        fight = everybody[: max(3, (len(everybody) + 1) // 2)] - ahead
        deepest = min(-1e-9, float(fight.min()) * 1.1)
        behind = [
            row
            for k, curve in enumerate(self.best)
            for row in _rows(k, grid, np.asarray(curve.at(grid) - ahead))
        ]
        first = self._panel(
            [row for k, c in enumerate(self.best) for row in _points(k, c, self.span)],
            field("y:Q", title=titles[1], **self._up(0, self.top, form, 5)),
            None,
            told,
        )
        second = self._panel(
            behind,
            field("y:Q", title="behind the best", **self._up(deepest, 0, form, 3)),
            titles[0],
        )
        tall = [HIGH, LOW] if self.width > NARROW / 2 else [200, 110]
        views = [
            {**view, "width": self.width, "height": high}
            for view, high in zip((first, second), tall, strict=True)
        ]
        return {"vconcat": views, "spacing": 12}

    @staticmethod
    def _up(low: float, high: float, form: str, ticks: int) -> dict[str, Any]:
        axis = {"format": form, "tickCount": ticks, "minExtent": AXIS - 24, "maxExtent": AXIS - 24}
        return {"scale": {"domain": [low, high], "nice": False}, "axis": axis}

    def _panel(
        self,
        rows: list[Row],
        y: Spec,
        title: str | None,
        told: Callable[[float], str] | None = None,
    ) -> Spec:
        span = self.span
        axis: Spec = {"format": ",.4~g", "labelOverlap": True, "labels": title is not None}
        axis["tickCount"] = 5
        if span.log:
            axis["values"] = powers(span.start, span.stop, most=max(3, self.width // 60))
        scale = {"type": "log" if span.log else "linear", "domain": [*span[:2]], "nice": False}
        x = field("x:Q", title=title, scale=scale, axis=axis)
        known = data(
            {
                "line": k,
                "candidate": curve.candidate,
                "leads": k in self.leading,
                "dash": self.leading.index(k) % len(DASHES) if k in self.leading else 0,
            }
            for k, curve in enumerate(self.best)
        )
        fields = {"key": "line", "fields": ["candidate", "leads", "dash"]}
        points = then(data(rows), {"lookup": "line", "from": {**known, **fields}})
        dashes = {"domain": list(range(len(DASHES))), "range": list(DASHES)}
        lines: Spec = {"x": x, "y": y, "detail": "line:N", "tooltip": field("candidate:N"), **STEP}
        lines["strokeDash"] = field("dash:N", legend=None, scale=dashes)
        grey = {"style": "muted", "strokeWidth": 1.2, "opacity": 0.45}
        return layer(
            *(_others(self.rest, span, x, y) if told else ()),
            mark("line", points, where="!datum.leads", **lines, **grey),
            mark("line", points, where="datum.leads", **lines, style="accent", strokeWidth=2),
            *(self._names(y, told) if told else ()),
        )

    def _names(self, y: Spec, told: Callable[[float], str]) -> list[Spec]:
        """Return the names, best first, with what each reaches.

        A line joins those of curves that lead, and of those that end beside their name.
        """
        high = HIGH if self.width > NARROW / 2 else 200
        ends = [float(curve.at(np.array([self.span.stop]))[0]) for curve in self.best]
        # Better ones stand above where ends are equal.
        wanted = [high * (1 - end / self.top) + k * 1e-6 for k, end in enumerate(ends)]
        places = spread_apart(wanted, gap=LINE, low=0.0, high=float(high))
        dashes = {"domain": list(range(len(DASHES))), "range": list(DASHES)}
        reached = [told(end) for end in ends]
        column = 12 + max(map(label_width, reached), default=0)
        named = data(
            {
                "line": k,
                "candidate": curve.candidate,
                "short": fitting(curve.candidate, self.room - column - 6),
                "reached": reached[k],
                "joined": k in self.leading or abs(places[k] - wanted[k]) < LINE,
                "leads": k in self.leading,
                "dash": self.leading.index(k) % len(DASHES) if k in self.leading else 0,
                "y": ends[k],
                "label": self.top * (1 - places[k] / high),
            }
            for k, curve in enumerate(self.best)
        )
        join = {"x2": {"value": {"expr": "width + 10"}}, "y2": "label:Q", "strokeWidth": 1}
        join["strokeDash"] = field("dash:N", legend=None, scale=dashes)
        at: Spec = {"x": "width", "y": "label:Q", "baseline": "middle"}
        found = []
        for which, style in (("!datum.leads", "muted"), ("datum.leads", "accent")):
            look = {"style": style}
            text, joined = {"where": which, **at, **look}, {"where": f"{which} && datum.joined"}
            found += [
                mark("rule", named, **joined, x="width", y=y, **join, **look),
                mark("text", named, **text, text="reached:N", align="right", dx=column),
                mark("text", named, **text, text="short:N", align="left", dx=column + 5),
            ]
        return found


def _points(line: int, curve: Curve, span: Span, most: int = STEPS) -> list[dict[str, Any]]:
    thin = curve.part((curve.places > span.start) & (curve.places < span.stop)).thinned(most)
    ends = curve.at(np.array([span.start, span.stop])).tolist()
    places = np.array([span.start, *thin.places, span.stop])
    return _rows(line, places, np.array([ends[0], *thin.heights, ends[1]]))


def _rows(line: int, places: Floats, heights: Floats) -> list[dict[str, Any]]:
    """Return where a step curve changes, and its ends."""
    changes = np.diff(heights, prepend=np.nan) != 0
    changes[-1] = True
    return [
        {"line": line, "x": float(f"{x:.5g}"), "y": float(f"{y:.5g}")}
        for x, y in zip(places[changes].tolist(), heights[changes].tolist(), strict=True)
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
