"""The names of the columns and the first rows: all that a layout is guessed from."""

from __future__ import annotations

import contextlib
import operator
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, Self

import numpy as np

from deadheat.core.errors import (
    DataError,
    MendByHandError,
    UnknownNameError,
    UsageError,
    command_saying,
    command_with,
    few,
    listed,
    quoted,
    say,
)
from deadheat.data.reading.column_names import is_label
from deadheat.data.reading.numbers import is_missing, is_uncertain, looks_numeric
from deadheat.data.reading.source import Block, Stream, text_of

# Whether the first row names the columns or is already data.


def has_header(rows: Sequence[Sequence[str]], *, said: bool | None) -> tuple[bool, str]:
    """Return whether the first of some rows is a header, and a note where that could be doubted.

    A row with a word beyond its first cell is a header, unless that word is a missing one. Numbers
    can be names too (years, the 0, 1, 2 of pandas): then the first cell decides.
    """
    if said is not None:
        return said, ""
    label, *rest = (cell.strip() for cell in rows[0] or [""])
    if not rest or any(not looks_numeric(cell) and not is_uncertain(cell) for cell in rest):
        return bool(rest) or not looks_numeric(label), ""
    if label and looks_numeric(label):
        counter = len(rest) > 1 and [label, *rest] == [str(k) for k in range(len(rows[0]))]
        return counter, "the first row 0, 1, 2, ... is read as a header." if counter else ""
    if not rows[1:] or label == "" or is_label(label):
        return True, ""
    # Whole numbers that grow, as years and counters do, are names.
    whole = all(cell.isdecimal() for cell in rest)
    named = whole and all(Decimal(one) < Decimal(other) for one, other in pairwise(rest))
    kind = "a header" if named else "data, not a header"
    row = f"the first row ({quoted(label)} and numbers)"
    return named, f"{row} is read as {kind}; {say('header', not named)} says otherwise."


MOST_ABOVE = 10  # lines above a header


def lines_above_header(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows stand above the header: titles in the first cell, and empty ones.

    >>> lines_above_header([["Results 2024", ""], ["", ""], ["model", "a"], ["x", "1"]])
    2
    >>> lines_above_header([["model", ""], ["x", "1"]])
    0
    """
    for above, row in enumerate(rows[: MOST_ABOVE + 1]):
        if any(map(str.strip, row[1:])):
            names = [cell.strip() for cell in row[1:] if cell.strip()]
            header = all(not looks_numeric(cell) for cell in names) and rows[above + 1 :]
            some = any(map(str.strip, chain.from_iterable(rows[:above])))
            return above if header and some else 0
    return 0


NO_HEADER = "none; names are made up"


def numbered_columns(width: int) -> list[str]:
    return [f"column_{k}" for k in range(1, width + 1)]


# ------------------------------------------------------------------------------
# Names of candidates and judges as they stand in cells.

MOST_AGAIN = 5  # further names that come again
MOST_ALIKE = 5  # pairs that are told one by one

# Our own CSV output guards such names with one more apostrophe; the last four are in full width.
GUARDED = re.compile("'*[-=+@\uff1d\uff0b\uff0d\uff20]")
FORMULA = re.compile("'+[-=+@\uff1d\uff0b\uff0d\uff20]")


LinesAndRemedy = tuple[Sequence[str], Mapping[str, Any]]


def no_way() -> LinesAndRemedy:
    return (), {}


def unique(
    names: Sequence[str],
    kind: str,
    source: str,
    place: Callable[[int], str],
    *,
    ways: Callable[[], LinesAndRemedy] = no_way,
) -> tuple[str, ...]:
    """Refuse an empty name and the second of two that are equal; return notes on look-alikes.

    ``ways`` says what else can be done about names that come again.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names):
        first = seen.setdefault(name, position)
        if not name:
            fact = f"the {kind} in {place(position)} has no name"
            hint = f"every {kind} needs a name; fill the empty cell or remove it."
            raise MendByHandError(f"{source}: {fact}.", hint=hint)
        if first != position:
            again = [one for one, times in Counter(names).items() if times > 1 and one != name]
            fact = f"{kind} {quoted(name)} appears twice, in {place(first)} and {place(position)}"
            fact += f"; so do {few([*map(quoted, again)], MOST_AGAIN)}" if again else ""
            fact = f"{source}: {fact}."
            lines, remedy = ways()
            if lines:
                raise DataError(fact, hint="\n".join(lines), remedy=remedy)
            hint = f"every {kind} needs a name of its own; rename or remove one."
            raise MendByHandError(fact, hint=hint)
    return look_alikes(names, kind, place)


def look_alikes(
    names: Sequence[str],
    kind: str,
    place: Callable[[int], str] | None = None,
    *,
    case: bool = False,
) -> tuple[str, ...]:
    """Return a sentence for each name that people would not tell from an earlier one.

    Those that differ by ``case`` alone, too, unless that tells them apart.
    """
    seen: dict[str, int] = {}
    pairs = [
        (first, position)
        for position, name in enumerate(names)
        if (first := seen.setdefault(_look(name, case=case), position)) != position
    ]
    notes = []
    for pair in pairs[:MOST_ALIKE]:
        where = [f" in {place(k)}" if place is not None else "" for k in pair]
        one, other = (f"{kind} {quoted(names[k])}{w}" for k, w in zip(pair, where, strict=True))
        spelled = " and ".join(ascii(names[k]) for k in pair)
        notes.append(f"{one} and {other} look alike, yet are two names: {spelled}.")
    more = len(pairs) - MOST_ALIKE
    return (*notes, f"{more:,} more {kind}s look like others.") if more > 0 else tuple(notes)


def spelling(name: str) -> str:
    """Return a name without case and spaces, by which people tell no two candidates apart."""
    return "".join(name.split()).casefold()


def _look(name: str, *, case: bool) -> str:
    """Return a name as people see it: one form of each letter, one blank for several."""
    if name.isascii():
        return " ".join((name if case else name.lower()).split())
    folded = unicodedata.normalize("NFKC", name)
    shown = "".join(c for c in folded if unicodedata.category(c) != "Cf")
    return " ".join((shown if case else shown.casefold()).split())


# ------------------------------------------------------------------------------
# The first rows of a table, and which rows are kept.

ROWS_LOOKED_AT = 50
_WHOLE = re.compile(r"[-+]?\d+(\.0*)?")


@dataclass(frozen=True, kw_only=True)
class Head(Stream):
    """A table on its way in of which the first rows are known; ``where`` says which are kept."""

    first: Block | None = None
    where: Any = ()
    conditions: list[Condition] = field(init=False)

    def __post_init__(self) -> None:
        pairs = self.where.items() if isinstance(self.where, Mapping) else self.where or ()
        pairs = [self.where] if isinstance(self.where, str) else pairs
        object.__setattr__(self, "conditions", [_condition(given, self) for given in pairs])

    @property
    def condition_columns(self) -> list[int]:
        return [condition.k for condition in self.conditions]

    @classmethod
    def of(cls, stream: Stream, where: Any = ()) -> Self:
        head = cls(**vars(stream), first=next(stream.blocks, None), where=where)
        if head.first is None:
            raise head.no_rows_error()
        return head

    def rows(self, columns: Iterable[int] | None = None) -> Iterator[Block]:
        """Yield the rows to keep; refuse a second header, and cells below no name.

        Whoever needs only some ``columns`` may be given no others.
        """
        empty = True
        blocks = chain([] if self.first is None else [self.first], self.blocks)
        if columns is not None and self.reads_again(columns):
            assert self.again is not None
            blocks = chain(self.again(sorted({0, *columns, *self.condition_columns})))
        for block in blocks:
            self._refuse_header_again(block)
            for k in self.vacant:
                for line, cell in zip(block.lines, map(_text, block.text(k)), strict=True):
                    if cell:
                        place = f"{self.place(line)}: column {k + 1:,}"
                        fact = f"{self.source}: {place} has no name, yet holds {quoted(cell)}."
                        hint = "give the column a name in the header, or remove the cell."
                        raise DataError(fact, hint=hint)
            kept = block
            for condition in self.conditions:
                kept = kept.of_rows(self._meeting(condition, kept))
            if kept.size:
                empty = False
                yield kept
        if empty:
            raise self.no_rows_error()

    def _meeting(self, condition: Condition, block: Block) -> list[int]:
        """Return the rows that meet a condition; refuse a cell of which it cannot be asked."""
        answers = block.each(condition.k, lambda cell: ANSWERS[condition.holds(cell)], np.int8)
        for odd in np.flatnonzero(answers < 0)[:1].tolist():
            place = f"{self.source}: {self.place(block.lines[odd])}: "
            raise condition.incomparable(self.name(block.text(condition.k)[odd]), place)
        kept: list[int] = np.flatnonzero(answers).tolist()
        return kept

    def reads_again(self, columns: Iterable[int]) -> bool:
        """Return whether some columns can be read once more, by themselves."""
        asked = {0, *columns, *self.condition_columns}
        if self.again is None or self.first is None or self.vacant:
            return False
        return self.again.pays(self.first.size) and asked <= self.again.columns

    def reads_numbers(self, k: int) -> bool:
        """Return whether a column can be read once more, and holds nothing but numbers."""
        return self.again is not None and self.reads_again([k]) and k in self.again.numbers

    def no_rows_error(self) -> DataError:
        if self.first is None or not self.conditions:
            hint = "each candidate (or judge, or score in a long table) needs a row."
            return DataError(f"{self.source} has a header but no rows: nothing to rank.", hint=hint)
        asked = " and ".join(map(str, self.conditions))
        never = (each for each in self.conditions if True not in each.answers.values())
        seen = next(never, self.conditions[0])
        values = sorted({quoted(self.name(cell)) for cell in seen.answers})
        hint = f"{quoted(seen.column)} has the values {listed(values, most=12)}."
        hint += f"\nall rows: {command_with(where=None)}"
        return DataError(f"{self.source}: no row has {asked}.", hint=hint)

    def at(self, name: str) -> int:
        places = self.all_at(name)
        if len(places) > 1:
            both = f"columns {places[0] + 1:,} and {places[1] + 1:,}"
            fact = f"{self.source}: two columns are called {quoted(name)} ({both})."
            raise DataError(fact, hint="rename one of them in the header.")
        return places[0]

    def all_at(self, name: str) -> list[int]:
        places = [k for k, column in enumerate(self.columns) if column == name]
        if not places:
            raise UnknownNameError("column", name, self.columns)
        return places

    def name(self, cell: str | None) -> str:
        name = _text(cell)
        return name[1:] if self.guarded and FORMULA.match(name) else name

    def texts(self, k: int) -> list[str]:
        """Return the cells of a column in the first block, stripped, empty where missing."""
        return list(map(_text, self.first.text(k))) if self.first is not None else []

    def cells(self, k: int) -> list[str]:
        return list(map(_text, self._sample.text(k))) if self._sample is not None else []

    @cached_property
    def _sample(self) -> Block | None:
        return self.first and self.first.of_rows(range(min(self.first.size, ROWS_LOOKED_AT)))

    def is_numeric(self, k: int) -> bool:
        cells = self.cells(k)
        return 2 * sum(looks_numeric(cell) or is_uncertain(cell) for cell in cells) > len(cells)

    def holds_whole_numbers(self, k: int) -> bool:
        cells = [cell for cell in self.cells(k) if not is_missing(cell)]
        return bool(cells) and all(map(_WHOLE.fullmatch, cells))

    def names_come_again(self, k: int) -> bool:
        names = [self.name(cell) for cell in self.cells(k)]
        return len(set(names)) < len(names)

    @cached_property
    def _kept(self) -> Block:
        """The rows of the first block that are kept."""
        kept = self.first if self.first is not None else Block([], [[] for _ in self.columns])
        for condition in self.conditions:
            kept = kept.of_rows(self._meeting(condition, kept))
        return kept

    def kept(self, k: int) -> list[str]:
        """Return the cells of a column in those rows of the first block that are kept."""
        return list(map(_text, self._kept.text(k)))

    def apart(self, columns: Sequence[int]) -> bool:
        """Return whether no two of these rows agree in all of some columns."""
        rows = {*zip(*map(self.kept, columns), strict=True)} if columns else {()}
        return len(rows) >= self._kept.size

    def counts_from(self, k: int) -> int | None:
        """Return 0 or 1 where a column counts the rows from there, else None."""
        cells = self.texts(k)
        start = int(cells[0]) if cells and cells[0] in {"0", "1"} else len(cells)
        return start if cells == [str(start + i) for i in range(len(cells))] and cells else None

    @cached_property
    def vacant(self) -> tuple[int, ...]:
        """The columns without a name and, in the first rows, without content."""
        unnamed = [k for k, column in enumerate(self.columns) if not column.strip()]
        some = self.named and self.first is not None
        return tuple(k for k in unnamed if some and not any(self.texts(k)))

    @property
    def vacant_note(self) -> str:
        places = listed((f"{k + 1:,}" for k in self.vacant), most=5)
        if len(self.vacant) < 2:
            return f"column {places} is empty and left out." if places else ""
        return f"empty columns ({places}) are left out."

    def _refuse_header_again(self, block: Block) -> None:
        """Refuse a row that repeats the header: numbers among the names would be read as scores."""
        if not self.named or not block.holds_text(0):
            return
        name = self.columns[0]
        again = np.flatnonzero(block.each(0, lambda cell: _text(cell) == name, bool)).tolist()
        for k in filter(block.has, range(1, len(self.columns) if again else 0)):
            cells = block.text(k)
            again = [i for i in again if _text(cells[i]) == self.columns[k]]
            if not again:
                return
        for i in again:
            line = self.place(block.lines[i])
            fact = f"{self.source}: {line} repeats the header: the file holds two tables."
            hint = f"remove the {self.unit} if they are one table, else keep one of them."
            raise DataError(fact, hint=hint)


def _text(cell: str | None) -> str:
    return (cell or "").strip()


# ------------------------------------------------------------------------------
# Keep only some rows: ``where="COL=VALUE"``, ``"COL>=2024-01-01"``.

MOST_VALUES = 1_000
ANSWERS: Mapping[bool | None, int] = {True: 1, False: 0, None: -1}
SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SIGN = re.compile("(?=(!=|<=|>=|=|<|>))")  # at every place, since names may hold signs too


@dataclass
class Condition:
    """Ask a cell whether it is one of some values, or on the right side of one.

    A number is compared with numbers and a date with dates; a date without a time of day is
    compared with the day of a cell. An empty cell is on no side.
    """

    column: str
    k: int
    values: frozenset[str]
    name_of: Callable[[str | None], str]
    sign: str = "="
    answers: dict[str | None, bool | None] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.column}{self.sign}{listed(sorted(self.values), most=3)}"

    @property
    def negated(self) -> bool:
        return self.sign == "!="

    @cached_property
    def bound(self) -> float | datetime | date | None:
        """What cells are compared with; None where they are only to be equal to it."""
        if self.sign not in SIGNS:
            return None
        (value,) = self.values
        number = number_in(value)
        bound = day_or_moment(value) if number is None else number
        if bound is None or bound != bound:
            fact = f"{say('where', str(self))}: {quoted(value)} is neither a number nor a date."
            ways = {"only those": "=", "all others": "!="}
            texts = (
                f"{way}: {_instead(str(self), f'{self.column}{sign}{value}')}"
                for way, sign in ways.items()
            )
            raise UsageError(fact, hint="\n".join(texts))
        return bound

    def holds(self, cell: str | None) -> bool | None:
        """Return whether a cell meets the condition, None if it cannot be compared.

        Equal cells are asked once.
        """
        if cell in self.answers:
            return self.answers[cell]
        known = self._ask(self.name_of(cell))
        if len(self.answers) < MOST_VALUES:
            self.answers[cell] = known
        return known

    def _ask(self, name: str) -> bool | None:
        number, bound = number_in(name), self.bound
        if bound is None:
            numbers = () if number is None else map(number_in, self.values)
            return (name in self.values or number in numbers) != self.negated
        if is_missing(name):
            return False
        there = number if isinstance(bound, float) else day_or_moment(name)
        if isinstance(there, date) and type(there) is not type(bound):  # a moment is a date, too
            midnight = datetime(there.year, there.month, there.day, tzinfo=UTC)
            there = midnight if isinstance(bound, datetime) else midnight.date()
        return None if there is None else SIGNS[self.sign](there, bound)

    def incomparable(self, cell: str, place: str = "") -> DataError:
        kind = "number" if isinstance(self.bound, float) else "date"
        written = " written as 2024-01-31" if kind == "date" else ""
        held = f"{place}column {quoted(self.column)} holds {quoted(cell)}"
        asked = f"{say('where', str(self))} cannot be asked of it"
        fact = f"{held}, which is no {kind}{written}: {asked}."
        return DataError(fact, hint=f"write a {kind}{written} there, or leave the cell empty.")


def number_in(text: str) -> float | None:
    with contextlib.suppress(ValueError):
        return float(text)
    return None


def day_or_moment(text: str) -> datetime | date | None:
    """Return a day (2024-01-31), or a moment in UTC where a time of day is told."""
    with contextlib.suppress(ValueError):
        return date.fromisoformat(text)
    with contextlib.suppress(ValueError):
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def columns_asked(given: str) -> list[tuple[str, str, str]]:
    """Return every way to read a condition: column, sign and value; names may hold signs."""
    cuts = ((cut.start(), cut[1]) for cut in _SIGN.finditer(given))
    return [(given[:at].strip(), sign, given[at + len(sign) :].strip()) for at, sign in cuts]


def _instead(said: object, other: str) -> str:
    """Return the command with another condition in place of one; the others stay."""
    typed = command_saying({str(said): [other]}, of="where")
    return typed or command_with(where=other)


def _condition(given: Any, head: Head) -> Condition:
    """Return a condition from ``COL=VALUE`` or a pair; the column may have a sign in it."""
    if isinstance(given, tuple) and len(given) == 2:
        column, value = given
        values = value if isinstance(value, list | tuple | set | frozenset) else [value]
        names = frozenset((text_of(one) or "").strip() for one in values)
        return Condition(str(column), head.at(str(column)), names, head.name)
    ways = columns_asked(given) if isinstance(given, str) else []
    if not ways:
        column = given if given in head.columns else head.columns[0]
        value = next(reversed(head.cells(head.columns.index(column))), "")
        hint = f"for instance, without {value or 'empty cells'}: "
        hint += _instead(given, f"{column}!={value}")
        raise UsageError(f"{say('where')} needs COL=VALUE, got {given!r}.", hint=hint)
    known = [way for way in ways if way[0] in head.columns]
    if not known:
        raise UnknownNameError("column", ways[0][0], head.columns)
    column, sign, value = known[0]
    found = Condition(column, head.at(column), frozenset({value}), head.name, sign)
    found.bound  # noqa: B018 - refuses what cannot be compared
    return found
