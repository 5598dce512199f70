"""What to do about missing scores: seven policies, none of them silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from deadheat.core import errors
from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    Words,
    command_with,
    counted,
    listed,
)
from deadheat.core.types import Booleans, Floats, MissingPolicy
from deadheat.core.weights import GONE, LITTLE, NARROW
from deadheat.data.results import POLICIES, Nouns, Results

LIKELY = {"higher": "available", "lower": "worst"}  # the policy that fits where so is better
MANY = 0.01  # of all scores: beyond it a policy for missing ones is worth a thought
WAYS = {
    "drop-judges": "leave out the {judges} with a missing score",
    "worst": "count each as the worst score of its {judge}",
    "available": "leave them out case by case",
}


def apply_policy(results: Results, policy: MissingPolicy) -> Results:
    """Return the table under a policy for its missing scores, with a note on what it did.

    ``error`` refuses them. ``worst`` gives a failure the worst score of its judge, ``last-rank``
    a place behind everybody (minus infinity), ``impute-median`` the median of its judge.
    ``available`` keeps the holes for the functions that can leave them out. ``drop-judges`` and
    ``drop-candidates`` remove whoever has a hole.
    """
    if policy not in POLICIES:
        raise UnknownNameError("missing policy", str(policy), POLICIES)
    marked = results if results.missing == policy else results.changed(missing=policy)
    if not results.has_holes:
        return marked
    if policy in _FILLS:
        return _fill_holes(marked, *_FILLS[policy])
    if policy == "available":
        return _available(marked)
    if policy != "error":
        return _without(marked, _DROPS[policy])
    i, j = map(int, np.argwhere(results.holes)[0])
    fact = f"the score of {results.place(i, j)} is missing ({int(results.holes.sum()):,} in all)."
    some = ["drop-judges"] if 2 * int(results.holes.any(axis=0).sum()) <= results.m else []
    costs = bool(results.rule or results.lower.all())
    some = ["worst", *some] if costs else [*some, "worst"]
    hint = _ways(results.nouns, *some, "available")
    as_runs = results.as_runs if _may_be_runs(results) else {}
    if _mostly_empty(results):
        ways = {
            "worst": f"as the worst of its {results.nouns.judge}",
            "last-rank": "behind everybody",
        }
        texts = (
            f"where empty means not solved, {w}: {command_with(missing=p)}" for p, w in ways.items()
        )
        hint = "\n".join((*texts, _ways(results.nouns, "available")))
    if as_runs:
        by_rule = (as_solved_runs({**as_runs, "rule": rule}) for rule in rules_of_failed(results))
        hint = "\n".join((*by_rule, hint))
    remedy = {"missing": LIKELY["lower" if costs else "higher"]}
    error = errors.MissingScoresError(f"{results.source}: {fact}", hint=hint, remedy=remedy)
    error.as_runs, error.rules = as_runs, rules_of_failed(results)
    raise error


USUAL_SCORE = 100  # that percentages and shares do not exceed
OFTEN = 0.05  # of the cells: so many are empty where runs fail
MOSTLY = 1 / 3  # of the cells: so many are empty where most instances are hard
APART = 5  # times the best: so far behind are times, and no qualities


def _may_be_runs(results: Results) -> bool:
    """Return whether scores may be times or costs of runs, of which the failed ones are empty.

    They are large, or far apart, on most judges, or the more often missing.
    """
    told, missing = results.original[:, ~results.holes.all(axis=0)], results.holes.mean()
    few = missing <= OFTEN or len({*results.better}) > 1
    if few or not told.size or np.nanmin(told) < 0 or np.nanmax(told) <= USUAL_SCORE:
        return False
    largest, smallest = np.nanmax(told, axis=0), np.nanmin(told, axis=0)
    apart = np.median(largest / (smallest + 1)) > APART
    return bool(apart or np.median(largest) > USUAL_SCORE or missing > MOSTLY)


def rules_of_failed(results: Results) -> tuple[str, ...]:
    """Return the rules that score such runs: who solved, and of whole numbers what that costs."""
    known = results.scores[~results.holes]
    return ("solved", "ipc-sat") if (known == np.rint(known)).all() else ("solved",)


def as_solved_runs(as_runs: Mapping[str, object]) -> str:
    """Return the command that scores runs by a rule, where those of empty cells failed."""
    said = command_with(**as_runs)
    if as_runs["rule"] == "solved":
        return f"if an empty cell is a run that failed: {said}"
    return f"the same, where the numbers are costs of solutions: {said}"


def _mostly_empty(results: Results) -> bool:
    """Return whether most cells are empty where lower is better, as times of solved runs are."""
    return bool(results.lower.all() and 2 * int(results.holes.sum()) > results.holes.size)


# The score that a failure has instead, from those of its judge, and what is said about it.
_REPLACED, _TIED = "replaced by the", "and tied with it ('last-rank' is stricter)"
_FILLS: dict[str, tuple[Callable[[Floats], Any], str]] = {
    "worst": (np.min, f"{_REPLACED} worst score of their judge, {_TIED}"),
    "last-rank": (lambda _: -np.inf, "ranked behind everybody else"),
    "impute-median": (np.median, f"{_REPLACED} median score of their judge"),
}
_DROPS = {"drop-judges": "judge", "drop-candidates": "candidate"}


def _ways(nouns: Nouns, *policies: str) -> str:
    """Return a command for each policy."""
    words = {"judge": nouns.judge, "judges": nouns.judges()}
    ways = ((WAYS[each].format(**words), command_with(missing=each)) for each in policies)
    return "\n".join(f"{way}: {command}" for way, command in ways)


def _fill_holes(results: Results, fill: Callable[[Floats], Any], note: str) -> Results:
    results = _without_idle(results)
    if not results.has_holes:
        return results
    holes = results.holes
    scores = results.scores.copy()
    for j in np.flatnonzero(holes.any(axis=0)):  # one judge at a time: no second table in memory
        scores[holes[:, j], j] = fill(scores[~holes[:, j], j])
    told = Words(f"{_missing(holes)} {note}.", weight=min(_weight(holes), NARROW))
    return _with_note(results.changed(scores=scores), told)


def _missing(holes: Booleans) -> str:
    """Say how many scores are missing, of how many where they are many."""
    number, share = int(holes.sum()), float(holes.mean())
    of = f"{number:,} of {holes.size:,} scores ({round(100 * share)} %) are missing and"
    return of if share > MANY else counted(number, "missing score")


def _weight(gone: Booleans) -> float:
    """Return what it weighs that some of the data are gone: the most where half of them are."""
    share = min(1.0, 2 * float(gone.mean()))
    return float(LITTLE + (GONE - LITTLE) * share**0.5)


def _with_note(results: Results, sentence: str) -> Results:
    if sentence in results.notes:
        return results  # a table that is read again says it once
    return results.changed(notes=(*results.notes, sentence))


def _available(results: Results) -> Results:
    """Keep the holes, but nobody of whom nothing at all is known: no function could rank them."""
    silent = np.asarray(results.holes.all(axis=1))
    if silent.any():
        names = [results.candidates[i] for i in np.flatnonzero(silent).tolist()]
        many = results.nouns.candidates
        fact = f"{len(names):,} of {many(results.n)} without any score left out"
        told = Words(f"{fact}: {listed(names, most=5)}.", weight=_weight(silent))
        results = _with_note(results.of_candidates(~silent), told)
    results = _without_idle(results)
    if not results.has_holes:
        return results
    said = f"{_missing(results.holes)} left out case by case: who fails often may gain by that."
    return _with_note(results, Words(said, weight=_weight(results.holes)))


def _without_idle(results: Results) -> Results:
    """Leave out the judges on whom nobody has a score: they put nobody ahead."""
    idle = results.holes.all(axis=0)
    if not idle.any():
        return results
    fact = f"{idle.sum():,} of {results.nouns.judges(results.m)} without any score left out."
    return _with_note(results.of_judges(~idle), Words(fact, weight=LITTLE))


def _without(results: Results, kind: str) -> Results:
    kept = np.asarray(~results.holes.any(axis=0 if kind == "judge" else 1))
    if not kept.any():
        noun = results.nouns.judge if kind == "judge" else results.nouns.candidate
        fact = f"{results.source}: every {noun} has a missing score, so 'drop-{kind}s' leaves none."
        raise DataError(fact, hint=_ways(results.nouns, "worst", "available"))
    many = results.nouns.judges if kind == "judge" else results.nouns.candidates
    dropped = f"{int((~kept).sum()):,} of {many(len(kept))}"
    said = f"{dropped} dropped because of missing scores."
    told = Words(said, weight=_weight(~kept))
    left = results.of_judges(kept) if kind == "judge" else results.of_candidates(kept)
    return _with_note(left, told)
