"""What an axiom is: questions to a ranking function, and what their answers must be.

A question compares worlds of one table: some judges and some candidates, each so many times. The
order in the last world is judged, the others say what it must be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import compress
from typing import Any, ClassVar

import numpy as np

from deadheat.core.errors import bare, named
from deadheat.core.registry import Registry, plugins
from deadheat.core.types import Booleans, Documented, Floats, Integers, Scale
from deadheat.output.table import Grid
from deadheat.output.text import number, width_of
from deadheat.ranking.block import WORKING_SET

STRONG, WEAK = 2, 1
LETTERS = "ABCDEFGHIJ"
Ranker = Callable[[Floats, Floats], Floats]
MOST_CELLS = 10_000
MOST_JUDGES = 30  # that are named where somebody may want to check it
# The order of Pavao et al. (2021), table 2; others follow by name.
FIRST = ("majority", "condorcet", "consistency", "participation", "iia", "liia", "clones")


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions about one table (n, m): ``places`` (Q, k) says which worlds each compares."""

    scores: Floats
    judges: Floats  # the weights of the judges in each world, (R, m)
    copies: Floats  # how often each candidate is there in each world, (R, n)
    places: Integers
    weights: Floats | None = None  # what a judge of weight 1 counts, (m,); 1 by default

    def __len__(self) -> int:
        return len(self.places)

    def judges_of(self, world: int) -> Floats:
        return np.asarray(self.judges[self.places[:, world]])

    def weights_of(self, world: int) -> Floats:
        """Return what the judges count in a world, (Q, m)."""
        return self.judges_of(world) * (1 if self.weights is None else self.weights)

    def copies_of(self, world: int) -> Floats:
        return np.asarray(self.copies[self.places[:, world]])


@dataclass(frozen=True, eq=False)
class Demands:
    """The orders of pairs (u, v), (Q, n, n): 1 is u above v, 0 a tie, -1 v above u."""

    wanted: Integers
    found: Integers
    pairs: Booleans

    def where(self, pairs: Booleans) -> Demands:
        return Demands(self.wanted, self.found, self.pairs & pairs)

    @cached_property
    def applicable(self) -> Booleans:
        return np.asarray(self.pairs.any(axis=(1, 2)))

    @cached_property
    def levels(self) -> Integers:
        """How badly each pair is violated: not, WEAK by one step, STRONG by two, (Q, n, n)."""
        return np.asarray(np.maximum(self.wanted - self.found, 0) * self.pairs)

    @cached_property
    def worst(self) -> Integers:
        return np.asarray(self.levels.max(axis=(1, 2), initial=0))


@dataclass(frozen=True, eq=False)
class Inquiry:
    """A table (n, m), profiles of its judges (B, m), and whoever ranks the candidates."""

    scores: Floats
    profiles: Floats
    rank: Ranker
    weights: Floats | None = None
    parts: Booleans | None = None  # of the judges (P, m), for consistency; any alike if None
    tried: Integers | None = None  # which candidates are taken away or copied; all if None
    heard: Integers | None = None  # which judges are taken away; all if None

    @property
    def n(self) -> int:
        return len(self.scores)

    @cached_property
    def each(self) -> Floats:
        """One candidate at a time, (K, n): all of them, or those that are tried."""
        return np.eye(self.n)[slice(None) if self.tried is None else self.tried]

    @property
    def step(self) -> int:
        n, m = self.scores.shape
        return max(1, int(WORKING_SET // (n * n + m) // 2))

    def questions(self, judges: Floats, places: Integers, there: Floats | None = None) -> Questions:
        """Return questions about worlds of this table, in which everybody is once by default."""
        copies = np.ones((len(judges), self.n)) if there is None else there
        return Questions(self.scores, judges, copies, places, self.weights)

    def ranks(self, judges: Floats) -> Floats:
        """Return the ranks of everybody by some judges (R, m), (R, n)."""
        return self.rank(judges, np.ones((len(judges), self.n)))

    def ranks_for(self, questions: Questions) -> Floats:
        """Return the ranks in every world of every question, (Q, k, n)."""
        return np.asarray(self.rank(questions.judges, questions.copies)[questions.places])

    def with_fields(self, profile: Integers, fields: Floats) -> Iterator[Questions]:
        """Yield questions that compare the whole field with others (Q, n), for profiles (Q,)."""
        size = len(self.profiles)
        for start in range(0, len(profile), self.step):
            chosen = slice(start, start + self.step)
            here = profile[chosen]
            yield self.questions(
                np.concatenate([self.profiles, self.profiles[here]]),
                np.column_stack([here, size + np.arange(len(here))]),
                np.concatenate([np.ones((size, self.n)), fields[chosen]]),
            )

    def with_each(self, fields: Floats) -> Iterator[Questions]:
        """Yield questions that compare the whole field with each of some others, (K, n)."""
        size = len(self.profiles)
        profile = np.repeat(np.arange(size), len(fields))
        yield from self.with_fields(profile, np.tile(fields, (size, 1)))


class Axiom(Documented, ABC):
    """A law that a ranking function obeys or not; the docstring of its class defines it."""

    name: ClassVar[str]
    caveat: ClassVar[str] = ""
    audited: ClassVar[bool] = True  # whether it can be asked of a table without changing a score
    most_judges: ClassVar[tuple[int, ...]] = (3, 5, 7, 9, 12, 17)  # of random tables, by batch

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

    def prepare(self, scores: Floats, scale: Scale, rng: np.random.Generator) -> Floats:  # noqa: ARG002
        """Return a random table made fit for the axiom: with further rows or columns."""
        return scores

    def units(self, weights: Integers) -> list[Integers]:
        """Return one judge's weights in the worlds (k,) as a sum of judges who are there or not."""
        return [(weights > k).astype(np.int64) for k in range(int(weights.max()))]

    def letters(self, copies: Integers) -> tuple[str, ...]:
        """Return names for candidates who are there so often (k, n)."""
        return tuple(LETTERS[: copies.shape[1]])

    def numbers(self, m: int) -> tuple[str, ...]:
        return tuple(f"j{k}" for k in range(1, m + 1))

    def tied_judges(self, m: int) -> list[list[int]]:
        """Return the judges that can be left out only together."""
        return [[k] for k in range(m)]


@dataclass(eq=False)
class Tally:
    """How many questions an axiom was asked about, and how many of them violate it."""

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
    others = ~np.eye(ranks.shape[1], dtype=bool)
    return np.asarray(known[:, :, None] & known[:, None, :] & others)


def demand_same_order(ranks: Floats) -> Demands:
    """Demand that all who are there in the first and the last world keep their order."""
    first, last = ranks[:, 0], ranks[:, -1]
    return Demands(order(first), order(last), there(first) & there(last))


def never_below(pairs: Booleans, ranks: Floats) -> Demands:
    """Demand of pairs (Q, n, n) that u is above v, in the one world there is."""
    found = order(ranks[:, -1])
    return Demands(np.ones_like(found), found, pairs & there(ranks[:, -1]))


@dataclass(frozen=True, eq=False)
class Case:
    """A table (n, m) and worlds of it: who judges, who is there, and the ranks that result."""

    axiom: Axiom
    scores: Floats
    candidates: tuple[str, ...]
    judges: tuple[str, ...]
    present: Integers  # which judges are there in each world, (k, m)
    copies: Integers  # how often each candidate is there in each world, (k, n)
    ranks: Floats  # (k, n); NaN for who is not there
    pair: tuple[int, int]
    level: int
    levels: Floats | None = None  # the scores with tied ones made equal; the scores if None
    weights: Floats | None = None  # what each judge counts, (m,); 1 if None

    @cached_property
    def change(self) -> str:
        return self.axiom.words(self)

    @property
    def size(self) -> tuple[int, int, int]:
        """How large it is: candidates, judges, copies."""
        return (*self.scores.shape, int(self.copies.sum()))

    @property
    def first(self) -> str:
        """The name of the one that is wronged."""
        return bare(self.candidates[self.pair[0]])

    @property
    def second(self) -> str:
        """The name of the one that gains."""
        return bare(self.candidates[self.pair[1]])

    def origin(self) -> str:
        return self.outcome(0)

    def outcome(self, world: int = -1) -> str:
        u, v = (self.ranks[world, i] for i in self.pair)
        if u == v:
            return f"{self.first} and {self.second} tie"
        above, below = (self.first, self.second) if u < v else (self.second, self.first)
        return f"{above} is above {below}"

    def judges_of(self, world: int) -> str:
        return named(self._names(world), most=MOST_JUDGES)

    def absent(self, world: int) -> list[str]:
        return list(compress(self.candidates, self.copies[world] == 0))

    def rest(self) -> str:
        gone = self.absent(-1)
        kept = [name for name in self.candidates if name not in gone]
        return f"with only {named(kept)}" if len(gone) > len(kept) else f"without {named(gone)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the case in the types of JSON; ``after`` is null where one ranking says it all."""
        several = len(self.ranks) > 1
        before, after = (
            [None if rank != rank else rank for rank in row] for row in self.ranks[[0, -1]].tolist()
        )
        return {
            "scores": self.scores.tolist() if self.scores.size <= MOST_CELLS else None,
            "candidates": list(self.candidates),
            "judges": list(self.judges),
            "before": before,
            "after": after if several else None,
            "judges_before": self._names(0),
            "judges_after": self._names(-1) if several else None,
            "copies_before": self.copies[0].tolist(),
            "copies_after": self.copies[-1].tolist() if several else None,
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
        return list(compress(self.judges, self.present[world]))

    def lines(self, *, width: int = 76) -> list[str]:
        """Return the table with its rankings, if it fits the width: judges who are alike as one."""
        groups: dict[tuple[float, ...], list[int]] = {}
        for k in range(len(self.judges)):
            groups.setdefault((*self.scores[:, k], *self.present[:, k]), []).append(k)
        alike = {members[0]: f"{len(members)}x" for members in groups.values()}
        for judges in (dict(enumerate(self.judges)), alike):
            columns = [(name, self.scores[:, k]) for k, name in judges.items()]
            columns += [(f"  {label}", ranks) for label, ranks in self._rankings.items()]
            texts = [[head, *map(number, values.tolist())] for head, values in columns]
            names = ["", *self.candidates]
            most = max(map(width_of, names))
            lines = [f"  {name}{' ' * (most - width_of(name))}" for name in names]
            for column in texts:
                most = max(map(width_of, column))
                cells = zip(lines, column, strict=True)
                lines = [f"{line}  {' ' * (most - width_of(cell))}{cell}" for line, cell in cells]
            if max(map(width_of, lines)) <= width:
                return lines
        return []


@dataclass(eq=False)
class Finding:
    """A change to the table that violates an axiom, and what it turns around."""

    case: Case
    pairs: list[list[str]]  # a few of the pairs that are violated worst
    number: int  # of pairs that are violated as badly
    ties: int  # how many pairs become or were a tie
    first: list[str] | None = None  # after the change, where that is not who was

    def as_dict(self) -> dict[str, Any]:
        turned = self.number if self.case.level == STRONG else 0
        pairs = {"reversed": turned, "ties": self.ties, "pairs": self.pairs}
        return {"change": self.case.change, **pairs, "first": self.first}


@dataclass(eq=False)
class AuditResult(Tally):
    """How often one axiom is violated on a table, and the worst cases."""

    winner: int = 0
    findings: list[Finding] = field(default_factory=list)


AXIOMS: Registry[Axiom] = Registry(
    "axiom", partial(plugins, "deadheat.axioms.laws", Axiom), first=FIRST
)


def axioms_named(names: str | Iterable[str] | None) -> list[Axiom]:
    """Return the axioms of some names, commas between them or not; all of them for None."""
    if names is None:
        return list(AXIOMS.values())
    items = [names] if isinstance(names, str) else names
    parts = [part.strip() for item in items for part in str(item).split(",")]
    return list(dict.fromkeys(map(AXIOMS.named, parts)))
