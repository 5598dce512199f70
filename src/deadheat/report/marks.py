"""What several pictures are made of: data, the axis of candidates, formats of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt

from deadheat.report.theme import ROW
from deadheat.text import defined, plain, visible

DENSE = 60  # candidates above which rows are as low as letters allow
LOWEST = 12


def data(rows: Iterable[Mapping[str, Any]]) -> alt.Chart:
    """Return a chart with its data inside."""
    return alt.Chart(values(rows))


def values(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Return rows as data: names made visible, undefined numbers as null.

    Altair writes them once, however many layers show them.
    """
    told, _ = defined(plain([_told(row) for row in rows]))
    return alt.InlineData(values=told)


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: visible(v) if isinstance(v, str) else v for k, v in row.items()}


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
    """Return whether a chart cannot be made narrower without being drawn anew."""
    marked = isinstance(chart.usermeta, dict) and chart.usermeta.get("stiff")
    return bool(marked) or not isinstance(chart.autosize, alt.AutoSizeParams)


def height(n: int) -> int:
    """Return the height in pixels of a picture with a row for each of n candidates."""
    return max(1, n) * (ROW if n <= DENSE else LOWEST)


def digits(number: int) -> str:
    """Return d3's format with so many decimals."""
    return f",.{number}f"
