"""The collector of runs, and their scores: (instance, seed) are the judges."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.core import errors
from deadheat.core.errors import (
    DataError,
    DeadheatError,
    UsageError,
    Words,
    bare,
    command_with,
    counted,
    few,
    listed,
    named,
    quoted,
    say,
)
from deadheat.core.files import reads
from deadheat.core.types import Floats, Integers
from deadheat.core.weights import (
    LITTLE,
    MISREAD,
    NARROW,
    OTHER_ORDER,
    OTHER_WINNER,
    TRIFLE,
)
from deadheat.data.formats import open_stream
from deadheat.data.reading import judges, tables
from deadheat.data.reading.column_names import matches
from deadheat.data.reading.columns import Columns
from deadheat.data.reading.layout import (
    MOST_COLUMNS,
    OF_A_RUN,
    columns_for,
    holds_names,
    one_column_each,
    unclear_column_error,
    wide_layout,
)
from deadheat.data.reading.numbers import BadCellError, Numbers, is_missing, matrix
from deadheat.data.reading.options import ABOUT_JUDGES, EQUAL_STRATA, Options
from deadheat.data.reading.preview import Head
from deadheat.data.reading.repeats import Rows, apart_by
from deadheat.data.reading.source import Facts, complaints, layout_facts, open_source
from deadheat.data.results import SEED, Nouns, Results
from deadheat.data.runs import (
    INSTANCES,
    SOLVED,
    STATUSES,
    UNKNOWN,
    WRONG,
    Runs,
    bad_reference,
    meaning,
    of_instances,
    plain_word,
    refuse_bad_reference,
    two_values,
)
from deadheat.data.scoring_rule import ScoringRule, rule_of
from deadheat.data.time_limit import far_from_timeouts, perhaps_limit

# The best known quality of each instance, from a mapping or a file.

BEST_SEEN = "best-seen"
REPLICATE = "replicate"


def with_reference(runs: Runs, given: Any) -> Runs:
    """Return the runs with the best known qualities of a mapping or file, or as they are."""
    if given is None or (isinstance(given, str) and given in {BEST_SEEN, REPLICATE}):
        return runs
    if runs.reference is not None and isinstance(given, str):
        return runs
    if not isinstance(given, str | os.PathLike | Mapping):
        fact = f"reference must be a column, a file or a mapping, got {given!r}."
        raise UsageError(fact, hint="for instance reference='best_known'.")
    known = given if isinstance(given, Mapping) else _from_file(Path(given), runs)
    values = np.empty(len(runs.instances))
    for k, name in enumerate(runs.instances):
        try:
            values[k] = float(known.get(name, np.nan))
        except (TypeError, ValueError):
            raise bad_reference(name, repr(known[name])) from None
    refuse_bad_reference(values, runs.instances)
    missing = int(np.isnan(values).sum())
    if missing == len(values):
        fact = f"the reference knows none of the {counted(len(values), 'instance')}."
        raise DataError(
            fact, hint=f"write {quoted(runs.instances[0])} and all others there as here."
        )
    note = f"{counted(missing, 'instance')} without a reference: the best seen is used there."
    notes = (*runs.notes, note) if missing else runs.notes
    return runs.changed(reference=values[runs.instance], notes=notes)


def _from_file(path: Path, runs: Runs) -> dict[str, float]:
    if not path.is_file():
        fact = f"{quoted(path)} is neither a column of {runs.source} nor a file."
        best = command_with(reference=BEST_SEEN)
        raise UsageError(fact, hint=f"with the best quality that is seen here: {best}")
    with ExitStack() as stack:
        reads(path, "the reference")
        raw = open_source(path, stack)
        with complaints(raw.name):
            stream = open_stream(raw, Options())
            return _qualities(Head(**vars(stream), first=next(stream.blocks, None)))


def _qualities(head: Head) -> dict[str, float]:
    instance = (matches("judge", head.columns) or [0])[0]
    numeric = [k for k in range(len(head.columns)) if k != instance and head.is_numeric(k)]
    named = [k for k in matches("quality", head.columns) if k in numeric] or numeric
    if len(named) != 1:
        fact = f"which column holds the best quality? There are {listed(head.columns)}."
        hint = "leave two columns: the instance and its best known quality."
        raise UsageError(f"{head.source}: {fact}", hint=hint)
    known: dict[str, float] = {}
    for block in chain([] if head.first is None else [head.first], head.blocks):
        try:
            values = matrix(block, named, Numbers()).values
        except BadCellError as bad:
            fact = f"row {block.lines[bad.place]:,}: {quoted(bad.text)} is no finite number."
            hint = "leave the cell empty where no reference is known."
            raise DataError(f"{head.source}: {fact}", hint=hint) from None
        names = map(head.name, block.text(instance))
        for name, value in zip(names, values[:, 0].tolist(), strict=True):
            first = known.setdefault(name, value)
            if first != value and not (np.isnan(first) and np.isnan(value)):
                said = ["none" if each != each else f"{each:g}" for each in (first, value)]
                raise two_values(head.source, name, "reference", said)
    return known


# ------------------------------------------------------------------------------
# Which columns of a table of runs hold what: said, or guessed by their names and reported.

LEAST_SOLVERS = 2  # columns of numbers that are solvers, where there are no runs


def is_runs(head: Head, options: Options) -> bool:
    """Return whether a table holds runs: said, or it has a status and a time and no score."""
    if options.about_runs:
        return True
    said = options.layout or options.candidates or options.score
    if said or not head.named or len(head.columns) > MOST_COLUMNS:
        return False
    roles = ("candidate", "judge", "status", "time", "score")
    candidate, judge, status, time, score = (columns_for(head, options, role) for role in roles)
    if len(candidate) != 1 or len(judge) != 1 or not status or not time:
        return False
    if len(status) > 1 and (options.better is None or len(score) != 1):
        raise unclear_column_error(head, options, "status", status, lead=" looks like runs")
    return len(status) == 1


def _run_columns(head: Head, options: Options, limit: float | None) -> dict[str, int]:
    """Return where everything stands; only what the rule needs must be there."""
    rule_of(options.rule)  # one that is not known has nothing to do with the direction
    try:
        rule = rule_of(options.rule, options.better)
    except UsageError as error:
        raise _or_by_a_column(error, head, options) from None
    sides = one_column_each(head, options, ("candidate", "judge"))
    limited = options.cutoff is not None or bool(columns_for(head, options, "cutoff"))
    columns = dict(sides)
    roles = ("status", "time", "quality", "verified", "repeat", *(() if limit else ("cutoff",)))
    for role in roles:
        places = [k for k in columns_for(head, options, role) if k not in sides.values()]
        needed = role in rule.needs and (bool(places) or role in {"time", "quality"})
        if role == "status":
            needed = bool(places) and rule.unsolved
        if len(places) == 1:
            columns[role] = places[0]
        elif needed or (role == "time" and limited and places):  # which is above the cutoff?
            raise unclear_column_error(head, options, role, places)
    if columns.keys().isdisjoint(OF_A_RUN):
        raise unclear_column_error(head, options, "status", ())
    if isinstance(options.reference, str) and options.reference in head.columns:
        columns["reference"] = head.at(options.reference)
    return columns


def has_times_in_columns(head: Head, options: Options) -> bool:
    """Return whether the times of solvers stand in columns, or in rows, and not one in each row."""
    if options.layout == "wide" or options.candidates is not None:
        return True
    of_a_run = any(columns_for(head, options, role) for role in OF_A_RUN)
    sides = all(columns_for(head, options, role) for role in ("candidate", "judge"))
    if of_a_run or sides or not head.named:
        return False
    free = [k for k, name in enumerate(head.columns) if name not in options.ignore]
    names = [k for k in free if holds_names(head, k, options.statuses)]
    again = any(head.names_come_again(k) for k in names[:1])  # in rows of runs each does
    return len(free) - len(names) >= LEAST_SOLVERS and not again


def _or_by_a_column(error: UsageError, head: Head, options: Options) -> DeadheatError:
    """Return that a rule has another direction, and how to rank by the time or quality instead."""
    places = [k for role in ("quality", "time") for k in columns_for(head, options, role)]
    ways = [
        f"by {quoted(c)} instead: {command_with(**options.without_runs, score=c)}"
        for c in map(head.columns.__getitem__, places[:1])
    ]
    return error.with_hint("\n".join((error.hint, *ways)))


def _limit(options: Options) -> float | None:
    if options.cutoff is None:
        return None
    try:
        limit = float(options.cutoff)
    except (TypeError, ValueError):
        return None
    except OverflowError:
        limit = float("inf")
    if not 0 < limit < float("inf"):
        fact = f"the cutoff must be a number of seconds above 0, got {options.cutoff}."
        example = -limit if 0 < -limit < float("inf") else 5000.0
        hint = f"for instance {example:g} s: {command_with(cutoff=f'{example:g}')}"
        raise UsageError(fact, hint=hint)
    return limit


def _facts(
    head: Head, options: Options, used: dict[str, int], about: dict[str, int]
) -> tuple[Facts, str]:
    """Return what was understood, and the column that could be the stratum, if any could."""
    said = ", ".join(f"{role} {quoted(head.columns[k])}" for role, k in used.items())
    taken = {*used.values(), *about.values(), *head.vacant}
    unused = [name for k, name in enumerate(head.columns) if k not in taken]
    facts = layout_facts("runs", said, unused, guessed=not options.about_runs)
    families = [unused[k] for k in matches("stratum", unused)]
    if options.weight == EQUAL_STRATA and options.stratum is None and options.strata is None:
        raise judges.strata_needed(families)
    if not families or any(getattr(options, name) for name in ABOUT_JUDGES):
        return facts, ""
    told = f"{quoted(families[0])} could be the stratum: {say('stratum', families[0])}"
    return (*facts, ("strata", told)), families[0]


# ------------------------------------------------------------------------------
# Rows of runs, block by block, into one :class:`Runs`.

NUMBERS = ("time", "quality", "cutoff", "reference", "weight")
WORDS = ("repeat", "stratum", "cluster", "status", "verified")  # a cell of which may be empty
ROW = 170  # bytes that a run takes at most, when runs are put together and checked


def failures(options: Options) -> Callable[[str], int | None]:
    """Return what tells how a run ended that has a word, or no finite number, for its time."""

    def status_of(cell: str) -> int | None:
        found = meaning(cell, options.statuses)
        if not found and "inf" in cell.lower():
            return UNKNOWN
        return STATUSES.index(found) if found not in {"", "solved"} else None

    return status_of


def _in_columns(head: Head, numbers: Numbers, options: Options) -> Runs:
    """Collect the runs of a table that has a column of times, or qualities, for each candidate."""
    rule = rule_of(options.rule, options.better)
    layout = wide_layout(head, options)
    texts = [head.columns[k] for k in layout.scores if holds_names(head, k, options.statuses)]
    layout = wide_layout(head, replace(options, ignore=(*options.ignore, *texts)))
    table = tables.wide_table(head, layout, numbers, options)
    n, m = table.values.shape
    measure = "quality" if "quality" in rule.needs else "time"
    columns: dict[str, Any] = {measure: table.values.ravel(), "cutoff": _limit(options)}
    columns |= {"candidate": np.repeat(np.arange(n), m), "instance": np.tile(np.arange(m), n)}
    for name, labels in table.about.items():
        cells = [word or judges.NO_STRATUM for word in labels] if name == "stratum" else labels
        columns[name] = [*cells] * n
    if "weight" in table.about:
        columns["weight"] = np.tile(np.asarray(judges.weights_of(table, options, numbers)), n)
    names = [
        given or [f"{kind} {k + 1}" for k in range(size)]
        for given, kind, size in ((table.candidates, "candidate", n), (table.judges, "judge", m))
    ]
    families = [texts[k] for k in matches("stratum", texts)]
    where = (
        "" if layout.label is None else f" (named in column {quoted(head.columns[layout.label])})"
    )
    rows, columns_are = ("instances", "candidates")[:: 1 if layout.rows_are_judges else -1]
    said = f"{columns_are} in columns, {rows} in rows{where}, each cell a {measure}"
    facts = layout_facts("runs", said, (*options.ignore, *texts))
    if families and "stratum" not in table.about:
        told = f"{quoted(families[0])} could be the stratum: {say('stratum', families[0])}"
        facts = (*facts, ("strata", told))
    columns |= {"candidates": names[0], "instances": names[1], "notes": table.notes}
    columns |= {"source": head.source, "reading": facts, "statuses": options.statuses}
    columns |= {"rule": options.rule, "combine": options.combine, "title": options.title or ""}
    columns["nouns"] = _nouns(options, **layout.names)
    runs = Runs(**columns, late=options.late or "error")
    return _failed(runs, table.failed, options)


def _nouns(options: Options, **names: str) -> Nouns:
    nouns = options.nouns(**names)
    return replace(nouns, judge=INSTANCES.judge) if nouns.judge == "judge" else nouns


def _failed(runs: Runs, failed: Any, options: Options) -> Runs:
    """Return runs of which times alone tell how they ended, with the words among the times.

    Where every run has a time and no limit is known, nothing says which of them failed.
    """
    if failed is not None:
        words = failed.ravel()
        status = np.where(np.isnan(words), runs.status, words).astype(np.int8)
        return runs.changed(status=status)
    rule = rule_of(options.rule)
    counts = rule.unsolved and not {"time", "quality"} & set(rule.needs)
    if counts and runs.quality is None and runs.cutoff is None and runs.solved.all():
        fact = f"every run of {runs.source} has a time, and nothing says which ones failed."
        without = f"where lower is better: {command_with(**options.without_runs, better='lower')}"
        raise UsageError(fact, hint=f"{perhaps_limit(runs)}\n{without}")
    return runs


def collect_runs(head: Head, numbers: Numbers, options: Options) -> Runs:
    collect = _in_columns if has_times_in_columns(head, options) else _in_rows
    return collect(head, numbers, options).in_order()


def _in_rows(head: Head, numbers: Numbers, options: Options) -> Runs:
    limit = _limit(options)
    used = _run_columns(head, options, limit)
    about = {name: head.at(column) for name, column in options.about_judges.items()}
    facts, family = _facts(head, options, used, about)
    numeric = {role: k for role, k in (used | about).items() if role in NUMBERS}
    names = {role: k for role, k in (used | about).items() if role not in NUMBERS}
    beside = _other_statuses(head, options, {*used.values(), *about.values()})
    rows = Columns(head, names | beside, numeric, row=ROW, anything=(*WORDS, *beside))
    for block in head.rows():
        rows.add(block, numbers)
    columns = rows.whole()
    if limit is not None:
        columns["cutoff"] = limit
    columns |= {"candidates": rows.words("candidate"), "instances": rows.words("judge")}
    columns["instance"] = columns.pop("judge")
    if "stratum" in columns:
        columns["strata"] = [word or judges.NO_STRATUM for word in rows.words("stratum")]
    if "cluster" in columns:
        columns["clusters"] = rows.words("cluster")
    if "status" in columns:
        columns["status"] = np.array(rows.words("status"), dtype=object)[columns["status"]]
    others = {name: columns.pop(name) for name in beside}
    if "verified" in columns:
        columns["verified"] = np.array(rows.words("verified"), dtype=object)[columns["verified"]]
    _put_seeds(columns, rows, options)
    columns |= {"unit": head.unit, "source": head.source, "reading": facts}
    columns |= {"notes": tuple(rows.alike()), "statuses": options.statuses}
    columns["title"] = options.title or ""
    columns |= {"rule": options.rule, "combine": options.combine}
    roles = (role for role in ("candidate", "judge", "stratum") if role in used)
    sides = {role: head.columns[used[role]] for role in roles}
    columns["nouns"] = _nouns(options, **sides)
    try:
        runs = Runs(**columns, late=options.late or "error")
    except errors.NotOneScoreError as repeats:
        told = {"stratum": family} if family else _tell_apart(head, used | about)
        raise _told_apart(repeats, told) from None
    for name, codes in others.items():
        status, other = head.columns[used["status"]], head.columns[beside[name]]
        doubts = _contradicted(status, other, rows.words(name), codes[runs.solved])
        runs = runs.changed(notes=(*runs.notes, *doubts))
    if "status" in used:
        return runs
    failed = rows.beside("failed") if "time" in numeric else None
    return _failed(runs, None if failed is None else failed[:, [*numeric].index("time")], options)


def _told_apart(repeats: errors.NotOneScoreError, ways: dict[str, str]) -> DeadheatError:
    """Return that runs come again, and the column that could tell them apart."""
    texts = (
        f"if {quoted(column)} tells them apart: {command_with(**{role: column})}"
        for role, column in ways.items()
    )
    remedy = ways if "stratum" in ways else repeats.remedy
    hint = "\n".join((*texts, repeats.hint))
    return errors.NotOneScoreError(repeats.fact, hint=hint, remedy=remedy)


def _other_statuses(head: Head, options: Options, taken: set[int]) -> dict[str, int]:
    """Return the columns that also say how runs ended, where one of them was chosen."""
    if options.status is None:
        return {}
    free = columns_for(head, replace(options, status=None), "status")
    return {f"status {k}": k for k in free if k not in taken}


NOTHING = ("", "no", "false", "0", "other")  # words of an empty column of errors


def _contradicted(status: str, name: str, words: Sequence[str], codes: Integers) -> Iterator[Words]:
    """Say how many solved runs another column than that of the status does not call solved."""
    counts = np.bincount(codes, minlength=len(words)).tolist()
    against = {
        word: number
        for word, number in zip(words, counts, strict=True)
        if number and meaning(word) not in {"", "solved"}
        and not is_missing(word) and plain_word(word) not in NOTHING
    }  # fmt: skip
    if not against:
        return
    told = few([f"{number:,} {bare(word)}" for word, number in against.items()], FEW)
    number = counted(sum(against.values()), "run")
    fact = f"{quoted(status)} calls {number} solved that {quoted(name)} does not ({told})"
    said = f"{fact}: {say('status', name)}"
    yield Words(f"{said}.", page=f"{fact}.", weight=MISREAD, good=False)


def _tell_apart(head: Head, used: Mapping[str, int]) -> dict[str, str]:
    """Return the column that tells repeats among the first rows apart, as the one of repeats."""
    free = {*range(len(head.columns))} - {*used.values(), *head.vacant}
    keys = [used[role] for role in ("candidate", "judge")]
    by = [] if "repeat" in used else apart_by(Rows(head), keys, sorted(free))
    return {"repeat": head.columns[by[0]]} if len(by) == 1 else {}


def _put_seeds(columns: dict[str, Any], rows: Columns, options: Options) -> None:
    """Keep the seeds where they tell runs apart; number the runs where that was asked for."""
    pairs = columns["candidate"].astype(np.int64) * len(columns["instances"]) + columns["instance"]
    if "stratum" in columns:
        pairs = pairs * len(columns["strata"]) + columns["stratum"]
    several = len(np.unique(pairs)) < len(pairs)
    if "repeat" in columns:
        seeds, codes = rows.words("repeat"), columns.pop("repeat")
        if (several or options.repeat is not None) and len(seeds) > 1:
            columns |= {"seed": codes, "seeds": seeds}
    elif several and options.combine in {"judges", "mean"}:
        columns["seed"] = tables.occurrences(pairs)
        columns["seeds"] = [str(k + 1) for k in range(int(columns["seed"].max()) + 1)]


# ------------------------------------------------------------------------------
# From runs to scores, by a rule: (instance, seed) are the judges.

MOST_NAMED = 5
FEW = 3


def score_runs(runs: Runs, options: Options) -> Results:
    """Return the table of scores that the rule of the options gives; absent runs are missing.

    Differs from Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI", who resample all
    alike: runs of one instance under several seeds are a cluster, or intervals are too short.
    """
    rule = rule_of(runs.rule if options.rule is None else options.rule, options.better)
    runs = with_reference(runs, options.reference)
    by = rule.by
    if isinstance(options.reference, str) and options.reference == REPLICATE:
        by = rule.replicate
        if not by:
            fact = f"{rule.name} looks for no best candidate, so nothing can be replicated."
            hint = f"without it: {command_with(reference=None)}"
            raise UsageError(fact, hint=hint)
    wrong = options.wrong or "unsolved"
    claimed, runs = runs, _treat_unverified(_treat_wrong(runs, rule, wrong), rule, options)
    if options.missing == "worst":
        runs = runs.completed()
    scores = rule(runs)
    if wrong == "penalise":  # as much as a run that is not solved scores, and at least one point
        penalty = np.maximum(np.abs(scores), 1.0)
        worse = scores - penalty if rule.better == "higher" else scores + penalty
        scores = np.where(runs.status == WRONG, worse, scores)
    names = {"candidates": runs.candidates, "judges": runs.instances, "repeats": runs.seeds}
    columns: dict[str, Any] = {
        "candidate": runs.candidate,
        "judge": runs.instance,
        "repeat": runs.seed,
    }
    columns |= {"values": scores, "lines": runs.lines, "source": runs.source}
    columns |= {name: tuple(known) for name, known in names.items()}
    cells = tables.Cells(**columns)
    combine = options.combine or runs.combine or ("error" if runs.seed is None else "judges")
    table = tables.table_of(cells, combine=combine, available=options.missing == "available")
    results = _results(runs, rule, table, options).changed(
        by=by, rule=rule.name, total=rule.total, heading=rule.heading or rule.total or rule.name
    )
    doubts = [*_about_unverified(claimed, results, rule, options)]
    if options.rule is None and "quality" not in rule.needs and _tells_more(runs):
        fact = "quality is not counted, only whether a run is solved"
        lower, higher = say("rule", "ipc-sat"), say("rule", "accuracy")
        ways = f"To count it: {lower} (less cost is better) or {higher} (more is better)"
        doubts.append(Words(f"{fact}. {ways}.", page=f"{fact}.", weight=OTHER_WINNER))
    if "cutoff" in rule.needs:
        doubts += far_from_timeouts(runs)
    return results.changed(notes=(*results.notes, *doubts))


def _tells_more(runs: Runs) -> bool:
    """Return whether solved runs differ in quality."""
    if runs.quality is None:
        return False
    known = runs.quality[runs.solved & np.isfinite(runs.quality)]
    return bool(known.size and known.min() < known.max())


def refuse_absent(results: Results) -> None:
    holes = results.holes.sum(axis=1)
    absent = []
    for i in np.argsort(-holes, kind="stable")[: int((holes > 0).sum())].tolist():
        first = quoted(results.judges[int(np.argmax(results.holes[i]))])
        more = ", ..." if holes[i] > 1 else ""
        number = f"{holes[i]:,} of {results.m:,}"
        absent.append(f"{quoted(results.candidates[i])} ({number}: {first}{more})")
    noun = "candidate misses" if len(absent) == 1 else "candidates miss"
    fact = f"{results.source}: {len(absent):,} {noun} runs: {few(absent, MOST_NAMED)}."
    ways = {"drop-judges": "leave such instances out", "worst": "count them as unsolved"}
    if results.holes.any(axis=0).all():
        del ways["drop-judges"]  # none would be left
    hint = "\n".join(f"{way}: {command_with(missing=p)}" for p, way in ways.items())
    raise errors.MissingScoresError(fact, hint=hint, remedy={"missing": "worst"})


def _treat_wrong(runs: Runs, rule: ScoringRule, wrong: str) -> Runs:
    bad = runs.status == WRONG
    if not bad.any():
        return runs
    if wrong in {"disqualify", "penalise"} and not rule.unsolved:
        fact = f"{rule.name} gives no score to runs that are not solved, so it cannot {wrong}."
        hint = f"counted as a missing quality: {command_with(wrong='unsolved')}"
        raise UsageError(fact, hint=hint)
    number, status = counted(int(bad.sum()), "wrong answer"), runs.status
    if wrong == "disqualify":
        guilty = np.unique(runs.candidate[bad])
        status = np.where(np.isin(runs.candidate, guilty), WRONG, status)
        names = [quoted(runs.candidates[i]) for i in guilty.tolist()]
        note = f"disqualified for {number}: {few(names, MOST_NAMED)}."
    else:
        ways = {"solved": "solved", "penalise": "unsolved, and penalised"}
        status = np.where(bad, SOLVED, status) if wrong == "solved" else status
        answers = []
        for row in np.flatnonzero(bad).tolist():
            where = runs.instances[runs.instance[row]]
            where += "" if runs.seed is None else f" #{runs.seeds[runs.seed[row]]}"
            answers.append(f"{quoted(runs.candidates[runs.candidate[row]])} on {quoted(where)}")
        note = f"{number} counted as {ways.get(wrong, 'unsolved')}: {few(answers, FEW)}."
    return runs.changed(status=status.astype(np.int8), notes=(*runs.notes, note))


def _treat_unverified(runs: Runs, rule: ScoringRule, options: Options) -> Runs:
    """Return the runs with claims that nobody verified as unsolved, where that was asked for."""
    if options.unverified != "unsolved":
        return runs
    fact = ""
    if runs.verified is None:
        fact = f"{runs.source} has no column that says which answers are verified."
    elif not rule.unsolved:
        fact = f"{rule.name} gives no score to runs that are not solved."
    if fact:
        raise UsageError(fact, hint=f"with every answer: {command_with(unverified=None)}")
    claims = runs.solved & ~runs.verified
    note = f"{counted(int(claims.sum()), 'answer')} that nobody verified counted as unsolved."
    status = np.where(claims, UNKNOWN, runs.status).astype(np.int8)
    notes = (*runs.notes, *([Words(note, weight=LITTLE)] if claims.any() else []))
    return runs.changed(status=status, notes=notes)


def _about_unverified(
    runs: Runs, results: Results, rule: ScoringRule, options: Options
) -> Iterator[Words]:
    """Say how many answers count that nobody verified, and who is first without them."""
    if options.unverified is not None or runs.verified is None:
        return
    verified, claims = runs.solved & runs.verified, runs.solved & ~runs.verified
    if "verified" in rule.needs or not rule.unsolved or not (claims.any() and verified.any()):
        return
    fact = f"{int(claims.sum()):,} of {int(runs.solved.sum()):,} solved answers are not verified"
    strict = score_runs(runs, replace(options, unverified="unsolved"))
    means, stricter = _means(results), _means(strict)
    first, others = ([results.candidates[i] for i in _best(each)] for each in (means, stricter))
    way = say("unverified", "unsolved")
    if results.by != "mean" or first == others:
        above, still = (np.sign(each[:, None] - each) for each in (means, stricter))
        same = (above == still).all() and means.max() == stricter.max()
        weight = NARROW if same else OTHER_ORDER
        yield Words(f"{fact} ({way} counts them as unsolved).", page=f"{fact}.", weight=weight)
        return
    who = f"{named(others)} {'is' if len(others) == 1 else 'are'} first"
    said = f"{fact}; without them {who}"
    yield Words(f"{said}: {way}.", page=f"{said}.", weight=OTHER_WINNER, good=False)


def _means(results: Results) -> Floats:
    """Return the mean of the known scores of everybody."""
    known = ~np.isnan(results.scores)
    totals = np.where(known, results.scores, 0) @ results.weights
    return totals / np.maximum(known @ results.weights, np.finfo(float).tiny)


def _best(means: Floats) -> list[int]:
    return np.flatnonzero(np.isclose(means, means.max(), rtol=1e-12, atol=0)).tolist()


def _results(runs: Runs, rule: ScoringRule, table: tables.Table, options: Options) -> Results:
    about: dict[str, list[str]] = {}
    for name, names in (("stratum", runs.strata), ("cluster", runs.clusters)):
        if getattr(runs, name) is not None:
            of_instance = of_instances(runs, name, names)
            about[name] = [names[of_instance[code]] for code in table.judge_codes]
    table = replace(table, about=about, notes=(*runs.notes, *table.notes))
    if runs.weight is None:
        weights = judges.weights_of(table, options, Numbers())
    else:
        weights = np.asarray(of_instances(runs, "weight")[list(table.judge_codes)])
    way = f"{rule.name}, {rule.better} is better"
    facts = (("statuses", runs.statuses_in_words), ("rule", way))
    origin: Any = {"source": runs.source, "library": runs.library, "instances": table.origins}
    nouns = replace(runs.nouns, **options.noun or {})
    one = nouns.judge
    if table.origins is not None:  # a judge is a run of an instance, by all candidates
        own = nouns.cluster if runs.cluster is not None else one
        nouns = replace(nouns, judge=f"{one} run", cluster=own, repeat=SEED)
    origin |= {"nouns": nouns, "title": runs.title, "official": runs.official}
    origin |= {"better": rule.better, "reading": (*runs.reading, *facts, *table.facts)}
    results = judges.results_of(table, options, weights, **origin)
    solved = np.bincount(runs.instance[runs.solved], minlength=len(runs.instances))
    unsolved = int((solved == 0).sum())
    if not unsolved or not rule.unsolved:
        return results
    nobody = f"nobody solved {unsolved:,} of {counted(len(solved), one)}."
    return results.changed(notes=(*results.notes, Words(nobody, weight=TRIFLE)))


def with_cutoff(runs: Runs, options: Options) -> Runs:
    columns = {"cutoff": options.cutoff, "late": options.late}
    said = {name: value for name, value in columns.items() if value is not None}
    return replace(runs, **said) if said else runs
