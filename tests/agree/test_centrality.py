"""How close rankings come to the judges, fairly: ties in a ranking must not bring it closer."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import scipy.stats
from scipy.stats import rankdata, spearmanr

import deadheat as dh
from deadheat.agree.api import untied_shares
from deadheat.core.errors import DataError
from deadheat.ranking import function as registry

GERMAN = [  # no ties within a judge; copeland's ranking has some
    [82.6, 63.2, 72.2, 82.2, 92.9, 72.3],
    [62.4, 63.4, 71.9, 84.4, 87.5, 87.1],
    [94.1, 86.6, 86.2, 83.2, 86.0, 88.5],
    [98.1, 67.0, 85.1, 64.8, 68.0, 96.1],
    [75.8, 82.1, 68.3, 79.9, 61.0, 82.7],
]
SMALL = [
    [0.51, 0.48, 0.22],
    [0.56, 0.56, 0.97],
    [0.07, 0.30, 0.17],
    [0.22, 0.32, 0.37],
    [0.96, 0.33, 0.48],
]


def table_of(scores, **options):
    return dh.Results(scores=np.asarray(scores, dtype=float), better="higher", **options)


@pytest.fixture
def own_registry(monkeypatch):
    registry.functions()
    monkeypatch.setattr(registry.FUNCTIONS, "_known", dict(registry.FUNCTIONS._known))


def broken(ranking):
    """Return every strict ranking that a ranking with ties may become."""
    ranking = np.asarray(ranking)
    strict = (np.array(p, dtype=float) for p in permutations(range(1, len(ranking) + 1)))
    above = ranking[:, None] < ranking
    return [p for p in strict if ((p[:, None] < p) | ~above).all()]


@pytest.mark.parametrize("seed", range(5))
def test_strict_correlations_are_the_means_over_all_ways_to_break_the_ties(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, (5, 6)).astype(float)
    scores[0] += 0.5  # no judge ties all
    weights = rng.integers(1, 4, 6)
    table = table_of(scores, judge_weights=weights)
    found = dh.agreement(table, by=["copeland", "median", "plurality"])
    for row in found.table("functions").rows():
        ranks = {r["candidate"]: r["rank"] for r in dh.rank(table, by=row["function"]).rows()}
        ways = broken([ranks[c] for c in table.candidates])
        for key, oracle in (
            ("strict_spearman", spearmanr),
            ("strict_tau_b", scipy.stats.kendalltau),
        ):
            each = [
                np.mean([oracle(-way, scores[:, j]).statistic for way in ways]) for j in range(6)
            ]
            assert row[key] == pytest.approx(np.average(each, weights=weights)), row["function"]


def test_a_ranking_without_ties_has_both_correlations_alike():
    assert untied_shares(np.array([2.0, 1, 3])) == (1, 1)
    assert untied_shares(np.array([2.0, 2, 2])) == (0, 0)
    assert untied_shares(np.array([1.0])) == (0, 0)


@pytest.mark.parametrize("scores", [GERMAN, SMALL])
def test_the_average_rank_and_kemeny_come_closest_to_judges_without_ties(scores):
    """By plain rho copeland beat the first, by plain tau-b the median the second: by ties alone."""
    table = table_of(scores)
    names = [f.name for f in registry.functions() if not f.slow and f.name != "relative_difference"]
    facts = dh.agreement(table, by=[*names, "kemeny"]).facts()
    assert max(facts["centrality_strict"].values()) == pytest.approx(
        facts["centrality_strict"]["average_rank"]
    )
    assert max(facts["centrality_strict_tau_b"].values()) == pytest.approx(
        facts["centrality_strict_tau_b"]["kemeny"]
    )
    assert "average_rank" in facts["most_central"]
    plain = max(facts["centrality"].values()) > facts["centrality"]["average_rank"] + 1e-3
    tau = max(facts["centrality_tau_b"].values()) > facts["centrality_tau_b"]["kemeny"] + 1e-3
    assert plain or tau  # so that the test is one


def test_no_strict_ranking_is_closer_than_the_average_rank():
    table = table_of(GERMAN)
    best = 0.0
    for order in permutations(range(1, 6)):
        each = [spearmanr(order, rankdata(-column)).statistic for column in table.scores.T]
        best = max(best, float(np.mean(each)))
    assert dh.agreement(table).facts()["centrality_strict"]["average_rank"] == pytest.approx(best)


def test_functions_stand_in_the_order_of_the_correlation_asked_for():
    table = table_of(np.random.default_rng(5).integers(0, 9, (7, 5)))
    found = dh.agreement(table)
    for correlation, key in (("spearman", "strict_spearman"), ("kendall", "strict_tau_b")):
        records = found.table("functions", correlation=correlation).rows()
        values = [row[key] for row in records]
        assert values == sorted(values, reverse=True)
    rho, tau = (
        [row["function"] for row in found.table("functions", c).rows()]
        for c in ("spearman", "kendall")
    )
    assert rho != tau


def test_one_function_is_not_said_to_come_closest():
    verdict = dh.agreement(table_of(SMALL), by="mean").verdict
    assert "The ranking by mean has a mean correlation of 0.90 with the judges." in verdict
    assert "closest" not in verdict


def test_rankings_that_are_far_from_everybody_are_not_said_to_come_close():
    opposite = np.column_stack([np.arange(6.0), -np.arange(6.0)])
    verdict = dh.agreement(table_of(opposite)).verdict
    assert "No ranking that was tried comes close to the judges (0.00 at best)." in verdict


def test_functions_that_are_about_as_close_are_counted():
    verdict = dh.agreement(table_of(GERMAN), by=["average_rank", "copeland", "mean"]).verdict
    central = dh.agreement(table_of(GERMAN)).facts()["centrality_strict"]
    assert 0 < central["average_rank"] - central["copeland"] < 0.01
    assert "(0.50), 1 other within 0.01 of that." in verdict
    two = dh.agreement(table_of(GERMAN), by=["average_rank", "copeland"]).verdict
    assert "All rankings that were tried are equally close to the judges (0.50)" in two
    assert "within 0.01 of each other" in two


@pytest.mark.usefixtures("own_registry")
def test_a_function_that_gives_somebody_no_merit_is_refused_by_name():
    @dh.ranks_table("nanny", scale="interval")
    def nanny(scores):
        merits = scores.mean(axis=1)
        merits[1] = np.nan
        return merits

    table = table_of(SMALL, candidates=list("abcde"))
    with pytest.raises(DataError, match="nanny gives no merit to 1 candidate: b"):
        dh.agreement(table, by=["mean", nanny])
    everything = dh.agreement(table, by="all")
    assert "nanny is left out: it gives no merit to 1 candidate: b." in everything.warnings
    assert "nanny" not in everything.facts()["centrality"]
