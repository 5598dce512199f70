"""Excel workbooks (.xlsx), through openpyxl, which the extra ``excel`` installs."""

from __future__ import annotations

import importlib
import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    UnknownNameError,
    UsageError,
    first_sentence,
    listed,
    quoted,
    say,
)
from deadheat.core.memory import budget, readable, too_large
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import NO_HEADER, generated, has_header
from deadheat.data.reading.source import (
    Block,
    Source,
    Stream,
    column_of,
    rows_per_block,
    text_of,
    whole,
)

title = "an Excel workbook"
suffixes = (".xlsx", ".xlsm", ".xls")
magic = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
opening: tuple[bytes, ...] = ()
understands = ("sheet", "header")

Cells = tuple[Any, ...]

ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
ENCRYPTED_PART = 1  # in the flags of a part of a zip archive
PACKED = 1 / 8  # of the budget: the file as it is
SHEET = 1 / 2  # of the budget: a sheet unpacked, which is read bit by bit
PART = 1 / 20  # of the budget: any other part, of which many objects are made at once
NEVER_READ = ("xl/media/", "xl/embeddings/", "xl/pivotCache/", "xl/vbaProject", "docProps/")
GLANCE = 20  # rows of another sheet: one with none of them filled is empty
MOST_ROWS = 1_048_576  # that a sheet can have


def open_stream(source: Source, options: Options) -> Stream:
    if ENCRYPTED in source.head and source.head.startswith(magic[1]):
        raise _encrypted(source)
    if source.head.startswith(magic[1]):
        raise DataError(
            f"{source.name} is in the old Excel format (.xls), or encrypted.",
            hint="save it as .xlsx without a password, or as CSV.",
        )
    data = io.BytesIO(whole(source, PACKED))  # a zip archive is read from its end
    with _damage(source.name):
        book = _book(source, data)
        sheet = _sheet(book, options.sheet, source.name)
        formulas = scanned(data, sheet, source.name)
        rows = _rows(sheet, source.name)
        first = list(islice(rows, 3))
        if not first:
            raise _nothing(source, book, sheet, "is empty")
        width = max(_width(cells) for _, cells in first)
        written = [[text_of(cell) or "" for cell in cells[:width]] for _, cells in first]
        named, doubt = has_header(written, said=options.header)
        if named and len(first) == 1:
            raise _nothing(source, book, sheet, "has a header but no rows")
        if formulas:
            refuse_unsaved(data, sheet, source.name)
        others = _others(book, sheet)
        filled = [name for name in others if options.sheet is None and _holds_cells(book[name])]
        notes: tuple[str, ...] = (doubt,) if doubt else ()
        if filled:
            too = f"{listed(map(quoted, filled), most=5)} {'hold' if filled[1:] else 'holds'}"
            other = f"{say('sheet', filled[0])} reads another"
            notes += (f"sheet {quoted(sheet.title)} is read; {too} cells too: {other}.",)
    columns = [name.strip() for name in written[0]] if named else generated(width)
    columns += [""] * (width - len(columns))
    return Stream(
        source=source.name,
        columns=columns,
        blocks=_blocks(first[1:] if named else first, rows, width, source.name),
        named=named,
        facts=(
            *source.facts,
            ("format", "Excel"),
            ("sheet", sheet.title + (f" (not read: {listed(others, most=5)})" if others else "")),
            ("header", "the first row names the columns" if named else NO_HEADER),
        ),
        notes=notes,
    )


@contextmanager
def _damage(name: str) -> Iterator[None]:
    """Turn whatever openpyxl raises, which may be anything, into one clear sentence."""
    try:
        yield
    except (DeadheatError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - of damaged XML it may be any
        raise DataError(
            f"{name} is no readable workbook ({first_sentence(error)}).",
            hint="is it whole, and saved as .xlsx? If it is text, call it .csv (CSV).",
        ) from None


def _nothing(source: Source, book: Any, sheet: Any, what: str) -> DataError:
    others = listed(map(quoted, _others(book, sheet)), most=5)
    return DataError(
        f"{source.name}: sheet {quoted(sheet.title)} {what}: nothing to rank.",
        hint=f"{say('sheet', 'NAME')} reads another: {others}."
        if others
        else "a table has a header row and one row or more; the workbook has no other sheet.",
    )


def _others(book: Any, sheet: Any) -> list[str]:
    return [str(other.title) for other in book.worksheets if other.title != sheet.title]


def _holds_cells(sheet: Any) -> bool:
    sheet.reset_dimensions()
    try:
        return any(map(_width, islice(sheet.iter_rows(values_only=True), GLANCE)))
    except Exception:  # noqa: BLE001 - it is damaged, and nobody reads it
        return True


def _encrypted(source: Source) -> DataError:
    return DataError(
        f"{source.name} is encrypted: it opens with a password only.",
        hint="save it without a password, or as CSV.",
    )


def _book(source: Source, data: io.BytesIO) -> Any:
    if not source.head:
        raise DataError(f"{source.name} is empty.", hint="save, copy or download it again.")
    try:
        openpyxl = importlib.import_module("openpyxl")
    except ModuleNotFoundError:
        raise UsageError(
            f"{source.name}: reading Excel needs the package openpyxl.",
            hint="pip install 'deadheat[excel]', or save the sheet as CSV.",
        ) from None
    with zipfile.ZipFile(data) as archive:
        parts = archive.infolist()
        if not any(part.filename == "xl/workbook.xml" for part in parts):
            raise DataError(
                f"{source.name} is a zip archive, not a workbook.", hint="unpack it first."
            )
        if any(part.flag_bits & ENCRYPTED_PART for part in parts):
            raise _encrypted(source)
        read = [part for part in parts if not part.filename.startswith(NEVER_READ)]
        for part in read:  # no more is ever unpacked than a part says
            share = SHEET if part.filename.startswith("xl/worksheets/") else PART
            if part.file_size > share * budget():
                size = f"{readable(part.file_size)} ({part.filename})"
                raise too_large(f"{source.name} has a part that unpacks to {size}")
        for part in read:
            if part.filename.endswith((".xml", ".rels")):
                refuse_long_tags(archive, part, source.name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # styles and validations that no score needs
        return openpyxl.load_workbook(data, read_only=True, data_only=True)


def _sheet(book: Any, asked: str | int | None, name: str) -> Any:
    sheets = {str(sheet.title): sheet for sheet in book.worksheets}
    if not sheets:
        raise DataError(f"{name} has no sheet with cells.", hint="save the table as a sheet.")
    places = dict(enumerate(sheets.values(), start=1))
    if asked is None:
        return places[1]
    text = str(asked)
    number = int(text) if text.isdecimal() and len(text) < 5 else 0
    found = sheets.get(text, places.get(number))
    if found is None:
        raise UnknownNameError("sheet", text, sheets)
    return found


def _rows(sheet: Any, name: str) -> Iterator[tuple[int, Cells]]:
    sheet.reset_dimensions()  # what a sheet says about its size may be wrong
    with _damage(name):
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            if number > MOST_ROWS:
                raise DataError(
                    f"{name}: sheet {quoted(sheet.title)} has more than {MOST_ROWS:,} rows, "
                    "the most that Excel knows.",
                    hint="save the table as CSV or Parquet.",
                )
            if _width(cells):
                yield number, cells


def _width(cells: Cells) -> int:
    return max((k for k, cell in enumerate(cells, start=1) if cell not in {None, ""}), default=0)


def _blocks(
    first: list[tuple[int, Cells]], rest: Iterator[tuple[int, Cells]], width: int, name: str
) -> Iterator[Block]:
    size = rows_per_block(width, 0)
    chunk = first + list(islice(rest, size))
    while chunk:
        for number, cells in chunk:
            if _width(cells) > width:
                raise DataError(
                    f"{name}: row {number:,} has {_width(cells):,} cells, expected {width:,}.",
                    hint="give every column a name in the first row.",
                )
        rows = [(cells + (None,) * width)[:width] for _, cells in chunk]
        columns = [column_of(values) for values in zip(*rows, strict=True)]
        yield Block([number for number, _ in chunk], columns)
        chunk = list(islice(rest, size))


# ------------------------------------------------------------------------------
# A first look at the XML of a sheet: what openpyxl would lose or choke on is refused.

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
    def __init__(self, place: str) -> None:
        self.place, self.formulas = place, False
        self._row, self._cell, self._since = 0, (0, b""), 0
        self._longest = int(ROW * budget())

    def at(self, text: bytes) -> bytes:
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


# ------------------------------------------------------------------------------
# Formulas of a workbook: their values are read where the program that made it saved them.

EMPTY_TEXT = "str"  # the type of a formula whose saved value is no text at all


def refuse_unsaved(data: io.BytesIO, sheet: Any, source: str) -> None:
    """Refuse a formula without a saved value: it would be read as a missing score."""
    openpyxl = importlib.import_module("openpyxl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = openpyxl.load_workbook(data, read_only=True, data_only=False)[sheet.title]
    asked.reset_dimensions()
    for formulas, values in zip(asked.iter_rows(), sheet.iter_rows(), strict=True):
        for formula, value in zip(formulas, values, strict=True):
            saved = value.value is not None or value.data_type == EMPTY_TEXT
            if formula.data_type == "f" and not saved:
                text = getattr(formula.value, "text", formula.value)
                raise DataError(
                    f"{source}: sheet {quoted(sheet.title)}, cell {formula.coordinate}: "
                    f"the formula {quoted(text)} has no saved value.",
                    hint="open and save it in a spreadsheet program, or save the sheet as CSV.",
                )
