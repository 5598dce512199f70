"""Copies, instances, journal and table of sat-race."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from random import Random

import pytest
from dpll import satisfiable

from sat_race.families.drawn import ksat
from sat_race.families.proofs import pigeonhole
from sat_race.instances import INSTANCES
from sat_race.journal import COLUMNS, Journal, StaleJournalError, digest, read_table, write_table
from sat_race.race import Job
from sat_race.run import Outcome, pack
from sat_race.shuffle import shuffled

CLAUSES = [[1, -2], [2, 3], [-1]]


# --- copies


def test_a_copy_is_the_same_problem_in_other_words():
    clauses = ksat(1, k=3, variables=6, ratio=4.2)
    copy = shuffled(clauses, 1)
    assert shuffled(clauses, 0) == clauses
    assert copy != clauses
    assert copy == shuffled(clauses, 1) != shuffled(clauses, 2)
    assert Counter(map(len, copy)) == Counter(map(len, clauses))

    def uses(cnf):
        """How often each variable occurs, whichever its sign and name."""
        return sorted(Counter(abs(x) for clause in cnf for x in clause).values())

    assert uses(copy) == uses(clauses)


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_copy_has_the_answer_of_the_original(seed):
    rng = Random(seed)
    for clauses in (
        pigeonhole(1, pigeons=4, holes=3),
        ksat(rng.randrange(99), k=3, variables=6, ratio=6),
    ):
        assert satisfiable(shuffled(clauses, seed)) == satisfiable(clauses)


# --- instances


def test_the_instances_are_as_many_and_as_varied_as_promised():
    assert len({i.name for i in INSTANCES}) == len(INSTANCES)
    assert 200 <= len(INSTANCES) <= 300
    families = Counter(i.family for i in INSTANCES)
    assert len(families) >= 12
    assert min(families.values()) >= 12
    copied = [i for i in INSTANCES if i.seeds == (0, 1, 2)]
    assert all(i.seeds == (0,) for i in INSTANCES if i not in copied)
    assert len(copied) >= 24
    assert {i.family for i in copied} == set(families)


@pytest.mark.parametrize("family", sorted({i.family for i in INSTANCES}))
def test_an_instance_is_made_the_same_twice(family):
    instance = next(i for i in INSTANCES if i.family == family)
    clauses = instance.clauses()
    assert clauses == instance.clauses()
    assert all(clause and 0 not in clause for clause in clauses)


# --- journal and table


DIGESTS = {("i", 0): digest(pack(CLAUSES)), ("i", 1): "another"}


def journal(path, **changes):
    return Journal(path, **{"cutoff": 10.0, "digests": DIGESTS, **changes})


def test_a_journal_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "deep" / "journal.csv"
    with journal(path) as first:
        first.append(Job("b", "i", 0), "f", Outcome("ok", "SAT", 1.25))
    with path.open("a") as file:
        file.write("a,i,f,1,ok,SA")
    with journal(path) as second:
        assert [row["solver"] for row in second.rows] == ["b"]
        second.append(Job("a", "i", 1), "f", Outcome("timeout", "", 10.0012))
    with journal(path) as third:
        assert [(r["solver"], r["seed"], r["cpu_time"]) for r in third.rows] == [
            ("b", "0", "1.2500"),
            ("a", "1", "10.0012"),
        ]


@pytest.mark.parametrize(
    "changes", [{"cutoff": 5.0}, {"digests": {("i", 0): "changed"}}, {"digests": {}}]
)
def test_a_journal_of_other_runs_is_not_continued(tmp_path, changes):
    path = tmp_path / "journal.csv"
    with journal(path) as first:
        first.append(Job("b", "i", 0), "f", Outcome("ok", "SAT", 1.25))
    before = path.read_bytes()
    with pytest.raises(StaleJournalError, match=r"i .copy 0. was run with other"):
        journal(path, **changes)
    assert path.read_bytes() == before


def test_the_table_is_sorted_and_always_the_same_bytes(tmp_path):
    with journal(tmp_path / "journal.csv") as written:
        written.append(Job("b", "i", 0), "f", Outcome("ok", "SAT", 1.25))
        written.append(Job("a", "i", 1), "f", Outcome("timeout", "", 10.0012))
        written.append(Job("a", "i", 0), "f", Outcome("ok", "SAT", 0.5))
    one, other = tmp_path / "one.csv.gz", tmp_path / "other.csv.gz"
    write_table(written.rows, one)
    write_table(written.rows[::-1], other)
    assert one.read_bytes() == other.read_bytes()
    lines = list(csv.reader(io.StringIO(gzip.decompress(one.read_bytes()).decode())))
    assert lines == [
        list(COLUMNS),
        ["a", "i", "f", "0", "ok", "SAT", "0.5000", "10"],
        ["b", "i", "f", "0", "ok", "SAT", "1.2500", "10"],
        ["a", "i", "f", "1", "timeout", "", "10.0012", "10"],
    ]
    assert [tuple(row.values()) for row in read_table(one)] == [tuple(x) for x in lines[1:]]
