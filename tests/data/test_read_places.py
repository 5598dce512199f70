"""Where a table lies and what its columns are called never changes what is read."""

import ast
import gzip
import json
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deadheat import read, read_battles, read_runs
from deadheat.data.reading.database import database

FOLDERS = [
    *("x=5", "year=2024", "year=2024/month=1", "it's", "[a]", "st*r", "q?", "100%", "%20"),
    *("~", "s3:", "a;b", "ünï 名", 'say "hi"', "a{b}", "{paths}", "back\\slash"),
]
WIDE = {"model": ["a", "b"], "x": [1.5, 2.5], "year": [3.0, 4.0]}
RUNS = {"solver": ["a", "b"], "instance": ["i", "i"], "status": ["ok", "timeout"], "x": [1.0, 2.0]}
LOG = {"left": ["a", "b"], "right": ["b", "c"], "winner": ["left", "tie"], "x": [1, 2]}


@pytest.fixture(params=FOLDERS)
def folder(request, tmp_path, monkeypatch):
    place = tmp_path / request.param
    place.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return place


def write(columns, path):
    """Write columns as the suffix says."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if path.suffix == ".parquet":
        pq.write_table(pa.table(columns), path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        lines = [",".join(columns), *(",".join(map(str, row.values())) for row in rows)]
        content = ("\n".join(lines) + "\n").encode()
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".json"])
def test_a_folder_changes_no_table(folder, tmp_path, suffix):
    path = write(WIDE, folder / f"t{suffix}")
    for source in (path, path.relative_to(tmp_path)):
        table = read(source, better="higher", candidate="model", keep="year")
        assert table.candidates == ("a", "b")
        assert table.judges == ("x", "year")
        np.testing.assert_array_equal(table.scores, [[1.5, 3], [2.5, 4]])


def test_a_folder_changes_no_runs(folder):
    runs = read_runs(write(RUNS, folder / "t.parquet"))
    assert (runs.candidates, runs.instances) == (("a", "b"), ("i",))


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_folder_changes_no_log(folder, tmp_path, suffix):
    assert_the_log(folder, tmp_path, suffix)


@pytest.mark.parametrize("suffix", [".csv.gz", ".json", ".jsonl"])
@pytest.mark.parametrize("folder", ["it's", "{paths}", "st*r", "~"], indirect=True)
def test_nor_does_it_in_other_formats(folder, tmp_path, suffix):
    assert_the_log(folder, tmp_path, suffix)


def assert_the_log(folder, tmp_path, suffix):
    path = write(LOG, folder / f"t{suffix}")
    for source in (path, path.relative_to(tmp_path), folder, f"**/t{suffix}"):
        log = read_battles(source, category="x")
        assert log.candidates == ("a", "b", "c")
        assert log.category_names == ("1", "2")
        assert log.total == 2


def test_several_files_in_such_folders_are_one_log(tmp_path):
    for k, folder in enumerate(["x=5", "x=6", "it's"]):
        (tmp_path / folder).mkdir()
        write({**LOG, "x": [k, k]}, tmp_path / folder / "t.parquet")
    assert read_battles(tmp_path, category="x").category_names == ("0", "1", "2")


def test_a_temporary_folder_may_have_any_name(tmp_path, monkeypatch):
    odd = tmp_path / "x=5, it's [a] *"
    odd.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(odd))
    path = write(LOG, tmp_path / "t.parquet")
    with path.open("rb") as stream:  # a stream is copied there
        assert read_battles(stream).total == 2
    with path.open("rb") as stream:
        assert read(stream, better="higher", candidate="left", ignore=["right", "winner"]).m == 1
    assert not list(odd.iterdir())


def test_a_name_that_is_no_unicode_is_read(tmp_path):
    path = write(LOG, tmp_path / "t.parquet")
    odd = path.rename(tmp_path / b"t\xff.parquet".decode("utf-8", "surrogateescape"))
    assert read_battles(odd).total == 2


def test_names_of_columns_that_differ_in_case_stay_what_they_are(tmp_path):
    path = tmp_path / "t.parquet"
    columns = [["a", "b"], [1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    pq.write_table(pa.table(columns, names=["model", "X", "x", "x_1"]), path)
    assert read(path, better="higher").judges == ("X", "x", "x_1")


def test_nested_columns_of_parquet_count_as_one(tmp_path):
    path = tmp_path / "t.parquet"
    nested = [{"p": {"q": 1, "r": [1]}, "s": "y"}] * 2
    pq.write_table(pa.table({"m": ["a", "b"], "n": nested, "x": [1.0, 2.0]}), path)
    table = read(path, better="higher", candidate="m", ignore="n")
    assert (table.candidates, table.judges) == (("a", "b"), ("x",))


ODD_KEYS = ['a"b', "it's", "c/d", "e~f", "{paths}", "[g]", "h.i", "", "$", "%s", "X", "x"]


@pytest.mark.parametrize("key", ODD_KEYS)
@pytest.mark.parametrize("suffix", [".parquet", ".json", ".jsonl"])
def test_a_column_of_a_log_may_have_any_name(tmp_path, key, suffix):
    columns = {"left": ["a"], key: ["b"], "winner": ["left"], "X": ["no"], "x": ["no"]} | {
        key: ["b"]
    }
    path = write(columns, tmp_path / f"t{suffix}")
    log = read_battles(path, left="left", right=key, where=f"{key}=b")
    assert (log.candidates, log.total) == (("a", "b"), 1)


@pytest.mark.parametrize("key", [key for key in ODD_KEYS if key != "h.i"])
def test_a_key_inside_a_cell_may_have_any_name(tmp_path, key):
    cell = {key: "b", "X": "no", "x": "no"} | {key: "b"}
    path = write({"left": ["a"], "in": [cell], "winner": ["left"]}, tmp_path / "t.jsonl")
    assert read_battles(path, left="left", right=f"in.{key}").candidates == ("a", "b")


def refused(connection, sql):
    with pytest.raises(duckdb.Error) as error:
        connection.execute(sql).fetchall()
    return str(error.value)


def test_duckdb_sees_the_named_files_and_nothing_else(tmp_path):
    named = write(LOG, tmp_path / "t[1].csv")
    other = write(LOG, tmp_path / "other.csv")
    with database([named]) as base:
        found = base.connection.execute(
            f"SELECT * FROM read_csv('{tmp_path}/t[[]1].csv')"
        ).fetchall()
        assert len(found) == 2
        assert "disabled" in refused(base.connection, f"SELECT * FROM read_csv('{other}')")
        assert "disabled" in refused(base.connection, f"COPY (SELECT 1) TO '{tmp_path}/new.csv'")
        refused(base.connection, "INSTALL httpfs")
        refused(base.connection, "LOAD httpfs")
        refused(base.connection, "SELECT * FROM 'https://localhost/t.parquet'")
        refused(base.connection, "SET memory_limit = '100GB'")
        folder = base.folder
    assert not folder.exists()


def test_duckdb_has_a_share_of_the_budget(monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "500MB")
    with database() as base:
        sql = "SELECT value FROM duckdb_settings() WHERE name IN ('memory_limit', 'temp_directory')"
        limit, folder = (value for (value,) in base.connection.execute(sql).fetchall())
        assert limit == "190.7 MiB"  # 200 MB
        assert folder.startswith(str(base.folder))


def test_only_the_factory_opens_duckdb():
    """Nobody else connects, nor asks the module, which has a connection of its own."""
    import deadheat

    known = {"connect", "sql", "query", "execute", "read_parquet", "read_csv", "read_json"}
    for file in Path(deadheat.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        asked = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "duckdb"
        }
        assert not asked & known or file.name == "database.py", file
