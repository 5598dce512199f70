"""A cluster that loses workers, is lost itself, is not there, or has other versions."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from deadheat.resampling import cluster, engines
from deadheat.resampling.engines import engine

distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
PATIENCE = 60


def slowly(folder, k):
    """Leave a mark, then wait until somebody has seen it."""
    (folder / f"{k}-{os.getpid()}").touch()
    until = time.monotonic() + PATIENCE
    while not (folder / "go").exists() and time.monotonic() < until:
        time.sleep(0.01)
    return np.full(3, k)


def marks(folder, number):
    until = time.monotonic() + PATIENCE
    while len(found := [path for path in folder.iterdir() if "-" in path.name]) < number:
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


@pytest.mark.parametrize("number", [1, 2])
def test_a_killed_worker_changes_nothing(tmp_path, number):
    """Also when it was the last one: what it held is sent again to the one in its place."""
    with engine("dask:2") as running:
        answers = running.map(partial(slowly, tmp_path), range(12))
        first = iter(answers)
        head = None

        def killing():
            for path in marks(tmp_path, 2)[:number]:
                os.kill(int(path.name.partition("-")[2]), signal.SIGKILL)
            (tmp_path / "go").touch()

        thread = threading.Thread(target=killing)
        thread.start()
        head = next(first)
        thread.join()
        rest = list(first)
    assert np.array_equal([head, *rest], [[k] * 3 for k in range(12)])


def free_port():
    with socket.socket() as waiting:
        waiting.bind(("127.0.0.1", 0))
        return waiting.getsockname()[1]


@contextlib.contextmanager
def running(*words, **environment):
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def scheduler(tmp_path):
    port = free_port()
    flags = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    with running("distributed.cli.dask_scheduler", *flags) as process:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield process, f"127.0.0.1:{port}"


def worker(tmp_path, address, **environment):
    where = ["--local-directory", str(tmp_path), "--no-dashboard", "--nthreads", "1"]
    where += ["--host", "127.0.0.1", "--no-nanny"]
    here = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    known = {"PYTHONPATH": here} | environment  # of the functions in this file
    return running("distributed.cli.dask_worker", f"tcp://{address}", *where, **known)


def workers_at(address, number):
    with distributed.Client(f"tcp://{address}", timeout=PATIENCE, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=PATIENCE)


@pytest.fixture
def patience(monkeypatch):
    monkeypatch.setattr(cluster, "WITHOUT_WORKERS", 1.0)
    monkeypatch.setattr(cluster, "PATIENCE", 2.0)


TABLE = dh.Results(scores=np.random.default_rng(0).random((4, 20)), better="higher")


@pytest.mark.usefixtures("patience")
def test_a_scheduler_elsewhere_without_workers_with_them_and_lost(tmp_path):
    go = tmp_path / "marks"
    go.mkdir()
    with scheduler(tmp_path) as (process, address):
        spec = f"dask://{address}"
        with pytest.raises(dh.UsageError, match=f"{address} has no worker"):
            dh.verdict(TABLE, engine=spec, replicates=200)
        with worker(tmp_path, address):
            workers_at(address, 1)
            here, there = (
                dh.verdict(TABLE, engine=on, replicates=1_500).rows() for on in ("serial", spec)
            )
            assert here == there
            with engine(spec) as opened:
                answers = iter(opened.map(partial(slowly, go), range(5)))
                threading.Thread(target=lambda: (marks(go, 1), process.kill())).start()
                with pytest.raises(dh.UsageError, match="ended before its work") as error:
                    next(answers)
            assert address in str(error.value)
            assert "engine='processes:1'" in str(error.value)
            engines.close(spec)


@pytest.mark.usefixtures("patience")
def test_a_cluster_without_workers_is_lost(tmp_path):
    go = tmp_path / "marks"
    go.mkdir()
    with scheduler(tmp_path) as (_, address), worker(tmp_path, address) as only:
        workers_at(address, 1)
        with engine(f"dask://{address}") as opened:
            answers = iter(opened.map(partial(slowly, go), range(5)))
            threading.Thread(target=lambda: (marks(go, 1), only.kill())).start()
            with pytest.raises(dh.UsageError, match="ended before its work"):
                next(answers)
        engines.close(f"dask://{address}")


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise ImportError('No module named deadheat')", "No module named 'deadheat'"),
        ("__version__ = '0.0.1'", "has deadheat 0.0.1, this process"),
    ],
    ids=["absent", "another version"],
)
def test_workers_with_other_packages_are_refused(tmp_path, code, said):
    (tmp_path / "deadheat.py").write_text(code, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with scheduler(tmp_path) as (_, address), worker(tmp_path, address, PYTHONPATH=path):
        workers_at(address, 1)
        with pytest.raises(dh.UsageError, match=said) as error:
            dh.verdict(TABLE, engine=f"dask://{address}", replicates=200)
    assert "pip install" in str(error.value)


@pytest.mark.usefixtures("patience")
def test_whoever_does_not_answer_is_told_soon():
    begin = time.monotonic()
    port = free_port()
    with pytest.raises(dh.UsageError, match=f"no Dask scheduler answers at 127.0.0.1:{port}") as e:
        dh.verdict(TABLE, engine=f"dask://127.0.0.1:{port}")
    assert f"start one there at port {port}" in str(e.value)
    with socket.socket() as silent:  # somebody else's port
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(dh.UsageError, match=f"no Dask scheduler answers at {place}"):
            dh.verdict(TABLE, engine=f"dask://{place}")
    with pytest.raises(dh.UsageError, match=r"no Dask scheduler answers at nowhere\.invalid:8786"):
        dh.verdict(TABLE, engine="dask://nowhere.invalid")
    assert time.monotonic() - begin < PATIENCE / 2


@pytest.mark.parametrize("place", ["", ":8786", "host:", "host:port", "host:99999", "host:0"])
def test_what_is_no_address_is_refused(place):
    with pytest.raises(dh.UsageError, match="not the address of a scheduler"):
        dh.verdict(TABLE, engine=f"dask://{place}")


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(dh.UsageError, match="needs the package distributed") as error:
        dh.verdict(TABLE, engine="dask:7")
    assert "pip install 'deadheat[dask]'" in str(error.value)
