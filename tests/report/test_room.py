"""What each part of a page may take: laws that keep the sum bounded."""

from __future__ import annotations

import base64
import gzip
import json

from hypothesis import given
from hypothesis import strategies as st

from deadheat.report.page import abridge, packed_lines, packed_whole, shares, too_large

SIZES = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 10_000))


def unpacked(text: str) -> str:
    return gzip.decompress(base64.b64decode(text)).decode()


@given(SIZES, st.integers(-10, 60_000))
def test_shares_never_exceed_the_room_and_starve_nobody(sizes, room):
    found = shares(sizes, room)
    assert list(found) == list(sizes)
    assert sum(found.values()) <= max(room, 0)
    assert all(0 <= found[name] <= size for name, size in sizes.items())
    if sum(sizes.values()) <= room:
        assert found == sizes
    fair = max(room, 0) // max(len(sizes), 1)
    assert all(found[name] == size for name, size in sizes.items() if size <= fair)


def test_without_room_nobody_has_a_share():
    assert shares({"a": 3, "b": 0, "c": 9}, -5) == {"a": 0, "b": 0, "c": 0}


@given(SIZES, st.integers(-10, 60_000))
def test_the_largest_go_and_no_more_than_needed(sizes, room):
    gone = too_large(sizes, room)
    left = sum(size for name, size in sizes.items() if name not in gone)
    assert left <= room or len(gone) == len(sizes)
    if gone:
        assert left + sizes[gone[-1]] > room


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"))), st.integers(0, 500)
)
def test_first_lines_have_room_and_are_whole(lines, room):
    text = "".join(f"{line}\n" for line in lines)
    found, is_cut = packed_lines(text, room)
    assert len(found) <= room
    kept = unpacked(found) if found else ""
    assert text.startswith(kept)
    assert kept == "" or kept.endswith("\n")
    assert is_cut == (kept != text)


def result(rows: int, facts: int) -> dict:
    return {
        "rows": [{"a": f"{i * 7919 % 1009:x}"} for i in range(rows)],
        "facts": {"b": list(range(facts))},
        "warnings": [],
    }


def test_a_long_result_keeps_its_first_rows_and_says_how_many_are_missing():
    long = result(1_000, 3)
    found = abridge(long, 2_000)
    assert found["rows"] == long["rows"][: len(found["rows"])]
    assert 0 < len(found["rows"]) < 1_000
    assert found["warnings"] == [
        f"{1_000 - len(found['rows'])} further rows are left out of a report."
    ]
    assert len(json.dumps(found)) <= 2_000
    assert abridge(result(3, 3), 2_000) == result(3, 3)
    assert abridge(result(3, 3_000), 2_000)["facts"] == {}


def test_the_whole_gives_way_until_it_has_room():
    whole = {"schema": "x", "facts": {"results": {"a": result(9_000, 9), "b": result(3, 3)}}}
    everything, none = packed_whole(whole, 10_000_000)
    assert none == []
    assert json.loads(unpacked(everything)) == whole
    for room in (len(everything) - 1, 1_000):
        found, cut = packed_whole(whole, room)
        assert len(found) <= room
        assert "a" in cut
        assert json.loads(unpacked(found))["facts"]["results"]["a"]["shortened"]
    assert packed_whole(whole, 10) == ("", ["a", "b"])
