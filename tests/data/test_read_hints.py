"""Refusals whose hint must send the user the right way."""

import io
import re

import openpyxl
import pytest

from deadheat.core.errors import DataError, DeadheatError, UsageError
from deadheat.data.reading.read import read


def refused(source, kind=DataError, **options):
    if isinstance(source, str) and "\n" in source:
        source = io.StringIO(source)
    with pytest.raises(kind) as caught:
        read(source, **{"better": "higher", **options})
    fact, hint = str(caught.value).split("\nHint: ")
    assert "\n" not in fact, "a fact and a hint"
    assert hint
    return caught.value


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Results,of 2024,\n,,\nmodel,iris,adult\nsvm,1,2\nrf,3,4\n", 3),
        (",iris,iris,adult\nmodel,acc,f1,acc\nsvm,1,2,3\nrf,4,5,6\n", 2),
    ],
)
def test_lines_above_the_header_are_named(content, line):
    hint = refused(content).hint
    assert f"line {line} looks like the header" in hint
    assert "remove the lines above it" in hint


@pytest.mark.parametrize(
    "title",
    ["Results of 2024,,\n,,\n", "Results of 2024\n", "Results of 2024\n\n", "\nA,,\nB,,\n,,\n"],
)
def test_a_title_above_the_header_is_skipped(title):
    found = read(io.StringIO(f"{title}model,iris,adult\nsvm,1,2\nrf,3,4\n"), better="higher")
    assert (found.candidates, found.judges) == (("svm", "rf"), ("iris", "adult"))
    line = title.count("\n") + 1
    [told] = found.notes
    assert told.startswith(f"what stands above line {line}, the header, is skipped ('")
    assert dict(found.reading)["header"] == f"line {line} names the columns"


@pytest.mark.parametrize(
    "content", ["model,,\nx,1,2\n", "model\nx,1,2\n", "Results\n1,2,3\n4,5,6\n", "a\nb\nc\n"]
)
def test_a_name_above_numbers_is_no_title(content):
    with pytest.raises(DeadheatError):
        read(io.StringIO(content), better="higher")


def test_rows_above_the_header_of_a_workbook_are_skipped(tmp_path):
    book = openpyxl.Workbook()
    for row in [["Results"], [], ["model", "iris", "adult"], ["svm", 1, 2], ["rf", 3, 4]]:
        book.active.append(row)
    book.save(tmp_path / "results.xlsx")
    found = read(tmp_path / "results.xlsx", better="higher")
    assert (found.candidates, found.scores.tolist()) == (("svm", "rf"), [[1, 2], [3, 4]])
    assert found.notes == ("what stands above row 3, the header, is skipped.",)


def test_a_bad_cell_deep_in_the_table_is_no_header():
    assert "header" not in refused("model,a,b\nx,1,2\ny,bad,3\n").hint
    rows = "".join(f"m{i},1,2\n" for i in range(30))
    assert "header" not in refused(f"model,a,b\n{rows}y,bad,worse\n").hint


@pytest.mark.parametrize("first", ["", "id", "rank"])
def test_a_column_of_names_is_offered_as_the_label(first):
    hint = refused("id,model,a,b\n0,x,1,2\n1,y,3,4\n").hint
    assert re.match(r"[^-]*candidate='model'", hint)
    hint = refused(f"{first},task,a,b\n0,x,1,2\n1,y,3,4\n").hint
    assert re.match(r"[^-]*judge='task'", hint)


def test_a_long_table_that_was_not_recognised_is_offered_as_one():
    hint = refused("model,task,score\nx,t,$5\ny,t,6\n").hint
    long = "if it is a long table: candidate='model', judge='task', score='score'"
    assert hint.splitlines()[-1] == long


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("$87.3", "unit"), ("87.3 s", "unit"), ("12ms", "unit"), ("87.3*", "mark"),
        ("87.3 [0.2]", "uncertainty"),
        ("1:23.4", "clock time"), ("1:02:03", "clock time"), ("#DIV/0!", "spreadsheet error"),
        ("#REF!", "spreadsheet error"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_number_is_named(cell, words):
    error = refused(f"model,a,b\nx,{cell},2\ny,3,4\n")
    assert error.fact.startswith("the stream: line 2, column 'a'")
    assert words in error.hint
    assert "leave the cell empty for a failure" in error.hint


@pytest.mark.parametrize("page", ["<!DOCTYPE html>\n<p>x,1</p>\n", "\ufeff \n<HTML>\n<body>\n"])
@pytest.mark.parametrize("name", ["results.csv", "results.json", "results"])
def test_a_web_page_is_no_table(table, page, name):
    error = refused(table(page, name))
    assert "is a web page, not a table" in error.fact
    assert error.exit_code == 3


@pytest.fixture
def book(tmp_path):
    def write(*sheets):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, rows in sheets:
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        made.save(tmp_path / "results.xlsx")
        return tmp_path / "results.xlsx"

    return write


@pytest.mark.parametrize(("rows", "words"), [([], "is empty"), ([["model", "a"]], "but no rows")])
def test_a_sheet_without_rows_names_the_others(book, rows, words):
    error = refused(book(("front", rows), ("scores", [["model", "a"], ["x", 1]])))
    assert "sheet 'front'" in error.fact
    assert words in error.fact
    assert error.hint == "'scores': sheet='scores'"
    refused(book(("only", rows)))


def test_a_formula_without_a_value_is_refused_with_its_place(book):
    error = refused(book(("s", [["model", "a", "b"], ["x", 1, "=B2+1"], ["y", 2, 3]])))
    assert "sheet 's', cell C2: the formula '=B2+1' has no saved value" in error.fact
    assert "open and save it in a spreadsheet program" in error.hint


def test_formulas_with_a_value_are_read(tmp_path, book):
    import zipfile

    made = book(("s", [["model", "a", "b"], ["x", 1, "=B2+1"], ["y", "=IF(1,&quot;&quot;)", 3]]))
    saved = tmp_path / "saved.xlsx"
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(saved, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                content = re.sub(rb"(<f>B2\+1</f>)<v ?/>", rb"\1<v>2</v>", content)
                content = re.sub(rb'<c r="B3">', rb'<c r="B3" t="str">', content)
            new.writestr(name, content)
    results = read(saved, better="higher")
    assert results.original[0].tolist() == [1, 2]
    assert results.holes[1, 0]


@pytest.mark.parametrize("content", ["", "model,a\nx,1\n"])
def test_a_workbook_that_is_none_gets_a_hint(table, content):
    hint = refused(table(content, "results.xlsx")).hint
    assert "CSV" in hint if content else "again" in hint


def test_a_missing_sidecar_gets_a_hint(table):
    path = table("model,a\nx,1\n")
    table("better='higher'\n", "about.toml")
    assert "did you mean 'about.toml'?" in refused(path, sidecar=path.with_name("abot.toml")).hint
    refused(path, sidecar=path.with_name("zzzzzz.toml"))
    refused(path, sidecar=path.parent)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ('tie_tol = "x"', "tie_tol = 0.01"),
        ('ignore = "adult"', 'ignore = ["adult"]'),
        ("better = 1", 'better = "higher"'),
        ("header = 1", "header = true"),
        ("sheet = []", 'sheet = "scores"'),
        ("layout = 1", 'layout = "wide"'),
        ("weights = 1", "[weights]"),
        ("[columns]\nscore = 1", 'score = "'),
        ('[weights]\na = "x"', "a = 1.5"),
        ('[strata]\none = ["a"]\ntwo = ["a"]', "once"),
    ],
)
def test_a_wrong_type_in_a_sidecar_gets_a_hint(table, line, hint):
    table(line, "results.toml")
    assert hint in refused(table("model,a\nx,1\n"), UsageError).hint


def test_an_option_is_named_as_python_and_as_the_command_line_say_it(table):
    ways = refused(table("model,a\nx,1\n"), UsageError, better=None).hint.splitlines()
    assert [way.partition(": ")[2] for way in ways] == ["better='higher'", "better='lower'"]
    long = "model,task,score\nx,t,1\nx,t,2\n"
    hint = refused(long).hint
    assert "combine='mean'" in hint
    assert "combine='judges'" in hint
    hint = refused("who,where,what,x\na,b,1,2\n", UsageError, candidate="who", judge="where").hint
    assert hint.splitlines() == ["'x': score='x'", "'what': score='what'"]
    hint = refused("model,kind,a\nsvm,x,1\n", UsageError, stratum="kind").hint
    assert "candidates='columns'" in hint
    assert "missing='worst'" in refused("model,a,b\nx,inf,1\ny,2,3\n").hint


def test_a_file_of_another_name_is_not_proposed(table):
    path = table("model,a\nx,1\n", "sci.csv")
    assert "did you mean" not in refused(path.with_name("nosuch.csv")).hint
    table("better='higher'\n", "sci.toml")
    assert "did you mean 'sci.csv'?" in refused(path.with_name("sci.tsv")).hint
    assert "did you mean 'sci.csv'?" in refused(path.with_name("scii.csv")).hint


def test_an_empty_path_is_no_path():
    error = refused("", UsageError)
    assert "the path is empty" in error.fact


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        ('{"a": 1}\n{"a": ', r"line 2 is no JSON \(expecting value at character 7\)\.$"),
        ('[{"a": 1},\n {]', r"line 2 is no JSON \(.* at character 3\)\.$"),
    ],
)
def test_bad_json_names_one_place(table, content, fact):
    assert re.match(f"results.jsonl: {fact}", refused(table(content, "results.jsonl")).fact)
