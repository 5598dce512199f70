"""Points that may separate thousands: read as decimal points, and told."""

import io

import pandas as pd
import pytest

from deadheat.data.reading.read import read

GERMAN = "model;Koeln;Erfurt\nA;1.234;2.991\nB;999;998\nC;950;1.500\n"


def points(content, **options):
    results = read(io.StringIO(content), **{"better": "higher", **options})
    return results, [note for note in results.notes if "separates thousands" in note]


def test_german_thousands_are_told():
    results, notes = points(GERMAN)
    assert results.original[0].tolist() == [1.234, 2.991]
    (note,) = notes
    assert note == (
        "numbers such as '1.234' are read with a decimal point; say decimal=',' if the "
        "point separates thousands, decimal='.' if not."
    )


@pytest.mark.parametrize(
    "content",
    [
        GERMAN.replace(";", ","),  # whole numbers of three digits stand beside them
        "model;a;b\nx;1.234;2.991\ny;9.998;1.500\n",  # semicolons
        "model,a\nx,-1.234\ny,100\n",
        "model,a\nx,1.234%\ny,100%\n",
        "model,a\nx,1.234\ny,.\nz,4321\n",  # a point alone is a missing score
        "model;task;score\nx;t;1.234\ny;t;999\n",
    ],
)
def test_points_with_three_digits_behind_them_are_told(content):
    assert points(content, missing="worst")[1]


@pytest.mark.parametrize("proof", ["0.123", "12.5", "1.2345", "1234.567", ".123", "1.", "1.500e3"])
def test_one_number_that_proves_the_decimal_point_is_enough(proof):
    assert not points(GERMAN + f"D;{proof};998\n")[1]
    assert not points(GERMAN.replace("A;", f"A0;{proof};998\nA;"))[1]


def test_the_proof_may_come_in_a_later_block(monkeypatch):
    monkeypatch.setattr("deadheat.data.reading.source.CELLS_PER_BLOCK", 3)
    assert points(GERMAN)[1]
    assert not points(GERMAN + "D;0.5;998\n")[1]


@pytest.mark.parametrize(
    "content",
    [
        "model,a,b\nx,87.123,91.234\ny,88.456,12\n",  # three digits after the point, nothing odd
        "model;a;b\nx;999;100\ny;12;13\n",  # no point at all
        "model;a\nx;1.234\ny;0,5\n",  # the comma is the decimal sign
    ],
)
def test_nothing_is_told_where_nothing_is_odd(content):
    assert not points(content)[1]


@pytest.mark.parametrize(("sign", "value"), [(".", 1.234), (",", 1234)])
def test_what_is_said_is_not_told(sign, value):
    results, notes = points(GERMAN, decimal=sign)
    assert not notes
    assert results.original[0, 0] == value


def test_numbers_of_a_frame_are_numbers():
    frame = pd.DataFrame({"model": ["x", "y"], "a": [1.234, 999]})
    assert not read(frame, better="higher").notes
    texts = pd.DataFrame({"model": ["x", "y"], "a": ["1.234", "999"]})
    assert "separates thousands" in read(texts, better="higher").notes[0]
