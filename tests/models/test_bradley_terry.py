"""Bradley-Terry fits against published numbers, peers and a search over the likelihood."""

from __future__ import annotations

import csv

import choix
import evalica
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_cases import battles, counts, drawn, likelihood, maximum, objective

from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.models.rating import newton
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import CellPairs, pairs_of_rounds

TIES = ("half", "davidson", "rao-kupper")
PENALTIES = ("none", "firth", "ridge", "pseudo")
# Turner, Firth (2012), "Bradley-Terry models in R: the BradleyTerry2 package", sec. 2: citations
# between Biometrika, Communications in Statistics, JASA and JRSS-B (Stigler 1994).
CITATIONS = [
    (0, 1, 730, 33, 0),
    (0, 2, 498, 320, 0),
    (0, 3, 221, 284, 0),
    (1, 2, 68, 813, 0),
    (1, 3, 17, 276, 0),
    (2, 3, 142, 325, 0),
]


# Published


def anchored(ratings, candidate):
    """Return ratings as differences from one candidate."""
    return ratings - ratings[candidate]


def test_the_journals_have_their_published_abilities():
    ratings = anchored(fit(counts(4, CITATIONS)).ratings, 0)
    np.testing.assert_allclose(ratings, [0, -2.94907, -0.47957, 0.26895], atol=5e-6)


def columns(path):
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def numbered(names):
    known = sorted(set(names))
    return known, [known.index(name) for name in names]


@pytest.mark.shared
def test_the_baseball_teams_have_their_published_abilities(shared_data):
    """Agresti (2002), sec. 10.6; BradleyTerry2, baseball, without home advantage."""
    games = columns(shared_data / "bradleyterry2" / "baseball.csv")
    teams, number = numbered(games["home.team"] + games["away.team"])
    half = len(games["home.team"])
    rows = []
    for k in range(half):
        won, lost = int(games["home.wins"][k]), int(games["away.wins"][k])
        rows.append((number[k], number[half + k], 1, won, won))
        rows.append((number[k], number[half + k], -1, lost, lost))
    found = fit(CellPairs(battles(rows, teams)).counts())
    assert found.penalty == "none"
    expected = {
        "Baltimore": 0.0, "Boston": 1.1077, "Cleveland": 0.6839, "Detroit": 1.4364,
        "Milwaukee": 1.5814, "New York": 1.2476, "Toronto": 1.2945,
    }  # fmt: skip
    ratings = anchored(found.ratings, teams.index("Baltimore"))
    np.testing.assert_allclose(ratings, [expected[team] for team in teams], atol=5e-5)


@pytest.fixture(scope="module")
def crowd(shared_data):
    """Return the votes of the crowd of llmfao: left, right and outcome."""
    votes = columns(shared_data / "llmfao" / "crowd-comparisons.csv")
    models, number = numbered(votes["left"] + votes["right"])
    left, right = np.array(number).reshape(2, -1)
    outcome = [{"left": 1, "right": -1, "tie": 0}[word] for word in votes["winner"]]
    return models, left, right, np.array(outcome)


@pytest.mark.shared
def test_the_votes_on_language_models_have_their_published_ratings(shared_data, crowd):
    models, left, right, outcome = crowd
    ones = np.ones(len(left))
    rows = np.stack([left, right, outcome, ones, ones], axis=1)
    found = fit(CellPairs(battles(rows, models)).counts())
    golden = columns(shared_data / "llmfao" / "golden_ratings_evalica.csv")
    expected = {
        item: float(score)
        for algorithm, item, score in zip(*golden.values(), strict=True)
        if algorithm == "bradley_terry"
    }
    assert len(expected) == 59
    shares = np.exp(found.ratings) / np.exp(found.ratings).sum()
    np.testing.assert_allclose(shares, [expected[model] for model in models], rtol=0, atol=1e-9)


@pytest.mark.shared
def test_epp_of_the_auc_scores_is_infinite_between_its_two_parts(shared_data):
    """EloML's table: 36 models beat 44 in every split; within the 36 the README's numbers."""
    table = columns(shared_data / "epp_auc_scores" / "auc_scores.csv")
    models, row = numbered(table["model"])
    splits, column = numbered(table["split"])
    scores = np.full((len(models), len(splits)), np.nan)
    scores[row, column] = [float(x) for x in table["auc"]]
    found = fit(pairs_of_rounds(scores, names=tuple(models)))
    assert (found.penalty, np.isfinite(found.mle).all()) == ("firth", False)
    assert [len(part) for part in found.existence.strong] == [36, 44]
    assert found.existence.connected
    assert np.isfinite(found.ratings).all()
    assert abs(found.ratings.sum()) < 1e-9
    assert np.array_equal(np.isposinf(found.mle), np.isin(np.arange(80), found.existence.strong[0]))
    with pytest.raises(DataError, match=r"2 parts .* 36 candidates at the top: .*; then "):
        fit(found.pairs, penalty="none")
    published = {
        "catboost_1": -0.8025, "catboost_2": 2.9244, "catboost_3": -2.0673,
        "gbm_10": 1.6722, "gbm_11": 2.7227,
    }  # fmt: skip
    within = anchored(found.within, models.index("xgboost_9"))
    for model, rating in published.items():
        assert models.index(model) in found.existence.strong[0]
        assert within[models.index(model)] == pytest.approx(rating, abs=6e-5)
    assert models.index("gbm_1") in found.existence.strong[1]


# Peers


@pytest.mark.parametrize("seed", range(3))
def test_ratings_are_those_of_choix(seed):
    pairs = drawn(seed, 8, ties=0, met=0.7)
    data = []
    for i, j, won, lost in zip(pairs.first, pairs.second, pairs.wins, pairs.losses, strict=True):
        data += [(i, j)] * int(won) + [(j, i)] * int(lost)
    found = fit(pairs).ratings
    np.testing.assert_allclose(found, choix.ilsr_pairwise(8, data), atol=1e-6)
    np.testing.assert_allclose(found, choix.opt_pairwise(8, data, tol=1e-9), atol=1e-6)
    ridge = fit(pairs, penalty="ridge", strength=0.2).ratings
    expected = choix.opt_pairwise(8, data, alpha=0.1, tol=1e-9)  # alpha is half of our strength
    np.testing.assert_allclose(ridge, expected - expected.mean(), atol=1e-6)


def test_ratings_with_half_ties_are_those_of_evalica():
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 5, size=(2, 600))
    left, right = left[left != right], right[left != right]
    outcome = rng.integers(-1, 2, size=len(left))
    words = {1: evalica.Winner.X, -1: evalica.Winner.Y, 0: evalica.Winner.Draw}
    names = "abcde"
    peer = evalica.bradley_terry(
        [names[i] for i in left],
        [names[i] for i in right],
        [words[int(o)] for o in outcome],
        tolerance=1e-12,
        limit=10_000,
    ).scores
    ones = np.ones(len(left))
    rows = np.stack([left, right, outcome, ones, ones], axis=1)
    found = fit(CellPairs(battles(rows, names)).counts()).ratings
    expected = np.log([peer[name] for name in names])
    np.testing.assert_allclose(found, expected - expected.mean(), atol=1e-8)


# The likelihood itself


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("n", [2, 3])
def test_a_search_finds_no_better_ratings(n, ties, penalty):
    pairs = drawn(10 + n, n)
    strength = 0.7 if penalty in ("ridge", "pseudo") else None
    found = fit(pairs, ties=ties, penalty=penalty, strength=strength)
    ratings, tie = maximum(pairs, ties=ties, penalty=penalty, strength=strength)
    np.testing.assert_allclose(found.ratings, ratings, atol=1e-6)
    assert found.tie == (None if tie is None else pytest.approx(tie, abs=1e-6))
    expected = likelihood(pairs, found.ratings, ties=ties, t=found.tie or 0.0)
    assert found.log_likelihood == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_every_small_move_lowers_the_penalised_likelihood(ties, penalty):
    """On six candidates, of whom not all met: the gradient of the written-out objective is 0."""
    pairs = drawn(5, 6, met=0.6)
    found = fit(pairs, ties=ties, penalty=penalty)
    given = {"ties": ties, "penalty": penalty, "strength": found.strength}

    def value(ratings, t):
        return objective(pairs, ratings, t=t, **given)

    t = found.tie or 0.0
    for k in range(6):
        move = 1e-4 * (np.eye(6)[k] - 1 / 6)
        slope = (value(found.ratings + move, t) - value(found.ratings - move, t)) / 2e-4
        assert abs(slope) < 1e-5
    if found.tie is not None:
        assert abs(value(found.ratings, t + 1e-4) - value(found.ratings, t - 1e-4)) / 2e-4 < 1e-5


@pytest.mark.parametrize("ties", TIES)
def test_who_won_everything_has_a_finite_penalised_rating(ties):
    pairs = counts(3, [(0, 1, 4, 0, 0), (0, 2, 3, 0, 0), (1, 2, 2, 2, 1)])
    found = fit(pairs, ties=ties)
    assert (found.penalty, np.isfinite(found.mle).all()) == ("firth", False)
    ratings, tie = maximum(pairs, ties=ties, penalty="firth", strength=None)
    np.testing.assert_allclose(found.ratings, ratings, atol=1e-6)
    assert found.tie == (None if tie is None else pytest.approx(tie, abs=1e-6))
    assert found.mle[0] == np.inf
    np.testing.assert_allclose(found.mle[1:], 0, atol=1e-12)


def test_two_candidates_have_the_ratings_one_can_work_out():
    three_to_one = counts(2, [(0, 1, 3, 1, 0)])
    assert np.diff(fit(three_to_one).ratings) == pytest.approx(-np.log(3))
    never_lost = counts(2, [(0, 1, 4, 0, 0)])
    assert np.diff(fit(never_lost).ratings) == pytest.approx(-np.log(4.5 / 0.5))
    assert np.diff(fit(never_lost, penalty="pseudo").ratings) == pytest.approx(-np.log(4.5 / 0.5))
    half = counts(2, [(0, 1, 1, 0, 1)])
    assert np.diff(fit(half).ratings) == pytest.approx(-np.log(3))


def test_all_ties_make_all_equal():
    pairs = counts(3, [(0, 1, 0, 0, 2), (0, 2, 0, 0, 2), (1, 2, 0, 0, 2)])
    for ties in TIES:
        found = fit(pairs, ties=ties)
        assert found.ratings == pytest.approx([0, 0, 0], abs=1e-12)
        assert (found.penalty == "none") == (ties == "half")


def test_without_a_tie_every_tie_model_is_the_plain_one():
    pairs = counts(4, CITATIONS)
    plain = fit(pairs)
    for ties, tie in (("davidson", -np.inf), ("rao-kupper", 0.0)):
        found = fit(pairs, ties=ties)
        np.testing.assert_array_equal(found.ratings, plain.ratings)
        assert found.tie == tie
        assert found.log_likelihood == pytest.approx(plain.log_likelihood)


def test_a_win_and_a_tie_have_no_finite_davidson_rating():
    """P(win) = P(tie) = 1/2 is approached only at infinity; half ties give odds of 3."""
    pairs = counts(2, [(0, 1, 1, 0, 1)])
    for ties in ("davidson", "rao-kupper"):
        assert fit(pairs, ties=ties).penalty == "firth"
        np.testing.assert_array_equal(fit(pairs, ties=ties).mle, [np.inf, -np.inf])
        with pytest.raises(DataError, match="tie parameter"):
            fit(pairs, ties=ties, penalty="none")
    cyclic = counts(3, [(0, 1, 1, 0, 1), (0, 2, 0, 1, 0), (1, 2, 1, 0, 0)])
    assert np.isfinite(fit(cyclic, ties="davidson", penalty="none").mle).all()


def test_weights_count_as_fractions_of_battles():
    whole, thirds = (
        counts(4, CITATIONS),
        counts(4, [(i, j, w / 3, x / 3, t) for i, j, w, x, t in CITATIONS]),
    )
    np.testing.assert_allclose(fit(thirds).ratings, fit(whole).ratings, atol=1e-12)
    assert fit(thirds).log_likelihood == pytest.approx(fit(whole).log_likelihood / 3)


@given(seed=st.integers(0, 10_000), n=st.integers(2, 7))
def test_turned_battles_turn_the_ratings(seed, n):
    pairs = drawn(seed, n, met=0.5)
    turned = pairs.with_counts(pairs.losses, pairs.wins, pairs.ties)
    for ties in TIES:
        np.testing.assert_allclose(
            fit(turned, ties=ties).ratings, -fit(pairs, ties=ties).ratings, atol=1e-10
        )


@pytest.mark.parametrize("penalty", PENALTIES)
def test_lists_of_pairs_give_what_matrices_give(monkeypatch, penalty):
    pairs = drawn(2, 30, met=0.2)
    dense = fit(pairs, penalty=penalty)
    monkeypatch.setattr(newton, "DENSE", 1)
    lists = fit(pairs, penalty=penalty)
    np.testing.assert_allclose(lists.ratings, dense.ratings, atol=1e-9)
    np.testing.assert_allclose(lists.mle, dense.mle, atol=1e-9)


# The column mle


def test_above_and_below_the_largest_part_ratings_are_infinite():
    rows = [(0, 1, 3, 0, 0), (1, 2, 1, 1, 0), (2, 3, 2, 1, 0), (3, 4, 2, 0, 0), (3, 5, 1, 0, 0)]
    found = fit(counts(6, rows))
    inner = fit(counts(3, [(0, 1, 1, 1, 0), (1, 2, 2, 1, 0)])).ratings
    np.testing.assert_allclose(found.mle, [np.inf, *inner, -np.inf, -np.inf], atol=1e-12)
    np.testing.assert_allclose(found.within, [0, *inner, 0, 0], atol=1e-12)


def test_who_is_neither_above_nor_below_has_no_mle():
    found = fit(counts(4, [(0, 1, 1, 1, 0), (0, 2, 1, 0, 0), (2, 3, 0, 1, 0)]))
    np.testing.assert_array_equal(found.mle, [0, 0, -np.inf, np.nan])


def test_a_penalty_that_was_not_needed_leaves_the_mle_plain():
    pairs = counts(4, CITATIONS)
    plain = fit(pairs).ratings
    for penalty in ("firth", "ridge", "pseudo"):
        found = fit(pairs, penalty=penalty)
        np.testing.assert_allclose(found.mle, plain, atol=1e-12)
        assert np.isfinite(found.mle).all()
        assert not np.allclose(found.ratings, plain, atol=1e-6)


# Refusals


def test_parts_that_never_met_are_named():
    pairs = CellPairs(
        battles([(0, 1, 1, 1, 1), (2, 3, 0, 2, 2)], ["ann", "bob", "cid", "dan", "eve"])
    ).counts()
    with pytest.raises(DataError, match="3 parts") as caught:
        fit(pairs, penalty="ridge")
    assert "'ann', 'bob'; 'cid', 'dan'; 'eve'." in str(caught.value)


@pytest.mark.parametrize("n", [0, 1])
def test_one_candidate_has_no_rating(n):
    with pytest.raises(DataError, match=f"two candidates or more, got {n}"):
        fit(counts(n, []))


def test_options_that_are_none_are_refused():
    pairs = counts(4, CITATIONS)
    with pytest.raises(UnknownNameError, match=r"penalty 'frith'\. Did you mean 'firth'"):
        fit(pairs, penalty="frith")
    with pytest.raises(UnknownNameError, match="tie model 'davison'"):
        fit(pairs, ties="davison")
    with pytest.raises(UsageError, match="firth has no strength"):
        fit(pairs, penalty="firth", strength=2)
    with pytest.raises(UsageError, match="above 0"):
        fit(pairs, penalty="ridge", strength=-1)
