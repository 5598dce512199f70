"""Ratings as means over units: what each unit adds, and how often their tests err."""

from __future__ import annotations

import json
import re
import tracemalloc

import numpy as np
import pytest
from rate_logs import drawn, log, table

import deadheat as dh
from deadheat.core.errors import DataError
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import CellPairs, pairs_of_rounds
from deadheat.models.rating.uncertainty import (
    influences,
    sandwich_of_battles,
    sandwich_of_rounds,
    scores_of_cells,
    scores_of_rounds,
)
from deadheat.rate.matches import MOST_UNITS
from deadheat.report.methods import methods
from deadheat.report.summary import summary
from deadheat.statistics.units import every_pair

STEP = 1e-4
CLAIMS = ("family-wise", "at level", "shown better", "show it better", "at 5 %", "about 5 %")
CLAIMS += ("clearly", "do not separate")


def rated(source, **options):
    return dh.rate(source, **{"replicates": 199, "simulations": 0} | options)


def slopes(ratings_of, weights):
    """Return how the ratings move with the logarithm of each weight, by differences, (n, U)."""
    columns = []
    for u in range(len(weights)):
        up, down = weights.copy(), weights.copy()
        up[u] *= 1 + STEP
        down[u] *= 1 - STEP
        columns.append((ratings_of(up) - ratings_of(down)) / (2 * STEP))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("pairing", ["same", "all"])
@pytest.mark.parametrize("ties", ["half", "davidson", "rao-kupper"])
def test_a_round_moves_the_ratings_as_far_as_a_refit_says(pairing, ties):
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 6, size=(4, 9)).astype(float)
    weights = rng.integers(1, 3, size=9).astype(float)

    def fitted(row):
        return fit(pairs_of_rounds(scores, row[None], pairing=pairing).of_replicate(0), ties=ties)

    by_round, _ = scores_of_rounds(
        fitted(weights), scores, round_weights=weights[None], pairing=pairing
    )
    found = influences(fitted(weights), by_round, weights)
    expected = slopes(lambda row: fitted(row).ratings, weights)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_a_battle_moves_the_ratings_as_far_as_a_refit_says():
    battles = dh.Battles(**drawn(number=60))
    weights = np.asarray(battles.weights, dtype=np.float64)
    found = influences(
        fit(CellPairs(battles).counts()),
        scores_of_cells(fit(CellPairs(battles).counts()), battles).toarray(),
        weights,
    )
    expected = slopes(
        lambda row: fit(CellPairs(battles).counts(row[None]).of_replicate(0)).ratings, weights
    )
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("clusters", [None, [f"c{k % 7}" for k in range(25)]])
def test_units_have_the_ratings_as_means_and_the_errors_of_the_sandwich(clusters):
    results = table(clusters=clusters)
    r = rated(results, errors="sandwich")
    units, (i, j) = r.evidence.linear.units, every_pair(4)
    np.testing.assert_allclose(units.merits, r.ratings, atol=1e-9)
    by_hand = sandwich_of_rounds(
        r.fit, results.scores, clusters=None if clusters is None else tuple(clusters)
    )
    expected = np.sqrt(by_hand[i, i] + by_hand[j, j] - 2 * by_hand[i, j])
    rough = 1e-9 if clusters is None else 0.03  # clusters of unequal size make a ratio of sums
    np.testing.assert_allclose(units.errors(i, j), expected, rtol=rough)


def test_residuals_get_back_what_the_fit_takes():
    """Leverages by hand, from the weighted hat matrix of all battles."""
    columns = drawn(number=50, ties=0.3)
    battles = dh.Battles(**columns, ordered=True)
    fitted = fit(CellPairs(battles).counts())
    design = np.zeros((50, 4))
    design[np.arange(50), battles.left] += 1
    design[np.arange(50), battles.right] -= 1
    p = 1 / (1 + np.exp(-design @ fitted.ratings))
    usual = p * (1 - p)
    hat = np.sqrt(usual)[:, None] * design
    leverage = np.diagonal(hat @ np.linalg.pinv(hat.T @ hat) @ hat.T)
    residual = (1 + battles.outcome) / 2 - p
    times = (residual**2).sum() / (usual * (1 - leverage)).sum()
    expected = np.sqrt(residual**2 + leverage * times * usual)
    found = scores_of_cells(fitted, battles, stretched=True).toarray()[:, :4]
    np.testing.assert_allclose(np.abs(found[np.arange(50), battles.left]), expected, rtol=1e-6)
    plain = scores_of_cells(fitted, battles).toarray()[:, :4]
    assert (np.sign(found) == np.sign(plain)).all()


def test_whoever_played_once_is_not_as_sure_as_its_opponent():
    """A tie with the best fits exactly, so that it leaves no residual and the sandwich no error."""
    rows = [("ada bob left", 45), ("bob ada left", 15), ("bob cyd left", 45), ("cyd bob left", 15),
            ("ada dan tie", 1)]  # fmt: skip
    r = rated(log(rows), strict=True, errors="sandwich")
    tests, (ada, bob, cyd, dan) = r.grouped.tests, (r.at(n) for n in ("ada", "bob", "cyd", "dan"))
    assert tests.better[ada, bob]
    assert tests.better[ada, cyd]
    assert not tests.better[dan].any()
    assert tests.errors[dan, cyd] > 3 * tests.errors[ada, cyd]


def test_very_many_battles_are_put_together_at_random():
    battles = dh.Battles(**drawn(number=5_000))
    units = rated(battles, errors="sandwich").evidence.linear.units
    assert units.u == MOST_UNITS
    by_hand = sandwich_of_battles(fit(CellPairs(battles).counts()), battles)
    i, j = every_pair(4)
    expected = np.sqrt(by_hand[i, i] + by_hand[j, j] - 2 * by_hand[i, j])
    np.testing.assert_allclose(units.errors(i, j), expected, rtol=0.08)


@pytest.mark.parametrize("most", [900, 1_000_000, 400_000_000])
def test_battles_that_are_counted_are_dealt_without_a_number_for_each(tmp_path, most):
    """Of 2e9 battles, one number each would not fit into memory."""
    names, rng = [f"p{k:02}" for k in range(12)], np.random.default_rng(most)
    lines = ["left,right,lw,rw,draws"]
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            won, lost, tied = rng.integers(most // 100, 1 + most // (12 if most > 1e8 else 1), 3)
            lines.append(f"{one},{other},{won},{lost},{tied % 1_500}")
    (tmp_path / "counts.csv").write_text("\n".join(lines))
    counts = {"left_wins": "lw", "right_wins": "rw", "draws": "draws"}
    battles = dh.read_battles(tmp_path / "counts.csv", **counts)
    tracemalloc.start()
    r = rated(battles, errors="sandwich")
    units, held = r.evidence.linear.units, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert units.u == MOST_UNITS
    assert held < 300e6
    np.testing.assert_allclose(units.merits, r.evidence.ratings, atol=1e-9)
    by_hand, (i, j) = sandwich_of_battles(r.fit, battles), every_pair(12)
    expected = np.sqrt(by_hand[i, i] + by_hand[j, j] - 2 * by_hand[i, j])
    np.testing.assert_allclose(units.errors(i, j), expected, rtol=0.08)
    assert np.mean(units.errors(i, j) / expected) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("test", ["max-t", "holm"])
@pytest.mark.parametrize("source", [table(), dh.Battles(**drawn())])
def test_bootstrap_and_sandwich_share_their_tests_whatever_works(source, test):
    found = [
        rated(source, test=test, errors=errors, engine=engine).grouped.tests
        for errors, engine in (("bootstrap", "serial"), ("sandwich", "threads:2"))
    ]
    np.testing.assert_array_equal(found[0].p, found[1].p)
    np.testing.assert_array_equal(found[0].better, found[1].better)


def test_copies_of_a_candidate_are_never_told_apart():
    scores = table().scores
    twice = dh.Results(scores=np.concatenate([scores, scores[:1]]), better="higher")
    tests = rated(twice, strict=True).grouped.tests
    assert tests.differences[0, 4] == 0
    assert tests.p[0, 4] == 1


def errors_among_equals(n, m, tables, **options):
    """Return in how many tables of equals some pair is told apart."""
    found = 0
    for k in range(tables):
        scores = np.random.default_rng([n, m, k]).normal(size=(n, m))
        source = dh.Results(scores=scores, better="higher")
        r = rated(source, strict=True, errors="sandwich", engine="serial", seed=k, **options)
        found += bool(r.grouped.tests.better.any())
    return found


def test_ten_equals_on_ten_rounds_are_seldom_told_apart():
    """Refitted replicates did so in 18 of 100 tables, Wald's test with normal tails in 25."""
    assert errors_among_equals(10, 10, 50) <= 3
    assert errors_among_equals(10, 10, 50, test="holm") <= 7


@pytest.mark.slow
@pytest.mark.parametrize("test", ["max-t", "holm"])
@pytest.mark.parametrize("m", [10, 20, 50])
@pytest.mark.parametrize("n", [5, 10, 20, 30])
def test_equals_are_told_apart_in_at_most_six_of_a_hundred_tables(n, m, test):
    """Three standard errors of .06 in 300 tables are .041."""
    assert errors_among_equals(n, m, 300, test=test, replicates=499) / 300 <= 0.06 + 0.041


def voted(k, *, n, number, voters):
    """Return a log of equals with 30 % ties; each voter likes some of them far better."""
    rng = np.random.default_rng([n, number, k])
    sizes = rng.integers(5, 21, size=number)
    voter = np.repeat(np.arange(number), sizes)[:number]
    taste = rng.normal(0, 1.5 if voters else 0.0, size=(number, n))
    left = rng.integers(0, n, size=number)
    right = (left + rng.integers(1, n, size=number)) % n
    gap = taste[voter, left] - taste[voter, right]
    won = np.where(rng.random(number) < 1 / (1 + np.exp(-gap)), "left", "right")
    winner = np.where(rng.random(number) < 0.3, "tie", won)
    cluster = {"cluster": voter.astype(str)} if voters else {}
    return dh.Battles(left=left.astype(str), right=right.astype(str), winner=winner, **cluster)


@pytest.mark.slow
@pytest.mark.parametrize("voters", [False, True])
@pytest.mark.parametrize(("n", "number"), [(10, 300), (10, 1_000), (30, 300)])
def test_equals_of_a_log_are_told_apart_in_at_most_six_of_a_hundred(n, number, voters):
    found = [
        rated(voted(k, n=n, number=number, voters=voters), strict=True, errors="sandwich",
              engine="serial", seed=k, replicates=499)
        for k in range(300)
    ]  # fmt: skip
    assert np.mean([r.grouped.tests.better.any() for r in found]) <= 0.06 + 0.041


def everything(source, **options):
    """Return all that is said about ratings: terminal, page, methods, JSON."""
    r = rated(source, **options)
    strict = options.get("strict", False)
    page = dh.report(source, replicates=199, strict=strict).contents
    said = [
        r.verdict,
        *r.grid().legend,
        *r.grid().notes,
        *r.warnings,
        r.table("groups").verdict,
        r.to_json(),
    ]
    if page.ratings is not None and not options.keys() - {"strict"}:
        said.append("\n".join(summary(page).sentences))
    return " ".join([*said, methods(ratings=r).text()])


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"model": "elo"}, "for the model elo"),
        ({"model": "gaussian"}, "for the model gaussian"),
        ({"advantage": True}, "with an advantage"),
        ({"errors": "fisher"}, "where all matches are taken as independent"),
    ],
)
def test_what_was_not_simulated_claims_no_level(options, why, strict):
    said = everything(
        dh.Battles(**drawn(levels=(3.0, 0, 0, -1), number=900), ordered=True),
        strict=strict,
        **options,
    )
    assert why in said
    tests = f"tests whose error is not known {why} put it ahead of each of the 3 other candidates"
    assert f"is rated highest: {tests}" in said
    for claim in CLAIMS:
        assert claim not in said


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("errors", ["bootstrap", "sandwich"])
@pytest.mark.parametrize("rounds", [7, 9])
def test_few_rounds_claim_no_level_and_say_why(rounds, errors, strict):
    said = everything(table((9.0, 0.0, -9.0, -18.0), rounds=rounds), errors=errors, strict=strict)
    for claim in CLAIMS:
        assert claim not in said
    assert re.search(rf"{rounds} rounds (to draw from )?are too few to show that", said)
    assert "not known below 10 rounds" in said


def test_ten_rounds_may_show_somebody_better():
    said = everything(table((9.0, 0.0, -9.0, -18.0), rounds=12), strict=True)
    assert "ada is rated highest and clearly ahead of the others" in said
    assert "at the family-wise level 0.05" in said


ODD = {
    "one match": log([("a b left", 1)]),
    "one match of three": log([("a b left", 1), ("b c left", 1)]),
    "nobody lost": log([("a b tie", 12), ("b c tie", 12)]),
    "one side lost all": log([("a b left", 12), ("b c left", 12)]),
    "two rounds": dh.Results(scores=np.array([[3.0, 1], [2, 2], [1, 3]]), better="higher"),
    "constant": dh.Results(scores=np.arange(3.0)[:, None] + np.zeros(12), better="higher"),
    "equal": dh.Results(scores=np.zeros((3, 12)), better="higher"),
}


@pytest.mark.parametrize("errors", ["bootstrap", "sandwich", "fisher"])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", ODD)
def test_odd_logs_and_tables_end_in_a_sentence_without_nan(name, strict, errors):
    try:
        r = rated(ODD[name], strict=strict, errors=errors)
    except DataError as error:
        assert error.hint  # noqa: PT017 - some of them are refused, each with a next step
        return
    text = r.to_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    assert "nan" not in r.verdict
    assert json.loads(text)["facts"]["leader_corrected"] is None
    if strict and name != "constant" and name != "one side lost all":
        assert len(r.groups) == 1


def test_the_leader_is_corrected_on_the_scale_of_the_ratings():
    plain, points = (rated(table(), scale=scale) for scale in ("logit", "elo"))
    one, other = plain.leader_corrected, points.leader_corrected
    assert one["candidate"] == other["candidate"] == "ada"
    assert one["low"] < one["rating"] < plain.ratings.max() < one["high"]
    for key in ("rating", "low", "high"):
        assert other[key] == pytest.approx(float(points.scale.shown(np.array([one[key]]))[0]))
    nearer = f"nearer {one['rating']:.2f} ({one['low']:.2f} to {one['high']:.2f}): the best of 4 "
    assert f"ada's own rating is probably {nearer}looks better than it is." in plain.sentences


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (dh.Battles(**drawn(), ordered=True), {"model": "elo"}),
        (dh.Battles(**drawn()), {"errors": "fisher"}),
        (log([("a b left", 30), ("b c left", 20), ("c b left", 20)]), {}),
        (table(rounds=9), {}),
    ],
)
def test_where_nothing_is_known_of_the_leader_nothing_is_said(source, options):
    r = rated(source, **options)
    assert r.leader_corrected is None
    assert r.facts()["leader_corrected"] is None
    assert "probably nearer" not in r.verdict


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 5, 10, 30])
def test_the_interval_of_the_leader_holds(n):
    """20 rounds of equals; the interval of a fixed candidate holds the leader of 30 in .5."""
    held = 0
    for k in range(300):
        scores = np.random.default_rng([n, k]).normal(size=(n, 20))
        source = dh.Results(scores=scores, better="higher")
        r = rated(source, errors="sandwich", seed=k, engine="serial", replicates=499)
        if r.leader_corrected is not None:
            held += r.leader_corrected["low"] <= 0 <= r.leader_corrected["high"]
    assert held / 300 >= 0.93


def test_who_played_seldom_is_not_tested_and_does_not_hide_others():
    """In a third of the resamples the one battle of "eve" is not drawn, and its rating jumps."""
    columns = drawn(levels=(2.0, 0.0, 0.0, -2.0), number=400)
    more = {"left": ["ada", "eve"], "right": ["eve", "bob"], "winner": ["left", "left"]}
    seldom = dh.Battles(**{name: [*columns[name], *more[name]] for name in columns})
    r, without = (rated(source, strict=True) for source in (seldom, dh.Battles(**columns)))
    eve = r.at("eve")
    assert not r.grouped.tests.better[eve].any()
    assert not r.grouped.tests.better[:, eve].any()
    np.testing.assert_array_equal(r.grouped.tests.better[:4, :4], without.grouped.tests.better)
    assert any("eve: fewer than 10 battles" in w.replace("'", "") for w in r.warnings)
    assert not any("fewer than 10" in warning for warning in without.warnings)


PAIRED = [f"s{k}" for k in range(10)] + ["s8", "s9"]  # 8 strata of one round, 2 of two


def test_one_round_of_a_stratum_shows_nothing():
    """Two of 12 rounds say how far ratings vary; some equals were told apart in 26 of 60 tables."""
    for k in range(5):
        scores = np.random.default_rng([4, 12, k]).normal(size=(4, 12))
        for errors in ("sandwich", "bootstrap"):
            equals = dh.Results(scores=scores, better="higher", strata=PAIRED)
            r = rated(equals, strict=True, errors=errors)
            assert not r.grouped.tests.better.any()
            assert r.leader_corrected is None
    clear = table((9.0, 0.0, -9.0, -18.0), rounds=12, strata=PAIRED)
    for strict in (False, True):
        said = everything(clear, errors="sandwich", strict=strict)
        for claim in CLAIMS:
            assert claim not in said
        assert re.search(r"12 rounds in 10 strata (to draw from )?are too few to show that", said)
        assert "not known below 9 rounds beyond the first of each stratum" in said


def test_students_t_has_units_less_strata_degrees_of_freedom():
    r = rated(table(rounds=12, strata=PAIRED), errors="sandwich", interval="wald")
    t = 4.302652729911275  # of 2 degrees of freedom, two-sided 5 %
    np.testing.assert_allclose(r.bounds.high - r.bounds.values, t * r.bounds.errors, rtol=1e-9)


@pytest.mark.parametrize("clusters", [None, [f"c{k // 2}" for k in range(40)]])
def test_who_has_few_scores_is_not_tested(clusters):
    scores = table((1.2, 0.0, 0.0, -1.0), rounds=40).scores.copy()
    scores[3, 0] = 9.0  # nobody lost all
    scores[3, 12 if clusters else 4 :] = np.nan
    holes = dh.Results(scores=scores, better="higher", missing="available", clusters=clusters)
    r = rated(holes, strict=True, errors="sandwich")
    whole, few = (20, 6) if clusters else (40, 4)
    assert r.evidence.linear.known.tolist() == [whole, whole, whole, few]
    assert not r.grouped.tests.better[:, 3].any()
    assert r.grouped.tests.better[0, 1]
    assert any("fewer than 10" in warning for warning in r.warnings)


def test_where_nobody_has_enough_scores_a_warning_says_so():
    scores = np.full((4, 16), np.nan)
    for k in range(16):
        scores[[k % 4, (k + 1) % 4], k] = np.random.default_rng(k).normal(size=2)
    few = dh.Results(scores=scores, better="higher", missing="available")
    r = rated(few, strict=True, errors="sandwich")
    assert not r.grouped.tests.better.any()
    assert any("fewer than 10 rounds" in warning for warning in r.warnings)
