"""What a page embeds so that its race can be run again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import functions, get
from deadheat.report import live as room
from deadheat.report.live import live, live_ratings

ASKED = {"strict": False, "alpha": 0.05, "engine": "threads"}


def table(n=6, m=48, **given):
    rng = np.random.default_rng(0)
    scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.5, (n, m))
    names = [f"c{i}" for i in range(n)]
    return dh.Results(scores=scores, candidates=names, better="higher", **given)


def embedded(results, *, data=True, **options):
    v = dh.verdict(results, **{"by": "mean", "replicates": 400} | options)
    return v, json.loads(json.dumps(live(v, data=data, **ASKED), allow_nan=False))


@pytest.fixture(scope="module")
def race():
    return embedded(dh.examples.load("sat-race"), by=None, replicates=2_000)


def merits(found, way, weights):
    sums, totals = np.array(way["sums"]), np.array(found["totals"])
    return sums @ weights / (totals @ weights * way["scale"])


def test_every_way_that_is_tried_is_told_as_a_verdict_tells_it():
    results = table()
    v, found = embedded(results)
    assert [way["name"] for way in found["ways"]] == ["mean", *v.first_by]
    for way in found["ways"]:
        other = dh.verdict(results, by=way["name"], replicates=way["resamples"])
        best = [results.candidates[i] for i in way["who"]]
        assert best == [
            results.candidates[i] for i in np.argsort(other.evidence.ranks, kind="stable")
        ]
        assert np.allclose(way["shown"], other.shown[way["who"]], rtol=1e-12)
        assert {results.candidates[i] for i in way["level"]} == set(
            () if other.undecided else other.groups[0]
        )


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"strata": ["x"] * 20 + ["y"] * 28},
        {"clusters": [f"k{j // 3}" for j in range(48)]},
        {"judge_weights": np.linspace(0.5, 2, 48)},
    ],
    ids=["plain", "strata", "clusters", "weights"],
)
def test_sums_over_what_is_drawn_give_the_merits(given):
    results = table(**given)
    v, found = embedded(results)
    units = v.evidence.plan.grouping(results.m)
    assert found["units"] == units.number
    weights = np.random.default_rng(1).exponential(1, units.number)
    for way in found["ways"]:
        if "sums" not in way:
            continue
        weighted = results.changed(judge_weights=results.weights * weights[units.of_judge])
        (row,) = dh.rank(weighted, by=way["name"]).merits
        assert np.allclose(merits(found, way, weights), row, rtol=1e-9, atol=1e-9)
    if found["weighed"]:
        named = [found["weighed"]["names"][k] for k in found["weighed"]["of"]]
        of_judges = given.get("strata") or given.get("clusters")
        assert [named[u] for u in units.of_judge] == list(of_judges)


def test_a_large_table_has_the_sums_of_its_strata_alone(monkeypatch):
    results = table(strata=["x"] * 20 + ["y"] * 28)
    monkeypatch.setattr(room, "CELLS", results.n * results.m - 1)
    _, found = embedded(results)
    assert not found["drawn"]
    assert np.array(found["ways"][0]["sums"]).shape == (results.n, 2)
    own = np.repeat([0.3, 2.0], [20, 28])
    (row,) = dh.rank(results.changed(judge_weights=own), by="mean").merits
    assert np.allclose(merits(found, found["ways"][0], np.array([0.3, 2.0])), row, rtol=1e-9)


@pytest.mark.parametrize("strategy", ["looped", "pairwise"])
def test_a_way_that_takes_too_long_has_its_scores_and_says_that_it_is_not_tested(
    strategy, monkeypatch
):
    results = table(n=12)
    monkeypatch.setattr(room, "STEPS", 450 * room.STEP * 12 * 48)
    v, found = embedded(results)
    ways = {way["name"]: way for way in found["ways"]}
    slow = [name for name in v.first_by if getattr(get(name), strategy)]
    assert slow
    for name in slow:
        told, ranked = ways[name], dh.rank(results, by=name)
        assert told["resamples"] == 0
        assert "Scores alone" in told["said"]
        assert told["said"].startswith(f"By {told['called']}, ")
        assert told["level"] == told["low"] == told["high"] == told["first"] == []
        assert np.allclose(told["shown"], ranked.shown[0][told["who"]], rtol=1e-12)
        assert told["who"] == np.argsort(ranked.ranks[0], kind="stable").tolist()
    assert ways["median"]["resamples"] == 400
    assert "Scores alone" not in ways["median"]["said"]


def test_the_work_of_other_ways_is_bounded_by_the_size_of_the_table():
    plan = dh.verdict(table(), replicates=400).evidence.plan.with_replicates(10_000)
    for n, m in [(18, 212), (44, 400), (300, 40), (3000, 6)]:
        results = dh.Results(scores=np.zeros((n, m)), better="higher")
        for f in functions():
            number = room._resamples(f, results, plan)
            assert number == 0 or number >= room.FEWEST
            if not f.additive:
                assert number * (n * m * room.STEP + n * n * (n + m) * f.pairwise) <= room.STEPS
            if f.looped:
                assert number * n * room.LOOP <= room.STEPS


@pytest.mark.parametrize("strata", [None, ["x"] * 20 + ["y"] * 28])
def test_without_data_no_score_is_told(strata):
    _, found = embedded(table(strata=strata), data=False)
    assert found["totals"] is None
    assert found["weighed"] is None
    assert all("sums" not in way and way["again"] for way in found["ways"])


def test_the_page_carries_the_scores_as_they_were_written():
    results = dh.Results(
        scores=[[3.0, 1.5, 2.0], [4.0, 2.5, 1.0]], candidates=["a", "b"], better="lower"
    )
    report = dh.report(results, by="mean", replicates=99)
    (carried,) = [t for s in report.sections for t in s.tables if t.name == "scores"]
    written = [
        [row["score"] for row in carried.result.rows() if row["candidate"] == c] for c in "ab"
    ]
    assert written == [[3.0, 1.5, 2.0], [4.0, 2.5, 1.0]]
    closed = dh.report(results, by="mean", replicates=99, data=False)
    assert not [t for s in closed.sections for t in s.tables if t.name == "scores"]


@pytest.mark.parametrize("plan", ["bayesian", "subsample", "jackknife"])
def test_plans_that_a_browser_does_not_draw_are_shown_again(plan):
    _, found = embedded(table(), plan=plan)
    assert not found["drawn"]
    assert all(way["again"] for way in found["ways"])


def test_units_drawn_inside_units_are_not_drawn_in_a_browser():
    clusters = [f"k{j // 4}" for j in range(48)]
    for plan, drawn in (("clustered", True), ("two-level", False)):
        _, found = embedded(table(clusters=clusters), plan=plan)
        assert found["drawn"] is drawn


def test_a_browser_knows_when_its_tests_are_not_those_that_were_asked_for():
    for asked in ({"strict": True}, {"p_value": "paper"}, {"leader": "best-score"}):
        assert not embedded(table(m=24), **asked)[1]["same_tests"]
    v, found = embedded(table())
    assert found["same_tests"]
    assert found["fewest"] == v.fewest == 10


def test_races_that_are_shown_again_are_won_as_the_package_says():
    rng = np.random.default_rng(5)
    results = dh.Results(scores=rng.integers(0, 3, (5, 24)), better="higher")
    v, found = embedded(results, by="median")
    won = found["ways"][0]["won"]
    assert len(won) == room.REPLAYED
    best = v.merits[: room.REPLAYED]
    assert won == [np.flatnonzero(row >= row.max() - 1e-9).tolist() for row in best]
    assert any(len(each) > 1 for each in won)


def test_a_battle_log_is_shown_again_from_its_own_resamples():
    rng = np.random.default_rng(5)
    left, right = rng.permuted(np.tile(np.arange(5), (400, 1)), axis=1)[:, :2].T
    won = rng.random(400) < 1 / (1 + np.exp((left - right) / 2))
    sides = [[f"p{i}" for i in side] for side in (left, right)]
    log = dh.Battles(left=sides[0], right=sides[1], winner=np.where(won, "left", "right").tolist())
    r = dh.rate(log)
    found = json.loads(json.dumps(live_ratings(r), allow_nan=False))
    own, *others = found["ways"]
    rows = r.rows()
    assert [found["candidates"][i] for i in own["who"]] == [row["candidate"] for row in rows]
    for key, column in {"shown": "rating", "low": "low", "high": "high"}.items():
        assert np.allclose(own[key], [row[column] for row in rows], rtol=1e-5)
    assert own["first"] == [row["first_share"] for row in rows]
    drawn = r.evidence.replicates[: room.REPLAYED]
    assert own["won"] == [[int(row.argmax())] for row in drawn]
    assert np.allclose(own["again"], r.scale.shown(drawn)[:, own["who"]], rtol=1e-3, atol=1e-3)
    assert [way["name"] for way in others] == list(r.first_by)
    for way in others:
        assert way["resamples"] == 0
        assert found["candidates"][way["who"][0]] == r.first_by[way["name"]][0]
        assert way["shown"] == sorted(way["shown"], reverse=True)


def test_a_battle_log_without_resamples_is_not_shown_again():
    log = dh.Battles(left=["a", "b", "a"] * 9, right=["b", "c", "c"] * 9, winner=["left"] * 27)
    assert live_ratings(dh.rate(log, errors="fisher")) is None


def test_the_caption_says_why_somebody_grey_stands_above_somebody_level():
    v, found = embedded(dh.examples.load("sat-race"), by=None, replicates=2_000)
    said, more = (found["ways"][0][key] for key in ("said", "more"))
    level = {v.candidates[i] for i in v.members[0]}
    worst = max(v.row(name).rank for name in level)
    grey = [row["candidate"] for row in v.rows() if row["rank"] < worst]
    (grey,) = [name for name in grey if name not in level]
    assert f"{grey} is grey, though better than " in said
    assert "PAR2 (mean seconds a run; one not solved counts twice the limit)" in more
    _, plain = embedded(table())
    assert "grey" not in plain["ways"][0]["said"]


def test_the_meaning_of_a_rule_is_told_only_with_its_own_number():
    _, found = embedded(dh.examples.load("sat-race"), by="average_rank", replicates=400)
    assert "seconds" not in found["ways"][0]["more"]


def test_each_way_says_in_a_line_who_is_first_and_how_many_are_level(race):
    v, found = race
    results = v.evidence.results
    for way in found["ways"][1:]:
        other = dh.verdict(results, by=way["name"], replicates=way["resamples"])
        others = [results.candidates[i] for i in other.members[0] if i != other.leaders[0]]
        level = f"{len(others)} others are" if others[1:] else f"{others[0]} is" if others else ""
        first, said = way["said"].split("; ")
        are = "is" if len(other.winners) == 1 else "are"
        assert first == f"By {way['called']}, {' and '.join(other.winners)} {are} first"
        assert said.startswith(f"{level or 'nobody is'} level")
        shared = " A shared first place counts for each." * (sum(way["first"]) > 1.005)
        told = f"Dot: {way['heading']}. Bar: 95 % interval.{shared}"
        assert way["more"].endswith(told) or f"{told} {way['resamples']:,} resamples" in way["more"]


@pytest.mark.parametrize(("column", "noun"), [("domain", "domains"), ("family", "families")])
def test_what_is_weighed_is_called_as_its_column(column, noun, tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        f"{c},i{j},{'xyz'[j % 3]},{rng.random() + k / 9:.3f}"
        for k, c in enumerate("abc")
        for j in range(30)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([f"solver,instance,{column},score", *rows]))
    results = dh.read(path, better="higher", stratum=column)
    assert embedded(results)[1]["weighed"]["what"] == noun
