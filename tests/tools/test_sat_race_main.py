"""The command that holds the race: from nothing to a table, stopped and gone on, refused."""

from __future__ import annotations

import sys

import pytest

import make_sat_race
from sat_race import run as run_module
from sat_race.families.drawn import ksat
from sat_race.families.proofs import pigeonhole
from sat_race.instances import ladder
from sat_race.journal import read_table

SHEET = "".join(f"<!-- begin {name} -->\n<!-- end {name} -->\n" for name in ("numbers", "made"))
INSTANCES = (
    *ladder("php", pigeonhole, {"pigeons": 3, "holes": 2}, {"pigeons": 4, "holes": 3}),
    *ladder("ksat", ksat, {"k": 3, "variables": 9, "ratio": 2.0}, copied=(0,)),
)


def stand_in(name, clauses, report, *, cutoff, memory):
    """Say UNSAT of everything, in no time."""
    run_module._write(report, start=0.0)
    run_module._write(report, answer=False, model=[], cpu_time=0.25)


@pytest.fixture
def command(tmp_path, monkeypatch):
    monkeypatch.setattr(make_sat_race, "INSTANCES", INSTANCES)
    monkeypatch.setattr(make_sat_race, "SOLVERS", ("a", "b", "c"))
    monkeypatch.setattr(make_sat_race, "check_present", lambda: None)
    monkeypatch.setattr(make_sat_race.signal, "signal", lambda *_: None)
    monkeypatch.setattr("sat_race.datasheet.versions", " ".join)
    monkeypatch.setattr(run_module, "_solve", stand_in)
    (tmp_path / "DATASHEET.md").write_text(SHEET)
    places = {"--journal": tmp_path / "journal.csv", "--target": tmp_path / "runs.csv.gz"}
    words = [str(word) for pair in places.items() for word in pair]
    monkeypatch.setattr(sys, "argv", ["make_sat_race.py", *words])
    return make_sat_race.main


def test_a_race_becomes_a_table_and_a_sheet(command, tmp_path):
    assert command() == 0
    rows = read_table(tmp_path / "runs.csv.gz")
    assert len(rows) == 3 * (2 + 3)
    assert {(r["status"], r["answer"], r["cpu_time"]) for r in rows} == {("ok", "UNSAT", "0.2500")}
    assert "15 runs of 3 solvers" in (tmp_path / "DATASHEET.md").read_text()


def test_a_race_that_was_stopped_goes_on_with_what_is_left(command, tmp_path, monkeypatch):
    started = []

    class Interrupted(run_module.Run):
        def __init__(self, *args, **kwargs):
            if len(started) == 6:
                raise KeyboardInterrupt
            started.append(args)
            super().__init__(*args, **kwargs)

    real = make_sat_race.race
    monkeypatch.setattr(
        make_sat_race, "race", lambda *args, **kwargs: real(*args, **kwargs, start=Interrupted)
    )
    assert command() == 130
    kept = (tmp_path / "journal.csv").read_text().splitlines()
    assert 4 <= len(kept) - 1 <= 6
    assert not (tmp_path / "runs.csv.gz").exists()

    monkeypatch.setattr(make_sat_race, "race", real)
    assert command() == 0
    lines = (tmp_path / "journal.csv").read_text().splitlines()
    assert lines[: len(kept)] == kept
    assert len(lines) == len(set(lines)) == 16


def test_a_disagreement_stops_the_race(command, tmp_path, monkeypatch, capsys):
    def contrary(name, clauses, report, *, cutoff, memory):
        if name == "b" and len(clauses) > 12:
            run_module._write(report, start=0.0)
            run_module._write(report, answer=True, model=[], cpu_time=0.25)
        else:
            stand_in(name, clauses, report, cutoff=cutoff, memory=memory)

    monkeypatch.setattr(run_module, "_solve", contrary)
    assert command() == 3
    assert "Error: b says SAT on" in capsys.readouterr().err
    assert not (tmp_path / "runs.csv.gz").exists()


def test_a_finished_race_is_not_run_again(command, tmp_path, monkeypatch):
    assert command() == 0
    before = (tmp_path / "runs.csv.gz").read_bytes()
    monkeypatch.setattr(run_module, "_solve", lambda *_, **__: None)
    assert command() == 0
    assert (tmp_path / "runs.csv.gz").read_bytes() == before
