"""The tests under other kernels: what runs, what is skipped and why."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

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


@pytest.fixture
def outputs(monkeypatch):
    """Return what sets the CPU, the kernel that always runs, and numpy's loops."""

    def given(machine, kernel, loops):
        monkeypatch.setattr(kernels.platform, "machine", lambda: machine)
        monkeypatch.setattr(
            kernels, "output", lambda code, _: loops if code == kernels.LOOPS else kernel
        )
        ran = []
        monkeypatch.setattr(kernels, "passes", lambda name, _: ran.append(name) or True)
        return ran

    return given


@pytest.mark.parametrize("machine", ["x86_64", "AMD64"])
def test_too_few_kernels_fail_where_there_must_be_several(outputs, capsys, machine):
    ran = outputs(machine, "Haswell", "AVX2")
    assert kernels.main() == 1
    assert ran == []
    told = capsys.readouterr().out
    assert "Nehalem is skipped: OpenBLAS runs Haswell instead." in told
    assert "Only 1 of 3 kernels of OpenBLAS run on this machine, and nothing explains it" in told


@pytest.mark.parametrize(
    ("machine", "kernel", "why"),
    [
        ("x86_64", "", "numpy has no OpenBLAS"),
        ("arm64", "neoversen1", "its CPU is arm64, they are for x86-64"),
    ],
)
def test_elsewhere_what_there_is_must_do(outputs, capsys, machine, kernel, why):
    ran = outputs(machine, kernel, "ASIMDHP")
    assert kernels.main() == 0
    assert ran == ["numpy's plain loops"]
    told = capsys.readouterr().out
    assert f"Only 0 of 3 kernels of OpenBLAS run on this machine: {why}." in told


def test_a_machine_without_other_loops_says_so(outputs, capsys):
    outputs("arm64", "", "")
    assert kernels.settings() == []
    told = capsys.readouterr().out
    assert "Haswell is skipped: numpy has no OpenBLAS here." in told
    assert "numpy's plain loops are skipped" in told


def test_a_failure_under_one_kernel_fails_all(monkeypatch, capsys):
    monkeypatch.setattr(
        kernels, "settings", lambda: [(name, {"OPENBLAS_CORETYPE": name}) for name in "abc"]
    )
    monkeypatch.setattr(kernels, "passes", lambda name, _: name != "b")
    assert kernels.main() == 1
    assert "Kernels under which tests fail: b." in capsys.readouterr().out
