"""What a ranking function is: (scores, judge weights, candidate weights) -> merits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from deadheat.data.documented import Documented
from deadheat.data.results import Results
from deadheat.errors import UnknownNameError, UsageError
from deadheat.ranking.blocks import Block
from deadheat.ranking.duels import Duels
from deadheat.ranking.given_block import block_of
from deadheat.ranking.own_faults import called, made_at, refuse_infinite
from deadheat.ranking.standings import Standings, standings
from deadheat.typing import Booleans, Floats, Scale

ScoresKernel = Callable[[Floats, Floats, Floats], Floats]
StandingsKernel = Callable[[Standings, Floats], Floats]
DuelsKernel = Callable[[Duels, Floats], Floats]
TableKernel = Callable[[Floats], Floats]
Shown = Callable[[Floats, Results], Floats]
Magnitude = Callable[[Floats, Floats], Floats | float]
Form = Literal["scores", "standings", "duels", "table"]
Needs = Literal["", "nonnegative", "positive"]


def as_merit(merits: Floats, results: Results) -> Floats:  # noqa: ARG001 - the shape of Shown
    """Show the merit as it is."""
    return merits


def as_cost(merits: Floats, results: Results) -> Floats:  # noqa: ARG001 - the shape of Shown
    """Show a merit that is a negated cost, such as a mean rank, as the cost."""
    return 0.0 - merits


def as_score(merits: Floats, results: Results) -> Floats:
    """Show a merit that is on the scale of the scores as people wrote the scores."""
    return 0.0 - merits if results.lower.all() else merits


def as_total(merits: Floats, results: Results) -> Floats:
    """Show a mean over judges as its total where people write the total, else as a score."""
    if not results.total:
        return as_score(merits, results)
    total: Floats = as_score(merits, results) * results.weights.sum()
    return np.where(np.isclose(total, np.rint(total), 1e-12, 1e-12), np.rint(total), total)


def of_shares(scores: Floats, judge_weights: Floats) -> float:  # noqa: ARG001 - as Magnitude
    """Measure merits that are counts and shares: they are of size 1."""
    return 1.0


def of_merits(scores: Floats, judge_weights: Floats) -> float:  # noqa: ARG001 - as Magnitude
    """Measure merits in which nothing cancels: nothing counts beside the merit itself."""
    return 0.0


def of_scores(scores: Floats, judge_weights: Floats) -> Floats:
    """Measure merits that average a candidate's scores: the largest of them in absolute value."""
    there = judge_weights > 0
    return np.array([np.abs(row[there & np.isfinite(row)]).max(initial=0.0) for row in scores])


MAGNITUDES: dict[Scale, Magnitude] = {
    "ordinal": of_shares,
    "interval": of_scores,
    "ratio": of_merits,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class RankingFunction(Documented):
    """Turn scores and weights into merits, higher is better; a callable with its claims.

    Parameters
    ----------
    name, aliases
        What it is called in ``by=`` and ``--by``; hyphens and underscores are the same.
    kernel, form
        The mathematics, and which of the four shapes it has.
    scale
        What must hold of the scores for the answer to mean something: ``ordinal`` (only the order
        counts), ``interval`` (differences) or ``ratio`` (quotients).
    shared_scale
        Whether scores of different judges are compared, so that they must be alike.
    additive
        Whether the merit is the weighted mean over judges of what each judge alone would give.
    alone
        What every judge alone gives, scores (n, m) -> merits (n, m): for additive functions that
        know it without asking judge by judge.
    satisfies, violates
        Names of axioms.
    needs
        ``nonnegative`` or ``positive``: what the scores as people wrote them must be.
    available
        Whether missing scores can stay missing (policy ``available``).
    by_label
        Whether ties inside are broken by the order of the labels.
    shown, heading
        How a merit is written for people, and what that number is called.
    cost
        What one replicate costs, in n candidates and m judges.
    slow
        Whether ``all`` leaves it out.
    pairwise
        Whether it compares every pair of candidates, which takes n² m steps or more.
    magnitude
        How large the numbers are that each candidate's merit is summed from, for telling ties: a
        function of scores (n, m) and judge weights (m,). By default of the size of the scores on
        an interval scale, of the merit on a ratio scale, and 1 on an ordinal one.
    remarks
        Sentences about one table that the reader of its ranking must know.
    """

    name: str
    kernel: Callable[..., Floats]
    form: Form
    scale: Scale
    shared_scale: bool = False
    additive: bool = False
    alone: Callable[[Floats], Floats] | None = None
    satisfies: frozenset[str] = frozenset()
    violates: frozenset[str] = frozenset()
    needs: Needs = ""
    available: bool = False
    by_label: bool = False
    shown: Shown = as_merit
    heading: str = "merit"
    cost: str = "n m"
    slow: bool = False
    pairwise: bool = False
    magnitude: Magnitude | None = None
    aliases: tuple[str, ...] = ()
    remarks: Callable[[Floats, Floats], Iterable[str]] | None = None
    __doc__: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for what, word, known in (
            ("scale", self.scale, get_args(Scale)),
            ("need", self.needs, get_args(Needs)),
        ):
            if word not in known:
                raise UnknownNameError(f"{what} of ranking function {self.name}", str(word), known)

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process by name, or by its fields where no registry knows it."""
        from deadheat.ranking.registry import is_registered  # late: it knows this module

        if is_registered(self):
            return _by_name, (self.name,)
        made = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(RankingFunction, **made), ()

    @property
    def shipped(self) -> bool:
        """Whether it comes with deadheat, and not from its user."""
        kernel = getattr(self.kernel, "func", self.kernel)  # of a partial, what it completes
        return str(kernel.__module__).startswith("deadheat.")

    def heading_for(self, results: Results) -> str:
        """Return what the number is called that is shown for a table."""
        own = self.shown is as_total and results.by in ("", self.name)
        return (results.heading or results.total if own else "") or self.heading

    def called(self, results: Results) -> str:
        """Return what the ranking of a table is called: the rule's name for the rule's own."""
        return results.rule if results.rule and self.name == results.by else self.name

    def unit(self, scores: Floats, judge_weights: Floats | None = None) -> Floats | float:
        """Return the size of the numbers that each candidate's merit is summed from."""
        weights = np.ones(scores.shape[1]) if judge_weights is None else judge_weights
        return (self.magnitude or MAGNITUDES[self.scale])(scores, weights)

    def __call__(
        self, scores: Any, judge_weights: Any = None, candidate_weights: Any = None
    ) -> Floats:
        """Return the merits, one row per replicate; weight 0 means absent and gives NaN."""
        return next(merits([self], block_of(scores, judge_weights, candidate_weights)))

    def __repr__(self) -> str:
        """Name the function and its scale."""
        return f"<ranking function {self.name}, {self.scale} scale>"


def _by_name(name: str) -> RankingFunction:
    from deadheat.ranking.registry import get  # late: the registry knows this module

    return get(name)


def merits(functions: Iterable[RankingFunction], block: Block) -> Iterator[Floats]:
    """Yield the merits (B, n) that each function gives; what they share is computed once."""
    if not block.shape[0]:
        yield from (np.empty(block.shape[:2]) for _ in functions)
        return
    nobody = block.total == 0
    absent = np.asarray(block.candidate_weights == 0) | nobody
    if nobody.any():  # spare the kernels a division by 0; the answer is NaN
        block = replace(block, judge_weights=np.where(nobody, 1.0, block.judge_weights))
    functions = list(functions)
    found = _of_shared_forms([f for f in functions if f.form in ("standings", "duels")], block)
    for f in functions:
        result = found.pop(id(f), None)
        result = _of_kernel(f, block) if result is None else result
        checked = _checked(f, result, absent)
        # What is summed from a caller's float32 is good to its digits and no more, so its ties are.
        single = block.scores.dtype == np.float32 and f.scale != "ordinal"
        yield checked.astype(np.float32) if single else checked


def _of_kernel(f: RankingFunction, block: Block) -> Floats:
    if f.form == "scores":
        return called(f, block.scores, block.judge_weights, block.candidate_weights)
    rows = zip(block.judge_weights, block.candidate_weights, strict=True)
    return np.stack([_of_repeated(f, block.scores, judges, copies) for judges, copies in rows])


def _of_repeated(f: RankingFunction, scores: Floats, judges: Floats, copies: Floats) -> Floats:
    """Apply a function of a plain table to the table in which every weight is a repetition."""
    if (judges != np.rint(judges)).any() or (copies != np.rint(copies)).any():
        raise UsageError(
            f"{f.name} ranks plain tables, so weights must be whole numbers.",
            hint="register it with ranks_scores and use the weights in its formula.",
        )
    times = copies.astype(int)
    merits = np.full(len(times), np.nan)
    table = np.repeat(np.repeat(scores, judges.astype(int), axis=1), times, axis=0)
    if table.size:
        returned = np.asarray(called(f, table))[None]
        of_copies = _checked(f, returned, np.zeros((1, len(table)), dtype=bool))[0]
        merits[times > 0] = of_copies[np.cumsum(times)[times > 0] - 1]
    return merits


def _of_shared_forms(functions: list[RankingFunction], block: Block) -> dict[int, Floats]:
    found: dict[int, Floats] = {}
    where = standings(block) if any(f.form == "standings" for f in functions) else None
    for f in functions:
        if f.form == "standings":
            found[id(f)] = called(f, where, block.candidate_weights)
    fighting = [f for f in functions if f.form == "duels"]
    parts: dict[int, list[Floats]] = {id(f): [] for f in fighting}
    for part in block.replicates(block.shape[1] ** 2) if fighting else ():
        duels = Duels(part)
        for f in fighting:
            returned = called(f, duels, part.candidate_weights)
            parts[id(f)].append(_checked(f, returned, part.candidate_weights == 0))
    return found | {key: np.concatenate(rows) for key, rows in parts.items()}


def _checked(f: RankingFunction, merits: Any, absent: Booleans | None) -> Floats:
    """Return the merits of a kernel if they have the right shape and are numbers, absent as NaN."""
    array = np.asarray(merits)
    wanted = array.shape if absent is None else absent.shape
    if array.ndim != 2 or array.shape != wanted or array.dtype.kind not in "fiub":
        raise UsageError(
            f"{made_at(f)}ranking function {f.name} returned {array.dtype} of shape {array.shape}"
            f" instead of numbers of shape {wanted}.",
            hint="a kernel returns one merit per replicate and candidate.",
        )
    array = array.astype(np.float64, copy=True)
    if absent is not None:
        array[absent] = np.nan
    if not f.shipped:
        refuse_infinite(f, array)
    return array
