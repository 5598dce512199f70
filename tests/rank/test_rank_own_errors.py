"""One score for each candidate: by its name, with z-tests where it has a standard error."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.core.errors import DataError
from deadheat.core.types import Direction

SCORES, ERRORS = [1310, 1305, 1290, 1250], [2.5, 3.0, 2.0, 2.5]


def table(scores=SCORES, errors=ERRORS, better: Direction = "higher", **more):
    errors = None if errors is None else [[each] for each in errors]
    given = {"candidates": [*"abcd"][: len(scores)], "judges": ["Elo"], **more}
    rows = [[each] for each in scores]
    return dh.Results(scores=rows, standard_errors=errors, better=better, **given)


def test_the_leader_shares_first_place_with_whom_no_test_separates_it_from():
    found = dh.rank(table())
    said = found.sentences
    assert said[0] == "Dead heat: 2 of 4 candidates share first place (Elo, own standard errors)."
    p = stats.norm.sf(5 / np.hypot(2.5, 3.0))
    assert said[1] == f"a is not shown better than b: p = {p:.2g}, of 3 tests at 5 % in all."
    assert found.level == ("a", "b")
    rows = {row["candidate"]: row for row in found.rows()}
    assert [rows[name]["level"] for name in "abcd"] == [True, True, False, False]
    assert rows["a"]["p"] is None
    assert rows["b"]["p"] == pytest.approx(p)
    assert rows["c"]["p"] == pytest.approx(stats.norm.sf(20 / np.hypot(2.5, 2.0)))
    assert rows["b"]["shown_low"] == pytest.approx(1305 - 1.959964 * 3)
    assert rows["b"]["shown_high"] == pytest.approx(1305 + 1.959964 * 3)
    legend = "=  level with a: one-sided z-tests of independent scores at 5 % do not separate them"
    assert found.grid().legend == (legend,)
    assert [row[1] for row in found.grid().cells] == ["=", "=", "", ""]
    facts = found.facts()
    assert (facts["leader"], facts["level"], facts["alpha"]) == ("a", ["a", "b"], 0.05)
    assert facts["test"].endswith("at 5 %, Holm's correction")


def test_a_winner_is_named_with_the_test_that_shows_it():
    found = dh.rank(table([1310, 1290, 1250], ERRORS[:3]))
    assert found.sentences[0] == (
        "a wins: one-sided z-tests at 5 % show it better than each of the 2 other candidates "
        "(Elo, own standard errors)."
    )
    assert found.grid().legend == ()
    assert found.level == ("a",)


def test_the_correction_is_for_all_tests():
    """A lead of 1.8 errors is shown over one rival, not over two equal ones."""
    one = dh.rank(table([1.8, 0.0], [1.0, 0.0]))
    two = dh.rank(table([1.8, 0.0, 0.0], [1.0, 0.0, 0.0]))
    assert (one.level, two.level) == (("a",), ("a", "b", "c"))


def test_lower_is_better_turns_scores_and_not_intervals():
    found = dh.rank(table([10.0, 11.0, 20.0], [1.0, 1.0, 1.0], better="lower"))
    assert found.level == ("a", "b")
    rows = found.rows()
    assert [row["shown"] for row in rows] == [10.0, 11.0, 20.0]
    assert rows[0]["shown_low"] < 10.0 < rows[0]["shown_high"]
    bars = [row[-1] for row in found.grid().cells]
    assert [bar.rindex("●") for bar in bars] == sorted(map(len, map(_to_dot, bars)), reverse=True)


def _to_dot(bar):
    return bar[: bar.rindex("●")]


def test_who_has_no_standard_error_is_not_tested():
    found = dh.rank(table(errors=[2.5, np.nan, 2.0, 2.5]))
    assert "z-tests at 5 % show it better than 2 candidates that have a" in found.sentences[0]
    assert "1 of 4 candidates has no standard error and is not tested: b." in found.sentences
    row = next(row for row in found.rows() if row["candidate"] == "b")
    assert (row["standard_error"], row["shown_low"], row["level"], row["p"]) == (None,) * 4
    blind = dh.rank(table(errors=[np.nan, 3.0, 2.0, 2.5]))
    assert blind.sentences[0] == "a is first by Elo."
    assert "has no standard error" in blind.sentences[1]
    assert blind.level == ()


@pytest.mark.parametrize("errors", [None, ERRORS])
def test_one_score_is_called_by_its_name_and_no_other_way_of_counting_is_claimed(errors):
    found = dh.rank(table(errors=errors))
    assert found.made["function"] == ["mean"]
    assert found.headings == ("Elo",)
    assert [*found.first] == ["mean"]
    assert "function" not in found.verdict
    assert "average" not in found.verdict
    finding = {t: f for t, f, _ in dh.check(table(errors=errors)).findings}
    assert finding["winner"] == "a first by Elo"


def test_without_errors_it_says_that_nothing_is_known_and_what_would_show_it():
    found = dh.rank(table(errors=None))
    assert found.sentences == ("a is first by Elo.",)
    (warning,) = found.warnings
    assert "has one score, and nothing shows how far it would vary" in warning
    assert "(standard_error='COL')" in warning
    with pytest.raises(
        DataError, match=r"one score for each candidate \('Elo'\).*\n.*deadheat.rank\(table"
    ):
        dh.verdict(table(errors=None))
    with pytest.raises(DataError, match=r"nothing to resample.\nHint: who is level.*deadheat.rank"):
        dh.verdict(table())


def test_places_are_not_tested_and_ties_within_a_tolerance_are_places():
    assert dh.rank(table(), by="average_rank").own is None
    within = dh.rank(table(tie_tol=6))
    assert within.made["function"] == ["average_rank"]
    assert within.ranks[0].tolist() == [1.5, 1.5, 3, 4]
    assert dh.rank(table(), by=["mean", "median"]).own is None
    assert dh.rank(table(), by="median").level == ("a", "b")


def test_several_judges_stay_as_they_were():
    scores, errors = np.random.default_rng(2).random((3, 4)), np.full((3, 4), 0.1)
    several = dh.Results(scores=scores, better="higher", standard_errors=errors)
    found = dh.rank(several)
    assert found.made["function"] == ["average_rank"]
    assert found.own is None
    assert "p" not in found.rows()[0]


def test_a_saved_ranking_prints_as_the_fresh_one(tmp_path):
    found = dh.rank(table(errors=[2.5, np.nan, 2.0, 2.5]))
    saved = dh.load(found.to_json(tmp_path / "saved.json"))
    assert repr(saved) == repr(found)
    assert saved.to_json() == found.to_json()
    assert json.loads(found.to_json())["facts"]["level"] == ["a"]


def test_boards_say_who_is_level(tmp_path):
    path = tmp_path / "boards.csv"
    rows = ["a,u,10,1", "b,u,9,1", "c,u,3,1", "a,v,5,1", "b,v,9,1", "c,v,1,1"]
    path.write_text("\n".join(["model,task,score,SE", *rows]))
    said = {"better": "higher", "standard_error": "SE", "missing": "available"}
    boards = dh.rank(path, **said, each="task").boards
    assert boards is not None
    assert [(each["first"], each["level"]) for each in boards.boards] == [
        (["a"], ["b"]),
        (["b"], []),
    ]
