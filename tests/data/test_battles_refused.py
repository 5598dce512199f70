"""What a battle log must not hold, each with its file, its row and the next step."""

import gzip
import json

import pandas as pd
import polars as pl
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, DeadheatError, UnknownNameError, UsageError
from deadheat.data.battles import Battles
from deadheat.data.reading.read import read_battles

GOOD = "a,b,left,1,v\n"


def refused(source, kind=DataError, **options):
    with pytest.raises(kind) as caught:
        read_battles(source, **options)
    assert caught.value.hint
    return str(caught.value)


def bad_row(table, row, name="log.csv"):
    """Write a log whose bad row is the fourth."""
    return table(f"left,right,winner,weight,voter\n{GOOD}{GOOD}{row}\n{GOOD}{row}\n", name)


@pytest.mark.parametrize(
    ("row", "options", "fact"),
    [
        ("a,a,left,1,v", {}, "a candidate battles with itself (2 such battles, e.g. of 'a')"),
        (",b,left,1,v", {}, "'left' is empty (2 such battles)"),
        ("a,  ,left,1,v", {}, "'right' is empty (2 such battles)"),
        ("a,b,left,-1,v", {"weight": "weight"}, "the weight 'weight' is no usable number"),
        ("a,b,left,inf,v", {"weight": "weight"}, "no usable number but 'inf' (2 such battles)"),
        ("a,b,left,nan,v", {"weight": "weight"}, "the weight 'weight' is no usable number"),
        ("a,b,left,many,v", {"weight": "weight"}, "no usable number but 'many'"),
        ("a,b,left,,v", {"weight": "weight"}, "no usable number but an empty cell"),
        ("a,b,left,1e-30,v", {"weight": "weight"}, "no usable number but '1e-30'"),
        ("a,b,left,1,", {"cluster": "voter"}, "'voter' is empty (2 such rows)"),
        ("a,b,left,1,", {"category": "voter"}, "'voter' is empty (2 such rows)"),
        ("a,b,left,x,v", {"covariates": "weight"}, "the covariate 'weight' ('weight') is no"),
        ("a,b,left,-3,v", {"covariates": ["weight,weight"], "relative": True}, "is no finite"),
        ("a,b,left,,v", {"order_by": "weight"}, "'weight' is empty (2 such rows)"),
        ("a,b,left,soon,v", {"order_by": "weight"}, "neither a number nor a point of time"),
    ],
)
def test_a_bad_row_is_named(table, tmp_path, row, options, fact):
    path = bad_row(table, row)
    message = refused(path, **options)
    assert message.startswith("log.csv: row 4: ")
    assert fact in message
    pd.read_csv(path, dtype=str).to_parquet(tmp_path / "log.parquet")
    assert "log.parquet: row 3: " in refused(tmp_path / "log.parquet", **options)
    assert "the frame: row 3: " in refused(pd.read_csv(path, dtype=str), **options)


def test_the_file_is_named_too(table, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    header = "left,right,winner\n"
    for k in range(3):
        (folder / f"{k}.csv").write_text(header + "a,b,left\n" * 3 + "a,b,wat\n" * (k == 1))
    message = refused(folder)
    assert "'wat' (1 battle, first in 1.csv: row 5)" in message


def test_a_bad_row_far_down_a_large_file(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("w") as file:
        file.write("left,right,winner\n")
        file.writelines(f"m{k % 9},n{k % 7},left\n" for k in range(300_000))
        file.write("m1,m1,left\n")
        file.writelines(f"m{k % 9},n{k % 7},left\n" for k in range(300_000))
    assert "large.csv: row 300,002: a candidate battles with itself" in refused(path)


@pytest.mark.parametrize("bad", ["m1,n1,lef", "m1,n1,lef ", "m1,,left", "m1,m1,left"])
def test_of_several_bad_rows_in_a_large_file_the_first_is_named(tmp_path, bad):
    path = tmp_path / "large.csv"
    some = "".join(f"m{k % 9},n{k % 7},left\n" for k in range(200_000))
    path.write_text(f"left,right,winner\n{some}{bad}\n{some}{bad}\n{bad}\n{some}")
    assert "large.csv: row 200,002" in refused(path)


def test_self_battles_may_be_dropped(table):
    battles = read_battles(bad_row(table, "a,a,left,1,v"), self_battles="drop")
    assert battles.total == 3
    assert battles.notes == ("2 battles of a candidate with itself dropped.",)
    clustered = read_battles(bad_row(table, "a,a,left,1,v"), self_battles="drop", cluster="voter")
    assert clustered.total == 3
    refused(bad_row(table, ""), kind=UnknownNameError, self_battles="maybe")


def test_one_candidate_alone(table):
    path = table("left,right,winner\na,a,left\n")
    assert "battles with itself" in refused(path)
    assert "every battle is of a candidate with itself" in refused(path, self_battles="drop")


@pytest.mark.parametrize("text", ["left,right,winner\n", "left,right,winner"])
def test_no_battle(table, text):
    refused(table(text))


def test_an_empty_file_and_an_empty_frame(table):
    refused(table(""))
    assert "no battle" in refused(pd.DataFrame({"left": [], "right": [], "winner": []}))
    with pytest.raises(DataError, match="no battle"):
        Battles(left=[], right=[], winner=[])


def test_nothing_is_left(table):
    path = bad_row(table, "a,b,tie,1,w")
    message = refused(path, where="voter=x")
    assert "no battle has voter=x" in message
    assert "'v', 'w'" in message
    assert "no battle is left" in refused(path, outcomes={"left": "drop", "tie": "drop"})


def test_weights_that_weigh_nothing(table):
    assert "all weights are 0" in refused(table("left,right,winner,w\na,b,left,0\n"), weight="w")


def test_missing_columns_with_the_nearest_names(table):
    path = bad_row(table, "a,b,tie,1,w")
    assert "Did you mean 'winner'" in refused(path, UnknownNameError, winner="winer")
    assert "Did you mean 'voter'" in refused(path, UnknownNameError, cluster="voters")
    assert "Did you mean 'voter'" in refused(path, UnknownNameError, where="vooter=v")
    assert "Did you mean 'voter'" in refused(path, UnknownNameError, deduplicate="voterr")


def test_columns_that_no_name_tells(table):
    message = refused(table("one,thing,led\na,b,left\n"), UsageError)
    assert "which columns hold the candidates" in message
    assert "there are one, thing, led" in message
    message = refused(table("left,right,led\na,b,left\n"), UsageError)
    assert "which column says who won" in message
    two = table("model_a,model_b,player_a,player_b,winner\na,b,c,d,tie\n")
    assert "could be 'model_a', 'player_a'" in refused(two, UsageError)
    assert read_battles(two, left="player_a").candidates == ("c", "d")


def test_columns_that_contradict(table):
    path = table("left,right,winner,lw,rw\na,b,left,1,2\n")
    assert "not both" in refused(path, UsageError, winner="winner", left_wins="lw", right_wins="rw")
    assert "those of the left one are not" in refused(path, UsageError, right_wins="rw")
    one = refused(path, UsageError, left_wins="lw", right_wins="lw")
    assert "if only the left one is counted: right_wins=None" in one
    assert "cannot hold both" in refused(path, UsageError, left_wins="lw", draws="lw")
    sides = table("home,away,home_wins,away_wins\na,b,1,2\n", "sides.csv")
    message = refused(sides, UsageError, left_wins="home_wins")
    assert "right_wins='away_wins'" in message
    assert "cannot hold both" in refused(path, UsageError, left="left", right="left")
    assert "no order" in refused(path, UsageError, left_wins="lw", right_wins="rw", ordered=True)
    assert "covariate needs" in refused(path, UsageError, covariates=["lw,rw,lw"])


@pytest.mark.parametrize("count", ["-1", "2.5", "", "x", "inf"])
def test_counts_must_be_whole(table, count):
    path = table(f"home,away,home_wins,away_wins\na,b,1,2\na,c,{count},2\n", "log.csv")
    message = refused(path)
    assert message.startswith("log.csv: row 3: the count 'home_wins' is ")


def test_files_with_different_columns(table, tmp_path):
    table("left,right,winner\na,b,left\n", "one.csv")
    table("left,right,result\na,b,left\n", "two.csv")
    message = refused([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert "two.csv has no column 'winner', which one.csv has" in message
    refused([tmp_path / "one.csv", tmp_path / "two.csv"], deduplicate=True)


def test_two_columns_of_one_name(table):
    path = table("left,left,right,winner,note,note\na,c,b,left,x,y\n")
    assert "two columns are called 'left'" in refused(path, left="left", right="right")
    assert read_battles(table("left,right,winner,x,x\na,b,tie,1,2\n")).total == 1


def test_a_truncated_parquet_file(tmp_path):
    path = tmp_path / "log.parquet"
    pd.DataFrame({"left": ["a"] * 99, "right": ["b"] * 99, "winner": ["tie"] * 99}).to_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "log.parquet is no readable Parquet file" in refused(path)
    path.write_bytes(gzip.compress(whole[: len(whole) // 2]))
    assert "log.parquet is no readable Parquet file" in refused(path)


def test_rows_that_are_no_rows(table):
    message = refused(table("left,right,winner\na,b,left\na,b\n", "log.csv"))
    assert "log.csv: line 3 has 2 cells, the header has 3" in message
    message = refused(table(b"left,right,winner\n" + b"a,b,left\n" * 20_000 + b"\xe9,b,left\n"))
    assert "line 20,002 is not UTF-8" in message
    message = refused(table('{"left":"a","right":"b","winner":"tie"}\n{"left": a}\n', "log.jsonl"))
    assert "log.jsonl: line 2 is no JSON" in message
    refused(table('[{"left":"a","right":"b","winner":"tie"},\n{"left": ]', "log.json"))
    refused(table(gzip.compress(b"left,right,winner\n" + b"a,b,left\n" * 9_000)[:60], "log.csv.gz"))


def test_sources_that_are_not_there(tmp_path):
    refused(tmp_path / "no.csv")
    assert "no file matches" in refused(tmp_path / "*.parquet")
    assert "holds no table" in refused(tmp_path)
    refused([], UsageError)
    refused("", UsageError)
    refused(3, UsageError)


def test_too_many_outcomes(table, monkeypatch):
    monkeypatch.setattr("deadheat.data.reading.battles.MOST_OUTCOMES", 2)
    rows = "".join(f"a,b,{word}\n" for word in ("left", "right", "tie"))
    assert "holds 3 different outcomes" in refused(table(f"left,right,winner\n{rows}"))


def test_columns_of_unequal_length():
    with pytest.raises(UsageError, match="right has 1 values, left has 2"):
        Battles(left=["a", "b"], right=["b"], winner=["tie", "tie"])
    with pytest.raises(UsageError, match="cannot be called 'weight'"):
        Battles(left=["a"], right=["b"], winner=["tie"], covariates={"weight": [1]})


def test_wrong_subsets():
    battles = Battles(left=["a", "b"], right=["b", "c"], winner=["tie", "tie"])
    with pytest.raises(UsageError, match="one truth value for each of 2 cells"):
        battles.subset([0, 1])
    with pytest.raises(DataError, match="no battle"):
        battles.subset([False, False])
    with pytest.raises(UsageError, match="no categories"):
        battles.parts()
    with pytest.raises(UsageError, match="already"):
        read_battles(battles, cluster="voter")
    with pytest.raises(TypeError, match="no field"):
        battles.changed(lefts=1)


def test_tables_of_scores_point_to_rate(table):
    path = table("left,right,winner\na,b,left\nb,a,left\n", "log.csv")
    battles = read_battles(path)
    for source, options in ((path, {"layout": "battles"}), (path, {}), (battles, {})):
        with pytest.raises(DeadheatError, match="rate"):
            dh.read(source, better="higher", **options)


def test_a_table_may_have_such_columns(table):
    text = "judge,left,right,winner\nx,1,2,3\ny,3,4,4\n"
    results = dh.read(table(text), judge="judge", better="higher")
    assert list(results.candidates) == ["left", "right", "winner"]


SCORES = "model,adult,higgs,won\nx,0.5,0.6,1\ny,0.7,0.8,2\nz,0.9,1,1\n"


@pytest.mark.parametrize(("left", "right"), [("model", "adult"), ("adult", "model")])
def test_scores_are_no_players(table, left, right):
    with pytest.raises(UsageError, match="column 'adult' holds numbers with decimals and column"):
        read_battles(table(SCORES), left=left, right=right, winner="won")


@pytest.mark.parametrize(
    "name",
    [
        '"',
        "'",
        'a"',
        "a'",
        '"a',
        "\\",
        "a\\",
        "",
        ".",
        "*",
        "$",
        "[0]",
        "a/b",
        "~",
        "a~1b",
        "{",
        "%s",
    ],
)
def test_any_name_may_stand_in_a_path_of_json(table, name):
    rows = [
        {"a": {name: "x"}, "b": "y", "winner": "left"},
        {"a": {name: "y"}, "b": "x", "winner": "right"},
    ]
    path = table("".join(json.dumps(row) + "\n" for row in rows), "log.jsonl")
    if "." in name:
        with pytest.raises(DataError, match="is empty"):
            read_battles(path, left=f"a.{name}", right="b", winner="winner")
        return
    battles = read_battles(path, left=f"a.{name}", right="b", winner="winner")
    assert battles.candidates == ("x", "y")
    with pytest.raises(DataError, match="is empty"):
        read_battles(path, left=f"a.other{name}", right="b", winner="winner")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("count", [2**53, 2**53 + 1, 2**60])
def test_counts_that_a_float_would_round_are_refused(tmp_path, suffix, count):
    rows = pl.DataFrame({"left": ["C", "A"], "right": ["B"] * 2, "lw": [1, count], "rw": [1, 3]})
    path = tmp_path / f"log.{suffix}"
    {"csv": rows.write_csv, "parquet": rows.write_parquet, "jsonl": rows.write_ndjson}[suffix](path)
    line = 3 if suffix == "csv" else 2
    with pytest.raises(DataError, match=rf"{line}: the count 'lw' is '{count}', more than 9,007,"):
        read_battles(path, left_wins="lw", right_wins="rw")


def test_counts_that_are_too_many_together_are_refused(table):
    most = 2**53 - 1
    said = {"left_wins": "lw", "right_wins": "rw"}
    with pytest.raises(DataError, match=f"counts {most + 2:,} battles, more than {most:,}"):
        read_battles(table(f"left,right,lw,rw\nA,B,{most},1\nB,A,1,0\n"), **said)
    assert (
        read_battles(table(f"left,right,lw,rw\nA,B,{most - 2},1\nB,A,1,0\n"), **said).total == most
    )
