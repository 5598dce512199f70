"""The official order: a list, a mapping, a file."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.official import official_ranks, top
from verdict_oracle import graded, table

NAMES = ("a", "b", "c")


@pytest.mark.parametrize(
    "given",
    [
        ["b", "a", "c"],
        ("b", "a", "c"),
        {"a": 2, "b": 1, "c": 3},
        {"a": "2.", "b": "1.", "c": " 3 "},
        {"a": np.int64(2), "b": 1.0, "c": 3},
    ],
)
def test_lists_and_mappings_are_ranks(given):
    assert official_ranks(given, NAMES).ranks.tolist() == [2, 1, 3]


@pytest.mark.parametrize(
    "content",
    [
        "candidate,rank\na,2\nb,1\nc,3\n",
        "rank;solver\n2;a\n1;b\n3;c\n",
        "place\tmodel\n2\ta\n1\tb\n3\tc\n",
        "\ufeffcandidate,points,official rank\r\nc,0,3\r\na,5,2\r\nb,7,1\r\n",
        "candidate\nb\na\nc\n",
        "candidate,note\nb,\na,x\n\nc,\n",
    ],
    ids=["csv", "semicolons", "tabs", "excel", "in order", "in order with more"],
)
def test_files_are_read_as_they_come(tmp_path, content):
    path = tmp_path / "official.csv"
    path.write_text(content, encoding="utf-8")
    assert official_ranks(path, NAMES).ranks.tolist() == [2, 1, 3]
    assert official_ranks(str(path), NAMES).ranks.tolist() == [2, 1, 3]


def test_names_with_commas_are_quoted(tmp_path):
    path = tmp_path / "official.csv"
    path.write_text('candidate,rank\n"x, 1",1\ny,2\n', encoding="utf-8")
    assert official_ranks(path, ("y", "x, 1")).ranks.tolist() == [2, 1]


def test_ties_are_kept_and_nobody_needs_a_rank():
    found = official_ranks({"a": 1, "b": 1}, NAMES).ranks
    assert found[:2].tolist() == [1, 1]
    assert np.isnan(found[2])


@pytest.mark.parametrize(
    ("official", "k", "expected"),
    [
        ([1, 2, 3, 4], 2, [0, 1]),
        ([1, 2.5, 2.5, 4], 2, [0, 1, 2]),
        ([1, 2, 2, 4], 2, [0, 1, 2]),
        ([1, 2, 2, 4], 3, [0, 1, 2]),
        ([3, np.nan, 7, 5], 2, [0, 3]),
        ([1, 2, 3, 4], 99, [0, 1, 2, 3]),
    ],
)
def test_the_top_k_are_all_whose_place_is_at_most_k(official, k, expected):
    assert top(np.array(official, dtype=float), k) == expected


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        ("", dh.DataError, "is empty"),
        ("x,y\na,1\n", dh.UsageError, "which column names the candidates"),
        ("candidate,rank\na,\n", dh.DataError, "the official rank of 'a' is ''"),
        ("candidate,rank\na\n", dh.DataError, "the official rank of 'a' is ''"),
        ("candidate,rank\na,0\n", dh.DataError, "the official rank of 'a' is '0'"),
        ("candidate,rank\na,first\n", dh.DataError, "'first'"),
        ("candidate,rank\n", dh.DataError, "names none of the candidates"),
        ("candidate,rank\nA,1\n", dh.DataError, "names none of the candidates"),
    ],
)
def test_bad_files_are_refused(tmp_path, content, kind, words):
    path = tmp_path / "official.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(kind) as refused:
        official_ranks(path, NAMES)
    assert words in str(refused.value)


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(dh.UsageError, match=r"cannot read the official order .*none\.csv"):
        official_ranks(tmp_path / "none.csv", NAMES)
    (tmp_path / "x.csv").write_bytes(b"candidate\xff\xfe\n")
    with pytest.raises(dh.UsageError, match="not UTF-8"):
        official_ranks(tmp_path / "x.csv", NAMES)
    with pytest.raises(dh.UsageError, match="cannot read"):
        official_ranks(tmp_path, NAMES)


def test_a_candidate_named_twice_is_refused(tmp_path):
    path = tmp_path / "official.csv"
    path.write_text("candidate,rank\na,1\nb,2\na,3\n", encoding="utf-8")
    with pytest.raises(dh.DataError, match="names 'a' twice: line 2 and line 4"):
        official_ranks(path, NAMES)
    with pytest.raises(dh.DataError, match="names 'b' twice: place 2 and place 3"):
        official_ranks(["a", "b", "b"], NAMES)


def test_who_has_no_official_rank_is_warned_of():
    v = dh.verdict(table(graded()), by="mean", replicates=99, official={"b": 1, "c": 2})
    lacks = "the official order lacks 1 of 3 candidates: a"
    assert f"{lacks}; no top and no inversion counts them." in v.warnings
    assert v.facts()["top3"]["candidates"] == 2


def test_a_plain_list_is_the_order(tmp_path):
    path = tmp_path / "order.txt"
    path.write_text("b\na\nc\n", encoding="utf-8")
    assert official_ranks(str(path), ["a", "b", "c"]).ranks.tolist() == [2, 1, 3]


def test_influence_warns_of_whom_the_order_lacks():
    """The others are broken by the order; who is not in it comes last in a tie."""
    tied = table([[1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1]])
    found = dh.influence(tied, by="mean", official=["e", "d", "c"])
    assert "the official order lacks 2 of 5 candidates: a, b; in ties they come last." in (
        found.warnings
    )
    assert not any("lacks" in said for said in dh.influence(tied, by="mean").warnings)


def test_a_column_of_tracks_has_an_order_for_each_table(tmp_path):
    path = tmp_path / "official.csv"
    path.write_text(
        "track,candidate,rank\nsat,a,2\nsat,b,1\nagile,a,1\nagile,c,2\n", encoding="utf-8"
    )
    assert official_ranks(path, ("a", "b"), track="sat").ranks.tolist() == [2, 1]
    assert official_ranks(path, ("a", "c"), track="agile.csv").ranks.tolist() == [1, 2]
    with pytest.raises(dh.DataError) as refused:
        official_ranks(path, ("a", "b"), track="main.csv")
    assert "no row has 'main.csv' in its column 'track'" in str(refused.value)
    assert "there are sat, agile" in str(refused.value)


def test_a_file_is_named_without_its_endings_and_no_further(tmp_path):
    path = tmp_path / "official.csv"
    path.write_text("track,candidate,rank\nv1,a,1\nv1,b,2\nv1.2,a,2\nv1.2,b,1\n", encoding="utf-8")
    for track in ("v1.2", "v1.2.csv", "v1.2.csv.gz"):
        assert official_ranks(path, ("a", "b"), track=track).ranks.tolist() == [2, 1]


def test_one_track_is_that_of_the_only_table(tmp_path):
    path = tmp_path / "official.csv"
    path.write_text("track,candidate,rank\nmain,a,2\nmain,b,1\n", encoding="utf-8")
    assert official_ranks(path, ("a", "b"), track="results.csv").ranks.tolist() == [2, 1]
    with pytest.raises(dh.DataError, match=r"no row has 'results\.csv'"):
        official_ranks(path, ("a", "b"), track="results.csv", elsewhere={"a", "b", "c"})


def test_candidates_of_other_tables_are_passed_over_and_strangers_are_told():
    order = ["c", "b", "a"]
    assert official_ranks(order, ("a", "b"), elsewhere={"a", "b", "c"}).strangers == ()
    found = official_ranks(order, ("a", "b"), elsewhere={"a", "b"})
    assert found.ranks.tolist() == [3, 2]
    assert found.strangers == ("c",)
    v = dh.verdict(table(graded()), by="mean", replicates=99, official=["b", "z", "a", "c", "y"])
    told = "2 names of the official order are not in the table and left out: z, y."
    assert told in v.warnings
