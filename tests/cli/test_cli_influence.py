"""``deadheat influence``."""

from __future__ import annotations

import json
import re

import pytest

WIN = "model,p,q,r\na,9,5,5\nb,6,6,6\nc,1,2,1\n"
LONG = "model,task,kind,score\n" + "".join(
    f"{model},{task},{kind},{score}\n"
    for model, scores in (("a", (9, 5, 5)), ("b", (6, 6, 6)))
    for task, kind, score in zip("pqr", ("x", "x", "y"), scores, strict=True)
)


@pytest.fixture
def win(tmp_path):
    path = tmp_path / "win.csv"
    path.write_text(WIN, encoding="utf-8")
    return path


def test_json_has_every_judge_and_the_counts(run, win):
    done = run("influence", win, "--better", "higher", "--by", "mean", "--json")
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["schema"] == "deadheat.influence/1"
    assert whole["facts"]["winner"] == 1
    assert whole["rows"][0]["judge"] == "p"
    assert len(whole["rows"]) == 3


def test_a_pipe_gets_one_line_per_judge(run, win):
    lines = run("influence", win, "--better", "higher", "--by", "mean").stdout.splitlines()
    keys = "judge any top10_set top10_order top3_set top3_order winner moved shift change"
    assert lines[0].split("\t") == keys.split()
    assert lines[1].startswith("p\ttrue\tfalse\ttrue\tfalse\ttrue\ttrue\ta, b\t1.0\t")
    assert len(lines) == 4


def test_a_table_shows_what_changes_and_says_it(run, win):
    args = ("influence", win, "--better", "higher", "--by", "mean", "--format", "table")
    written = " ".join(run(*args).stdout.split())
    assert re.match("1 of 3 judges .*who is first by mean", written)
    assert "without judge first moved furthest" in written
    assert "Without it b is first" in written


def test_average_rank_is_the_default(run, win):
    done = run("influence", win, "--better", "higher", "--json")
    assert json.loads(done.stdout)["made"]["function"] == ["average_rank"]


@pytest.mark.parametrize("over", ["judges", "strata", "clusters"])
def test_what_is_left_out_can_be_chosen(run, tmp_path, over):
    path = tmp_path / "long.csv"
    path.write_text(LONG, encoding="utf-8")
    columns = ("--stratum", "kind") if over == "strata" else ("--cluster", "kind")
    args = ("influence", path, "--better", "higher", "--score", "score", *columns, "--json")
    facts = json.loads(run(*args, "--over", over).stdout)["facts"]
    assert (facts["over"], facts["judges"]) == (over, 3 if over == "judges" else 2)


def test_the_engine_does_not_matter(run, win):
    args = ("influence", win, "--better", "higher", "--format", "csv", "--engine")
    assert run(*args, "serial").stdout == run(*args, "threads:2").stdout != ""


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("--over", "strata"), 2, "strata cannot be left out"),
        (("--over", "nobody"), 2, "--over"),
        (("--engine", "fast"), 2, "unknown engine 'fast'"),
        (("--by", "mean,borda"), 2, "--by takes one function here"),
        (("--ignore", "q", "--ignore", "r"), 3, "without judge 'p' nothing is left"),
    ],
)
def test_what_cannot_be_done_is_told(run, win, args, code, message):
    done = run("influence", win, "--better", "higher", *args)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
