"""The table that is ranked: candidates x judges, turned once so that higher is better."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self, get_args

import numpy as np
import numpy.typing as npt

from deadheat.data.given import (
    given_labels,
    given_names,
    given_scores,
    given_weights,
    read_only,
)
from deadheat.data.turning import directions, turned
from deadheat.drawable import Drawable
from deadheat.errors import UnknownNameError, UsageError, counted, listed, quoted
from deadheat.typing import Booleans, Floats, MissingPolicy

POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Results(Drawable):
    """Hold the scores of candidates (rows) by judges (columns), immutable, higher is better.

    The constructor takes the scores as people wrote them and turns the judges where lower is
    better; ``better`` stays as metadata and nothing turns a score twice. Missing cells are NaN;
    ``missing`` names the policy that the ranking functions must respect
    (:func:`deadheat.data.missing.resolved` applies one).

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
    reading
        What the reader understood, as (topic, finding) pairs.
    library
        The name of the DataFrame library the scores came from, where they did.
    by, rule
        For scored runs: the ranking function that ranks them when none is named, and the rule.
    total, heading
        For scored runs: what people call the total of the scores where they write the total, and
        what the number is called that they write, be it the total or the mean.
    instances
        For scored runs: the instance of each judge, where several judges are seeds of one.
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

    def __post_init__(self) -> None:
        given = given_scores(self.scores, self.source)
        n, m = given.shape
        judges = given_names(self.judges, m, "judge", self.source)
        better = directions(self.better, judges)
        put = self._put
        put("candidates", given_names(self.candidates, n, "candidate", self.source))
        put("judges", judges)
        put("better", better)
        put("judge_weights", given_weights(self.judge_weights, judges))
        put("strata", given_labels(self.strata, judges, "strata"))
        put("clusters", given_labels(self.clusters, judges, "clusters"))
        put("instances", given_labels(self.instances, judges, "instances"))
        scores = turned(given, better)
        put("scores", read_only(scores.copy() if _may_change(scores, self.scores) else scores))
        if self.missing not in POLICIES:
            raise UnknownNameError("missing policy", str(self.missing), POLICIES)
        require_tolerance(self.tie_tol)

    def _put(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """The number of candidates."""
        return int(self.scores.shape[0])

    @property
    def m(self) -> int:
        """The number of judges."""
        return int(self.scores.shape[1])

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

    @property
    def original(self) -> Floats:
        """The scores as they were written, before any judge was turned."""
        return turned(self.scores, self.better)

    @cached_property
    def sha256(self) -> str:
        """A digest of the content (names, scores, directions, weights), whatever file held it."""
        digest = hashlib.sha256()
        for part in (self.candidates, self.judges, self.better, self.strata, self.clusters):
            digest.update(repr(part).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(self.weights).tobytes())
        for row in self.scores:
            digest.update((np.ascontiguousarray(row, dtype=np.float64) + 0.0).tobytes())
        return digest.hexdigest()

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other fields; ``scores`` among them are already turned."""
        copy = object.__new__(type(self))
        for field in fields(self):
            object.__setattr__(copy, field.name, changes.pop(field.name, getattr(self, field.name)))
        if changes:
            raise TypeError(f"Results has no field {next(iter(changes))!r}")
        copy._put("scores", read_only(copy.scores))
        return copy

    def of_candidates(self, chosen: npt.ArrayLike) -> Self:
        """Return the table of some candidates, by position or mask, in the order given."""
        kept = np.arange(self.n)[np.asarray(chosen)]
        return self.changed(
            scores=self.scores[kept], candidates=tuple(self.candidates[i] for i in kept)
        )

    def of_judges(self, chosen: npt.ArrayLike) -> Self:
        """Return the table of some judges, by position or mask, in the order given."""
        kept = np.arange(self.m)[np.asarray(chosen)]
        return self.changed(
            scores=self.scores[:, kept],
            judges=tuple(self.judges[j] for j in kept),
            better=tuple(self.better[j] for j in kept),
            judge_weights=read_only(self.weights[kept]),
            strata=self.strata and tuple(self.strata[j] for j in kept),
            clusters=self.clusters and tuple(self.clusters[j] for j in kept),
            instances=self.instances and tuple(self.instances[j] for j in kept),
        )

    def place(self, i: int, j: int) -> str:
        """Return where a cell is, for a message."""
        return f"candidate {quoted(self.candidates[i])} on judge {quoted(self.judges[j])}"

    def direction(self) -> str:
        """Return the direction in words."""
        if self.lower.all() or not self.lower.any():
            return f"{self.better[0]} is better"
        lower = [judge for judge, low in zip(self.judges, self.lower, strict=True) if low]
        return f"higher is better, but lower on {listed(lower, most=5)}"

    def __repr__(self) -> str:
        """Say the size, the direction and the holes."""
        holes = f", {counted(int(self.holes.sum()), 'missing cell')}" if self.has_holes else ""
        size = f"{counted(self.n, 'candidate')} x {counted(self.m, 'judge')}"
        return f"<Results: {size}, {self.direction()}{holes}>"


def require_tolerance(tie_tol: object) -> None:
    """Refuse a tie tolerance that is no number of at least 0."""
    number = isinstance(tie_tol, int | float | np.number) and not np.iscomplexobj(tie_tol)
    if not (number and 0 <= tie_tol <= sys.float_info.max):  # type: ignore[operator]
        raise UsageError(
            f"the tie tolerance must be a number of at least 0, got {tie_tol!r}.",
            hint="tie_tol=0.001 (--tie-tol 0.001) ties scores that differ by a thousandth or less.",
        )


def _may_change(scores: Floats, given: object) -> bool:
    """Return whether the caller could still write to these scores."""
    if scores.dtype == np.float32 or isinstance(given, list | tuple):
        return False
    return scores.flags.writeable and np.may_share_memory(scores, np.asarray(given))
