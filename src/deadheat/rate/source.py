"""Hints for tables that cannot be rated as they were understood: rounds, or battles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from deadheat.data import roles
from deadheat.data.battle_guess import first_cells, holds_numbers
from deadheat.data.wording import both
from deadheat.errors import DataError, DeadheatError, UnknownNameError, UsageError, listed

ROUNDS = roles.ROUNDS | {"run", "trial"}
REPEATED = re.compile(r" holds text \(| has [\d,]+ scores on judge ")
TOLD = ("layout", "candidates", "candidate", "judge", "score", "rule")
PLACE = re.compile(r"(?:(?:place|rank|position|pos)[ _.-]?)?(\d{1,4})(?:st|nd|rd|th)?")
NAMELESS = re.compile(r"column_\d+")
WHOLE = re.compile(r"\d+(?:\.0*)?")
LEAST_PLACES = 2
TIMES = 1.5  # that somebody is named, in the mean
TWO_CLUSTERS = "has two values of cluster"


def better_hint(error: DeadheatError, source: Any, said: Mapping[str, Any]) -> DeadheatError:
    """Return why a table was not read, with the next step of somebody who wants ratings."""
    if isinstance(error, UnknownNameError):
        return error
    cells = first_cells(source, said)
    columns = rounds_of(cells, said)
    if columns is not None and REPEATED.search(error.fact):
        task, split = columns
        hint = (
            f"rate each {task} by itself: {both('tournament', task)} and {both('round', split)}; "
            f"or all by their means: {both('judge', task)} and {both('combine', 'mean')}."
        )
        return type(error)(error.fact, hint=hint)
    wordy = [name for name, column in cells.items() if any(map(str.strip, column))]
    if len(wordy) > 1 and not any(map(holds_numbers, cells.values())):
        hint = (
            f"if it is a battle log, name its columns: {both('left', 'COL')}, "
            f"{both('right', 'COL')} and {both('winner', 'COL')}; there are {listed(cells)}. "
            f"If it is a table of scores: {error.hint}"
        )
        return type(error)(error.fact, hint=hint)
    return error


def refuse_orders(source: Any, said: Mapping[str, Any]) -> None:
    """Refuse rows that say who came first, second and so on: their cells are names, not scores.

    Who says how the table lies, knows that its cells are scores.
    """
    if any(said.get(name) is not None for name in TOLD):
        return
    cells = _under_places(first_cells(source, said))
    if holds_orders(cells):
        places = [name for name in cells if _place(name) is not None]
        raise DataError(
            f"the rows seem to be orders: the columns {places[0]} to {places[-1]} are places, and "
            "the cells say who came there, so that they are no scores.",
            hint="make it a table with the columns round, candidate and place, and rate that with "
            "--candidate candidate --judge round --score place --better lower --model "
            "plackett-luce (docs/ratings.md shows how). If the cells are scores after all, say "
            f"where the candidates are: {both('candidates', 'rows')} or "
            f"{both('candidates', 'columns')}.",
        )


def _under_places(cells: Mapping[str, list[str]]) -> Mapping[str, list[str]]:
    """Return columns under the places of the first row, which was taken for one of numbers."""
    first = [column[0] for column in cells.values() if column]
    if not all(NAMELESS.fullmatch(name) for name in cells) or len({*first}) < len(cells):
        return cells
    return {name: column[1:] for name, column in zip(first, cells.values(), strict=True)}


def holds_orders(cells: Mapping[str, list[str]]) -> bool:
    """Return whether columns are numbered places and each row names somebody once in each.

    Whoever is named comes again in other rows and at other places, which scores seldom do.

    >>> holds_orders({"1": ["ann", "bob", "ann"], "2": ["bob", "ann", "cyd"]})
    True
    >>> holds_orders({"1": ["0.5", "0.7"], "2": ["0.4", "0.5"]})
    False
    """
    places = [_place(name) for name in cells]
    named = places[0] is None if places else False
    found = places[named:]
    if len(found) < LEAST_PLACES or found not in (
        [*range(len(found))],
        [*range(1, len(found) + 1)],
    ):
        return False
    columns = [[cell.strip() for cell in column] for column in list(cells.values())[named:]]
    rows = [[cell for cell in row if cell] for row in zip(*columns, strict=True)]
    everybody = [cell for row in rows for cell in row]
    if not everybody or any(len({*row}) < len(row) for row in rows):
        return False
    again = len(everybody) >= TIMES * len({*everybody})
    moved = any(len({*column}) < len([*filter(None, column)]) for column in columns)
    return (
        again and moved and (_are_numbers_of_somebody(everybody) or not _hold_a_number(everybody))
    )


def _place(name: str) -> int | None:
    """Return the place that the name of a column says: 1, 1st, place_1, rank 1.

    >>> _place("3"), _place("2nd"), _place("place_4"), _place("s1")
    (3, 2, 4, None)
    """
    found = PLACE.fullmatch(name.strip().lower())
    return None if found is None else int(found[1])


def _are_numbers_of_somebody(cells: list[str]) -> bool:
    return all(WHOLE.fullmatch(cell) for cell in cells)


def _hold_a_number(cells: list[str]) -> bool:
    return any(holds_numbers([cell]) for cell in cells)


def rounds_of(cells: Mapping[str, list[str]], said: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the columns of the data sets and of their rounds, if the names tell both.

    >>> rounds_of({"model": [], "task": [], "split": ["0", "1"], "auc": []}, {})
    ('task', 'split')
    """
    taken = {said.get("candidate"), said.get("score"), said.get("judge")}
    splits = [
        name
        for name, column in cells.items()
        if ROUNDS & {*roles.tokens(name)} and name not in taken and len({*column}) > 1
    ]
    judging = [name for name in cells if roles.JUDGES & {*roles.tokens(name)}]
    tasks = [name for name in judging if name not in splits]
    task = said.get("judge") or next(iter(tasks), None)
    return (task, splits[0]) if splits and task is not None else None


def in_words_of_tournaments(
    error: DataError, source: Any, said: Mapping[str, Any], tournament: str
) -> DataError:
    """Return an error about judges and clusters in the words of rounds and tournaments."""
    columns = rounds_of(first_cells(source, said), {**said, "judge": tournament})
    more = both("round", "COL" if columns is None else columns[1])
    if TWO_CLUSTERS not in error.fact:
        hint = f"{error.hint} If another column holds the rounds, name it: {more}.".strip()
        return type(error)(error.fact, hint=hint)
    fact = error.fact.replace(TWO_CLUSTERS, "is in two tournaments").replace(": judge ", ": round ")
    return type(error)(
        fact, hint=f"name the column that tells the rounds of a tournament apart: {more}."
    )


def refuse_judge_and_round(judge: str, rounds: str) -> None:
    """Refuse two columns that both claim to be the judges."""
    if judge != rounds:
        raise UsageError(
            f"in a tournament the rounds are the judges, yet judge={judge!r} and round={rounds!r} "
            "are two columns.",
            hint=f"rate each {judge} by itself: {both('tournament', judge)} and "
            f"{both('round', rounds)}.",
        )
