"""A file of another format is refused as what it is, never read as something else."""

import io
import json
import zipfile

import pytest

from deadheat.core.errors import DataError
from deadheat.data.reading.read import is_battle_log, read, read_battles

NEW_ORDERS = (
    "# FILE NAME: 00004-00000001.soc\n# TITLE: Films\n# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 3\n"
    "# NUMBER VOTERS: 4\n# NUMBER UNIQUE ORDERS: 2\n# ALTERNATIVE NAME 1: A\n"
    "# ALTERNATIVE NAME 2: B\n# ALTERNATIVE NAME 3: C\n2: 3,2,1\n2: 2,3,1\n"
)
OLD_ORDERS = "3\n1,A\n2,B\n3,C\n4,4,2\n2,3,2,1\n2,2,3,1\n"
TIED = OLD_ORDERS.replace("2,3,2,1\n", "2,3,{2,1}\n")
BARRED = "| model | iris |\n|-------|:----:|\n| svm | 0.9 |\n| rf | 0.7 |\n"
BOXED = "+-------+---+\n| model | a |\n+=======+===+\n| x     | 1 |\n| y     | 2 |\n+-------+---+\n"
LINED = "┌───────┬───┐\n│ model │ a │\n├───────┼───┤\n│ x     │ 1 │\n│ y     │ 2 │\n└───────┴───┘\n"
RST = "===== ==\nmodel  a\n===== ==\nx      1\ny      2\n===== ==\n"
LATEX = "\\begin{tabular}{lr}\nmodel & iris \\\\\nsvm & 0.9 \\\\\n\\end{tabular}\n"
HTML = "<table><tr><th>model</th><th>a</th></tr><tr><td>x</td><td>1</td></tr></table>\n"
SHEET = '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>\n'
ARFF = "% made by hand\n@RELATION iris\n@attribute a numeric\n@data\n1,2\n3,4\n"
HARNESS = {"results": {"arc": {"acc": 0.5}}, "versions": {"arc": 1}, "git_hash": "abc"}
FILES = [  # name, content, what it is
    *((f"x.{s}", NEW_ORDERS, "a PrefLib file of orders") for s in ("soc", "csv", "txt")),
    *((f"x.{s}", OLD_ORDERS, "a PrefLib file of orders") for s in ("soi", "csv", "txt")),
    *((f"x.{s}", TIED, "a PrefLib file of orders") for s in ("toc", "toi")),
    *((f"x.{s}", BARRED, "a Markdown table") for s in ("md", "csv", "txt")),
    ("x.md", "# Results\n\nmodel | iris\n--- | ---\nsvm | 0.9\n", "a Markdown table"),
    *(("x.md", f"| model | a | b |\n{dashes}\n| x | 1 | 2 |\n| y | 3 | 1 |\n", "a Markdown table")
      for dashes in ("|-|-|-|", "|:---|---:|:-:|", "| :-- | --: | :-: |", "-|-|-", "|:-:|-:|-|")),
    ("x.txt", "model | a\n-|-\nx | 1\n", "a Markdown table"),
    *((f"x.{s}", BOXED, "a table drawn with lines") for s in ("txt", "csv", "")),
    ("x.txt", " model | a\n-------+---\n x | 1\n y | 2\n", "a table drawn with lines"),
    ("x.txt", LINED, "a table drawn with lines"),
    *((f"x.{s}", RST, r"a reStructuredText \(RST\) table") for s in ("rst", "txt", "csv")),
    ("x.txt", "model    a\n-----  ---\nx  1\ny  2\n", "a table drawn with dashes"),
    *((f"x.{s}", LATEX, "a LaTeX table") for s in ("tex", "csv")),
    ("x.tex", "% by hand\nmodel & iris \\\\\nsvm & 0.9 \\\\\n", "a LaTeX table"),
    ("x.tex", "\\toprule\nmodel & iris \\\\\nsvm & 0.9 \\\\\n", "a LaTeX table"),
    *((f"x.{s}", HTML, "an HTML table") for s in ("html", "csv")),
    ("x.xls", HTML, "an HTML page, though its name ends in .xls"),
    ("x.csv", "<!DOCTYPE html>\n<html><body></body></html>", "is a web page"),
    *((f"x.{s}", SHEET, "an Excel file in XML") for s in ("xls", "xml")),
    ("x.xml", '<?xml version="1.0"?>\n<runs><run score="1"/></runs>\n', "an XML document"),
    *((f"x.{s}", ARFF, "an ARFF file") for s in ("arff", "csv")),
    *((f"x.{s}", "%PDF-1.4\n1 0 obj\n", "a PDF document") for s in ("pdf", "csv")),
    ("x.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), r"the old Excel format \(.xls\)"),
    ("x.npy", b"\x93NUMPY\x01\x00v\x00{'descr'", "a NumPy array"),
    ("x.feather", b"ARROW1\0\0" + bytes(50), "an Arrow"),
    *((f"x{s}", json.dumps(HARNESS, indent=indent), "looks like a result of lm-evaluation-harness")
      for s in (".json", ".csv", ".txt", "") for indent in (None, 2, "\t")),
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
    with pytest.raises(DataError, match=r"x\.zip is a zip archive"):
        read(table(zipped({"t.csv": "model,a\nx,1\n"}), "x.zip"), better="higher")


def test_a_log_of_another_format_is_named_too(table):
    with pytest.raises(DataError, match=r"x\.csv is a Markdown table"):
        read_battles(table(BARRED, "x.csv"))


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
        *((cell, "an uncertainty") for cell in
          ("0.84 (1)", "0.87 ± 0.01", "0.87±0.01", "0.87 +- 0.01", "0.87 +/- 0.01", "87.3 % (2)",
           "0.9 [2]", "0.87 [0.8; 0.9]")),
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


def test_uncertain_scores_are_named_in_a_long_table_and_without_a_header(table):
    with pytest.raises(DataError, match=r"line 2, column 'score': '0.84 \(1\)' is not a number"):
        read(table("model,task,score\nsvm,x,0.84 (1)\nrf,x,0.9 (2)\n"), better="higher")
    with pytest.raises(DataError, match=r"line 1, column 'column_2': '0.84 \(1\)' is not a num"):
        read(table("svm,0.84 (1),0.9 (2)\nrf,0.7 (2),0.6 (1)\n"), better="higher")


@pytest.mark.parametrize("cell", ["0.84 (1)", "0.84 ± 0.01", "0.84 +- 0.01"])
def test_uncertain_scores_are_named_whatever_separates_them(table, cell):
    header, row = ["method", "acc", "f1"], ["A", cell, cell.replace("84", "9")]
    for delimiter, name in (("\t", "x.tsv"), ("\t", "x.txt"), (";", "x.csv"), ("|", "x.csv")):
        content = "".join(f"{delimiter.join(each)}\n" for each in (header, row, ["B", *row[1:]]))
        with pytest.raises(DataError) as caught:
            read(table(content, name), better="higher")
        assert f"line 2, column 'acc': '{cell}' is not a number" in caught.value.fact
        assert "it holds an uncertainty" in caught.value.hint
    with pytest.raises(DataError) as caught:
        read(table(f"{cell},{row[2]}\n{cell},{row[2]}\n"), better="higher")
    assert f"line 1, column 'column_1': '{cell}' is not a number" in caught.value.fact
    for blanks in (" ", "  "):
        content = "".join(f"{blanks.join(each)}\n" for each in (header, row, ["B", *row[1:]]))
        with pytest.raises(DataError) as caught:
            read(table(content, "x.txt"), better="higher")
        assert caught.value.hint.startswith(f"'{cell}' was cut at its blanks: it holds an uncert")


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
