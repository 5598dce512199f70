"""A table in, a ranking out."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, MissingScoresError, ScaleError, UnknownNameError

SCORES = np.array([[0.9, 0.8, 0.1], [0.8, 0.9, 0.7], [0.2, 0.3, 0.4]])


@pytest.fixture
def table():
    return dh.Results(
        scores=SCORES, candidates=["a", "b", "c"], judges=["x", "y", "z"], better="higher"
    )


def test_rows_are_best_first_with_merit_shown_and_rank(table):
    rows = dh.rank(table, by="average_rank").rows()
    assert [row["candidate"] for row in rows] == ["b", "a", "c"]
    assert rows[0] == {
        "candidate": "b",
        "function": "average_rank",
        "merit": pytest.approx(-4 / 3),
        "shown": pytest.approx(4 / 3),
        "rank": 1.0,
    }


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_of_0_and_1_the_default_is_their_share_which_orders_as_average_ranks_do(better):
    """Each judge moves the ranks of those who have a 1 by n / 2, so both orders are one."""
    rng = np.random.default_rng(4)
    scores = (rng.random((6, 40)) < rng.uniform(0.2, 0.8, size=(6, 1))).astype(float)
    given = dh.Results(scores=scores, better=better)
    found, by_ranks = dh.rank(given), dh.rank(given, by="average_rank")
    assert found.made["function"] == ["mean"]
    assert found.ranks.tolist() == by_ranks.ranks.tolist()
    assert found.shown[0] == pytest.approx(100 * scores.mean(axis=1))
    assert found.merits[0] == pytest.approx((1 if better == "higher" else -1) * scores.mean(axis=1))
    assert "mean %" in str(found)


def test_a_share_is_called_as_the_column_of_a_long_table():
    import pandas as pd

    long = {"model": [*"aaabbb"], "task": [*"xyzxyz"], "solved": [1, 1, 1, 0, 1, 0]}
    found = dh.rank(dh.read(pd.DataFrame(long), better="higher"))
    assert found.headings == ("solved %",)
    assert found.shown[0] == pytest.approx([100, 100 / 3])
    assert found.verdict.startswith("a is first by solved.")


def test_one_score_that_is_not_0_or_1_and_two_directions_make_no_shares():
    bits = np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    other = dh.Results(scores=np.where(bits[:1] + bits == 0, 0.5, bits), better="higher")
    two = dh.Results(scores=bits, better=["higher", "lower", "higher"])
    for given in (other, two):
        assert dh.rank(given).made["function"] == ["average_rank"]


def test_the_default_is_the_average_rank_and_the_verdict_says_who_else_would_win(table):
    ranking = dh.rank(table)
    assert ranking.made["function"] == ["average_rank"]
    assert "b is first by average rank" in ranking.verdict


def test_lower_is_better_is_shown_as_people_wrote_it(table):
    lower = dh.Results(scores=SCORES, candidates=["a", "b", "c"], better="lower")
    first = dh.rank(lower, by="mean").rows()[0]
    assert first["candidate"] == "c"
    assert first["merit"] == pytest.approx(-0.3)
    assert first["shown"] == pytest.approx(0.3)


def test_direction_per_judge():
    mixed = dh.Results(
        scores=[[0.9, 10.0], [0.8, 5.0]],
        judges=["auc", "secs"],
        better={"secs": "lower", "*": "higher"},
    )
    assert dh.rank(mixed, by="average_rank").ranks.tolist() == [[1.5, 1.5]]
    assert mixed.original.tolist() == [[0.9, 10.0], [0.8, 5.0]]


@pytest.mark.parametrize(
    ("convention", "expected"),
    [("mean", [1.5, 1.5, 3.0]), ("min", [1, 1, 3]), ("dense", [1, 1, 2])],
)
def test_rank_conventions(convention, expected):
    tied = dh.Results(scores=[[1, 0], [0, 1], [0, 0]], better="higher")
    assert dh.rank(tied, by="mean", ranks=convention).ranks[0].tolist() == expected


def test_a_tie_tolerance_ties_scores_for_functions_that_compare_only():
    close = dh.Results(scores=[[0.900, 0.5], [0.901, 0.4]], better="higher", tie_tol=0.01)
    assert dh.rank(close, by="average_rank").rows()[0]["candidate"] == "candidate_1"
    assert dh.rank(close, by="average_rank").merits[0].tolist() == [-1.25, -1.75]
    assert dh.rank(close, by="mean").merits[0] == pytest.approx([0.7, 0.6505])


def test_judge_weights_count():
    table = dh.Results(scores=[[1, 0], [0, 1]], better="higher", judge_weights=[1, 3])
    assert dh.rank(table, by="mean").merits[0].tolist() == [0.25, 0.75]


def test_the_order_of_rows_does_not_matter_even_where_labels_break_ties():
    """A cycle of equal margins: ranked pairs goes by labels, not by the order of the file."""
    scores = np.array([[3.0, 1, 2], [2, 3, 1], [1, 2, 3]])
    names = ["rock", "scissors", "paper"]
    expected = None
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]):
        table = dh.Results(
            scores=scores[order], candidates=[names[i] for i in order], better="higher"
        )
        ranking = dh.rank(table, by="ranked_pairs")
        found = {row["candidate"]: row["rank"] for row in ranking.rows()}
        expected = expected or found
        assert found == expected
        assert any("order of the labels" in warning for warning in ranking.warnings)


def test_all_leaves_out_what_does_not_fit_and_says_so():
    negative = dh.Results(scores=[[1.0, -1.0], [0.5, 0.0]], better="higher")
    ranking = dh.rank(negative, by="all")
    names = {f.name for f in ranking.functions}
    assert "relative_difference" not in names
    assert "geometric_mean" not in names
    assert {"mean", "copeland", "relative_difference_ranks"} <= names
    for name in ("relative_difference", "geometric_mean"):
        assert any(w.startswith(f"{name} is left out: needs") for w in ranking.warnings)


def test_a_function_named_alone_refuses_a_scale_that_does_not_fit():
    negative = dh.Results(scores=[[1.0, -1.0], [0.5, 0.0]], judges=["p", "q"], better="higher")
    with pytest.raises(ScaleError, match=r"on judge 'q' has -1\.\nHint:"):
        dh.rank(negative, by="relative_difference")
    zero = dh.Results(scores=[[1.0, 0.0], [0.5, 0.0]], better="higher")
    dh.rank(zero, by="relative_difference")
    with pytest.raises(ScaleError, match="above 0"):
        dh.rank(zero, by="geometric_mean")


def test_missing_scores_are_refused_by_default_with_the_place():
    holey = dh.Results(scores=[[1, np.nan], [2, 3]], candidates=["rf", "svm"], better="higher")
    with pytest.raises(MissingScoresError, match=r"candidate 'rf' on judge 'judge_2' is missing"):
        dh.rank(holey)


def test_available_is_for_functions_that_can():
    holey = dh.Results(scores=[[1, np.nan, 3], [2, 3, 1]], better="higher", missing="available")
    assert dh.rank(holey, by="mean").merits[0].tolist() == [2, 2]
    with pytest.raises(DataError, match="plurality cannot rank a table in which"):
        dh.rank(holey, by="plurality")
    assert "plurality" not in {f.name for f in dh.rank(holey, by="all").functions}


def test_last_rank_is_for_functions_of_the_order():
    from deadheat.data.missing import apply_policy

    holey = dh.Results(scores=[[1, np.nan], [2, 3], [3, 0]], better="higher")
    settled = apply_policy(holey, "last-rank")
    assert dh.rank(settled, by="average_rank").merits[0].tolist() == [-3, -1.5, -1.5]
    with pytest.raises(ScaleError, match="infinite score"):
        dh.rank(settled, by="mean")


def test_a_candidate_without_any_score_is_left_out_by_every_function_and_named():
    holey = dh.Results(
        scores=[[np.nan, np.nan, np.nan], [2, np.nan, 3], [1, np.nan, np.nan]],
        candidates=["gone", "svm", "rf"],
        better="higher",
        missing="available",
    )
    for by in ("mean", "average_rank", "minimax", "all"):
        ranking = dh.rank(holey, by=by)
        assert ranking.candidates == ("svm", "rf")
        assert "1 of 3 candidates without any score left out: gone." in ranking.warnings
        assert "1 of 3 judges without any score left out." in ranking.warnings


def test_an_unknown_function_comes_with_the_nearest_name(table):
    with pytest.raises(UnknownNameError, match="Did you mean 'copeland'"):
        dh.rank(table, by="copland")


def test_the_podium_table_marks_where_functions_depart():
    table = dh.examples.load("compressors")
    grid = dh.rank(table, by="all").document_grid()
    names = [column.name for column in grid.columns]
    mean = names.index("mean")
    row = [cells[0] for cells in grid.cells].index("lzma-9e")
    assert (row, mean) in grid.marked
    assert grid.cells[row][mean] == 1
    assert names[0] == "compressor"
    assert "most functions put this compressor elsewhere" in grid.legend[0]


def test_many_functions_are_rows_with_their_podiums_the_most_common_first():
    """Five judges score a, b, c and d; the podiums are found by hand."""
    scores = [[9, 9, 9, 1, 1], [8, 8, 8, 9, 9], [7, 7, 7, 7, 7], [1, 1, 1, 2, 2]]
    table = dh.Results(scores=scores, candidates=list("abcd"), better="higher")
    by = ["mean", "average_rank", "plurality", "copeland", "minimax", "schulze"]
    ranking = dh.rank(table, by=by)
    # a wins every duel by 3 to 2, but has less on average than c, and a mean rank of 2.2; that of
    # b is 1.6. c and d are nobody's first, and all five prefer b to each of them.
    assert ranking.grid().cells == (
        ("a", "b", "c and d", "2 of 6: plurality, minimax"),
        ("a", "b", "c", "2 of 6: copeland, schulze"),
        ("b", "c", "a", "mean"),
        ("b", "a", "c", "average rank"),
    )
    assert [c.name for c in ranking.document_grid().columns] == [
        *("candidate", "mean", "average rank", "plurality", "copeland", "minimax", "schulze")
    ]
    assert len(ranking.document_grid().cells) == 4


def test_made_carries_what_is_needed_to_repeat_it(table):
    made = dh.rank(table, by="mean").made
    assert made["version"] == dh.__version__
    assert made["sha256"] == table.sha256
    assert made["function"] == ["mean"]
    assert made["seed"] is None


def test_the_digest_is_that_of_the_content():
    one = dh.Results(scores=SCORES, better="higher")
    same = dh.Results(scores=SCORES.copy(), better="higher", source="elsewhere")
    other = dh.Results(scores=SCORES + 1e-9, better="higher")
    turned = dh.Results(scores=SCORES, better="lower")
    assert one.sha256 == same.sha256
    assert len({one.sha256, other.sha256, turned.sha256}) == 3


def test_json_is_one_object_with_the_documented_keys(table):
    document = json.loads(dh.rank(table, by=["mean", "median"]).to_json())
    own = ["schema", "made", "verdict", "sentences", "warnings", "reasons", "facts", "rows"]
    assert list(document) == [*own, "table"]
    assert document["schema"] == "deadheat.rank/1"
    assert list(document["rows"][0]) == ["candidate", "function", "shown", "rank", "merit"]
    assert len(document["rows"]) == 6


def test_a_wrong_direction_is_suspected_when_the_winner_is_worst_everywhere():
    """Ranked by error as if it were accuracy on most judges, saved by one huge score."""
    scores = np.array([[0.1, 0.1, 0.1, 900], [0.5, 0.6, 0.7, 1], [0.6, 0.5, 0.8, 2]])
    ranking = dh.rank(dh.Results(scores=scores, better="higher"), by="mean")
    assert any("worst on 3 of 4 judges" in warning for warning in ranking.warnings)
    assert any("average rank does not depend on the scale" in w for w in ranking.warnings)


def test_a_float32_table_is_kept_and_its_ties_are_found():
    scores = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.0, 0.0, 0.0]], dtype=np.float32)
    table = dh.Results(scores=scores, better="higher")
    assert np.shares_memory(table.scores, scores)
    assert dh.rank(table, by="mean").ranks.tolist() == [[1.5, 1.5, 3]]


def test_a_users_own_function_gets_everything(table):
    @dh.ranks_table("second_best", scale="interval", shared_scale=True)
    def second_best(scores):
        """Rank by the second best score of each candidate."""
        return np.sort(scores, axis=1)[:, -2]

    from deadheat.ranking import function as registry

    try:
        assert dh.rank(table, by="second_best").rows()[0]["candidate"] in ("a", "b")
        assert "second_best" in {f.name for f in dh.rank(table, by="all").functions}
    finally:
        registry.forget("second_best")


def test_a_kernel_that_gives_nan_is_named(table):
    @dh.ranks_table("broken", scale="interval")
    def broken(scores):
        """Give nothing."""
        return np.full(len(scores), np.nan)

    from deadheat.ranking import function as registry

    try:
        with pytest.raises(DataError, match="broken gives no merit to 3 candidates: a, b, c"):
            dh.rank(table, by="broken")
    finally:
        registry.forget("broken")


def test_a_policy_in_the_table_is_obeyed_and_one_may_be_given_late():
    holey = {"scores": [[9, np.nan], [2, 3], [1, 1]], "better": "higher"}
    early = dh.rank(dh.Results(**holey, missing="worst"), by="mean")
    late = dh.rank(dh.Results(**holey), by="mean", missing="worst")
    assert early.merits.tolist() == late.merits.tolist() == [[5.0, 2.5, 1.0]]


def test_functions_that_nobody_asked_for_do_no_harm(table):
    @dh.ranks_table("explodes", scale="interval")
    def explodes(scores):
        """Fail."""
        raise ValueError("boom")

    from deadheat.ranking import function as registry

    try:
        halves = dh.Results(scores=SCORES, better="higher", judge_weights=[0.5, 1, 1])
        assert dh.rank(halves, by="mean").verdict
        assert any("explodes is left out" in w for w in dh.rank(halves, by="all").warnings)
        with pytest.raises(ValueError, match="boom"):
            dh.rank(table, by="explodes")
    finally:
        registry.forget("explodes")


def test_all_leaves_out_what_nobody_would_wait_for(table, monkeypatch):
    monkeypatch.setattr("deadheat.ranking.on_tables.TOO_HEAVY", 10)
    ranking = dh.rank(table, by="copeland,all")
    names = {f.name for f in ranking.functions}
    assert "copeland" in names
    assert "schulze" not in names
    told = "schulze is left out: 3 candidates take it about 5e+01 steps"
    assert any(warning.startswith(told) for warning in ranking.warnings)


def test_named_functions_are_never_left_out():
    negative = dh.Results(scores=[[1.0, -1.0], [0.5, 0.0]], better="higher")
    for by in ("all,mean", ["all", "mean"], (name for name in ("mean", "ALL"))):
        names = [f.name for f in dh.rank(negative, by=by).functions]
        assert names[0] == "mean"
        assert "copeland" in names
    with pytest.raises(ScaleError):
        dh.rank(negative, by="relative_difference,all")


@pytest.mark.parametrize("by", [3, [], "", lambda scores: scores])
def test_what_is_no_function_is_refused(table, by):
    with pytest.raises(dh.UsageError):
        dh.rank(table, by=by)


@pytest.mark.parametrize(("size", "word"), [(1e308, "large"), (1e200, "large"), (1e-200, "small")])
def test_scores_whose_squares_no_float_holds_are_refused_without_a_warning(size, word):
    odd = dh.Results(scores=[[size, size], [size, 0.0]], better="higher")
    with pytest.raises(ScaleError, match=f"as {word} as 1e"):
        dh.rank(odd, by="mean")
    assert dh.rank(odd, by="average_rank").ranks.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("size", [1e-100, 1e-30, 1e30, 1e99])
def test_the_unit_of_the_scores_changes_no_answer(size):
    scores = np.random.default_rng(0).normal([[0.0], [0.02], [0.3], [1.0]], 0.3, (4, 30))
    for strict in (False, True):
        told = [
            dh.verdict(
                dh.Results(scores=scores * unit, better="higher"),
                by="mean",
                replicates=200,
                strict=strict,
                interval="bootstrap-t",
            )
            for unit in (1.0, size)
        ]
        assert told[0].groups == told[1].groups
        assert told[1].low / size == pytest.approx(told[0].low)


def test_a_judge_without_scores_is_no_reason_for_numpy_to_complain():
    holey = dh.Results(
        scores=[[1, np.nan, 3], [2, np.nan, 1], [0, np.nan, 5]],
        better="higher",
        missing="available",
    )
    assert dh.rank(holey, by="mean").merits[0].tolist() == [2, 1.5, 2.5]


def test_the_best_by_rank_is_bold_even_where_merits_differ_by_noise():
    scores = [[0.1, 0.2, -0.3], [-0.3, 0.1, 0.2], [-1, -1, -1]]
    latex = dh.rank(dh.Results(scores=scores, better="higher"), by="mean").to_latex()
    assert latex.count(r"\textbf") == 2


def test_the_sentence_says_under_how_many_functions_and_who_disagrees():
    table = dh.examples.load("compressors")
    ranking = dh.rank(table, by="mean,median,copeland,borda")
    assert ranking.verdict == (
        "bzip2-9 is first under 2 of 4 functions; lzma-9e under mean; "
        "bzip2-1 and bzip2-9 tied under median."
    )
    both = dh.rank(table, by="copeland,borda")
    assert both.verdict == "bzip2-9 is first under both ranking functions."


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "'=a", "''-x", "+1", "@here", "'quoted'"])
def test_names_come_back_from_csv_as_they_were(name, tmp_path):
    table = dh.Results(scores=[[1.0], [2.0]], candidates=[name, "plain"], better="higher")
    path = tmp_path / "ranking.csv"
    dh.rank(table, by="mean").to_csv(path)
    columns = {"candidate": "candidate", "judge": "function", "score": "merit"}
    assert set(dh.read(path, better="higher", **columns).candidates) == {name, "plain"}


LARGE = np.array([[2.0**53 - 1, 2.0**53 - 3], [2.0**53 - 2, 2.0**53 - 4], [5.0, 7.0]])


@pytest.mark.parametrize("sign", [1, -1])
def test_large_numbers_are_not_tied_in_silence(sign):
    better = "higher" if sign > 0 else "lower"
    table = dh.Results(scores=sign * LARGE, candidates=["x", "y", "z"], better=better)
    told = (
        "mean ranks 'x' and 'y' as equal, though every judge puts 'x' above 'y': their scores "
        "differ by less than 1e-12 of the largest"
    )
    for found in (dh.rank(table, by="mean"), dh.verdict(table, by="mean", replicates=200)):
        assert [warning for warning in found.warnings if warning.startswith(told)], found.warnings


@pytest.mark.parametrize(
    ("scores", "by"),
    [
        (LARGE, "average_rank"),
        (LARGE - 2.0**53 + 8, "mean"),
        ([[2.0**53 - 1, 9.0], [9.0, 2.0**53 - 1]], "mean"),  # tied indeed
        ([[0.1 + 0.2], [0.3]], "mean"),  # the last bits of one number
    ],
)
def test_nothing_is_told_where_large_numbers_hide_nothing(scores, by):
    table = dh.Results(scores=np.array(scores), better="higher")
    assert not [warning for warning in dh.rank(table, by=by).warnings if "as equal" in warning]


def test_what_a_table_gives_by_a_function_is_computed_once(monkeypatch):
    from deadheat.ranking import on_tables

    made = []
    whole = on_tables.merits_of
    monkeypatch.setattr(
        on_tables, "merits_of", lambda table, fs, *rest: made.extend(fs) or whole(table, fs, *rest)
    )
    v = dh.verdict(dh.examples.load("compressors"), replicates=99)
    ways = [v.function, *v.first_by]
    first = dh.rank(v.evidence.results, by=ways)
    again = dh.rank(v.evidence.results, by=ways)
    assert sum(f is not v.function for f in made) == len(v.first_by) > 10
    assert again.merits.tobytes() == first.merits.tobytes()


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_pairs_beyond_the_memory_are_refused_at_once(weight, monkeypatch):
    results = dh.Results(
        scores=np.arange(600.0).reshape(300, 2), judge_weights=[weight, 1.0], better="higher"
    )
    monkeypatch.setenv("DEADHEAT_MEMORY", "3MB")
    if weight == 1.0:
        assert dh.rank(results, by="copeland").rows()[0]["candidate"] == "candidate_300"
        monkeypatch.setenv("DEADHEAT_MEMORY", "1MB")
    with pytest.raises(DataError, match=r"copeland compares every pair of 300 .*memory") as caught:
        dh.verdict(results, by="copeland")
    assert re.search(r"set DEADHEAT_MEMORY=\w+ to allow more", str(caught.value))
    told = "copeland is left out: compares every pair of 300 candidates"
    assert any(each.startswith(told) for each in dh.rank(results, by="all").warnings)
