"""Pictures of runs tell what the runs say."""

from __future__ import annotations

import csv
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from specs import size, table_with, tables

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.core.errors import UsageError
from deadheat.data.runs import Runs
from deadheat.report.charts.rows import unit_of

CUTOFF = 50.0
LONGEST = 300_000


def runs(n, m=40, *, families=3, names="solver"):
    rng = np.random.default_rng(n)
    i, j = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    times = np.exp(rng.normal(3, 1, n * m))
    return Runs(
        candidate=[f"{names} {k}" for k in i],
        instance=[f"i{k}" for k in j],
        stratum=[f"family {k % families}" for k in j],
        time=np.minimum(times, CUTOFF),
        cutoff=CUTOFF,
    )


def tables_with(picture, keys):
    return [each for each in tables(picture.spec()) if each and set(each[0]) == keys]


def solved(given, name):
    return sum(
        given.candidates[c] == name and t < CUTOFF
        for c, t in zip(given.candidate, given.time, strict=True)
    )


@pytest.mark.parametrize("n", [2, 12, 15])
def test_a_cactus_ends_at_what_each_has_solved_and_names_the_best_12(n):
    given = runs(n)
    picture = dh.plot(given, "cactus")
    ends = table_with(picture, "short")
    counts = sorted((solved(given, name) for name in given.candidates), reverse=True)
    assert [row["y"] for row in ends] == counts[:12]
    assert all(solved(given, row["candidate"]) == row["y"] for row in ends)
    assert ("grey lines" in picture.see) == (n > 12)
    steps = table_with(picture, "line", "x", "y")
    assert max(row["x"] for row in steps) == CUTOFF


@pytest.mark.parametrize("n", [2, 12])
def test_a_curve_is_the_distribution_of_the_times_of_what_was_solved(n):
    given = runs(n)
    picture = dh.plot(given, "cactus")
    ends = table_with(picture, "short")
    assert len(ends) == n
    steps, behind = tables_with(picture, {"line", "x", "y"})
    lines = {row["line"]: row["candidate"] for row in ends}
    for step in steps:
        mine = given.candidate == given.candidates.index(lines[step["line"]])
        times = given.time[mine]
        times = times[times < CUTOFF]
        low, high = ((times <= step["x"] * (1 + off)).sum() for off in (-1e-4, 1e-4))
        assert low - 1e-3 <= step["y"] <= high + 1e-3
    leads = {}
    for step in behind:  # where curves change somebody is the best, and nobody is ahead of that one
        leads.setdefault(step["line"], {})[step["x"]] = step["y"]
    for x in {x for own in leads.values() for x in own}:
        before = ([y for place, y in own.items() if place <= x] for own in leads.values())
        assert max(gaps[-1] for gaps in before if gaps) == 0


def test_a_timeout_is_never_solved():
    """Nor is it where the time of the timeout is shorter than those of others."""
    given = Runs(
        candidate=["a", "a", "b", "b"],
        instance=["i", "j", "i", "j"],
        status=["ok", "timeout", "ok", "ok"],
        time=[5.0, 1.0, 2.0, 3.0],
        cutoff=10.0,
    )
    picture = dh.plot(given, "cactus")
    ends = {row["candidate"]: row["y"] for row in table_with(picture, "short")}
    assert ends == {"a": 1, "b": 2}
    assert "a: 1 (50 %), half of all by 5 seconds." in picture.alt
    assert "not solved in time counts as not solved" in picture.alt


def test_labels_of_a_cactus_do_not_cover_each_other():
    rows = table_with(dh.plot(runs(12), "cactus"), "short")
    top = 1.03 * max(row["y"] for row in rows)
    pixels = np.sort([260 * (1 - row["label"] / top) for row in rows])
    assert np.diff(pixels).min() >= 12 - 1e-6
    assert pixels[0] >= 0
    assert pixels[-1] <= 260


def test_those_level_with_the_leader_are_in_the_accent_with_dashes_of_their_own():
    given = runs(12)
    rows = table_with(given.plot("cactus", level=given.candidates[:3]), "leads", "dash")
    leading = {row["candidate"]: row["dash"] for row in rows if row["leads"]}
    assert set(leading) == set(given.candidates[:3])
    assert len(set(leading.values())) == 3
    alone = table_with(given.plot("cactus"), "leads", "short")
    most = max(row["y"] for row in alone)
    assert all(row["leads"] == (row["y"] == most) for row in alone)


def test_many_candidates_become_a_band_between_the_lowest_and_the_highest():
    given = runs(70)
    picture = dh.plot(given, "cactus")
    assert "58" in picture.see
    assert "grey band" in picture.see
    band = table_with(picture, "high")
    counts = sorted(solved(given, name) for name in given.candidates)
    assert (band[-1]["y"], band[-1]["high"]) == (counts[0], counts[-13])


def test_times_are_on_a_log_scale_only_where_most_are_short():
    short = Runs(
        candidate=["a"] * 5, instance=list("vwxyz"), time=[0.01, 0.1, 0.2, 1, 80], cutoff=100
    )
    spec = str(dh.plot(short, "cactus").spec())
    assert "'type': 'log'" in spec
    assert "'type': 'log'" not in str(dh.plot(runs(3), "cactus").spec())


def test_solved_runs_without_a_time_are_told():
    given = Runs(
        candidate=["a", "a"], instance=["i", "j"], status=["ok", "ok"], time=[1.0, float("nan")]
    )
    assert "1 solved without a time" in dh.plot(given, "cactus").alt


@pytest.mark.parametrize("kind", ["cactus", "performance-profile", "solved-by-family"])
def test_runs_of_which_none_is_solved_are_drawn(kind):
    given = Runs(candidate=["a", "b"], instance=["i", "i"], status=["TO"] * 2, time=[9.0] * 2)
    assert dh.plot(given, kind).svg().startswith("<svg")


@pytest.mark.parametrize("kind", ["cactus", "performance-profile"])
def test_runs_without_times_are_refused(kind):
    with pytest.raises(UsageError, match="no times"):
        dh.plot(Runs(candidate=["a"], instance=["i"], status=["ok"]), kind)


@pytest.mark.parametrize("kind", ["cactus", "performance-profile", "solved-by-family"])
def test_specifications_stay_small_also_with_long_names(kind):
    many = runs(300, m=60, families=20, names="x" * 190)
    assert size(dh.plot(many, kind)) < LONGEST


def test_cells_of_families_are_counts():
    given = runs(4)
    picture = dh.plot(given, "solved-by-family")
    cells = [cell for cell in table_with(picture, "i", "j", "v") if cell["v"] is not None]
    assert sum(cell["v"] for cell in cells) == int((~given.solved).sum())
    rows = {row["i"]: row["row"] for row in table_with(picture, "row")}
    columns = {row["j"]: row["column"] for row in table_with(picture, "column")}
    assert set(columns.values()) == {"family 0 (14)", "family 1 (13)", "family 2 (13)"}
    for cell in cells:
        family = int(columns[cell["j"]].split()[1])
        expected = sum(
            given.candidates[c] == rows[cell["i"]] and int(given.instances[k][1:]) % 3 == family
            and t >= CUTOFF
            for c, k, t in zip(given.candidate, given.instance, given.time, strict=True)
        )  # fmt: skip
        assert cell["v"] == expected > 0


def test_families_with_most_failures_come_first_and_who_lost_nothing_has_a_row():
    given = Runs(
        candidate=list("aaabbb"),
        instance=list("ijkijk"),
        stratum=["x", "y", "y"] * 2,
        status=["ok"] * 3 + ["ok", "TO", "TO"],
        time=[1.0] * 6,
        cutoff=9.0,
    )
    picture = given.plot("solved-by-family")
    columns = [row["column"] for row in table_with(picture, "column")]
    assert columns == ["y (2)"]  # nobody failed on a run of x
    assert [row["row"] for row in table_with(picture, "row")] == ["a", "b"]
    assert "100 % of the 2 failures are in y." in picture.see
    solved = Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok"] * 2, time=[1.0] * 2)
    assert not solved.plot("solved-by-family").shows


def test_of_the_first_few_only_the_families_that_they_lost_are_drawn():
    given = runs(30, m=80, families=40)
    ranking = [row["candidate"] for row in dh.rank(given).rows()]
    picture = given.plot("solved-by-family", top=1)
    best = given.candidates.index(ranking[0])
    lost = [
        given.strata[s]
        for s, c, solved in zip(given.categories, given.candidate, given.solved, strict=True)
        if c == best and not solved
    ]
    drawn = {row["column"].rsplit(" (", 1)[0] for row in table_with(picture, "column")}
    assert drawn <= {*lost, f"{len(set(lost)) - len(drawn) + 1} others"}
    assert f"{len(lost)} failures" in picture.see or f"the {len(lost)} failures" in picture.see


def test_families_have_the_order_of_the_ranking():
    given = runs(6)
    picture = dh.plot(given, "solved-by-family")
    ranking = [row["candidate"] for row in dh.rank(given).rows()]
    assert [row["row"] for row in table_with(picture, "row")] == ranking
    other = given.plot("solved-by-family", order=ranking[::-1], top=2)
    assert [row["row"] for row in table_with(other, "row")] == ranking[::-1][:2]
    least, most = (given.candidates.index(ranking[k]) for k in (-1, 0))
    assert (
        (given.solved[given.candidate == least]).sum()
        < (given.solved[given.candidate == most]).sum()
    )


def test_rank_lines_call_the_rule_as_people_do():
    ranking = dh.rank(runs(5), rule="par2", by="all")
    for each in (ranking, dh.load(ranking.to_json())):
        picture = each.plot("rank-lines")
        assert "Left: PAR2, then" in picture.see
        drawn = {
            row["function"] for rows in tables(picture.spec()) for row in rows if "rank" in row
        }
        assert "PAR2" in drawn
        assert "mean" not in drawn
    other = ranking.plot("rank-lines", asked="median")
    assert "Left: median, then" in other.see


def test_pictures_of_criteria_call_the_rule_as_people_do():
    found = dh.criteria(runs(5), rule="par2", by=["mean", "median"], trials=20)
    for each in (found, dh.load(found.to_json())):
        for kind in ("criteria", "stability"):
            said = str(each.plot(kind).spec()["datasets"])
            assert "'PAR2'" in said
            assert "'mean'" not in said


def test_families_without_room_are_merged_and_told():
    picture = dh.plot(runs(30, m=80, families=40), "solved-by-family", width="column")
    columns = table_with(picture, "column")
    assert columns[-1]["column"].split()[1] == "others"
    merged = int(columns[-1]["column"].split()[0])
    assert merged + len(columns) - 1 == 40
    assert f"The last column is {merged} families." in picture.see


@pytest.mark.parametrize("kind", ["cactus", "performance-profile", "solved-by-family"])
def test_the_command_draws_a_file_of_runs(tmp_path, kind):
    source, target = tmp_path / "runs.csv", tmp_path / "fig.svg"
    rows = [("a", "i", "easy", "ok", 1.5), ("a", "j", "hard", "timeout", 60)]
    rows += [("b", "i", "easy", "ok", 2.5), ("b", "j", "hard", "ok", 30)]
    with source.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("solver", "instance", "family", "status", "time"), *rows])
    asked = ["plot", str(source), kind, "-o", str(target), "--stratum", "family"]
    found = CliRunner().invoke(deadheat, asked)
    assert found.exit_code == 0, found.output
    assert target.read_text(encoding="utf-8").startswith("<svg")


def test_only_a_rule_that_says_so_is_in_seconds():
    assert unit_of(made_by("par2")) == unit_of(made_by("par7")) == "seconds"
    assert unit_of(made_by("parity")) == unit_of(made_by("solved")) == unit_of(made_by(None)) == ""


def made_by(rule):
    return SimpleNamespace(made={"rule": rule})


def test_runs_without_families_have_a_sentence_of_what_was_lost():
    runs = dh.Runs(
        candidate=[*"aabb"],
        instance=[*"xyxy"],
        time=[1.0, 2.0, 1.0, 9.0],
        cutoff=5.0,
    )
    picture = runs.plot("solved-by-family")
    assert picture.see == "a fails on 0 of 2 instances, the next on 1."
