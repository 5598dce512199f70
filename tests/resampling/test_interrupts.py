"""Ctrl-C leaves no worker, no scheduler and no half-written file behind, on any engine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROCESSES = Path("/proc")
PATIENCE = 60
pytestmark = pytest.mark.skipif(not PROCESSES.is_dir(), reason="no list of processes here")
OWN = """
import pathlib, time
import deadheat
@deadheat.ranks_table("own", scale="interval", shared_scale=True)
def own(scores):
    pathlib.Path(__file__).with_name("begun").touch()
    time.sleep(0.02)
    return scores.mean(axis=1)
"""
PROGRAM = """
import deadheat as dh, sys
from own import own
if __name__ == "__main__":
    try:
        dh.verdict(sys.argv[2], better="higher", by=own, replicates=5_000, engine=sys.argv[1])
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
"""


def of_session(session):
    found = []
    for entry in PROCESSES.iterdir():
        if entry.name.isdecimal():
            try:
                state, _, _, its = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(its) == session and state != "Z":
                found.append(int(entry.name))
    return found


def eventually(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("spec", ["processes:2", "dask:2"])
@pytest.mark.parametrize("how", ["command", "program"])
@pytest.mark.parametrize("when", ["at once", "at work"])
def test_nothing_is_left(tmp_path, spec, how, when):
    if spec.startswith("dask"):
        pytest.importorskip("distributed", reason="the extra dask is not installed")
    (tmp_path / "tmp").mkdir()
    table = tmp_path / "t.csv"
    table.write_text("model,a,b,c\nx,3,2,1\ny,1,2,2\nz,0,1,0\n", encoding="utf-8")
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    command = ["-m", "deadheat", "verdict", table, "--better", "higher", "--by", "own.py:own",
               "--replicates", "5000", "--engine", spec, "-o", "out.json"]  # fmt: skip
    words = command if how == "command" else ["program.py", spec, table]
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
        start_new_session=True,
    )
    if when == "at work":
        eventually((tmp_path / "begun").exists)
    else:
        eventually(lambda: len(of_session(process.pid)) > (2 if how == "command" else 1))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody hears it
    text, noise = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, noise
    told = noise if how == "command" else text  # in a program Dask's own may complain meanwhile
    assert told.decode().strip() == "interrupted"
    eventually(lambda: not of_session(process.pid))
    left = {path.name for path in tmp_path.iterdir()} - {"__pycache__", "begun"}
    assert left == {"t.csv", "own.py", "program.py", "tmp"}
    assert not list((tmp_path / "tmp").iterdir())
