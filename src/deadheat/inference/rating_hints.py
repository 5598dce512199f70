"""Hints for tables that cannot be rated as they were understood: rounds, or battles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from deadheat.data.battle_guess import first_cells, holds_numbers
from deadheat.data.roles import JUDGES, tokens
from deadheat.data.wording import both
from deadheat.errors import DataError, DeadheatError, UnknownNameError, UsageError, listed

ROUNDS = frozenset(
    [
        *("split", "fold", "seed", "repeat", "round", "rep", "repetition", "replicate", "run"),
        *("trial", "iteration", "resample"),
    ]
)
REPEATED = re.compile(r" holds text \(| has [\d,]+ scores on judge ")
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


def rounds_of(cells: Mapping[str, list[str]], said: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the columns of the data sets and of their rounds, if the names tell both.

    >>> rounds_of({"model": [], "task": [], "split": ["0", "1"], "auc": []}, {})
    ('task', 'split')
    """
    taken = {said.get("candidate"), said.get("score"), said.get("judge")}
    splits = [
        name
        for name, column in cells.items()
        if ROUNDS & {*tokens(name)} and name not in taken and len({*column}) > 1
    ]
    tasks = [name for name in cells if (JUDGES - ROUNDS) & {*tokens(name)} and name not in splits]
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
