"""Columns of other files, names to show, and strata that count the same."""

from __future__ import annotations

import io

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError

LONG = "solver,instance,score\n" + "".join(
    f"{solver},i{k},{k + (solver == 'b')}\n" for solver in "ab" for k in range(1, 6)
)
FAMILIES = "instance,family,year\ni1,x,2019\ni2,x,2020\ni3,x,2021\ni4,y,2022\ni5,y,2023\n"
WIDE = "instance,a,b\n" + "".join(f"i{k},{k},{k + 1}\n" for k in range(1, 6))


@pytest.fixture
def families(tmp_path):
    path = tmp_path / "families.csv"
    path.write_text(FAMILIES)
    return path


@pytest.mark.parametrize("content", [LONG, WIDE], ids=["long", "wide"])
def test_strata_and_conditions_come_from_another_file(table, families, content):
    found = dh.read(table(content), better="higher", join=families, stratum="family")
    assert found.strata == ("x", "x", "x", "y", "y")
    assert found.candidates == ("a", "b")
    late = dh.read(table(content), better="higher", join=families, where="year>=2021")
    assert late.judges == ("i3", "i4", "i5")


def test_a_file_about_the_columns_of_a_wide_table(table, families):
    turned = "model,i1,i2,i3,i4,i5\na,1,2,3,4,5\nb,2,3,4,5,6\n"
    found = dh.read(table(turned), better="higher", join=[families], stratum="family")
    assert found.strata == ("x", "x", "x", "y", "y")
    assert found.judges == ("i1", "i2", "i3", "i4", "i5")


def test_a_frame_is_joined_too(families):
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    rows = [line.split(",") for line in LONG.splitlines()]
    frame = pd.DataFrame(rows[1:], columns=rows[0]).astype({"score": float})
    found = dh.read(frame, better="higher", join=families, cluster="family")
    assert found.clusters == ("x", "x", "x", "y", "y")


@pytest.mark.parametrize(
    ("side", "said", "message"),
    [
        (FAMILIES, {}, r"brings family, year, and nothing asks for it"),
        (FAMILIES.replace("i5,y", "i6,y"), {"stratum": "family"}, r"has no row of instance 'i5'"),
        (FAMILIES + "i1,z,2019\n", {"stratum": "family"}, r"two things of instance 'i1': 'x', 'z'"),
        ("task,family\nq,x\n", {"stratum": "family"}, r"no column in common"),
    ],
)
def test_what_cannot_be_joined_is_refused(table, tmp_path, side, said, message):
    other = tmp_path / "side.csv"
    other.write_text(side)
    with pytest.raises((DataError, UsageError), match=message):
        dh.read(table(LONG), better="higher", join=other, **said)


def test_a_file_that_nothing_asks_for_is_of_use_by_what_groups_judges(table, tmp_path):
    side = tmp_path / "side.csv"

    def hint(text):
        side.write_text(text)
        with pytest.raises((DataError, UsageError)) as refused:
            dh.read(table(LONG), better="higher", join=side)
        return refused.value.hint

    said = hint("instance,file,family\n" + "".join(f"i{k},f{k},{k % 2}\n" for k in range(1, 6)))
    assert "cluster='family'" in said
    assert "stratum='family'" in said
    assert "file" not in said.replace("'family'", "")
    of_solvers = hint("solver,team\na,x\nb,x\nc,y\n")
    assert "where='team=x'" in of_solvers
    assert "stratum" not in of_solvers
    assert "'Instance' is 'instance' in" in hint("Instance,family\ni1,x\ni2,x\n")


def test_strata_that_count_the_same(table, families):
    said = {"better": "higher", "join": families, "stratum": "family", "weight": "equal-strata"}
    found = dh.read(table(LONG), **said)
    x, y = (found.weights[[s == name for s in found.strata]].sum() for name in "xy")
    assert np.isclose(x, y)
    means = dh.rank(found, by="mean").rows()
    assert means[0]["merit"] == pytest.approx(((2 + 3 + 4) / 3 + (5 + 6) / 2) / 2)
    with pytest.raises(UsageError, match="needs strata"):
        dh.read(table(LONG), better="higher", weight="equal-strata")


def test_names_to_show(table, tmp_path):
    names = tmp_path / "names.csv"
    names.write_text("id,name\na,Alpha\ni3,the third\n")
    found = dh.read(table(LONG), better="higher", rename=names)
    assert found.candidates == ("Alpha", "b")
    assert found.judges == ("i1", "i2", "the third", "i4", "i5")
    for said in (
        {"a": "Alpha", "i3": "the third"},
        "a=Alpha,i3=the third",
        ["a=Alpha", "i3=the third"],
    ):
        assert dh.read(table(LONG), better="higher", rename=said).sha256 == found.sha256
    names.write_text("id,name\na,b\n")
    with pytest.raises(DataError, match="gives two candidates the name 'b'"):
        dh.read(table(LONG), better="higher", rename=names)
    names.write_text("id,name\nzoe,b\n")
    with pytest.raises(DataError, match=r"renames 'zoe', and .* has no such name"):
        dh.read(table(LONG), better="higher", rename=names)
    names.write_text("id,name\nzoe,Zoe\na,Alpha\n")
    found = dh.read(table(LONG), better="higher", rename=names)
    assert found.candidates == ("Alpha", "b")
    assert "1 name of names.csv is not in the table: zoe." in found.notes
    names.write_text("id\na\n")
    with pytest.raises(DataError, match="it needs two"):
        dh.read(table(LONG), better="higher", rename=names)


@pytest.mark.parametrize("sign", [",", "\t", ";"])
@pytest.mark.parametrize("head", ["id name", "old,new", "the old name,the new name"])
def test_names_to_show_may_hold_blanks(table, tmp_path, sign, head):
    names = tmp_path / "names.csv"
    rows = ("model 1,Model 1", "model 2,The 2nd", "my model,My Model")
    head = head if "," in head else head.replace(" ", ",")
    names.write_text("\n".join((head, *rows)).replace(",", sign))
    scores = "model,a,b\nmodel 1,1,2\nmodel 2,2,3\nmy model,3,4\n"
    found = dh.read(table(scores), better="higher", rename=names)
    assert found.candidates == ("Model 1", "The 2nd", "My Model")


def test_nouns_come_from_columns_or_are_said(table):
    found = dh.read(table(LONG), better="higher").nouns
    assert (found.candidates(), found.judges(2)) == ("solvers", "2 instances")
    said = dh.read(table(LONG), better="higher", noun="judge=query").nouns
    assert (said.candidates(1), said.judges(2)) == ("1 solver", "2 queries")
    with pytest.raises(LookupError, match="unknown role of a noun 'jduge'"):
        dh.read(table(LONG), better="higher", noun="jduge=query")


def test_nouns_come_from_the_word_that_numbered_columns_share(table):
    def judges(*columns):
        text = "\n".join([",".join(("model", *columns)), "a,1,2,3", "b,2,3,1"])
        return dh.read(table(text), better="higher").nouns.judge

    assert judges("task_01", "task_02", "task_03") == "task"
    assert judges("Fold 1", "Fold 2", "Fold 3") == "fold"
    assert judges("task1", "task2", "other") == judges("x1", "x2", "x3") == "judge"


def test_repeats_of_an_instance_keep_its_name():
    rows = "model,task,seed,acc\n"
    rows += "".join(f"{m},{t},{s},{s}\n" for m in "ab" for t in "uv" for s in (1, 2))
    table = dh.read(io.StringIO(rows), better="higher", combine="judges", rename="a=x")
    assert table.candidates == ("x", "b")
    with pytest.raises(DataError, match="gives two instances the name 'v'"):
        dh.read(io.StringIO(rows), better="higher", combine="judges", rename="u=v")
