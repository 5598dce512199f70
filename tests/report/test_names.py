"""Long names on a page: shortened at the source, told in full once, and no folders of machines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.report.contents import LONGEST, short_names, with_short_names, without_folders

LONG = ["a" * 400 + "1" + "b" * 400, "a" * 400 + "2" + "b" * 400, "short", "c" * 20_000]


def table(**given) -> dh.Results:
    rng = np.random.default_rng(0)
    scores = np.array([4, 3, 2, 1])[:, None] + rng.normal(0, 0.5, (4, 12))
    return dh.Results(scores=scores, candidates=LONG, better="higher", **given)


@given(st.lists(st.text("ab…(2)", max_size=400), unique=True, max_size=12))
def test_short_names_are_short_and_all_different(names):
    found = short_names(names)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(len(short) <= LONGEST for short in found.values())
    assert all(found[name] == name for name in names if len(name) <= LONGEST)


def test_names_that_differ_in_the_middle_alone_stay_apart():
    first, second = (short_names(LONG)[name] for name in LONG[:2])
    assert first != second
    assert first.startswith("aaa")
    assert second.endswith("bbb")


def test_the_hash_is_that_of_the_data_as_they_came():
    source = table(judges=[f"{'j' * 500}{k}" for k in range(12)])
    short, full = with_short_names(source)
    assert short.sha256 == source.sha256
    assert set(full) == {"candidate", "judge"}
    assert len(full["judge"]) == 12
    assert full["candidate"][short.candidates[3]] == LONG[3]
    assert np.array_equal(short.scores, source.scores)


def test_what_is_short_already_is_left_alone():
    source = dh.examples.load("compressors")
    assert with_short_names(source) == (source, {})


def page_of(source, **asked) -> tuple[dh.Report, str]:
    report = dh.report(source, replicates=200, **asked)
    return report, report.html()


def test_a_page_tells_each_long_name_in_full_once_and_the_rest_in_short():
    report, page = page_of(table(), official=LONG)
    assert page.count(LONG[0]) == 1
    assert "3 names of more than 160 letters are shortened" in page
    assert LONG[3] not in page
    told = next(s for s in report.sections if s.name == "names").tables[0]
    assert [row["in_full"] for row in told.result.rows()] == [LONG[0], LONG[1], LONG[3]]
    assert report.contents.verdict.has_official
    assert [row["official"] for row in report.contents.verdict.rows()] == [1, 2, 3, 4]
    assert report.made["sha256"] == table().sha256


@pytest.mark.parametrize("kind", ["runs", "battles"])
def test_runs_and_logs_have_short_names_too(kind):
    if kind == "runs":
        source = dh.Runs(
            candidate=[LONG[0], LONG[3]] * 12,
            instance=[f"{'i' * 900}{k // 2}" for k in range(24)],
            status=["ok", "timeout", "ok", "ok"] * 6,
            time=np.linspace(1, 50, 24),
            cutoff=60,
        )
        report, page = page_of(source, rule="par2")
        assert all(len(name) <= LONGEST for name in report.contents.runs.instances)
    else:
        source = dh.Battles(
            left=[LONG[0], LONG[1], LONG[3]] * 12,
            right=[LONG[1], LONG[3], LONG[0]] * 12,
            winner=["left", "right", "left", "tie"] * 9,
        )
        report, page = page_of(source)
        assert report.made["sha256"] == source.sha256
    assert "names" in [section.name for section in report.sections]
    assert page.count("c" * 300) <= 4  # the beginning of the one name that is told


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("/my/me/data/a.csv", "a.csv"),
        ("~/a b.csv", "a b.csv"),
        ("C:\\Users\\me\\a.csv", "a.csv"),
        ("--official=/my/me/o.csv", "--official=o.csv"),
        ("-o/my/me/o.html", "-oo.html"),
        ("data/a.csv", "data/a.csv"),
        ("--better", "--better"),
        ("-", "-"),
        ("/", "/"),
        ("par2", "par2"),
    ],
)
def test_a_command_is_told_without_the_folders_of_its_machine(word, told):
    assert without_folders(["deadheat", word]) == ["deadheat", told]
