"""How to resample: to resample is to draw weights, and block k depends on (seed, k) alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

import numpy as np

from deadheat.core.errors import (
    UnknownNameError,
    UsageError,
    Words,
    ask,
    command_with,
    counted,
    listed,
    say,
)
from deadheat.core.options import PLANS
from deadheat.core.types import Floats, Integers, require_seed, require_whole
from deadheat.core.weights import CAUTION
from deadheat.data.results import PLAIN, Nouns, Results
from deadheat.resampling.draws import SHORT_BY, Grouping, Labels, grouping, multiplicities, stream

# What a plan is: whatever draws weights, one block of replicates after the other.

PlanKind = Literal["bootstrap", "bayesian", "subsample", "jackknife"]
LARGEST_BLOCK = 1_000
NUMBERS_IN_A_BLOCK = 4_000_000
TILE = 200  # replicates that are computed together
SMALL_TILE = 20  # the same where each takes milliseconds


class Weights(NamedTuple):
    judges: Floats
    candidates: Floats

    def rows(self, chosen: slice) -> Weights:
        return Weights(self.judges[chosen], self.candidates[chosen])


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Draw weights of units, clusters or else judges, and answer what others ask about it."""

    kind: ClassVar[PlanKind]
    random: ClassVar[bool] = True  # whether chance draws the replicates; then they spread as
    # competitions of this size would
    with_replacement: ClassVar[bool] = False  # only then the error of tests is known
    replicates: int = 10_000
    seed: int | None = 0
    strata: Labels | None = None
    clusters: Labels | None = None

    def __post_init__(self) -> None:
        hint = f"as usual: {command_with(replicates=10_000)}"
        require_whole("replicates", self.replicates, 1, hint=hint)
        if self.random:
            require_seed(self.seed)
        for name in ("strata", "clusters"):
            labels = getattr(self, name)
            object.__setattr__(self, name, None if labels is None else tuple(map(str, labels)))

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        return True

    @property
    def by_units(self) -> bool:
        """Whether a replicate draws whole judges or clusters again, and nothing else."""
        return self.with_replacement and self.one_field

    @property
    def rao_wu(self) -> bool:
        return False

    @property
    def unit(self) -> Literal["judge", "cluster"]:
        return "judge" if self.clusters is None else "cluster"

    def grouping(self, m: int) -> Grouping:
        return grouping(self.strata, self.clusters, m)

    def present(self, weights: Floats) -> tuple[int, int]:
        """Return how many units have judges of weight (m,), and in how many strata."""
        known = self.grouping(len(weights))
        there = np.unique(known.of_judge[weights != 0])
        return len(there), len(np.unique(known.stratum[there]))

    def effective(self, weights: Floats) -> float:
        """Return how many units of equal weight judges of some weights (m,) are worth."""
        of_units = np.bincount(self.grouping(len(weights)).of_judge, weights=weights)
        return float(of_units.sum() ** 2 / (of_units**2).sum())

    def variance_kept(self, m: int) -> float:
        """Return what replicates have of the variance of a mean, where a stratum has 2 or more."""
        sizes = np.bincount(self.grouping(m).stratum)
        several = sizes[sizes > 1]
        kept = sum(size * self._variance_share(size) for size in several.tolist())
        return kept / int(several.sum()) if len(several) else 1.0

    def _variance_share(self, size: int) -> float:  # noqa: ARG002
        """Return the share of the variance in one pot; half of its units spread as all do."""
        return 1.0

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k; where it is the last one, the beginning of a full one."""
        return self.whole_block(k, n, m).rows(slice(len(rows_of(self, k, n, m))))

    def whole_block(self, k: int, n: int, m: int) -> Weights:
        """Return the same as if all its replicates were wanted: see :func:`tiles`."""
        rows = block_size(n, m)
        judges, candidates = self._draw(stream(self.seed or 0, k), rows, n, m)
        return Weights(np.broadcast_to(judges, (rows, m)), np.broadcast_to(candidates, (rows, n)))

    def _draw(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        return self.grouping(m).draw_weights(rows, partial(self._pot, rng)), _ones(n)

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        raise NotImplementedError

    def with_replicates(self, number: int) -> Self:
        """Return the same random plan with more or fewer replicates; the first stay the same."""
        return replace(self, replicates=number)

    def leaves_out(self, weights: Floats) -> Integers | None:  # noqa: ARG002
        """Return the replicates that leave out a unit of weight; None where units are drawn."""
        return None

    def left_out_strata(self, m: int) -> Integers | None:  # noqa: ARG002
        """Return the stratum of what each replicate leaves out; None without, or if drawn."""
        return None

    def bootstrap(self) -> Bootstrap:
        """Return the plan that draws as many of the same units with replacement, maybe this one.

        Studentized tests and intervals are about such draws: they divide every replicate by its own
        error, which with the weights of Rao and Wu a stratum of two would not have.
        """
        random: dict[str, Any] = {"replicates": self.replicates, "seed": self.seed}
        labels: dict[str, Any] = {"strata": self.strata, "clusters": self.clusters}
        return Bootstrap(**labels, draws="paper", **random if self.random else {})

    def in_words(self, m: int, nouns: Nouns = PLAIN) -> str:
        """Return what is drawn, and where: "240 judges, drawn with replacement in 12 strata"."""
        what = nouns.judges(m)
        if self.clusters is not None:
            what = f"{counted(len(set(self.clusters)), nouns.cluster)} of {what}"
        how, more = self._how
        return f"{what}, {how}{self._where}{more}"

    @property
    def _where(self) -> str:
        return f" in {counted(len(set(self.strata)), 'stratum', 'strata')}" if self.strata else ""

    @property
    def _how(self) -> tuple[str, str]:
        """How units are drawn, and what follows after the strata, in words."""
        raise NotImplementedError


def block_size(n: int, m: int) -> int:
    """Return how many replicates one block has: a function of the request and of nothing else."""
    return max(1, min(LARGEST_BLOCK, NUMBERS_IN_A_BLOCK // max(n, m)))


def blocks(plan: Plan, n: int, m: int) -> range:
    return range(-(-plan.replicates // block_size(n, m)))


def rows_of(plan: Plan, k: int, n: int, m: int) -> range:
    size = block_size(n, m)
    return range(k * size, min((k + 1) * size, plan.replicates))


def tiles(number: int, size: int = TILE) -> Iterator[tuple[slice, int]]:
    """Yield the tiles in which the first replicates of a block are computed.

    A matrix product gives other last bits for other shapes. So a replicate is always computed among
    the same others: all tiles are full, and the number beside each says how many are wanted.
    """
    for start in range(0, number, size):
        yield slice(start, start + size), min(size, number - start)


Axis = Literal["judges", "candidates", "both"]
Draws = Literal["rao-wu", "paper"]


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Plan):
    """Draw judges, candidates or both with replacement, as many as there are.

    n out of n draws spread less than n judges do, by :math:`(n - 1)/n` in variance. In twelve
    strata of two that halves every variance, and 95 % intervals cover 80 %. So inside strata
    ``draws="rao-wu"`` draws :math:`n_h - 1` of the :math:`n_h` units of each, with weight
    :math:`n_h/(n_h - 1)` (Rao, Wu 1988, JASA 83(401)): the variance of a mean is then the unbiased
    one of stratified sampling. The only unit of a stratum keeps weight 1. ``draws="paper"`` draws
    :math:`n_h` (Fawcett, Vallati, Hoos, Gerevini 2023, sec. 3). Strata are taken as given; domains
    that are a sample themselves are clusters.

    Runs of one instance with several seeds, drawn one by one, make intervals far too narrow (30
    instances x 5 seeds: 95 % intervals that hold 62 %); clusters keep them together. ``levels=2``
    then draws judges inside every drawn cluster, which for means adds the noise within clusters
    once more.
    """

    kind = "bootstrap"
    with_replacement = True
    seed: int = 0
    over: Axis = "judges"
    draws: Draws = "rao-wu"
    levels: Literal[1, 2] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.over not in get_args(Axis):
            raise UnknownNameError("axis to resample", str(self.over), get_args(Axis))

    @property
    def one_field(self) -> bool:
        return self.over == "judges"

    @property
    def by_units(self) -> bool:
        return super().by_units and self.levels == 1

    @property
    def rao_wu(self) -> bool:
        return self.draws == "rao-wu" and self.strata is not None

    def bootstrap(self) -> Bootstrap:
        return replace(self, draws="paper") if self.rao_wu else self

    @property
    def _how(self) -> tuple[str, str]:
        inside = ", and judges inside each" if self.levels == 2 else ""
        return "drawn with replacement", f"{inside}{' (Rao-Wu weights)' if self.rao_wu else ''}"

    def _draw(self, rng: np.random.Generator, rows: int, n: int, m: int) -> tuple[Floats, Floats]:
        judges, units = _ones(m), self.grouping(m)
        if self.over != "candidates":
            judges = units.draw_weights(rows, partial(self._pot, rng))
            judges = units.draw_within(rng, judges) if self.levels == 2 else judges
        candidates = multiplicities(rng, rows, n) if self.over != "judges" else _ones(n)
        return (judges * units.rao_wu if self.rao_wu else judges), candidates

    def _variance_share(self, size: int) -> float:
        return 1.0 if self.rao_wu else (size - 1) / size

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        return multiplicities(rng, rows, size, max(size - 1, 1) if self.rao_wu else size)


@dataclass(frozen=True, kw_only=True)
class Bayesian(Plan):
    """Weigh units by Dirichlet(1, ..., 1), inside strata where there are some.

    Shares of replicates are posterior probabilities under a vague prior (Rubin 1981) and control no
    error. Among n units a mean has (n - 1)/(n + 1) of its variance.
    """

    kind = "bayesian"

    @property
    def _how(self) -> tuple[str, str]:
        return "weighted at random", " (Bayesian bootstrap)"

    def _variance_share(self, size: int) -> float:
        return (size - 1) / (size + 1)

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        return scaled(rng.standard_exponential((rows, size)), size)


@dataclass(frozen=True, kw_only=True)
class Subsample(Plan):
    """Draw half of the units without replacement.

    Halves spread as the whole does: the mean of m/2 out of m judges drawn without replacement has
    the variance that the mean of m judges has over competitions. Every stratum keeps its total.
    """

    kind = "subsample"

    @property
    def _how(self) -> tuple[str, str]:
        return "drawn without replacement", ", half of them"

    def _pot(self, rng: np.random.Generator, rows: int, size: int) -> Floats:
        number = max(1, round(size / 2))
        keys = rng.random((rows, size))
        last = np.partition(keys, number - 1, axis=1)[:, number - 1, None]
        drawn = keys <= last
        return drawn.astype(np.float32) if self.strata is None else drawn * (size / number)


@dataclass(frozen=True, kw_only=True)
class Jackknife(Plan):
    """Leave out one label at a time with all its judges: a judge, a cluster or a stratum each.

    The others of a stratum make up for it; where there are none the replicate is the table itself.
    """

    kind = "jackknife"
    random = False
    labels: Labels
    replicates: int = field(init=False)
    seed: int | None = field(init=False, default=None)
    clusters: Labels | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        labels = tuple(map(str, self.labels))
        number = len(set(labels))
        shared = labels if number < len(labels) else None
        for name, value in (("labels", labels), ("replicates", number), ("clusters", shared)):
            object.__setattr__(self, name, value)
        super().__post_init__()

    def in_words(self, m: int, nouns: Nouns = PLAIN) -> str:
        unit = nouns.unit(self.unit)
        return f"{nouns.judges(m)}{self._where}, one {unit} left out at a time"

    def leaves_out(self, weights: Floats) -> Integers:
        of_judge = self.grouping(len(weights)).of_judge
        return np.flatnonzero(np.bincount(of_judge, weights=weights) > 0)

    def left_out_strata(self, m: int) -> Integers | None:
        return None if self.strata is None else self.grouping(m).stratum

    def whole_block(self, k: int, n: int, m: int) -> Weights:
        rows = np.array(rows_of(self, k, n, m))
        candidates = np.broadcast_to(_ones(n), (len(rows), n))
        return Weights(self.grouping(m).left_out(rows), candidates)


def _ones(size: int) -> Floats:
    return np.ones((1, size), dtype=np.float32)


# Replicates of a battle log: how much every cell weighs, block by block.

BattlePlan = Literal["bayesian", "bootstrap"]
BATTLE_PLANS: tuple[BattlePlan, ...] = get_args(BattlePlan)


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleBootstrap:
    r"""Weigh battles, or whole clusters of them, at random; or draw them with replacement.

    With :math:`b_c` of N battles in cell c, the Bayesian bootstrap (Rubin 1981) gives it the weight
    :math:`N g_c / \sum_d g_d`, :math:`g_c \sim \Gamma(b_c)`. It leaves out no battle, so that a
    replicate connects whom the log does.
    """

    battles: Integers  # how many each cell (C,) holds
    weights: Floats  # the sum of their weights
    clusters: Integers | None = None  # the voter, prompt or session of each cell, drawn whole
    plan: BattlePlan = "bayesian"
    replicates: int = 1_000
    seed: int = 0
    width: int | None = None  # numbers of a replicate, by which blocks are made; or one per cell

    @property
    def units(self) -> int:
        return int(self.battles.sum() if self.clusters is None else self.clusters.max() + 1)

    @property
    def block_size(self) -> int:
        return block_size(1, len(self.battles) if self.width is None else self.width)

    @property
    def blocks(self) -> range:
        return range(-(-self.replicates // self.block_size))

    def in_tiles(self, k: int, size: int = TILE) -> Iterator[tuple[Floats, int]]:
        """Yield the weights of cells (B, C) in block k in tiles, and how many of each count."""
        if self.clusters is not None:
            for times, count in self.times_in_tiles(k, size):
                yield np.asarray(times[:, self.clusters] * self.weights), count
            return
        rng, each = stream(self.seed, k), np.divide(self.weights, self.battles)
        for rows, count in tiles(self._rows(k), size):
            number = min(rows.stop, self.block_size) - rows.start
            if self.plan == "bayesian":
                gammas = rng.standard_gamma(self.battles, size=(number, len(self.battles)))
                counts = scaled(gammas, float(self.battles.sum()))
            else:
                counts = np.array([draw_cells(rng, self.battles) for _ in range(number)], float)
            yield counts * each, count

    def times_in_tiles(self, k: int, size: int = TILE) -> Iterator[tuple[Floats, int]]:
        """Yield how often clusters are drawn (B, units) in tiles, and how many of each count."""
        rng, shape = stream(self.seed, k), (self.block_size, self.units)
        if self.plan == "bayesian":
            times = scaled(rng.standard_exponential(shape), self.units)
        else:
            times = multiplicities(rng, *shape)
        for rows, count in tiles(self._rows(k), size):
            yield times[rows], count

    def _rows(self, k: int) -> int:
        return min(self.block_size, self.replicates - k * self.block_size)


def scaled(numbers: Floats, total: float) -> Floats:
    return np.asarray(numbers * (total / numbers.sum(axis=-1, keepdims=True)))


def draw_cells(rng: np.random.Generator, battles: Integers) -> Integers:
    """Return how many of all battles drawn fall into each cell (C,), as ``draws`` does it."""
    total, missing = int(battles.sum()), -1
    short = 1 - SHORT_BY / np.sqrt(total)
    if short > 0:
        found: Integers = rng.poisson(battles * short)
        missing = total - int(found.sum())
    if missing < 0:  # a fresh draw, whatever the sum was, is multinomial too
        return rng.multinomial(total, battles / total)
    drawn = rng.integers(0, total, size=missing)
    np.add.at(found, np.searchsorted(np.cumsum(battles), drawn, side="right"), 1)
    return found


# Which plan fits a table: the one that was named, or the one that its strata and clusters ask.

FEW_CLUSTERS = 10
ENOUGH_VARIANCE = 0.9
A_LOT = 0.05  # of all units: so many in strata of one make intervals clearly too narrow


def plan_for(
    results: Results,
    name: str | Plan | None = None,
    *,
    replicates: int | None = None,
    seed: int = 0,
    whole: bool = False,
) -> Plan:
    """Return the plan of this name for a table, or without a name the one that fits it.

    Functions of plain tables need ``whole`` weights: as many are drawn in strata as there are.
    """
    if isinstance(name, Plan):
        return name
    strata, clusters = results.strata, results.clusters
    usual = "clustered" if clusters else "stratified" if strata else "bootstrap"
    kind = str(name or usual).replace("_", "-")
    if kind not in PLANS:
        raise UnknownNameError("resampling plan", str(name), PLANS)
    random = _random(replicates, seed)
    labels = random | {"strata": strata, "clusters": clusters}
    if kind == "jackknife":
        return Jackknife(labels=tuple(clusters or results.judges), strata=labels["strata"])
    if kind == "bootstrap":
        return Bootstrap(**random)
    if kind in ("bayesian", "subsample"):
        return (Bayesian if kind == "bayesian" else Subsample)(**labels)
    missing = "strata" if kind == "stratified" else "clusters"
    if labels[missing] is None:
        raise UsageError(
            f"a {kind} plan needs {missing}, and the table has none.",
            hint=f"to draw the {results.nouns.judges()} one by one: {command_with(plan=None)}\n"
            f"which columns could name the {missing}: {ask('check', 'FILE')}",
        )
    levels: Literal[1, 2] = 2 if kind == "two-level" else 1
    return Bootstrap(**labels, draws="paper" if whole else "rao-wu", levels=levels)


def plan_over_runs(results: Results, *, replicates: int | None = None, seed: int = 0) -> Plan:
    """Return the plan of Fawcett et al. (2023): runs one by one in strata, clusters ignored."""
    return Bootstrap(draws="paper", **_random(replicates, seed) | {"strata": results.strata})


def _random(replicates: int | None, seed: int) -> dict[str, Any]:
    return {"seed": seed} if replicates is None else {"replicates": replicates, "seed": seed}


def plan_warnings(results: Results, plan: Plan) -> Iterator[str]:
    """Warn of what the plan cannot see: strata of one judge, few clusters, ignored clusters."""
    strata, clusters = plan.strata, plan.clusters
    one_by_one = plan.with_replacement and clusters is None
    if strata is not None:
        yield from _about_strata(results, plan, strata)
    elif results.strata is not None and one_by_one:
        yield (
            f"the {len(set(results.strata)):,} strata are not kept: {results.nouns.judges()} are "
            "drawn from all of them at once."
        )
    if clusters is not None and (number := len(set(clusters))) < FEW_CLUSTERS:
        yield (
            f"only {counted(number, results.nouns.cluster)} to draw from: with fewer than "
            f"{FEW_CLUSTERS} intervals are too narrow and p-values too small."
        )
    if results.clusters is not None and one_by_one:
        yield _with(
            f"{results.nouns.judges()} of one {results.nouns.cluster} are drawn one by one, as if "
            "they were independent: intervals may be far too narrow; ",
            (say("plan", "clustered"), "the plan clustered"),
            " keeps them together.",
        )


def _about_strata(results: Results, plan: Plan, strata: Labels) -> Iterator[str]:
    units = set(zip(strata, plan.clusters or map(str, range(len(strata))), strict=True))
    sizes = Counter(label for label, _ in units)
    kind = results.nouns.unit(plan.unit)
    single = [name for name in dict.fromkeys(strata) if sizes[name] == 1]
    if len(single) >= max(1, A_LOT * len(units)):
        yield _with(
            f"{counted(len(single), 'stratum', 'strata')} of one {kind} "
            f"({listed(single, most=5)}): nothing can be drawn otherwise there, so intervals are "
            "too narrow; merge such strata, or leave out ",
            (say("stratum"), "the strata"),
            ".",
            weight=CAUTION,
        )
    kept = plan.variance_kept(len(strata))
    if kept < ENOUGH_VARIANCE:
        yield _with(
            f"small strata: this way to draw keeps {kept:.0%} of the variance inside them, so "
            "intervals are too narrow; the Rao-Wu weights of ",
            (say("plan", "stratified"), "the plan stratified"),
            " keep all of it.",
        )
    heavy = {label for label, weight in zip(strata, results.weights, strict=True) if weight > 0}
    light = sorted({*strata} - heavy)
    if light:
        yield (
            f"{counted(len(light), 'stratum', 'strata')} without any weight "
            f"({listed(light, most=5)}): the {results.nouns.judges()} in it do not count."
        )


def _with(before: str, said: tuple[str, str], after: str, *, weight: float = 0.6) -> Words:
    """Return a sentence about an option, as it is typed and as a page says it."""
    option, on_page = said
    return Words(f"{before}{option}{after}", page=f"{before}{on_page}{after}", weight=weight)
