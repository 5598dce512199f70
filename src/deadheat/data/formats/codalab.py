"""Boards of CodaLab, with the rank behind each score, and of Codabench."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_dialect, reads_format
from deadheat.data.reading.documents import stating, text_in
from deadheat.data.reading.drawn import Drawn, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

SCORE = re.compile(r"\s*([-+]?\d[\d.eE+-]*|nan)\s+\((\d{1,9})\)\s*", re.IGNORECASE)
USER = "User"
USERNAME, TASK_COLUMN = "Username", re.compile(r".+\(\d+\)-.+")


@reads_format(
    "codalab",
    "a leaderboard of CodaLab",
    known_by="a title above a column User, and cells such as 0.84 (1)",
    understands=("sheet",),
)
def read_codalab(source: Source, options: Options) -> Stream:
    """Read boards: a title, two lines of headers, and the scores of each user with their ranks."""
    tables, title = [], ""
    rows = [(k, line) for k, line in enumerate(csv.reader(text_in(source).splitlines()), start=1)]
    for k, (line, row) in enumerate(rows):
        if USER in row[:2]:
            below = [cells for _, cells in rows[k + 1 : k + 2]][:1] or [[]]
            sub = below[0] if not any(map(SCORE.fullmatch, below[0])) else []
            body = []
            for at, cells in rows[k + 1 + bool(sub) :]:
                if not any(map(SCORE.fullmatch, cells)):
                    break
                body.append((at, cells))
            tables.append(_board(title, line, row, sub, body))
        elif len(row) == 1 and row[0].strip():
            title = row[0].strip()
    states = {"candidate": USER, "noun": {"candidate": "user"}}
    found = stream_of_drawn(source, tables, options)
    if USER not in found.columns:
        raise DataError(f"{source.name} has no column {USER}.", hint="a board of CodaLab has one.")
    kept = {k: v for k, v in found.states.items() if k != "candidates"}
    return replace(found, states=kept | states)


@read_codalab.recognises
def _is_codalab(source: Source) -> str:
    lines = source.lines[:4]
    title = bool(lines) and "," not in lines[0]
    header = any(line.split(",")[0].strip() == USER for line in lines[1:2])
    rows = sum(line.count(")") for line in lines[2:]) and any(
        SCORE.fullmatch(cell) for line in lines[2:] for cell in line.split(",")
    )
    return "below a title its rows have ranks in brackets" if title and header and rows else ""


def _board(
    title: str, line: int, row: Sequence[str], sub: Sequence[str], body: list[tuple[int, list[str]]]
) -> Drawn:
    """Return a board without ranks; what they say of the direction is an arrow in the header."""
    user = list(row).index(USER)
    scored = [k for k in range(len(row)) if any(SCORE.fullmatch(_cell(c, k)) for _, c in body)]
    names = [" ".join(filter(None, pair)) for pair in zip_longest(row, sub, fillvalue="")]
    header = [f"{names[k]} {_arrow([_cell(c, k) for _, c in body])}".strip() for k in scored]
    rows = [(at, [_cell(c, user), *(SCORE.sub(r"\1", _cell(c, k)) for k in scored)])
            for at, c in body]  # fmt: skip
    return Drawn(line=line, header=[USER, *header], rows=rows, caption=title)


def _cell(cells: Sequence[str], k: int) -> str:
    return cells[k] if k < len(cells) else ""


def _arrow(cells: Sequence[str]) -> str:
    """Return which scores win by the ranks behind them; nothing where these do not agree."""
    found = [m for m in map(SCORE.fullmatch, cells) if m and re.match(r"[-+]?\d", m[1])]
    try:
        pairs = sorted((int(m[2]), float(m[1])) for m in found)
    except ValueError:
        return ""
    values = [value for _, value in pairs]
    if all(one >= other for one, other in pairwise(values)):
        return "↑"
    down = all(one <= other for one, other in pairwise(values))
    return "↓" if down else ""


@reads_dialect(
    "codabench",
    "a leaderboard of Codabench",
    known_by="a column Username and columns such as Task(12)-Accuracy",
)
def codabench(stream: Stream) -> Stream | None:
    scores = [name for name in stream.columns if TASK_COLUMN.fullmatch(name)]
    if USERNAME not in stream.columns or not scores:
        return None
    others = tuple(name for name in stream.columns if name not in {USERNAME, *scores})
    nouns = {"candidate": "submission"}
    return stating(stream, layout="wide", candidate=USERNAME, ignore=others, noun=nouns)
