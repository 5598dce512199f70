"""Long tables: one row per score."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from deadheat.data.cells import Cells, table_of
from deadheat.data.gathered import Gathered, mixed_percent
from deadheat.data.head import Head
from deadheat.data.layout import Long
from deadheat.data.mistakes import bad_score
from deadheat.data.names import look_alikes
from deadheat.data.numbers import BadCellError, Numbers, matrix
from deadheat.data.stream import Block
from deadheat.data.where import Filter
from deadheat.data.wide import header_only
from deadheat.errors import DataError, quoted
from deadheat.memory import Meter
from deadheat.typing import Booleans, Floats, Integers, MissingPolicy

ROW = 90  # bytes that a row takes at most, when rows are put together and repeats looked for


class NoNameError(ValueError):
    """A cell in the place of a name is empty."""


class Codes(dict[str | None, int]):
    """Number the names in the order of their appearance; several spellings share one.

    With ``anything`` a cell may also be empty, as the words of a column may that names nobody.
    """

    def __init__(self, name_of: Callable[[str | None], str], *, anything: bool = False) -> None:
        super().__init__()
        self.names: dict[str, int] = {}
        self._name_of, self._anything = name_of, anything

    def __missing__(self, cell: str | None) -> int:
        name = self._name_of(cell)
        if not name and not self._anything:
            raise NoNameError
        code = self.names.setdefault(name, len(self.names))
        self[cell] = code
        return code


def coded_column(
    codes: Codes, role: str, k: int, block: Block, head: Head, meter: Meter
) -> Integers:
    """Return the codes of the names in a column; refuse an empty cell in the place of a name."""
    cells, known = block.text(k), len(codes)
    try:
        found = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
    except NoNameError:
        row = next(i for i, cell in enumerate(cells) if not head.name(cell))
        raise DataError(
            f"{head.source}: the {role} in {head.unit} {block.lines[row]:,}, "
            f"column {quoted(head.columns[k])}, has no name.",
            hint="fill the empty cell or remove the row.",
        ) from None
    meter.add(NAME * (len(codes) - known))
    return found


class _Columns:
    """The columns of a long table so far, as numbers."""

    def __init__(self, layout: Long, head: Head) -> None:
        self.layout, self.head, self.unit = layout, head, head.unit
        self.codes = {role: Codes(head.name) for role in ("candidate", "judge", "repeat")}
        self.parts: dict[str, list[Integers]] = {role: [] for role in self.codes}
        self.values: list[Floats] = []
        self.percent: list[Booleans] = []
        self.lines: list[Integers] = []
        self.about: dict[str, dict[int, str]] = {name: {} for name in layout.about}
        self.meter = Meter(head.source)

    def add(self, block: Block, numbers: Numbers) -> None:
        """Add the rows of a block."""
        layout = self.layout
        self.meter.add(ROW * block.size)
        try:
            values, percent = matrix(block, [layout.score], numbers)
        except BadCellError as bad:
            column = quoted(self.head.columns[layout.score])
            place = f"{self.unit} {block.lines[bad.place]:,}, column {column}"
            raise bad_score(bad, self.head.source, place, numbers.decimal) from None
        self._code("candidate", layout.candidate, block)
        judges = self._code("judge", layout.judge, block)
        if layout.repeat is not None:
            self._code("repeat", layout.repeat, block)
        self.values.append(values[:, 0])
        self.percent.append(np.zeros(block.size, bool) if percent is None else percent[:, 0])
        self.lines.append(np.asarray(block.lines, dtype=np.int64))
        for name, k in layout.about.items():
            self._constant(name, judges, list(map(self.head.name, block.text(k))))

    def _code(self, role: str, k: int, block: Block) -> Integers:
        codes = coded_column(self.codes[role], role, k, block, self.head, self.meter)
        self.parts[role].append(codes)
        return codes

    def _constant(self, name: str, judges: Integers, cells: list[str]) -> None:
        known = self.about[name]
        for judge, cell in dict.fromkeys(zip(judges.tolist(), cells, strict=True)):
            first = known.setdefault(judge, cell)
            if first != cell:
                named = list(self.codes["judge"].names)[judge]
                both = sorted([first, cell])
                raise DataError(
                    f"{self.head.source}: judge {quoted(named)} has two values of {name}: "
                    f"{quoted(both[0])} and {quoted(both[1])}.",
                    hint=f"a {name} belongs to a judge and is the same in all of its rows.",
                )

    def cells(self) -> Cells:
        """Return all rows at once."""
        whole = {role: np.concatenate(p) if p else None for role, p in self.parts.items()}
        candidate, judge = whole["candidate"], whole["judge"]
        assert candidate is not None
        assert judge is not None
        return Cells(
            candidate=candidate,
            judge=judge,
            repeat=whole["repeat"],
            values=np.concatenate(self.values),
            lines=np.concatenate(self.lines),
            candidates=tuple(self.codes["candidate"].names),
            judges=tuple(self.codes["judge"].names),
            repeats=tuple(self.codes["repeat"].names),
            source=self.head.source,
            unused=self.layout.unused,
        )

    def refuse_mixed_percent(self, cells: Cells) -> None:
        """Refuse a judge of whose scores only some have a percent sign."""
        percent = np.concatenate(self.percent)
        if not percent.any():
            return
        written = ~np.isnan(cells.values)
        some = np.bincount(cells.judge[written & percent], minlength=len(cells.judges)) > 0
        plain = np.bincount(cells.judge[written & ~percent], minlength=len(cells.judges)) > 0
        if (some & plain).any():
            judge = cells.judges[int(np.argmax(some & plain))]
            raise mixed_percent(quoted(judge), cells.source)


def gather_long(
    blocks: Iterable[Block],
    layout: Long,
    head: Head,
    numbers: Numbers,
    keep: Filter,
    *,
    combine: str = "error",
    missing: MissingPolicy = "error",
) -> Gathered:
    """Return the scores of a long table; absent rows are missing scores."""
    columns = _Columns(layout, head)
    for whole in blocks:
        block = keep(whole)
        if block.size:
            columns.add(block, numbers)
    if not columns.values:
        raise keep.nothing_left() if keep.conditions else header_only(head.source)
    cells = columns.cells()
    columns.refuse_mixed_percent(cells)
    table = table_of(cells, combine=combine, available=missing == "available")
    about = {
        name: [found[judge] for judge in table.judge_codes] for name, found in columns.about.items()
    }
    return Gathered(
        values=table.values,
        candidates=cells.candidates,
        judges=table.judges,
        about=about,
        origins=table.origins,
        facts=(*layout.facts, *table.facts),
        notes=(*table.notes, *_look_alikes(cells, head.unit)),
    )


def _look_alikes(cells: Cells, unit: str) -> tuple[str, ...]:
    return tuple(
        note
        for kind, names, codes in (
            ("candidate", cells.candidates, cells.candidate),
            ("judge", cells.judges, cells.judge),
        )
        for note in look_alikes(names, kind, first_places(codes, cells.lines, unit))
    )


def first_places(codes: Integers, lines: Integers, unit: str) -> Callable[[int], str]:
    """Return what says where a name comes first."""
    return lambda code: f"{unit} {lines[np.argmax(codes == code)]:,}"
