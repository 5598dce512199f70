"""What an axiom is: questions to a ranking function, and what their answers must be.

A question compares worlds of one table: some judges and some candidates, each so many times. The
last world is the one whose order is judged, the others say what it must be. To take away a judge or
a candidate is weight 0, a clone is weight 2, so that thousands of questions are a few calls.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from deadheat.data.documented import Documented
from deadheat.ranking.blocks import WORKING_SET
from deadheat.typing import Booleans, Floats, Integers, Scale

if TYPE_CHECKING:
    from deadheat.axioms.case import Case

STRONG, WEAK = 2, 1
LETTERS = "ABCDEFGHIJ"
Ranker = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, eq=False)
class Questions:
    """Hold questions about one table (n, m): ``places`` (Q, k) says which worlds each compares."""

    scores: Floats
    judges: Floats
    """The weights of the judges in each world, (R, m)."""
    copies: Floats
    """How often each candidate is there in each world, (R, n)."""
    places: Integers
    weights: Floats | None = None
    """What a judge of weight 1 counts, (m,); 1 by default."""

    def __len__(self) -> int:
        return len(self.places)

    def judges_of(self, world: int) -> Floats:
        """Return the weights of the judges in the first, second ... or last world, (Q, m)."""
        return np.asarray(self.judges[self.places[:, world]])

    def counted(self, world: int) -> Floats:
        """Return the same, as the judges count."""
        judges = self.judges_of(world)
        return judges if self.weights is None else judges * self.weights

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

    @cached_property
    def applicable(self) -> Booleans:
        """Whether a question demands anything, (Q,)."""
        return np.asarray(self.pairs.any(axis=(1, 2)))

    @cached_property
    def levels(self) -> Integers:
        """How badly each pair is violated, (Q, n, n): 0, WEAK or STRONG."""
        lacking = np.maximum(self.wanted - self.found, 0)
        lacking *= self.pairs
        return np.asarray(lacking)

    @cached_property
    def worst(self) -> Integers:
        """How badly each question is violated, (Q,)."""
        return np.asarray(self.levels.max(axis=(1, 2), initial=0))


@dataclass(frozen=True, eq=False)
class Asked:
    """Hold a table (n, m), profiles of its judges (B, m), and whoever ranks the candidates."""

    scores: Floats
    profiles: Floats
    rank: Ranker
    weights: Floats | None = None
    parts: Booleans | None = None
    """Parts of the judges (P, m) that consistency is asked about; any that rank alike if None."""
    tried: Integers | None = None
    """Which candidates are taken away or copied; all if None."""
    heard: Integers | None = None
    """Which judges are taken away; all if None."""

    @property
    def n(self) -> int:
        """The number of candidates."""
        return int(self.scores.shape[0])

    @cached_property
    def field(self) -> Floats:
        """Everybody once, (n,)."""
        return np.ones(self.n)

    @cached_property
    def each(self) -> Floats:
        """One candidate at a time, (K, n): all of them, or those that are tried."""
        one: Floats = np.eye(self.n)
        return one if self.tried is None else one[self.tried]

    @property
    def step(self) -> int:
        """How many questions are asked at a time."""
        n, m = self.scores.shape
        return max(1, int(WORKING_SET // (n * n + m) // 2))

    def questions(self, judges: Floats, copies: Floats, places: Integers) -> Questions:
        """Return questions about this table."""
        return Questions(self.scores, judges, copies, places, self.weights)

    def answered(self, questions: Questions) -> Floats:
        """Return the ranks in every world of every question, (Q, k, n)."""
        return np.asarray(self.rank(questions.judges, questions.copies)[questions.places])

    def once(self) -> Iterator[Questions]:
        """Yield one question per profile: how is everybody ranked."""
        size = len(self.profiles)
        copies = np.broadcast_to(self.field, (size, self.n))
        yield self.questions(self.profiles, copies, np.arange(size)[:, None])

    def with_fields(self, profile: Integers, fields: Floats) -> Iterator[Questions]:
        """Yield questions that compare the whole field with others (Q, n), for profiles (Q,)."""
        size = len(self.profiles)
        whole = np.broadcast_to(self.field, (size, self.n))
        for start in range(0, len(profile), self.step):
            chosen = slice(start, start + self.step)
            here = profile[chosen]
            yield self.questions(
                np.concatenate([self.profiles, self.profiles[here]]),
                np.concatenate([whole, fields[chosen]]),
                np.column_stack([here, size + np.arange(len(here))]),
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

    @abstractmethod
    def questions(self, asked: Asked) -> Iterator[Questions]:
        """Yield what there is to ask about the profiles of a table."""

    def left_out(self, n: int) -> str:  # noqa: ARG002 - for those who leave something out
        """Return what is not asked of a table of n candidates, in a sentence; nothing for most."""
        return ""

    @abstractmethod
    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        """Return what is wanted and what is found where the answers are ranks (Q, k, n)."""

    @abstractmethod
    def told(self, case: Case) -> str:
        """Return what happens in a case of violation, in a sentence."""

    def arranged(
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
