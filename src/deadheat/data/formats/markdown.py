"""Tables in Markdown, as a README has them; bold, starred and linked cells are read plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import text_in
from deadheat.data.reading.drawn import Drawn, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Row, Source, Stream

SUFFIXES = {".md", ".markdown", ".mdx", ".qmd", ".rmd"}
DASHES = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*")
SIGNS = re.compile(r"[,;|\t]")
BAR = re.compile(r"(?<!\\)\|")


@reads_format(
    "markdown",
    "a Markdown table",
    known_by="a header with bars above a line of dashes",
    understands=("encoding", "sheet"),
)
def read_markdown(source: Source, options: Options) -> Stream:
    tables = list(_tables(text_in(source, options.encoding)))
    return stream_of_drawn(source, tables, options)


@read_markdown.recognises
def _is_markdown(source: Source) -> str:
    for number, pair in enumerate(pairwise(source.text.splitlines()), start=1):
        if _is_header(*pair):
            return f"line {number + 1} is a row of dashes below a header"
        if source.suffix not in SUFFIXES and SIGNS.search(pair[0]):
            return ""  # a row of something else: a cell of it may hold a table in Markdown
    return ""


def _is_header(above: str, dashes: str) -> bool:
    if "|" not in above or "|" not in dashes or len(dashes) > 100_000:
        return False
    return set(dashes) <= set("|:- \t\r") and DASHES.fullmatch(dashes) is not None


def _tables(text: str) -> Iterator[Drawn]:
    lines, at, caption = [*text.splitlines(), ""], 0, ""
    while at + 1 < len(lines):
        if heading := HEADING.fullmatch(lines[at]):
            caption = heading[1]
        if not _is_header(lines[at], lines[at + 1]):
            at += 1
            continue
        header, start, rows = _cells(lines[at]), at, list[Row]()
        at += 2
        while "|" in lines[at]:
            rows.append((at + 1, _cells(lines[at])))
            at += 1
        yield Drawn(line=start + 1, header=header, rows=rows, caption=caption)


def _cells(line: str) -> list[str]:
    text = line.strip()
    text = text.removeprefix("|")
    text = text[:-1] if text.endswith("|") and not text.endswith("\\|") else text
    return [cell.replace("\\|", "|").strip() for cell in BAR.split(text)]
