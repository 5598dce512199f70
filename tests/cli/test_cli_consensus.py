"""``deadheat consensus``."""

from __future__ import annotations

import json

import numpy as np
import pytest

from deadheat.cli import consensus as command
from deadheat.ranking.consensus.distances import DISTANCES

CYCLE = "model,p,q,r\na,3,1,2\nb,2,3,1\nc,1,2,3\n"


@pytest.fixture
def cycle(tmp_path):
    path = tmp_path / "cycle.csv"
    path.write_text(CYCLE, encoding="utf-8")
    return path


def test_the_choices_are_the_distances_of_the_library():
    assert set(command.DISTANCES) == set(DISTANCES)


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


@pytest.mark.parametrize("distance", command.DISTANCES)
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
