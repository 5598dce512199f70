"""``rate LOG --category COL``: who is first in each category, and how much that is worth."""

import json
import re

import pytest

from terminals import in_terminal


def rows(category, record):
    """Return battles of which the record tells how often the first side won each way."""
    return [
        f"{left},{right},{winner},{category}"
        for (left, right), (won, lost) in record.items()
        for winner, often in (("left", won), ("right", lost))
        for _ in range(often)
    ]


CLEAR = {("a", "b"): (55, 5), ("a", "c"): (58, 2), ("b", "c"): (40, 20)}
LEVEL = {("a", "b"): (31, 29), ("a", "c"): (55, 5), ("b", "c"): (54, 6)}
RARE = {("a", "b"): (0, 1), ("a", "c"): (0, 1), ("b", "c"): (0, 1)}
EQUAL = {("a", "b"): (30, 30), ("a", "c"): (55, 5), ("b", "c"): (55, 5)}
PAIR = {("c", "b"): (1, 1)}


@pytest.fixture
def log(tmp_path):
    def write(**categories):
        lines = [line for name, record in categories.items() for line in rows(name, record)]
        path = tmp_path / "log.csv"
        path.write_text("\n".join(["left,right,winner,topic", *lines]) + "\n", encoding="utf-8")
        return path

    return write


HOW = ("--category", "topic", "--replicates", "199", "--simulations", "0")


@pytest.mark.parametrize("last", [RARE, PAIR], ids=["alike", "with fewer candidates"])
def test_a_leader_is_level_alone_or_of_too_few_battles(run, log, tmp_path, last):
    path = log(clear=CLEAR, even=LEVEL, rare=last)
    done = run("rate", path, *HOW, "--json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)["facts"]["tournaments"]
    assert [found[name]["first"] for name in ("clear", "even")] == [["a"], ["a"]]
    assert [found[name]["level"] for name in ("clear", "even")] == [[], ["b"]]
    assert {name: part["too_few"] for name, part in found.items()} == {
        "clear": False,
        "even": False,
        "rare": True,
    }
    _, shown = in_terminal("rate", path, *HOW, folder=tmp_path, NO_COLOR="1", DEADHEAT_PROGRESS="0")
    lines = {line.split()[0]: line for line in shown.splitlines() if line.strip()}
    assert "too few for a test" in lines["rare"]
    assert lines["clear"].split()[-2] == "a"
    assert lines["even"].split()[-2] == "b"
    assert "1 with too few battles for a test." in " ".join(shown.split())


def test_equals_share_the_first_place_of_a_category(run, log):
    done = run("rate", log(clear=CLEAR, equal=EQUAL), *HOW, "--json", "-q")
    found = json.loads(done.stdout)["facts"]["tournaments"]
    assert (found["clear"]["first"], found["equal"]["first"]) == (["a"], ["a", "b"])
    assert found["equal"]["level"] == []


def test_ratings_of_a_board_have_the_decimals_of_the_scale(run, log):
    path = log(clear=CLEAR, few=PAIR)
    points, odds = (
        run("rate", path, *HOW, "-q", "--format", "md", *how).stdout
        for how in (("--scale", "elo"), ())
    )
    elo, logit = (re.search(r"\| clear .* (\S+) \|\n", said)[1] for said in (points, odds))
    assert elo.isdigit()
    assert re.fullmatch(r"\d\.\d\d", logit)


def test_the_rows_of_a_pipe_are_those_of_the_categories_alone(run, log):
    done = run("rate", log(clear=CLEAR, even=LEVEL), *HOW, "-q", "--format", "csv")
    head, *lines = done.stdout.splitlines()
    assert head.startswith("category,candidate,rating")
    assert [line.split(",")[0] for line in lines] == ["clear"] * 3 + ["even"] * 3


def test_a_saved_result_shows_the_same(run, log, tmp_path):
    saved = tmp_path / "saved.json"
    assert run("rate", log(clear=CLEAR, even=LEVEL), *HOW, "-q", "-o", saved).exit_code == 0
    assert "a is first in 2 of 2 categories" in run("show", saved, "--format", "md").stdout
