"""Plackett-Luce against published fits, choix, and the likelihood written out set by set."""

from __future__ import annotations

import gzip

import choix
import numpy as np
import pytest
from round_cases import highest, literal, some_rounds

from deadheat.core.errors import DataError, UsageError
from deadheat.models.rating import plackett_luce as luce_newton
from deadheat.models.rating.plackett_luce import PenalisedLikelihood, Rounds, peak, plackett_luce

GONE = np.nan
FRUIT = np.array(
    [[1, 2, GONE], [3, 1, 2], [2, 1, 1], [1, 2, 3], [2, 1, 1], [1, GONE, 2]]
)  # the rankings of the tests of the R package PlackettLuce: apple, banana, orange
FOUR = np.array(
    [
        [1, 2, GONE, GONE],
        [4, 1, 2, 3],
        [2, 1, 1, GONE],
        [1, 2, 3, GONE],
        [2, 1, 3, GONE],
        [1, GONE, 3, 2],
        [1, 1, 1, 1],
    ]
)  # ibid., ties of sizes 2 and 4
PUDDING = [
    (1, 2, 19, 22, 16),
    (1, 3, 16, 19, 12),
    (2, 3, 19, 19, 10),
    (1, 4, 18, 23, 13),
    (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15),
    (1, 5, 13, 19, 18),
    (2, 5, 16, 20, 12),
    (3, 5, 16, 15, 17),
    (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12),
    (2, 6, 22, 20, 12),
    (3, 6, 13, 18, 10),
    (4, 6, 14, 19, 18),
    (5, 6, 11, 21, 12),
]  # Davidson (1970), example 2: brands i and j, wins of i, wins of j, ties


def test_the_fruit_of_the_r_package():
    """PlackettLuce (R), tests: coef and summary, with half a pseudo-win and half a loss each."""
    fit = plackett_luce(FRUIT, penalty="pseudo")
    assert fit.ratings - fit.ratings[0] == pytest.approx([0, 0.2867987, -0.4636687], abs=1e-6)
    assert fit.ties == pytest.approx({2: -1.0701129}, abs=1e-6)
    assert -2 * fit.peak.log_likelihood == pytest.approx(21.61, abs=5e-3)
    covariance = fit.fisher()
    errors = [np.sqrt(covariance[0, 0] + covariance[i, i] - 2 * covariance[0, i]) for i in (1, 2)]
    assert errors == pytest.approx([1.0129, 1.0280], abs=5e-5)


def test_davidsons_puddings():
    """Davidson (1970), example 2, as in the vignette of PlackettLuce: worths and prevalence."""
    rows, weights = [], []
    for i, j, won, lost, tied in PUDDING:
        for ranks, weight in (((1, 2), won), ((2, 1), lost), ((1, 1), tied)):
            rows.append(np.full(6, GONE))
            rows[-1][[i - 1, j - 1]] = ranks
            weights.append(weight)
    fit = plackett_luce(rows, weights=weights)
    worth = np.exp(fit.ratings) / np.exp(fit.ratings).sum()
    assert worth == pytest.approx([0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024], abs=2e-4)
    assert np.exp(fit.ties[2]) == pytest.approx(0.7468, abs=2e-4)


@pytest.mark.shared
def test_the_drivers_of_hunter(shared_data):
    """Hunter (2004), table 1: worths of the 83 drivers who were not always last of their race."""
    with gzip.open(shared_data / "bradleyterry2" / "nascar2002_orderings.csv.gz", "rt") as file:
        lines = file.read().split()[1:]
    ranks = np.full((36, 87), GONE)
    for race, line in enumerate(lines):
        for place, driver in enumerate(line.split(",")):
            ranks[race, int(float(driver)) - 1] = place
    every = plackett_luce(ranks)
    assert not every.existence.strongly_connected
    assert every.model.penalty == "pseudo"
    assert (every.mle == -np.inf).sum() == 4
    assert np.isfinite(every.ratings).all()
    fit = plackett_luce(ranks[:, :83])
    worth = np.exp(fit.ratings) / np.exp(fit.ratings).sum()
    published = [0.1864, 0.1096, 0.0274, 0.0235, 0.0230, 0.0205, 0.0184]
    assert np.sort(worth)[:-8:-1] == pytest.approx(published, abs=5e-5)
    np.testing.assert_allclose(every.mle[:83], fit.ratings, atol=1e-8)
    data = [[int(i) for i in np.argsort(row) if not np.isnan(row[i])] for row in ranks[:, :83]]
    peer = choix.ilsr_rankings(83, data, max_iter=1000, tol=1e-12)
    np.testing.assert_allclose(fit.ratings, peer - peer.mean(), atol=1e-9)


def test_choix_agrees_without_ties():
    ranks = some_rounds(0, 30, 6, missing=0.2)
    data = [[int(i) for i in np.argsort(row) if not np.isnan(row[i])] for row in ranks]
    peer = choix.ilsr_rankings(6, data, max_iter=1000, tol=1e-12)
    np.testing.assert_allclose(plackett_luce(ranks).ratings, peer - peer.mean(), atol=1e-9)


@pytest.mark.parametrize(
    ("ranks", "sizes"), [(FOUR, (2, 4)), (some_rounds(8, 12, 4, missing=0.1, rounded=0), (2, 3))]
)
def test_ties_against_the_likelihood_set_by_set(ranks, sizes):
    fit = plackett_luce(ranks)
    assert tuple(fit.ties) == sizes
    assert fit.model.penalty == "none"
    b, ties = highest(ranks, sizes)
    np.testing.assert_allclose(fit.ratings, b, atol=2e-5)
    np.testing.assert_allclose(list(fit.ties.values()), ties, atol=2e-5)
    assert fit.peak.log_likelihood == pytest.approx(literal(ranks, fit.ratings, fit.ties))


def test_the_gradient_of_each_round():
    rounds = Rounds(FOUR)
    at = np.random.default_rng(0).normal(size=(2, 6))
    likelihood, gradient = rounds.score(at)
    for k in range(6):
        step = 1e-6 * (np.arange(6) == k)
        slope = (rounds.score(at + step)[0] - rounds.score(at - step)[0]) / 2e-6
        np.testing.assert_allclose(gradient[..., k], slope, atol=1e-8)
    expected = literal(FOUR, at[1, :4], {2: at[1, 4], 4: at[1, 5]})
    assert likelihood[1].sum() == pytest.approx(expected)


def test_ridge_is_what_it_says():
    ranks = some_rounds(5, 8, 3)
    fit = plackett_luce(ranks, penalty="ridge", strength=2.0)
    b, _ = highest(ranks, (), penalty=lambda b: -(b**2).sum())
    np.testing.assert_allclose(fit.ratings, b, atol=1e-5)


@pytest.mark.parametrize("rounded", [None, 0])
def test_a_weight_is_a_repetition(rounded):
    ranks = some_rounds(7, 14, 4, missing=0.1, rounded=rounded)
    weights = np.random.default_rng(1).integers(0, 4, 14)
    one = plackett_luce(ranks, weights=weights)
    other = plackett_luce(np.repeat(ranks, weights, axis=0))
    np.testing.assert_allclose(one.ratings, other.ratings, atol=1e-9)
    np.testing.assert_allclose(one.fisher(), other.fisher(), atol=1e-6)


def test_who_always_wins_gets_a_finite_rating_and_an_infinite_mle():
    ranks = [[1, 2, 3, 4], [1, 3, 2, 4]]
    fit = plackett_luce(ranks)
    assert not fit.existence.strongly_connected
    assert fit.mle.tolist() == [np.inf, 0, 0, -np.inf]
    assert (np.diff(fit.ratings[[0, 1, 3]]) < 0).all()
    assert fit.ratings[1] == pytest.approx(fit.ratings[2])
    with pytest.raises(DataError, match="need not exist"):
        plackett_luce(ranks, penalty="none")


def test_a_distant_start_leads_to_the_same_peak():
    ranks = some_rounds(11, 20, 3)
    start = np.array([2.4, 0.0, -2.4])
    far = peak(PenalisedLikelihood(Rounds(ranks), "none", 0.0), np.ones(20), start)
    assert far.converged
    np.testing.assert_allclose(far.parameters, plackett_luce(ranks).ratings, atol=1e-9)


def test_ratings_that_do_not_settle_are_refused(monkeypatch):
    monkeypatch.setattr(luce_newton._Luce, "most_steps", 1)
    with pytest.raises(DataError, match="did not settle in 1 steps"):
        plackett_luce(some_rounds(11, 20, 3))


def test_ratings_sum_to_zero_and_follow_the_candidates():
    ranks = some_rounds(11, 20, 5)
    turned = [3, 0, 4, 1, 2]
    one, other = plackett_luce(ranks), plackett_luce(ranks[:, turned])
    assert one.ratings.sum() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(other.ratings, one.ratings[turned], atol=1e-9)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: plackett_luce([[1, 2, GONE, GONE], [GONE, GONE, 1, 2]], names="abcd"),
            DataError,
            "2 parts of the field.*'a', 'b'; 'c', 'd'",
        ),
        (
            lambda: plackett_luce([[1, 1], [1, 1]]),
            DataError,
            "every choice in every round is a tie",
        ),
        (lambda: plackett_luce([[1] * 21 + [2]] * 3), DataError, "21 candidates are tied"),
        (lambda: plackett_luce([[1, GONE]]), DataError, "no round has two"),
        (lambda: plackett_luce([[1, 2]], penalty="firht"), UsageError, "unknown penalty"),
        (lambda: plackett_luce([[1, 2]], strength=0), UsageError, "strength must be above 0"),
        (lambda: plackett_luce([[1, 2]]).sandwich(), DataError, "only one round"),
    ],
)
def test_what_cannot_be_rated_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()
