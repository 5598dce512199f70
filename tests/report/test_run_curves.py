"""Curves over time against counting run by run."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.core.errors import UsageError
from deadheat.data.runs import Runs
from deadheat.report.plots.runs import (
    profile as profile_of,
)
from deadheat.report.plots.runs import (
    solved_by,
    solved_by_stratum,
    time_span,
)

WORDS = ("ok", "timeout", "crash", "wrong", "memout")
CUTOFF = 10.0


def rows_of(seed, *, n=4, m=9, seeds=2, absent=0.1):
    """Rows (candidate, instance, seed, status, time, stratum) with ties, zeros, NaN and gaps."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        for j in range(m):
            for s in range(seeds):
                if rng.random() < absent:
                    continue
                status = WORDS[rng.integers(len(WORDS))] if rng.random() < 0.5 else "ok"
                time = float(rng.integers(0, 11))
                if status == "timeout":
                    time = CUTOFF
                if rng.random() < 0.05:
                    time = float("nan")
                rows.append((f"c{i}", f"i{j}", f"s{s}", status, time, f"f{j % 3}"))
    return rows


def runs_of(rows):
    names = ("candidate", "instance", "seed", "status", "time", "stratum")
    columns = zip(*rows, strict=True)
    return Runs(**{k: list(v) for k, v in zip(names, columns, strict=True)}, cutoff=CUTOFF)


@pytest.mark.parametrize("seed", range(8))
def test_a_cactus_counts_the_solved_runs_up_to_each_time(seed):
    rows = rows_of(seed)
    found = solved_by(runs_of(rows))
    grid = np.linspace(0, 12, 49)
    for curve in found.curves:
        mine = [r for r in rows if r[0] == curve.candidate and r[3] == "ok"]
        expected = [sum(r[4] <= t for r in mine) for t in grid]
        assert curve.at(grid).tolist() == expected
    assert found.untimed == sum(r[3] == "ok" and r[4] != r[4] for r in rows)
    assert found.whole == len({(r[1], r[2]) for r in rows})
    assert found.cutoff == CUTOFF
    assert found.noun == "runs"


def test_a_timeout_is_never_solved_at_the_cutoff():
    runs = Runs(
        candidate=["a", "a", "b", "b"],
        instance=["i", "j", "i", "j"],
        status=["ok", "timeout", "ok", "ok"],
        time=[CUTOFF, CUTOFF, 1.0, 2.0],
        cutoff=CUTOFF,
    )
    best, other = solved_by(runs).curves
    assert (best.candidate, other.candidate) == ("b", "a")
    assert other.at(np.array([9.9, CUTOFF, 99.0])).tolist() == [0, 1, 1]
    profile = {c.candidate: c for c in profile_of(runs).curves}
    assert profile["a"].at(np.array([1.0, 9.9, 10.0, 1e9])).tolist() == [0, 0, 0.5, 0.5]


def test_without_a_status_a_time_at_the_cutoff_is_a_timeout():
    runs = Runs(candidate=["a", "b"], instance=["i", "i"], time=[CUTOFF, 3.0], cutoff=CUTOFF)
    heights = {c.candidate: c.at(np.array([CUTOFF]))[0] for c in solved_by(runs).curves}
    assert heights == {"a": 0, "b": 1}


def test_the_best_solves_most_and_among_equals_needs_least_time():
    runs = Runs(
        candidate=["slow", "slow", "fast", "fast", "few", "few"],
        instance=["i", "j"] * 3,
        status=["ok", "ok", "ok", "ok", "ok", "TO"],
        time=[5.0, 6.0, 1.0, 2.0, 0.1, 60.0],
    )
    found = solved_by(runs)
    assert [c.candidate for c in found.curves] == ["fast", "slow", "few"]
    assert (found.cutoff, found.noun, found.untimed) == (None, "instances", 0)


@pytest.mark.parametrize("seed", range(8))
def test_a_profile_is_the_share_within_a_factor_of_the_fastest(seed):
    rows = rows_of(seed)
    found = profile_of(runs_of(rows))
    good = [r for r in rows if r[3] == "ok" and r[4] == r[4]]
    least = min(r[4] for r in good if r[4] > 0)
    problems = {(r[1], r[2]) for r in rows}
    for curve in found.curves:
        for factor in (1.0, 1.5, 2.0, 5.0, 1e6):
            within = 0
            for problem in problems:
                times = {r[0]: max(r[4], least) for r in good if (r[1], r[2]) == problem}
                if curve.candidate in times:
                    fastest = min(times.values())
                    within += times[curve.candidate] / fastest <= factor
            assert curve.at(np.array([factor]))[0] == pytest.approx(within / len(problems))


def test_dolan_and_more_by_hand():
    """Three problems; b is fastest once and fails once, p3 is solved by nobody."""
    runs = Runs(
        candidate=["a", "b"] * 3,
        instance=["p1", "p1", "p2", "p2", "p3", "p3"],
        status=["ok", "ok", "ok", "TO", "TO", "TO"],
        time=[4.0, 2.0, 3.0, 9.0, 9.0, 9.0],
    )
    a, b = profile_of(runs).curves
    assert (a.candidate, b.candidate) == ("a", "b")
    assert a.at(np.array([1.0, 1.99, 2.0])).tolist() == pytest.approx([1 / 3, 1 / 3, 2 / 3])
    assert b.at(np.array([1.0, 100.0])).tolist() == pytest.approx([1 / 3, 1 / 3])


@pytest.mark.parametrize("most", [2, 3, 7, 50])
def test_a_thinned_curve_keeps_right_heights_and_both_ends(most):
    curve = solved_by(runs_of(rows_of(1, m=60))).curves[0]
    thin = curve.thinned(most)
    assert len(thin.places) <= most
    assert thin.heights.tolist() == curve.at(thin.places).tolist()
    assert (thin.places[0], thin.places[-1]) == (curve.places[0], curve.places[-1])
    grid = np.linspace(0, 12, 97)
    assert (thin.at(grid) <= curve.at(grid)).all()


def test_a_curve_at_several_places_is_that_at_each():
    grid = np.linspace(0, 11, 23)
    for curve in solved_by(runs_of(rows_of(2))).curves:
        assert curve.at(grid).tolist() == [curve.at(np.array([t]))[0] for t in grid]


def test_a_candidate_that_solves_nothing_has_a_curve_at_0():
    runs = Runs(candidate=["a", "b"], instance=["i", "i"], status=["TO", "TO"], time=[9.0, 9.0])
    for found in (solved_by(runs), profile_of(runs)):
        assert [c.at(np.array([0.0, 9.0, 1e9])).tolist() for c in found.curves] == [[0, 0, 0]] * 2


def test_runs_without_times_have_no_curve():
    runs = Runs(candidate=["a"], instance=["i"], status=["ok"])
    with pytest.raises(UsageError, match="have no times"):
        solved_by(runs)


@pytest.mark.parametrize("seed", range(4))
def test_strata_count_run_by_run(seed):
    rows = rows_of(seed)
    found = solved_by_stratum(runs_of(rows))
    for s, stratum in enumerate(found.strata):
        assert found.sizes[s] == len({(r[1], r[2]) for r in rows if r[5] == stratum})
        for i, name in enumerate(found.candidates):
            expected = sum(r[0] == name and r[5] == stratum and r[3] == "ok" for r in rows)
            assert found.solved[s, i] == expected
    totals = found.solved.sum(axis=0)
    assert (np.diff(totals) <= 0).all()
    assert (np.diff(found.failures.sum(axis=1)) <= 0).all()


def test_many_strata_become_those_with_most_failures_and_the_others():
    rows = [("a", f"{f}-{k}", "", "TO", 1.0, f"f{f}") for f in range(6) for k in range(f + 1)]
    found = solved_by_stratum(runs_of(rows))
    few = found.at_most(3)
    assert few.strata == ("f5", "f4", "4 others")
    assert few.sizes.tolist() == [6, 5, 10]
    assert few.solved.sum() == found.solved.sum()
    assert (few.merged, found.merged) == (4, 0)
    assert found.at_most(6) is found


def test_runs_without_strata_are_one_stratum():
    found = solved_by_stratum(Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "TO"]))
    assert found.strata == ("all",)
    assert found.solved.tolist() == [[1, 0]]


def test_a_stratum_without_a_name_is_told():
    rows = [("a", "i", "", "ok", 1.0, "f"), ("a", "j", "", "ok", 1.0, "")]
    assert set(solved_by_stratum(runs_of(rows)).strata) == {"f", "(none)"}


@pytest.mark.parametrize(
    ("times", "cutoff", "expected"),
    [
        ([0.03, 0.5, 2.0, 90.0], 100.0, (0.02, 100.0, True)),
        ([30.0, 50.0, 60.0], 100.0, (0.0, 100.0, False)),
        ([30.0, 50.0, 60.0], None, (0.0, 60.0, False)),
        ([0.0, 0.0, 0.0, 4.0], 100.0, (2.0, 100.0, True)),
        ([0.0, 0.0], 100.0, (0.0, 100.0, False)),
        ([0.0, 0.0], None, (0.0, 1.0, False)),
    ],
)
def test_the_axis_of_times_is_logarithmic_where_most_are_solved_early(times, cutoff, expected):
    names = [f"i{k}" for k in range(len(times))]
    runs = Runs(
        candidate=["a"] * len(times),
        instance=names,
        time=times,
        cutoff=cutoff,
        status=["ok"] * len(times),
    )
    assert time_span(solved_by(runs)) == pytest.approx(expected)


def test_a_height_is_reached_at_the_first_time_that_has_it():
    curve = solved_by(
        Runs(candidate=["a"] * 3, instance=["i", "j", "k"], status=["ok"] * 3, time=[4, 1, 9])
    ).curves[0]
    assert [curve.time_to_reach(h) for h in (0.5, 1, 1.5, 3, 4)] == [1, 1, 4, 9, float("inf")]
