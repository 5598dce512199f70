"""Where ``deadheat rate`` leads people whose table or log it cannot rate as it stands."""

from __future__ import annotations

import pytest

from deadheat.text import width_of

MODELS = ("gbm_0", "gbm_1", "rf_0", "rf_1")
FOLDS = "model,task,split,auc\n" + "".join(
    f"{model},{task},{split},0.{7 + (m + split) % 3}{(3 * m + 5 * split + t) % 10}\n"
    for m, model in enumerate(MODELS)
    for t, task in enumerate(("adult", "bank", "credit"))
    for split in range(6)
)
BOTH = "tournament='task' (--tournament task) and round='split' (--round split)"
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
    assert "--left COL), right='COL' (--right COL) and winner='COL' (--winner COL)" in done.stderr
    assert "there are foo, bar, baz" in done.stderr
    named = ("--left", "foo", "--right", "bar", "--winner", "baz")
    assert rate("foo,bar,baz\na,b,left\nb,a,left\n", *named, *QUICK).exit_code == 0


def test_parts_that_never_met_are_left_out_as_hinted(rate):
    text = "left,right,winner\na,b,left\nb,a,left\nc,d,left\nd,c,left\n"
    done = rate(text)
    assert "--where 'COL!=c' --where 'COL!=d'" in done.stderr
    done = rate(text, "--where", "left!=c", "--where", "left!=d", *QUICK)
    assert done.exit_code == 0
    assert [line[0] for line in done.stdout.splitlines()[1:]] == ["a", "b"]


def test_battles_of_other_commands_point_to_rate(run, table):
    done = run("rank", table, "--layout", "battles")
    assert done.exit_code == 2
    assert "use deadheat rate FILE" in done.stderr


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

    monkeypatch.setattr("deadheat.data.battle_read.cells_of", interrupted)
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
