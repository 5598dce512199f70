"""Online Elo against a literal loop and evalica, and the slip of the paper."""

from __future__ import annotations

import evalica
import numpy as np
import pytest

from deadheat.core.errors import UsageError
from deadheat.models.rating import online as module
from deadheat.models.rating.online import elo, random_order


def stream(battles, n, seed):
    rng = np.random.default_rng(seed)
    left = rng.integers(0, n, battles)
    right = (left + rng.integers(1, n, battles)) % n
    return left, right, rng.integers(-1, 2, battles)


def literal(left, right, outcome, n, *, k, start=1500.0):
    ratings = [start] * n
    for i, j, result in zip(left, right, outcome, strict=True):
        expected_i = 1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400))
        actual_i = {1: 1.0, 0: 0.5, -1: 0.0}[int(result)]
        ratings[i], ratings[j] = (
            ratings[i] + k * (actual_i - expected_i),
            ratings[j] + k * ((1 - actual_i) - (1 - expected_i)),
        )
    return ratings


def test_a_literal_loop_gives_the_same_ratings():
    battles = stream(300, 6, 0)
    found = elo(*battles, 6, k=20, start=1000)
    expected = literal(*battles, 6, k=20, start=1000)
    np.testing.assert_allclose(found.ratings, expected, rtol=1e-12)
    assert found.spread is None


def test_evalica_gives_the_same_ratings():
    left, right, outcome = stream(500, 7, 1)
    winner = {1: evalica.Winner.X, 0: evalica.Winner.Draw, -1: evalica.Winner.Y}
    peer = evalica.elo(
        [str(i) for i in left],
        [str(j) for j in right],
        [winner[int(result)] for result in outcome],
        initial=1000.0,
        k=8.0,
    )
    found = elo(left, right, outcome, 7, k=8, start=1000)
    np.testing.assert_allclose(found.ratings, peer.scores.sort_index(), rtol=1e-10)


def test_who_is_200_points_ahead_is_expected_to_win_76_percent():
    """The paper's exponent (spec.md P1) would say 24 %."""
    won = elo([0], [1], [1], 2, k=1, start=[1700, 1500])
    assert 1 - (won.ratings[0] - 1700) == pytest.approx(0.7597, abs=5e-5)


def test_a_stream_can_be_rated_in_pieces():
    left, right, outcome = stream(100, 4, 2)
    first = elo(left[:40], right[:40], outcome[:40], 4)
    second = elo(left[40:], right[40:], outcome[40:], 4, start=first.ratings)
    np.testing.assert_array_equal(second.ratings, elo(left, right, outcome, 4).ratings)


def test_a_weight_scales_the_move():
    heavy = elo([0], [1], [1], 2, k=10, weights=[3])
    np.testing.assert_allclose(heavy.ratings, elo([0], [1], [1], 2, k=30).ratings)


def test_shuffles_average_over_orders():
    battles = np.stack(stream(60, 5, 3))
    runs = [literal(*battles[:, random_order(60, 9, s)], 5, k=30) for s in range(40)]
    found = elo(*battles, 5, k=30, shuffles=40, seed=9)
    np.testing.assert_allclose(found.ratings, np.mean(runs, axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.spread, np.std(runs, axis=0, ddof=1), rtol=1e-9)
    assert found.spread.min() > 0


def test_every_order_is_a_permutation_and_they_differ():
    orders = np.stack([random_order(20, 0, s) for s in range(5)])
    np.testing.assert_array_equal(np.sort(orders, axis=1), np.tile(np.arange(20), (5, 1)))
    assert len({tuple(order) for order in orders}) == 5


@pytest.mark.parametrize("numbers", [60, 60 * 7, 60 * 33])
def test_how_many_orders_are_played_at_once_changes_nothing(monkeypatch, numbers):
    battles = stream(60, 5, 3)
    whole = elo(*battles, 5, shuffles=50)
    monkeypatch.setattr(module, "WORKING_SET", numbers)
    part = elo(*battles, 5, shuffles=50)
    np.testing.assert_allclose(part.ratings, whole.ratings, rtol=1e-13)
    np.testing.assert_allclose(part.spread, whole.spread, rtol=1e-7)


def test_one_order_has_no_spread():
    assert np.isnan(elo([0], [1], [1], 2, shuffles=1).spread).all()


def test_an_absurd_lead_does_not_overflow():
    assert np.isfinite(elo([0], [1], [1], 2, start=[0.0, 1e9]).ratings).all()


def test_a_negative_number_of_orders_is_refused():
    with pytest.raises(UsageError, match="shuffles"):
        elo([0], [1], [1], 2, shuffles=-1)
