"""CSV in gzip, the same bytes for the same rows."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_packed(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a header and rows; the file appears whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(_gzip(text.getvalue().encode()))
    beside.replace(path)


def _gzip(data: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=9, mtime=0) as file:
        file.write(data)
    return out.getvalue()
