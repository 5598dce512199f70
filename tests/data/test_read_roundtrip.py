"""Whatever Python's csv writes, the reader reads back."""

import contextlib
import csv
import io

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from deadheat.core.errors import DeadheatError
from deadheat.data.reading.read import read

LETTERS = st.characters(exclude_categories=["Cs", "Cc"])
NASTY = st.sampled_from(
    ['a,b', '"', 'say "hi"', "x\ny", "x\r\ny", "<b>&amp;", "=cmd|' /C calc'!A0", "😀", "ü" * 99,
     "1,5", "nan", "-", "#tag", ";", "a|b", "a;b", "\ta".strip(), "%", "'", "日本"]
)  # fmt: skip
NAMES = (NASTY | st.text(LETTERS, min_size=1, max_size=20)).filter(
    lambda name: name == name.strip() and name and not name.startswith(("'=", "'+", "'-", "'@"))
)
SCORES = st.floats(allow_nan=False, allow_infinity=False) | st.none() | st.integers(-99, 99)


@st.composite
def tables(draw):
    candidates = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    judges = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    row = st.lists(SCORES, min_size=len(judges), max_size=len(judges))
    rows = draw(st.lists(row, min_size=len(candidates), max_size=len(candidates)))
    if all(cell is None for line in rows for cell in line):
        rows[0][0] = 1.0
    return candidates, judges, rows


@example((["a"], ["replicate"], [[1.0]]), ",", "utf-8")
@example((["a", "b"], ["fold", "x"], [[1, 0.5], [2, 0.4]]), ",", "utf-8")
@given(tables(), st.sampled_from([",", ";", "\t"]), st.sampled_from(["utf-8", "utf-16"]))
def test_a_wide_table_survives(made, delimiter, encoding):
    candidates, judges, rows = made
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(["model", *judges])
    writer.writerows([name, *row] for name, row in zip(candidates, rows, strict=True))
    results = read(
        io.BytesIO(text.getvalue().encode(encoding)),
        better="higher",
        layout="wide",
        candidates="rows",
        delimiter=delimiter,
        header=True,
        encoding=encoding,
        keep=judges,
    )
    assert results.candidates == tuple(candidates)
    assert results.judges == tuple(judges)
    np.testing.assert_array_equal(results.scores, np.array(rows, dtype=float))


@given(tables())
def test_a_long_table_survives(made):
    candidates, judges, rows = made
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["candidate", "judge", "score"])
    for name, row in zip(candidates, rows, strict=True):
        writer.writerows([name, judge, score] for judge, score in zip(judges, row, strict=True))
    results = read(io.BytesIO(text.getvalue().encode()), better="higher")
    assert results.candidates == tuple(candidates)
    assert results.judges == tuple(judges)
    np.testing.assert_array_equal(results.scores, np.array(rows, dtype=float))


@given(st.binary(max_size=300))
def test_no_bytes_whatever_give_a_traceback(content):
    with contextlib.suppress(DeadheatError):
        read(io.BytesIO(content), better="higher")


@given(st.text("ab,;\t 1.5\"'\n-%=#|", max_size=60))
def test_no_text_whatever_gives_a_traceback(content):
    with contextlib.suppress(DeadheatError):
        read(io.StringIO(content), better="higher")
