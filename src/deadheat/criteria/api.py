"""Tables in, a comparison of ranking functions out: the experiment of Pavao et al. (2021)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import PurePath
from typing import Any, Literal, get_args

import numpy as np

from deadheat.core.errors import (
    DataError,
    ScaleError,
    TooLongError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    quoted,
)
from deadheat.core.memory import MOST, require_count
from deadheat.core.options import TRIALS
from deadheat.core.types import Floats, require_whole
from deadheat.core.weights import TRIFLE
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.result import FEW_CASES, OF_THE_PAPER, Criteria
from deadheat.criteria.trials import Correlation, Stability, Stage, TableValues, Task, measure_table
from deadheat.data.reading.read import are_tables, read_all, require_known
from deadheat.data.results import Results, provenance_of, provenance_of_all
from deadheat.output.text import percent
from deadheat.ranking.function import RankingFunction, get
from deadheat.ranking.on_tables import (
    PAPER,
    functions_for,
    merits_of,
    remarks_on,
    require_usable,
    usable,
)
from deadheat.ranking.ranks import ranks
from deadheat.resampling.checkpoint import resumable
from deadheat.resampling.engines import Engine, Progress, Readers
from deadheat.resampling.engines import engine as opened
from deadheat.resampling.plans import Axis, Bootstrap
from deadheat.statistics.concordance import (
    JudgeRanks,
    concordance,
    permutation_test,
    spearman_matrix,
    sums_of,
    tau_b_matrix,
)

Compat = Literal["esann-notebook"]
BYTES_PER_TRIAL = 256  # and function: the values of all criteria, and what is made of them
BYTES_PER_RANK = 64  # of rankings that are compared with each other, in all workers
SECONDS_PER_TABLE = 3e-6
SECONDS_PER_CELL = 8e-9
RATES = {"condorcet_rate": "Condorcet winner", "majority_rate": "majority winner"}
WHY_SKIPPED = {
    "no judge out of the bag": "every judge was drawn",
    "fewer than two candidates": "only one candidate was drawn",
}
WORTH_SAYING = 0.01  # of what a criterion is measured on: less is in the counts alone


@resumable
def criteria(
    table: Any,
    *,
    by: object = None,
    trials: int = TRIALS,
    seed: int = 0,
    q: int = 100,
    repeats: int = 10,
    correlation: Correlation = "spearman",
    stability: Stability | None = None,
    compat: Compat | None = None,
    over: Axis = "both",
    benchmarks: Mapping[str, Sequence[str]] | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Criteria:
    """Measure which ranking function can be trusted on a table, or on several.

    Judges and candidates are resampled, and every function ranks the same resampled tables. How
    high do the judges rank the winner, does a Condorcet winner win, does the ranking predict judges
    that were not drawn? Then judges alone, and candidates alone: how alike are the rankings [1]_? A
    baseline takes the ranking of one judge at random. ``_se`` is the Monte-Carlo error,
    ``_se_tables`` the standard error over tables; the error bars of [1]_ are the standard deviation
    over trials divided by the root of the number of tables.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 3.

    Parameters
    ----------
    table
        What :func:`deadheat.read` reads, or a list of such; ``reading`` are its options.
    by
        The ranking functions; by default the six of [1]_ and ``relative_difference_ranks``, as far
        as the scores allow them.
    trials
        How many resampled tables for winner rank, Condorcet rate and generalization; with 0 nothing
        is resampled, and only the rankings of the whole tables are compared.
    q, repeats
        Stability compares ``q`` rankings with each other, ``repeats`` times.
    correlation, stability
        ``spearman`` or ``kendall`` (tau-b); its ``mean`` over all pairs, or ``kendall_w`` (over
        judges only).
    compat
        ``esann-notebook`` does as the authors' notebook: winner rank, Condorcet and majority rate
        resample candidates only, copies of a candidate count as candidates, of tied winners only
        the first of the table counts, and the stability over judges is Kendall's W.
    over
        What the trials resample: ``both``, ``judges`` or ``candidates``.
    benchmarks
        Tables that count as one: the name of a benchmark, and the names of its tables, which have
        the same candidates. It counts by the mean over its tables.
    progress
        Is told how much of the work is done, and how much there is: cells of resampled tables.

    Examples
    --------
    >>> import deadheat as dh
    >>> found = dh.criteria(dh.examples.load("compressors"), by="mean,copeland", trials=100)
    >>> [row["stability_candidates"] for row in found.rows()][0]
    1.0
    """
    require_words(correlation, stability, compat)
    require_known(criteria, reading)
    results = read_complete(table, engine, **reading)
    require_room(results, by, trials=trials, q=q, repeats=repeats)
    fs, swaps, notes = choose_functions(results, by)
    labels = _benchmark_of_each(results, benchmarks or {})
    notebook = compat == "esann-notebook"
    steadiness: Stability = stability or ("kendall_w" if notebook else "mean")
    stages = [Stage(criteria=tuple(CRITERIA.values()))]  # nothing is drawn
    if trials:
        on_trials = [c for c in CRITERIA.values() if c.over == "trials"]
        winners = tuple(c for c in on_trials if c.of_winners and notebook)
        rest = tuple(c for c in on_trials if c not in winners)
        plan = partial(Bootstrap, replicates=trials, seed=seed)
        stages = [Stage(criteria=winners, plan=plan(over="candidates"))] if winners else []
        stages.append(Stage(criteria=rest, plan=plan(over=over)))
        for axis in ("judges", "candidates"):
            some = tuple(c for c in CRITERIA.values() if c.over == axis)
            stages.append(Stage(criteria=some, axis=axis, q=q, sets=repeats, stability=steadiness))
    how: dict[str, Any] = {"seed": seed, "correlation": correlation, "notebook": notebook}
    tasks = [
        Task(results=each, functions=tuple(swap.get(f, f) for f in fs), benchmark=label, **how)
        for each, swap, label in zip(results, swaps, labels, strict=True)
    ]
    with opened(engine) as running:
        tasks, measured, refusal = _measure_tables(tasks, stages, running, progress)
        agreed = [_agreement(each, seed, shuffle=bool(trials)) for each in results]
    fs = [f for f in fs if not (refusal and f.slow)]
    how = {"function": [f.name for f in fs], "seed": seed, "trials": trials, "q": q}
    how |= {"repeats": repeats, "correlation": correlation, "stability": steadiness}
    how |= {"compat": compat, "over": over}
    one = len(results) == 1
    origin = provenance_of(results[0], **how) if one else provenance_of_all(results, **how)
    found = Criteria(
        made=origin,
        library=results[0].library,
        functions=tuple(fs),
        criteria=tuple(CRITERIA.values()),
        measured=measured,
        correlation=correlation,
        rankings=np.stack([_rankings(task) for task in tasks]),
        concordance=tuple(w for w, _ in agreed),
        p_values=tuple(p for _, p in agreed),
        substitutes={
            each.source: {f.name: other.name for f, other in swap.items()}
            for each, swap in zip(results, swaps, strict=True)
            if swap
        },
    )
    said = [note for each in results for note in each.notes]
    remarks = [remark for each in results for f in fs for remark in remarks_on(each, f)]
    same = [
        f"{one.source} and {other.source} hold the same scores: the noise over tables looks "
        "smaller than it is."
        for one, other in combinations(results, 2)
        if one.sha256 == other.sha256
    ]
    warnings = [*said, *notes, *refusal, *remarks, *same]
    nothing = found.nothing_to_rank
    if not trials:
        return replace(found, warnings=tuple(dict.fromkeys(warnings)))
    for each, why in zip(measured, nothing, strict=True) if not all(nothing) else ():
        warnings += [f"{why}."] if why else _cautions(found, each)
    return replace(found, warnings=tuple(dict.fromkeys(warnings)))


def require_words(
    correlation: str, stability: str | None = None, compat: str | None = None
) -> None:
    for what, word, kinds in (
        ("correlation", correlation, get_args(Correlation)),
        ("stability", stability, (None, *get_args(Stability))),
        ("notebook to be compatible with", compat, (None, *get_args(Compat))),
    ):
        if word not in kinds:
            raise UnknownNameError(what, str(word), filter(None, kinds))


def require_room(results: list[Results], by: object, *, trials: int, q: int, repeats: int) -> None:
    """Refuse numbers of resampled tables of which the values do not fit into memory."""
    for name, value, least, usual in (
        ("trials", trials, 0, TRIALS),
        ("q", q, 2, 100),
        ("repeats", repeats, 1, 10),
    ):
        require_whole(name, value, least, hint=f"as in the paper: {command_with(**{name: usual})}")
    size = len(functions_for(results[0], PAPER if by is None else by)[0])
    cells = max(each.n * each.m for each in results)
    longest = max(each.n + each.m for each in results)
    seconds = size * len(results) * (SECONDS_PER_TABLE + SECONDS_PER_CELL * cells)
    held = BYTES_PER_TRIAL * size * len(results)
    for number, noun, option, bytes_each, tables in (
        (trials, "trials", "trials", held, 1),
        (q, "rankings to compare", "q", BYTES_PER_RANK * longest * size, 2 * min(repeats, MOST)),
        (repeats, "repeats", "repeats", held, 2 * min(q, MOST)),
    ):
        costs = {"bytes_each": bytes_each, "seconds_each": tables * seconds}
        require_count(number, noun, option=option, **costs)


Swap = dict[RankingFunction, RankingFunction]


def choose_functions(
    results: list[Results], by: object
) -> tuple[list[RankingFunction], list[Swap], list[str]]:
    """Return the functions that can rank every table, by table what stands in for one, and notes.

    Where the scores of some tables do not suit a function, and those of others do, its substitute
    ranks the former.
    """
    chosen, named = functions_for(results[0], PAPER if by is None else by)
    named = [] if by is None else named
    if all(f.baseline for f in chosen):
        fact = f"{listed(f.name for f in chosen)} is the baseline that others are measured against."
        raise UsageError(fact, hint=f"by average rank: {command_with(by='average_rank')}")
    chosen = [f for f in chosen if not f.baseline]  # in the last row, drawn anew in every trial
    swaps: list[Swap] = [{} for _ in results]
    notes: list[str] = []
    for f in [f for f in chosen if f.substitute]:
        faults = [_scale_fault(each, f) for each in results]
        for each, swap, fault in zip(results, swaps, faults, strict=True):
            if fault is not None and not all(faults):
                swap[f] = get(f.substitute)
                stands_in = f"{f.substitute} stands in for it."
                notes.append(f"{each.source}: {f.name} {fault.predicate} {stands_in}")
    for each, swap in zip(results, swaps, strict=True):
        fit, refused = usable(each, [swap.get(f, f) for f in chosen], named)
        chosen = [f for f in chosen if swap.get(f, f) in fit]
        notes += refused
        for f in [f for f in chosen if f.slow]:
            try:  # before the work begins
                merits_of(each, [f])
            except UsageError as error:
                if f in named:
                    raise
                chosen.remove(f)
                notes.append(f"{f.name} is left out: {error.predicate}")
    if not chosen:
        raise DataError(
            "no ranking function can rank every table.",
            hint="average_rank can.",
        )
    return chosen, swaps, notes


def _scale_fault(results: Results, f: RankingFunction) -> ScaleError | None:
    try:
        require_usable(results, f)
    except ScaleError as error:
        return error
    return None


def _apart() -> str:
    return f"every table as a benchmark of its own: {command_with(benchmarks=None)}"


def _benchmark_of_each(
    results: list[Results], benchmarks: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return the benchmark of each table, by default none; its tables have the same candidates."""
    by_name = {each.source: k for k, each in enumerate(results)}
    labels = [""] * len(results)
    for label, names in benchmarks.items():
        first = None
        for name in [names] if isinstance(names, str) else names:
            k = by_name.get(PurePath(name).name, by_name.get(name))
            if k is None:
                raise UnknownNameError(f"table of benchmark {label!r}", name, by_name)
            if labels[k]:
                fact = f"{name} is said to be of two benchmarks, {labels[k]!r} and {label!r}."
                raise UsageError(fact, hint=_apart())
            labels[k], first = label, results[k] if first is None else first
            apart = sorted(set(first.candidates) ^ set(results[k].candidates))
            if apart:
                has, lacks = (
                    (results[k], first)
                    if apart[0] in results[k].candidates
                    else (first, results[k])
                )
                raise DataError(
                    f"benchmark {label!r} has tables of different candidates: {has.source} has "
                    f"{quoted(apart[0])}, and {lacks.source} lacks it ({len(apart):,} in all).",
                    hint=_apart(),
                )
    return labels


def _measure_tables(
    tasks: list[Task], stages: list[Stage], running: Engine, progress: Progress | None
) -> tuple[list[Task], tuple[TableValues, ...], list[str]]:
    """Measure all tables; without the slow functions where one gives up on a resampled table."""
    slow = [f.name for f in tasks[0].functions if f.slow]
    tables, done = [task.results for task in tasks], 0
    all_work = sum(s.work(each, k) for each in tables for s in stages for k in s.parts(each))

    def tell(work: int) -> None:
        nonlocal done
        done += work
        if progress is not None:
            progress(done, all_work)

    try:
        return tasks, tuple(measure_table(task, stages, running, tell) for task in tasks), []
    except UsageError as error:
        quick = [tuple(f for f in task.functions if not f.slow) for task in tasks]
        if isinstance(error, TooLongError) and not quick[0]:
            raise error.resampled() from None
        if not slow or not quick[0]:
            raise
        said = f"{listed(slow)} left out: {error.clause} (in a resampled table)."
    tasks = [
        replace(task, functions=few, known={}, known_orders={})
        for task, few in zip(tasks, quick, strict=True)
    ]
    return tasks, _measure_tables(tasks, stages, running, progress)[1], [said]


def _rankings(task: Task) -> Floats:
    """Return the correlations between the rankings of the functions on the whole table, (F, F)."""
    merits = merits_of(task.results, task.functions, known=task.known)
    rankings = [ranks(merits[f.name][0], unit=task.units[f.name]) for f in task.functions]
    matrix = tau_b_matrix if task.correlation == "kendall" else spearman_matrix
    return matrix(np.stack(rankings))


def _without_holes(results: Results) -> str:
    whole, nouns = results.m - int(results.holes.any(axis=0).sum()), results.nouns
    ways = []
    if whole:
        keeps = f"only {nouns.judges(whole)}, which are whole"
        ways.append(f"{keeps}: {command_with(missing='drop-judges')}")
    if not results.holes.all(axis=0).any():
        ways.append(f"the worst score of its {nouns.judge}: {command_with(missing='worst')}")
    return "\n".join(ways) or f"leave out each {nouns.judge} without a score."


def read_complete(table: Any, engine: Any = None, **reading: Any) -> list[Results]:
    tables = table if are_tables(table) else [table]
    results = [
        each.without_idle_judges() for each in read_all(tables, **reading, engine=Readers(engine))
    ]
    for each in results:
        for i, j in np.argwhere(each.holes)[:1].tolist() if each.has_holes else ():
            raise DataError(
                f"{each.source}: the score of {each.place(i, j)} is missing "
                f"({int(each.holes.sum()):,} in all), and a {each.nouns.judge} that misses some "
                "cannot be compared with a ranking of all.",
                hint=_without_holes(each),
            )
    return results


def _agreement(results: Results, seed: int, *, shuffle: bool) -> tuple[float, float]:
    """Return Kendall's W of a table and its p-value: by shuffling where that is quick."""
    judges = JudgeRanks(results)
    sums = sums_of(judges)
    found = concordance(sums)
    by_shuffling = permutation_test(judges, sums, seed=seed) if shuffle else None
    return found.kendall_w, found.friedman_p if by_shuffling is None else by_shuffling.p


# ------------------------------------------------------------------------------
# What the reader must know about this request and these tables.


def _cautions(found: Criteria, table: TableValues) -> Iterator[str]:
    """Yield the sentences on a table that can be ranked, most important first."""
    results, name = table.results, table.results.source
    if results.n < 3:
        yield (
            f"{name} has {results.nouns.candidates(results.n)}: rank correlations are 1, -1 or "
            "undefined; criteria say little below 3."
        )
    yield from _rates(found, table)
    if np.count_nonzero(results.weights) < 2:
        yield (
            f"{name} has one {results.nouns.judge}: none is left to predict, and stability over "
            f"{results.nouns.judges()} is 1 by construction."
        )
    elif found.made["over"] == "candidates" and found.made["compat"] is None:
        many = results.nouns.judges()
        yield f"{many} are not resampled, so none is left out, and generalization is undefined."
    if skipped := list(_skipped_notes(found, table)):
        yield Words(f"{name}: skipped, because undefined, are {'; '.join(skipped)}.", weight=TRIFLE)
    yield from clusters_ignored(results)


def clusters_ignored(results: Results) -> Iterator[str]:
    if results.clusters is not None:
        one, many = results.nouns.judge, results.nouns.judges()
        yield (
            f"{results.source} has clusters of {many}, but {many} are drawn one by one: a {one} "
            "left out may have a relative among those drawn, which flatters generalization."
        )


def _rates(found: Criteria, table: TableValues) -> Iterator[str]:
    name, trials = table.results.source, found.made["trials"]
    if trials < FEW_CASES:
        cases = (f"{table.cases(c):,} of them have a {winner}" for c, winner in RATES.items())
        yield (
            f"{counted(trials, 'trial')} on {name}: too few for rates, because "
            f"{' and '.join(cases)}; the paper takes 10,000."
        )
        return
    for criterion, winner in RATES.items():
        number, rate = table.cases(criterion), f"{winner.split()[0]} rate"
        if number == 0:
            yield f"no trial on {name} has a {winner}, so the {rate} is undefined."
        elif number < FEW_CASES:
            left = " and left out of the average" if table not in found.used(criterion) else ""
            few = f"only {number} of {trials:,} trials on {name} have a {winner}"
            weight = 0.6 if criterion in OF_THE_PAPER else 0.1  # which the table shows
            yield Words(f"{few}: the {rate} is unreliable{left}.", weight=weight)


def _skipped_notes(found: Criteria, table: TableValues) -> Iterator[str]:
    """Yield how many trials, judges and pairs are skipped, and why; not where all are."""
    trials, counts = table.values["generalization"].shape[1], Counter(table.counts)
    for reason, because in WHY_SKIPPED.items():
        skipped = counts[f"generalization: {reason}"]
        if WORTH_SAYING * trials <= skipped < trials and skipped:
            yield f"{skipped:,} of {trials:,} trials in generalization ({because})"
    constant = counts["generalization: constant judges"]
    unseen = counts["generalization: judges out of the bag"]
    if constant and constant >= WORTH_SAYING * unseen:
        why = "they tie all candidates that were drawn"
        yield f"{constant:,} of {unseen:,} judges out of the bag ({why})"
    q, repeats = found.made["q"], found.made["repeats"]
    pairs = len(found.names) * repeats * q * (q - 1) // 2
    shares: list[str] = []
    for axis in ("judges", "candidates"):
        skipped = counts[f"stability_{axis}: pairs of rankings without a correlation"]
        if skipped and skipped >= WORTH_SAYING * pairs:
            of = " of the pairs of rankings" if not shares else ""
            shares.append(f"{percent(skipped / pairs)}{of} in stability over {axis}")
    if shares:
        yield f"{' and '.join(shares)} (one ties all, or they share fewer than two candidates)"
