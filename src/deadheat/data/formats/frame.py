"""Any DataFrame that narwhals knows: pandas, polars, pyarrow and their kin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.core.errors import DataError, UsageError, quoted
from deadheat.data.formats.objects import stream_of_object
from deadheat.data.reading.source import Block, Column, Stream, column_of, rows_per_block, text_of

if TYPE_CHECKING:
    import narwhals as nw

title = "a DataFrame"
SOURCE = "the frame"
FEWEST_ROWS = 10_000  # of a block: to take a column costs more than to convert its cells


def open_frame(frame: Any) -> Stream:
    """Return a frame as a stream; the index of a pandas frame is its label column.

    So are dicts, lists of dicts and arrays.
    """
    held = stream_of_object(frame, SOURCE)
    if held is not None:
        return held
    import narwhals as nw

    pandas = all(hasattr(frame, name) for name in ("reset_index", "set_axis", "columns"))
    try:
        known = nw.from_native(_with_index_columns(frame) if pandas else frame)
    except TypeError:
        fact = f"a {type(frame).__name__} is not a table that can be read."
        hint = "give a path, an open file, a DataFrame, a dict of columns or an array."
        raise UsageError(fact, hint=hint) from None
    if isinstance(known, nw.Series):
        raise UsageError("a Series is one column, not a table.", hint="give a DataFrame.")
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    library = type(frame).__module__.partition(".")[0]
    return Stream(
        source=SOURCE,
        columns=list(eager.columns),
        blocks=_blocks(eager),
        facts=(("format", f"{library} {type(frame).__name__}"),),
        library=library,
        across=str(getattr(frame.columns, "name", None) or "") if pandas else "",
    )


def _with_index_columns(frame: Any) -> Any:
    names = [" ".join(map(str, c)) if isinstance(c, tuple) else str(c) for c in frame.columns]
    for name in (name for name, times in Counter(names).items() if times > 1):
        places = [f"{k:,}" for k, each in enumerate(names, start=1) if each == name]
        fact = (
            f"{SOURCE}: column {quoted(name)} appears twice (columns {' and '.join(places[:2])})."
        )
        raise DataError(fact, hint="every candidate and every judge needs a name of its own.")
    index, frame = frame.index, frame.set_axis(names, axis="columns")
    plain = type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
    if plain and index.name is None:
        return frame
    levels = ["" if name is None else str(name) for name in index.names]
    levels = [f"{name} (index)" if name in names else name for name in levels]
    many = len(levels) > 1
    return frame.reset_index(
        names=[x or f"index_{k}" * many for k, x in enumerate(levels, start=1)]
    )


def _blocks(frame: nw.DataFrame[Any]) -> Iterator[Block]:
    size = max(FEWEST_ROWS, rows_per_block(len(frame.columns), 0))
    for start in range(0, len(frame), size):
        part = frame[start : start + size]
        columns = [_column(part.get_column(name)) for name in part.columns]
        yield Block(range(start + 1, start + len(part) + 1), columns)


def _column(series: nw.Series[Any]) -> Column:
    import narwhals as nw

    kind = series.dtype
    if kind.is_integer() and not series.is_null().any():
        array = np.asarray(series.to_numpy())
        return array if array.dtype.kind in "iu" else column_of(series.to_list())
    if kind.is_integer() or kind == nw.Decimal:
        cells = zip(series.to_list(), series.is_null().to_list(), strict=True)
        return column_of([None if missing else value for value, missing in cells])
    if kind.is_numeric() or kind == nw.Boolean:
        plain = series if kind == nw.Float64 else series.cast(nw.Float64)
        return np.asarray(plain.to_numpy(), dtype=np.float64)
    return [text_of(value) for value in series.to_list()]
