"""Tables that programs hold: dicts, lists of dicts, NumPy arrays, and arrays of xarray."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from deadheat.core.errors import DataError, UsageError, counted, quoted
from deadheat.data.reading.preview import numbered_columns
from deadheat.data.reading.source import Block, Stream, column_of

Columns: TypeAlias = dict[str, Sequence[Any]]
FEWEST_DIMENSIONS = 2


def stream_of_object(given: Any, source: str) -> Stream | None:
    """Return what a program holds as a stream; None where it is none of these.

    A dict has a column for each key, or a row for each where its values are dicts, or an array of
    runs and tasks. A DataArray of two dimensions is a wide table, one of more a long one.
    """
    kind, across, named, states = type(given).__name__, "", True, dict[str, Any]()
    if hasattr(given, "data_vars"):  # a Dataset: its variables are one more dimension
        given = given.to_array().transpose(..., "variable")
    if is_rows(given):
        columns = _of_rows(given)
    elif isinstance(given, np.ndarray):
        columns, named = _of_array(given), given.dtype.names is not None
    elif all(hasattr(given, each) for each in ("dims", "coords", "values", "to_dataset")):
        columns, across = _of_dimensions(given)
    elif not isinstance(given, Mapping):
        return None
    elif given and all(isinstance(each, Mapping) for each in given.values()):
        columns = _of_rows([{"": key, **each} for key, each in given.items()])
    elif given and all(np.ndim(each) == FEWEST_DIMENSIONS for each in given.values()):
        columns = _of_runs(given)
        states = {"layout": "long", "repeat": "run", "combine": "mean"}
    else:
        columns = _of_columns(given)
    size = len(next(iter(columns.values()), ()))
    if not size:
        raise DataError(f"{source} is empty.", hint="a table has a column of names and scores.")
    blocks = iter([Block(range(1, size + 1), [column_of(list(v)) for v in columns.values()])])
    facts = (("format", f"Python {kind}"),)
    return Stream(source=source, columns=[*columns], blocks=blocks, named=named, facts=facts,
                  states=states, across=across)  # fmt: skip


def is_rows(given: Any) -> bool:
    """Return whether something is a list of rows, each a dict of cells."""
    rows = isinstance(given, list | tuple) and bool(given)
    return rows and all(isinstance(row, Mapping) and _is_row(row) for row in given)


def _is_row(row: Mapping[Any, Any]) -> bool:
    return not any(isinstance(cell, list | tuple | dict | np.ndarray) for cell in row.values())


def _of_rows(rows: Sequence[Mapping[Any, Any]]) -> Columns:
    names = dict.fromkeys(key for row in rows for key in row)
    return {str(name): _cells(row.get(name) for row in rows) for name in names}


def _of_columns(given: Mapping[Any, Any]) -> Columns:
    columns: Columns = {}
    for name, values in given.items():
        if not isinstance(values, Iterable) or isinstance(values, str | bytes):
            fact = (
                f"the dict is not a table: {quoted(str(name))} has {str(values)[:40]!r}, no cells."
            )
            raise UsageError(fact, hint="each key has a list of cells, or a dict of scores.")
        columns[str(name)] = _cells(values)
    sizes = {name: len(values) for name, values in columns.items()}
    if len({*sizes.values()}) > 1:
        (one, first), (two, second) = min(sizes.items(), key=_size), max(sizes.items(), key=_size)
        cells = f"{counted(first, 'cell')} and {quoted(two)} has {second:,}"
        raise DataError(f"the dict: {quoted(one)} has {cells}.", hint="all columns have as many.")
    return columns


def _size(pair: tuple[str, int]) -> int:
    return pair[1]


def _of_runs(given: Mapping[Any, Any]) -> Columns:
    """Return rows of arrays that have a row for each run and a column for each task."""
    rows = [
        (str(name), f"task {task + 1}", run + 1, cell)
        for name, values in given.items()
        for run, cells in enumerate(np.asarray(values).tolist())
        for task, cell in enumerate(cells)
    ]
    names = ("algorithm", "task", "run", "score")
    return dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}


def _of_array(given: np.ndarray[Any, Any]) -> Columns:
    if given.dtype.names is not None:
        return {name: given[name].ravel().tolist() for name in given.dtype.names}
    if given.ndim != FEWEST_DIMENSIONS:
        fact = f"the array has {counted(given.ndim, 'dimension')}: a table has two."
        raise UsageError(fact, hint="for more give an xarray.DataArray, or columns in a dict.")
    return dict(zip(numbered_columns(given.shape[1]), given.T.tolist(), strict=True))


def _of_dimensions(given: Any) -> tuple[Columns, str]:
    dims = [str(each) for each in given.dims]
    if len(dims) < FEWEST_DIMENSIONS:
        fact = f"the DataArray has {counted(len(dims), 'dimension')}: a table has two or more."
        raise UsageError(fact, hint="one of candidates and one of judges.")
    values = np.asarray(given.values)
    sides = zip(given.dims, values.shape, strict=True)
    labels = [_labels(given, dim, size) for dim, size in sides]
    if len(dims) == FEWEST_DIMENSIONS:
        wide = dict(zip(map(str, labels[1]), values.T.tolist(), strict=True))
        return {dims[0]: labels[0], **wide}, dims[1]
    cells = zip(*product(*labels), strict=True)
    score = str(getattr(given, "name", None) or "score")
    return {**dict(zip(dims, cells, strict=True)), score: values.ravel().tolist()}, ""


def _labels(given: Any, dim: Any, size: int) -> list[Any]:
    known = dim in given.coords
    return _cells(given.coords[dim].values) if known else [f"{dim} {k + 1}" for k in range(size)]


def _cells(values: Iterable[Any]) -> list[Any]:
    """Return cells as Python has them: what NumPy holds becomes a number or None."""
    if isinstance(values, np.ndarray) or hasattr(values, "to_numpy"):
        array = values if isinstance(values, np.ndarray) else values.to_numpy()
        cells: list[Any] = array.tolist()  # of what is masked, None
        return cells
    return [cell.item() if isinstance(cell, np.generic) else cell for cell in values]
