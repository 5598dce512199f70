"""Cells as people write numbers."""

import math

import numpy as np
import pytest

from deadheat.data.reading.numbers import BadCellError, Numbers, looks_numeric


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("+.5", 0.5), ("1e-3", 0.001), ("5.", 5), ("\N{MINUS SIGN}3", -3), (" 7 ", 7),
        ("1'234", 1234), ("1 234", 1234), ("1\u202f234.5", 1234.5), ("1,234,567.25", 1234567.25),
        ("\N{EN DASH}2%", -2), ("12.5 %", 12.5), ("TRUE", 1), ("false", 0),
    ],
)  # fmt: skip
def test_numbers_with_a_decimal_point(cell, value):
    values = Numbers(".").floats(["1.5", cell]).values
    assert values[1] == value


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0,5", 0.5),
        (",5", 0.5),
        ("1.234,5", 1234.5),
        ("1 234,5", 1234.5),
        ("1,5e3", 1500),
        ("7", 7),
    ],
)
def test_numbers_with_a_decimal_comma(cell, value):
    values = Numbers(",").floats([cell]).values
    assert values[0] == value


@pytest.mark.parametrize(
    "cell", ["1_000", "abc", "1.2.3", "12,34", "1,23.4", "0x10", "1 2", "1e", "%"]
)
def test_text_is_no_number(cell):
    with pytest.raises(BadCellError) as caught:
        Numbers(".").floats(["1", cell])
    assert (caught.value.place, caught.value.text) == (1, cell)


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
        (["1,234", "0,5"], ","), (["1,234", "1,234.5"], "."), (["1,234", "2.5"], "."),
        (["1,234", "1,234,567"], "."), (["1.234,5"], ","), (["1.234.567"], ","),
        (["1,234"], ","), (["1,2345"], ","),
    ],
)  # fmt: skip
def test_any_cell_that_settles_it_decides_the_decimal_sign(cells, decimal):
    numbers = Numbers()
    numbers.floats(cells)
    assert numbers.decimal == decimal


def test_an_ambiguous_comma_is_told():
    numbers = Numbers()
    assert numbers.floats(["1,234"])[0][0] == 1.234
    assert "could mean two things" in numbers.notes[0]
    quoted = Numbers(quoted_commas=True)
    assert quoted.floats(["1,234"])[0][0] == 1234
    assert "could mean two things" in quoted.notes[0]


def test_the_first_telling_block_decides_for_the_next():
    numbers = Numbers()
    numbers.floats(["1", "2"])
    numbers.floats(["0,5"])
    assert numbers.floats(["1,234"])[0][0] == 1.234
    points = Numbers()
    points.floats(["0.5"])
    with pytest.raises(BadCellError):
        points.floats(["0,25"])


def test_the_fast_way_and_the_slow_way_agree():
    cells = ["", "1.5", "NA", "-3e2", " .5", "n/a", "7"]
    fast, none, *_ = Numbers().floats(cells)
    slow, percent, *_ = Numbers().floats([*cells, "1%"])
    np.testing.assert_array_equal(fast, slow[:-1])
    assert none is None
    assert percent.tolist() == [False] * 7 + [True]


def test_what_looks_numeric():
    assert all(map(looks_numeric, ["1", "0,5", "0.5", "", None, "n/a", "5%", "inf"]))
    assert not any(map(looks_numeric, ["svm", "1-2", "v1.5"]))
    assert math.isnan(Numbers().floats([None])[0][0])
