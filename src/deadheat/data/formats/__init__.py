"""One module per format, found by discovery: a new format is one more file in this folder.

A module offers ``open_stream(source, options) -> Stream`` and says by what it is known:
``suffixes`` (after any .gz), ``magic`` (first bytes that settle it), ``opening`` (first bytes
that only count where the suffix says nothing) and ``understands`` (options that it obeys beyond
those about the layout).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeAlias, cast

from deadheat.core.errors import DataError, UsageError, say
from deadheat.core.registry import Registry, modules
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

ABOUT_FILES = ("delimiter", "header", "encoding", "sheet")
FALLBACK = "text"
Beside: TypeAlias = Mapping[str, str] | None  # which sidecar says an option
BLANKS = b"\xef\xbb\xbf \t\r\n"
JSON = re.compile(rb'(\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')  # no CSV begins so: it would be quoted


FORMATS: Registry[Any] = Registry(
    "format",
    lambda: (
        (home.__name__.rpartition(".")[2], home)
        for home in modules(__name__)
        if hasattr(home, "suffixes")
    ),
)


def format_of(source: Source) -> Any:
    for refused, what, hint in _other_formats(source):
        if refused:
            raise DataError(f"{source.name} is {what}.", hint=hint)
    known, beginning = FORMATS, source.head.lstrip(BLANKS)
    kinds = (
        *(kind for kind in known.values() if source.head.startswith(kind.magic)),
        *([known["jsonl"]] if JSON.match(beginning) else []),
        *(kind for kind in known.values() if source.suffix in kind.suffixes),
        *(kind for kind in known.values() if beginning.startswith(kind.opening)),
        known[FALLBACK],
    )
    return kinds[0]


def open_stream(source: Source, options: Options, beside: Beside = None) -> Stream:
    kind = format_of(source)
    refuse_foreign(options, kind.title, kind.understands, source.name, beside)
    return cast("Stream", kind.open_stream(source, options))


def refuse_foreign(
    options: Options, title: str, understands: tuple[str, ...], name: str, beside: Beside = None
) -> None:
    for option in ABOUT_FILES:
        if getattr(options, option) is not None and option not in understands:
            sidecar = (beside or {}).get(option)
            said = f"{option} in {sidecar}" if sidecar else say(option)
            hint = f"remove that line of {sidecar}." if sidecar else "leave it out."
            raise UsageError(f"{said} means nothing for {title} ({name}).", hint=hint)


# ------------------------------------------------------------------------------
# Files of other formats, known by their first bytes or lines and refused by their names.

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
ORDERS = re.compile(  # as PrefLib begins today, and of old: names after their number, then counts
    r"(#.*\n)*# NUMBER ALTERNATIVES:|\d{1,4}\s*\n1,.*\n(\d+,.*\n)*?\d+,\d+,\d+\s*\n"
)
WEB = re.compile(r"<(!doctype html|html|head|body|table|div|meta|style)\b|<\?xml[^\0]*<html")
DASHES = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
BOX = re.compile(r"\+[-=+]*[-=][-=+]*\+\s*|[\u2500-\u257f]{2,}\s*")
PSQL = re.compile(r"-+(\+-+)+\s*")
RULES = re.compile(r"(={2,}\s+)+={2,}\s*|(-{2,}\s+)+-{2,}\s*")


def _other_formats(source: Source) -> Iterator[tuple[object, str, str]]:
    """Yield whether the source is of some format, what that is, and what to do about it.

    A cell of a table may hold any other text: of most formats only the first lines count.
    """
    head, suffix = source.head, source.suffix
    for mark, (what, hint) in MAGIC.items():
        yield head.startswith(mark), what, hint
    ods = OPEN_DOCUMENT in head[:200]
    yield ods, "an OpenDocument file (.ods)", "save it as .xlsx or CSV."
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = head.decode("utf-16" if wide else "utf-8", "replace").lstrip(" \t\r\n\ufeff")
    start, lines = text[:2_000].lower(), text.splitlines()[:LINES]
    excel = start[:1] == "<" and "urn:schemas-microsoft-com:office:spreadsheet" in start
    yield excel, "an Excel file in XML", "open it in Excel and save it as .xlsx or CSV."
    page, hint = WEB.match(start), "open it in a spreadsheet and save it as .xlsx or CSV."
    named = f"an HTML page, though its name ends in {suffix}"
    yield page and suffix in {".xls", ".xlsx"}, named, hint
    yield page and start.startswith("<table"), "an HTML table", hint
    hint = "download the table itself: on a code site, the raw file behind the page."
    yield page, "a web page, not a table", hint
    yield start.startswith("<?xml"), "an XML document", "save the table in it as CSV."
    hint = (
        "write one row per voter and one column per alternative that holds its rank, and say "
        f"{say('candidates', 'columns')} and {say('better', 'lower')}."
    )
    orders = suffix in PREFLIB or ORDERS.match("\n".join((*lines, "")))
    yield orders, "a PrefLib file of orders, not a table of scores", hint
    plain = [line.strip() for line in lines if line.strip() and line[0] != "%"]
    first = plain[0] if plain else ""
    hint = "keep what follows @data, below a line with the names of the columns, as CSV."
    yield first.lower().startswith("@relation"), "an ARFF file", hint
    rows = ["&" in line and line.endswith("\\\\") for line in plain]
    latex = any(rows) or any(line.startswith("\\begin{") for line in plain)
    yield latex if first[:1] == "\\" else any(rows[:1]), "a LaTeX table", "save the table as CSV."
    yield from _drawings(lines, anywhere=suffix in {".md", ".markdown"})


def _drawings(lines: list[str], *, anywhere: bool) -> Iterator[tuple[object, str, str]]:
    """Tell a table that is drawn with lines: of Markdown, in a box, as psql has it, or of RST."""
    pairs = list(pairwise(lines))
    for number, (above, line) in enumerate(pairs if anywhere else pairs[:1], start=2):
        dashes = "|" in line and "|" in above and DASHES.fullmatch(line)
        yield (
            dashes,
            "a Markdown table",
            (
                f"remove what is above its header and the dashes below it (line {number}), and "
                f"read the rest with {say('delimiter', 'pipe')}."
            ),
        )
    first, second = (*lines, "", "")[:2]
    box = BOX.fullmatch(first) or ("|" in first and PSQL.fullmatch(second))
    bar = "pipe" if "|" in f"{first}{second}" else second[:1]
    rest = "remove the lines that hold no cells and read the rest with"
    hint = f"print it as CSV, or {rest} {say('delimiter', bar)}."
    yield box, "a table drawn with lines, as databases print it", hint
    rules = RULES.fullmatch(first) or RULES.fullmatch(second)
    rst = first.startswith("=") and RULES.fullmatch(first)
    what = "a reStructuredText (RST) table" if rst else "a table drawn with dashes"
    yield rules, what, f"{rest} {say('delimiter', 'space')}."
