"""Every benchmark comes to its end, at toy size; the figures are nobody's business here."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
NAMES = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_comes_to_its_end(tmp_path, monkeypatch, capfd, name):
    monkeypatch.setenv("DEADHEAT_SHARED", str(tmp_path))
    monkeypatch.syspath_prepend(str(FOLDER))
    import run as runner

    code = runner.main(["--toy", name])
    del sys.modules[f"bench_{name}"]  # whose constants are now those of toys
    told, complaints = capfd.readouterr()
    assert (code, complaints) == (0, ""), told + complaints
    assert f"== {name}: " in told
    assert len(told.splitlines()) >= 3


def test_the_program_knows_its_benchmarks():
    program = [sys.executable, FOLDER / "run.py", "nothing"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert ", ".join(f"bench_{name}" for name in NAMES) in done.stdout


def test_the_others_run_where_one_fails(tmp_path, monkeypatch, capsys):
    """A benchmark that stopped took all behind it along."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import run as runner

    monkeypatch.setattr(runner, "HERE", tmp_path)
    for name, program in {"bench_bad": "yield 1 / 0", "bench_good": "yield 'fine'"}.items():
        text = f'"""Of {name}."""\nTOY = {{}}\n\n\ndef run():\n    {program}\n'
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    assert runner.main(["--toy"]) == 1
    told = capsys.readouterr().out
    assert "ZeroDivisionError" in told
    assert "fine\n\nfailed: bench_bad" in told
    assert runner.main(["good"]) == 0
    assert runner.main(["nothing"]) == 2


def test_a_function_that_refuses_a_table_does_not_end_the_benchmark(monkeypatch):
    """On 292 x 76 kemeny finds a cycle that is too large for replicates."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import bench_functions
    import timing
    from deadheat.core.errors import TooLongError

    def refuse(name, *_):
        if name == "kemeny":
            raise TooLongError("kemeny would take too long.")
        return 1.0, 1.0

    monkeypatch.setattr(bench_functions, "timed", refuse)
    monkeypatch.setattr(timing, "product_speed", lambda: 1e9)
    told = list(bench_functions.run())
    assert any("refuses it: kemeny would take too long." in line for line in told)
    assert any(line.startswith("trimmed_mean") for line in told)


def test_a_program_of_its_own_says_why_it_has_no_answer(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import timing

    assert timing.alone("found = before + 1", before="before = 1", told="found").told == 2
    with pytest.raises(timing.UnfinishedError, match="NameError: name 'nobody' is not defined"):
        timing.alone("nobody")
    with pytest.raises(timing.UnfinishedError, match="not finished after 0.2 s"):
        timing.alone("import time; time.sleep(60)", limit=0.2)
