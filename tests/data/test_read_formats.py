"""Parquet, JSON, Excel and DataFrames say the same as CSV."""

import gzip
import io
import json
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.data import formats
from deadheat.data.formats import FORMATS
from deadheat.data.reading.read import read

WIDE = {"model": ["svm", "rf"], "iris": [0.9, 0.7], "adult": [None, 0.95]}
LONG = {"model": ["a", "b", "a", "b"], "task": [1, 1, 2, 2], "score": [1, 2, 3, 4]}


def same(results):
    assert results.candidates == ("svm", "rf")
    assert results.judges == ("iris", "adult")
    np.testing.assert_array_equal(results.scores, [[0.9, np.nan], [0.7, 0.95]])
    return results


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "results.parquet"
    pyarrow.parquet.write_table(pa.table(WIDE), path)
    return path


def test_importing_the_reader_imports_no_heavy_library():
    heavy = ["duckdb", "narwhals", "openpyxl", "pandas", "polars", "pyarrow", "rich"]
    code = "import sys, deadheat.data.reading.read\n"
    code += "from deadheat.data.formats import FORMATS\nlist(FORMATS)\n"
    code += f"assert not set({heavy}) & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_formats_are_found_by_discovery():
    assert set(FORMATS) >= {"excel", "jsonl", "parquet", "text"}


def test_the_recipe_for_a_format_works_to_the_letter(tmp_path, monkeypatch):
    page = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    code = page.split("`ltsv.py`:\n\n```python\n")[1].split("```")[0]
    recipe = types.ModuleType("ltsv")
    monkeypatch.setattr(formats, "_own", [])
    monkeypatch.setitem(FORMATS, "ltsv", None)
    exec(compile(code, "ltsv.py", "exec"), vars(recipe))
    path = tmp_path / "results.ltsv.gz"
    path.write_bytes(gzip.compress(b"model:xgb\tiris:0.9\n\nmodel:svm\tiris:0.7\n"))
    results = read(path, better="higher")
    assert (results.candidates, results.scores.tolist()) == (("xgb", "svm"), [[0.9], [0.7]])
    assert results.nouns.judge == "task"
    for wrong, told in ((b"", "is empty"), (b"model:a\tx", "'x' has no colon"),
                        (b"a:1\nb:2", "line 2 has the label 'b'")):  # fmt: skip
        path.write_bytes(wrong)
        with pytest.raises(DataError, match=told):
            read(path, better="higher")


def test_the_recipe_for_a_dialect_works_to_the_letter(tmp_path, monkeypatch):
    page = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    code = page.split("`till.py`:\n\n```python\n")[1].split("```")[0]
    recipe = types.ModuleType("till")
    monkeypatch.setattr(formats, "_own", [])
    monkeypatch.setitem(FORMATS, "till", None)
    exec(compile(code, "till.py", "exec"), vars(recipe))
    path = tmp_path / "sales.csv"
    path.write_text("till,article,turnover\n1,tea,9\n1,milk,7\n2,tea,8\n2,milk,9.5\n")
    rows = [{"till": 1, "article": "tea", "turnover": 9}, {"till": 1, "article": "milk",
             "turnover": 7}]  # fmt: skip
    assert read(path).candidates == read(rows).candidates == ("tea", "milk")
    assert "sales of shops" in dict(read(path).reading)["format"]


def test_parquet_is_read_from_a_path_a_stream_and_an_archive(parquet, tmp_path):
    assert dict(same(read(parquet, better="higher")).reading)["format"].startswith("Parquet (")
    same(read(io.BytesIO(parquet.read_bytes()), better="higher"))
    packed = tmp_path / "odd [1]*.csv.gz"
    packed.write_bytes(gzip.compress(parquet.read_bytes()))
    same(read(packed, better="higher"))
    odd = tmp_path / "odd [1]?.parquet"
    odd.write_bytes(parquet.read_bytes())
    same(read(odd, better="higher"))


def test_parquet_with_numbers_for_names_and_scores_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("deadheat.data.reading.source.CELLS_PER_BLOCK", 6)
    path = tmp_path / "long.parquet"
    pyarrow.parquet.write_table(pa.table(LONG), path)
    results = read(path, better="higher")
    assert results.judges == ("1", "2")
    assert results.scores.tolist() == [[1, 3], [2, 4]]


def test_a_damaged_parquet_file_is_refused(table):
    with pytest.raises(DataError, match="no readable Parquet file"):
        read(table(b"PAR1" + bytes(50), "results.parquet"), better="higher")


def test_json_lines_and_arrays_are_read(table):
    rows = [{"model": "svm", "iris": 0.9}, {"model": "rf", "iris": 0.7, "adult": 0.95}]
    lines = "\n".join(map(json.dumps, rows)) + "\n\n"
    same(read(table(lines, "results.jsonl"), better="higher"))
    same(read(table(json.dumps(rows), "results.json"), better="higher"))
    same(read(io.BytesIO(lines.encode()), better="higher"))
    same(read(io.BytesIO(json.dumps(rows, indent=1).encode()), better="higher"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ('{"a": 1}\n{"a": ', "line 2 is no JSON"),
        ('{"a": 1}\n[1]\n', r"line 2 is '\[1\]', not an object"),
        ("[1, 2]", "row 1 is '1', not an object"),
        ("[{", "is no JSON"),
        ('{"model": "a", "x": Infinity}\n{"model": "b", "x": 1}', "line 1.*infinite"),
        ('{"model": "a", "x": {"deep": 1}}\n{"model": "b", "x": 1}', "line 1, column 'x'"),
    ],
)
def test_bad_json_is_refused_with_its_place(table, content, message):
    with pytest.raises(DataError, match=message):
        read(table(content, "results.jsonl"), better="higher")


def test_a_key_that_comes_late_is_refused(table):
    lines = [json.dumps({"model": f"m{i}", "x": i}) for i in range(1_001)]
    late = json.dumps({"model": "late", "y": 1})
    with pytest.raises(DataError, match="line 1,002 has the key 'y'"):
        read(table("\n".join([*lines, late]), "results.jsonl"), better="higher")


@pytest.fixture
def workbook(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "scores"
    for row in [["model", "iris", "adult"], ["svm", 0.9, "n/a"], [], ["rf", 0.7, 0.95]]:
        book.active.append(row)
    other = book.create_sheet("more")
    for row in [["task", "a"], [1, 2], [2, "oops"]]:
        other.append(row)
    book.create_sheet("empty")
    path = tmp_path / "results.xlsx"
    book.save(path)
    return path


def test_excel_is_read_and_its_other_sheets_are_reported(workbook):
    results = same(read(workbook, better="higher"))
    assert dict(results.reading)["sheet"] == "scores (not read: more, empty)"
    same(read(io.BytesIO(workbook.read_bytes()), better="higher", sheet=1))


def test_a_sheet_of_excel_is_chosen_by_name_or_number(workbook):
    for sheet in ("more", 2, "2"):
        with pytest.raises(DataError, match="row 3, column 'a': 'oops'"):
            read(workbook, better="higher", sheet=sheet)
    with pytest.raises(UnknownNameError, match=r"unknown sheet 'mor'. Did you mean 'more'"):
        read(workbook, better="higher", sheet="mor")
    with pytest.raises(DataError, match="'empty' is empty"):
        read(workbook, better="higher", sheet="empty")


def test_excel_needs_its_extra(workbook, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(UsageError, match=r"pip install 'deadheat\[excel\]'"):
        read(workbook, better="higher")


def test_other_archives_and_old_workbooks_are_refused(tmp_path, table):
    path = tmp_path / "results.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("results.csv", "model,a\nx,1\n")
    assert dict(read(path, better="higher").reading)["compression"] == "zip"
    with pytest.raises(DataError, match="old Excel"):
        read(table(b"\xd0\xcf\x11\xe0" + bytes(99), "a.xls"), better="higher")
    with pytest.raises(DataError, match="no readable workbook"):
        read(table(b"PK\x03\x04" + bytes(99), "a.xlsx"), better="higher")


@pytest.mark.parametrize(
    ("frame", "library"),
    [
        (pd.DataFrame(WIDE), "pandas"),
        (pd.DataFrame(WIDE).set_index("model"), "pandas"),
        (pd.DataFrame(WIDE).astype({"model": "category"}), "pandas"),
        (pd.DataFrame(WIDE, dtype=object), "pandas"),
        (pd.DataFrame({**WIDE, "adult": ["n/a", "0.95"]}), "pandas"),
        (pl.DataFrame(WIDE), "polars"),
        (pl.LazyFrame(WIDE), "polars"),
        (pa.table(WIDE), "pyarrow"),
    ],
    ids=str,
)
def test_frames_are_read_and_remembered(frame, library):
    assert same(read(frame, better="higher")).library == library


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_long_frames_are_read_too(make):
    results = read(make(LONG), better="higher")
    assert results.judges == ("1", "2")
    assert results.scores.tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_truth_values_and_whole_numbers_are_scores(make):
    frame = make({"task": ["x", "y"], "a": [True, False], "b": [3, 4]})
    assert read(frame, better="higher").scores.tolist() == [[1, 0], [3, 4]]


def test_an_index_without_a_name_is_a_label_and_columns_may_be_numbers():
    frame = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=[2019, 2020])
    results = read(frame, better="higher", candidates="rows")
    assert (results.candidates, results.judges) == (("a", "b"), ("2019", "2020"))


def test_an_index_named_like_judges_turns_the_table():
    frame = pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="dataset"))
    assert read(frame, better="higher").judges == ("x", "y")


def test_two_index_levels_are_two_columns():
    frame = pd.DataFrame(LONG).set_index(["model", "task"])
    assert read(frame, better="higher", score="score").judges == ("1", "2")


def test_large_whole_numbers_stay_exact_as_names():
    big = 2**53 + 1
    frame = pl.DataFrame({"id": [big, big - 1], "x": [1.0, 2.0]})
    assert read(frame, better="higher").judges == (str(big), str(big - 1))


def test_bad_cells_of_frames_are_refused_with_their_row():
    with pytest.raises(DataError, match="the frame: row 2, column 'x': the score is infinite"):
        read(pl.DataFrame({"model": ["a", "b"], "x": [1.0, float("inf")]}), better="higher")
    with pytest.raises(DataError, match="row 1, column 'x': 'bad'"):
        read(pd.DataFrame({"model": ["a", "b"], "x": ["bad", "1"]}), better="higher")
    with pytest.raises(DataError, match="column 'x' appears twice"):
        read(pd.DataFrame([[1, 2]], columns=["x", "x"]), better="higher")
    with pytest.raises(DataError, match="no rows"):
        read(pl.DataFrame({"model": [], "x": []}), better="higher")


def test_options_about_files_mean_nothing_for_frames_and_parquet(parquet):
    with pytest.raises(UsageError, match="delimiter= means nothing for a DataFrame"):
        read(pd.DataFrame(WIDE), better="higher", delimiter=",")
    with pytest.raises(UsageError, match="encoding= means nothing for a Parquet file"):
        read(parquet, better="higher", encoding="utf-8")


def test_columns_may_be_called_anything_and_be_named_by_number():
    frame = pd.DataFrame({"read": ["a", "b"], 7: [1, 2], "x": [1, 1], 0: [5, 6]})
    results = read(frame, better="higher", candidate="read", judge="x", score=7)
    assert results.scores.tolist() == [[1], [2]]


def test_a_series_is_no_table():
    for series in (pd.Series([1, 2]), pl.Series([1, 2])):
        with pytest.raises(UsageError, match="table"):
            read(series, better="higher")


def test_a_frame_may_have_a_sidecar(tmp_path):
    path = tmp_path / "about.toml"
    path.write_text('better = "higher"\n')
    same(read(pd.DataFrame(WIDE), sidecar=path))
