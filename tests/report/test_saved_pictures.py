"""Pictures of results that were saved and read back: the same as before."""

from __future__ import annotations

import json

import pytest

import deadheat as dh
from deadheat.report.picture import suitable_kinds
from samples import FEW, samples, scores, tournaments

RESULTS = {
    **samples(),
    "clustered": dh.verdict(scores(clusters=list("aabbccddeeffgghhiijjkkll")), by="mean", **FEW),
    "bayesian": dh.verdict(scores(), by="mean", plan="bayesian", **FEW),
    "few judges": dh.verdict(scores().of_judges([True] * 4 + [False] * 20), by="mean", **FEW),
    "elo points": dh.rate(scores(), scale="elo", anchor="bob=1000", **FEW),
    "influence of runs": dh.influence(dh.examples.load("sat-race")),
    "criteria without trials": dh.criteria(scores(), trials=0),
    "some ratings": dh.rate(scores(), show_only=["ada", "bob"], anchor="cyd", **FEW),
    "some of parts": dh.rate(
        tournaments(), tournament="data", round="round", candidate="model", score="score",
        better="higher", show_only=["ada", "bob"], **FEW,
    ),
    "weighted": dh.rate(
        tournaments(), tournament="data", round="round", candidate="model", score="score",
        better="higher", tournament_weights={"d1": 3.0}, **FEW,
    ),
}  # fmt: skip
SUITED = {
    name: sorted({*suitable_kinds(dh.load(r.to_json()))} & {*suitable_kinds(r)})
    for name, r in RESULTS.items()
}


def told(picture):
    return picture.spec(), picture.title, picture.see, picture.alt


@pytest.mark.parametrize(("name", "kind"), [(n, k) for n, found in SUITED.items() for k in found])
@pytest.mark.parametrize("width", ["page", "column"])
def test_the_picture_of_a_saved_result_is_that_of_the_result(name, kind, width):
    result = RESULTS[name]
    assert told(dh.load(result.to_json()).plot(kind, width=width)) == told(
        result.plot(kind, width=width)
    )


def test_the_picture_that_suits_best_is_the_same():
    for name in ("verdict", "strict verdict"):
        assert dh.load(RESULTS[name].to_json()).plot().kind == RESULTS[name].plot().kind


def test_what_can_be_drawn_of_json():
    of_criteria = {"concordance", "criteria", "functions-map", "stability"}
    of_ratings = {"epp-bars", "ratings", "tunability"}
    assert {*SUITED["verdict"]} == {"first", "intervals"}
    assert {*SUITED["criteria"]} == {*SUITED["criteria of two"]} == of_criteria
    assert SUITED["criteria convergence"] == ["convergence"]
    assert SUITED["rank"] == SUITED["criteria meta-ranking"] == ["rank-lines"]
    assert SUITED["influence"] == ["influence"]
    assert SUITED["agree"] == ["agreement"]
    assert SUITED["compare"] == ["scatter"]
    assert {*SUITED["rate"]} == {*of_ratings, "calibration"}
    assert {*SUITED["rate of parts"]} == {*SUITED["rate by elo"]} == of_ratings
    assert set(suitable_kinds(dh.load(RESULTS["demo"].to_json()))) >= {"intervals"}


def test_a_picture_that_needs_the_data_says_so_and_how_to_draw_it():
    back = dh.load(RESULTS["verdict"].to_json())
    with pytest.raises(dh.UsageError, match="significance needs the data") as raised:
        back.plot("significance")
    assert "deadheat.plot('TABLE', 'significance')" in raised.value.hint
    assert "of this JSON there are " in raised.value.hint
    with pytest.raises(dh.UsageError, match=r"needs the data, and deadheat\.check/1"):
        dh.load(RESULTS["check"].to_json()).plot()
    with pytest.raises(dh.UsageError, match="rank-lines needs the data"):
        dh.load(RESULTS["criteria"].to_json()).plot("rank-lines")
    with pytest.raises(dh.UsageError, match="unknown picture 'intervalls'"):
        back.plot("intervalls")


def test_shares_of_a_jackknife_speak_of_no_random_draws():
    v = RESULTS["verdict of battles' ranks"]
    picture = v.plot("first")
    assert "one judge left out at a time" in picture.see
    assert "resample" not in json.dumps(told(picture))
    assert "random" not in json.dumps(told(picture))
    assert "Monte-Carlo" not in json.dumps(told(picture))
    assert all(row["first_error"] == 0 for row in v.rows())
    assert all(row["monte_carlo_error"] == 0 for row in v.table("first").rows())


@pytest.mark.parametrize("name", ["verdict", "bayesian", "clustered"])
def test_shares_of_random_draws_stand_in_the_order_of_the_ranking(name):
    v = RESULTS[name]
    picture = v.plot("first")
    assert "rematches" in picture.see
    shares = {row["candidate"]: row["first_share"] for row in v.rows()}
    (drawn,) = picture.spec()["datasets"].values()
    assert {row["candidate"]: row["share"] for row in drawn} == {
        name: share for name, share in shares.items() if share > 0
    }
    assert [row["candidate"] for row in drawn] == [n for n in shares if shares[n] > 0]
