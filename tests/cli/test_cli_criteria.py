"""``deadheat criteria``."""

from __future__ import annotations

import json

import pytest

QUICK = ("--trials", "60", "--q", "8", "--repeats", "2")


def test_json_has_the_keys_of_the_contract(run, table):
    done = run("criteria", table, "--better", "higher", *QUICK, "--json", "-q")
    assert done.exit_code == 0, done.output
    whole = json.loads(done.stdout)
    assert whole["schema"] == "deadheat.criteria/1"
    assert whole["rows"][0]["function"] == "mean"
    assert {"winner_rank", "winner_rank_se", "stability_candidates_se"} <= set(whole["rows"][0])
    assert whole["facts"]["correlations"]["mean"]["mean"] == pytest.approx(1)


def test_several_files_are_averaged(run, table, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("model,a,b\nrf,1,2\nsvm,2,1\nknn,3,3\n", encoding="utf-8")
    done = run(
        "criteria", table, other, "--better", "higher", *QUICK, "--by", "mean", "--json", "-q"
    )
    assert done.exit_code == 0, done.output
    whole = json.loads(done.stdout)
    assert len(whole["facts"]["tables"]) == 2
    assert "winner_rank_se_tables" in whole["rows"][0]


@pytest.mark.parametrize("show", ["correlations", "tables"])
def test_other_tables(run, table, show):
    done = run("criteria", table, "--better", "higher", *QUICK, "--show", show, "-q")
    assert done.exit_code == 0, done.output
    header = done.stdout.splitlines()[0].split("\t")
    assert header[:2] == (["function", "mean"] if show == "correlations" else ["table", "function"])


def test_the_options_reach_the_function(run, table):
    done = run(
        *("criteria", table, "--better", "higher", *QUICK, "--by", "copeland", "--json", "-q"),
        *("--correlation", "kendall", "--compat", "esann-notebook", "--seed", "3"),
        *("--engine", "serial", "--stability", "mean"),
    )
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)["made"]
    said = {key: made[key] for key in ("correlation", "compat", "seed", "stability", "trials")}
    assert said == {
        "correlation": "kendall",
        "compat": "esann-notebook",
        "seed": 3,
        "stability": "mean",
        "trials": 60,
    }


def test_what_is_read_is_never_written_over(run, table, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("model,a,b\nrf,1,2\nsvm,2,1\n", encoding="utf-8")
    for target in (table, other):
        done = run("criteria", table, other, "--better", "higher", *QUICK, "-o", target)
        assert done.exit_code == 2
        assert "cannot write" in done.stderr
    assert other.read_text(encoding="utf-8").startswith("model,a,b")


def test_wrong_use_exits_with_2_and_bad_data_with_3(run, table, tmp_path):
    assert run("criteria", table, "--better", "higher", "--trials", "0").exit_code == 2
    assert run("criteria", table, "--better", "higher", "--by", "nothing").exit_code == 2
    holes = tmp_path / "holes.csv"
    holes.write_text("model,a,b\nrf,1,\nsvm,2,1\n", encoding="utf-8")
    done = run("criteria", holes, "--better", "higher", "--missing", "available", *QUICK)
    assert done.exit_code == 3
    assert "--missing" in done.stderr


def test_criteria_are_listed(run):
    done = run("list", "criteria")
    names = [line.split("\t")[0] for line in done.stdout.splitlines()[1:]]
    assert names == [
        *("winner_rank", "condorcet_rate", "majority_rate", "generalization"),
        *("stability_judges", "stability_candidates"),
    ]
