"""What an axiom is: questions to a ranking function, and what their answers must be.

A question compares worlds of one table: some judges and some candidates, each so many times. The
last world is the one whose order is judged, the others say what it must be. To take away a judge or
a candidate is weight 0, a clone is weight 2, so that thousands of questions are a few calls.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.core.errors import UnknownNameError, bare, named
from deadheat.core.registry import plugins
from deadheat.core.types import Booleans, Documented, Floats, Integers, Scale
from deadheat.output.table import Grid
from deadheat.output.text import number, width_of
from deadheat.ranking.block import WORKING_SET

STRONG, WEAK = 2, 1
LETTERS = "ABCDEFGHIJ"
Ranker = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, eq=False)
class Questions:
    """Hold questions about one table (n, m): ``places`` (Q, k) says which worlds each compares."""

    scores: Floats
    judges: Floats  # the weights of the judges in each world, (R, m)
    copies: Floats  # how often each candidate is there in each world, (R, n)
    places: Integers
    weights: Floats | None = None  # what a judge of weight 1 counts, (m,); 1 by default

    def __len__(self) -> int:
        return len(self.places)

    def judges_of(self, world: int) -> Floats:
        """Return the weights of the judges in the first, second ... or last world, (Q, m)."""
        return np.asarray(self.judges[self.places[:, world]])

    def counted(self, world: int) -> Floats:
        """Return the same, as the judges count."""
        return self.judges_of(world) * (1 if self.weights is None else self.weights)

    def copies_of(self, world: int) -> Floats:
        """Return how often the candidates are there in the first ... or last world, (Q, n)."""
        return np.asarray(self.copies[self.places[:, world]])


@dataclass(frozen=True, eq=False)
class Demands:
    """Say of ordered pairs (u, v) which order is wanted and which is found, all (Q, n, n).

    An order is 1 where u is above v, 0 where they are tied, -1 where v is above u. Less than what
    is wanted is a violation: weak by one step, strong by two, where the order is reversed.
    """

    wanted: Integers
    found: Integers
    pairs: Booleans

    def where(self, pairs: Booleans) -> Demands:
        """Return the demands on some of the pairs, (Q, n, n) or what is broadcast to that."""
        return Demands(self.wanted, self.found, self.pairs & pairs)

    @cached_property
    def applicable(self) -> Booleans:
        """Whether a question demands anything, (Q,)."""
        return np.asarray(self.pairs.any(axis=(1, 2)))

    @cached_property
    def levels(self) -> Integers:
        """How badly each pair is violated, (Q, n, n): 0, WEAK or STRONG."""
        return np.asarray(np.maximum(self.wanted - self.found, 0) * self.pairs)

    @cached_property
    def worst(self) -> Integers:
        """How badly each question is violated, (Q,)."""
        return np.asarray(self.levels.max(axis=(1, 2), initial=0))


@dataclass(frozen=True, eq=False)
class Inquiry:
    """Hold a table (n, m), profiles of its judges (B, m), and whoever ranks the candidates."""

    scores: Floats
    profiles: Floats
    rank: Ranker
    weights: Floats | None = None
    parts: Booleans | None = None
    """Parts of the judges (P, m) that consistency is asked about; any that rank alike if None."""
    tried: Integers | None = None  # which candidates are taken away or copied; all if None
    heard: Integers | None = None  # which judges are taken away; all if None

    @property
    def n(self) -> int:
        return int(self.scores.shape[0])

    @cached_property
    def each(self) -> Floats:
        """One candidate at a time, (K, n): all of them, or those that are tried."""
        return np.eye(self.n)[slice(None) if self.tried is None else self.tried]

    @property
    def step(self) -> int:
        n, m = self.scores.shape
        return max(1, int(WORKING_SET // (n * n + m) // 2))

    def questions(
        self, judges: Floats, places: Integers, copies: Floats | None = None
    ) -> Questions:
        """Return questions about worlds of this table, in which everybody is once by default."""
        if copies is None:
            copies = np.broadcast_to(np.ones(self.n), (len(judges), self.n))
        return Questions(self.scores, judges, copies, places, self.weights)

    def ranks(self, judges: Floats) -> Floats:
        """Return the ranks of everybody by some judges (R, m), (R, n)."""
        return self.rank(judges, np.broadcast_to(np.ones(self.n), (len(judges), self.n)))

    def answered(self, questions: Questions) -> Floats:
        """Return the ranks in every world of every question, (Q, k, n)."""
        return np.asarray(self.rank(questions.judges, questions.copies)[questions.places])

    def with_fields(self, profile: Integers, fields: Floats) -> Iterator[Questions]:
        """Yield questions that compare the whole field with others (Q, n), for profiles (Q,)."""
        size = len(self.profiles)
        whole = np.ones((size, self.n))
        for start in range(0, len(profile), self.step):
            chosen = slice(start, start + self.step)
            here = profile[chosen]
            yield self.questions(
                np.concatenate([self.profiles, self.profiles[here]]),
                np.column_stack([here, size + np.arange(len(here))]),
                np.concatenate([whole, fields[chosen]]),
            )

    def with_each(self, fields: Floats) -> Iterator[Questions]:
        """Yield questions that compare the whole field with each of some others, (K, n)."""
        size, number = len(self.profiles), len(fields)
        profile = np.repeat(np.arange(size), number)
        yield from self.with_fields(profile, np.tile(fields, (size, 1)))


class Axiom(Documented, ABC):
    """A law that a ranking function obeys or not; the docstring of its class defines it."""

    name: ClassVar[str]
    caveat: ClassVar[str] = ""
    audited: ClassVar[bool] = True
    """Whether it can be asked of a table as it is, without changing a score."""
    most_judges: ClassVar[tuple[int, ...]] = (3, 5, 7, 9, 12, 17)
    """How many judges the random tables have at most; one number is drawn for each batch."""

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Yield what there is to ask about the profiles of a table; by default each once."""
        yield inquiry.questions(inquiry.profiles, np.arange(len(inquiry.profiles))[:, None])

    def left_out(self, n: int) -> str:  # noqa: ARG002 - for those who leave something out
        """Return what is not asked of a table of n candidates, in a sentence; nothing for most."""
        return ""

    @abstractmethod
    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        """Return what is wanted and what is found where the answers are ranks (Q, k, n)."""

    @abstractmethod
    def words(self, case: Case) -> str:
        """Return what happens in a case of violation, in a sentence."""

    def describe(self, case: Case) -> Case:
        return replace(case, change=self.words(case))

    def prepare(
        self,
        scores: Floats,
        scale: Scale,  # noqa: ARG002 - for those who need it
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Floats:
        """Return a random table made fit for the axiom: with further rows or columns."""
        return scores

    def units(self, weights: Integers) -> list[Integers]:
        """Return one judge's weights in the worlds (k,) as a sum of judges who are there or not."""
        found: list[Integers] = []
        left = weights.copy()
        while left.any():
            found.append((left > 0).astype(np.int64))
            left = left - found[-1]
        return found

    def letters(self, copies: Integers) -> tuple[str, ...]:
        """Return names for the candidates of a small table with copies (k, n)."""
        return tuple(LETTERS[: copies.shape[1]])

    def numbers(self, m: int) -> tuple[str, ...]:
        """Return names for the judges of a small table."""
        return tuple(f"j{k}" for k in range(1, m + 1))

    def tied_judges(self, m: int) -> list[list[int]]:
        """Return the judges that can be left out only together."""
        return [[k] for k in range(m)]


@dataclass(eq=False)
class Tally:
    """Count the questions that an axiom was asked about, and how many of them violate it."""

    axiom: Axiom
    searched: int = 0
    strong: int = 0
    weak: int = 0

    @property
    def holds(self) -> bool | None:
        """Whether no order is reversed; None where nothing could be asked."""
        return self.strong == 0 if self.searched else None

    def count(self, demands: Demands) -> None:
        self.searched += int(demands.applicable.sum())
        self.strong += int((demands.worst == STRONG).sum())
        self.weak += int((demands.worst == WEAK).sum())


def order(ranks: Floats) -> Integers:
    """Return the order of all pairs (Q, n, n): 1 where u is above v, 0 where tied or absent."""
    mine, yours = ranks[:, :, None], ranks[:, None, :]
    return np.less(mine, yours).view(np.int8) - np.greater(mine, yours).view(np.int8)


def there(ranks: Floats) -> Booleans:
    """Return the pairs (Q, n, n) of two who both have a rank."""
    known = ~np.isnan(ranks)
    pairs = known[:, :, None] & known[:, None, :]
    alone = np.arange(ranks.shape[1])
    pairs[:, alone, alone] = False
    return np.asarray(pairs)


def unchanged(ranks: Floats) -> Demands:
    """Demand that all who are there in the first and the last world keep their order."""
    first, last = ranks[:, 0], ranks[:, -1]
    return Demands(order(first), order(last), there(first) & there(last))


def never_below(pairs: Booleans, ranks: Floats) -> Demands:
    """Demand of pairs (Q, n, n) that u is above v, in the one world there is."""
    found = order(ranks[:, -1])
    return Demands(np.ones_like(found), found, pairs & there(ranks[:, -1]))


# ------------------------------------------------------------------------------
# One case in which an axiom is violated: a table, its worlds, and how they are ranked.

MOST_CELLS = 10_000
MOST_JUDGES = 30  # that are named where somebody may want to check it


@dataclass(frozen=True, eq=False)
class Case:
    """Hold a table (n, m) and worlds of it: who judges, who is there, and the ranks that result."""

    scores: Floats
    candidates: tuple[str, ...]
    judges: tuple[str, ...]
    present: Integers  # which judges are there in each world, (k, m)
    copies: Integers  # how often each candidate is there in each world, (k, n)
    ranks: Floats  # (k, n); NaN for who is not there
    pair: tuple[int, int]
    level: int
    change: str = ""
    levels: Floats | None = None  # the scores with tied ones made equal; the scores if None
    weights: Floats | None = None  # what each judge counts, (m,); 1 if None

    @property
    def size(self) -> tuple[int, int, int]:
        """How large it is: candidates, judges, copies."""
        return (*self.scores.shape, int(self.copies.sum()))

    @cached_property
    def first(self) -> str:
        """The name of the one that is wronged."""
        return bare(self.candidates[self.pair[0]])

    @cached_property
    def second(self) -> str:
        """The name of the one that gains."""
        return bare(self.candidates[self.pair[1]])

    def origin(self) -> str:
        return self.order_in(0)

    def outcome(self) -> str:
        return self.order_in(-1)

    def order_in(self, world: int) -> str:
        u, v = (self.ranks[world, i] for i in self.pair)
        if u == v:
            return f"{self.first} and {self.second} tie"
        above, below = (self.first, self.second) if u < v else (self.second, self.first)
        return f"{above} is above {below}"

    def judged_by(self, world: int) -> str:
        return named(self._names(world), most=MOST_JUDGES)

    def absent(self, world: int) -> list[str]:
        """Return who is not there in a world."""
        return [self.candidates[i] for i in np.flatnonzero(self.copies[world] == 0).tolist()]

    def rest(self) -> str:
        gone = self.absent(-1)
        kept = [name for name in self.candidates if name not in gone]
        if len(gone) > len(kept):
            return f"with only {named(kept)}"
        return f"without {named(gone)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the case in the types of JSON; ``after`` is null where one ranking says it all."""
        one_world = len(self.ranks) == 1
        before, after = (
            [None if rank != rank else rank for rank in self.ranks[world].tolist()]
            for world in (0, -1)
        )
        return {
            "scores": self.scores.tolist() if self.scores.size <= MOST_CELLS else None,
            "candidates": list(self.candidates),
            "judges": list(self.judges),
            "before": before,
            "after": None if one_world else after,
            "judges_before": self._names(0),
            "judges_after": None if one_world else self._names(-1),
            "copies_before": self.copies[0].tolist(),
            "copies_after": None if one_world else self.copies[-1].tolist(),
            "pair": [self.candidates[i] for i in self.pair],
            "strong": self.level == STRONG,
            "change": self.change,
        }

    def grid(self) -> Grid:
        cells = (
            (name, *self.scores[i].tolist(), *(float(row[i]) for row in self._rankings.values()))
            for i, name in enumerate(self.candidates)
        )
        return Grid.of(("", *self.judges, *self._rankings), cells)

    @property
    def _rankings(self) -> dict[str, Floats]:
        names = ("rank",) if len(self.ranks) == 1 else ("before", "after")
        return dict(zip(names, self.ranks[[0, -1]], strict=False))

    def _names(self, world: int) -> list[str]:
        return [name for name, here in zip(self.judges, self.present[world], strict=True) if here]

    def lines(self, *, width: int = 76) -> list[str]:
        """Return the table with its rankings in plain letters, if it fits the width.

        Where every judge as a column of its own is too much, those who are alike share one.
        """
        each = [(name, k) for k, name in enumerate(self.judges)]
        for columns in (each, self._alike()):
            lines = self._lines(columns)
            if max(map(width_of, lines)) <= width:
                return lines
        return []

    def _alike(self) -> list[tuple[str, int]]:
        groups: dict[tuple[float, ...], list[int]] = {}
        for k in range(len(self.judges)):
            groups.setdefault((*self.scores[:, k], *self.present[:, k]), []).append(k)
        return [(f"{len(members)}x", members[0]) for members in groups.values()]

    def _lines(self, judges: list[tuple[str, int]]) -> list[str]:
        head = ["", *(name for name, _ in judges)]
        rows = [
            [name, *(number(float(row[k])) for _, k in judges)]
            for name, row in zip(self.candidates, self.scores, strict=True)
        ]
        for label, ranks in self._rankings.items():
            head.append(f"  {label}")
            for row, rank in zip(rows, ranks.tolist(), strict=True):
                row.append(number(rank))
        widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
        lines = []
        for first, *rest in (head, *rows):
            cells = [first + " " * (widths[0] - width_of(first))]
            pairs = zip(rest, widths[1:], strict=True)
            cells += [" " * (size - width_of(cell)) + cell for cell, size in pairs]
            lines.append("  " + "  ".join(cells))
        return lines


# ------------------------------------------------------------------------------
# Every axiom by name: one file in ``laws`` is enough to add one.

# The order of Pavao et al. (2021), table 2; others follow in the order of their names.
FIRST = ("majority", "condorcet", "consistency", "participation", "iia", "liia", "clones")


@cache
def known() -> dict[str, Axiom]:
    found: dict[str, Axiom] = {
        thing.name: thing()
        for home in plugins("deadheat.axioms.laws")
        for thing in vars(home).values()
        if inspect.isclass(thing) and issubclass(thing, Axiom) and thing.__module__ == home.__name__
    }
    rest = sorted(set(found) - set(FIRST))
    return {name: found[name] for name in (*FIRST, *rest)}


def chosen(names: str | Iterable[str] | None) -> list[Axiom]:
    """Return the axioms of some names, commas between them or not; all of them for None."""
    laws = known()
    if names is None:
        return list(laws.values())
    items = [names] if isinstance(names, str) else names
    found = []
    for name in (part.strip() for item in items for part in str(item).split(",")):
        if name.lower() not in laws:
            raise UnknownNameError("axiom", name, laws)
        found.append(laws[name.lower()])
    return list(dict.fromkeys(found))
