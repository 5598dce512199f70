"""An interrupt at any moment ends the command, and nothing is left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROCESSES = Path("/proc")
PATIENCE = 60  # seconds: no test waits so long, unless something hangs
AT_ONCE = 5  # seconds: one is promised, and the machine may be loaded
TABLE = "model,a,b,c\n" + "".join(f"m{i},{i % 7},{i % 5},{i % 3}\n" for i in range(30))
IN_NATIVE_CODE = """
import ctypes
print("ready", flush=True)
ctypes.PyDLL(None).sleep(60)  # looks at no signal, and lets no other thread run
"""
WHILE_WRITING = """
import pathlib, time
import deadheat
def replace(self, target):
    print("ready", flush=True)
    time.sleep(60)
pathlib.Path.replace = replace
@deadheat.ranks_table("own", scale="interval", shared_scale=True)
def own(scores):
    return scores.mean(axis=1)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no second process here")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return a folder with a table; what is temporary goes into a folder of its own."""
    for name in ("temporary", "out"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("DEADHEAT_DEBUG", "")
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def begun(*args, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "deadheat", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def own(place, code):
    path = place / "own.py"
    path.write_text(code, encoding="utf-8")
    return path


def eventually(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def left(place):
    return [*(place / "temporary").iterdir(), *(place / "out").iterdir()]


def ended(process, number=signal.SIGINT):
    process.send_signal(number)
    begin = time.monotonic()
    _, said = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - begin < AT_ONCE
    return process.returncode, said


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_native_code_does_not_hold_it_up(place, number, code):
    process = begun(
        "rank", place / "t.csv", "--better", "higher", "--by", own(place, IN_NATIVE_CODE)
    )
    assert process.stderr.readline() == b"ready\n"
    assert ended(process, number) == (code, b"interrupted\n")


@pytest.mark.parametrize(
    "args",
    [
        "rank t.csv --better higher --by own.py -o out/o.csv",
        "rank t.csv --better higher --by own.py -o out/o.json",
    ],
)
def test_nothing_half_written_stays(place, args):
    own(place, WHILE_WRITING)
    process = begun(*args.split(), cwd=place)
    assert process.stdout.readline() == b"ready\n"
    assert len(list((place / "out").iterdir())) == 1
    code, said = ended(process)
    assert (code, said.splitlines()[-1]) == (130, b"interrupted")
    assert b"Traceback" not in said
    assert not left(place)


@pytest.mark.parametrize("command", ["rate", "report"])
def test_a_copy_for_duckdb_is_removed(place, command):
    where = ["-o", place / "out" / "o.html"] if command == "report" else []
    process = begun(command, "-", "--layout", "battles", *where, stdin=subprocess.PIPE)
    process.stdin.write(b"left,right,winner\n" + b"a,b,left\n" * 20_000)
    process.stdin.flush()
    eventually(lambda: list((place / "temporary").iterdir()))
    assert ended(process) == (130, b"interrupted\n")
    assert not left(place)


EARLY = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "deadheat.cli.supervisor":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
import deadheat.cli
deadheat.cli.main()
"""


def test_it_is_heeded_before_anybody_watches():
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")


MOMENTS = random.Random(14)
LONG = [
    "verdict t.csv --better higher --replicates 1000000",
    "report t.csv --better higher --replicates 200000 -o out/o.html",
    "plot t.csv intervals --better higher --replicates 1000000 -o out/o.pdf",
    "criteria t.csv --better higher --trials 100000",
    "rate t.csv --better higher --replicates 100000",
    "axioms all --budget 100000",
]
SHORT = ["demo", "consensus t.csv --better higher --distance footrule"]


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="the system does not tell")
@pytest.mark.parametrize("args", [*LONG, *SHORT])
def test_at_a_random_moment(place, args):
    process = begun(*args.split(), cwd=place / "out" if args == "demo" else place)
    children = PROCESSES / str(process.pid) / "task" / str(process.pid) / "children"
    eventually(lambda: children.read_text() or process.poll() is not None)
    time.sleep(MOMENTS.uniform(0, 1))
    code, said = ended(process)
    assert code == 130 or (code == 0 and args in SHORT)
    assert b"Traceback" not in said
    assert not list((place / "temporary").iterdir())
    assert not [path for path in (place / "out").iterdir() if path.name.startswith(".")]


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="the system does not tell")
def test_the_command_ends_with_who_watches_over_it(place):
    code = f"import os\nprint(os.getpid(), flush=True)\n{IN_NATIVE_CODE}"
    process = begun("rank", place / "t.csv", "--better", "higher", "--by", own(place, code))
    worker = int(process.stderr.readline())
    process.kill()
    process.communicate(timeout=PATIENCE)
    eventually(lambda: not running(worker))


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="the system does not tell")
def test_a_program_that_an_own_function_started_ends_too(place):
    code = "import subprocess\nprogram = subprocess.Popen(['sleep', '60'])\n"
    path = own(place, f"{code}print(program.pid, flush=True)\nprogram.wait()\n")
    process = begun("rank", place / "t.csv", "--better", "higher", "--by", path)
    program = int(process.stderr.readline())
    assert running(program)
    assert ended(process) == (130, b"interrupted\n")
    eventually(lambda: not running(program))


def running(pid):
    try:
        return (PROCESSES / str(pid) / "stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="the system does not tell")
def test_more_memory_than_the_budget_ends_it(place, monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "520MB")
    greedy = own(
        place, "kept = [b'x' * 10_000_000 for _ in range(60)]\nimport time; time.sleep(60)\n"
    )
    process = begun("rank", place / "t.csv", "--better", "higher", "--by", greedy)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert said.decode().splitlines() == [
        "error: deadheat was stopped: it takes more memory than the budget of 520 MB.",
        "Hint: set DEADHEAT_MEMORY=2GB to allow more, or keep fewer rows and columns.",
    ]


def test_a_crash_is_told(place):
    crash = own(place, "import os, signal\nos.kill(os.getpid(), signal.SIGABRT)\n")
    process = begun("rank", place / "t.csv", "--better", "higher", "--by", crash)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said.startswith(b"error: deadheat crashed (SIGABRT).\nHint: ")


def test_a_bad_budget_is_wrong_use(place, monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "lots")
    process = begun("rank", place / "t.csv", "--better", "higher")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert said.startswith(b"error: DEADHEAT_MEMORY='lots' is not a size of memory.\n")
