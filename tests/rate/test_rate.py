"""``rate``: tables and logs in, ratings out."""

from __future__ import annotations

import csv
import json
import warnings

import numpy as np
import pytest
from rate_logs import NAMES, drawn, likelihood, log, table
from scipy.optimize import minimize

import deadheat as dh
from deadheat.rate.api import rate

QUICK = {"replicates": 100, "simulations": 0}
LOG = drawn()


def best(columns, weights=None):
    """Return the ratings of highest likelihood, which add up to 0."""
    found = minimize(
        lambda b: -likelihood(columns, [*b, -sum(b)], weights), np.zeros(3), options={"gtol": 1e-7}
    )
    return np.array([*found.x, -found.x.sum()])


def by_name(r, key="rating"):
    return {row["candidate"]: row[key] for row in r.rows()}


def of(r, key="rating"):
    found = by_name(r, key)
    return np.array([found[name] for name in NAMES])


# What is published


@pytest.mark.shared
def test_the_votes_on_language_models_have_their_published_ratings(shared_data):
    source = shared_data / "llmfao" / "crowd-comparisons.csv"
    r = rate(source, errors="fisher", simulations=0)
    with (shared_data / "llmfao" / "golden_ratings_evalica.csv").open() as file:
        golden = {
            row["item"]: float(row["score"])
            for row in csv.DictReader(file)
            if row["algorithm"] == "bradley_terry"
        }
    found = by_name(r)
    shares = np.exp([found[name] for name in golden])
    np.testing.assert_allclose(shares / shares.sum(), list(golden.values()), rtol=0, atol=1e-9)
    with source.open() as file:
        assert r.made["battles"] == sum(1 for _ in csv.DictReader(file))


@pytest.mark.shared
def test_baseball_is_recognised_and_playing_at_home_is_worth_what_agresti_says(shared_data):
    """Agresti (2002), table 10.11: 0.302, and strengths whose sum is 1."""
    source = shared_data / "bradleyterry2" / "baseball.csv"
    r = rate(source, advantage=True, **QUICK)
    (side,) = r.facts()["circumstances"]
    assert side["log_odds"] == pytest.approx(0.302, abs=5e-4)
    worth = np.exp([row["rating"] for row in r.rows()])
    shares = [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]
    assert worth / worth.sum() == pytest.approx(shares, abs=5e-4)
    plain = rate(source, errors="fisher", simulations=0)
    gaps = [row["rating"] - plain.rows()[-1]["rating"] for row in plain.rows()[:-1]]
    assert gaps == pytest.approx([1.58, 1.44, 1.29, 1.25, 1.11, 0.68], abs=5e-3)
    assert "all else equal" in r.verdict
    assert "left side" in r.verdict


@pytest.mark.shared
def test_epp_of_the_authors_table_has_the_numbers_of_the_readme_within_its_upper_part(shared_data):
    """Spec G: last player of the part at 0; 36 models beat 44 in every split."""
    source = shared_data / "epp_auc_scores" / "auc_scores.csv"
    r = rate(source, round="split", better="higher", errors="sandwich", simulations=0)
    facts, within, mle = r.facts(), by_name(r, "within"), by_name(r, "mle")
    assert facts["part_sizes"] == [36, 44]
    assert (facts["connected"], facts["strongly_connected"]) == (True, False)
    assert facts["separated"] is True
    top = facts["parts"][0]
    assert all(mle[name] == "+inf" for name in top)
    assert all(isinstance(mle[name], float) for name in mle if name not in top)
    published = {
        "catboost_1": -0.803,
        "catboost_2": 2.924,
        "catboost_3": -2.067,
        "gbm_10": 1.672,
        "gbm_11": 2.723,
    }
    differences = {name: within[name] - within["catboost_1"] for name in published}
    for name, value in published.items():
        assert differences[name] == pytest.approx(value + 0.803, abs=2e-3)
    assert "36 models never lost a point to the other 44" in r.verdict
    assert "not by how much" in r.verdict


# The model


@pytest.mark.parametrize("weighted", [False, True])
def test_ratings_have_the_highest_likelihood(weighted):
    weights = (1 + np.arange(400) % 3).astype(float) if weighted else None
    battles = dh.Battles(**LOG, weight=weights)
    r = rate(battles, errors="fisher", simulations=0)
    np.testing.assert_allclose(of(r), best(LOG, weights), atol=1e-5)
    assert of(r).sum() == pytest.approx(0, abs=1e-12)
    assert (of(r) == of(r, "mle")).all()


def test_rows_and_facts_have_the_promised_keys():
    r = rate(dh.Battles(**LOG), **QUICK)
    promised = ["candidate", "rating", "mle", "se", "low", "high", "wins", "losses", "ties"]
    assert [key for key in r.rows()[0] if key in promised] == promised
    assert r.facts().keys() >= {"connected", "strongly_connected", "separated", "deviance"}
    counts = {name: sum(name in pair for pair in zip(LOG["left"], LOG["right"], strict=True))
              for name in NAMES}  # fmt: skip
    for row in r.rows():
        assert row["wins"] + row["losses"] + row["ties"] == counts[row["candidate"]]


def test_rows_of_a_table_are_rounds():
    scores = table()
    r = rate(scores, **QUICK)
    wins = (scores.scores[:, None] > scores.scores[None]).sum(axis=(1, 2))
    np.testing.assert_array_equal(of(r, "wins"), wins)
    every = rate(scores, pairing="all", **QUICK)
    sides = scores.scores[:, None, :, None] > scores.scores[None, :, None, :]
    sides[np.arange(4), np.arange(4)] = False
    np.testing.assert_array_equal(of(every, "wins"), sides.sum(axis=(1, 2, 3)))
    assert r.model == every.model == "epp"


@pytest.mark.parametrize("errors", ["bootstrap", "sandwich", "fisher"])
def test_an_anchor_shifts_and_changes_no_difference(errors):
    battles = dh.Battles(**LOG)
    free = rate(battles, errors=errors, **QUICK)
    bound = rate(battles, errors=errors, anchor="dan=1000", **QUICK)
    shift = of(bound) - of(free)
    np.testing.assert_allclose(shift, shift[0], atol=1e-9)
    assert by_name(bound)["dan"] == pytest.approx(1000)
    assert by_name(bound, "mle")["dan"] == pytest.approx(1000)
    np.testing.assert_allclose(of(bound, "se"), of(free, "se"))
    for one, other in zip(free.table("pairs").rows(), bound.table("pairs").rows(), strict=True):
        assert one == other
    assert bound.groups == free.groups


def test_an_anchor_of_separated_ratings_keeps_the_plain_ones_in_place():
    r = rate(log([("a b left", 5), ("b a left", 4), ("a c left", 6)]), anchor="b=3", **QUICK)
    mle = by_name(r, "mle")
    assert mle["b"] == pytest.approx(3)
    assert mle["a"] - mle["b"] == pytest.approx(np.log(5 / 4))
    assert mle["c"] == "-inf"


@pytest.mark.parametrize(("base", "width"), [(10.0, 400.0), (2.0, 100.0), (np.e, 1.0)])
def test_points_multiply_the_odds(base, width):
    battles = dh.Battles(**LOG)
    logits = rate(battles, **QUICK)
    points = rate(battles, scale="elo", base=base, width=width, centre=0.0, **QUICK)
    odds = base ** (of(points) / width)
    np.testing.assert_allclose(np.log(odds), of(logits), atol=1e-12)
    usual = rate(battles, scale="elo", **QUICK)
    assert of(usual).mean() == pytest.approx(1500)
    assert usual.p_beats("ada", "dan") == logits.p_beats("ada", "dan")


@pytest.mark.parametrize("ties", ["half", "davidson", "rao-kupper"])
def test_the_chance_to_beat_somebody_counts_a_tie_as_half(ties):
    """Between two candidates the ratings reproduce the share of points they took."""
    r = rate(log([("a b left", 12), ("a b right", 6), ("a b tie", 6)]), ties=ties, **QUICK)
    chance = r.p_beats("a", "b")
    assert chance.p == pytest.approx(15 / 24, abs=1e-9)
    assert chance.low < chance.p < chance.high
    back = r.p_beats("b", "a")
    assert (back.low, back.high) == pytest.approx((1 - chance.high, 1 - chance.low))
    assert r.win_matrix().p[r.at("a"), r.at("b")] == pytest.approx(chance.p)
    assert r.table("pairs").rows()[0]["p_beats"] == pytest.approx(chance.p)
    assert "of the wins against" in r.verdict


@pytest.mark.parametrize("penalty", ["firth", "ridge", "pseudo"])
def test_a_penalty_draws_ratings_together_and_leaves_the_plain_ones_beside(penalty):
    battles = dh.Battles(**LOG)
    plain = rate(battles, **QUICK)
    r = rate(battles, penalty=penalty, **QUICK)
    assert np.ptp(of(r)) < np.ptp(of(plain))
    np.testing.assert_allclose(of(r, "mle"), of(plain), atol=1e-9)
    assert r.facts()["penalty"] == penalty
    if penalty != "firth":
        strong = rate(battles, penalty=penalty, strength=50.0, **QUICK)
        assert np.ptp(of(strong)) < np.ptp(of(r))


# How sure


def test_standard_errors_agree_where_battles_are_independent():
    battles = dh.Battles(**drawn(number=3000, ties=0.0))
    found = {e: of(rate(battles, errors=e, simulations=0, replicates=600), "se")
             for e in ("bootstrap", "sandwich", "fisher")}  # fmt: skip
    np.testing.assert_allclose(found["sandwich"], found["fisher"], rtol=0.1)
    np.testing.assert_allclose(found["bootstrap"], found["fisher"], rtol=0.15)


def test_battles_of_one_voter_are_no_evidence_of_many():
    once = drawn(number=300, ties=0.0)
    columns = {name: values * 10 for name, values in once.items()}
    voters = [f"v{k}" for k in range(300)] * 10
    r = rate(dh.Battles(**columns, cluster=voters), replicates=400, simulations=0)
    alone = rate(dh.Battles(**once), replicates=400, simulations=0)
    blind = rate(dh.Battles(**columns), replicates=400, simulations=0)
    np.testing.assert_allclose(of(r, "se"), of(alone, "se"), rtol=0.25)
    assert (of(blind, "se") < of(alone, "se") / 2).all()
    assert "300 clusters of battles" in r.drawn


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (dh.Battles(**LOG), {}),
        (dh.Battles(**LOG, ordered=True), {"model": "elo"}),
        (table(), {}),
        (table(), {"model": "plackett-luce"}),
        (dh.Battles(**LOG), {"advantage": True}),
    ],
)
def test_the_engine_changes_no_bit_and_the_seed_does(source, options):
    serial = rate(source, engine="serial", **options, **QUICK)
    threads = rate(source, engine="threads:2", **options, **QUICK)
    assert serial.rows() == threads.rows()
    assert np.array_equal(serial.evidence.replicates, threads.evidence.replicates)
    other = rate(source, seed=1, **options, **QUICK)
    assert other.rows() != serial.rows()
    more = rate(source, **options, **QUICK | {"replicates": 150})
    first = more.evidence.replicates[:100]
    np.testing.assert_allclose(first, serial.evidence.replicates, rtol=0, atol=1e-9)


def test_a_stream_is_rated_in_its_order():
    battles = dh.Battles(**LOG, ordered=True)
    points = dict.fromkeys(NAMES, 0.0)
    for a, b, who in zip(*LOG.values(), strict=True):
        expected = 1 / (1 + 10 ** ((points[b] - points[a]) / 400))
        change = 4 * ({"left": 1.0, "right": 0.0, "tie": 0.5}[who] - expected)
        points[a], points[b] = points[a] + change, points[b] - change
    r = rate(battles, model="elo", scale="elo", centre=0, **QUICK)
    np.testing.assert_allclose(of(r), [points[name] for name in NAMES], atol=1e-9)
    assert any("of the way from the start" in warning for warning in r.warnings)
    quick = rate(battles, model="elo", step=32.0, **QUICK)
    assert not any("of the way" in warning for warning in quick.warnings)


def test_models_of_their_own_kind():
    believed = rate(dh.Battles(**LOG, ordered=True), model="gaussian")
    assert believed.errors == believed.made["errors"] == "posterior"
    assert [row["candidate"] for row in believed.rows()] == list(NAMES)
    whole = rate(table(rounds=200), model="plackett-luce", **QUICK)
    assert [row["candidate"] for row in whole.rows()] == list(NAMES)
    assert "deviance" not in whole.verdict


def test_resamples_whose_ties_tell_nothing_are_rated_too():
    rng = np.random.default_rng(0)
    rng.exponential(10, 48)
    scores = np.array([rng.integers(0, 2, 5) for _ in range(10)]).T
    binary = dh.Results(
        scores=scores.astype(float),
        candidates=tuple("abcde"),
        judges=tuple(map(str, range(10))),
        better="higher",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rated = rate(binary, model="plackett-luce", replicates=60)
    assert np.isfinite([row["low"] for row in rated.rows()]).all()
    assert np.isfinite([row["high"] for row in rated.rows()]).all()


def test_a_team_is_worth_the_sum_of_its_members():
    teams = {"left": [], "right": [], "winner": []}
    rng = np.random.default_rng(0)
    worth = {"x": 1.0, "y": 0.0, "z": -1.0}
    for _ in range(3000):
        one, two = (sorted(rng.choice(list("xyz"), size, replace=False)) for size in (2, 1))
        gap = sum(worth[m] for m in one) - sum(worth[m] for m in two)
        teams["left"].append("+".join(one))
        teams["right"].append("+".join(two))
        teams["winner"].append("left" if rng.random() < 1 / (1 + np.exp(-gap)) else "right")
    r = rate(dh.Battles(**teams), teams="+", **QUICK)
    assert set(by_name(r)) == set("xyz")
    assert [row["candidate"] for row in r.rows()] == ["x", "y", "z"]


def test_json_is_strict_whatever_is_infinite():
    def refuse(word):
        raise AssertionError(word)

    for source, options in (
        (log([("a b left", 5), ("b c left", 5)]), {}),
        (log([("a b tie", 5), ("b c tie", 5)]), {}),
        (log([("a b left", 9), ("b a left", 5)]), {"ties": "davidson"}),
        (log([("a b left", 9), ("b a left", 5)]), {"ties": "rao-kupper"}),
    ):
        text = rate(source, simulations=19, replicates=100, **options).to_json()
        assert json.loads(text, parse_constant=refuse)["rows"]


def test_a_rating_is_a_ranking_function():
    scores = table(rounds=60)
    verdict = dh.verdict(scores, by="epp", replicates=200)
    r = rate(scores, replicates=200, simulations=0)
    assert [row["candidate"] for row in verdict.rows()] == [row["candidate"] for row in r.rows()]


def test_missing_scores_are_matches_that_did_not_take_place():
    scores = table().scores.copy()
    scores[1, :5] = np.nan
    holes = dh.Results(scores=scores, candidates=NAMES, better="higher")
    r = rate(holes, **QUICK)
    assert of(r, "wins")[1] + of(r, "losses")[1] == 3 * 20
    assert any("5 of " in warning and "are missing" in warning for warning in r.warnings)
    with pytest.raises(dh.DataError, match="is missing"):
        rate(holes, missing="error", **QUICK)


def test_progress_is_told_and_may_interrupt():
    seen = []
    rate(dh.Battles(**LOG), progress=lambda done, total: seen.append((done, total)), **QUICK)
    assert seen
    assert seen[-1][0] == seen[-1][1]

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rate(dh.Battles(**LOG), progress=stop, **QUICK)
