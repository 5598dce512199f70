"""Finished blocks outlive the run, serve the same question, and no other."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import numpy as np
import pytest

import deadheat as dh
from deadheat.core import files
from deadheat.resampling import checkpoint
from deadheat.resampling.engines import engine

SCORES = np.random.default_rng(0).random((6, 30)).round(2)
TABLE = dh.Results(scores=SCORES, better="higher")
QUESTIONS = {
    "verdict": partial(dh.verdict, by="mean", strict=True, replicates=3_000),
    "compare": lambda table, **how: dh.compare(table, *table.candidates[:2], **how),
    "criteria": partial(dh.criteria, trials=120, q=5, repeats=2),
    "influence": dh.influence,
    "rate": partial(dh.rate, replicates=400, simulations=19),
}
PATIENCE = 60


def said(found):
    return found.rows(), found.facts(), found.verdict


def blocks(folder):
    """Return the times of blocks by name; one that was killed leaves a hidden file behind."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("[!.]*-*")}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_asked_again_computes_nothing(tmp_path, name):
    ask = QUESTIONS[name]
    first = said(ask(TABLE, engine="threads:2", checkpoint=tmp_path))
    kept = blocks(tmp_path)
    assert kept

    class Idle:
        asked = True

        def map(self, fn, *iterables):
            items = [*zip(*iterables, strict=True)]
            assert not (items and self.asked)
            return [fn(*each) for each in items]  # what is asked of the answer later

    idle = Idle()
    again = ask(TABLE, engine=idle, checkpoint=tmp_path)
    idle.asked = False
    assert said(again) == first == said(ask(TABLE))
    assert blocks(tmp_path) == kept


def test_what_is_asked_of_the_answer_later_is_not_kept(tmp_path):
    found = dh.verdict(TABLE, by="mean", replicates=1_500, checkpoint=tmp_path)
    kept = blocks(tmp_path)
    assert found.compare(*TABLE.candidates[:2]).rows()
    assert found.table("pairs").rows()
    assert blocks(tmp_path) == kept


def test_spoilt_blocks_are_computed_again(tmp_path):
    ask = partial(dh.verdict, TABLE, by="mean", replicates=3_000, checkpoint=tmp_path)
    first = said(ask())
    for name in blocks(tmp_path):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[:-20])
    assert said(ask()) == first


def square(scores):
    return (scores**2).sum(axis=1)


def cube(scores):
    return (scores**3).sum(axis=1)


def own(kernel):
    return dh.RankingFunction(
        name=kernel.__name__, kernel=kernel, form="table", scale="interval", shared_scale=True
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"table": dh.Results(scores=SCORES + 1, better="higher")}, "belong to other data"),
        ({"seed": 1}, "belong to seed=0, not to seed=1"),
        ({"replicates": 700}, "belong to replicates=600, not to replicates=700"),
        ({"by": own(cube)}, "belong to another by"),
        ({"ask": dh.compare}, "belong to verdict, not to compare"),
        ({"version": "0.0.1"}, "belong to deadheat"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_the_blocks_of_another_question_are_refused(tmp_path, monkeypatch, change, told):
    usual = {"by": own(square), "seed": 0, "replicates": 600}
    dh.verdict(TABLE, **usual, checkpoint=tmp_path)
    kept = blocks(tmp_path)
    asked = {"ask": dh.verdict, "table": TABLE, "version": "", **usual, **change}
    if asked.pop("version"):
        monkeypatch.setattr(checkpoint, "__version__", change["version"])
    ask, table = asked.pop("ask"), asked.pop("table")
    names = table.candidates[:2] if ask is dh.compare else ()
    with pytest.raises(dh.UsageError, match=told) as error:
        ask(table, *names, **asked, checkpoint=tmp_path)
    assert f"checkpoint='{tmp_path}-2'" in str(error.value)
    assert blocks(tmp_path) == kept


def test_a_function_of_one_s_own_that_was_changed_is_another(tmp_path):
    table, own = tmp_path / "t.csv", tmp_path / "own.py"
    table.write_text("model,a,b,c\nx,3,2,1\ny,1,2,2\nz,0,1,0\n", encoding="utf-8")
    code = (
        "import deadheat as dh\n@dh.ranks_table('own', scale='interval', shared_scale=True)\n"
        "def own(scores):\n    return (scores**{}).sum(axis=1)\n"
    )
    command = [sys.executable, "-m", "deadheat", "verdict", table, "--better", "higher", "--by"]
    command += [f"{own}:own", "--replicates", "300", "--checkpoint", tmp_path / "kept", "-q"]
    ends = []
    for power in (2, 2, 3):
        own.write_text(code.format(power), encoding="utf-8")
        done = subprocess.run([*command, "--engine", "processes:2"], capture_output=True, text=True,
                              check=False, timeout=PATIENCE)  # fmt: skip
        ends.append((done.returncode, done.stdout, done.stderr))
    assert ends[0] == ends[1]
    assert ends[0][0] == 0
    assert ends[2][0] == 2
    assert "belong to another --by" in ends[2][2]
    assert f"--checkpoint {tmp_path / 'kept-2'}" in ends[2][2]


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    flush = files.flush

    def full(path):
        if "request" not in path.name and path.is_file():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(path)

    monkeypatch.setattr(files, "flush", full)
    with pytest.raises(dh.UsageError, match="No space left on device") as error:
        dh.verdict(TABLE, by="mean", replicates=3_000, checkpoint=tmp_path)
    assert "make room there" in str(error.value)
    assert not blocks(tmp_path)


@pytest.mark.parametrize("make", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_refused(tmp_path, make):
    (tmp_path / "file").touch()
    with pytest.raises(dh.UsageError, match="cannot keep blocks in"):
        dh.verdict(TABLE, replicates=300, checkpoint=tmp_path / make)


def test_what_is_done_out_of_turn_is_kept_when_the_rest_fails(tmp_path):
    """The second block is there, the first never comes."""
    second = threading.Event()

    def work(k):
        if k == 0:
            assert second.wait(PATIENCE)
            raise ZeroDivisionError
        return k

    kept = {}

    def keep(place, answer):
        kept[place] = answer
        second.set()

    with pytest.raises(ZeroDivisionError), engine("threads:2") as running:
        list(running.map(work, range(3), keep=keep))
    assert kept.keys() <= {1, 2}
    assert kept


COUNTED = """
import os, pathlib, sys, time
import deadheat as dh
folder = pathlib.Path(sys.argv[1])
@dh.ranks_table("counted", scale="interval", shared_scale=True)
def counted(scores):
    with open(folder / "calls", "a") as file:
        file.write(".")
    if (folder / "slow").exists():
        time.sleep(0.001)
    return scores.mean(axis=1)
def main():
    table = dh.Results(scores=[[1, 2, 3, 3], [3, 2, 2, 1], [0, 1, 0, 5]], better="higher")
    found = dh.verdict(
        table, by=counted, replicates=4_000, engine=sys.argv[2], checkpoint=folder / "kept"
    )
    print(found.rows())
if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("spec", ["threads:1", "dask:2"])
def test_a_client_that_was_killed_goes_on_after_the_finished_blocks(tmp_path, spec):
    if spec.startswith("dask"):
        pytest.importorskip("distributed", reason="the extra dask is not installed")
    program, kept, calls = tmp_path / "program.py", tmp_path / "kept", tmp_path / "calls"
    program.write_text(COUNTED, encoding="utf-8")

    def begun(folder):
        return subprocess.Popen([sys.executable, program, folder, spec], stdout=subprocess.PIPE)

    (tmp_path / "slow").touch()
    first = begun(tmp_path)
    until = time.monotonic() + PATIENCE
    while not kept.exists() or not blocks(kept):
        assert time.monotonic() < until
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    time.sleep(0.5)  # its workers end with it
    there = blocks(kept)
    assert 1 <= len(there) < 4
    (tmp_path / "slow").unlink()
    calls.unlink()
    second = begun(tmp_path)
    answer, _ = second.communicate(timeout=PATIENCE)
    (tmp_path / "fresh").mkdir()
    whole, _ = begun(tmp_path / "fresh").communicate(timeout=PATIENCE)
    assert answer == whole
    now = blocks(kept)
    assert len(now) == 4
    assert {name: now[name] for name in there} == there
    besides = len((tmp_path / "fresh" / "calls").read_text()) - 4_000  # not in blocks
    assert len(calls.read_text()) == 1_000 * (4 - len(there)) + besides
