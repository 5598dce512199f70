"""Tests of pairs of ratings and tie groups, against loops and the machinery of verdicts."""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.rate.evidence import RatingEvidence, rating_groups, rating_tests
from deadheat.statistics.evidence import spread


def evidence(ratings, noise=0.3, size=400, seed=0):
    rng = np.random.default_rng(seed)
    ratings = np.asarray(ratings, dtype=float)
    replicates = ratings + noise * rng.normal(size=(size, len(ratings)))
    return RatingEvidence(ratings=ratings, replicates=replicates)


def holm_by_hand(p):
    """Return adjusted p-values: multiply by the number of hypotheses left, keep them rising."""
    found, largest = dict.fromkeys(p), 0.0
    for step, pair in enumerate(sorted(p, key=p.get)):
        largest = max(largest, min(1.0, p[pair] * (len(p) - step)))
        found[pair] = largest
    return found


@given(seed=st.integers(0, 30))
def test_holm_over_the_shares_of_replicates(seed):
    given_ = evidence([0.6, 0.2, 0.0], seed=seed, size=99)
    p = {}
    for i in range(3):
        for j in range(i + 1, 3):
            gaps = given_.replicates[:, i] - given_.replicates[:, j]
            tail = min((gaps <= 0).sum(), (gaps >= 0).sum())
            p[i, j] = min(1.0, 2 * (tail + 1) / 100)
    expected = holm_by_hand(p)
    found = rating_tests(given_, test="holm", alpha=0.1)
    for (i, j), value in expected.items():
        assert found.p[i, j] == found.p[j, i] == pytest.approx(value)
        ahead = given_.ratings[i] > given_.ratings[j]
        assert found.better[i, j] == (ahead and value <= 0.1)


def test_holm_over_wald_has_one_degree_of_freedom():
    sigma = np.diag([0.1, 0.2, 0.3]) - 0.02
    given_ = RatingEvidence(ratings=np.array([1.0, 0.1, -1.1]), covariance=sigma)
    p = {}
    for i in range(3):
        for j in range(i + 1, 3):
            error = sqrt(sigma[i, i] + sigma[j, j] - 2 * sigma[i, j])
            p[i, j] = erfc(abs(given_.ratings[i] - given_.ratings[j]) / error / sqrt(2))
    found = rating_tests(given_)
    assert found.method == "wald with holm"
    for (i, j), value in holm_by_hand(p).items():
        assert found.p[i, j] == pytest.approx(value)


def test_max_t_steps_down_over_replicates():
    given_ = evidence([1.0, 0.5, 0.0, 0.0], size=199)
    gaps = {}
    for i in range(4):
        for j in range(i + 1, 4):
            d = given_.replicates[:, i] - given_.replicates[:, j]
            o = given_.ratings[i] - given_.ratings[j]
            gaps[i, j] = abs(o) / d.std(ddof=1), np.abs(d - o) / d.std(ddof=1)
    order = sorted(gaps, key=lambda pair: gaps[pair][0], reverse=True)
    largest = 0.0
    found = rating_tests(given_)
    for step, (i, j) in enumerate(order):
        maximum = np.max([gaps[pair][1] for pair in order[step:]], axis=0)
        largest = max(largest, (1 + (maximum >= gaps[i, j][0]).sum()) / 200)
        assert found.p[i, j] == pytest.approx(largest)


def test_groups_of_clear_and_of_close_ratings():
    given_ = evidence([3.0, 0.05, 0.0, -3.0])
    found = rating_groups(given_)
    assert [set(group) for group in found.groups.members] == [{0}, {1, 2}, {3}]
    assert found.tests is None
    around = spread(given_.replicates, alpha=0.05, unit=1.0)
    np.testing.assert_array_equal(found.rank_low, around.rank_low)


def test_strict_groups_show_the_tests_of_all_pairs():
    given_ = evidence([3.0, 0.05, 0.0, -3.0])
    for test in ("max-t", "holm"):
        found = rating_groups(given_, strict=True, test=test)
        assert [set(group) for group in found.groups.members] == [{0}, {1, 2}, {3}]
        np.testing.assert_array_equal(found.rank_low, [1, 2, 2, 4])
        np.testing.assert_array_equal(found.rank_high, [1, 3, 3, 4])
    assert rating_groups(given_, strict=True).tests.method == "max-t with fixed errors"


def test_a_covariance_is_enough_for_groups():
    sigma = 0.01 * np.eye(4)
    given_ = RatingEvidence(ratings=np.array([0.0, 3.0, -3.0, 0.05]), covariance=sigma)
    for strict in (False, True):
        found = rating_groups(given_, strict=strict)
        assert [set(group) for group in found.groups.members] == [{1}, {0, 3}, {2}]
        assert found.first is None
    plain = rating_groups(given_)
    assert plain.rank_low is None
    first = plain.groups.rounds[0]
    assert first.leader == 1
    z = 3.0 / sqrt(0.02)
    assert first.p[list(first.others).index(0)] == pytest.approx(erfc(z / sqrt(2)) / 2)


def test_equal_ratings_share_a_group():
    given_ = RatingEvidence(ratings=np.zeros(3), covariance=np.zeros((3, 3)))
    for strict in (False, True):
        assert [set(g) for g in rating_groups(given_, strict=strict).groups.members] == [{0, 1, 2}]


def test_unknown_tests_and_missing_replicates_are_refused():
    given_ = RatingEvidence(ratings=np.zeros(3), covariance=np.eye(3))
    with pytest.raises(UsageError, match="max-t needs replicates"):
        rating_tests(given_, test="max-t")
    with pytest.raises(UnknownNameError, match="Did you mean 'holm'"):
        rating_tests(given_, test="holmes")


def test_every_pair_has_its_p_value_alone_and_among_all_pairs():
    """A win of every one of 12 rounds has 2 ** -11 on two sides; the exact test of one way."""
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(4, 12)) + np.array([0.8, 0.4, 0.0, -50])[:, None]
    table = dh.Results(scores=scores, candidates=list("abcd"), better="higher")
    rows = dh.rate(table, replicates=200, simulations=0).table("pairs").rows()
    for row in rows:
        i, j = "abcd".index(row["first"]), "abcd".index(row["second"])
        assert (row["won"], row["lost"]) == (
            (scores[i] > scores[j]).sum(),
            (scores[i] < scores[j]).sum(),
        )
        assert row["tied"] == 0
    alone, corrected = (np.array([row[key] for row in rows]) for key in ("p_value", "p_adjusted"))
    last = np.array([row["second"] == "d" for row in rows])
    assert alone[last] == pytest.approx(2.0**-11)
    assert (alone[~last] > 2.0**-11).all()
    within = np.maximum.accumulate(np.sort(alone[~last]) * np.array([3, 2, 1])).clip(max=1)
    assert np.sort(corrected[~last]) == pytest.approx(within)
    strict = dh.rate(table, replicates=200, simulations=0, strict=True)
    tests = strict.grouped.tests
    for row in strict.table("pairs").rows():
        i, j = "abcd".index(row["first"]), "abcd".index(row["second"])
        assert row["p_adjusted"] == tests.p[i, j]
    log = dh.Battles(left="abcab" * 3, right="bcaba" * 3, winner=(["left"] * 4 + ["right"]) * 3,
                     ordered=True)  # fmt: skip
    online = dh.rate(log, model="elo", replicates=100)
    assert "not known for the model elo" in online.table("pairs").sentence
