"""Numbers in datasheets are written by scripts, between marks."""

from __future__ import annotations

import gzip
import socket

import pytest

from datasheet import machine, refresh, table
from packed import write_packed

SHEET = "# x\n\n<!-- begin a -->\nold\n<!-- end a -->\nprose\n<!-- begin b -->\n<!-- end b -->\n"


def test_passages_are_replaced_and_prose_stays(tmp_path):
    path = tmp_path / "DATASHEET.md"
    path.write_text(SHEET)
    refresh(path, {"a": r"1 \1 new", "b": "2"})
    expected = "# x\n\n<!-- begin a -->\n1 \\1 new\n<!-- end a -->\nprose\n"
    assert path.read_text() == expected + "<!-- begin b -->\n2\n<!-- end b -->\n"
    refresh(path, {"a": r"1 \1 new"})
    assert path.read_text().startswith(expected)


def test_a_passage_without_marks_is_an_error(tmp_path):
    path = tmp_path / "DATASHEET.md"
    path.write_text(SHEET)
    with pytest.raises(ValueError, match="'c'"):
        refresh(path, {"c": "?"})
    assert path.read_text() == SHEET


def test_tables_are_markdown():
    assert table(("a", "b"), [(1, 2)]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_the_machine_has_no_name():
    assert socket.gethostname() not in machine().split()
    assert "cores" in machine()


def test_the_same_rows_are_the_same_bytes_and_no_clock_is_in_them(tmp_path):
    one, two = tmp_path / "one.csv.gz", tmp_path / "two.csv.gz"
    for path in (one, two):
        write_packed(path, ("a", "b"), [("1", "x,y")])
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes()[4:8] == bytes(4)  # the time in the header of gzip
    assert gzip.decompress(one.read_bytes()) == b'a,b\n1,"x,y"\n'
    assert sorted(tmp_path.iterdir()) == [one, two]
