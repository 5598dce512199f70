"""How to resample: to resample is to draw weights, and block k depends on (seed, k) alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from deadheat.errors import UnknownNameError, UsageError
from deadheat.resampling.draws import multiplicities, stream
from deadheat.resampling.grouping import Grouping, Labels, grouping
from deadheat.resampling.plan import Plan, Weights, block_size, blocks, rows_of, tiles
from deadheat.typing import Floats

__all__ = [
    "Bayesian",
    "Bootstrap",
    "Clustered",
    "Jackknife",
    "Plan",
    "Stratified",
    "Subsample",
    "Weights",
    "WithReplacement",
    "block_size",
    "blocks",
    "rows_of",
    "tiles",
]

Axis = Literal["judges", "candidates", "both"]
Draws = Literal["rao-wu", "paper"]


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
    def chosen(self) -> bool:
        """Whether the number of replicates was asked for, and may be too large."""
        return True

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        return True

    def variance_kept(self, m: int) -> float:
        """Return how much of the variance of a mean over m equal judges replicates have."""
        raise NotImplementedError

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k.

        A last block that is not full is the beginning of a full one, so that the replicates of a
        plan are the first ones of the same plan with more.
        """
        return self.whole_block(k, n, m).rows(slice(len(rows_of(self, k, n, m))))

    def whole_block(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k as if all its replicates were asked for."""
        rows = block_size(n, m)
        judges, candidates = self._drawn(stream(self.seed, k), rows, n, m)
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

    def variance_kept(self, m: int) -> float:
        """Return how much of the variance of a mean replicates have: (m - 1)/m."""
        return (m - 1) / m

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
        return grouping(self.strata, self.clusters, m)

    def variance_kept(self, m: int) -> float:
        """Return how much of the variance of a mean replicates have, in strata of 2 units or more.

        1 if all: where a stratum has one unit, nothing shows its variance.
        """
        sizes = np.bincount(self.grouping(m).stratum)
        several = sizes[sizes > 1]
        kept = sum(size * self._kept(size) for size in several.tolist())
        return kept / int(several.sum()) if len(several) else 1.0

    def _kept(self, size: int) -> float:  # noqa: ARG002
        """Return the same of one pot; half of its units spread as all do."""
        return 1.0

    def _drawn(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        draw = partial(self._pot, rng)
        return self.grouping(m).drawn(rows, draw), _ones(n)

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        """Draw from a pot of ``size`` units, (rows, size)."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class WithReplacement(OverUnits):
    r"""Draw units with replacement: as many as there are, or by Rao and Wu inside strata.

    n out of n draws spread a little less than n judges do, by :math:`(n - 1)/n` in variance. In one
    large pot nobody sees that; in twelve strata of two it halves every variance, and 95 % intervals
    cover 80 %. So inside strata ``draws="rao-wu"`` draws :math:`n_h - 1` of the :math:`n_h` units
    of each, and gives every draw the weight :math:`n_h/(n_h - 1)` [1]_: the mean weight is 1, and
    the variance of a mean is the unbiased one of stratified sampling. The only unit of a stratum
    keeps weight 1. ``draws="paper"`` draws :math:`n_h` of :math:`n_h` [2]_.

    References
    ----------
    .. [1] Rao, Wu (1988), "Resampling inference with complex survey data", JASA 83(401).
    .. [2] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
       Using Statistical Resampling", sec. 3.
    """

    draws: Draws = "rao-wu"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws not in get_args(Draws):
            raise UnknownNameError("way to draw inside strata", str(self.draws), get_args(Draws))

    @property
    def rao_wu(self) -> bool:
        """Whether strata have one draw less than units, and every draw more weight."""
        return self.draws == "rao-wu" and self.strata is not None

    def _drawn(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        judges = self._counts(rng, rows, m)
        return (judges * self.grouping(m).rao_wu if self.rao_wu else judges), _ones(n)

    def _counts(self, rng: np.random.Generator, rows: int, m: int) -> Floats:
        """Return how often each judge is drawn, (rows, m)."""
        return self.grouping(m).drawn(rows, partial(self._pot, rng))

    def _kept(self, size: int) -> float:
        return 1.0 if self.rao_wu else (size - 1) / size

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        return multiplicities(rng, rows, size, max(size - 1, 1) if self.rao_wu else size)


@dataclass(frozen=True, kw_only=True)
class Stratified(WithReplacement):
    """Draw with replacement inside every stratum.

    The strata are taken as given: the answer is about other instances of *these* domains, and not
    about other domains [1]_. Where the domains are a sample themselves, resample them:
    :class:`Clustered` with the domains as clusters.

    >>> Stratified(strata=("x", "x", "y", "y", "y"), replicates=2).draw(0, n=2, m=5).judges
    array([[2. , 0. , 1.5, 1.5, 0. ],
           [0. , 2. , 0. , 1.5, 1.5]])

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
class Clustered(WithReplacement):
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

    def _counts(self, rng: np.random.Generator, rows: int, m: int) -> Floats:
        judges = super()._counts(rng, rows, m)
        return self.grouping(m).drawn_within(rng, judges) if self.levels == 2 else judges


@dataclass(frozen=True, kw_only=True)
class Bayesian(OverUnits):
    """Weigh units by Dirichlet(1, ..., 1), inside strata where there are some.

    No judge is ever left out. Shares of replicates are posterior probabilities under a vague prior
    [1]_ and control no error. Among n units a mean has (n - 1)/(n + 1) of its variance: too little
    inside small strata.

    References
    ----------
    .. [1] Rubin (1981), "The Bayesian bootstrap", Annals of Statistics 9.
    """

    def _kept(self, size: int) -> float:
        return (size - 1) / (size + 1)

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        spacings = rng.standard_exponential((rows, size))
        return np.asarray(spacings * (size / spacings.sum(axis=1, keepdims=True)))


@dataclass(frozen=True, kw_only=True)
class Subsample(OverUnits):
    """Draw a share of the units without replacement, by default half of them.

    Halves spread as the whole does: the mean of m/2 out of m judges drawn without replacement has
    the variance that the mean of m judges has over competitions. Other shares spread otherwise.

    Inside strata, k units drawn out of s have weight s / k each: every stratum keeps its total, and
    so its say in the merits, also where s is odd or 1. Without strata those drawn have weight 1.
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
        drawn = keys <= last
        return drawn.astype(np.float32) if self.strata is None else drawn * (size / number)


@dataclass(frozen=True, kw_only=True)
class Jackknife:
    """Leave out one label at a time with all its judges: a judge, a cluster or a stratum each.

    Nothing is random here; there are as many replicates as there are labels. Inside strata the
    others of a stratum make up for the one that is left out, so that the stratum keeps its total;
    the only one of a stratum stays, and its replicate is the table itself.
    """

    labels: Labels
    strata: Labels | None = None

    def __post_init__(self) -> None:
        for name in ("labels", "strata"):
            given = getattr(self, name)
            object.__setattr__(self, name, None if given is None else tuple(map(str, given)))

    @property
    def clusters(self) -> Labels | None:
        """The labels where some are shared by several judges."""
        return self.labels if self.replicates < len(self.labels) else None

    @property
    def replicates(self) -> int:
        """How many labels there are."""
        return len(set(self.labels))

    @property
    def chosen(self) -> bool:
        """Whether that number was asked for: there are as many as there are labels."""
        return False

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        return True

    def variance_kept(self, m: int) -> float:  # noqa: ARG002
        """Return 1: its errors are those of the formula, and no spread of replicates."""
        return 1.0

    def grouping(self, m: int) -> Grouping:
        """Return what is left out together, and in which stratum it is."""
        return grouping(self.strata, self.labels, m)

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k."""
        rows = np.array(rows_of(self, k, n, m))
        candidates = np.broadcast_to(_ones(n), (len(rows), n))
        return Weights(self.grouping(m).left_out(rows), candidates)

    def whole_block(self, k: int, n: int, m: int) -> Weights:
        """Return the same: nobody can ask for fewer replicates than there are labels."""
        return self.draw(k, n, m)


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
