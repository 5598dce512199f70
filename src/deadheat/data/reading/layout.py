"""Where candidates, judges and scores stand in a table: said, or guessed and reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from deadheat.core.errors import (
    DataError,
    UsageError,
    bare,
    listed,
    quoted,
    said_with,
    said_with_all,
    say,
)
from deadheat.data.reading.battle_columns import looks_like_battles
from deadheat.data.reading.column_names import (
    counts_rows,
    is_answer,
    is_label,
    is_unnamed,
    matches,
    names_rounds,
    names_rows,
    role_of,
    stands_beside,
)
from deadheat.data.reading.numbers import is_missing, is_uncertain, looks_numeric
from deadheat.data.reading.options import COLUMNS, Options
from deadheat.data.reading.preview import Head
from deadheat.data.reading.source import Facts, layout_facts
from deadheat.data.runs import meaning

# What the rows and the columns of a wide table are: said or proven, else asked for.

FEW = 3  # names that show what rows and columns are


@dataclass(frozen=True, kw_only=True)
class Wide:
    """One label column (or none), one column per candidate or judge.

    ``undecided`` asks what rows are, where nothing says it; it is raised once the first rows have
    shown that they hold scores at all.
    """

    label: int | None
    rows_are_judges: bool
    scores: tuple[int, ...]
    about: dict[str, int] = field(default_factory=dict)
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    long: str = ""
    undecided: UsageError | None = None


def wide_layout(head: Head, options: Options, *, long: str = "") -> Wide:
    """Return the layout of a wide table; ``long`` says how to read it as a long one, if at all."""
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    ignored = {k for name in options.ignore for k in head.all_at(name)}
    aside = {*about.values(), *ignored, *head.vacant}
    label = _label(head, options, aside)
    rest = [k for k in range(len(head.columns)) if k not in {*aside, *head.filtered, label}]
    index = None  # the column of the row numbers that pandas wrote, where another names the rows
    if head.named and label is not None:
        said = options.candidate is not None or options.judge is not None
        before = (k for k in rest if said or k < label)
        index = next((k for k in before if _is_written_index(head, k)), None)
    scores = tuple(k for k in rest if k != index)
    if not scores:
        raise DataError(
            f"{head.source} has no column of scores beside {listed(head.columns)}.",
            hint="was the right delimiter, sheet or layout chosen?",
        )
    proven = _rows_are_judges(head, options, label, scores)
    if about and not proven:
        name, k = next(iter(about.items()))
        raise UsageError(
            f"{head.source}: column {quoted(head.columns[k])} can give each judge its {name} "
            "only where rows are judges.",
            hint=f"{say('candidates', 'columns')} where they are; else list the judges in a "
            "sidecar file.",
        )
    _refuse_rounds(head, label, scores, asked=proven is None)
    place = "" if index is None else f"column {index + 1:,} (0, 1, 2, ...)"
    rows, columns = ("judges", "candidates") if proven else ("candidates", "judges")
    names = "without names"
    if label is not None:
        where = f"column {quoted(head.columns[label])}" if head.named else "the first column"
        names = f"named in {where}"
    told = f"rows are {rows} ({names}), columns are {columns}"
    return Wide(
        label=label,
        rows_are_judges=bool(proven),
        scores=scores,
        about=about,
        facts=layout_facts("wide", told, options.ignore),
        notes=(f"{place} is the index that pandas wrote; it is left out.",) if place else (),
        long=long,
        undecided=_undecided(head, label, scores) if proven is None else None,
    )


def _label(head: Head, options: Options, aside: set[int]) -> int | None:
    given = options.judge if options.judge is not None else options.candidate
    if given is not None:
        return head.at(given)
    first = _first(head, aside)
    free = [k for k in range(len(head.columns)) if k not in {*aside, *head.filtered}]
    if first is not None and head.named and _only_counts(head, first):
        named = [k for k in free if k > first and role_of(head.columns[k]) == "candidate"]
        if len(named) == 1 and not head.is_numeric(named[0]):
            return named[0]
    label = first if first is not None and _is_label_column(head, first) else None
    if label is not None and not (head.named and _is_written_index(head, label)):
        if not _rounds(head, [label]) or not head.names_come_again(label):
            return label
        # Rounds that come again do not name the rows: a column of names beside them does.
        names = [k for k in free if k != label and not head.is_numeric(k)]
        known = (k for k in names if role_of(head.columns[k]))
        return next(known, names[0] if names else label)
    numbered = _rounds(head, free) if options.candidates != "rows" else []
    alone = len(numbered) == 1 and len(free) > 1 and not head.names_come_again(numbered[0])
    return numbered[0] if alone else label


def _rounds(head: Head, columns: Sequence[int]) -> list[int]:
    if not head.named:
        return []
    called = (k for k in columns if names_rounds(head.columns[k], head.columns))
    return [k for k in called if head.holds_whole_numbers(k) or not head.is_numeric(k)]


def _is_written_index(head: Head, k: int) -> bool:
    return is_unnamed(head.columns[k]) and head.counts_from(k) == 0


def _only_counts(head: Head, k: int) -> bool:
    """Return whether a column is a rank or the index that pandas wrote, and names no rows."""
    name = head.columns[k]
    if is_unnamed(name):
        return _is_written_index(head, k)
    return stands_beside(name) and not role_of(name) and head.is_numeric(k)


def _rows_are_judges(
    head: Head, options: Options, label: int | None, scores: Sequence[int]
) -> bool | None:
    """Return what rows are where it is said or proven, None where it is not.

    Options prove it, the word over the rows or, in a frame, over the columns, and judges that are
    called by their names. A single column of scores is a judge: one candidate could not be ranked.
    """
    if options.candidates is not None:
        return options.candidates == "columns"
    if options.judge is not None or options.candidate is not None:
        return options.judge is not None
    role = role_of(head.columns[label]) if label is not None and head.named else ""
    if role:
        return role == "judge"
    across = role_of(head.across)
    if across:
        return across == "candidate"
    if options.about_judges:
        return True
    if not options.judges_named.isdisjoint(head.columns[k] for k in scores):
        return False
    if label is None:
        return None
    labels = map(head.name, head.first.text(label) if head.first is not None else [])
    if not options.judges_named.isdisjoint(labels):
        return True
    return False if len(scores) == 1 else None


def _undecided(head: Head, label: int | None, scores: Sequence[int]) -> UsageError:
    down = [head.name(cell) for cell in head.cells(label)] if label is not None else []
    across = [head.columns[k] for k in scores] if head.named else []
    rows, columns = (
        f" ({', '.join(map(bare, names[:FEW]))}{', ...' * (len(names) > FEW)})" if names else ""
        for names in (down, across)
    )
    told = head.columns[label].strip() if label is not None and head.named else ""
    why = f"The header {quoted(told)} does not say it" if told else "No header says it"
    return UsageError(
        f"{head.source}: are the candidates in the rows{rows} or in the columns{columns}? {why}.",
        hint=f"in the rows: {said_with('candidates', 'rows')}\n"
        f"in the columns: {said_with('candidates', 'columns')}",
    )


def _refuse_rounds(head: Head, label: int | None, scores: Sequence[int], *, asked: bool) -> None:
    """Refuse to take the numbers of rounds, folds or seeds for scores."""
    rounds = [k for k in _rounds(head, scores) if head.is_numeric(k)]
    if not rounds:
        return
    name = head.columns[rounds[0]]
    fact = f"{head.source}: column {quoted(name)} numbers rounds, which are no scores"
    if len(rounds) == len(scores):
        raise UsageError(
            f"{fact}, and no other column holds any.",
            hint=f"add a column of scores; if {quoted(name)} holds them, rename it in the file.",
        )
    places = [] if not asked else ["columns"] if label is None else ["rows", "columns"]
    if label is not None and head.names_come_again(label):
        value = head.name(head.cells(rounds[0])[0])
        ways = _ways("keep one of them", {"where": [f"{name}={value}"]}, places)
        row, others = head.columns[label], [head.columns[k] for k in scores if k != rounds[0]]
        if len(others) == 1 and role_of(row) == "candidate":
            way = said_with_all({"candidate": row, "judge": name, "score": others[0]})
            ways.append(f"or, as they are the judges: {way}")
        else:
            both = f"columns {quoted(row)} and {quoted(name)}"
            ways.append(f"or put {both} together in the file, into one that names every row.")
    else:
        left_out = [head.columns[k] for k in rounds]
        ways = _ways(f"leave {'them' if left_out[1:] else 'it'} out", {"ignore": left_out}, places)
        ways.append(f"or, if {quoted(name)} holds scores, rename it in the file.")
    raise UsageError(f"{fact}.", hint="\n".join(ways))


def _ways(way: str, said: dict[str, list[str]], places: Sequence[str]) -> list[str]:
    return [
        f"{way}, candidates in the {place}: {said_with_all(said | {'candidates': [place]})}"
        for place in places
    ] or [f"{way}: {said_with_all(said)}"]


def _first(head: Head, aside: set[int]) -> int | None:
    """Return the column that may name the rows; one that ``where`` names only by its name."""
    free = [k for k in range(len(head.columns)) if k not in aside]
    first = next((k for k in free if k not in head.filtered), None)
    if not head.named or not free or free[0] == first or not names_rows(head.columns[free[0]]):
        return first
    if first is not None and _rounds(head, [free[0]]) and not head.is_numeric(first):
        return first
    another = first is not None and names_rows(head.columns[first])
    return first if another and role_of(head.columns[free[0]]) != "candidate" else free[0]


def _is_label_column(head: Head, k: int) -> bool:
    if head.named and is_label(head.columns[k]):
        return True
    if head.named and counts_rows(head.columns[k]) and head.counts_from(k) is not None:
        return True
    return not all(
        looks_numeric(cell) or is_missing(cell) or is_uncertain(cell) for cell in head.cells(k)
    )


# ------------------------------------------------------------------------------
# Wide, long, or neither: which layout a table has.

ROLES = ("candidate", "judge", "score")
NUMERIC = ("time", "quality", "cutoff")
PLURALS = {"status": "status of a run", "quality": "quality of a run", "time": "time of a run"}
FEW_OTHER_NUMBERS = 2
CHOICES = 4  # that a hint spells out
MOST_COLUMNS = 100  # of a table that could be long


@dataclass(frozen=True, kw_only=True)
class Long:
    candidate: int
    judge: int
    score: int
    repeat: int | None = None
    about: dict[str, int] = field(default_factory=dict)
    facts: Facts = ()
    unused: tuple[str, ...] = ()


def refuse_battles(head: Head, options: Options) -> None:
    said = (options.layout, options.candidates, options.candidate, options.judge, options.score)
    if head.named and not any(said) and looks_like_battles(head.columns):
        raise UsageError(
            f"{head.source} looks like a battle log ({listed(head.columns, most=CHOICES)}), not a "
            "table of scores.",
            hint="rate it: deadheat rate FILE, in Python deadheat.rate(...); or say "
            f"{say('layout', 'wide')} if it is a table.",
        )


def layout_of(head: Head, options: Options) -> Wide | Long:
    """Return the layout that was asked for, or the one the names of the columns suggest."""
    for name in options.ignore:
        head.all_at(name)
    both = options.candidate is not None and options.judge is not None
    repeats = options.repeat is not None or options.combine in {"mean", "judges"}
    if options.layout == "long" or options.score is not None or both or repeats:
        roles = settled_columns(head, options, ROLES)
        for one, other in combinations(ROLES, 2):
            if roles[one] == roles[other]:
                raise UsageError(
                    f"{head.source}: column {quoted(head.columns[roles[one]])} "
                    f"cannot hold both the {one}s and the {other}s.",
                    hint=f"name both: {say(one, 'COL')} and {say(other, 'COL')}.",
                )
        return _long(head, options, roles, guessed=False)
    must_be_wide = options.layout == "wide" or options.candidates is not None or not head.named
    if not must_be_wide and len(head.columns) <= MOST_COLUMNS:
        possible = {role: columns_for(head, options, role) for role in ROLES}
        settled = {role: places[0] for role, places in possible.items() if len(places) == 1}
        if _seems_long(head, settled, options):
            return _long(head, options, settled, guessed=True)
    return wide_layout(head, options, long=_as_long(head))


def columns_for(head: Head, options: Options, role: str) -> list[int]:
    """Return the columns that may play a role; those with another role cannot.

    A column that ``where`` names is thought of only where no other looks like a candidate, judge
    or score, and as nothing else.
    """
    given = getattr(options, role)
    if given is not None:
        return [head.at(str(given))]
    reference = options.reference if isinstance(options.reference, str) else None
    taken = {*(getattr(options, other) for other in COLUMNS), reference, *options.ignore}
    free = [k for k, name in enumerate(head.columns) if name not in taken and k not in head.vacant]
    if role == "score":
        free = [k for k in free if head.is_numeric(k)] if len(free) <= MOST_COLUMNS else []
    elif role not in ROLES:
        free = [k for k in free if k not in head.filtered]
    looks = [free[k] for k in matches(role, [head.columns[k] for k in free])]
    if role in NUMERIC:
        return [k for k in looks if head.is_numeric(k)]
    if role == "status":
        return [k for k in looks if _holds_statuses(head, k)]
    found = [k for k in looks if k not in head.filtered] or looks
    if role == "score" and not found and options.candidate and options.judge:
        return free
    return found


def _holds_statuses(head: Head, k: int) -> bool:
    """Return whether a column of such a name holds words, and those of answers known statuses."""
    if head.is_numeric(k):
        return False
    known = [bool(meaning(cell or "")) for cell in head.cells(k)]
    return not is_answer(head.columns[k]) or 2 * sum(known) > len(known)


def settled_columns(head: Head, options: Options, roles: Iterable[str]) -> dict[str, int]:
    found = {}
    for role in roles:
        places = columns_for(head, options, role)
        if len(places) != 1:
            raise unsettled(head, role, places)
        found[role] = places[0]
    return found


def unsettled(head: Head, role: str, places: Sequence[int], *, lead: str = "") -> UsageError:
    names = [head.columns[k] for k in places]
    which = f"It could be {listed(map(quoted, names))}" if places else "No name tells"
    choice = " or ".join(say(role, name) for name in names[:CHOICES]) or say(role, "COL")
    return UsageError(
        f"{head.source}{lead}: which column holds the {PLURALS.get(role, f'{role}s')}? {which}.",
        hint=f"say {choice}; there are {listed(head.columns)}.",
    )


def _seems_long(head: Head, settled: dict[str, int], options: Options) -> bool:
    """Return whether each role has a column of its own, beside which few hold numbers.

    Judges that are fractions, with one row for each candidate, are scores of a wide table.
    """
    if len(set(settled.values())) < len(ROLES):
        return False
    about = (head.at(name) for name in options.about_judges.values())
    taken = {*settled.values(), *head.vacant, *about}
    others = (k for k in range(len(head.columns)) if k not in taken)
    if sum(map(head.is_numeric, others)) > FEW_OTHER_NUMBERS:
        return False
    k = settled["judge"]
    fractions = head.is_numeric(k) and not head.holds_whole_numbers(k)
    single = len(set(head.cells(k))) > 1 and not head.names_come_again(settled["candidate"])
    return options.judge is not None or not (fractions and single)


def _long(head: Head, options: Options, roles: dict[str, int], *, guessed: bool) -> Long:
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    repeat = head.at(options.repeat) if options.repeat is not None else None
    used = {*roles.values(), *about.values(), *head.vacant, repeat}
    unused = tuple(name for k, name in enumerate(head.columns) if k not in used)
    said = ", ".join(f"{role} {quoted(head.columns[k])}" for role, k in roles.items())
    facts = layout_facts("long", said, unused, guessed=guessed)
    return Long(**roles, repeat=repeat, about=about, facts=facts, unused=unused)


def _as_long(head: Head) -> str:
    """Return how to read the table as long, with the columns that could play each role."""
    if len(head.columns) > MOST_COLUMNS:
        return ""
    found = {role: matches(role, head.columns) for role in ROLES}
    if sum(map(bool, found.values())) < 2:
        again = head.named and len(head.columns) >= len(ROLES) and head.names_come_again(0)
        if not again:
            return ""
        found = {}
    columns = {role: head.columns[found[role][0]] if found.get(role) else "COL" for role in ROLES}
    return said_with_all(columns)
