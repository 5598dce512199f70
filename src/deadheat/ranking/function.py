"""What a ranking function is, (scores, judge weights, candidate weights) -> merits; a registry."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import FunctionType
from typing import Any, Literal, get_args

import numpy as np

from deadheat.core.errors import (
    DeadheatError,
    OwnFunctionError,
    UnknownNameError,
    UsageError,
    command_with,
    counted,
)
from deadheat.core.files import from_here
from deadheat.core.registry import Registry, plugins, spelled
from deadheat.core.types import Booleans, Documented, Floats, Scale
from deadheat.data.results import Results
from deadheat.data.scoring_rule import rule_of
from deadheat.ranking.block import Block, block_of
from deadheat.ranking.duels import Duels, standings

LARGEST = 1e300  # the difference of two such merits is still a number
EXACT = 2**53
DIGITS = 9  # of a percentage
MOST_CELLS = 30  # of a table that is told in a message
Kernel = Callable[..., Floats]
Shown = Callable[[Floats, Results], Floats]
Magnitude = Callable[[Floats, Floats], Floats | float]
Form = Literal["scores", "standings", "duels", "table"]
Needs = Literal["", "nonnegative", "positive"]


def call_kernel(f: RankingFunction, *args: Any) -> Floats:
    """Return what a kernel returns; raise with name, file and line what a user's own raises."""
    try:
        returned = f.kernel(*args)
    except BaseException as error:  # whatever a user's function raises, an exit too
        if f.shipped or isinstance(error, DeadheatError | MemoryError | KeyboardInterrupt):
            raise
        said = f"{type(error).__name__}: {' '.join(str(error).split())}"
        where = on_scores(args[0]) if f.form == "table" else ""
        raise OwnFunctionError(
            f"{place_of(f, error)}ranking function {f.name} failed{where}: {said}.",
            hint="mend that function; it must rank every table, also one of a single judge.",
        ) from error
    if f.shipped:
        return returned
    if isinstance(returned, np.ma.MaskedArray):
        returned = np.ma.filled(returned.astype(np.float64), np.nan)
    try:
        array = np.asarray(returned)
    except Exception:  # noqa: BLE001 - whatever an object of the user's own raises
        what = f"a {type(returned).__name__} that is not an array of numbers."
        raise _wrong(f, what, "one number per candidate.") from None
    if array.dtype.kind in "iu" and array.size:
        far = max(map(int, (array.min(), array.max())), key=abs)
        if abs(far) > EXACT:
            why = f"{far}, and whole numbers are exact up to 2^53."
            raise _wrong(f, why, "smaller ones: a merit is a floating-point number.")
    return array


def _wrong(f: RankingFunction, what: str, instead: str) -> UsageError:
    said = f"{place_of(f)}ranking function {f.name} returned {what}"
    return UsageError(said, hint=f"return {instead}")


def place_of(f: RankingFunction, error: BaseException | None = None) -> str:
    """Return file and line of a user's own function, or of its error; nothing if unknown."""
    kernel = getattr(f.kernel, "func", f.kernel)
    if f.shipped or not isinstance(kernel, FunctionType):
        return ""
    file = kernel.__code__.co_filename
    lines = [kernel.__code__.co_firstlineno]
    if error is not None:
        frames = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in frames if frame.f_code.co_filename == file]
    return f"{from_here(file)}, line {lines[-1]}: " if lines else ""


def as_merit(merits: Floats, results: Results) -> Floats:  # noqa: ARG001 - the shape of Shown
    return merits


def spoken(name: str) -> str:
    """Return the name of a function as sentences have it: average rank."""
    return name.replace("_", " ")


def as_cost(merits: Floats, results: Results) -> Floats:  # noqa: ARG001 - the shape of Shown
    return 0.0 - merits


def as_score(merits: Floats, results: Results) -> Floats:
    return 0.0 - merits if results.lower.all() else merits


def as_total(merits: Floats, results: Results) -> Floats:
    """Show a mean over judges as people write it: of 0 and 1 in percent, as a total, as a score."""
    if not results.total:
        score = as_score(merits, results)
        return np.round(100 * score, DIGITS) if results.in_percent else score
    total: Floats = as_score(merits, results) * results.weights.sum()
    return np.where(np.isclose(total, np.rint(total), 1e-12, 1e-12), np.rint(total), total)


def of_shares(scores: Floats, judge_weights: Floats) -> float:  # noqa: ARG001 - as Magnitude
    """Measure merits that are counts and shares."""
    return 1.0


def of_scores(scores: Floats, judge_weights: Floats) -> Floats:
    """Measure merits that average a candidate's scores: the largest of them in absolute value."""
    there = judge_weights > 0
    return np.array([np.abs(row[there & np.isfinite(row)]).max(initial=0.0) for row in scores])


MAGNITUDES: dict[Scale, Magnitude] = {
    "ordinal": of_shares,
    "interval": of_scores,
    "ratio": lambda *_: 0.0,  # nothing cancels: nothing counts beside the merit itself
}


@dataclass(frozen=True, eq=False, kw_only=True)
class RankingFunction(Documented):
    """Turn scores and weights into merits, higher is better; a callable with its claims.

    - ``name``, ``aliases``: what it is called; hyphens and underscores are the same.
    - ``kernel``, ``form``: the mathematics, and which of the four shapes it has.
    - ``scale``: what must hold of the scores: ``ordinal`` (only the order counts), ``interval``
      (differences) or ``ratio`` (quotients).
    - ``shared_scale``: whether scores of different judges are compared.
    - ``additive``: whether the merit is the weighted mean over judges of what each alone would
      give; ``alone``, scores (n, m) -> merits (n, m), is that, where it is known at once.
    - ``satisfies``, ``violates``: names of axioms.
    - ``needs``: ``nonnegative`` or ``positive`` scores, as people wrote them.
    - ``substitute``: the name of a function that ranks where the scores are not what it needs.
    - ``available``: whether missing scores can stay missing (policy ``available``).
    - ``by_label``: whether ties inside are broken by the order of the labels.
    - ``shown``, ``heading``: how a merit is written for people, and what that number is called.
    - ``cost``: of one replicate, in n candidates and m judges.
    - ``slow``: whether ``all`` leaves it out.
    - ``baseline``: whether it draws one of the judges, by a hash: ``all`` leaves it out, and where
      candidates change places it may draw another; only the chances do not change then.
    - ``pairwise``: whether it compares every pair of candidates, in n² m steps or more.
    - ``looped``: whether it looks at candidates one by one in Python, which is slow.
    - ``magnitude``: how large the numbers are that each merit is summed from, for telling ties: a
      function of scores (n, m) and judge weights (m,). By default of the size of the scores on an
      interval scale, of the merit on a ratio scale, and 1 on an ordinal one.
    - ``remarks``: sentences about one table that the reader of its ranking must know.
    """

    name: str
    kernel: Kernel
    form: Form
    scale: Scale
    shared_scale: bool = False
    additive: bool = False
    alone: Callable[[Floats], Floats] | None = None
    satisfies: frozenset[str] = frozenset()
    violates: frozenset[str] = frozenset()
    needs: Needs = ""
    substitute: str = ""
    available: bool = False
    by_label: bool = False
    shown: Shown = as_merit
    heading: str = "merit"
    cost: str = "n m"
    slow: bool = False
    baseline: bool = False
    pairwise: bool = False
    looped: bool = False
    magnitude: Magnitude | None = None
    aliases: tuple[str, ...] = ()
    remarks: Callable[[Floats, Floats], Iterable[str]] | None = None
    __doc__: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for what, word, kinds in (("scale", self.scale, Scale), ("need", self.needs, Needs)):
            if word not in get_args(kinds):
                whose = f"{what} of ranking function {self.name}"
                raise UnknownNameError(whose, str(word), get_args(kinds))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process by name, or by its fields where that does not know it."""
        if self.shipped and self in functions():
            return get, (self.name,)
        made = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(RankingFunction, **made), ()

    @property
    def shipped(self) -> bool:
        kernel = getattr(self.kernel, "func", self.kernel)  # of a partial, what it completes
        return str(kernel.__module__).startswith("deadheat.")

    def in_percent(self, results: Results) -> bool:
        return self.shown is as_total and results.in_percent

    def heading_for(self, results: Results) -> str:
        """Return what the shown number is called above a column of it."""
        return f"{self.noun_for(results)}{' %' if self.in_percent(results) else ''}"

    def noun_for(self, results: Results) -> str:
        own = self.shown is as_total and results.by in ("", self.name)
        name = results.heading or results.total or results.only_score
        return (name if own else "") or self.heading

    def called(self, results: Results) -> str:
        """Return what sentences call the way to count: PAR2, average rank."""
        if self.name == results.by and (told := results.heading or results.rule):
            return told
        plain = not results.by and self.shown is as_total
        own = results.total or results.only_score or results.heading
        return (own if plain else "") or spoken(self.name)

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
        return f"<ranking function {self.name}, {self.scale} scale>"


def merits(functions: Iterable[RankingFunction], block: Block) -> Iterator[Floats]:
    """Yield the merits (B, n) that each function gives; what they share is computed once."""
    functions = list(functions)
    if not block.shape[0]:
        yield from (np.empty(block.shape[:2]) for _ in functions)
        return
    nobody = block.total == 0
    absent = np.asarray(block.candidate_weights == 0) | nobody
    if nobody.any():  # spare the kernels a division by 0; the answer is NaN
        block = replace(block, judge_weights=np.where(nobody, 1.0, block.judge_weights))
    judges, copies = block.judge_weights, block.candidate_weights
    where = standings(block) if any(f.form == "standings" for f in functions) else None
    duelling = [f for f in functions if f.form == "duels"]
    fought: dict[int, list[Floats]] = {id(f): [] for f in duelling}
    for part in block.replicates(block.shape[1] ** 2) if duelling else ():
        duels = Duels(part)  # all see the same few replicates at a time
        for f in duelling:
            returned = call_kernel(f, duels, part.candidate_weights)
            fought[id(f)].append(_checked_merits(f, returned, part.candidate_weights == 0))
    for f in functions:
        if f.form == "scores":
            result = call_kernel(f, block.scores, judges, copies)
        elif f.form == "standings":
            result = call_kernel(f, where, copies)
        elif f.form == "duels":
            result = np.concatenate(fought.pop(id(f)))
        else:
            repeat = partial(_merits_by_repetition, f, block.scores)
            result = np.stack(list(map(repeat, judges, copies)))
        checked = _checked_merits(f, result, absent)
        # What is summed from a caller's float32 is good to its digits and no more, so its ties are.
        single = block.scores.dtype == np.float32 and f.scale != "ordinal"
        yield checked.astype(np.float32) if single else checked


def _merits_by_repetition(
    f: RankingFunction, scores: Floats, judges: Floats, copies: Floats
) -> Floats:
    """Apply a function of a plain table to the table in which every weight is a repetition."""
    if (judges != np.rint(judges)).any() or (copies != np.rint(copies)).any():
        raise UsageError(
            f"{f.name} ranks plain tables, so weights must be whole numbers.",
            hint="register it with ranks_scores and use the weights in its formula.",
        )
    times, table = copies.astype(int), table_of(scores, judges, copies)
    merits = np.full(len(times), np.nan)
    if table.size:
        n, m = table.shape
        returned = np.asarray(call_kernel(f, table))
        if returned.shape != (n,) or returned.dtype.kind not in "fiub":
            seen = f"{counted(n, 'candidate')} and {counted(m, 'judge')}{on_scores(table)}"
            what = f"{returned.dtype} of shape {returned.shape} for {seen}."
            raise _wrong(f, what, f"one number per candidate, shape ({n},); rows are candidates.")
        of_copies = _checked_merits(f, returned[None], np.zeros((1, n), dtype=bool))[0]
        merits[times > 0] = of_copies[np.cumsum(times)[times > 0] - 1]
    return merits


def table_of(scores: Floats, judges: Floats, copies: Floats) -> Floats:
    """Return the table in which every weight, of judges (m,) and candidates (n,), repeats."""
    columns = np.repeat(scores, judges.astype(int), axis=1)
    return np.asarray(np.repeat(columns, copies.astype(int), axis=0))


def on_scores(table: Floats) -> str:
    """Say on which table a function of the user goes wrong, where it is small."""
    return f" on the scores {table.tolist()}" if table.size <= MOST_CELLS else ""


def _checked_merits(f: RankingFunction, merits: Any, absent: Booleans) -> Floats:
    """Return the merits of a kernel if they have the right shape and are numbers, absent as NaN."""
    array = np.asarray(merits)
    if array.shape != absent.shape or array.dtype.kind not in "fiub":
        raise UsageError(
            f"{place_of(f)}ranking function {f.name} returned {array.dtype} of shape {array.shape}"
            f" instead of numbers of shape {absent.shape}.",
            hint="a kernel returns one merit per replicate and candidate.",
        )
    array = array.astype(np.float64, copy=True)
    array[absent] = np.nan
    if not f.shipped and (np.abs(array) > LARGEST).any():  # NaN is not: there is no merit
        b, i = np.argwhere(np.abs(array) > LARGEST)[0].tolist()
        what = f"{array[b, i]:g} for candidate {i + 1} of {array.shape[1]}."
        raise _wrong(f, what, "a finite number for every candidate; NaN says that there is none.")
    return array


# Every ranking function by name: one decorator registers it, one file is enough to add it.

Functions = list[RankingFunction]
Decorator = Callable[[Kernel], RankingFunction]
FUNCTIONS: Registry[RankingFunction] = Registry(
    "ranking function", partial(plugins, "deadheat.ranking.functions", RankingFunction)
)


def ranks_scores(name: str, **claims: Any) -> Decorator:
    """Register a kernel ``(scores (n, m), judge weights (B, m), candidate weights (B, n))``.

    It returns merits (B, n). ``claims`` are fields of :class:`RankingFunction`; it needs ``scale``.
    """
    return _registering(name, "scores", claims)


def ranks_standings(name: str, **claims: Any) -> Decorator:
    """Register a kernel ``(standings, candidate weights)`` that needs only the places."""
    return _registering(name, "standings", {"scale": "ordinal", "additive": True} | claims)


def ranks_duels(name: str, **claims: Any) -> Decorator:
    """Register a kernel ``(duels, candidate weights)`` that needs only who beats whom how often."""
    by_pairs = {"scale": "ordinal", "available": True, "pairwise": True}
    return _registering(name, "duels", by_pairs | claims)


def ranks_table(name: str, **claims: Any) -> Decorator:
    """Register a function ``scores (n, m) -> merits (n,)``; weights repeat rows and columns."""
    return _registering(name, "table", {"cost": "a copy of the table and a call"} | claims)


def register(f: RankingFunction) -> RankingFunction:
    """Make a function of one's own known by its name and aliases; again, as notebooks do.

    A copy of a shipped function is that function: whoever moved a file here can try it elsewhere.
    """
    if f.shipped:  # and found in its folder
        return f
    known = FUNCTIONS.get(f.name)
    code = getattr(f.kernel, "__code__", None)
    same = code is not None and code == getattr(known and known.kernel, "__code__", None)
    if known is not None and known.shipped and same:
        return known
    names = (f.name, *f.aliases)
    for name in names:
        taken = FUNCTIONS.get(name)
        if taken is not None and (taken.name != f.name or taken.shipped):
            whose = f"the function {taken.name!r}{' of deadheat' if taken.shipped else ''}"
            what = f"the name {spelled(name)!r} already belongs to {whose}."
            raise UsageError(what, hint="choose another name.")
    if known is not None:
        forget(f.name)
    FUNCTIONS.update(dict.fromkeys(names, f))
    return f


def forget(name: str) -> None:
    f = get(name)
    for key in [key for key, known in FUNCTIONS.items() if known is f]:
        del FUNCTIONS[key]


def get(name: str | RankingFunction) -> RankingFunction:
    """Return the ranking function of that name."""
    if isinstance(name, RankingFunction):
        return name
    if spelled(name) not in FUNCTIONS:
        _refuse_rule(spelled(name))
    return FUNCTIONS.named(name)


def _refuse_rule(name: str) -> None:
    """Refuse the name of a rule that scores runs, such as PAR2, with the command that uses it."""
    with suppress(UnknownNameError):
        rule = rule_of(name)
        fact = f"{rule.heading or rule.name} is a scoring rule for runs and no ranking function."
        raise UsageError(fact, hint=f"by this rule: {command_with(by=None, rule=rule.name)}")


def functions() -> tuple[RankingFunction, ...]:
    """Return every registered ranking function, in the order of their names."""
    return tuple(sorted(set(FUNCTIONS.values()), key=lambda f: f.name))


def functions_named(by: object, own: RankingFunction | None = None) -> tuple[Functions, Functions]:
    """Return the functions that ``by`` asks for, and which of them it calls by name: these first.

    ``by`` is one name or function, several, names with commas between, or ``"all"``: every
    function that is neither slow nor a baseline. ``own`` is one that no registry knows.
    """
    items = [by] if isinstance(by, str | RankingFunction) or not isinstance(by, Iterable) else by
    parts: list[str | RankingFunction] = []
    for item in items:
        if not isinstance(item, str | RankingFunction):
            raise UsageError(
                f"by must name ranking functions, got {item!r}.",
                hint="a name, several, or what deadheat.ranks_table and its like return.",
            )
        parts += [p for p in item.split(",") if p.strip()] if isinstance(item, str) else [item]
    if not parts:
        raise UsageError("no ranking function is named.", hint="e.g. by='average_rank', or 'all'.")
    everyone = [part for part in parts if isinstance(part, str) and spelled(part) == "all"]
    known = {} if own is None else {own.name: own}
    few = [part for part in parts if part not in everyone]
    found = (known.get(spelled(p) if isinstance(p, str) else "") or get(p) for p in few)
    named = list(dict.fromkeys(found))
    kept = (f for f in (*known.values(), *functions()) if not (f.slow or f.baseline))
    others = [f for f in kept if f not in named]
    return [*named, *others] if everyone else named, named


def _registering(name: str, form: Form, claims: dict[str, Any]) -> Decorator:
    def decorate(kernel: Kernel) -> RankingFunction:
        sets = {key: frozenset(value) for key, value in claims.items() if isinstance(value, set)}
        own = {"name": name, "form": form, "kernel": kernel, "__doc__": kernel.__doc__}
        try:
            return register(RankingFunction(**claims | sets | own))
        except TypeError as error:
            raise UsageError(
                f"cannot register ranking function {name!r}: {error}.",
                hint="scale is required; help(deadheat.RankingFunction) lists the claims.",
            ) from None

    return decorate
