"""No words of any picture cover each other or are cut, at the widths of a page and a column."""

from __future__ import annotations

import numpy as np
import pytest
from subjects import subject
from written import covered, cut_off, length

from deadheat.report.charts.theme import render
from deadheat.report.page import pictures
from deadheat.report.picture import kinds

ALL = kinds()
PHONE = 340
NAMES = "a rather long name of a solver"


def test_words_that_cover_each_other_are_found():
    def drawn(*places):
        texts = "".join(
            f'<text transform="translate({x},{y}) rotate({turn})" font-size="10px">word</text>'
            for x, y, turn in places
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">{texts}</svg>'

    assert covered(drawn((10, 20, 0), (15, 25, 0)))
    assert not covered(drawn((10, 20, 0), (10, 32, 0)))
    assert not covered(drawn((10, 20, 0), (40, 20, 0)))
    assert covered(drawn((10, 50, 0), (20, 60, -90)))
    assert not covered(drawn((10, 50, -90), (30, 50, -90)))
    assert cut_off(drawn((90, 20, 0))) == ["word"]
    assert not cut_off(drawn((70, 20, 0)))
    assert np.isclose(length("word", 10), (722 + 556 + 333 + 556) / 100)


def check(name, width, names):
    drawn = subject(ALL[name].of[0], 30, names=names).plot(name, width=width).svg()
    assert not covered(drawn)
    assert not cut_off(drawn)


@pytest.mark.parametrize("width", ["page", "column"])
@pytest.mark.parametrize("name", sorted(ALL))
def test_no_word_covers_another_or_is_cut_with_30_candidates(name, width):
    check(name, width, "candidate")


@pytest.mark.slow
@pytest.mark.parametrize("width", ["page", "column", PHONE])
@pytest.mark.parametrize("name", sorted(ALL))
def test_nor_does_a_long_one(name, width):
    check(name, width, NAMES)


@pytest.mark.parametrize("name", sorted(ALL))
def test_what_a_page_shows_on_a_phone_is_legible(name):
    """A page makes a picture narrower, or has one of its own for phones."""
    (picture,) = pictures(subject(ALL[name].of[0], 12), [name])
    if not picture.shows:
        return  # a page prints its sentence
    if picture.narrow is None:
        drawn = render({**picture.spec(titled=False), "width": PHONE}, "svg")
    else:
        drawn = render(picture.narrow.spec(titled=False), "svg")
    assert not covered(drawn)
    assert not cut_off(drawn)
