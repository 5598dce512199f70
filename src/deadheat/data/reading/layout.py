"""Where candidates, judges and scores stand in a table: said, or guessed and reported."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from deadheat.core.errors import (
    DataError,
    NoScoresError,
    UsageError,
    ask,
    bare,
    command_with,
    few,
    listed,
    quoted,
    say,
)
from deadheat.core.options import PLACES
from deadheat.data.formats.orders import holds_orders, is_place, named_columns
from deadheat.data.reading import column_names as words
from deadheat.data.reading.battle_columns import (
    holds_battles,
    holds_numbers,
    pair_of,
    roles_of,
    sides_of,
)
from deadheat.data.reading.numbers import is_missing, is_uncertain, looks_numeric
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Head
from deadheat.data.reading.repeats import is_repetition, rounds_in, ways_to_keep
from deadheat.data.reading.source import Facts, layout_facts
from deadheat.data.reading.uncertainty import ErrorColumns
from deadheat.data.runs import meaning

# What the rows and the columns of a wide table are: said or proven, else asked for.

MANY_TIMES = 3  # as many rows as columns: the rows are rather instances than solvers
FEW = 3  # names that show what rows and columns are
MOST_SHOWN = 5  # columns of a file without scores


@dataclass(frozen=True, kw_only=True)
class Wide:
    """One label column (or none), one column per candidate or judge.

    ``undecided`` asks what rows are, once the first of them have shown that they hold scores.
    """

    label: int | None
    rows_are_judges: bool
    names: dict[str, str]  # what tells how candidates and judges are called
    scores: tuple[int, ...]
    errors: ErrorColumns | None = None  # of the only column of scores
    about: dict[str, int] = field(default_factory=dict)
    combine: str = "error"  # what rows of one name become
    repeat: int | None = None  # the column that tells such rows apart
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    long: dict[str, object] = field(default_factory=dict)  # how to read it as long
    runs: dict[str, object] = field(default_factory=dict)  # how to read it as runs
    undecided: UsageError | None = None


def wide_layout(head: Head, options: Options, *, long: dict[str, object] | None = None) -> Wide:
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    ignored = [k for name in options.ignore for k in head.all_at(name)]
    repeat = None if options.repeat is None else head.at(options.repeat)
    errors = ErrorColumns.of(head, options.standard_error) if options.standard_error else None
    aside = {*about.values(), *ignored, *head.vacant, *_parts(head, options)}
    aside |= {*(() if repeat is None else (repeat,)), *(errors.places if errors else ())}
    label = _label(head, options, aside)
    rest = [
        k for k in range(len(head.columns)) if k not in {*aside, *head.condition_columns, label}
    ]
    index = None  # the column of the row numbers that pandas wrote, where another names the rows
    if head.named and label is not None:
        said = options.candidate is not None or options.judge is not None
        before = (k for k in rest if said or k < label)
        index = next((k for k in before if _is_written_index(head, k)), None)
    scores = tuple(k for k in rest if k != index)
    if options.score is not None:
        scores = (head.at(options.score),)
    if not scores:
        raise _no_scores_error(head, options)
    proven = _rows_are_judges(head, options, label, scores)
    if errors and proven:
        fact = f"{say('standard_error')} is about candidates in rows, and here rows are judges."
        turned = command_with(**options.without(["judge"]), candidates="rows")
        hint = f"if rows are candidates: {turned}\nif not: {command_with(standard_error=None)}"
        raise UsageError(f"{head.source}: {fact}", hint=hint)
    if about and not proven:
        name, k = next(iter(about.items()))
        fact = f"column {quoted(head.columns[k])} can give each judge its {name}"
        turned = command_with(**options.without(["candidate"]), candidates="columns")
        hint = f"if rows are judges: {turned}\nwithout the {name}: {command_with(**{name: None})}"
        raise UsageError(f"{head.source}: {fact} only where rows are judges.", hint=hint)
    combine = options.combine or "error"
    if combine == "error":
        _refuse_rounds(head, options, label, scores, rows_are_judges=proven)
    else:
        rounds = rounds_in(head, scores)
        scores = tuple(k for k in scores if k not in rounds)
        if repeat is None and len(rounds) == 1:
            repeat = rounds[0]
        if label is None:
            raise _no_names_error(head, options, scores)
    of_rows, of_columns = ("judge", "candidate") if proven else ("candidate", "judge")
    names = {of_columns: words.common_word([head.columns[k] for k in scores])}
    names |= {} if label is None else {of_rows: head.columns[label]}
    nouns = options.nouns(**names)
    rows, columns = nouns.candidates(), nouns.judges()
    rows, columns = (columns, rows) if proven else (rows, columns)
    where = f"column {quoted(head.columns[label or 0])}" if head.named else "the first column"
    named = "without names" if label is None else f"named in {where}"
    left_out = "(0, 1, 2, ...) is the index that pandas wrote; it is left out."
    fact = f"rows are {rows} ({named}), columns are {columns}"
    return Wide(
        label=label,
        rows_are_judges=bool(proven),
        names=names,
        scores=scores,
        errors=errors,
        about=about,
        combine=combine,
        repeat=repeat,
        facts=layout_facts("wide", fact, options.ignore),
        notes=() if index is None else (f"column {index + 1:,} {left_out}",),
        long=long or {},
        runs=_as_runs(options) | ({"candidates": "columns"} if proven is None else {}),
        undecided=_unclear_layout_error(head, label, scores) if proven is None else None,
    )


def _parts(head: Head, options: Options) -> list[int]:
    """Return the columns that name something only together with others."""
    return [k for names in options.together.values() for name in names for k in head.all_at(name)]


def _no_scores_error(head: Head, options: Options) -> NoScoresError:
    """Return what a file holds instead of scores, and how to see those that options hide."""
    hidden = {"ignore": [k for name in options.ignore for k in head.all_at(name)]}
    hidden["where"] = head.condition_columns
    said = [name for name in WITHOUT if name in options.values]
    hiding = [
        name for name in said if name not in hidden or any(map(head.is_numeric, hidden[name]))
    ]
    shown = (f"{quoted(name)} ({_some_cells(head, k)})" for k, name in enumerate(head.columns))
    fact = f"{head.source} holds no scores, only {few([*shown], MOST_SHOWN)}."
    texts = (f"{WITHOUT[name]}: {command_with(**{name: None})}" for name in hiding)
    hint = "\n".join(texts) or "a table has a column of names and one of scores or more."
    return NoScoresError(fact, hint=hint)


def _some_cells(head: Head, k: int) -> str:
    cells = dict.fromkeys(bare(cell) for cell in head.cells(k) if not is_missing(cell))
    return f"{few([*cells][:FEW], FEW)}{', ...' * (len(cells) > FEW)}" if cells else "empty"


def _label(head: Head, options: Options, aside: set[int]) -> int | None:
    given = options.judge if options.judge is not None else options.candidate
    if given is not None:
        return head.at(given)
    first = _first(head, aside)
    free = [k for k in range(len(head.columns)) if k not in {*aside, *head.condition_columns}]
    if first is not None and head.named and _only_counts(head, first):
        named = [k for k in free if k > first and words.role_of(head.columns[k]) == "candidate"]
        if len(named) == 1 and not head.is_numeric(named[0]):
            return named[0]
    label = first if first is not None and _names_its_rows(head, first) else None
    if label is not None and not (head.named and _is_written_index(head, label)):
        if not head.named or not head.names_come_again(label):
            return label
        # What comes again does not name the rows: a column of names beside it does.
        names = [k for k in free if k != label and not head.is_numeric(k)]
        if not rounds_in(head, [label]):
            names = [k for k in names if len({*head.texts(k)}) == len(head.texts(k))]
        return next((k for k in names if words.role_of(head.columns[k])), (*names, label)[0])
    numbered = rounds_in(head, free) if options.candidates != "rows" else []
    alone = len(numbered) == 1 and len(free) > 1 and not head.names_come_again(numbered[0])
    return numbered[0] if alone else label


def _first(head: Head, aside: set[int]) -> int | None:
    """Return the column that may name the rows; one that ``where`` names only by its name."""
    free = [k for k in range(len(head.columns)) if k not in aside]
    first = next((k for k in free if k not in head.condition_columns), None)
    if not head.named or not free or free[0] == first:
        return first
    if not words.names_rows(head.columns[free[0]]):
        return first
    if first is not None and rounds_in(head, [free[0]]) and not head.is_numeric(first):
        return first
    another = first is not None and words.names_rows(head.columns[first])
    return first if another and words.role_of(head.columns[free[0]]) != "candidate" else free[0]


def _is_written_index(head: Head, k: int) -> bool:
    name = head.columns[k]
    counts = head.counts_from(k) if words.is_unnamed(name) else None
    return counts == 0 or (counts == 1 and name.strip() == "#")


def _only_counts(head: Head, k: int) -> bool:
    """Return whether a column is a rank or counts the rows, and names none."""
    name = head.columns[k]
    if words.is_unnamed(name):
        return head.counts_from(k) is not None
    return words.stands_beside(name) and not words.role_of(name) and head.is_numeric(k)


def _names_its_rows(head: Head, k: int) -> bool:
    name = head.columns[k]
    if head.named and (
        words.is_label(name)
        or (words.is_called(name, "counted") and head.counts_from(k) is not None)
    ):
        return True
    return any(
        not (looks_numeric(cell) or is_missing(cell) or is_uncertain(cell))
        for cell in head.cells(k)
    )


def _rows_are_judges(
    head: Head, options: Options, label: int | None, scores: Sequence[int]
) -> bool | None:
    """Return what rows are where it is said or proven, None where it is not.

    Options prove it, the word over the rows or, in a frame, over the columns, and judges that are
    called by their names. A single column of scores is a judge, and so is one that has errors: one
    candidate could not be ranked.
    """
    if options.candidates is not None:
        return options.candidates == "columns"
    if options.judge is not None or options.candidate is not None:
        return options.judge is not None
    if options.standard_error:
        return False
    role = words.role_of(head.columns[label]) if label is not None and head.named else ""
    across = words.role_of(head.across)
    if role or across:
        return role == "judge" if role else across == "candidate"
    if options.about_judges:
        return True
    if not options.named_judges.isdisjoint(head.columns[k] for k in scores):
        return False
    if label is None:
        return None
    labels = map(head.name, head.first.text(label) if head.first is not None else [])
    if not options.named_judges.isdisjoint(labels):
        return True
    return False if len(scores) == 1 else None


def _unclear_layout_error(head: Head, label: int | None, scores: Sequence[int]) -> UsageError:
    down = [head.name(cell) for cell in head.cells(label)] if label is not None else []
    across = [head.columns[k] for k in scores] if head.named else []
    rows, columns = (
        f" ({', '.join(map(bare, names[:FEW]))}{', ...' * (len(names) > FEW)})" if names else ""
        for names in (down, across)
    )
    header = head.columns[label].strip() if label is not None and head.named else ""
    why = f"The header {quoted(header)} does not say it" if header else "No header says it"
    fact = f"{head.source}: are the candidates in the rows{rows} or in the columns{columns}? {why}."
    hint = "\n".join(f"in the {p}: {command_with(candidates=p)}" for p in ("rows", "columns"))
    likely = "columns" if _many(head, label, scores) else "rows"
    return UsageError(fact, hint=hint, remedy={"candidates": likely})


def _many(head: Head, label: int | None, scores: Sequence[int]) -> bool:
    return len(head.texts(label or 0)) > MANY_TIMES * len(scores)


def _refuse_rounds(
    head: Head,
    options: Options,
    label: int | None,
    scores: Sequence[int],
    *,
    rows_are_judges: bool | None,
) -> None:
    said = {k for name in options.keep for k in head.all_at(name)}
    rounds = [k for k in rounds_in(head, scores) if head.is_numeric(k) and k not in said]
    if not rounds:
        return
    names = [head.columns[k] for k in rounds]
    name, others = names[0], [head.columns[k] for k in scores if k != rounds[0]]
    fact = f"{head.source}: column {quoted(name)} numbers rounds, which are no scores"
    if len(rounds) == len(scores):
        hint = f"if {quoted(name)} holds scores: {command_with(keep=names)}"
        raise UsageError(f"{fact}, and no other column holds any.", hint=hint)
    if label is None or head.names_come_again(label):
        lines, remedy = ways_to_keep(head, options, label, rows_are_judges=rows_are_judges)
        if lines:
            row = head.columns[label] if label is not None else ""
            if len(others) == 1 and words.role_of(row) == "candidate":
                long = {"layout": "long", "candidate": row, "judge": name, "score": others[0]}
                lines = [*lines, f"if they are the judges: {command_with(**long)}"]
            raise UsageError(f"{fact}.", hint="\n".join(lines), remedy=remedy)
    way, ignore = f"leave {'them' if names[1:] else 'it'} out", {"ignore": names}
    last = f"if {'they hold' if names[1:] else 'it holds'} scores: {command_with(keep=names)}"
    likely = "columns" if label is None or _many(head, label, scores) else "rows"
    places = [likely] if label is None else sorted(("rows", "columns"), key=likely.__eq__)
    undecided = rows_are_judges is None
    remedy = {**ignore, "candidates": likely} if undecided else ignore
    ways = [
        f"{way}, candidates in the {place}: {command_with(**ignore, candidates=place)}"
        for place in (places if undecided else [])
    ] or [f"{way}: {command_with(**ignore)}"]
    raise UsageError(f"{fact}.", hint="\n".join((*ways, last)), remedy=remedy)


def _no_names_error(head: Head, options: Options, scores: Sequence[int]) -> UsageError:
    fact = f"{head.source}: no column names the rows, so that none of them comes again."
    again = [
        k for k in (*scores, *rounds_in(head, range(len(head.columns)))) if not head.apart([k])
    ]
    whole = [k for k in dict.fromkeys(again) if head.holds_whole_numbers(k)]
    whole = [k for k in whole if not is_repetition(head.columns[k])] or whole
    names = [head.columns[k] for k in whole[:CHOICES]]
    ways = [f"{quoted(name)} names them: {command_with(judge=name)}" for name in names]
    without = command_with(**options.without(["combine", "repeat"]))
    return UsageError(fact, hint="\n".join((*ways, f"without it: {without}")))


# ------------------------------------------------------------------------------
# Wide, long, or neither: which layout a table has.

ROLES = ("candidate", "judge", "score")
NUMERIC = ("time", "quality", "cutoff")
OF_A_RUN = ("status", "quality", "time")
FEW_OTHER_NUMBERS = 2
LEAST_SCORES = 2  # columns of numbers that make a table wide, where its rows are said to come again
CHOICES = 4  # that a hint spells out
MOST_COLUMNS = 100  # of a table that could be long


@dataclass(frozen=True, kw_only=True)
class Long:
    names: dict[str, int]  # of the candidate, the judge and perhaps the repeat
    score: int
    errors: ErrorColumns | None = None  # of the score
    about: dict[str, int] = field(default_factory=dict)
    facts: Facts = ()
    unused: tuple[str, ...] = ()
    runs: dict[str, object] = field(default_factory=dict)  # how to read it as runs


WITHOUT = {  # what could hide the scores
    "delimiter": "with the delimiter guessed",
    "ignore": "with the columns that are left out",
    "sheet": "from the first sheet",
    "where": "with all rows",
}
OF_LOGS_TOO = ("where", "delimiter", "header", "encoding", "sheet")


def _refuse_points(head: Head, cells: Mapping[str, list[str]]) -> None:
    """Refuse matches of which only the points of both sides are told, as home_goals, away_goals."""
    for left, right in sides_of([*cells])[:1]:
        others = [name for name in cells if name not in {left, right}]
        pair = next(filter(None, (pair_of(name, others) for name in others)), None)
        if pair and not any(holds_numbers(cells[name]) for name in (left, right)):
            log = f"matches of {quoted(left)} and {quoted(right)}"
            fact = f"{head.source} looks like {log}, and no column says who won."
            told = {"left_score": pair[0], "right_score": pair[1]}
            rate = ask("rate", "FILE", left=left, right=right, **told)
            way = f"if the higher of {' and '.join(map(quoted, pair))} wins: {rate}"
            raise UsageError(fact, hint=way)


def refuse_battles(head: Head, options: Options) -> None:
    said = (options.layout, options.candidates, options.candidate, options.judge, options.score)
    small = head.named and not any(said) and len(head.columns) <= MOST_COLUMNS
    cells = {name: head.cells(k) for k, name in enumerate(head.columns if small else ())}
    if not holds_battles(cells):
        _refuse_points(head, cells)
        return
    roles: dict[str, object] = {}
    with contextlib.suppress(UsageError):  # rate says what is open
        roles = roles_of(head.columns, {}, head.source).columns
    log = f"a battle log ({listed(roles.values() or head.columns, most=CHOICES)})"
    same = {name: value for name, value in options.values.items() if name in OF_LOGS_TOO}
    ways = [f"rate the battles: {ask('rate', 'FILE', **roles, **same)}"]
    sides = [str(roles[side]) for side in ("left", "right") if side in roles] or cells
    if any(holds_numbers(cells[name]) for name in sides):
        ways.append(f"if it is a table of scores: {command_with(layout='wide')}")
    fact = f"{head.source} looks like {log}, not a table of scores."
    raise UsageError(fact, hint="\n".join(ways))


FEWEST_ROUNDS = 5  # of somebody who is in nearly all resamples of them
TOLD = ("layout", "candidates", "candidate", "judge", "score", "rule", "from_")


def refuse_orders(cells: Mapping[str, list[str]], said: Mapping[str, Any]) -> None:
    """Refuse rows that say who came first, second and so on, unless somebody says how they lie."""
    if not cells or any(said.get(name) is not None for name in TOLD):
        return
    names, above = named_columns(cells)
    cells = {name: cells[old][above:] for name, old in zip(names, cells, strict=True)}
    if holds_orders(cells):
        places = [name for name in names if is_place(name)]
        columns = f"the columns {places[0]} to {places[-1]} are places"
        fact = f"the rows seem to be orders: {columns}, and the cells say who came there."
        met = Counter(cell for name in places for cell in cells[name] if cell)
        rare = {"errors": "sandwich"} if min(met.values()) < FEWEST_ROUNDS else {}
        how = ask("rate", "FILE", from_="orders", model="plackett-luce", **rare)
        ways = [f"rate each row as one ranking: {how}"]
        if all(map(holds_numbers, cells.values())):
            lie = (f"if they are scores, of {p}: {command_with(candidates=p)}" for p in PLACES)
            ways += lie
        raise DataError(fact, hint="\n".join(ways))


ABOUT_ENDS = ("status", "time", "verified", "cutoff")  # of runs


def refuse_scores(head: Head, options: Options) -> None:
    """Refuse scores that are said to be runs, without a rule: nothing says which are solved."""
    known = (*ABOUT_ENDS, "quality")
    if options.about_runs != "layout" or any(name in options.values for name in known):
        return
    if any(columns_for(head, options, role) for role in ABOUT_ENDS):
        return
    qualities = columns_for(head, options, "quality")
    if any(is_missing(cell) for k in qualities for cell in head.texts(k)):
        return  # an empty one is not solved
    if not qualities and not any(map(head.is_numeric, range(len(head.columns)))):
        return
    shown = few([*map(quoted, head.columns)], MOST_SHOWN)
    fact = f"{head.source} holds scores, not runs: no column says how a run ended ({shown})."
    times = f"if they are times: {command_with(rule='solved')}"
    raise UsageError(fact, hint=f"to rank by the scores: {ask('verdict', 'FILE')}\n{times}")


def layout_of(head: Head, options: Options) -> Wide | Long:
    for name in (*options.ignore, *options.keep):
        head.all_at(name)
    both = options.candidate is not None and options.judge is not None
    scores = (options.score is not None or options.standard_error) and not _is_board(head, options)
    said = options.layout == "long" or scores or both or _repeats_of_pairs(head, options)
    roles: dict[str, int] = {}
    if said:
        roles = one_column_each(head, options, ROLES)
        for one, other in combinations(ROLES, 2):
            if roles[one] == roles[other]:
                column = quoted(head.columns[roles[one]])
                fact = f"column {column} cannot hold both the {one}s and the {other}s."
                free = [k for k in range(len(head.columns)) if k not in roles.values()]
                open_role = other if getattr(options, other) is None else one
                ways = _ways_to_name(head, open_role, free, lead=f"{open_role}s in ")
                hint = "\n".join(ways) or f"add a column of the {open_role}s."
                raise UsageError(f"{head.source}: {fact}", hint=hint)
    elif not options.standard_error and _may_be_long(head, options):
        roles = _long_columns(head, options) if len(head.columns) <= MOST_COLUMNS else {}
    if not roles:
        return wide_layout(head, options, long=_as_long(head, options))
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    names = {role: roles[role] for role in ("candidate", "judge")}
    names |= {} if options.repeat is None else {"repeat": head.at(options.repeat)}
    errors = ErrorColumns.of(head, options.standard_error) if options.standard_error else None
    used = {*roles.values(), *about.values(), *names.values(), *head.vacant}
    used |= {*_parts(head, options), *(errors.places if errors else ())}
    unused = tuple(name for k, name in enumerate(head.columns) if k not in used)
    fact = ", ".join(f"{role} {quoted(head.columns[k])}" for role, k in roles.items())
    facts = layout_facts("long", fact, unused, guessed=not said)
    score = roles["score"]
    runs = _as_runs(options) | {"time": head.columns[score]}
    about_it: dict[str, Any] = {"about": about, "facts": facts, "unused": unused, "runs": runs}
    return Long(names=names, score=score, errors=errors, **about_it)


def _as_runs(options: Options) -> dict[str, object]:
    """Return what makes runs of a table of times."""
    said = options.without(["better", "layout", "score", "standard_error", "missing"])
    return said | {"rule": "par2"}


def _may_be_long(head: Head, options: Options) -> bool:
    return options.layout != "wide" and options.candidates is None and head.named


def _repeats_of_pairs(head: Head, options: Options) -> bool:
    """Return whether repeats are those of a long table, and not rows of a wide one."""
    repeats = options.repeat is not None or options.combine in {"mean", "judges"}
    if not repeats or options.layout == "wide" or options.candidates is not None:
        return False
    if all(columns_for(head, options, role) for role in ROLES) or not head.named:
        return True
    named = (k for k, name in enumerate(head.columns) if not words.names_rows(name))
    judge = (head.at(name) for name in (options.judge, options.candidate) if name is not None)
    taken = {*judge, *head.vacant, *_parts(head, options)}
    return sum(head.is_numeric(k) for k in named if k not in taken) < LEAST_SCORES


def _is_board(head: Head, options: Options) -> bool:
    """Return whether a table has one score for each candidate, and errors beside it."""
    if not options.standard_error or options.layout == "long" or options.judge is not None:
        return False
    if options.layout == "wide" or options.candidates is not None:
        return True
    label = _label(head, options, {*map(head.at, options.standard_error)})
    again = label is not None and head.names_come_again(label)
    return not again and not columns_for(head, options, "judge")


def _long_columns(head: Head, options: Options) -> dict[str, int]:
    """Return the column of each role where each has one of its own, beside few other numbers.

    Judges that are fractions, with one row for each candidate, are scores of a wide table.
    """
    possible = {role: columns_for(head, options, role) for role in ROLES}
    roles = {role: places[0] for role, places in possible.items() if len(places) == 1}
    sides = [roles[role] for role in ("candidate", "judge") if role in roles]
    names = len({*sides}) == 2 and not any(map(head.is_numeric, sides))
    if names and possible["score"] and any(map(head.names_come_again, sides)):  # rows are pairs
        return roles if len(roles) == len(ROLES) else one_column_each(head, options, ROLES)
    if len(set(roles.values())) < len(ROLES):
        return {}
    about = (head.at(name) for name in options.about_judges.values())
    taken = {*roles.values(), *head.vacant, *about, *_parts(head, options)}
    others = (k for k in range(len(head.columns)) if k not in taken)
    if sum(map(head.is_numeric, others)) > FEW_OTHER_NUMBERS:
        return {}
    k = roles["judge"]
    fractions = head.is_numeric(k) and not head.holds_whole_numbers(k)
    single = len(set(head.cells(k))) > 1 and not head.names_come_again(roles["candidate"])
    return {} if fractions and single and options.judge is None else roles


def columns_for(head: Head, options: Options, role: str) -> list[int]:
    """Return the columns that may play a role; those with another role cannot.

    One that ``where`` names is a candidate, judge or score only where no other looks like it.
    """
    given = getattr(options, role)
    if given is not None:
        return [head.at(str(given))]
    reference = options.reference if isinstance(options.reference, str) else None
    taken = {*(name for _, name in options.named_columns), reference, *options.ignore}
    taken |= {name for names in options.together.values() for name in names}
    free = [k for k, name in enumerate(head.columns) if name not in taken and k not in head.vacant]
    if role == "score":
        free = [k for k in free if head.is_numeric(k)] if len(free) <= MOST_COLUMNS else []
    elif role not in ROLES:
        free = [k for k in free if k not in head.condition_columns]
    looks = [free[k] for k in words.matches(role, [head.columns[k] for k in free])]
    if role == "score" and not looks and options.candidate and options.judge:
        looks = free
    if role == "score":
        looks = [k for k in looks if not words.stands_beside(head.columns[k])] or looks
    if role in NUMERIC:
        return [k for k in looks if head.is_numeric(k) or (role == "time" and holds_times(head, k))]
    if role == "status":
        return [k for k in looks if not head.is_numeric(k) and _holds_statuses(head, k)]
    return [k for k in looks if k not in head.condition_columns] or looks


FEW_NUMBERS = 0.1  # of the cells: so many of a column of hashes look like numbers, as 7e5 does


def holds_names(head: Head, k: int, statuses: Mapping[str, str] | None = None) -> bool:
    """Return whether a column holds words that are no failed runs, and hardly a number."""
    cells = [cell for cell in head.cells(k) if not is_missing(cell)]
    numbers = sum(map(looks_numeric, cells))
    return not holds_times(head, k, statuses) and numbers < max(1.0, FEW_NUMBERS * len(cells))


def holds_times(head: Head, k: int, statuses: Mapping[str, str] | None = None) -> bool:
    """Return whether a column holds times, with words such as TO where a run failed."""
    cells = [cell for cell in head.cells(k) if not is_missing(cell)]
    ends = {meaning(cell, statuses) for cell in cells if not looks_numeric(cell)}
    return ends.isdisjoint({"", "solved"}) and (bool(cells) or head.is_numeric(k))


def _holds_statuses(head: Head, k: int) -> bool:
    """Return whether a column is called status, or holds answers most of which are statuses."""
    known = [bool(meaning(cell or "")) for cell in head.cells(k)]
    return not words.is_called(head.columns[k], "answer") or 2 * sum(known) > len(known)


def one_column_each(head: Head, options: Options, roles: Iterable[str]) -> dict[str, int]:
    columns = {}
    for role in roles:
        places = columns_for(head, options, role)
        if len(places) != 1:
            raise unclear_column_error(head, options, role, places)
        columns[role] = places[0]
    return columns


def unclear_column_error(
    head: Head, options: Options, role: str, places: Sequence[int], *, lead: str = ""
) -> UsageError:
    names = [head.columns[k] for k in places]
    which = f"It could be {listed(map(quoted, names))}" if places else "No name tells"
    which += f"; there are {listed(head.columns)}"
    what = f"{role} of a run" if role in OF_A_RUN else f"{role}s"
    fact = f"{head.source}{lead}: which column holds the {what}? {which}."
    others = [
        k
        for k, name in enumerate(head.columns)
        if not words.role_of(name) and name not in options.ignore
    ]
    ways = _ways_to_name(head, role, places or others, fitting=not places)
    likely: object = names[0] if names else None
    candidates = columns_for(head, options, "candidate") if role == "judge" else []
    if len(candidates) == 1 and _names_together(head, candidates[0], places):
        likely = tuple(names)
        ways.insert(0, f"all of them together: {command_with(judge=likely)}")
    hint = "\n".join(reversed(ways)) or f"add a column of the {role}s."
    return UsageError(fact, hint=hint, remedy={role: likely} if names else None)


def _ways_to_name(
    head: Head, role: str, places: Sequence[int], *, fitting: bool = True, lead: str = ""
) -> list[str]:
    """Return a command for each column that could play a role; numbers do where it holds such."""
    numbers = role in {"score", *NUMERIC}
    possible = [k for k in places if not fitting or head.is_numeric(k) == numbers]
    ways = []
    for k in possible[:CHOICES]:
        name = head.columns[k]
        holds = f" ({_some_cells(head, k)})" if role == "status" else ""  # which words they have
        ways.append(f"{lead}{quoted(name)}{holds}: {command_with(**{role: name})}")
    return ways


def _as_long(head: Head, options: Options) -> dict[str, object]:
    """Return how to read the table as long, with the columns that could play each role."""
    if len(head.columns) > MOST_COLUMNS or not head.named:
        return {}
    known = [k for k, name in enumerate(head.columns) if name.strip()]
    known.sort(key=lambda k: head.columns[k] in options.ignore)  # left out as text, perhaps
    names = [head.columns[k] for k in known]
    looks = {role: [known[k] for k in words.matches(role, names)] for role in ROLES}
    found = {role: places[:1] for role, places in looks.items()}
    if sum(map(bool, found.values())) < 2:
        if not head.names_come_again(0):
            return {}
        found = {role: [] for role in ROLES}
    for role in (role for role in ROLES if not found[role]):
        taken = [k for each in found.values() for k in each]
        free = [k for k in known if k not in taken]
        numeric = [k for k in free if head.is_numeric(k)]
        texts = [k for k in free if k not in numeric]
        if role == "candidate":
            texts.sort(key=lambda k: _unlike_candidates(head.columns[k]))
        texts += [k for k in numeric[:-1] if len(known) == 3 and head.holds_whole_numbers(k)]
        found[role] = (numeric if role == "score" else texts)[:1]
    if not all(found.values()):
        return {}
    said = options.without(["candidates"]) | ({"layout": "long"} if options.layout else {})
    roles: dict[str, object] = {role: head.columns[k[0]] for role, k in found.items()}
    (candidate,), judges = found["candidate"], looks["judge"]
    if _names_together(head, candidate, judges):
        roles["judge"] = tuple(head.columns[k] for k in judges)
    return said | roles


def _names_together(head: Head, candidate: int, judges: Sequence[int]) -> bool:
    """Return whether a score needs several columns, such as task and case, to know its judge."""
    return (
        len(judges) > 1
        and candidate not in judges
        and not any(head.apart([candidate, k]) for k in judges)
        and head.apart([candidate, *judges])
    )


def _unlike_candidates(name: str) -> int:
    """Return 0 where a part of a name is a word for candidates, 2 where it is a stratum, else 1."""
    if words.CANDIDATES.intersection(words.tokens(name)):
        return 0
    return 2 if words.is_called(name, "stratum") else 1
