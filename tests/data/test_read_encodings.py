"""Encodings: known ones of text are read, all others refused."""

import contextlib

import pytest

from deadheat import read, read_battles
from deadheat.errors import DataError, UsageError

TABLE = "model,a,b\nx,1,2\nzoë,3,4\n"
LOG = "left,right,winner\nx,zoë,left\n"
NO_TEXT = ["hex", "base64", "rot13", "bz2", "zlib", "uu", "quopri", "idna", "punycode", "undefined"]
UNKNOWN = ["foo", "", " ", "utf-8\0", "aliases", "../x", "ü", "x" * 5_000, "unicode_escape"]


@pytest.mark.parametrize("encoding", NO_TEXT + UNKNOWN)
@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.json"])
def test_what_is_no_encoding_of_text_is_wrong_use(table, encoding, name):
    for reading in (
        lambda path: read(path, better="higher", encoding=encoding),
        lambda path: read_battles(path, encoding=encoding),
    ):
        with pytest.raises(UsageError, match="encoding") as caught:
            reading(table(TABLE if name == "t.csv" else '{"left": 1}\n', name))
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("asked", [True, False])
def test_wide_characters_are_read(table, encoding, asked):
    path = table(TABLE, encoding=encoding)
    said = encoding if asked else None
    assert read(path, better="higher", encoding=said).candidates == ("x", "zoë")
    log = table(LOG, encoding=encoding)
    assert read_battles(log, encoding=said).candidates == ("x", "zoë")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_whichever_way_round(table, encoding):
    path = table(TABLE, encoding=encoding)
    assert read(path, better="higher", encoding="utf-16").candidates == ("x", "zoë")


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
def test_utf_32_without_a_mark_is_refused_or_read(table, encoding):
    with pytest.raises(DataError):
        read(table(TABLE, encoding=encoding), better="higher")
    assert read(table(TABLE, encoding=encoding), better="higher", encoding=encoding).n == 2


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_zero_bytes_are_refused(table, name):
    with pytest.raises((DataError, UsageError)):
        read(table(b"model,a\nx\0,1\n", name), better="higher")


def test_half_characters_are_shown_and_not_fatal(table):
    path = table('{"left": "a\\\\ud800", "right": "b", "winner": "left"}\n', "t.jsonl")
    with contextlib.suppress(DataError, UsageError):
        assert len(read_battles(path).candidates) == 2
