"""Where ``deadheat rate`` leads people whose table or log it cannot rate as it stands."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from deadheat.output.text import width_of

MODELS = ("gbm_0", "gbm_1", "rf_0", "rf_1")
FOLDS = "model,task,split,auc\n" + "".join(
    f"{model},{task},{split},0.{7 + (m + split) % 3}{(3 * m + 5 * split + t) % 10}\n"
    for m, model in enumerate(MODELS)
    for t, task in enumerate(("adult", "bank", "credit"))
    for split in range(6)
)
BOTH = "--tournament task --round split"
QUICK = ("--replicates", 100, "--simulations", 0)


@pytest.fixture
def rate(run, tmp_path):
    """Rate a table that is given as text."""

    def asked(text, *args):
        path = tmp_path / "folds.csv"
        path.write_text(text, encoding="utf-8")
        return run("rate", path, *args)

    return asked


@pytest.mark.parametrize("more", [(), ("--judge", "task"), ("--judge", "task", "--round", "split")])
def test_folds_of_several_tasks_lead_to_tournaments(rate, more):
    done = rate(FOLDS, "--better", "higher", *more)
    assert done.exit_code in (2, 3)
    assert BOTH in done.stderr
    for hinted in (("--tournament", "task", "--round", "split"),
                   ("--judge", "task", "--combine", "mean")):  # fmt: skip
        assert rate(FOLDS, "--better", "higher", *hinted, *QUICK).exit_code == 0


def test_a_bad_cell_of_such_a_table_is_still_told_as_such(rate):
    done = rate(FOLDS + "rf_1,bank,7,x\n", "--better", "higher", "--judge", "task")
    assert "'x'" in done.stderr
    assert "--tournament" not in done.stderr


def test_a_round_in_several_tournaments_is_the_first_of_the_file(rate):
    done = rate(FOLDS, "--better", "higher", "--tournament", "task")
    assert "round '0' is in two tournaments: 'adult' and 'bank'" in done.stderr
    assert "--round split" in done.stderr


@pytest.mark.parametrize("more", [(), ("--better", "higher")])
def test_a_table_without_numbers_may_be_a_log(rate, more):
    done = rate("foo,bar,baz\na,b,left\nb,a,left\n", *more)
    assert done.exit_code in (2, 3)
    assert "--left foo --right bar --winner baz" in done.stderr
    named = ("--left", "foo", "--right", "bar", "--winner", "baz")
    assert rate("foo,bar,baz\na,b,left\nb,a,left\n", *named, *QUICK).exit_code == 0


def test_parts_that_never_met_are_left_out_as_hinted(rate):
    text = "left,right,winner\na,b,left\nb,a,left\nc,d,left\nd,c,left\n"
    done = rate(text)
    assert done.stderr.rstrip().endswith("--largest-part")
    done = rate(text, "--largest-part", *QUICK)
    assert done.exit_code == 0
    assert [line[0] for line in done.stdout.splitlines()[1:]] == ["a", "b"]


def test_battles_of_other_commands_point_to_rate(run, table):
    done = run("rank", table, "--layout", "battles")
    assert done.exit_code == 2
    assert f"rate it: deadheat rate {table}" in done.stderr


def test_a_rule_of_ones_own_scores_the_runs_that_are_rated(rate, tmp_path):
    rule = tmp_path / "rule.py"
    rule.write_text("def late(runs):\n    return runs.time > 4\n", encoding="utf-8")
    text = "solver,instance,status,time\n" + "".join(
        f"{solver},i{i},ok,{(5 * k + 3 * i) % 9 + 1}\n"
        for k, solver in enumerate("xyz")
        for i in range(9)
    )
    done = rate(text, "--layout", "runs", "--rule", f"{rule}:late", "--cutoff", 99, *QUICK)
    assert done.exit_code == 0, done.stderr
    wins = {
        line.split("\t")[0]: float(line.split("\t")[7]) for line in done.stdout.split("\n")[1:-1]
    }
    late = {s: [(5 * k + 3 * i) % 9 + 1 > 4 for i in range(9)] for k, s in enumerate("xyz")}
    assert wins == {s: sum(late[s][i] > late[t][i] for t in late for i in range(9)) for s in late}


def test_an_interrupt_while_a_log_is_read_ends_with_130(run, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise RuntimeError("Query interrupted")  # what DuckDB raises at Ctrl-C

    monkeypatch.setattr("deadheat.data.reading.battles.battles_of", interrupted)
    path = tmp_path / "log.csv"
    path.write_text("left,right,winner\na,b,left\n", encoding="utf-8")
    done = run("rate", path)
    assert (done.exit_code, done.stderr) == (130, "interrupted\n")


@pytest.mark.parametrize(
    ("name", "keys"),
    [("pairs", ("tournament", "first", "second")), ("tunability", ("tournament", "algorithm"))],
)
def test_every_block_of_a_wide_table_names_its_rows(rate, name, keys):
    names = {model: f"{model.partition('_')[0]}_with_a_long_name_{model[-1]}" for model in MODELS}
    text = FOLDS
    for short, long in names.items():
        text = text.replace(short, long)
    sets = ("--better", "higher", "--tournament", "task", "--round", "split")
    done = rate(text, *sets, *QUICK, "--show", name, "--format", "table", "-q")
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    heads = [lines[i - 1] for i, line in enumerate(lines) if line and set(line) == {"─"}]
    assert len(heads) > 1
    assert all(tuple(head.split()[: len(keys)]) == keys for head in heads)
    assert max(map(width_of, lines)) <= 80


RACES = [("ann", "bob", "cyd"), ("bob", "ann", "dan"), ("ann", "dan", "bob"), ("cyd", "ann", "bob")]


def orders(heading, races=RACES, first=""):
    rows = [",".join(heading), *(",".join(race) for race in races)]
    return "".join(f"{first and f'{first}{k},'}{row}\n" for k, row in enumerate(rows))


@pytest.mark.parametrize(
    "text",
    [
        orders("123"),
        orders("012"),
        orders(("1st", "2nd", "3rd")),
        orders(("place_1", "place_2", "place_3"), first="race"),
        orders("123", [("7.0", "12.0", "3.0"), ("12.0", "7.0", "3.0"), ("3.0", "7.0", "12.0")]),
    ],
)
def test_orders_are_not_taken_for_scores(rate, text):
    done = rate(text, "--better", "lower", "--model", "plackett-luce")
    assert done.exit_code == 3
    assert "the cells say who came there" in done.stderr
    assert "--from orders" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3\n0.5,0.7,0.1\n0.7,0.5,0.2\n0.1,0.3,0.5\n",  # scores have decimals
        "1,2,3\n3,1,1\n2,3,1\n1,1,3\n",  # nobody comes twice in one race
        "model,1,2,3\na,1,2,3\nb,2,3,1\nc,3,1,2\n",  # ranks: nobody comes twice at one place
        "2,4,6\n7,12,3\n12,7,3\n3,7,12\n",  # no places
        "1,2,3\n815,4711,99\n73,1024,512\n64,31,887\n",  # nobody comes again
    ],
)
def test_scores_are_not_taken_for_orders(rate, text):
    assert "who came there" not in rate(text, "--better", "lower", *QUICK).stderr


def test_who_says_where_the_candidates_are_has_scores(rate):
    numbers = orders("123", [("7", "12", "3"), ("12", "7", "3"), ("3", "7", "12")])
    assert rate(numbers, "--better", "lower", *QUICK).exit_code == 3
    assert rate(numbers, "--better", "lower", "--candidates", "rows", *QUICK).exit_code == 0


@pytest.mark.parametrize("ending", ["\n", ".0\n"], ids=["", "as floats"])
@pytest.mark.parametrize("first", ["", "race"])
def test_orders_are_rated_by_the_command_of_the_hint_as_places_are(run, tmp_path, first, ending):
    races = [tuple(str(7 + who) for who in race) for race in ((0, 1, 2), (1, 0, 2), (2, 0, 1)) * 4]
    path, places = tmp_path / "orders.csv", tmp_path / "places.csv"
    point = ending.removesuffix("\n")
    path.write_text(orders("123", [[f"{who}{point}" for who in r] for r in races], first=first))
    done = run(path)
    (command,) = [line for line in done.stderr.splitlines() if "--from orders" in line]
    words = command.partition(": deadheat ")[2].split()
    assert words == ["rate", str(path), "--from", "orders", "--model", "plackett-luce"]
    cells = (f"r{n},{who},{k}\n" for n, race in enumerate(races) for k, who in enumerate(race))
    places.write_text("round,candidate,place\n" + "".join(cells))
    of_places = ("--candidate", "candidate", "--judge", "round", "--score", "place")
    same = run("rate", places, *of_places, "--better", "lower", *words[4:])
    assert run(*words).stdout == same.stdout
    assert run("rank", path, "--from", "orders").exit_code == 0


def test_a_table_without_places_is_none_of_orders(run, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("model,a,b\nx,1,2\ny,2,1\n")
    done = run("rate", path, "--from", "orders")
    assert done.exit_code == 3
    assert "not every column is a place" in done.stderr


@pytest.mark.shared
def test_the_races_of_nascar_are_orders_and_can_be_rated_as_places(rate, run, shared_data):
    """Hunter (2004), table 1: worths of the 83 drivers who were not always last of their race."""
    path = shared_data / "bradleyterry2" / "nascar2002_orderings.csv.gz"
    done = run("rate", path, "--better", "lower", "--model", "plackett-luce")
    assert done.exit_code == 3
    assert "the columns 0 to 42 are places" in done.stderr
    words = done.stderr.partition("one ranking: deadheat ")[2].splitlines()[0].split()
    assert run(*words).exit_code == 0
    with gzip.open(path, "rt") as file:
        races = [line.split(",") for line in file.read().split()[1:]]
    places = "".join(
        f"{race},{int(float(driver))},{place}\n"
        for race, drivers in enumerate(races)
        for place, driver in enumerate(drivers)
        if float(driver) <= 83
    )
    hinted = ("--candidate", "candidate", "--judge", "round", "--score", "place",
              "--better", "lower", "--model", "plackett-luce")  # fmt: skip
    done = rate(f"round,candidate,place\n{places}", *hinted, "--errors", "sandwich", "--json")
    mle = np.array([row["mle"] for row in json.loads(done.stdout)["rows"]])
    worth = np.sort(np.exp(mle) / np.exp(mle).sum())[::-1]
    assert len(worth) == 83
    assert worth[:4] == pytest.approx([0.1864, 0.1096, 0.0274, 0.0235], abs=5e-5)


@pytest.mark.parametrize("errors", ["sandwich", "fisher"])
@pytest.mark.parametrize("plan", ["jackknife", "subsample"])
def test_a_plan_where_nothing_is_drawn(rate, errors, plan):
    wide = "model,s1,s2,s3,s4\na,3,2,3,2\nb,2,3,1,1\nc,1,1,2,3\n"
    said = ("--better", "higher", "--errors", errors)
    done = rate(wide, *said, "--plan", plan)
    assert done.exit_code == 2
    assert f"--errors {errors} draws nothing" in done.stderr
    assert "without it: deadheat rate" in done.stderr
    assert rate(wide, *said, *QUICK).exit_code == 0
    assert rate(wide, "--better", "higher", "--plan", "bootstrap", *QUICK).exit_code == 0


@pytest.mark.parametrize("command", [("plot", "criteria"), ("report",), ("rate",)])
def test_an_option_of_logs_beside_a_layout_of_tables_is_refused(run, tmp_path, command):
    path = tmp_path / "runs.csv"
    path.write_text("solver,instance,status,time\na,i,ok,1\nb,i,ok,2\n", encoding="utf-8")
    output = () if command == ("rate",) else ("-o", tmp_path / "out.html")
    done = run(command[0], path, *command[1:], *output, "--layout", "runs", "--left", "solver")
    assert done.exit_code == 2
    assert "--left" in done.stderr
    assert "--layout" in done.stderr


def test_who_is_left_out_is_noted_once_and_stays_in_the_result(rate):
    ring = "".join(f"c{k},c{(k + d) % 5},left\n" for k in range(5) for d in (1, 2) for _ in "abc")
    battles = f"left,right,winner\n{ring}x,y,left\ny,x,right\n"
    done = rate(battles, *QUICK, "--json")
    assert done.stderr.startswith("note: 2 of 7 candidates are not rated, with 2 of 32 matches")
    assert done.stderr.count("are not rated") == 1
    assert "are not rated" in json.loads(done.stdout)["warnings"][0]
    assert rate(battles, *QUICK, "--json", "-q").stderr == ""


def test_a_check_of_a_log_takes_the_options_of_one(run, tmp_path):
    path = tmp_path / "log.csv"
    rows = [f"{k},ann,bob,{'left' if k % 3 else 'right'},u{k % 6}" for k in range(30)]
    path.write_text("\n".join(["id,one,other,winner,judge", *rows]) + "\n", encoding="utf-8")
    named = ("--left", "one", "--right", "other")
    done = run("check", path, *named, "--where", "judge=u1", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["verdict"].startswith("2 candidates in 5 battles: ")
    path.write_text("\n".join(["id,model_a,model_b,winner,judge", *rows]) + "\n", "utf-8")
    for wrong in (("--better", "higher"), ("--by", "mean")):
        done = run("check", path, *wrong)
        assert done.exit_code == 2
        assert f"without it: deadheat check {path}\n" in done.stderr
    done = run("verdict", path)
    assert done.stderr.count("deadheat ") == 1  # no table of scores names its sides
    assert run("check", path, "-q").stdout.splitlines()[-1].endswith(f"deadheat rate {path}\tfalse")


# Standard input, which comes once, holds what a file holds.

LOG = "model_a,model_b,winner\n" + 20 * "x,y,model_a\ny,z,model_b\nz,x,tie\nx,y,model_b\n"


@pytest.mark.parametrize("content", [LOG.encode(), gzip.compress(LOG.encode())], ids=["", "gz"])
@pytest.mark.parametrize("command", ["rate", "check"])
def test_a_log_from_standard_input_is_rated_like_a_file(run, tmp_path, command, content):
    path = tmp_path / "log.csv"
    path.write_bytes(content)
    quick = QUICK if command == "rate" else ()
    of_file, piped = run(command, path, *quick), run(command, "-", *quick, input=content)
    assert (of_file.exit_code, piped.exit_code) == (0, 0), piped.stderr
    said = piped.stdout.replace("rate -", f"rate {path}")
    assert said.replace("nothing else fits", "its name ends in .csv") == of_file.stdout


@pytest.mark.parametrize("command", [(), ("verdict",), ("rank",)])
def test_a_log_from_standard_input_is_led_to_its_rating(run, command):
    done = run(*command, "-", input=LOG)
    assert done.exit_code == 2
    sides = ("--left", "model_a", "--right", "model_b", "--winner", "winner")
    assert f"deadheat rate - {' '.join(sides)}" in done.stderr
    assert run("rate", "-", *sides, *QUICK, input=LOG).exit_code == 0


def test_a_table_from_standard_input_is_read_again_for_its_boards(run, tmp_path):
    path = tmp_path / "folds.csv"
    path.write_text(FOLDS, encoding="utf-8")
    asked = ("--better", "higher", "--judge", "split", "--where", "task=bank", *QUICK)
    assert run("rate", "-", *asked, input=FOLDS).stdout == run("rate", path, *asked).stdout


@pytest.mark.parametrize("command", [(), ("verdict",), ("rank",)])
def test_options_of_a_log_lead_to_its_rating_with_all_of_them(run, tmp_path, command):
    path = tmp_path / "football.csv"
    path.write_text(LOG.replace("model_a,model_b,winner\n", "day1,day2,seen\n"), encoding="utf-8")
    said = ("--left", "day1", "--right", "day2", "--winner", "seen", "--scale", "elo")
    done = run(*command, path, *said)
    first = done.stderr.partition("\nHint: ")[2].splitlines()[0]
    assert first.endswith(f": deadheat rate {path} {' '.join(said)}")
    assert run("rate", path, *said, *QUICK).exit_code == 0
    assert "without it" not in done.stderr  # one option less is no command that works


def test_one_option_too_many_can_be_left_out(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("model,a,b\nx,1,2\ny,2,1\n", encoding="utf-8")
    done = run("check", path, "--better", "higher", "--replicates", 100)
    without = f"deadheat check {path} --better higher"
    assert f"without it: {without}\n" in done.stderr
    assert run("check", path, "--better", "higher").exit_code == 0


@pytest.mark.parametrize("command", [("rate",), ("check",)])
def test_a_page_is_written_by_the_command_for_pages(run, tmp_path, command):
    path, page = tmp_path / "log.csv", tmp_path / "out.html"
    path.write_text(LOG.replace("model_a,model_b,winner\n", "day1,day2,seen\n"), encoding="utf-8")
    said = ("--left", "day1", "--right", "day2", "--winner", "seen")
    done = run(*command, path, "-o", page, *said)
    first = done.stderr.partition("\nHint: ")[2].splitlines()[0]
    assert first == f"as a page: deadheat report {path} {' '.join(said)} -o {page}"
    assert run(*first.split()[4:], "--replicates", 100).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_has_no_page_is_not_led_to_one(run, tmp_path):
    assert "report" not in run("list", "-o", tmp_path / "out.html").stderr
    assert "report" not in run("rate", "log.csv", "-o", tmp_path / "out.dat").stderr


def test_the_next_step_of_a_checked_log_reads_it_alike(run, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(LOG.replace("model_a,model_b,winner\n", "day1,day2,seen\n"), encoding="utf-8")
    said = "--left day1 --right day2 --winner seen --outcomes tie=drop"
    done = run("check", path, *said.split())
    assert f"deadheat rate {path} {said}" in done.stdout


def test_an_anchor_that_is_misspelt_keeps_its_number(run, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(LOG.replace("x", "phi-3"), encoding="utf-8")
    done = run("rate", path, "--scale", "elo", "--anchor", "Phi-3=1000")
    command = f"deadheat rate {path} --scale elo --anchor phi-3=1000"
    assert f"with 'phi-3': {command}" in done.stderr
    assert run(*command.split()[1:], *QUICK).exit_code == 0


DROPPED = "model_a,model_b,winner\n" + 20 * "x,y,model_a\ny,z,model_b\nz,x,bad\nx,x,model_a\n"


def test_what_somebody_has_asked_for_is_no_reason_to_doubt(run, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(DROPPED, encoding="utf-8")
    own = ("--outcomes", "bad=drop", "--self-battles", "drop", "--min-matches", "10")
    done = run("rate", path, *own, *QUICK, "--json")
    reasons = json.loads(done.stdout)["reasons"]
    dropped = [each["good"] for each in reasons if "dropped" in each["says"]]
    assert dropped == [None, None]
