"""Pictures with a row for each candidate of a verdict: names, bands of tie groups, columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import UsageError, say, visible
from deadheat.output.text import defined, number, plain
from deadheat.report.charts.theme import LABEL, ROW
from deadheat.statistics.strict_groups import Strict, cost_of
from deadheat.verdict.result import Verdict

# ------------------------------------------------------------------------------
# What several pictures are made of: data, the axis of candidates, formats of numbers.

DENSE = 60  # candidates above which rows are as low as letters allow
LOWEST = 12


def data(rows: Iterable[Mapping[str, Any]]) -> alt.Chart:
    return alt.Chart(values(rows))


def values(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Return rows as data: names made visible, undefined numbers as null.

    Altair writes them once, however many layers show them. It copies lists with every layer that
    is added, and leaves a tuple alone.
    """
    told, _ = defined(plain([_told(row) for row in rows]))
    return alt.InlineData(values=tuple(told))


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: visible(v) if isinstance(v, str) else v for k, v in row.items()}


def looked_up(chart: Any, key: str, rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return a chart whose records get what ``rows`` say of their key: names are kept only once."""
    known = list(rows)
    fields = [name for name in known[0] if name != key]
    source = alt.LookupData(data=values(known), key=key, fields=fields)
    return chart.transform_lookup(lookup=key, from_=source)


def framed(chart: Any, width: int, height: int | None = None, *, stiff: bool = False) -> Any:
    """Return a chart of one view whose whole width, with labels and legend, is ``width``.

    A ``stiff`` one is laid out for that width: who needs it narrower must draw it anew. It says so
    in its ``usermeta``, which Vega leaves alone.
    """
    more: dict[str, Any] = {} if height is None else {"height": height}
    if stiff:
        more["usermeta"] = {"stiff": True}
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return chart.properties(width=width, autosize=fit, **more)


def is_stiff(chart: Any) -> bool:
    marked = isinstance(chart.usermeta, dict) and chart.usermeta.get("stiff")
    return bool(marked) or not isinstance(chart.autosize, alt.AutoSizeParams)


def height(n: int) -> int:
    return max(1, n) * (ROW if n <= DENSE else LOWEST)


def digits(number: int) -> str:
    return f",.{number}f"


# ------------------------------------------------------------------------------

MOST_TOLD = 12
LONGEST_TOLD = 60
AXIS_ON_TOP = 40  # rows from which the bottom of a picture is out of sight


def label_limit(width: int) -> int:
    return min(LABEL, round(0.36 * width))


def candidate_axis(names: Sequence[str], width: int) -> alt.Y:
    """Return the axis down which candidates stand in this order, rows touching each other."""
    return alt.Y(
        "candidate:N",
        sort=None,
        title=None,
        scale=alt.Scale(domain=[visible(name) for name in names], padding=0),
        axis=alt.Axis(
            labelOverlap=False, labelLimit=label_limit(width), ticks=False, domain=False, grid=False
        ),
    )


def orient(n: int) -> Any:
    """Return where the axis across a picture of n rows is seen first."""
    return "top" if n > AXIS_ON_TOP else "bottom"


def rows_of(verdict: Verdict, more: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return a record per candidate in robust order: name, group, whether it opens its group.

    ``more`` are arrays (n,) by the name that they get in the records.
    """
    found = []
    for place, group in enumerate(verdict.members, start=1):
        for k, i in enumerate(group):
            row = {
                "candidate": verdict.candidates[i],
                "group": place,
                "odd": bool(place % 2),
                "opens": k == 0,
            }
            found.append(row | {name: values[i] for name, values in (more or {}).items()})
    return found


def bands(chart: alt.Chart, y: alt.Y) -> Any:
    """Return the bands behind every second tie group, beginning with the first."""
    banded = chart.transform_filter("datum.odd").mark_rect(style="faint", opacity=0.45)
    return banded.encode(y=y)


def group_numbers(chart: alt.Chart, y: alt.Y) -> Any:
    """Return the number of each tie group, right of its first row, under a heading."""
    shown = chart.transform_filter("datum.opens").mark_text(style="ink", align="left", dx=8)
    numbers = shown.encode(x=alt.value("width"), y=y, text=alt.Text("group:N"))
    return alt.layer(numbers, heading("group", dx=8))


def heading(text: str, *, dx: int) -> Any:
    word = data([{"word": text}]).mark_text(style="muted", align="left", dx=dx, fontSize=10)
    return word.encode(x=alt.value("width"), y=alt.value(-8), text=alt.Text("word:N"))


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
    return "\u2013" if rank is None or np.isnan(rank) else number(rank)


# ------------------------------------------------------------------------------
# The tests of all pairs that a picture of a verdict shows, or why there are none.


def all_pairs_of(verdict: Verdict) -> Strict:
    """Return the tests of all pairs; refuse where the verdict has none."""
    if verdict.too_few:
        raise UsageError(
            f"the picture shows tests of all pairs, and {verdict.units} are too few for any.",
            hint=f"at least {verdict.fewest} are needed.",
        )
    if not verdict.tested:
        raise UsageError(
            "the picture shows tests of all pairs, and none is known to hold here: "
            f"{verdict.evidence.no_mean}.",
            hint="rank by mean or average_rank, with all scores there.",
        )
    found = verdict.all_pairs
    if found is None:
        raise UsageError(
            "the picture shows tests of all pairs, and this verdict has none: with "
            f"{len(verdict.candidates):,} candidates they take "
            f"{cost_of(verdict.evidence, verdict.test)} on one core, so that they must be asked "
            "for.",
            hint=f"make the verdict with {say('strict', value=True)}, with fewer "
            f"{say('replicates')} if that takes too long.",
        )
    return found


def level_of(verdict: Verdict) -> str:
    return f"{verdict.test} tests, {100 * verdict.alpha:g} % over all pairs"
