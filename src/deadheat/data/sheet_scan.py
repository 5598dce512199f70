"""A first look at the XML of a sheet: what openpyxl would lose or choke on is refused."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from deadheat.errors import DataError, quoted
from deadheat.memory import budget, readable, too_large

CHUNK = 1 << 20
ROW = 1 / 100  # of the budget: the XML of one row, of which an object is made for every cell
LONGEST = 4 << 20  # bytes from one tag to the next: a cell holds up to 32,767 characters
_TAG = re.compile(rb"<(?:\w+:)?(row|c|f)(?=[\s/>])([^<>]*)>")
_PLACE = re.compile(rb"""\sr=["']([A-Z]*)([0-9]*)["']""")


def refuse_long_tags(archive: zipfile.ZipFile, part: zipfile.ZipInfo, source: str) -> None:
    """Refuse a tag or a text that no workbook has: expat would begin anew with every bit of it."""
    since = 0
    with archive.open(part) as file:
        while chunk := file.read(CHUNK):
            last = chunk.rfind(b"<")
            since = since + len(chunk) if last < 0 else len(chunk) - last
            if since > LONGEST:
                raise DataError(
                    f"{source} has a tag or a text of {readable(since)} or more ({part.filename}).",
                    hint="open and save it in a spreadsheet program, or save the sheet as CSV.",
                )


def scanned(data: io.BytesIO, sheet: Any, source: str) -> bool:
    """Return whether a sheet holds formulas.

    Refuse a row that does not fit into memory, and rows or cells that stand in another order than
    their numbers say: openpyxl would leave them out.
    """
    path = str(sheet._worksheet_path)  # noqa: SLF001 - openpyxl says it nowhere else
    look = _Look(f"{source}: sheet {quoted(sheet.title)}")
    with zipfile.ZipFile(data) as archive, archive.open(path) as file:
        rest = b""
        while chunk := file.read(CHUNK):
            rest = look.at(rest + chunk)
    return look.formulas


class _Look:
    """What was seen so far."""

    def __init__(self, place: str) -> None:
        self.place, self.formulas = place, False
        self._row, self._cell, self._since = 0, (0, b""), 0
        self._longest = int(ROW * budget())

    def at(self, text: bytes) -> bytes:
        """Look at some text and return its end, where a tag may be cut."""
        begun = text.rfind(b"<")
        cut = begun if begun >= 0 and b">" not in text[begun:] else len(text)
        last = 0
        for tag in _TAG.finditer(text, 0, cut):
            kind, about = tag[1], _PLACE.search(tag[2])
            if kind == b"row":
                self._begin(about[2] if about else b"", tag.start() - last)
                last = tag.start()
            elif kind == b"f":
                self.formulas = True
            elif about:
                self._next(about[1])
        self._since += cut - last
        self._require_small()
        return text[cut:]

    def _begin(self, number: bytes, more: int) -> None:
        self._since += more
        self._require_small()
        self._since, self._cell = 0, (0, b"")
        before, self._row = self._row, int(number[:9]) if number else self._row + 1
        if self._row <= before:
            raise self._disordered(f"row {self._row:,} comes after row {before:,}")

    def _next(self, letters: bytes) -> None:
        before, self._cell = self._cell, (len(letters), letters)
        if self._cell <= before:
            both = [cell[1].decode() for cell in (self._cell, before)]
            raise self._disordered(f"in row {self._row:,}, {both[0]} comes after {both[1]}")

    def _disordered(self, how: str) -> DataError:
        return DataError(
            f"{self.place}: the cells are not in order ({how}).",
            hint="open and save it in a spreadsheet program, or save the sheet as CSV.",
        )

    def _require_small(self) -> None:
        if self._since > self._longest:
            size = readable(self._since)
            raise too_large(f"{self.place} has a row of {size} or more (after row {self._row:,})")
