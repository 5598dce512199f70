"""What is rated: a table or a log, as it was given; who of it is rated; hints where it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    NotOneScoreError,
    TwoValuesError,
    UnknownNameError,
    UsageError,
    Words,
    ask,
    command_with,
    counted,
    listed,
    quoted,
    say,
)
from deadheat.core.types import Booleans, require_whole
from deadheat.core.weights import CAUTION, TRIFLE
from deadheat.data.battles import Battles
from deadheat.data.missing import apply_policy
from deadheat.data.reading import column_names as roles
from deadheat.data.reading.battle_columns import holds_numbers
from deadheat.data.reading.battle_log import OUTCOMES
from deadheat.data.reading.layout import refuse_orders
from deadheat.data.reading.options import names_in
from deadheat.data.reading.read import (
    OF_LOGS,
    about_logs,
    about_tables,
    first_cells,
    is_battle_log,
    is_given,
    not_given,
    read,
    read_battles,
)
from deadheat.data.results import Nouns, Results
from deadheat.data.runs import Runs
from deadheat.models.rating.existence import existence
from deadheat.models.rating.pair_counts import CellPairs
from deadheat.rate.evidence import part_of
from deadheat.resampling.engines import Engine
from deadheat.resampling.engines import engine as opened

# Who of a battle log is rated: those with enough matches, in one part that matches connect.

NEARLY_ALL = 0.9  # share of the matches with which the largest part stands for the whole
MOST_NAMES, MOST_PARTS = 6, 4


def require_of_log(
    found: Results | Battles, *, largest_part: bool, min_matches: int | None, teams: str | None
) -> None:
    """Refuse to choose among candidates of whom no matches are known one by one."""
    if min_matches is not None:
        hint = f"without whoever has fewer than 3: {command_with(min_matches=3)}"
        require_whole("min_matches", min_matches, 1, hint=hint)
    if isinstance(found, Battles) and teams is None:
        return
    what = "members of teams" if isinstance(found, Battles) else "a table of scores"
    for name, value, usual in (
        ("largest_part", largest_part, False),
        ("min_matches", min_matches, None),
    ):
        if value != usual:
            hint = f"without it: {command_with(**{name: usual})}"
            raise UsageError(f"{say(name, value)} says nothing about {what}.", hint=hint)


def field_of(
    log: Battles, *, largest_part: bool, min_matches: int | None, connected: bool
) -> Battles:
    """Return the battles of who is rated: where ``connected``, a part with nine matches of ten."""
    if min_matches is not None:
        log = _with_enough(log, min_matches)
    if not (largest_part or connected):
        return log
    parts = existence(CellPairs(log).counts()).components
    if len(parts) < 2:
        return log
    part = part_of(parts, log.n)
    matches = np.bincount(part[log.left], log.battles, len(parts)).astype(np.int64).tolist()
    best = max(range(len(parts)), key=lambda k: (len(parts[k]), matches[k]))
    if not largest_part and matches[best] < NEARLY_ALL * log.total:
        shown = [
            f"{log.nouns.candidates(len(part))} with {_matches(met)} ({_quoted_names(log, part)})"
            for part, met in zip(parts[:MOST_PARTS], matches, strict=False)
        ]
        if len(parts) > MOST_PARTS:
            shown.append(f"and {len(parts) - MOST_PARTS:,} more")
        links = f"no battle links the {len(parts):,} parts of the field"
        fact = f"{log.source}: {links}, so their ratings have no common scale: {'; '.join(shown)}."
        hint = f"rate the largest part by itself: {command_with(largest_part=True)}"
        raise DataError(fact, hint=hint)
    why = f"no chain of matches connects them with the other {len(parts[best]):,}"
    return _keep_candidates(log, part == best, why, asked=largest_part)


def _with_enough(log: Battles, least: int) -> Battles:
    there = _core(log, least)
    if not there.any():
        low, high = 1, least - 1  # one match each is what everybody has
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _core(log, middle).any() else (low, middle - 1)
        nobody = f"nobody is left with {least:,} matches or more against others who have as many."
        hint = f"{low:,} is the most that leaves anybody: {command_with(min_matches=low)}"
        raise DataError(f"{log.source}: {nobody}", hint=hint)
    return _keep_candidates(
        log, there, f"fewer than {_matches(least)} each with the others", asked=True
    )


def _core(log: Battles, least: int) -> Booleans:
    """Return who is left (n,) once everybody left has so many matches against others left."""
    there = np.ones(log.n, dtype=bool)
    while True:
        inside = np.where(there[log.left] & there[log.right], log.battles, 0)
        matches = np.bincount(log.left, inside, log.n) + np.bincount(log.right, inside, log.n)
        enough = there & (matches >= least)
        if np.array_equal(enough, there):
            return there
        there = enough


def _keep_candidates(log: Battles, there: Booleans, why: str, *, asked: bool) -> Battles:
    if there.all():
        return log
    kept = log.subset(there[log.left] & there[log.right])
    out = np.flatnonzero(~there).tolist()
    are = "is" if len(out) == 1 else "are"
    fewer = f"{log.total - kept.total:,} of {_matches(log.total)}"
    who = f"{len(out):,} of {log.nouns.candidates(log.n)} {are} not rated"
    said = f"{who}, with {fewer}: {why} ({_quoted_names(log, out)})."
    return kept.changed(notes=(Words(said, weight=TRIFLE if asked else CAUTION), *log.notes))


def _matches(number: int) -> str:
    return counted(number, "match", "matches")


def _quoted_names(log: Battles, numbers: list[int] | tuple[int, ...]) -> str:
    return listed([quoted(log.candidates[i]) for i in numbers], most=MOST_NAMES)


# Hints for somebody who wants ratings of a table that was not read, or is none.

ROUNDS = roles.ROUNDS | {"run", "trial"}
NO_ROUNDS = roles.WORDS["candidate"] | roles.WORDS["score"]
MOST_SIDES = 40  # columns of words among which two sides and a winner are sought


def _better_hint(error: DeadheatError, source: Any, said: Mapping[str, Any]) -> DeadheatError:
    if isinstance(error, UnknownNameError):
        return error
    cells = first_cells(source, said)
    columns = rounds_of(cells, said)
    if columns is not None and isinstance(error, NotOneScoreError):
        task, split = columns
        each = f"to rate each {task} by itself: {command_with(tournament=task, round=split)}"
        means = f"to rate all by their means: {command_with(judge=task, combine='mean')}"
        return error.with_hint(f"{each}\n{means}")
    wordy = [name for name, column in cells.items() if any(map(str.strip, column))]
    if len(wordy) > 1 and not any(map(holds_numbers, cells.values())):
        sides = _sides_and_winner({name: cells[name] for name in wordy})
        other = not_given(said, OF_LOGS)
        log = f"if it is a battle log: {command_with(**sides, **other)}\n" if sides else ""
        return error.with_hint(f"{log}{error.hint}")
    return error


def _sides_and_winner(cells: Mapping[str, list[str]]) -> dict[str, str]:
    """Return columns that name two sides and who won, if only the cells tell.

    >>> _sides_and_winner({"day": ["d1", "d2"], "x": ["a", "b"], "y": ["b", "c"], "z": ["b", "b"]})
    {'left': 'x', 'right': 'y', 'winner': 'z'}
    """
    if len(cells) > MOST_SIDES:
        return {}
    for left, right in combinations(cells, 2):
        pairs = list(zip(cells[left], cells[right], strict=True))
        again = not {*cells[left]}.isdisjoint(cells[right])
        if not again or any(one == other for one, other in pairs):
            continue
        for winner in reversed([*cells]):
            if winner in {left, right}:
                continue
            found = zip(pairs, cells[winner], strict=True)
            sides = sum(who in pair or who.lower() in OUTCOMES for pair, who in found)
            if sides > len(pairs) / 2:
                return {"left": left, "right": right, "winner": winner}
    return {}


def rounds_of(cells: Mapping[str, list[str]], said: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the columns of the data sets and of their rounds, if the names tell both.

    >>> rounds_of({"model": [], "task": [], "split": ["0", "1"], "auc": []}, {})
    ('task', 'split')
    """
    judges = names_in(said.get("judge"))
    taken = {said.get("candidate"), said.get("score"), *judges}
    splits = [
        name
        for name, column in cells.items()
        if ROUNDS & {*roles.tokens(name)} and name not in taken and len({*column}) > 1
    ]
    tasks = (name for name in cells if roles.JUDGES & {*roles.tokens(name)} and name not in splits)
    task = next(iter((*judges, *tasks)), None)
    return (task, splits[0]) if splits and task is not None else None


def _in_words_of_tournaments(
    error: DataError, source: Any, said: Mapping[str, Any], tournament: str
) -> DeadheatError:
    """Return an error about judges and clusters in the words of rounds and tournaments."""
    cells = first_cells(source, said)
    columns = rounds_of(cells, {**said, "judge": tournament})
    taken = {tournament, *(said.get(role) for role in ("candidate", "judge", "score"))}
    free = [
        name
        for name, column in cells.items()
        if name not in taken and len({*column}) > 1 and not NO_ROUNDS & {*roles.tokens(name)}
    ]
    likely = free[:MOST_PARTS] if columns is None else [columns[1]]
    ways = [f"if {quoted(n)} holds the rounds: {command_with(round=n)}" for n in likely]
    more = "\n".join(ways) or "add a column that says of which round each score is."
    if not isinstance(error, TwoValuesError) or error.column != "cluster":
        return error.with_hint(f"{error.hint}\n{more}".strip())
    noun = "round" if error.noun == "judge" else error.noun
    two = f"is in two tournaments: {error.values[0]} and {error.values[1]}"
    return DataError(f"{error.source}: {noun} {quoted(error.name)} {two}.", hint=more)


# What is rated: a table or a battle log, as one tournament or as several.


def read_for_rating(
    source: Any,
    reading: dict[str, Any],
    tournament: str | None,
    rounds: str | None,
    *,
    ordered: bool,
    engine: str | Engine = "threads",
) -> Results | Battles:
    """Read a table or a log; ``ordered`` keeps the battles in their order."""
    each = reading.get("each")
    _refuse_two_parts(each, "tournament", tournament)
    if is_battle_log(source, reading):
        for name, column in (("round", rounds), ("tournament", tournament)):
            if column is not None:
                fact = f"a battle log has no {name}s, yet {say(name, column)} is given."
                log = {k: v for k, v in reading.items() if k in OF_LOGS and is_given(v)}
                parts = ask("rate", "FILE", **log | {"category": column})
                whole = ask("rate", "FILE", **log | {"cluster": column})
                hint = f"to rate each {column}: {parts}\nto draw each {column} as a whole: {whole}"
                raise UsageError(fact, hint=hint)
        _refuse_two_parts(each, "category", reading.get("category"))
        reading = {name: value for name, value in reading.items() if name != "each"}
        reading |= {} if each is None else {"category": each}
        said = about_logs(reading)
        if ordered and not isinstance(source, Battles):
            said["ordered"] = True
        with opened(engine) as running:
            return read_battles(source, **said, engine=running)
    said = about_tables(reading)
    if rounds is None and tournament is None and not isinstance(source, Results | Runs):
        refuse_orders(first_cells(source, said), said)
    found = _read_table(source, said, tournament, rounds)
    if found.nouns.judge == Nouns.judge:
        found = found.changed(nouns=replace(found.nouns, judge="round"))
    if tournament is None and said.get("cluster") is None:
        found = _of_one_cluster(found)
    if not found.has_holes or found.missing != "error":
        return found
    if said.get("missing") == "error":
        return apply_policy(found, "error")
    # holes are matches that did not take place
    return found if tournament is not None else apply_policy(found, "available")


def _refuse_two_parts(each: str | None, name: str, column: str | None) -> None:
    if each is not None and column is not None:
        both = f"{say('each', each)} and {say(name, column)}"
        fact = f"{both} both say what is rated by itself."
        hint = f"each {column} by itself: {command_with(each=None)}\n"
        hint += f"each {each} by itself: {command_with(**{name: None})}"
        raise UsageError(fact, hint=hint)


def _of_one_cluster(found: Results) -> Results:
    """Return rounds that are all of one data set as rounds to be drawn one by one."""
    if found.clusters is None or len({*found.clusters}) > 1 or found.m < 2:
        return found
    every = f"all {counted(found.m, 'round')} are of {quoted(found.clusters[0])}"
    said = f"{every}: rounds are drawn one by one, and what is shown holds for that alone."
    return found.changed(clusters=None, notes=(*found.notes, said))


def _read_table(
    source: Any, said: dict[str, Any], tournament: str | None, rounds: str | None
) -> Results:
    if isinstance(source, Results):
        return read(source, **said)
    if tournament is not None and {*names_in(said.get("cluster"))} - {tournament}:
        groups = f"{say('cluster', said['cluster'])} groups the rounds otherwise"
        fact = f"each {tournament} is rated by itself, yet {groups}."
        hint = f"without the clusters: {command_with(cluster=None)}\n"
        hint += f"all together: {command_with(tournament=None)}"
        raise UsageError(fact, hint=hint)
    if rounds is not None and tournament is not None:
        said |= {"judge": tournament, "repeat": rounds, "combine": "judges", "cluster": tournament}
    elif rounds is not None:
        said.setdefault("judge", rounds)
        judge = next((name for name in names_in(said["judge"]) if name != rounds), rounds)
        if judge != rounds:
            two = f"{say('judge', judge)} and {say('round', rounds)} are two columns"
            each = command_with(judge=None, tournament=judge, round=rounds)
            hint = f"to rate each {judge} by itself: {each}"
            raise UsageError(f"in a tournament the rounds are the judges, yet {two}.", hint=hint)
    elif tournament is not None:
        said["cluster"] = tournament
        try:
            return read(source, **said)
        except DataError as error:
            raise _in_words_of_tournaments(error, source, said, tournament) from None
    try:
        return read(source, **said)
    except DeadheatError as error:
        if rounds is not None:
            raise
        raise _better_hint(error, source, said) from None


OF_COSTS = {  # instead of what is said about scores
    "better": "lower",
    "missing": "error",
    "tie_tol": 0.0,
    "scale_scores": "none",
    "combine": "judges",  # each repeat has its price
}


def read_costs(
    source: Any,
    reading: dict[str, Any],
    tournament: str | None,
    rounds: str | None,
    cost: str,
    data: Results | Battles,
) -> dict[str, dict[str, float]]:
    """Return what each candidate cost in all rounds of each tournament, '' where there is one."""
    without = f"without the costs: {command_with(cost=None)}"
    if isinstance(data, Battles):
        raise UsageError("battles have no costs.", hint=without)
    piped = isinstance(source, str) and source == "-"
    wide = reading.get("layout") == "wide" or reading.get("candidates") is not None
    if wide or piped or isinstance(source, Results | Runs):
        there = "this table is wide" if wide else "there is no file or frame to read it from"
        fact = f"{say('cost', cost)} names a column, and {there}."
        raise UsageError(
            fact, hint=f"give a long table, each row with its score and cost\n{without}"
        )
    others = reading.get("ignore") or ()
    ignore = tuple(
        name for name in ([others] if isinstance(others, str) else others) if name != cost
    )
    said = {**reading, **OF_COSTS, "score": cost, "ignore": ignore}
    found = _read_table(source, said, tournament, rounds)
    paid = dict(zip(found.candidates, found.original, strict=True))
    costs: dict[str, dict[str, float]] = {}
    for name, part in (tournaments_of(data, tournament) or {"": data}).items():
        assert isinstance(part, Results)
        own = np.array(
            [tournament is None or each == name for each in found.clusters or found.judges]
        )
        for who, scores in zip(part.candidates, part.scores, strict=True):
            prices = paid[who][own] if who in paid else np.array([])
            number, known = int((~np.isnan(scores)).sum()), int((~np.isnan(prices)).sum())
            if known < number:
                where = f" on {quoted(name)}" if name else ""
                rows = f"{known:,} in {cost!r} for {counted(number, 'score')}"
                fact = f"{found.source}: costs of {quoted(who)}{where} are missing: {rows}."
                raise DataError(
                    fact, hint=f"give what each fit cost, 0 where it was free\n{without}"
                )
            if (prices < 0).any():
                fact = f"{found.source}: the cost of {quoted(who)} is below 0 in a row of {cost!r}."
                raise DataError(fact, hint=f"a cost is a time or a price of at least 0\n{without}")
            costs.setdefault(name, {})[who] = float(np.nansum(prices))
    return costs


def noun_of_part(found: Results | Battles, tournament: str | None) -> str:
    """Return what sentences call one of several tournaments."""
    if isinstance(found, Battles):
        return "category"
    return roles.noun_of(tournament or "", "judge") or "data set"


def tournaments_of(
    found: Results | Battles, tournament: str | None
) -> dict[str, Results | Battles] | None:
    if isinstance(found, Battles):
        return None if found.categories is None else {**found.parts()}
    if tournament is None:
        return None
    if found.clusters is None:
        fact = f"{found.source}: no judge says which tournament it belongs to."
        hint = "give the file and its columns, or Results(..., clusters=...), a label per judge."
        raise UsageError(fact, hint=hint)
    parts: dict[str, Results | Battles] = {}
    for name in dict.fromkeys(found.clusters):
        rounds = np.array([cluster == name for cluster in found.clusters])
        part = found.of_judges(rounds).changed(clusters=None)
        there = ~np.isnan(part.scores).all(axis=1)  # without those who have no score in it
        part = part if there.all() else part.of_candidates(there)
        parts[name] = apply_policy(part, "available") if part.missing == "error" else part
    return parts
