"""Boards of CodaLab, with the rank behind each score, and of Codabench."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_dialect, reads_format
from deadheat.data.reading.documents import remembered, stating, text_in
from deadheat.data.reading.drawn import Drawn, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

SCORE = re.compile(r"\s*([-+]?\d[\d.eE+-]*|nan|-)\s+\((\d{1,9}|-)\)\s*", re.IGNORECASE)
USER, ID = "User", "submission_pk"
USERNAME, TASK_COLUMN = "Username", re.compile(r".+\((\d+)\)-.+")


@reads_format(
    "codalab",
    "a leaderboard of CodaLab",
    known_by="a title or submission_pk, a column User, and cells such as 0.84 (1)",
    understands=("sheet",),
)
def read_codalab(source: Source, options: Options) -> Stream:
    """Read boards: a title, one or two lines of headers, and scores of users with their ranks."""
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
            shifted = ["", *sub] if sub and row[0] == ID else sub  # which has no cell for the id
            tables.append(_board(title, line, row, shifted, body))
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
    titled = bool(source.lines) and "," not in source.lines[0]
    lines = source.lines[titled : titled + 3]
    cells = lines[0].split(",")[:2] if lines else []
    header = cells[:1] == [USER] if titled else cells == [ID, USER]
    rows = any(SCORE.fullmatch(cell) for line in lines[1:] for cell in line.split(","))
    where = "below a title" if titled else f"beside {ID}"
    return f"{where} its rows have ranks in brackets" if header and rows else ""


def _board(
    title: str, line: int, row: Sequence[str], sub: Sequence[str], body: list[tuple[int, list[str]]]
) -> Drawn:
    """Return a board without ranks; what they say of the direction is an arrow in the header.

    Rows stand in the official order, by the ranks of one column, which is the first that fits.
    """
    user = list(row).index(USER)
    scored = [k for k in range(len(row)) if any(SCORE.fullmatch(_cell(c, k)) for _, c in body)]
    names = [" ".join(filter(None, pair)) for pair in zip_longest(row, sub, fillvalue="")]
    columns = {k: [SCORE.fullmatch(_cell(c, k)) for _, c in body] for k in scored}
    header = [f"{names[k]} {_arrow(columns[k])}".strip() for k in scored]
    rows = [(at, [_cell(c, user), *(SCORE.sub(r"\1", _cell(c, k)) for k in scored)])
            for at, c in body]  # fmt: skip
    ranks = ([float(m[2]) for m in each if m and m[2] != "-"] for each in columns.values())
    fitting = (each for each in ranks if each == sorted(each) and len(each) == len(body))
    official = dict(zip([_cell(c, user) for _, c in body], next(fitting, []), strict=False))
    return Drawn(line=line, header=[USER, *header], rows=rows, caption=title, official=official)


def _cell(cells: Sequence[str], k: int) -> str:
    return cells[k] if k < len(cells) else ""


def _arrow(cells: Sequence[re.Match[str] | None]) -> str:
    """Return which scores win by the ranks behind them; nothing where these do not agree."""
    found = [m for m in cells if m and re.match(r"[-+]?\d", m[1]) and m[2] != "-"]
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
    """Take each column of each task as a judge; rows of one task stand in the official order."""
    scores = {name: match[1] for name in stream.columns if (match := TASK_COLUMN.fullmatch(name))}
    if USERNAME not in stream.columns or not scores:
        return None
    others = tuple(name for name in stream.columns if name not in {USERNAME, *scores})
    official: dict[str, float] = {}
    if len({*scores.values()}) == 1:
        stream, rows = remembered(stream, USERNAME)
        official = {user: float(place) for place, (user,) in enumerate(rows, start=1)}
    nouns = {"candidate": "submission"}
    return stating(stream, layout="wide", candidate=USERNAME, ignore=others, official=official,
                   noun=nouns)  # fmt: skip
