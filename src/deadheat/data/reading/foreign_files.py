"""Files of other formats, known by their first bytes and refused by their names."""

from __future__ import annotations

import codecs
import re
from itertools import pairwise, takewhile

from deadheat.core.errors import DataError
from deadheat.data.reading.source import Source

BLANKS = " \t\r\n\ufeff"
LINES = 60  # that are looked at
SAVE = "save it as CSV, .xlsx or Parquet."
MAGIC = {
    b"%PDF-": ("a PDF document", "copy the table out of it and save it as CSV."),
    b"\x93NUMPY": ("a NumPy array", "in Python give the array: Results(scores=numpy.load(...))."),
    b"\x89HDF": ("an HDF5 file", SAVE),
    b"ARROW1": ("an Arrow (Feather) file", "save it as Parquet, or give the DataFrame in Python."),
    b"SQLite format 3": ("an SQLite database", "export the table as CSV."),
    b"RDX": ("an R data file", "in R: write.csv(table, 'table.csv')."),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it first."),
    b"Rar!": ("a RAR archive", "unpack it first."),
}
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument."
PREFLIB = (".soc", ".soi", ".toc", ".toi")
WEB = re.compile(r"<(!doctype html|html|head|body|table|div|meta|style)\b", re.IGNORECASE)
SPREADSHEET = (".xls", ".xlsx")
DASHES = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
BOX = re.compile(r"\+[-=+]*[-=][-=+]*\+\s*|[\u2500-\u257f]{2,}\s*")
PSQL = re.compile(r"-+(\+-+)+\s*")
RULES = re.compile(r"(={2,}\s+)+={2,}\s*|(-{2,}\s+)+-{2,}\s*")
MARKDOWN = (".md", ".markdown")


def refuse_other_formats(source: Source) -> None:
    for mark, (what, hint) in MAGIC.items():
        if source.head.startswith(mark):
            raise _is(source, what, hint)
    if OPEN_DOCUMENT in source.head[:200]:
        raise _is(source, "an OpenDocument file (.ods)", "save it as .xlsx or CSV.")
    text = _text(source.head).lstrip(BLANKS)
    lines = text.splitlines()[:LINES]
    if text.startswith("<"):
        _refuse_markup(source, text)
    if source.suffix in PREFLIB or _is_preflib(lines):
        raise _is(
            source,
            "a PrefLib file of orders, not a table of scores",
            "write one row per voter and one column per alternative that holds its rank, and read "
            "that with --candidates columns --better lower.",
        )
    if _is_arff(lines):
        raise _is(
            source,
            "an ARFF file",
            "keep what follows @data, below a line with the names of the columns, as CSV.",
        )
    if _is_latex(lines):
        raise _is(source, "a LaTeX table", "save the table as CSV.")
    dashes = _dashes(lines, anywhere=source.suffix in MARKDOWN)
    if dashes:
        raise _is(
            source,
            "a Markdown table",
            f"remove what is above its header and the dashes below it (line {dashes}), and read "
            "the rest with --delimiter pipe.",
        )
    _refuse_drawn(source, lines[:2])


def _is(source: Source, what: str, hint: str) -> DataError:
    return DataError(f"{source.name} is {what}.", hint=hint)


def _text(head: bytes) -> str:
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return head.decode("utf-16" if wide else "utf-8", "replace")


def _refuse_markup(source: Source, text: str) -> None:
    start = text[:2_000].lower()
    if "urn:schemas-microsoft-com:office:spreadsheet" in start:
        raise _is(source, "an Excel file in XML", "open it in Excel and save it as .xlsx or CSV.")
    if WEB.match(text) or (start.startswith("<?xml") and "<html" in start):
        if source.suffix in SPREADSHEET:
            hint = "open it in a spreadsheet and save it as .xlsx or CSV."
            raise _is(source, f"an HTML page, though its name ends in {source.suffix}", hint)
        if start.startswith("<table"):
            raise _is(source, "an HTML table", "open it in a spreadsheet and save it as CSV.")
        raise DataError(
            f"{source.name} looks like a web page, not a table.",
            hint="download the table itself: on a code site, the raw file behind the page.",
        )
    if start.startswith("<?xml"):
        raise _is(source, "an XML document", "save the table in it as CSV.")


def _is_preflib(lines: list[str]) -> bool:
    """Return whether lines begin as PrefLib does, of today (# DATA TYPE: soc) or of old."""
    comments = takewhile(lambda line: line.startswith("#"), lines)
    if any(line.startswith("# NUMBER ALTERNATIVES:") for line in comments):
        return True
    size = int(lines[0]) if lines and re.fullmatch(r"\d{1,4}", lines[0].strip()) else 0
    names = lines[1 : size + 1]
    if not size or size + 1 >= len(lines):
        return False
    numbered = all(line.startswith(f"{k},") for k, line in enumerate(names, start=1))
    return numbered and re.fullmatch(r"\d+,\d+,\d+", lines[size + 1].strip()) is not None


def _is_arff(lines: list[str]) -> bool:
    written = (line for line in lines if line.strip() and not line.startswith("%"))
    return next(written, "").lower().startswith("@relation")


def _is_latex(lines: list[str]) -> bool:
    """Return whether the first lines are LaTeX; a cell of a table may hold any of it."""
    written = [line.strip() for line in lines if line.strip() and not line.startswith("%")]
    if not written or not written[0].startswith("\\"):
        return bool(written) and _is_row_of_latex(written[0])
    return any(line.startswith("\\begin{") or _is_row_of_latex(line) for line in written)


def _is_row_of_latex(line: str) -> bool:
    return "&" in line and line.endswith("\\\\")


def _refuse_drawn(source: Source, lines: list[str]) -> None:
    first, second = (*lines, "", "")[:2]
    if BOX.fullmatch(first) or ("|" in first and PSQL.fullmatch(second)):
        bar = "pipe" if "|" in f"{first}{second}" else second[:1]
        raise _is(
            source,
            "a table drawn with lines, as databases print it",
            "print it as CSV, or remove the lines that hold no cells and read the rest with "
            f"--delimiter {bar}.",
        )
    if RULES.fullmatch(first) or RULES.fullmatch(second):
        rst = RULES.fullmatch(first) and first.startswith("=")
        raise _is(
            source,
            "a reStructuredText (RST) table" if rst else "a table drawn with dashes",
            "remove the lines that hold no cells and read the rest with --delimiter space.",
        )


def _dashes(lines: list[str], *, anywhere: bool) -> int:
    """Return the line of dashes below a header of Markdown, 0 where there is none.

    Text may hold such tables in its cells: only the first line is looked at, unless ``anywhere``.
    """
    pairs = list(pairwise(lines))
    for number, (above, line) in enumerate(pairs if anywhere else pairs[:1], start=2):
        if "|" in line and "|" in above and DASHES.fullmatch(line):
            return number
    return 0
