"""Everybody in order: groups, numbers, intervals, shares ranked first, ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deadheat.core.types import Row
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.report.contents import Gathered
from deadheat.report.page import Section, Table, tells
from deadheat.report.summary import on_a_page
from deadheat.verdict.result import Verdict


@dataclass(frozen=True, kw_only=True)
class Line:
    """Hold one candidate of the ranked table, and where its interval lies, in per cent."""

    candidate: str
    group: int
    official: float | None
    rank: float
    shown: float
    ends: str
    first_share: float | None
    ranks: tuple[float, float] | None
    left: float
    dot: float
    right: float
    may_be_best: bool | None = None


@tells(20)
def ranking(found: Gathered) -> Section | None:
    """Show the ranked table."""
    if found.verdict is not None:
        return _of_verdict(found, found.verdict)
    if found.ranking is None and isinstance(found.ratings, Ratings):
        return _of_ratings(found, found.ratings)
    return _without_uncertainty(found)


def _of_verdict(found: Gathered, v: Verdict) -> Section:
    level = number(100 * (1 - v.alpha))
    ranges = "resampling ranges"
    if not v.evidence.plan.random:
        ranges = "ranges over tables with one left out"
    if v.strictly is not None:
        ranges = "simultaneous confidence sets" if v.sound else "ranges by the same tests"
    return Section(
        name="ranking",
        title="The ranking",
        sentence="Tests were not enough to put candidates into groups."
        if v.undecided
        else "Candidates of one group are in a dead heat: the data do not tell them apart from "
        "their leader.",
        tables=(Table(name="ranking", title="The ranking", result=v),),
        notes=(
            *(on_a_page(note, found.names) for note in v.grid().notes),
            f"The line is the {level} % interval of a given candidate, right is better.",
            f"Ranks are {level} % {ranges}.",
        ),
        template="ranking.html.j2",
        extra={
            "lines": list(_lines(v)),
            "heading": v.heading,
            "digits": v.digits,
            "has_official": v.has_official,
            "has_best": v.best is not None,
            "groups": len(v.members),
        },
    )


def _of_ratings(found: Gathered, r: Ratings) -> Section:
    level = number(100 * (1 - r.alpha))
    return Section(
        name="ranking",
        title="The ranking",
        sentence="Candidates of one group are in a dead heat: the battles do not tell them apart "
        "from their leader.",
        tables=(Table(name="ratings", title="Ratings", result=r),),
        notes=(
            *(on_a_page(note, found.names) for note in r.grid().notes),
            f"The line is the {level} % interval of the rating, right is better.",
            "Ranked first: a shared first place counts for all who share it.",
        ),
        template="ranking.html.j2",
        extra={
            "lines": list(_rated_lines(r)),
            "heading": "rating",
            "digits": r.scale.digits,
            "has_official": False,
            "has_best": False,
            "groups": len(r.groups),
        },
    )


def _without_uncertainty(found: Gathered) -> Section | None:
    if found.ranking is None:
        return None
    return Section(
        name="ranking",
        title="The ranking",
        sentence="The order that this one judge gives, without any uncertainty.",
        tables=(
            Table(
                name="ranking",
                title="The ranking",
                result=found.ranking,
                shown=found.ranking.grid(),
            ),
        ),
    )


def _lines(v: Verdict) -> Iterator[Line]:
    left, right = float(v.low.min()), float(v.high.max())
    span = right - left or 1.0
    for row in v.rows():
        low, high = (number(row[end], v.digits) for end in ("shown_low", "shown_high"))
        yield Line(
            candidate=row["candidate"],
            group=row["group"],
            official=row["official"],
            rank=row["rank"],
            shown=row["shown"],
            ends=f"{low} to {high}",
            first_share=row["first_share"],
            ranks=_ranks(row),
            left=_at(row["low"], left, span),
            dot=_at(row["merit"], left, span),
            right=_at(row["high"], left, span),
            may_be_best=row["may_be_best"],
        )


def _rated_lines(r: Ratings) -> Iterator[Line]:
    """Yield what is told of each candidate; an end that no battle closes is at the margin."""
    rows = r.rows()
    known = [row[key] for row in rows for key in ("rating", "low", "high") if row[key] is not None]
    left, right = min(known), max(known)
    span = right - left or 1.0
    for row in rows:
        low, high = row["low"], row["high"]
        yield Line(
            candidate=row["candidate"],
            group=row["group"],
            official=None,
            rank=row["rank"],
            shown=row["rating"],
            ends=_ends(low, high, r.scale.digits),
            first_share=row["first_share"],
            ranks=_ranks(row),
            left=_at(left if low is None else low, left, span),
            dot=_at(row["rating"], left, span),
            right=_at(right if high is None else high, left, span),
        )


def _ends(low: float | None, high: float | None, digits: int) -> str:
    if low is None and high is None:
        return "open"
    if low is None:
        return f"below {number(high, digits)}"
    return (
        f"above {number(low, digits)}"
        if high is None
        else (f"{number(low, digits)} to {number(high, digits)}")
    )


def _ranks(row: Row) -> tuple[float, float] | None:
    if row["rank_low"] is None or row["rank_high"] is None:
        return None
    return round(row["rank_low"], 1), round(row["rank_high"], 1)


def _at(value: float, left: float, span: float) -> float:
    return round(min(100.0, max(0.0, 100 * (value - left) / span)), 2)
