"""Inputs that never end or are too large are refused with their size and the budget."""

import bz2
import gzip
import json
import lzma

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deadheat import read, read_battles, read_runs
from deadheat.core.errors import DataError, UsageError
from deadheat.core.memory import Meter, require, too_large
from deadheat.data.reading import battle_columns as battle_sides
from deadheat.data.reading.column_names import tokens

LONG = {"score": "score", "better": "higher"}


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "1MB")


def refused(source, **options):
    with pytest.raises(DataError) as caught:
        read(source, **({"better": "higher"} | options))
    return str(caught.value)


def test_a_size_and_the_budget_are_told(monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "2GB")
    require(2e9, "t.csv")
    with pytest.raises(DataError) as caught:
        require(3.2e9, "t.csv is too large")
    assert str(caught.value) == (
        "t.csv is too large: it takes about 3.2 GB of memory, the budget is 2 GB.\n"
        "Hint: set DEADHEAT_MEMORY=4GB to allow more, or keep fewer rows and columns."
    )
    assert "DEADHEAT_MEMORY=15GB" in str(too_large("x", 11.9e9))
    meter = Meter("t.csv")
    meter.add(1.5e9)
    with pytest.raises(DataError, match=r"about 2\.5 GB"):
        meter.add(1e9)


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "": bytes}


@pytest.mark.parametrize("packed", PACKERS)
@pytest.mark.parametrize("before", [b"", b"model,a\nx,1\n", b"\r" * 9])
def test_a_line_without_end_is_refused(table, small, packed, before):
    path = table(PACKERS[packed](before + b"x" * 3_000_000), f"t.csv.{packed}".rstrip("."))
    assert "has 1" in refused(path)
    assert "the budget of 1 MB" in refused(path)


def test_a_quotation_without_end_is_refused(table, small):
    assert "field" in refused(table('model,a\nx,1\ny,"' + "2\n" * 50_000))


def test_rows_without_end_are_refused(table, small):
    path = table(gzip.compress(b"model,task,score\n" + b"a,b,1\n" * 60_000), "t.csv.gz")
    assert "t.csv.gz is too large: it takes about" in refused(path, score="score")


def test_names_without_end_are_refused(table, small):
    rows = "".join(f"m{i},t,1\n" for i in range(7_000))
    assert "is too large" in refused(table(f"model,task,score\n{rows}"), score="score")


def test_a_wide_table_beyond_the_budget_is_refused(table, small):
    row = ",".join(["1"] * 1_000)
    names = ",".join(f"j{k}" for k in range(1_000))
    rows = "".join(f"m{i},{row}\n" for i in range(60))
    assert "is too large" in refused(table(f"model,{names}\n{rows}"), candidate="model")


def test_a_table_of_all_candidates_and_judges_beyond_the_budget_is_refused(table, small):
    rows = "".join(f"m{i},t{i},1\n" for i in range(300))
    told = refused(table(f"model,task,score\n{rows}"), score="score")
    assert "300 candidates x 300 judges are too many: it takes about 2.16 MB" in told


def test_runs_beyond_the_budget_are_refused(table, small):
    rows = "".join(f"s{i % 5},i{i // 5},ok\n" for i in range(9_000))
    path = table(f"solver,instance,status\n{rows}")
    with pytest.raises(DataError, match="is too large"):
        read_runs(path)


def test_a_column_of_parquet_that_is_one_run_is_refused(tmp_path, small):
    path = tmp_path / "t.parquet"
    size = 500_000
    columns = {"model": ["a"] * size, "task": ["b"] * size, "score": np.ones(size)}
    pq.write_table(pa.table(columns), path)
    assert path.stat().st_size < 10_000
    assert "model 'a' has 500,000 scores on task 'b'" in refused(path, score="score")


def test_more_columns_of_parquet_than_can_be_read_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("deadheat.data.formats.parquet.MOST_COLUMNS", 5)
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({f"c{k}": [1.0] for k in range(6)}), path)
    assert refused(path).startswith("t.parquet has 6 columns; of Parquet, 5 can be read.")


def test_what_unpacks_to_too_much_for_a_copy_is_refused(table, small):
    path = table(lzma.compress(b"PAR1" + bytes(6_000_000)), "t.parquet.xz")
    assert refused(path).startswith("t.parquet.xz unpacks to more than 4 MB.")


def test_json_without_end_is_refused(table, small):
    assert "line 1 has" in refused(table('{"model": "' + "x" * 300_000, "t.jsonl"))
    told = refused(table('[{"model": "x", "a": 1},\n {"model": "' + "x" * 300_000, "t.json"))
    assert "t.json: line 2: an item has" in told


def test_an_array_is_read_bit_by_bit(table, monkeypatch):
    rows = [{"model": f"m{i}", "a": i, "b": -i, "é": "no\n\\u0000 1"} for i in range(2_000)]
    path = table(json.dumps(rows, indent=1), "t.json")
    monkeypatch.setattr("deadheat.data.formats.jsonl.CHUNK", 7)
    found = read(path, better="higher", candidate="model", ignore=["é"])
    assert found.n == 2_000
    np.testing.assert_array_equal(found.scores[:, 0], np.arange(2_000))


@pytest.mark.parametrize("chunk", [1, 2, 3, 1_000])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('[{"a": 1}', "line 1 is no JSON (expecting ']' at character 10)"),
        ('[{"a": 1}\n{"a": 2}]', "line 2 is no JSON (expecting ']' at character 1)"),
        ('[{"a": 1},\n\n]', "line 3 is no JSON (expecting value at character 1)"),
        ('[{"a": 1}] x', "line 1 is no JSON (extra data at character 12)"),
        ('[{"a": 1},\n{"b" 2}]', "line 2 is no JSON"),
        ("[", "line 1 is no JSON"),
        ("[1234, 2]", "row 1 is '1234', not an object"),
        ("[]", "is empty"),
    ],
)
def test_a_broken_array_is_told_with_its_line(table, monkeypatch, chunk, content, words):
    monkeypatch.setattr("deadheat.data.formats.jsonl.CHUNK", chunk)
    assert words in refused(table(content, "t.json"))


@pytest.mark.parametrize("depth", [500, 990, 1_100, 100_000])
@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_json_nested_deeply_is_refused_or_read(table, depth, name):
    cell = "[" * depth + "]" * depth
    row = f'{{"model": "a", "x": 1, "y": {cell}}}'
    other = row.replace('"a"', '"b"')
    path = table(f"[{row}, {other}]" if name == "t.json" else f"{row}\n{other}", name)
    try:
        read(path, better="higher", candidate="model", ignore=["y"])
    except DataError as error:
        assert "nested too deeply" in error.fact  # noqa: PT017
    with pytest.raises((DataError, UsageError)):
        read(table("[" * depth + "]" * depth, name), better="higher")
    with pytest.raises((DataError, UsageError)):
        read_battles(path)


DIGITS = "9" * 5_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", f"model,a,b\nx,1,{DIGITS}\ny,2,3\n"),
        ("t.csv", f"model,1,{DIGITS}\nx,1,2\ny,2,3\n"),
        ("t.csv", f"{DIGITS},1,2\n1,2,3\n"),
        ("t.jsonl", f'{{"model": "x", "a": {DIGITS}}}\n'),
        ("t.json", f'[{{"model": "x", "a": {DIGITS}}}]'),
    ],
)
def test_thousands_of_digits_are_refused_or_read(table, name, content):
    try:
        read(table(content, name), better="higher", candidates="rows")
    except (DataError, UsageError) as error:
        assert "\n" not in error.fact  # noqa: PT017


def test_the_names_of_many_columns_are_cut_into_words_once(monkeypatch):
    cut = []
    monkeypatch.setattr(battle_sides, "tokens", lambda name: cut.append(name) or tokens(name))
    names = [*(f"t{k}" for k in range(1_000)), "model_a", "model_b"]
    assert battle_sides.sides_of(names) == [("model_a", "model_b")]
    assert len(cut) < 1.2 * len(names)
