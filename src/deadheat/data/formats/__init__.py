"""One module per format, found by discovery: a new format is one more file in this folder.

A module offers ``open_stream(source, options) -> Stream`` and says by what it is known:
``suffixes`` (after any .gz), ``magic`` (first bytes that settle it), ``opening`` (first bytes
that only count where the suffix says nothing) and ``understands`` (options that it obeys beyond
those about the layout).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Protocol, cast

from deadheat.core.errors import UsageError, say
from deadheat.core.registry import plugins
from deadheat.data.reading.foreign_files import refuse_other_formats
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

ABOUT_FILES = ("delimiter", "header", "encoding", "sheet")
FALLBACK = "text"
BLANKS = b"\xef\xbb\xbf \t\r\n"
JSON = re.compile(rb'(\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')  # no CSV begins so: it would be quoted


class Format(Protocol):
    """What a module of this folder offers."""

    title: str
    suffixes: tuple[str, ...]
    magic: tuple[bytes, ...]
    opening: tuple[bytes, ...]
    understands: tuple[str, ...]

    def open_stream(self, source: Source, options: Options) -> Stream:
        """Return the table as a stream of blocks."""


@cache
def formats() -> dict[str, Format]:
    homes = (home for home in plugins(__name__) if hasattr(home, "suffixes"))
    return {home.__name__.rpartition(".")[2]: cast("Format", home) for home in homes}


def format_of(source: Source) -> Format:
    """Return the format of a source, by its first bytes, its suffix, or else text."""
    refuse_other_formats(source)
    known, beginning = formats(), source.head.lstrip(BLANKS)
    kinds = (
        *(kind for kind in known.values() if source.head.startswith(kind.magic)),
        *([known["jsonl"]] if JSON.match(beginning) else []),
        *(kind for kind in known.values() if source.suffix in kind.suffixes),
        *(kind for kind in known.values() if beginning.startswith(kind.opening)),
        known[FALLBACK],
    )
    return kinds[0]


def open_stream(
    source: Source, options: Options, beside: Mapping[str, str] | None = None
) -> Stream:
    kind = format_of(source)
    refuse_foreign(options, kind.title, kind.understands, source.name, beside)
    return kind.open_stream(source, options)


def refuse_foreign(
    options: Options,
    title: str,
    understands: tuple[str, ...],
    name: str,
    beside: Mapping[str, str] | None = None,
) -> None:
    for option in ABOUT_FILES:
        if getattr(options, option) is not None and option not in understands:
            sidecar = (beside or {}).get(option)
            said = f"{option} in {sidecar}" if sidecar else say(option)
            hint = f"remove that line of {sidecar}." if sidecar else "leave it out."
            raise UsageError(f"{said} means nothing for {title} ({name}).", hint=hint)
