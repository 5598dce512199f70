"""Battles: who met whom, who won and how often."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError, UsageError, counted
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.reading.battles import columns_gathered, compact, gathered

ARRAYS = ("left", "right", "outcome", "battles", "weights", "clusters", "categories", "covariates")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False, init=False)
class Battles:
    """Hold battles as distinct cells with counts, immutable; one value per cell in each array.

    A cell is a left and a right candidate, an outcome and, where they were asked for, a cluster, a
    category and covariates. The constructor takes one value per battle, as people wrote them;
    :func:`read_battles` reads files of any size.

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
        found = columns_gathered(columns | beside, given)
        self._fill(**found.fields, ordered=ordered)

    def _fill(self, **values: Any) -> None:
        for field in fields(self):
            value = values.pop(field.name, field.default)
            if field.name in ARRAYS and value is not None:
                value = np.asarray(value).view()
                value.flags.writeable = False
            object.__setattr__(self, field.name, value)
        if values:
            raise TypeError(f"Battles has no field {next(iter(values))!r}")

    @classmethod
    def from_cells(cls, **values: Any) -> Self:
        """Return battles from the fields themselves, taken as they are."""
        battles = object.__new__(cls)
        battles._fill(**values)
        return battles

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other fields, which are taken as they are."""
        return self.from_cells(**({f.name: getattr(self, f.name) for f in fields(self)} | changes))

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
            raise UsageError(
                f"a subset needs one truth value for each of {self.cells:,} cells, got "
                f"{chosen.dtype} of shape {chosen.shape}.",
                hint="for instance battles.subset(battles.outcome != 0).",
            )
        if not chosen.any():
            raise DataError("the subset has no battle.", hint="choose one cell or more.")
        kept = {
            name: array[chosen] for name in ARRAYS if (array := getattr(self, name)) is not None
        }
        used, (kept["left"], kept["right"]) = compact(kept["left"], kept["right"])
        kept["candidates"] = tuple(self.candidates[i] for i in used)
        if self.clusters is not None:
            used, (kept["clusters"],) = compact(kept["clusters"])
            kept["cluster_count"] = len(used)
        if self.categories is not None:
            used, (kept["categories"],) = compact(kept["categories"])
            kept["category_names"] = tuple(self.category_names[k] for k in used)
        return self.changed(**kept)

    def parts(self) -> dict[str, Self]:
        """Return the battles of each category by its name."""
        if self.categories is None:
            raise UsageError(
                f"{self.source} has no categories.",
                hint="read it with category='COL' (--category COL).",
            )
        return {
            name: self.subset(self.categories == k) for k, name in enumerate(self.category_names)
        }

    @cached_property
    def sha256(self) -> str:
        """A digest of the cells (names, outcomes, counts, weights), whatever files held them.

        Grouped cells have one order, so the order of rows and files does not count; neither do
        columns that were not used.
        """
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
        """Say how many there are."""
        parts = [f"{counted(self.total, 'battle')} of {counted(self.n, 'candidate')}"]
        parts += [counted(self.ties, "tie")] if self.ties else []
        if self.clusters is not None:
            parts.append(f"{counted(self.cluster_count, 'cluster')} ({self.cluster_kind})")
        if self.categories is not None:
            parts.append(counted(len(self.category_names), "category", "categories"))
        if self.covariates is not None:
            parts.append(counted(len(self.covariate_names), "covariate"))
        return f"<Battles: {', '.join(parts)}{', in order' if self.ordered else ''}>"


def read_battles(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | IO[Any] | Any,
    *,
    left: str | None = None,
    right: str | None = None,
    winner: str | None = None,
    left_wins: str | None = None,
    right_wins: str | None = None,
    draws: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    category: str | None = None,
    covariates: str | Iterable[Any] | Mapping[str, Any] = (),
    relative: bool = False,
    outcomes: str | Iterable[str] | Mapping[str, str] | None = None,
    where: str | Iterable[str] | Mapping[str, Any] = (),
    deduplicate: str | Iterable[str] | bool | None = None,
    self_battles: str = "error",
    ordered: bool = False,
    order_by: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
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
        The columns of the two candidates and of the outcome. Parts of nested columns have dotted
        names (``conv_metadata.turns``).
    left_wins, right_wins, draws
        Columns of counts, where a row stands for several battles of a pair.
    weight, cluster, category
        The columns of how much a battle counts, of the voter, prompt or session to resample by,
        and of the category.
    covariates
        Columns of differences (left minus right), pairs of columns ``(left, right)``, or a mapping
        from names to either; as text ``"length=tokens_a,tokens_b"``.
    relative
        Whether a pair of columns gives (left - right) / (left + right) instead of the difference,
        0 where both are 0.
    outcomes
        What words mean that are not known: a mapping to ``left``, ``right``, ``tie``, ``drop`` or
        ``name``, or ``"word=left,word=drop"``.
    where
        ``"COL=VALUE"`` or ``"COL!=VALUE"``, several of them, or a mapping: the rows to keep.
    deduplicate
        The columns that identify a battle, of whose rows only the first counts; True for rows that
        are equal in all columns.
    self_battles
        What to do about battles of a candidate with itself: ``"error"`` or ``"drop"``.
    ordered, order_by
        Whether to keep one cell per battle in the order of the log, or in that of a column of
        numbers or times.
    """
    given = {name: value for name, value in locals().items() if name != "source"}
    if isinstance(source, Battles):
        _refuse_options(given)
        return source
    found = gathered(source, given)
    return Battles.from_cells(**found.fields, ordered=ordered or order_by is not None)


def _refuse_options(given: Mapping[str, Any]) -> None:
    said = [name for name, value in given.items() if value and value != "error"]
    if said:
        raise UsageError(
            f"{said[0]}= says how to read a log, yet this one is a Battles already.",
            hint=f"give it where the battles are made: read_battles(..., {said[0]}=...).",
        )
