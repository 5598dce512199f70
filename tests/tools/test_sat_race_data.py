"""The table of sat-race as it is shipped, and the numbers of its datasheet."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from sat_race.datasheet import by_family, by_solver, fill, hardness, numbers
from sat_race.instances import INSTANCES
from sat_race.journal import COLUMNS, read_table, write_table
from sat_race.solvers import SOLVERS

TABLE = Path(__file__).parents[2] / "src/deadheat/data/examples/sat-race/runs.csv.gz"


@pytest.fixture(scope="module")
def rows():
    return read_table(TABLE)


def answers_of(rows):
    found = {}
    for row in rows:
        if row["answer"]:
            found.setdefault(row["instance"], set()).add(row["answer"])
    return found


def test_every_run_is_there_once(rows):
    wanted = [(s, i.name, i.family, str(k)) for s in SOLVERS for i in INSTANCES for k in i.seeds]
    got = [(r["solver"], r["instance"], r["family"], r["seed"]) for r in rows]
    assert Counter(got) == Counter(wanted)
    assert tuple(rows[0]) == COLUMNS


def test_a_run_has_an_answer_if_it_ended_well_and_in_time(rows):
    for row in rows:
        time, cutoff = float(row["cpu_time"]), float(row["cutoff"])
        assert cutoff == 10
        assert (row["status"] == "ok") == (row["answer"] in {"SAT", "UNSAT"}) == bool(row["answer"])
        assert time <= cutoff or row["status"].startswith("timeout")
        assert time >= cutoff or row["status"] != "timeout"
        assert row["status"] in {"ok", "timeout", "timeout wallclock", "memout", "crash", "unknown"}


def test_nobody_disagrees(rows):
    assert {len(said) for said in answers_of(rows).values()} == {1}


TRUTH = [
    (r"pigeonhole-(\d+)-(\d+)(-functional)?-s", lambda p, h, _: int(p) <= int(h)),
    (r"pigeonhole-(\d+)-(\d+)-2-s", lambda p, h: int(p) <= 2 * int(h)),
    (r"clique-colouring-\d+-(\d+)-(\d+)-s", lambda clique, colours: int(clique) <= int(colours)),
    (r"tseitin-", lambda: False),
    (r"ordering-\d+(-exempt)?-s", lambda exempt: exempt is not None),
    (r"pebbling-", lambda: False),
    (r"quasigroup-", lambda: True),
    (r"colouring-.*-planted-", lambda: True),
    (r"xor-system-\d+-\d+(-satisfiable)?-s", lambda good: good is not None),
    (r"parity-learning-", lambda: True),
    (r"factoring-\d+(-prime)?-s", lambda prime: prime is None),
    (r"(?:multiplier|adder)-miter-\d+(?:-\d)?-s", lambda: False),
    (r"equivalent-", lambda: False),
    (r"hash-inversion-.*-satisfiable-", lambda: True),
    (r"sliding-3-3-\d+-(\d)-s", lambda missing: missing == "0"),
    (r"machine-\d+-\d+-(\d)-s", lambda missing: missing == "0"),
    (r"search-(\d)-(\d)-s", lambda n, d: int(d) >= {6: 5, 7: 6, 8: 6}[int(n)]),
    (r"schur-(\d+)-4-s", lambda n: int(n) <= 44),
    (r"ramsey-(\d+)-(\S+)-s", lambda n, k: int(n) < {"3x4": 9, "4x4": 18, "3x3x3": 17}[k]),
    (
        r"van-der-waerden-(\d+)-(\S+)-s",
        lambda n, k: (
            int(n)
            < {"3x8": 58, "4x5": 55, "3x9": 77, "3x10": 97, "3x11": 114, "4x6": 73, "3x3x4": 51}[k]
        ),
    ),
]


@pytest.mark.parametrize(("pattern", "truth"), TRUTH, ids=[pattern for pattern, _ in TRUTH])
def test_the_solvers_find_what_theory_says(rows, pattern, truth):
    checked = 0
    for name, said in answers_of(rows).items():
        if found := re.match(pattern, name):
            assert said == {"SAT" if truth(*found.groups()) else "UNSAT"}, name
            checked += 1
    assert checked


def test_no_family_is_trivial_or_hopeless(rows):
    for family in {row["family"] for row in rows}:
        own = [row for row in rows if row["family"] == family]
        slow = {row["instance"] for row in own if float(row["cpu_time"]) > 1}
        assert len(slow) >= 3  # instances that take somebody more than a second
        assert sum(row["status"] == "ok" for row in own) > len(own) / 2


def test_the_file_is_what_its_rows_make_it(rows, tmp_path):
    write_table(rows, tmp_path / "again.csv.gz")
    assert (tmp_path / "again.csv.gz").read_bytes() == TABLE.read_bytes()


def test_the_datasheet_tells_the_numbers_of_the_file(rows):
    sheet = (TABLE.parent / "DATASHEET.md").read_text(encoding="utf-8")
    assert numbers(rows).strip() in sheet


# --- the numbers themselves, on a race that one can count by hand


def race_of_two():
    lines = """\
a,i1,f,0,ok,SAT,0.1,10
b,i1,f,0,ok,SAT,0.2,10
a,i2,f,0,ok,UNSAT,4,10
b,i2,f,0,timeout,,10.1,10
a,i2,f,1,ok,UNSAT,2,10
b,i2,f,1,crash,,0.5,10
a,j1,g,0,timeout wallclock,,3,10
b,j1,g,0,timeout,,10.1,10
a,j2,g,0,ok,SAT,0.2,10
b,j2,g,0,ok,SAT,0.4,10"""
    return [dict(zip(COLUMNS, line.split(","), strict=True)) for line in lines.splitlines()]


def cells(text):
    return [[c.strip() for c in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


def test_solvers_are_counted():
    assert cells(by_solver(race_of_two())) == [
        ["a", "5", "4", "1", "0", "1.100"],
        ["b", "5", "2", "2", "1", "0.300"],
    ]


def test_families_are_counted_without_copies():
    assert cells(by_family(race_of_two())) == [
        ["f", "2", "1", "1", "0", "2", "1.5", "1"],
        ["g", "2", "1", "0", "1", "1", "1", "1"],
    ]


def test_instances_are_sorted_by_who_solved_them():
    assert hardness(race_of_two()) == {"easy": 1, "medium": 1, "hard": 1, "hopeless": 1}


def test_the_numbers_go_into_the_sheet(tmp_path, monkeypatch):
    monkeypatch.setattr("sat_race.datasheet.versions", " ".join)
    write_table(race_of_two(), tmp_path / "runs.csv.gz")
    sheet = tmp_path / "DATASHEET.md"
    marks = [f"<!-- begin {name} -->\n<!-- end {name} -->\n" for name in ("numbers", "made")]
    sheet.write_text("".join(marks))
    fill(tmp_path / "runs.csv.gz", date="2026-11-16")
    text = sheet.read_text()
    assert "10 runs of 2 solvers on\n4 instances of 2 families" in text
    assert "6 ok, 2 timeout, 1 crash, 1 timeout wallclock" in text
    assert "2026-11-16" in text
