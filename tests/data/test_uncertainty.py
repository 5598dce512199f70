"""Columns that say how far scores may be off: standard errors, intervals, the ends of these."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.numbers import Numbers
from deadheat.data.reading.uncertainty import interval

NAMES, SCORES = "abcd", (1310.0, 1305.0, 1290.0, 1250.0)
Z = {level: float(stats.norm.ppf((1 + level) / 2)) for level in (0.9, 0.95, 0.99)}


def board(tmp_path, head, cells, scores=SCORES):
    path = tmp_path / "board.csv"
    rows = (f'{n},{s},"{c}"' for n, s, c in zip(NAMES, scores, cells, strict=False))
    path.write_text("\n".join([f'model,score,"{head}"', *rows]) + "\n")
    return path


def errors_of(path, *columns, **said):
    results = dh.read(path, better="higher", standard_error=columns, **said)
    assert (results.m, results.only_score) == (1, "score")
    return results.standard_errors[:, 0], results


@pytest.mark.parametrize(
    ("cell", "low", "high", "around"),
    [
        ("+5/-4", -4, 5, True),
        ("+5 / \u22124", -4, 5, True),
        ("-4/+5", -4, 5, True),
        ("(+5, -4)", -4, 5, True),
        ("+5 -4", -4, 5, True),
        ("±5", -5, 5, True),
        ("+/-5.5", -5.5, 5.5, True),
        ("±0.4%", -0.4, 0.4, True),
        ("1305-1315", 1305, 1315, False),
        ("1305 \u2013 1315", 1305, 1315, False),
        ("1305\u20131315", 1305, 1315, False),
        ("1305 to 1315", 1305, 1315, False),
        ("1305...1315", 1305, 1315, False),
        ("[1305, 1315]", 1305, 1315, False),
        ("(1305,1315)", 1305, 1315, False),
        ("[0.904; 0.920]", 0.904, 0.92, False),
        ("-0.5 - -0.1", -0.5, -0.1, False),
        ("[-0.5, 0.1]", -0.5, 0.1, False),
        ("90.5%-91.5%", 90.5, 91.5, False),
        ("1,305 - 1,315", 1305, 1315, False),
        ("1e-5 - 2e-5", 1e-5, 2e-5, False),
    ],
)
def test_an_interval_is_read_as_people_write_it(cell, low, high, around):
    assert interval(cell, Numbers()) == (low, high, around)


@pytest.mark.parametrize("cell", ["5", "0.5", "", "abc", "1315-1305", "2024-05-01", "1,305", "[5]"])
def test_what_is_no_interval_is_none(cell):
    assert interval(cell, Numbers()) is None


def test_decimal_commas_are_those_of_the_table():
    assert interval("[0,904; 0,920]", Numbers(",")) == (0.904, 0.92, False)
    assert interval("+0,5/-0,4", Numbers(",")) == (-0.4, 0.5, True)
    assert interval("0,904", Numbers()) is None


@pytest.mark.parametrize(
    ("head", "level"),
    [("95% CI", 0.95), ("CI", 0.95), ("90 % CI", 0.9), ("CI99", 0.99), ("range", 0.95)],
)
@pytest.mark.parametrize(
    "cells",
    [
        ["+5/-5", "+6/-6", "+4/-4", "+5/-5"],
        ["1305-1315", "1299-1311", "1286-1294", "1245-1255"],
        ["[1305, 1315]", "[1299, 1311]", "[1286, 1294]", "[1245, 1255]"],
    ],
)
def test_half_of_an_interval_over_its_quantile_is_a_standard_error(tmp_path, head, level, cells):
    errors, results = errors_of(board(tmp_path, head, cells), head)
    np.testing.assert_allclose(errors, np.array([5, 6, 4, 5]) / Z[level])
    assert results.scores[:, 0].tolist() == list(SCORES)
    assert not any("uneven" in note for note in results.notes)


@pytest.mark.parametrize(
    ("head", "divisor"), [("95% CI", Z[0.95]), ("margin of error", Z[0.95]), ("SE", 1), ("pm", 1)]
)
@pytest.mark.parametrize("sign", ["", "±"])
def test_one_number_is_a_standard_error_unless_its_name_is_that_of_an_interval(
    tmp_path, head, divisor, sign
):
    cells = [f"{sign}{x}" for x in (5, 6, 4, 5)]
    errors, _ = errors_of(board(tmp_path, head, cells), head)
    np.testing.assert_allclose(errors, np.array([5, 6, 4, 5]) / divisor)


def test_of_uneven_sides_the_mean_counts_and_a_note_says_so(tmp_path):
    for cells in (["+5/-4", "+6/-6"], ["[1306, 1315]", "[1299, 1311]"]):
        errors, results = errors_of(board(tmp_path, "95% CI", cells), "95% CI")
        np.testing.assert_allclose(errors, np.array([4.5, 6]) / Z[0.95])
        assert [note for note in results.notes if "uneven (as +5 and -4)" in note]


def test_two_columns_are_the_ends(tmp_path):
    path = tmp_path / "board.csv"
    path.write_text("model,score,5%,95%\na,10,8,12\nb,9,8,10\n")
    errors, _ = errors_of(path, "5%", "95%")
    np.testing.assert_allclose(errors, np.array([2, 1]) / Z[0.9])
    path.write_text("model,score,low,high\na,10,8,12\nb,9,11,10\n")
    with pytest.raises(DataError, match=r"line 3.*'11' and '10' is no ends of an interval"):
        errors_of(path, "low", "high")
    with pytest.raises(UsageError, match="an interval has two ends"):
        errors_of(path, "score", "low", "high")


def test_what_is_unknown_stays_unknown_and_what_is_wrong_is_refused(tmp_path):
    errors, _ = errors_of(board(tmp_path, "SE", ["1", "", "n/a", "0"]), "SE")
    np.testing.assert_allclose(errors, [1, np.nan, np.nan, 0])
    for wrong in ("abc", "-3", "inf"):
        with pytest.raises(DataError, match=r"line 3, column 'SE'.*no standard error and no"):
            errors_of(board(tmp_path, "SE", ["1", wrong]), "SE")


def test_scores_outside_their_intervals_are_told(tmp_path):
    path = board(tmp_path, "95% CI", ["[0.91, 0.93]", "[0.89, 0.92]"], scores=(92.0, 90.5))
    _, results = errors_of(path, "95% CI")
    assert [n for n in results.notes if n.startswith("2 of 2 scores lie outside their intervals")]


def test_the_score_may_be_named_and_errors_belong_to_one(tmp_path):
    path = tmp_path / "board.csv"
    path.write_text("model,score,f1,SE\na,10,3,1\nb,9,4,1\n")
    errors, _ = errors_of(path, "SE", score="score")
    assert errors.tolist() == [1, 1]
    with pytest.raises(UsageError, match="about one column of scores, and there are 2: score, f1"):
        errors_of(path, "SE")
    path.write_text("entry,score,SE\na,10,1\nb,9,1\n")
    assert errors_of(path, "SE")[1].candidates == ("a", "b")
    with pytest.raises(UsageError, match="about candidates in rows, and here rows are judges"):
        errors_of(path, "SE", candidates="columns")


def test_intervals_of_a_long_table_are_kept_for_each_score(tmp_path):
    path = tmp_path / "long.csv"
    rows = ["a,x,10,+2/-1", "a,y,20,", "b,x,11,+1/-1", "b,y,19,+3/-3"]
    path.write_text("\n".join(["model,task,score,95% CI", *rows]))
    results = dh.read(path, better="higher", standard_error="95% CI")
    expected = np.array([[1.5, np.nan], [1, 3]]) / Z[0.95]
    np.testing.assert_allclose(results.standard_errors, expected)
    assert any("uneven" in note for note in results.notes)


def test_a_sidecar_names_one_column_or_two(tmp_path):
    path = board(tmp_path, "CI", ["+5/-5", "+6/-6"])
    (tmp_path / "board.toml").write_text('better = "higher"\n[columns]\nstandard_error = "CI"\n')
    np.testing.assert_allclose(dh.read(path).standard_errors[:, 0], np.array([5, 6]) / Z[0.95])
    path.write_text("model,score,low,high\na,10,8,12\nb,9,8,10\n")
    sidecar = 'better = "higher"\n[columns]\nstandard_error = ["low", "high"]\n'
    (tmp_path / "board.toml").write_text(sidecar)
    np.testing.assert_allclose(dh.read(path).standard_errors[:, 0], np.array([2, 1]) / Z[0.95])


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("rank spread", ["1-2", "1-3", "2-4", "4-4"]),  # not around the scores
        ("licence", ["MIT", "MIT", "own", "own"]),
        ("released", ["2024-05", "2024-06", "2023-01", "2023-02"]),
    ],
)
def test_what_is_no_interval_of_the_scores_is_not_offered_as_one(tmp_path, head, cells):
    with pytest.raises(UsageError) as told:
        dh.read(board(tmp_path, head, cells))
    assert "standard_error" not in str(told.value)
    assert "ignore" in str(told.value)


def test_errors_beside_several_scores_are_left_as_they_were(tmp_path):
    path = tmp_path / "board.csv"
    path.write_text("model,u,v,95% CI\na,1,2,0-3\nb,2,1,0-3\nc,3,3,2-4\n")
    with pytest.raises(UsageError, match="'95% CI' holds text") as told:
        dh.read(path)
    assert "ignore='95% CI'" in str(told.value)
    assert "standard_error" not in str(told.value)


def test_errors_are_asked_about_first_with_what_is_left_out_beside_them(tmp_path):
    path = tmp_path / "board.csv"
    path.write_text("rank,model,score,SE,votes\n1,a,30,2,9\n2,b,29,1,7\n3,c,20,1,8\n")
    with pytest.raises(UsageError, match="'SE' is counted as a judge, but says how far") as told:
        dh.read(path, better="higher")
    assert told.value.remedy == {"standard_error": ("SE",), "ignore": ["rank", "votes"]}
    errors, results = errors_of(path, "SE", ignore=["rank", "votes"])
    assert (errors.tolist(), results.judges) == ([2, 1, 1], ("score",))
    kept = dh.read(path, better="higher", keep="SE", ignore=["rank", "votes"])
    assert (kept.judges, kept.standard_errors) == (("score", "SE"), None)


@pytest.mark.parametrize("head", ["SE", "95% CI"])
def test_rows_of_one_name_are_averaged_with_their_errors(tmp_path, head):
    path = tmp_path / "board.csv"
    path.write_text(f"model,score,{head}\na,10,3\na,12,4\nb,9,1\nb,9,1\n")
    said = {"candidates": "rows", "combine": "mean"}
    errors, results = errors_of(path, head, **said)
    divisor = 1 if head == "SE" else Z[0.95]
    np.testing.assert_allclose(errors, np.array([2.5, 0.5**0.5]) / divisor)
    assert results.scores[:, 0].tolist() == [11, 9]
