"""Where candidates, judges and scores stand in a table: said, or guessed and reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deadheat.data.battle_columns import looks_like_battles
from deadheat.data.head import Head
from deadheat.data.options import ABOUT_JUDGES, OF_RUNS, Options
from deadheat.data.orientation import Wide, wide_layout
from deadheat.data.roles import matches
from deadheat.data.stream import Facts
from deadheat.data.wording import both, flag
from deadheat.errors import UsageError, listed, quoted

ROLES = ("candidate", "judge", "score")
PLURALS = {"status": "status of a run", "quality": "quality of a run", "time": "time of a run"}
FEW_OTHER_NUMBERS = 2
CHOICES = 4  # that a hint spells out
MOST_COLUMNS = 100  # of a table that could be long


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


def refuse_battles(head: Head, options: Options) -> None:
    """Refuse a battle log, which is no table of scores, unless it is said to be one."""
    said = (options.layout, options.candidates, options.candidate, options.judge, options.score)
    if head.named and not any(said) and looks_like_battles(head.columns):
        raise UsageError(
            f"{head.source} looks like a battle log ({listed(head.columns, most=CHOICES)}), not a "
            "table of scores.",
            hint="rate it: deadheat rate FILE, in Python deadheat.rate(...); or say "
            f"{both('layout', 'wide')} if it is a table.",
        )


def layout_of(head: Head, options: Options, filtered: Sequence[int]) -> Wide | Long:
    """Return the layout that was asked for, or the one the names of the columns suggest.

    ``filtered`` are the columns that ``where`` names; in a wide table they hold no scores.
    """
    for name in options.ignore:
        head.all_at(name)
    if _must_be_long(options):
        return _long(head, options, _roles(head, options, filtered), guessed=False)
    must_be_wide = options.layout == "wide" or options.candidates is not None or not head.named
    if must_be_wide or len(head.columns) > MOST_COLUMNS:
        return wide_layout(head, options, filtered, long=_as_long(head))
    roles = {role: columns_for(head, options, role, filtered) for role in ROLES}
    settled = {role: places[0] for role, places in roles.items() if len(places) == 1}
    guessed = len(settled) == len(ROLES) and _few_other_numbers(head, settled, options)
    if guessed and (options.judge is not None or not _judges_are_scores(head, settled)):
        return _long(head, options, settled, guessed=True)
    return wide_layout(head, options, filtered, long=_as_long(head))


def _must_be_long(options: Options) -> bool:
    both = options.candidate is not None and options.judge is not None
    repeats = options.repeat is not None or options.combine in {"mean", "judges"}
    return options.layout == "long" or options.score is not None or both or repeats


def columns_for(head: Head, options: Options, role: str, filtered: Sequence[int]) -> list[int]:
    """Return the columns that may play a role; those with another role cannot.

    A column that ``where`` names is thought of only where no other looks like it.
    """
    given = getattr(options, role)
    if given is not None:
        return [head.at(given)]
    others = [getattr(options, other) for other in (*ROLES, "repeat", *OF_RUNS, *ABOUT_JUDGES)]
    taken = {*filter(None, others), *options.ignore}
    free = [k for k, name in enumerate(head.columns) if name not in taken and k not in head.vacant]
    if role == "score":
        free = [k for k in free if head.is_numeric(k)] if len(free) <= MOST_COLUMNS else []
    looks = _matching(head, role, free)
    found = [k for k in looks if k not in filtered] or looks
    if role == "score" and not found and options.candidate and options.judge:
        return free
    return found


def _matching(head: Head, role: str, free: Sequence[int]) -> list[int]:
    return [free[k] for k in matches(role, [head.columns[k] for k in free])]


def _roles(head: Head, options: Options, filtered: Sequence[int]) -> dict[str, int]:
    roles = {}
    for role in ROLES:
        places = columns_for(head, options, role, filtered)
        if len(places) != 1:
            raise unsettled(head, role, places)
        roles[role] = places[0]
    _refuse_one_for_two(head, roles)
    return roles


def unsettled(head: Head, role: str, places: Sequence[int], *, lead: str = "") -> UsageError:
    """Return the error for a role that no column, or more than one, may play."""
    names = [head.columns[k] for k in places]
    which = f"It could be {listed(map(quoted, names))}" if places else "No name tells"
    choice = " or ".join(both(role, name) for name in names[:CHOICES]) or both(role, "COL")
    return UsageError(
        f"{head.source}{lead}: which column holds the {PLURALS.get(role, f'{role}s')}? {which}.",
        hint=f"say {choice}; there are {listed(head.columns)}.",
    )


def _refuse_one_for_two(head: Head, roles: dict[str, int]) -> None:
    for one, other in (("candidate", "judge"), ("candidate", "score"), ("judge", "score")):
        if roles[one] == roles[other]:
            raise UsageError(
                f"{head.source}: column {quoted(head.columns[roles[one]])} "
                f"cannot hold both the {one}s and the {other}s.",
                hint=f"name both: {both(one, 'COL')} and {both(other, 'COL')}.",
            )


def _few_other_numbers(head: Head, settled: dict[str, int], options: Options) -> bool:
    taken = {
        *settled.values(),
        *head.vacant,
        *(head.at(name) for name in options.about_judges.values()),
    }
    if len(set(settled.values())) < len(ROLES):
        return False
    others = [k for k in range(len(head.columns)) if k not in taken]
    if len(others) > MOST_COLUMNS:
        return False
    return sum(map(head.is_numeric, others)) <= FEW_OTHER_NUMBERS


def _judges_are_scores(head: Head, settled: dict[str, int]) -> bool:
    """Return whether what may be judges are fractions, and each candidate has but one row."""
    k = settled["judge"]
    fractions = head.is_numeric(k) and not head.holds_whole_numbers(k)
    several = len(set(head.cells(k))) > 1
    return fractions and several and not head.names_come_again(settled["candidate"])


def _long(head: Head, options: Options, roles: dict[str, int], *, guessed: bool) -> Long:
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    repeat = head.at(options.repeat) if options.repeat is not None else None
    used = {*roles.values(), *about.values(), *head.vacant, repeat}
    unused = tuple(name for k, name in enumerate(head.columns) if k not in used)
    said = ", ".join(f"{role} {quoted(head.columns[k])}" for role, k in roles.items())
    facts = [("layout", f"long{' (guessed)' if guessed else ''}: {said}")]
    if unused:
        facts.append(("columns not used", listed(unused)))
    return Long(**roles, repeat=repeat, about=about, facts=tuple(facts), unused=unused)


def _as_long(head: Head) -> str:
    """Return how to read the table as long, with the columns that could play each role.

    Where no name tells, a first column in which names come again may be that of a long table.
    """
    if len(head.columns) > MOST_COLUMNS:
        return ""
    found = {role: matches(role, head.columns) for role in ROLES}
    if sum(map(bool, found.values())) < 2:
        again = head.named and len(head.columns) >= len(ROLES) and head.names_come_again(0)
        return " ".join(flag(role, "COL") for role in ROLES) if again else ""
    columns = {role: head.columns[k[0]] if k else "COL" for role, k in found.items()}
    return " ".join(flag(role, column) for role, column in columns.items())
