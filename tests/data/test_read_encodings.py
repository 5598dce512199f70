"""Encodings: known ones of text are read, all others refused."""

import contextlib

import pytest

from deadheat import read, read_battles
from deadheat.core.errors import DataError, UsageError

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


@pytest.mark.parametrize("sidecar", [True, False])
def test_bytes_that_are_not_in_the_encoding_that_was_said_are_refused(table, sidecar):
    path = table(b"model,t\n\xff\xfeA,1\nB,2\n")
    if sidecar:
        table('encoding = "utf-8"\n', "results.toml")
    said = {} if sidecar else {"encoding": "utf-8"}
    with pytest.raises(DataError, match="line 2 is not UTF-8: byte 0xff at character 1") as caught:
        read(path, better="higher", **said)
    assert caught.value.hint == "if it is western text: encoding='cp1252'"
    assert read(path, better="higher", encoding="cp1252").candidates == ("ÿþA", "B")


@pytest.mark.parametrize(("byte", "encoding"), [(b"\xe9", "cp1252"), (b"\x81", "latin-1")])
def test_a_stray_byte_late_in_a_file_is_refused_with_its_line(table, byte, encoding):
    rows = "".join(f"zoe{i},1,2\n" for i in range(20_000))
    path = table(b"model,a,b\n" + rows.encode() + b"caf" + byte + b",1,2\n")
    where = f"line 20,002 is not UTF-8: byte 0x{byte.hex()} at character 4"
    with pytest.raises(DataError, match=where) as caught:
        read(path, better="higher")
    assert f"encoding={encoding!r}" in caught.value.hint
    results = read(path, better="higher", encoding=encoding)
    assert results.candidates[-1] == (b"caf" + byte).decode(encoding)


def test_a_stray_byte_in_the_header_is_refused_too(table):
    with pytest.raises(DataError, match="line 1 is not UTF-8: byte 0xe9 at character 10"):
        read(table(b"model,caf\xe9\nA,1\nB,2\n"), better="higher", encoding="utf-8")
