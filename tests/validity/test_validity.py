"""A small part of ``make validity``: every study runs, and no promise is missed by far."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from validity import run
from validity.promises import PROMISES, STUDIES

SMALLEST = 20  # worlds of one cell in make test
LARGER = 8  # chunks of every fourth cell in the slow tests
BY_NAME = {study.name: study for study in STUDIES}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_study_measures_shares_in_its_first_cell(name):
    study = BY_NAME[name]
    found = run.measured(study, study.cells[0], 0, chunk=SMALLEST)
    assert found
    assert all(0 <= run.share(sums)[0] <= 1 for sums in found.values())
    promised = {promise.measure for promise in PROMISES if promise.study == name}
    assert promised <= {*found}, "a promise whose measure no study makes"
    assert not run.missed({(name, run.key(study.cells[0])): found})


def test_the_same_chunk_gives_the_same_sums():
    study = BY_NAME["percentile"]
    cell = study.cells[0]
    assert run.measured(study, cell, 3, chunk=2) == run.measured(study, cell, 3, chunk=2)


def test_a_promise_that_is_missed_is_told_and_one_that_is_kept_is_not():
    label = run.key(BY_NAME["agree"].cells[0])
    kept, broken = (20.0, 20.0, 500), (60.0, 60.0, 500)
    assert not run.missed({("agree", label): {"somebody is accused": kept}})
    (said,) = run.missed({("agree", label): {"somebody is accused": broken}})
    assert "0.120" in said
    assert label in said


def test_an_interrupted_journal_goes_on_where_it_was(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text('[["agree", "n 5", 0], {"somebody is accused": [1, 1, 25]}]\n[["agr')
    assert run.journal(path) == {("agree", "n 5", 0): {"somebody is accused": (1, 1, 25)}}


def test_the_page_has_every_study_and_promise():
    page = (run.ROOT / "docs" / "validity.md").read_text(encoding="utf-8")
    assert all(f"## {study.name}\n" in page for study in STUDIES)
    assert all(promise.says in page for promise in PROMISES)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_no_promise_of_a_study_is_missed(name):
    study = BY_NAME[name]
    chunks = {
        (name, run.key(cell), number): run.measured(study, cell, number)
        for cell in study.cells[::4]
        for number in range(LARGER)
    }
    assert not run.missed(run.summed(chunks))
