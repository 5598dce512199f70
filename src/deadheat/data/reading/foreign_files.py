"""Files of other formats, known by their first bytes and refused by their names."""

from __future__ import annotations

import codecs
import re
from itertools import pairwise, takewhile

from deadheat.core.errors import DataError, say
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
DASHES = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
BOX = re.compile(r"\+[-=+]*[-=][-=+]*\+\s*|[\u2500-\u257f]{2,}\s*")
PSQL = re.compile(r"-+(\+-+)+\s*")
RULES = re.compile(r"(={2,}\s+)+={2,}\s*|(-{2,}\s+)+-{2,}\s*")


def refuse_other_formats(source: Source) -> None:
    """Refuse a file that is no table which deadheat reads, and say what it is."""
    magic = next((about for mark, about in MAGIC.items() if source.head.startswith(mark)), None)
    if OPEN_DOCUMENT in source.head[:200]:
        magic = "an OpenDocument file (.ods)", "save it as .xlsx or CSV."
    wide = source.head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = source.head.decode("utf-16" if wide else "utf-8", "replace").lstrip(BLANKS)
    lines = text.splitlines()[:LINES]
    found = (
        magic
        or (_markup(source, text) if text.startswith("<") else None)
        or _orders(source, lines)
        or _source_text(lines)
        or _drawn(source, lines)
    )
    if found is not None:
        what, hint = found
        raise DataError(f"{source.name} is {what}.", hint=hint)


def _markup(source: Source, text: str) -> tuple[str, str] | None:
    start = text[:2_000].lower()
    if "urn:schemas-microsoft-com:office:spreadsheet" in start:
        return "an Excel file in XML", "open it in Excel and save it as .xlsx or CSV."
    if WEB.match(text) or (start.startswith("<?xml") and "<html" in start):
        hint = "open it in a spreadsheet and save it as .xlsx or CSV."
        if source.suffix in {".xls", ".xlsx"}:
            return f"an HTML page, though its name ends in {source.suffix}", hint
        if start.startswith("<table"):
            return "an HTML table", hint
        hint = "download the table itself: on a code site, the raw file behind the page."
        return "a web page, not a table", hint
    if start.startswith("<?xml"):
        return "an XML document", "save the table in it as CSV."
    return None


def _orders(source: Source, lines: list[str]) -> tuple[str, str] | None:
    """Tell PrefLib by its suffix, or by how it begins, today (# DATA TYPE: soc) and of old."""
    comments = takewhile(lambda line: line.startswith("#"), lines)
    found = source.suffix in PREFLIB
    found = found or any(line.startswith("# NUMBER ALTERNATIVES:") for line in comments)
    size = int(lines[0]) if lines and re.fullmatch(r"\d{1,4}", lines[0].strip()) else 0
    if 0 < size < len(lines) - 1:
        names = enumerate(lines[1 : size + 1], start=1)
        numbered = all(line.startswith(f"{k},") for k, line in names)
        counts = re.fullmatch(r"\d+,\d+,\d+", lines[size + 1].strip()) is not None
        found = found or (numbered and counts)
    hint = (
        "write one row per voter and one column per alternative that holds its rank, and say "
        f"{say('candidates', 'columns')} and {say('better', 'lower')}."
    )
    return ("a PrefLib file of orders, not a table of scores", hint) if found else None


def _source_text(lines: list[str]) -> tuple[str, str] | None:
    """Tell ARFF and LaTeX by the first lines; a cell of a table may hold any of it."""
    written = [line.strip() for line in lines if line.strip() and not line.startswith("%")]
    first = written[0] if written else ""
    if first.lower().startswith("@relation"):
        return (
            "an ARFF file",
            "keep what follows @data, below a line with the names of the columns, as CSV.",
        )
    rows = [line.startswith("\\begin{") or _is_latex(line) for line in written]
    latex = any(rows) if first.startswith("\\") else _is_latex(first)
    return ("a LaTeX table", "save the table as CSV.") if latex else None


def _is_latex(line: str) -> bool:
    return "&" in line and line.endswith("\\\\")


def _drawn(source: Source, lines: list[str]) -> tuple[str, str] | None:
    """Tell a table that is drawn with lines: of Markdown, in a box, as psql prints it, or of RST.

    Text may hold Markdown in its cells: of other files only the first line is looked at.
    """
    pairs = list(pairwise(lines))
    anywhere = source.suffix in {".md", ".markdown"}
    for number, (above, line) in enumerate(pairs if anywhere else pairs[:1], start=2):
        if "|" in line and "|" in above and DASHES.fullmatch(line):
            return "a Markdown table", (
                f"remove what is above its header and the dashes below it (line {number}), and "
                f"read the rest with {say('delimiter', 'pipe')}."
            )
    first, second = (*lines, "", "")[:2]
    if BOX.fullmatch(first) or ("|" in first and PSQL.fullmatch(second)):
        bar = "pipe" if "|" in f"{first}{second}" else second[:1]
        return "a table drawn with lines, as databases print it", (
            "print it as CSV, or remove the lines that hold no cells and read the rest with "
            f"{say('delimiter', bar)}."
        )
    rules = [RULES.fullmatch(line) for line in (first, second)]
    if any(rules):
        rst = rules[0] and first.startswith("=")
        what = "a reStructuredText (RST) table" if rst else "a table drawn with dashes"
        return what, (
            "remove the lines that hold no cells and read the rest with "
            f"{say('delimiter', 'space')}."
        )
    return None
