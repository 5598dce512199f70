"""Pictures with a row for each candidate: names, an axis that fits the fight; and their words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.core.errors import visible
from deadheat.core.types import Row, require_top
from deadheat.data.results import PLAIN, Nouns
from deadheat.data.scoring_rule import known_rule
from deadheat.output.result import Result
from deadheat.output.text import percent
from deadheat.ranking.function import spoken
from deadheat.ranking.official import top
from deadheat.rate.options import RatingScale, rating_scale
from deadheat.report.charts.pixels import LETTER, label_width, powers
from deadheat.report.charts.spec import NO_WIDTH, Spec, data, field, framed, mark
from deadheat.report.charts.theme import HUES, LABEL, REVERSED, ROW

DENSE = 60  # candidates above which rows are as low as letters allow
LOWEST = 14
TALLEST = 100  # rows of a picture, unless more are asked for
AXIS_ON_TOP = 40  # rows from which the bottom of a picture is out of sight
MOST_TOLD = 12
LONGEST_TOLD = 60
LONGER = 2.5  # times the axis of the better half that the whole may take
BEYOND = 0.5  # of that half, by which an axis goes beyond it where the whole takes more
LEAST_ROWS = 3  # rows that the better half has
LEAST_SHARE = 0.001  # that is written as a number
MORE = 0.005  # than all, that rounding hides
SECONDS = "seconds"
SUFFIXES = (".csv", ".tsv", ".json", ".parquet", ".xlsx", ".gz")


def height(n: int) -> int:
    return max(1, n) * (ROW if n <= DENSE else LOWEST)


def name_room(width: int) -> int:
    return min(LABEL, round(0.36 * width))


def names_axis(limit: float, names: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return an axis of names only, of so many pixels each at most: long ones lose their middle.

    Names of settings differ at their ends, where Vega by itself would cut them.
    """
    axis = {"labelOverlap": False, "labelLimit": limit, "ticks": False, "domain": False, **more}
    if max(map(label_width, map(visible, names)), default=0) > limit:
        most = max(3, int(limit / LETTER))
        head, tail = most // 2, (most - 1) // 2
        name = f"replace(datum.label, '{NO_WIDTH}', '')"
        cut = f"slice({name}, 0, {head}) + '\u2026' + slice({name}, -{tail})"
        axis["labelExpr"] = f"length({name}) > {most} ? {cut} : {name}"
    return axis


def nouns_of(result: Any) -> Nouns:
    """Return what candidates and judges of a result, fresh or saved, are called."""
    said = result.made.get("nouns", {})
    return Nouns(**{name: said[name] for name in vars(PLAIN) if name in said})


def usual_count(result: Any) -> tuple[str, str]:
    """Return the function that ranks scored runs, and what people call it: mean, PAR2.

    Both are empty where a result, fresh or saved, is not of runs.
    """
    name = str(result.made.get("rule") or "")
    rule = known_rule(name)
    if rule is None:  # of one's own
        return "mean" if name else "", name
    return rule.by, rule.heading or rule.total or rule.name


def called(result: Any, function: str) -> str:
    """Return what a way to count is called in a result, as everywhere else in it."""
    usual, name = usual_count(result)
    return name if function == usual else spoken(function)


def table_name(source: str) -> str:
    """Return the name of a table without the suffix of its file."""
    return Path(source).stem if Path(source).suffix in SUFFIXES else source


def unit_of(result: Any) -> str:
    """Return the unit of a verdict's numbers, where it is known: seconds of penalised times."""
    rule = known_rule(str(result.made.get("rule") or ""))
    return "" if rule is None else rule.unit


def first_rows(result: Any, k: int | None, *, most: int | None = None) -> tuple[list[Row], str]:
    """Return the rows of the first k of the official order, or of the observed one; and say so.

    By default they are as many as the verdict shows, and ``most`` where there is one.
    """
    rows, k = result.rows(), result.made.get("top") if k is None else k
    if k is None and how_many(None, len(rows), most=most) == len(rows):
        return rows, ""
    given = any(row["official"] is not None for row in rows)
    places = np.array([row["official" if given else "rank"] for row in rows], dtype=np.float64)
    kept = [rows[i] for i in top(places, how_many(k, len(rows), most=most))]
    return kept, only_first(len(kept), len(rows), nouns_of(result))


def how_many(top: int | None, n: int, *, most: int | None = None) -> int:
    """Return how many of n are shown: as many as asked for, else all, and ``most`` at most."""
    require_top(top)
    return min(n, (n if most is None else most) if top is None else top)


def only_first(shown: int, n: int, nouns: Nouns) -> str:
    """Say that not everybody is shown, as one more sentence."""
    return f" The first {shown:,} of {nouns.candidates(n)} are shown." if shown < n else ""


def shares_in_words(shares: Iterable[float | None]) -> str:
    """Say why shares of first places are more than all together, as one more sentence."""
    more = sum(share or 0.0 for share in shares) > 1 + MORE
    return " A shared first place counts for each." if more else ""


def accent_in_words(*, level: bool, undecided: bool = False, nouns: Nouns) -> str:
    """Say what the accent of a picture means."""
    if undecided:
        return f"No test puts {nouns.candidates()} into groups."
    level_ = "level with the leader" if level else "the leader; nobody is level"
    return f"{HUES['accent']}: {level_}."


def parts_of(rated: Result) -> dict[str, dict[str, float]]:
    """Return the ratings by part (a data set, a category) and candidate, the highest first."""
    kind, parts = rated.outline().get("kind"), dict[str, dict[str, float]]()
    for row in rated.rows():
        parts.setdefault(row[kind] if kind else "", {})[row["candidate"]] = float(row["rating"])
    return parts


def scale_of(rated: Result) -> RatingScale:
    made = rated.made
    return rating_scale(made["scale"], np.empty(0), (), base=made["base"], width=made["width"])


@dataclass(frozen=True)
class Axis:
    """Hold an axis on which right is better: its ends, and how it is drawn.

    Where the last ones lie far behind, it ends beyond the better half, so that the fight can be
    seen; ``inside`` says where a number is drawn, ``off`` whether it lies beyond.
    """

    low: float
    high: float
    log: bool = False
    lower: bool = False
    unit: str = ""

    @classmethod
    def fitting(
        cls, ends: Sequence[tuple[float, float]], *, lower: bool = False, unit: str = ""
    ) -> Axis:
        """Return the axis of intervals, best first; times have a logarithmic one."""
        known = [(low, high) for low, high in ends if math.isfinite(low) and math.isfinite(high)]
        known = known or [(0.0, 1.0)]
        log = unit == SECONDS and min(low for low, _ in known) > 0
        turn: Callable[[float], float] = math.log if log else float
        back: Callable[[float], float] = math.exp if log else float
        low, high = fitting_ends([(turn(low), turn(high)) for low, high in known], lower=lower)
        pad = 0.03 * (high - low) or 0.5
        return cls(back(low - pad), back(high + pad), log=log, lower=lower, unit=unit)

    def inside(self, value: float) -> float:
        """Return where a number is drawn: a little inside where it lies beyond an end."""
        low, high = (math.log(end) if self.log else end for end in (self.low, self.high))
        near = [end + sign * 0.012 * (high - low) for end, sign in ((low, 1), (high, -1))]
        least, most = map(math.exp, near) if self.log else near
        return least if value < self.low else most if value > self.high else value

    def off(self, value: float) -> bool:
        return not self.low <= value <= self.high

    def share(self, value: float) -> float:
        """Return how far to the right a number is drawn, as a share of the axis."""
        at, low, high = (
            math.log(end) if self.log else end for end in (self.inside(value), self.low, self.high)
        )
        share = (at - low) / (high - low)
        return 1 - share if self.lower else share

    def look(self, title: str, width: int, *, orient: str = "bottom") -> dict[str, Any]:
        """Return how a field on it is drawn."""
        scale: Spec = {"domain": [self.low, self.high], "nice": False, "zero": False}
        axis: Spec = {"orient": orient, "tickCount": max(3, width // 110), "labelFlush": False}
        if self.log:
            scale["type"] = "log"
            axis |= {"values": powers(self.low, self.high, most=max(3, width // 80))}
            axis["format"] = ",~r"
        if self.lower:
            scale["reverse"] = True
            axis |= REVERSED
        axis |= {"labelExpr": "datum.label + ' s'"} if self.unit == SECONDS else {}
        return {"title": f"{title} (better →)", "scale": scale, "axis": axis}


def fitting_ends(
    intervals: Sequence[tuple[float, float]], *, lower: bool = False
) -> tuple[float, float]:
    """Return the ends of an axis of intervals, best first, that the last ones do not flatten.

    It holds all where they take at most ``LONGER`` times what the better half takes; else it ends
    beyond that half by ``BEYOND`` of it. The browser, which draws other counts, does the same.
    """
    low, high = _span(intervals)
    near, far = _span(intervals[: max(LEAST_ROWS, (len(intervals) + 1) // 2)])
    size = far - near
    if not 0 < LONGER * size < high - low:
        return low, high
    room = BEYOND * size
    return (low, min(high, far + room)) if lower else (max(low, near - room), high)


def _span(ends: Iterable[tuple[float, float]]) -> tuple[float, float]:
    lows, highs = zip(*ends, strict=True)
    return min(lows), max(highs)


class Rows:
    """Hold the rows of a picture, touching each other: a candidate each, in this order."""

    def __init__(self, names: Sequence[str], width: int, *, room: float = 0.36) -> None:
        self.n, self.width = len(names), width
        scale = {"type": "band", "domain": [visible(name) for name in names], "padding": 0}
        limit = min(LABEL * room / 0.36, room * width)
        axis = names_axis(round(limit), names, grid=False, labelPadding=8)
        self.y = field("candidate:N", sort=None, title=None, scale=scale, axis=axis)
        # Where the axis across is seen first.
        self.orient = "top" if self.n > AXIS_ON_TOP else "bottom"

    def intervals(
        self, view: Spec, axis: Axis, title: str, tooltip: list[Spec], *, where: str = "true"
    ) -> list[Spec]:
        """Return dots with their intervals, those level with the leader in the accent.

        Rows have ``from`` and ``to``, ``at``, ``level`` and whether they are ``off`` the axis.
        """
        x = axis.look(title, self.width, orient=self.orient)
        both: Spec = {"y": self.y, "tooltip": tooltip}
        found = []
        for style, which in (("muted", "!datum.level"), ("accent", "datum.level")):
            line = {"style": style, "strokeWidth": 5, "opacity": 0.4, "strokeCap": "round"}
            dot = {"style": style, "filled": True, "size": 60, "opacity": 1}
            found += [
                mark(
                    "rule",
                    view,
                    where=f"{which} && !datum.off",
                    x=field("from:Q", **x),
                    x2="to:Q",
                    **both,
                    **line,
                ),
                mark(
                    "point",
                    view,
                    where=f"{which} && !datum.off && {where}",
                    x=field("at:Q", **x),
                    **both,
                    **dot,
                ),
            ]
        return found

    def beyond(self, view: Spec, axis: Axis, title: str, tooltip: list[Spec]) -> list[Spec]:
        """Return arrows, with their numbers, for those whose dot lies off the axis."""
        at = field("at:Q", **axis.look(title, self.width, orient=self.orient))
        both: Spec = {"where": "datum.off", "x": at, "y": self.y, "tooltip": tooltip}
        arrow = {"shape": "triangle-left", "filled": True, "size": 60, "opacity": 1}
        text = {"text": "said:N", "align": "left", "dx": 8, "style": "muted"}
        return [
            mark("point", view, **both, **arrow, style="muted"),
            mark("text", view, **both, **text),
        ]

    def framed(self, chart: Spec, *, stiff: bool = False) -> Spec:
        return framed(chart, self.width, height(self.n), stiff=stiff)


def beside(view: Spec, y: Spec, text: str, **more: Any) -> Spec:
    """Return a column of text right of the rows."""
    look = {"style": "ink", "align": "left", "dx": 8, **more}
    return mark("text", view, x="width", y=y, text=text, **look)


def heading(text: str, *, dx: int, x: Any = "width", align: str = "left") -> Spec:
    look = {"style": "muted", "align": align, "dx": dx}
    return mark("text", data([{"word": text}]), x=x, y=-8, text="word:N", **look)


def brief_share(share: float) -> str:
    """Return a share for a narrow column: most candidates are never first."""
    if share == 0:
        return "\u2013"
    return percent(share) if share >= LEAST_SHARE else "<0.1 %"


def name_of(candidate: str) -> str:
    """Return a name for use inside a sentence: short, and never invisible."""
    text = visible(candidate)
    if not text.strip():
        return "(a name of blanks)"
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"


def prose(sentences: Sequence[str]) -> str:
    """Return the first sentences as one text, and how many more there are."""
    rest = len(sentences) - MOST_TOLD
    return " ".join(sentences[:MOST_TOLD]) + (f" {rest} more." if rest > 0 else "")
