"""A verdict on a terminal of 80 x 24: the answer, the table and the reasons, on one screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import deadheat as dh
from deadheat.output.table import DOT, bar, narrowed
from terminals import in_terminal

EXAMPLES = Path(dh.__file__).parent / "data" / "examples"
SCREEN = {"columns": 80, "LINES": "24", "NO_COLOR": "1", "DEADHEAT_PROGRESS": "0"}


def screen(tmp_path, example, *options):
    asked = ("verdict", EXAMPLES / example, "--replicates", "999", *options)
    code, written = in_terminal(*asked, folder=tmp_path, **SCREEN)
    assert code == 0
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written).splitlines()]


@pytest.mark.parametrize(
    ("example", "n"),
    [("compressors/ratios.csv", 10), ("sat-race/runs.csv.gz", 18), ("models/scores.csv.gz", 44)],
)
def test_there_are_at_most_14_lines_beside_those_of_the_candidates(tmp_path, example, n):
    lines = screen(tmp_path, example)
    assert len(lines) <= n + 14
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Dead heat: ")
    solid = lines.index("How solid is this?")
    assert 1 <= sum(line[1:2] in "\u2713!\u00b7" for line in lines[solid + 1 : -1] if line) <= 5
    assert lines[-1].endswith("hat the columns mean: --explain")


def test_all_shows_everybody_and_explain_every_reason(tmp_path):
    few = screen(tmp_path, "sat-race/runs.csv.gz")
    assert "... 7 more (--all)" in few
    every = screen(tmp_path, "sat-race/runs.csv.gz", "--all", "--explain")
    v = dh.verdict(dh.examples.load("sat-race"), replicates=999)
    told = " ".join(" ".join(every).split())
    assert all(f" {name} " in told for name in v.candidates)
    assert all(" ".join(said.page.split()[:6]) in told for said in v.reasons if said == said.page)
    assert not any(re.search(r"more \(--all\)|more remark|--explain", line) for line in every)


def test_the_headline_stays_in_sight_however_many_are_level(tmp_path):
    rows = (
        f"solver {i:02d} of a family with a long name,"
        + ",".join(str((i * 7 + j * (11 + i)) % 13 - 40 * (i > 24)) for j in range(30))
        for i in range(30)
    )
    header = ",".join(("solver", *(f"task{j}" for j in range(30))))
    (tmp_path / "FILE").write_text("\n".join((header, *rows)))
    lines = screen(tmp_path, tmp_path / "FILE", "--better", "higher", "--by", "mean")
    assert len(lines) <= 23
    marked = sum(" = " in line[4:10] for line in lines)
    assert marked > 3
    level = len(dh.verdict(tmp_path / "FILE", better="higher", by="mean", replicates=999).groups[0])
    assert any(line.endswith(f" more, {level - marked} of them level (--all)") for line in lines)


def test_a_demo_and_the_line_about_its_page_stay_in_sight(tmp_path):
    _, written = in_terminal("demo", "--data", "compressors", folder=tmp_path, **SCREEN)
    lines = written.splitlines()
    assert lines[0].startswith("Dead heat: ")
    assert lines[-1].startswith("wrote report.html")
    assert len(lines) <= 23


@pytest.mark.parametrize("command", ["compare FILE a b", "agree FILE", "influence FILE"])
def test_other_commands_show_their_first_judges_and_with_all_the_rest(tmp_path, command):
    tasks = [f"task{j:02d}" for j in range(40)]
    rows = (f"{task},{j % 2},{1 - j % 2},0.25" for j, task in enumerate(tasks))  # a and b are tied
    (tmp_path / "FILE").write_text("\n".join(("task,a,b,c", *rows)))
    asked = (*command.split(), "--better", "higher", "--by", "mean")
    asked = asked[:-2] if command.startswith("agree") else asked
    some, every = (
        in_terminal(*asked, *more, folder=tmp_path, **SCREEN)[1] for more in ((), ("--all",))
    )
    shown = [sum(f"\n{task} " in text for task in tasks) for text in (some, every)]
    assert 5 <= shown[0] < shown[1] == 40
    assert f"... {40 - shown[0]} more (--all)" in some
    assert "(--all)" not in every


@pytest.mark.parametrize("columns", [80, 72, 60, 48])
def test_long_names_leave_one_table_in_which_all_of_them_differ(tmp_path, columns):
    names = [f"MapleCOMSPS_{kind}_DRUP / {kind}_VSIDS_drup" for kind in ("LRB", "CHB", "seq_LRB")]
    names += ["abcdSAT_drup / default", "tb_glucose / default", "tc_glucose / default"]
    rows = (
        f"{name},{','.join(str(i + 5 * ((i + 2 * j) % 3)) for j in range(12))}"
        for i, name in enumerate(names)
    )
    header = ",".join(("solver", *(f"task{j}" for j in range(12))))
    (tmp_path / "FILE").write_text("\n".join((header, *rows)))
    asked = ("FILE", "--better", "higher", "--by", "mean", "--replicates", "999")
    settings = SCREEN | {"columns": columns}
    lines = in_terminal(*asked, folder=tmp_path, **settings)[1].splitlines()
    heads = [k for k, line in enumerate(lines) if set(line) == {"\u2500"}]
    assert len(heads) == 1
    table = lines[heads[0] + 1 : heads[0] + 7]
    assert len({re.split(r"  +", line[6:].strip(" ="))[0] for line in table}) == len(names)
    assert max(map(len, table)) <= columns
    assert (columns > 48) == (not any(line.startswith("No room here for ") for line in lines))
    everything = in_terminal(*asked, "--explain", folder=tmp_path, **settings)[1]
    assert "group" in everything
    assert "No room here" not in everything


def test_a_narrower_bar_has_its_dot_and_its_ends():
    drawn = bar(2, 5, 10, left=0, right=10)
    less = narrowed(drawn, 16, 8)
    assert less.count(DOT) == 1
    assert len(less) == 8
    assert less.index(DOT) == round(drawn.index(DOT) / 15 * 7)
    assert narrowed(drawn, 16, 16) == drawn
