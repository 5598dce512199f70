"""``deadheat criteria``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from deadheat.cli import terminal
from deadheat.output.table import layout
from deadheat.output.text import shorten_all

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


def test_trials_are_called_trials(run, table):
    done = run("criteria", table, "--better", "higher", "--trials", "0")
    assert "trials must be a whole number of at least 1, got 0" in done.stderr


def test_holes_are_named_with_their_place(run, tmp_path):
    holes = tmp_path / "holes.csv"
    holes.write_text("model,a,b\nrf,1,\nsvm,2,1\n", encoding="utf-8")
    done = run("criteria", holes, "--better", "higher", "--missing", "available", *QUICK)
    assert "model 'rf' on judge 'b'" in " ".join(done.stderr.split())


def test_the_help_of_by_has_the_default_of_this_command(run):
    said = " ".join(run("criteria", "--help").stdout.split())
    assert "by default those of Pavao et al. (2021)" in said
    assert "average_rank by default" not in said
    assert "average_rank by default" in " ".join(run("rank", "--help").stdout.split())


def test_files_of_one_name_and_one_file_twice(run, tmp_path):
    for k, folder in enumerate(("d1", "d2")):
        (tmp_path / folder).mkdir()
        text = f"model,a,b\nrf,1,{k}\nsvm,2,1\nknn,3,3\n"
        (tmp_path / folder / "r.csv").write_text(text, encoding="utf-8")
    paths = [tmp_path / folder / "r.csv" for folder in ("d1", "d2")]
    asked = ("--better", "higher", *QUICK, "--by", "mean", "--json", "-q")
    done = run("criteria", *paths, *asked)
    assert json.loads(done.stdout)["facts"]["tables"] == ["d1/r.csv", "d2/r.csv"]
    done = run("criteria", paths[0], paths[0], *asked)
    assert done.exit_code == 2
    assert "named twice" in done.stderr


def test_a_long_wait_is_announced_with_a_way_out(run, table, monkeypatch):
    from deadheat.cli import commands

    monkeypatch.setattr(commands, "MANY_CELLS", 1)
    monkeypatch.setattr(commands, "_seconds_per_table", lambda tables, asked: 6.0)
    done = run("criteria", table, "--better", "higher", "--by", "mean", *QUICK)
    said = " ".join(done.stderr.split())
    assert "note: this takes about 9 minutes: 92 resampled tables" in said  # 60 + 2 x 8 x 2
    assert "--trials 10 --q 20 --repeats 3" in said
    quiet = run("criteria", table, "--better", "higher", "--by", "mean", *QUICK, "-q")
    assert quiet.stderr == ""


def test_the_time_of_a_table_is_measured_on_a_few(table, monkeypatch):
    """5 tables take 3 s, and 17 take 9 s: half a second each, whatever is done once."""
    import deadheat as dh
    from deadheat.cli import commands

    clock = iter([0.0, 3.0, 10.0, 19.0])
    monkeypatch.setattr(commands, "perf_counter", lambda: next(clock))
    asked = {"by": "mean", "trials": 10_000, "q": 100, "repeats": 10}
    assert commands._seconds_per_table([dh.read(table, better="higher")], asked) == 0.5


def criteria_of(table, **asked):
    import deadheat as dh

    table = dh.read(table, better="higher")
    asked = {"trials": 60, "q": 8, "repeats": 2} | asked
    return dh.criteria([table, table.changed(scores=table.scores + 1)], **asked)


def test_both_keys_stand_in_every_panel(table):
    grid = criteria_of(table).tables().grid()
    panels = layout(grid, *terminal.sheets(80))[1]
    assert len(panels) > 1
    for widths in panels:
        assert [grid.columns[j].name for j in list(widths)[:2]] == ["table", "function"]
        assert len(widths) > 2
        assert sum(widths.values()) + 3 * (len(widths) - 1) <= 80


def test_names_are_shortened_before_a_table_is_split(table):
    """One column too many: 24 letters of a name and five values take 81 columns."""
    grid = criteria_of(table).grid()
    width = 24 + 5 * 9 + 5 * 3 - 4
    wide = tuple((row[0], *("-.123(99)" for _ in row[1:])) for row in grid.cells)
    grid = dataclasses.replace(grid, cells=wide, marked=frozenset())
    (widths,) = layout(grid, *terminal.sheets(width))[1]
    assert len(widths) == 6
    assert terminal.SHORTEST_NAME <= widths[0] < terminal.NARROWEST_NAME


def test_names_that_are_shortened_stay_different(table):
    grid = criteria_of(table).grid()
    alike = [f"a_name_that_begins_{k}_and_ends_alike" for k in range(len(grid.cells))]
    wide = tuple(
        (name, *("-.123(99)" for _ in row[1:])) for name, row in zip(alike, grid.cells, strict=True)
    )
    grid = dataclasses.replace(grid, cells=wide, marked=frozenset())
    (widths,) = layout(grid, *terminal.sheets(24 + 5 * 9 + 5 * 3 - 4))[1]
    cut = shorten_all(alike, widths[0])
    assert len({*cut}) == len(alike)
    assert max(map(len, cut)) <= widths[0] < len(alike[0])


def test_criteria_are_listed(run):
    done = run("list", "criteria")
    names = [line.split("\t")[0] for line in done.stdout.splitlines()[1:]]
    assert names[:6] == [
        *("winner_rank", "condorcet_rate", "majority_rate", "generalization"),
        *("stability_judges", "stability_candidates"),
    ]


def test_views_that_need_fewer_draws_or_none(run, table):
    said = ["--better", "higher", "--by", "mean,average_rank", "--json"]
    done = json.loads(run("criteria", table, *said, "--show", "correlations").stdout)
    assert done["made"]["trials"] == 0
    done = json.loads(run("criteria", table, *said, "--show", "convergence").stdout)
    assert done["made"]["trials"] == 400
    assert done["facts"] == {"table": "convergence"}
    for option, value in (("--q", 100), ("--over", "both"), ("--benchmark", f"a={table}")):
        refused = run("criteria", table, *said, option, value, "--show", "convergence")
        assert refused.exit_code == 2
        assert f"{option} changes nothing about convergence" in refused.stderr
    few = ["--trials", "20", "--q", "3", "--repeats", "2", "-q"]
    done = json.loads(run("criteria", table, *said, *few, "--show", "meta-ranking").stdout)
    assert {row["candidate"] for row in done["rows"]} == {"mean", "average_rank"}


def test_a_benchmark_has_a_name_and_files(run, table, tmp_path):
    other = tmp_path / "other.csv"
    text = Path(table).read_text(encoding="utf-8")
    other.write_text(text.replace("9", "7"), encoding="utf-8")
    asked = ["--better", "higher", "--by", "mean", "--trials", "20", "--q", "3", "--json", "-q"]
    both = f"both={Path(table).name},{other}"
    done = run("criteria", table, other, *asked, "--benchmark", both)
    assert json.loads(done.stdout)["facts"]["benchmarks"] == ["both", "both"]
    done = run("criteria", table, other, *asked, "--benchmark", "both")
    assert done.exit_code == 2
    assert "--benchmark needs a name and files, got 'both'" in done.stderr
