"""Ask functions for the axioms they obey: by a search, or on a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import compress
from typing import Any, TypeVar

import numpy as np

from deadheat.axioms.axiom import (
    WEAK,
    AuditResult,
    Axiom,
    Case,
    Finding,
    Inquiry,
    Questions,
    axioms_named,
)
from deadheat.axioms.laws.winners import condorcet_winners, favourites
from deadheat.axioms.result import AxiomAudit, Axioms, claim_of
from deadheat.axioms.search import SearchResult, ranker_of, require_same_answer, search
from deadheat.core.errors import DataError, UsageError, ask, bare, command_with, counted, named
from deadheat.core.memory import MOST, how_long, rounded_down
from deadheat.core.types import Booleans, Floats, Integers, codes, require_seed, require_whole
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import Results, provenance_of
from deadheat.output.result import provenance
from deadheat.ranking.function import RankingFunction, functions_named
from deadheat.ranking.on_tables import (
    PAPER,
    first_by,
    functions_for,
    remarks_on,
    require_usable,
    usable,
)
from deadheat.ranking.ranks import levels
from deadheat.resampling.engines import Engine, Progress, Readers, with_progress
from deadheat.resampling.engines import engine as opened

Found = TypeVar("Found")
BUDGETS = {"satisfies": 5_000, "violates": 200_000, "unknown": 20_000}  # by what f claims
SECONDS_PER_CASE = 1e-5
LONGEST = 3_600.0  # seconds
By = str | RankingFunction | Iterable[str | RankingFunction]
MOST_FINDINGS = 10
MOST_PAIRS = 5
STEPS = 2e10  # comparisons that the questions of one axiom may take, for all functions together
CHEAP = "n m"
FEWEST, MOST_QUESTIONS = 20, 1_000
BY_COPIES = 100  # questions to a function that is called once for each


def axioms(
    by: By | None = None,
    *,
    table: Any = None,
    only: str | Iterable[str] | None = None,
    budget: int | None = None,
    seed: int = 0,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Axioms | AxiomAudit:
    """Search for tables on which ranking functions break axioms, or audit a table for them.

    Without a table, thousands of small random tables are tried; the first that breaks an axiom is
    shrunk to the fewest candidates and judges. On a table each candidate is taken away or copied,
    each judge is taken away, intervals of the ranking are kept alone, strata that rank alike are
    joined.

    All 42 entries of table 2 of [1]_, left, come out of the search; those for majority and
    Condorcet let a winner share the first place. Table 1 of its supplement shows a tie only, a weak
    violation; its tables 4 and 5 are true of ``relative_difference_ranks`` and not of the printed
    formula.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.

    Parameters
    ----------
    by
        A name, several, a :class:`RankingFunction`, or ``"all"``. By default the six functions of
        [1]_ and ``relative_difference_ranks``; on a table those that can rank it, and its own.
    table
        What :func:`deadheat.read` reads; ``reading`` are its options.
    only
        Names of axioms; all by default.
    budget
        How many applicable cases a search looks at for each function and axiom. By default 20,000;
        5,000 where the function claims the axiom, and as many as it takes, up to 200,000, where it
        is known to violate it.

    Examples
    --------
    >>> import deadheat as dh
    >>> row = dh.axioms("mean", only="condorcet").rows()[0]
    >>> row["holds"], row["counterexample"]["candidates"]
    (False, ['A', 'B'])
    """
    require_seed(seed)
    if budget is not None:
        usual = f"as usual: {command_with(budget=None)}"
        require_whole("the budget", budget, 1, hint=usual)
    require_known(axioms, reading)
    laws = axioms_named(only)
    if table is not None:
        if budget is not None:
            raise UsageError(
                "the budget is that of a search, and a table is asked all there is to ask.",
                hint=f"without the budget: {command_with(budget=None)}",
            )
        return _audit(
            by, read(table, **reading, engine=Readers(engine)), laws, seed, engine, progress
        )
    if reading:
        raise UsageError(
            f"{', '.join(reading)} says how to read a table, and none is given.",
            hint="give the table as well: table=...",
        )
    fs, _ = functions_named(PAPER if by is None else by)
    pairs = [(f, law) for f in fs for law in laws]
    if budget is not None:
        _require_time(budget, len(pairs))
    return Axioms(
        made=provenance(function=[f.name for f in fs], seed=seed, budget=budget or dict(BUDGETS)),
        functions=tuple(fs),
        found=_each(pairs, partial(_search, budget, seed), engine, progress),
    )


def _search(budget: int | None, seed: int, f: RankingFunction, law: Axiom) -> SearchResult:
    most = BUDGETS[claim_of(f, law) or "unknown"] if budget is None else budget
    return search(f, law, budget=most, seed=seed)


def _each(
    pairs: list[tuple[RankingFunction, Axiom]],
    inquire: Callable[[RankingFunction, Axiom], Found],
    on: str | Engine,
    progress: Progress | None,
) -> dict[tuple[str, str], Found]:
    """Return what is found for each function and axiom; a task is the number of a pair."""
    with opened(on) as running:
        answers = running.map(partial(_of_pair, inquire, pairs), range(len(pairs)))
        found = list(with_progress(answers, len(pairs), progress))
    return {(f.name, law.name): each for (f, law), each in zip(pairs, found, strict=True)}


def _of_pair(
    inquire: Callable[[RankingFunction, Axiom], Found],
    pairs: list[tuple[RankingFunction, Axiom]],
    k: int,
) -> Found:
    return inquire(*pairs[k])


def _audit(
    by: By | None,
    results: Results,
    laws: list[Axiom],
    seed: int,
    engine: str | Engine,
    progress: Progress | None,
) -> AxiomAudit:
    if results.n < 2:  # a single judge is enough to ask most axioms
        fact = f"{results.source} has {results.nouns.candidates(results.n)}"
        hint = f"at least 2 are needed; what was read: {ask('check', 'FILE')}"
        raise DataError(f"{fact}: nobody to compare it with.", hint=hint)
    own = [f for f in functions_for(results)[0] if f.name not in PAPER]
    usual = [*own, *functions_named(PAPER)[0]]
    fs, called = functions_for(results, by) if by is not None else (usual, [])
    fs, refusals = usable(results, fs, called)
    if not fs:
        require_usable(results, functions_for(results)[0][0])
    most = {f.name: _most(results, f, len(fs)) for f in fs}
    for f in fs:
        inquiry = _inquiry(results, f, most[f.name], seed)
        require_same_answer(f, inquiry.rank, inquiry.profiles, np.ones((1, results.n)))
    pairs = [(f, law) for f in fs for law in laws if law.audited]
    found = _each(pairs, partial(_ask, results, most, seed), engine, progress)
    remarks = [remark for f in fs for remark in remarks_on(results, f)]
    remarks += _sampling_notes(results, most)
    remarks += [law.left_out(results.n) for law in laws if law.audited]
    return AxiomAudit(
        made=provenance_of(results, function=[f.name for f in fs], seed=seed),
        warnings=tuple(dict.fromkeys(filter(None, (*results.notes, *refusals, *remarks)))),
        library=results.library,
        functions=tuple(fs),
        found=found,
        special=special_winners(results),
        first=first_by(results, fs),
    )


def _ask(
    results: Results, most: dict[str, int], seed: int, f: RankingFunction, law: Axiom
) -> AuditResult:
    return audit_axiom(law, results, _inquiry(results, f, most[f.name], seed))


def _require_time(budget: int, searches: int) -> None:
    """Refuse a search of more than an hour; it may be done in parts, each with its own seed."""
    seconds = min(budget, MOST) * searches * SECONDS_PER_CASE
    if seconds > LONGEST:
        most = rounded_down(LONGEST / SECONDS_PER_CASE / searches)
        raise UsageError(
            f"{bare(f'{budget:,}')} cases in each of {counted(searches, 'search', 'searches')} "
            f"would take {how_long(seconds)}; more than an hour is refused.",
            hint=f"up to {most:,}, and more with another seed: {command_with(budget=most)}",
        )


def _most(results: Results, f: RankingFunction, functions: int) -> int:
    """Return how many candidates and judges are taken away: all, or a sample that is affordable."""
    n, m = results.scores.shape
    steps = 10 * n * m if f.cost == CHEAP else n * n * (m + n)
    largest = BY_COPIES if f.form == "table" or f.slow else MOST_QUESTIONS
    return int(np.clip(STEPS / functions / steps, FEWEST, largest))


def _inquiry(results: Results, f: RankingFunction, most: int, seed: int) -> Inquiry:
    present = results.weights > 0
    strata = np.zeros((0, results.m), dtype=bool)  # which judges belong to each
    if results.strata is not None:
        label = codes(tuple(results.strata))
        parts = (label == np.arange(label.max() + 1)[:, None]) & present
        strata = parts[parts.any(axis=1)]
    tried, heard = (
        np.sort(np.random.default_rng(seed).choice(size, min(size, most), replace=False))
        for size in results.scores.shape
    )
    return Inquiry(
        levels(results.scores, tolerance=results.tie_tol),
        present[None].astype(np.float64),
        ranker_of(f, results),
        weights=results.weights,
        parts=strata,
        tried=tried,
        heard=heard,
    )


def _sampling_notes(results: Results, most: dict[str, int]) -> Iterator[str]:
    """Yield what is left out of the questions, in words, once for functions that are alike."""
    sizes = dict(zip(("candidates", "judges"), results.scores.shape, strict=True))
    for number in dict.fromkeys(most.values()):
        few = [f"{number:,} of {size:,} {kind}" for kind, size in sizes.items() if size > number]
        names = [name for name in most if most[name] == number]
        if few:
            who = named(names, most=len(names))
            yield f"{who}: {' and '.join(few)} were taken away, drawn at random."


def audit_axiom(axiom: Axiom, results: Results, inquiry: Inquiry) -> AuditResult:
    found = AuditResult(axiom)
    for questions in axiom.questions(inquiry):
        ranks = inquiry.ranks_for(questions)
        demands = axiom.demands(questions, ranks)
        found.count(demands)
        before, after = _first(ranks[:, 0]), _first(ranks[:, -1])
        gone = before & (questions.copies_of(-1) == 0)
        new = np.asarray((before != after).any(axis=1) & ~gone.any(axis=1))
        found.winner += int((new & (demands.worst > 0)).sum())
        number = (demands.levels > 0).sum(axis=(1, 2))
        worst_first = np.lexsort([-number, ~new, -demands.worst])[:MOST_FINDINGS]
        for q in worst_first[demands.worst[worst_first] > 0].tolist():
            finding = _finding(axiom, results, questions, q, ranks[q], demands.levels[q])
            finding.first = list(compress(results.candidates, after[q])) if new[q] else None
            found.findings.append(finding)
        # The worst stay: strong ones, then new winners, then those that turn most.
        found.findings.sort(key=lambda f: (-f.case.level, f.first is None, -f.number))
        del found.findings[MOST_FINDINGS:]
    return found


def special_winners(results: Results) -> dict[str, str | None]:
    """Return who is first for a majority of judges, and who wins every duel; None for nobody."""
    scores = levels(results.scores, tolerance=results.tie_tol)
    judges = (results.weights > 0)[None].astype(np.float64)
    one = Questions(scores, judges, np.ones((1, results.n)), np.zeros((1, 1), int), results.weights)
    found = {"majority_winner": favourites(one)[0], "condorcet_winner": condorcet_winners(one)[0]}
    return {
        key: results.candidates[int(np.argmax(who))] if who.any() else None
        for key, who in found.items()
    }


def _first(ranks: Floats) -> Booleans:
    return np.asarray(ranks == np.fmin.reduce(ranks, axis=1, keepdims=True))


def _finding(
    axiom: Axiom, results: Results, questions: Questions, q: int, ranks: Floats, worse: Integers
) -> Finding:
    """Return a violation with the worst pair that stands highest in the first ranking."""
    worst = int(worse.max())
    pairs, worlds = np.argwhere(worse == worst), questions.places[q]
    places = np.nan_to_num(ranks[0], nan=np.inf)[pairs]
    u, v = pairs[int(np.lexsort([places.sum(axis=1), places.min(axis=1)])[0])].tolist()
    case = Case(
        axiom=axiom,
        scores=results.scores,
        candidates=tuple(results.candidates),
        judges=tuple(results.judges),
        present=(questions.judges[worlds] > 0).astype(np.int64),
        copies=questions.copies[worlds].astype(np.int64),
        ranks=ranks,
        pair=(u, v),
        level=worst,
        levels=questions.scores,
        weights=results.weights,
    )
    once = {tuple(sorted(pair)): pair for pair in pairs.tolist()}
    ties = {tuple(sorted(pair)) for pair in np.argwhere(worse == WEAK).tolist()}
    few = [[case.candidates[i] for i in pair] for pair in list(once.values())[:MOST_PAIRS]]
    return Finding(case, few, len(once), len(ties))
