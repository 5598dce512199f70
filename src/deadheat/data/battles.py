"""Battles: who met whom, who won and how often."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError, UsageError, Words, counted
from deadheat.core.types import Booleans, Floats, Integers, Record
from deadheat.core.weights import TRIFLE
from deadheat.data.results import Nouns

ARRAYS = ("left", "right", "outcome", "battles", "weights", "clusters", "categories", "covariates")
BATTLES = Nouns(judge="battle")
Log = TypeVar("Log", bound="Battles")
EXACT_BITS = 40  # of a weight, whose last ones are what sums are rounded to


@dataclass(frozen=True, eq=False, kw_only=True, repr=False, init=False)
class Battles(Record):
    """Hold battles as distinct cells with counts, immutable; one value per cell in each array.

    A cell is a left and a right candidate, an outcome and, where they were asked for, a cluster, a
    category and covariates. The constructor takes one value per battle, as people wrote them;
    :func:`deadheat.read_battles` reads files of any size.

    Parameters
    ----------
    left, right
        The names of the two candidates of each battle.
    winner
        Who won: ``left``, ``right``, ``tie``, ``model_a``, ``model_b``, ``both_bad``, 1 / 0 / -1,
        the name of the winner ... An unknown word is an error, never a tie.
    weight
        How much each battle counts; 1 by default.
    cluster, category
        The voter, prompt or session of each battle, and the category it belongs to.
    covariates
        A mapping from names to numbers: what the left side has more of than the right.
    outcomes
        What other words mean: ``left``, ``right``, ``tie``, ``drop``, or ``name`` where a winner is
        called by its name.
    ordered
        Whether to keep one cell per battle, in the order given; online ratings need it.

    Attributes
    ----------
    candidates
        Their names, in alphabetical order; ``left`` and ``right`` are positions in it.
    outcome
        1 where the left candidate won, 0 for a tie, -1 where the right one won.
    battles, weights
        How many battles a cell stands for, which is what a bootstrap draws from, and the sum of
        their weights.
    clusters, categories, covariates
        Numbers below ``cluster_count``, positions in ``category_names``, and one column for each
        of ``covariate_names``; None where there are none.

    Examples
    --------
    >>> Battles(left=["a", "b", "a"], right=["b", "c", "b"], winner=["left", "tie", "left"])
    <Battles: 3 battles of 3 candidates, 1 tie>
    """

    candidates: tuple[str, ...]
    left: Integers
    right: Integers
    outcome: Integers
    battles: Integers
    weights: Floats
    clusters: Integers | None = None
    cluster_count: int = 0
    cluster_kind: str = ""
    categories: Integers | None = None
    category_names: tuple[str, ...] = ()
    category_kind: str = ""
    covariates: Floats | None = None
    covariate_names: tuple[str, ...] = ()
    ordered: bool = False
    source: str = "the battles"
    reading: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    library: str = ""
    nouns: Nouns = BATTLES
    title: str = ""

    def __init__(
        self,
        *,
        left: Sequence[Any] | npt.NDArray[Any],
        right: Sequence[Any] | npt.NDArray[Any],
        winner: Sequence[Any] | npt.NDArray[Any],
        weight: Sequence[float] | npt.NDArray[Any] | None = None,
        cluster: Sequence[Any] | npt.NDArray[Any] | None = None,
        category: Sequence[Any] | npt.NDArray[Any] | None = None,
        covariates: Mapping[str, Sequence[float] | npt.NDArray[Any]] | None = None,
        outcomes: Mapping[str, str] | str | None = None,
        self_battles: str = "error",
        ordered: bool = False,
    ) -> None:
        columns = {"left": left, "right": right, "winner": winner, "weight": weight}
        columns |= {"cluster": cluster, "category": category}
        beside = dict(covariates or {})
        twice = [name for name in beside if name in columns]
        if twice:
            raise UsageError(f"a covariate cannot be called {twice[0]!r}.", hint="rename it.")
        given = {"outcomes": outcomes, "self_battles": self_battles, "ordered": ordered}
        given["covariates"] = {name: name for name in beside}
        collector = importlib.import_module("deadheat.data.reading.battles")  # it makes Battles
        found = collector.collect_columns(columns | beside, given)
        for field in fields(self):
            self._put(field.name, getattr(found, field.name))

    @classmethod
    def from_cells(cls, **values: Any) -> Self:
        """Return battles from the fields themselves, taken as they are."""
        empty = object.__new__(cls)
        for field in fields(cls):
            empty._put(field.name, field.default)
        arrays = {name: np.asarray(values[name]) for name in ARRAYS if values.get(name) is not None}
        return empty.changed(**(values | arrays))

    @property
    def n(self) -> int:
        """The number of candidates."""
        return len(self.candidates)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.left)

    @cached_property
    def total(self) -> int:
        """The number of battles."""
        return int(self.battles.sum())

    @cached_property
    def ties(self) -> int:
        """The number of battles that nobody won."""
        return int(self.battles[self.outcome == 0].sum())

    def subset(self, mask: Booleans) -> Self:
        """Return the battles of some cells; who has no battle there is no candidate any more."""
        chosen = np.asarray(mask)
        if chosen.dtype != bool or chosen.shape != (self.cells,):
            kind = f"{chosen.dtype} of shape {chosen.shape}"
            fact = f"a subset needs one truth value for each of {self.cells:,} cells, got {kind}."
            raise UsageError(fact, hint="for instance battles.subset(battles.outcome != 0).")
        if not chosen.any():
            raise DataError("the subset has no battle.", hint="choose one cell or more.")
        arrays = {name: getattr(self, name) for name in ARRAYS}
        kept = {name: array[chosen] for name, array in arrays.items() if array is not None}
        return self.changed(**kept).without_absent()

    def without_absent(self) -> Self:
        """Return the same without candidates, clusters and categories that have no battle."""
        used, (left, right) = _compact(self.left, self.right)
        found: dict[str, Any] = {"left": left, "right": right}
        found["candidates"] = tuple(self.candidates[i] for i in used)
        if self.clusters is not None:
            used, (found["clusters"],) = _compact(self.clusters)
            found["cluster_count"] = len(used)
        if self.categories is not None:
            used, (found["categories"],) = _compact(self.categories)
            found["category_names"] = tuple(self.category_names[k] for k in used)
        return self.changed(**found)

    def parts(self) -> dict[str, Self]:
        """Return the battles of each category by its name."""
        if self.categories is None:
            fact = f"{self.source} has no categories."
            raise UsageError(fact, hint="read them with category=, the column of their names.")
        names = enumerate(self.category_names)
        return {name: self.subset(self.categories == k) for k, name in names}

    def together(self) -> Self:
        """Return the same without categories; cells that only these told apart become one."""
        whole = self.changed(categories=None, category_names=(), category_kind="")
        return whole if self.categories is None else _summed(whole)

    def called(self, names: Sequence[str]) -> Self:
        """Return the same with other names; those that become equal are one candidate.

        Battles of such a one with itself are dropped.
        """
        if len({*names}) == self.n:
            return self.changed(candidates=tuple(names))
        candidates = tuple(sorted({*names}))
        place = np.array([candidates.index(name) for name in names], dtype=self.left.dtype)
        left, right = place[self.left], place[self.right]
        one = self.changed(candidates=candidates, left=left, right=right).subset(left != right)
        if (own := self.total - one.total) > 0:
            note = f"{counted(own, 'battle')} of a candidate with itself dropped."
            one = one.changed(notes=(*one.notes, Words(note, weight=TRIFLE)))
        return _summed(one)

    @cached_property
    def sha256(self) -> str:
        """A digest of the cells, whatever files held them and in whatever order."""
        digest = hashlib.sha256()
        for names in (self.candidates, self.category_names, self.covariate_names, self.ordered):
            digest.update(repr(names).encode("utf-8", "surrogatepass"))
        for name in ARRAYS:
            array = getattr(self, name)
            if array is not None:
                kind = np.float64 if name in {"weights", "covariates"} else np.int64
                digest.update(name.encode() + np.ascontiguousarray(array, dtype=kind).tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        parts = [f"{counted(self.total, 'battle')} of {counted(self.n, 'candidate')}"]
        parts += [counted(self.ties, "tie")] if self.ties else []
        if self.clusters is not None:
            parts.append(f"{counted(self.cluster_count, 'cluster')} ({self.cluster_kind})")
        if self.categories is not None:
            parts.append(counted(len(self.category_names), "category", "categories"))
        if self.covariates is not None:
            parts.append(counted(len(self.covariate_names), "covariate"))
        return f"<Battles: {', '.join(parts)}{', in order' if self.ordered else ''}>"


def _summed(log: Log) -> Log:
    """Return the same with one cell in place of equal ones."""
    if log.ordered:
        return log
    mantissa, exponent = np.frexp(log.weights / log.battles)  # of one battle, but for noise
    alike = np.ldexp(np.round(np.ldexp(mantissa, EXACT_BITS)), exponent)
    keys = [log.left, log.right, -log.outcome.astype(np.int64)]
    keys += [labels for labels in (log.clusters, log.categories) if labels is not None]
    keys += [] if log.covariates is None else [*log.covariates.T]
    order = np.lexsort([alike, *keys[::-1]])
    new = np.arange(log.cells) == 0
    for column in (*keys, alike):
        new[1:] |= column[order][1:] != column[order][:-1]
    starts = np.flatnonzero(new)
    arrays = {name: getattr(log, name) for name in ARRAYS}
    firsts = {k: v[order[starts]] for k, v in arrays.items() if v is not None}
    for name in ("battles", "weights"):
        firsts[name] = np.add.reduceat(arrays[name][order], starts)
    return log.changed(**firsts)


def _compact(*codes: npt.NDArray[Any]) -> tuple[Integers, list[Integers]]:
    """Return the numbers that occur in any of the codes, and the codes as positions among them."""
    present = np.zeros(max(int(each.max()) for each in codes) + 1, dtype=bool)
    for each in codes:
        present[each] = True
    used = np.flatnonzero(present)
    if len(used) == len(present):
        return used, list(codes)
    places = np.cumsum(present, dtype=np.int32) - 1
    return used, [places[each] for each in codes]
