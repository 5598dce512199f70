"""Tunability against literal loops over halves, and under settings that are truly equal."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.core.errors import UsageError
from deadheat.rate import tunability as held_out
from deadheat.rate.tunability import Rounds, halves_of


def rate(scores, weights):
    """Rate by weighted means over rounds, whatever is missing left out: simple and exact."""
    there = ~np.isnan(scores)
    means = weights @ np.where(there, scores, 0.0).T / (weights @ there.T)
    return means - means.mean(axis=1, keepdims=True)


def rounds(scores, **more):
    return Rounds(scores=scores, weights=np.ones(scores.shape[1]), rate=rate, **more)


def tunability(scores, *, algorithms, defaults, **more):
    return rounds(scores, **more).tunability(list(algorithms), defaults)


def mean_on(scores, rounds):
    means = np.array([np.mean([row[s] for s in rounds]) for row in scores])
    return means - means.mean()


def best_of(settings, ratings):
    """Return who has the highest mean, the first of those whose means differ by rounding alone."""
    return max(settings, key=lambda i: round(ratings[i], 9))


def gain_by_hand(scores, settings, references):
    """Choose on every half of the rounds, of either size, and measure on the rest."""
    rounds = range(scores.shape[1])
    sizes = {scores.shape[1] // 2, -(-scores.shape[1] // 2)}
    gaps, wins = [], []
    for size in sizes:
        for chosen in combinations(rounds, size):
            here = mean_on(scores, chosen)
            rest = [s for s in rounds if s not in chosen]
            there = mean_on(scores, rest)
            ours, theirs = best_of(settings, here), best_of(references, here)
            gaps.append(there[ours] - there[theirs])
            for s in rest:
                gap = scores[ours, s] - scores[theirs, s]
                wins.append(1.0 if gap > 0 else 0.5 if gap == 0 else 0.0)
    return np.mean(gaps), np.mean(wins), len(gaps)


def logistic(x):
    return 1 / (1 + np.exp(-x))


@given(seed=st.integers(0, 99), rounds=st.integers(2, 7))
def test_gains_are_those_of_loops_over_all_halves(seed, rounds):
    scores = np.random.default_rng(seed).normal(size=(6, rounds)).round(1)
    algorithms = ["svm", "svm", "forest", "svm", "forest", "net"]
    defaults = {"svm": 1, "forest": 2, "net": 5}
    found = {t.algorithm: t for t in tunability(scores, algorithms=algorithms, defaults=defaults)}
    ratings = mean_on(scores, range(rounds))
    for name, settings, default in (("svm", [0, 1, 3], 1), ("forest", [2, 4], 2)):
        best = best_of(settings, ratings)
        own = [ratings[i] for i in settings]
        t = found[name]
        assert t.best == t.gain.chosen == best
        assert t.range == pytest.approx(max(own) - min(own))
        assert t.sd == pytest.approx(np.std(own, ddof=1))
        assert t.gain.difference == pytest.approx(ratings[best] - ratings[default])
        assert t.gain.probability == pytest.approx(logistic(ratings[best] - ratings[default]))
        gap, wins, number = gain_by_hand(scores, settings, [default])
        assert t.gain.halves == number
        assert t.gain.held_out == pytest.approx(gap)
        assert t.gain.held_out_probability == pytest.approx(logistic(gap))
        assert t.gain.held_out_wins == pytest.approx(wins)
    assert found["net"].gain.difference == found["net"].gain.held_out == 0
    assert np.isnan(found["net"].sd)
    assert found["net"].range == found["net"].iqr == 0


def test_the_box_of_a_box_plot():
    """Five ratings 0, 1, 2, 3, 10: quartiles 1 and 3."""
    scores = np.array([[0.0, 0], [1, 1], [2, 2], [3, 3], [10, 10]])
    found = tunability(scores, algorithms=["a"] * 5, defaults={"a": 0})[0]
    assert (found.iqr, found.range, found.best) == (2.0, 10.0, 4)
    assert found.settings.tolist() == [0, 1, 2, 3, 4]


def test_the_latest_settings_against_the_best_before():
    scores = np.random.default_rng(5).normal(size=(6, 4))
    found = rounds(scores).gain(np.array([1, 2]), np.array([3, 0, 5]))
    ratings = mean_on(scores, range(4))
    chosen = max([1, 2], key=lambda i: ratings[i])
    incumbent = max([3, 0, 5], key=lambda i: ratings[i])
    assert (found.chosen, found.reference) == (chosen, incumbent)
    assert found.probability == pytest.approx(logistic(ratings[chosen] - ratings[incumbent]))
    gap, wins, _ = gain_by_hand(scores, [1, 2], [3, 0, 5])
    assert found.held_out == pytest.approx(gap)
    assert found.held_out_wins == pytest.approx(wins)


def test_equal_settings_gain_nothing_once_the_choice_is_held_out():
    """Twenty settings that differ by noise alone: the best seems better, and is not."""
    seen, held, won = [], [], []
    for seed in range(60):
        scores = np.random.default_rng(seed).normal(size=(20, 20))
        gain = tunability(scores, algorithms=["a"] * 20, defaults={"a": 0}, halves=40)[0].gain
        seen.append(gain.difference)
        held.append(gain.held_out)
        won.append(gain.held_out_wins)
    assert np.mean(seen) > 0.3
    assert abs(np.mean(held)) < 4 * np.std(held) / np.sqrt(60)
    assert abs(np.mean(held)) < 0.1
    assert np.mean(won) == pytest.approx(0.5, abs=0.03)


def test_a_real_gain_survives():
    scores = np.random.default_rng(1).normal(size=(5, 20)) + np.array([[0], [0], [3], [0], [0]])
    gain = tunability(scores, algorithms=["a"] * 5, defaults={"a": 0})[0].gain
    assert gain.chosen == 2
    assert gain.held_out == pytest.approx(3, abs=0.7)
    assert gain.held_out_wins > 0.9


def test_one_round_has_no_halves():
    gain = tunability(np.array([[1.0], [2]]), algorithms="aa", defaults={"a": 0})[0].gain
    assert gain.difference == 1
    assert gain.halves == 0
    assert np.isnan([gain.held_out, gain.held_out_probability, gain.held_out_wins]).all()


def test_rounds_without_both_are_no_wins():
    scores = np.array([[1.0, np.nan, 1, 1], [2, 2, 2, np.nan]])
    gain = tunability(scores, algorithms="aa", defaults={"a": 0}, halves=2)[0].gain
    assert gain.held_out_wins == 1
    apart = np.array([[1.0, 1, np.nan, np.nan], [np.nan, np.nan, 2, 2]])
    chosen = np.array([[True, False, True, False], [False, True, False, True]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "halves_of", lambda *_, **__: chosen)
        gain = tunability(apart, algorithms="aa", defaults={"a": 0})[0].gain
    assert np.isnan(gain.held_out_wins)


@pytest.mark.parametrize("rounds", [2, 3, 4, 5, 6])
def test_few_rounds_give_every_half_once(rounds):
    found = halves_of(rounds, most=1000, seed=0)
    sizes = {rounds // 2, -(-rounds // 2)}
    expected = {frozenset(c) for size in sizes for c in combinations(range(rounds), size)}
    halves = [frozenset(np.flatnonzero(row).tolist()) for row in found]
    assert set(halves) == expected
    assert len(halves) == len(expected)
    assert all(halves[k] | halves[k ^ 1] == set(range(rounds)) for k in range(len(halves)))


def test_many_rounds_give_random_halves_and_their_complements():
    found = halves_of(21, most=50, seed=4)
    assert found.shape == (50, 21)
    np.testing.assert_array_equal(found[::2], ~found[1::2])
    assert set(found[::2].sum(axis=1).tolist()) == {10}
    assert len(np.unique(found, axis=0)) > 45
    np.testing.assert_array_equal(found, halves_of(21, most=50, seed=4))
    assert (found != halves_of(21, most=50, seed=5)).any()


def test_halves_in_parts_are_the_same_halves(monkeypatch):
    scores = np.random.default_rng(7).normal(size=(4, 9))
    ask = {"algorithms": "aaaa", "defaults": {"a": 0}}
    whole = tunability(scores, **ask)[0].gain
    monkeypatch.setattr(held_out, "WORKING_SET", 100)
    assert tunability(scores, **ask)[0].gain == whole


def test_wrong_requests_are_refused():
    scores = np.zeros((3, 4))
    with pytest.raises(UsageError, match="candidate 2 is named as the default of 'a'"):
        tunability(scores, algorithms=["a", "a", "b"], defaults={"a": 2, "b": 2})
