"""The order of the rows of a run file changes no byte of any answer."""

import gzip
import json
import random
import shutil
from importlib.resources import as_file, files

import pytest

QUICK = ("--replicates", "200", "--engine", "serial")
COMMANDS = (
    ("verdict", *QUICK),
    ("verdict", "--strict", *QUICK),
    ("rank", "--by", "all"),
    ("score",),
    ("check",),
    ("influence",),
    ("agree",),
)
HEADER = "solver,instance,family,machine,seed,time,status,cost"
READING = (
    *("--rule", "par10", "--cutoff", "60", "--stratum", "family", "--cluster", "machine"),
    *("--repeat", "seed", "--time", "time", "--quality", "cost"),
)


def permuted(text, seed):
    """Return a file with its rows in another order."""
    header, *rows = text.splitlines()
    random.Random(seed).shuffle(rows)
    return "\n".join([header, *rows]) + "\n"


def drawn(seed=3):
    """Return runs with ties, wrong answers, and names that no order of rows would keep apart."""
    rng = random.Random(seed)
    rows = [
        f"{solver},{family}-{k},{family},m{k % 2}{family},{run},{time:.3f},"
        f"{'ok' if time < 55 else rng.choice(['timeout', 'crash', 'wrong answer'])},"
        f"{rng.choice([1, 2, 3, 0.1])}"
        for solver in ("zeta", "alpha", "Mid", "twin b", "twin a", "éclair")
        for family in ("q", "p", "r")
        for k in range(4)
        for run in (10, 2, 1)
        for time in [5.0 if "twin" in solver else rng.choice([0.1, 0.2, 0.3, rng.uniform(1, 60)])]
    ]
    return "\n".join([HEADER, *rows]) + "\n"


def answers(run, path, *reading):
    """Return what every command says of a file, to a person and to a program."""
    told = []
    for command, *options in COMMANDS:
        for form in ("--json", "--format=table"):
            done = run(command, path, *reading, *options, form)
            assert done.exit_code == 0, done.stderr
            out = done.stdout
            if form == "--json":
                document = json.loads(out)
                document["made"].pop("sha256", None)
                out = json.dumps(document)
            told.append((command, form, out, done.stderr))
    return told


@pytest.mark.parametrize("combine", ["mean", "judges"])
def test_the_rows_of_a_run_file_may_come_in_any_order(run, tmp_path, combine):
    path = tmp_path / "runs.csv"
    path.write_text(drawn(), encoding="utf-8")
    reading = (*READING, "--combine", combine)
    expected = answers(run, path, *reading)
    for seed in (1, 2):
        path.write_text(permuted(drawn(), seed), encoding="utf-8")
        assert answers(run, path, *reading) == expected


def test_the_rows_of_the_shipped_runs_may_come_in_any_order(run, tmp_path):
    with as_file(files("deadheat") / "data" / "examples" / "sat-race") as folder:
        shutil.copy(folder / "runs.toml", tmp_path)
        text = gzip.decompress((folder / "runs.csv.gz").read_bytes()).decode()
    path = tmp_path / "runs.csv"
    told = []
    for content in (text, permuted(text, 1)):
        path.write_text(content, encoding="utf-8")
        told.append(answers(run, path))
    assert told[0] == told[1]


@pytest.mark.parametrize("rule", ["ipc-sat", "ipc-agile", "ipc-optimal", "categories-won", "par2"])
def test_every_rule_is_blind_to_the_order_of_rows(run, tmp_path, rule):
    path = tmp_path / "runs.csv"
    told = []
    for seed in range(3):
        path.write_text(permuted(drawn(), seed), encoding="utf-8")
        done = run("verdict", path, *READING, "--rule", rule, *QUICK, "--format", "csv")
        assert done.exit_code == 0, done.stderr
        told.append((done.stdout, done.stderr))
    assert told[0] == told[1] == told[2]


def test_repeats_without_a_name_are_averaged_in_any_order(run, tmp_path):
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in floating-point numbers."""
    rows = ["a,i,0.1,ok", "a,i,0.2,ok", "a,i,0.3,ok", "b,i,0.4,ok", "a,j,1,ok", "b,j,1,ok"]
    path = tmp_path / "runs.csv"
    told = []
    for some in (rows, rows[::-1]):
        path.write_text("\n".join(["solver,instance,time,status", *some, ""]), encoding="utf-8")
        done = run("score", path, "--rule", "par2", "--cutoff", "9", "--combine", "mean", "--json")
        assert done.exit_code == 0, done.stderr
        told.append(json.loads(done.stdout)["rows"])
    assert told[0] == told[1]


def test_candidates_that_tie_are_listed_by_name(run, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("solver,instance,time,status\nz,i,1,ok\na,i,1,ok\nm,i,1,ok\n", encoding="utf-8")
    rows = json.loads(run("rank", path, "--rule", "solved", "--json").stdout)["rows"]
    assert [row["candidate"] for row in rows] == ["a", "m", "z"]
