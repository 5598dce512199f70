"""Two candidates side by side: by how much, how sure that is, and which judges decide it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.compare.paired_difference import Duel, Paired, duel, paired
from deadheat.core.errors import DataError, UnknownNameError, UsageError, bare, counted, quoted
from deadheat.core.types import Cell, Floats, Integers, Row
from deadheat.data.reading.read import read
from deadheat.data.results import Results, made_from
from deadheat.influence.api import flip_in_words
from deadheat.influence.leave_judges_out import Flip, Flips, Parts, parts_of
from deadheat.output.result import Result
from deadheat.output.table import Grid
from deadheat.output.text import number, percent
from deadheat.ranking.contributions import contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.on_tables import function_for, merits_of, require_usable, scale_warnings
from deadheat.ranking.ranks import best_first
from deadheat.resampling.plans import FEW_CLUSTERS, Plan, plan_for, plan_warnings
from deadheat.resampling.replicate import Engine, Progress, replicate
from deadheat.statistics.corrections import require_alpha
from deadheat.statistics.evidence import (
    Evidence,
    require_enough,
    require_enough_replicates,
    require_judges_drawn,
    whole,
)

FEW_JUDGES = 20
NAMED = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(Result):
    """Hold the comparison of two candidates by one ranking function.

    Attributes
    ----------
    merits, shown
        The observed merits of both, and the numbers as people write them.
    paired
        What the replicates say about the difference of the two merits.
    duel
        On how many judges each of the two scores higher.
    contributions
        What each judge adds to the difference of the merits, (m,); they add up to it. None where
        the function is not additive.
    flip
        The fewest judges (or clusters) without which the one behind is level, or ahead. None where
        there are none, and where the function is not additive.
    """

    schema: ClassVar[str] = "deadheat.compare/1"
    results: Results
    function: RankingFunction
    pair: tuple[int, int]
    merits: tuple[float, float]
    shown: tuple[float, float]
    paired: Paired
    duel: Duel
    contributions: Floats | None
    flip: Flip | None
    parts: Parts
    plan: str

    @property
    def a(self) -> str:
        return self.results.candidates[self.pair[0]]

    @property
    def b(self) -> str:
        return self.results.candidates[self.pair[1]]

    @property
    def ahead(self) -> tuple[str, str]:
        """The one ahead and the other, as sentences name them; in their order if tied."""
        names = bare(self.a), bare(self.b)
        return names if self.paired.sign >= 0 else names[::-1]

    @property
    def gains(self) -> Floats:
        """What decides: the contributions, or the differences of scores where there are none."""
        return self.duel.differences if self.contributions is None else self.contributions

    @cached_property
    def scores(self) -> tuple[Floats, Floats]:
        """The scores of both as they were written, (m,) each."""
        a, b = (self.results.scores[i] for i in self.pair)
        lower = self.results.lower
        return np.where(lower, 0.0 - a, a), np.where(lower, 0.0 - b, b)

    def rows(self) -> list[Row]:
        a, b = self.scores
        gains = self.contributions
        return [
            {
                "judge": self.results.judges[j],
                "a": float(a[j]),
                "b": float(b[j]),
                "difference": float(self.duel.differences[j]),
                "contribution": None if gains is None else float(gains[j]),
            }
            for j in self._best_first(1).tolist()
        ]

    def facts(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "merit_a": self.merits[0],
            "merit_b": self.merits[1],
            "shown_a": self.shown[0],
            "shown_b": self.shown[1],
            **self.paired.told(),
            **self.duel.told(),
            "deciding_for_a": [self.results.judges[j] for j in self.deciding(1)],
            "deciding_for_b": [self.results.judges[j] for j in self.deciding(-1)],
            "over": self.parts.over,
            "flip": self.flip and self.flip.told(self.results, self.parts),
            "plan": self.plan,
        }

    def deciding(self, sign: int, most: int = NAMED) -> list[int]:
        """Return the judges that do most for the first (1) or the second (-1) candidate."""
        return [j for j in self._best_first(sign)[:most].tolist() if sign * self.gains[j] > 0]

    def _best_first(self, sign: int) -> Integers:
        """Return the judges, those that do most for the first (1) or the second (-1) first."""
        unit = np.nan_to_num(np.abs(self.gains)).max(initial=0.0)
        return best_first(sign * self.gains, unit=float(unit))

    @property
    def verdict(self) -> str:
        parts = (_lead(self), _shares(self), _wins(self), _flip(self))
        return " ".join(filter(None, parts))

    def grid(self) -> Grid:
        a, b = self.scores
        names = ["judge", self.a, self.b, "difference"]
        names += [] if self.contributions is None else [f"for {self.a}"]
        cells: list[tuple[Cell, ...]] = []
        for j in (*self.deciding(1), *self.deciding(-1)[::-1]):
            values = [float(of[j]) for of in (a, b, self.duel.differences)]
            values += [] if self.contributions is None else [float(self.gains[j])]
            cells.append((self.results.judges[j], *values))
        if not cells:
            return Grid(columns=(), cells=())
        more = self.results.m - len(cells)
        notes = (f"The judges that decide it; {more:,} more in JSON and CSV.",)
        return Grid.of(names, cells, notes=notes if more else ())


# What a comparison says.


def _lead(found: Comparison) -> str:
    (a, b), pair = found.ahead, found.paired
    values = [number(value) for value in found.shown][:: pair.sign or 1]
    heading = found.function.heading_for(found.results)
    # 0.002 of 500 instances solved is 1 instance, where a unit of merit is shown as one size.
    first, second, third = found.function.shown(np.array([0.0, 1.0, 2.0]), found.results).tolist()
    step = abs(second - first) if np.isclose(second - first, third - second) else 1.0
    level = f"{number(100 * (1 - pair.alpha))} % interval"
    low, high = sorted(step * (pair.sign or 1) * end for end in (pair.low, pair.high))
    span = "" if np.isnan(low) else f"{level} {_amount(low)} to {_amount(high)}"
    if not pair.sign:
        return f"{a} and {b} are tied ({heading} {values[0]}{span and f'; {span}'})."
    told = f"{a} ({heading} {values[0]}) is ahead of {b} ({values[1]}) by "
    return f"{told}{_amount(step * abs(pair.difference))}{span and f' ({span})'}."


def _shares(found: Comparison) -> str:
    pair = found.paired
    ahead, behind, p = pair.ahead, pair.behind, pair.p_a_better
    if pair.sign < 0:
        ahead, behind, p = pair.behind, pair.ahead, pair.p_b_better
    over = f"of {counted(pair.replicates, 'resample')}"
    if pair.exact:
        over = f"of {pair.replicates:,} cases with one {found.parts.one} left out"
    tied = f", tied in {percent(pair.tied)}" if pair.tied else ""
    test = f"one-sided p = {_p(p)}, two-sided {_p(pair.p)}"
    test = test if pair.sign else f"two-sided p = {_p(pair.p)}"
    return (
        f"{found.ahead[0]} is ahead in {percent(ahead)} {over}{tied}, behind in {percent(behind)} "
        f"({test}; not corrected for other comparisons)."
    )


def _wins(found: Comparison) -> str:
    fight = found.duel
    more, less = (fight.higher, fight.lower)[:: found.paired.sign or 1]
    tied = f", the same on {fight.tied:,}" if fight.tied else ""
    once = "" if fight.signs_over == "judges" else " over clusters"
    return (
        f"{found.ahead[0]} scores better on {more:,} of {counted(fight.judges, 'judge')}, worse on "
        f"{less:,}{tied} (sign test{once} p = {_p(fight.sign_p)})."
    )


def _flip(found: Comparison) -> str:
    if found.flip is not None:
        return flip_in_words(found.flip, found.results.candidates, found.parts)
    if found.contributions is None or not found.paired.sign:
        return ""
    ahead, behind = found.ahead
    return f"Whatever {found.parts.many} are left out, {behind} does not draw level with {ahead}."


def _amount(value: float) -> str:
    """Return a difference for people, without what rounding left in its last digits."""
    return number(float(f"{value:.12g}"))


def _p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-4 else f"{p:.0e}"


def compare(
    table: Any,
    a: str,
    b: str,
    *,
    by: str | RankingFunction | None = None,
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Comparison:
    """Compare two candidates: the paired difference of their merits, and how sure it is.

    Both are ranked in the same replicates, so that what a judge does to both cancels. p-values
    are for this one comparison: who picks it among many because it looks good finds small ones
    by chance, which :func:`deadheat.verdict` corrects for.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    a, b
        The names of the two candidates.
    by
        The ranking function; by default ``average_rank``, and for runs the total of their rule.
        All candidates of the table take part in it.
    replicates, plan
        How many resamples, 10,000 by default, and how, as in :func:`deadheat.verdict`.

    Examples
    --------
    >>> import deadheat as dh
    >>> found = dh.compare(dh.examples.load("compressors"), "bzip2-9", "lzma-6", by="average_rank")
    >>> found.facts()["higher"], found.facts()["lower"]
    (12, 4)
    """
    require_alpha(alpha)
    results = read(table, **reading)
    for name in (a, b):
        if str(name) not in results.candidates:
            raise UnknownNameError("candidate", str(name), results.candidates)
    pair = results.candidates.index(str(a)), results.candidates.index(str(b))
    f = function_for(results, by)
    require_usable(results, f)
    require_enough(results)
    _require_two(results, *pair)
    whole = f.form == "table"
    drawn = plan_for(results, plan, replicates=replicates, seed=seed, whole=whole)
    if drawn.random:
        require_enough_replicates(drawn.replicates, alpha)
    require_judges_drawn(drawn)
    merits, _ = replicate(results, f, drawn, on=engine, progress=progress)
    rows = drawn.leaves_out(results.weights)
    if rows is not None:
        merits = merits[rows]
    return comparison(results, f, *pair, merits, drawn, alpha, rows=rows)


def comparison(
    results: Results,
    f: RankingFunction,
    a: int,
    b: int,
    merits: Floats,
    plan: Plan,
    alpha: float,
    *,
    rows: Integers | None = None,
) -> Comparison:
    """Return the comparison of the candidates at two positions, from replicates (B, n) of a plan.

    Replicates in which one of the two has no merit are left out. ``rows`` says which replicates of
    the plan these are, where not all.
    """
    require_alpha(alpha)
    _require_two(results, a, b)
    _, skipped = whole(merits[:, [a, b]])
    if skipped:
        defined = ~np.isnan(merits[:, [a, b]]).any(axis=1)
        merits = merits[defined]
        rows = rows if rows is None else rows[defined]
    observed: Floats = merits_of(results, [f])[f.name][0]
    for i in (a, b):
        if np.isnan(observed[i]):
            raise DataError(
                f"{f.name} gives no merit to candidate {quoted(results.candidates[i])}.",
                hint="a candidate needs a score to be compared; deadheat check shows what is "
                "missing.",
            )
    known = contributions(results, f)
    evidence = Evidence(
        results=results,
        function=f,
        plan=plan,
        observed=observed,
        merits=merits,
        contributions=known,
        skipped=skipped,
        rows=rows,
    )
    found = paired(evidence, a, b, alpha=alpha)
    parts = parts_of(results)
    gains, flip = None, None
    if known is not None:
        sides = np.asarray(known.values[[a, b]], dtype=np.float64) / known.scale
        gains = results.weights * (sides[0] - sides[1]) / results.weights.sum()
        if found.sign:
            ahead, behind = (a, b) if found.sign > 0 else (b, a)
            flip = Flips(results, f, known, parts).flip(ahead, behind)
    shown = f.shown(observed, results)
    return Comparison(
        made=made_from(
            results,
            function=[f.name],
            seed=plan.seed,
            replicates=len(merits),
            plan=plan.in_words(results.m),
            alpha=alpha,
        ),
        warnings=_warnings(evidence),
        library=results.library,
        results=results,
        function=f,
        pair=(a, b),
        merits=(float(observed[a]), float(observed[b])),
        shown=(float(shown[a]), float(shown[b])),
        paired=found,
        duel=duel(results, a, b),
        contributions=gains,
        flip=flip,
        parts=parts,
        plan=plan.in_words(results.m),
    )


def _warnings(evidence: Evidence) -> tuple[str, ...]:
    results = evidence.results
    found = [*results.notes, *scale_warnings(results, [evidence.function])]
    found += plan_warnings(results, evidence.plan)
    number_of, worth = evidence.independent, min(evidence.independent, evidence.effective)
    few_clusters = evidence.plan.clusters is not None and number_of < FEW_CLUSTERS
    if worth < FEW_JUDGES and not few_clusters:  # of which the plan warns
        equal = "" if worth == number_of else f", worth {number(worth)} of equal weight,"
        found.append(
            f"{number_of:,} {evidence.plan.unit}s{equal} are few: below {FEW_JUDGES} percentile "
            "intervals are too narrow and p-values too small."
        )
    if evidence.skipped:
        found.append(
            f"{counted(evidence.skipped, 'resample')} left out, in which one of the two had no "
            "judge."
        )
    return tuple(dict.fromkeys(found))


def _require_two(results: Results, a: int, b: int) -> None:
    if a == b:
        raise UsageError(
            f"candidate {quoted(results.candidates[a])} is compared with itself.",
            hint="name two candidates.",
        )
