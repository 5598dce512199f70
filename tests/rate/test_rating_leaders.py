"""Who leads, how surely, and why nobody is told apart."""

from __future__ import annotations

import pytest
from rate_logs import drawn, log

import deadheat as dh
from deadheat.rate.api import rate


def said(source, **options):
    return rate(source, **{"replicates": 200, "simulations": 0} | options)


def warned(r, text):
    return any(text in warning for warning in r.warnings)


def test_one_against_all_others_is_named():
    rest = [(f"{a} {b} left", 20) for a in "bcde" for b in "bcde" if a != b]
    first = said(log([*rest, ("a b left", 30)]))
    assert "a never lost a point to the other 4: plain" in first.verdict
    last = said(log([*rest, ("b a left", 30)]))
    assert "a never took a point from the other 4: plain" in last.verdict


def test_a_single_win_shows_nothing():
    """Whoever won the only match is above in every resample, and yet it can be luck."""
    rows = [(f"{a} {b} left", 20) for a in "bcd" for b in "bcd" if a != b]
    r = said(log([*rows, ("a b left", 2)]))
    assert set(r.groups[0]) == set("abcd")
    assert "a won all of 2 matches with the rest, too few to show that it is better." in r.verdict
    assert warned(r, "a, b, c, d: all of as few as 2 matches")
    proven = said(log([*rows, ("a b left", 40)]))
    assert not warned(proven, "luck")
    assert proven.sentences[0].startswith("a is rated highest and clearly ahead of the others")


def test_a_bound_is_told_where_somebody_never_lost():
    """Of N wins in N matches the exact lower bound of the probability is .025 ** (1 / N).

    That is .8843 for 30 matches, and .158 for two.
    """
    r = said(log([("a b left", 30)]))
    assert "expected to beat b in more than 88 % of matches; how much more no match" in r.verdict
    tied = said(log([("a b left", 30), ("b c left", 9), ("c b left", 9), ("b c tie", 9)]))
    assert "expected to take more than 88 % of the wins against b, the next; how" in tied.verdict
    few = said(log([("a b left", 2)]))
    assert "How often a beats b no match tells, only that 15 % is the least." in few.verdict


def test_an_undefeated_one_whose_matches_are_thinly_spread_is_said_to_be():
    """Three wins over one rival are luck in 1 of 8 cases, whatever the other rivals lost."""
    rest = [(f"{a} {b} left", 20) for a in "bcde" for b in "bcde" if a != b]
    r = said(log([*rest, *((f"a {b} left", 3) for b in "bcde")]))
    why = "a won all of 12 matches, but had 3 at most with any one of 4 rivals: too few to "
    assert len(r.groups) == 1
    assert f"{why}show that it is better than each of them." in r.sentences
    assert warned(r, f"{why}tell it apart")
    last = said(log([*rest, *((f"{b} a left", 3) for b in "bcde")]))
    assert warned(last, "a lost all of 12 matches, but had 3 at most")
    enough = said(log([*rest, *((f"a {b} left", 30) for b in "bcde")]))
    assert enough.groups[0] == ("a",)
    assert not warned(enough, "at most with any one")


def test_a_leading_part_that_met_the_rest_too_seldom():
    r = said(log([("a b left", 9), ("b a left", 8), ("c d left", 9), ("d c left", 8),
                  ("a c left", 1)]))  # fmt: skip
    assert len(r.groups[0]) == 4
    assert "c and d never won against the best part of the field, in too few" in r.verdict


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({}, 59),
        ({"test": "max-t", "errors": "sandwich"}, 19),
        ({"test": "holm", "advantage": True}, 239),
    ],
)
def test_a_dead_heat_that_was_not_tested_is_not_claimed(options, least):
    """With B replicates no p-value is below 1 / (B + 1), and Holm divides alpha by the tests."""
    battles = dh.Battles(**drawn(levels=(3.0, 1.0, -1.0, -3.0), number=900))
    few = said(battles, replicates=least - 1, **options)
    assert "dead heat" not in few.verdict.lower()
    cannot = (
        f"Undecided: {least - 1} resamples cannot separate 4 candidates; replicates={least} can"
    )
    assert few.sentences[0].startswith(cannot)
    assert not few.grid().legend
    assert {cells[1] for cells in few.grid().cells} == {""}
    assert "group" not in {column.name for column in few.grid().columns}
    enough = said(battles, replicates=least, **options)
    assert enough.sentences[0].startswith("ada is ")
    assert "Undecided" not in enough.verdict
