"""Everything that a file leaves open, asked at once, with commands that answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from deadheat.core.errors import (
    DeadheatError,
    FailedRunError,
    MissingScoresError,
    NoScoresError,
    UsageError,
    Words,
    command_with,
)
from deadheat.data.missing import LIKELY, apply_policy, as_solved_runs
from deadheat.data.reading.column_names import (
    begins_as_summary,
    stands_beside,
    usual_direction,
)
from deadheat.data.reading.numbers import as_timed_runs
from deadheat.data.results import (
    DIRECTIONS,
    Results,
    TimesError,
)

MOST_QUESTIONS = 8
ReadOnce = Callable[[Any, Mapping[str, Any]], Results]  # with options, and no further question
OF_SCORES = ("better", "missing", "candidate", "judge", "score", "ignore")  # not of runs


def all_at_once(
    first: DeadheatError, source: Any, reading: Mapping[str, Any], read: ReadOnce
) -> DeadheatError:
    """Return one error that asks everything that is open; the first where there is nothing more."""
    questions, remedy = _all_questions(first, source, reading, read)
    runs = _ways_as_runs(source, reading, questions, remedy, read)
    if len(questions) < 2:
        others = [] if isinstance(first, FailedRunError) else [first.hint]
        return first.with_hint("\n".join((*runs, *others))) if runs else first
    asked = "\n".join(f"{k}. {each.clause}" for k, each in enumerate(questions, start=1))
    fact = f"{Path(source).name} leaves {len(questions)} things open:\n{asked}."
    hint = f"perhaps: {command_with(**remedy)}"
    if "better" in remedy:  # never guessed in silence
        likely = "lower" if runs else str(remedy["better"])
        ways = (likely, *(word for word in DIRECTIONS if word != likely))
        policies = LIKELY if any(isinstance(q, MissingScoresError) for q in questions) else {}
        hint = "\n".join(
            f"perhaps, where {way} is better: "
            + command_with(
                **_where_better(way, remedy) | ({"missing": policies[way]} if policies else {})
            )
            for way in ways
        )
    if not questions[-1].remedy:  # a command would end in the same question
        hint = "" if runs else questions[-1].hint
    return UsageError(fact, hint="\n".join(filter(None, (*runs, hint))), remedy=remedy)


def _where_better(way: str, remedy: Mapping[str, Any]) -> dict[str, Any]:
    """Return options where so is better: what goes that way is not left out for its direction."""
    ignore = [
        name
        for name in texts_of(remedy.get("ignore"))
        if stands_beside(name) or begins_as_summary(name) or usual_direction(name) != way
    ]
    said = {**remedy, "better": way, "ignore": ignore}
    return said if ignore else {k: v for k, v in said.items() if k != "ignore"}


def _all_questions(
    first: DeadheatError, source: Any, reading: Mapping[str, Any], read: ReadOnce
) -> tuple[list[DeadheatError], dict[str, Any]]:
    """Return everything that is open, and options that answer it in the likeliest way."""
    questions, remedy = [first], dict[str, Any](first.remedy)
    while remedy and len(questions) < MOST_QUESTIONS:
        try:
            added = {
                name: [*texts_of(reading.get(name)), *value] if isinstance(value, list) else value
                for name, value in remedy.items()
            }
            results = read(source, {**reading, **added})
            doubts = (note for note in results.notes if isinstance(note, Words) and note.remedy)
            for note in doubts:
                raise UsageError(note.page, remedy=note.remedy)
            if results.missing == "error":
                apply_policy(results, "error")
            break
        except NoScoresError:
            raise  # whatever else is asked, no answer leads on
        except DeadheatError as error:
            lists = {name: value for name, value in error.remedy.items() if isinstance(value, list)}
            if any(name in remedy for name in error.remedy if name not in lists):
                break
            guessed = remedy.keys() - {"better"} and not isinstance(error, FailedRunError)
            if not error.remedy and guessed:
                break  # perhaps only of what was guessed
            questions.append(error)
            if not error.remedy:
                break
            more = {name: [*texts_of(remedy.get(name)), *value] for name, value in lists.items()}
            remedy |= error.remedy | more
    return questions, remedy


def _ways_as_runs(
    source: Any,
    reading: Mapping[str, Any],
    questions: Sequence[DeadheatError],
    remedy: Mapping[str, Any],
    read: ReadOnce,
) -> list[str]:
    """Return commands that score by a rule what looks like times or costs of runs.

    They are tried: what leads to another question is none.
    """
    empty = [each for each in questions if isinstance(each, MissingScoresError) and each.as_runs]
    words = as_solved_runs if empty else as_timed_runs
    timed = [each for each in questions if isinstance(each, FailedRunError | TimesError)]
    as_runs: dict[str, Any] = {"better": None, "missing": None}
    as_runs |= {name: said for name, said in remedy.items() if name not in OF_SCORES}
    for each in (*timed, *empty):
        as_runs |= each.as_runs
    rules = empty[0].rules if empty else ["par2"] if timed else ()
    found = (_answered(source, reading, {**as_runs, "rule": rule}, read) for rule in rules)
    return [words(each) for each in found if each]


def _answered(
    source: Any, reading: Mapping[str, Any], said: dict[str, Any], read: ReadOnce
) -> dict[str, Any] | None:
    """Return options with answers to the questions that they lead to; None if there is none."""
    for _ in range(MOST_QUESTIONS):
        try:
            read(source, {**reading, **said})
        except DeadheatError as error:
            if error.remedy.keys() <= said.keys():
                return None
            said = {**said, **error.remedy}
        else:
            return said
    return None


def texts_of(said: Any) -> list[Any]:
    """Return what was said once or several times as a list."""
    return [said] if isinstance(said, str) else list(said or ())
