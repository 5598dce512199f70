"""Names that have broken tables before, and a result that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from deadheat.output.result import Result, provenance
from deadheat.output.table import Column, Grid

NAMES = (
    "plain",
    "comma, semicolon; and\ttab",
    "quote \" and 'apostrophe'",
    "line\nfeed",
    "carriage\rreturn",
    "both\r\nof them",
    "emoji 🦊👩‍👩‍👧",
    "<script>alert('&')</script>",
    "=cmd|' /C calc'!A0",
    "+1+2",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "\uff1d1+1",
    "-1.5",
    "\x1b[31mred\x1b]8;;http://x\x07bell",
    "עברית \u202eright to left",
    "[bold]rich[/bold] :fox:",
    r"\textbf{x} & 100% $x_1^2$ #1 ~a|b",
    "[first] *after* a line end",
    "`code` _under_ **bold** ![x](y)",
    "--dashes--",
    " spaces around ",
    "",
    "x" * 10_000,
    "日本語の名前" * 20,
)
SURROGATE = "lone \udc80 surrogate"


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores(Result):
    """A small result: names and numbers."""

    schema: ClassVar[str] = "deadheat.scores/1"
    names: tuple[str, ...] = NAMES
    numbers: tuple[Any, ...] = ()

    def rows(self):
        numbers = self.numbers or tuple(range(len(self.names)))
        return [{"candidate": a, "merit": b} for a, b in zip(self.names, numbers, strict=True)]

    @property
    def verdict(self):
        return f"{self.names[0]} is first."


@dataclass(frozen=True, eq=False, kw_only=True)
class Board(Scores):
    """The same with a grid of its own."""

    best: str = "high"
    marked: frozenset = frozenset()

    def grid(self):
        return Grid(
            columns=(Column(name="candidate"), Column(name="merit_%", digits=2, best=self.best)),
            cells=tuple(tuple(row.values()) for row in self.rows()),
            notes=("* look here",) if self.marked else (),
            marked=self.marked,
        )


def scores(*names, numbers=(), kind=Scores, **fields):
    return kind(made=provenance(sha256="abc"), names=names or NAMES, numbers=numbers, **fields)
