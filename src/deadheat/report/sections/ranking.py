"""Everybody in order: groups, numbers, intervals, shares ranked first, ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deadheat.core.errors import on_page
from deadheat.core.types import Row
from deadheat.output.result import Result
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, tells
from deadheat.verdict.result import Verdict


@tells(20)
def ranking(found: Contents) -> Section | None:
    if found.verdict is not None:
        return _of_verdict(found.verdict)
    if found.ranking is not None:
        alone = "The order that this one judge gives, without any uncertainty."
        ranked = found.ranking
        table = Table(name="ranking", title="The ranking", result=ranked, shown=ranked.grid())
        return Section(name="ranking", title="The ranking", sentence=alone, tables=(table,))
    return _of_ratings(found.ratings) if isinstance(found.ratings, Ratings) else None


def _of_verdict(v: Verdict) -> Section:
    level = number(100 * (1 - v.alpha))
    ranges = "resampling ranges"
    if not v.evidence.plan.random:
        ranges = "ranges over tables with one left out"
    if v.strictly is not None:
        ranges = "simultaneous confidence sets" if v.sound else "ranges by the same tests"
    return _section(
        v,
        sentence="Tests were not enough to put candidates into groups."
        if v.undecided
        else _dead_heat("data"),
        table=Table(name="ranking", title="The ranking", result=v),
        notes=(
            f"The line is the {level} % interval of a given candidate, right is better.",
            f"Ranks are {level} % {ranges}.",
        ),
        lines=_lines(
            v.rows(),
            digits=v.digits,
            value="merit",
            ends=("shown_low", "shown_high"),
            within=("low", "high"),
        ),
        heading=v.heading,
        digits=v.digits,
        has_official=v.has_official,
        has_best=v.best is not None,
        groups=len(v.members),
    )


def _of_ratings(r: Ratings) -> Section:
    level = number(100 * (1 - r.alpha))
    return _section(
        r,
        sentence=_dead_heat("battles"),
        table=Table(name="ratings", title="Ratings", result=r),
        notes=(
            f"The line is the {level} % interval of the rating, right is better.",
            "Ranked first: a shared first place counts for all who share it.",
        ),
        lines=_lines(
            r.rows(),
            digits=r.scale.digits,
            value="rating",
            ends=("low", "high"),
            within=("rating", "low", "high"),
        ),
        heading="rating",
        digits=r.scale.digits,
        has_official=False,
        has_best=False,
        groups=len(r.groups),
    )


def _dead_heat(what: str) -> str:
    return (
        f"Candidates of one group are in a dead heat: the {what} do not tell them apart from their "
        "leader."
    )


def _section(
    result: Result, *, sentence: str, table: Table, notes: Sequence[str], **extra: Any
) -> Section:
    return Section(
        name="ranking",
        title="The ranking",
        sentence=sentence,
        tables=(table,),
        notes=(*map(on_page, result.grid().notes), *notes),
        template="ranking.html.j2",
        extra=extra,
    )


def _lines(
    rows: Sequence[Row], *, digits: int, value: str, ends: tuple[str, str], within: tuple[str, ...]
) -> list[Row]:
    """Return what is told of each candidate, and where its interval lies, in per cent.

    ``value`` is where the dot stands, ``ends`` are written, and ``within`` sets the scale; an end
    that no battle closes is at the margin.
    """
    known = [row[key] for row in rows for key in within if row[key] is not None]
    left, right = min(known), max(known)

    def place(number: float | None, margin: float) -> float:
        share: float = ((margin if number is None else number) - left) / (right - left or 1.0)
        return round(min(100.0, max(0.0, 100 * share)), 2)

    found = []
    for row in rows:
        ranks = row["rank_low"], row["rank_high"]
        found.append(
            {
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
        )
    return found


def _ends(low: float | None, high: float | None, digits: int) -> str:
    if low is None and high is None:
        return "open"
    if low is None:
        return f"below {number(high, digits)}"
    if high is None:
        return f"above {number(low, digits)}"
    return f"{number(low, digits)} to {number(high, digits)}"
