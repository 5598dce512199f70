"""What a battle log is taken for where little is said, and what is said about it."""

from __future__ import annotations

import threading

import duckdb
import pandas as pd
import pytest

from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.database import _interruptible as interruptible
from deadheat.data.reading.read import read_battles

WINS = "home,away,wins\na,b,3\nb,a,2\nb,c,4\n"
LONG_QUERY = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(9999999) b"


def counts(battles):
    """Return how often each left one beat each right one."""
    names, cells = (
        battles.candidates,
        zip(battles.left, battles.right, battles.outcome, strict=True),
    )
    return {
        (names[i], names[j], int(o)): int(n)
        for (i, j, o), n in zip(cells, battles.battles, strict=True)
    }


@pytest.mark.parametrize("said", [{}, {"left_wins": "wins"}])
def test_one_column_of_wins_counts_those_of_the_left_side(table, said):
    battles = read_battles(table(WINS), **said)
    assert counts(battles) == {("a", "b", 1): 3, ("b", "a", 1): 2, ("b", "c", 1): 4}
    assert "left wins 'wins'; the left one won that often" in dict(battles.reading)["layout"]
    assert battles.notes == ()


def test_losses_and_draws_beside_wins_are_counted_too(table):
    battles = read_battles(table("home,away,wins,losses,draws\na,b,3,1,2\n"))
    assert counts(battles) == {("a", "b", 1): 3, ("a", "b", -1): 1, ("a", "b", 0): 2}


def test_wins_of_one_side_only_are_warned_of(table):
    (note,) = read_battles(table("home,away,wins\na,b,3\nb,c,2\n")).notes
    assert "no pair stands in both orders" in note
    assert "right_wins=" in note


def test_names_that_look_like_empty_cells_are_warned_of(table):
    path = table("left,right,winner\na,b,left\na,NaN,left\nNaN,b,right\n")
    (note,) = read_battles(path).notes
    assert note.startswith("'NaN' is taken for the name of a candidate (2 battles)")
    assert "where=['left!=NaN', 'right!=NaN']" in note
    assert read_battles(path, where=["left!=NaN", "right!=NaN"]).notes == ()


def test_an_empty_outcome_is_called_so(table):
    path = table("left,right,winner\na,b,left\na,b,\n")
    assert read_battles(path, outcomes="=drop").notes == (
        "1 battle with an empty outcome dropped.",
    )


def test_a_file_that_is_named_twice_is_refused(table, tmp_path):
    path = table("left,right,winner\na,b,left\n", "log.csv")
    (tmp_path / "link.csv").symlink_to(path)
    for files in ([path, path], [path, tmp_path / "link.csv"], [path, str(path)]):
        with pytest.raises(UsageError, match="is named twice"):
            read_battles(files)


def test_a_broken_file_of_several_is_called_by_its_path(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    frame = pd.DataFrame({"left": ["a"], "right": ["b"], "winner": ["tie"]})
    frame.to_parquet(folder / "a.parquet")
    (folder / "z.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError) as caught:
        read_battles(folder)
    assert caught.value.fact.startswith(f"{folder / 'z.parquet'} is no readable Parquet file")


ONE_SIDE = "left,right,winner,tokens_a,tokens_b,lead\na,b,left,5,2,3\nb,a,left,1,4,-3\n"


@pytest.mark.parametrize("column", ["tokens_a", "tokens_b"])
def test_a_covariate_of_one_side_is_refused(table, column):
    with pytest.raises(UsageError, match="a quality of one side") as caught:
        read_battles(table(ONE_SIDE), covariates=[column])
    assert "covariates='tokens=tokens_a,tokens_b'" in caught.value.hint
    hinted = read_battles(table(ONE_SIDE), covariates="tokens=tokens_a,tokens_b")
    assert sorted(hinted.covariates[:, 0]) == [-3, 3]
    assert read_battles(table(ONE_SIDE), covariates=[f"x={column}"]).covariate_names == ("x",)
    assert sorted(read_battles(table(ONE_SIDE), covariates="lead").covariates[:, 0]) == [-3, 3]


def test_an_interrupt_of_duckdb_is_an_interrupt():
    """Stopped as Ctrl-C stops it, again and again until the query has begun and ended."""
    ended = threading.Event()
    with duckdb.connect() as connection:

        def stop():
            while not ended.wait(0.05):
                connection.interrupt()

        stopping = threading.Thread(target=stop)
        stopping.start()
        try:
            with pytest.raises(KeyboardInterrupt), interruptible():
                connection.execute(LONG_QUERY).fetchall()
        finally:
            ended.set()
            stopping.join()


def test_what_a_signal_makes_of_a_query_is_an_interrupt():
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")


def test_other_errors_of_that_kind_stay_what_they_are(table, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("oops")

    monkeypatch.setattr("deadheat.data.reading.battles.battles_of", broken)
    with pytest.raises(RuntimeError, match="oops"):
        read_battles(table(WINS))
