"""The tables that functions are measured on: whole, each once, and told apart by name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.errors import DataError, UsageError, counted
from deadheat.inference.concordance import JudgeRanks, concordance, shuffled, sums_of


def read_all(table: Any, **reading: Any) -> list[Results]:
    """Read a table, or each of a list, and make sure that they can be compared with a ranking."""
    given = list(table) if isinstance(table, list | tuple) else [table]
    if not given:
        raise UsageError("no table is given.", hint="give a table, or a list of tables.")
    paths = [os.fspath(each) if isinstance(each, str | os.PathLike) else None for each in given]
    refuse_repeats(paths)
    results = told_apart([_counting(read(each, **reading)) for each in given], paths)
    for each in results:
        _require_whole(each)
    return results


def _counting(results: Results) -> Results:
    """Return the table without the judges of weight 0: nobody would draw them, or ask them."""
    silent = int(np.count_nonzero(results.weights == 0))
    if not silent:
        return results
    note = f"{counted(silent, 'judge')} of weight 0 left out."
    kept = results.of_judges(results.weights > 0)
    return kept.changed(notes=(*results.notes, note))


def refuse_repeats(paths: Sequence[str | None]) -> None:
    """Refuse a file that is named twice: the noise over tables would look too small."""
    known = [path for path in paths if path is not None and Path(path).is_file()]
    for one, other in combinations(known, 2):
        if Path(one).samefile(other):
            raise UsageError(
                f"{other} is named twice; an average over tables counts each once.",
                hint="name every table once.",
            )


def told_apart(results: Sequence[Results], paths: Sequence[str | None]) -> list[Results]:
    """Return the tables with names that differ: by their paths, else by numbers."""
    names = [each.source for each in results]
    number = Counter(names)
    longer = [
        _ending(path, [p for p in paths if p is not None]) if path and number[name] > 1 else name
        for name, path in zip(names, paths, strict=True)
    ]
    met: Counter[str] = Counter()
    found = []
    for each, name in zip(results, longer, strict=True):
        met[name] += 1
        alone = longer.count(name) == 1
        told = name if alone else f"{name} ({met[name]})"
        found.append(each if told == each.source else each.changed(source=told))
    return found


def _ending(path: str, paths: Sequence[str]) -> str:
    """Return the shortest end of a path, from the file name upwards, that no other path has."""
    parts = PurePath(path).parts
    others = [PurePath(other).parts for other in paths if other != path]
    for size in range(1, len(parts) + 1):
        if all(other[-size:] != parts[-size:] for other in others):
            return str(PurePath(*parts[-size:]))
    return path


def same_tables(results: Sequence[Results]) -> list[str]:
    """Return a sentence for every two tables that hold the same scores."""
    return [
        f"{one.source} and {other.source} hold the same scores: the noise over tables looks "
        "smaller than it is."
        for one, other in combinations(results, 2)
        if one.sha256 == other.sha256
    ]


def agreement_of(results: Results, seed: int) -> tuple[float, float]:
    """Return Kendall's W of a table and its p-value: by shuffling where that is quick."""
    judges = JudgeRanks(results)
    sums = sums_of(judges)
    found = concordance(sums)
    by_shuffling = shuffled(judges, sums, seed=seed)
    return found.kendall_w, found.friedman_p if by_shuffling is None else by_shuffling.p


def _require_whole(results: Results) -> None:
    if results.has_holes:
        i, j = np.argwhere(results.holes)[0].tolist()
        raise DataError(
            f"{results.source}: the score of {results.place(i, j)} is missing "
            f"({int(results.holes.sum()):,} in all), and a judge that misses some cannot be "
            "compared with a ranking of all.",
            hint="choose a policy that leaves none, e.g. --missing worst or drop-judges.",
        )
