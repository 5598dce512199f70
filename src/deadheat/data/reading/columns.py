"""The columns of rows, block by block: names as codes, numbers as they are, bad cells explained."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    MendByHandError,
    NotOneScoreError,
    bare,
    command_with,
    listed,
    quoted,
)
from deadheat.core.memory import Meter
from deadheat.core.types import Floats, Integers
from deadheat.data.reading.beside import FEW_NAMES, tells_about_scores
from deadheat.data.reading.column_names import (
    begins_as_summary,
    is_called,
    role_of,
    stands_beside,
)
from deadheat.data.reading.layout import Wide
from deadheat.data.reading.numbers import (
    BadCellError,
    Numbers,
    Parsed,
    another_header,
    bad_score,
    cell_hint,
    is_missing,
    looks_numeric,
    matrix,
)
from deadheat.data.reading.preview import Head, look_alikes
from deadheat.data.reading.source import Block
from deadheat.data.reading.uncertainty import (
    are_intervals,
    hold_intervals,
)

ROLES_OF_NAMES = {"candidate", "judge"}
NAME = 250  # bytes that a name takes, with its place


class Codes(dict[str | None, int]):
    """Number the names in the order of their appearance; several spellings share one."""

    def __init__(self, name_of: Callable[[str | None], str]) -> None:
        super().__init__()
        self.names: dict[str, int] = {}
        self._name_of = name_of

    def __missing__(self, cell: str | None) -> int:
        code = self[cell] = self.names.setdefault(self._name_of(cell), len(self.names))
        return code


def _first_lines(codes: Integers, block: Block, known: int) -> list[int]:
    """Return where the names that are new in a block come first, in order of their codes."""
    new = np.flatnonzero(codes >= known)
    first = new[np.unique(codes[new], return_index=True)[1]]
    return [int(block.lines[i]) for i in first.tolist()]


class Columns:
    """Names as codes and numbers as they are; ``row`` is the number of bytes that a row takes.

    Names of the roles ``anything`` may be empty; a ``layout`` may explain a bad cell.
    """

    def __init__(
        self,
        head: Head,
        names: Mapping[str, int],
        numeric: Mapping[str, int],
        *,
        row: int,
        anything: Container[str] = (),
        layout: Wide | None = None,
        as_runs: Mapping[str, object] | None = None,
    ) -> None:
        self.head, self.names, self._numeric, self._row = head, names, numeric, row
        self._anything, self._layout, self._as_runs = anything, layout, as_runs or {}
        self.codes = {role: Codes(head.name) for role in names}
        self.parts: dict[str, list[Integers]] = {role: [] for role in names}
        self.values: list[Floats] = []
        self._beside: list[Parsed] = []
        self._lines: list[Integers] = []
        self._firsts: dict[str, list[int]] = {role: [] for role in names}  # where a name is first
        self._meter = Meter(head.source)
        self.notes: list[str] = []

    def add(self, block: Block, numbers: Numbers) -> None:
        self._meter.add(self._row * block.size)
        numeric = list(self._numeric.values())
        try:
            parsed = matrix(block, numeric, numbers)
        except BadCellError as bad:
            row, position = divmod(bad.place, len(numeric))
            place = self._cell(block, row, k := numeric[position])
            error = _explain(self._layout, self.head, bad, block, row, k)
            raise error or bad_score(bad, self.head.source, place, numbers, self._as_runs) from None
        for role, k in self.names.items():
            codes = self.codes[role]
            known, named = len(codes), len(codes.names)
            self.parts[role].append(block.each(k, codes.__getitem__, np.int32))
            self._firsts[role] += _first_lines(self.parts[role][-1], block, named)
            if "" in codes.names and role not in self._anything:
                cells = enumerate(block.text(k))
                row = next(i for i, cell in cells if not self.head.name(cell))
                raise DataError(
                    f"{self.head.source}: the {role} in {self._cell(block, row, k)}, has no name.",
                    hint="fill the empty cell or remove the row.",
                )
            self._meter.add(NAME * (len(codes) - known))
        self.values.append(parsed.values)
        self._beside.append(parsed)
        self._lines.append(np.asarray(block.lines, dtype=np.int64))

    def _cell(self, block: Block, row: int, k: int) -> str:
        place = self.head.place(block.lines[row])
        return f"{place}, column {quoted(self.head.columns[k])}"

    def whole(self) -> dict[str, Any]:
        """Return every column of all blocks, and where the rows stand as ``lines``."""
        for role in ROLES_OF_NAMES.intersection(self.codes):
            self._take_quotes_off(role)
        columns: dict[str, Any] = {role: np.concatenate(p) for role, p in self.parts.items()}
        for k, role in enumerate(self._numeric):
            columns[role] = np.concatenate([values[:, k] for values in self.values])
        return columns | {"lines": np.concatenate(self._lines)}

    def taken(self) -> tuple[Integers, Integers, Floats]:
        """Return candidates, judges and values of the rows so far, and keep none of them."""
        candidate, judge = (np.concatenate(self.parts[role]) for role in ("candidate", "judge"))
        values = np.concatenate(self.values)[:, 0]
        self.parts = {role: [] for role in self.names}
        self.values, self._beside, self._lines = [], [], []
        return candidate, judge, values

    @property
    def differ_by_quotes(self) -> bool:
        return any(map(self._quoted, ROLES_OF_NAMES.intersection(self.codes)))

    def _quoted(self, role: str) -> dict[str, str]:
        """Return the names in quotes that are there without them, too, with those."""
        names = self.codes[role].names
        inner = {name: name[1:-1] for name in names if name[:1] == name[-1:] == '"' and name[2:]}
        return {name: other for name, other in inner.items() if other in names}

    def _take_quotes_off(self, role: str) -> None:
        """Give a name in quotes the code of the same name without them, where both are there."""
        names, pairs = self.codes[role].names, self._quoted(role)
        if not pairs:
            return
        places = [names[pairs.get(name, name)] for name in names]
        left, codes = np.unique(places, return_inverse=True)
        firsts = np.full(len(left), np.iinfo(np.int64).max)
        np.minimum.at(firsts, codes, self._firsts[role])
        self._firsts[role] = firsts.tolist()
        self.parts[role] = [codes[part].astype(np.int32) for part in self.parts[role]]
        known = [*names]
        self.codes[role].names = {known[k]: place for place, k in enumerate(left.tolist())}
        these = listed(map(bare, pairs), most=FEW_NAMES)
        self.notes.append(f"names that differ only by quotes are one {role}: {these}.")

    def place(self, i: int) -> str:
        return self.head.place(int(np.concatenate(self._lines)[i]))

    def texts(self, role: str) -> list[str]:
        """Return the names or words of all rows; none where no column has the role."""
        names = self.words(role)
        return [names[code] for part in self.parts.get(role, ()) for code in part.tolist()]

    def words(self, role: str) -> tuple[str, ...]:
        return tuple(self.codes[role].names) if role in self.codes else ()

    def alike(self) -> list[str]:
        """Return a note for each name that looks like an earlier one, and where both come first."""

        def first(role: str, code: int) -> str:
            return self.head.place(self._firsts[role][code])

        roles = ("candidate", "judge")
        notes = (look_alikes(self.words(each), each, partial(first, each)) for each in roles)
        return [*self.notes, *chain.from_iterable(notes)]

    def beside(self, name: str, *, nothing: object = np.nan) -> Any:
        """Return percent signs, errors or brackets of all blocks, None where there is none."""
        found = [(getattr(part, name), part.values.shape) for part in self._beside]
        if all(each is None for each, _ in found):
            return None
        return np.concatenate([np.full(s, nothing) if each is None else each for each, s in found])


def _explain(
    layout: Wide | None, head: Head, bad: BadCellError, block: Block, row: int, k: int
) -> DeadheatError | None:
    column, line = quoted(head.columns[k]), block.lines[row]
    cells = block.text(k)
    names_things = is_called(head.columns[k], "identifier")  # such as a hash that begins with 7e5
    beside = names_things or _is_beside_scores(layout, head, k)
    if layout is not None and _of_only_score(layout, head, k):
        return _intervals_error(head, k)
    if layout is None or bad.infinite or (cell_hint(bad.text) and not beside):
        return None
    if block.size > 1 and not any(map(looks_numeric, cells)):
        name = head.columns[k]
        role = role_of(name)
        if layout.undecided is not None and not layout.long and not role:
            return layout.undecided
        words = listed(dict.fromkeys(quoted((cell or "").strip()) for cell in cells), most=3)
        fact = f"{head.source}: column {column} holds text ({words}), not scores."
        if layout.long and layout.label is not None and head.names_come_again(layout.label):
            hint = f"if it is a long table: {command_with(**layout.long)}"
            return NotOneScoreError(fact, hint=hint, remedy=layout.long)
        family = is_called(name, "stratum") and layout.rows_are_judges and not layout.about
        remedy: dict[str, Any] = {"stratum": name} if family else {"ignore": [name]}
        others = (other for other in head.columns if other != name)
        if names_things and any(is_called(other, "judge") for other in others):
            role = ""  # a hash beside the name of an instance
        if layout.label is not None and head.named and role_of(head.columns[layout.label]) == role:
            role = ""  # the rows have such a name already
        if role and not family:
            remedy = {role: name}
        return NotOneScoreError(fact, hint=_use_of(name, layout, head), remedy=remedy)
    fact = f"{head.place(line)}, column {column}: {quoted(bad.text)} is not a number."
    fact = f"{head.source}: {fact}"
    if stands_beside(head.columns[k]) and cell_hint(bad.text):  # such as 70B parameters
        ignore = {"ignore": [head.columns[k]]}
        return NotOneScoreError(
            fact, hint=f"to leave it out: {command_with(**ignore)}", remedy=ignore
        )
    label = (block.text(layout.label)[row] if layout.label is not None else "") or ""
    first = head.first.lines[0] if head.first is not None else line + 1
    names = [block.text(k)[row] for k in layout.scores]
    hint = another_header(label, names, head.unit, line, first=first)
    return MendByHandError(fact, hint=hint) if hint else None


def _is_beside_scores(layout: Wide | None, head: Head, k: int) -> bool:
    """Return whether a column tells about scores: an interval 0.81-0.86, ranges of ranks."""
    some = layout is not None and any(map(head.is_numeric, layout.scores))
    return stands_beside(head.columns[k]) or (some and are_intervals(head.cells(k)))


def _intervals_error(head: Head, k: int) -> NotOneScoreError:
    """Return what asks whether intervals are kept as the errors of scores."""
    name = head.columns[k]
    some = dict.fromkeys(quoted(cell) for cell in head.cells(k) if not is_missing(cell))
    holds = f"column {quoted(name)} holds intervals ({listed(some, most=3)}), not scores"
    kept, ignore = {"standard_error": (name,)}, {"ignore": [name]}
    hint = f"to keep them as errors of the scores: {command_with(**kept)}"
    hint += f"\nto leave them out: {command_with(**ignore)}"
    return NotOneScoreError(f"{head.source}: {holds}.", hint=hint, remedy=kept)


def _of_only_score(layout: Wide, head: Head, k: int) -> bool:
    """Return whether a column holds the intervals of the only column of scores."""
    columns = [j for j in layout.scores if j != k and head.is_numeric(j)]
    named = ((j, head.columns[j]) for j in columns)
    numeric = [j for j, x in named if not (tells_about_scores(x) or begins_as_summary(x))]
    if layout.rows_are_judges or layout.errors or len(numeric) != 1:
        return False
    return hold_intervals(head.cells(k), head.cells(numeric[0]))


def _use_of(column: str, layout: Wide, head: Head) -> str:
    role = role_of(column)
    label = role_of(head.columns[layout.label]) if layout.label is not None else ""
    other = f"to leave it out: {command_with(ignore=[column])}"
    if layout.rows_are_judges and layout.undecided is None and not layout.about:
        other = f"to use it as the stratum: {command_with(stratum=column)}\n{other}"
    unlike = role != label if role and label else not (role or label)
    long = f"if it is a long table: {command_with(**layout.long)}" if layout.long else ""
    if long and layout.label is not None and head.names_come_again(layout.label):
        return long  # without the column they would still come again
    if role and not (long and unlike):
        other = f"if it names the {role}s: {command_with(**{role: column})}\n{other}"
    return "\n".join(filter(None, (other, long) if unlike else (long, other)))
