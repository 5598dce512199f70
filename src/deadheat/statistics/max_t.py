"""All pairs at once: the studentized bootstrap max-T test of Romano and Wolf, and sign flips."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.memory import how_long, require
from deadheat.core.types import Floats, Integers
from deadheat.ranking.block import WORKING_SET
from deadheat.resampling.draws import stream
from deadheat.resampling.engines import Engine, Progress, engine, with_progress
from deadheat.resampling.plans import Plan, block_size, blocks, rows_of, tiles
from deadheat.statistics import pair_tests as pair
from deadheat.statistics.pair_tests import PairTests, pair_tests
from deadheat.statistics.units import Units, every_pair, pair_skewness, parts

# Differences of pairs in many replicates, each with the standard error of its own replicate.

AT_ONCE = 250  # replicates


@dataclass(frozen=True, eq=False, kw_only=True)
class Worlds:
    r"""Hold what a difference and its error need, for some replicates of the units.

    With weights w of units, the difference of a pair less the observed one is
    :math:`\delta = \sum_c w_c D_c / S^*`, where D are the differences of residuals and
    :math:`S^* = \sum_c w_c s_c`. Its error is that of :meth:`Units.errors` with unit c there
    :math:`w_c` times. Multiplied out, only the sum of squares is computed pair by pair:

    .. math:: se^{*2} = \sum_c \frac{w_c f_h}{S^{*2}} D_c^2 + a \delta^2 - 2 \delta b
              - \sum_h y_h^2, \quad f_h = \frac{n_h}{n_h - 1}

    Units of one size need no b, one stratum needs no y.
    """

    shifts: Floats  # the parts of delta that are differences of two candidates, (n, B)
    own: Floats  # a, (B,)
    cross: Floats | None  # those of b, (n, B)
    within: Floats | None  # those of y, (strata, n, B)
    weights: Floats  # w f S^2 / S*^2, (B, u), float32


def worlds(
    units: Units, plan: Plan, k: int, *, n: int | None = None
) -> Iterator[tuple[Worlds, int, int]]:
    """Yield some replicates of block k, how many were asked for, and how many more are empty."""
    n = units.n if n is None else n
    numbers = units.n * (3 + int(units.stratum.max()))
    step = max(1, min(AT_ONCE, WORKING_SET // max(numbers, units.u)))
    drawn = units.multiplicities(plan.whole_block(k, n, units.m).judges)
    for rows, asked in tiles(len(rows_of(plan, k, n, units.m)), step):
        w = drawn[rows].astype(np.float64)
        there = w @ units.sizes > 0
        number = int(there[:asked].sum())
        yield worlds_of(units, w[there]), number, asked - number


def worlds_of(units: Units, w: Floats) -> Worlds:
    total = w @ units.sizes
    one_hot = np.eye(int(units.stratum.max()) + 1)[units.stratum]
    number = w @ one_hot  # (B, strata)
    more = number > 1 + 1e-9
    factor = np.where(more, number / np.where(more, number - 1, 1), 0.0)
    share = np.divide(factor, number, out=np.zeros_like(number), where=number > 0)

    def of_units(per_stratum: Floats) -> Floats:  # (B, strata) -> (B, u) or (B, 1)
        return per_stratum if units.strata is None else per_stratum[:, units.stratum]

    weights = w * of_units(factor * np.square(units.total / total)[:, None])
    own, cross, within = np.zeros(len(w)), None, None
    if (units.sizes != units.sizes[0]).any():
        mean_size = (w * units.sizes) @ one_hot / np.where(number > 0, number, 1)
        beyond = (units.sizes - of_units(mean_size)) / units.total
        own = (weights * np.square(beyond)).sum(axis=1)
        cross = units.residuals @ (weights * beyond).T / units.total
    if units.strata is None:
        own = own - share[:, 0]  # one stratum: y = delta * sqrt(f / n)
    else:
        sums = [units.residuals[:, h] @ w[:, h].T for h in one_hot.T > 0]
        within = np.stack(sums) * (np.sqrt(share) / total[:, None]).T[:, None, :]
    return Worlds(
        shifts=(units.residuals @ w.T) / total,
        own=own,
        cross=cross,
        within=within,
        weights=weights.astype(np.float32),
    )


def statistics(
    units: Units, some: Worlds, i: Integers, j: Integers, scale: Floats
) -> tuple[Floats, Floats]:
    """Return the shift of each difference times its scale, and the square of its error, (pairs, B).

    With one over the observed error as scale both are around 1: so float32 is enough.
    """
    each = scale[:, None]
    shift = some.shifts[i]
    shift -= some.shifts[j]
    shift *= each
    found = shift.astype(np.float32)
    squares = np.empty((len(i), units.u), dtype=np.float32)
    for p in parts(len(i), units.u):
        difference = units.residuals[i[p]]
        difference -= units.residuals[j[p]]
        np.multiply(difference, each[p] / units.total, out=squares[p], casting="same_kind")
    variance = np.square(squares, out=squares) @ some.weights.T
    variance += np.square(found) * some.own.astype(np.float32)
    if some.cross is not None:
        variance -= (2 * each * (some.cross[i] - some.cross[j]) * shift).astype(np.float32)
    for part in () if some.within is None else some.within:
        variance -= np.square(each * (part[i] - part[j])).astype(np.float32)
    return found, variance


FLOOR = 0.25  # with .5, 30 candidates of skewed scores on 20 judges err three times too often
ROUNDING = 1e-5  # a replicate in float32 that falls this little short of the observed reaches it
PAIRS = 32  # fewer in a matrix product would only wait for memory
STEPS_PER_SECOND = 5e10  # on one core
TOO_MUCH = int(60 * STEPS_PER_SECOND)


def max_t(
    units: Units,
    plan: Plan,
    *,
    alpha: float,
    floor: float = FLOOR,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> PairTests:
    r"""Test all pairs by the studentized bootstrap, with family-wise control, and who may be best.

    The statistic of a pair is :math:`T = |d| / se`, that of a replicate
    :math:`T^* = |d^* - d| / \max(se^*, \phi\, se)`. The pair with the r-th largest statistic has

    .. math:: p_{(r)} = \frac{1 + \#\{\max_{s \ge r} T^*_{(s)} \ge T_{(r)}\}}{B + 1},

    made monotone (Romano, Wolf 2005, Econometrica 73(4), algorithms 4.1 and 4.2). The probability
    of any false claim is then about alpha (``docs/validity.md``). Without the ``floor``
    :math:`\phi` scores of few values have no power; the larger it is, the more few judges err.

    ``best_p`` are comparisons with the best (Hsu 1984, Annals of Statistics 12(3)): the share of
    replicates that reach :math:`M_i = \max_{j \ne i} (\text{merit}_j - \text{merit}_i) / se_{ij}`.
    A given best has p above alpha with probability of about 1 - alpha.
    """
    i, j = every_pair(units.n)
    differences, errors = units.differences(i, j), units.errors(i, j)
    ratio = pair.ratios(differences, errors)
    observed = np.square(ratio)
    order = np.argsort(observed, kind="stable")
    behind, signed = np.full(units.n, -np.inf), np.sign(ratio) * observed
    np.maximum.at(behind, j, signed)  # how far the rival furthest ahead of each is ahead of it
    np.maximum.at(behind, i, -signed)
    work = partial(
        _block,
        units=units,
        plan=plan,
        pairs=(i[order], j[order], pair.inverse_errors(errors[order])),
        observed=observed[order] * (1 - ROUNDING),
        behind=behind - ROUNDING * np.abs(np.where(np.isfinite(behind), behind, 0.0)),
        floor=floor,
    )
    largest, counts, as_far = _sum_blocks(work, blocks(plan, units.n, units.m), on, progress)
    size, critical = plan.replicates, pair.critical_value(np.sqrt(largest), alpha)
    p = pair.step_down_p_values(order, counts, size)
    tests = pair_tests(units.n, p, differences, errors, critical, "max-t", alpha, size)
    return replace(tests, best_p=(as_far + 1) / (size + 1))


def _sum_blocks(
    work: Callable[[int], tuple[Any, ...]],
    numbers: range,
    on: str | Engine,
    progress: Progress | None,
) -> tuple[Any, ...]:
    largest, sums = [], None
    with engine(on) as running:
        for part, *counts in with_progress(running.map(work, numbers), len(numbers), progress):
            largest.append(part)
            sums = counts if sums is None else [a + b for a, b in zip(sums, counts, strict=True)]
    return np.concatenate(largest), *(sums or ())


def max_t_fixed(observed: Floats, merits: Floats, *, alpha: float) -> PairTests:
    """Test all pairs of a function that is not additive, from its merits in replicates (B, n).

    As :func:`max_t` with one error for all replicates. That holds for medians; for means of few
    judges and for duels it errs more often than alpha says.
    """
    size, n = merits.shape
    i, j = every_pair(n)
    columns = np.ascontiguousarray(merits.T, dtype=np.float64)
    noise = 1e-12 * np.maximum(np.abs(columns).max(axis=1), np.abs(observed))
    differences = np.asarray(observed[i] - observed[j], dtype=np.float64)
    differences[np.abs(differences) <= noise[i] + noise[j]] = 0.0
    errors = np.zeros(len(i))
    for some in parts(len(i), size):
        errors[some] = (columns[i[some]] - columns[j[some]]).std(axis=1, ddof=min(1, size - 1))
    errors[errors <= noise[i] + noise[j]] = 0.0
    statistic = np.abs(pair.ratios(differences, errors))
    order = np.argsort(statistic, kind="stable")
    shifts = columns - observed[:, None]
    a, b, scale = i[order], j[order], pair.inverse_errors(errors[order])[:, None]
    replicated = (np.abs((shifts[a[p]] - shifts[b[p]]) * scale[p]) for p in parts(len(i), size))
    largest, counts = pair.maxima_and_counts(replicated, statistic[order] * (1 - 1e-9), size)
    p, critical = pair.step_down_p_values(order, counts, size), pair.critical_value(largest, alpha)
    method = "max-t with fixed errors"
    return pair_tests(n, p, differences, errors, critical, method, alpha, size)


def cost_in_words(steps: int) -> str:
    return how_long(steps / STEPS_PER_SECOND)


def _block(
    k: int,
    *,
    units: Units,
    plan: Plan,
    pairs: tuple[Integers, Integers, Floats],
    observed: Floats,
    behind: Floats,
    floor: float,
) -> tuple[Floats, Integers, Integers]:
    """Return the squared maxima of a block, counts of the pairs, and of who is as far behind."""
    counts, largest = np.zeros(len(observed), dtype=np.int64), []
    as_far = np.zeros(units.n, dtype=np.int64)
    for some, asked, nobody in worlds(units, plan, k):
        counts += nobody  # nobody is left: counts against
        as_far += nobody
        ahead = np.full((units.n, len(some.weights)), -np.inf, dtype=np.float32)
        parts_of = _squared_statistics(units, some, pairs, floor, ahead)
        replicated = (part[:, :asked] for part in parts_of)
        maximum, count = pair.maxima_and_counts(replicated, observed, asked)
        counts += count
        largest += [maximum, np.full(nobody, np.inf)]
        as_far += np.count_nonzero(ahead[:, :asked] >= behind[:, None], axis=1)
    return np.concatenate(largest), counts, as_far


def _squared_statistics(
    units: Units,
    some: Worlds,
    pairs: tuple[Integers, Integers, Floats],
    floor: float,
    ahead: Floats,
) -> Iterator[Floats]:
    """Yield squared statistics of some pairs; ``ahead`` (n, B) rises to those of the rivals."""
    i, j, scale = pairs
    of_each = list(ahead)  # rows that need no looking up
    for p in parts(len(i), max(units.u, len(some.weights)), least=PAIRS):
        shift, variance = statistics(units, some, i[p], j[p], scale[p])
        np.maximum(variance, floor**2, out=variance)
        squares = np.square(shift)
        np.divide(squares, variance, out=squares)
        np.copysign(squares, shift, out=shift)
        for others in (j, i):
            for row, worse in zip(shift, others[p].tolist(), strict=True):
                np.maximum(of_each[worse], row, out=of_each[worse])
            np.negative(shift, out=shift)
        yield squares


# If two candidates are equal, the sign of each difference is a coin.

FLIP_ROUNDING = 1e-9
MOST_SKEWED = 0.1


@dataclass(frozen=True, kw_only=True)
class Signs:
    """Draw signs of units, block by block; all there are, but for mirror images, if not more."""

    n: int
    u: int
    asked: int
    seed: int

    @property
    def exact(self) -> bool:
        return self.u < 64 and 2 ** (self.u - 1) <= self.asked

    @property
    def replicates(self) -> int:
        return 2 ** (self.u - 1) if self.exact else self.asked

    @property
    def size(self) -> int:
        return block_size(self.n, self.u)

    @property
    def blocks(self) -> range:
        return range(-(-self.replicates // self.size))

    def draw(self, k: int) -> tuple[Floats, int]:
        """Return the signs of a whole block (B, u), 1 or -1, and how many were asked for."""
        rows = range(k * self.size, min((k + 1) * self.size, self.replicates))
        if self.exact:
            bits = np.array(rows)[:, None] >> np.arange(self.u - 1, -1, -1) & 1
            return 1.0 - 2.0 * bits, len(rows)
        shape = (self.size, -(-self.u // 8))
        bytes_ = stream(self.seed, k).integers(0, 256, size=shape, dtype=np.uint8)
        return 1.0 - 2.0 * np.unpackbits(bytes_, axis=1, count=self.u), len(rows)

    def sums(self, values: Floats, k: int) -> Floats:
        signs, number = self.draw(k)
        sums = [values @ signs[rows].T for rows, _ in tiles(number)]
        return np.concatenate(sums, axis=1)[:, :number]


def sign_flip(
    units: Units,
    *,
    alpha: float,
    replicates: int = 10_000,
    seed: int = 0,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> PairTests:
    r"""Test all pairs by flipping the signs of units, with family-wise control.

    One coin per unit, shared by all pairs, gives replicates of the studentized differences

    .. math:: T^2 = (u - 1) \frac{r^2}{u - r^2}, \quad r^2 = \frac{(\sum_c d_c)^2}{\sum_c d_c^2},

    and the step-down of :func:`max_t` follows. The sum of squares never changes, so T grows with
    r, and r alone is compared. The p-values are exact where all :math:`2^{u-1}` signs are seen.
    """
    signs = Signs(n=units.n, u=units.u, asked=replicates, seed=seed)
    i, j = every_pair(units.n)
    differences, lengths = units.differences(i, j), units.lengths(units.values, 1.0, i, j)
    scale = pair.inverse_errors(lengths)
    observed = np.square(differences * units.total * scale)
    order = np.argsort(observed, kind="stable")
    work = partial(
        _flip_block,
        units=units,
        signs=signs,
        pairs=(i[order], j[order], scale[order]),
        observed=observed[order] * (1 - FLIP_ROUNDING),
    )
    largest, counts = _sum_blocks(work, signs.blocks, on, progress)
    p = pair.step_down_p_values(order, counts, signs.replicates, exact=signs.exact)
    # The errors are those by which the differences were studentized; the critical value is T of r.
    u, r = units.u, pair.critical_value(largest, alpha, exact=signs.exact)
    spread = np.square(lengths) * np.maximum(1 - observed / u, 0)
    spread[observed >= u * (1 - FLIP_ROUNDING)] = 0.0
    errors = np.sqrt(spread * (u / (u - 1))) / units.total
    critical = float(np.sqrt((u - 1) * r / (u - r))) if u - r > FLIP_ROUNDING * u else np.inf
    number = signs.replicates
    return pair_tests(units.n, p, differences, errors, critical, "sign-flip", alpha, number)


def _flip_block(
    k: int,
    *,
    units: Units,
    signs: Signs,
    pairs: tuple[Integers, Integers, Floats],
    observed: Floats,
) -> tuple[Floats, Integers]:
    sums = signs.sums(units.values, k)
    (i, j, scale), size = pairs, sums.shape[1]
    some = (np.square((sums[i[p]] - sums[j[p]]) * scale[p, None]) for p in parts(len(i), size))
    return pair.maxima_and_counts(some, observed, size)


@dataclass(frozen=True, eq=False, kw_only=True)
class Flips:
    """Hold the sums of all candidates under flipped signs, to test any leader against others."""

    units: Units
    sums: Floats  # (n, B)
    exact: bool

    @property
    def draws(self) -> int | None:
        """How many signs were drawn; None where all there are were seen."""
        return None if self.exact else self.sums.shape[1]

    def p_beats(self, leader: int, others: Integers) -> Floats:
        r"""Return one-sided p-values of "the leader is better than each of the others".

        .. math:: p = \frac{1 + \#\{b : \sum_c \epsilon_{bc} d_c \ge \sum_c d_c\}}{1 + k}

        with the signs :math:`\epsilon` of units and their differences d; exactly the share of all
        :math:`2^u` signs where these are few. A leader that is not ahead has a p of a half or more.
        """
        mine, u = np.full(len(others), leader), self.units
        leads = u.differences(mine, others) * u.total
        leads -= FLIP_ROUNDING * u.lengths(u.values, 1.0, mine, others)
        pairs = zip(others.tolist(), leads.tolist(), strict=True)
        counts = np.array([self._as_far(self.sums[leader] - self.sums[i], d) for i, d in pairs])
        size = self.sums.shape[1]
        return np.asarray(counts / (2 * size) if self.exact else (counts + 1) / (size + 1))

    def _as_far(self, differences: Floats, lead: float) -> int:
        mirrored = np.count_nonzero(-differences >= lead) if self.exact else 0
        return int(np.count_nonzero(differences >= lead) + mirrored)


def flips(
    units: Units, *, replicates: int, seed: int, on: str | Engine, progress: Progress | None
) -> Flips:
    signs = Signs(n=units.n, u=units.u, asked=replicates, seed=seed)
    size = 8 * units.n * signs.replicates
    require(size, f"testing {units.n:,} candidates by {signs.replicates:,} sign-flips")
    with engine(on) as running:
        work = running.map(partial(signs.sums, units.values), signs.blocks)
        sums = np.concatenate([*with_progress(work, len(signs.blocks), progress)], axis=1)
    return Flips(units=units, sums=sums, exact=signs.exact)


def sign_flip_warnings(
    units: Units, *, alpha: float, instead: str = "; the max-T test does not", sides: int = 2
) -> Iterator[str]:
    """Say where sign-flips cannot reject anything, or reject too much.

    Under skewed differences they err more often than alpha = .05 says: in .061 of tables at .06,
    .070 at .10, .087 at .20, .116 at .32, where these are the skewness over the square root of u.
    """
    smallest = sides * 2.0**-units.u
    if smallest > alpha:
        yield (
            f"sign-flips of {units.u} units have no p-value below {smallest:g}, "
            f"so they separate nobody at alpha = {alpha:g}"
        )
    each = (np.abs(some).max(initial=0.0) for *_, some in pair_skewness(units, units.values))
    skewness = max(each, default=0.0) / np.sqrt(units.u)
    if skewness > MOST_SKEWED:
        yield (
            f"a paired difference is skewed (skewness / sqrt(units) = {skewness:.2f}, "
            f"more than {MOST_SKEWED:g}), so sign-flips err more often than alpha says{instead}"
        )
