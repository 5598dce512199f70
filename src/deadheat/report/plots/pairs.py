"""Pairs of candidates: win rates, who is shown better, who is not told apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from deadheat.core.errors import UsageError, command_with, counted, visible
from deadheat.core.types import Floats, Integers
from deadheat.models.aggregation.ballots import majority
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first, best_of
from deadheat.report.charts.grids import block_means
from deadheat.report.charts.pixels import fitting, label_width
from deadheat.report.charts.rows import (
    DENSE,
    LOWEST,
    how_many,
    name_of,
    name_room,
    names_axis,
    only_first,
    prose,
)
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark, then, tips
from deadheat.report.charts.theme import HUES, MATRIX, REVERSED, ROW
from deadheat.report.picture import Picture, draws
from deadheat.report.plots.intervals import interval_rows
from deadheat.statistics.groups import Members
from deadheat.statistics.pair_tests import Cliques, cliques, nemenyi_ranks
from deadheat.statistics.pair_tests import critical_difference as distance
from deadheat.statistics.strict_groups import Strict, cost_of
from deadheat.verdict.result import Verdict

NUMBERED = 20  # pixels a cell needs for two digits
FAR = "abs(datum.rate - 0.5) > 0.4"  # cells so deep that their text is as the background
WHO = (("a:N", "row"), ("b:N", "column"))
STRICTER = "A stricter test"


@draws(Verdict)
def pairs(verdict: Verdict, *, width: int, top: int | None = None) -> Picture:
    """Show on what share of the judges each candidate scores better than each other."""
    matrix, nouns = Matrix(verdict, width, top), verdict.nouns
    relation = majority(verdict.evidence.results)
    leader, *others = matrix.order
    names = verdict.candidates
    shares = [
        "an unknown share" if np.isnan(rate) else percent(rate)
        for rate in relation.rates[leader].tolist()
    ]
    mean = (
        f" There are too many {nouns.candidates()} for a cell each: a cell is the mean over "
        "neighbours in the ranking."
    )
    return Picture(
        view=_rates(matrix, matrix.means(relation.rates)),
        title="One against one",
        see=f"On how many per cent of the {nouns.judges()} the row scores better than the column, "
        f"ties as half. {MATRIX}{mean if matrix.blocks else ''}"
        f"{matrix.fewer}",
        alt=f"Win rates of {nouns.candidates(len(matrix.order))} over the {nouns.judges()} that "
        f"scored both; a tie counts half. {name_of(names[leader])}, listed first, scores better "
        "than " + (prose([f"{name_of(names[i])} on {shares[i]}." for i in others]) or "nobody."),
    )


def _rates(matrix: Matrix, rates: Floats) -> Spec:
    cells = (
        {"i": i, "j": j, "rate": round(float(rates[i, j]), 3)}
        for i, j in np.ndindex(rates.shape)
        if (i != j or matrix.blocks) and not np.isnan(rates[i, j])
    )
    places = matrix.places()
    places["tooltip"] = tips(*WHO, ("rate:Q", "the row scores better on", ".1%"))
    legend = {"format": ".0%", "gradientLength": 120, "values": [0, 0.5, 1]}
    colour = field(
        "rate:Q",
        title=f"the row's share of {matrix.judges}",
        scale={"domain": [0, 0.25, 0.5, 0.75, 1], "range": "diverging", "interpolate": "rgb"},
        legend=legend,
    )
    marks = [mark("rect", **places, color=colour)]
    if min(matrix.pixels, matrix.row + 4) >= NUMBERED:
        in_per_cent = then({}, {"calculate": "round(100 * datum.rate)", "as": "said"})
        places |= {"text": field("said:Q", format="d")}
        for style, which in (("ink", f"!({FAR})"), ("paper", FAR)):
            marks.append(mark("text", in_per_cent, where=which, **places, style=style))
    return matrix.chart(cells, *marks)


def _all_pairs(verdict: Verdict) -> Strict:
    """Return the tests of all pairs; refuse where the verdict has none."""
    if verdict.too_few:
        fact = f"{verdict.units} are too few for any."
        hint = f"at least {verdict.fewest} are needed."
    elif not verdict.tested:
        fact = f"none is known to hold here: {verdict.evidence.no_mean}."
        hint = f"by average rank: {command_with(by='average_rank')}"
    elif verdict.all_pairs is None:
        cost = cost_of(verdict.evidence, verdict.test)
        fact = (
            f"this verdict has none: with {verdict.nouns.candidates(len(verdict.candidates))} they "
            f"take {cost} on one core, so that they must be asked for."
        )
        hint = f"to ask for them: {command_with(strict=True)}"
    else:
        return verdict.all_pairs
    raise UsageError(f"the picture shows tests of all pairs, and {fact}", hint=hint)


def _level(verdict: Verdict) -> str:
    return f"{verdict.test} tests, {100 * verdict.alpha:g} % over all pairs"


@draws(Verdict, strict=True)
def significance(verdict: Verdict, *, width: int, top: int | None = None) -> Picture:
    """Show for all pairs who is shown better, by tests of all pairs at once."""
    tests, nouns = _all_pairs(verdict).tests, verdict.nouns
    better, matrix = tests.better, Matrix(verdict, width, top, half=True)
    n = len(verdict.candidates)
    number, separated = n * (n - 1) // 2, int(better.sum())
    if not better[np.ix_(matrix.order, matrix.order)].any():
        none = f"Tests of all {number:,} pairs at once separate no two {nouns.candidates()}"
        none += f" of the first {len(matrix.order):,}." if matrix.fewer else "."
        return Picture.sentence(STRICTER, none, width)
    upset = bool(np.tril(better[np.ix_(matrix.order, matrix.order)]).any())
    if matrix.blocks:
        chart = _shares(matrix, matrix.means(better.astype(float)))
        what = (
            f"Neighbours share a cell: the deeper the {HUES['wins'].lower()}, the more of their "
            f"pairs in which the {nouns.candidate} of the row is shown better than that of the "
            "column"
        )
    else:
        chart = _outcomes(matrix, matrix.means(better), matrix.means(tests.p))
        what = f"{HUES['wins']}: the row is shown better than the column. Blank: not separated"
        what += f". {HUES['loses']}: the row is shown worse" if upset else ""
    said = [
        f"{name_of(verdict.candidates[i])} is shown better than {int(better[i].sum())} and "
        f"worse than {int(better[:, i].sum())}."
        for i in matrix.order
    ]
    return Picture(
        view=chart,
        title="Which pairs a stricter test separates",
        see=f"All {number:,} pairs at once; {separated:,} are separated. {what}.{matrix.fewer}",
        alt=f"{counted(number, 'pair')} of {nouns.candidates(n)}, {separated:,} of them "
        f"separated ({_level(verdict)}). {prose(said)}",
    )


def _outcomes(matrix: Matrix, better: Any, p: Floats) -> Spec:
    outcome = better.astype(int) - better.T.astype(int)
    cells = (
        {"i": i, "j": j, "o": int(outcome[i, j]), "p": float(f"{p[i, j]:.2g}")}
        for i, j in np.ndindex(p.shape)
        if i < j
    )
    said = "datum.o > 0 ? 'shown better' : datum.o < 0 ? 'shown worse' : 'not separated'"
    base = then({}, {"calculate": said, "as": "outcome"})
    places = matrix.places()
    places["tooltip"] = tips(*WHO, ("outcome:N", "the row is"), ("p:Q", "p, adjusted"))
    looks = ((0, "faint", 0.25), (1, "wins", 0.9), (-1, "loses", 0.9))
    return matrix.chart(
        cells,
        *(
            mark("rect", base, where=f"datum.o == {of}", **places, style=style, opacity=opacity)
            for of, style, opacity in looks
        ),
    )


def _shares(matrix: Matrix, shares: Floats) -> Spec:
    cells = (
        {"i": i, "j": j, "share": round(float(shares[i, j]), 3)}
        for i, j in np.ndindex(shares.shape)
        if i <= j and shares[i, j] > 0  # also leaves out NaN, a block of one against itself
    )
    shade = field(
        "share:Q",
        title="row shown better in",
        scale={"domain": [0, 1], "range": [0.08, 1]},
        legend={"format": ".0%", "values": [0.25, 0.5, 1], "symbolType": "square", "columns": 3},
    )
    hint = tips(*WHO, ("share:Q", "pairs in which the row is shown better", ".0%"))
    shown = mark("rect", **matrix.places(), opacity=shade, tooltip=hint, style="wins")
    return matrix.chart(cells, shown)


# ------------------------------------------------------------------------------
# Who stands down and across: candidates, or blocks of neighbours where these are too many.

MOST = 60  # candidates that have a row each
BLOCKS = 30  # rows where there are more
LETTERS = 14  # pixels a column needs for a name written upwards
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

    Where columns are too narrow for names, rows are numbered and columns have the numbers. Of
    ``half`` a matrix the last has no row and the first no column.
    """

    def __init__(
        self, verdict: Verdict, width: int, top: int | None = None, *, half: bool = False
    ) -> None:
        n = len(verdict.candidates)
        self.width, self.judges, self.half = width, verdict.nouns.judges(), half
        self.order = verdict.order[: how_many(top, n)]
        self.fewer = only_first(len(self.order), n, verdict.nouns)
        self.blocks: tuple[PairBlock, ...] = ()
        self.names = [verdict.candidates[i] for i in self.order]
        if len(self.names) > MOST:
            self.blocks = pair_blocks(self.order, verdict.members, BLOCKS)
            self.names = [block.name for block in self.blocks]
        self.half = half and not self.blocks and len(self.names) > 1
        n = len(self.names) - self.half
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
        return framed(view, self.width, self.row * (len(self.names) - self.half), stiff=True)

    def places(self) -> dict[str, Any]:
        """Return the encodings of both axes."""
        rows, columns = self.labels
        rows, columns = rows[: len(rows) - self.half], columns[self.half :]
        named = self.pixels >= LETTERS
        top = names_axis(UPRIGHT, columns, orient="top", labelSeparation=5)
        top |= {"labelAngle": -90 if named else 0, "labelOverlap": False if named else "greedy"}
        sides = (
            ("x", "column:N", columns, top),
            ("y", "row:N", rows, names_axis(name_room(self.width), rows)),
        )
        return {
            side: field(
                name,
                sort=None,
                title=None,
                scale={"domain": domain, "padding": 0.04},
                axis={**axis, "grid": False},
            )
            for side, name, domain, axis in sides
        }

    def means(self, matrix: Any) -> Any:
        """Return what the cells show of a matrix of all candidates: itself, or means of blocks."""
        if self.blocks:
            return block_means(matrix, [block.members for block in self.blocks])
        return np.asarray(matrix[np.ix_(self.order, self.order)])


# ------------------------------------------------------------------------------

CLASSICAL, IN_A_COLUMN = 20, 10  # candidates up to which names stand left and right of one axis
WIDE = 400  # pixels, below which it is a column
MOST_BARS, FEW_BARS = 16, 6  # on one axis, and beside intervals
STEP = 18  # pixels between two names
LANE = 9  # pixels between two bars
START = 14  # pixels from the axis to the first bar
BESIDE = 14  # pixels right of intervals to the first bar


@draws(Verdict, figure="Demšar (2006), figure 1", strict=True)
def critical_difference(verdict: Verdict, *, width: int, top: int | None = None) -> Picture:
    """Show which candidates tests of all pairs do not separate: joined by bars along the axis."""
    tests, nouns = _all_pairs(verdict).tests, verdict.nouns
    nemenyi = tests.method == "nemenyi"
    values = nemenyi_ranks(tests) if nemenyi else verdict.shown
    axis = "average rank" if nemenyi else verdict.heading
    order = best_first(-values) if nemenyi else np.argsort(verdict.evidence.ranks, kind="stable")
    n = len(order)
    number_of_pairs = n * (n - 1) // 2
    order = order[: how_many(top, n, most=DENSE)]
    found, fewer = cliques(tests.better, order), only_first(len(order), n, nouns)
    classical = len(order) <= (CLASSICAL if nemenyi or width >= WIDE else IN_A_COLUMN)
    bars = bars_of(found, order, most=MOST_BARS if classical else FEW_BARS)
    if not bars.members or not tests.better.any():
        who = f"no two of {nouns.candidates(n)}."
        if not bars.members:
            who = f"all {nouns.candidates(len(order))}.{fewer}"
        none = f"Tests of all {counted(number_of_pairs, 'pair')} at once separate {who}"
        return Picture.sentence(STRICTER, none, width)
    shown = {verdict.candidates[i]: float(values[i]) for i in order.tolist()}
    if classical:
        apart = distance(tests) if nemenyi else None
        chart = _diagram(shown, bars, axis, width, apart=apart)
    else:
        chart = _beside_intervals(verdict, list(shown), bars, width)
    cut = bars.left_out or not found.whole
    more = " Only the bars that join most are drawn." if cut else ""
    thin = len(bars.runs) > len(bars.lines)
    passing = " Where it is thin it passes others." if thin else ""
    said = [f"{name_of(name)}: {number(value, 2)}." for name, value in shown.items()]
    joined = []
    for bar in bars.members:
        some = ", ".join(name_of(verdict.candidates[i]) for i in bar[:8])
        joined.append(f"{some} and {len(bar) - 8} more." if len(bar) > 8 else f"{some}.")
    return Picture(
        view=chart,
        title="Whom a stricter test cannot separate",
        see=f"All {number_of_pairs:,} pairs at once. A bar joins {nouns.candidates()} that it "
        f"cannot separate.{passing} {HUES['accent']}: joined with the leader.{more}{fewer}",
        alt=f"{nouns.candidates(n)} by {axis}, best first ({_level(verdict)}). "
        f"{prose(said)} Not separated from each other: {prose(joined)}",
    )


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Hold the bars of a diagram: members by position, places in the order, lanes.

    Bars that overlap stand in different lanes. ``left_out`` counts those without room.
    """

    members: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]
    lanes: tuple[int, ...]
    left_out: int

    @property
    def depth(self) -> int:
        return max(self.lanes, default=-1) + 1

    @property
    def lines(self) -> list[tuple[int, int, int, bool]]:
        """First and last place, lane, and whether the leader is a member, of each bar."""
        return [
            (places[0], places[-1], lane, places[0] == 0)
            for places, lane in zip(self.places, self.lanes, strict=True)
        ]

    @property
    def runs(self) -> list[tuple[int, int, int, bool]]:
        """The same of the parts of bars between those whom they pass."""
        return [
            (run[0], run[-1], lane, places[0] == 0)
            for places, lane in zip(self.places, self.lanes, strict=True)
            for run in _side_by_side(places)
        ]


def _side_by_side(places: Sequence[int]) -> list[list[int]]:
    """Return places in runs without gaps.

    >>> _side_by_side([1, 2, 5])
    [[1, 2], [5]]
    """
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def bars_of(found: Cliques, order: Integers, *, most: int = MOST_BARS) -> Bars:
    """Return the bars of cliques of at least two candidates, given the candidates best first.

    Of more than ``most`` those stay that join most pairs which no other one joins yet.
    """
    at = {int(i): k for k, i in enumerate(order)}
    several = [clique for clique in found.members if len(clique) > 1]
    left, joined = list(several), np.zeros((len(at), len(at)), dtype=bool)
    chosen: set[tuple[int, ...]] = set()
    while left and len(chosen) < most:
        cells = [np.ix_(*[[at[i] for i in clique]] * 2) for clique in left]
        best = best_of(np.array([np.count_nonzero(~joined[cell]) for cell in cells]))
        joined[cells[best]] = True
        chosen.add(left.pop(best))
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


def _joining(lines: Spec, runs: Spec, at: Spec, end: dict[str, str]) -> list[Spec]:
    """Return the bars, in the accent with the leader, and thin where they pass some."""
    found = []
    for style, which in (("muted", "!datum.leads"), ("accent", "datum.leads")):
        look = {"where": which, **at, "style": style, "opacity": 1}
        found += [
            mark("rule", lines, **look, **end, strokeWidth=1),
            mark("rule", runs, **look, **end, strokeWidth=5, strokeCap="round"),
            mark("point", runs, **look, filled=True, size=20),  # those alone
        ]
    return found


def _diagram(
    shown: dict[str, float], bars: Bars, title: str, width: int, *, apart: float | None
) -> Spec:
    """Return the diagram of candidates given best first; the best is on the right.

    They stand at their places, where no two are on top of each other; at their average ranks where
    there is a critical difference, which is drawn below the axis.
    """
    n = len(shown)
    places = list(shown.values()) if apart is not None else [float(k + 1) for k in range(n)]
    begin = START + (LANE + 10 if apart is not None else 0)
    top = begin + LANE * bars.depth + 8
    half = (n + 1) // 2
    tall = top + STEP * half
    low, high = min(places), max(places)
    if apart is not None:
        high = max(high, low + apart)
    pad = (high - low) * 0.06 or 0.5
    ticks: Spec = {"orient": "top", "grid": False, "format": "d", "labelOverlap": True, **REVERSED}
    ticks["values"] = list(range(math.ceil(low), math.floor(high) + 1))
    x = field(
        "value:Q",
        title=f"{title if apart is not None else f'rank by {title}'} (better →)",
        scale={"domain": [low - pad, high + pad], "nice": False, "reverse": True},
        axis=ticks,
    )
    down = {"scale": {"domain": [0, tall], "reverse": True, "nice": False}, "axis": None}
    y = field("y:Q", **down)
    number_room = 4 + max(label_width(number(value, 2)) for value in shown.values())
    widest = max(map(label_width, map(visible, shown))) + number_room
    room = round(min(widest, 0.38 * width))
    who = data(
        {
            "candidate": f"{fitting(name, room - number_room)}  {number(value, 2)}",
            "value": places[k],
            "right": k < half,
            "start": 0,
            "y": top + STEP * (k if k < half else n - 1 - k) + STEP / 2,
        }
        for k, (name, value) in enumerate(shown.items())
    )
    layers = [mark("rule", who, x=x, y=field("start:Q", **down), y2="y:Q", style="faint")]
    sides: tuple[tuple[str, Any, int, str], ...] = (
        ("!datum.right", 0, -1, "right"),
        ("datum.right", "width", 1, "left"),
    )
    for where, edge, sign, outside in sides:
        at: Spec = {"where": where, "y": y}
        name = {"style": "ink", "align": outside, "dx": 4 * sign}
        layers += [
            mark("rule", who, **at, x=x, x2=edge, style="faint"),
            mark("text", who, **at, x=edge, text="candidate:N", **name),
        ]
    if apart is not None:
        layers += _critical(low, apart, x, y)
    lines, runs = (
        data(
            {"value": places[a], "end": places[b], "y": begin + LANE * lane, "leads": leads}
            for a, b, lane, leads in parts
        )
        for parts in (bars.lines, bars.runs)
    )
    layers += _joining(lines, runs, {"x": x, "y": y}, {"x2": "end:Q"})
    return framed(layer(*layers), width, tall, stiff=True)


def _critical(low: float, apart: float, x: Spec, y: Spec) -> list[Spec]:
    high = low + apart
    one = data([{"value": low, "end": high, "y": START}])
    both = data({"value": end, "y": START} for end in (low, high))
    label = data([{"value": high, "y": START, "said": f"CD = {apart:.2f}"}])
    tick = {"style": "ink", "thickness": 2, "orient": "vertical", "size": 9}
    text = {"style": "ink", "align": "right", "dx": -6}
    return [
        mark("rule", one, x=x, x2="end:Q", y=y, style="ink", strokeWidth=2),
        mark("tick", both, x=x, y=y, **tick),
        mark("text", label, x=x, y=y, text="said:N", **text),
    ]


def _beside_intervals(verdict: Verdict, names: list[str], bars: Bars, width: int) -> Spec:
    """Return the intervals of candidates given best first, and right of them the bars."""
    view, table = interval_rows(verdict, [vars(verdict.row(name)) for name in names], width)
    for lane in range(bars.depth):
        lines, runs = (
            data(
                {"candidate": names[a], "end": names[b], "lane": lane, "leads": leads}
                for a, b, of, leads in parts
                if of == lane
            )
            for parts in (bars.lines, bars.runs)
        )
        x = {"value": {"expr": f"width + {BESIDE + LANE * lane}"}}
        view += _joining(lines, runs, {"x": x, "y": table.y}, {"y2": "end:N"})
    return table.framed(layer(*view), stiff=True)
