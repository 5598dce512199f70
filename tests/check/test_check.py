"""What check finds, planted one by one."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.check import api as health
from deadheat.ranking import on_tables as table

RNG = np.random.default_rng(7)
CLEAN = RNG.random((6, 8)).round(3)


def checked(scores, **options):
    return dh.check(dh.Results(scores=scores, **({"better": "higher"} | options)))


def topics(result):
    return {topic for topic, _, look in result.findings if look}


def finding(result, topic):
    return " ".join(what for name, what, _ in result.findings if name == topic)


def test_a_clean_table_with_one_winner_has_nothing_to_look_at():
    scores = np.arange(24).reshape(4, 6) + RNG.random((4, 6))
    result = checked(scores)
    assert result.verdict == (
        "4 candidates on 6 judges, higher is better: nothing deserves a second look."
    )
    assert result.facts()["winners_by_function"]["mean"] == ["candidate_4"]


def test_holes_are_listed_with_their_place_and_the_winner_under_each_policy():
    """The best fails on two judges: worst scores dethrone it, dropping the judges does not."""
    scores = np.array([[9, 9, np.nan, np.nan], [8, 8, 8, 8], [7, 7, 7, 7.0]])
    result = checked(scores, candidates=["star", "solid", "last"], judges=["p", "q", "r", "s"])
    facts = result.facts()
    assert facts["holes"] == [{"candidate": "star", "judge": j} for j in ("r", "s")]
    winners = facts["winners_by_policy"]
    assert winners["drop-judges"] == ["star"]
    assert winners["available"] == ["star"]
    assert winners["drop-candidates"] == ["solid"]
    assert winners["worst"] == ["solid"]
    assert "who is first changes" in finding(result, "policies")
    assert {"holes", "policies"} <= topics(result)


def test_a_policy_that_is_impossible_says_why():
    scores = np.array([[1, np.nan], [np.nan, 2.0]])
    result = checked(scores)
    assert result.facts()["winners_by_policy"]["drop-judges"] is None
    assert "drop-judges is impossible" in finding(result, "policies")
    assert "no judge in common" in finding(result, "holes")


def test_constant_and_identical_judges_are_named():
    scores = CLEAN.copy()
    scores[:, 2] = 0.5
    scores[:, 5] = scores[:, 4]
    result = checked(scores)
    assert result.facts()["constant_judges"] == ["judge_3"]
    assert result.facts()["identical_judges"] == [["judge_5", "judge_6"]]


def test_clones_and_near_clones_are_named():
    scores = RNG.random((5, 20))
    scores[1] = scores[0]
    scores[3] = scores[2]
    scores[3, 0] += 0.1
    facts = checked(scores).facts()
    assert facts["clones"] == [["candidate_1", "candidate_2"]]
    assert facts["near_clones"] == [{"candidates": ["candidate_3", "candidate_4"], "share": 0.95}]


@pytest.mark.parametrize(
    ("value", "why"),
    [(93.5, "percentage"), (-999.0, "missing"), (5000.0, "spread")],
)
def test_suspicious_values_are_named(value, why):
    scores = CLEAN.copy()
    scores[4, 6] = value
    (found,) = checked(scores).facts()["suspicious"]
    assert (found["candidate"], found["judge"]) == ("candidate_5", "judge_7")
    assert found["score"] == value
    assert why in found["why"]


@pytest.mark.parametrize("table", ["times", "a bad candidate", "easy", "solved"])
def test_what_is_usual_in_real_tables_deserves_no_second_look(table):
    """Times lie far apart, a baseline is far behind, instances are easy, or solved by the same."""
    rng = np.random.default_rng(1)
    scores = 0.9 + rng.random((12, 60)) / 1e3
    if table == "times":
        scores = 10 ** rng.uniform(-2, 4, (12, 60))
        scores[:7, ::2] = 1 + rng.random((7, 30)) / 1e3
    elif table == "a bad candidate":
        scores[3, ::9] = 0.3
    elif table == "easy":
        scores[:, ::4] = 1
    else:
        scores = (rng.random((12, 60)) < np.linspace(0, 1, 60)).astype(float)
        scores[:, 1] = scores[:, 0]
    looks = topics(checked(scores))
    assert looks <= {"winner"}


def test_times_of_runs_are_not_taken_for_mistakes():
    rows = dh.check(dh.examples.load("sat-race"), rule="par2", combine="mean").rows()
    assert "suspicious" not in {row["topic"] for row in rows}
    failed = [row["finding"] for row in rows if row["topic"] == "failed strata"]
    assert len(failed) == 1  # maplechrono solves none of the quasigroups, and some of all others
    assert "maplechrono" in failed[0]
    assert "quasigroup" in failed[0]


def test_nothing_is_suspicious_in_ordinary_tables():
    for scores in (CLEAN, RNG.normal(size=(30, 9)), RNG.integers(0, 2, (20, 9)), -CLEAN):
        assert checked(np.asarray(scores, dtype=float)).facts()["suspicious"] == []


def test_one_judge_and_one_candidate_are_fine_and_noted():
    result = checked([[1.0], [2.0]])
    assert "one judge" in finding(result, "size")
    result = checked([[1.0, 3.0]])
    assert "one candidate" in finding(result, "size")


def test_weights_strata_and_clusters_are_described():
    result = checked(
        CLEAN, judge_weights=[1] * 7 + [3], strata=list("aaaabbbc"), clusters=list("aabbccdd")
    )
    assert "from 1 to 3" in finding(result, "weights")
    assert "3, of 1 to 4 judges" in finding(result, "strata")
    assert "1 of one judge, where nothing can be resampled" in finding(result, "strata")
    assert "4, of 2 judges" in finding(result, "clusters")


def test_a_winner_that_is_worst_on_most_judges_is_a_reason_to_doubt_the_direction():
    scores = np.array([[0.1, 0.1, 0.1, 900], [0.5, 0.6, 0.7, 1], [0.6, 0.5, 0.8, 2]])
    result = dh.check(dh.Results(scores=scores, better="higher"), by="mean")
    assert "is the direction right" in finding(result, "direction")


def test_near_clones_are_not_looked_for_where_that_would_take_too_long(monkeypatch):
    monkeypatch.setattr(health, "AFFORDABLE", 10)
    assert "too many cells" in finding(checked(CLEAN), "clones")


def test_large_tables_are_not_put_to_functions_that_nobody_asked_for(monkeypatch):
    monkeypatch.setattr(table, "HEAVY", 10)
    assert "copeland" not in checked(CLEAN).facts()["winners_by_function"]
    assert "mean" in checked(CLEAN).facts()["winners_by_function"]
    monkeypatch.setattr(table, "LIGHT", 10)
    assert list(checked(CLEAN).facts()["winners_by_function"]) == ["average_rank"]
    large = dh.Results(scores=CLEAN, better="higher")
    assert dh.rank(large, by="mean").facts()["first"].keys() == {"mean"}


def test_tied_scores_are_counted_as_pairs():
    assert checked([[1.0, 1], [1, 2], [0, 3]]).facts()["tied_share"] == pytest.approx(1 / 6)


def test_many_suspects_are_cut():
    scores = RNG.random((8, 3000))
    scores[0] = 1e6
    assert len(health.suspect_scores(dh.Results(scores=scores, better="higher"))) <= 1001


def test_the_holes_are_seen_under_any_policy_and_the_winner_is_that_of_the_policy():
    """One candidate and one judge without any score, as in real leaderboards."""
    scores = np.array(
        [[9, 1, np.nan], [8, np.nan, np.nan], [np.nan, np.nan, np.nan], [7, 2, np.nan]]
    )
    result = checked(scores, candidates=["a", "b", "gone", "d"], missing="available")
    assert result.facts()["holes_in_all"] == 7
    assert "no score at all for 1 candidate: gone" in finding(result, "holes")
    assert "fewer than two scores on 1 judge: judge_3" in finding(result, "idle judges")
    assert result.facts()["winners_by_function"]["average_rank"] == ["a"]


def crashed_on_a_family(sizes=(60, 10)):
    """Return 0/1 scores of six on two strata, of which 'isasat' solves nothing in the first."""
    rng = np.random.default_rng(3)
    scores = (rng.random((6, sum(sizes))) < 0.6).astype(float)
    scores[:2] = 1
    scores[2, : sizes[0]] = 0
    scores[:, :3] = 0  # nobody solves these
    return {
        "scores": scores,
        "candidates": ["a", "b", "isasat", "d", "e", "f"],
        "strata": ["hardware"] * sizes[0] + ["software"] * sizes[1],
    }


def test_a_candidate_that_fails_on_a_whole_stratum_is_named():
    result = checked(**crashed_on_a_family())
    assert finding(result, "failed strata") == (
        "'isasat' has the worst score on all 60 judges of stratum 'hardware', most others have not"
    )
    assert "failed strata" in topics(result)
    assert result.facts()["failed_strata"] == [
        {"candidate": "isasat", "stratum": "hardware", "judges": 60}
    ]


@pytest.mark.parametrize("change", ["no strata", "few judges", "most fail", "lower is better"])
def test_what_is_no_failure_of_a_stratum_is_not_told(change):
    table = crashed_on_a_family((7, 60) if change == "few judges" else (60, 10))
    if change == "no strata":
        table["strata"] = None
    if change == "most fail":
        table["scores"][3:, :60] = 0
    if change == "lower is better":  # 0 is then the best score
        table |= {"better": "lower"}
    found = checked(**table).facts()["failed_strata"]
    assert [row for row in found if row["candidate"] == "isasat"] == []


def test_failed_strata_as_a_loop_finds_them():
    rng = np.random.default_rng(5)
    for _ in range(200):
        n, strata = 5, rng.integers(0, 3, 24).tolist()
        scores = rng.integers(0, 2, (n, 24)).astype(float)
        scores[rng.integers(n), [s == 1 for s in strata]] = 0
        scores[rng.random(scores.shape) < 0.02] = np.nan
        results = dh.Results(scores=scores, better="higher", strata=strata)
        expected = []
        for stratum in sorted(set(strata)):
            its = [j for j in range(24) if strata[j] == stratum]
            columns = [[x for x in scores[:, j] if x == x] for j in its]
            worst = [
                i
                for i in range(n)
                if all(scores[i, j] == min(c) for j, c in zip(its, columns, strict=True))
            ]
            telling = sum(min(c) < max(c) for c in columns)
            if telling >= 5 and len(worst) < n / 2:
                expected += [(i, str(stratum), len(its)) for i in worst]
        assert sorted(health.failed_strata(results)) == sorted(expected)


def test_many_failed_strata_are_counted():
    scores = np.ones((4, 50))
    scores[0] = 0
    result = checked(scores, strata=np.repeat(list("pqrst"), 10))
    found = [what for topic, what, _ in result.findings if topic == "failed strata"]
    assert len(found) == 4
    assert found[-1] == "2 more like these"
    assert len(result.facts()["failed_strata"]) == 5


def test_a_rule_that_is_bound_to_its_judges_is_checked_under_policies_that_drop_some(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(
        "solver,instance,status,time,family\n"
        "a,i1,ok,1,f\na,i2,ok,2,g\nb,i1,ok,2,f\nb,i2,timeout,9,g\nb,i3,ok,1,g\n",
        encoding="utf-8",
    )
    found = dh.check(path, rule="categories-won", cutoff=5, stratum="family")
    assert found.details["winners_by_policy"]["drop-judges"] == ["a"]
