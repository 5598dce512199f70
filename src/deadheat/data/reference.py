"""The best known quality of each instance, from a mapping or a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.data.formats import open_stream
from deadheat.data.head import Head
from deadheat.data.numbers import BadCellError, Numbers, matrix
from deadheat.data.options import Options
from deadheat.data.roles import matches
from deadheat.data.run_checks import bad_reference, refuse_bad_reference, two_values
from deadheat.data.runs import Runs
from deadheat.data.source import complaints, opened
from deadheat.errors import DataError, UsageError, counted, listed, quoted
from deadheat.files import reads

BEST_SEEN = "best-seen"
REPLICATE = "replicate"


def referenced(runs: Runs, given: Any) -> Runs:
    """Return the runs with the best known quality of their instances, where one is given.

    ``given`` is ``"best-seen"`` or ``"replicate"``, which need none, a mapping from instance to
    quality, a file with a column each, or the name of a column that was read already.
    """
    if given is None or (isinstance(given, str) and given in {BEST_SEEN, REPLICATE}):
        return runs
    if runs.reference is not None and isinstance(given, str):
        return runs
    if not isinstance(given, str | os.PathLike | Mapping):
        raise UsageError(
            f"reference must be a column, a file or a mapping, got {given!r}.",
            hint="for instance reference='best_known' (--reference best_known).",
        )
    known = given if isinstance(given, Mapping) else _from_file(Path(given), runs)
    values = np.array([_number(known.get(name, np.nan), name) for name in runs.instances])
    missing = int(np.isnan(values).sum())
    if missing == len(values):
        raise DataError(
            f"the reference knows none of the {counted(len(values), 'instance')}.",
            hint=f"are they called {quoted(runs.instances[0])} there, too?",
        )
    told = f"{counted(missing, 'instance')} without a reference: the best seen is used there."
    notes = (*runs.notes, told) if missing else runs.notes
    found = runs.changed(reference=values[runs.instance], notes=notes)
    refuse_bad_reference(found)
    return found


def _number(given: Any, instance: str) -> float:
    try:
        return float(given)
    except (TypeError, ValueError):
        raise bad_reference(instance, repr(given)) from None


def _from_file(path: Path, runs: Runs) -> dict[str, float]:
    if not path.is_file():
        raise UsageError(
            f"{quoted(path)} is neither a column of {runs.source} nor a file.",
            hint="a reference file has a column with the instance and one with its best quality.",
        )
    with ExitStack() as stack:
        reads(path, "the reference")
        raw = opened(path, stack)
        with complaints(raw.name):
            stream = open_stream(raw, Options())
            first = next(stream.blocks, None)
            head = Head(source=raw.name, columns=stream.columns, named=stream.named, first=first)
            instance, quality = _columns(head)
            found: dict[str, float] = {}
            for block in chain([first] if first is not None else [], stream.blocks):
                _add(found, _pairs(block, instance, quality, head), head)
    return found


def _columns(head: Head) -> tuple[int, int]:
    judges = matches("judge", head.columns) or [0]
    numeric = [k for k in range(len(head.columns)) if k != judges[0] and head.is_numeric(k)]
    named = [k for k in matches("quality", head.columns) if k in numeric] or numeric
    if len(named) != 1:
        raise UsageError(
            f"{head.source}: which column holds the best quality? There are "
            f"{listed(head.columns)}.",
            hint="leave two columns: the instance and its best known quality.",
        )
    return judges[0], named[0]


def _add(known: dict[str, float], pairs: Iterable[tuple[str, float]], head: Head) -> None:
    for instance, quality in pairs:
        first = known.setdefault(instance, quality)
        if first != quality and not (np.isnan(first) and np.isnan(quality)):
            said = ["none" if value != value else f"{value:g}" for value in (first, quality)]
            raise two_values(head.source, instance, "reference", said)


def _pairs(block: Any, instance: int, quality: int, head: Head) -> Iterable[tuple[str, float]]:
    try:
        values, _ = matrix(block, [quality], Numbers())
    except BadCellError as bad:
        raise DataError(
            f"{head.source}: row {block.lines[bad.place]:,}: {quoted(bad.text)} is no finite "
            "number.",
            hint="leave the cell empty where no reference is known.",
        ) from None
    names = map(head.name, block.text(instance))
    return zip(names, values[:, 0].tolist(), strict=True)
