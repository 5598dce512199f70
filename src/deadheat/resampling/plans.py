"""How to resample: to resample is to draw weights, and block k depends on (seed, k) alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol, get_args

import numpy as np

from deadheat.errors import UnknownNameError, UsageError
from deadheat.resampling.draws import multiplicities, stream
from deadheat.resampling.grouping import Grouping, Labels, codes, grouping
from deadheat.typing import Floats

LARGEST_BLOCK = 1_000
NUMBERS_IN_A_BLOCK = 4_000_000
Axis = Literal["judges", "candidates", "both"]


@dataclass(frozen=True, eq=False)
class Weights:
    """Hold the weights of a block of replicates: judges (B, m), candidates (B, n)."""

    judges: Floats
    candidates: Floats


class Plan(Protocol):
    """Whatever draws weights, block by block."""

    @property
    def replicates(self) -> int:
        """How many replicates there are in all."""
        ...

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        ...

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k for a table of n candidates and m judges."""
        ...


def block_size(n: int, m: int) -> int:
    """Return how many replicates one block has: a function of the request and of nothing else."""
    return max(1, min(LARGEST_BLOCK, NUMBERS_IN_A_BLOCK // max(n, m)))


def blocks(plan: Plan, n: int, m: int) -> range:
    """Return the numbers of the blocks of a plan."""
    return range(-(-plan.replicates // block_size(n, m)))


def rows_of(plan: Plan, k: int, n: int, m: int) -> range:
    """Return which replicates of a plan block k holds."""
    size = block_size(n, m)
    return range(k * size, min((k + 1) * size, plan.replicates))


@dataclass(frozen=True, kw_only=True)
class Seeded:
    """What all random plans have: a number of replicates and a seed."""

    replicates: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        require_replicates(self.replicates)
        if type(self.seed) is not int or self.seed < 0:
            raise UsageError(
                f"the seed must be a whole number of at least 0, got {self.seed!r}.",
                hint="any such number will do; the same one gives the same answer.",
            )

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        return True

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k."""
        rows = len(rows_of(self, k, n, m))
        rng = stream(self.seed, k)
        judges, candidates = self._drawn(rng, rows, n, m)
        return Weights(np.broadcast_to(judges, (rows, m)), np.broadcast_to(candidates, (rows, n)))

    def _drawn(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Seeded):
    """Draw judges, candidates or both with replacement, as many as there are.

    A judge that is drawn twice has weight 2, one that is not drawn weight 0: it is out of bag.

    >>> Bootstrap(over="judges", replicates=2, seed=0).draw(0, n=3, m=4).judges
    array([[2., 1., 1., 0.],
           [0., 2., 1., 1.]], dtype=float32)
    """

    over: Axis = "judges"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.over not in get_args(Axis):
            raise UnknownNameError("axis to resample", str(self.over), get_args(Axis))

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        return self.over == "judges"

    def _drawn(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        judges = multiplicities(rng, rows, m) if self.over != "candidates" else _ones(m)
        candidates = multiplicities(rng, rows, n) if self.over != "judges" else _ones(n)
        return judges, candidates


@dataclass(frozen=True, kw_only=True)
class OverUnits(Seeded):
    """Resample units of judges: clusters where there are some, inside strata where there are some.

    Strata keep their number of units in every replicate; all judges of a cluster come and go
    together.
    """

    strata: Labels | None = None
    clusters: Labels | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("strata", "clusters"):
            labels = getattr(self, name)
            object.__setattr__(self, name, None if labels is None else tuple(map(str, labels)))

    def grouping(self, m: int) -> Grouping:
        """Return which judges are drawn together, and out of which pot."""
        for labels in (self.strata, self.clusters):
            if labels is not None and len(labels) != m:
                raise UsageError(
                    f"the plan has labels for {len(labels):,} judges, but the table has {m:,}."
                )
        return grouping(self.strata, self.clusters, m)

    def _drawn(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        draw = partial(self._pot, rng)
        return self.grouping(m).drawn(rows, draw), _ones(n)

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        """Draw from a pot of ``size`` units, (rows, size)."""
        return multiplicities(rng, rows, size)


@dataclass(frozen=True, kw_only=True)
class Stratified(OverUnits):
    """Draw with replacement inside every stratum, as many units as it has.

    The strata are taken as given: the answer is about other instances of *these* domains, and not
    about other domains [1]_. Where the domains are a sample themselves, resample them:
    :class:`Clustered` with the domains as clusters.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
       Using Statistical Resampling", sec. 3.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strata is None:
            raise UsageError(
                "a stratified plan needs strata, and the table has none.",
                hint="--stratum COL names the column with the stratum of each judge.",
            )


@dataclass(frozen=True, kw_only=True)
class Clustered(OverUnits):
    """Draw whole clusters with replacement; with ``levels=2`` then judges inside every drawn one.

    Runs of one instance with several seeds are not independent: resampling runs one by one makes
    intervals far too narrow (30 instances x 5 seeds: 95 % intervals that hold 62 %). One level is
    right for means over judges; the second adds the noise within clusters once more, and is there
    for functions that are no means.
    """

    levels: Literal[1, 2] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.clusters is None:
            raise UsageError(
                "a clustered plan needs clusters, and the table has none.",
                hint="--cluster COL names the column that says which judges belong together.",
            )
        if self.levels not in (1, 2):
            raise UsageError(f"a clustered plan has 1 or 2 levels, not {self.levels!r}.")

    def _drawn(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        judges, candidates = super()._drawn(rng, rows, n, m)
        if self.levels == 2:
            judges = _within(rng, judges, self.grouping(m))
        return judges, candidates


@dataclass(frozen=True, kw_only=True)
class Bayesian(OverUnits):
    """Weigh units by Dirichlet(1, ..., 1), inside strata where there are some.

    No judge is ever left out. Shares of replicates are posterior probabilities under a vague prior
    [1]_ and control no error.

    References
    ----------
    .. [1] Rubin (1981), "The Bayesian bootstrap", Annals of Statistics 9.
    """

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        spacings = rng.standard_exponential((rows, size))
        return np.asarray(spacings * (size / spacings.sum(axis=1, keepdims=True)))


@dataclass(frozen=True, kw_only=True)
class Subsample(OverUnits):
    """Draw a share of the units without replacement, by default half of them.

    Halves spread as the whole does: the mean of m/2 out of m judges drawn without replacement has
    the variance that the mean of m judges has over competitions. Other shares spread otherwise.
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.share < 1:
            raise UsageError(
                f"the share of a subsample lies between 0 and 1, got {self.share!r}.",
                hint="0.5 draws half of the judges.",
            )

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        number = max(1, round(self.share * size))
        keys = rng.random((rows, size))
        last = np.partition(keys, number - 1, axis=1)[:, number - 1, None]
        return (keys <= last).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Jackknife:
    """Leave out one label at a time with all its judges: a judge, a cluster or a stratum each.

    Nothing is random here; there are as many replicates as there are labels.
    """

    labels: Labels

    @property
    def replicates(self) -> int:
        """How many labels there are."""
        return len(set(self.labels))

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        return True

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k."""
        rows = rows_of(self, k, n, m)
        left_out = codes(self.labels)[None, :] == np.array(rows)[:, None]
        return Weights((~left_out).astype(np.float32), np.broadcast_to(_ones(n), (len(rows), n)))


def require_replicates(replicates: object) -> None:
    """Refuse what is no number of replicates."""
    if type(replicates) is not int:  # a bool is an int, and no number of replicates
        raise UsageError(
            f"replicates must be a whole number, got {replicates!r}.",
            hint="10,000 is the usual number.",
        )
    if replicates < 1:
        raise UsageError(
            f"replicates must be at least 1, got {replicates:,}.",
            hint="10,000 is the usual number.",
        )


def _ones(size: int) -> Floats:
    return np.ones((1, size), dtype=np.float32)


def _within(rng: np.random.Generator, judges: Floats, group: Grouping) -> Floats:
    """Draw, for every drawn cluster of s judges, s of them with replacement."""
    rows, m = judges.shape
    order = np.argsort(group.of_judge, kind="stable")
    sizes = np.bincount(group.of_judge)
    start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    drawn = judges[:, order[start]].astype(np.int64) * sizes  # how many judges of each cluster
    cluster = np.repeat(np.tile(np.arange(len(sizes)), rows), drawn.ravel())
    row = np.repeat(np.arange(rows), drawn.sum(axis=1))
    judge = order[start[cluster] + rng.integers(0, sizes[cluster])]
    return np.bincount(row * m + judge, minlength=rows * m).reshape(rows, m).astype(np.float32)
