"""To resample is to draw weights, and neither blocks nor workers change them."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.resampling import plans as planning
from deadheat.resampling.plans import Bootstrap, Jackknife, block_size, blocks


def all_weights(plan, n, m):
    drawn = [plan.draw(k, n, m) for k in blocks(plan, n, m)]
    return np.concatenate([w.judges for w in drawn]), np.concatenate([w.candidates for w in drawn])


@pytest.mark.parametrize("over", ["judges", "candidates", "both"])
def test_every_replicate_draws_as_many_as_there_are(over):
    judges, candidates = all_weights(Bootstrap(over=over, replicates=2_345, seed=3), n=7, m=11)
    assert judges.shape == (2_345, 11)
    assert candidates.shape == (2_345, 7)
    assert (judges.sum(axis=1) == 11).all()
    assert (candidates.sum(axis=1) == 7).all()
    assert (judges == 1).all() == (over == "candidates")
    assert (candidates == 1).all() == (over == "judges")


def test_the_counts_are_multinomial():
    """Each count has mean 1, variance 1 - 1/m and covariance -1/m with every other."""
    judges, _ = all_weights(Bootstrap(replicates=40_000, seed=1), n=2, m=5)
    covariance = np.cov(judges.T)
    assert judges.mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)
    assert np.diag(covariance) == pytest.approx(np.full(5, 0.8), abs=0.03)
    assert covariance[~np.eye(5, dtype=bool)] == pytest.approx(np.full(20, -0.2), abs=0.03)


def test_a_block_depends_on_seed_and_number_alone():
    plan = Bootstrap(over="both", replicates=5_000, seed=9)
    again = plan.draw(3, 4, 6)
    assert np.array_equal(plan.draw(3, 4, 6).judges, again.judges)
    assert not np.array_equal(plan.draw(2, 4, 6).judges, again.judges)
    other = Bootstrap(over="both", replicates=5_000, seed=10).draw(3, 4, 6)
    assert not np.array_equal(other.judges, again.judges)


@pytest.mark.parametrize("replicates", [1_000, 1_234, 7])
@pytest.mark.parametrize("over", ["judges", "candidates", "both"])
@pytest.mark.parametrize("m", [5, 100])
def test_more_replicates_leave_the_first_ones_as_they_were(replicates, over, m):
    few = all_weights(Bootstrap(over=over, replicates=replicates, seed=0), n=3, m=m)
    many = all_weights(Bootstrap(over=over, replicates=3_000, seed=0), n=3, m=m)
    for some, more in zip(few, many, strict=True):
        assert np.array_equal(some, more[:replicates])


def test_blocks_shrink_with_the_table_so_that_memory_is_bounded():
    assert block_size(10, 10) == planning.LARGEST_BLOCK
    assert block_size(1_000, 100_000) * 100_000 <= planning.NUMBERS_IN_A_BLOCK
    assert block_size(10, 10**9) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"replicates": 0}, "at least 1, got 0"),
        ({"replicates": 1.5}, "whole number of at least 1, got 1.5"),
        ({"seed": -1}, "seed must be"),
        ({"seed": None}, "seed must be"),
    ],
)
def test_wrong_requests_are_refused_with_the_value(wrong, message):
    with pytest.raises(UsageError, match=message):
        Bootstrap(**wrong)


def test_an_unknown_axis_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="judge"):
        Bootstrap(over="judge")


def test_a_jackknife_has_as_many_replicates_as_labels():
    with pytest.raises(TypeError, match="replicates"):
        Jackknife(labels=("a", "b"), replicates=7)
