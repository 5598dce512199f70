"""An independent and narrow reading of a table: means of the candidates, or None where in doubt."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from typing import Any

from fuzz import tables

_NUMBER = re.compile(r"[+-]?(\d{1,15}(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
Rows = list[list[Any]]


def means(content: bytes, how: dict[str, Any]) -> dict[str, float] | None:
    """Return the mean of every candidate, None where the file is not plainly a whole table."""
    try:
        rows = _rows(content, how)
    except Exception:  # noqa: BLE001 - whatever a library says of a damaged file
        return None
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return None
    header = [_name(cell) for cell in rows[0]]
    if None in header or len(set(header)) < len(header):
        return None
    scores = _long(header, rows[1:], how) if how["kind"] == "long" else _wide(header, rows[1:], how)
    if scores is None:
        return None
    return {name: math.fsum(cells) / len(cells) for name, cells in scores.items()}


def _rows(content: bytes, how: dict[str, Any]) -> Rows:
    if how["form"] == "csv":
        text = content.decode(how["encoding"])
        if '"' in text.replace('""', "") and text.count('"') % 2:
            return []
        found = list(
            csv.reader(io.StringIO(text, newline=""), delimiter=how["delimiter"], strict=True)
        )
        return [row for row in found if row]
    if how["form"] == "xlsx":
        import openpyxl

        book = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
        return [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]
    if how["form"] == "parquet":
        import pyarrow.parquet as pq

        table = pq.read_table(io.BytesIO(content))
        return [
            table.column_names,
            *map(list, zip(*(c.to_pylist() for c in table.columns), strict=True)),
        ]
    text = content.decode("utf-8")
    items = (
        json.loads(text)
        if how["form"] == "json"
        else [json.loads(x) for x in text.split("\n") if x.strip()]
    )
    keys = list(items[0])
    if any(list(item) != keys for item in items):
        return []
    return [keys, *(list(item.values()) for item in items)]


def _name(cell: Any) -> str | None:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, list | dict):
        return None  # a nested value is written as JSON, in no one way
    name = str(cell).strip() if cell is not None else ""
    plain = name.isprintable() and not name.startswith(("'", "=", "+", "-", "@"))
    return name if name and plain and len(name) < 50 else None


def _number(cell: Any) -> float | None:
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, str) and not _NUMBER.fullmatch(cell.strip()):
        return None
    value = float(cell)
    return value if math.isfinite(value) and abs(value) < 1e290 else None


def _wide(header: Any, rows: Rows, how: dict[str, Any]) -> dict[str, list[float]] | None:
    if header[0] != how["header"][0].strip():
        return None
    if header[0] in tables.UNPROVEN_WORDS and len(header) == 2:
        return None  # one column of scores is one judge: one candidate could not be ranked
    labels = [_name(row[0]) for row in rows]
    values = [[_number(cell) for cell in row[1:]] for row in rows]
    if None in labels or len(set(labels)) < len(labels) or any(None in row for row in values):
        return None
    if how["rows_are_judges"]:
        values = [list(column) for column in zip(*values, strict=True)]
        labels = header[1:]
    return dict(zip(labels, values, strict=True))  # type: ignore[arg-type]


def _long(header: Any, rows: Rows, how: dict[str, Any]) -> dict[str, list[float]] | None:
    if header != [name.strip() for name in how["header"]]:
        return None
    found: dict[tuple[str, str], float] = {}
    for row in rows:
        key, value = (_name(row[0]), _name(row[1])), _number(row[2])
        if None in key or value is None or key in found:
            return None
        found[key] = value  # type: ignore[index]
    candidates, judges = (list(dict.fromkeys(key[k] for key in found)) for k in (0, 1))
    if len(found) < len(candidates) * len(judges):
        return None
    return {c: [found[c, j] for j in judges] for c in candidates}
