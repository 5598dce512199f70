"""Battles of unequal weight: replicates, sandwich and calibration, against battle by battle."""

from __future__ import annotations

import numpy as np
import pytest
from rate_logs import NAMES, drawn

import deadheat as dh
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import CellPairs
from deadheat.models.rating.uncertainty import sandwich_of_battles
from deadheat.rate.matches import BattleMatches


def heavy(number=300, **more):
    """Return the columns of a log, and a log, some of whose battles weigh much more."""
    columns = drawn(number=number)
    weights = np.random.default_rng(5).lognormal(0, 1.5, number).round(4)
    return columns, weights, dh.Battles(**columns, weight=weights, **more)


def test_battles_of_one_cell_weigh_the_same():
    log = dh.Battles(left="aaaa", right="bbbb", winner=["left"] * 4, weight=[1, 3, 1, 0.5])
    assert log.battles.tolist() == [1, 2, 1]
    assert log.weights.tolist() == [0.5, 2, 3]


@pytest.mark.parametrize("more", [{"cluster": [1, 1, 2, 1]}, {"category": ["x"] * 4}])
def test_cells_with_labels_keep_weights_apart(more):
    log = dh.Battles(left="aaaa", right="bbbb", winner=["left"] * 4, weight=[1, 3, 1, 1], **more)
    assert log.battles.sum() == 4
    assert set(log.weights / log.battles) == {1, 3}


def test_counted_rows_keep_their_weights_apart(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("left,right,won,lost,w\na,b,2,1,1\na,b,3,0,4\n")
    log = dh.read_battles(path, left_wins="won", right_wins="lost", weight="w")
    assert log.total == 6
    assert sorted(zip(log.battles.tolist(), log.weights.tolist(), strict=True)) == [
        (1, 1),
        (2, 2),
        (3, 12),
    ]


def test_the_sandwich_is_that_of_single_battles():
    """The scores of battles, one by one: V = H^-1 sum(u u') H^-1."""
    columns, weights, log = heavy()
    found = fit(CellPairs(log).counts())
    ratings = dict(zip(log.candidates, found.ratings, strict=True))
    meat, hessian = np.zeros((4, 4)), np.zeros((4, 4))
    for left, right, who, weight in zip(*columns.values(), weights, strict=True):
        x = np.zeros(4)
        x[log.candidates.index(left)], x[log.candidates.index(right)] = 1, -1
        p = 1 / (1 + np.exp(ratings[right] - ratings[left]))
        score = weight * ({"left": 1, "right": 0, "tie": 0.5}[who] - p) * x
        meat += np.outer(score, score)
        hessian += weight * p * (1 - p) * np.outer(x, x)
    bread = np.linalg.pinv(hessian)
    np.testing.assert_allclose(sandwich_of_battles(found, log), bread @ meat @ bread, atol=1e-9)


def test_replicates_vary_as_single_battles_do():
    """The variance of each count of the bootstrap is N times that of one drawn battle."""
    columns, weights, log = heavy(number=60)
    matches = BattleMatches(battles=log, replicates=4_000, seed=0)
    found = np.concatenate(
        [p.wins[:asked] for k in matches.parts for p, asked in matches.draw_pairs(k)]
    )
    for p, (i, j) in enumerate(zip(matches.pairs.first, matches.pairs.second, strict=True)):
        a, b = log.candidates[i], log.candidates[j]
        won = np.array(
            [
                weight * ((left, right, who) in {(a, b, "left"), (b, a, "right")})
                for left, right, who, weight in zip(*columns.values(), weights, strict=True)
            ]
        )
        assert found[:, p].var() == pytest.approx(60 * won.var(), rel=0.15)


def test_equal_weights_change_no_replicate():
    columns = drawn(number=60)
    one, ten = (
        dh.rate(dh.Battles(**columns, weight=[w] * 60), replicates=100, simulations=19)
        for w in (1.0, 10.0)
    )
    np.testing.assert_allclose(one.evidence.replicates, ten.evidence.replicates, atol=1e-7)
    assert one.facts()["deviance_p"] == ten.facts()["deviance_p"]


def test_unequal_weights_calibrate_nothing():
    facts = dh.rate(heavy()[2], replicates=100, simulations=19).facts()
    assert facts["simulations"] == 0
    assert np.isnan(facts["deviance_p"])


def test_luck_counts_matches_and_not_their_weight():
    columns, number = drawn(number=100), 100
    more = {"left": ["top"], "right": [NAMES[0]], "winner": ["left"]}
    log = {name: [*columns[name], *more[name]] for name in columns}
    r = dh.rate(dh.Battles(**log, weight=[1] * number + [50]), replicates=100, simulations=0)
    assert r.too_few_matches(r.alpha)[r.at("top")] == 1
