"""``deadheat consensus``."""

from __future__ import annotations

import io
import json
import sys
import threading

import numpy as np
import pytest

from deadheat.cli import output as progress
from deadheat.cli.output import proving
from deadheat.models.aggregation.objectives import DISTANCES

CYCLE = "model,p,q,r\na,3,1,2\nb,2,3,1\nc,1,2,3\n"


@pytest.fixture
def cycle(tmp_path):
    path = tmp_path / "cycle.csv"
    path.write_text(CYCLE, encoding="utf-8")
    return path


def test_json_has_the_facts_and_the_ranking(run, cycle):
    done = run("consensus", cycle, "--better", "higher", "--json")
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["schema"] == "deadheat.consensus/1"
    assert (whole["facts"]["objective"], whole["facts"]["optima"]) == (4.0, 3)
    assert [row["rank"] for row in whole["rows"]] == [1.0, 2.0, 3.0]


def test_a_pipe_gets_one_line_per_candidate(run, cycle):
    lines = run("consensus", cycle, "--better", "higher").stdout.splitlines()
    assert lines[0] == "candidate\trank"
    assert len(lines) == 4


@pytest.mark.parametrize("distance", DISTANCES)
def test_every_distance_says_that_it_is_proven(run, cycle, distance):
    args = ("--better", "higher", "--format", "table", "--distance", distance)
    done = run("consensus", cycle, *args)
    assert done.exit_code == 0, done.stderr
    assert "proven optimal" in " ".join(done.stdout.split())


def test_candidates_may_tie(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,p,q\na,2,2\nb,2,2\nc,1,1\n", encoding="utf-8")
    done = run("consensus", path, "--better", "higher", "--weak", "--json")
    assert [row["rank"] for row in json.loads(done.stdout)["rows"]] == [1.5, 1.5, 3.0]


def test_a_time_limit_that_is_reached_exits_with_0_and_a_warning(run, tmp_path):
    path = tmp_path / "hard.csv"
    scores = np.random.default_rng(0).random((120, 31))
    lines = [f"c{i}," + ",".join(map(str, row)) for i, row in enumerate(scores.tolist())]
    head = "model," + ",".join(f"j{k}" for k in range(31))
    path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    done = run("consensus", path, "--better", "higher", "--time-limit", "0.2", "--json")
    assert done.exit_code == 0, done.stderr
    facts = json.loads(done.stdout)["facts"]
    assert facts["status"] == "time limit"
    assert facts["bound"] < facts["objective"]
    assert "time limit of 0.2 s was reached" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("--distance", "kemeny"), 2, "--distance"),
        (("--distance", "footrule", "--weak"), 2, "strict rankings only"),
        (("--distance", "footrule", "--weak"), 2, "where candidates may tie"),
        (("--time-limit", "0"), 2, "number of seconds above 0"),
        (("--time-limit", "soon"), 2, "--time-limit"),
    ],
)
def test_what_cannot_be_done_is_told(run, cycle, args, code, message):
    done = run("consensus", cycle, "--better", "higher", *args)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_swaps_of_tied_candidates_exit_with_3(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,p,q\na,2,2\nb,2,1\n", encoding="utf-8")
    done = run("consensus", path, "--better", "higher", "--distance", "cayley")
    assert done.exit_code == 3
    assert "judges tie" in done.stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watched(monkeypatch, patience=0.0):
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return shown


def wait_for_the_line():
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()


def test_somebody_who_watches_sees_objective_bound_and_limit(monkeypatch):
    shown = watched(monkeypatch)
    with proving(limit=60.0, quiet=False) as tell:
        wait_for_the_line()
        tell(71_923.0, 71_878.5)
    written = shown.getvalue()
    assert "objective 71,923, bound 71,878.5" in written
    assert "of at most 60 s" in written
    assert "\x1b[2K" in written[written.rindex("of at most") :]  # the line is erased


def test_quick_work_leaves_no_line(monkeypatch):
    shown = watched(monkeypatch, patience=60)
    with proving(limit=60.0, quiet=False) as tell:
        tell(1.0, 1.0)
    assert shown.getvalue() == ""


def test_nobody_watches_a_pipe_a_quiet_command_or_a_recording(monkeypatch):
    watched(monkeypatch)
    with proving(limit=1.0, quiet=True) as tell:
        assert tell is None
    monkeypatch.setenv("DEADHEAT_PROGRESS", "0")
    with proving(limit=1.0, quiet=False) as tell:
        assert tell is None
    monkeypatch.delenv("DEADHEAT_PROGRESS")
    for nobody in (io.StringIO(), None):
        monkeypatch.setattr(sys, "stderr", nobody)
        with proving(limit=1.0, quiet=False) as tell:
            assert tell is None
