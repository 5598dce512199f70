"""Heat maps: a cell per row and column, with its number inside where there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from deadheat.report.marks import data, framed, height
from deadheat.report.placement import PADDING, label_width
from deadheat.report.rows import label_limit
from deadheat.text import visible

WIDE_ENOUGH = 17  # pixels that a number of two digits takes


def heat(
    cells: Sequence[Mapping[str, Any]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    width: int,
    colour: alt.Color,
    deep: str,
    number: alt.Text,
    tooltip: Sequence[alt.Tooltip],
    titles: tuple[str | None, str | None],
    upright: bool = True,
) -> Any:
    """Return the chart of cells, which have ``i`` and ``j`` as numbers of rows and columns.

    ``deep`` is the condition under which a cell is so dark that its number is written in a pale
    colour. Names of rows and columns are kept once, not in each cell; those of columns stand
    ``upright`` where they have no room to lie.
    """
    room = label_limit(width)
    names = min(room, max(label_width(visible(name)) for name in rows))
    each = (width - names - 2 * PADDING) / max(len(columns), 1)
    longest = min(room, max(label_width(visible(name)) for name in columns))
    named_rows = data({"i": i, "row": name} for i, name in enumerate(rows))
    named_columns = data({"j": j, "column": name} for j, name in enumerate(columns))
    base = (
        data(cells)
        .transform_lookup(
            lookup="i", from_=alt.LookupData(data=named_rows.data, key="i", fields=["row"])
        )
        .transform_lookup(
            lookup="j", from_=alt.LookupData(data=named_columns.data, key="j", fields=["column"])
        )
        .encode(
            x=alt.X(
                "column:N",
                sort=alt.EncodingSortField(field="j", op="min"),
                title=titles[1],
                axis=alt.Axis(
                    orient="top",
                    labelAngle=0 if longest <= each or not upright else -90,
                    labelLimit=room,
                    labelOverlap=not upright,
                    labelSeparation=5,
                    labelFontSize=10,
                    ticks=False,
                    domain=False,
                ),
            ),
            y=alt.Y(
                "row:N",
                sort=alt.EncodingSortField(field="i", op="min"),
                title=titles[0],
                axis=alt.Axis(labelLimit=room, labelOverlap=False, ticks=False, domain=False),
            ),
        )
    )
    layers = [base.mark_rect().encode(color=colour, tooltip=list(tooltip))]
    if each >= WIDE_ENOUGH:
        for style, test in (("on-deep", f"{deep}"), ("on-pale", f"!({deep})")):
            inside = base.transform_filter(f"isValid(datum.v) && ({test})")
            layers.append(inside.mark_text(style=style, fontSize=10).encode(text=number))
    return framed(alt.layer(*layers), width, height(len(rows)), stiff=True)
