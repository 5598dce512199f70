"""Pairs of candidates: win rates, who is shown better, who is not told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from deadheat.core.errors import UsageError, counted, say, visible
from deadheat.core.types import Floats, Integers
from deadheat.models.aggregation.ballots import majority
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first
from deadheat.report.charts.grids import block_means
from deadheat.report.charts.rows import LOWEST, Rows, heading, name_of, name_room, names_axis, prose
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark, then, tips
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws
from deadheat.statistics.groups import Members
from deadheat.statistics.pair_tests import Cliques, cliques, nemenyi_ranks
from deadheat.statistics.pair_tests import critical_difference as distance
from deadheat.statistics.strict_groups import Strict, cost_of
from deadheat.verdict.result import Verdict

NUMBERED = 21  # pixels a cell needs for two digits
# The outcome: its style, its symbol on a cell, and the same in the title.
OUTCOMES = {1: ("accent", "triangle-up"), -1: ("second", "triangle-down"), 0: ("faint", "circle")}
MEANING = ("▲ row better than column", "▼ worse", "○ not told apart")
WHO = (("a:N", "row"), ("b:N", "column"))


@draws(Verdict)
def pairs(verdict: Verdict, *, width: int) -> Picture:
    """Show on what share of the judges each candidate scores better than each other."""
    matrix = Matrix(verdict, width)
    relation = majority(verdict.evidence.results)
    leader, *others = matrix.order
    names = verdict.candidates
    shares = [
        "an unknown share" if np.isnan(rate) else percent(rate)
        for rate in relation.rates[leader].tolist()
    ]
    mean = (
        "; there are too many candidates for a cell each, so a cell tells the mean over neighbours "
        "in the ranking"
    )
    return Picture(
        view=_rates(matrix, matrix.means(relation.rates)),
        title="On how many judges one beats another",
        see="Each cell says on what share of the judges the row scores better than the column, "
        f"ties as half{mean if matrix.blocks else ''}.",
        alt=f"Win rates of {len(names)} candidates over the judges who scored both; a tie counts "
        f"half. {name_of(names[leader])}, listed first, scores better than "
        + (prose([f"{name_of(names[i])} on {shares[i]}." for i in others]) or "nobody."),
    )


def _rates(matrix: Matrix, rates: Floats) -> Spec:
    cells = (
        {"i": i, "j": j, "rate": round(float(rates[i, j]), 3)}
        for i, j in np.ndindex(rates.shape)
        if (i != j or matrix.blocks) and not np.isnan(rates[i, j])
    )
    places = matrix.places("the row's share of judges", "against the column")
    places["tooltip"] = tips(*WHO, ("rate:Q", "the row scores better on", ".1%"))
    colour = field(
        "rate:Q",
        title="share of judges",
        scale={"domain": [0, 0.5, 1], "range": "diverging"},
        legend={"format": "%", "gradientLength": 120, "tickCount": 2},
    )
    marks = [mark("rect", **places, color=colour)]
    if min(matrix.pixels, matrix.row + 4) >= NUMBERED:
        far = "datum.rate < 0.15 || datum.rate > 0.9"
        places |= {"text": field("rate:Q", format=".0%"), "fontSize": 9}
        for style, which in (("on-pale", f"!({far})"), ("on-deep", far)):
            marks.append(mark("text", where=which, **places, style=style))
    return matrix.chart(cells, *marks)


def _all_pairs(verdict: Verdict) -> Strict:
    """Return the tests of all pairs; refuse where the verdict has none."""
    if verdict.too_few:
        fact = f"{verdict.units} are too few for any."
        hint = f"at least {verdict.fewest} are needed."
    elif not verdict.tested:
        fact = f"none is known to hold here: {verdict.evidence.no_mean}."
        hint = "rank by mean or average_rank, with all scores there."
    elif verdict.all_pairs is None:
        cost = cost_of(verdict.evidence, verdict.test)
        fact = (
            f"this verdict has none: with {len(verdict.candidates):,} candidates they take {cost} "
            "on one core, so that they must be asked for."
        )
        hint = (
            f"make the verdict with {say('strict', value=True)}, with fewer {say('replicates')} if "
            "that takes too long."
        )
    else:
        return verdict.all_pairs
    raise UsageError(f"the picture shows tests of all pairs, and {fact}", hint=hint)


def _level(verdict: Verdict) -> str:
    return f"{verdict.test} tests, {100 * verdict.alpha:g} % over all pairs"


@draws(Verdict, strict=True)
def significance(verdict: Verdict, *, width: int) -> Picture:
    """Show for all pairs who is shown better, by tests of all pairs at once."""
    tests = _all_pairs(verdict).tests
    better, matrix = tests.better, Matrix(verdict, width)
    n = len(matrix.order)
    number, separated = n * (n - 1) // 2, int(better.sum())
    if matrix.blocks:
        chart = _shares(matrix, matrix.means(better.astype(float)))
        what = (
            "There are too many candidates for a cell each, so neighbours share one: the deeper "
            "the colour, the more of their pairs in which the row is shown better"
        )
    else:
        chart = _outcomes(matrix, matrix.means(better), matrix.means(tests.p))
        what = "▲ the tests show the row better than the column, ▼ worse, ○ neither"
    said = [
        f"{name_of(verdict.candidates[i])} is shown better than {int(better[i].sum())} and "
        f"worse than {int(better[:, i].sum())}."
        for i in matrix.order
    ]
    return Picture(
        view=chart,
        title="Which pairs are told apart",
        see=f"{what}; {separated:,} of {number:,} pairs are told apart.",
        alt=f"{counted(number, 'pair')} of {n} candidates, {separated:,} of them told "
        f"apart ({_level(verdict)}). {prose(said)}",
    )


def _outcomes(matrix: Matrix, better: Any, p: Floats) -> Spec:
    outcome = better.astype(int) - better.T.astype(int)
    cells = (
        {"i": i, "j": j, "o": int(outcome[i, j]), "p": float(f"{p[i, j]:.2g}")}
        for i, j in np.ndindex(p.shape)
        if i != j
    )
    said = "datum.o > 0 ? 'shown better' : datum.o < 0 ? 'shown worse' : 'not told apart'"
    base = then({}, {"calculate": said, "as": "outcome"})
    places = matrix.places(*MEANING)
    places["tooltip"] = tips(*WHO, ("outcome:N", "the row is"), ("p:Q", "p, adjusted"))
    size = max(4, (0.55 * min(matrix.pixels, matrix.row, 18)) ** 2)
    marks = []
    for of, (style, shape) in OUTCOMES.items():
        places["where"] = f"datum.o == {of}"
        look = {"style": "paper" if of else "muted", "shape": shape, "filled": bool(of)}
        marks += [
            mark("rect", base, **places, style=style, opacity=0.9 if of else 0.5),
            mark("point", base, **places, **look, size=size, strokeWidth=1, opacity=1),
        ]
    return matrix.chart(cells, *marks)


def _shares(matrix: Matrix, shares: Floats) -> Spec:
    cells = (
        {"i": i, "j": j, "share": round(float(shares[i, j]), 3)}
        for i, j in np.ndindex(shares.shape)
        if shares[i, j] > 0  # also leaves out NaN, a block of one against itself
    )
    shade = field(
        "share:Q",
        title="row shown better in",
        scale={"domain": [0, 1], "range": [0.08, 1]},
        legend={"format": "%", "values": [0.25, 0.5, 1], "symbolType": "square", "columns": 3},
    )
    hint = tips(*WHO, ("share:Q", "pairs in which the row is shown better", ".0%"))
    shown = mark("rect", **matrix.places(), opacity=shade, tooltip=hint, style="accent")
    return matrix.chart(cells, shown)


# ------------------------------------------------------------------------------
# Who stands down and across: candidates, or blocks of neighbours where these are too many.

MOST = 60  # candidates that have a row each
BLOCKS = 30  # rows where there are more
LETTERS = 13  # pixels a column needs for a name written upwards
ONE_LINE = 400  # pixels across from which a title stands in one line
UPRIGHT = 96  # pixels for a name written upwards


@dataclass(frozen=True, kw_only=True)
class PairBlock:
    """Hold some candidates that stand side by side: where they begin, and their groups."""

    members: tuple[int, ...]
    place: int
    first_group: int
    last_group: int

    @property
    def places(self) -> str:
        return _span(self.place, self.place + len(self.members) - 1)

    @property
    def name(self) -> str:
        one = self.first_group == self.last_group
        groups = f"group{'' if one else 's'} {_span(self.first_group, self.last_group)}"
        return f"{self.places} ({groups})"


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}\u2013{last}"


def pair_blocks(order: Sequence[int], groups: Members, most: int) -> tuple[PairBlock, ...]:
    """Return at most so many blocks of neighbours in an order, of about as many candidates each.

    >>> [block.members for block in pair_blocks([0, 2, 1, 3], ((0, 1), (2,), (3,)), 2)]
    [(0, 2), (1, 3)]
    """
    group_of = {i: k for k, group in enumerate(groups, start=1) for i in group}
    count = min(most, len(order))
    found = []
    for a, b in pairwise(len(order) * k // count for k in range(count + 1)):
        members = tuple(order[a:b])
        of = [group_of[i] for i in members]
        found.append(
            PairBlock(members=members, place=a + 1, first_group=min(of), last_group=max(of))
        )
    return tuple(found)


class Matrix:
    """Hold who stands down and across a matrix, best first, and how wide it is.

    Where columns are too narrow for names, rows are numbered and columns have the numbers.
    """

    def __init__(self, verdict: Verdict, width: int) -> None:
        self.width = width
        self.order = verdict.order
        self.blocks: tuple[PairBlock, ...] = ()
        self.names = [verdict.candidates[i] for i in self.order]
        if len(self.names) > MOST:
            self.blocks = pair_blocks(self.order, verdict.members, BLOCKS)
            self.names = [block.name for block in self.blocks]
        n = len(self.names)
        self.pixels = (width - name_room(width) - 20) / n
        self.row = min(max(self.pixels, LOWEST), 2 * ROW) if n <= 20 else LOWEST + 2

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        names, named = [visible(name) for name in self.names], self.pixels >= LETTERS
        if self.blocks:  # rows tell the groups, columns the places
            return names, [block.places if named else str(block.place) for block in self.blocks]
        if named:
            return names, names
        numbers = [str(k) for k in range(1, len(names) + 1)]
        return [f"{k}  {name}" for k, name in zip(numbers, names, strict=True)], numbers

    def chart(self, cells: Iterable[Mapping[str, Any]], *marks: Spec) -> Spec:
        """Return marks of cells {"i", "j", ...}, with names that are written only once."""
        rows, columns = self.labels
        known = data(
            {"at": k, "row": rows[k], "column": columns[k], "name": name}
            for k, name in enumerate(self.names)
        )
        view = layer(*marks, **data(cells))
        for key, side, who in (("i", "row", "a"), ("j", "column", "b")):
            source = {**known, "key": "at", "fields": [side, "name"]}
            view = then(view, {"lookup": key, "from": source, "as": [side, who]})
        return framed(view, self.width, self.row * len(self.names), stiff=True)

    def places(self, *title: str) -> dict[str, Any]:
        """Return the encodings of both axes; the title stands above the columns.

        Its parts stand side by side, or in lines where the picture is narrow.
        """
        rows, columns = self.labels
        named = self.pixels >= LETTERS
        top = names_axis(UPRIGHT, orient="top", labelSeparation=5, titleLimit=self.width)
        top |= {"labelAngle": -90 if named else 0, "labelOverlap": False if named else "greedy"}
        lines = list(title) if self.width < ONE_LINE else ["\u2003".join(title)]
        sides = (
            ("x", "column:N", lines, columns, top),
            ("y", "row:N", None, rows, names_axis(name_room(self.width))),
        )
        return {
            side: field(
                name,
                sort=None,
                title=words,
                scale={"domain": domain, "padding": 0.04},
                axis={**axis, "grid": False},
            )
            for side, name, words, domain, axis in sides
        }

    def means(self, matrix: Any) -> Any:
        """Return what the cells show of a matrix of all candidates: itself, or means of blocks."""
        if self.blocks:
            return block_means(matrix, [block.members for block in self.blocks])
        return np.asarray(matrix[np.ix_(self.order, self.order)])


# ------------------------------------------------------------------------------

CLASSICAL = 24  # candidates up to which names stand left and right of one axis
MOST_BARS = 60  # bars
STEP = 17  # pixels between two names
LANE = 9  # pixels between two bars
START = 14  # pixels from the axis to the first bar
ROOM_FOR_NUMBERS = 400  # pixels across from which there is room for numbers
WIDEST = 16  # pixels a lane


@draws(Verdict, figure="Demšar (2006), figure 1", strict=True)
def critical_difference(verdict: Verdict, *, width: int) -> Picture:
    """Show which candidates tests of all pairs do not separate: joined by bars along the axis."""
    tests = _all_pairs(verdict).tests
    nemenyi = tests.method == "nemenyi"
    values = nemenyi_ranks(tests) if nemenyi else verdict.shown
    axis = "mean rank" if nemenyi else verdict.heading
    order = best_first(-values) if nemenyi else np.argsort(verdict.evidence.ranks, kind="stable")
    found = cliques(tests.better, order)
    bars = bars_of(found, order)
    shown = {verdict.candidates[i]: float(values[i]) for i in order.tolist()}
    if len(order) <= CLASSICAL:
        lower = nemenyi or verdict.reading.lower_is_better
        apart = distance(tests) if nemenyi and len(order) > 1 else None
        chart = _diagram(shown, bars, axis, width, lower=lower, apart=apart)
    else:
        digits = 2 if nemenyi else verdict.digits
        texts = {name: number(value, digits) for name, value in shown.items()}
        chart = _lanes(texts, bars, axis, width)
    cut = bars.left_out or not found.whole
    more = f"; there are more than the {len(bars.members)} bars shown" if cut else ""
    see = "No bar joins anybody: the tests tell all candidates apart."
    if bars.members:
        see = (
            "A bar joins candidates that the tests do not tell apart, those with a dot on it; who "
            f"shares no bar is told apart{' or on a bar left out' if cut else ''}{more}."
        )
    said = [f"{name_of(name)}: {number(value, 2)}." for name, value in shown.items()]
    joined = []
    for bar in bars.members:
        some = ", ".join(name_of(verdict.candidates[i]) for i in bar[:8])
        joined.append(f"{some} and {len(bar) - 8} more." if len(bar) > 8 else f"{some}.")
    return Picture(
        view=chart,
        title="Who is not told apart",
        see=see,
        alt=f"{counted(len(order), 'candidate')} by {axis}, best first ({_level(verdict)}). "
        f"{prose(said)} Not separated from each other: {prose(joined) or 'nobody.'}",
    )


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Hold the bars of a diagram: members by position, places in the order, lanes.

    Bars that overlap stand in different lanes. ``left_out`` counts those without room: the
    smallest, or every second or so where not even all cliques are known.
    """

    members: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]
    lanes: tuple[int, ...]
    left_out: int

    @property
    def depth(self) -> int:
        return max(self.lanes, default=-1) + 1

    @property
    def dots(self) -> list[tuple[int, int]]:
        pairs = zip(self.places, self.lanes, strict=True)
        return [(place, lane) for places, lane in pairs for place in places]

    @property
    def lines(self) -> list[tuple[int, int, int, bool]]:
        """First and last place, lane, and whether the bar passes nobody who is no member of it."""
        return [
            (places[0], places[-1], lane, places[-1] - places[0] == len(places) - 1)
            for places, lane in zip(self.places, self.lanes, strict=True)
        ]


def bars_of(found: Cliques, order: Integers, *, most: int = MOST_BARS) -> Bars:
    """Return the bars of cliques of at least two candidates, given the candidates best first."""
    at = {int(i): k for k, i in enumerate(order)}
    several = [clique for clique in found.members if len(clique) > 1]
    if found.whole:
        chosen = set(sorted(several, key=len, reverse=True)[:most])
    else:
        chosen = set(several[:: -(-len(several) // most) or 1])
    kept = tuple(clique for clique in several if clique in chosen)
    places = tuple(tuple(sorted(at[i] for i in clique)) for clique in kept)
    ends: list[int] = []
    lanes = []
    for place in places:
        lane = next((k for k, end in enumerate(ends) if end < place[0]), len(ends))
        ends[lane : lane + 1] = [place[-1]]
        lanes.append(lane)
    left_out = len(several) - len(kept)
    return Bars(members=kept, places=places, lanes=tuple(lanes), left_out=left_out)


def _joining(
    lines: Spec, dots: Spec, at: Spec, end: dict[str, str], *, thin: float, size: int
) -> list[Spec]:
    """Return the bars, thin and dashed where they pass somebody, with a dot for each member."""
    whole = {"style": "accent", "strokeWidth": 3}
    dashed = {"style": "accent", "strokeWidth": thin, "strokeDash": [3, 2]}
    dot = {"style": "accent", "filled": True, "size": size, "opacity": 1}
    return [
        mark("rule", lines, where="datum.unbroken", **at, **end, **whole),
        mark("rule", lines, where="!datum.unbroken", **at, **end, **dashed),
        mark("point", dots, **at, **dot),
    ]


def _diagram(
    shown: dict[str, float], bars: Bars, title: str, width: int, *, lower: bool, apart: float | None
) -> Spec:
    """Return the diagram of candidates given best first; the best is on the left.

    ``apart`` is the critical difference, drawn below the axis where there is one.
    """
    n, values = len(shown), list(shown.values())
    begin = START + (LANE + 6 if apart is not None else 0)
    top = begin + LANE * bars.depth + 8
    half = (n + 1) // 2
    tall = top + STEP * half
    low, high = min(values), max(values)
    if apart is not None:
        high = max(high, low + apart)
    numbered = width >= ROOM_FOR_NUMBERS
    pad = (high - low) * (28 / (0.46 * width - 56) if numbered else 0.05) or 0.5
    x = field(
        "value:Q",
        title=f"{title} ({'lower' if lower else 'higher'} is better)",
        scale={"domain": [low - pad, high + pad], "nice": False, "reverse": not lower},
        axis={"orient": "top", "grid": False, "tickCount": max(3, width // 90)},
    )
    down = {"scale": {"domain": [0, tall], "reverse": True, "nice": False}, "axis": None}
    y = field("y:Q", **down)
    who = data(
        {
            "candidate": name,
            "value": value,
            "said": number(value, 2),
            "left": k < half,
            "start": 0,
            "y": top + STEP * (k if k < half else n - 1 - k) + STEP / 2,
        }
        for k, (name, value) in enumerate(shown.items())
    )
    layers = [mark("rule", who, x=x, y=field("start:Q", **down), y2="y:Q", style="muted")]
    hint = tips("candidate:N", ("said:N", title))
    sides: tuple[tuple[str, Any, int, str, str], ...] = (
        ("datum.left", 0, -1, "right", "left"),
        ("!datum.left", "width", 1, "left", "right"),
    )
    for where, edge, sign, outside, inside in sides:
        at: Spec = {"where": where, "y": y}
        name = {"style": "ink", "align": outside, "dx": 4 * sign, "limit": round(0.27 * width)}
        small = {"style": "muted", "align": inside, "dx": -2 * sign, "dy": -6, "fontSize": 9}
        layers += [
            mark("rule", who, **at, x=x, x2=edge, style="muted"),
            mark("text", who, **at, x=edge, text="candidate:N", tooltip=hint, **name),
            mark("text", who, **at, x=edge, text="said:N", **small),
        ]
        if not numbered:
            layers.pop()
    if apart is not None:
        layers += _critical(low, apart, x, y)
    if bars.members:
        lines = data(
            {"value": values[a], "end": values[b], "y": begin + LANE * lane, "unbroken": unbroken}
            for a, b, lane, unbroken in bars.lines
        )
        dots = data({"value": values[place], "y": begin + LANE * lane} for place, lane in bars.dots)
        layers += _joining(lines, dots, {"x": x, "y": y}, {"x2": "end:Q"}, thin=1.5, size=36)
    return framed(layer(*layers), width, tall, stiff=True)


def _critical(low: float, apart: float, x: Spec, y: Spec) -> list[Spec]:
    high = low + apart
    one = data([{"value": low, "end": high, "y": START}])
    both = data({"value": end, "y": START} for end in (low, high))
    label = data([{"value": high, "y": START, "said": f"CD = {apart:.2f}"}])
    tick = {"style": "second", "thickness": 2, "orient": "vertical", "size": 9}
    text = {"style": "ink", "align": "left", "dx": 6, "fontSize": 10}
    return [
        mark("rule", one, x=x, x2="end:Q", y=y, style="second", strokeWidth=2),
        mark("tick", both, x=x, y=y, **tick),
        mark("text", label, x=x, y=y, text="said:N", **text),
    ]


def _lanes(texts: dict[str, str], bars: Bars, title: str, width: int) -> Spec:
    """Return the diagram of candidates given best first, in rows with their numbers."""
    names = list(texts)
    table = Rows(names, width)
    y = table.y
    rows = data(
        {"candidate": name, "said": said, "odd": bool(k % 2)}
        for k, (name, said) in enumerate(texts.items())
    )
    room = 0.6 * width  # for numbers on the left, then the lanes
    pixels = min(WIDEST, (room - 60) / max(bars.depth, 1))
    domain = [-60 / pixels, (room - 60) / pixels]
    x = field("lane:Q", scale={"domain": domain, "nice": False}, axis=None)
    lines = data(
        {"candidate": names[a], "end": names[b], "lane": lane, "unbroken": unbroken}
        for a, b, lane, unbroken in bars.lines
    )
    dots = data({"candidate": names[place], "lane": lane} for place, lane in bars.dots)
    small = {"style": "muted", "align": "left", "dx": 4, "fontSize": 10}
    chart = layer(
        mark("rect", rows, where="datum.odd", y=y, style="faint", opacity=0.3),
        mark("text", rows, x=0, y=y, text="said:N", **small),
        heading(title, dx=4, x=0),
        *_joining(lines, dots, {"x": x, "y": y}, {"y2": "end:N"}, thin=1, size=26),
    )
    return table.framed(chart, stiff=True)
