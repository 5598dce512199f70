"""Pictures with a row for each candidate of a verdict: names, bands of tie groups, columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from deadheat.inference.verdict import Verdict
from deadheat.report.marks import data
from deadheat.report.theme import LABEL
from deadheat.text import number, visible

MOST_TOLD = 12
LONGEST_TOLD = 60
AXIS_ON_TOP = 40  # rows from which the bottom of a picture is out of sight


def label_limit(width: int) -> int:
    """Return how many pixels a name may take beside a picture of this width."""
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
    numbers = shown.encode(x=alt.value("width"), y=y, text="group:N")
    return alt.layer(numbers, heading("group", dx=8))


def heading(text: str, *, dx: int) -> Any:
    """Return a word above the top right corner of the picture."""
    word = data([{"word": text}]).mark_text(style="muted", align="left", dx=dx, fontSize=10)
    return word.encode(x=alt.value("width"), y=alt.value(-8), text="word:N")


def name_of(candidate: str) -> str:
    """Return a name for use inside a sentence: short, and never invisible."""
    text = visible(candidate)
    if not text.strip():
        return "(a name of blanks)"
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"


def told(sentences: Sequence[str]) -> str:
    """Return the first sentences as a text, and how many more there are."""
    rest = len(sentences) - MOST_TOLD
    return " ".join(sentences[:MOST_TOLD]) + (f" {rest} more." if rest > 0 else "")


def rank_text(rank: float | None) -> str:
    """Return a rank, or a dash where there is none."""
    return "\u2013" if rank is None or np.isnan(rank) else number(rank)
