"""Bradley-Terry bootstrap (W3): milliseconds per replicate, drawing and fitting, beside peers.

Figures called reachable, in CPU milliseconds per replicate: 50 models x 100k battles 0.8, 200 x 2M
10.3 multinomial and 5.9 Poisson, 500 x 20M 61 and 34. Battles are drawn as counts, so that no log
is written; choix and evalica fit one replicate of the same counts where they are installed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.existence import existence
from deadheat.models.rating.pair_counts import PairCounts
from deadheat.models.rating.uncertainty import Refitter, fisher
from deadheat.ranking.function import get

SIZES = {(50, 100_000): (0.8, 0.8), (200, 2_000_000): (10.3, 5.9), (500, 20_000_000): (61, 34)}
REPLICATES, BLOCK = 60, 20
SPARSE = (4_000, 2_000_000, 0.005)  # candidates, battles, share of pairs that met
LEAGUE = (330, 50_000)  # players near in strength meet, some hardly ever; one won all
FIELDS = (25, 292)  # candidates of tables of 76 judges
TOY = {
    "SIZES": {(10, 1_000): (0, 0)},
    "REPLICATES": 4,
    "BLOCK": 2,
    "SPARSE": (60, 3_000, 0.1),
    "LEAGUE": (120, 1_500),
    "FIELDS": (5, 6),
}


def drawn(n: int, battles: int, *, met: float = 1.0) -> PairCounts:
    """Return counts of battles among candidates with normal ratings, one in ten tied."""
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(n, 1)
    if met < 1:
        path = second == first + 1
        kept = path | (rng.random(len(first)) < met)
        first, second = first[kept], second[kept]
    ratings = rng.normal(size=n)
    chance = 1 / (1 + np.exp(ratings[second] - ratings[first]))
    played = rng.multinomial(battles, np.full(len(first), 1 / len(first)))
    ties = rng.binomial(played, 0.1)
    wins = rng.binomial(played - ties, chance)
    won, lost, tied = (part.astype(float) for part in (wins, played - ties - wins, ties))
    return PairCounts(n, first, second, won, lost, tied)


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
    """Return milliseconds per replicate for drawing and for fitting."""
    again = Refitter(fit(pairs))
    drawing = fitting = 0.0
    for block in range(REPLICATES // BLOCK):
        start = time.process_time()
        many = replicates(pairs, BLOCK, poisson=poisson, seed=block)
        middle = time.process_time()
        again(many)
        drawing += middle - start
        fitting += time.process_time() - middle
    return drawing / REPLICATES * 1000, fitting / REPLICATES * 1000


def choix_milliseconds(pairs: PairCounts) -> float | None:
    """Return what one fit takes choix by iterative spectral ranking of the pair counts."""
    try:
        import choix
    except ImportError:
        return None
    won = pairs.matrix(pairs.points, pairs.points_against).astype(np.float64)
    start = time.process_time()
    choix.ilsr_pairwise_dense(won, alpha=0.0, tol=1e-6)
    return (time.process_time() - start) * 1000


def evalica_milliseconds(pairs: PairCounts) -> float | None:
    """Return what one fit takes evalica, given each outcome of a pair once, with its weight."""
    try:
        import evalica
    except ImportError:
        return None
    one, other = (np.tile(side, 3).tolist() for side in (pairs.first, pairs.second))
    kinds = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    winners = [kind for kind in kinds for _ in range(len(pairs.first))]
    weights = np.concatenate([pairs.wins, pairs.losses, pairs.ties]).tolist()
    start = time.process_time()
    evalica.bradley_terry(one, other, winners, weights=weights)
    return (time.process_time() - start) * 1000


def run() -> Iterator[str]:
    """Yield milliseconds per replicate for each size, then single fits."""
    for (n, battles), reachable in SIZES.items():
        pairs = drawn(n, battles)
        for poisson, goal in zip((False, True), reachable, strict=True):
            drawing, fitting = timed(pairs, poisson=poisson)
            yield (
                f"{n} x {battles:,} {'Poisson' if poisson else 'multinomial'}: "
                f"{drawing + fitting:.2f} ms (drawing {drawing:.2f}, fit {fitting:.2f}), "
                f"reachable {goal}"
            )
        for name, peer in (("choix", choix_milliseconds), ("evalica", evalica_milliseconds)):
            taken = peer(pairs)
            if taken is not None:
                yield f"{n} candidates, {name}, one fit: {taken:.0f} ms"
    start = time.process_time()
    found = fit(pairs)
    middle = time.process_time()
    fisher(found, pairs)
    end = time.process_time()
    yield f"{n} candidates: fit {middle - start:.2f} s, covariance {end - middle:.2f} s"
    yield from sparse()
    yield from league()
    yield from as_function()


def sparse() -> Iterator[str]:
    """Yield what many candidates take of whom each met about twenty."""
    n, battles, met = SPARSE
    pairs = drawn(n, battles, met=met)
    for penalty in ("none" if existence(pairs).strongly_connected else "ridge", "firth"):
        start = time.process_time()
        found = fit(pairs, penalty=penalty)
        middle = time.process_time()
        Refitter(found)(replicates(pairs, BLOCK, poisson=True, seed=0))
        each = (time.process_time() - middle) / BLOCK * 1000
        yield (
            f"{n:,} candidates, {len(pairs.first):,} pairs, penalty {penalty}: "
            f"fit {middle - start:.1f} s, replicate {each:.0f} ms"
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
    counts = (won.astype(float), (played - won).astype(float), np.zeros(len(won)))
    pairs = PairCounts(n, first, second, *counts)
    cells = np.concatenate(counts)
    rows = rng.standard_gamma(cells, size=(BLOCK, len(cells)))
    many = pairs.with_counts(*np.split(rows, 3, axis=1))
    found = fit(pairs)
    again = Refitter(found)
    again(many)  # the Hessian is inverted now
    start = time.process_time()
    again(many)
    middle = time.process_time()
    fit(many.of_replicate(0))
    whole = (time.process_time() - middle) * 1000
    each = (middle - start) / BLOCK * 1000
    yield (
        f"league of {n} players, {battles:,} battles, {len(first):,} pairs, penalty "
        f"{found.penalty}: replicate {each:.1f} ms, in full {whole:.0f} ms = {whole / each:.0f} x"
    )


def as_function() -> Iterator[str]:
    """Yield what a replicate of a table takes, beside another function of pairs."""
    rng = np.random.default_rng(0)
    weights = rng.multinomial(76, np.full(76, 1 / 76), size=REPLICATES)
    for n in FIELDS:
        scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, 76))
        for name in ("epp", "schulze"):
            get(name)(scores[:25], weights[:1])  # what is loaded late is loaded now
            start = time.process_time()
            get(name)(scores, weights)
            each = (time.process_time() - start) / REPLICATES * 1000
            yield f"{name} as a function, {n} x 76: {each:.2f} ms per replicate"
