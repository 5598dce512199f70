"""The runner of sat-race: limits, statuses, order, agreement."""

from __future__ import annotations

import os
import signal
from collections import Counter
from contextlib import closing

import pytest

from sat_race import run as run_module
from sat_race.families.drawn import ksat
from sat_race.families.proofs import pigeonhole
from sat_race.race import Answers, DisagreementError, Job, in_random_order, race
from sat_race.run import Outcome, pack, satisfied, unpack
from sat_race.solvers import SOLVERS

CLAUSES = [[1, -2], [2, 3], [-1]]
MODEL = [-1, -2, 3]


def outcomes(monkeypatch, solve, *, clauses=CLAUSES, cutoff=10.0):
    """Run one job whose child does `solve` instead of asking a solver."""
    monkeypatch.setattr(run_module, "_solve", solve)
    job = Job("x", "i", 0)
    return [o for _, o in race([job], {("i", 0): pack(clauses)}, cutoff=cutoff, at_once=1)]


def saying(**facts):
    def solve(name, clauses, report, *, cutoff, memory):
        run_module._write(report, start=0.0)
        run_module._write(report, **facts)

    return solve


# --- one run


def test_packing_keeps_the_clauses():
    assert unpack(pack(CLAUSES)) == CLAUSES
    assert unpack(pack([])) == []


def test_a_model_is_checked_against_every_clause():
    packed = pack(CLAUSES)
    assert satisfied(packed, MODEL)
    assert not satisfied(packed, [-1, -2, -3])
    assert not satisfied(packed, [-1, 1, 2])


@pytest.mark.parametrize(
    ("answer", "model", "spent", "wanted"),
    [
        (True, MODEL, 1.0, Outcome("ok", "SAT", 1.0)),
        (True, [-1, -2, -3], 1.0, Outcome("wrong", "SAT", 1.0)),
        (True, [], 1.0, Outcome("wrong", "SAT", 1.0)),
        (False, [], 1.0, Outcome("ok", "UNSAT", 1.0)),
        (None, [], 1.0, Outcome("unknown", "", 1.0)),
        (False, [], 10.5, Outcome("timeout", "", 10.5)),
    ],
)
def test_what_the_child_reports_becomes_an_outcome(monkeypatch, answer, model, spent, wanted):
    solve = saying(answer=answer, model=model, cpu_time=spent)
    assert outcomes(monkeypatch, solve) == [wanted]


def test_a_child_that_never_ends_is_a_timeout(monkeypatch):
    def solve(name, clauses, report, *, cutoff, memory):
        timer = run_module.CpuTimer()
        run_module._write(report, start=0.0)
        timer.set(cutoff)
        while True:
            pass

    monkeypatch.setattr(run_module, "WALL_PER_CPU", 10_000.0)
    (outcome,) = outcomes(monkeypatch, solve, cutoff=0.1)
    assert outcome.status == "timeout"
    assert outcome.answer == ""
    assert outcome.cpu_time >= 0.1


def test_the_timer_tells_what_went_wrong(monkeypatch):
    monkeypatch.setattr(run_module.time, "CLOCK_PROCESS_CPUTIME_ID", 12_345)
    with pytest.raises(OSError, match="Invalid argument"):
        run_module.CpuTimer()


def test_a_child_that_only_waits_is_ended_by_the_clock_on_the_wall(monkeypatch):
    def solve(name, clauses, report, *, cutoff, memory):
        os.read(os.pipe()[0], 1)

    monkeypatch.setattr(run_module, "WALL_PER_CPU", 1.0)
    (outcome,) = outcomes(monkeypatch, solve, cutoff=0.1)
    assert outcome.status == "timeout wallclock"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MemoryError(), "memout"),
        (RuntimeError("terminate called after throwing std::bad_alloc"), "memout"),
        (ValueError("no such thing"), "crash"),
        (SystemExit(0), "crash"),
    ],
)
def test_a_child_that_fails_says_why(monkeypatch, error, status):
    def solve(name, clauses, report, *, cutoff, memory):
        raise error

    (outcome,) = outcomes(monkeypatch, solve)
    assert (outcome.status, outcome.answer) == (status, "")


def test_a_child_that_dies_of_a_signal_is_a_crash(monkeypatch):
    def solve(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    (outcome,) = outcomes(monkeypatch, solve)
    assert outcome.status == "crash"


# --- the race


def test_every_job_is_run_once_and_never_more_than_allowed_at_a_time(monkeypatch):
    monkeypatch.setattr(run_module, "_solve", saying(answer=False, model=[], cpu_time=0.1))
    alive = set()
    most = 0

    class Counted(run_module.Run):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            nonlocal most
            alive.add(self.pid)
            most = max(most, len(alive))

        def finish(self, *args):
            alive.discard(self.pid)
            return super().finish(*args)

    jobs = [Job(f"s{k}", "i", 0) for k in range(7)]
    runs = race(jobs, {("i", 0): pack(CLAUSES)}, cutoff=10, at_once=2, start=Counted)
    assert Counter(job for job, _ in runs) == Counter(jobs)
    assert most == 2


def test_closing_the_race_ends_its_processes(monkeypatch):
    started = []

    def solve(name, clauses, report, *, cutoff, memory):
        if name == "quick":
            saying(answer=False, model=[], cpu_time=0.1)(
                name, clauses, report, cutoff=cutoff, memory=memory
            )
        else:
            os.read(os.pipe()[0], 1)

    class Noted(run_module.Run):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            started.append(self.pid)

    monkeypatch.setattr(run_module, "_solve", solve)
    jobs = [Job("slow", "i", 0), Job("quick", "i", 0)]
    runs = race(jobs, {("i", 0): pack(CLAUSES)}, cutoff=10, at_once=2, start=Noted)
    with closing(runs):
        assert next(runs)[0].solver == "quick"
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_the_order_of_runs_depends_on_the_seed_alone():
    jobs = [Job(s, i, 0) for s in "abc" for i in "uvwxyz"]
    order = in_random_order(jobs, 1)
    assert sorted(order) == sorted(jobs)
    assert order == in_random_order(jobs[::-1], 1)
    assert order != in_random_order(jobs, 2)


def test_a_disagreement_names_both():
    answers = Answers()
    answers.check(Job("one", "i", 0), "ok", "SAT")
    answers.check(Job("two", "i", 0), "timeout", "")
    answers.check(Job("three", "j", 0), "ok", "UNSAT")
    with pytest.raises(DisagreementError, match=r"four says UNSAT on i .copy 2.*one said SAT"):
        answers.check(Job("four", "i", 2), "ok", "UNSAT")
    with pytest.raises(DisagreementError, match=r"five says SAT on k .*breaks a clause"):
        answers.check(Job("five", "k", 0), "wrong", "SAT")


# --- the solvers themselves


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_answers_small_problems(solver):
    pytest.importorskip("pysat.solvers", reason="python-sat comes with the extra `data`")
    formulas = {
        ("yes", 0): pack(ksat(1, k=3, variables=30, ratio=3.5)),
        ("no", 0): pack(pigeonhole(1, pigeons=5, holes=4)),
    }
    jobs = [Job(solver, "yes", 0), Job(solver, "no", 0)]
    found = {job.instance: o for job, o in race(jobs, formulas, cutoff=10, at_once=1)}
    assert {name: (o.status, o.answer) for name, o in found.items()} == {
        "yes": ("ok", "SAT"),
        "no": ("ok", "UNSAT"),
    }


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_hard_problem_times_out_under_every_solver(solver, monkeypatch):
    """The Maple solvers catch SIGALRM, and once outlived their limit by that."""
    pytest.importorskip("pysat.solvers", reason="python-sat comes with the extra `data`")
    monkeypatch.setattr(run_module, "WALL_PER_CPU", 10_000.0)
    formulas = {("no", 0): pack(pigeonhole(1, pigeons=14, holes=13))}
    ((_, outcome),) = race([Job(solver, "no", 0)], formulas, cutoff=0.3, at_once=1)
    assert outcome.status == "timeout"
    assert outcome.cpu_time >= 0.3
