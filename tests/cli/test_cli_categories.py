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


QUICK = HOW[2:]


def records(text):
    head, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, map(cell, line), strict=True)) for line in lines]


def cell(text):
    """Return a number without its last digits, which are rounding where weights are summed."""
    try:
        return float(f"{float(text):.9g}")
    except ValueError:
        return text


@pytest.mark.parametrize("more", [(), ("--cluster", "voter"), ("--weight", "worth")])
def test_boards_stand_beside_the_ratings_of_the_whole_log(run, log, tmp_path, more):
    path = log(clear=CLEAR, even=LEVEL)
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    lines = [f"{line},v{k % 17},{(k % 3 + 1) / 10}" for k, line in enumerate(lines)]
    path.write_text("\n".join([f"{head},voter,worth", *lines]) + "\n", encoding="utf-8")
    each = run("rate", path, "--each", "topic", *more, *QUICK, "-q")
    assert each.exit_code == 0, each.stderr
    found = records(each.stdout)
    whole = [{k: v for k, v in row.items() if k != "topic"} for row in found if not row["topic"]]
    assert whole == records(run("rate", path, *more, *QUICK, "-q").stdout)
    parts = records(run("rate", path, *HOW, *more, "-q").stdout)
    assert [row | {"category": row["topic"]} for row in found if row["topic"]] == [
        row | {"topic": row["category"]} for row in parts
    ]
    _, shown = in_terminal("rate", path, "--each", "topic", *QUICK, folder=tmp_path, NO_COLOR="1")
    assert "a is first in 2 of 2 topics." in shown


def test_boards_of_a_log_in_order_and_of_categories_that_cannot_be_rated(run, log):
    two = ["d,e,left,odd", "e,d,left,odd", "f,g,left,odd", "g,f,left,odd"]
    path = log(clear=CLEAR, even=LEVEL)
    elo = ("--each", "topic", "--model", "elo", *QUICK[:2], "-q")
    assert run("rate", path, *elo).exit_code == 0
    links = ["a,d,left,clear", "a,f,left,clear", "d,a,left,clear", "f,a,left,clear"]
    path.write_text("\n".join([path.read_text("utf-8").strip(), *links, *two]) + "\n", "utf-8")
    done = run("rate", path, "--each", "topic", *QUICK, "--json")
    assert done.exit_code == 0, done.stderr
    assert "1 part left out (odd)" in done.stderr
    assert [board["value"] for board in json.loads(done.stdout)["each"]["boards"]] == [
        "clear",
        "even",
    ]


def test_nobody_is_first_of_one(run, tmp_path):
    path = tmp_path / "table.csv"
    cells = (",".join(str((3 * i + 2 * j) % 7) for j in range(12)) for i in range(3))
    names = ",".join(f"t{j}" for j in range(12))
    rows = (f"m{i},maker{i},{each}" for i, each in enumerate(cells))
    path.write_text("\n".join([f"model,maker,{names}", *rows]) + "\n", encoding="utf-8")
    how = ("--better", "higher", "--candidates", "rows", "--each", "maker", "--format", "table")
    done = run("rate", path, *how, *QUICK)
    assert done.exit_code == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "Each maker has one model: nobody is compared within one." in said
    assert "first in" not in said


@pytest.mark.parametrize("one", ["--category", "--each"])
def test_two_columns_of_categories_are_two_questions(run, log, one):
    path = log(clear=CLEAR)
    done = run("rate", path, one, "topic", "--category", "winner", *QUICK)
    assert done.exit_code == 2
    hinted = [line for line in done.stderr.splitlines() if "deadheat rate" in line]
    quick = " ".join(QUICK)
    by_topic = f"{one} topic {quick}" if one == "--each" else f"{quick} --category topic"
    by_winner = (
        f"{quick} --category winner" if one == "--category" else f"--category winner {quick}"
    )
    for command in (by_topic, by_winner):
        assert any(line.endswith(f"deadheat rate {path} {command}") for line in hinted), hinted


@pytest.mark.parametrize("show", ["means", "tournaments", None, "top"])
def test_categories_that_lack_somebody_have_boards_and_no_mean(run, log, tmp_path, show):
    path = log(clear=CLEAR, few=PAIR)
    how = {"top": ("--top", "1"), None: ()}.get(show, ("--show", show))
    done = run("rate", path, *HOW, *how, "--format", "table")
    missing = "1 of 3 candidates is missing in some ('a')"
    if show in ("means", "tournaments"):
        assert done.exit_code == 3
        assert missing in done.stderr
        assert f"each category by itself: deadheat rate {path}" in done.stderr
        return
    assert done.exit_code == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert f"There is no mean over the 2 categories: {missing} (Bradley-Terry)." in said
    assert re.search(r"clear 3 180 a .*\d\.\d\d few 2 2", said)
    rows = records(run("rate", path, *HOW, *how, "-q").stdout)
    assert len(rows) == (2 if show == "top" else 5)


@pytest.mark.parametrize("kind", ["--category", "--each"])
def test_the_headline_of_categories_says_what_was_tested_and_stays_in_sight(
    run, log, tmp_path, kind
):
    """A mean over categories has no test: nobody is called better, or level, by it."""
    path = log(clear=CLEAR, even=LEVEL, equal=EQUAL)
    code, shown = in_terminal("rate", path, kind, "topic", *QUICK, folder=tmp_path, NO_COLOR="1")
    assert code == 0
    lines = shown.splitlines()
    assert len(lines) < 24
    tested = "was not tested" not in " ".join(lines[:2])
    assert tested == (kind == "--each")
    assert ("highest mean" in lines[0]) == (kind == "--category")
