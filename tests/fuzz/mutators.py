"""What disks, editors and programs do to files."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
import zlib
from random import Random

import mutants
from fuzz import tables


def _flip(content: bytearray, rng: Random) -> None:
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def _cut(content: bytearray, rng: Random) -> None:
    start = rng.randrange(len(content))
    del content[start : start + rng.choice((1, 2, 10, 100))]


def _truncate(content: bytearray, rng: Random) -> None:
    del content[rng.randrange(len(content)) :]


def _double(content: bytearray, rng: Random) -> None:
    start = rng.randrange(len(content))
    content[start:start] = content[start : start + rng.choice((1, 5, 50))]


def _nasty(content: bytearray, rng: Random) -> None:
    word = rng.choice((*tables.NUMBERS, *tables.HOSTILE, "\n", "\r", '"', "'", ",", ";", "\t", "#"))
    start = rng.randrange(len(content))
    content[start : start + rng.choice((0, 1, 4))] = word.encode()


def _zeros(content: bytearray, rng: Random) -> None:
    start = rng.randrange(len(content))
    content[start:start] = bytes(rng.choice((1, 4, 1000)))


def _lines(content: bytearray, rng: Random) -> None:
    lines = content.split(b"\n")
    what = rng.randrange(4)
    k = rng.randrange(len(lines))
    if what == 0:
        lines.insert(rng.randrange(len(lines)), lines[k])
    elif what == 1:
        del lines[k]
    elif what == 2:
        lines[k] = lines[k] + b"," + rng.choice(tables.NUMBERS).encode()
    else:
        rng.shuffle(lines)
    content[:] = b"\n".join(lines)


def _swap(content: bytearray, rng: Random) -> None:
    old, new = rng.sample((b",", b";", b"\t", b"|", b".", b'"', b"\n"), 2)
    content[:] = content.replace(old, new, rng.choice((1, 3, -1)))


_DIMENSION = re.compile(rb'<dimension ref="[^"]*" ?/>')
DIMENSIONS = (
    b"", b'<dimension ref="A1"/>', b'<dimension ref="A1:XFD1048576"/>', b'<dimension ref="x"/>',
)  # fmt: skip
TEXT = (_flip, _cut, _truncate, _double, _nasty, _nasty, _nasty, _zeros, _lines, _lines, _swap)
BINARY = (_flip, _flip, _cut, _truncate, _double, _zeros)


def _changed(content: bytes, rng: Random, ways: tuple) -> bytes:  # type: ignore[type-arg]
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        if found:
            rng.choice(ways)(found, rng)
    return bytes(found)


def _inside_zip(content: bytes, rng: Random) -> bytes:
    """Change one member of a zip file, so that the container stays whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        members = old.namelist()
        chosen = rng.choice([*members, *(name for name in members if "sheet" in name)])
        for name in members:
            inside = _DIMENSION.sub(rng.choice(DIMENSIONS), old.read(name))
            if name != chosen:
                new.writestr(name, inside)
            elif rng.random() < 0.9:
                new.writestr(name, _changed(inside, rng, TEXT))
    return out.getvalue()


def _json(content: bytes, rng: Random) -> bytes:
    document = json.loads(content)
    places = list(mutants.paths(document))
    if not places:
        return content
    return mutants.mutant(document, rng.choice(places), rng.randrange(mutants.NUMBER)).encode(
        "utf-8", "surrogatepass"
    )


def mutated(name: str, content: bytes, rng: Random) -> bytes:
    """Return what became of a file."""
    try:
        if name.endswith(".gz") and rng.random() < 0.5:
            return gzip.compress(_changed(gzip.decompress(content), rng, TEXT), mtime=0)
        if name.endswith(".xlsx") and rng.random() < 0.7:
            return _inside_zip(content, rng)
        if name.endswith(".json") and rng.random() < 0.6:
            return _json(content, rng)
    except (ValueError, zlib.error, zipfile.BadZipFile):
        pass
    binary = name.endswith((".gz", ".bz2", ".xz", ".xlsx", ".parquet"))
    return _changed(content, rng, BINARY if binary else TEXT)
