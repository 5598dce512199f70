"""How many bytes the parts of a page may take, so that their sum is bounded whatever the data."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import Any

LARGEST_JSON = 1_000_000  # characters of a result inside the JSON of the whole


def packed(text: str) -> str:
    """Return a text as gzip in base64, a fraction of its size; browsers unpack it."""
    written = text.encode("utf-8", "backslashreplace")
    return base64.b64encode(gzip.compress(written, 6, mtime=0)).decode()


def shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """Return how much of the room each may take: small ones all they need, large ones the same.

    >>> shares({"a": 10, "b": 500, "c": 900}, 1000)
    {'a': 10, 'b': 495, 'c': 495}
    """
    found: dict[str, int] = {}
    left = max(room, 0)
    for k, name in enumerate(sorted(sizes, key=sizes.__getitem__)):
        found[name] = min(sizes[name], left // (len(sizes) - k))
        left -= found[name]
    return {name: found[name] for name in sizes}


def too_large(sizes: Mapping[str, int], room: int) -> list[str]:
    """Return the largest, as many as must go so that the others have room.

    >>> too_large({"a": 10, "b": 500, "c": 900}, 600)
    ['c']
    """
    left = sum(sizes.values())
    gone: list[str] = []
    for name in sorted(sizes, key=sizes.__getitem__, reverse=True):
        if left > room:
            gone.append(name)
            left -= sizes[name]
    return gone


def first_lines(text: str, most: int) -> str:
    """Return the whole lines at the beginning of a text, of at most so many characters."""
    return text if len(text) <= most else text[: text.rfind("\n", 0, max(most, 0)) + 1]


def packed_lines(text: str, room: int) -> tuple[str, bool]:
    """Return as many first lines as have room when packed, and whether any are missing."""
    kept, found = text, packed(text)
    while len(found) > room and kept:
        kept = first_lines(kept, min(len(kept) - 1, len(kept) * room // len(found)))
        found = packed(kept)
    return (found if kept else ""), kept != text


def packed_whole(whole: dict[str, Any], room: int) -> tuple[str, list[str]]:
    """Return the JSON of everything as it has room, and whose results are shortened in it."""
    results: dict[str, Any] = whole["facts"]["results"]
    found = ""
    for limit in (LARGEST_JSON, LARGEST_JSON // 8, LARGEST_JSON // 64, 0):
        results = {name: shortened(each, limit) for name, each in results.items()}
        facts = {**whole["facts"], "results": results}
        written = json.dumps({**whole, "facts": facts}, indent=2, allow_nan=False) + "\n"
        found = packed(written)
        if len(found) <= room:
            return found, [name for name, each in results.items() if each.get("shortened")]
    return "", list(results)


def shortened(told: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the JSON of a result; of one of over ``most`` characters the first rows, said so."""
    size = len(json.dumps(told))
    if size <= most:
        return told
    rows = told["rows"]
    kept = len(rows) * most // (2 * size)
    cautions = [*told["warnings"], f"{len(rows) - kept:,} further rows are left out of a report."]
    found = {**told, "rows": rows[:kept], "shortened": True, "warnings": cautions}
    if len(json.dumps(found)) > most:
        found["facts"] = {}
        cautions.append("Its facts are left out of a report.")
    return found
