"""Every benchmark comes to its end, at toy size; the figures are nobody's business here."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
QUESTIONS = ("criteria", "intervals", "bradley-terry", "sandwich", "kemeny", "voting", "nemenyi")
QUESTIONS += ("elo", "online", "plackett-luce")
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
    with pytest.raises(timing.UnfinishedError, match=r"not finished after 1 s$"):
        timing.alone("while True: pass", limit=1)
    with pytest.raises(timing.UnfinishedError, match=r"not finished after \d+ s by the clock"):
        timing.alone("import time; time.sleep(600)", limit=0.1)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_loop_of_a_researcher_and_ours_give_the_same_answer(tmp_path, monkeypatch, name):
    monkeypatch.setenv("DEADHEAT_SHARED", str(tmp_path))
    monkeypatch.syspath_prepend(str(FOLDER))
    import peer_programs
    import peers

    assert tuple(each.name for each in peers.WORKLOADS) == QUESTIONS
    (workload,) = (each for each in peers.WORKLOADS if each.name == name)
    (size,) = peers.QUICK[name]
    number = workload.number if name == "intervals" else min(workload.number, 300)
    asked = peer_programs.PROGRAMS[name]
    ours, data = peer_programs.ask(name, "deadheat", size, number)
    assert ours.done == ours.of == number
    assert "deadheat" in asked
    if "NumPy loop" in asked:
        theirs, same = peer_programs.ask(name, "NumPy loop", size, number)
        assert data == same
        said = workload.agree(ours.values, theirs.values)
        assert said == "", said


def test_the_page_shows_who_is_faster_who_is_missing_and_who_answers_otherwise(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import peers
    import results

    def took(seconds, value, done=1, of=1):
        answer = {"values": value, "done": done, "of": of}
        return {"seconds": seconds, "peak": 50.0, "told": [answer, "abc"]}

    own = {
        "python": "3",
        "numpy": "2",
        "system": "Linux",
        "cores": 2,
        "product": 9e10,
        "copy": 1e10,
    }
    found = {"machine": own}
    found |= {f"import/{name}": {"failed": "no wheel"} for name in ("deadheat", *peers.MODULES)}
    found["import/choix"] = {"seconds": 0.5, "peak": 60.0, "told": "0.4.1"}
    found["kemeny/8x76/deadheat"] = took(2.0, 100.0)
    found["kemeny/8x76/ranky"] = took(4.0, 120.0, done=5, of=50)
    found["kemeny/8x76/corankco"] = took(1.0, 100.0)
    found["kemeny/8x76/pref_voting"] = {"failed": "not finished after 200 s"}
    page = results.page(found)
    assert (
        "| 8 x 76 | ranky | 40.0 s | 20.0 | 50 MB | from 5 of 50 | objective 120, ours 100 |"
        in page
    )
    assert "| pref_voting | - | - | - | - | not finished after 200 s |" in page
    assert "- corankco, kemeny, 8 x 76: 2.00 times, 1.00 s instead of 2.00 s. **Not exp" in page
    assert "| rliable | not here: no wheel | | |" in page
    assert "| choix | 0.4.1 | 500 ms | 60 MB |" in page


def test_an_exponent_leaves_out_what_never_grows(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import growth

    points = [[size, 5 + 3 * size**2] for size in (1.0, 2.0, 4.0, 8.0, 16.0)]
    assert growth.exponent(points) == pytest.approx((2, 3))
    assert growth.at(points, 1_000) == pytest.approx(5 + 3e6)
    constant = [[size, 5.0] for size in (1.0, 2.0, 4.0, 8.0, 16.0)]
    assert growth.exponent(constant) == (0, 0)
    assert growth.at(constant, 10**9) == 5
