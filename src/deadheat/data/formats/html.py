"""Tables of a web page, also one that a spreadsheet program calls .xls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import TypeAlias

from deadheat.core.memory import Meter
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import CELL, text_in
from deadheat.data.reading.drawn import Drawn, joined_header, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Row, Source, Stream

WEB = re.compile(r"(?:<\?xml[^>]*>\s*)?<(!doctype html|html|head|body|table|div|meta|style)\b")
TABLE = re.compile(r"<table\b", re.IGNORECASE)
Spanning: TypeAlias = tuple[str, int, int]  # a text, and how many columns and rows it spans
UNSEEN = frozenset({"script", "style", "sup"})


@reads_format(
    "html",
    "an HTML table",
    known_by="a web page that holds a table",
    understands=("encoding", "sheet"),
)
def read_html(source: Source, options: Options) -> Stream:
    page = _Page(source.name)
    page.feed(text_in(source, options.encoding))
    page.close()
    return stream_of_drawn(source, page.tables, options)


@read_html.recognises
def _is_page(source: Source) -> str:
    if not WEB.match(source.text[:2_000].lstrip().lower()):
        return ""
    found = TABLE.search(source.text)
    return "it is a web page with a <table>" if found else ""


class _Page(HTMLParser):
    """Collect the tables of a page; of nested ones the outer ones only."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.tables: list[Drawn] = []
        self._meter = Meter(name)
        self._depth, self._unseen, self._caption, self._line = 0, 0, "", 1
        self._rows: list[tuple[int, list[Spanning]]] = []
        self._open: list[str] | None = None  # the texts of the cell that is open
        self._span = (1, 1)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "table":
            self._depth += 1
            if self._depth == 1:
                self._rows, self._caption = [], ""
                self._line = self.getpos()[0]
        elif tag in UNSEEN:
            self._unseen += 1
        elif self._depth == 1 and tag == "tr":
            self._close_cell()
            self._rows.append((self.getpos()[0], []))
        elif self._depth == 1 and tag in {"td", "th", "caption"}:
            self._close_cell()
            self._open = []
            self._span = (_times(given.get("colspan")), _times(given.get("rowspan")))

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag == "caption" and self._depth == 1 and self._open is not None:
            self._caption, self._open = " ".join("".join(self._open).split()), None
        elif tag in {"td", "th", "tr"} and self._depth == 1:
            self._close_cell()
        elif tag == "table" and self._depth:
            self._depth -= 1
            if not self._depth:
                self._close_cell()
                rows = [(line, row) for line, row in _expanded(self._rows) if any(row)]
                self.tables.append(joined_header(rows, line=self._line, caption=self._caption))

    def handle_data(self, data: str) -> None:
        if self._open is not None and not self._unseen:
            self._open.append(data)

    def _close_cell(self) -> None:
        if self._open is None:
            return
        text, self._open = " ".join("".join(self._open).split()), None
        if self._rows:
            self._meter.add(CELL * self._span[0])
            self._rows[-1][1].append((text, *self._span))


def _times(said: str | None) -> int:
    return int(said) if said and re.fullmatch("[1-9][0-9]{0,2}", said) else 1


def _expanded(rows: list[tuple[int, list[Spanning]]]) -> Iterator[Row]:
    """Yield rows with a cell for each column; what spans several rows is repeated in each."""
    below: dict[int, tuple[int, str]] = {}  # column -> rows to go, and the text
    for line, cells in rows:
        row, waiting = list[str](), iter(cells)
        spanned, below = below, {}
        while True:
            if (at := len(row)) in spanned:
                left, text = spanned[at]
                row.append(text)
                below |= {at: (left - 1, text)} if left > 1 else {}
                continue
            cell = next(waiting, None)
            if cell is None:
                break
            text, across, down = cell
            for k in range(across):
                shown = "" if k else text
                below |= {len(row): (down - 1, shown)} if down > 1 else {}
                row.append(shown)
        yield line, row
