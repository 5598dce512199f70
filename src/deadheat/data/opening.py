"""From a source to named columns and rows: the sidecar, the format, the first block."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from deadheat.data.formats import open_stream, refuse_foreign
from deadheat.data.head import Head
from deadheat.data.options import Options
from deadheat.data.sidecar import read_sidecar, sidecar_of
from deadheat.data.source import complaints, is_stream, opened
from deadheat.data.stream import Block, Stream
from deadheat.data.where import Filter
from deadheat.data.wide import header_only


def stream_of(
    source: Any, given: Options, sidecar: str | os.PathLike[str] | None, stack: ExitStack
) -> tuple[Stream, Options]:
    """Return a table on its way in, and what was said about it here and in its sidecar."""
    if not isinstance(source, str | os.PathLike) and not is_stream(source):
        return _frame(source, given, sidecar)
    raw = opened(source, stack)
    path = sidecar_of(source, sidecar)
    options, told = _with_sidecar(given, path)
    with complaints(raw.name):
        stream = open_stream(raw, options, _said_beside(options, given, path))
    return _beside(stream, path, told), options


def _frame(
    source: Any, given: Options, sidecar: str | os.PathLike[str] | None
) -> tuple[Stream, Options]:
    from deadheat.data.formats import frame

    path = sidecar_of(None, sidecar)
    options, told = _with_sidecar(given, path)
    stream = frame.open_frame(source)
    refuse_foreign(options, frame.title, (), stream.source, _said_beside(options, given, path))
    return _beside(stream, path, told), options


def _with_sidecar(given: Options, path: Path | None) -> tuple[Options, tuple[str, ...]]:
    """Return what was said here and in a sidecar, and what of the sidecar does not count."""
    if path is None:
        return given.checked(), ()
    options, told = given.over(read_sidecar(path), path.name)
    return options.checked(), told


def _said_beside(options: Options, given: Options, path: Path | None) -> dict[str, str]:
    """Return the options that only the sidecar says, each with its name."""
    return dict.fromkeys(options.said.keys() - given.said.keys(), path.name) if path else {}


def _beside(stream: Stream, path: Path | None, told: tuple[str, ...]) -> Stream:
    beside = (("sidecar", path.name),) if path is not None else ()
    return replace(stream, facts=(*stream.facts, *beside), notes=(*stream.notes, *told))


def begun(stream: Stream, options: Options) -> tuple[Head, Iterable[Block], Filter]:
    """Return the first rows, all rows, and which of them are kept."""
    first = next(stream.blocks, None)
    head = Head(
        source=stream.source,
        columns=stream.columns,
        named=stream.named,
        first=first,
        unit=stream.unit,
        guarded=stream.guarded,
        across=stream.across,
    )
    keep = Filter(options.where, head)
    if first is None:
        raise header_only(stream.source)
    return head, head.watched(chain([first], stream.blocks)), keep
