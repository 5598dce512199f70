"""The confidence set for the best, against loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pair_oracle import Given, best_p, flipped_statistics, max_t_statistics

from deadheat.errors import UsageError
from deadheat.inference import units as units_module
from deadheat.inference.best_set import best_by_bootstrap, best_by_sign_flips
from deadheat.inference.units import units
from deadheat.resampling.plans import Bootstrap


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 4), u=st.integers(3, 7))
def test_few_units_are_tested_by_all_sign_vectors(seed, n, u):
    q = np.random.default_rng(seed).normal(size=(n, u)) + np.arange(n)[:, None]
    signs = itertools.product([1, -1], repeat=u)
    replicated = [flipped_statistics(q, row) for row in signs]
    expected = best_p(flipped_statistics(q, [1] * u), replicated, n, exact=True)
    best = best_by_sign_flips(units(q), alpha=0.1, replicates=2**u, on="serial")
    assert best.p == pytest.approx(expected)
    assert best.members.tolist() == [p > 0.1 for p in expected]
    assert best.replicates == 2**u


@given(seed=st.integers(0, 2**32 - 1), strata=st.booleans())
def test_the_bootstrap_is_what_loops_over_repeated_units_give(seed, strata):
    rng = np.random.default_rng(seed)
    q, w = rng.normal(size=(3, 6)), rng.integers(1, 4, 6).astype(float)
    labels = np.array([0, 0, 0, 1, 1, 1]) * strata
    half = rng.multinomial(3, [1 / 3] * 3, size=(30, 2)).reshape(30, 6).astype(float)
    found = units(q, weights=w, strata=labels if strata else None)
    statistics = max_t_statistics(found.values, found.sizes, labels, half, 0.5)
    best = best_by_bootstrap(found, Given(half), alpha=0.1, on="serial")
    assert best.p == pytest.approx(best_p(*statistics, 3))


def graded(seed=0, n=6, m=60):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, m)) - np.linspace(0, 1.5, n)[:, None]


@pytest.mark.parametrize("how", ["flips", "bootstrap"])
def test_the_engine_and_the_parts_change_nothing(how, monkeypatch):
    def best(on):
        if how == "flips":
            return best_by_sign_flips(units(graded()), alpha=0.05, replicates=2_500, on=on)
        return best_by_bootstrap(units(graded()), Bootstrap(replicates=2_500), alpha=0.05, on=on)

    serial = best("serial")
    assert np.array_equal(serial.p, best("threads:2").p)
    monkeypatch.setattr(units_module, "AT_ONCE", 2_000)
    monkeypatch.setattr(units_module, "WORKING_SET", 2_000)
    np.testing.assert_allclose(best("serial").p, serial.p, atol=0.002)


def test_the_observed_best_is_always_a_member_and_the_far_worse_are_not():
    for best in (
        best_by_sign_flips(units(graded(1)), alpha=0.05, replicates=999),
        best_by_bootstrap(units(graded(1)), Bootstrap(replicates=999), alpha=0.05),
    ):
        assert best.members[np.argmax(units(graded(1)).merits)]
        assert not best.members[-1]


def test_clones_of_the_best_are_members_and_a_constant_lag_is_none():
    row = np.random.default_rng(2).normal(size=20)
    of_units = units(np.stack([row, row, row - 0.5]))
    for best in (
        best_by_sign_flips(of_units, alpha=0.05, replicates=999),
        best_by_bootstrap(of_units, Bootstrap(replicates=999), alpha=0.05),
    ):
        assert best.members.tolist() == [True, True, False]
        assert best.p[:2].tolist() == [1, 1]


def test_replicates_in_which_nobody_is_left_count_against_everything():
    weights = np.zeros((19, 4))
    weights[:, 3] = 4
    of_units = units(np.array([[5.0, 6, 7, 0], [1, 1, 1.5, 0]]), weights=np.array([1.0, 1, 1, 0]))
    assert best_by_bootstrap(of_units, Given(weights), alpha=0.05).members.all()


def test_one_candidate_is_the_best():
    only = units(np.arange(5.0)[None, :])
    assert best_by_sign_flips(only, alpha=0.05).p.tolist() == [1]
    assert best_by_bootstrap(only, Bootstrap(replicates=9), alpha=0.05).p.tolist() == [1]


def test_alpha_is_checked():
    with pytest.raises(UsageError, match="alpha"):
        best_by_sign_flips(units(graded()), alpha=1)
    with pytest.raises(UsageError, match="alpha"):
        best_by_bootstrap(units(graded()), Bootstrap(), alpha=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "binary", "skew"])
def test_a_given_best_is_left_out_about_as_often_as_alpha_says(kind):
    """Table C6: by sign-flips .052 on average and .076 at worst, by bootstrap .055 and .068."""
    from test_max_t import null

    rng = np.random.default_rng(3)
    out = np.zeros(2)
    for seed in range(600):
        of_units = units(null(kind, 10, 50, rng))
        plan = Bootstrap(replicates=199, seed=seed)
        flips = best_by_sign_flips(of_units, alpha=0.05, replicates=199, seed=seed, on="serial")
        strap = best_by_bootstrap(of_units, plan, alpha=0.05, on="serial")
        out += [1 - flips.members.mean(), 1 - strap.members.mean()]
    assert (out / 600 < 0.076 + 0.02).all()
    assert (out / 600 > 0.025).all()
