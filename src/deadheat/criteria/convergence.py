"""How fast a ranking settles as judges are added: small panels of them, compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.errors import DataError, UsageError, command_with
from deadheat.core.options import PANELS
from deadheat.core.types import Floats, Integers, Row, require_whole
from deadheat.criteria.api import (
    choose_functions,
    clusters_ignored,
    read_complete,
    require_words,
)
from deadheat.criteria.measures.generalization import generalization
from deadheat.criteria.measures.stability import kendall_of_pairs
from deadheat.criteria.result import View, with_error
from deadheat.criteria.trials import (
    BASELINE,
    Correlation,
    Task,
    doubled_centred_ranks,
    moments,
    trials_of,
)
from deadheat.data.reading.read import require_known
from deadheat.data.results import Nouns, provenance_of
from deadheat.output.table import Column, Grid
from deadheat.output.text import number
from deadheat.ranking.function import spoken
from deadheat.resampling.draws import stream
from deadheat.resampling.engines import Engine, Progress
from deadheat.resampling.engines import engine as opened
from deadheat.resampling.plans import tiles

PANEL_KEY = 4  # the key of the random numbers that choose judges
LARGEST = 0.75  # of all judges are in the largest panel: the rest are enough to predict
SIZES = 7  # of panels up to half of the judges, of which two can be compared
AT_ONCE = 100  # trials
ENOUGH = 0.95
MEASURES = ("stability", "generalization")


@dataclass(frozen=True, eq=False, kw_only=True)
class Convergence(View):
    """Hold what panels of more and more judges agree on, function by function."""

    nouns: Nouns

    def grid(self) -> Grid:
        """Return a row for each measure and number of judges, and a column for each function."""
        by = {(row["judges"], row["function"]): row for row in self.records}
        sizes, names = (list(dict.fromkeys(column)) for column in zip(*by, strict=True))
        cells = [
            [what, str(k), *(with_error(by[k, f][what], by[k, f][f"{what}_se"]) for f in names)]
            for what in MEASURES
            for k in sizes
            if any(by[k, f][what] == by[k, f][what] for f in names)
        ]
        keys = [Column(name=name, key=True) for name in ("measure", self.nouns.judges())]
        notes = ("Brackets hold the Monte-Carlo error in units of the last digit.",)
        return Grid.of([*keys, *(name.replace("_", " ") for name in names)], cells, notes=notes)


def convergence(
    table: Any,
    *,
    by: object = None,
    trials: int = PANELS,
    seed: int = 0,
    correlation: Correlation = "spearman",
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Convergence:
    r"""Tell how much rankings of few judges agree with each other, and with judges not asked.

    Of the m judges of a table, k are drawn without replacement, for several k. Stability is the
    mean correlation between the rankings of two panels of k judges that share none, for k up to
    m/2; generalization the mean correlation of one with the m - k judges left.

    Differs from the authors' notebook ``number_of_judges`` of [1]_, which draws k judges with
    replacement many times and takes Kendall's W of all rankings: judges that two panels share, more
    the larger k is, make them alike whatever the function.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 4.

    Parameters
    ----------
    table, by
        One table, and ranking functions as in :func:`criteria`; ``reading`` are the options of
        :func:`deadheat.read`.
    trials
        How many panels of each size; the error of every mean is told.

    Examples
    --------
    >>> import deadheat as dh
    >>> found = dh.convergence(dh.examples.load("compressors"), by="average_rank", trials=50)
    >>> [row["judges"] for row in found.rows() if row["function"] == "average_rank"]
    [1, 2, 3, 4, 6, 8, 12]
    """
    require_words(correlation)
    require_known(convergence, reading)
    require_whole("trials", trials, 2, hint=f"means to a hundredth: {command_with(trials=PANELS)}")
    tables = read_complete(table, engine, **reading)
    if len(tables) > 1:
        fact = f"{len(tables):,} tables are given, and convergence is that of one."
        raise UsageError(fact, hint="name one table; each has other judges.")
    (results,), (fs, _, notes) = tables, choose_functions(tables, by)
    n, m = results.scores.shape
    if n < 2 or m < 2:
        nouns = results.nouns
        fact = f"{results.source} has {nouns.candidates(n)} and {nouns.judges(m)}"
        raise DataError(f"{fact}: two of each are needed.", hint="nothing converges otherwise.")
    task = Task(results=results, functions=tuple(fs), seed=seed, correlation=correlation)
    upto_half = np.rint(np.geomspace(1, m // 2, SIZES)).astype(int).tolist()
    sizes = sorted({*upto_half, max(1, int(m * LARGEST))})
    records: list[Row] = []
    names = (*(f.name for f in fs), BASELINE)
    with opened(engine) as running:
        answers = running.map(partial(_panels, task, trials), sizes)
        for k, measured in zip(sizes, answers, strict=True):
            columns = {what: moments(values) for what, values in measured.items()}
            for i, name in enumerate(names):
                row: Row = {"function": name, "judges": k}
                for what, (mean, error) in columns.items():
                    row |= {what: float(mean[i]), f"{what}_se": float(error[i])}
                records.append(row)
            if progress is not None:
                progress(len(records), len(sizes) * len(names))
    how = {"function": [f.name for f in fs], "trials": trials, "correlation": correlation}
    return Convergence(
        made=provenance_of(results, seed=seed, **how),
        warnings=tuple(dict.fromkeys((*results.notes, *notes, *clusters_ignored(results)))),
        library=results.library,
        name="convergence",
        records=tuple(sorted(records, key=lambda row: names.index(row["function"]))),
        sentence=_sentence(records, m, results.nouns),
        nouns=results.nouns,
    )


def _panels(task: Task, trials: int, k: int) -> dict[str, Floats]:
    """Return the values (F, B) of trials with panels of k judges; (seed, k) alone decides them."""
    n, m = task.results.n, task.results.m
    rng = stream(task.seed, PANEL_KEY, k)
    everybody = np.ones((AT_ONCE, n), dtype=np.float32)
    found: dict[str, list[Floats]] = {what: [] for what in MEASURES}
    for part, (_, size) in enumerate(tiles(trials, AT_ONCE)):
        orders = rng.permuted(np.tile(np.arange(m), (AT_ONCE, 1)), axis=1)
        one, other = (_chosen(orders[:, start : start + k], m) for start in (0, k))
        drawn = trials_of(task, one, everybody, (PANEL_KEY, k), first=part * AT_ONCE)
        alike = np.full(drawn.groups.shape[:2], np.nan)
        if 2 * k <= m:
            key = (PANEL_KEY, k, 1)
            groups, _ = task.ranks_and_merits(other, everybody, key, first=part * AT_ONCE)
            correlate = _tau_b if task.correlation == "kendall" else _rho
            alike = np.stack([correlate(a, b) for a, b in zip(drawn.groups, groups, strict=True)])
        found["stability"].append(alike[:, :size])
        found["generalization"].append(generalization.measure(drawn).values[:, :size])
    return {what: np.concatenate(parts, axis=1) for what, parts in found.items()}


def _chosen(judges: Integers, m: int) -> Floats:
    weights = np.zeros((len(judges), m), dtype=np.float32)
    np.put_along_axis(weights, judges, 1.0, axis=1)
    return weights


def _rho(a: Integers, b: Integers) -> Floats:
    """Return Spearman's correlations of rankings, row by row, (B,); NaN where one ties all."""
    one, other = (doubled_centred_ranks(groups, np.ones(groups.shape)) for groups in (a, b))
    size = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    products = np.einsum("bi,bi->b", one, other)
    found: Floats = np.divide(products, size, out=np.full(len(a), np.nan), where=size > 0)
    return found


def _tau_b(a: Integers, b: Integers) -> Floats:
    return np.array([kendall_of_pairs(np.stack(pair))[0, 1] for pair in zip(a, b, strict=True)])


def _sentence(records: list[Row], m: int, nouns: Nouns) -> str:
    """Say how far the best function comes, and from how many judges on more hardly help."""
    known = [row for row in records if row["generalization"] == row["generalization"]]
    if not known:
        return f"Every ranking, or every {nouns.judge} left, ties all {nouns.candidates()}."
    last = max(known, key=lambda row: (row["judges"], row["generalization"]))
    own = [row for row in known if row["function"] == last["function"]]
    pairs = [row for row in own if row["stability"] == row["stability"]]
    best = float(last["generalization"])
    who = f"{last['judges']:,} of {nouns.judges(m)} is {spoken(last['function'])}"
    text = f"Best with {who}: it predicts the others by {number(best, 3)}"
    if best > 0:
        enough = next(row["judges"] for row in own if row["generalization"] >= ENOUGH * best)
        text += f", and comes within 5 % of that with {nouns.judges(enough)}"
    if not pairs:
        return f"{text}."
    ends = [
        f"{number(row['stability'], 3)} (of {row['judges']:,})" for row in (pairs[0], pairs[-1])
    ]
    panels = f"Two panels of {nouns.judges()} that share none correlate by"
    return f"{text}. {panels} {' to '.join(ends)}."
