"""``deadheat score``, and runs in the other commands."""

from __future__ import annotations

import csv
import json

import pytest

RUNS = """solver,instance,domain,seed,time,status
a,i1,p,1,3,ok
a,i1,p,2,5,ok
a,i2,q,1,60,timeout
a,i2,q,2,50,ok
b,i1,p,1,4,ok
b,i1,p,2,60,TO
b,i2,q,1,9,ok
b,i2,q,2,8,ok
c,i1,p,1,1,ok
c,i1,p,2,1,wrong answer
c,i2,q,1,60,TO
c,i2,q,2,60,TO
"""
OWN = """
import deadheat as dh

def quick(runs):
    return runs.solved & (runs.time < 5)

@dh.scores_runs("slow-ones", better="lower", total="slow")
def slow(runs):
    \"\"\"Count slow runs.\"\"\"
    return runs.time > 9

def broken(runs):
    return runs.nothing
"""


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(RUNS, encoding="utf-8")
    return path


def ranks(done):
    assert done.exit_code == 0, done.stderr
    return {row["candidate"]: row["rank"] for row in json.loads(done.stdout)["rows"]}


def test_scores_are_a_long_table(run, runs):
    done = run("score", runs, "--rule", "par2", "--cutoff", "60", "--stratum", "domain")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(done.stdout.splitlines(), delimiter="\t"))
    assert rows[0] == {
        "candidate": "a", "instance": "i1", "seed": "1", "stratum": "p", "score": "3.0"
    }  # fmt: skip
    assert [float(row["score"]) for row in rows[:8]] == [3, 5, 120, 50, 4, 120, 9, 8]


@pytest.mark.parametrize(
    ("rule", "better"), [("solved", "higher"), ("par2", "lower"), ("ipc-agile", "higher")]
)
def test_what_is_written_ranks_as_the_runs_do(run, runs, rule, better, tmp_path):
    scored = tmp_path / "scored.csv"
    options = ["--rule", rule, "--cutoff", "60"]
    assert run("score", runs, *options, "-o", scored).exit_code == 0
    (tmp_path / "scored.csv.toml").unlink()
    again = run(
        "rank", scored, "--better", better, "--by", "mean", "--score", "score",
        "--repeat", "seed", "--combine", "judges", "--json",
    )  # fmt: skip
    assert ranks(again) == ranks(run("rank", runs, *options, "--json"))


@pytest.mark.parametrize("more", [[], ["--stratum", "domain"], ["--cluster", "domain"]])
@pytest.mark.parametrize("rule", ["solved", "par2", "ipc-agile", "ipc-agile --reference replicate"])
def test_a_sidecar_says_how_what_is_written_is_read_back(run, runs, rule, more, tmp_path):
    scored = tmp_path / "scored.csv"
    options = ["--rule", *rule.split(), "--cutoff", "60", *more]
    done = run("score", runs, *options, "-o", scored)
    assert f"wrote {scored} and {scored}.toml" in done.stderr
    resampled = () if "--stratum" in more else ("verdict --replicates 99",)  # strata of one
    for question in ("rank", *resampled):
        own = json.loads(run(*question.split(), runs, *options, "--json").stdout)
        again = json.loads(run(*question.split(), scored, "--json").stdout)
        assert again["rows"] == own["rows"]
        assert again["verdict"] == own["verdict"]


def test_a_saved_result_has_no_sidecar(run, runs, tmp_path):
    for question in ("score", "rank"):
        assert run(question, runs, "-o", tmp_path / f"{question}.json").exit_code == 0
    assert run("rank", runs, "-o", tmp_path / "rank.csv").exit_code == 0
    assert [*tmp_path.glob("*.toml")] == []


def test_a_terminal_sees_the_totals(run, runs):
    done = run("score", runs, "--rule", "solved", "--format", "table")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["rank", "solver", "solved"] in lines
    assert ["1.5", "a", "3"] in lines
    assert done.stdout.startswith("3 solvers on 2 instances x 2 seeds, scored by")
    wrong = "1 wrong answer counted as unsolved: 'c' on 'i1 #2'."
    assert f" ! {wrong}" in done.stdout  # a reason to doubt, on a terminal
    assert wrong in run("score", runs, "--rule", "solved").stderr


def test_json_says_what_each_has_in_all(run, runs):
    told = json.loads(run("score", runs, "--json").stdout)
    assert told["schema"] == "deadheat.score/1"
    assert told["facts"] == {
        "rule": "solved", "better": "higher", "by": "mean", "shown": "solved",
        "totals": {"a": 3, "b": 3, "c": 1},
    }  # fmt: skip


def test_every_option_arrives(run, runs, tmp_path):
    content = RUNS.replace("status", "how").replace("time", "sec", 1).replace("TO", "zzz")
    runs.write_text(content.replace("domain", "lim").replace(",p,", ",60,").replace(",q,", ",60,"))
    done = run(
        "rank", runs, "--rule", "par1", "--status", "how", "--time", "sec", "--cutoff", "lim",
        "--statuses", "zzz=timeout", "--wrong", "penalise", "--late", "timeout", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    shown = {row["candidate"]: row["shown"] for row in json.loads(done.stdout)["rows"]}
    assert shown == pytest.approx({"a": 118 / 4, "b": 81 / 4, "c": (1 + 120 + 60 + 60) / 4})


def test_check_says_what_was_understood(run, runs):
    done = run("check", runs)
    assert "runs (guessed)" in done.stdout
    assert "'domain' could be the stratum" in done.stdout


def test_a_users_own_rule_is_loaded_from_a_file(run, runs, tmp_path):
    own = tmp_path / "own.py"
    own.write_text(OWN, encoding="utf-8")
    done = run("score", runs, "--rule", f"{own}:quick", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["facts"]["totals"] == {"a": 0.25, "b": 0.25, "c": 0.25}
    for place in (f"{own}:slow", f"{own}:slow-ones", own):
        facts = json.loads(run("score", runs, "--rule", place, "--json").stdout)["facts"]
        assert (facts["rule"], facts["better"]) == ("slow-ones", "lower")
        assert facts["totals"] == {"a": 2, "b": 1, "c": 2}


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--rule", "own.py:nothing"], 2, "unknown scoring rule in"),
        (["--rule", "own.py:broken"], 2, "in broken: AttributeError"),
        (["--rule", "nowhere.py:f"], 2, "there is no file"),
        (["--rule", "par2"], 2, "par2 needs the cutoff"),
        (["--rule", "par2", "--cutoff", "7"], 3, "above the cutoff of 7 s"),
        (["--status", "domain"], 3, "unknown statuses"),
        (["--rule", "solved", "--score", "time"], 2, "is about a table of scores"),
    ],
)
def test_what_cannot_be_scored_exits_with_the_reason(
    run, runs, tmp_path, monkeypatch, options, status, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    done = run("score", runs, *options)
    assert done.exit_code == status, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_of_scores_is_no_runs(run, table):
    done = run("score", table)
    assert done.exit_code == 2
    assert "Hint" in done.stderr


def test_the_rules_are_listed(run):
    rows = json.loads(run("list", "scoring", "--json").stdout)["rows"]
    known = {row["name"]: row for row in rows}
    assert {"solved", "par2", "par10", "ipc-sat", "ipc-agile", "ipc-optimal"} <= set(known)
    assert known["par2"]["needs"] == ["time", "cutoff"]
    assert all(row["summary"] for row in rows)
