"""Pictures of a verdict show what the verdict says, at every size."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import cache

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.report.picture import kinds

OF_VERDICT = [
    *("intervals", "first", "ranks", "critical-difference", "significance"),
    *("pairs", "condorcet"),
]
EQUAL = dh.Results(
    scores=np.tile([[1.0, 2.0, 3.0, 4.0]], (3, 6)) + 0.0, better="higher", candidates=list("abc")
)


@pytest.fixture(params=OF_VERDICT)
def kind(request):
    return request.param


def values_of(picture):
    """All rows of data inside a picture."""
    return [row for rows in picture.spec()["datasets"].values() for row in rows]


def texts(picture):
    return [each.text for each in ET.fromstring(picture.svg()).iter() if each.tag.endswith("text")]


def test_they_are_pictures_of_a_verdict(kind, subject_of):
    assert kind in kinds(type(subject_of(dh.Verdict, 3)))


@cache
def of_equals():
    return dh.verdict(EQUAL, replicates=400)


@cache
def of_long_names():
    rng = np.random.default_rng(0)
    names = ["x" * 200, "x" * 199 + "y", " ", "\u200b", "null", "a'b\"c\\", "1", "\x1b[31m"]
    table = dh.Results(scores=rng.normal(size=(8, 12)), candidates=names, better="higher")
    return dh.verdict(table, replicates=400)


def test_everybody_equal(kind):
    picture = of_equals().plot(kind)
    assert json.dumps(picture.spec(), allow_nan=False)
    assert "nan" not in picture.see.lower() + picture.alt.lower()


def test_names_that_are_long_or_empty_looking(kind):
    picture = of_long_names().plot(kind, width="column")
    drawn = ET.fromstring(picture.svg())
    assert float(drawn.attrib["width"]) <= 320


@pytest.mark.parametrize("n", [5, 45])
def test_specs_stay_small(kind, n, subject_of):
    picture = subject_of(dh.Verdict, n).plot(kind)
    assert len(json.dumps(picture.spec())) < 300_000


def test_never_says_significantly(kind, subject_of):
    picture = subject_of(dh.Verdict, 6).plot(kind)
    assert "significan" not in (picture.title + picture.see + picture.alt).lower()


def test_intervals_tell_groups_by_number_and_official_ranks():
    scores = [[2, 1] * 15, [1, 2] * 15, [0, 0] * 15]  # a and b win in turn
    table = dh.Results(scores=scores, better="higher", candidates=list("abc"))
    found = dh.verdict(table, replicates=400, official={"c": 1, "a": 2})
    picture = found.plot("intervals")
    rows = {row["candidate"]: row for row in values_of(picture) if "shown" in row}
    assert {name: row["group"] for name, row in rows.items()} == {"a": 1, "b": 1, "c": 2}
    assert {name: row["official"] for name, row in rows.items()} == {
        "a": "2",
        "b": "\u2013",
        "c": "1",
    }
    assert {name: row["level"] for name, row in rows.items()} == {"a": True, "b": True, "c": False}
    assert {"first in", "official", "1", "2"} <= set(texts(picture))


def test_first_shows_those_who_are_ever_first(subject_of):
    found = subject_of(dh.Verdict, 30)
    rows = {r["candidate"]: r["share"] for r in values_of(found.plot("first")) if "share" in r}
    shares = dict(zip(found.candidates, found.spread.first.tolist(), strict=True))
    assert rows == {name: share for name, share in shares.items() if share > 0}
    assert f"{30 - len(rows)} candidates never win one" in found.plot("first").see


def test_rank_cells_are_shares_of_replicates(subject_of):
    found = subject_of(dh.Verdict, 5)
    order = [i for group in found.members for i in group]
    for row in (r for r in values_of(found.plot("ranks")) if "share" in r):
        places = found.spread.places[:, order[row["at"]]] / 2
        rank = row["run"] + 1
        near = np.clip(1 - np.abs(places - rank), 0, 1).mean()  # a half rank counts half on each
        assert row["share"] == pytest.approx(near, abs=6e-4)


def test_many_ranks_share_columns_and_it_says_so(subject_of):
    found = subject_of(dh.Verdict, 70)
    picture = found.plot("ranks")
    assert "3 ranks side by side share a column" in picture.see
    assert {row["ranks"] for row in values_of(picture) if "ranks" in row} >= {
        "1\u20133",
        "4\u20136",
        "70",
    }


def test_blobs_become_a_map_of_many(subject_of):
    assert "blob" in subject_of(dh.Verdict, 15).plot("ranks").see
    assert "colour" in subject_of(dh.Verdict, 15).plot("ranks", width="column").see
    assert "colour" in subject_of(dh.Verdict, 45).plot("ranks").see


@pytest.mark.parametrize("top", [3, 9])
def test_an_axis_of_ranks_ends_at_the_lowest_that_those_who_are_shown_have(top, subject_of):
    found = subject_of(dh.Verdict, 30)
    picture = found.plot("ranks", top=top)
    shown = [i for i in range(30) if found.evidence.ranks[i] <= top]
    ranks = found.spread.places[:, shown, None] / 2
    shares = np.clip(1 - np.abs(ranks - np.arange(1, 31)), 0, 1).mean(axis=0)
    lowest = 1 + np.flatnonzero((shares >= 0.005).any(axis=0)).max()
    columns = [row["high"] for row in values_of(picture) if "ranks" in row]
    assert max(columns) == max(lowest, top) + 0.5


def test_the_map_of_pairs_is_that_of_the_tests(subject_of):
    found = subject_of(dh.Verdict, 8)
    tests = found.all_pairs.tests
    order = found.order
    cells = [row for row in values_of(found.plot("significance")) if "o" in row]
    assert len(cells) == 8 * 7 / 2  # no pair twice
    for row in cells:
        assert row["i"] < row["j"]
        i, j = order[row["i"]], order[row["j"]]
        assert row["o"] == int(tests.better[i, j]) - int(tests.better[j, i])
        assert row["p"] == pytest.approx(tests.p[i, j], rel=0.06)


@pytest.mark.parametrize("name", ["significance", "pairs"])
def test_many_candidates_are_told_in_blocks(name, subject_of):
    found = subject_of(dh.Verdict, 70)
    picture = found.plot(name)
    assert "neighbours" in picture.see.lower()
    labels = [row["name"] for row in values_of(picture) if "at" in row]
    assert labels[0].startswith("1\u2013")
    ends = [int(re.match(r"(?:\d+\u2013)?(\d+) \(groups? ", label)[1]) for label in labels]
    assert ends == sorted(set(ends))
    assert ends[-1] == 70
    assert len(ends) <= 30


def test_pairs_are_win_rates(subject_of):
    found = subject_of(dh.Verdict, 6)
    order = [i for group in found.members for i in group]
    for row in (r for r in values_of(found.plot("pairs")) if "rate" in r):
        a, b = (found.candidates[order[row[side]]] for side in "ij")
        assert row["rate"] == pytest.approx(found.compare(a, b).duel.effect, abs=6e-4)


def test_too_costly_tests_are_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr("deadheat.statistics.strict_groups.ASIDE", 0)
    found = dh.verdict(dh.examples.load("compressors"), replicates=400)
    assert found.all_pairs is None
    with pytest.raises(UsageError, match="strict=True"):
        found.plot("critical-difference")


def test_names_are_written_once_however_many_cells(subject_of):
    found = subject_of(dh.Verdict, 30, names="n" * 150)
    for name in ("pairs", "significance", "ranks"):
        assert len(re.findall("n{150} 7", json.dumps(found.plot(name).spec()))) <= 40


@pytest.mark.parametrize("kind", ["significance", "critical-difference"])
def test_pictures_of_tests_are_refused_where_none_is_known_to_hold(kind):
    rng = np.random.default_rng(3)
    table = dh.Results(
        scores=np.arange(3.0)[:, None] + rng.normal(0, 0.2, (3, 12)),
        candidates=list("abc"),
        better="higher",
    )
    assert dh.verdict(table, by="mean", strict=True, replicates=199).plot(kind).alt
    with pytest.raises(dh.UsageError, match="copeland is not a mean over the judges"):
        dh.verdict(table, by="copeland", strict=True, replicates=199).plot(kind)


@cache
def of_twelve(top=None):
    rng = np.random.default_rng(0)
    scores = rng.normal(np.linspace(1, 0, 12)[:, None], 1.0, (12, 30))
    table = dh.Results(scores=scores, candidates=list("abcdefghijkl"), better="higher")
    order = list("lkjihgfedcba")  # the worst officially first
    return dh.verdict(table, by="mean", replicates=400, official=order, top=top)


def drawn_in(picture):
    return {row["candidate"] for row in values_of(picture) if "candidate" in row}


@pytest.mark.parametrize("kind", ["intervals", "ranks"])
def test_the_first_of_the_official_order_can_be_drawn_alone(kind):
    """Figure 1 of Fawcett et al. (2023): the top 10 solvers based on official rankings."""
    picture = of_twelve().plot(kind, top=10)
    assert drawn_in(picture) == set("lkjihgfedc")
    assert "The first 10 of 12 candidates are shown." in picture.see
    assert drawn_in(of_twelve().plot(kind)) == set("abcdefghijkl")
    assert drawn_in(of_twelve(4).plot(kind)) == set("lkji")  # as the verdict shows
    assert drawn_in(of_twelve(4).plot(kind, top=2)) == set("lk")


def test_saved_verdicts_and_tables_have_the_same_top():
    saved = dh.load(of_twelve(4).to_json())
    assert drawn_in(saved.plot("intervals")) == set("lkji")
    assert drawn_in(dh.plot(saved, "intervals", top=3)) == set("lkj")
    results = of_twelve().evidence.results
    best = dh.plot(results, "intervals", by="mean", replicates=400, top=3)
    assert drawn_in(best) == {row["candidate"] for row in dh.rank(results, by="mean").rows()[:3]}


def test_shares_of_the_top_are_drawn_also_where_nobody_of_it_is_ever_first():
    assert drawn_in(of_twelve().plot("first", top=1)) == {"l"}


@pytest.mark.parametrize("kind", ["condorcet"])
def test_pictures_that_show_everybody_refuse_a_top(kind):
    with pytest.raises(UsageError, match=f"top: no option of the picture {kind}"):
        of_twelve().plot(kind, top=3)


def test_a_top_is_a_whole_number():
    with pytest.raises(UsageError, match="top must be a whole number of at least 1, got 0"):
        of_twelve().plot("intervals", top=0)


def test_a_page_shows_the_top_in_its_ranking_and_pictures():
    results = of_twelve().evidence.results
    page = dh.report(results, by="mean", replicates=200, official=list("lkjihgfedcba"), top=3)
    ranking = next(section for section in page.sections if section.name == "ranking")
    assert [line["candidate"] for line in ranking.extra["lines"]] == ["j", "k", "l"] or (
        {line["candidate"] for line in ranking.extra["lines"]} == set("lkj")
    )
    assert ranking.sentence.endswith("The top 3 of 12 candidates are shown.")


@pytest.mark.parametrize("kind", ["intervals", "ranks", "pairs", "first"])
def test_long_names_that_differ_at_their_ends_remain_apart(kind):
    scores = np.random.default_rng(1).normal(size=(5, 30))
    names = [f"ipc2018-fast-downward-configuration-{k}" for k in range(5)]
    table = dh.Results(scores=scores, candidates=names, better="higher")
    drawn = dh.verdict(table, replicates=50).plot(kind, width="column").svg()
    cut = {text for text in re.findall(r">([^<>]*)</text>", drawn) if text.startswith("ipc")}
    assert len(cut) > 1 or kind == "first"
    assert all("\u2026" in text and text[-2:] == f"-{text[-1]}" for text in cut)
