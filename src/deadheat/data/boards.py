"""A board for each value of a column: the same question, asked of the parts of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from deadheat.data.results import Results
from deadheat.output.result import Boards
from deadheat.output.schema import Board


class Brief(NamedTuple):
    """Say who is first, who is level with it, its score, all rows, and if tests had too little."""

    first: Sequence[str]
    level: Sequence[str]
    shown: float | None
    rows: list[Any]
    too_few: bool = False

    def board(self, value: str, *, candidates: int, judges: int) -> Board:
        return Board(
            value=value,
            candidates=candidates,
            judges=judges,
            first=list(self.first),
            level=list(self.level),
            shown=self.shown,
            rows=self.rows,
            too_few=self.too_few,
        )


def boards_of(
    results: Results,
    heading: str,
    ask: Callable[[Results], Brief],
    *,
    digits: Callable[[Sequence[float]], int | None],
) -> Boards | None:
    """Return what is to say of the parts of a table; who is alone in one is first there.

    ``digits`` says how many decimals the scores of the first have, as in the table of the whole.
    """
    if not results.parts:
        return None
    boards: list[Board] = []
    for part in results.parts:
        brief = ask(part) if part.n > 1 else Brief(part.candidates, (), None, [])
        boards.append(brief.board(part.source, candidates=part.n, judges=part.m))
    return Boards(
        column=results.each,
        heading=heading,
        candidate=results.nouns.candidate,
        judges=results.nouns.judges(),
        digits=digits([board["shown"] for board in boards if board["shown"] is not None]),
        boards=tuple(boards),
    )
