"""The counts of a draw with replacement, whichever way they are drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from deadheat.resampling.draws import CODES, SMALL, _codes, multiplicities, stream


@pytest.mark.parametrize("size", [1, 2, 5, SMALL - 1, SMALL, 100, 3_000])
def test_every_row_draws_as_many_as_there_are(size):
    drawn = multiplicities(stream(3), 400, size)
    assert drawn.shape == (400, size)
    assert (drawn >= 0).all()
    assert (drawn == np.rint(drawn)).all()
    assert (drawn.sum(axis=1) == size).all()


@pytest.mark.parametrize("size", [5, SMALL - 1, SMALL, 150])
def test_a_count_is_binomial(size):
    """By the formula of the binomial distribution, on both sides of where the method changes."""
    rows = 400_000 // size
    drawn = multiplicities(stream(1), rows, size)
    for count in range(5):
        p = math.comb(size, count) / size**count * (1 - 1 / size) ** (size - count)
        share = (drawn == count).mean()
        assert share == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / (rows * size)))


@pytest.mark.parametrize("size", [6, SMALL, SMALL + 6])
def test_two_counts_are_negatively_correlated(size):
    """The covariance of two multinomial counts is -1/size: independent counts would have none."""
    drawn = multiplicities(stream(2), 60_000, size)
    covariance = np.cov(drawn.T)
    off = covariance[~np.eye(size, dtype=bool)].mean()
    assert np.diag(covariance).mean() == pytest.approx(1 - 1 / size, rel=0.02)
    assert off == pytest.approx(-1 / size, rel=0.03)


def test_no_place_is_preferred():
    drawn = multiplicities(stream(7), 20_000, 200)
    error = math.sqrt(1 / 20_000)
    assert np.abs(drawn.mean(axis=0) - 1).max() < 5 * error


@pytest.mark.parametrize("mean", [0.4, 0.7, 0.95, 0.997])
def test_codes_and_rest_add_up_to_the_poisson_distribution(mean):
    first, unsettled, rest = _codes(mean)
    bounds = np.concatenate([[0], first.astype(float), [float(unsettled)]])
    owned = np.diff(bounds) / CODES
    left = 1 - float(unsettled) / CODES
    of_rest = np.diff(np.concatenate([[0.0], rest, [1.0]])) * left
    for count in range(12):
        p = math.exp(-mean) * mean**count / math.factorial(count)
        mine = (owned[count] if count < len(owned) else 0.0) + of_rest[count]
        assert mine == pytest.approx(p, abs=1e-15)


def test_a_row_whose_numbers_run_over_is_drawn_afresh(monkeypatch):
    """With a mean of 1 half of the rows have too many: they too must come out right."""
    monkeypatch.setattr("deadheat.resampling.draws.SHORT_BY", 0.0)
    drawn = multiplicities(stream(4), 20_000, 80)
    assert (drawn.sum(axis=1) == 80).all()
    assert (drawn == 0).mean() == pytest.approx((1 - 1 / 80) ** 80, abs=0.002)


def test_streams_depend_on_seed_and_key():
    def numbers(*key):
        return stream(*key).random(3).tolist()

    assert numbers(1, 2) == numbers(1, 2)
    assert len({tuple(numbers(*key)) for key in ((1, 2), (2, 1), (1, 3), (1,))}) == 4
