"""Bad input of ``rate``: a fact, a hint that works, and no other kind of error."""

from __future__ import annotations

import numpy as np
import pytest
from rate_logs import drawn, log, table

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.rate.api import rate
from deadheat.rate.source import _sides_and_winner

BATTLES = dh.Battles(**drawn())
ORDERED = dh.Battles(**drawn(), ordered=True)
TABLE = table()
WRONG = [
    (BATTLES, {"anchor": "zed"}, "unknown candidate 'zed'", "known: ada, bob, cyd, dan"),
    (BATTLES, {"anchor": "ada=9", "centre": 1.0}, "no choice of a centre", "anchor='ada'"),
    (BATTLES, {"anchor": "ada=x"}, "must have a number, got 'x'", "anchor='ada'"),
    (BATTLES, {"replicates": 0}, "at least 1, got 0", "replicates=None"),
    (BATTLES, {"replicates": 2.5}, "at least 1, got 2.5", "replicates=None"),
    (BATTLES, {"replicates": 5}, "5 replicates are too few", "replicates=1000"),
    (BATTLES, {"alpha": 5}, "strictly between 0 and 1, got 5", "0.05"),
    (BATTLES, {"seed": -1}, "the seed must be a whole number", "the same one gives"),
    (BATTLES, {"simulations": -1}, "simulations must be", "199"),
    (BATTLES, {"simulations": 5}, "5 simulations cannot show", "simulations=19"),
    (BATTLES, {"strength": 2.0}, "has no strength", "penalty='ridge'"),
    (BATTLES, {"strength": -2.0, "penalty": "ridge"}, "above 0 and finite", "strength=None"),
    (BATTLES, {"strength": np.nan, "penalty": "pseudo"}, "above 0 and finite", "strength=None"),
    (BATTLES, {"penalty": "lasso"}, "'lasso'", "firth"),
    (BATTLES, {"ties": "win"}, "'win'", "davidson"),
    (BATTLES, {"errors": "guess"}, "unknown kind of standard error", "sandwich"),
    (BATTLES, {"scale": "points"}, "unknown rating scale", "elo"),
    (BATTLES, {"base": 2.0}, "the logit scale has no base", "scale='elo'"),
    (BATTLES, {"base": 1.0, "scale": "elo"}, "a base above 1", "base=10"),
    (BATTLES, {"centre": np.nan}, "centre must be a number", "centre=None"),
    (BATTLES, {"model": "glicko"}, "unknown rating model", "gaussian"),
    (BATTLES, {"test": "t"}, "unknown test of ratings", "holm"),
    (BATTLES, {"interval": "bca"}, "'bca'", "percentile"),
    (BATTLES, {"interval": "basic", "errors": "sandwich"}, "needs replicates", "interval='wald'"),
    (BATTLES, {"test": "max-t", "errors": "fisher"}, "needs replicates", "test='holm'"),
    (BATTLES, {"pairing": "all"}, "pairing='all' says nothing about a battle log", "pairing="),
    (BATTLES, {"plan": "clustered"}, "not by the plan 'clustered'", "plan='bayesian'"),
    (BATTLES, {"round": "split"}, "a battle log has no rounds", "category="),
    (BATTLES, {"tournament": "d"}, "a battle log has no tournaments", "category="),
    (BATTLES, {"step": 9.0}, "knows no step=9.0", "step="),
    (BATTLES, {"shuffles": 3}, "knows no shuffles=3", "shuffles="),
    (BATTLES, {"model": "plackett-luce"}, "pairs only", "bradley-terry"),
    (BATTLES, {"ties": "davidson", "advantage": True}, "together with covariates", "ties="),
    (BATTLES, {"model": "elo"}, "these are counts", "ordered=True"),
    (BATTLES, {"better": "higher"}, "better= does not say anything about a battle log",
     "without it: better=None"),
    (BATTLES, {"tie_tol": 0}, "tie_tol= does not say anything about a battle log",
     "without it: tie_tol=None"),
    (BATTLES, {"bettr": "higher"}, "rate() got an unexpected keyword argument 'bettr'", "better="),
    (BATTLES, {"left": "a"}, "is a Battles already", "read_battles"),
    (ORDERED, {"model": "elo", "step": 0.0}, "step must be above 0", "4"),
    (ORDERED, {"model": "elo", "errors": "fisher"}, "has no errors='fisher'", "errors='bootstrap'"),
    (ORDERED, {"model": "elo", "penalty": "firth"}, "knows no penalty='firth'", "penalty="),
    (ORDERED, {"model": "elo", "shuffles": -1}, "shuffles must be", "order of the log"),
    (ORDERED, {"model": "gaussian", "errors": "sandwich"}, "spread of their own", "errors="),
    (TABLE, {"model": "elo"}, "a table has no order", "model='gaussian'"),
    (TABLE, {"advantage": True}, "advantage=True says nothing about a table", "advantage="),
    (TABLE, {"model": "plackett-luce", "pairing": "all"}, "knows no pairing", "pairing="),
    (TABLE, {"pairing": "sme"}, "unknown pairing 'sme'", "all, same"),
    (TABLE, {"plan": "jackknfe"}, "'jackknfe'", "jackknife"),
    (TABLE, {"tournament": "d"}, "no judge says which tournament", "clusters="),
]  # fmt: skip


@pytest.mark.parametrize(("source", "options", "fact", "hint"), WRONG)
def test_a_wrong_request_is_refused_with_the_next_step(source, options, fact, hint):
    with pytest.raises(UsageError) as caught:
        rate(source, **{"replicates": 100} | options)
    assert fact in caught.value.fact
    assert hint in caught.value.hint


def test_names_of_models_may_have_either_dash():
    assert rate(BATTLES, model="bradley_terry", replicates=100).model == "bradley-terry"


BAD = [
    (log([("a b left", 1)]), {}, "only one round, battle or cluster", "errors='fisher'"),
    (log([("a b left", 1)]), {"errors": "sandwich"}, "only one round", "errors='fisher'"),
    (table(rounds=1), {}, "only one round", "errors='fisher'"),
    (table(levels=(1.0,)), {}, "2 candidates or more, got 1", "check(table)"),
    (
        log([("a b left", 3), ("b a left", 3), ("c d left", 3), ("d c left", 3)]),
        {},
        "no battle links the 2 parts",
        "largest_part=True",
    ),
    (
        log([("a b left", 3), ("b c left", 3)]),
        {"penalty": "none"},
        "no finite ratings fit best",
        "penalty='firth'",
    ),
]


@pytest.mark.parametrize(("source", "options", "fact", "hint"), BAD)
def test_data_that_cannot_be_rated_are_refused_with_the_next_step(source, options, fact, hint):
    with pytest.raises(DataError) as caught:
        rate(source, **{"replicates": 100} | options)
    assert fact in caught.value.fact
    assert hint in caught.value.hint


def test_one_battle_has_a_rating_as_if_it_were_independent_of_nothing():
    """The hint of the refusal works."""
    r = rate(log([("a b left", 1)]), errors="fisher")
    assert [row["mle"] for row in r.rows()] == ["+inf", "-inf"]
    assert any("luck" in warning for warning in r.warnings)


def test_a_log_that_is_too_long_for_a_stream_is_refused_before_it_starts():
    with pytest.raises(UsageError, match="moves ratings 2,000,000,000 times"):
        rate(ORDERED, model="elo", replicates=5_000_000)


def test_an_unknown_table_is_answered_with_the_known_ones():
    r = rate(BATTLES, replicates=100, simulations=0)
    with pytest.raises(UnknownNameError, match="pears"):
        r.table("pears")
    with pytest.raises(UsageError, match="compares several tournaments"):
        r.table("embedding")
    with pytest.raises(UsageError, match="needs scores in rounds"):
        r.table("tunability")
    with pytest.raises(UsageError, match="has no calibration"):
        rate(ORDERED, model="gaussian").table("calibration")
    with pytest.raises(UnknownNameError, match="zed"):
        r.p_beats("ada", "zed")
    assert r.p_beats("ada", "ada").p == 0.5


def test_many_columns_of_words_are_not_searched_for_sides():
    found = {"x": ["a", "b"], "y": ["b", "c"], "z": ["b", "b"]}
    assert _sides_and_winner(found) == {"left": "x", "right": "y", "winner": "z"}
    assert _sides_and_winner(found | {f"c{k}": ["p", "q"] for k in range(99)}) == {}
