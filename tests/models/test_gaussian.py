"""The Gaussian rating against numerical integration and published TrueSkill numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from deadheat.core.errors import DataError
from deadheat.models.rating.online import (
    Gaussian,
    Prior,
    draw_margin,
    gaussian,
    gaussian_rounds,
    moments_of_draw,
    moments_of_win,
)

TEN_PERCENT = Prior(draw_probability=0.1)


def beliefs(means, deviations):
    return Gaussian(
        means=np.array(means, dtype=float),
        deviations=np.array(deviations, dtype=float),
        beta=25 / 6,
        draw_probability=0.1,
    )


def moments(low, high):
    """Mean and variance of a standard normal number between two bounds, by quadrature."""
    mass = quad(norm.pdf, low, high)[0]
    mean = quad(lambda x: x * norm.pdf(x), low, high)[0] / mass
    return mean, quad(lambda x: (x - mean) ** 2 * norm.pdf(x), low, high)[0] / mass


@pytest.mark.parametrize("t", [-4.0, -0.7, 0.0, 0.3, 2.5])
@pytest.mark.parametrize("margin", [1e-3, 0.4, 2.0])
def test_the_moments_are_those_of_a_truncated_normal(t, margin):
    mean, variance = moments(margin - t, 12.0)
    v, w = moments_of_win(t, margin)
    assert (v, 1 - w) == pytest.approx((mean, variance), rel=1e-7)
    mean, variance = moments(-margin - t, margin - t)
    v, w = moments_of_draw(t, margin)
    assert (v, 1 - w) == pytest.approx((mean, variance), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("t", [-40.0, -1e4, -1e10])
def test_surprising_outcomes_stay_finite(t):
    v, w = moments_of_win(t, 0.1)
    assert v == pytest.approx(0.1 - t, rel=1e-3)
    assert 0 < w <= 1
    v, w = moments_of_draw(t, 0.1)
    assert v == pytest.approx(-t - 0.1, rel=1e-2)
    assert 0 < w <= 1


def test_a_narrow_draw_continues_the_wider_one():
    assert moments_of_draw(0.5, 0.99e-4) == pytest.approx(moments_of_draw(0.5, 2.1e-4), rel=1e-6)
    assert 1 - moments_of_draw(0.5, 0.99e-4)[1] == pytest.approx(0.99e-4**2 / 3, rel=1e-6)


def test_the_draw_margin_gives_the_draw_probability():
    margin, c = draw_margin(0.3, 4, 2.0), 2.0 * np.sqrt(4)
    assert norm.cdf(margin / c) - norm.cdf(-margin / c) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("outcome", "means", "deviations"),
    [(1, (29.396, 20.604), (7.171, 7.171)), (0, (25.0, 25.0), (6.458, 6.458))],
)
def test_two_newcomers_get_the_published_ratings(outcome, means, deviations):
    """Documentation of the package trueskill 0.4.5: 1 vs 1 matches, draw probability 10 %."""
    found = gaussian([0], [1], [outcome], 2, prior=TEN_PERCENT)
    assert found.means == pytest.approx(means, abs=5e-4)
    assert found.deviations == pytest.approx(deviations, abs=5e-4)


def exact(start, left, right, outcome, *, beta, margin):
    """The posterior moments: the skills given the difference of performances, over its density."""
    mean, variance = start.means, start.deviations**2
    everybody = [*left, *right]
    sign = np.array([1.0] * len(left) + [-1.0] * len(right))
    centre = sign @ mean[everybody]
    c = np.sqrt(variance[everybody].sum() + len(everybody) * beta**2)
    low, high = {1: (margin, centre + 12 * c), 0: (-margin, margin)}[outcome]
    bounds = ((low - centre) / c, (high - centre) / c)
    seen, doubt = moments(*bounds)
    gain = sign * variance[everybody] / c
    return mean[everybody] + gain * seen, np.sqrt(variance[everybody] - gain**2 * (1 - doubt))


@pytest.mark.parametrize("outcome", [1, 0])
@pytest.mark.parametrize("right", [(1,), (1, 2)])
def test_unlike_sides_and_teams_get_the_exact_moments(outcome, right):
    start = beliefs([22, 27, 3], [3, 6, 8])
    prior = Prior(beta=2.0, tau=0.0, draw_probability=0.2)
    found = gaussian([0], [1], [outcome], 3, members=[(0,), right], prior=prior, start=start)
    margin = norm.ppf(0.6) * np.sqrt(1 + len(right)) * 2.0
    means, deviations = exact(start, (0,), right, outcome, beta=2.0, margin=margin)
    assert found.means[[0, *right]] == pytest.approx(means, rel=1e-6)
    assert found.deviations[[0, *right]] == pytest.approx(deviations, rel=1e-6)


def test_a_loss_is_the_win_of_the_other():
    one = gaussian([0, 2], [1, 0], [-1, 1], 3, prior=TEN_PERCENT)
    other = gaussian([1, 0], [0, 2], [1, -1], 3, prior=TEN_PERCENT)
    np.testing.assert_array_equal(one.means, other.means)


def test_drift_widens_before_a_battle():
    still = gaussian([0], [1], [1], 3, prior=Prior(tau=0.0, draw_probability=0.1))
    moving = gaussian([0], [1], [1], 3, prior=Prior(tau=3.0, draw_probability=0.1))
    assert (moving.deviations[:2] > still.deviations[:2]).all()
    assert moving.deviations[2] == pytest.approx(25 / 3)


def test_a_stream_can_be_rated_in_pieces():
    rng = np.random.default_rng(0)
    left = rng.integers(0, 4, 30)
    right, outcome = (left + 1) % 4, rng.integers(-1, 2, 30)
    whole = gaussian(left, right, outcome, 4, prior=TEN_PERCENT)
    first = gaussian(left[:9], right[:9], outcome[:9], 4, prior=TEN_PERCENT)
    second = gaussian(left[9:], right[9:], outcome[9:], 4, prior=TEN_PERCENT, start=first)
    np.testing.assert_allclose(second.means, whole.means, rtol=1e-13)


def test_the_draw_probability_is_the_share_seen_unless_given():
    assert gaussian([0, 0, 0], [1, 1, 1], [0, 1, 1], 2).draw_probability == 1 / 4
    assert gaussian([0], [1], [1], 2).draw_probability == 0
    assert gaussian([0, 0], [1, 1], [0, 0], 2).means == pytest.approx([25, 25])
    assert gaussian([0], [1], [0], 2, prior=TEN_PERCENT).draw_probability == 0.1


def test_many_battles_find_the_skills():
    """Performances drawn from the model: nearly all skills lie within three deviations."""
    rng = np.random.default_rng(4)
    skills = rng.normal(25, 25 / 3, 12)
    left = rng.integers(0, 12, 4000)
    right = (left + rng.integers(1, 12, 4000)) % 12
    shown = skills[left] - skills[right] + rng.normal(0, 25 / 6 * np.sqrt(2), 4000)
    found = gaussian(left, right, np.sign(shown).astype(int), 12, prior=Prior(tau=0.0))
    error = (found.means - skills) / found.deviations
    assert np.abs(error - error.mean()).max() < 4


def test_shuffles_average():
    battles = ([0, 1, 2, 0], [1, 2, 0, 2], [1, 1, 0, 1])
    found = gaussian(*battles, 3, prior=TEN_PERCENT, shuffles=30, seed=1)
    again = gaussian(*battles, 3, prior=TEN_PERCENT, shuffles=30, seed=1)
    np.testing.assert_array_equal(found.means, again.means)
    same = gaussian([0] * 4, [1] * 4, [1] * 4, 2, prior=TEN_PERCENT, shuffles=5)
    np.testing.assert_allclose(
        same.means, gaussian([0] * 4, [1] * 4, [1] * 4, 2, prior=TEN_PERCENT).means
    )


@pytest.mark.parametrize(
    ("ranks", "means", "deviations"),
    [
        ([1, 2, 3], [31.675352, 25.0, 18.324648], [6.655985, 6.207897, 6.655985]),
        (
            range(8),
            [
                36.771096,
                32.242346,
                29.073984,
                26.322179,
                23.677821,
                20.926016,
                17.757654,
                13.228904,
            ],
            [5.749283, 5.132911, 4.942713, 4.874547, 4.874547, 4.942713, 5.132911, 5.749283],
        ),
    ],
)
def test_rounds_without_ties_are_trueskill(ranks, means, deviations):
    """Numbers of the package trueskill 0.4.5, ``rate([(Rating(),), ...])``."""
    found = gaussian_rounds([list(ranks)], prior=TEN_PERCENT)
    assert found.means == pytest.approx(means, abs=1e-5)
    assert found.deviations == pytest.approx(deviations, abs=1e-5)


@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1)])
def test_rounds_of_two_are_battles(ranks):
    start = beliefs([28, 22], [3, 7])
    battle = gaussian([0], [1], [np.sign(ranks[1] - ranks[0])], 2, prior=TEN_PERCENT, start=start)
    found = gaussian_rounds([ranks], prior=TEN_PERCENT, start=start)
    np.testing.assert_allclose(found.means, battle.means, rtol=1e-12)
    np.testing.assert_allclose(found.deviations, battle.deviations, rtol=1e-12)


def in_the_event(places, margin, width, size=600_000):
    """Moments of the performances of equals, given who was ahead of whom, by rejection."""
    shown = np.random.default_rng(7).normal(0, width, (size, sum(map(len, places))))
    kept = np.ones(size, dtype=bool)
    for place in places:
        kept &= np.ptp(shown[:, place], axis=1) <= margin
    for better, worse in pairwise(places):
        kept &= shown[:, better].min(axis=1) - shown[:, worse].max(axis=1) > margin
    return shown[kept].mean(axis=0), shown[kept].std(axis=0)


@pytest.mark.parametrize(
    "places", [[[0], [1], [2]], [[0, 1, 2]], [[0], [1, 2], [3]], [[0, 1], [2]]]
)
def test_rounds_with_ties_come_near_the_exact_posterior(places):
    """Expectation propagation is an approximation: 4 % of a deviation here, 8 % in width."""
    ranks = np.empty(sum(map(len, places)))
    for number, place in enumerate(places):
        ranks[place] = number
    prior = Prior(mean=0, deviation=1.0, beta=0.5, tau=0.0, draw_probability=0.25)
    found = gaussian_rounds([ranks], prior=prior)
    width = np.sqrt(1.25)
    mean, deviation = in_the_event(places, draw_margin(0.25, 2, 0.5), width)
    share = 1 / 1.25  # of a performance that is skill
    assert found.means == pytest.approx(share * mean, abs=0.04)
    exact_width = np.sqrt(1 - share**2 * (1.25 - deviation**2))
    assert found.deviations == pytest.approx(exact_width, rel=0.08)


def test_the_order_of_the_candidates_does_not_matter():
    ranks = np.array([[1, 2, 2, 3, 2], [2, 1, np.nan, 2, 1]])
    turned = np.array([3, 1, 4, 0, 2])
    one, other = gaussian_rounds(ranks), gaussian_rounds(ranks[:, turned])
    np.testing.assert_allclose(other.means, one.means[turned], rtol=1e-7)
    np.testing.assert_allclose(other.deviations, one.deviations[turned], rtol=1e-7)


def test_who_is_absent_is_not_touched():
    found = gaussian_rounds([[1, np.nan, 2]], prior=TEN_PERCENT)
    assert (found.means[1], found.deviations[1]) == pytest.approx((25, 25 / 3))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: gaussian([0], [1], [1], 2, members=[(0, 1), (1,)]), DataError, "stands twice"),
        (lambda: gaussian_rounds([[1, np.nan]]), DataError, "no round has two"),
    ],
)
def test_what_cannot_be_rated_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()
