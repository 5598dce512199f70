"""Contextual ratings against published numbers and a plain logistic likelihood."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from context_cases import battles, coefficients, highest, information, literal, rows

from deadheat.core.errors import DataError, UsageError
from deadheat.models.rating.contextual import (
    Likelihood,
    contextual,
    contextual_fisher,
    contextual_sandwich,
    design_of,
    linearly_separated,
)
from deadheat.models.rating.newton import climb


@pytest.fixture(scope="module")
def baseball(shared_data):
    with (shared_data / "bradleyterry2" / "baseball.csv").open() as file:
        games = list(csv.DictReader(file))
    teams = sorted({game["home.team"] for game in games})
    home, away = (
        [teams.index(game[side]) for game in games] for side in ("home.team", "away.team")
    )
    won, lost = ([float(game[side]) for game in games] for side in ("home.wins", "away.wins"))
    return home * 2, away * 2, [1] * len(won) + [-1] * len(lost), won + lost


@pytest.mark.shared
def test_playing_at_home(baseball):
    """Agresti (2002), table 10.11, and the tests of BradleyTerry2: home advantage 0.302."""
    home, away, outcome, weights = baseball
    fit = contextual(design_of(home, away, 7, side=True, weights=weights), outcome)
    assert coefficients(fit) == pytest.approx([0.302], abs=5e-4)
    worth = np.sort(np.exp(fit.ratings) / np.exp(fit.ratings).sum())
    assert worth == pytest.approx([0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220], abs=5e-4)


@pytest.mark.shared
def test_without_a_side_it_is_bradley_terry(baseball):
    """Agresti (2002), table 10.11: differences to Baltimore, standard errors about 0.3."""
    home, away, outcome, weights = baseball
    fit = contextual(design_of(home, away, 7, weights=weights), outcome)
    ahead = np.sort(fit.ratings - fit.ratings.min())[1:]
    assert ahead == pytest.approx([0.68, 1.11, 1.25, 1.29, 1.44, 1.58], abs=5e-3)
    covariance = contextual_fisher(fit)
    variances = covariance[0, 0] + covariance.diagonal()[1:] - 2 * covariance[0, 1:]
    assert np.round(np.sqrt(variances), 1) == pytest.approx([0.3] * 6)
    assert len(coefficients(fit)) == 0


@pytest.mark.parametrize("side", [True, False])
def test_a_plain_likelihood_has_the_same_maximum(side):
    left, right, outcome, z, weights = battles(0, 120, 4)
    design = design_of(left, right, 4, covariates=z, side=side, weights=weights)
    fit = contextual(design, outcome)
    x = rows(left, right, 4, np.hstack([np.ones((120, 1)), z]) if side else z)
    best = highest(x, outcome, weights, 4)
    np.testing.assert_allclose(fit.ratings, best[:4], atol=1e-5)
    np.testing.assert_allclose(coefficients(fit), best[4:], atol=1e-5)
    assert fit.log_likelihood == pytest.approx(literal(x, outcome, weights, best), abs=1e-8)
    assert fit.levels is None
    assert fit.penalty == "none"
    assert fit.ratings.sum() == pytest.approx(0, abs=1e-12)


def test_coefficients_come_in_both_units():
    left, right, outcome, z, weights = battles(0, 120, 4)
    one = contextual(design_of(left, right, 4, covariates=z, weights=weights), outcome)
    other = contextual(design_of(left, right, 4, covariates=z / 10, weights=weights), outcome)
    np.testing.assert_allclose(other.parameters, one.parameters, atol=1e-9)
    np.testing.assert_allclose(coefficients(other), 10 * coefficients(one), atol=1e-8)
    spread = np.sqrt((weights[:, None] * z**2).sum(axis=0) / weights.sum())
    np.testing.assert_allclose(one.parameters[4:], coefficients(one) * spread, atol=1e-9)


def test_swapping_the_sides_changes_nothing():
    left, right, outcome, z, _ = battles(1, 100, 4)
    z = z + 0.5  # a mean that is not 0: centring would favour a side
    swapped = np.random.default_rng(5).random(100) < 0.5
    sign = np.where(swapped, -1, 1)
    one = contextual(design_of(left, right, 4, covariates=z), outcome)
    turned = design_of(
        np.where(swapped, right, left),
        np.where(swapped, left, right),
        4,
        covariates=z * sign[:, None],
    )
    other = contextual(turned, outcome * sign)
    np.testing.assert_allclose(other.parameters, one.parameters, atol=1e-9)


def test_a_weight_is_a_repetition():
    left, right, outcome, z, weights = battles(2, 80, 3)
    times = weights.astype(int)
    one = contextual(design_of(left, right, 3, covariates=z, side=True, weights=weights), outcome)
    repeated = design_of(
        np.repeat(left, times),
        np.repeat(right, times),
        3,
        covariates=np.repeat(z, times, axis=0),
        side=True,
    )
    other = contextual(repeated, np.repeat(outcome, times))
    np.testing.assert_allclose(coefficients(other), coefficients(one), atol=1e-9)
    np.testing.assert_allclose(contextual_fisher(other), contextual_fisher(one), atol=1e-9)
    np.testing.assert_allclose(contextual_sandwich(other), contextual_sandwich(one), atol=1e-9)


def test_firth_maximises_the_likelihood_times_jeffreys_prior():
    left, right, outcome, z, weights = battles(3, 30, 3, covariates=1)
    fit = contextual(
        design_of(left, right, 3, covariates=z, side=True, weights=weights),
        outcome,
        penalty="firth",
    )
    x = rows(left, right, 3, np.hstack([np.ones((30, 1)), z]))
    free = [0, 1, 3, 4]  # differences to the last candidate: the determinant but for a constant

    def jeffreys(beta):
        return np.linalg.slogdet(information(x, weights, beta)[np.ix_(free, free)])[1] / 2

    best = highest(x, outcome, weights, 3, jeffreys)
    np.testing.assert_allclose(fit.ratings, best[:3], atol=1e-5)
    np.testing.assert_allclose(coefficients(fit), best[3:], atol=1e-5)
    assert fit.levels is None


def test_ridge_is_what_it_says():
    left, right, outcome, z, weights = battles(3, 30, 3, covariates=1)
    fit = contextual(
        design_of(left, right, 3, covariates=z, weights=weights),
        outcome,
        penalty="ridge",
        strength=3,
    )
    scale = np.sqrt((weights * z[:, 0] ** 2).sum() / weights.sum())
    x = rows(left, right, 3, z / scale)
    best = highest(x, outcome, weights, 3, lambda beta: -1.5 * beta @ beta)
    np.testing.assert_allclose(fit.parameters, best, atol=1e-5)


@pytest.mark.parametrize(
    ("outcome", "z"),
    [
        ([1, 1, 1, -1], None),  # 2 never won
        ([1, -1, 1, -1], [0.3, -0.2, 1.1, -0.1]),  # the sign of the covariate tells every winner
    ],
)
def test_separation_is_seen_and_penalised(outcome, z):
    design = design_of([0, 1, 0, 1], [1, 2, 2, 0], 3, covariates=z)
    fit = contextual(design, outcome)
    assert fit.levels is not None
    assert fit.penalty == "firth"
    assert np.abs(fit.parameters).max() < 5
    with pytest.raises(DataError, match="no finite ratings fit best"):
        contextual(design, outcome, penalty="none")


def test_a_tie_or_an_upset_ends_separation():
    left, right = [0, 1, 0, 1], [1, 2, 2, 2]
    design = design_of(left, right, 3)
    ones = np.ones(4)
    assert linearly_separated(design, np.array([1, 1, 1, 1]), ones)
    assert linearly_separated(design, np.array([0, 1, 1, 1]), ones)
    assert not linearly_separated(design, np.array([0, 0, 0, 0]), ones)
    assert not linearly_separated(design, np.array([0, 1, 1, -1]), ones)
    assert linearly_separated(design, np.array([0, 1, 1, -1]), np.array([1.0, 1, 1, 0]))


def test_a_lopsided_field_is_not_taken_for_a_separated_one():
    """Odds of 3000 to 1 are suspicious, but one upset makes them finite."""
    design = design_of([0, 0], [1, 1], 2, weights=[3000.0, 1.0])
    fit = contextual(design, [1, -1])
    assert fit.levels is None
    assert fit.ratings[0] - fit.ratings[1] == pytest.approx(np.log(3000), abs=1e-8)


def test_a_distant_start_leads_to_the_same_peak():
    design = design_of([0, 0], [1, 1], 2)
    objective = Likelihood(design, np.array([1.0, 0]), np.ones(2), "none", 1.0)
    start = np.array([1.2, -1.2])
    objective.height = objective.value(start)
    far = climb(objective, start[None]).first
    assert far.settled
    assert far.parameters == pytest.approx([0, 0], abs=1e-9)


LEFT, RIGHT = [0, 1, 0, 1], [1, 2, 2, 0]


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"covariates": [2, 2, 2, 2]}, DataError, "is 2 in every battle"),
        (
            {"covariates": [[1, 2], [0, 0], [2, 4], [4, 8]], "covariate_names": ("a", "b")},
            DataError,
            "covariates a, b determine each other",
        ),
        (
            {"covariates": [-2, -4, -6, 2], "covariate_names": ("size",)},  # sizes 1, 3, 7
            DataError,
            "size cannot be separated from the ratings",
        ),
        ({"n": 4}, DataError, "nothing is known of number 3"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(given, error, text):
    n = given.pop("n", 3)
    with pytest.raises(error, match=text):
        design_of(LEFT, RIGHT, n, **given)


def test_who_never_met_the_others_is_named():
    with pytest.raises(DataError, match="ratings of 'a', 'b', 'c', 'd'"):
        design_of([0, 2], [1, 3], 4, names="abcd")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda fit: contextual(fit.design, [1, 1, 1, 1], penalty="lasso"), UsageError, "unknown"),
        (lambda fit: contextual(fit.design, [1, 1, 1, 1], strength=0), UsageError, "strength"),
        (
            lambda fit: contextual_sandwich(fit, clusters=[1, 1, 1, 1]),
            DataError,
            "two clusters or more",
        ),
    ],
)
def test_wrong_requests_are_refused(call, error, text):
    fit = contextual(design_of(LEFT, RIGHT, 3), [1, 1, -1, 1])
    with pytest.raises(error, match=text):
        call(fit)
