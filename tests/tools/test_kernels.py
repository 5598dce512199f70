"""The tests under other kernels: what runs, what is skipped and why."""

from __future__ import annotations

import subprocess
from pathlib import Path

import kernels


def test_every_test_that_is_named_exists():
    root = Path(__file__).parents[2]
    named = [path.partition("::")[0] for path in kernels.TESTS]
    assert all((root / path).exists() for path in (*named, *kernels.PAGES))


def test_what_the_cpu_cannot_run_is_replaced_and_told(monkeypatch, capsys):
    def output(code, setting):
        if code == kernels.LOOPS:
            return "AVX2 FMA3"
        name = setting["OPENBLAS_CORETYPE"]
        if name == "SkylakeX":
            raise subprocess.CalledProcessError(-4, "python")
        return "Haswell" if name == "Sandybridge" else name

    monkeypatch.setattr(kernels, "output", output)
    found = kernels.settings()
    assert [name for name, _ in found] == [
        *("Haswell", "Nehalem", "Prescott"),
        "numpy's plain loops",
    ]
    assert found[-1][1] == {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"}
    told = capsys.readouterr().out
    assert "OPENBLAS_CORETYPE=SkylakeX is skipped: this CPU cannot run it (SIGILL)." in told
    assert "OPENBLAS_CORETYPE=Sandybridge is skipped: OpenBLAS runs Haswell instead." in told


def test_a_machine_with_few_kernels_says_so(monkeypatch, capsys):
    monkeypatch.setattr(kernels, "output", lambda *_: "")
    assert kernels.settings() == []
    told = capsys.readouterr().out
    assert "Haswell is skipped: numpy has no OpenBLAS here." in told
    assert "Only 0 of 3 kernels of OpenBLAS run on this machine." in told
    assert "numpy's plain loops are skipped" in told


def test_a_failure_under_one_kernel_fails_all(monkeypatch, capsys):
    monkeypatch.setattr(kernels, "settings", lambda: [("a", {}), ("b", {})])
    monkeypatch.setattr(kernels, "passes", lambda name, _: name == "a")
    assert kernels.main() == 1
    assert "Kernels under which tests fail: b." in capsys.readouterr().out
