"""The table that is ranked: candidates x judges, turned once so that higher is better."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    command_with,
    counted,
    listed,
    plural_of,
    quoted,
    say,
)
from deadheat.core.types import Booleans, Direction, Floats, MissingPolicy, Record
from deadheat.output.result import Drawable, provenance

# What scores, names, labels and weights must be before they are a table.

FLAT = 1e-14  # a spread that is rounding, beside the mean
EXACT = 2**53  # from here on not every whole number is a float


def checked_scores(scores: object, source: str) -> Floats:
    array = _floats(scores, f"{source}: the scores")
    if array.ndim != 2:
        fact = f"scores must be candidates x judges, got {array.ndim} dimension(s)."
        raise DataError(fact, hint="one row per candidate, one column per judge.")
    n, m = array.shape
    if n == 0 or m == 0:
        size = f"{counted(n, 'candidate')} and {counted(m, 'judge')}"
        raise DataError(f"{source} has {size}: nothing to rank.")
    if np.isnan(array).all():
        fact = f"{source} has no score at all: all {array.size:,} cells are missing."
        raise DataError(
            fact, hint="write numbers into its cells; an empty one, NaN or n/a is no score."
        )
    return array


def _floats(given: object, what: str) -> Floats:
    try:
        array = np.asarray(given)
        if array.dtype.kind in "cmM":  # complex numbers, spans and points of time
            raise TypeError(f"they are {array.dtype}")  # noqa: TRY301
        if array.dtype == np.float32:
            return array
        floats = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        fact = f"{what} are not numbers ({error})."
        raise DataError(fact, hint="give numbers; NaN where one is missing.") from None
    for place in first_inexact(array.ravel(), floats.ravel()):
        fact = f"{what} hold {array.flat[place]}, which has more digits than a float keeps."
        hint = "give smaller numbers: in a larger unit, or less what all have in common."
        raise DataError(fact, hint=hint)
    return floats


def first_inexact(column: npt.NDArray[Any], floats: Floats) -> list[int]:
    """Return the place of the first integer that a float cannot hold, if there is one."""
    if column.dtype.kind not in "iuO":
        return []
    large = np.flatnonzero(np.abs(floats) >= EXACT).tolist()
    lost = (place for place in large if int(column[place]) != int(floats[place]))
    return list(islice(lost, 1))


def checked_names(given: Sequence[str], size: int, kind: str, source: str) -> tuple[str, ...]:
    names = tuple(str(name) for name in given)
    if not names:
        width = len(str(size))
        return tuple(f"{kind}_{i:0{width}}" for i in range(1, size + 1))
    if len(names) != size:
        number = f"{counted(len(names), f'{kind} name')} for {counted(size, kind)}"
        raise DataError(f"{source}: {number}.")
    seen: dict[str, int] = {}
    for place, name in enumerate(names if len(set(names)) < size else (), start=1):
        if seen.setdefault(name, place) != place:
            places = f"({kind}s {seen[name]:,} and {place:,})"
            hint = f"every {kind} needs a name of its own; rename or remove one."
            raise DataError(f"{source}: {kind} {quoted(name)} appears twice {places}.", hint=hint)
    return names


def checked_weights(given: object, judges: Sequence[str]) -> Floats:
    if given is None:
        return np.ones(len(judges))
    weights = _floats(given, "the judge weights").astype(np.float64)
    if weights.shape != (len(judges),):
        fact = f"judge_weights has shape {weights.shape} for {counted(len(judges), 'judge')}."
        raise DataError(fact, hint="give one weight per judge.")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        j = int(np.argmax(bad))
        fact = f"the weight of judge {quoted(judges[j])} is {weights[j]:g}."
        raise DataError(fact, hint="weights are finite and at least 0; 0 leaves a judge out.")
    if not weights.any():
        fact = "all judge weights are 0: nobody judges."
        raise DataError(fact, hint="give some judge a weight above 0.")
    return weights


def read_only(array: Floats) -> Floats:
    """Return an array through which nothing can be written."""
    view = array.view()
    view.flags.writeable = False
    return view


# ------------------------------------------------------------------------------
# Which way is better, per judge, and the one place where scores are turned.

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
EVERY_OTHER_JUDGE = "*"


def orient_scores(scores: Floats, better: Sequence[Direction]) -> Floats:
    """Return the scores with the judges negated where lower is better; twice gives them back."""
    lower = np.array([direction == "lower" for direction in better])
    if not lower.any():
        return scores
    signs = np.where(lower, -1, 1).astype(scores.dtype)
    return scores * signs + scores.dtype.type(0)  # no negative zero


class TimesError(UsageError):
    """The direction of scores is not known, and they look like times of runs that had a limit."""

    as_runs: Mapping[str, object] = {}


def unknown_direction(likely: str, *, times: bool = False, why: str = "") -> UsageError:
    """Return the question which scores are better, and the likely answer, which comes first."""
    other = next(word for word in DIRECTIONS if word != likely)
    ways = [f"where {d} is better: {command_with(better=d)}" for d in (likely, other)]
    fact = f"the direction of the scores is not known{why and f'; {why}'}."
    kind = TimesError if times else UsageError
    return kind(fact, hint="\n".join(ways), remedy={"better": likely})


def directions(better: object, judges: Sequence[str]) -> tuple[Direction, ...]:
    if better is None:
        raise unknown_direction("higher")
    if isinstance(better, Mapping):
        named = {str(judge): word for judge, word in better.items()}
        known = {*judges, EVERY_OTHER_JUDGE}
        for name in (name for name in named if name not in known):
            raise UnknownNameError("judge in better", name, judges)
        better = [named.get(judge, named.get(EVERY_OTHER_JUDGE)) for judge in judges]
        if None in better:
            fact = f"better says nothing about judge {quoted(judges[better.index(None)])}."
            raise UsageError(fact, hint="name that judge, too, or add '*' for all the others.")
    elif isinstance(better, str) or not isinstance(better, Iterable):
        better = [better] * len(judges)
    words = tuple(better)
    if len(words) != len(judges):
        fact = f"better has {counted(len(words), 'direction')} for {counted(len(judges), 'judge')}."
        hint = "give one word for all, one per judge, or a mapping from judge to direction."
        raise UsageError(fact, hint=hint)
    for word in words:
        if word not in DIRECTIONS:
            hint = "'higher' for accuracy or solved, 'lower' for error, loss, time or rank."
            raise UsageError(f"better must be 'higher' or 'lower', got {word!r}.", hint=hint)
    return words


# ------------------------------------------------------------------------------
# The table itself.

POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)


@dataclass(frozen=True)
class Nouns:
    """Say what candidates, judges, clusters and strata are called: solvers, instances."""

    candidate: str = "candidate"
    judge: str = "judge"
    cluster: str = "cluster"
    repeat: str = "repeat"  # of a judge, where each is one
    stratum: str = "stratum"

    def candidates(self, number: int | None = None) -> str:
        return _many(self.candidate, number)

    def judges(self, number: int | None = None) -> str:
        return _many(self.judge, number)

    def unit(self, kind: Literal["judge", "cluster"]) -> str:
        """Return what is drawn is called."""
        return self.judge if kind == "judge" else self.cluster

    def facts(self) -> dict[str, str]:
        """Return the words that the data have of their own."""
        return {name: word for name, word in vars(self).items() if word != name}


PLAIN = Nouns()


def _many(noun: str, number: int | None) -> str:
    return plural_of(noun) if number is None else counted(number, noun)


LABELS = ("strata", "clusters", "instances")  # of judges
SEED = "seed"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Results(Record, Drawable):
    """Hold the scores of candidates (rows) by judges (columns), immutable, higher is better.

    The constructor takes the scores as people wrote them and turns the judges where lower is
    better; ``better`` stays as metadata and nothing turns a score twice. Missing cells are NaN;
    ``missing`` names the policy that the ranking functions must respect
    (:func:`deadheat.data.missing.apply_policy` applies one).

    Parameters
    ----------
    scores
        Candidates x judges. Where nothing is turned, a float32 array and a read-only float64
        array are kept without a copy; a float64 array that can still be written to is copied.
    better
        ``"higher"`` or ``"lower"`` for all judges, one per judge, or a mapping from judge to
        direction in which ``"*"`` stands for every judge that is not named. Required.
    judge_weights
        How much each judge counts; 1 by default.
    strata, clusters
        A label per judge. Both change resampling and never a merit.
    tie_tol
        Two scores of one judge this close are tied for the functions that compare.
    reading, library
        What the reader understood, as (topic, finding) pairs; the library of the DataFrame, if any.
    by, rule, instances
        For scored runs: their usual ranking function, the rule, and the instance of each judge.
    total, heading
        For scored runs: what people call the total, where they write it, and the number they write.
        The heading of a long table with one judge, or of 0 and 1, is its column of scores.
    nouns
        What sentences call candidates, judges and clusters.
    as_runs
        Options of a file that make runs of it, were its scores times.
    bits
        Of a part of a table: whether the whole has scores of 0 and 1 alone.
    title
        What the data call themselves, for the head of a page.
    before
        The table before a policy for its missing scores was applied, where one was.
    standard_errors
        How uncertain each score is by itself, where the source says it; NaN where it does not.
    official
        The official rank of candidates, where the source says it.
    scaling
        What scores were standardised over (:func:`scaled`): ``"global"``, ``"judge"``, or nothing.
    """

    scores: Floats
    better: Any = None
    candidates: Sequence[str] = ()
    judges: Sequence[str] = ()
    judge_weights: Floats | None = None
    strata: Sequence[str] | None = None
    clusters: Sequence[str] | None = None
    missing: MissingPolicy = "error"
    tie_tol: float = 0.0
    source: str = "the table"
    reading: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    library: str = ""
    by: str = ""
    rule: str = ""
    total: str = ""
    heading: str = ""
    instances: Sequence[str] | None = None
    nouns: Nouns = PLAIN
    title: str = ""
    scaling: str = ""
    as_runs: Mapping[str, object] = field(default_factory=dict)
    bits: bool | None = None
    each: str = ""
    parts: tuple[Results, ...] = ()
    before: Results | None = None
    standard_errors: Floats | None = None
    official: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        given = checked_scores(self.scores, self.source)
        n, m = given.shape
        judges = checked_names(self.judges, m, "judge", self.source)
        better = directions(self.better, judges)
        put = self._put
        put("candidates", checked_names(self.candidates, n, "candidate", self.source))
        put("judges", judges)
        put("better", better)
        put("judge_weights", checked_weights(self.judge_weights, judges))
        for kind in LABELS:
            labels = getattr(self, kind)
            if labels is not None and len(labels) != m:
                fact = f"{kind} has {counted(len(labels), 'label')} for {counted(m, 'judge')}."
                raise DataError(fact, hint="give one label per judge.")
            put(kind, None if labels is None else tuple(map(str, labels)))
        scores, ours = orient_scores(given, better), isinstance(self.scores, list | tuple)
        if scores.dtype != np.float32 and not ours and scores.flags.writeable:
            ours = not np.may_share_memory(scores, np.asarray(self.scores))
            scores = scores if ours else scores.copy()
        put("scores", scores)
        if self.standard_errors is not None:
            put("standard_errors", _checked_errors(self.standard_errors, scores.shape))
        if self.missing not in POLICIES:
            raise UnknownNameError("missing policy", str(self.missing), POLICIES)
        require_tolerance(self.tie_tol)

    @property
    def judged_on(self) -> str:
        """What candidates were judged on, in words: 212 instances, or 80 instances x 3 seeds."""
        if self.clusters is None:
            return self.nouns.judges(self.m)
        sizes = Counter(self.clusters)
        number = counted(len(sizes), self.nouns.cluster)
        if self.clusters != self.instances:
            of = f" of {number}" if 1 < len(sizes) < self.m else ""
            return f"{self.nouns.judges(self.m)}{of}"
        if len({*sizes.values()}) > 1:
            return f"{self.nouns.judges(self.m)} on {number}"
        return f"{number} x {counted(self.m // len(sizes), self.nouns.repeat)}"

    @property
    def n(self) -> int:
        """The number of candidates."""
        return int(self.scores.shape[0])

    @property
    def m(self) -> int:
        """The number of judges."""
        return int(self.scores.shape[1])

    @property
    def only_score(self) -> str:
        """What the scores are called where each candidate has one; empty where it has several.

        What a scoring rule gives has a name by its rule.
        """
        if self.m > 1 or self.rule or self.total:
            return ""
        made_up = self.judges == checked_names((), 1, "judge", "")
        return self.heading or ("score" if made_up else self.judges[0])

    @property
    def tells_its_errors(self) -> bool:
        """Whether candidates have one score each, and standard errors: nothing to resample."""
        return bool(self.only_score) and self.standard_errors is not None and self.n > 1

    @cached_property
    def weights(self) -> Floats:
        """The judge weights as an array, 1 where none were given."""
        assert self.judge_weights is not None
        return self.judge_weights

    @cached_property
    def lower(self) -> Booleans:
        """Which judges were given with lower is better."""
        return np.array([direction == "lower" for direction in self.better])

    @cached_property
    def holes(self) -> Booleans:
        """Which cells are missing."""
        return np.isnan(self.scores)

    @cached_property
    def has_holes(self) -> bool:
        """Whether any cell is missing."""
        with np.errstate(over="ignore", invalid="ignore"):  # a sum is quick, and finite or not
            total = self.scores.sum()
        return bool(np.isnan(total) and np.isnan(self.scores).any())

    @cached_property
    def are_bits(self) -> bool:
        """Whether every score is 0 or 1, as of tasks that are solved; a part is as the whole."""
        if self.bits is not None or self.tie_tol or len({*self.better}) > 1:
            return bool(self.bits)
        one = -1 if self.lower.all() else 1
        rows = (row[~np.isnan(row)] for row in self.scores)  # one at a time: most end at once
        return all(((row == 0) | (row == one)).all() for row in rows)

    @property
    def in_percent(self) -> bool:
        """Whether people write means in percent, where no rule has a number of its own."""
        return self.are_bits and not (self.has_holes or self.rule or self.total)

    @property
    def original(self) -> Floats:
        """The scores as they were written, before any judge was turned."""
        return orient_scores(self.scores, self.better)

    @cached_property
    def sha256(self) -> str:
        """A digest of the content (names, scores, directions, weights), whatever file held it."""
        digest = hashlib.sha256()
        for part in (self.candidates, self.judges, self.better, self.strata, self.clusters):
            digest.update(repr(part).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(self.weights).tobytes())
        for row in self.scores:
            digest.update((np.ascontiguousarray(row, dtype=np.float64) + 0.0).tobytes())
        if self.standard_errors is not None:
            digest.update(np.ascontiguousarray(self.standard_errors).tobytes())
        return digest.hexdigest()

    def whole(self) -> Self:
        """Return the table without its parts and its past, for questions about it alone."""
        if not self.each and not self.parts and self.before is None:
            return self  # what was computed of it is kept
        return self.changed(each="", parts=(), before=None)

    def of_candidates(self, chosen: npt.ArrayLike) -> Self:
        """Return the table of some candidates, by position or mask, in the order given."""
        kept = np.arange(self.n)[np.asarray(chosen)]
        names = tuple(self.candidates[i] for i in kept)
        errors = self.standard_errors
        errors = errors if errors is None else errors[kept]
        known = {"scores": self.scores[kept], "candidates": names, "standard_errors": errors}
        return self.whole().changed(**known)

    def of_judges(self, chosen: npt.ArrayLike) -> Self:
        """Return the table of some judges, by position or mask, in the order given."""
        kept = np.arange(self.m)[np.asarray(chosen)]
        labels = {name: getattr(self, name) for name in ("judges", "better", *LABELS)}
        names = {name: each and tuple(each[j] for j in kept) for name, each in labels.items()}
        weights, errors = self.weights[kept], self.standard_errors
        names |= {"each": "", "parts": (), "before": None}
        names["standard_errors"] = errors if errors is None else errors[:, kept]
        return self.changed(scores=self.scores[:, kept], judge_weights=weights, **names)

    def without_idle_judges(self) -> Self:
        """Return the table without the judges of weight 0, and with a note of them."""
        idle = int(np.count_nonzero(self.weights == 0))
        if not idle:
            return self
        note = f"{self.nouns.judges(idle)} of weight 0 left out."
        return self.of_judges(self.weights > 0).changed(notes=(*self.notes, note))

    def place(self, i: int, j: int) -> str:
        who, on = quoted(self.candidates[i]), quoted(self.judges[j])
        return f"{self.nouns.candidate} {who} on {self.nouns.judge} {on}"

    def direction(self) -> str:
        """Return the direction in words."""
        if self.lower.all() or not self.lower.any():
            return f"{self.better[0]} is better"
        lower = [judge for judge, low in zip(self.judges, self.lower, strict=True) if low]
        return f"higher is better, but lower on {listed(lower, most=5)}"

    def uncertainty(self) -> str:
        """Return how large standard errors of scores are, in words; nothing where none is known."""
        if self.standard_errors is None:
            return ""
        errors = self.standard_errors[~np.isnan(self.standard_errors)]
        ordered = np.sort(np.where(np.isfinite(self.scores), self.scores, np.nan), axis=0)
        steps = np.diff(ordered, axis=0)[~np.isnan(self.standard_errors)[1:]]
        steps = steps[np.isfinite(steps) & (steps > 0)]
        some = "scores have" if len(errors) == self.scores.size else f"{len(errors):,} scores have"
        what = f"{some} standard errors of about {np.median(errors):.3g}"
        if not len(steps):
            return what
        return f"{what}, and neighbours on one {self.nouns.judge} differ by {np.median(steps):.3g}"

    def __repr__(self) -> str:
        holes = f", {counted(int(self.holes.sum()), 'missing cell')}" if self.has_holes else ""
        size = f"{self.nouns.candidates(self.n)} x {self.judged_on}"
        return f"<Results: {size}, {self.direction()}{holes}>"


def _checked_errors(given: Any, shape: tuple[int, ...]) -> Floats:
    errors = np.array(given, dtype=np.float64)
    if errors.shape != shape or (errors < 0).any() or np.isinf(errors).any():
        fact = "standard errors are one number of at least 0 for each score, NaN where unknown."
        raise DataError(fact, hint=f"the scores have the shape {shape}.")
    return errors


def require_tolerance(tie_tol: object) -> None:
    number = isinstance(tie_tol, int | float | np.number) and not np.iscomplexobj(tie_tol)
    if not (number and 0 <= tie_tol <= sys.float_info.max):  # type: ignore[operator]
        fact = f"the tie tolerance must be a number of at least 0, got {tie_tol!r}."
        ways = {0.001: "to tie scores within a thousandth", 0: "to tie equal scores only"}
        hint = "\n".join(f"{way}: {command_with(tie_tol=x)}" for x, way in ways.items())
        raise UsageError(fact, hint=hint)


def scaled(results: Results, over: str | None) -> Results:
    """Return the table with its scores less their mean, in standard deviations.

    Both are those of all scores as written (``"global"``, the "Norm" of Pavao et al. 2021), or of
    each judge (``"judge"``), so that judges on different scales count alike. A judge who gives all
    the same score gives 0. A tie tolerance is in the unit of the scores as written.
    """
    if over in (None, "none"):
        return results
    if results.rule or results.scaling:
        made = f"standardised already ({results.scaling})" if results.scaling else "scores of runs"
        fact = f"{results.source} cannot be standardised: its scores are {made}."
        hint = f"without it: {command_with(scale_scores=None)}"
        raise UsageError(fact, hint=hint)
    if over == "judge" and results.tie_tol:
        nouns = results.nouns
        unit = f"{say('scale_scores', over)} gives each {nouns.judge} a unit of its own"
        fact = f"a tie tolerance of {results.tie_tol:g} is in the unit of the scores, and {unit}."
        one_unit = f"in one unit for all {nouns.judges()}: {command_with(scale_scores='global')}"
        without = f"without the tolerance: {command_with(tie_tol=0)}"
        raise UsageError(fact, hint=f"{one_unit}\n{without}")
    written, axis = results.original.astype(np.float64), 0 if over == "judge" else None
    known = np.isfinite(written)
    size = np.abs(np.where(known, written, 0.0)).max(axis=axis)
    size = np.where(size > 0, size, 1.0)
    written = written / size  # or squares of large ones would overflow
    number = np.maximum(known.sum(axis=axis), 1)
    mean = np.where(known, written, 0.0).sum(axis=axis) / number
    spread = np.sqrt((np.where(known, written - mean, 0.0) ** 2).sum(axis=axis) / number)
    flat = spread <= FLAT * np.abs(mean)
    scores = np.where(known & flat, 0.0, (written - mean) / np.where(flat, 1.0, spread))
    whole, tie_tol, errors = "by judge", results.tie_tol, results.standard_errors
    if errors is not None:
        errors = errors / (size * np.where(flat, 1.0, spread))
    if axis is None:
        tie_tol /= 1.0 if flat else float(size * spread)
        whole = f"mean {size * mean:g}, standard deviation {size * spread:g}"
    return results.changed(
        scores=orient_scores(scores.astype(results.scores.dtype), results.better),
        reading=(*results.reading, ("scores", f"standardised ({whole})")),
        scaling=over,
        standard_errors=errors,
        tie_tol=tie_tol,
    )


# ------------------------------------------------------------------------------
# How a result was made, as far as its table says.


def provenance_of_all(tables: Sequence[Results], **facts: Any) -> dict[str, Any]:
    origin: dict[str, Any] = {
        name: [getattr(each, name) for each in tables] for name in ("source", "sha256")
    }
    better, own = [each.direction() for each in tables], tables[0].nouns.facts()
    nouns = {"nouns": own} if own else {}
    return provenance(**{"seed": None} | facts | origin | {"better": better} | nouns)


def provenance_of(results: Results, **facts: Any) -> dict[str, Any]:
    known: dict[str, Any] = {"source": results.source, "sha256": results.sha256}
    known |= {"candidates": results.n, "judges": results.m, "better": results.direction()}
    known |= {"missing": results.missing, "tie_tol": results.tie_tol}
    said = {"rule": results.rule, "scale_scores": results.scaling, "nouns": results.nouns.facts()}
    known |= {name: value for name, value in said.items() if value}
    return provenance(**{"seed": None} | facts | known)
