"""Everybody in order, with intervals and ranks; ratings, whose differences are odds of winning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deadheat.core.errors import DataError, UsageError, on_page
from deadheat.core.types import Row
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.report.charts.rows import first_rows
from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.verdict.result import Verdict

OWN_GROUPS = "Ratings have a model of their own, and so their groups may differ from those above."
MOST = 80  # candidates of which the matrix is downloaded
ALONE = "By {}, best first; nobody is level with the leader."


@tells(20)
def ranking(found: Contents) -> Section | None:
    title, v, r = "The ranking", found.verdict, found.ratings
    if v is not None:
        few = f"Tests were not enough to put {v.nouns.candidates()} into groups."
        said = few if v.undecided else ALONE.format(v.heading)
        table, (notes, extra) = Table("ranking", title, v), _of_verdict(v)
    elif found.ranking is not None:
        table = Table("ranking", title, found.ranking, found.ranking.grid())
        alone = "The order that this one judge gives, without any uncertainty."
        return Section("ranking", title, alone, (), (table,))
    elif isinstance(r, Ratings):
        said = ALONE.format("rating")
        if len(r.groups[0]) > 1:
            said = "= level with the leader: the battles do not separate them."
        table, (notes, extra) = Table("ratings", "Ratings", r), _of_ratings(r)
    else:
        return None
    grid = table.result.grid()
    legend = (" ".join(line.split()).removesuffix(".") for line in grid.legend)
    said = " ".join(f"{line}." for line in legend) or said
    told = (*map(on_page, grid.notes), *notes)
    return Section("ranking", title, said, (), (table,), told, "ranking.html.j2", extra)


def _of_verdict(v: Verdict) -> tuple[list[str], dict[str, Any]]:
    level = number(100 * (1 - v.alpha))
    notes = [f"The line is the {level} % interval of a given candidate, right is better."]
    ends, (rows, _) = ("shown_low", "shown_high"), first_rows(v, None)
    return notes, {
        "lines": _lines(rows, v.digits, value="merit", ends=ends, within=("low", "high")),
        "heading": v.heading,
        "digits": v.digits,
        "has_official": v.has_official,
        "has_best": v.best is not None,
        "groups": len(v.members),
        "level": v.says_level,
        "undecided": v.undecided,
        "noun": v.nouns.candidate,
    }


def _of_ratings(r: Ratings) -> tuple[list[str], dict[str, Any]]:
    notes = [
        f"The line is the {number(100 * (1 - r.alpha))} % interval of the rating, right is better.",
        "Ranked first: a shared first place counts for all who share it.",
    ]
    digits, ends = r.scale.digits, ("low", "high")
    return notes, {
        "lines": _lines(r.rows(), digits, value="rating", ends=ends, within=("rating", *ends)),
        "heading": "rating",
        "digits": digits,
        "has_official": False,
        "has_best": False,
        "groups": len(r.groups),
        "level": len(r.groups[0]) > 1,
        "undecided": False,
        "noun": "candidate",
    }


def _lines(
    rows: Sequence[Row], digits: int, *, value: str, ends: tuple[str, str], within: tuple[str, ...]
) -> list[Row]:
    """Return what is told of each candidate, and where its interval lies, in per cent.

    ``value`` is where the dot stands, ``ends`` are written, and ``within`` sets the scale.
    """
    known = [row[key] for row in rows for key in within if row[key] is not None]
    left, right = min(known), max(known)

    def place(number: float | None, margin: float) -> float:
        share: float = ((margin if number is None else number) - left) / (right - left or 1.0)
        return round(min(100.0, max(0.0, 100 * share)), 2)

    def line(row: Row) -> Row:
        ranks = row["rank_low"], row["rank_high"]
        return {
            **{key: row[key] for key in ("candidate", "group", "rank", "first_share")},
            "official": row.get("official"),
            "shown": row["shown"] if "shown" in row else row[value],
            "ends": _ends(row[ends[0]], row[ends[1]], digits),
            "ranks": None if None in ranks else [round(rank, 1) for rank in ranks],
            "left": place(row["low"], left),
            "dot": place(row[value], left),
            "right": place(row["high"], right),
            "may_be_best": row.get("may_be_best"),
        }

    return [line(row) for row in rows]


def _ends(low: float | None, high: float | None, digits: int) -> str:
    if low is None:
        return "open" if high is None else f"below {number(high, digits)}"
    above = number(low, digits)
    return f"above {above}" if high is None else f"{above} to {number(high, digits)}"


@tells(90)
def ratings(found: Contents) -> Section | None:
    r = found.ratings
    if r is None:
        return None
    (first, *rest), grid = r.sentences, r.grid()
    tables = []
    if found.table is not None or isinstance(r, RatingParts):  # else they are the ranking
        tables.append(Table("ratings", "Ratings", r, grid, folded=True))
    notes, kinds = [*rest, *grid.remarks], ["ratings", "win-matrix", "calibration"]
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
        tables.append(Table("rating-pairs", "Every pair", r.table("pairs")))
    notes += [OWN_GROUPS] if found.table is not None else []
    if isinstance(r, Ratings) and len(r.candidates) > MOST:
        every = f"every pair of {len(r.candidates):,} candidates"
        notes.append(f"The chances of {every} are left out: see deadheat rate.")
    title, drawn, told = "Ratings and chances of winning", pictures(r, kinds), map(on_page, notes)
    return Section("ratings", title, first, drawn, tuple(tables), tuple(told))
