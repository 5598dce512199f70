"""Counts that nobody can wait for, or that no memory holds, are refused before any work."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

MANY = "1000000000"
TABLE = "task,rf,svm,knn\n" + "".join(
    f"t{k},{0.5 + k % 3 / 10},{0.4 + k % 4 / 10},{0.3 + k % 5 / 10}\n" for k in range(24)
)
LOG = "left,right,winner\n" + "a,b,left\nb,c,left\nc,a,left\na,c,right\nb,a,tie\n" * 5


@pytest.fixture
def files(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "log.csv").write_text(LOG, encoding="utf-8")
    return tmp_path


def words(said, files, number):
    """Return the arguments with the file and the number in their places."""
    places = {"TABLE": [str(files / "table.csv"), "--judge", "task", "--better", "higher"]}
    places |= {"LOG": [str(files / "log.csv")], "N": [number], "PAGE": [str(files / "page.html")]}
    return [word for part in said.split() for word in places.get(part, [part])]


COUNTS = [
    "verdict TABLE --replicates N",
    "verdict TABLE --replicates N --strict",
    "verdict TABLE --replicates N --plan bayesian --by copeland",
    "compare TABLE rf svm --replicates N",
    "criteria TABLE --trials N",
    "criteria TABLE --q N",
    "criteria TABLE --repeats N",
    "criteria TABLE --trials N --by all",
    "rate TABLE --replicates N",
    "rate TABLE --model plackett-luce --replicates N",
    "rate TABLE --simulations N",
    "rate LOG --replicates N",
    "rate LOG --model elo --replicates N",
    "rate LOG --model elo --shuffles N",
    "rate LOG --model gaussian --shuffles N",
    "report TABLE -o PAGE --replicates N",
    "plot TABLE intervals -o PAGE --replicates N",
    "plot TABLE criteria -o PAGE --trials N",
]


@pytest.mark.parametrize("number", [MANY, "9" * 400])
@pytest.mark.parametrize("said", COUNTS)
def test_a_billion_is_refused_with_the_memory_and_the_time_it_takes(run, files, said, number):
    done = run(*words(said, files, number))
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    fact, hint = done.stderr.strip().split("\nHint: ")
    option = re.search(r"--(\w+) N", said)[1]
    assert re.search(rf"^error: [\d,.]+ {option if option != 'q' else 'rankings'}", fact), fact
    assert re.search(r"about [\d.,]+ [GT]B of memory and about [\d,]+ (minute|hour|day|year)", fact)
    assert "the budget is 2 GB" in fact
    assert f"--{option} " in hint
    assert "DEADHEAT_MEMORY=" in hint
    assert not (files / "page.html").exists()


@pytest.mark.parametrize(
    "said",
    [
        "verdict TABLE --replicates N",
        "compare TABLE rf svm --replicates N",
        "criteria TABLE --trials N --by mean --q 5 --repeats 2",
        "rate LOG --replicates N",
        "rate LOG --simulations N --replicates 400",
    ],
)
def test_the_number_of_the_hint_works(run, files, monkeypatch, said):
    monkeypatch.setenv("DEADHEAT_MEMORY", "200KB")
    refused = run(*words(said, files, "100000"))
    assert refused.exit_code == 2, refused.output
    number = re.search(r"--\w+ (\d+)$", refused.stderr, re.MULTILINE)[1]
    done = run(*words(said, files, number))
    assert done.exit_code == 0, done.output


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell")
@pytest.mark.parametrize("command", ["verdict TABLE", "compare TABLE rf svm"])
def test_it_works_also_where_memory_is_watched(files, command):
    """Below 500 MB nobody ends a process: the budget is just above, the interpreter counts."""

    def run(number):
        return subprocess.run(
            [
                *(sys.executable, "-m", "deadheat"),
                *words(f"{command} --replicates N", files, number),
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "DEADHEAT_MEMORY": "500MB", "DEADHEAT_DEBUG": ""},
        )

    refused = run(MANY)
    assert refused.returncode == 2, refused.stderr
    number = re.search(r"--replicates (\d+)", refused.stderr)[1]
    assert int(number) > 1_000_000
    done = run(number)
    assert done.returncode == 0, done.stderr


def test_more_memory_allows_more(run, files, monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "200KB")
    refused = run(*words("verdict TABLE --replicates N", files, "9000"))
    assert refused.exit_code == 2
    monkeypatch.setenv("DEADHEAT_MEMORY", re.search(r"DEADHEAT_MEMORY=(\w+)", refused.stderr)[1])
    assert run(*words("verdict TABLE --replicates N", files, "9000")).exit_code == 0


def test_a_search_of_days_is_refused(run):
    done = run("axioms", "--budget", MANY)
    assert done.exit_code == 2
    assert re.search(r"would take about \d+ days; more than an hour is refused", done.stderr)
    number = re.search(r"--budget (\d+)", done.stderr)[1]
    assert 100_000 < int(number) < 10**9


def test_sampling_until_settled_stays_within_the_budget(run, files, monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "200KB")
    done = run(*words("verdict TABLE --replicates N --until-settled --json", files, "400"))
    assert done.exit_code == 0, done.output
