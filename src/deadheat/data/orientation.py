"""What the rows and the columns of a wide table are: said, or guessed and reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deadheat.data.head import Head
from deadheat.data.numbers import is_missing, looks_numeric
from deadheat.data.options import Options
from deadheat.data.roles import (
    is_counter,
    is_judge_label,
    is_label,
    is_unnamed,
    names_rows,
    role_of,
    settles_rows,
)
from deadheat.data.stream import Facts
from deadheat.data.wording import both, flag
from deadheat.errors import DataError, UsageError, listed, quoted


@dataclass(frozen=True, kw_only=True)
class Wide:
    """One label column (or none), one column per candidate or judge."""

    label: int | None
    rows_are_judges: bool
    scores: tuple[int, ...]
    about: dict[str, int] = field(default_factory=dict)
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    long: str = ""


def wide_layout(head: Head, options: Options, filtered: Sequence[int], *, long: str = "") -> Wide:
    """Return the layout of a wide table; ``long`` says how to read it as a long one, if at all."""
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    ignored = {k for name in options.ignore for k in head.all_at(name)}
    aside = {*about.values(), *ignored, *head.vacant}
    label, rows_are_judges = _label(head, options, aside, filtered)
    if about and not rows_are_judges:
        name, k = next(iter(about.items()))
        raise UsageError(
            f"{head.source}: column {quoted(head.columns[k])} can give each judge its {name} "
            "only where rows are judges.",
            hint=f"{both('candidates', 'columns')} where they are; else list the judges in a "
            "sidecar file.",
        )
    rest = [k for k in range(len(head.columns)) if k not in {*aside, *filtered, label}]
    index = _index(head, options, rest)
    scores = tuple(k for k in rest if k != index)
    if not scores:
        raise DataError(
            f"{head.source} has no column of scores beside {listed(head.columns)}.",
            hint="was the right delimiter, sheet or layout chosen?",
        )
    return Wide(
        label=label,
        rows_are_judges=rows_are_judges,
        scores=scores,
        about=about,
        facts=_facts(head, options, label, rows_are_judges=rows_are_judges),
        notes=tuple(
            filter(
                None,
                (
                    _doubt(head, options, label, rows_are_judges=rows_are_judges),
                    _left_out(index),
                    *_counters(head, scores),
                ),
            )
        ),
        long=long,
    )


def _label(
    head: Head, options: Options, aside: set[int], filtered: Sequence[int]
) -> tuple[int | None, bool]:
    for role in ("judge", "candidate"):
        given = getattr(options, role)
        if given is not None:
            return head.at(given), role == "judge"
    first = _first(head, aside, filtered)
    judges = options.candidates == "columns"
    if first is None or not _is_label_column(head, first):
        return None, judges
    name = head.columns[first] if head.named else ""
    return first, judges if options.candidates is not None else is_judge_label(name)


def _first(head: Head, aside: set[int], filtered: Sequence[int]) -> int | None:
    """Return the column that may name the rows; one that ``where`` names only by its name."""
    free = [k for k in range(len(head.columns)) if k not in aside]
    first = next((k for k in free if k not in filtered), None)
    if not head.named or not free or free[0] == first or not names_rows(head.columns[free[0]]):
        return first
    another = first is not None and names_rows(head.columns[first])
    return first if another and role_of(head.columns[free[0]]) != "candidate" else free[0]


def _is_label_column(head: Head, k: int) -> bool:
    if head.named and is_label(head.columns[k]):
        return True
    return not all(looks_numeric(cell) or is_missing(cell) for cell in head.cells(k))


def _index(head: Head, options: Options, rest: Iterable[int]) -> int | None:
    """Return the column of the row numbers that pandas wrote, where another names the rows."""
    if not head.named or (options.candidate is None and options.judge is None):
        return None
    unnamed = (k for k in rest if is_unnamed(head.columns[k]))
    return next((k for k in unnamed if head.counts_from(k) == 0), None)


def _left_out(index: int | None) -> str:
    if index is None:
        return ""
    return f"column {index + 1:,} (0, 1, 2, ...) is the index that pandas wrote; it is left out."


def _counters(head: Head, scores: Sequence[int]) -> list[str]:
    if not head.named or head.first is None or head.first.size < 2:
        return []
    named = [k for k in scores if is_counter(head.columns[k])]
    names = [head.columns[k] for k in named if head.counts_from(k) is not None]
    return [
        f"column {quoted(name)} only counts the rows, yet is read as scores; "
        f"{flag('ignore', name)} leaves it out."
        for name in names
    ]


def _facts(head: Head, options: Options, label: int | None, *, rows_are_judges: bool) -> Facts:
    rows, columns = ("judges", "candidates") if rows_are_judges else ("candidates", "judges")
    names = (
        f"named in column {quoted(head.columns[label])}"
        if label is not None and head.named
        else "named in the first column"
        if label is not None
        else "without names"
    )
    finding = f"wide: rows are {rows} ({names}), columns are {columns}"
    facts = [("layout", finding)]
    if options.ignore:
        facts.append(("columns not used", listed(options.ignore)))
    return tuple(facts)


def _doubt(head: Head, options: Options, label: int | None, *, rows_are_judges: bool) -> str:
    """Return a note where neither an option nor the name of the label says what rows are."""
    if options.candidates or options.judge or options.candidate:
        return ""
    if label is not None and head.named and settles_rows(head.columns[label]):
        return ""
    rows, other = ("judges", "rows") if rows_are_judges else ("candidates", "columns")
    return (
        f"nothing says whether rows are candidates or judges; they are read as {rows}; "
        f"--candidates {other} says otherwise."
    )
