"""Which columns of a table of runs hold what: said, or guessed by their names and reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deadheat.data.head import Head
from deadheat.data.layout import MOST_COLUMNS, columns_for, unsettled
from deadheat.data.options import ABOUT_JUDGES, COLUMNS, Options
from deadheat.data.roles import is_answer, matches
from deadheat.data.rule import ScoringRule
from deadheat.data.status import meaning
from deadheat.data.stream import Facts
from deadheat.data.wording import flag
from deadheat.errors import UsageError, listed, quoted

NUMERIC = ("time", "quality", "cutoff")


@dataclass(frozen=True, kw_only=True)
class RunColumns:
    """The columns of a table of runs, and one cutoff for all where a number was said."""

    candidate: int
    judge: int
    columns: dict[str, int]
    cutoff: float | None = None
    repeat_said: bool = False
    facts: Facts = ()
    about: dict[str, int] = field(default_factory=dict)


def is_runs(head: Head, options: Options, filtered: Sequence[int]) -> bool:
    """Return whether a table holds runs: said, or it has a status and a time and no score.

    Ask where two columns may be the status, unless the direction of one column of scores is known.
    """
    if options.about_runs:
        return True
    said = options.layout or options.candidates or options.score
    if said or not head.named or len(head.columns) > MOST_COLUMNS:
        return False
    if any(len(_places(head, options, role, filtered)) != 1 for role in ("candidate", "judge")):
        return False
    status, time = (_places(head, options, role, filtered) for role in ("status", "time"))
    if not status or not time:
        return False
    if len(status) > 1:
        scores = columns_for(head, options, "score", filtered)
        if options.better is not None and len(scores) == 1:
            return False
        raise unsettled(head, "status", status, lead=" looks like runs")
    return True


def run_columns(
    head: Head, options: Options, filtered: Sequence[int], rule: ScoringRule
) -> RunColumns:
    """Return where everything stands; only what the rule needs must be there."""
    found = {}
    for role in ("candidate", "judge"):
        places = _places(head, options, role, filtered)
        if len(places) != 1:
            raise unsettled(head, role, places)
        found[role] = places[0]
    limit = _limit(options)
    roles = ["status", "time", "quality", "verified", "repeat"]
    roles += ["cutoff"] if limit is None else []
    columns: dict[str, int] = {}
    for role in roles:
        places = [k for k in _places(head, options, role, filtered) if k not in found.values()]
        if len(places) == 1:
            columns[role] = places[0]
        elif _must_be_settled(role, places, rule, limited=_limited(head, options, filtered)):
            raise unsettled(head, role, places)
    if (reference := _reference(options)) in head.columns:
        columns["reference"] = head.at(reference)
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    return RunColumns(
        **found,
        columns=columns,
        cutoff=limit,
        repeat_said=options.repeat is not None,
        facts=_facts(head, options, found | columns, about, guessed=not options.about_runs),
        about=about,
    )


def _must_be_settled(role: str, places: Sequence[int], rule: ScoringRule, *, limited: bool) -> bool:
    if role == "status":
        return bool(places) and rule.unsolved
    if role == "time" and limited and places:
        return True  # which of them must not be above the cutoff?
    return role in rule.needs and (bool(places) or role in {"time", "quality"})


def _limited(head: Head, options: Options, filtered: Sequence[int]) -> bool:
    return options.cutoff is not None or bool(_places(head, options, "cutoff", filtered))


def _places(head: Head, options: Options, role: str, filtered: Sequence[int]) -> list[int]:
    if role in {"candidate", "judge"}:
        return columns_for(head, options, role, filtered)
    given = getattr(options, role)
    if given is not None:
        return [head.at(str(given))]
    taken = {*(getattr(options, name) for name in COLUMNS), _reference(options), *options.ignore}
    free = [
        k
        for k, name in enumerate(head.columns)
        if name not in taken and k not in head.vacant and k not in filtered
    ]
    places = [free[k] for k in matches(role, [head.columns[k] for k in free])]
    if role in NUMERIC:
        return [k for k in places if head.is_numeric(k)]
    return [k for k in places if _holds_statuses(head, k)] if role == "status" else places


def _holds_statuses(head: Head, k: int) -> bool:
    """Return whether a column of such a name holds words, and those of answers known statuses."""
    if head.is_numeric(k):
        return False
    known = [bool(meaning(cell or "")) for cell in head.cells(k)]
    return not is_answer(head.columns[k]) or 2 * sum(known) > len(known)


def _reference(options: Options) -> str:
    return options.reference if isinstance(options.reference, str) else ""


def _limit(options: Options) -> float | None:
    """Return the cutoff that was said as a number, if it was."""
    if options.cutoff is None:
        return None
    try:
        limit = float(options.cutoff)
    except (TypeError, ValueError):
        return None
    except OverflowError:
        limit = float("inf")
    if not 0 < limit < float("inf"):
        raise UsageError(
            f"the cutoff must be a number of seconds above 0, got {options.cutoff}.",
            hint="for instance cutoff=5000 (--cutoff 5000), or the name of a column.",
        )
    return limit


def _facts(
    head: Head, options: Options, used: dict[str, int], about: dict[str, int], *, guessed: bool
) -> Facts:
    said = ", ".join(f"{role} {quoted(head.columns[k])}" for role, k in used.items())
    facts = [("layout", f"runs{' (guessed)' if guessed else ''}: {said}")]
    taken = {*used.values(), *about.values(), *head.vacant}
    unused = [name for k, name in enumerate(head.columns) if k not in taken]
    if unused:
        facts.append(("columns not used", listed(unused)))
    families = [unused[k] for k in matches("stratum", unused)]
    if families and not any(getattr(options, name) for name in ABOUT_JUDGES):
        told = f"{quoted(families[0])} could be the stratum: {flag('stratum', families[0])}"
        facts.append(("strata", told))
    return tuple(facts)
