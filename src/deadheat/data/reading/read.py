"""Read a table of results: a file, standard input, a stream or a DataFrame."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import IO, Any, cast

from deadheat.data.battles import Battles
from deadheat.data.direction import direction_warnings
from deadheat.data.gathered import Gathered
from deadheat.data.given import read_only
from deadheat.data.head import Head
from deadheat.data.judgewise import labels_of, weights_of
from deadheat.data.layout import Long, layout_of, refuse_battles
from deadheat.data.long import gather_long
from deadheat.data.missing import resolved
from deadheat.data.numbers import Numbers
from deadheat.data.opening import begun, stream_of
from deadheat.data.options import Options
from deadheat.data.orientation import Wide
from deadheat.data.results import Results, require_tolerance
from deadheat.data.rule import rule_of
from deadheat.data.run_columns import is_runs, run_columns
from deadheat.data.run_rows import gather_runs
from deadheat.data.runs import Runs
from deadheat.data.scored import given_runs, refuse_absent, scored
from deadheat.data.source import complaints
from deadheat.data.stream import Block, Stream
from deadheat.data.turning import directions
from deadheat.data.where import Filter
from deadheat.data.wide import gather_wide
from deadheat.errors import UsageError
from deadheat.typing import MissingPolicy


def read(
    source: str | os.PathLike[str] | IO[Any] | Results | Any,
    *,
    better: str | Mapping[str, str] | Sequence[str] | None = None,
    layout: str | None = None,
    candidates: str | None = None,
    candidate: str | None = None,
    judge: str | None = None,
    score: str | None = None,
    stratum: str | None = None,
    cluster: str | None = None,
    weight: str | None = None,
    where: str | Iterable[str] | Mapping[str, Any] = (),
    missing: MissingPolicy | str | None = None,
    tie_tol: float | None = None,
    repeat: str | None = None,
    combine: str | None = None,
    rule: str | Callable[[Runs], Any] | None = None,
    status: str | None = None,
    time: str | None = None,
    quality: str | None = None,
    verified: str | None = None,
    cutoff: float | str | None = None,
    reference: str | os.PathLike[str] | Mapping[str, float] | None = None,
    statuses: str | Iterable[str] | Mapping[str, str] | None = None,
    late: str | None = None,
    wrong: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
    sidecar: str | os.PathLike[str] | None = None,
    ignore: str | Iterable[str] = (),
) -> Results:
    """Read a table of scores, wide or long, or of runs, and say what was understood.

    Layout, delimiter and header are guessed where they are not said; ``Results.reading`` reports
    them and ``Results.notes`` holds what deserves a warning. What the rows of a wide table are
    must be said or follow from names.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, an open file, any DataFrame, a ``Runs`` or a
        ``Results``; about a ``Results`` only ``missing`` and ``tie_tol`` can be said.
    better
        ``"higher"`` or ``"lower"``, one per judge, or a mapping from judge to direction. Required,
        here or in the sidecar, except for runs: there the rule says it.
    layout, candidates
        ``"wide"``, ``"long"`` or ``"runs"``; in a wide table, whether candidates are ``"rows"`` or
        ``"columns"``.
    candidate, judge, score
        The columns of a long table; in a wide table one of the first two is the label column and
        says what rows are.
    stratum, cluster, weight
        Columns with one value per judge.
    where
        ``"COL=VALUE"`` or ``"COL!=VALUE"``, several of them, or a mapping: the rows to keep.
    missing
        What to do about missing scores, ``"error"`` by default;
        see :func:`deadheat.data.missing.resolved`.
    repeat, combine
        The column that tells repeats of a long table apart, and whether several scores of one
        candidate on one judge are an ``"error"``, their ``"mean"``, or ``"judges"`` of their own.
    rule
        The scoring rule that makes scores of runs, ``"solved"`` by default: a name (see
        ``deadheat list scoring``) or a function ``Runs -> one score per run``.
    status, time, quality, verified, cutoff
        The columns of a table of runs; ``cutoff`` may also be a number of seconds, and
        ``repeat`` is the column of the seed.
    reference
        The best known quality of each instance: a column, a file, a mapping, ``"best-seen"``
        (the default), or ``"replicate"``: the best seen among whoever is in a replicate.
    statuses
        What unknown status words mean, as a mapping or as ``"word=status,word=status"``.
    late, wrong
        What a solved run above the cutoff is: ``"error"``, ``"timeout"`` or ``"solved"``; and
        what a wrong answer does: ``"unsolved"``, ``"solved"``, ``"disqualify"``, ``"penalise"``.
    sidecar
        The TOML file that says what is not said here; ``results.toml`` beside ``results.csv``
        is found by itself.
    ignore
        Columns to leave out, in addition to those that the sidecar leaves out.
    """
    return _under_policy(understood(**locals()))  # nothing but the arguments is known here


def understood(source: Any, **reading: Any) -> Results:
    """Read a table as :func:`read` does, but leave its holes: ``missing`` is marked, not applied.

    ``reading`` are the options of :func:`read`.
    """
    unknown = reading.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"understood() got an unexpected keyword argument {min(unknown)!r}")
    sidecar = reading.pop("sidecar", None)
    given = Options(**({"layout": "battles"} if isinstance(source, Battles) else reading)).checked()
    if isinstance(source, Results):
        return _as_it_is(source, given, sidecar)
    if isinstance(source, Runs):
        _refuse_foreign(given, sidecar, ABOUT_RUNS, "Runs")
        return scored(given_runs(source, given), given)
    with ExitStack() as stack:
        stream, options = stream_of(source, given, sidecar, stack)
        with complaints(stream.source):
            return _results(stream, options)


def read_runs(source: Any, **reading: Any) -> Runs:
    """Read a table of runs as :func:`read` does, and return the runs without scoring them.

    ``reading`` are the options of :func:`read`.
    """
    unknown = reading.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"read_runs() got an unexpected keyword argument {min(unknown)!r}")
    sidecar = reading.pop("sidecar", None)
    given = Options(**({"layout": "runs"} | reading)).checked()
    with ExitStack() as stack:
        stream, options = stream_of(source, given, sidecar, stack)
        with complaints(stream.source):
            head, blocks, keep = begun(stream, options)
            return _runs(stream, head, blocks, keep, options)


_OPTIONS = set(inspect.signature(read).parameters) - {"source"}
ABOUT_RESULTS = ("missing", "tie_tol")
ABOUT_RUNS = (
    *("rule", "better", "layout", "cutoff", "reference", "late", "wrong", "combine"),
    *ABOUT_RESULTS,
)


def _as_it_is(results: Results, given: Options, sidecar: object) -> Results:
    _refuse_foreign(given, sidecar, ABOUT_RESULTS, "Results")
    said = given.said
    if given.tie_tol is not None:
        require_tolerance(given.tie_tol)
    return results.changed(**said) if said else results


def _refuse_foreign(given: Options, sidecar: object, known: Sequence[str], kind: str) -> None:
    foreign = [name for name in given.said if name not in known]
    foreign += ["sidecar"] if sidecar is not None else []
    if foreign:
        raise UsageError(
            f"{foreign[0]}= says how to read a table, yet this one is a {kind} already.",
            hint=f"give it where the table is made: read(..., {foreign[0]}=...) or {kind}(...).",
        )


def _require_direction(options: Options) -> None:
    if options.better is None:
        directions(None, ())  # refuse before a large file is read in vain


def _results(stream: Stream, options: Options) -> Results:
    head, blocks, keep = begun(stream, options)
    if is_runs(head, options, keep.columns):
        return scored(_runs(stream, head, blocks, keep, options), options)
    refuse_battles(head, options)
    _require_direction(options)
    layout = layout_of(head, options, keep.columns)
    numbers = _numbers(stream, options)
    table = _gathered(blocks, layout, head, numbers, keep, options)
    noted = replace(stream, notes=(*stream.notes, head.vacant_note))
    return _finished(table, noted, options, numbers, layout)


def _numbers(stream: Stream, options: Options) -> Numbers:
    commas, semicolons = stream.quoted_commas, stream.semicolons
    return Numbers(options.decimal, quoted_commas=commas, semicolons=semicolons)


def _runs(
    stream: Stream, head: Head, blocks: Iterable[Block], keep: Filter, options: Options
) -> Runs:
    layout = run_columns(head, options, keep.columns, rule_of(options.rule, options.better))
    numbers = _numbers(stream, options)
    runs = gather_runs(blocks, layout, head, numbers, keep, options)
    told = (*stream.notes, head.vacant_note, *numbers.notes, *runs.notes)
    return runs.changed(
        reading=(*stream.facts, *runs.reading),
        notes=tuple(filter(None, told)),
        library=stream.library,
    )


def _gathered(
    blocks: Iterable[Block],
    layout: Wide | Long,
    head: Head,
    numbers: Numbers,
    keep: Filter,
    options: Options,
) -> Gathered:
    if isinstance(layout, Wide):
        return gather_wide(blocks, layout, head, numbers, keep)
    return gather_long(
        blocks,
        layout,
        head,
        numbers,
        keep,
        combine=options.combine or "error",
        missing=cast("MissingPolicy", options.missing or "error"),
    )


def _finished(
    table: Gathered, stream: Stream, options: Options, numbers: Numbers, layout: Wide | Long
) -> Results:
    strata, no_stratum = labels_of(table, options, "stratum")
    clusters, no_cluster = labels_of(table, options, "cluster")
    if clusters is None and table.origins is not None:
        clusters = list(table.origins)
    told = (*stream.notes, *table.notes, *numbers.notes, no_stratum, no_cluster)
    results = Results(
        scores=read_only(table.values),  # nobody else has it: it need not be copied
        better=_better(table, options),
        candidates=table.candidates,
        judges=table.judges,
        judge_weights=weights_of(table, options, numbers),
        strata=strata,
        clusters=clusters,
        missing=cast("MissingPolicy", options.missing or "error"),
        tie_tol=0.0 if options.tie_tol is None else options.tie_tol,
        source=stream.source,
        reading=(*stream.facts, *table.facts),
        notes=tuple(filter(None, told)),
        library=stream.library,
    )
    score = stream.columns[layout.score] if isinstance(layout, Long) else ""
    warned = (*results.notes, *direction_warnings(results, score=score))
    return results.changed(notes=warned)


def _better(table: Gathered, options: Options) -> Any:
    """Return the directions; those of a repeat are those of the judge it repeats."""
    if table.origins is None or isinstance(options.better, str):
        return options.better
    originals = list(dict.fromkeys(table.origins))
    known = dict(zip(originals, directions(options.better, originals), strict=True))
    return [known[origin] for origin in table.origins]


def _under_policy(results: Results) -> Results:
    """Return the table under the policy it carries; a ranking refuses the holes that are left."""
    if results.missing == "error" or not results.has_holes:
        if results.rule and results.has_holes:
            refuse_absent(results)
        return results
    under = resolved(results, results.missing)
    unchanged = under.has_holes and under.notes == results.notes
    return results if unchanged else under
