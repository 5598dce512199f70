"""How each package is asked the same question, through its public interface, on the same arrays.

A program takes the data of a workload, and returns its answer and how many of the replicates it
did: slow ones stop after ``BUDGET`` seconds and are extrapolated. Turning arrays into the types of
a package is part of it, imports are not. It runs in the environment of the peers, where only its
own package is imported.
"""

# ruff: noqa: ARG001 - all programs of a workload are called alike

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import workloads

BUDGET = 10.0  # seconds
SIX = ("mean", "median", "average_rank", "success_rate", "relative_difference", "copeland")
VOTING = ("copeland", "borda", "schulze", "minimax", "ranked_pairs")


class Answer(NamedTuple):
    values: Any  # numbers that those of other packages are compared with
    done: int = 1
    of: int = 1


Program = Callable[..., Answer]
PROGRAMS: dict[str, dict[str, Program]] = {}


def asks(workload: str, package: str) -> Callable[[Program], Program]:
    def keep(program: Program) -> Program:
        PROGRAMS.setdefault(workload, {})[package] = program
        return program

    return keep


def again(call: Callable[[], object], number: int) -> int:
    """Call so often, or until the budget is spent; return how often it was."""
    start = time.process_time()
    done = 0
    while done < number and time.process_time() - start <= BUDGET:
        call()
        done += 1
    return done


def ask(workload: str, package: str, size: tuple[int, ...], number: int) -> tuple[Answer, str]:
    data = DATA[workload](*size)
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(part).data for part in data))
    return PROGRAMS[workload][package](*data, number), digest.hexdigest()


def table_and_merits(n: int, m: int) -> tuple[Any, ...]:
    return (workloads.paper_table((n, m))[1],)


def strict_table(n: int, m: int) -> tuple[Any, ...]:
    """Candidates of the paper's table; ties are broken by position, for who knows none."""
    scores = workloads.paper_table((workloads.LARGE[0], m))[1][:n]
    return (np.argsort(np.argsort(scores, axis=0, kind="stable"), axis=0).astype(np.float64),)


def ranked_table(n: int, m: int) -> tuple[Any, ...]:
    return (n - np.argsort(workloads.rankings(n, m), axis=1).T.astype(np.float64),)


DATA: dict[str, Callable[..., tuple[Any, ...]]] = {
    "criteria": table_and_merits,
    "intervals": table_and_merits,
    "nemenyi": table_and_merits,
    "kemeny": strict_table,
    "voting": strict_table,
    "plackett-luce": ranked_table,
    "bradley-terry": workloads.counts,
    "sandwich": workloads.counts,
    "elo": workloads.log,
    "online": workloads.log,
}

# ------------------------------------------------------------------------------
# W1: criteria of six ranking functions, both axes resampled.


@asks("criteria", "deadheat")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh

    table = dh.Results(scores=scores, better="higher")
    dh.criteria(table, by=SIX, trials=number, engine="serial")
    rows = dh.rank(table, by=SIX).rows()
    merits = {(row["function"], row["candidate"]): row["merit"] for row in rows}
    names = table.candidates
    return Answer([[merits[f, name] for name in names] for f in SIX], number, number)


@asks("criteria", "NumPy loop")
def _(scores: Any, number: int) -> Answer:
    import loops

    done = again(lambda: loops.trials(scores, 1), number)
    found = loops.six_functions(scores)
    return Answer([found[f].tolist() for f in SIX], done, number)


@asks("criteria", "ranky")
def _(scores: Any, number: int) -> Answer:
    import ranky as rk

    six: dict[str, Callable[[Any], Any]] = {
        "mean": rk.score,
        "median": rk.majority,
        "average_rank": lambda m: -rk.average_rank(m),
        "success_rate": lambda m: rk.pairwise(m, wins=rk.success_rate),
        "relative_difference": lambda m: rk.pairwise(m, wins=rk.relative_difference),
        "copeland": rk.copeland,
    }

    def trial() -> None:
        n = len(scores)
        seen, unseen = rk.bootstrap(rk.bootstrap(scores), axis=1, return_holdout=True)
        ranks = rk.average_rank(seen)
        merits = {name: f(seen) for name, f in six.items()}
        condorcet = merits["copeland"] >= n - 1
        for merit in merits.values():
            first = merit == merit.max()
            _ = 1 - (ranks[first].mean() - 1) / (n - 1), (first & condorcet).sum() / first.sum()
            np.mean([rk.corr(merit, judge, method="spearman") for judge in unseen.T])

    done = again(trial, number)
    return Answer([np.asarray(f(scores), dtype=float).tolist() for f in six.values()], done, number)


# ------------------------------------------------------------------------------
# W2: percentile intervals of mean scores, judges resampled.


@asks("intervals", "deadheat")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh

    table = dh.Results(scores=scores, better="higher")
    found = dh.verdict(table, by="mean", replicates=number, engine="serial")
    return Answer([found.low.tolist(), found.high.tolist()], number, number)


@asks("intervals", "NumPy loop")
def _(scores: Any, number: int) -> Answer:
    import loops

    done = again(lambda: loops.replicates_of_means(scores, 1), number)
    found = loops.replicates_of_means(scores, 1_000)
    return Answer(np.quantile(found, [0.025, 0.975], axis=0).tolist(), done + 1_000, number)


@asks("intervals", "scipy.stats.bootstrap")
def _(scores: Any, number: int) -> Answer:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(0)
    limits = [
        bootstrap(
            (mine,),
            np.mean,
            n_resamples=number,
            batch=max(1, 10_000_000 // len(mine)),
            vectorized=True,
            method="percentile",
            rng=rng,
        ).confidence_interval
        for mine in scores
    ]
    return Answer(np.array(limits).T.tolist(), number, number)


@asks("intervals", "rliable")
def _(scores: Any, number: int) -> Answer:
    from rliable import library

    given = {str(k): mine[None] for k, mine in enumerate(scores)}
    _, found = library.get_interval_estimates(
        given, lambda x: np.array([np.mean(x)]), reps=number, task_bootstrap=True
    )
    return Answer(np.hstack([found[name] for name in given]).tolist(), number, number)


# ------------------------------------------------------------------------------
# W3: Bradley-Terry ratings with a bootstrap of the battles, and with a sandwich.


def _battles(cells: Any) -> Any:
    import deadheat as dh

    left, right, outcome, number = cells
    names = tuple(f"c{k:05}" for k in range(int(max(left.max(), right.max())) + 1))
    given = {"left": left, "right": right, "outcome": outcome, "battles": number}
    return dh.Battles.from_cells(candidates=names, weights=number.astype(float), **given)


def _rated(found: Any, *keys: str) -> list[list[float]]:
    rows = sorted(found.rows(), key=lambda row: row["candidate"])
    return [[row[key] for row in rows] for key in keys]


@asks("bradley-terry", "deadheat")
def _(*given: Any) -> Answer:
    import deadheat as dh

    number, battles = given[-1], _battles(workloads.Counts(*given[:-1]).cells)
    found = dh.rate(battles, replicates=number, simulations=0, engine="serial")
    return Answer(_rated(found, "rating")[0], number, number)


@asks("bradley-terry", "NumPy loop")
def _(*given: Any) -> Answer:
    import loops

    counts = workloads.Counts(*given[:-1])
    done = again(lambda: loops.refits(counts, 1), given[-1])
    return Answer(loops.ratings(counts.points).tolist(), done + 1, given[-1])


def _refits(
    counts: workloads.Counts, fit: Callable[[workloads.Counts], Any], number: int
) -> Answer:
    """Draw the battles of all cells and fit again, as scripts do around a package."""
    rng = np.random.default_rng(0)
    cells = np.concatenate(counts[2:])

    def replicate() -> None:
        drawn = rng.multinomial(cells.sum(), cells / cells.sum())
        fit(workloads.Counts(*counts[:2], *np.split(drawn, 3)))

    done = again(replicate, number)
    ratings = np.asarray(fit(counts))
    return Answer((ratings - ratings.mean()).tolist(), done + 1, number)


@asks("bradley-terry", "choix")
def _(*given: Any) -> Answer:
    import choix

    def fit(counts: workloads.Counts) -> Any:
        return choix.ilsr_pairwise_dense(counts.points)

    return _refits(workloads.Counts(*given[:-1]), fit, given[-1])


@asks("bradley-terry", "evalica")
def _(*given: Any) -> Answer:
    import evalica

    outcomes = {1: evalica.Winner.X, -1: evalica.Winner.Y, 0: evalica.Winner.Draw}

    def fit(counts: workloads.Counts) -> Any:
        left, right, outcome, number = counts.cells
        winners = [outcomes[each] for each in outcome.tolist()]
        found = evalica.bradley_terry(
            left.tolist(), right.tolist(), winners, weights=number.tolist(), limit=10_000
        )
        return np.log(found.scores.sort_index().to_numpy())

    return _refits(workloads.Counts(*given[:-1]), fit, given[-1])


def _arena(counts: workloads.Counts) -> tuple[Any, Any]:
    import jax.numpy as jnp
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    left, right, outcome, number = counts.cells
    data = PairDataset(
        competitors=[str(k) for k in range(counts.n)],
        pairs=jnp.asarray(np.stack([left, right], axis=1)),
        outcomes=jnp.asarray((outcome + 1) / 2),
        counts=jnp.asarray(number, dtype=float),
        weights=jnp.ones(len(number)),
        opt_weights=jnp.asarray(number, dtype=float),
    )
    return BradleyTerry(counts.n, scale=1.0, base=math.e, init_rating=0.0), data


@asks("bradley-terry", "arena-rank")
def _(*given: Any) -> Answer:
    """Its own bootstrap forks a process with threads of JAX, and may wait for ever: one by one."""
    from arena_rank.models.bradley_terry import fit_single_bootstrap_sample

    model, data = _arena(workloads.Counts(*given[:-1]))
    rng, cells = np.random.default_rng(0), np.asarray(data.counts)
    total = int(cells.sum())

    def replicate() -> None:
        drawn = rng.multinomial(total, cells / total).astype(float)
        np.asarray(fit_single_bootstrap_sample(drawn, model, data)["ratings"])

    done = again(replicate, given[-1])
    model.fit(data)
    ratings = np.asarray(model.params["ratings"])
    return Answer((ratings - ratings.mean()).tolist(), done + 1, given[-1])


@asks("sandwich", "deadheat")
def _(*given: Any) -> Answer:
    import deadheat as dh

    battles = _battles(workloads.Counts(*given[:-1]).cells)
    found = dh.rate(battles, errors="sandwich", simulations=0, engine="serial")
    return Answer(_rated(found, "rating")[0])


@asks("sandwich", "arena-rank")
def _(*given: Any) -> Answer:
    model, data = _arena(workloads.Counts(*given[:-1]))
    ratings = np.asarray(model.compute_ratings_and_cis(data, ci_method="sandwich")["ratings"])
    return Answer((ratings - ratings.mean()).tolist())


# ------------------------------------------------------------------------------
# W4: the ranking with least disagreement, and other rules of voting.


def disagreements(scores: Any, merits: Any) -> float:
    """Return over how many pairs judges disagree with a ranking without ties."""
    ranked = scores[np.argsort(-np.asarray(merits), kind="stable")]
    return float(
        sum((low > high).sum() for k, high in enumerate(ranked) for low in ranked[k + 1 :])
    )


@asks("kemeny", "deadheat")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh

    found = dh.consensus(dh.Results(scores=scores, better="higher"))
    return Answer(found.facts()["objective"])


@asks("kemeny", "NumPy loop")
def _(scores: Any, number: int) -> Answer:
    import loops

    return Answer(loops.kemeny(scores))


@asks("kemeny", "pref_voting")
def _(scores: Any, number: int) -> Answer:
    from pref_voting.other_methods import kemeny_young_rankings
    from pref_voting.profiles import Profile

    found, _ = kemeny_young_rankings(Profile(np.argsort(-scores, axis=0).T.tolist()))
    return Answer(disagreements(scores, -np.argsort(found[0])))


@asks("kemeny", "ranky")
def _(scores: Any, number: int) -> Answer:
    import ranky as rk

    np.random.seed(0)  # noqa: NPY002 - what it draws from
    return Answer(disagreements(scores, rk.center(scores, method="kendalltau", verbose=False)))


@asks("kemeny", "corankco")
def _(scores: Any, number: int) -> Answer:
    from corankco.algorithms.exact.exactalgorithmpulp import ExactAlgorithmPulp
    from corankco.dataset import Dataset
    from corankco.scoringscheme import ScoringScheme

    orders = np.argsort(-scores, axis=0).T
    data = Dataset.from_raw_list([[{int(k)} for k in order] for order in orders])
    scheme = ScoringScheme.get_unifying_scoring_scheme_p(0.5)
    found = ExactAlgorithmPulp().compute_consensus_rankings(data, scheme)
    order = [int(k.value) for bucket in found[0] for k in bucket]
    return Answer(disagreements(scores, -np.argsort(order)))


@asks("voting", "deadheat")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh

    table = dh.Results(scores=scores, better="higher")
    rows = dh.rank(table, by=VOTING).rows()
    place = {name: k for k, name in enumerate(table.candidates)}
    best = {f: min(row["rank"] for row in rows if row["function"] == f) for f in VOTING}
    first = {
        f: sorted(
            place[row["candidate"]]
            for row in rows
            if (row["function"], row["rank"]) == (f, best[f])
        )
        for f in VOTING
    }
    return Answer([first[f] for f in VOTING])


@asks("voting", "deadheat, winners alone")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh
    from deadheat.ranking.function import get
    from deadheat.ranking.on_tables import merits_of
    from deadheat.ranking.ranks import winners

    found = merits_of(dh.Results(scores=scores, better="higher"), [get(f) for f in VOTING])
    return Answer([np.flatnonzero(winners(found[f][0])).tolist() for f in VOTING])


@asks("voting", "pref_voting")
def _(scores: Any, number: int) -> Answer:
    from pref_voting.c1_methods import copeland
    from pref_voting.margin_based_methods import beat_path, minimax, ranked_pairs_zt
    from pref_voting.profiles import Profile
    from pref_voting.scoring_methods import borda

    profile = Profile(np.argsort(-scores, axis=0).T.tolist())
    rules = (copeland, borda, beat_path, minimax, ranked_pairs_zt)
    return Answer([sorted(map(int, rule(profile))) for rule in rules])


# ------------------------------------------------------------------------------
# W5: Friedman's ranks with Nemenyi's test of all pairs: the critical difference.


@asks("nemenyi", "deadheat")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh

    table = dh.Results(scores=scores, better="higher")
    options = {"by": "average_rank", "strict": True, "test": "nemenyi", "engine": "serial"}
    strict = dh.verdict(table, **options).all_pairs
    assert strict is not None
    return Answer([strict.tests.p[np.triu_indices(len(scores), 1)].tolist()])


@asks("nemenyi", "deadheat, tests alone")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh
    from deadheat.ranking.contributions import contributions
    from deadheat.ranking.function import get
    from deadheat.statistics.strict_groups import CLASSICAL
    from deadheat.statistics.units import units

    known = contributions(dh.Results(scores=scores, better="higher"), get("average_rank"))
    assert known is not None
    judges = units(known.per_judge, weights=known.weights, clusters=None, strata=None)
    p, *_ = CLASSICAL["nemenyi"](judges, *np.triu_indices(len(scores), 1), 0.05)
    return Answer([p.tolist()])


@asks("nemenyi", "scikit-posthocs")
def _(scores: Any, number: int) -> Answer:
    from scikit_posthocs import posthoc_nemenyi_friedman

    found = posthoc_nemenyi_friedman(scores.T).to_numpy()
    return Answer([found[np.triu_indices(len(scores), 1)].tolist()])


@asks("nemenyi", "autorank")
def _(scores: Any, number: int) -> Answer:
    import pandas as pd
    from autorank import autorank

    found = autorank(pd.DataFrame(scores.T), force_mode="nonparametric")
    ranks = found.rankdf["meanrank"].sort_index().to_numpy()
    apart = np.abs(ranks[:, None] - ranks)[np.triu_indices(len(scores), 1)]
    return Answer([(apart > found.cd).tolist()])


# ------------------------------------------------------------------------------
# Ratings of a stream, and of whole rankings.


def _stream(left: Any, right: Any, outcome: Any) -> Any:
    import deadheat as dh

    names = np.array([f"c{k:05}" for k in range(int(max(left.max(), right.max())) + 1)])
    winner = np.array(["right", "tie", "left"])[outcome + 1]
    return dh.Battles(left=names[left], right=names[right], winner=winner, ordered=True)


@asks("elo", "deadheat")
def _(left: Any, right: Any, outcome: Any, number: int) -> Answer:
    import deadheat as dh

    battles = _stream(left, right, outcome)
    found = dh.rate(battles, model="elo", scale="elo", replicates=number, engine="serial")
    ratings = np.array(_rated(found, "rating")[0])
    return Answer((ratings - ratings.mean()).tolist(), number, number)


@asks("elo", "evalica")
def _(left: Any, right: Any, outcome: Any, number: int) -> Answer:
    import evalica

    winners = np.array([evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X])[outcome + 1]
    rng = np.random.default_rng(0)

    def fit(rows: Any) -> Any:
        given = left[rows].tolist(), right[rows].tolist(), winners[rows].tolist()
        return evalica.elo(*given).scores.sort_index().to_numpy()

    done = again(lambda: fit(rng.integers(0, len(left), len(left))), number)
    found = fit(slice(None))
    return Answer((found - found.mean()).tolist(), done + 1, number)


@asks("online", "deadheat")
def _(left: Any, right: Any, outcome: Any, number: int) -> Answer:
    import deadheat as dh

    found = dh.rate(_stream(left, right, outcome), model="gaussian", engine="serial")
    return Answer(_rated(found, "rating")[0])


@asks("online", "openskill")
def _(left: Any, right: Any, outcome: Any, number: int) -> Answer:
    from openskill.models import ThurstoneMostellerFull

    model = ThurstoneMostellerFull()
    ratings = [model.rating() for _ in range(int(max(left.max(), right.max())) + 1)]
    ranks = {1: [1, 2], -1: [2, 1], 0: [1, 1]}
    for i, j, won in zip(left.tolist(), right.tolist(), outcome.tolist(), strict=True):
        found = model.rate([[ratings[i]], [ratings[j]]], ranks=ranks[won])
        (ratings[i],), (ratings[j],) = found
    return Answer([rating.mu for rating in ratings])


@asks("plackett-luce", "deadheat")
def _(scores: Any, number: int) -> Answer:
    import deadheat as dh

    table = dh.Results(scores=scores, better="higher")
    found = dh.rate(table, model="plackett-luce", errors="fisher", engine="serial")
    ratings = {row["candidate"]: row["rating"] for row in found.rows()}
    return Answer([ratings[name] for name in table.candidates])


@asks("plackett-luce", "choix")
def _(scores: Any, number: int) -> Answer:
    import choix

    found = choix.ilsr_rankings(len(scores), np.argsort(-scores, axis=0).T.tolist())
    return Answer((found - found.mean()).tolist())
