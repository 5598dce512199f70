"""What a comparison says, in words and as a table."""

from __future__ import annotations

import re

import numpy as np
import pytest

import deadheat as dh

SCORES = np.random.default_rng(4).integers(0, 5, size=(4, 25)) / 4
CLUSTERS = [str(k // 2) for k in range(25)]


def example(**options):
    given = {"scores": SCORES, "candidates": ["ada", "bob", "cyd", "dan"], "better": "higher"}
    return dh.Results(**(given | options))


def words_of(scores, **options):
    table = dh.Results(scores=scores, candidates=["a", "b"], better="higher")
    return dh.compare(table, "a", "b", **({"by": "mean", "replicates": 99} | options)).verdict


def test_the_verdict_in_words():
    always = np.array([[2.0] * 30, [1.5] * 30])
    assert words_of(always).replace("\n", " ") == (
        "a (mean 2) is ahead of b (1.5) by 0.5 (95 % interval 0.5 to 0.5). a is ahead in 100 % of "
        "99 resamples, behind in 0 % (one-sided p = 0.01, two-sided 0.02; not corrected for other "
        "comparisons). a wins 30 of 30 judges, loses 0 (sign test p = 2e-09). "
        "Whatever judges are left out, b does not draw level with a."
    )
    behind = words_of(always[::-1])
    lead = "b (mean 2) is ahead of a (1.5) by 0.5 (95 % interval 0.5 to 0.5)."
    assert behind.startswith(f"{lead}\nb ")


def test_a_lead_that_the_test_does_not_show_is_not_separated():
    scores = np.array([[1.0, 0.0] * 15 + [1.0], [0.0, 1.0] * 15 + [0.0]])
    told = words_of(scores)
    assert told.startswith("Not separated: a (mean 51.61 %) is ahead of b (48.39 %) by 3.226 (95 %")
    few = dh.Results(scores=[[2.0] * 4, [1.0] * 4], candidates=["a", "b"], better="higher")
    found = dh.compare(few, "a", "b", by="mean", replicates=99)
    assert found.verdict.startswith("Too few judges for a test: a (mean 2) is ahead")
    assert "4 judges are too few for a test." in found.warnings
    assert words_of(np.array([[2.0] * 30, [1.0] * 30])).startswith("a (mean 2) is ahead of b")


def test_a_lead_that_a_verdict_shows_is_not_called_none():
    """A verdict tests one-sided: where that alone separates two, a comparison says so."""
    seen = set()
    for wins in range(26, 36):
        scores = np.array([[1.0] * wins + [0.0] * (50 - wins), [0.0] * wins + [1.0] * (50 - wins)])
        table = dh.Results(scores=scores, candidates=["a", "b"], better="higher")
        found = dh.compare(table, "a", "b", by="mean", replicates=999)
        p = found.facts()["p"]
        said = "Not separated: " if p > 0.1 else "Separated by a one-sided test alone: "
        seen.add(said := said if p > 0.05 else "")
        assert found.verdict.startswith(f"{said}a (mean {2 * wins} %) is ahead of b")
    assert len(seen) == 3


def test_places_decide_where_ranks_count_and_scores_are_missing():
    """By average rank a judge of large numbers decides no more than any other."""
    scores = np.array([[9.0, 5.0, 1.0, 3.0], [8.0, 1000.0, np.nan, 2.0], [7.0, 6.0, 2.0, 1.0]])
    table = dh.Results(scores=scores, better="higher", missing="available", judges=list("pqrs"))
    found = dh.compare(table, "candidate_1", "candidate_2", replicates=50)
    assert [column.name for column in found.grid().columns][-1] == "places ahead"
    assert [(row[0], row[-1]) for row in found.grid().cells[:3]] == [("q", -2), ("p", 1), ("s", 1)]
    assert [row["judge"] for row in found.rows()] == ["p", "s", "q", "r"]


def test_a_tie_is_told_as_a_tie():
    level = words_of(np.array([[1.0, 2] * 10, [2, 1] * 10]), alpha=0.1)
    assert level.startswith("a and b are tied (mean 1.5; 90 % interval ")
    assert "two-sided p = " in level
    assert "one-sided" not in level
    assert "would put" not in level


def test_a_share_is_never_rounded_to_none_or_all():
    scores = np.array([[1.0] * 29 + [-20.0], [0.0] * 30])
    words = words_of(scores, replicates=9_999)
    assert "ahead in 100 %" not in words
    assert "behind in 0 %" not in words


def test_a_lead_is_told_in_the_numbers_that_are_shown():
    """Costs are shown as they were written, and lower is ahead."""
    costs = dh.Results(scores=[[1] * 25, [3] * 25], candidates=["a", "b"], better="lower")
    told = dh.compare(costs, "a", "b", by="mean", replicates=50).verdict
    assert told.startswith("a (mean 1) is ahead of b (3) by 2 (95 % interval 2 to 2).")


def test_a_total_is_ahead_by_a_total():
    """Solved instances are counted: 20 of 25 against 15 of 25 are 5, not 0.2."""
    scores = np.array([[1.0] * 20 + [0.0] * 5, [1.0] * 15 + [0.0] * 10])
    table = dh.Results(scores=scores, candidates=["a", "b"], better="higher", total="solved")
    told = dh.compare(table, "a", "b", by="mean", replicates=200)
    assert told.verdict.startswith("a (solved 20) is ahead of b (15) by 5 (95 % interval ")
    assert told.facts()["difference"] == pytest.approx(0.2)
    low, high = told.facts()["low"], told.facts()["high"]
    assert f"{25 * low:g} to {25 * high:g})" in told.verdict


def test_few_judges_are_warned_of():
    few = dh.compare(example(scores=SCORES[:, :10]), "ada", "bob", replicates=50)
    assert any("10 judges are few" in warning for warning in few.warnings)
    assert not dh.compare(example(), "ada", "bob", replicates=50).warnings
    clustered = dh.compare(example(clusters=CLUSTERS), "ada", "bob", replicates=50)
    assert any("13 clusters, worth 12.76 of equal weight, are few" in w for w in clustered.warnings)
    fewer = dh.compare(example(clusters=list("abcde") * 5), "ada", "bob", replicates=50)
    assert len(fewer.warnings) == 1  # the plan has said it


def test_both_names_are_mended_at_once_and_never_the_same_twice():
    names = ["kissat-unsat / default", "Kissat-sat / default", "kissat-sat-2 / default"]
    results = dh.Results(scores=np.eye(3, 12), candidates=names, better="higher")
    with pytest.raises(dh.UsageError) as refused:
        dh.compare(results, "kissat-sat", "kissat-unsat")
    assert "'kissat-sat' and 'kissat-unsat'. Did you mean 'Kissat-sat / default' and 'kiss" in str(
        refused.value
    )
    with pytest.raises(dh.UsageError) as refused:
        dh.compare(results, "kissat", "kissat-s")
    first, second = re.findall(r"'([^']*/ default)'", str(refused.value).split("Hint")[0])
    assert first != second


def test_the_table_shows_the_judges_that_decide_it():
    found = dh.compare(example(), "ada", "bob", by="mean", replicates=50)
    grid = found.grid()
    names = [column.name for column in grid.columns]
    assert names == ["judge", "ada", "bob", "difference", "adds to lead"]
    gains = [abs(row[-1]) for row in grid.cells]
    assert gains == sorted(gains, reverse=True)
    assert len(gains) == 25
    assert 0 < grid.leading < 25
    without = dh.compare(example(), "ada", "bob", by="median", replicates=50).grid()
    assert [column.name for column in without.columns] == names[:4]


def test_nothing_to_show_is_no_table():
    alike = dh.compare(example(scores=np.ones((4, 25))), "ada", "bob", by="mean", replicates=50)
    assert alike.grid().columns == ()
    assert alike.to_md()


@pytest.mark.parametrize(("by", "said"), [("average_rank", True), ("mean", False)])
@pytest.mark.parametrize("pair", ["ab", "ba"])
def test_who_is_ahead_by_the_plain_mean_only_is_told(by, said, pair):
    a, b = [2.0] * 11 + [0.0], [1.0] * 11 + [99.0]  # a is better on 11 of 12, b in the mean
    table = dh.Results(scores=np.array([a, b]), candidates=["a", "b"], better="higher")
    found = dh.compare(table, *pair, by=by)
    assert ("By the plain mean, b is ahead." in found.sentences[0]) is said
