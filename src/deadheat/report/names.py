"""The names on a page: very long ones are shortened before anything is computed, and told once.

A name stands in every table, picture and sentence, so that its length multiplies the size of a
page. Shortened at the source, it cannot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.inference.official import official_ranks
from deadheat.result import Listing
from deadheat.text import ELLIPSIS

LONGEST = 160  # letters of a name on a page
_ABSOLUTE = re.compile(r"(--[\w-]+=|-\w)?(/|~|[A-Za-z]:[\\/]|\\\\)(.*[\\/])?(?=[^\\/])")
OF_TABLES = {
    "candidates": "candidate",
    "judges": "judge",
    "strata": "stratum",
    "clusters": "cluster",
    "instances": "instance",
}
OF_RUNS = {name: OF_TABLES[name] for name in ("candidates", "instances", "strata", "clusters")}
OF_BATTLES = {"candidates": "candidate", "category_names": "category"}

Source = TypeVar("Source", bound=Results | Runs | Battles)


@dataclass(frozen=True, eq=False, kw_only=True)
class FullNames(Listing):
    """Hold the names that a page shortens, and what they are in full."""

    schema: ClassVar[str] = "deadheat.names/1"


def with_short_names(source: Source) -> tuple[Source, dict[str, dict[str, str]]]:
    """Return the data with names of bounded length, and the names in full by kind and short name.

    The hash of the data stays that of the data as they came.
    """
    known = {Results: OF_TABLES, Runs: OF_RUNS, Battles: OF_BATTLES}[type(source)]
    changes: dict[str, tuple[str, ...]] = {}
    full: dict[str, dict[str, str]] = {}
    for field, kind in known.items():
        names: Sequence[str] = getattr(source, field) or ()
        if any(len(name) > LONGEST for name in names):
            short = shortened(names)
            changes[field] = tuple(short[name] for name in names)
            full[kind] = {new: old for old, new in short.items() if new != old}
    if not changes:
        return source, {}
    return _changed(source, changes), full


def shortened(names: Sequence[str]) -> dict[str, str]:
    """Return a name of at most ``LONGEST`` letters for each, cut in the middle, all different.

    >>> found = shortened(["a" * 500, "b"])
    >>> len(found["a" * 500]), found["b"]
    (160, 'b')
    """
    taken = {name for name in names if len(name) <= LONGEST}
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short, more = name, 1
        while len(short) > LONGEST or (name != short and short in taken):
            mark = ELLIPSIS if more == 1 else f"{ELLIPSIS}({more}){ELLIPSIS}"
            left = LONGEST - len(mark)
            short = name[: left - left // 2] + mark + name[len(name) - left // 2 :]
            more += 1
        found[name] = short
        taken.add(short)
    return found


def official_of(given: Any, names: Sequence[str], short: Sequence[str]) -> Mapping[str, float]:
    """Return the official ranks by the short names."""
    ranks = official_ranks(given, names)
    return {
        name: float(rank) for name, rank in zip(short, ranks, strict=True) if not np.isnan(rank)
    }


def _changed(source: Source, changes: dict[str, tuple[str, ...]]) -> Source:
    copy = cast("Source", source.changed(**changes))
    if not isinstance(source, Runs):
        vars(copy)["sha256"] = source.sha256  # takes the place of the cached property
    return copy


def without_folders(command: Sequence[str]) -> list[str]:
    """Return the words of a command, files by their names alone where their path is absolute.

    >>> without_folders(["deadheat", "report", "/my/own/a.csv", "-o", "out/b.html"])
    ['deadheat', 'report', 'a.csv', '-o', 'out/b.html']
    """
    return [
        _ABSOLUTE.sub(lambda found: found[1] or "", str(word), count=1)
        if _ABSOLUTE.match(str(word))
        else str(word)
        for word in command
    ]
