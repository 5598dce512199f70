"""Decimal commas: what proves them, where they are assumed, and where they are refused."""

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deadheat.core.errors import DataError
from deadheat.data.reading.read import read

GAPS = [" ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"]


def scores(content, **options):
    text = content if isinstance(content, str) else content.decode()
    return read(io.StringIO(text), **{"better": "higher", **options}).scores.tolist()


@pytest.mark.parametrize(
    "content",
    [
        "model;auc;solved\nx;0,873;1\ny;0,912;0\n",
        "model\tauc\tsolved\nx\t0,873\t1\ny\t0,912\t0\n",
        "model auc solved\nx 0,873 1\ny 0,912 0\n",
        'model,auc,solved\nx,"0,873",1\ny,"0,912",0\n',
    ],
)
def test_a_leading_zero_proves_a_decimal_comma(content):
    assert scores(content) == [[0.873, 1], [0.912, 0]]


@pytest.mark.parametrize("proof", ["0,5", "-0,5", ",5", "0,875", "\N{MINUS SIGN}0,125", "0,873 %"])
def test_one_cell_that_proves_it_is_enough_for_the_whole_file(proof):
    sign = "%" if "%" in proof else ""
    found = scores(f"model;a;b\nx;1,234{sign};{proof}\ny;12,345{sign};{proof}\n")
    assert [row[0] for row in found] == [1.234, 12.345]


def test_long_tables_too():
    long = "model;task;score\nx;t;1,234\ny;t;0,875\n"
    assert scores(long) == [[1.234], [0.875]]


def test_text_cells_of_a_workbook_and_of_a_frame_are_settled_together(tmp_path):
    rows = [["model", "a", "b"], ["x", "1,234", "0,9"], ["y", "2,345", "0,875"]]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "results.xlsx")
    wanted = [[1.234, 0.9], [2.345, 0.875]]
    results = read(tmp_path / "results.xlsx", better="higher")
    assert results.scores.tolist() == wanted
    assert any("decimal sign (as in '0,9')" in note for note in results.notes)
    frame = pd.DataFrame(rows[1:], columns=rows[0])
    assert read(frame, better="higher").scores.tolist() == wanted


@pytest.mark.parametrize("gap", GAPS)
def test_gaps_between_thousands_beside_a_decimal_comma(gap):
    assert scores(f"model;a\nx;1{gap}234,5\ny;12{gap}345\n") == [[1234.5], [12345]]
    assert scores(f"model;a\nx;1{gap}234,567\ny;1,234\n") == [[1234.567], [1.234]]


@pytest.mark.parametrize("delimiter", [";", "\t", " "])
def test_an_ambiguous_comma_is_a_decimal_comma_unless_commas_are_quoted(delimiter):
    content = "model;a;b\nx;1,234;1\ny;2,345;2\n".replace(";", delimiter)
    results = read(io.StringIO(content), better="higher")
    assert results.scores[:, 0].tolist() == [1.234, 2.345]
    assert any("could mean two things" in note for note in results.notes)


def test_a_comma_that_contradicts_the_points_is_refused_and_says_what_to_do():
    with pytest.raises(DataError, match="'0,873' is no number where the decimal sign is a point"):
        scores("model;a\nx;1,234.5\ny;0,873\n")
    with pytest.raises(DataError, match=r"decimal=','"):
        scores("model;a\nx;0,873\ny;0,5\n", decimal=".")
    with pytest.raises(DataError, match=r"'0\.873' is no number where the decimal sign is a comma"):
        scores("model;a\nx;0,5\ny;0.873\n")


def test_a_later_block_may_not_turn_the_meaning_of_an_earlier_one(monkeypatch):
    monkeypatch.setattr("deadheat.data.reading.source.CELLS_PER_BLOCK", 4)
    content = 'model,a\nx,"1,234"\nw,"1,234"\nv,"1,234"\ny,"0,873"\n'
    with pytest.raises(DataError, match="line 5, column 'a': '0,873' is no number"):
        scores(content)


@st.composite
def written(draw):
    n, m = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    digits = draw(st.integers(1, 4))
    whole = st.integers(-1000 * 10**digits + 1, 1000 * 10**digits - 1)
    row = st.lists(whole, min_size=m, max_size=m)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    return digits, rows


@given(written())
@example((3, [[1234], [-999999]]))
@example((3, [[873, 1234], [0, 999999]]))
def test_any_table_with_decimal_commas_reads_back_the_same(made):
    digits, rows = made
    cells = [[f"{value / 10**digits:.{digits}f}" for value in row] for row in rows]
    header = ";".join(["model", *(f"t{j}" for j in range(len(rows[0])))])
    body = "".join(f"m{i};" + ";".join(row) + "\n" for i, row in enumerate(cells))
    content = f"{header}\n{body.replace('.', ',')}"
    np.testing.assert_array_equal(scores(content), np.array(cells, dtype=float))
