"""Read a table of results: a file, standard input, a stream or a DataFrame."""

from __future__ import annotations

import difflib
import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import IO, Any, cast

from deadheat.core.errors import DeadheatError, UsageError, listed, quoted
from deadheat.core.types import Direction, MissingPolicy
from deadheat.data.battles import Battles
from deadheat.data.formats import open_stream, refuse_foreign
from deadheat.data.missing import resolved
from deadheat.data.reading.battle_columns import looks_like_battles, may_be_battles
from deadheat.data.reading.column_names import tokens
from deadheat.data.reading.layout import Long, Wide, layout_of, refuse_battles
from deadheat.data.reading.numbers import Numbers
from deadheat.data.reading.options import Options, read_sidecar, sidecar_of
from deadheat.data.reading.preview import Filter, Head
from deadheat.data.reading.runs import (
    gather_runs,
    given_runs,
    is_runs,
    refuse_absent,
    run_columns,
    scored,
)
from deadheat.data.reading.source import Block, Stream, complaints, is_stream, opened
from deadheat.data.reading.tables import (
    Gathered,
    gather_long,
    gather_wide,
    header_only,
    labels_of,
    weights_of,
)
from deadheat.data.results import Results, directions, read_only, require_tolerance
from deadheat.data.runs import Runs
from deadheat.data.scoring_rule import rule_of

# ------------------------------------------------------------------------------
# Directions that look wrong: an error that should be high, an accuracy that should be low.

LOWER = frozenset(
    [
        "error",
        "errors",
        "err",
        "loss",
        "logloss",
        "time",
        "times",
        "runtime",
        "walltime",
        "seconds",
        "secs",
        "rank",
        "cost",
        "costs",
        "rmse",
        "mae",
        "mse",
        "mape",
        "smape",
        "latency",
        "perplexity",
        "ppl",
        "penalty",
        "duration",
        "regret",
        "brier",
        "fid",
        "wer",
        "cer",
        "failures",
        "crps",
        "nll",
        "par2",
        "par10",
        "misclassification",
        "overhead",
        "emissions",
    ]
)
HIGHER = frozenset(
    [
        "accuracy",
        "acc",
        "auc",
        "auroc",
        "auprc",
        "roc",
        "f1",
        "solved",
        "resolved",
        "r2",
        "precision",
        "recall",
        "reward",
        "bleu",
        "rouge",
        "ndcg",
        "mrr",
        "dice",
        "iou",
        "wins",
        "winrate",
        "coverage",
        "correct",
        "success",
        "ssim",
        "psnr",
        "kappa",
        "mcc",
        "throughput",
        "speedup",
        "sensitivity",
        "specificity",
    ]
)
TURNING = frozenset(["neg", "negative", "negated", "minus", "inverse", "inverted"])  # neg_log_loss
MOST_NAMED = 3
CHANCE = 0.05  # of many names may hold such a word by chance: a data set called cooking-time


def usual_direction(name: str) -> Direction | None:
    """Return the direction that a name suggests, if it suggests one."""
    words = _words(name)
    if words & TURNING:
        return None
    low, high = bool(words & LOWER), bool(words & HIGHER)
    if low == high:
        return None
    return "lower" if low else "higher"


def _words(name: str) -> set[str]:
    parts = tokens(name)
    pairs = {a + b for a, b in pairwise(parts)}  # r2, f1, par10, log loss
    series = {"time"} if "series" in parts else set()
    return (set(parts) | pairs) - series


def direction_warnings(results: Results, *, score: str = "") -> tuple[str, ...]:
    """Return warnings where a direction contradicts the name of a judge or of the scores.

    ``score`` is the column of a long table that the scores came from.
    """
    told = []
    usual = usual_direction(score) if score else None
    if usual is not None and all(given != usual for given in results.better):
        told.append(_sentence(f"the scores are called {quoted(score)}", results.better[0], usual))
    pairs = list(zip(results.judges, results.better, strict=True))
    for given, other in (("higher", "lower"), ("lower", "higher")):
        asked = [name for name, better in pairs if better == given]
        found = [name for name in asked if usual_direction(name) == other]
        if len(found) > CHANCE * len(asked):
            names = listed((quoted(name) for name in found), most=MOST_NAMED)
            noun = "a judge is called" if len(found) == 1 else "judges are called"
            told.append(_sentence(f"{noun} {names}", given, other))
    return tuple(told)


def _sentence(fact: str, given: str, usual: str) -> str:
    return f"{fact}, yet {given} is said to be better; usually {usual} is. Check --better."


# ------------------------------------------------------------------------------
# From a source to named columns and rows: the sidecar, the format, the first block.


def stream_of(
    source: Any, given: Options, sidecar: str | os.PathLike[str] | None, stack: ExitStack
) -> tuple[Stream, Options]:
    """Return a table on its way in, and what was said about it here and in its sidecar."""
    if not isinstance(source, str | os.PathLike) and not is_stream(source):
        return _frame(source, given, sidecar)
    raw = opened(source, stack)
    path = sidecar_of(source, sidecar)
    options, told = _with_sidecar(given, path)
    with complaints(raw.name):
        stream = open_stream(raw, options, _said_beside(options, given, path))
    return _beside(stream, path, told), options


def _frame(
    source: Any, given: Options, sidecar: str | os.PathLike[str] | None
) -> tuple[Stream, Options]:
    from deadheat.data.formats import frame

    path = sidecar_of(None, sidecar)
    options, told = _with_sidecar(given, path)
    stream = frame.open_frame(source)
    refuse_foreign(options, frame.title, (), stream.source, _said_beside(options, given, path))
    return _beside(stream, path, told), options


def _with_sidecar(given: Options, path: Path | None) -> tuple[Options, tuple[str, ...]]:
    """Return what was said here and in a sidecar, and what of the sidecar does not count."""
    if path is None:
        return given.checked(), ()
    options, told = given.over(read_sidecar(path), path.name)
    return options.checked(), told


def _said_beside(options: Options, given: Options, path: Path | None) -> dict[str, str]:
    """Return the options that only the sidecar says, each with its name."""
    return dict.fromkeys(options.said.keys() - given.said.keys(), path.name) if path else {}


def _beside(stream: Stream, path: Path | None, told: tuple[str, ...]) -> Stream:
    beside = (("sidecar", path.name),) if path is not None else ()
    return replace(stream, facts=(*stream.facts, *beside), notes=(*stream.notes, *told))


def begun(stream: Stream, options: Options) -> tuple[Head, Iterable[Block], Filter]:
    """Return the first rows, all rows, and which of them are kept."""
    first = next(stream.blocks, None)
    head = Head(
        source=stream.source,
        columns=stream.columns,
        named=stream.named,
        first=first,
        unit=stream.unit,
        guarded=stream.guarded,
        across=stream.across,
    )
    keep = Filter(options.where, head)
    if first is None:
        raise header_only(stream.source)
    return head, head.watched(chain([first], stream.blocks)), keep


# ------------------------------------------------------------------------------
# Whether somebody points at a battle log or at a table of scores.

ONLY_BATTLES = (
    *("left", "right", "winner", "left_wins", "right_wins", "draws", "category", "covariates"),
    *("relative", "outcomes", "deduplicate", "self_battles", "order_by"),
)
ONLY_TABLES = (
    *("layout", "candidates", "candidate", "judge", "score", "better", "stratum", "repeat"),
    *("combine", "rule", "status", "time", "quality", "verified", "missing"),
)
ABOUT_FILES = ("delimiter", "encoding", "sheet")
ONLY = (ONLY_BATTLES, ONLY_TABLES)
PATTERN = "*?["
FIRST = 100  # rows that are looked at


def is_battle_log(source: Any, said: Mapping[str, Any]) -> bool:
    """Return whether a source holds battles: by what was said about it, else by its columns.

    Standard input and open files can be read only once, so they are logs only if somebody says so.
    """
    given = {name for name, value in said.items() if value not in (None, (), False)}
    if isinstance(source, Battles) or said.get("layout") == "battles":
        return True
    if isinstance(source, Results | Runs):
        return False
    of_log, of_table = (next((n for n in said if n in given & {*names}), None) for names in ONLY)
    if of_log is not None and of_table is not None:
        raise UsageError(
            f"{of_log}= (--{_flag(of_log)}) says how to read a battle log, {of_table}= "
            f"(--{_flag(of_table)}) how to read a table of scores.",
            hint="leave one of them out.",
        )
    if of_log is not None:
        return True
    if "layout" in given:
        return False
    if isinstance(source, list | tuple):
        return all(isinstance(each, str | os.PathLike) for each in source)
    if isinstance(source, str | os.PathLike):
        return _is_log_file(os.fspath(source), said)
    columns = getattr(source, "columns", None)
    if columns is None or is_stream(source):
        return False
    return looks_like_battles(_names(source)) or _names_sides(first_cells(source, said))


def _is_log_file(name: str, said: Mapping[str, Any]) -> bool:
    if name == "-":
        return False
    path = Path(name)
    if path.is_dir() or (not path.exists() and any(sign in name for sign in PATTERN)):
        return True
    if sidecar_of(name, None) is not None:
        return False  # a sidecar is about a table of scores
    cells = first_cells(name, said)
    return looks_like_battles(list(cells)) or _names_sides(cells)


def first_cells(source: Any, said: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the first cells of each column of a file or a frame that can be read again.

    Nothing where it cannot: whoever reads it says what is wrong with it. Of what is plainly a log
    no cells are read.
    """
    if source == "-" if isinstance(source, str) else is_stream(source):
        return {}
    about: dict[str, Any] = {key: said.get(key) for key in ABOUT_FILES}
    with ExitStack() as stack:
        try:
            stream, _ = stream_of(source, Options(**about).checked(), None, stack)
            plain = looks_like_battles(stream.columns)
            with complaints(stream.source):
                first = None if plain else next(stream.blocks, None)
        except DeadheatError:
            return {}
        rows = first.of_rows(range(min(first.size, FIRST))) if first is not None else None
        return {
            name: [] if rows is None else [cell or "" for cell in rows.text(k)]
            for k, name in enumerate(stream.columns)
        }


def holds_numbers(cells: list[str]) -> bool:
    """Return whether all cells that are not empty are numbers; False where all are empty."""
    full = [cell for cell in cells if cell.strip()]
    try:
        return bool([float(cell.replace(",", ".")) for cell in full])
    except ValueError:
        return False


def _names_sides(cells: Mapping[str, list[str]]) -> bool:
    """Return whether two sides are names beside a column that may say who won."""
    sides = may_be_battles(list(cells))
    return sides is not None and all(
        any(map(str.strip, cells[side])) and not holds_numbers(cells[side]) for side in sides
    )


def _flag(name: str) -> str:
    return {"covariates": "covariate"}.get(name, name).replace("_", "-")


def _names(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)  # of pyarrow; its columns are the data
    return [str(name) for name in (frame.columns if names is None else names)]


# ------------------------------------------------------------------------------


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


# ------------------------------------------------------------------------------
# Keyword arguments that nobody knows, told with the name of the function that was called.


class UnknownKeywordError(UsageError, TypeError):
    """A keyword argument that a function does not take."""


def require_known(
    function: Callable[..., Any],
    given: Mapping[str, Any],
    *,
    meant: Mapping[str, str] | None = None,
) -> None:
    """Refuse keywords that neither the function nor :func:`deadheat.read` takes.

    ``meant`` says of some words what to say instead of them.
    """
    of_read = set(inspect.signature(read).parameters) - {"source"}
    name = next((name for name in given if name not in of_read), None)
    if name is None:
        return
    own = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name != "progress"
    ]
    near = difflib.get_close_matches(name, [*own, *sorted(of_read)], n=1)
    guess = f"did you mean {near[0]}=?" if near else f"it takes {listed(own)}, and all of read()."
    raise UnknownKeywordError(
        f"{function.__name__}() got an unexpected keyword argument {name!r}.",
        hint=(meant or {}).get(name, guess),
    )
