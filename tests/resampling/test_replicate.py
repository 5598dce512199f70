"""The engine never changes a bit of the answer."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import deadheat as dh
from deadheat.core.errors import MissingScoresError, UsageError
from deadheat.ranking.function import get
from deadheat.resampling.engines import engine
from deadheat.resampling.plans import Bootstrap, blocks
from deadheat.resampling.replicate import replicate

PLAN = Bootstrap(over="both", replicates=2_100, seed=5)
NAMES = ("mean", "median", "average_rank", "relative_difference_ranks", "copeland", "ranked_pairs")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    return dh.Results(
        scores=rng.random((5, 7)).round(1), better="higher", judge_weights=[1, 1, 1, 2, 1, 1, 1]
    )


@pytest.fixture(scope="module")
def serial(table):
    return {name: replicate(table, get(name), PLAN, on="serial")[0] for name in NAMES}


def test_the_engine_changes_nothing(table, serial):
    with ThreadPoolExecutor(3) as pool:
        for on in ("threads", "threads:2", pool):
            for name in NAMES:
                merits, _ = replicate(table, get(name), PLAN, on=on)
                assert np.array_equal(merits, serial[name], equal_nan=True)


def test_a_replicate_is_the_copied_table(table, serial):
    """Row by row, merits are those of the table in which weights are repetitions."""
    drawn = [PLAN.draw(k, table.n, table.m) for k in blocks(PLAN, table.n, table.m)]
    judges = np.concatenate([w.judges for w in drawn]) * table.weights
    candidates = np.concatenate([w.candidates for w in drawn])
    for b in range(0, PLAN.replicates, 151):
        times = candidates[b].astype(int)
        copied = np.repeat(table.scores, judges[b].astype(int), axis=1)
        copied = np.repeat(copied, times, axis=0)
        for name in ("mean", "median", "average_rank", "copeland"):
            whole = get(name)(copied)[0]
            mine = np.repeat(serial[name][b], times)
            assert mine == pytest.approx(whole, abs=1e-12)
        assert np.isnan(serial["mean"][b][times == 0]).all()


def test_a_table_that_cannot_be_ranked_is_refused_before_the_work():
    holey = dh.Results(scores=[[1, np.nan], [2, 3]], better="higher")
    with pytest.raises(MissingScoresError):
        replicate(holey, get("mean"), PLAN)


@pytest.mark.parametrize(
    "spec", ["thread", "threads:0", "processes:0", "threads:x", "dask:x", "dasks://nowhere"]
)
def test_an_unknown_engine_is_refused(spec):
    with pytest.raises(UsageError, match="unknown engine"), engine(spec):
        pass


def test_functions_travel_to_other_processes_by_name(table, serial):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for name in ("mean", "copeland"):
            merits, _ = replicate(table, get(name), PLAN, on=pool)
            assert np.array_equal(merits, serial[name], equal_nan=True)


def test_overlapping_engines_give_the_threads_of_blas_back():
    before = {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}
    outer, inner = engine("serial"), engine("serial")
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
    inner.__exit__(None, None, None)
    assert {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()} == before
