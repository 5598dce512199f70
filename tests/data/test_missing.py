"""The seven policies for missing scores."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, MissingScoresError, UnknownNameError
from deadheat.data.missing import apply_policy
from deadheat.data.reading.read import read
from deadheat.data.results import Results

NAN = float("nan")


@pytest.fixture
def holey():
    scores = [[1.0, NAN, 5.0], [2.0, 20.0, NAN], [3.0, 30.0, NAN], [4.0, 40.0, 8.0]]
    return Results(
        scores=np.array(scores),
        candidates=["rf", "svm", "knn", "nn"],
        judges=["iris", "adult", "wine"],
        better={"wine": "lower", "*": "higher"},
        source="results.csv",
    )


def test_error_refuses_with_place_number_and_hint(holey):
    message = (
        r"^results.csv: the score of candidate 'rf' on judge 'adult' is missing \(3 in all\)\."
    )
    with pytest.raises(MissingScoresError, match=message) as caught:
        apply_policy(holey, "error")
    assert "missing='drop-judges'" not in caught.value.hint  # two of three judges have holes
    assert caught.value.hint.endswith("missing='available'")
    few_holes = Results(scores=[[1, 2, 3], [4, 5, float("nan")]], better="higher")
    with pytest.raises(MissingScoresError, match=r"leave out the judges.* missing='drop-judges'"):
        apply_policy(few_holes, "error")


def test_worst_is_the_worst_present_score_of_the_judge(holey):
    filled = apply_policy(holey, "worst")
    assert filled.original[:, 1].tolist() == [20, 20, 30, 40]
    assert filled.original[:, 2].tolist() == [5, 8, 8, 8]


def test_last_rank_is_behind_everybody_and_failures_tie(holey):
    filled = apply_policy(holey, "last-rank")
    assert filled.scores[:, 2].tolist() == [-5, -np.inf, -np.inf, -8]


def test_impute_median_is_the_median_of_the_present_scores(holey):
    filled = apply_policy(holey, "impute-median")
    assert filled.original[:, 1].tolist() == [30, 20, 30, 40]
    assert filled.original[:, 2].tolist() == [5, 6.5, 6.5, 8]


def test_available_keeps_the_holes_and_marks_the_policy(holey):
    kept = apply_policy(holey, "available")
    assert kept.missing == "available"
    assert kept.holes.sum() == 3
    assert "who fails often may gain by that" in kept.notes[-1]


def test_a_board_for_each_survives_the_policy(tmp_path):
    path = tmp_path / "t.csv"
    lines = (f"{m},t{k},{'x' if k < 4 else 'y'},{'' if (m, k) == ('a', 0) else k + ord(m)}"
             for m in "abc" for k in range(8))  # fmt: skip
    path.write_text("\n".join(["model,task,kind,score", *lines]), encoding="utf-8")
    for policy in ("drop-judges", "worst", "available"):
        found = dh.read(path, better="higher", each="kind", missing=policy)
        assert [part.source for part in found.parts] == ["x", "y"], policy


def test_who_fails_is_not_left_out_by_the_hint_where_lower_is_better(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("planner,a,b,c\nx,1,,3\ny,2,3,4\nz,3,4,5\n", encoding="utf-8")
    with pytest.raises(dh.DataError) as refused:
        dh.rank(path, better="lower")
    assert refused.value.remedy == {"missing": "worst"}
    first, *_ = str(refused.value).partition("Hint: ")[2].splitlines()
    assert first.endswith("missing='worst'")
    with pytest.raises(dh.DataError) as refused:
        dh.rank(path, better="higher")
    assert refused.value.remedy == {"missing": "available"}
    with pytest.raises(dh.UsageError) as refused:
        dh.rank(path)
    higher, lower = str(refused.value).partition("Hint: ")[2].splitlines()
    assert "missing='available'" in higher
    assert "missing='worst'" in lower


def test_drop_judges_and_drop_candidates(holey):
    assert apply_policy(holey, "drop-judges").judges == ("iris",)
    assert "2 of 3 judges dropped" in apply_policy(holey, "drop-judges").notes[-1]
    assert apply_policy(holey, "drop-candidates").candidates == ("nn",)


@pytest.mark.parametrize(
    "policy", ["worst", "last-rank", "impute-median", "available", "drop-judges", "drop-candidates"]
)
def test_every_policy_says_what_it_did_and_is_remembered(holey, policy):
    results = apply_policy(holey, policy)
    assert results.missing == policy
    assert len(results.notes) == 1
    assert not results.has_holes or policy == "available"


@pytest.mark.parametrize("policy", ["error", "worst", "drop-judges"])
def test_a_full_table_stays_as_it_is(policy):
    full = Results(scores=np.eye(2), better="higher")
    results = apply_policy(full, policy)
    assert results.notes == ()
    assert results.missing == policy


@pytest.mark.parametrize("policy", ["worst", "last-rank", "impute-median"])
def test_a_judge_without_any_score_puts_nobody_ahead_and_is_left_out(policy):
    scores = np.array([[1, NAN, 5], [2, NAN, NAN]])
    left = apply_policy(Results(scores=scores, better="higher", judges=["a", "b", "c"]), policy)
    assert left.judges == ("a", "c")
    assert "1 of 3 judges without any score left out." in left.notes
    assert not left.has_holes


def test_dropping_everybody_is_refused():
    table = Results(scores=np.array([[1, NAN], [NAN, 2]]), better="higher")
    for policy in ("drop-judges", "drop-candidates"):
        with pytest.raises(DataError, match="leaves none"):
            apply_policy(table, policy)


def test_an_unknown_policy_is_refused(holey):
    with pytest.raises(UnknownNameError, match="Did you mean 'worst'"):
        apply_policy(holey, "wrst")


def test_float32_stays_float32():
    table = Results(scores=np.array([[1, NAN], [3, 2]], dtype=np.float32), better="higher")
    assert apply_policy(table, "impute-median").scores.dtype == np.float32


def test_reading_applies_a_policy_but_leaves_the_default_to_the_ranking(table):
    path = table("model,iris,adult\nsvm,1,\nrf,3,4\n")
    assert read(path, better="higher").has_holes
    assert read(path, better="higher").missing == "error"
    assert read(path, better="higher", missing="worst").scores.tolist() == [[1, 4], [3, 4]]
    assert read(path, better="higher", missing="available").has_holes
