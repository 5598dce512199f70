"""Pictures of ranking functions: what was measured of each, and how each ranks."""

from __future__ import annotations

import math
from collections import Counter
from itertools import count
from typing import Any

import numpy as np

from deadheat.core.errors import counted, listed
from deadheat.core.types import Floats, Row
from deadheat.criteria.convergence import Convergence
from deadheat.criteria.criterion import CRITERIA, Criterion
from deadheat.criteria.result import ERRORS, OF_THE_PAPER, Criteria
from deadheat.criteria.trials import BASELINE
from deadheat.output.text import number
from deadheat.rank.api import Ranking, rank
from deadheat.report.charts.pixels import (
    LINE,
    canvas,
    fitting,
    inner,
    label_width,
    spread_apart,
    text_layer,
)
from deadheat.report.charts.rows import (
    called,
    how_many,
    name_of,
    nouns_of,
    only_first,
    table_name,
    usual_count,
)
from deadheat.report.charts.spec import Spec, as_float, data, field, framed, layer, mark, tips
from deadheat.report.charts.theme import HUES, LETTERS, ROW
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws

STACKED = 420  # pixels, below which panels stand below each other
DENSE = 15  # pixels a row takes there
GAP = 12
NUMBER = 36  # pixels that a number on an axis takes
TOLD = 12
WHOLE: Spec = {"filled": True, "opacity": 1}
# What a function is, and how its point is drawn.
LOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("best", {"style": "ink", "size": 80, "shape": "diamond", **WHOLE}),
    ("other", {"style": "muted", "size": 50, **WHOLE}),
    ("below", {"style": "muted", "size": 60, "shape": "triangle-left", **WHOLE}),
)


@draws(Criteria, first=True, saved="by_table")
def criteria(found: Criteria | Saved, *, width: int) -> Picture:
    """Show how well each ranking function does by each criterion, with error bars."""
    panels = [c for c in CRITERIA.values() if c.name in OF_THE_PAPER]
    rows = [{**row, "called": called(found, row["function"])} for row in found.rows()]
    facts = found.facts()
    tables, several = facts["tables"], len(facts["tables"]) > 1
    narrow = width < STACKED
    # The last number on an axis may stick out.
    across = inner(width) - (3 * GAP if narrow else GAP)
    names = [fitting(row["called"], (0.45 if narrow else 0.3) * across) for row in rows]
    step = DENSE if narrow else ROW
    room, tall = max(map(label_width, names)), len(names) * step
    texts = [(room, (k + 0.5) * step, name) for k, name in enumerate(names)]
    side = text_layer(texts, *canvas(room, tall), align="right")
    side |= {"width": round(room), "height": tall}
    each_width = across - room - GAP if narrow else (across - room) / len(panels) - GAP
    nouns = nouns_of(found)
    charts = [
        _panel(rows, facts, each, (each_width, step), each.heading_in(nouns)) for each in panels
    ]
    lines = [[side, chart] for chart in charts] if narrow else [[side, *charts]]
    views: list[Spec] = [{"hconcat": line, "spacing": GAP} for line in lines]
    error = "over the tables" if several else "of chance in the trials"
    faint = " Small ticks: single tables." if several else ""
    one = nouns.judge
    return Picture(
        view={"vconcat": views, "spacing": GAP} if narrow else views[0],
        title="Which way of counting can be trusted",
        see="Right is better. Diamond: the best, or level with it. Bar: two standard errors "
        f"{error}.{faint} Last row: the ranking of one {one} at random, with an arrow where it "
        "lies further left.",
        alt=f"{counted(len(rows) - 1, 'ranking function')} on "
        f"{counted(len(tables), 'table')}, and one {one} drawn at random. "
        + " ".join(_values_in_words(rows, each) for each in panels),
    )


def _values_in_words(rows: list[Row], each: Criterion) -> str:
    values = [f"{row['called']} {number(as_float(row[each.name]), 3)}" for row in rows]
    return f"{each.name.replace('_', ' ').capitalize()}: {listed(values, most=TOLD)}."


def _panel(
    measures: list[Row], facts: Row, each: Criterion, size: tuple[float, int], heading: str
) -> Spec:
    """Return the panel of a criterion, so many pixels wide, and a row so many high."""
    width, step = size
    several, best = len(facts["tables"]) > 1, facts["best"].get(each.name, ())
    rows: list[dict[str, Any]] = []
    for k, row in enumerate(measures):
        mean = as_float(row[each.name])
        error = as_float(row[f"{each.name}_se_tables" if several else f"{each.name}_se"])
        reach = 0.0 if error != error else ERRORS * error
        drawn = {"function": row["called"], "y": (k + 0.5) * step, "value": mean, "at": mean}
        drawn |= {"low": mean - reach, "high": mean + reach, "error": error}
        rows.append(drawn | {"look": "best" if row["function"] in best else "other"})
    shown = rows if several else rows[:-1]  # else the baseline may lie outside
    single = [
        {"at": as_float(value), "y": (k + 0.5) * step}
        for table in facts["by_table"][each.name]
        for k, value in enumerate(table)
    ]
    ends = [row[end] for row in shown for end in ("low", "high")]
    ends += [row["at"] for row in single if several]
    known = [end for end in ends if end == end]
    margin = max(0.12 * (max(known) - min(known)), 0.004) if known else 0.0
    low, high = min(known, default=0.0) - margin, max(known, default=1.0) + margin
    if rows[-1]["value"] < low:
        rows[-1] |= {"at": low, "low": None, "high": None, "look": "below"}
    elif known and rows[-1]["value"] == rows[-1]["value"]:
        rows[-1] |= {"low": max(low, rows[-1]["low"]), "high": min(high, rows[-1]["high"])}
    tooltip = tips("function:N", ("value:Q", heading, ".3f"), ("error:Q", "standard error", ".4f"))
    chart, tall = data(rows), len(rows) * step
    places = ticks(low, high, max(3, int(width / NUMBER)))
    scale = {"zero": False, "nice": False, "domain": [low, high]}  # functions can be told apart
    axis = {"values": places, "labelFlush": True, "labelOverlap": True}
    x, y = field("at:Q", title=None, scale=scale, axis=axis), canvas(width, tall)[1]
    line = {"tooltip": tooltip, "strokeWidth": 4, "opacity": 0.4, "strokeCap": "round"}
    layers = [
        mark("rule", chart, where=which, x="low:Q", x2="high:Q", y=y, **line, style=style)
        for which, style in (("datum.look != 'best'", "muted"), ("datum.look == 'best'", "ink"))
    ]
    layers += [
        mark("point", chart, where=f"(datum.look === '{look}')", x=x, y=y, tooltip=tooltip, **style)
        for look, style in LOOKS
    ]
    if several:
        tick = {"style": "muted", "height": LINE - 3, "opacity": 0.5}
        layers.insert(0, mark("tick", data(single), x=x, y=y, **tick))
    title: Spec = {
        "text": heading,
        "fontSize": LETTERS,
        "fontWeight": "normal",
        "anchor": "middle",
    }
    title["offset"] = 4
    return {**layer(*layers), "width": round(width), "height": tall, "title": title}


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between two ends, evenly apart: at least two, and about ``most``.

    >>> ticks(0.73, 0.78, 2), ticks(0.0, 1.0, 3)
    ([0.74, 0.76, 0.78], [0.0, 0.5, 1.0])
    """
    found: list[float] = []
    for power in count(math.ceil(math.log10(high - low)), -1):
        for digit in (5, 2, 1):
            step = digit * 10.0**power
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            finer = [round(k * step, 12) for k in range(first, last + 1)]
            if len(found) >= 2 and len(finer) > most:
                return found
            found = finer
    raise AssertionError  # pragma: no cover


# ------------------------------------------------------------------------------

INDENT = 10.0  # pixels
AXES = {"stability_candidates": "candidates", "stability_judges": "judges"}


@draws(Criteria, figure="Pavao et al. (2021), supplement, figure 6", saved="spread")
def stability(found: Criteria | Saved, *, width: int) -> Picture:
    """Show how stable the ranking by each function is, table by table, and how much that varies."""
    facts, repeats = found.facts(), found.made.get("repeats", 0)
    names = [row["function"] for row in found.rows()[:-1]]
    tables = [*map(table_name, facts["tables"])]
    lines: list[tuple[int, str, int | None]] = []  # a table, a name, and the function it is
    for k, table in enumerate(tables):
        lines.append((k, table, None))
        lines += [(k, called(found, name), i) for i, name in enumerate(names)]
    tall, narrow = len(lines) * LINE, width < STACKED
    across = inner(width) - (3 * GAP if narrow else GAP)  # the last number may stick out
    places = [(k + 0.5) * LINE for k in range(len(lines))]
    shown = [fitting(name, 0.4 * across) for _, name, _ in lines]
    room, labels = max(map(label_width, shown)) + INDENT, []
    for weight, indent, heads in (("bold", 0.0, True), ("normal", INDENT, False)):
        rows_of = zip(places, shown, lines, strict=True)
        texts = [(indent, y, name) for y, name, line in rows_of if (line[2] is None) == heads]
        labels.append(text_layer(texts, *canvas(room, tall), align="left", fontWeight=weight))
    side: Spec = {**layer(*labels), "width": round(room), "height": tall}
    each = across - room - GAP if narrow else (across - room) / 2 - GAP
    panels: list[Spec] = []
    told: list[str] = []
    nouns = nouns_of(found)
    for name, of_what in AXES.items():
        heading, rows = f"{getattr(nouns, of_what)()} redrawn", []
        for (k, function, i), y in zip(lines, places, strict=True):
            if i is None:
                continue
            mean, spread = (as_float(facts[of][name][k][i]) for of in ("by_table", "spread"))
            if mean != mean or spread != spread:
                continue
            rows.append({"table": tables[k], "function": function, "y": y, "value": mean})
            rows[-1] |= {"spread": spread, "low": mean - spread, "high": mean + spread}
            where = f"{tables[k]}, {function}, {heading}"
            told.append(f"{where}: {number(mean, 3)} ± {number(spread, 3)}")
        panels.append(_stability_panel(rows, heading, each, tall))
    stacks = [[side, panel] for panel in panels] if narrow else [[side, *panels]]
    first, second = ("above", "below") if narrow else ("left", "right")
    views: list[Spec] = [{"hconcat": stack, "spacing": GAP} for stack in stacks]
    return Picture(
        view={"vconcat": views, "spacing": GAP} if narrow else views[0],
        title="How stable each way of counting is",
        see=f"Further right, rankings change less when {nouns.candidates()} ({first}) or "
        f"{nouns.judges()} ({second}) are drawn again. Bar: one standard deviation on each side, "
        f"over {counted(repeats, 'repeat')}.",
        alt=f"Stability of {counted(len(names), 'ranking function')} on "
        f"{counted(len(tables), 'table')}. {listed(told, most=TOLD)}.",
    )


def _stability_panel(rows: list[dict[str, Any]], heading: str, width: float, tall: float) -> Spec:
    low = min((row["low"] for row in rows), default=0.0)
    tooltip = tips(
        *("table:N", "function:N"),
        ("value:Q", heading, ".3f"),
        ("spread:Q", "standard deviation", ".3f"),
    )
    places = ticks(min(low, 0.95), 1.0, max(2, int(width / NUMBER)))
    scale = {"zero": False, "nice": False, "domain": [min(low, 0.95) - 0.01, 1.01]}
    x = field("value:Q", title=None, scale=scale, axis={"values": places, "labelFlush": True})
    chart, y, style = data(rows), canvas(width, tall)[1], {"style": "muted", "tooltip": tooltip}
    layers = [
        mark("rule", chart, x="low:Q", x2="high:Q", y=y, **style, strokeWidth=1.5),
        mark("point", chart, x=x, y=y, **style, size=35, **WHOLE),
    ]
    title: Spec = {"text": heading, "fontSize": LETTERS, "fontWeight": "normal", "offset": 4}
    title["anchor"] = "middle"
    return {**layer(*layers), "width": round(width), "height": tall, "title": title}


# ------------------------------------------------------------------------------

CURVES = {"stability": "two panels alike", "generalization": "unseen {} predicted"}
COLOURED = 6  # functions whose colours differ; others have dashes
DASHES = ([1, 0], [5, 3])
LEGEND = 190  # pixels that a name in the legend takes
HIGH = 240


@draws(Convergence, saved="stability_se")
def convergence(found: Convergence | Saved, *, width: int) -> Picture:
    """Show how stability and generalization grow with the number of judges."""
    records, nouns = found.rows(), nouns_of(found)
    judges = nouns.judges()
    every = dict.fromkeys(row["function"] for row in records)
    names = [called(found, name) for name in every if name != BASELINE]
    across, narrow = inner(width) - GAP, width < STACKED
    each = (across if narrow else (across - GAP) / 2) - NUMBER - GAP
    sizes = sorted({row["judges"] for row in records})
    legend = {"orient": "bottom", "columns": max(1, int(across / LEGEND)), "title": None}
    dashes = {"domain": names, "range": [DASHES[k >= COLOURED] for k in range(len(names))]}
    look = {
        "color": field("function:N", legend=legend, scale={"domain": names}),
        "strokeDash": field("function:N", legend=legend, scale=dashes),
    }
    charts = []
    first, second = ("above", "below") if narrow else ("left", "right")
    by_chance = called(found, BASELINE)
    for what, told in CURVES.items():
        heading = told.format(judges)
        rows = [
            {
                "function": called(found, row["function"]),
                "judges": row["judges"],
                "value": value,
                "low": value - ERRORS * error,
                "high": value + ERRORS * error,
            }
            for row in records
            for value, error in [(as_float(row[what]), as_float(row[f"{what}_se"]))]
            if value == value
        ]
        axis = {"values": sizes, "labelOverlap": True, "format": "d"}
        scale = {"type": "log", "domain": [0.9, sizes[-1] * 1.1], "nice": False}
        x = field("judges:Q", title=f"{judges}, log scale", scale=scale, axis=axis)
        y = field("value:Q", title=heading, scale={"zero": False})
        tooltip = tips("function:N", ("judges:Q", judges), ("value:Q", heading, ".3f"))
        measured = [row for row in rows if row["function"] != by_chance]
        shown, bar = data(measured), {"opacity": 0.6, "strokeWidth": 1}
        ends: Spec = {"y": field("low:Q", title=heading), "y2": "high:Q"}
        layers = [
            mark("rule", shown, x=x, **ends, color=look["color"], **bar),
            mark("line", shown, x=x, y=y, tooltip=tooltip, strokeWidth=1.8, **look),
        ]
        if len(measured) < len(rows):
            chance = data(row for row in rows if row["function"] == by_chance)
            dots = {"style": "muted", "strokeDash": [2, 2], "tooltip": tooltip}
            layers.insert(0, mark("line", chance, x=x, y=y, strokeWidth=1.5, **dots))
        charts.append(layer(*layers) | {"width": round(each), "height": HIGH})
    last = [row for row in records if row["judges"] == sizes[-1]]
    best = [
        f"{called(found, row['function'])} {number(as_float(row['generalization']), 3)}"
        for row in last
    ]
    return Picture(
        view={"vconcat" if narrow else "hconcat": charts, "spacing": GAP},
        title=f"What more {judges} add",
        see=f"The higher a line, the more two panels of so many {judges} that share none agree "
        f"({first}), and the better one predicts the other {judges} ({second}). Bar: two "
        f"Monte-Carlo errors on each side. Grey, dotted: the ranking of one {nouns.judge} at "
        "random.",
        alt=f"{found.verdict} With {nouns.judges(sizes[-1])} unseen ones are predicted by "
        f"{listed(best, most=TOLD)}.",
    )


# ------------------------------------------------------------------------------

ALL_NAMED = 40
HIGHLIGHTED = 10
NAMED = 6  # winners
TALLEST = 520
HEADING = 160  # pixels that the name of a function may take
STEEP = 0.82  # of its length, the height of a name that rises by 55 degrees
ROOM_TO_LEAN = 18  # pixels between functions; with less their names stand upright
MOST_LINES = 50  # candidates, unless more are asked for: those below are never first
NARROW = 400  # pixels, below which only the left side has names
STRETCH = 1.5  # times the rows that ranks may take at even distances
FEWEST = 12  # rows, that a picture is high at least where lower ranks are closer together
LEADING = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2])  # of those whom another way puts first


@draws(Ranking, Criteria, saved="first", by="all")
def rank_lines(
    found: Criteria | Ranking | Saved,
    *,
    width: int,
    top: int | None = None,
    asked: str = "",
    told: bool = False,
) -> Picture:
    """Show the rank of each candidate by each ranking function as lines.

    ``asked`` is the function that stands first; ``told`` says that the reader knows who wins.
    """
    table, nouns = "", nouns_of(found)
    if isinstance(found, Criteria):
        tables = len(found.measured)
        table = f" Here on the first of {tables} tables." if found.several else ""
        found = rank(found.measured[0].results, by=list(found.functions))
    by_function: dict[str, dict[str, float]] = {}
    for row in found.rows():
        by_function.setdefault(row["function"], {})[row["candidate"]] = float(row["rank"])
    names = list(by_function)
    leading = _asked(names, asked, usual_count(found)[0] or "average_rank")
    said = called(found, leading)
    candidates = sorted(by_function[leading], key=by_function[leading].__getitem__)
    ranks = np.array([[own[name] for name in candidates] for own in by_function.values()])
    n, functions = len(candidates), counted(len(names), "way", "ways") + " of counting"
    order = alike_beside(ranks, names.index(leading))
    names, ranks = [names[k] for k in order], ranks[order]
    title = "Change the count, change the winner"
    if len(names) > 1 and (ranks == ranks[0]).all():
        same = f"All {functions} rank the {nouns.candidates()} alike.{table}"
        return Picture.sentence(title, same, width)
    firsts = {name: list(found.facts()["first"].get(name, ())) for name in names}
    winners = list(dict.fromkeys(who for name in names for who in firsts[name]))
    if top is not None or n > MOST_LINES:
        few = how_many(MOST_LINES if top is None else top, n)
        kept = [i for i in range(n) if i < few or candidates[i] in winners]
        candidates, ranks = [candidates[i] for i in kept], ranks[:, kept]
    heads = [called(found, name) for name in names]
    layout = _Layout(candidates, heads, ranks, winners, inner(width))
    rest = only_first(len(candidates), n, nouns)
    if len(candidates) > ALL_NAMED:
        rest += f" The best {HIGHLIGHTED} by {said} and every winner are named."
    if layout.squeezed:
        rest += " Lower ranks are drawn closer together."
    dark = " Bold: first by another." if {*winners} - {*firsts[leading]} else ""
    places = dict(zip(candidates, ranks[0], strict=True))
    each = [
        f"{name}: " + ", ".join(map(number, dict.fromkeys(own)))
        for name, own in zip(candidates[:TOLD], ranks.T.tolist(), strict=False)
    ]
    return Picture(
        view=framed(layout.chart(), width, layout.height, stiff=True),
        title=title if len(winners) > 1 else "Count another way: the same winner",
        see=f"{'' if told else _winners_in_words(firsts, leading, said, places)}"
        f"Left: {said}, then ways of counting that rank alike side by side. "
        f"{HUES['accent']}: first by {said}.{dark}{rest}{table}",
        alt=f"Ranks of {nouns.candidates(n)} by {functions}: "
        f"{listed(heads, most=TOLD)}. "
        f"Ranked first by at least one: {listed(sorted(winners), most=TOLD)}. "
        f"The different ranks of each, best by {said} first. "
        f"{'; '.join(each)}." + (f" {n - TOLD} more." if n > TOLD else ""),
    )


def _asked(names: list[str], asked: str, usual: str) -> str:
    """Return the function that stands first: that asked for, else what a verdict would take."""
    listed_by_name = names == sorted(names)  # nobody chose an order
    return asked if asked in names else usual if usual in names and listed_by_name else names[0]


def alike_beside(ranks: Floats, first: int) -> list[int]:
    """Return an order of rankings (rows) from the first on: next comes who is most like the last.

    >>> alike_beside(np.array([[1, 2, 3], [3, 2, 1], [1, 3, 2]]), 0)
    [0, 2, 1]
    """
    order, left = [first], [k for k in range(len(ranks)) if k != first]
    while left:
        gaps = [float(np.abs(ranks[k] - ranks[order[-1]]).sum()) for k in left]
        order.append(left.pop(int(np.argmin(gaps))))
    return order


def _winners_in_words(firsts: dict[str, list[str]], leading: str, said: str, ranks: Row) -> str:
    """Say who most ways of counting put first, and where the one asked for puts that."""
    crowns = Counter(who for winners in firsts.values() for who in winners)
    who, times = crowns.most_common(1)[0]
    ways = f"{times} of {len(firsts)} ways of counting put {name_of(who)} first"
    if who in firsts[leading] or who not in ranks:
        return f"{ways}. "
    return f"{ways}, who is number {number(float(ranks[who]))} by {said}. "


class _Layout:
    """Hold where everything is, in pixels."""

    def __init__(
        self,
        candidates: list[str],
        functions: list[str],
        ranks: Floats,
        winners: list[str],
        across: int,
    ) -> None:
        self.candidates, self.functions, self.across = candidates, functions, across
        n, self.shown = len(candidates), ranks
        self.winners = [candidates.index(who) for who in winners if who in candidates]
        few = range(n if n <= ALL_NAMED else HIGHLIGHTED)
        self.named = sorted({*few, *self.winners[:NAMED]})
        widest = max(label_width(candidates[i]) for i in self.named)
        self.room = min(widest, (0.22 if across > NARROW else 0.25) * across)
        digits = max(label_width(number(rank)) for rank in ranks[:, self.named].ravel().tolist())
        self.sides = 2 if across > NARROW else 1  # that have names, and numbers where there are two
        digits *= self.sides > 1
        right_room = self.room + 8 + digits if self.sides > 1 else 0
        self.ends = (self.room + digits + 4, across - right_room)
        gap = 14 if self.sides > 1 else 6
        left, right = self.ends[0] + gap, self.ends[1] - gap
        step = (right - left) / max(1, len(functions) - 1)
        self.columns = [left + k * step for k in range(len(functions))]
        if len(functions) == 1:
            self.columns = [(left + right) / 2]
        self.leans = step >= ROOM_TO_LEAN or len(functions) == 1
        self.heads = [fitting(name, HEADING) for name in functions]
        steep = STEEP if step >= ROOM_TO_LEAN else 1
        self.top = max(map(label_width, self.heads)) * steep + 14
        self.squeezed = n > ALL_NAMED or float(ranks.max()) > STRETCH * n
        tall = min(max(n * LINE, FEWEST * ROW), TALLEST) if self.squeezed else n * ROW
        self.height = self.top + tall

    def y(self, rank: float) -> float:
        """Return where a rank is drawn; of many candidates the lower ones closer together."""
        lowest = float(self.shown.max())
        n = len(self.candidates)
        if not self.squeezed:
            return self.top + (rank - 0.5) * (self.height - self.top) / max(n, lowest)
        share = np.log(rank) / np.log(lowest)
        return float(self.top + LINE / 2 + share * (self.height - self.top - LINE))

    def labels(self, side: int) -> list[float]:
        """Return where the names of one side stand: apart also where ranks are tied."""
        ranks: Floats = self.shown[-side]
        ordinal = np.empty(len(ranks))
        ordinal[np.lexsort((self.shown[0], ranks))] = np.arange(1, len(ranks) + 1)
        wanted = [self.y(max(float(ordinal[i]), float(ranks[i]))) for i in self.named]
        half = LINE / 2
        return spread_apart(wanted, gap=LINE, low=self.top + half, high=self.height - half)

    def chart(self) -> Spec:
        x, y = canvas(self.across, self.height)
        others = sorted({*range(len(self.candidates))} - {*self.named})
        grey = [
            {"line": i, "x": round(at, 1), "y": round(self.y(float(self.shown[k, i])), 1)}
            for i in others
            for k, at in enumerate(self.columns)
        ]
        leaders: list[dict[str, Any]] = []
        texts = []
        for side, align, out in ((0, "right", 4), (1, "left", -4))[: self.sides]:
            edge = self.across - self.room if side else self.room
            names: dict[bool, list[tuple[float, float, str]]] = {True: [], False: []}
            ranks = []
            for i, at in zip(self.named, self.labels(side), strict=True):
                line, rank = f"{side} {i}", float(self.shown[-side, i])
                leaders += [
                    {"line": line, "x": self.ends[side] + out, "y": at},
                    {"line": line, "x": self.columns[-side], "y": self.y(rank)},
                ]
                name = fitting(self.candidates[i], self.room)
                names[i in self.winners].append((edge, at, name))
                ranks.append((self.ends[side], at, number(rank)))
            if self.sides > 1:
                texts.append(text_layer(ranks, x, y, align=align, style="muted"))
            for wins, weight in ((True, "bold"), (False, "normal")):
                texts.append(text_layer(names[wins], x, y, align=align, fontWeight=weight))
        heads = [(at, self.top - 4, h) for at, h in zip(self.columns, self.heads, strict=True)]
        faint = {"detail": "line:N", "order": "x:Q", "style": "faint", "strokeWidth": 1}
        return layer(
            *(mark("line", data(rows), x=x, y=y, **faint) for rows in (grey, leaders) if rows),
            *self._lines(x, y),
            *texts,
            text_layer(heads, x, y, align="left", angle=305 if self.leans else 270),
        )

    def _lines(self, x: Spec, y: Spec) -> list[Spec]:
        first = {i for i in self.winners if self.shown[0, i] == self.shown[0].min()}
        others = [i for i in self.winners if i not in first]
        dash = {i: k % len(LEADING) for k, i in enumerate(others)}
        rows = data(
            {
                "candidate": self.candidates[i],
                "function": self.functions[k],
                "rank": float(self.shown[k, i]),
                "line": i,
                "look": "accent" if i in first else "ink" if i in dash else "muted",
                "dash": dash.get(i, 0),
                "x": at,
                "y": self.y(float(self.shown[k, i])),
            }
            for i in self.named
            for k, at in enumerate(self.columns)
        )
        line: Spec = {"x": x, "y": y, "detail": "line:N", "order": "x:Q"}
        hint = tips("candidate:N", ("function:N", "by"), ("rank:Q", "rank"))
        point: Spec = {"x": x, "y": y, "tooltip": hint, "filled": True}
        scale = {"domain": list(range(len(LEADING))), "range": list(LEADING)}
        dashes = field("dash:N", legend=None, scale=scale)
        found = []
        for style in ("muted", "ink", "accent"):
            look = {"where": f"datum.look == '{style}'", "style": style}
            grey = style == "muted"
            thin = {"strokeWidth": 1, "opacity": 0.4} if grey else {"strokeWidth": 2.5}
            dots = {"size": 14, "opacity": 0.5} if grey else {"size": 40, "opacity": 1}
            found += [
                mark("line", rows, **line, **look, **thin, strokeDash=dashes),
                mark("point", rows, **point, **look, **dots),
            ]
        return found
