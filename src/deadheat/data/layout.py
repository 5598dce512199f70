"""Where candidates, judges and scores stand in a table: said, or guessed and reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deadheat.data.numbers import is_missing, looks_numeric
from deadheat.data.options import ABOUT_JUDGES, Options
from deadheat.data.roles import is_judge_label, is_label, matches
from deadheat.data.stream import Block, Facts
from deadheat.errors import DataError, UnknownNameError, UsageError, listed, quoted

ROLES = ("candidate", "judge", "score")
ROWS_LOOKED_AT = 50
FEW_OTHER_NUMBERS = 2
MOST_COLUMNS = 100  # of a table that could be long


@dataclass(frozen=True, kw_only=True)
class Wide:
    """One label column (or none), one column per candidate or judge."""

    label: int | None
    rows_are_judges: bool
    scores: tuple[int, ...]
    about: dict[str, int] = field(default_factory=dict)
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class Long:
    """One row per score, with a column each for candidate, judge and score."""

    candidate: int
    judge: int
    score: int
    repeat: int | None = None
    about: dict[str, int] = field(default_factory=dict)
    facts: Facts = ()
    unused: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Head:
    """The names of the columns and the first rows: all that a layout is guessed from."""

    source: str
    columns: Sequence[str]
    named: bool
    first: Block | None

    def at(self, name: str, kind: str = "column") -> int:
        """Return the position of a column by its name."""
        places = [k for k, column in enumerate(self.columns) if column == name]
        if not places:
            raise UnknownNameError(kind, name, self.columns)
        if len(places) > 1:
            raise DataError(
                f"{self.source}: two columns are called {quoted(name)} "
                f"(columns {places[0] + 1:,} and {places[1] + 1:,}).",
                hint="rename one of them.",
            )
        return places[0]

    def cells(self, k: int) -> list[str | None]:
        """Return the first cells of a column, as text."""
        return self.first.text(k)[:ROWS_LOOKED_AT] if self.first is not None else []

    def is_numeric(self, k: int) -> bool:
        """Return whether most of the first cells could be scores; a bad one is told later."""
        cells = self.cells(k)
        return 2 * sum(map(looks_numeric, cells)) > len(cells)


def layout_of(head: Head, options: Options, filtered: Sequence[int]) -> Wide | Long:
    """Return the layout that was asked for, or the one the names of the columns suggest.

    ``filtered`` are the columns that ``where`` names; in a wide table they hold no scores.
    """
    if _must_be_long(options):
        return _long(head, options, _roles(head, options, filtered), guessed=False)
    must_be_wide = options.layout == "wide" or options.candidates is not None or not head.named
    if must_be_wide or len(head.columns) > MOST_COLUMNS:
        return _wide(head, options, filtered)
    roles = {role: _found(head, options, role, filtered) for role in ROLES}
    settled = {role: places[0] for role, places in roles.items() if len(places) == 1}
    if len(settled) == len(ROLES) and _few_other_numbers(head, settled, options):
        return _long(head, options, settled, guessed=True)
    return _wide(head, options, filtered)


def _must_be_long(options: Options) -> bool:
    both = options.candidate is not None and options.judge is not None
    repeats = options.repeat is not None or options.combine in {"mean", "judges"}
    return options.layout == "long" or options.score is not None or both or repeats


def _found(head: Head, options: Options, role: str, filtered: Sequence[int]) -> list[int]:
    """Return the columns that may play a role; those with another role cannot.

    A column that ``where`` names is thought of only where no other looks like it.
    """
    given = getattr(options, role)
    if given is not None:
        return [head.at(given)]
    others = [getattr(options, other) for other in (*ROLES, "repeat", *ABOUT_JUDGES)]
    taken = {*filter(None, others), *options.ignore}
    free = [k for k, column in enumerate(head.columns) if column not in taken]
    if role == "score":
        free = [k for k in free if head.is_numeric(k)] if len(free) <= MOST_COLUMNS else []
    unfiltered = [k for k in free if k not in filtered]
    found = _matching(head, role, unfiltered) or _matching(head, role, free)
    if role == "score" and not found and options.candidate and options.judge:
        return free
    return found


def _matching(head: Head, role: str, free: Sequence[int]) -> list[int]:
    return [free[k] for k in matches(role, [head.columns[k] for k in free])]


def _roles(head: Head, options: Options, filtered: Sequence[int]) -> dict[str, int]:
    roles = {}
    for role in ROLES:
        places = _found(head, options, role, filtered)
        if len(places) != 1:
            names = listed(quoted(head.columns[k]) for k in places)
            which = f"It could be {names}" if places else "No name tells"
            raise UsageError(
                f"{head.source}: which column holds the {role}s? {which}.",
                hint=f"say --{role} COL; there are {listed(head.columns)}.",
            )
        roles[role] = places[0]
    _refuse_one_for_two(head, roles)
    return roles


def _refuse_one_for_two(head: Head, roles: dict[str, int]) -> None:
    for one, other in (("candidate", "judge"), ("candidate", "score"), ("judge", "score")):
        if roles[one] == roles[other]:
            raise UsageError(
                f"{head.source}: column {quoted(head.columns[roles[one]])} "
                f"cannot hold both the {one}s and the {other}s.",
                hint=f"name both: --{one} COL --{other} COL.",
            )


def _few_other_numbers(head: Head, settled: dict[str, int], options: Options) -> bool:
    taken = {*settled.values(), *(head.at(name) for name in _about(options).values())}
    if len(set(settled.values())) < len(ROLES):
        return False
    others = [k for k in range(len(head.columns)) if k not in taken]
    if len(others) > MOST_COLUMNS:
        return False
    return sum(map(head.is_numeric, others)) <= FEW_OTHER_NUMBERS


def _about(options: Options) -> dict[str, str]:
    pairs = ((name, getattr(options, name)) for name in ABOUT_JUDGES)
    return {name: column for name, column in pairs if column is not None}


def _long(head: Head, options: Options, roles: dict[str, int], *, guessed: bool) -> Long:
    about = {name: head.at(column) for name, column in _about(options).items()}
    repeat = head.at(options.repeat) if options.repeat is not None else None
    used = {*roles.values(), *about.values(), repeat}
    unused = tuple(name for k, name in enumerate(head.columns) if k not in used)
    said = ", ".join(f"{role} {quoted(head.columns[k])}" for role, k in roles.items())
    facts = [("layout", f"long{' (guessed)' if guessed else ''}: {said}")]
    if unused:
        facts.append(("columns not used", listed(unused)))
    return Long(**roles, repeat=repeat, about=about, facts=tuple(facts), unused=unused)


def _wide(head: Head, options: Options, filtered: Sequence[int]) -> Wide:
    about = {name: head.at(column) for name, column in _about(options).items()}
    aside = {*about.values(), *filtered, *(head.at(name) for name in options.ignore)}
    label, rows_are_judges = _label(head, options, aside)
    if about and not rows_are_judges:
        name, k = next(iter(about.items()))
        raise UsageError(
            f"{head.source}: column {quoted(head.columns[k])} can give each judge its {name} "
            "only where rows are judges.",
            hint="--candidates columns where they are; else list the judges in a sidecar file.",
        )
    scores = tuple(k for k in range(len(head.columns)) if k not in aside and k != label)
    if not scores:
        raise DataError(
            f"{head.source} has no column of scores beside {listed(head.columns)}.",
            hint="was the right delimiter, sheet or layout chosen?",
        )
    facts, notes = _told(head, options, label, rows_are_judges=rows_are_judges)
    return Wide(
        label=label,
        rows_are_judges=rows_are_judges,
        scores=scores,
        about=about,
        facts=facts,
        notes=notes,
        hint=_as_long(head),
    )


def _label(head: Head, options: Options, aside: set[int]) -> tuple[int | None, bool]:
    for role in ("judge", "candidate"):
        given = getattr(options, role)
        if given is not None:
            return head.at(given), role == "judge"
    first = next((k for k in range(len(head.columns)) if k not in aside), None)
    judges = options.candidates == "columns"
    if first is None or not _is_label_column(head, first):
        return None, judges
    name = head.columns[first] if head.named else ""
    return first, judges if options.candidates is not None else is_judge_label(name)


def _is_label_column(head: Head, k: int) -> bool:
    if head.named and is_label(head.columns[k]):
        return True
    return not all(looks_numeric(cell) or is_missing(cell) for cell in head.cells(k))


def _told(
    head: Head, options: Options, label: int | None, *, rows_are_judges: bool
) -> tuple[Facts, tuple[str, ...]]:
    rows, columns = ("judges", "candidates") if rows_are_judges else ("candidates", "judges")
    said = options.candidates or options.judge or options.candidate
    names = (
        f"named in column {quoted(head.columns[label])}"
        if label is not None and head.named
        else "named in the first column"
        if label is not None
        else "without names"
    )
    finding = f"wide: rows are {rows} ({names}), columns are {columns}"
    notes = []
    if said is None and (label is None or not head.named):
        other = "columns" if rows == "candidates" else "rows"
        notes.append(
            "nothing says whether rows are candidates or judges; they are read as "
            f"{rows}; --candidates {other} says otherwise."
        )
    facts = [("layout", finding)]
    if options.ignore:
        facts.append(("columns not used", listed(options.ignore)))
    return tuple(facts), tuple(notes)


def _as_long(head: Head) -> str:
    """Return how to read the table as long, with the columns that could play each role."""
    if len(head.columns) > MOST_COLUMNS:
        return ""
    found = {role: matches(role, head.columns) for role in ROLES}
    if sum(map(bool, found.values())) < 2:
        return ""
    columns = {role: head.columns[k[0]] if k else "COL" for role, k in found.items()}
    words = " ".join(f"--{role} {column}" for role, column in columns.items())
    return f", or read a long table: {words}"
