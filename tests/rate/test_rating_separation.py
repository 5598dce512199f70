"""What is said between candidates of whom one never lost, against the binomial distribution."""

from __future__ import annotations

import json

import numpy as np
import pytest
from rate_logs import log, table

from deadheat.rate.api import rate
from deadheat.rate.evidence import difference_intervals

LEVELS = [(f"{a} {b} left", 20) for a in "bcd" for b in "bcd" if a != b]


def rated(source, **options):
    return rate(source, **{"replicates": 200, "simulations": 0} | options)


def wins(number, **options):
    return rated(log([("a b left", number)]), **options)


@pytest.mark.parametrize("number", [2, 8, 30])
@pytest.mark.parametrize("errors", ["bootstrap", "sandwich", "fisher"])
def test_who_never_lost_has_the_exact_binomial_bound(number, errors):
    """The smallest p under which so many wins of so many have probability alpha / 2."""
    from scipy.stats import binomtest

    exact = binomtest(number, number).proportion_ci(0.9, method="exact").low
    r = wins(number, errors=errors, alpha=0.1)
    assert r.p_beats("a", "b").low == pytest.approx(exact)
    assert r.p_beats("a", "b").high == 1
    assert r.p_beats("b", "a").low == 0
    assert r.p_beats("b", "a").high == pytest.approx(1 - exact)


def test_a_rating_without_an_end_is_null_in_strict_json():
    best, worst = wins(8).rows()
    low = np.log(0.025 ** (1 / 8) / (1 - 0.025 ** (1 / 8)))
    assert best["low"] == pytest.approx(low / 2)
    assert worst["high"] == pytest.approx(-low / 2)
    assert best["high"] is worst["low"] is best["se"] is worst["se"] is None
    r = wins(8)
    assert any("low or high is empty" in warning for warning in r.warnings)
    for found in (r, r.table("pairs"), r.table("matrix"), r.table("groups")):
        json.loads(found.to_json(), parse_constant=pytest.fail)
    (pair,) = r.table("pairs").rows()
    assert pair["low"] == pytest.approx(low)
    assert pair["high"] is None


def test_the_bound_of_two_who_never_met_is_conservative():
    """A chain of wins tells as much as Firth's interval; less than its weakest link does not."""
    r = rated(log([("a b left", 20), ("b c left", 20)]))
    i, j = np.array([0, 0, 1]), np.array([1, 2, 2])
    found = difference_intervals(r.evidence, i, j)
    assert (found.low <= found.values).all()
    assert found.low[1] > found.low[0] > 0
    np.testing.assert_array_equal(found.high, np.inf)
    assert [(row["low"] is None, row["high"] is None) for row in r.rows()] == [
        (False, True),
        (True, True),
        (True, False),
    ]


def test_within_a_part_resamples_tell_as_before():
    rows = [*LEVELS, ("a b left", 40)]
    r = rated(log(rows))
    i, j = np.array([1]), np.array([2])
    found = difference_intervals(r.evidence, i, j)
    gaps = r.evidence.replicates[:, 1] - r.evidence.replicates[:, 2]
    assert found.low == pytest.approx(np.quantile(gaps, 0.025), abs=0.05)
    assert found.high == pytest.approx(np.quantile(gaps, 0.975), abs=0.05)


def test_no_chain_of_wins_tells_nothing():
    """b and c lost all to a, and never met."""
    r = rated(log([("a b left", 10), ("a c left", 40)]))
    chance = r.p_beats("b", "c")
    assert (chance.low, chance.high) == (0, 1)
    assert r.groups == (("a",), ("b", "c"))


@pytest.mark.parametrize(("number", "groups"), [(1, 1), (2, 1), (4, 1), (5, 2), (8, 2)])
def test_groups_of_two_are_those_of_the_sign_test(number, groups):
    """2 ** -4 is above 5 %, 2 ** -5 below."""
    if number > 1:
        assert len(wins(number).groups) == groups
    assert len(wins(number, errors="fisher").groups) == groups
    strict = 2 if number > 5 else 1  # two-sided
    assert len(wins(number, errors="fisher", strict=True).groups) == strict


def test_ranks_have_room_for_whom_nothing_shows_worse():
    first, second = wins(2).rows()
    assert (first["rank_low"], first["rank_high"]) == (1, 2)
    assert (second["rank_low"], second["rank_high"]) == (1, 2)
    assert wins(30).rows()[0]["rank_high"] == 1


def test_a_lucky_leader_does_not_hide_who_is_worse_by_far():
    r = rated(log([("a b left", 1), ("b c left", 200), ("c b left", 1)]))
    assert r.groups == (("a", "b"), ("c",))


def test_clusters_and_rounds_are_what_is_independent():
    """Forty battles of two voters are two, and two rounds that all meet are no four."""
    voters = ["x", "y"] * 20
    r = rated(log([("a b left", 40)], cluster=voters))
    assert r.p_beats("a", "b").low == pytest.approx(0.025**0.5)
    assert len(r.groups) == 1
    rounds = rated(table(levels=(90.0, 0.0), rounds=4), pairing="all")
    assert rounds.p_beats("ada", "bob").low == pytest.approx(0.025**0.25)


def test_weights_are_no_matches():
    r = rated(log([("a b left", 3)], weight=[50.0] * 3))
    assert r.p_beats("a", "b").low == pytest.approx(0.025 ** (1 / 3))


def test_no_group_rests_on_fewer_units_than_a_test_needs():
    """Four rounds between equals end the same way once in sixteen times."""
    r = rated(table(levels=(3.0, 2.9, -3.0), rounds=4))
    assert len(r.groups) == 1
    assert "but 4 rounds are too few to show that it is better (EPP" in r.sentences[0]
    grid = r.grid()
    assert grid.legend == ()
    assert {cells[1] for cells in grid.cells} == {""}
    assert "group" not in {column.name for column in grid.columns}


@pytest.mark.parametrize("model", ["plackett-luce", "epp"])
def test_rankings_of_rounds_have_open_ends_too(model):
    r = rated(table(levels=(90.0, 0.0, 0.1), rounds=20), model=model)
    assert r.rows()[0]["high"] is None
    assert r.rows()[0]["low"] is not None


def test_an_advantage_does_not_close_the_ends():
    r = rated(log([("a b left", 8), ("b a right", 8)]), advantage=True)
    assert r.p_beats("a", "b").low == pytest.approx(0.025 ** (1 / 16))
    assert r.p_beats("a", "b").high == 1


def test_one_win_of_a_stranger_leaves_the_places_of_the_field_alone():
    """Somebody with a single match may stand anywhere: that moves the others by one place."""
    rng = np.random.default_rng(4)
    names = [f"p{k:02d}" for k in range(20)]
    matches: dict[str, int] = {}
    for i, j in (rng.choice(20, 2, replace=False) for _ in range(4_000)):
        outcome = "left" if rng.random() < 1 / (1 + np.exp(0.15 * (i - j))) else "right"
        met = f"{names[i]} {names[j]} {outcome}"
        matches[met] = matches.get(met, 0) + 1
    alone = rated(log(list(matches.items())))
    beside = rated(log([*matches.items(), ("stranger p07 left", 1)]))
    before = {row["candidate"]: row for row in alone.rows()}
    after = {row["candidate"]: row for row in beside.rows()}
    assert (after["stranger"]["rank_low"], after["stranger"]["rank_high"]) == (1, 21)
    assert after["stranger"]["first_share"] is None
    assert list(beside.too_few_matches(beside.alpha)) == [beside.at("stranger")]
    for name in names:
        for end in ("rank_low", "rank_high"):  # one place for the stranger, the rest is other draws
            assert abs(after[name][end] - before[name][end]) <= 3
        assert after[name]["first_share"] is not None
