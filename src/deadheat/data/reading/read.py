"""Read a table of results: a file, standard input, a stream or a DataFrame."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path, PurePath
from typing import IO, Any, TypeVar

import numpy as np

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    FailedRunError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    named,
    say,
)
from deadheat.core.files import own_folder
from deadheat.core.types import MissingPolicy
from deadheat.core.weights import CAUTION
from deadheat.data.battles import Battles
from deadheat.data.formats import (
    ABOUT_FILES,
    are_parquet,
    frame,
    in_dialect,
    open_stream,
    refuse_foreign,
    specific,
)
from deadheat.data.formats.objects import is_rows
from deadheat.data.missing import apply_policy
from deadheat.data.reading import runs as run_tables
from deadheat.data.reading.battle_columns import holds_battles, looks_like_battles
from deadheat.data.reading.battles import collect_battles
from deadheat.data.reading.column_names import (
    is_called,
    is_mean_time,
    matches,
    noun_of,
    usual_direction,
)
from deadheat.data.reading.directions import MOST_NAMED, direction_question, direction_warnings
from deadheat.data.reading.join import join as join_files
from deadheat.data.reading.join import rename as rename_all
from deadheat.data.reading.judges import results_of, weights_of
from deadheat.data.reading.layout import (
    Wide,
    columns_for,
    layout_of,
    refuse_battles,
    refuse_scores,
)
from deadheat.data.reading.numbers import Numbers
from deadheat.data.reading.options import Options, read_sidecar, sidecar_of
from deadheat.data.reading.preview import Head
from deadheat.data.reading.questions import all_at_once, texts_of
from deadheat.data.reading.source import (
    Block,
    Stream,
    complaints,
    is_several,
    is_stream,
    kept_input,
    open_source,
)
from deadheat.data.reading.tables import long_table, wide_table
from deadheat.data.results import (
    Results,
    directions,
    require_tolerance,
    scaled,
)
from deadheat.data.runs import Runs

T = TypeVar("T")

# From a source to named columns and rows: the sidecar, the format, the first block.


def stream_of(
    source: Any, given: Options, sidecar: str | os.PathLike[str] | None, stack: ExitStack
) -> tuple[Stream, Options]:
    path = sidecar_of(source, sidecar)
    options, notes = (given, ()) if path is None else given.over(read_sidecar(path), path.name)
    only_there = options.values.keys() - given.values.keys()
    beside = {} if path is None else dict.fromkeys(only_there, path.name)
    options = options.checked(beside)
    stream = source.stream(options) if isinstance(source, PeekableFile) else None
    a_file = isinstance(source, str | os.PathLike) or is_stream(source) or is_several(source)
    if stream is None and a_file:
        raw = open_source(source, stack)
        with complaints(raw.name):
            stream = open_stream(raw, options, beside)
    elif stream is None:
        stream = frame.open_frame(source)
        refuse_foreign(options, frame.title, ("from_",), stream.source, beside)
        stream, kind = in_dialect(stream, options.from_)
        if kind is not None:
            said = f"{dict(stream.facts)['format']}, {kind.title} ({kind.by_columns})"
            stream = replace(stream, facts=(("format", said), *stream.facts[1:]))
    if stream.states:
        states = _stated_of(stream, options)
        options, more = options.over(Options(**states).tidied(), stream.source)
        notes = (*notes, *more)
    # Whoever looked at the first rows has told all this already.
    facts = dict.fromkeys((*stream.facts, *([] if path is None else [("sidecar", path.name)])))
    notes = tuple(dict.fromkeys((*stream.notes, *notes)))
    return replace(stream, facts=tuple(facts), notes=notes), options


class Stated(dict[str, str]):
    """Directions by judge that a format states, also of judges that are left out."""


def _stated_of(stream: Stream, options: Options) -> dict[str, Any]:
    """Return what a format states; nothing about its own score where another was said."""
    states, said = dict(stream.states), options.score
    ways = states.get("better")
    if said is not None and states.get("score", said) != said:
        states.pop("standard_error", None)
        states.pop("official", None)
        if not isinstance(ways, Mapping) or said not in ways:
            states.pop("better", None)
    if "better" in states and isinstance(ways, Mapping):
        states["better"] = Stated(ways)
    return states


FIRST = 100  # rows that are looked at


class PeekableFile:
    """A file that is opened once, and whose first rows can be looked at before it is read."""

    def __init__(self, source: Any, said: Mapping[str, Any], stack: ExitStack) -> None:
        self._source, self._said, self._stack = source, said, stack
        self._options = Options()
        self._stream: Stream | None = None

    def __fspath__(self) -> str:
        return str(os.fspath(self._source))

    __str__ = __fspath__

    @cached_property
    def cells(self) -> dict[str, list[str]]:
        """The first cells of each column, none of a plain log; nothing where it cannot be read."""
        sidecar = self._said.get("sidecar")
        try:
            about: dict[str, Any] = {name: self._said.get(name) for name in ABOUT_FILES}
            options = Options(**about).checked()
            stream, self._options = stream_of(self._source, options, sidecar, self._stack)
            if looks_like_battles(stream.columns):
                return {name: [] for name in stream.columns}
            with complaints(stream.source):
                first = next(stream.blocks, Block([], [[] for _ in stream.columns]))
        except DeadheatError:
            return {}
        blocks = chain([first] if first.size else [], stream.blocks)
        self._stream = replace(stream, blocks=blocks)
        rows = first.of_rows(range(min(first.size, FIRST)))
        names = enumerate(stream.columns)
        return {name: [cell or "" for cell in rows.text(k)] for k, name in names}

    def stream(self, options: Options) -> Stream | None:
        """Return the table with its first rows, once, and if it was opened as the options say."""
        stream, self._stream = self._stream, None
        pairs = ((getattr(each, name) for each in (options, self._options)) for name in ABOUT_FILES)
        return stream if all(one == other for one, other in pairs) else None


@contextmanager
def peekable(source: Any, said: Mapping[str, Any]) -> Iterator[Any]:
    """Yield a path or standard input as a PeekableFile, any other source as it is."""
    path = isinstance(source, str | os.PathLike)
    with ExitStack() as stack:
        if isinstance(source, str) and source == "-":
            source = kept_input(stack.enter_context(own_folder()))
        yield (
            PeekableFile(source, said, stack)
            if path and not isinstance(source, PeekableFile)
            else source
        )


# ------------------------------------------------------------------------------
# Whether somebody points at a battle log or at a table of scores.


def is_battle_log(source: Any, said: Mapping[str, Any]) -> bool:
    """Return whether a source holds battles: by what was said about it, else by its columns.

    Open files can be read only once, so they are logs only if somebody says so.
    """
    if isinstance(source, Battles) or said.get("layout") == "battles":
        return True
    if isinstance(source, Results | Runs):
        return False
    given = [name for name, value in said.items() if is_given(value)]
    of_log = next((name for name in given if name in OF_LOGS - OF_TABLES), None)
    only_of_tables = OF_TABLES - OF_LOGS - {"each"}  # of a log the question is answered otherwise
    of_table = next((name for name in given if name in only_of_tables), None)
    if of_log is not None and of_table is not None:
        both = f"{say(of_log)} is about a battle log, {say(of_table)} about a table of scores."
        ways = {
            "as a table of scores": [name for name in given if name in OF_LOGS - OF_TABLES],
            "as a battle log": [name for name in given if name in only_of_tables],
        }
        texts = (f"{way}: {command_with(**dict.fromkeys(names))}" for way, names in ways.items())
        raise UsageError(both, hint="\n".join(texts))
    if of_log is not None or "layout" in given:
        return of_log is not None
    if is_several(source) and said.get("from_") is None:
        with ExitStack() as stack:
            with contextlib.suppress(DataError):  # no file matches: whoever reads says so
                raw = open_source(source, stack)
                if specific(raw):
                    return holds_battles(first_cells(source, said))
                if are_parquet(raw) and (cells := first_cells(source, said)):
                    return holds_battles(cells) or looks_like_battles([*cells])
            return True  # a log in many files
    if isinstance(source, str | os.PathLike) and sidecar_of(source, None) is not None:
        return False  # a sidecar is about a table of scores
    return holds_battles(first_cells(source, said))


def first_cells(source: Any, said: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the first cells of each column of a file or a frame that can be read again."""
    if isinstance(source, PeekableFile):
        return source.cells
    if source == "-" if isinstance(source, str) else is_stream(source):
        return {}
    with ExitStack() as stack:
        return PeekableFile(source, said, stack).cells


# ------------------------------------------------------------------------------
# The public readers: tables of scores, runs, battle logs.


def read(
    source: str | os.PathLike[str] | IO[Any] | Results | Any,
    *,
    better: str | Mapping[str, str] | Sequence[str] | None = None,
    layout: str | None = None,
    candidates: str | None = None,
    candidate: str | None = None,
    judge: str | Sequence[str] | None = None,
    score: str | None = None,
    standard_error: str | Sequence[str] | None = None,
    stratum: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    weight: str | None = None,
    where: str | Iterable[str] | Mapping[str, Any] = (),
    missing: MissingPolicy | str | None = None,
    tie_tol: float | None = None,
    scale_scores: str | None = None,
    brackets: str | None = None,
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
    unverified: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
    from_: str | None = None,
    sidecar: str | os.PathLike[str] | None = None,
    ignore: str | Iterable[str] = (),
    keep: str | Iterable[str] = (),
    join: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    rename: str | os.PathLike[str] | Iterable[str] | Mapping[str, str] | None = None,
    noun: str | Iterable[str] | Mapping[str, str] | None = None,
    each: str | None = None,
    engine: Any = None,
) -> Results:
    """Read a table of scores, wide or long, or of runs, and say what was understood.

    Layout, delimiter and header are guessed where they are not said; ``Results.reading`` reports
    them and ``Results.notes`` has warnings. What the rows of a wide table are must be said or
    follow from names.

    Parameters
    ----------
    source
        A path, a folder or several paths that a format knows, ``"-"`` for standard input, an open
        file, any DataFrame, a dict of columns (or of rows by name), a list of dicts, an array of
        NumPy or xarray, a ``Runs`` or a ``Results``; about a ``Results`` only ``missing``,
        ``tie_tol``, ``scale_scores`` and ``noun`` can be said.
    better
        ``"higher"`` or ``"lower"``, one per judge, or a mapping from judge to direction. Required,
        here or in the sidecar, except for runs: there the rule says it.
    layout, candidates
        ``"wide"``, ``"long"`` or ``"runs"``; whether the candidates of a wide table are ``"rows"``
        or ``"columns"``.
    candidate, judge, score
        The columns of a long table; in a wide table one of the first two names the rows. Several
        columns may name a judge together: ``judge=["task", "case"]``.
    standard_error
        The column of the standard error of each score, or of its interval (``+5/-4``, ``±5``,
        ``[1305, 1315]``, half of which over 1.96 is one), or the two columns of an interval's ends.
        The table is long, or has one column of scores; ``0.87 ± 0.01`` in a cell holds both.
    stratum, cluster, weight
        Columns with one value per judge, of strata and clusters also several together; the weight
        ``"equal-strata"`` counts every stratum alike.
    where
        ``"COL=VALUE"``, ``!=``, or ``< <= > >=`` of numbers and dates (``"date>=2024-01-31"``),
        several of them, or a mapping: the rows to keep.
    missing
        What to do about missing scores: see :func:`deadheat.data.missing.apply_policy`.
    tie_tol, scale_scores
        Scores of one judge this close are tied. Scores less their mean, in standard deviations: of
        all of them (``"global"``), or of each judge (``"judge"``); ``"none"`` by default.
    brackets
        What a whole number in brackets behind a score is, as in ``0.84 (3)``: the standard
        ``"error"`` of its last digits, or a ``"rank"`` or ``"count"``, which is left out.
    repeat, combine
        The column that tells repeats apart, and whether several scores of one candidate on one
        judge are an ``"error"``, their ``"mean"``, or ``"judges"`` of their own.
    rule
        The scoring rule of runs, ``"solved"`` by default: a name (see ``deadheat list scoring``)
        or a function ``Runs -> one score per run``.
    status, time, quality, verified, cutoff
        The columns of a table of runs; ``cutoff`` may also be a number of seconds, and
        ``repeat`` is the column of the seed.
    reference
        The best known quality of each instance: a column, a file, a mapping, ``"best-seen"``
        (the default), or ``"replicate"``: the best seen among whoever is in a replicate.
    statuses
        What unknown status words mean, as a mapping or as ``"word=status,word=status"``.
    late, wrong, unverified
        What a solved run above the cutoff is: ``"error"``, ``"timeout"`` or ``"solved"``;
        what a wrong answer does: ``"unsolved"``, ``"solved"``, ``"disqualify"``, ``"penalise"``;
        and what an answer is that nobody verified: ``"solved"`` or ``"unsolved"``, by every rule.
    from_
        The format of the file, where it is not to be recognised: see ``deadheat list formats``.
    sidecar
        The TOML file that says what is not said here; that beside the table is found by itself.
    ignore
        Columns to leave out, in addition to those that the sidecar leaves out.
    keep
        Columns that hold scores, though they are called rank, count, mean or the like.
    join
        Files with further columns about candidates or judges, found by the columns that both have:
        ``stratum``, ``where`` and the like may name them.
    rename
        Names to show: a mapping from those that stand there, ``"old=new,old=new"``, or a file with
        two columns.
    noun
        What sentences call candidates, judges and clusters where columns do not tell:
        ``"judge=instance"``, several of them, or a mapping.
    each
        A column about judges (family) or candidates (licence): :attr:`Results.parts` are the
        tables of its values, and verdicts, rankings and ratings have a board for each.
    engine
        An open engine: its workers read a long table of Parquet files, each a file or a part of it.
    """
    results = read_with_holes(**locals())  # nothing but the arguments is known here
    if results.missing == "error" or not results.has_holes:
        if results.rule and results.has_holes:
            run_tables.refuse_absent(results)
        return results  # a ranking refuses the holes that are left
    under = apply_policy(results, results.missing)
    if under.has_holes and under.notes == results.notes:
        return results
    before = results.changed(missing="error", notes=()).whole()
    return under.changed(each=results.each, parts=results.parts, before=before)


def read_with_holes(source: Any, **reading: Any) -> Results:
    """Read a table as :func:`read` does, but leave its holes: ``missing`` is only marked.

    Where several things are open, all are asked at once, with one command that answers them.
    """
    if (each := reading.pop("each", None)) is not None:
        return _read_with_parts(source, each, reading)
    try:
        return _read_once(source, reading)
    except DeadheatError as first:
        path = isinstance(source, str | os.PathLike) and source != "-"
        if not path or not (first.remedy or isinstance(first, FailedRunError)):
            raise
        raise all_at_once(first, source, reading, _read_once) from None


def _read_once(source: Any, said_of_it: Mapping[str, Any]) -> Results:
    reading = dict(said_of_it)
    sidecar, engine = reading.pop("sidecar", None), reading.pop("engine", None)
    given = Options(**({"layout": "battles"} if isinstance(source, Battles) else reading)).checked()
    said = [*given.values, *([] if sidecar is None else ["sidecar"])]
    if isinstance(source, Results):
        _refuse_foreign([name for name in said if name not in ABOUT_RESULTS], "Results")
        if given.tie_tol is not None:
            require_tolerance(given.tie_tol)
        changes = {name: value for name, value in given.values.items() if name != "scale_scores"}
        if "noun" in changes:
            changes["nouns"] = replace(source.nouns, **changes.pop("noun"))
        return scaled(source.changed(**changes) if changes else source, given.scale_scores)
    if isinstance(source, Runs):
        _refuse_foreign([name for name in said if name not in ABOUT_RUNS], "Runs")
        results = run_tables.score_runs(run_tables.with_cutoff(source, given), given)
        return scaled(results, given.scale_scores)
    results = _collect(source, given, sidecar, _results, engine)
    return results if given.rename is None else rename_all(results, given.rename)


def read_all(sources: Sequence[Any], *, each: str | None = None, **reading: Any) -> list[Results]:
    """Read several tables with the same options; each has a name of its own.

    ``each`` names a column: every value of it makes a table of the rows that have it.
    """
    if not sources:
        raise UsageError("no table is given.", hint="give a table, or a list of tables.")
    paths = [os.fspath(one) if isinstance(one, str | os.PathLike) else None for one in sources]
    _refuse_repeats(paths)
    if each is not None:
        wholes = (read(one, **reading, each=each) for one in sources)
        return _with_distinct_names([part for whole in wholes for part in whole.parts])
    return _with_distinct_names([read(one, **reading) for one in sources], paths)


def _read_with_parts(source: Any, column: str, reading: Mapping[str, Any]) -> Results:
    """Return a table with the tables of the values of a column, in the order in which they come."""
    if isinstance(source, Results | Runs):
        whole = read_with_holes(source, **reading)
    elif (known := _values(source, column, reading)) is not None:
        values, columns = known
        said = reading.get("where") or ()
        if not isinstance(said, str):
            said = tuple(said.items() if isinstance(said, Mapping) else said)
        where = [said] if isinstance(said, str) else [*said]
        of_part = {k: v for k, v in reading.items() if (k, v) != ("stratum", column)}
        whole = read_with_holes(source, **{**reading, "where": [*where, f"{column}!="]})
        left_out = texts_of(reading.get("ignore"))  # what is asked is asked of the whole
        of_part["keep"] = tuple(name for name in columns if name not in left_out)
        parts = (
            read(source, **{**of_part, "where": [*where, (column, value)]}).changed(
                source=value, bits=whole.in_percent
            )
            for value in values
        )
        return whole.changed(each=column, parts=tuple(parts))
    else:  # another file tells it of the columns of a wide table
        whole = read_with_holes(source, **{**reading, "stratum": column})
    if whole.strata is None:
        fact = f"{say('each', column)} names a column, and a table that is read has strata at most."
        raise UsageError(fact, hint="give the file, or read the table with each=.")
    labels = np.array(whole.strata)
    tables = ((value, whole.of_judges(labels == value)) for value in dict.fromkeys(whole.strata))
    own: dict[str, Any] = {"strata": None, "bits": whole.in_percent}
    made = tuple(part.changed(source=value, **own) for value, part in tables)
    return whole.changed(each=column, parts=made)


def _values(
    source: Any, column: str, reading: Mapping[str, Any]
) -> tuple[list[str], list[str]] | None:
    """Return the values of a column of rows, and the columns that are not left out.

    None where it is about the columns of a table.
    """
    if source == "-" if isinstance(source, str) else is_stream(source):
        fact = f"{say('each')} reads a table again and again, and standard input is there once."
        raise UsageError(fact, hint="write it to a file first.")
    about: dict[str, Any] = {name: reading.get(name) for name in (*ABOUT_FILES, "join")}
    given = Options(**about | {"join": about["join"] or (), "stratum": column}).tidied()
    with ExitStack() as stack:
        stream, options = join_files(*stream_of(source, given, reading.get("sidecar"), stack))
        if column not in stream.columns:
            if options.strata is not None:
                return None
            raise UnknownNameError("column", column, stream.columns)
        k = stream.columns.index(column)
        with complaints(stream.source):
            kept = Head.of(stream, reading.get("where") or ()).rows()
            cells = chain.from_iterable(block.text(k) for block in kept)
            counts = Counter((cell or "").strip() for cell in cells)
    if empty := counts.pop("", 0):
        fact = f"{stream.source}: {counted(empty, 'row')} without a {column}."
        raise DataError(fact, hint=f"leave them out: {command_with(where=[f'{column}!='])}")
    return list(counts), [name for name in stream.columns if name not in options.ignore]


def are_tables(table: Any) -> bool:
    """Return whether several tables are given; a list of dicts is one, row by row."""
    return isinstance(table, list | tuple) and not is_rows(table)


def _refuse_repeats(paths: Sequence[str | None]) -> None:
    """Refuse a file that is named twice: averages over tables count each once."""
    known = [path for path in paths if path is not None and Path(path).is_file()]
    for one, other in combinations(known, 2):
        if Path(one).samefile(other):
            raise UsageError(f"{other} is named twice.", hint="name every table once.")


def _with_distinct_names(
    results: Sequence[Results], paths: Sequence[str | None] = ()
) -> list[Results]:
    """Return the tables with names that differ: by their paths, else by numbers."""
    names, paths = [each.source for each in results], paths or [None] * len(results)
    known = [PurePath(path).parts for path in paths if path]

    def ending(path: str) -> str:
        parts = PurePath(path).parts
        others = [other for other in known if other != parts]
        for size in range(1, len(parts) + 1):
            if all(other[-size:] != parts[-size:] for other in others):
                return str(PurePath(*parts[-size:]))
        return path

    longer = [
        ending(path) if path and names.count(name) > 1 else name
        for name, path in zip(names, paths, strict=True)
    ]
    found = []
    for k, (each, name) in enumerate(zip(results, longer, strict=True)):
        several = f" ({longer[: k + 1].count(name)})" if longer.count(name) > 1 else ""
        source = f"{name}{several}"
        found.append(each if source == each.source else each.changed(source=source))
    return found


def read_runs(source: Any, **reading: Any) -> Runs:
    """Read a table of runs as :func:`read` does, and return the runs without scoring them.

    ``reading`` are the options of :func:`read`.
    """
    require_known(read_runs, reading)
    sidecar = reading.pop("sidecar", None)
    given = Options(**({"layout": "runs"} | reading)).checked()
    runs = _collect(source, given, sidecar, _runs)
    return runs if given.rename is None else rename_all(runs, given.rename)


def read_any(source: Any, **reading: Any) -> Results | Runs | Battles:
    """Read whatever a source holds: a table of scores with its holes, runs, or battles."""
    with peekable(source, reading) as known:
        if is_battle_log(known, reading):
            return read_battles(known, **reading)
        sidecar = reading.pop("sidecar", None)
        given = Options(**reading).checked()
        found: Any = _collect(known, given, sidecar, _either)
        kind: Results | Runs = found if given.rename is None else rename_all(found, given.rename)
        return kind


def _either(head: Head, options: Options) -> Results | Runs:
    return _runs(head, options) if run_tables.is_runs(head, options) else _results(head, options)


def _collect(
    source: Any,
    given: Options,
    sidecar: Any,
    collector: Callable[[Head, Options], T],
    engine: Any = None,
) -> T:
    with ExitStack() as stack:
        stream, options = join_files(*stream_of(source, given, sidecar, stack))
        if engine is not None and stream.again is not None:
            stream = replace(stream, again=stream.again.on(engine))
        with complaints(stream.source):
            return collector(Head.of(stream, options.where), options)


def read_battles(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | IO[Any] | Any,
    *,
    left: str | None = None,
    right: str | None = None,
    winner: str | None = None,
    left_wins: str | None = None,
    right_wins: str | None = None,
    draws: str | None = None,
    left_score: str | None = None,
    right_score: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    category: str | Sequence[str] | None = None,
    covariates: str | Iterable[Any] | Mapping[str, Any] = (),
    relative: bool = False,
    outcomes: str | Iterable[str] | Mapping[str, str] | None = None,
    where: str | Iterable[str] | Mapping[str, Any] = (),
    deduplicate: str | Iterable[str] | bool | None = None,
    self_battles: str = "error",
    ordered: bool = False,
    order_by: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
    engine: Any = None,
    from_: str | None = None,
    rename: str | os.PathLike[str] | Iterable[str] | Mapping[str, str] | None = None,
) -> Battles:
    """Read a battle log as counts, and say what was understood.

    The rows are counted by DuckDB where they lie and never come to Python one by one. Columns are
    guessed by their names where they are not named (``left, right, winner``; ``model_a, model_b,
    winner``; ``home, away, result``; ``winner, loser`` ...); ``Battles.reading`` reports them.

    Parameters
    ----------
    source
        A path, a folder, a pattern (``logs/*.parquet``) or a list of paths to Parquet, CSV, TSV,
        JSON or JSON lines, compressed or not; ``"-"`` for standard input, an open file, any
        DataFrame, or a ``Battles``, which is returned as it is.
    left, right, winner
        The columns of the two candidates and of the outcome; parts of nested columns have dotted
        names (``conv_metadata.turns``).
    left_wins, right_wins, draws
        Columns of counts, where a row stands for several battles of a pair.
    left_score, right_score
        Columns of what each side scored in a match: the higher wins, equal is a tie. Where the
        lower wins, name them the other way round.
    weight, cluster, category
        The columns of how much a battle counts, of the voter, prompt or session to resample by,
        and of the category.
    covariates
        Columns of differences (left minus right), pairs of columns ``(left, right)``, or a mapping
        from names to either; as text ``"length=tokens_a,tokens_b"``.
    relative
        Whether a pair of columns gives (left - right) / (left + right), 0 where both are 0.
    outcomes
        What words mean that are not known: a mapping to ``left``, ``right``, ``tie``, ``drop`` or
        ``name``, or ``"word=left,word=drop"``.
    where
        ``"COL=VALUE"``, ``!=``, or ``< <= > >=`` of numbers and dates (``"date>=2024-01-31"``),
        several of them, or a mapping: the rows to keep.
    deduplicate
        The columns that identify a battle, whose first row alone counts; True: all columns.
    self_battles
        What to do about battles of a candidate with itself: ``"error"`` or ``"drop"``.
    ordered, order_by
        Whether to keep one cell per battle in the order of the log, or in that of a column of
        numbers or times.
    rename
        Names of candidates to show: a mapping from those that stand there, ``"old=new,old=new"``,
        or a file with two columns.
    engine
        An open engine: each of several files is then counted by a task of its own.
    """
    given = {name: value for name, value in locals().items() if name not in {"source", "engine"}}
    if isinstance(source, Battles):
        _refuse_foreign([name for name, value in given.items() if value and value != "error"], "")
        return source
    found = collect_battles(source, given, engine)
    return found if rename is None else rename_all(found, rename)


OF_TABLES = frozenset(inspect.signature(read).parameters) - {"source", "engine"}
OF_LOGS = frozenset(inspect.signature(read_battles).parameters) - {"source", "ordered", "engine"}
LOG, TABLE = "a battle log", "a table of scores"


def is_given(value: object) -> bool:
    """Return whether an option was given; 0 is a number and says something."""
    return not (value is None or value is False or (isinstance(value, tuple) and not value))


def about_logs(reading: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a log, and refuse those that say nothing about one."""
    said = _options_about(reading, OF_LOGS | {"ordered", "layout"}, LOG)
    return {name: value for name, value in said.items() if name != "layout"}


def about_tables(reading: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a table, and refuse those that say nothing about one."""
    return _options_about(reading, OF_TABLES, TABLE)


def _options_about(reading: dict[str, Any], known: frozenset[str], what: str) -> dict[str, Any]:
    if without := not_given(reading, known):
        do = "does" if len(without) == 1 else "do"
        said = f"{listed(map(say, without))} {do} not say anything about {what}"
        hint = f"without {'it' if len(without) == 1 else 'them'}: {command_with(**without)}"
        if "score" in without and what == LOG:
            hint += f"\nif it is a table of scores: {command_with(layout='long')}"
        raise UsageError(f"{said}, which this is taken for.", hint=hint)
    return {name: value for name, value in reading.items() if name in known}


def not_given(reading: Mapping[str, Any], known: frozenset[str]) -> dict[str, object]:
    """Return what takes away the options that say nothing about what is known."""
    other = {name: value for name, value in reading.items() if name not in known}
    return {
        name: False if isinstance(value, bool) else None
        for name, value in other.items()
        if is_given(value)
    }


ABOUT_RESULTS = ("missing", "tie_tol", "scale_scores", "noun")
WITH_BOARDS = ("verdict", "rank", "rate", "report")
OF_RUNS = ("rule", "better", "layout", "cutoff", "reference", "combine")
OF_ANSWERS = ("late", "wrong", "unverified")
ABOUT_RUNS = (*OF_RUNS, *OF_ANSWERS, *ABOUT_RESULTS)


def _refuse_foreign(names: Sequence[str], kind: str) -> None:
    """Refuse to say how to read what is a Results, a Runs or else a Battles already."""
    for name in names[:1]:
        what, reader = ("table is", "read") if kind else ("battles are", "read_battles")
        made = f"{reader}(..., {name}=...)" + (f" or {kind}(...)" if kind else "")
        noun = "table" if kind else "log"
        fact = f"{name}= says how to read a {noun}, yet this one is a {kind or 'Battles'} already."
        raise UsageError(fact, hint=f"give it where the {what} made: {made}.")


def _results(head: Head, options: Options) -> Results:
    if run_tables.is_runs(head, options):
        runs = run_tables.score_runs(_runs(head, options), options)
        return scaled(runs, options.scale_scores)
    refuse_battles(head, options)
    if options.better is None:  # refuse before a large file is read in vain
        raise direction_question(head, options)
    layout, numbers = layout_of(head, options), _numbers(head, options)
    if isinstance(layout, Wide):
        table, score = wide_table(head, layout, numbers, options), ""
        names = layout.names
    else:
        table = long_table(head, layout, numbers, options)
        table = replace(table, notes=(*table.notes, *_merged_tracks(head, options)))
        score = head.columns[layout.score]
        names = {role: head.columns[layout.names[role]] for role in ("candidate", "judge")}
    if table.origins is not None:
        names = {**names, "repeat": table.repeated_by}
    better = options.better
    if isinstance(better, Stated):
        there = {*table.judges, *(table.origins or ())}
        better = {name: way for name, way in better.items() if name in there}
    if table.origins is not None and not isinstance(better, str):
        originals = list(dict.fromkeys(table.origins))
        known = dict(zip(originals, directions(better, originals), strict=True))
        better = [known[origin] for origin in table.origins]
    notes = (*head.notes, head.vacant_note, *table.notes, *numbers.notes)
    families = [head.columns[k] for k in matches("stratum", head.columns)]
    averaged = is_mean_time(score) and options.by is None
    results = results_of(
        replace(table, notes=notes, families=families),
        replace(options, by="mean" if averaged else options.by),
        weights_of(table, options, numbers),
        better=better,
        source=head.source,
        reading=(*head.facts, *table.facts),
        library=head.library,
        instances=table.origins,
        official=options.official,
        nouns=options.nouns(**names),
        title=options.title or "",
        as_runs={} if "higher" in map(usual_direction, (score, *head.columns)) else layout.runs,
    )
    notes = (*results.notes, *direction_warnings(results, score=score, columns=head.columns))
    if averaged or results.m == 1 or results.are_bits:  # people write that number
        results = results.changed(heading=options.heading or score)
    return scaled(results.changed(notes=notes), options.scale_scores)


def _numbers(stream: Stream, options: Options) -> Numbers:
    commas, semicolons = stream.quoted_commas, stream.semicolons
    return Numbers(options.decimal, quoted_commas=commas, semicolons=semicolons)


def _runs(head: Head, options: Options) -> Runs:
    refuse_scores(head, options)
    numbers = _numbers(head, options)
    numbers.failures = run_tables.failures(options)
    runs = run_tables.collect_runs(head, numbers, options)
    told = (*head.notes, head.vacant_note, *numbers.notes, *runs.notes)
    notes = filter(None, (*told, *_merged_tracks(head, options)))
    facts = (*head.facts, *runs.reading)
    about: dict[str, Any] = {"library": head.library, "official": options.official}
    return runs.changed(reading=facts, notes=tuple(notes), **about)


def _merged_tracks(head: Head, options: Options) -> Iterator[Words]:
    """Say that several tracks are ranked as one, where no option speaks of them.

    So are the tasks of cases that tasks and cases name together. The league that each candidate
    has for itself is no track.
    """
    spoken_of = {*head.condition_columns}
    for column in options.about_judges.values():
        spoken_of |= {*map(head.at, options.together.get(column, (column,)))}
    *coarse, _ = options.together.get(options.judge, (None,))
    tasks = [name for name in coarse if is_called(name, "judge")]
    who = columns_for(head, options, "candidate")[:1]
    for k, name in enumerate(head.columns):
        merged = is_called(name, "track") or name in tasks
        if not merged or k in spoken_of or name in options.ignore:
            continue
        tracks = list(dict.fromkeys(filter(None, head.texts(k))))
        pairs = {*zip(*map(head.texts, (*who, k)), strict=True)}
        if len(tracks) < 2 or (who and len(pairs) == len({*head.texts(who[0])})):
            continue
        what = counted(len(tracks), noun_of(name, "track", "judge"))
        fact = f"{what} are ranked as one ({listed(tracks, most=MOST_NAMED)})"
        way = command_with(each=name)
        yield Words(f"{fact}; a board for each: {way}", page=f"{fact}.", weight=CAUTION)


class UnknownKeywordError(UsageError, TypeError):
    """A keyword argument that a function does not take."""


def require_known(
    function: Callable[..., Any], given: Mapping[str, Any], *, meant: dict[str, str] | None = None
) -> None:
    """Refuse keywords that neither the function nor :func:`deadheat.read` takes."""
    if given.get("each") is not None and function.__name__ not in WITH_BOARDS:
        fact = f"{function.__name__}() has no board for each value of a column, yet each= is given."
        raise UsageError(fact, hint=f"{named(WITH_BOARDS)} have some.")
    name = next((name for name in given if name not in OF_TABLES), None)
    if name is None:
        return
    parameters = inspect.signature(function).parameters.values()
    own = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "progress"]
    near = difflib.get_close_matches(name, [*own, *sorted(OF_TABLES)], n=1)
    takes = f"{listed(own)}, and all of read()" if own else "all of read()"
    guess = f"did you mean {near[0]}=?" if near else f"it takes {takes}."
    fact = f"{function.__name__}() got an unexpected keyword argument {name!r}."
    raise UnknownKeywordError(fact, hint=(meant or {}).get(name, guess))
