"""Several small pictures with one axis, one per data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt

from deadheat.inference.rating_parts import RatingParts
from deadheat.inference.ratings import Ratings
from deadheat.report.marks import data
from deadheat.report.placement import label_width
from deadheat.report.rows import label_limit
from deadheat.text import visible

NARROWEST = 110  # pixels across a panel
GAP = 14
EDGE = 24  # pixels for what stands over: the padding of Vega and the last number of an axis
DENSE = 15  # pixels a row takes
MOST_PANELS = 24
MOST_ROWS = 2_000  # in all panels


def parts_of(rated: Ratings | RatingParts) -> dict[str, Ratings]:
    """Return the ratings of each data set by name; of one without a name where there is one."""
    return dict(rated.parts) if isinstance(rated, RatingParts) else {"": rated}


def shown_parts(parts: Mapping[str, Ratings], rows: int) -> list[str]:
    """Return the data sets that there is room for: the first ones."""
    return list(parts)[: max(1, min(MOST_PANELS, MOST_ROWS // max(rows, 1)))]


def only_some(parts: Mapping[str, Ratings], drawn: Sequence[str]) -> str:
    """Return what to say of data sets that are not drawn."""
    if len(drawn) == len(parts):
        return ""
    return f" (the first {len(drawn):,} of {len(parts):,} are drawn)"


def panels(
    records: Iterable[Mapping[str, Any]],
    layers: Sequence[Any],
    *,
    names: Sequence[str],
    titles: Sequence[str],
    width: int,
    unit: str,
) -> Any:
    """Return a panel of ratings for each title, with a row for each name.

    Records and layers speak of a ``row`` (a number), and of ``panel`` (a number); names are kept
    once. The axis across, called a rating in that ``unit``, stands below each column; below each
    panel where the last row has gaps, as Vega would draw it below these.
    """
    labels = min(label_limit(width), max(label_width(visible(name)) for name in names) + 6)
    inside = width - labels - EDGE
    columns = max(1, min(len(titles), int((inside + GAP) // (NARROWEST + GAP))))
    each = int((inside - GAP * (columns - 1)) // columns)
    rows = data({"row": i, "name": name} for i, name in enumerate(names))
    heads = data({"panel": k, "title": title} for k, title in enumerate(titles))
    y = alt.Y(
        "name:N",
        sort=alt.EncodingSortField(field="row", op="min"),
        title=None,
        scale=alt.Scale(padding=0.15),
        axis=alt.Axis(
            labelOverlap=False,
            labelLimit=int(labels),
            minExtent=labels,
            maxExtent=labels,
            ticks=False,
            domain=False,
        ),
    )
    source = (
        data(records)
        .transform_lookup(
            lookup="row", from_=alt.LookupData(data=rows.data, key="row", fields=["name"])
        )
        .transform_lookup(
            lookup="panel", from_=alt.LookupData(data=heads.data, key="panel", fields=["title"])
        )
    )
    chart = alt.layer(*(layer.encode(y=y) for layer in layers), data=source.data)
    below: dict[str, Any] = {
        "title": f"rating ({unit})",
        "titleOrient": "bottom",
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    }
    head = alt.Header(
        labelLimit=each, labelAnchor="start", labelOrient="top", labelPadding=3, **below
    )
    if len(titles) == 1:
        head = alt.Header(labels=False, **below)
    faceted = chart.properties(width=each, height=len(names) * DENSE).facet(
        facet=alt.Facet(
            "title:N", sort=alt.EncodingSortField(field="panel", op="min"), header=head
        ),
        columns=columns,
        spacing=GAP,
    )
    faceted.transform = source.transform
    gaps = len(titles) % columns
    return faceted.resolve_axis(x="independent") if gaps else faceted
