"""All pairs at once: the studentized bootstrap max-T step-down test of Romano and Wolf."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from deadheat.inference.corrections import require_alpha
from deadheat.inference.pair_tests import (
    PairTests,
    critical_value,
    inverted,
    pair_tests,
    ratios,
    reached,
    stepped_down,
)
from deadheat.inference.studentized import Worlds, statistics, worlds
from deadheat.inference.units import Units, every_pair, parts
from deadheat.memory import how_long
from deadheat.resampling.engine import Engine, engine
from deadheat.resampling.plans import Plan, blocks
from deadheat.resampling.replicate import Progress, watched
from deadheat.typing import Floats, Integers

FLOOR = (
    0.25  # with .5, 30 candidates of skewed scores on 20 judges err three times as often as said
)
ROUNDING = 1e-5  # a replicate in float32 that falls this little short of the observed reaches it
PAIRS = 32  # fewer in a matrix product would only wait for memory
STEPS_PER_SECOND = 5e10  # on one core
PER_PAIR = 350  # steps per pair and replicate, whatever the number of judges
PER_JUDGE = 1_500  # steps per judge and replicate, whatever the number of candidates
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

    made monotone [1]_. The probability of any false claim is then about alpha, whichever candidates
    are equal; ``docs/validity.md`` has what was simulated.

    From the same replicates come comparisons with the best [3]_. The statistic of candidate i is
    :math:`M_i = \max_{j \ne i} (\text{merit}_j - \text{merit}_i) / se_{ij}`, that of a replicate
    the same maximum of the shifts; the share of replicates that reach it is the p-value of "i is
    one of the best". Those whose p is above alpha are a confidence set: a given best is among them
    with probability of about 1 - alpha. That is no claim about all pairs, and so leaves out more.

    Parameters
    ----------
    plan
        Draws with replacement as many units as there are, inside the strata of the units.
    floor
        The :math:`\phi` above. Without it, scores of few values give replicates that hardly vary,
        and the test has no power; the larger it is, the more often few judges err.
    progress
        Is told, after each block, how many blocks are done and how many there are.

    Notes
    -----
    A difference that is 0 on every unit has p = 1. One that is not 0 and never varies is flagged,
    and has the smallest p there is.

    Differs from [2]_, which tests a leader chosen from the same data against the rest: that errs
    more often than alpha says (:func:`deadheat.inference.groups.robust_groups`).

    References
    ----------
    .. [1] Romano, Wolf (2005), "Stepwise multiple testing as formalized data snooping",
       Econometrica 73(4), algorithms 4.1 and 4.2.
    .. [2] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
       Using Statistical Resampling", sec. 3.
    .. [3] Hsu (1984), "Constrained simultaneous confidence intervals for multiple comparisons with
       the best", Annals of Statistics 12(3).
    """
    require_alpha(alpha)
    i, j = every_pair(units.n)
    differences, errors = units.differences(i, j), units.errors(i, j)
    ratio = ratios(differences, errors)
    observed = np.square(ratio)
    order = np.argsort(observed, kind="stable")
    behind = _behind(units.n, i, j, np.sign(ratio) * observed)
    work = partial(
        _block,
        units=units,
        plan=plan,
        pairs=(i[order], j[order], inverted(errors[order])),
        observed=observed[order] * (1 - ROUNDING),
        behind=behind - ROUNDING * np.abs(np.where(np.isfinite(behind), behind, 0.0)),
        floor=floor,
    )
    numbers = blocks(plan, units.n, units.m)
    counts, largest = np.zeros(len(i), dtype=np.int64), []
    as_far = np.zeros(units.n, dtype=np.int64)
    with engine(on) as running:
        for count, maximum, far in watched(running.map(work, numbers), len(numbers), progress):
            counts += count
            largest.append(maximum)
            as_far += far
    p = np.empty(len(i))
    p[order] = stepped_down(counts, plan.replicates)
    return pair_tests(
        units.n,
        p,
        differences=differences,
        errors=errors,
        critical=critical_value(np.sqrt(np.concatenate(largest)), alpha),
        method="max-t",
        alpha=alpha,
        replicates=plan.replicates,
        best_p=(as_far + 1) / (plan.replicates + 1),
    )


def max_t_fixed(observed: Floats, merits: Floats, *, alpha: float) -> PairTests:
    r"""Test all pairs of a function that is not additive, from its merits in replicates (B, n).

    As :func:`max_t`, but every replicate is measured by one error, that of the differences over all
    replicates: :math:`T^* = |d^* - d| / se`. That holds for medians. For means of few judges, and
    for all that is decided by duels, it errs more often than alpha says
    (:data:`~deadheat.inference.measured.COPELAND_TOLD_APART`): the bootstrap is no guide where a
    duel is tied.
    """
    require_alpha(alpha)
    size, n = merits.shape
    i, j = every_pair(n)
    columns = np.ascontiguousarray(merits.T, dtype=np.float64)
    noise = 1e-12 * np.maximum(np.abs(columns).max(axis=1), np.abs(observed))
    differences = np.asarray(observed[i] - observed[j], dtype=np.float64)
    differences[np.abs(differences) <= noise[i] + noise[j]] = 0.0
    spread = [
        (columns[i[p]] - columns[j[p]]).std(axis=1, ddof=min(1, size - 1))
        for p in parts(len(i), size)
    ]
    errors = np.concatenate(spread or [np.zeros(0)])
    errors[errors <= noise[i] + noise[j]] = 0.0
    statistic = np.abs(ratios(differences, errors))
    order = np.argsort(statistic, kind="stable")
    shifts = columns - observed[:, None]
    a, b, scale = i[order], j[order], inverted(errors[order])[:, None]
    replicated = (np.abs((shifts[a[p]] - shifts[b[p]]) * scale[p]) for p in parts(len(i), size))
    counts, largest = reached(replicated, statistic[order] * (1 - 1e-9), size)
    p_values = np.empty(len(i))
    p_values[order] = stepped_down(counts, size)
    return pair_tests(
        n,
        p_values,
        differences=differences,
        errors=errors,
        critical=critical_value(largest, alpha),
        method="max-t with fixed errors",
        alpha=alpha,
        replicates=size,
    )


def cost(n: int, m: int, replicates: int) -> int:
    """Return how many steps :func:`max_t` takes: n^2 m B, and what small n and m cost besides.

    More than ``TOO_MUCH`` take over a minute on one core.
    """
    return replicates * (n * n * (m + PER_PAIR) + PER_JUDGE * m)


def cost_in_words(steps: int) -> str:
    """Return how long so many steps take on one core.

    >>> cost_in_words(cost(1_000, 1_000, 10_000)), cost_in_words(cost(25, 274, 10_000))
    ('about 5 minutes', 'about 1 second')
    """
    return how_long(steps / STEPS_PER_SECOND)


def _behind(n: int, i: Integers, j: Integers, signed: Floats) -> Floats:
    """Return how far each candidate is behind the rival that is furthest ahead of it, (n,)."""
    found = np.full(n, -np.inf)
    np.maximum.at(found, j, signed)
    np.maximum.at(found, i, -signed)
    return found


def _block(
    k: int,
    *,
    units: Units,
    plan: Plan,
    pairs: tuple[Integers, Integers, Floats],
    observed: Floats,
    behind: Floats,
    floor: float,
) -> tuple[Integers, Floats, Integers]:
    """Return what the replicates of block k say.

    The counts of the pairs, the largest squared statistic of each replicate, and how many of them
    put each candidate as far behind as it is.
    """
    counts, largest = np.zeros(len(observed), dtype=np.int64), []
    as_far = np.zeros(units.n, dtype=np.int64)
    for some, asked, nobody in worlds(units, plan, k):
        counts += nobody  # nobody is left: counts against
        as_far += nobody
        ahead = np.full((units.n, some.size), -np.inf, dtype=np.float32)
        replicated = (part[:, :asked] for part in _squared(units, some, pairs, floor, ahead))
        count, maximum = reached(replicated, observed, asked)
        counts += count
        largest += [maximum, np.full(nobody, np.inf)]
        as_far += np.count_nonzero(ahead[:, :asked] >= behind[:, None], axis=1)
    return counts, np.concatenate(largest), as_far


def _squared(
    units: Units,
    some: Worlds,
    pairs: tuple[Integers, Integers, Floats],
    floor: float,
    ahead: Floats,
) -> Iterator[Floats]:
    """Yield the squared statistics of some pairs after the other, (pairs, B).

    Meanwhile ``ahead`` (n, B) rises to how far the rivals of each candidate are ahead of it.
    """
    i, j, scale = pairs
    of_each = list(ahead)  # rows that need no looking up
    for p in parts(len(i), max(units.u, some.size), least=PAIRS):
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
