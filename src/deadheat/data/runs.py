"""Runs of a competition: one row per (candidate, instance, seed), before any score is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from deadheat.data.run_checks import (
    coded,
    floats,
    inferred_status,
    of_instances,
    refuse_bad_reference,
    refuse_negative,
    refuse_repeats,
    settled_late,
    within_strata,
)
from deadheat.data.status import SOLVED, STATUSES, UNKNOWN, says_verified, status_codes
from deadheat.drawable import Drawable
from deadheat.errors import DataError, UnknownNameError, counted
from deadheat.typing import Booleans, Floats, Integers

LATE = ("error", "timeout", "solved")
CODED = {
    "candidate": "candidates",
    "instance": "instances",
    "seed": "seeds",
    "stratum": "strata",
    "cluster": "clusters",
}
NUMBERS = ("time", "quality", "cutoff", "weight", "reference")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Runs(Drawable):
    """Hold the runs of a competition, column by column; one value per run in each.

    The constructor takes names and words as people wrote them; afterwards ``candidate``,
    ``instance``, ``seed``, ``stratum`` and ``cluster`` are positions in the names that stand in
    ``candidates``, ``instances``, ``seeds``, ``strata`` and ``clusters``, and ``status`` is a
    position in :data:`deadheat.data.status.STATUSES`. A column that is not there is None.
    :func:`deadheat.read` turns runs into the table that is ranked: ``read(runs, rule="par2")``.

    Parameters
    ----------
    status
        How each run ended, in the words of the competition (``ok``, ``SAT``, ``timeout (cpu)``);
        ``statuses`` says what other words mean. Without it a run with a quality is solved, or
        one with a time below the cutoff, or else one with a time.
    time, cutoff
        Seconds, and the limit: one for all, or one each.
    quality
        What the run achieved: the cost of a plan, an accuracy.
    verified
        Whether the answer was checked and found right.
    stratum
        The domain or family of the instance. Instances of the same name in several strata are
        several instances.
    weight, reference
        How much the instance counts, and its best known quality: the same in all of its runs.
    late
        What a solved run is whose time is above the cutoff: an ``"error"``, a ``"timeout"``, or
        ``"solved"`` at the cutoff.

    Examples
    --------
    >>> Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "TO"], time=[3.1, 60])
    <Runs: 2 runs of 2 candidates on 1 instance, 1 solved>
    """

    candidate: Any
    instance: Any
    status: Any = None
    time: Any = None
    quality: Any = None
    cutoff: Any = None
    seed: Any = None
    verified: Any = None
    stratum: Any = None
    cluster: Any = None
    weight: Any = None
    reference: Any = None
    statuses: Mapping[str, str] | None = None
    late: str = "error"
    candidates: Sequence[str] = ()
    instances: Sequence[str] = ()
    seeds: Sequence[str] = ()
    strata: Sequence[str] = ()
    clusters: Sequence[str] = ()
    lines: Any = None
    unit: str = "run"
    source: str = "the runs"
    reading: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    library: str = ""

    def __post_init__(self) -> None:
        if self.late not in LATE:
            raise UnknownNameError("way to treat late answers", str(self.late), LATE)
        size = len(self.candidate)
        if not size:
            raise DataError(f"{self.source} has no run.", hint="was the right file chosen?")
        self._code(size)
        for name in NUMBERS:
            self._put(name, floats(getattr(self, name), size, name, self.source))
        self._put("lines", np.arange(1, size + 1) if self.lines is None else self.lines)
        self._put("status", self._statuses(size))
        self._put_all(within_strata(self))
        refuse_repeats(self)
        for name in ("time", "cutoff"):
            refuse_negative(self, name)
        for name in ("weight", "reference"):
            if getattr(self, name) is not None:
                of_instances(self, name)
        if self.reference is not None:
            refuse_bad_reference(self)
        self._put_all(settled_late(self))

    def _put_all(self, columns: Mapping[str, Any]) -> None:
        for name, value in columns.items():
            self._put(name, value)

    def _code(self, size: int) -> None:
        for column, names in CODED.items():
            given = getattr(self, column)
            if given is None:
                continue
            if len(given) != size:
                raise _unequal(self.source, column, len(given), size)
            codes, found = coded(given, getattr(self, names), column, self.source)
            self._put(column, codes)
            self._put(names, found)

    def _statuses(self, size: int) -> Integers:
        given = self.status
        if self.verified is not None:
            self._put("verified", np.asarray(self.verified, dtype=bool))
        for name in ("status", "verified"):
            column = getattr(self, name)
            if column is not None and len(column) != size:
                raise _unequal(self.source, name, len(column), size)
        if given is None:
            return inferred_status(self)
        if isinstance(given, np.ndarray) and given.dtype.kind == "i":
            return given.astype(np.int8)
        words, place, counts = np.unique(
            [str(word) for word in given], return_inverse=True, return_counts=True
        )
        codes = status_codes(
            words.tolist(), mapping=self.statuses, counts=counts.tolist(), source=self.source
        )
        sure = np.array([says_verified(word) for word in words.tolist()])[place]
        if sure.any():
            self._put("verified", sure if self.verified is None else sure | self.verified)
        return np.asarray(codes[place])

    def _put(self, name: str, value: object) -> None:
        if isinstance(value, np.ndarray):
            value = value.view()
            value.flags.writeable = False
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.candidate)

    @property
    def solved(self) -> Booleans:
        """Which runs are solved."""
        return np.asarray(self.status == SOLVED)

    @property
    def judge(self) -> Integers:
        """One number per (instance, seed)."""
        several = max(len(self.seeds), 1)
        seed = 0 if self.seed is None else self.seed
        return np.asarray(self.instance.astype(np.int64) * several + seed)

    @property
    def categories(self) -> Integers:
        """The stratum of each run; where there are no strata, one and the same for all."""
        return np.zeros(len(self), dtype=np.int32) if self.stratum is None else self.stratum

    def best(self, values: Floats, among: Booleans) -> Floats:
        """Return, for each run, the lowest value on its instance among some runs; inf if none."""
        lowest = np.full(len(self.instances), np.inf)
        np.minimum.at(lowest, self.instance[among], values[among])
        return np.asarray(lowest[self.instance])

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other columns, which are taken as they are."""
        copy = object.__new__(type(self))
        for field in fields(self):
            copy._put(field.name, changes.pop(field.name, getattr(self, field.name)))
        if changes:
            raise TypeError(f"Runs has no field {next(iter(changes))!r}")
        return copy

    def in_order(self) -> Self:
        """Return the runs by candidate, stratum, instance and seed, each in the order of its names.

        Sums of floating-point numbers, random draws and lists of ties follow the order of runs, so
        the order of a file would show in the last digits of an answer.
        """
        changes: dict[str, Any] = {}
        for column, names in CODED.items():
            if getattr(self, column) is None:
                continue
            known = getattr(self, names)
            keys: Sequence[Any] = known
            if column == "instance" and self.stratum is not None:
                of_instance = of_instances(self, "stratum")
                keys = [(self.strata[of_instance[k]], name) for k, name in enumerate(known)]
            order = sorted(range(len(known)), key=keys.__getitem__)
            place = np.empty(len(order), dtype=np.int32)
            place[order] = np.arange(len(order))
            changes[column] = place[getattr(self, column)]
            changes[names] = tuple(known[k] for k in order)
        seed = changes.get("seed", np.zeros(len(self)))
        rows = np.lexsort((seed, changes["instance"], changes["candidate"]))
        for name in (*CODED, *NUMBERS, "status", "verified", "lines"):
            column = changes.get(name, getattr(self, name))
            changes[name] = None if column is None else column[rows]
        return self.changed(**changes)

    def completed(self) -> Self:
        """Return the runs with those that are absent as runs of unknown status."""
        judges, first, place = np.unique(self.judge, return_index=True, return_inverse=True)
        present = np.zeros((len(self.candidates), len(judges)), dtype=bool)
        present[self.candidate, place] = True
        candidate, j = np.nonzero(~present)
        if not len(candidate):
            return self
        like = first[j]  # a run of the same instance and seed, whose metadata the absent one has
        more: dict[str, Any] = {"candidate": candidate, "lines": np.zeros(len(like), dtype=int)}
        more["status"] = np.full(len(like), UNKNOWN, dtype=np.int8)
        more["verified"] = np.zeros(len(like), dtype=bool)
        more |= dict.fromkeys(("time", "quality"), np.full(len(like), np.nan))
        for name in ("instance", "seed", "stratum", "cluster", "cutoff", "weight", "reference"):
            column = getattr(self, name)
            more[name] = None if column is None else column[like]
        whole = {
            name: np.concatenate([getattr(self, name), column])
            for name, column in more.items()
            if getattr(self, name) is not None
        }
        told = f"{counted(len(like), 'absent run')} counted as unsolved."
        return self.changed(**whole, notes=(*self.notes, told))

    def place(self, row: int) -> str:
        """Return where a run stands, for a message."""
        name = f"candidate {self.candidates[self.candidate[row]]!r} on instance "
        name += repr(self.instances[self.instance[row]])
        return f"{self.source}: {self.unit} {self.lines[row]:,}: {name}"

    @property
    def statuses_in_words(self) -> str:
        """How many runs ended how."""
        counts = np.bincount(self.status, minlength=len(STATUSES)).tolist()
        return ", ".join(f"{k:,} {word}" for word, k in zip(STATUSES, counts, strict=True) if k)

    def __repr__(self) -> str:
        """Say how many there are."""
        seeds = f" with {counted(len(self.seeds), 'seed')}" if self.seed is not None else ""
        return (
            f"<Runs: {counted(len(self), 'run')} of {counted(len(self.candidates), 'candidate')} "
            f"on {counted(len(self.instances), 'instance')}{seeds}, {int(self.solved.sum()):,} "
            "solved>"
        )


def _unequal(source: str, column: str, found: int, size: int) -> DataError:
    return DataError(
        f"{source}: {counted(found, f'{column} value')} for {counted(size, 'run')}.",
        hint="give one per run.",
    )
