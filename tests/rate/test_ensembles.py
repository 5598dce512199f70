"""Ensembles in a table of scores, beside their members."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError

NAMES = ["rf", "xgb", "knn", "rf+xgb", "knn+xgb+rf"]
QUICK = {"errors": "sandwich", "simulations": 0}


def table(names=NAMES):
    rng = np.random.default_rng(6)
    levels = np.array([0, 0.3, -0.8, 0.5, 0.4])[: len(names), None]
    scores = levels + rng.normal(size=(len(names), 30))
    return dh.Results(scores=scores, candidates=names, better="higher")


def test_an_ensemble_stands_beside_its_members_and_what_is_left_without_them():
    r = dh.rate(table(), teams="+", **QUICK)
    plain = dh.rate(table(), **QUICK)
    assert r.ratings.tolist() == plain.ratings.tolist()  # no model of how members add up
    rows = {(row["ensemble"], row["member"]): row for row in r.table("ensembles").rows()}
    assert len(rows) == 5
    pairs = {(row["first"], row["second"]): row for row in plain.table("pairs").rows()}
    both = rows["rf+xgb", "rf"]
    expected = pairs["rf+xgb", "rf"]
    assert [both[key] for key in ("gain", "low", "high", "p_beats")] == pytest.approx(
        [expected[key] for key in ("difference", "low", "high", "p_beats")]
    )
    assert both["without"] == "xgb"
    assert both["adds"] == pytest.approx(rows["rf+xgb", "xgb"]["gain"])
    three = rows["knn+xgb+rf", "knn"]
    assert three["without"] == "rf+xgb"  # whatever the order of its members
    assert three["adds"] == pytest.approx(r.ratings[4] - r.ratings[3])
    assert rows["knn+xgb+rf", "rf"]["without"] is None
    assert rows["knn+xgb+rf", "rf"]["adds"] is None
    sentence = r.table("ensembles").sentence
    assert sentence.startswith("knn+xgb+rf beats xgb, its best member, in")


@pytest.mark.parametrize(
    ("names", "teams", "error", "fact"),
    [
        (["rf", "xgb", "knn"], "+", DataError, "no candidate is made of others"),
        (["rf", "a+b", "c+d"], "+", DataError, "no candidate is made of others"),
        (["rf", "xgb", "rf+"], "+", DataError, "empty member"),
        (["rf", "xgb", "rf+rf"], "+", DataError, "a member twice"),
        (NAMES, None, UsageError, "about candidates made of others"),
    ],
)
def test_what_is_no_ensemble_is_told(names, teams, error, fact):
    with pytest.raises(error, match=fact):
        dh.rate(table(names), teams=teams, **QUICK).table("ensembles")


def test_the_members_of_a_log_are_rated_and_their_teams_are_not():
    log = dh.Battles(left=["a+b", "c+d", "a+c", "b+c"] * 2, right=["c+d", "a+b", "b+d", "a+d"] * 2,
                     winner=["left", "right"] * 2 + ["right", "left"] * 2)  # fmt: skip
    r = dh.rate(log, teams="+", errors="fisher", simulations=0)
    with pytest.raises(UsageError, match="about candidates made of others"):
        r.table("ensembles")
