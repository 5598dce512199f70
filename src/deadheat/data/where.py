"""Keep only some rows: ``--where COL=VALUE``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from deadheat.data.head import Head
from deadheat.data.stream import Block, text_of
from deadheat.errors import DataError, UnknownNameError, UsageError, listed, quoted

MOST_VALUES = 1_000


@dataclass
class Condition:
    """One column and the values it must have, or must not have."""

    column: str
    k: int
    values: frozenset[str]
    name_of: Callable[[str | None], str]
    negated: bool = False
    answers: dict[str | None, bool] = field(default_factory=dict)

    def holds(self, cell: str | None) -> bool:
        """Return whether a cell meets the condition; equal cells are asked once."""
        known = self.answers.get(cell)
        if known is None:
            known = self._meets(self.name_of(cell)) != self.negated
            if len(self.answers) < MOST_VALUES:
                self.answers[cell] = known
        return known

    def _meets(self, name: str) -> bool:
        if name in self.values:
            return True
        number = _number(name)
        return number is not None and any(_number(value) == number for value in self.values)


def _number(text: str) -> float | None:
    with contextlib.suppress(ValueError):
        return float(text)
    return None


class Filter:
    """The rows that meet every condition."""

    def __init__(self, where: Any, head: Head) -> None:
        self.conditions = [_condition(given, head) for given in _pairs(where)]
        self._source = head.source

    @property
    def columns(self) -> list[int]:
        """The columns that the conditions are about."""
        return [condition.k for condition in self.conditions]

    def __call__(self, block: Block) -> Block:
        """Return the rows of a block that are kept."""
        for condition in self.conditions:
            cells = block.text(condition.k)
            block = block.of_rows([i for i, cell in enumerate(cells) if condition.holds(cell)])
        return block

    def nothing_left(self) -> DataError:
        """Return the error for a table of which no row is kept."""
        asked = " and ".join(
            f"{c.column}{'!=' if c.negated else '='}{listed(sorted(c.values), most=3)}"
            for c in self.conditions
        )
        condition = next((c for c in self.conditions if True not in c.answers.values()), None)
        seen = condition or self.conditions[0]
        values = sorted({quoted(seen.name_of(cell)) for cell in seen.answers})
        return DataError(
            f"{self._source}: no row has {asked}.",
            hint=f"{quoted(seen.column)} has the values {listed(values, most=12)}.",
        )


def _pairs(where: Any) -> list[Any]:
    if isinstance(where, Mapping):
        return list(where.items())
    return [where] if isinstance(where, str) else list(where or ())


def _condition(given: Any, head: Head) -> Condition:
    if not isinstance(given, str):
        if not (isinstance(given, tuple) and len(given) == 2):
            raise _no_condition(given)
        column, value = given
        values = value if isinstance(value, list | tuple | set | frozenset) else [value]
        names = frozenset((text_of(one) or "").strip() for one in values)
        return Condition(str(column), head.at(str(column)), names, head.name)
    column, negated, text = _split(given, head)
    return Condition(column, head.at(column), frozenset({text.strip()}), head.name, negated)


def _no_condition(given: object) -> UsageError:
    return UsageError(
        f"--where needs COL=VALUE, got {given!r}.",
        hint="for instance --where split=test, or --where family!=easy.",
    )


def _split(given: str, head: Head) -> tuple[str, bool, str]:
    """Return column, negation and value; a column may have an equals sign in its name."""
    cuts = [place for place, letter in enumerate(given) if letter == "="]
    if not cuts:
        raise _no_condition(given)
    parts = []
    for cut in cuts:
        negated = given[:cut].endswith("!")
        parts.append((given[: cut - negated].strip(), negated, given[cut + 1 :]))
    known = [part for part in parts if part[0] in head.columns]
    if not known:
        raise UnknownNameError("column", parts[0][0], head.columns)
    return known[0]
