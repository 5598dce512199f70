"""What is said of names, numbers, options, sizes and times."""

from __future__ import annotations

import pytest

from deadheat.core.errors import (
    Words,
    bare,
    command_with,
    first_sentence,
    named,
    on_page,
    remember_command,
    say,
)
from deadheat.core.memory import how_long, readable, rounded_down
from deadheat.output.table import bar
from deadheat.output.text import number, p_value, percent, round_half_up
from deadheat.report.api import heading
from deadheat.report.contents import budget_of, short_names, without_folders
from deadheat.report.page import isolating, shares, too_large


def test_options_are_said_as_keywords_in_python():
    assert command_with(ignore=["rank", "n"], where=["a=b"]) == "ignore=['rank', 'n'], where='a=b'"
    assert command_with(largest_part=True, test=None) == "largest_part=True, test=None"
    assert say("largest_part", True) == "largest_part=True"
    assert say("missing", "worst") == "missing='worst'"
    assert say("replicates") == "replicates="


@pytest.mark.parametrize(
    ("asked", "options", "expected"),
    [
        ("--min-matches 9 a.csv", {"largest_part": True, "min_matches": 0},
         "a.csv --largest-part --min-matches 0"),
        ("a.csv --fail-on tie --strict --fail-on=lead --test w", {"fail_on": None, "test": None},
         "a.csv --strict"),
        ("a.csv --where p --where=q", {"where": ("r", "s")}, "a.csv --where r --where s"),
        ("a.csv --strict --all", {"strict": False, "everything": False}, "a.csv"),
        ("--ignore a -- -a.csv --top", {"ignore": ["b c"], "top": 3},
         "--ignore a --ignore 'b c' --top 3 -- -a.csv --top"),
    ],
)  # fmt: skip
def test_a_command_has_other_options(asked, options, expected):
    with remember_command(["deadheat", *asked.split()]):
        assert command_with(**options) == f"deadheat {expected}"


def test_a_page_has_words_of_its_own():
    assert on_page(Words("take --plan bootstrap.", page="take the plan.")) == "take the plan."
    assert on_page("There are 3 judges.") == "There are 3 judges."


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (bare("O'Neil \"x\""), "O'Neil \"x\""),
        (bare("a\nb"), r"a\nb"),
        (named(["a", "b", "c"]), "a, b and c"),
        (named(["a", "b", "c"], most=2), "a, b and 1 more"),
        (named([]), "nobody"),
        (first_sentence("Invalid header.\nSee the manual."), "Invalid header"),
        (readable(2_000_000_000), "2 GB"),
        (readable(512_000), "512 KB"),
        (readable(8e12), "8 TB"),
        (how_long(250), "about 4 minutes"),
        (how_long(0.2), "about 1 second"),
        (how_long(4e9), "about 127 years"),
        (rounded_down(1_987_654), 1_900_000),
        (rounded_down(7.5), 7),
        (bar(2, 3, 5, left=0, right=10), "   ─●────"),
        (number(2.0), "2"),
        (number(2.5), "2.5"),
        (number(0.123456), "0.1235"),
        (number(0.5, 3), "0.500"),
        (number(None), "-"),
        (round_half_up(0.6124999999999999, ".3f"), "0.613"),
        (round_half_up(1234567890123.0, ".3f"), "1234567890123.000"),
        (percent(0.3816), "38 %"),
        (percent(0.0123), "1.2 %"),
        (percent(0.0), "0 %"),
        (percent(0.9996), "over 99.9 %"),
        (p_value(0.01234), "= 0.012"),
        (p_value(0.00001), "< 0.0001"),
        (heading("group-summary"), "Group summary"),
        (heading("rating-calibration"), "Rating calibration"),
        (heading("My Table"), "My Table"),
        (budget_of(10, 20).told, ()),
        (budget_of(30, 100_000)[:2], (2000, 0)),
        (len(short_names(["a" * 500, "b"])["a" * 500]), 160),
        (without_folders(["deadheat", "/my/own/a.csv", "-o", "out/b.html"])[1:],
         ["a.csv", "-o", "out/b.html"]),
        (isolating(["x", "אב"])("x (1), אב (2)"), "x (1), \u2068אב\u2069 (2)"),
        (shares({"a": 10, "b": 500, "c": 900}, 1000), {"a": 10, "b": 495, "c": 495}),
        (too_large({"a": 10, "b": 500, "c": 900}, 600), ["c"]),
    ],
)  # fmt: skip
def test_what_is_said(said, expected):
    assert said == expected
