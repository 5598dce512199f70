"""Several tables: benchmarks of more than one, substitutes, and rankings compared alone."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError

QUICK = {"trials": 200, "q": 10, "repeats": 3}
FEW = "mean,average_rank,copeland"


def table_of(seed, name, n=5, **options):
    scores = np.random.default_rng(seed).uniform(size=(n, 8))
    return dh.Results(scores=scores, better="higher", source=name, **options)


@pytest.fixture(scope="module")
def tables():
    return [table_of(k, name) for k, name in enumerate(("a", "b", "c"))]


def test_tables_of_a_benchmark_count_as_one(tables):
    """As AutoDL in table 1 of the paper, whose two matrices only count as one."""
    each = [dh.criteria(t, by=FEW, **QUICK).values("generalization") for t in tables]
    found = dh.criteria(tables, by=FEW, benchmarks={"ab": ["a", "b"]}, **QUICK)
    one, two, three = (mean for mean, _, _ in each)
    ab = (one + two) / 2
    mean, noise, between = found.values("generalization")
    np.testing.assert_allclose(mean, (ab + three) / 2)
    np.testing.assert_allclose(between, np.abs(ab - three) / 2)
    errors = [noise for _, noise, _ in each]
    expected = np.sqrt((errors[0] / 2) ** 2 + (errors[1] / 2) ** 2 + errors[2] ** 2) / 2
    np.testing.assert_allclose(noise, expected)
    assert found.facts()["benchmarks"] == ["ab", "ab", "c"]
    assert "Noise is that of 2 benchmarks" in found.grid().notes[1]
    alike = found.rankings
    np.testing.assert_allclose(found.matrix, ((alike[0] + alike[1]) / 2 + alike[2]) / 2)


def test_a_benchmark_of_one_table_changes_nothing(tables):
    plain, named = (
        dh.criteria(tables, by=FEW, benchmarks=b, **QUICK) for b in (None, {"x": ["a"]})
    )
    assert plain.rows() == named.rows()


@pytest.mark.parametrize(
    ("benchmarks", "error", "message"),
    [
        ({"x": ["a", "bb"]}, UnknownNameError, "Did you mean 'b'"),
        ({"x": ["a"], "y": ["a"]}, UsageError, "a is said to be of two benchmarks, 'x' and 'y'"),
        (
            {"x": ["a", "d"]},
            DataError,
            r"'x' has tables of different candidates: d has 'candidate_6'",
        ),
    ],
)
def test_benchmarks_that_cannot_be_are_refused(tables, benchmarks, error, message):
    with pytest.raises(error, match=message):
        dh.criteria([*tables, table_of(9, "d", n=6)], by=FEW, benchmarks=benchmarks, **QUICK)


def test_one_negative_score_does_not_remove_a_function_from_every_table(tables):
    scores = tables[1].scores.copy()
    scores[2, 3] = -0.5
    signed = dh.Results(scores=scores, better="higher", source="signed")
    by = "relative_difference,relative_difference_ranks"
    found = dh.criteria([tables[0], signed], by=by, **QUICK)
    own, ranks = found.measured[1].values["generalization"][:2]
    np.testing.assert_array_equal(own, ranks)
    alone = dh.criteria(tables[0], by=by, **QUICK).measured[0].values["generalization"]
    np.testing.assert_array_equal(found.measured[0].values["generalization"], alone)
    assert found.facts()["substitutes"] == {
        "signed": {"relative_difference": "relative_difference_ranks"}
    }
    assert found.warnings[0] == (
        "signed: relative_difference needs scores of at least 0; candidate 'candidate_3' on judge "
        "'judge_4' has -0.5. relative_difference_ranks stands in for it."
    )
    with pytest.raises(DataError, match="needs scores of at least 0"):
        dh.criteria([signed, signed.changed(source="too")], by=by, **QUICK)


def test_without_trials_only_whole_rankings_are_compared(tables):
    found = dh.criteria(tables, by=FEW, trials=0)
    resampled = dh.criteria(tables, by=FEW, **QUICK)
    assert found.correlations().rows() == resampled.correlations().rows()
    assert found.verdict.startswith("Nothing was resampled")
    assert not found.warnings
    with pytest.raises(UsageError, match="no criterion has a value"):
        found.meta_ranking()


def test_the_functions_are_ranked_by_the_criteria(tables):
    found = dh.criteria(tables[0], by=FEW, **QUICK)
    names = ["winner_rank", "condorcet_rate", "generalization"]
    names += ["stability_judges", "stability_candidates"]
    values = np.array([[row[name] for name in names] for row in found.rows()[:-1]])
    mean_ranks = 1 + (values[:, None] < values[None]).sum(1).mean(1)
    mean_ranks += ((values[:, None] == values[None]).sum(1) - 1).mean(1) / 2
    ranked = {row["candidate"]: row["shown"] for row in found.meta_ranking().rows()}
    assert ranked == pytest.approx(dict(zip(FEW.split(","), mean_ranks, strict=True)))
    first = found.meta_ranking("mean").rows()[0]
    assert first["shown"] == pytest.approx(values.mean(axis=1).max())
