"""Names that look alike are told, numbers that a float would round are refused."""

import io
import unicodedata
import zipfile

import openpyxl
import pandas as pd
import polars as pl
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.read import read

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
PAIRS = [
    (COMPOSED, DECOMPOSED),
    ("model", "mo\u200bdel"),
    ("a b", "a\u00a0b"),
    ("a b", "a  b"),
    ("model", "\uff4dodel"),
    ("model", "mo\u00addel"),
    ("ab", "a\u2060b"),
]
BIG = 2**53 + 1


def alike(results):
    return [note for note in results.notes if "look alike" in note]


def table_of(content, **options):
    return read(io.StringIO(content), **{"better": "higher", **options})


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_names_that_look_alike_are_told_with_both_places(one, other):
    wide = table_of(f"model,x,y\n{one},1,2\nz,5,6\n{other},3,4\n")
    [note] = alike(wide)
    assert "in line 2 and candidate" in note
    assert "in line 4 look alike" in note
    assert f"{one!a} and {other!a}." in note
    [note] = alike(table_of(f"model,{one},{other}\nu,1,2\nv,3,4\n"))
    assert note.startswith("judge")
    assert "in column 2 and judge" in note
    long = table_of(f"model,task,score\nz,t,0\n{one},t,1\n{other},t,2\n")
    [note] = alike(long)
    assert "in line 3 and candidate" in note
    runs = f"solver,instance,status,time\nz,i,ok,1\n{one},i,ok,1\n{other},i,ok,2\n"
    [note] = alike(table_of(runs, better=None, rule="solved"))
    assert "in line 3 and candidate" in note
    [note] = alike(dh.Battles(left=[one, "z"], right=["z", other], winner=["left", "left"]))
    assert f"{one!a} and {other!a}." in note or f"{other!a} and {one!a}." in note


def test_names_that_people_tell_apart_are_not_told():
    assert not alike(table_of("model,x\ncafe,1\ncaf\u00e9,2\nc a f e,4\n"))


def test_names_that_differ_by_case_alone_are_told():
    """One model under two names shares its scores out between them."""
    [note] = alike(table_of("model,x\nGPT-4,1\nllama,2\ngpt-4,3\n"))
    assert "'GPT-4' in line 2" in note
    assert "'gpt-4' in line 4" in note


def test_many_look_alikes_are_counted():
    rows = "".join(f"{n}\u00e9,1\n{unicodedata.normalize('NFD', f'{n}é')},2\n" for n in range(8))
    notes = table_of("model,x\n" + rows).notes
    assert len(notes) == 6
    assert notes[-1] == "3 more candidates look like others."


def big_sources(tmp_path):
    yield "line 2", io.StringIO(f"model,x\na,{BIG}\nb,{BIG - 1}\n")
    yield "line 2", io.StringIO(f'model,x\na,"{BIG:,}"\nb,1\n')
    yield "line 1", io.StringIO(f'{{"model": "a", "x": {BIG}}}\n{{"model": "b", "x": null}}\n')
    yield "row 1", pl.DataFrame({"model": ["a", "b"], "x": [BIG, BIG - 1]})
    yield "row 1", pl.DataFrame({"model": ["a", "b"], "x": [BIG, None]})
    yield (
        "row 2",
        pl.DataFrame({"model": ["a", "b"], "x": [1, 2**64 - 1]}, schema_overrides={"x": pl.UInt64}),
    )
    yield "row 1", pd.DataFrame({"model": ["a", "b"], "x": pd.array([BIG, None], dtype="Int64")})
    yield "row 1", pd.DataFrame({"model": ["a", "b"], "x": [2**64 + 1, 1]})
    path = tmp_path / "t.parquet"
    pl.DataFrame({"model": ["a", "b"], "x": [BIG, BIG - 1]}).write_parquet(path)
    yield "row 1", path
    book = openpyxl.Workbook()
    for row in (["model", "x"], ["a", BIG], ["b", 0.5]):
        book.active.append(row)
    book.save(tmp_path / "rounded.xlsx")  # openpyxl rounds what it writes, not what it reads
    with zipfile.ZipFile(tmp_path / "rounded.xlsx") as rounded:
        parts = {name: rounded.read(name) for name in rounded.namelist()}
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as exact:
        for name, part in parts.items():
            exact.writestr(name, part.replace(str(BIG - 1).encode(), str(BIG).encode()))
    yield "row 2", tmp_path / "t.xlsx"


def test_whole_numbers_that_would_be_rounded_are_refused_everywhere(tmp_path):
    for place, source in big_sources(tmp_path):
        with pytest.raises(
            DataError, match=f"{place}, column 'x': .* has more digits than a score"
        ):
            read(source, better="higher")
    with pytest.raises(DataError, match=f"hold {BIG}, which has more digits"):
        dh.Results(scores=[[BIG], [BIG - 1]], better="higher")


def test_large_numbers_that_are_exact_are_read():
    results = table_of(f"model,x\na,{2**53}\nb,{2**53 + 2}\nc,1e300\nd,{2**60}.0\n")
    assert results.scores[:, 0].tolist() == [2.0**53, 2.0**53 + 2, 1e300, 2.0**60]


@pytest.mark.parametrize("digits", [400, 5_000])
def test_thousands_of_digits_are_refused_without_a_traceback(table, digits):
    many = "9" * digits
    with pytest.raises(DataError, match="has more digits than a score keeps"):
        table_of(f"model,x\na,{many}\nb,1\n")
    with pytest.raises(DataError, match=r"thousands of digits|more digits than a score keeps"):
        table_of(f'{{"model": "a", "x": {many}}}\n')
    with pytest.raises(DataError, match=r"thousands of digits|more digits than a score keeps"):
        table_of(f'[{{"model": "a", "x": {many}}}]')
    table_of(f"name,{many},{many}9\nb,3,4\n", candidates="rows")  # a header of numbers that grow
    for line in (f"tie_tol = {many}", f"[weights]\nx = {many}", f"cutoff = {many}"):
        table(f"{line}\n", "results.toml")
        with pytest.raises(DataError, match="does not fit into 64 bits"):
            read(table("model,x\na,1\n"), better="higher")


def test_a_tolerance_beyond_all_floats_is_refused():
    with pytest.raises(UsageError, match="the tie tolerance must be"):
        table_of("model,x\na,1\nb,2\n", tie_tol=10**400)
