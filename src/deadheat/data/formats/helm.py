"""HELM: the tables of a group of scenarios (groups/GROUP.json), which state their directions."""

from __future__ import annotations

from typing import Any

from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import at, json_in, many
from deadheat.data.reading.drawn import Drawn, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream, text_of

NEEDED = {"title", "header", "rows", "value", "lower_is_better"}
ARROW = {"True": "↓", "False": "↑"}
MEANS = ("Mean win rate", "Mean score")  # over the scenarios of the other columns


@reads_format(
    "helm",
    "tables of HELM",
    known_by="JSON with title, header, rows and lower_is_better, in groups/GROUP.json",
    understands=("sheet",),
)
def read_helm(source: Source, options: Options) -> Stream:
    """Read one table of a group; columns without a direction, such as sizes, are left out."""
    found = json_in(source)
    tables = [
        _table(k, each) for k, each in enumerate(found if isinstance(found, list) else [found])
    ]
    return stream_of_drawn(source, tables, options)


@read_helm.recognises
def _is_helm(source: Source) -> str:
    return "it has header, rows and lower_is_better" if source.keys >= NEEDED else ""


def _table(k: int, found: Any) -> Drawn:
    header = [each if isinstance(each, dict) else {} for each in many(found, "header")]
    ways = [ARROW.get(str(each.get("lower_is_better"))) for each in header]
    names = [_text(each.get("value")) for each in header]
    kept = [i for i, way in enumerate(ways) if i == 0 or (way and names[i] not in MEANS)]
    rows = [
        (number, [_text(at(row[i], "value")) if i < len(row) else "" for i in kept])
        for number, row in enumerate(many(found, "rows"), start=1)
        if isinstance(row, list) and kept[1:]
    ]
    shown = [f"{names[i]} {ways[i] or ''}".strip() if i else names[i] or "Model" for i in kept]
    return Drawn(line=k + 1, header=shown, rows=rows, caption=_text(at(found, "title")))


def _text(value: Any) -> str:
    return (text_of(value) or "") if isinstance(value, str | int | float) else ""
