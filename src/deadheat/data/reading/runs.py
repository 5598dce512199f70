"""From runs to the table that is ranked: one score per run, (instance, seed) are the judges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from deadheat.data.cells import Cells, Table, table_of
from deadheat.data.gathered import Gathered
from deadheat.data.given import read_only
from deadheat.data.judgewise import labels_of, weights_of
from deadheat.data.numbers import Numbers
from deadheat.data.options import Options
from deadheat.data.reference import REPLICATE, referenced
from deadheat.data.results import Results
from deadheat.data.rule import ScoringRule, rule_of
from deadheat.data.run_checks import of_instances
from deadheat.data.runs import Runs
from deadheat.data.status import SOLVED, WRONG
from deadheat.data.wording import both
from deadheat.errors import MissingScoresError, UsageError, counted, quoted
from deadheat.typing import Booleans, Floats, MissingPolicy

NAMED = 5
FEW = 3


def scored(runs: Runs, options: Options) -> Results:
    """Return the table of scores that the rule of the options gives, ready to be ranked.

    A run that is absent is a missing score; ``missing="worst"`` counts it as unsolved.

    Notes
    -----
    Differs from [1]_, which resamples all runs alike: runs of one instance under several seeds are
    judges of one cluster, because seeds are no new instances and intervals that take them for such
    are too short.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI: robustly ranking solvers
           using statistical resampling", "Bootstrap analysis of competition data".
    """
    rule = rule_of(options.rule, options.better)
    runs = referenced(runs, options.reference)
    by = _function(rule, options.reference)
    wrong = options.wrong or "unsolved"
    runs = _judged(runs, rule, wrong)
    if options.missing == "worst":
        runs = runs.completed()
    scores = rule(runs)
    if wrong == "penalise":
        scores = penalised(runs, scores, rule)
    table = table_of(
        Cells(
            candidate=runs.candidate,
            judge=runs.instance,
            values=scores,
            lines=runs.lines,
            candidates=tuple(runs.candidates),
            judges=tuple(runs.instances),
            repeat=runs.seed,
            repeats=tuple(runs.seeds),
            source=runs.source,
        ),
        combine=options.combine or ("error" if runs.seed is None else "judges"),
        available=options.missing == "available",
    )
    return _results(runs, rule, table, options).changed(
        by=by, rule=rule.name, total=rule.total, heading=rule.heading or rule.total or rule.name
    )


def penalised(runs: Runs, scores: Floats, rule: ScoringRule) -> Floats:
    """Return scores in which a wrong answer is worse than none at all.

    The penalty is as large as the score of a run that is not solved, and at least one point: -1
    instead of 0 for ``solved``, four times the cutoff instead of two for PAR2.
    """
    penalty = np.maximum(np.abs(scores), 1.0)
    worse = scores - penalty if rule.better == "higher" else scores + penalty
    return np.where(runs.status == WRONG, worse, scores)


def refuse_absent(results: Results) -> None:
    """Refuse missing scores of runs, and say who misses how many."""
    holes = results.holes.sum(axis=1)
    found = np.argsort(-holes, kind="stable")[: int((holes > 0).sum())].tolist()
    told = [_misses(results, i) for i in found[:NAMED]]
    more = f" and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    noun = "candidate misses" if len(found) == 1 else "candidates miss"
    raise MissingScoresError(
        f"{results.source}: {len(found):,} {noun} runs: {', '.join(told)}{more}.",
        hint=f"{both('missing', 'worst')} counts them as unsolved, "
        f"{both('missing', 'drop-judges')} leaves such instances out.",
    )


def _misses(results: Results, i: int) -> str:
    places = np.flatnonzero(results.holes[i])
    first = quoted(results.judges[places[0]]) + (", ..." if len(places) > 1 else "")
    return f"{quoted(results.candidates[i])} ({len(places):,} of {results.m:,}: {first})"


def _function(rule: ScoringRule, reference: Any) -> str:
    """Return the name of the ranking function that ranks the table of the rule."""
    if not (isinstance(reference, str) and reference == REPLICATE):
        return rule.by
    if not rule.replicate:
        raise UsageError(
            f"{rule.name} looks for no best among the candidates, so nothing can be replicated.",
            hint="leave out reference='replicate'; it is for ipc-sat and ipc-agile.",
        )
    return rule.replicate


def _judged(runs: Runs, rule: ScoringRule, wrong: str) -> Runs:
    """Return the runs with wrong answers as what they are said to be."""
    bad = runs.status == WRONG
    if not bad.any():
        return runs
    if wrong in {"disqualify", "penalise"} and not rule.unsolved:
        raise UsageError(
            f"{rule.name} gives no score to runs that are not solved, so it cannot {wrong}.",
            hint=f"{both('wrong', 'unsolved')} counts the quality of a wrong answer as missing.",
        )
    number = counted(int(bad.sum()), "wrong answer")
    status = runs.status
    if wrong == "solved":
        status = np.where(bad, SOLVED, status)
        told = f"{number} counted as solved: {_answers(runs, bad)}."
    elif wrong == "disqualify":
        guilty = np.unique(runs.candidate[bad])
        status = np.where(np.isin(runs.candidate, guilty), WRONG, status)
        names = ", ".join(quoted(runs.candidates[i]) for i in guilty[:NAMED].tolist())
        more = f" and {len(guilty) - NAMED:,} more" if len(guilty) > NAMED else ""
        told = f"disqualified for {number}: {names}{more}."
    else:
        also = ", and penalised" if wrong == "penalise" else ""
        told = f"{number} counted as unsolved{also}: {_answers(runs, bad)}."
    return runs.changed(status=status.astype(np.int8), notes=(*runs.notes, told))


def _answers(runs: Runs, bad: Booleans) -> str:
    """Return who gave the first few of some answers, and on which judge."""
    rows = np.flatnonzero(bad)
    told = []
    for row in rows[:FEW].tolist():
        seed = "" if runs.seed is None else f" #{runs.seeds[runs.seed[row]]}"
        where = f"{runs.instances[runs.instance[row]]}{seed}"
        told.append(f"{quoted(runs.candidates[runs.candidate[row]])} on {quoted(where)}")
    return ", ".join(told) + (f" and {len(rows) - FEW:,} more" if len(rows) > FEW else "")


def _results(runs: Runs, rule: ScoringRule, table: Table, options: Options) -> Results:
    about = {name: _per_judge(runs, name, table) for name in ("stratum", "cluster")}
    gathered = Gathered(
        values=table.values,
        candidates=runs.candidates,
        judges=table.judges,
        about={name: labels for name, labels in about.items() if labels is not None},
        origins=table.origins,
    )
    strata, _ = labels_of(gathered, options, "stratum")
    clusters, no_cluster = labels_of(gathered, options, "cluster")
    if clusters is None and table.origins is not None:
        clusters = list(table.origins)
    notes = (*runs.notes, *table.notes, no_cluster, _nobody(runs, rule))
    return Results(
        scores=read_only(table.values),
        better=rule.better,
        candidates=runs.candidates,
        judges=table.judges,
        judge_weights=_weights(runs, gathered, table, options),
        strata=strata,
        clusters=clusters,
        instances=table.origins,
        missing=cast("MissingPolicy", options.missing or "error"),
        tie_tol=0.0 if options.tie_tol is None else options.tie_tol,
        source=runs.source,
        reading=(
            *runs.reading,
            ("statuses", runs.statuses_in_words),
            ("rule", f"{rule.name}, {rule.better} is better"),
            *table.facts,
        ),
        notes=tuple(filter(None, notes)),
        library=runs.library,
    )


def _weights(runs: Runs, gathered: Gathered, table: Table, options: Options) -> Floats | None:
    if runs.weight is None:
        return weights_of(gathered, options, Numbers())
    return np.asarray(of_instances(runs, "weight")[list(table.judge_codes)])


def _per_judge(runs: Runs, name: str, table: Table) -> list[str] | None:
    if getattr(runs, name) is None:
        return None
    names = runs.strata if name == "stratum" else runs.clusters
    of_instance = of_instances(runs, name, names)
    return [names[of_instance[code]] for code in table.judge_codes]


def _nobody(runs: Runs, rule: ScoringRule) -> str:
    """Return a note on the instances that no candidate solved."""
    if not rule.unsolved:
        return ""
    solved = np.bincount(runs.instance[runs.solved], minlength=len(runs.instances))
    number = int((solved == 0).sum())
    return f"nobody solved {number:,} of {counted(len(solved), 'instance')}." if number else ""


def given_runs(runs: Runs, options: Options) -> Runs:
    """Return runs with what was said about them when they were there already."""
    if options.cutoff is None and options.late is None:
        return runs
    columns = {"cutoff": options.cutoff, "late": options.late}
    return replace(runs, **{name: value for name, value in columns.items() if value is not None})
