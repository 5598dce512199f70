"""Every example that a help shows runs as it stands, on files of the names it has."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

from deadheat.cli.program import EXAMPLES, deadheat

LINES = [line for lines in EXAMPLES.values() for line in lines]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    rng = np.random.default_rng(3)
    names, solvers = ["svm", "forest", "mlp"], ["kissat", "minisat", "glucose"]
    scores = rng.normal(0, 1, (3, 12)) + np.array([[1.0], [0.5], [0.0]])
    rows = [["model", *(f"task{j}" for j in range(12))]]
    rows += [[name, *map(str, each)] for name, each in zip(names, scores.round(3), strict=True)]
    (folder / "results.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    runs = ["solver,instance,status,time"]
    runs += [
        f"{solver},i{j},{'solved' if time < 60 else 'timeout'},{min(time, 60):.2f}"
        for solver in solvers
        for j, time in enumerate(rng.exponential(25, 12))
    ]
    (folder / "runs.csv").write_text("\n".join(runs) + "\n")
    log = ["left,right,winner"]
    for _ in range(60):
        i, j = rng.permutation(3)[:2]
        log.append(f"{names[i]},{names[j]},{'left' if rng.random() < 0.6 else 'right'}")
    (folder / "log.csv").write_text("\n".join(log) + "\n")
    return folder


@pytest.fixture
def there(folder, run, monkeypatch):
    monkeypatch.chdir(folder)
    if not (folder / "saved.json").exists():
        done = run("verdict", "results.csv", "--better", "higher", "-o", "saved.json")
        assert done.exit_code == 0, done.output


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("line", LINES)
def test_an_example_runs(run, line):
    name, *words = shlex.split(line)
    assert name == deadheat.name
    done = run(*words)
    assert done.exit_code == 0, done.output
