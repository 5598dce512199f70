"""Bradley-Terry bootstrap (W3): milliseconds per replicate, drawing and fitting, beside a loop.

Battles are drawn as counts, so that no log is written. The loop draws the battles of each pair and
fits by the usual iterations on the matrix of wins. Online ratings go through a log in its order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import deadheat as dh
import loops
import timing
import workloads
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.existence import existence
from deadheat.models.rating.online import elo
from deadheat.models.rating.pair_counts import PairCounts
from deadheat.models.rating.uncertainty import Refitter, fisher
from deadheat.ranking.function import get
from workloads import Counts

SIZES = ((50, 100_000), (200, 2_000_000), (500, 20_000_000))
REPLICATES, BLOCK, LOOP = 60, 20, 2
SPARSE = (4_000, 2_000_000, 0.005)  # candidates, battles, share of pairs that met
LEAGUE = (330, 50_000)  # players near in strength meet, some hardly ever; one won all
FIELDS = (25, 292)  # candidates of tables of 76 judges
ONLINE = (200, 1_000_000)
TOY = {
    "SIZES": ((10, 1_000),),
    "REPLICATES": 4,
    "BLOCK": 2,
    "SPARSE": (60, 3_000, 0.1),
    "LEAGUE": (120, 1_500),
    "FIELDS": (5, 6),
    "ONLINE": (10, 500),
}


def paired(counts: Counts) -> PairCounts:
    won, lost, tied = (part.astype(float) for part in counts[2:])
    return PairCounts(counts.n, counts.first, counts.second, won, lost, tied)


def replicates(pairs: PairCounts, size: int, *, poisson: bool, seed: int) -> PairCounts:
    """Return bootstrap counts (B, P) of all cells that are not empty."""
    rng = np.random.default_rng(seed)
    cells = np.concatenate([pairs.wins, pairs.losses, pairs.ties])
    there = np.flatnonzero(cells)
    rows = np.zeros((size, len(cells)))
    if poisson:
        rows[:, there] = rng.poisson(cells[there], size=(size, len(there)))
    else:
        share = cells[there] / cells.sum()
        rows[:, there] = rng.multinomial(int(cells.sum()), share, size=size)
    return pairs.with_counts(*np.split(rows, 3, axis=1))


def timed(pairs: PairCounts, *, poisson: bool) -> tuple[float, float]:
    """Return seconds per replicate for drawing and for fitting."""
    again = Refitter(fit(pairs))
    drawn: list[PairCounts] = []
    numbers = range(REPLICATES // BLOCK)
    drawing = timing.seconds(
        lambda: drawn.extend(replicates(pairs, BLOCK, poisson=poisson, seed=k) for k in numbers)
    )
    fitting = timing.seconds(lambda: [again(many) for many in drawn])
    return drawing / REPLICATES, fitting / REPLICATES


def run() -> Iterator[str]:
    """Yield seconds per replicate for each size, then single fits."""
    timed(paired(workloads.counts(10, 1_000)), poisson=True)  # what is loaded late is loaded now
    for n, battles in SIZES:
        counts = workloads.counts(n, battles)
        pairs = paired(counts)
        plain = timing.seconds(lambda: loops.refits(counts, LOOP)) / LOOP  # noqa: B023
        for poisson in (False, True):
            drawing, fitting = timed(pairs, poisson=poisson)
            each = drawing + fitting
            yield (
                f"{n} x {battles:,} {'Poisson' if poisson else 'multinomial'}: "
                f"{timing.in_units(each)} (drawing {timing.in_units(drawing)}, fit "
                f"{timing.in_units(fitting)}), {timing.times(plain / each)} x faster than the loop"
                f" (from {LOOP})"
            )
    found = fit(pairs)
    covariance = timing.seconds(lambda: fisher(found, pairs))
    yield (
        f"{n} candidates: fit {timing.in_units(timing.seconds(lambda: fit(pairs)))}, covariance "
        f"{timing.in_units(covariance)}"
    )
    yield from sparse()
    yield from league()
    yield from as_function()
    yield from online()


def sparse() -> Iterator[str]:
    """Yield what many candidates take of whom each met about twenty."""
    n, battles, met = SPARSE
    counts = workloads.counts(n, battles, met=met)
    pairs = paired(counts)
    plain = timing.seconds(lambda: loops.sparse_ratings(counts))
    yield f"{n:,} candidates, {len(pairs.first):,} pairs: the loop {timing.in_units(plain)} a fit"
    for penalty in ("none" if existence(pairs).strongly_connected else "ridge", "firth"):
        whole = timing.seconds(lambda: fit(pairs, penalty=penalty))  # noqa: B023
        again = Refitter(fit(pairs, penalty=penalty))
        many = replicates(pairs, BLOCK, poisson=True, seed=0)
        each = timing.seconds(lambda: again(many)) / BLOCK  # noqa: B023
        yield (
            f"  penalty {penalty}: fit {timing.in_units(whole)}, replicate {timing.in_units(each)}"
            f" = {timing.times(plain / each)} x faster than the loop"
        )


def league() -> Iterator[str]:
    """Yield what a replicate of a sparse log takes by positive weights, beside a fit in full."""
    n, battles = LEAGUE
    rng = np.random.default_rng(0)
    truth, active = np.sort(rng.normal(0, 1.2, n)), rng.pareto(1.5, n) + 0.2
    first, second = np.triu_indices(n, 1)
    near = active[first] * active[second] * np.exp(-np.abs(truth[first] - truth[second]) / 0.5)
    path = (second == first + 1).astype(np.int64)
    played = path + rng.multinomial(battles, near / near.sum())
    first, second, played = (part[played > 0] for part in (first, second, played))
    won = rng.binomial(played, 1 / (1 + np.exp(truth[second] - truth[first])))
    won[second == n - 1] = 0  # the last one won all
    cells = np.concatenate([won, played - won, np.zeros(len(won))]).astype(float)
    won, lost, tied = np.split(cells, 3)
    pairs = PairCounts(n, first, second, won, lost, tied)
    rows = rng.standard_gamma(cells, size=(BLOCK, len(cells)))
    many = pairs.with_counts(*np.split(rows, 3, axis=1))
    found = fit(pairs)
    again = Refitter(found)
    again(many)  # the Hessian is inverted now
    each = timing.seconds(lambda: again(many)) / BLOCK
    whole = timing.seconds(lambda: fit(many.of_replicate(0)))
    yield (
        f"league of {n} players, {battles:,} battles, {len(first):,} pairs, penalty "
        f"{found.penalty}: replicate {timing.in_units(each)}, in full {timing.in_units(whole)} = "
        f"{whole / each:.0f} x"
    )


def as_function() -> Iterator[str]:
    """Yield what a replicate of a table takes, beside another function of pairs."""
    rng = np.random.default_rng(0)
    weights = rng.multinomial(76, np.full(76, 1 / 76), size=REPLICATES)
    for n in FIELDS:
        scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, 76))
        for name in ("epp", "schulze"):
            get(name)(scores[:25], weights[:1])  # what is loaded late is loaded now
            each = timing.seconds(lambda: get(name)(scores, weights)) / REPLICATES  # noqa: B023
            yield f"{name} as a function, {n} x 76: {timing.in_units(each)} a replicate"


def online() -> Iterator[str]:
    """Yield what Elo takes in the order of the log, and over random orders."""
    n, battles = ONLINE
    log = workloads.log(n, battles)
    one = timing.seconds(lambda: elo(*log, n))
    yield f"Elo of {n} by {battles:,} battles: {timing.in_units(one)}"
    several = timing.seconds(lambda: elo(*log, n, shuffles=4)) / 4
    yield f"  each of 4 random orders: {timing.in_units(several)}"
    whole = timing.seconds(lambda: dh.rate(as_battles(log), model="elo"))
    yield f"  `rate` with all that it tells: {timing.in_units(whole)}"


def as_battles(log: workloads.Log) -> dh.Battles:
    winner = np.array(["right", "tie", "left"])[log.outcome + 1]
    names = np.array([f"c{k:04}" for k in range(int(log.left.max()) + 1)])
    return dh.Battles(left=names[log.left], right=names[log.right], winner=winner, ordered=True)
