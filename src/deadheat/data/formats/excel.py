"""Excel workbooks (.xlsx), through openpyxl, which the extra ``excel`` installs."""

from __future__ import annotations

import importlib
import io
import warnings
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import Any

from deadheat.data.formulas import refuse_unsaved
from deadheat.data.header import generated, has_header
from deadheat.data.options import Options
from deadheat.data.source import Source
from deadheat.data.stream import Block, Facts, Stream, column_of, rows_per_block, text_of
from deadheat.errors import DataError, UnknownNameError, UsageError, listed

title = "an Excel workbook"
suffixes = (".xlsx", ".xlsm", ".xls")
magic = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
opening: tuple[bytes, ...] = ()
understands = ("sheet", "header")

Cells = tuple[Any, ...]


def open_stream(source: Source, options: Options) -> Stream:
    """Return the rows of one sheet, the first unless another is asked for."""
    _refuse_others(source)
    data = io.BytesIO(source.handle.read())  # a zip archive is read from its end
    book = _book(source, data)
    sheet = _sheet(book, options.sheet)
    rows = _rows(sheet)
    first = list(islice(rows, 3))
    if not first:
        raise _nothing(source, book, sheet, "is empty")
    width = max(_width(cells) for _, cells in first)
    written = [[text_of(cell) or "" for cell in cells[:width]] for _, cells in first]
    named, doubt = _header(options, written)
    if named and len(first) == 1:
        raise _nothing(source, book, sheet, "has a header but no rows")
    refuse_unsaved(data, sheet, source.name)
    columns = [name.strip() for name in written[0]] if named else generated(width)
    columns += [""] * (width - len(columns))
    return Stream(
        source=source.name,
        columns=columns,
        blocks=_blocks(first[1:] if named else first, rows, width, source.name),
        named=named,
        facts=(*source.facts, *_facts(book, sheet, named=named)),
        notes=(doubt,) if doubt else (),
    )


def _nothing(source: Source, book: Any, sheet: Any, what: str) -> DataError:
    others = [repr(name) for name in book.sheetnames if name != sheet.title]
    return DataError(
        f"{source.name}: sheet {sheet.title!r} {what}: nothing to rank.",
        hint=f"--sheet NAME reads another: {listed(others, most=5)}."
        if others
        else "a table has a header row and one row or more; the workbook has no other sheet.",
    )


def _header(options: Options, written: list[list[str]]) -> tuple[bool, str]:
    if options.header is not None:
        return options.header, ""
    return has_header(written[0], written[1:])


def _facts(book: Any, sheet: Any, *, named: bool) -> Facts:
    others = [name for name in book.sheetnames if name != sheet.title]
    beside = f" (not read: {listed(others, most=5)})" if others else ""
    header = "the first row names the columns" if named else "none; names are made up"
    return (("format", "Excel"), ("sheet", f"{sheet.title}{beside}"), ("header", header))


def _refuse_others(source: Source) -> None:
    if source.head.startswith(magic[1]):
        raise DataError(
            f"{source.name} is in the old Excel format (.xls).", hint="save it as .xlsx or CSV."
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
    try:
        names = zipfile.ZipFile(data).namelist()
        if "xl/workbook.xml" not in names:
            raise DataError(
                f"{source.name} is a zip archive, not a workbook.", hint="unpack it first."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and validations that no score needs
            return openpyxl.load_workbook(data, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{source.name} is no readable workbook ({error}).",
            hint="is it whole, and saved as .xlsx? If it is text, call it .csv (CSV).",
        ) from None


def _sheet(book: Any, asked: str | int | None) -> Any:
    names = [str(name) for name in book.sheetnames]
    if asked is None:
        return book[names[0]]
    if str(asked) in names:
        return book[str(asked)]
    numbered = {str(number): name for number, name in enumerate(names, start=1)}
    if str(asked) in numbered:
        return book[numbered[str(asked)]]
    raise UnknownNameError("sheet", str(asked), names)


def _rows(sheet: Any) -> Iterator[tuple[int, Cells]]:
    """Yield the rows that hold anything, with their number in the sheet."""
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
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
