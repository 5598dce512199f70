"""All pairs at once: if two candidates are equal, the sign of each difference is a coin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.resampling.draws import stream
from deadheat.resampling.plans import block_size, require_replicates, tiles
from deadheat.resampling.replicate import Engine, Progress, engine, watched
from deadheat.statistics.corrections import require_alpha
from deadheat.statistics.pair_tests import (
    PairTests,
    critical_value,
    inverted,
    pair_tests,
    reached,
    stepped_down,
)
from deadheat.statistics.units import Units, every_pair, pair_skewness, parts

ROUNDING = 1e-9
MOST_SKEWED = 0.1


@dataclass(frozen=True, kw_only=True)
class Signs:
    """Draw signs of units, block by block; all there are where these are no more than asked for.

    Block k depends on (seed, k) alone. Two-sided tests see the same in a world and its mirror
    image, so the first unit keeps its sign where all are enumerated.
    """

    n: int
    u: int
    asked: int
    seed: int

    def __post_init__(self) -> None:
        require_replicates(self.asked)

    @property
    def free(self) -> int:
        return self.u - 1

    @property
    def exact(self) -> bool:
        return self.free < 63 and 2**self.free <= self.asked

    @property
    def replicates(self) -> int:
        return 2**self.free if self.exact else self.asked

    @property
    def blocks(self) -> range:
        return range(-(-self.replicates // block_size(self.n, self.u)))

    def draw(self, k: int) -> Floats:
        """Return the signs of block k, (B, u), 1 or -1."""
        return self._whole(k)[: len(self._rows(k))]

    def sums(self, values: Floats, k: int) -> Floats:
        """Return the sums of values (n, u) under the signs of block k, (n, B)."""
        signs, number = self._whole(k), len(self._rows(k))
        sums = [values @ signs[rows].T for rows, _ in tiles(number)]
        return np.concatenate(sums, axis=1)[:, :number]

    def _rows(self, k: int) -> range:
        size = block_size(self.n, self.u)
        return range(k * size, min((k + 1) * size, self.replicates))

    def _whole(self, k: int) -> Floats:
        """Return the signs of block k as if all its replicates were asked for."""
        if self.exact:
            places = np.arange(self.u - 1, -1, -1)
            return 1.0 - 2.0 * (np.array(self._rows(k))[:, None] >> places & 1)
        shape = (block_size(self.n, self.u), -(-self.u // 8))
        bytes_ = stream(self.seed, k).integers(0, 256, size=shape, dtype=np.uint8)
        return 1.0 - 2.0 * np.unpackbits(bytes_, axis=1, count=self.u)


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

    Where i and j are equal and the difference of a unit is symmetric about 0, its sign is a coin.
    One coin per unit, shared by all pairs, gives replicates of the studentized differences

    .. math:: T^2 = (u - 1) \frac{r^2}{u - r^2}, \quad r^2 = \frac{(\sum_c d_c)^2}{\sum_c d_c^2},

    and the step-down of :func:`~deadheat.statistics.max_t.max_t` follows. The sum of squares never
    changes, so T grows with r, and r alone is compared. All :math:`2^{u-1}` sign vectors are seen
    where there are no more than ``replicates``; the p-values are then shares of them. Strata play
    no part. Exact for symmetric differences; :func:`sign_flip_warnings` says where they are too
    skewed.
    """
    require_alpha(alpha)
    signs = Signs(n=units.n, u=units.u, asked=replicates, seed=seed)
    i, j = every_pair(units.n)
    differences, lengths = units.differences(i, j), units.lengths(units.values, 1.0, i, j)
    scale = inverted(lengths)
    observed = np.square(differences * units.total * scale)
    order = np.argsort(observed, kind="stable")
    work = partial(
        _block,
        units=units,
        signs=signs,
        pairs=(i[order], j[order], scale[order]),
        observed=observed[order] * (1 - ROUNDING),
    )
    counts, largest = np.zeros(len(i), dtype=np.int64), []
    with engine(on) as running:
        for count, part in watched(running.map(work, signs.blocks), len(signs.blocks), progress):
            counts += count
            largest.append(part)
    r = critical_value(np.concatenate(largest), alpha, exact=signs.exact)
    left = units.u - r
    # The errors are those by which the differences were studentized; the critical value is T of r.
    spread = np.square(lengths) * np.maximum(1 - observed / units.u, 0)
    spread[observed >= units.u * (1 - ROUNDING)] = 0.0
    return pair_tests(
        units.n,
        stepped_down(order, counts, signs.replicates, exact=signs.exact),
        differences=differences,
        errors=np.sqrt(spread * (units.u / (units.u - 1))) / units.total,
        critical=float(np.sqrt((units.u - 1) * r / left)) if left > ROUNDING * units.u else np.inf,
        method="sign-flip",
        alpha=alpha,
        replicates=signs.replicates,
    )


def sign_flip_warnings(units: Units, *, alpha: float) -> tuple[str, ...]:
    """Say where sign-flips cannot reject anything, or reject too much.

    The test of u units has no p-value below 2^(1 - u). Under skewed differences it errs more often
    than alpha says: .061 at .06, .070 at .10, .087 at .20, .116 at .32, where these are the
    skewness over the square root of u and alpha is .05 (10 candidates).
    """
    found = []
    smallest = 2.0 ** (1 - units.u)
    if smallest > alpha:
        found.append(
            f"sign-flips of {units.u} units have no p-value below {smallest:g}, "
            f"so nobody can be told apart at alpha = {alpha:g}"
        )
    each = (np.abs(some).max(initial=0.0) for *_, some in pair_skewness(units, units.values))
    skewness = max(each, default=0.0) / np.sqrt(units.u)
    if skewness > MOST_SKEWED:
        found.append(
            f"a paired difference is skewed (skewness / sqrt(units) = {skewness:.2f}, "
            f"more than {MOST_SKEWED:g}), so sign-flips err more often than alpha says; "
            "the max-T test does not"
        )
    return tuple(found)


def _block(
    k: int,
    *,
    units: Units,
    signs: Signs,
    pairs: tuple[Integers, Integers, Floats],
    observed: Floats,
) -> tuple[Integers, Floats]:
    sums = signs.sums(units.values, k)
    (i, j, scale), size = pairs, sums.shape[1]
    some = (np.square((sums[i[p]] - sums[j[p]]) * scale[p, None]) for p in parts(len(i), size))
    return reached(some, observed, size)
