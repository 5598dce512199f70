"""Every engine gives the same bytes, for every plan, function and command that resamples."""

from __future__ import annotations

import hashlib
import sys
import textwrap
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from multiprocessing import get_context
from subprocess import run

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import functions
from deadheat.resampling.engines import engine
from deadheat.resampling.plans import Bayesian, Bootstrap, Jackknife, Subsample
from deadheat.resampling.replicate import replicate

PAIRS = tuple("aabbccddeeff")
PLANS = {
    "bootstrap": Bootstrap(),
    "both": Bootstrap(over="both"),
    "stratified": Bootstrap(strata=PAIRS),
    "clustered": Bootstrap(clusters=PAIRS),
    "two levels": Bootstrap(clusters=PAIRS, levels=2),
    "bayesian": Bayesian(),
    "subsample": Subsample(),
    "jackknife": Jackknife(labels=tuple(range(12))),
}
OTHERS = ("threads:2", "processes:2", "dask:2")


@cache
def table():
    scores = np.random.default_rng(0).random((5, 12)).round(1) + 0.1
    return dh.Results(scores=scores, better="higher", clusters=list(PAIRS))


@cache
def log():
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, 6, (2, 300))
    keep = left != right
    names = np.array([f"m{k}" for k in range(6)])
    winner = rng.choice(["left", "right", "tie"], 300)
    return dh.Battles(left=names[left[keep]], right=names[right[keep]], winner=winner[keep])


def digest(found):
    return hashlib.sha256(repr((found.rows(), found.facts(), found.warnings)).encode()).hexdigest()


QUESTIONS = {
    "verdict": partial(dh.verdict, by="mean", strict=True, interval="bootstrap-t", replicates=2001),
    "verdict of duels": partial(dh.verdict, by="copeland", replicates=999),
    "verdict by sign-flips": partial(dh.verdict, by="mean", p_value="sign-flip", replicates=2_001),
    "compare": lambda table, **on: dh.compare(table, *table.candidates[:2], replicates=1_999, **on),
    "criteria": partial(dh.criteria, trials=120, q=5, repeats=2),
    "convergence": partial(dh.convergence, by="mean", trials=20),
    "influence": partial(dh.influence, by="mean"),
    "influence of duels": partial(dh.influence, by="copeland"),
    "rate": partial(dh.rate, replicates=400, simulations=19),
    "rate a log": lambda _, **on: dh.rate(log(), replicates=400, simulations=19, **on),
    "axioms": lambda _, **on: dh.axioms("mean,copeland", budget=200, **on),
    "axioms of a table": lambda table, **on: dh.axioms("copeland", table=table, **on),
}  # fmt: skip


@cache
def expected(name):
    return digest(QUESTIONS[name](table(), engine="serial"))


@pytest.mark.parametrize("spec", OTHERS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_command(on, spec, name):
    assert digest(QUESTIONS[name](table(), engine=on(spec))) == expected(name)


@pytest.mark.parametrize("spec", OTHERS)
def test_every_plan_and_every_function(on, spec):
    many = [(f, PLANS["bootstrap"]) for f in functions()]
    many += [(functions()[0], plan) for plan in PLANS.values()]
    for f, plan in many:
        size = {"replicates": 1_100 if f.cost == "n m" else 40} if plan.random else {}
        here, there = (
            replicate(table(), f, replace(plan, **size), on=where)[0]
            for where in ("serial", on(spec))
        )
        assert here.dtype == there.dtype, f.name
        assert here.tobytes() == there.tobytes(), (f.name, plan)


def test_executors_of_the_user_s_own():
    with ThreadPoolExecutor(2) as threads:
        assert digest(QUESTIONS["verdict"](table(), engine=threads)) == expected("verdict")
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert digest(QUESTIONS["verdict"](table(), engine=processes)) == expected("verdict")
        assert processes.submit(abs, -3).result() == 3  # it stays open


def test_a_client_of_the_user_s_own(on):
    on("dask")
    with engine("dask:2") as running:
        client = running.client
    assert digest(QUESTIONS["verdict"](table(), engine=client)) == expected("verdict")


class Counting(ProcessPoolExecutor):
    """Count how often what the tasks share is sent."""

    def __init__(self):
        super().__init__(2, get_context("spawn"))
        self.whole = self.tasks = 0

    def submit(self, fn, /, *args, **kwargs):
        self.tasks += 1
        self.whole += fn.whole
        return super().submit(fn, *args, **kwargs)


def test_the_table_is_sent_once_to_each_worker_and_not_with_each_task():
    with Counting() as pool, engine(pool) as running:
        assert list(running.map(abs, range(-200, 0))) == [*range(200, 0, -1)]
    assert pool.tasks >= 200
    assert pool.whole <= pool.tasks // 5  # whoever lacks it says so; how many wait then is chance


@pytest.mark.parametrize("spec", ["processes:2", "dask:2"])
def test_progress_is_told_from_anywhere(on, spec):
    told = []
    dh.compare(table(), *table().candidates[:2], replicates=4_000, engine=on(spec),
               progress=lambda done, number: told.append((done, number)))  # fmt: skip
    assert told == [(k + 1, 4) for k in range(4)]


@pytest.mark.parametrize("spec", ["processes:2", "dask:2"])
def test_functions_that_no_module_holds(on, spec):
    power = 2.0

    def own(scores, judge_weights, candidate_weights):
        return judge_weights @ (scores**power).T

    f = dh.ranks_scores("own_power", scale="interval", shared_scale=True)(own)
    here, there = (
        dh.verdict(table(), by=f, replicates=500, engine=e) for e in ("serial", on(spec))
    )
    assert digest(here) == digest(there)


@pytest.mark.parametrize("spec", ["processes:2", "dask:2"])
def test_a_function_that_cannot_travel_says_so(on, spec):
    lock = threading.Lock()

    def own(scores):
        with lock:
            return scores.mean(axis=1)

    f = dh.ranks_table("own_lock", scale="interval", shared_scale=True)(own)
    with pytest.raises(dh.UsageError, match=r"cannot be sent to other processes.*lock") as error:
        dh.verdict(table(), by=f, replicates=200, engine=on(spec))
    assert "engine='threads'" in str(error.value)


def fails_in_a_worker(k):
    import multiprocessing

    if multiprocessing.parent_process() is not None:
        raise ModuleNotFoundError("No module named 'mine'")
    return k


@pytest.mark.parametrize("spec", ["processes:2", "dask:2"])
def test_what_fails_in_a_worker_alone_is_the_worker_s_fault(on, spec):
    with pytest.raises(dh.UsageError, match="No module named 'mine'"), engine(on(spec)) as running:
        list(running.map(fails_in_a_worker, range(3)))


@pytest.mark.parametrize("spec", ["threads:2", "processes:2", "dask:2"])
def test_an_error_of_one_s_own_function_keeps_its_place(on, spec):
    @dh.ranks_table("own_fault", scale="interval", shared_scale=True)
    def own(scores):
        raise ZeroDivisionError("at the third judge")

    with pytest.raises(dh.DeadheatError) as error:
        dh.verdict(table(), by=own, replicates=200, engine=on(spec))
    assert "at the third judge" in str(error.value)
    frames = []
    place = error.value.__cause__.__traceback__
    while place is not None:
        frames.append(place.tb_frame.f_code.co_name)
        place = place.tb_next
    assert "own" in frames


def test_a_program_without_a_guard_has_processes(tmp_path):
    """Other libraries run the main program again in every worker."""
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import deadheat as dh
        print("once")
        table = dh.Results(scores=[[1, 2, 3], [3, 2, 2], [0, 1, 0]], better="higher")
        square = dh.ranks_table("square", scale="interval", shared_scale=True)(
            lambda scores: (scores**2).sum(axis=1)
        )
        print(dh.verdict(table, by=square, replicates=300, engine="processes:2").groups)
        """),
        encoding="utf-8",
    )
    done = run([sys.executable, program], capture_output=True, text=True, timeout=600, check=False)
    assert done.stderr == ""
    assert done.stdout.count("once") == 1
