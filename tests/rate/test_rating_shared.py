"""What ratings tell about the authors' own table: 80 settings on 20 splits (EloML auc_scores)."""

from __future__ import annotations

import csv
from itertools import combinations

import numpy as np
import pytest

from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter
from deadheat.rate.calibration import calibration, goodness, rounds_like
from deadheat.rate.tunability import Rounds

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def table(shared_data):
    with (shared_data / "epp_auc_scores" / "auc_scores.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(row["model"] for row in rows))
    splits = list(dict.fromkeys(row["split"] for row in rows))
    scores = np.full((len(names), len(splits)), np.nan)
    for row in rows:
        scores[names.index(row["model"]), splits.index(row["split"])] = float(row["auc"])
    return names, scores


def test_the_model_misfits_although_the_deviance_is_below_its_degrees_of_freedom(table):
    _, scores = table
    pairs = pairs_of_rounds(scores)
    fitted = fit(pairs)
    found = goodness(fitted, rounds_like(scores, pairs, fitted.ratings), simulations=49)
    assert found.df == 80 * 79 // 2 - 79
    assert found.deviance.observed < found.df
    assert found.deviance.observed > 2 * found.deviance.mean
    assert found.deviance.p == 1 / 50


def test_circles_are_counted_one_by_one(table):
    _, scores = table
    won = (scores[:, None] > scores).sum(axis=2)
    beats = won > won.T
    circles = 0
    for a, b, c in combinations(range(len(scores)), 3):
        circles += bool(beats[a, b] and beats[b, c] and beats[c, a])
        circles += bool(beats[b, a] and beats[c, b] and beats[a, c])
    fitted = fit(pairs_of_rounds(scores))
    tables = rounds_like(scores, fitted.pairs, fitted.ratings)
    found = goodness(fitted, tables, simulations=0)
    assert found.triples.number == circles


def test_the_worst_pair_is_one_that_an_upset_makes(table):
    names, scores = table
    pairs = pairs_of_rounds(scores)
    found = calibration(pairs, fit(pairs).ratings)
    i, j = names.index("xgboost_8"), names.index("svm_5")
    assert {int(found.first[found.worst]), int(found.second[found.worst])} == {i, j}
    won = (scores[i] > scores[j]).mean() + (scores[i] == scores[j]).mean() / 2
    assert found.observed[found.worst] in (pytest.approx(won), pytest.approx(1 - won))


def test_a_small_gain_of_tuning_does_not_survive_the_other_half(table):
    """The best of 11 random forests seems to beat the first; on held-out splits it does not."""
    names, scores = table
    fitted = fit(pairs_of_rounds(scores))
    algorithms = [name.rsplit("_", 1)[0] for name in names]
    found = {
        one.algorithm: one
        for one in Rounds(
            scores=scores,
            weights=np.ones(scores.shape[1]),
            rate=lambda x, w: Refitter(fitted)(pairs_of_rounds(x, w)),
            halves=20,
        ).tunability(algorithms, {name: algorithms.index(name) for name in set(algorithms)})
    }
    forest = found["randomForest"].gain
    assert forest.difference > 0
    assert forest.held_out < forest.difference
    assert forest.held_out_wins == pytest.approx(0.5, abs=0.06)
    assert found["kknn"].gain.held_out_wins > 0.9
    assert found["randomForest"].range < found["gbm"].range
