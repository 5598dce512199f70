"""The ranking function epp: a scale for the average rank, penalised where it must be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from rating_cases import counts

import deadheat as dh
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import pairs_of_rounds
from deadheat.ranking import function as registry
from deadheat.ranking.ranks import ranks
from strategies import blocks, tables_with_holes

EPP = registry.get("epp")


def test_it_is_known_by_both_names():
    assert registry.get("bradley-terry") is EPP


@given(worlds=blocks(candidates=7, judges=9))
def test_without_holes_the_order_is_that_of_the_average_rank(worlds):
    """Spec P4, whatever the weights of judges and the copies of candidates."""
    ratings = ranks(EPP(*worlds))
    mean_ranks = ranks(registry.get("average_rank")(*worlds))
    np.testing.assert_array_equal(ratings, mean_ranks)


@given(table=tables_with_holes())
def test_ratings_of_a_table_are_those_of_its_rounds(table):
    scores = table.scores
    pairs = pairs_of_rounds(scores, table.judges[None].astype(float)).of_replicate(0)
    try:
        expected = fit(pairs)
    except dh.DataError:  # parts without a common judge, or one candidate
        return
    (merits,) = EPP(scores, table.judges)
    np.testing.assert_allclose(merits, expected.ratings, atol=1e-9)


def test_hundreds_of_judges_who_all_agree_give_finite_ratings():
    scores = np.arange(60.0)[:, None] + np.zeros(400)
    (merits,) = EPP(scores)
    assert np.isfinite(merits).all()
    assert np.ptp(merits) > 200  # beyond the odds that a float can hold in one product
    assert (np.diff(merits) > 0).all()
    np.testing.assert_allclose(merits, -merits[::-1], atol=1e-9)


def test_a_chain_of_wins_that_is_missing_calls_for_the_penalty():
    scores = np.array([[3.0, 3, 3], [1, 2, 1], [2, 1, 2]])
    plain = fit(pairs_of_rounds(scores), penalty="firth").ratings
    np.testing.assert_allclose(EPP(scores)[0], plain, atol=1e-12)
    (said,) = EPP.remarks(scores, np.ones(3))
    assert "penalised (Firth)" in said
    assert not list(EPP.remarks(np.array([[1.0, 2], [2, 1]]), np.ones(2)))


def test_parts_without_a_common_judge_are_told_apart_from_a_ranking():
    hole = np.nan
    scores = np.array(
        [[1.0, 2, hole, hole], [2, 1, hole, hole], [hole, hole, 5, 5], [hole, hole, 1, 9]]
    )
    (merits,) = EPP(scores)
    assert merits == pytest.approx([0, 0, 0, 0], abs=1e-12)
    (said,) = EPP.remarks(scores, np.ones(4))
    assert "2 parts that share no judge" in said


def test_weights_that_are_no_whole_numbers_make_no_chain_of_wins_out_of_noise():
    """0.1 + 0.2 - 0.3 is no win: sums of weights differ in their last digits."""
    scores = np.array([[2.0], [1.0]]) + np.zeros(41)
    weights = np.random.default_rng(0).random((200, 41))
    expected = np.log((weights.sum(axis=1) + 0.5) / 0.5) / 2
    np.testing.assert_allclose(EPP(scores, weights), np.outer(expected, [1, -1]), rtol=1e-9)


def test_a_table_is_ranked_and_its_penalty_said():
    table = dh.Results(scores=[[3.0, 3, 3], [1, 2, 1], [2, 1, 2]], better="higher")
    found = dh.rank(table, by="epp")
    assert any("penalised (Firth)" in warning for warning in found.warnings)
    assert found.rows()[0]["candidate"] == table.candidates[0]


def test_a_battle_table_and_its_pairs_agree():
    """Three judges of four for the first: odds of three."""
    assert np.diff(EPP([[3, 3, 1, 3], [2, 2, 2, 2]])[0]) == pytest.approx(-np.log(3))
    assert np.diff(fit(counts(2, [(0, 1, 3, 1, 0)])).ratings) == pytest.approx(-np.log(3))
