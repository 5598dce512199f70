"""Ask functions for the axioms they obey: by a search, or on a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from deadheat.axioms.audit import Table, audited, special_winners
from deadheat.axioms.axiom import Axiom
from deadheat.axioms.axiom import chosen as chosen_axioms
from deadheat.axioms.result import AxiomAudit, Axioms, claimed
from deadheat.axioms.search import require_same_answer, search
from deadheat.core.errors import DataError, UsageError, bare, counted, say
from deadheat.core.memory import MOST, how_long, rounded_down
from deadheat.core.types import require_seed, require_whole
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import Results, made_from
from deadheat.output.result import made
from deadheat.ranking.function import RankingFunction, functions_named
from deadheat.ranking.on_tables import (
    PAPER,
    first_by,
    functions_for,
    remarks_on,
    require_usable,
    usable,
)
from deadheat.resampling.replicate import Progress

BUDGETS = {"satisfies": 5_000, "violates": 200_000, "unknown": 20_000}  # by what f claims
SECONDS_PER_CASE = 1e-5
LONGEST = 3_600.0  # seconds
By = str | RankingFunction | Iterable[str | RankingFunction]


def axioms(
    by: By | None = None,
    *,
    table: Any = None,
    only: str | Iterable[str] | None = None,
    budget: int | None = None,
    seed: int = 0,
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
        [1]_ and ``relative_difference_ranks``; on a table those of them that can rank it, and the
        function that a table of runs is ranked by.
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
        usual = f"e.g. {say('budget', 20000)}, or leave it out."
        require_whole("the budget", budget, 1, hint=usual)
    require_known(axioms, reading)
    laws = chosen_axioms(only)
    if table is not None:
        if budget is not None:
            raise UsageError(
                "the budget is that of a search, and a table is asked all there is to ask.",
                hint="leave out either the budget or the table.",
            )
        return _audit(by, read(table, **reading), laws, seed, progress)
    if reading:
        raise UsageError(
            f"{', '.join(reading)} says how to read a table, and none is given.",
            hint=f"give one with {say('table')}, or leave the option out.",
        )
    fs, _ = functions_named(PAPER if by is None else by)
    pairs = [(f, law) for f in fs for law in laws]
    if budget is not None:
        _require_time(budget, len(pairs))
    found = {}
    for done, (f, law) in enumerate(pairs):
        if progress is not None:
            progress(done, len(pairs))
        most = BUDGETS[claimed(f, law) or "unknown"] if budget is None else budget
        found[f.name, law.name] = search(f, law, budget=most, seed=seed)
    return Axioms(
        made=made(function=[f.name for f in fs], seed=seed, budget=budget or dict(BUDGETS)),
        functions=tuple(fs),
        found=found,
    )


def _audit(
    by: By | None, results: Results, laws: list[Axiom], seed: int, progress: Progress | None
) -> AxiomAudit:
    if results.n < 2:  # a single judge is enough to ask most axioms
        raise DataError(
            f"{results.source} has {counted(results.n, 'candidate')}: nobody to compare it with.",
            hint="at least 2 candidates are needed; deadheat check shows what was understood.",
        )
    own = [f for f in functions_for(results)[0] if f.name not in PAPER]
    usual = [*own, *functions_named(PAPER)[0]]
    fs, named = functions_for(results, by) if by is not None else (usual, [])
    fs, refusals = usable(results, fs, named)
    if not fs:
        require_usable(results, functions_for(results)[0][0])
    table = Table(results, seed, len(fs))
    for f in fs:
        inquiry = table.inquiry(f)
        require_same_answer(f, inquiry.rank, inquiry.profiles, np.ones((1, results.n)))
    pairs = [(f, law) for f in fs for law in laws if law.audited]
    found = {}
    for done, (f, law) in enumerate(pairs):
        if progress is not None:
            progress(done, len(pairs))
        found[f.name, law.name] = audited(f, law, table)
    remarks = [remark for f in fs for remark in remarks_on(results, f)]
    remarks += table.sampled(fs)
    remarks += [law.left_out(results.n) for law in laws if law.audited]
    return AxiomAudit(
        made=made_from(results, function=[f.name for f in fs], seed=seed),
        warnings=tuple(dict.fromkeys(filter(None, (*results.notes, *refusals, *remarks)))),
        library=results.library,
        functions=tuple(fs),
        found=found,
        special=special_winners(results),
        first=first_by(results, fs),
    )


def _require_time(budget: int, searches: int) -> None:
    """Refuse a search of more than an hour; it may be done in parts, each with its own seed."""
    seconds = min(budget, MOST) * searches * SECONDS_PER_CASE
    if seconds > LONGEST:
        most = rounded_down(LONGEST / SECONDS_PER_CASE / searches)
        raise UsageError(
            f"{bare(f'{budget:,}')} cases in each of {counted(searches, 'search', 'searches')} "
            f"would take {how_long(seconds)}; more than an hour is refused.",
            hint=f"take up to {most:,}: {say('budget', most)}, fewer functions or axioms "
            f"({say('only')}), and another {say('seed')} for more.",
        )
