"""Whether a source is a battle log: by what was said, else by its columns."""

from __future__ import annotations

import io

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.data.reading.battle_columns import looks_like_battles
from deadheat.data.reading.read import is_battle_log

LOGS = [
    "left,right,winner",
    "model_a,model_b,winner,turn",
    "id,prompt,model_x,model_y,worker,winner,left,right",
    "home.team,away.team,home.wins,away.wins",
    "player1,player2,wins1,wins2,draws",
]
TABLES = ["model,a,b", "model,left,right", "model,split,auc", "home,away,wins", "winner,a", "x,y"]


@pytest.mark.parametrize("header", LOGS)
def test_names_of_columns_tell_a_log(header, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(header + "\n", encoding="utf-8")
    columns = header.split(",")
    assert looks_like_battles(columns)
    assert is_battle_log(path, {})
    assert is_battle_log(str(path), {})
    assert is_battle_log(pd.DataFrame(columns=columns), {})
    assert is_battle_log(pa.table({name: ["1"] for name in columns}), {})


@pytest.mark.parametrize("header", TABLES)
def test_names_of_columns_tell_a_table(header, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(header + "\n", encoding="utf-8")
    assert not is_battle_log(path, {})
    assert not is_battle_log(pd.DataFrame(columns=header.split(",")), {})


@given(names=st.lists(st.text(max_size=8), max_size=6))
def test_any_names_give_an_answer(names):
    assert looks_like_battles(names) in (True, False)


@pytest.mark.parametrize(
    ("text", "log"),
    [
        ("home,away,result\nHul,Sto,-1\nHul,Wig,1\n", True),
        ("season,home,away,outcome\n1,Hul,Sto,H\n", True),
        ("home,away,wins\na,b,3\nb,a,2\n", True),
        ("home,away,wins\n1,2,3\n2,1,2\n", False),
        ("judge,home,away,result\nx,1,2,3\ny,2,1,2\n", False),
        ("player,first,second,result\nx,a,b,3\n", False),
        ("home,away,result\n", False),
    ],
)
def test_cells_tell_where_names_do_not(text, log, tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(text, encoding="utf-8")
    assert is_battle_log(path, {}) is log
    assert is_battle_log(pd.read_csv(path), {}) is log
    assert is_battle_log(pa.Table.from_pandas(pd.read_csv(path)), {}) is log


def test_what_is_said_goes_before_names(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("model,a,b\n", encoding="utf-8")
    assert is_battle_log(path, {"layout": "battles"})
    assert is_battle_log(path, {"winner": "a"})
    assert not is_battle_log(path, {"winner": None, "covariates": (), "relative": False})
    path.write_text("left,right,winner\n", encoding="utf-8")
    assert not is_battle_log(path, {"layout": "long"})
    with pytest.raises(UsageError) as caught:
        is_battle_log(path, {"judge": "left", "left_wins": "right"})
    assert "left_wins=" in caught.value.fact
    assert "judge=" in caught.value.fact


def test_folders_patterns_and_lists_are_logs_and_streams_are_not(tmp_path):
    assert is_battle_log(tmp_path, {})
    assert is_battle_log(str(tmp_path / "*.csv"), {})
    assert is_battle_log(["a.csv", "b.csv"], {})
    assert not is_battle_log([[1, 2], [2, 1]], {})
    assert not is_battle_log("-", {})
    assert is_battle_log("-", {"left": "a"})
    assert not is_battle_log(io.StringIO("left,right,winner\n"), {})
    assert not is_battle_log(tmp_path / "no such file.csv", {})


def test_what_was_read_already_is_what_it_is():
    log = dh.Battles(left=["a"], right=["b"], winner=["left"])
    table = dh.Results(scores=[[1, 2], [2, 1]], better="higher")
    assert is_battle_log(log, {"better": "higher"})
    assert not is_battle_log(table, {"winner": "x"})
