"""``deadheat verdict`` as people and programs use it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import remember_command
from deadheat.output.text import width_of
from terminals import in_terminal

BOX = re.compile("[\u2500-\u257f\u25cf\u2026]")
NAMES = ("ada", "bob", "cyd", "dan")
SLOW = """
import itertools
import time
import deadheat as dh

calls = itertools.count(1)

@dh.ranks_table("slow_test", scale="interval", shared_scale=True)
def f(scores):
    \"\"\"Rank slowly by the mean.\"\"\"
    if next(calls) == 100:
        print("ready", flush=True)
    time.sleep(0.0005)
    return scores.mean(axis=1)
"""


def scores(levels=(2.0, 1.9, 0.0, -3.0), m=40):
    return np.random.default_rng(0).normal(np.array(levels)[:, None], 1.0, (len(levels), m))


@pytest.fixture
def runs(tmp_path):
    """A table of four on 40 judges: two in front, one behind, one far behind."""
    path = tmp_path / "results.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["judge", "domain", *NAMES])
        for j, column in enumerate(scores().T.round(4).tolist()):
            writer.writerow([f"j{j}", f"d{j % 4}", *column])
    return path


@pytest.fixture
def verdict(run, runs):
    """Run the command on that table."""

    def asked(*args, **options):
        usual = ("--better", "higher", "--by", "mean", "--replicates", "499")
        return run("verdict", runs, "--ignore", "domain", *usual, *args, **options)

    return asked


def answered(done):
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_a_pipe_gets_tab_separated_rows(verdict):
    done = verdict("--replicates", "999")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))
    assert [row["candidate"] for row in rows][2:] == ["cyd", "dan"]
    assert [row["group"] for row in rows] == ["1", "1", "2", "3"]
    assert not BOX.search(done.stdout)
    assert done.stderr == ""


def test_json_is_what_the_library_says(verdict, runs):
    whole = answered(verdict("--json", "--seed", "3", "--engine", "serial"))
    v = dh.verdict(runs, better="higher", by="mean", replicates=499, seed=3, ignore=["domain"])
    assert whole["rows"] == json.loads(v.to_json())["rows"]
    assert whole["facts"]["groups"] == [2, 1, 1]
    with remember_command(["deadheat", "verdict"]):
        assert whole["verdict"] == v.verdict
    assert whole["schema"] == "deadheat.verdict/1"
    assert whole["made"]["command"][:2] == ["deadheat", "verdict"]


def test_it_fits_a_terminal_of_80_columns(runs, tmp_path):
    args = ("verdict", runs, "--better", "higher", "--ignore", "domain", "--replicates", "499")
    code, shown = in_terminal(*args, folder=tmp_path, NO_COLOR="1", DEADHEAT_PROGRESS="0")
    assert code == 0
    assert max(width_of(line) for line in shown.splitlines()) <= 80
    assert "\x1b" not in shown
    heading = next(line for line in shown.splitlines() if line.startswith("rank "))
    assert heading.rstrip().endswith("group")
    assert shown.startswith("Dead heat: ")
    assert shown.index("Dead heat: ") < shown.index("\u25cf") < shown.index("How solid is this?")
    assert "499 resamples: 40 " not in shown
    told = in_terminal(*args, "--explain", folder=tmp_path, NO_COLOR="1", DEADHEAT_PROGRESS="0")[1]
    assert "499 resamples: 40 " in told
    assert max(width_of(line) for line in told.splitlines()) <= 80


def test_long_names_stay_in_one_table_of_80_columns(tmp_path):
    path = tmp_path / "long.csv"
    names = [f"a solver with a very long name, number {i}" for i in range(12)]
    rows = zip(names, scores(np.linspace(1, 0, 12)).round(4).tolist(), strict=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["model", *range(40)], *([name, *row] for name, row in rows)])
    args = ("verdict", path, "--better", "higher", "--by", "mean", "--replicates", "999", "-q")
    code, shown = in_terminal(*args, folder=tmp_path, NO_COLOR="1", DEADHEAT_PROGRESS="0")
    assert code == 0
    assert len(re.findall(r"^rank .* model .*group$", shown.replace("\r", ""), re.MULTILINE)) == 1
    assert max(width_of(line) for line in shown.splitlines()) <= 80


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("groups", "group\tfractional_rank\tsize\tcandidates"),
        ("summary", "among\tcandidates\tgroups\tties\tinversions\tmean_iqr"),
        ("first", "candidate\tfirst_share\tmonte_carlo_error\tcandidates"),
        ("intervals", "candidate\tmean\tlow\thigh\tmedian"),
    ],
)
def test_each_table_of_the_paper_can_be_shown(verdict, name, heading):
    done = verdict("--show", name)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[0] == heading
    table = answered(verdict("--show", name, "--json"))
    assert table["schema"] == "deadheat.verdict-table/1"
    assert len(table["rows"]) == len(done.stdout.splitlines()) - 1


OPTIONS = [
    (("--plan", "subsample"), "plan", "40 judges, drawn without replacement, half of them"),
    (("--plan", "bayesian"), "plan", "40 judges, weighted at random (Bayesian bootstrap)"),
    (("--plan", "jackknife"), "interval", "jackknife"),
    (("--interval", "bca"), "interval", "bca"),
    (("--interval", "simultaneous"), "interval", "simultaneous"),
    (("--p-value", "paper"), "p_value", "paper"),
    (("--p-value", "sign-flip"), "p_value", "sign-flip"),
    (("--compat", "fawcett-paper"), "p_value", "paper"),
    (("--top", "2"), "top", 2),
    (("--leader", "best-score"), "leader", "best-score"),
    (("--strict",), "strict", "max-t"),
    (("--test", "sign-flip"), "strict", "sign-flip"),
    (("--alpha", "0.1"), "alpha", 0.1),
    (("--replicates", "99"), "replicates", 99),
    (("--seed", "7"), "seed", 7),
    (("--by", "median"), "function", ["median"]),
]  # fmt: skip


@pytest.mark.parametrize(("args", "key", "value"), OPTIONS, ids=str)
def test_every_option_reaches_the_result(verdict, args, key, value):
    assert answered(verdict("--json", *args))["made"][key] == value


def test_strata_are_kept_and_said_to_be_given(run, runs):
    done = run("verdict", runs, "--better", "higher", "--stratum", "domain", "--json",
               "--replicates", "499")  # fmt: skip
    drawn = "40 judges, drawn with replacement in 4 strata"
    assert answered(done)["made"]["plan"] == f"{drawn} (Rao-Wu weights)"


def test_until_settled_draws_more_where_it_must(verdict):
    few = answered(verdict("--json", "--replicates", "99", "--seed", "1"))
    many = answered(verdict("--json", "--replicates", "99", "--seed", "1", "--until-settled"))
    assert bool(few["facts"]["borderline"]) == (many["made"]["replicates"] > 99)
    assert many["facts"]["borderline"] == []


def test_the_official_order_is_read_and_shown(verdict, tmp_path):
    official = tmp_path / "official.csv"
    official.write_text("candidate,rank\ncyd,1\nbob,2\nada,3\ndan,4\n", encoding="utf-8")
    whole = answered(verdict("--official", official, "--json"))
    assert whole["facts"]["inversions"] == 2
    assert "The official winner cyd ranks first in 0 % of resamples" in whole["verdict"]
    page = verdict("--official", official, "--top", "2", "--format", "table").stdout
    assert "official" in page
    assert "The top 2 of 4 candidates are shown." in page
    assert not re.search("^ +[0-9]+ +(ada|dan) ", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("condition", "code", "reason"),
    [
        ("tie-at-top", 4, "failed: 2 candidates are in a dead heat for first place."),
        ("not-first:ada", 0, ""),
        ("not-first:cyd", 4, "failed: 'cyd' is not in the first group."),
        ("winner-changed:dan", 4, "not 'dan' alone."),
    ],
)
def test_a_gate_fails_with_4_and_still_writes_the_result(verdict, condition, code, reason):
    done = verdict("--fail-on", condition)
    assert done.exit_code == code
    assert reason in done.stderr
    assert done.stdout.startswith("candidate\t")


def test_the_winner_may_be_guarded(verdict):
    winner = answered(verdict("--json"))["facts"]["winners"][0]
    assert verdict("--fail-on", f"winner-changed:{winner}").exit_code == 0


def test_gates_can_be_repeated_and_one_is_enough(verdict):
    both = verdict("--fail-on", "not-first:ada", "--fail-on", "not-first:dan")
    assert both.exit_code == 4
    assert both.stderr.count("failed: ") == 1


def test_groups_are_compared_with_a_saved_verdict(verdict, tmp_path):
    saved = tmp_path / "before.json"
    assert verdict("-o", saved).exit_code == 0
    condition = f"groups-changed:{saved}"
    assert verdict("--fail-on", condition).exit_code == 0
    changed = verdict("--alpha", "0.9", "--fail-on", condition)
    assert changed.exit_code == 4
    assert "the groups are not those of" in changed.stderr


WRONG = [
    (("--alpha", "5"), 2, "alpha must lie strictly between 0 and 1"),
    (("--alpha", "x"), 2, "'x' is not a valid float"),
    (("--replicates", "0"), 2, "replicates must be a whole number of at least 1"),
    (("--replicates", "10"), 2, "10 replicates are too few for alpha = 0.05"),
    (("--plan", "boot"), 2, "'boot' is not one of"),
    (("--plan", "stratified"), 2, "which columns could name the strata: deadheat check"),
    (("--plan", "clustered"), 2, "which columns could name the clusters: deadheat check"),
    (("--interval", "narrow"), 2, "'narrow' is not one of"),
    (("--interval", "wilson"), 3, "the Wilson interval needs scores of 0 and 1"),
    (("--test", "z"), 2, "'z' is not one of"),
    (("--leader", "me"), 2, "'me' is not one of"),
    (("--p-value", "me"), 2, "'me' is not one of"),
    (("--show", "me"), 2, "'me' is not one of"),
    (("--top", "0"), 2, "top must be a whole number of at least 1"),
    (("--official", "missing.csv"), 2, "missing.csv"),
    (("--fail-on", "nonsense"), 2, "unknown condition 'nonsense'"),
    (("--fail-on", "not-first:zoe"), 2, "unknown candidate 'zoe'"),
    (("--by", "mean,median"), 2, "--by takes one function here"),
    (("--by", "all"), 2, "--by takes one function here"),
    (("--engine", "steam"), 2, "unknown engine 'steam'"),
    (("--where", "judge=j1"), 3, "one score for each"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "code", "words"), WRONG, ids=lambda x: str(x)[:40])
def test_wrong_use_and_bad_data_are_told_apart(verdict, args, code, words):
    done = verdict(*args)
    assert done.exit_code == code, done.stderr
    assert words in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_condition_is_refused_before_the_work(verdict, monkeypatch):
    monkeypatch.setattr(import_module("deadheat.verdict.api"), "collect_evidence", None)
    assert "unknown condition" in verdict("--fail-on", "nonsense").stderr


def test_one_candidate_is_too_few(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("model,a,b\nx,1,2\n", encoding="utf-8")
    done = run("verdict", path, "--better", "higher")
    assert done.exit_code == 3
    assert "1 candidate" in done.stderr


def test_warnings_are_on_standard_error_and_quiet_has_none(verdict):
    loud, quiet = verdict("--replicates", "19"), verdict("--replicates", "19", "-q")
    assert "warning: 19 resamples are too few to exclude anybody" in loud.stderr
    assert quiet.stderr == ""
    assert quiet.stdout == loud.stdout


def test_ctrl_c_stops_with_130_and_leaves_nothing_behind(runs, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    args = ["verdict", runs, "--better", "higher", "--ignore", "domain", "-o", "out.json",
            "--by", "slow.py:f", "--replicates", "400000"]  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-B", "-m", "deadheat", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        cwd=tmp_path,
    ) as process:
        assert process.stderr.readline() == b"ready\n"  # what a user's function prints
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=600)
    assert process.returncode == 130
    assert said.strip() == b"interrupted"
    assert sorted(tmp_path.iterdir()) == before


def test_what_is_undecided_ends_with_a_command_that_decides_it(verdict, run):
    done = verdict("--alpha", "0.01", "--replicates", "150", "--json", "--fail-on", "tie-at-top")
    assert done.exit_code == 4
    assert json.loads(done.stdout)["verdict"].startswith(
        "Undecided: 150 resamples cannot separate 4 candidates; --replicates 1000 can"
    )
    *_, hint, failed = done.stderr.splitlines()
    assert "undecided" in failed
    assert hint.endswith(
        "--better higher --by mean --alpha 0.01 --json --fail-on tie-at-top --replicates 1000"
    )
    command = shlex.split(hint.removeprefix("hint: deadheat "))
    again = run(*command)
    assert json.loads(again.stdout)["facts"]["undecided"] is False


def test_what_is_undecided_for_holes_names_one_number_of_resamples(run, tmp_path):
    """Of 10 judges one alone scores m0: it is absent from (9/10)**10 of the resamples."""
    rows = [f"m{k}," + ",".join("" if k == 0 and j else f"{k + j}" for j in range(10))
            for k in range(30)]  # fmt: skip
    head = "model," + ",".join(f"t{j}" for j in range(10))
    (tmp_path / "f.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    words = ("--better", "higher", "--by", "mean", "--missing", "available", "--json")
    done = run("verdict", tmp_path / "f.csv", *words, "--replicates", "700")
    said, hint = json.loads(done.stdout)["verdict"], done.stderr.splitlines()[-1]
    assert said.startswith("Undecided: only ")
    assert hint.startswith("hint: ")
    assert f"{hint.rpartition('--replicates ')[2]} can" in said
    again = run(*shlex.split(hint.removeprefix("hint: deadheat ")))
    assert json.loads(again.stdout)["facts"]["undecided"] is False


def test_strict_tests_that_are_not_made_are_told_before_the_work(verdict, run, monkeypatch):
    """Of 3,000 candidates on 6 judges nothing could be shown after ten minutes either."""
    monkeypatch.setattr(import_module("deadheat.verdict.api"), "TOO_MUCH", 1)
    monkeypatch.setattr(import_module("deadheat.verdict.api"), "too_few_units", lambda *_: True)
    done = verdict("--test", "max-t", "--strict", "--json")
    assert json.loads(done.stdout)["verdict"].startswith("Undecided: 40 judges are too few")
    first, *_, hint = done.stderr.splitlines()
    assert first.startswith("note: the answer will be undecided: 40 judges are too few to show")
    assert not {"--strict", "--test", "max-t"} & {*hint.split()}
    assert answered(run(*shlex.split(hint.removeprefix("hint: deadheat "))))
    assert "note:" not in verdict("--strict", "-q").stderr


# Several tables: tracks in files, or in a column.

TRACKS = "track,task,model,score\n" + "".join(
    f"{track},{track}{j},{model},{(7 * j + 3 * k) % 5 + 2 * (model == 'ada')}\n"
    for track, models in (("sat", ("ada", "bob", "cyd")), ("agile", ("ada", "dan")))
    for j in range(12)
    for k, model in enumerate(models)
)
HOW = ("--better", "higher", "--score", "score", "--by", "mean", "--replicates", "199", "-q")


@pytest.fixture
def tracks(tmp_path):
    """Return one file of two tracks, and a file of each."""
    head, *lines = TRACKS.splitlines(keepends=True)
    both = tmp_path / "both.csv"
    both.write_text(TRACKS, encoding="utf-8")
    for name in ("sat", "agile"):
        rows = (line for line in lines if line.startswith(name))
        (tmp_path / f"{name}.csv").write_text(head + "".join(rows), encoding="utf-8")
    return both, tmp_path / "sat.csv", tmp_path / "agile.csv"


def test_several_files_and_a_column_of_tracks_make_one_table(run, tracks):
    both, sat, agile = tracks
    files = run("verdict", sat, agile, *HOW, "--ignore", "track", "--show", "summary")
    column = run("verdict", both, *HOW, "--each", "track", "--show", "summary")
    assert files.exit_code == column.exit_code == 0, files.stderr + column.stderr
    head, *lines = files.stdout.splitlines()
    assert "\tjudges\tfirst\tlevel\tgroups\tties" in head
    assert [line.split("\t")[:3] for line in lines] == [
        ["sat.csv", "3", "12"],
        ["agile.csv", "2", "12"],
    ]
    assert column.stdout == files.stdout.replace(".csv", "")
    whole = answered(run("verdict", both, *HOW, "--each", "track", "--show", "summary", "--json"))
    assert whole["schema"] == "deadheat.verdict-table/1"
    assert whole["made"]["source"] == ["sat", "agile"]


def test_a_verdict_of_several_tables_is_refused_with_a_command_that_works(run, tracks):
    both, *files = tracks
    for more in ((), ("--show", "groups"), ("--fail-on", "tie-at-top")):
        done = run("verdict", both, *HOW, "--each", "track", *more)
        assert done.exit_code == 2
        assert "models and tasks differ by track: there is no board of all." in done.stderr
        assert "--each track --show summary" in done.stderr
        done = run("verdict", *files, *HOW, "--ignore", "track", *more)
        assert done.exit_code == 2
        assert "2 tables are given, and a verdict is about one." in done.stderr
        assert "--ignore track --show summary" in done.stderr


def test_a_track_may_be_narrowed_and_must_exist(run, tracks):
    both, *_ = tracks
    args = ("influence", both, "--better", "higher", "--score", "score", "--by", "mean")
    done = run(*args, "--each", "track", "--where", "task!=sat0", "--json")
    assert [row["judges"] for row in answered(done)["rows"]] == [11, 12]
    done = run(*args, "--each", "trak")
    assert done.exit_code == 2
    assert "unknown column 'trak'. Did you mean 'track'?" in done.stderr
    done = run("influence", "-", *args[2:], "--each", "track", input=TRACKS)
    assert done.exit_code == 2
    assert "standard input is there once" in done.stderr
    both.write_text(TRACKS.replace("agile,agile3,", ",agile3,"), encoding="utf-8")
    done = run(*args, "--each", "track")
    assert done.exit_code == 3
    assert "both.csv: 2 rows without a track." in done.stderr


def test_an_official_order_of_each_track_is_a_column(run, tracks, tmp_path):
    both, *_ = tracks
    official = tmp_path / "official.csv"
    text = "track,candidate,rank\nsat,cyd,1\nsat,bob,2\nsat,ada,3\nagile,ada,1\nagile,dan,2\n"
    official.write_text(text, encoding="utf-8")
    args = ("verdict", both, *HOW, "--each", "track", "--show", "summary", "--json")
    with_order = answered(run(*args, "--official", official))["rows"]
    assert [row["inversions"] for row in with_order] == [2, 0]
    assert [row["inversions"] for row in answered(run(*args))["rows"]] == [0, 0]
    official.write_text(text.replace("agile,ada,1\nagile,dan,2\n", ""), encoding="utf-8")
    done = run(*args, "--official", official)
    assert done.exit_code == 3
    assert "no row has 'agile' in its column 'track'" in done.stderr


def test_a_picture_shows_the_first_of_the_order(run, tracks, tmp_path):
    _, sat, _ = tracks
    path = tmp_path / "fig.json"
    how = (*HOW, "--ignore", "track", "-o", path)
    done = run("plot", sat, "intervals", *how, "--top", "1")
    assert done.exit_code == 0, done.stderr
    drawn = json.loads(path.read_text(encoding="utf-8"))["datasets"].values()
    assert {row["candidate"] for rows in drawn for row in rows if "candidate" in row} == {"ada"}
    done = run("plot", sat, "condorcet", *how, "--top", "1")
    assert done.exit_code == 2
    assert "--top: no option of the picture condorcet" in done.stderr
