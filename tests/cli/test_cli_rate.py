"""``deadheat rate`` as people and programs use it."""

from __future__ import annotations

import csv
import json
import shlex
import shutil

import numpy as np
import pytest

from deadheat.output.text import width_of

HEADER = ("left", "right", "winner", "voter", "topic", "weight", "la", "lb")
SELF = [("a", "a", "left"), ("a", "b", "left"), ("b", "a", "left")]


def battles():
    rng = np.random.default_rng(1)
    levels = {"ada": 1.0, "bob": 0.6, "cyd": 0.0, "dan": -1.0}
    for t in range(300):
        one, two = rng.choice(list(levels), 2, replace=False)
        won = rng.random() < 1 / (1 + np.exp(levels[two] - levels[one]))
        winner = "tie" if rng.random() < 0.1 else ("left" if won else "right")
        yield (one, two, winner, f"v{t % 30}", ("easy", "hard")[t % 2], 1 + t % 3,
               *rng.integers(10, 99, 2))  # fmt: skip


def write(path, rows, header=HEADER[:3]):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.fixture
def log(tmp_path):
    return write(tmp_path / "log.csv", battles(), HEADER)


@pytest.fixture
def rate(run, log):
    """Run the command on that log."""

    def asked(*args, quick=True):
        return run("rate", log, *args, *(["--replicates", "100"] if quick else ()))

    return asked


def told(done):
    def refuse(word):
        raise AssertionError(word)

    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout, parse_constant=refuse)


def ratings(done):
    return {row["candidate"]: row["rating"] for row in told(done)["rows"]}


def test_json_has_the_promised_columns_and_facts(rate):
    found = told(rate("--json"))
    assert found["schema"] == "deadheat.rate/1"
    promised = {"candidate", "rating", "mle", "se", "low", "high", "wins", "losses", "ties"}
    assert found["rows"][0].keys() >= promised
    assert found["facts"].keys() >= {"connected", "strongly_connected", "separated", "deviance"}


@pytest.mark.shared
def test_json_has_the_published_ratings(run, shared_data):
    """The golden numbers of evalica, shares that add up to 1."""
    folder = shared_data / "llmfao"
    found = ratings(run("rate", folder / "crowd-comparisons.csv", "--errors", "fisher",
                        "--simulations", 0, "--json"))  # fmt: skip
    with (folder / "golden_ratings_evalica.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["algorithm"] == "bradley_terry"]
    total = sum(np.exp(value) for value in found.values())
    for row in rows:
        assert np.exp(found[row["item"]]) / total == pytest.approx(float(row["score"]), abs=1e-9)
    assert len(rows) == len(found) == 59


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--scale", "elo", "--anchor", "dan=1000", "--strict"),
        ("--ties", "davidson"),
        ("--cluster", "voter"),
        ("--category", "topic"),
        ("--covariate", "len=la,lb", "--relative"),
        ("--model", "elo", "--shuffles", "3"),
        ("--weight", "weight", "--errors", "sandwich"),
    ],
)
def test_the_table_fits_80_columns(rate, more):
    done = rate("--format", "table", *more)
    assert done.exit_code == 0, done.stderr
    assert max(map(width_of, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", ["pairs", "matrix", "groups", "calibration"])
@pytest.mark.parametrize("form", ["json", "csv", "tsv", "md", "latex", "table"])
def test_every_table_has_every_form(rate, name, form):
    done = rate("--show", name, "--format", form, "--simulations", "0")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.strip()


def test_several_files_are_one_log(run, log, tmp_path):
    copy = shutil.copy(log, tmp_path / "copy.csv")
    once, twice = (
        told(run("rate", *files, "--json", "--replicates", 100, "--simulations", 0))
        for files in ([log], [log, copy])
    )
    assert twice["made"]["battles"] == 2 * once["made"]["battles"]
    for one, two in zip(once["rows"], twice["rows"], strict=True):
        assert two["rating"] == pytest.approx(one["rating"])
        assert two["wins"] == 2 * one["wins"]


def test_the_engine_and_the_number_of_threads_change_nothing(rate):
    one, two, three = (
        told(rate("--json", "--engine", e)) for e in ("serial", "threads", "threads:3")
    )
    assert one["rows"] == two["rows"] == three["rows"]
    assert one["facts"] == two["facts"] == three["facts"]


def test_half_of_the_battles_are_chosen_by_where(rate):
    found = told(rate("--where", "topic=easy", "--json"))
    assert found["made"]["battles"] == 150


REFUSED = [
    (("--anchor", "zed"), 2, "unknown candidate 'zed'", "known: ada"),
    (("--alpha", "5"), 2, "between 0 and 1", "0.05"),
    (("--seed", "-1"), 2, "the seed must be", "the same one gives"),
    (("--simulations", "-1"), 2, "simulations must be", "199"),
    (("--step", "0"), 2, "knows no --step 0.0", "--step"),
    (("--model", "elo", "--step", "0"), 2, "step must be above 0", "4"),
    (("--strength", "2"), 2, "has no strength", "--penalty"),
    (("--round", "voter"), 2, "has no rounds", "--category"),
    (("--tournament", "topic"), 2, "has no tournaments", "--category topic"),
    (("--left", "left", "--tournament", "topic"), 2, "no tour", "--left left --category topic"),
    (("--plan", "clustered"), 2, "not by the plan", "--plan bayesian"),
    (("--show", "tunability"), 2, "needs scores in rounds", "table of scores"),
    (("--show", "tournaments"), 2, "this is one", "the category of a battle"),
    (("--better", "higher"), 2, "--better", "without it: "),
    (("--judge", "voter"), 2, "--judge", "without it: "),
    (("--combine", "mean"), 2, "--combine", "without it: "),
    (("--candidate", "left"), 2, "--candidate", "without it: "),
    (("--missing", "worst"), 2, "--missing", "without it: "),
    (("--ignore", "voter"), 2, "--ignore", "without it: "),
    (("--left", "nope"), 2, "'nope'", "known:"),
    (("--weight", "nope"), 2, "unknown column 'nope'", "known:"),
    (("--cluster", "nope"), 2, "unknown column 'nope'", "known:"),
    (("--left", "left", "--better", "higher"), 2, "--better", "as a battle log: deadheat rate "),
    (("--pairing", "all"), 2, "says nothing about a battle log", "--pairing"),
    (("--interval", "basic", "--errors", "sandwich"), 2, "needs replicates", "--interval wald"),
    (("--model", "plackett-luce"), 2, "pairs only", "bradley-terry"),
    (("--engine", "moon"), 2, "'moon'", "threads"),
    (("--where", "topic=none"), 3, "no battle has topic=none", "'easy'"),
]


@pytest.mark.parametrize(("args", "code", "fact", "hint"), REFUSED)
def test_a_wrong_request_says_what_and_what_next(rate, args, code, fact, hint):
    done = rate(*args)
    assert done.exit_code == code, done.output
    assert done.stdout == ""
    first, _, rest = done.stderr.partition("Hint: ")
    assert fact in first
    assert hint in done.stderr
    assert rest
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", ["0", "5"])
def test_too_few_replicates_are_refused_before_anything_is_drawn(rate, number):
    done = rate("--replicates", number, quick=False)
    assert done.exit_code == 2
    assert "Hint: " in done.stderr


BAD = [
    (SELF, 3, "a candidate battles with itself", "--self-battles drop"),
    ([("a", "a", "left")] * 2, 3, "a candidate battles with itself", "--self-battles drop"),
    ([("a", "b", "left"), ("c", "d", "left")], 3, "no battle links the 2 parts", "--largest-part"),
    ([("a", "b", "lft"), ("b", "a", "left")], 3, "did you mean 'left'?", "--outcomes"),
    ([], 3, "has no battle", "a row for each battle"),
    ([("a", "b", "left")], 3, "only one round, battle or cluster", "--errors fisher"),
]


@pytest.mark.parametrize(("rows", "code", "fact", "hint"), BAD)
def test_bad_logs_are_refused(run, tmp_path, rows, code, fact, hint):
    done = run("rate", write(tmp_path / "bad.csv", rows))
    assert done.exit_code == code
    assert fact in done.stderr
    assert hint in done.stderr


def test_the_hints_work(run, tmp_path):
    loop = write(tmp_path / "self.csv", SELF * 5)
    assert run("rate", loop, "--self-battles", "drop", "--replicates", 50).exit_code == 0
    words = write(tmp_path / "words.csv", [("a", "b", "lft"), ("b", "a", "left")] * 9)
    done = run("rate", words, "--outcomes", "lft=left", "--replicates", 50)
    assert done.exit_code == 0
    negative = write(tmp_path / "w.csv", [("a", "b", "left", 1), ("b", "a", "left", -1)],
                     (*HEADER[:3], "weight"))  # fmt: skip
    done = run("rate", negative, "--weight", "weight")
    assert done.exit_code == 3
    assert "row 3" in done.stderr


def test_an_empty_file_and_no_file_are_refused(run, tmp_path):
    (tmp_path / "empty.csv").touch()
    assert run("rate", tmp_path / "empty.csv").exit_code == 3
    assert run("rate", tmp_path / "none.csv").exit_code == 3
    done = run("rate")
    assert done.exit_code == 2
    assert "no file is named" in done.stderr


def test_strict_groups_of_few_replicates_are_warned_of(rate):
    done = rate("--test", "holm", "--advantage")
    assert done.exit_code == 0
    assert "100 resamples are too few to tell all pairs" in done.stderr
    assert "--replicates 239" in done.stderr
    assert "too few" not in rate("--test", "holm", "-q", "--advantage").stderr
    assert "too few" not in rate("--test", "holm").stderr


def test_a_table_of_scores_is_rated_by_its_rounds(run, tmp_path):
    rng = np.random.default_rng(0)
    rows = [(s, m, round(float(v), 4)) for s in range(20)
            for m, v in zip("abc", rng.normal([1, 0, -1]), strict=True)]  # fmt: skip
    path = write(tmp_path / "scores.csv", rows, ("split", "model", "auc"))
    asked = ("rate", path, "--round", "split", "--better", "higher", "--json", "--replicates", 99)
    found = told(run(*asked))
    assert [row["wins"] + row["losses"] for row in found["rows"]] == [40, 40, 40]
    assert found["facts"]["split_sd"] > 0
    assert run(*asked, "--model", "elo").exit_code == 2
    assert run(*asked, "--winner", "auc").exit_code == 2
    assert run(*asked, "--show", "tunability").exit_code == 0


def test_data_sets_may_count_unequally(rate):
    """The mean over two categories, of which one counts three times."""
    each = told(rate("--category", "topic", "--json"))["rows"]
    by = {(row["category"], row["candidate"]): row["rating"] for row in each}
    done = rate("--category", "topic", "--tournament-weight", "hard=3", "--format", "table")
    assert done.exit_code == 0
    means = {name: (by["easy", name] + 3 * by["hard", name]) / 4 for name in ("ada", "dan")}
    assert done.stdout.startswith("ada has the highest weighted mean rating; ")
    assert f"ada, whose mean is {means['ada']:.2f}, " in done.stdout
    assert f" {means['dan']:.2f} " in done.stdout
    facts = told(rate("--category", "topic", "--tournament-weight", "hard=3", "--json"))["facts"]
    assert [facts["tournaments"][name]["weight"] for name in ("easy", "hard")] == [1, 3]


@pytest.mark.parametrize(
    ("args", "fact"),
    [
        (("--tournament-weight", "hard=3"), "there is one tournament"),
        (("--category", "topic", "--tournament-weight", "hard"), "is no NAME=X"),
        (("--category", "topic", "--tournament-weight", "hard=much"), "is no NAME=X"),
        (("--category", "topic", "--tournament-weight", "herd=2"), "Did you mean 'hard'?"),
        (("--category", "topic", "--tournament-weight", "hard=-1"), "the weight of 'hard' is -1.0"),
        (("--category", "topic", *("--tournament-weight", "hard=1") * 2), "'hard' twice"),
    ],
)
def test_weights_that_are_none(rate, args, fact):
    done = rate(*args)
    assert done.exit_code == 2
    assert fact in " ".join(done.stderr.split())


CYCLE = [("a", "b", "left"), ("b", "c", "left"), ("c", "a", "left")] * 4


def test_the_hint_of_a_torn_field_is_a_command_that_works(run, tmp_path):
    torn = write(tmp_path / "torn log.csv", [*CYCLE, *[("x", "y", "left"), ("y", "x", "left")] * 4])
    done = run("rate", torn, "--replicates", 50, "--json")
    assert done.exit_code == 3
    hint = done.stderr.partition("by itself: ")[2].strip()
    assert hint.startswith("deadheat rate '")
    again = told(run(*shlex.split(hint)[1:]))
    assert {row["candidate"] for row in again["rows"]} == {"a", "b", "c"}
    assert again["made"]["largest_part"] is True
    assert again["made"]["battles"] == 12
    assert "2 of 5 candidates are not rated, with 8 of 20 matches" in again["warnings"][0]


def test_few_matches_are_left_out(run, tmp_path):
    path = write(tmp_path / "log.csv", [*CYCLE, ("d", "a", "left"), ("d", "e", "left")])
    asked = ("rate", path, "--replicates", 50, "--json", "--min-matches")
    found = told(run(*asked, 2))
    assert {row["candidate"] for row in found["rows"]} == {"a", "b", "c"}
    assert found["made"]["min_matches"] == 2
    done = run(*asked, 9)
    assert done.exit_code == 3
    assert "nobody is left with 9 matches" in done.stderr
    hint = done.stderr.partition("leaves anybody: ")[2].strip()
    assert hint.endswith("--min-matches 8")
    assert told(run(*shlex.split(hint)[1:]))["made"]["min_matches"] == 8


@pytest.mark.parametrize("option", [("--largest-part",), ("--min-matches", "3")])
def test_a_table_has_no_matches_to_choose_by(run, tmp_path, option):
    table = write(tmp_path / "t.csv", [("a", 1, 2), ("b", 2, 1)], ("model", "s1", "s2"))
    done = run("rate", table, "--better", "higher", "--candidates", "rows", *option)
    assert done.exit_code == 2
    assert f"{' '.join(option)} says nothing about a table of scores" in done.stderr


def test_tuning_means_and_some_settings_from_one_file(run, tmp_path):
    rng = np.random.default_rng(7)
    rows = [(d, s, f"{name}_{k}", 0.3 * k + rng.normal(), 2.0) for d in ("iris", "wine", "kc1")
            for s in range(12) for name in ("rf", "knn") for k in (1, 2, 3)]  # fmt: skip
    path = write(tmp_path / "t.csv", rows, ("dataset", "split", "model", "auc", "seconds"))
    columns = ("--score", "auc", "--better", "higher", "--errors", "sandwich", "--simulations", 0)
    asked = ("rate", path, "--tournament", "dataset", "--round", "split", *columns, "--json")
    means = told(run(*asked, "--show", "means", "--show-only", "rf_*"))["rows"]
    assert {row["candidate"] for row in means} == {"rf_1", "rf_2", "rf_3"}
    assert all(row["low"] < row["mean"] < row["high"] for row in means)
    found = told(run(*asked, "--more-trials", 1, "--cost", "seconds"))
    assert [row["spent"] for row in found["rows"][:3]] == [24, 48, 72]
    assert "stop once the best of the last 1 trial" in found["verdict"]
    refused = run(*asked, "--more-trials", 1, "--show", "means")
    assert refused.exit_code == 2
    assert "--more-trials 1 is about tuning" in refused.stderr
    one = told(run("rate", path, "--where", "dataset=iris", "--round", "split", *columns, "--json"))
    assert len(one["rows"]) == 6
    picture = tmp_path / "bars.json"
    drawn = run("plot", path, "epp-bars", *asked[2:6], *columns[:6], "--show-only", "knn_*",
                "-o", picture)  # fmt: skip
    assert drawn.exit_code == 0
    assert "rf_1" not in picture.read_text(encoding="utf-8")
