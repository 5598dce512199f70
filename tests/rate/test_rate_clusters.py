"""Clusters of rounds and of battles: sandwich, replicates and calibration, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from rate_logs import NAMES, drawn

import deadheat as dh
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import pairs_of_rounds
from deadheat.models.rating.plackett_luce import plackett_luce
from deadheat.models.rating.uncertainty import sandwich_of_rounds
from deadheat.rate.matches import BattleMatches

CLUSTER = np.repeat(np.arange(8), 3)


def clustered_scores():
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(4, 8))[:, CLUSTER]
    return 2 * shared + 0.5 * rng.normal(size=(4, 24)) + np.array([0.5, 0.2, 0, -0.3])[:, None]


def influence(ratings_of):
    """Return sums over clusters of the derivatives of ratings by the weight of each round."""
    size = 1e-4
    moved = np.array([ratings_of(np.eye(24)[s] * size) for s in range(24)])
    rows = (moved - ratings_of(np.zeros(24))) / size
    return np.array([rows[np.equal(CLUSTER, c)].sum(axis=0) for c in range(8)])


@pytest.mark.parametrize("pairing", ["same", "all"])
def test_sandwich_of_rounds_takes_clusters_as_units(pairing):
    scores = clustered_scores()

    def ratings(more):
        return fit(pairs_of_rounds(scores, 1 + more[None], pairing=pairing).of_replicate(0)).ratings

    found = fit(pairs_of_rounds(scores, np.ones((1, 24)), pairing=pairing).of_replicate(0))
    by_cluster = influence(ratings)
    np.testing.assert_allclose(
        sandwich_of_rounds(found, scores, pairing=pairing, clusters=CLUSTER.tolist()),
        by_cluster.T @ by_cluster * 8 / 7,
        rtol=2e-3,
        atol=1e-4,
    )


def test_sandwich_of_rankings_takes_clusters_as_units():
    ranks = np.argsort(np.argsort(-clustered_scores(), axis=0), axis=0).T + 1.0
    by_cluster = influence(lambda more: plackett_luce(ranks, weights=1 + more).ratings)
    np.testing.assert_allclose(
        plackett_luce(ranks).sandwich(CLUSTER.tolist()),
        by_cluster.T @ by_cluster * 8 / 7,
        rtol=2e-3,
        atol=1e-4,
    )


@pytest.mark.parametrize("model", ["epp", "plackett-luce"])
def test_rate_hands_the_clusters_of_a_table_to_the_sandwich(model):
    labels = [f"c{c}" for c in CLUSTER]
    apart, whole = (
        dh.Results(scores=clustered_scores(), candidates=NAMES, better="higher", clusters=clusters)
        for clusters in (None, labels)
    )
    ask = {"model": model, "errors": "sandwich", "simulations": 0}
    one, other = dh.rate(apart, **ask), dh.rate(whole, **ask)
    assert (other.evidence.errors > 1.3 * one.evidence.errors).all()
    assert "clusters of rounds" in other.drawn


def voters(**more):
    columns = drawn(number=200)
    return dh.Battles(**columns, cluster=np.random.default_rng(2).integers(0, 30, 200), **more)


def test_replicates_of_clusters_are_sums_over_the_drawn_ones():
    log = voters(weight=np.random.default_rng(3).integers(1, 4, 200))
    matches = BattleMatches(battles=log, replicates=20, seed=4)
    found, asked = next(matches.draw_pairs(0))
    assert asked == 20
    times, _ = next(matches._by_cluster[1].times_in_tiles(0, len(found.wins)))
    np.testing.assert_allclose(times.sum(axis=1), 30)
    assert (times > 0).all()
    expected = matches.cells.counts(times[:, log.clusters] * log.weights)
    for name in ("wins", "losses", "ties"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("case", ["battles", "rounds"])
def test_clusters_calibrate_nothing(case):
    """A test that takes matches of a cluster as independent rejects models that are true."""
    labels = [f"c{c}" for c in CLUSTER]
    rounds = dh.Results(scores=clustered_scores(), better="higher", clusters=labels)
    source = voters() if case == "battles" else rounds
    facts = dh.rate(source, errors="sandwich", simulations=19).facts()
    assert facts["simulations"] == 0
    assert np.isnan(facts["deviance_p"])
    assert facts["deviance"] > 0
