"""What a person at a terminal sees."""

from __future__ import annotations

import re

import pytest

import terminals
from deadheat.cli import terminal
from deadheat.output.text import width_of
from nasty import Board, scores

WARNED = "model,time\nx,1\ny,2\n"


@pytest.fixture
def in_terminal(tmp_path):
    """Run the command in a terminal and return its exit code and all that it shows."""

    def started(*args, columns=60):
        return terminals.in_terminal(*args, folder=tmp_path, columns=columns, NO_COLOR="1")

    return started


@pytest.fixture
def warned(tmp_path):
    (tmp_path / "t.csv").write_text(WARNED, encoding="utf-8")
    return "t.csv"


def test_the_answer_is_the_first_thing_seen_and_cautions_come_last(in_terminal, warned):
    code, shown = in_terminal("rank", warned, "--better", "higher", columns=200)
    assert code == 0
    assert shown.startswith("y is first")
    assert shown.index("rank") < shown.index("What to know") < shown.index(" ! ")
    assert "warning" not in shown


@pytest.mark.parametrize("columns", [40, 60])
def test_cautions_are_wrapped_with_a_hanging_indent(in_terminal, warned, columns):
    _, shown = in_terminal("rank", warned, "--better", "higher", columns=columns)
    lines = [line.rstrip() for line in shown[shown.index(" ! ") :].splitlines()]
    assert any(line.startswith("   ") for line in lines)
    assert all(
        re.match(r"   \S| [!\u2713\u00b7] |\d+ more remark|What the", line) for line in lines
    )
    assert max(map(width_of, lines)) <= columns


def test_hints_are_wrapped_too(in_terminal, warned):
    code, shown = in_terminal("rank", warned, "--better", "higher", "--by", "copland", columns=50)
    assert code == 2
    lines = shown.splitlines()
    known = next(i for i, line in enumerate(lines) if line.startswith("known: "))
    assert len(lines) > known + 1
    assert all(line.startswith("  ") for line in lines[known + 1 :])
    assert max(len(line) for line in lines if " deadheat " not in line) <= 50


def test_a_width_that_nobody_knows_is_the_usual_one(in_terminal, warned):
    _, shown = in_terminal("rank", warned, "--better", "higher", "--by", "copland", columns="")
    assert 40 < max(map(len, shown.splitlines())) <= 80


def test_a_command_is_not_broken_so_that_it_can_be_copied(in_terminal, tmp_path):
    path = tmp_path / "unproven.csv"
    path.write_text("name,a,b\nx,1,2\ny,2,1\n", encoding="utf-8")
    code, shown = in_terminal("rank", str(path), "--better", "higher", columns=40)
    assert code == 2
    commands = [line for line in shown.splitlines() if "deadheat rank" in line]
    assert [line.split()[-2:] for line in commands] == [
        ["--candidates", "rows"],
        ["--candidates", "columns"],
    ]


def test_messages_in_a_pipe_are_not_wrapped(spawn, warned, tmp_path):
    args = ("rank", tmp_path / warned, "--better", "higher", "--by", "copland")
    lines = spawn(*args, env={"COLUMNS": "30"}).stderr.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == ["error", "Hint", "known"]


def test_a_plain_page_has_no_box_characters():
    page = terminal.page(scores("a", "b", kind=Board), plainly=True)
    assert page.splitlines()[1].strip("-") == ""
    assert not re.search("[\u2500-\u257f]", page)


def test_quiet_leaves_no_caution_among_the_reasons(in_terminal, warned):
    _, shown = in_terminal("rank", warned, "--better", "higher", "-q", columns=200)
    assert "usually lower is" not in shown
    assert shown.startswith("y is first")
