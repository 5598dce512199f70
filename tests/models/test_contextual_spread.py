"""How sure contextual ratings are: covariances and refits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from context_cases import battles, coefficients, information, rows

from deadheat.models.rating.contextual import (
    contextual,
    contextual_fisher,
    contextual_refits,
    contextual_sandwich,
    design_of,
)


def test_the_covariances_are_those_of_the_formulas():
    left, right, outcome, z, weights = battles(4, 150, 4)
    fit = contextual(design_of(left, right, 4, covariates=z, side=True, weights=weights), outcome)
    x = rows(left, right, 4, np.hstack([np.ones((150, 1)), z]))
    beta = np.r_[fit.ratings, coefficients(fit)]
    bread = np.linalg.pinv(information(x, weights, beta))
    np.testing.assert_allclose(contextual_fisher(fit), bread, atol=1e-10)
    residual = (outcome + 1) / 2 - 1 / (1 + np.exp(-(x @ beta)))
    clusters = np.random.default_rng(0).integers(0, 20, 150)
    sums = np.zeros((20, 7))
    for c, row, r, w in zip(clusters, x, residual, weights, strict=True):
        sums[c] += w * r * row
    expected = bread @ (sums.T @ sums) @ bread * 20 / 19
    np.testing.assert_allclose(contextual_sandwich(fit, clusters=clusters), expected, atol=1e-10)
    each = np.repeat(x * residual[:, None], weights.astype(int), axis=0)
    np.testing.assert_allclose(
        contextual_sandwich(fit), bread @ (each.T @ each) @ bread, atol=1e-10
    )
    alone = x * (residual * weights)[:, None]
    np.testing.assert_allclose(
        contextual_sandwich(fit, battles=np.ones(150)),
        bread @ (alone.T @ alone) @ bread,
        atol=1e-10,
    )


@pytest.mark.parametrize("penalty", ["none", "firth", "ridge"])
def test_refits_are_fits_with_weights(penalty):
    left, right, outcome, z, weights = battles(5, 200, 4)
    given = {"n": 4, "covariates": z, "side": True}
    fit = contextual(design_of(left, right, weights=weights, **given), outcome, penalty=penalty)
    drawn = np.random.default_rng(1).multinomial(200, np.ones(200) / 200, size=5) * weights
    found, separated = contextual_refits(fit, drawn)
    assert not separated.any()
    for row, counted in zip(found, drawn, strict=True):
        design = replace(fit.design, weights=counted)  # the scales are those of the fit
        np.testing.assert_allclose(
            row, contextual(design, outcome, penalty=penalty).parameters, atol=1e-7
        )
    assert np.ptp(found, axis=0).min() > 1e-3


def test_a_refit_may_be_separated_or_lack_a_candidate():
    left, right, outcome = [0, 1, 2, 0, 2], [1, 0, 0, 2, 1], [1, 1, 1, 1, 1]
    fit = contextual(design_of(left, right, 3), outcome)
    assert fit.penalty == "none"
    drawn = np.array([[3.0, 0, 0, 3, 1], [2, 1, 0, 0, 0]])
    found, separated = contextual_refits(fit, drawn)
    assert separated.tolist() == [True, False]
    alone = contextual(design_of(left, right, 3, weights=drawn[0]), outcome)
    np.testing.assert_allclose(found[0], alone.ratings, atol=1e-7)
    assert np.isnan(found[1, 2])
    assert found[1, 0] - found[1, 1] == pytest.approx(np.log(2), abs=1e-6)


def test_a_refit_of_teams_keeps_their_level():
    left, right, outcome = [0, 1, 2, 0, 1, 2], [1, 2, 0, 3, 0, 1], [1, 1, 1, 1, 1, 1]
    members = [(0,), (1,), (2,), (1, 2)]
    fit = contextual(design_of(left, right, 3, members=members), outcome, penalty="ridge")
    found, _ = contextual_refits(fit, np.ones((1, 6)))
    np.testing.assert_allclose(found[0], fit.parameters, atol=1e-8)
    assert contextual_fisher(fit).sum() > 1e-3  # the sum is a number that was estimated
    # what the cells' weights do to the parameters, squared: the infinitesimal jackknife
    h, pulls = 1e-4, []
    for cell in range(6):
        up, down = (1 + sign * h * (np.arange(6) == cell) for sign in (1, -1))
        moved = contextual_refits(fit, np.stack([up, down]))[0]
        pulls.append((moved[0] - moved[1]) / (2 * h))
    expected = np.array(pulls).T @ np.array(pulls)
    np.testing.assert_allclose(contextual_sandwich(fit), expected, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("size", [0.1, 50.0])
def test_only_the_proportions_of_weights_move_plain_ratings(size):
    left, right, outcome, z, _ = battles(5, 100, 4)
    fit = contextual(design_of(left, right, 4, covariates=z), outcome)
    drawn = np.random.default_rng(0).uniform(0.5, 2, (3, 100))
    one, other = (contextual_refits(fit, w)[0] for w in (drawn, size * drawn))
    np.testing.assert_allclose(one, other, atol=1e-7)


def test_a_replicate_far_from_the_fit_is_fitted_in_full():
    """Nine wins of ten become one of ten thousand: steps with the old information do not settle."""
    design = design_of([0, 0], [1, 1], 2, weights=[9.0, 1.0])
    fit = contextual(design, [1, -1])
    found, separated = contextual_refits(fit, np.array([[0.001, 9.999]]))
    assert found[0, 0] - found[0, 1] == pytest.approx(np.log(0.001 / 9.999), abs=1e-7)
    assert not separated.any()
