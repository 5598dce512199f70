"""When an interval is warned of, and what is named instead."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.statistics.intervals import KINDS
from deadheat.verdict.warnings import interval_warning, skewness_of_scores

NORMAL = np.random.default_rng(9).normal(size=(6, 200))
SKEWED = np.exp(2 * NORMAL)


@pytest.mark.parametrize("kind", KINDS)
def test_many_judges_need_no_warning(kind):
    for scores in (NORMAL, SKEWED):
        assert interval_warning(kind, scores=scores, additive=True) is None
        assert interval_warning(kind, scores=scores, additive=False) is None


@pytest.mark.parametrize(("kind", "covers"), [("percentile", "86-92 %"), ("basic", "83-92 %")])
def test_few_judges_are_warned_of_with_the_number_and_the_better_choice(kind, covers):
    few = NORMAL[:, :19]
    said = interval_warning(kind, scores=few, additive=True)
    assert "19 judges" in said
    assert covers in said
    assert "interval='bootstrap-t' 92-95 %" in said
    other = interval_warning(kind, scores=few, additive=False)
    assert "interval='expanded-percentile' 88-95 %" in other
    assert interval_warning(kind, scores=NORMAL[:, :20], additive=True) is None


def test_bands_are_warned_of_where_they_cover_too_little():
    """Means are studentized and shares exact; others have one error over all resamples."""
    kind = "simultaneous"
    assert interval_warning(kind, scores=NORMAL[:, :10], additive=True) is None
    assert "skewed" in interval_warning(kind, scores=SKEWED[:, :19], additive=True)
    assert interval_warning(kind, scores=SKEWED[:, :20], additive=True) is None
    assert "19 judges are few" in interval_warning(kind, scores=NORMAL[:, :19], additive=False)
    assert "skewed" in interval_warning(kind, scores=SKEWED[:, :49], additive=False)
    assert interval_warning(kind, scores=SKEWED, additive=False) is None
    assert interval_warning(kind, scores=NORMAL[:, :10] > -1.5, additive=True) is None


def test_few_judges_by_weight_are_few():
    said = interval_warning("percentile", scores=NORMAL, additive=True, effective=12.34)
    assert "judges that count like 12.3 are few" in said


def test_skewed_scores_need_fifty_judges():
    for kind in ("percentile", "bca", "expanded-percentile"):
        said = interval_warning(kind, scores=SKEWED[:, :49], additive=True)
        assert "skewed" in said
        assert "49 judges" in said
        assert "bootstrap-t" in said
    assert interval_warning("percentile", scores=SKEWED[:, :50], additive=True) is None
    assert interval_warning("percentile", scores=NORMAL[:, :49], additive=True) is None


def test_what_may_be_chance_is_not_called_skewed():
    """A skewness of 1.06 from 25 judges is little more than two of its standard errors."""
    from scipy import stats

    scores = stats.gamma.ppf((np.arange(25) + 0.5) / 25, 2)[None]
    assert 1 < stats.skew(scores[0]) < 3 * np.sqrt(6 / 25)
    assert interval_warning("percentile", scores=scores, additive=True) is None


def test_the_skewness_is_that_of_scipy():
    from scipy import stats

    largest = np.abs(stats.skew(SKEWED[:, :40], axis=1)).max()
    assert skewness_of_scores(SKEWED[:, :40], 40) == pytest.approx(largest)
    said = interval_warning("percentile", scores=SKEWED[:, :40], additive=True)
    assert said.startswith("the scores are skewed, and 40 judges are few for that: percentile")


def test_the_better_choice_is_not_warned_of():
    few = SKEWED[:, :15]
    assert interval_warning("bootstrap-t", scores=few, additive=True) is None
    assert interval_warning("expanded-percentile", scores=few, additive=False) is None


def shares(*successes, m):
    return (np.arange(m) < np.array(successes)[:, None]).astype(float)


def test_rare_failures_need_wilson():
    scores = shares(95, 50, 3, m=100)
    for turned in (scores, scores - 1):
        for kind in ("percentile", "bootstrap-t"):
            said = interval_warning(kind, scores=turned, additive=True)
            assert "2 of 3 candidates" in said
            assert "64 %" in said
            assert "wilson" in said
        assert interval_warning("wilson", scores=turned, additive=True) is None


def test_enough_of_both_need_no_warning_even_where_judges_are_few():
    assert interval_warning("percentile", scores=shares(90, 10, m=100), additive=True) is None
    assert interval_warning("percentile", scores=shares(10, m=20), additive=True) is None


def test_wilson_is_not_named_where_the_merit_is_no_mean():
    said = interval_warning("percentile", scores=shares(8, 5, m=12), additive=False)
    assert "wilson" not in said


def test_equal_scores_are_not_skewed():
    assert interval_warning("percentile", scores=np.full((2, 30), 0.1), additive=True) is None


def test_one_judge_gives_no_interval():
    assert "no interval" in interval_warning("basic", scores=NORMAL[:, :1], additive=True)
