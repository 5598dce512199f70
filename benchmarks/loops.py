"""What a researcher writes without us: a replicate at a time, in NumPy, correct and plain."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import rankdata

from workloads import Counts

Floats = npt.NDArray[np.floating]


def replicates_of_means(scores: Floats, number: int) -> Floats:
    """W2: the mean score of each candidate over judges drawn with replacement, (B, n)."""
    rng, m = np.random.default_rng(0), scores.shape[1]
    return np.array([scores[:, rng.integers(0, m, m)].mean(axis=1) for _ in range(number)])


def replicates_of_mean_ranks(scores: Floats, number: int) -> Floats:
    """The same of mean ranks; the ranks of a judge are those of the table."""
    return replicates_of_means(-rankdata(-scores, axis=0), number)


def six_functions(scores: Floats) -> dict[str, Floats]:
    """The functions of Pavao et al. (2021), higher is better."""
    n = len(scores)
    above = np.stack([(mine > scores).sum(axis=1) for mine in scores])
    apart = np.stack([_apart(mine, scores).mean(axis=1) for mine in scores])
    duels = (above > above.T) + 0.5 * (above == above.T)
    return {
        "mean": scores.mean(axis=1),
        "median": np.median(scores, axis=1),
        "average_rank": -rankdata(-scores, axis=0).mean(axis=1),
        "success_rate": above.sum(axis=1) / (n - 1) / scores.shape[1],
        "relative_difference": apart.sum(axis=1) / (n - 1),
        "copeland": duels.sum(axis=1) - 0.5,
    }


def _apart(mine: Floats, others: Floats) -> Floats:
    total = mine + others
    return np.divide(mine - others, total, out=np.zeros_like(others), where=total != 0)


def trials(scores: Floats, number: int) -> Floats:
    """W1: winner rank, Condorcet rate and generalization of six functions, (B, 6, 3)."""
    rng = np.random.default_rng(0)
    return np.array([_trial(scores, rng) for _ in range(number)])


def _trial(scores: Floats, rng: np.random.Generator) -> list[list[float]]:
    n, m = scores.shape
    drawn = rng.integers(0, m, m)
    unseen = np.setdiff1d(np.arange(m), drawn)
    table = scores[rng.integers(0, n, n)]
    seen, left_out = table[:, drawn], rankdata(table[:, unseen], axis=0)
    left_out = left_out - left_out.mean(axis=0)
    ranks = rankdata(-seen, axis=0).mean(axis=1)
    found = []
    merits = six_functions(seen)
    beats_all = merits["copeland"] >= n - 1
    for merit in merits.values():
        first = merit == merit.max()
        own = rankdata(merit) - (n + 1) / 2
        size = np.sqrt((own @ own) * (left_out * left_out).sum(axis=0))
        found.append(
            [
                1 - (ranks[first].mean() - 1) / (n - 1),
                float((first & beats_all).sum() / first.sum()),
                float(np.mean(own @ left_out / np.where(size > 0, size, 1))),
            ]
        )
    return found


def ratings(points: Floats, *, tolerance: float = 1e-8) -> Floats:
    """Bradley-Terry ratings by the usual iterations (Hunter 2004), from wins (n, n)."""
    met, won = points + points.T, points.sum(axis=1)
    strength = np.ones(len(points))
    for _ in range(10_000):
        new = won / (met / (strength[:, None] + strength)).sum(axis=1)
        new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new / strength)).max() < tolerance:
            break
        strength = new
    return np.asarray(np.log(new))


def refits(counts: Counts, number: int) -> Floats:
    """W3: ratings of replicates of the battles, (B, n)."""
    rng = np.random.default_rng(0)
    pairs = len(counts.first)
    cells = np.concatenate([counts.wins, counts.losses, counts.ties])
    found = []
    for _ in range(number):
        drawn = rng.multinomial(cells.sum(), cells / cells.sum())
        parts = drawn[:pairs], drawn[pairs : 2 * pairs], drawn[2 * pairs :]
        found.append(ratings(counts._replace(wins=parts[0], losses=parts[1], ties=parts[2]).points))
    return np.array(found)


def kemeny(scores: Floats) -> float:
    """W4: the least disagreement of a ranking with all judges, by the best of each subset."""
    n = len(scores)
    more = [[float((mine > yours).sum()) for yours in scores] for mine in scores]
    level = sum(float((a == b).sum()) for a, b in combinations(scores, 2))
    best = {0: 0.0}  # of each set on top, as bits: disagreements of those in it with all others
    for size in range(n):
        following: dict[int, float] = {}
        for chosen, cost in best.items():
            rest = [k for k in range(n) if not chosen >> k & 1]
            for k in rest:  # next below those chosen: who is still to come beat it so often
                now = cost + sum(more[other][k] for other in rest if other != k)
                key = chosen | 1 << k
                if now < following.get(key, np.inf):
                    following[key] = now
        best = following
        assert size < n
    return best[(1 << n) - 1] + level / 2


def sparse_ratings(counts: Counts) -> Floats:
    """Bradley-Terry ratings of many who met few: the likelihood of the pairs, by L-BFGS."""
    won, lost = counts.wins + counts.ties / 2, counts.losses + counts.ties / 2
    first, second, n = counts.first, counts.second, counts.n

    def loss(at: Floats) -> tuple[float, Floats]:
        apart = at[first] - at[second]
        slope = expit(apart) * (won + lost) - won
        value = won @ np.logaddexp(0, -apart) + lost @ np.logaddexp(0, apart)
        pull = np.bincount(first, slope, n) - np.bincount(second, slope, n)
        return float(value + 1e-4 * (at @ at)), pull + 2e-4 * at

    found = minimize(loss, np.zeros(n), jac=True, method="L-BFGS-B", options={"maxiter": 1_000})
    return np.asarray(found.x - found.x.mean())
