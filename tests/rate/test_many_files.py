"""A log of many files: the same counts from one query, and from a task for each file."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import deadheat as dh
from deadheat.resampling import engines
from deadheat.resampling.engines import engine

FILE = Path(__file__).parents[2] / "benchmarks" / "make_big.py"


@pytest.fixture(scope="module")
def make_big():
    spec = importlib.util.spec_from_file_location("make_big", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def log(make_big, tmp_path_factory):
    folder = tmp_path_factory.mktemp("log")
    make_big.battles(folder, files=5, rows=400, candidates=7)
    (folder / "part-x.csv").write_text(
        "model_a,model_b,winner\n model 1 ,model 2,tie\nmodel 3,model 1,model_b\n", encoding="utf-8"
    )
    return folder


@pytest.fixture(scope="module", autouse=True)
def closed():
    yield
    engines.close()


@pytest.mark.parametrize("spec", ["serial", "threads:2", "processes:2", "dask:2"])
def test_every_engine_counts_the_same(log, spec):
    if spec.startswith("dask"):
        pytest.importorskip("distributed", reason="the extra dask is not installed")
    whole = dh.read_battles(log)
    assert whole.total == 2_002
    with engine(spec) as running:
        parts = dh.read_battles(log, engine=running)
    assert parts.sha256 == whole.sha256
    assert (parts.notes, parts.reading) == (whole.notes, whole.reading)
    rated = dh.rate(log, engine=spec, replicates=400, simulations=0)
    assert rated.rows() == dh.rate(whole, engine="serial", replicates=400, simulations=0).rows()


@pytest.mark.parametrize("spec", ["serial", "processes:2"])
@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("model 1,model 2,nonsense", "nonsense"),
        ("model 1,,model_a", "part-z.csv.*is empty"),
        ("model 1,model 1,tie", "battles with itself"),
    ],
)
def test_every_engine_refuses_the_same(log, tmp_path, spec, row, told):
    bad = tmp_path / "part-z.csv"
    bad.write_text(f"model_a,model_b,winner\nmodel 1,model 2,tie\n{row}\n", encoding="utf-8")
    with pytest.raises(dh.DeadheatError, match=told):
        dh.rate([log / "part-x.csv", bad], engine=spec, replicates=200)


def test_a_long_table_is_made(make_big, tmp_path):
    make_big.results(tmp_path / "r.parquet", rows=600, candidates=5)
    table = dh.read(tmp_path / "r.parquet", better="higher")
    assert (table.n, table.m) == (5, 120)
    make_big.results(tmp_path / "r", rows=200, candidates=5, files=3)
    table = dh.read(tmp_path / "r", better="higher")
    assert (table.n, table.m) == (5, 120)
