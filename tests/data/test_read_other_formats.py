"""A file of another format is refused as what it is, never read as something else."""

import io
import zipfile

import numpy as np
import pytest

from deadheat.core.errors import DataError
from deadheat.data.reading.read import is_battle_log, read, read_battles

BARRED = "| model | iris |\n|-------|:----:|\n| svm | 0.9 |\n| rf | 0.7 |\n"
BOXED = "+-------+---+\n| model | a |\n+=======+===+\n| x     | 1 |\n| y     | 2 |\n+-------+---+\n"
LINED = "┌───────┬───┐\n│ model │ a │\n├───────┼───┤\n│ x     │ 1 │\n│ y     │ 2 │\n└───────┴───┘\n"
RST = "===== ==\nmodel  a\n===== ==\nx      1\ny      2\n===== ==\n"
LATEX = "\\begin{tabular}{lr}\nmodel & iris \\\\\nsvm & 0.9 \\\\\n\\end{tabular}\n"
HTML = "<table><tr><th>model</th><th>a</th></tr><tr><td>x</td><td>1</td></tr></table>\n"
SHEET = '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>\n'
ARFF = "% made by hand\n@RELATION iris\n@attribute a numeric\n@data\n1,2\n3,4\n"
FILES = [  # name, content, what it is
    *((f"x.{s}", BOXED, "a table drawn with lines") for s in ("txt", "csv", "")),
    ("x.txt", " model | a\n-------+---\n x | 1\n y | 2\n", "a table drawn with lines"),
    ("x.txt", LINED, "a table drawn with lines"),
    *((f"x.{s}", RST, r"a reStructuredText \(RST\) table") for s in ("rst", "txt", "csv")),
    ("x.txt", "model    a\n-----  ---\nx  1\ny  2\n", "a table drawn with dashes"),
    ("x.csv", "<!DOCTYPE html>\n<html><body></body></html>", "is a web page"),
    *((f"x.{s}", SHEET, "an Excel file in XML") for s in ("xls", "xml")),
    ("x.xml", '<?xml version="1.0"?>\n<runs><run score="1"/></runs>\n', "an XML document"),
    *((f"x.{s}", ARFF, "an ARFF file") for s in ("arff", "csv")),
    *((f"x.{s}", "%PDF-1.4\n1 0 obj\n", "a PDF document") for s in ("pdf", "csv")),
    ("x.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), r"the old Excel format \(.xls\)"),
    ("x.npy", b"\x93NUMPY\x01\x00v\x00{'descr'", "a NumPy array"),
    ("x.feather", b"ARROW1\0\0" + bytes(50), "an Arrow"),
    ("x.json", '{"a": {"0": 1}, "b": {"0": 2}}', "looks like a DataFrame of pandas"),
    ("x.json", '{"columns": ["a"], "index": [0], "data": [[1]]}', "looks like a DataFrame of pand"),
    ("x.json", '{\n "schema": "deadheat.rank/1",\n "rows": []\n}', "was saved by deadheat"),
    ("x.json", '{"runs": [{"model": "a", "x": 1}]}', r"is one JSON object \(runs\), not rows"),
    ("x.jsonl", '{\n "model": "a", "x": 1\n}', r"is one JSON object \(model, x\), not rows"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "what"), FILES)
def test_a_file_of_another_format_is_named(table, name, content, what):
    path = table(content, name)
    with pytest.raises(DataError, match=what):
        read(path, better="higher")
    assert not is_battle_log(path, {})


def test_a_table_drawn_with_lines_is_read_once_they_are_removed(table):
    for drawn, said in ((BOXED, "pipe"), (RST, "space"), (LINED, "│")):
        with pytest.raises(DataError, match=f"delimiter={said!r}"):
            read(table(drawn), better="higher")
        lines = [line for line in drawn.splitlines() if line[0] not in "+=┌├└"]
        results = read(table("\n".join(lines)), better="higher", delimiter=said)
        assert (results.candidates, results.scores.tolist()) == (("x", "y"), [[1], [2]])


def test_json_is_read_as_such_whatever_its_name(table):
    for content in (
        '[{"model": "x", "a": 1},\n{"model": "y", "a": 2}]',
        '{"model": "x", "a": 1}\n',
    ):
        assert read(table(content, "x.csv"), better="higher").candidates[0] == "x"


def zipped(parts):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


def test_archives_are_named(table):
    ods = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"}
    with pytest.raises(DataError, match=r"x.ods is an OpenDocument file \(.ods\)"):
        read(table(zipped(ods), "x.ods"), better="higher")
    two = {"t.csv": "model,a\nx,1\n", "u.csv": "model,a\nx,1\n"}
    with pytest.raises(DataError, match=r"x\.zip is an archive of 2 files, not a table\."):
        read(table(zipped(two), "x.zip"), better="higher")


def test_a_log_may_be_drawn_in_markdown(table):
    log = "| left | right | winner |\n|--|--|--|\n| x | y | left |\n| y | z | right |\n"
    assert read_battles(table(log, "x.csv")).total == 2


def test_a_header_may_begin_with_a_backslash(table):
    path = table("\\alpha,a,b\nx,1,2\nAT&T,3,4\n")
    assert read(path, better="higher", candidate="\\alpha").candidates == ("x", "AT&T")


def test_cells_may_hold_what_looks_like_another_format(table):
    cell = f'"{BARRED}{LATEX}{HTML}% x\n@relation"'
    content = f"model_a,model_b,winner,answer\nx,y,model_a,{cell}\ny,x,model_a,{cell}\n"
    assert read_battles(table(content)).total == 2
    results = read(
        table(f"model,notes,a\nx,{cell},1\ny,{cell},2\n"), better="higher", ignore="notes"
    )
    assert results.scores.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        *((cell, "an uncertainty") for cell in ("0.9 [2]", "0.87 [0.8; 0.9]", "0.87 (0.8; 0.9)")),
        *((cell, "a mark") for cell in ("**0.9**", "__0.9__", "0.9*", "0.9†", ">0.9")),
        ("0.8-0.9", "a range"),
        ("\\textbf{0.9}", "LaTeX"),
        ("<b>0.9</b>", "HTML"),
    ],
)  # fmt: skip
def test_cells_that_are_more_than_a_number_are_named(table, cell, what):
    for content in (
        f"model,iris,adult\nsvm,{cell},{cell}\nrf,{cell},{cell}\n",
        f"model,iris,adult\nsvm,0.5,0.6\nrf,{cell},0.7\n",
        f"model,task,score\nsvm,x,1\nrf,x,2\nsvm,y,3\nrf,y,{cell}\n",
    ):
        with pytest.raises(DataError, match=f"is not a number[^\\n]*\\nHint: it (holds|is) {what}"):
            read(table(content), better="higher")


@pytest.mark.parametrize(
    ("cell", "score", "error"),
    [
        *((cell, 0.87, 0.01) for cell in ("0.87 ± 0.01", "0.87±0.01", "0.87 +- 0.01")),
        *((cell, 0.87, 0.01) for cell in ("0.87 +/- 0.01", "0.87 (0.01)", "0.87 (± 0.01)")),
        ("0.873 (12)", 0.873, 0.012),
        ("87.3% ± 0.2%", 87.3, 0.2),
        ("1.2e3 ± 5", 1200, 5),
    ],
)
def test_an_uncertainty_is_kept_beside_its_score(table, cell, score, error):
    nan = np.nan
    other = "50%" if "%" in cell else "0.5"
    for content in (
        f"model,iris,adult\nsvm,{cell},0.6\nrf,{other},0.7\n",
        f"model,task,score\nsvm,iris,{cell}\nrf,iris,{other}\nsvm,adult,.6\nrf,adult,.7\n",
    )[: 1 if "%" in cell else 2]:
        results = read(table(content), better="higher", brackets="error")
        assert results.scores[0, 0] == score
        np.testing.assert_allclose(results.standard_errors, [[error, nan], [nan, nan]])
        assert ("standard error" in " ".join(results.notes)) == (cell != "0.873 (12)")
    header, row = ["method", "acc", "f1"], ["A", cell, cell]
    for delimiter, name in (("\t", "x.tsv"), (";", "x.csv"), ("|", "x.csv")):
        content = "".join(f"{delimiter.join(each)}\n" for each in (header, row, ["B", *row[1:]]))
        errors = read(table(content, name), better="higher", candidate="method").standard_errors
        np.testing.assert_allclose(errors, np.full((2, 2), error))


def test_a_column_of_standard_errors_is_kept_and_repeats_pool_them(table):
    content = "model,task,score,se\na,x,1,3\na,x,3,4\nb,x,5,0\nb,x,7,0\na,y,1,1\nb,y,1,\n"
    said = {"better": "higher", "standard_error": "se", "combine": "mean"}
    results = read(table(content), **said)
    np.testing.assert_allclose(results.scores, [[2, 1], [6, 1]])
    np.testing.assert_allclose(results.standard_errors, [[2.5, 1], [0, np.nan]])
    assert results.of_candidates([1]).standard_errors.tolist()[0][0] == 0
    np.testing.assert_allclose(results.of_judges([0]).standard_errors, [[2.5], [0]])


def test_ranks_in_brackets_are_no_errors(table):
    content = "team,a,b\nx,0.84 (1),12 (2)\ny,0.80 (3),10 (1)\nz,0.81 (2),30 (3)\n"
    results = read(table(content), better={"a": "higher", "b": "lower"})
    assert results.standard_errors is None
    assert any("is its rank" in note for note in results.notes)
    alone = table("team,a\nx,0.842(3)\ny,0.795(2)\nz,0.751(1)\n")
    [told] = read(alone, better="higher").notes
    assert told.endswith("if they are standard errors of the last digits: brackets='error'")


def test_brackets_are_ranks_of_all_judges_or_of_none(table):
    mixed = table("team,a,b\nx,0.842(3),0.91(4)\ny,0.795(2),0.90(4)\nz,0.751(1),0.85(2)\n")
    errors = read(mixed, better="higher").standard_errors
    np.testing.assert_allclose(errors, [[0.003, 0.04], [0.002, 0.04], [0.001, 0.02]])


def test_whole_numbers_behind_a_few_scores_are_counts(table):
    few = table("team,a,b\nx,0.84 (5),12\ny,0.80 (5),10\nz,0.81,30\nu,.8,2\n")
    results = read(few, better="higher")
    assert results.standard_errors is None
    [told] = results.notes
    assert told == (
        "the whole numbers in brackets behind 2 of 8 scores are counts, and are left out; "
        "if they are standard errors of the last digits: brackets='error'"
    )
    said = read(few, better="higher", brackets="error")
    np.testing.assert_allclose(said.standard_errors[:2, 0], [0.05, 0.05])
    assert said.notes == ()


def test_whole_numbers_behind_most_scores_are_errors_of_digits(table):
    most = table("team,a,b\nx,0.84 (5),12 (2)\ny,0.80 (5),10 (2)\nz,0.81 (7),30\n")
    results = read(most, better="higher")
    np.testing.assert_allclose(results.standard_errors[0], [0.05, 2])
    [told] = results.notes
    assert told.endswith("of its last digits; if it is a count: brackets='count'")
    for word in ("count", "rank"):
        said = read(most, better="higher", brackets=word)
        assert (said.standard_errors, said.notes) == (None, ())


@pytest.mark.shared
@pytest.mark.parametrize(("hours", "scores"), [("4h", 269), ("8h", 27)])
def test_folds_in_brackets_of_the_automl_benchmark_are_counts(shared_data, hours, scores):
    name = f"amlb2019/published_score_summary_{hours}.csv"
    results = read(shared_data / name, better="higher", ignore="type", missing="available")
    assert results.standard_errors is None
    assert f"behind 5 of {scores} scores are counts" in " ".join(results.notes)


def test_a_header_in_the_middle_means_two_tables(table):
    again = "model,2019,2020\nsvm,0.9,0.8\nmodel,2019,2020\nknn,0.1,0.2\n"
    with pytest.raises(DataError, match="line 3 repeats the header: the file holds two tables"):
        read(table(again), better="higher")
    rows = "".join(f"m{i},0.1,0.2\n" for i in range(20))
    for other in ("model,wine,glass\n", "model,wine,glass,zoo\n"):
        with pytest.raises(DataError, match="line 22 looks like another header"):
            read(table(f"model,iris,adult\n{rows}{other}"), better="higher")
    log = "model_a,model_b,winner\nx,y,model_a\nmodel_a,model_b,winner\ny,x,model_b\n"
    with pytest.raises(DataError):
        read_battles(table(log))
