"""Everybody in order, with intervals and ranks; ratings, whose differences are odds of winning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from deadheat.core.errors import DataError, UsageError, on_page
from deadheat.core.types import Row
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.report.charts.rows import Axis, first_rows
from deadheat.report.contents import Contents
from deadheat.report.live import level_in_words
from deadheat.report.page import RANKED, Section, Table, pictures, tells
from deadheat.report.plots.intervals import axis_of, axis_of_ratings
from deadheat.verdict.result import Verdict

CALIBRATED = "Whether those that should win do so as often as their ratings say."
OWN_GROUPS = "Ratings have a model of their own, and so their groups may differ from those above."
MOST = 80  # candidates of which the matrix is downloaded


@tells(20)
def ranking(found: Contents) -> Section | None:
    title, v, r = "The ranking", found.verdict, found.ratings
    if v is not None:
        n = len(v.candidates)
        some = v.shown_top is not None and v.shown_top < n
        few = f"The top {v.shown_top} of {v.nouns.candidates(n)} are shown."
        said = " ".join((*level_in_words(v, "Those marked ="), *([few] if some else [])))
        table, (notes, extra) = Table("ranking", title, v), _of_verdict(v)
    elif found.ranking is not None:
        grid = found.ranking.grid()
        table = Table("ranking", title, found.ranking, grid)
        if found.ranking.own is not None:
            return Section("ranking", title, "By score, best first.", (), (table,), grid.remarks)
        one = found.ranking.nouns.judge
        alone = f"The order that this one {one} gives, without any uncertainty."
        return Section("ranking", title, alone, (), (table,))
    elif isinstance(r, Ratings):
        said = "By rating, best first; nobody is level with the leader."
        if len(r.groups[0]) > 1:
            said = "Marked = are level with the leader: the battles do not separate them."
        table, (notes, extra) = Table("ratings", "Ratings", r), _of_ratings(r)
    else:
        return None
    told = (*map(on_page, table.result.grid().notes), *notes)
    return Section("ranking", title, said, (), (table,), told, "ranking.html.j2", extra)


def _of_verdict(v: Verdict) -> tuple[list[str], dict[str, Any]]:
    level = number(100 * (1 - v.alpha))
    notes = [f"The line is the {level} % interval of a given {v.nouns.candidate}, right is better."]
    rows, _ = first_rows(v, None)
    ends = ("shown_low", "shown_high")
    return notes, {
        "lines": _lines(rows, axis_of(v, rows[:RANKED]), v.digits, value="shown", ends=ends),
        "heading": v.heading,
        "digits": v.digits,
        "has_official": v.has_official,
        "groups": 0 if v.undecided else len(v.members),
        "level": v.says_level,
        "nouns": [v.nouns.candidate, v.nouns.candidates()],
    }


def _of_ratings(r: Ratings) -> tuple[list[str], dict[str, Any]]:
    notes = [
        f"The line is the {number(100 * (1 - r.alpha))} % interval of the rating, right is better.",
        "Ranked first: a shared first place counts for all who share it.",
    ]
    rows, digits, ends = r.rows(), r.scale.digits, ("low", "high")
    return notes, {
        "lines": _lines(rows, axis_of_ratings(rows[:RANKED]), digits, value="rating", ends=ends),
        "heading": "rating",
        "digits": digits,
        "has_official": False,
        "groups": len(r.groups),
        "level": len(r.groups[0]) > 1,
        "nouns": ["candidate", "candidates"],
    }


def _lines(
    rows: Sequence[Row], axis: Axis, digits: int, *, value: str, ends: tuple[str, str]
) -> list[Row]:
    """Return what is told of each candidate, and where its interval lies, in per cent.

    ``value`` is where the dot stands, ``ends`` are those of the interval, of which one that is not
    known lies at the margin. A browser fits the axis of each page of a long ranking: ``x`` has the
    three numbers as they lie on it, where right is better.
    """

    def place(at: float) -> float:
        return round(100 * axis.share(at), 2)

    def on_axis(at: float | None) -> str:
        if at is None or (axis.log and at <= 0):
            return ""
        return f"{(-1 if axis.lower else 1) * (math.log(at) if axis.log else at):.6g}"

    def line(row: Row) -> Row:
        left, right = sorted(
            margin if row[end] is None else place(row[end])
            for end, margin in zip(ends, (0.0, 100.0), strict=True)
        )
        ranks = row["rank_low"], row["rank_high"]
        return {
            **{key: row[key] for key in ("candidate", "group", "rank", "first_share")},
            "official": row.get("official"),
            "shown": row["shown"] if "shown" in row else row[value],
            "ends": _ends(row[ends[0]], row[ends[1]], digits),
            "ranks": None if None in ranks else [round(rank, 1) for rank in ranks],
            "left": left,
            "dot": place(row[value]),
            "right": right,
            "off": axis.off(row[value]),
            "x": " ".join(on_axis(row[key]) for key in (ends[0], value, ends[1])),
        }

    return [line(row) for row in rows]


def _ends(low: float | None, high: float | None, digits: int) -> str:
    if low is None:
        return "open" if high is None else f"below {number(high, digits)}"
    above = number(low, digits)
    return f"above {above}" if high is None else f"{above} to {number(high, digits)}"


@tells(140)
def ratings(found: Contents) -> Section | None:
    r = found.ratings
    if r is None:
        return None
    (first, *rest), grid = r.sentences, r.grid()
    tables = []
    if found.table is not None or isinstance(r, RatingParts):  # else they are the ranking
        tables.append(Table("ratings", "Ratings", r, grid, folded=True))
    of_log = found.table is None  # then ratings are the ranking, and its picture stands first
    notes, kinds = [*rest, *grid.remarks], [*["ratings"] * (not of_log), "calibration"]
    if isinstance(r, RatingParts):
        kinds = ["epp-bars"]
        # The results are asked, so that no failure of a picture itself is hidden.
        for kind, ask in (("tunability", r.tunability), ("embedding", r.embedding)):
            try:
                ask()
                kinds.append(kind)
            except (DataError, UsageError) as error:
                notes.append(f"There is no picture of {kind}: {error.fact}")
    elif len(r.candidates) <= MOST:
        tables.append(Table("win-matrix", "Chances of winning", r.table("matrix")))
        if of_log:
            tables.append(Table("rating-pairs", "Every pair", r.table("pairs")))
    notes += [OWN_GROUPS] if found.table is not None else []
    if isinstance(r, Ratings) and len(r.candidates) > MOST:
        every = f"every pair of {len(r.candidates):,} candidates"
        notes.append(f"The chances of {every} are left out: see deadheat rate.")
    title, drawn = "Ratings and chances of winning", pictures(r, kinds)
    told = tuple(map(on_page, notes))
    folded = isinstance(r, Ratings)
    if of_log and folded:  # the answer and the ranking have said the rest
        title, first, told = "Do the ratings hold?", CALIBRATED, ()
    return Section("ratings", title, first, drawn, tuple(tables), told, folded=folded)
