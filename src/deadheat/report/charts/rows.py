"""Pictures with a row for each candidate: names, bands of tie groups, columns; and their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from deadheat.core.errors import UsageError, say, visible
from deadheat.output.text import number
from deadheat.report.charts.spec import Field, View, data, field, layer, mark, value
from deadheat.report.charts.theme import LABEL, ROW
from deadheat.statistics.strict_groups import Strict, cost_of
from deadheat.verdict.result import Verdict

DENSE = 60  # candidates above which rows are as low as letters allow
LOWEST = 12
AXIS_ON_TOP = 40  # rows from which the bottom of a picture is out of sight
MOST_TOLD = 12
LONGEST_TOLD = 60


def height(n: int) -> int:
    return max(1, n) * (ROW if n <= DENSE else LOWEST)


def digits(number: int) -> str:
    return f",.{number}f"


def label_limit(width: int) -> int:
    return min(LABEL, round(0.36 * width))


def names_axis(limit: float, **more: Any) -> dict[str, Any]:
    """Return an axis of names only, of so many pixels each at most."""
    return {"labelOverlap": False, "labelLimit": limit, "ticks": False, "domain": False, **more}


def candidate_axis(names: Sequence[str], width: int) -> Field:
    """Return the axis down which candidates stand in this order, rows touching each other."""
    scale = {"domain": [visible(name) for name in names], "padding": 0}
    axis = names_axis(label_limit(width), grid=False)
    return field("candidate:N", sort=None, title=None, scale=scale, axis=axis)


def number_axis(n: int, width: int, title: str, **scale: Any) -> dict[str, Any]:
    """Return the axis across a picture of n rows, which is where it is seen first."""
    axis = {"orient": orient(n), "tickCount": max(3, width // 80)}
    return {"title": title, "scale": {"zero": False, **scale}, "axis": axis}


def orient(n: int) -> str:
    return "top" if n > AXIS_ON_TOP else "bottom"


def grouped(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield candidate and group of each row, and whether it opens its group."""
    before = None
    for row in rows:
        group = row["group"]
        odd, opens = bool(group % 2), group != before
        yield {"candidate": row["candidate"], "group": group, "odd": odd, "opens": opens}
        before = group


def bands(rows: View, y: Field) -> View:
    """Return the bands behind every second tie group, beginning with the first."""
    return mark("rect", rows, where="datum.odd", y=y, style="faint", opacity=0.45)


def beside(
    rows: View, y: Field, text: str, *, dx: int = 8, style: str = "ink", **more: Any
) -> View:
    """Return a column of text right of the rows."""
    look = {"style": style, "align": "left", "dx": dx, **more}
    return mark("text", rows, x=value("width"), y=y, text=text, **look)


def group_numbers(rows: View, y: Field) -> View:
    """Return the number of each tie group, right of its first row, under a heading."""
    return layer(beside(rows, y, "group:N", where="datum.opens"), heading("group", dx=8))


def heading(text: str, *, dx: int, x: Any = "width", align: str = "left") -> View:
    look = {"style": "muted", "align": align, "dx": dx, "fontSize": 10}
    return mark("text", data([{"word": text}]), x=value(x), y=value(-8), text="word:N", **look)


def name_of(candidate: str) -> str:
    """Return a name for use inside a sentence: short, and never invisible."""
    text = visible(candidate)
    if not text.strip():
        return "(a name of blanks)"
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"


def told(sentences: Sequence[str]) -> str:
    rest = len(sentences) - MOST_TOLD
    return " ".join(sentences[:MOST_TOLD]) + (f" {rest} more." if rest > 0 else "")


def rank_text(rank: float | None) -> str:
    return "\u2013" if rank is None or rank != rank else number(rank)


# ------------------------------------------------------------------------------
# The tests of all pairs that a picture of a verdict shows, or why there are none.


def all_pairs_of(verdict: Verdict) -> Strict:
    """Return the tests of all pairs; refuse where the verdict has none."""
    shows = "the picture shows tests of all pairs, and"
    if verdict.too_few:
        raise UsageError(
            f"{shows} {verdict.units} are too few for any.",
            hint=f"at least {verdict.fewest} are needed.",
        )
    if not verdict.tested:
        raise UsageError(
            f"{shows} none is known to hold here: {verdict.evidence.no_mean}.",
            hint="rank by mean or average_rank, with all scores there.",
        )
    if verdict.all_pairs is None:
        raise UsageError(
            f"{shows} this verdict has none: with {len(verdict.candidates):,} candidates they take "
            f"{cost_of(verdict.evidence, verdict.test)} on one core, so that they must be asked "
            "for.",
            hint=f"make the verdict with {say('strict', value=True)}, with fewer "
            f"{say('replicates')} if that takes too long.",
        )
    return verdict.all_pairs


def level_of(verdict: Verdict) -> str:
    return f"{verdict.test} tests, {100 * verdict.alpha:g} % over all pairs"
