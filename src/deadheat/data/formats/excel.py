"""Excel workbooks (.xlsx), through openpyxl, which the extra ``excel`` installs."""

from __future__ import annotations

import importlib
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import IO, Any

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    UnknownNameError,
    UsageError,
    command_with,
    first_sentence,
    listed,
    quoted,
    say,
)
from deadheat.core.memory import budget, readable, too_large
from deadheat.data.formats import reads_format
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import (
    MOST_ABOVE,
    NO_HEADER,
    has_header,
    lines_above_header,
    numbered_columns,
)
from deadheat.data.reading.source import Row, Source, Stream, blocks_of, text_of, whole

MAGIC = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")

ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
ENCRYPTED_PART = 1  # in the flags of a part of a zip archive
PACKED = 1 / 8  # of the budget: the file as it is
SHEET = 1 / 2  # of the budget: a sheet unpacked, which is read bit by bit
PART = 1 / 20  # of the budget: any other part, of which many objects are made at once
NEVER_READ = ("xl/media/", "xl/embeddings/", "xl/pivotCache/", "xl/vbaProject", "docProps/")
GLANCE = 20  # rows of another sheet: one with none of them filled is empty
MOST_ROWS = 1_048_576  # that a sheet can have
SAVE = "open and save it in a spreadsheet program, or save the sheet as CSV."


@reads_format(
    "excel",
    "an Excel workbook",
    suffixes=(".xlsx", ".xlsm", ".xls"),
    magic=MAGIC,
    understands=("sheet", "header"),
    generic=True,
)
def read_excel(source: Source, options: Options) -> Stream:
    if source.head.startswith(MAGIC[1]):
        encrypted = "encrypted: it opens with a password only"
        old = "in the old Excel format (.xls), or encrypted"
        fact = f"{source.name} is {encrypted if ENCRYPTED in source.head else old}."
        raise DataError(fact, hint="save it as .xlsx without a password, or as CSV.")
    data = io.BytesIO(whole(source, PACKED))  # a zip archive is read from its end
    with _damage(source.name):
        book = _book(source, data)
        sheet = _sheet(book, options.sheet, source.name)
        others = [str(other.title) for other in book.worksheets if other.title != sheet.title]
        formulas = _holds_formulas(data, sheet, source.name)
        rows = _rows(sheet, source.name)
        first = list(islice(rows, MOST_ABOVE + 3))
        width = max((_width(cells) for _, cells in first), default=0)
        texts = [[text_of(cell) or "" for cell in cells[:width]] for _, cells in first]
        above = lines_above_header(texts) if options.header is not False else 0
        title = (
            f"what stands above row {first[above][0]:,}, the header, is skipped." if above else ""
        )
        first, texts = first[above:], texts[above:]
        named, doubt = has_header(texts, said=options.header) if first else (False, "")
        if len(first) <= named:
            what = "has a header but no rows" if first else "is empty"
            one = "a table has a header row and one row or more; the workbook has no other sheet."
            more = "\n".join(f"{quoted(each)}: {command_with(sheet=each)}" for each in others[:5])
            fact = f"{source.name}: sheet {quoted(sheet.title)} {what}: nothing to rank."
            raise DataError(fact, hint=more if others else one)
        if formulas:
            _refuse_unsaved(data, sheet, source.name)
        notes: tuple[str, ...] = tuple(filter(None, (title, doubt)))
        filled = [name for name in others if options.sheet is None and _holds_cells(book[name])]
        if filled:
            too = f"{listed(map(quoted, filled), most=5)} {'hold' if filled[1:] else 'holds'}"
            other = f"{say('sheet', filled[0])} reads another"
            notes += (f"sheet {quoted(sheet.title)} is read; {too} cells too: {other}.",)
    columns = [name.strip() for name in texts[0]] if named else numbered_columns(width)
    columns += [""] * (width - len(columns))
    body = _padded_rows(chain(first[named:], rows), width, source.name)
    return Stream(
        source=source.name,
        columns=columns,
        blocks=blocks_of(body, width),
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
        fact = f"{name} is no readable workbook ({first_sentence(error)})."
        hint = "is it whole, and saved as .xlsx? If it is text, call it .csv (CSV)."
        raise DataError(fact, hint=hint) from None


def _holds_cells(sheet: Any) -> bool:
    sheet.reset_dimensions()
    try:
        return any(map(_width, islice(sheet.iter_rows(values_only=True), GLANCE)))
    except Exception:  # noqa: BLE001 - it is damaged, and nobody reads it
        return True


def _book(source: Source, data: io.BytesIO) -> Any:
    if not source.head:
        raise DataError(f"{source.name} is empty.", hint="save, copy or download it again.")
    try:
        importlib.import_module("openpyxl")
    except ModuleNotFoundError:
        fact = f"{source.name}: reading Excel needs the package openpyxl."
        hint = "pip install 'deadheat[excel]', or save the sheet as CSV."
        raise UsageError(fact, hint=hint) from None
    with zipfile.ZipFile(data) as archive:
        parts = archive.infolist()
        if not any(part.filename == "xl/workbook.xml" for part in parts):
            fact = f"{source.name} is a zip archive, not a workbook."
            raise DataError(fact, hint="unpack it first.")
        if any(part.flag_bits & ENCRYPTED_PART for part in parts):
            fact = f"{source.name} is encrypted: it opens with a password only."
            raise DataError(fact, hint="save it without a password, or as CSV.")
        read = [part for part in parts if not part.filename.startswith(NEVER_READ)]
        for part in read:  # no more is ever unpacked than a part says
            share = SHEET if part.filename.startswith("xl/worksheets/") else PART
            if part.file_size > share * budget():
                size = f"{readable(part.file_size)} ({part.filename})"
                raise too_large(f"{source.name} has a part that unpacks to {size}")
        for part in read:
            if part.filename.endswith((".xml", ".rels")):
                _refuse_long_tags(archive, part, source.name)
    return _open_workbook(data, data_only=True)


def _open_workbook(data: io.BytesIO, *, data_only: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # styles and validations that no score needs
        openpyxl = importlib.import_module("openpyxl")
        return openpyxl.load_workbook(data, read_only=True, data_only=data_only)


def _sheet(book: Any, asked: str | int | None, name: str) -> Any:
    sheets = {str(sheet.title): sheet for sheet in book.worksheets}
    if not sheets:
        raise DataError(f"{name} has no sheet with cells.", hint="save the table as a sheet.")
    places = {str(k): sheet for k, sheet in enumerate(sheets.values(), start=1)}
    text = "1" if asked is None else str(asked)
    found = places["1"] if asked is None else sheets.get(text, places.get(text.lstrip("0")))
    if found is None:
        raise UnknownNameError("sheet", text, sheets)
    return found


def _rows(sheet: Any, name: str) -> Iterator[Row]:
    sheet.reset_dimensions()  # what a sheet says about its size may be wrong
    with _damage(name):
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            if number > MOST_ROWS:
                fact = f"{name}: sheet {quoted(sheet.title)} has more than {MOST_ROWS:,} rows, "
                hint = "save the table as CSV or Parquet."
                raise DataError(f"{fact}the most that Excel knows.", hint=hint)
            if _width(cells):
                yield number, cells


def _padded_rows(rows: Iterable[Row], width: int, name: str) -> Iterator[Row]:
    for number, cells in rows:
        if _width(cells) > width:
            fact = f"{name}: row {number:,} has {_width(cells):,} cells, expected {width:,}."
            raise DataError(fact, hint="give every column a name in the first row.")
        yield number, (*cells, *[None] * width)[:width]


def _width(cells: Sequence[Any]) -> int:
    return max((k for k, cell in enumerate(cells, start=1) if cell not in {None, ""}), default=0)


# ------------------------------------------------------------------------------
# A first look at the XML of a sheet: what openpyxl would lose or choke on is refused.

CHUNK = 1 << 20
ROW = 1 / 100  # of the budget: the XML of one row, of which an object is made for every cell
LONGEST = 4 << 20  # bytes from one tag to the next: a cell holds up to 32,767 characters
EMPTY_TEXT = "str"  # the type of a formula whose saved value is no text at all
_TAG = re.compile(rb"<(?:\w+:)?(row|c|f)(?=[\s/>])([^<>]*)>")
_PLACE = re.compile(rb"""\sr=["']([A-Z]*)([0-9]*)["']""")


def _refuse_long_tags(archive: zipfile.ZipFile, part: zipfile.ZipInfo, source: str) -> None:
    """Refuse a tag or a text that no workbook has: expat would begin anew with every bit of it."""
    since = 0
    with archive.open(part) as file:
        while chunk := file.read(CHUNK):
            last = chunk.rfind(b"<")
            since = since + len(chunk) if last < 0 else len(chunk) - last
            if since > LONGEST:
                what = f"a tag or a text of {readable(since)} or more ({part.filename})"
                raise DataError(f"{source} has {what}.", hint=SAVE)


def _holds_formulas(data: io.BytesIO, sheet: Any, source: str) -> bool:
    """Return whether a sheet holds formulas.

    Refuse a row that does not fit into memory, and rows or cells that stand in another order than
    their numbers say: openpyxl would leave them out.
    """
    place, longest = f"{source}: sheet {quoted(sheet.title)}", int(ROW * budget())
    path = str(sheet._worksheet_path)  # noqa: SLF001 - openpyxl says it nowhere else
    formulas, row, start, cell = False, 0, 0, (0, b"")
    with zipfile.ZipFile(data) as archive, archive.open(path) as file:
        for kind, letters, number, at in _tags(file):
            before = row, cell
            if at - start > longest:
                size = readable(at - start)
                raise too_large(f"{place} has a row of {size} or more (after row {row:,})")
            if kind == b"row":
                row, start, cell = int(number[:9]) if number else row + 1, at, (0, b"")
            elif letters:
                cell = len(letters), letters
            formulas = formulas or kind == b"f"
            if (kind == b"row" or letters) and (row, cell) <= before:
                names = [f"in row {row:,}, {cell[1].decode()}", before[1][1].decode()]
                names = [f"row {each:,}" for each in (row, before[0])] if kind == b"row" else names
                how = " comes after ".join(names)
                raise DataError(f"{place}: the cells are not in order ({how}).", hint=SAVE)
    return formulas


def _tags(file: IO[bytes]) -> Iterator[tuple[bytes, bytes, bytes, int]]:
    """Yield rows, cells and formulas, the letters and number of their place, and at which byte."""
    rest, done = b"", 0
    while chunk := file.read(CHUNK):
        text = rest + chunk
        last = text.rfind(b"<")
        cut = last if last >= 0 and b">" not in text[last:] else len(text)
        for tag in _TAG.finditer(text, 0, cut):
            place = _PLACE.search(tag[2])
            yield tag[1], place[1] if place else b"", place[2] if place else b"", done + tag.start()
        rest, done = text[cut:], done + cut
        yield b"", b"", b"", done


def _refuse_unsaved(data: io.BytesIO, sheet: Any, source: str) -> None:
    """Refuse a formula without a saved value: it would be read as a missing score."""
    asked = _open_workbook(data, data_only=False)[sheet.title]
    asked.reset_dimensions()
    for formulas, values in zip(asked.iter_rows(), sheet.iter_rows(), strict=True):
        for formula, value in zip(formulas, values, strict=True):
            saved = value.value is not None or value.data_type == EMPTY_TEXT
            if formula.data_type == "f" and not saved:
                text = quoted(getattr(formula.value, "text", formula.value))
                place = f"sheet {quoted(sheet.title)}, cell {formula.coordinate}"
                fact = f"{source}: {place}: the formula {text} has no saved value."
                raise DataError(fact, hint=SAVE)
