"""Everybody in order: groups, numbers, intervals, shares ranked first, ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deadheat.inference.verdict import Verdict
from deadheat.report.gathering import Gathered
from deadheat.report.section import Section, Table, tells
from deadheat.report.summary import on_a_page
from deadheat.text import number


@dataclass(frozen=True, kw_only=True)
class Line:
    """Hold one candidate of the ranked table, and where its interval lies, in per cent."""

    row: dict[str, Any]
    left: float
    dot: float
    right: float


@tells(20)
def ranking(found: Gathered) -> Section | None:
    """Show the ranked table."""
    v = found.verdict
    if v is None:
        return _without_uncertainty(found)
    level = number(100 * (1 - v.alpha))
    ranges = "simultaneous confidence sets" if v.strictly else "resampling ranges"
    return Section(
        name="ranking",
        title="The ranking",
        sentence="Candidates of one group are in a dead heat: the data do not tell them apart from "
        "their leader.",
        tables=(Table(name="ranking", title="The ranking", result=v),),
        notes=(
            *map(on_a_page, v.grid().notes),
            f"The line is the {level} % interval, right is better. Ranks are {level} % {ranges}.",
        ),
        template="ranking.html.j2",
        extra={"lines": _lines(v), "verdict": v, "groups": len(v.members)},
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


def _lines(v: Verdict) -> list[Line]:
    left, right = float(v.low.min()), float(v.high.max())
    span = right - left or 1.0
    return [
        Line(
            row=row,
            left=_at(row["low"], left, span),
            dot=_at(row["merit"], left, span),
            right=_at(row["high"], left, span),
        )
        for row in v.rows()
    ]


def _at(value: float, left: float, span: float) -> float:
    return round(min(100.0, max(0.0, 100 * (value - left) / span)), 2)
