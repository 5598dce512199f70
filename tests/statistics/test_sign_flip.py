"""Sign-flips of units, against the enumeration of all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.statistics import units as units_module
from deadheat.statistics.max_t import Signs, sign_flip, sign_flip_warnings
from deadheat.statistics.units import units
from pair_oracle import absolute, flipped_statistics, square, stepped_down
from verdict_oracle import null


def literal(values, signs, *, exact):
    observed = absolute(flipped_statistics(values, [1] * values.shape[1]))
    replicated = [absolute(flipped_statistics(values, row)) for row in signs]
    return observed, stepped_down(observed, replicated, exact=exact), replicated


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 4), u=st.integers(3, 7))
def test_few_units_are_tested_by_all_sign_vectors(seed, n, u):
    """All 2^u of them by loops; the test sees only those of the first sign."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(n, u)) + np.arange(n)[:, None]
    signs = list(itertools.product([1, -1], repeat=u))
    observed, p, replicated = literal(q, signs, exact=True)
    tests = sign_flip(units(q), alpha=0.25, replicates=2 ** (u - 1), on="serial")
    np.testing.assert_allclose(tests.p, square(n, p))
    assert tests.replicates == 2 ** (u - 1)
    largest = sorted(max(world.values()) for world in replicated)
    assert tests.critical == pytest.approx(largest[2**u - 1 - 2**u // 4], rel=1e-6)
    for (i, j), t in observed.items():
        assert abs(tests.differences[i, j]) / tests.errors[i, j] == pytest.approx(t)
        assert tests.better[i, j] == (tests.differences[i, j] > 0 and p[i, j] <= 0.25)


@given(seed=st.integers(0, 2**32 - 1))
def test_random_signs_follow_the_definition(seed):
    rng = np.random.default_rng(seed)
    q, w = rng.normal(size=(3, 14)), rng.integers(1, 4, 14).astype(float)
    of_units = units(q, weights=w, clusters=np.arange(14) // 2)
    signs = Signs(n=3, u=7, asked=40, seed=5)
    assert not signs.exact
    _, p, _ = literal(of_units.values, signs.draw(0)[0][:40], exact=False)
    tests = sign_flip(of_units, alpha=0.05, replicates=40, seed=5, on="serial")
    np.testing.assert_allclose(tests.p, square(3, p))


def test_two_candidates_with_clear_cut_differences():
    """Six judges all prefer the first: 2 of 64 sign vectors are as extreme."""
    tests = sign_flip(units(np.array([[1.0, 2, 3, 4, 5, 6], [0] * 6])), alpha=0.05)
    assert tests.p[0, 1] == 2 / 64
    assert tests.better.tolist() == [[False, True], [False, False]]


def test_signs_are_fair_and_independent_coins():
    signs = Signs(n=2, u=11, asked=1_001, seed=0)
    drawn = np.concatenate([rows[:b] for rows, b in map(signs.draw, signs.blocks)])
    assert drawn.shape == (1_001, 11)
    assert set(np.unique(drawn)) == {-1, 1}
    assert np.abs(drawn.mean(axis=0)).max() < 4 / np.sqrt(1_001)
    together = np.abs(np.corrcoef(drawn.T)[~np.eye(11, dtype=bool)])
    assert together.max() < 4.5 / np.sqrt(1_001)


def test_enumerated_signs_are_all_different():
    signs = Signs(n=2, u=12, asked=5_000, seed=0)
    drawn = np.concatenate([rows[:b] for rows, b in map(signs.draw, signs.blocks)])
    assert len(np.unique(drawn, axis=0)) == len(drawn) == signs.replicates == 2**11
    assert (drawn[:, 0] == 1).all()


def test_clones_have_p_1_and_constant_differences_are_flagged():
    row = np.random.default_rng(0).normal(size=20)
    tests = sign_flip(units(np.stack([row, row, row - 0.5])), alpha=0.05, replicates=999)
    assert tests.p[0, 1] == 1
    assert tests.flagged == ((0, 2), (1, 2))
    assert tests.better[0, 2]


def test_clones_up_to_rounding_have_p_1_too():
    row = np.random.default_rng(6).random(30)
    tests = sign_flip(units(np.stack([row, row * 3 - row - row])), alpha=0.05, replicates=99)
    assert (row != row * 3 - row - row).any()
    assert tests.p[0, 1] == 1
    assert tests.errors[0, 1] == 0


def test_the_engine_and_the_parts_change_nothing(monkeypatch):
    rng = np.random.default_rng(1)
    of_units = units(rng.normal(size=(5, 30)) + np.linspace(0, 1, 5)[:, None])
    serial = sign_flip(of_units, alpha=0.05, replicates=2_500, on="serial")
    threads = sign_flip(of_units, alpha=0.05, replicates=2_500, on="threads:2")
    assert np.array_equal(serial.p, threads.p)
    assert serial.critical == threads.critical
    monkeypatch.setattr(units_module, "AT_ONCE", 3_000)
    chunked = sign_flip(of_units, alpha=0.05, replicates=2_500, on="serial")
    assert np.array_equal(serial.p, chunked.p)
    other = sign_flip(of_units, alpha=0.05, replicates=2_500, seed=1, on="serial")
    assert not np.array_equal(serial.p, other.p)


def test_a_constant_per_judge_changes_nothing():
    rng = np.random.default_rng(2)
    q = rng.normal(size=(4, 30))
    plain = sign_flip(units(q), alpha=0.05, replicates=500)
    shifted = sign_flip(units(q + 1000 * rng.normal(size=30)), alpha=0.05, replicates=500)
    np.testing.assert_array_equal(shifted.p, plain.p)


def test_too_few_units_are_warned_about():
    rng = np.random.default_rng(3)
    five, six = (units(rng.normal(size=(3, u)).round(3)) for u in (5, 6))
    (few, *_) = sign_flip_warnings(five, alpha=0.05)
    assert "5 units have no p-value below 0.0625" in few
    assert not any("below" in text for text in sign_flip_warnings(six, alpha=0.05))


def test_skewed_differences_are_warned_about_with_the_number():
    from scipy.stats import skew

    rng = np.random.default_rng(4)
    q = np.stack([rng.exponential(size=50), np.zeros(50), np.zeros(50)])
    (text,) = sign_flip_warnings(units(q), alpha=0.05)
    assert f"= {skew(q[0]) / np.sqrt(50):.2f}," in text
    even = np.stack([np.linspace(-1, 1, 50), np.zeros(50)])
    assert not [*sign_flip_warnings(units(even), alpha=0.05)]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("normal", 0.063), ("binary", 0.067), ("skew", 0.100)])
def test_the_family_wise_error_is_what_the_table_says(kind, most):
    """Table C6, worst cells; C1 has .055, .063 and .087 for 10 candidates and 50 judges."""
    rng = np.random.default_rng(5)
    wrong = sum(
        sign_flip(
            units(null(kind, 10, 50, rng)), alpha=0.05, replicates=499, seed=s, on="serial"
        ).better.any()
        for s in range(1_000)
    )
    assert 0.03 < wrong / 1_000 < most + 0.018


# Leaders, one-sided: footnote 1 of Fawcett et al. (2023).


def enumerated(differences):
    """Return the share of all sign vectors under which a sum is at least as large."""
    vectors = list(itertools.product([1, -1], repeat=len(differences)))
    sums = [sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in vectors]
    return sum(x >= sum(differences) - 1e-9 for x in sums) / len(vectors)


def judged(scores, **options):
    results = dh.Results(scores=scores, candidates=list("abc"), better="higher")
    results = results.changed(clusters=options.pop("clusters", None))
    return dh.verdict(results, by="mean", p_value="sign-flip", **options)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_leaders_are_tested_by_all_signs_of_few_judges(seed):
    q = np.random.default_rng(seed).integers(0, 4, (3, 9)) + np.array([[2.0], [1.0], [0.0]])
    v = judged(q, replicates=999)
    rows = {(row["leader"], row["other"]): row["p"] for row in v.table("tests").rows()}
    assert rows
    for (leader, other), p in rows.items():
        assert p == enumerated((q["abc".index(leader)] - q["abc".index(other)]).tolist())
    assert v.paper.draws is None


def test_clusters_flip_together():
    q, clusters = np.random.default_rng(1).normal(size=(3, 20)), [str(j // 2) for j in range(20)]
    first = judged(q, replicates=999, clusters=clusters).table("tests").rows()[0]
    difference = q["abc".index(first["leader"])] - q["abc".index(first["other"])]
    assert first["p"] == enumerated(difference.reshape(10, 2).sum(axis=1).tolist())


def test_drawn_signs_come_close_to_all_of_them_and_plus_one_is_added():
    q = np.random.default_rng(2).normal([[0.6], [0.2], [0.0]], 1.0, (3, 16))
    exact = {row["other"]: row["p"] for row in judged(q, replicates=2**15).table("tests").rows()}
    drawn = judged(q, replicates=3_999, alpha=0.01)
    assert drawn.paper.draws == 3_999
    for row in drawn.table("tests").rows():
        assert row["p"] * 4_000 == pytest.approx(round(row["p"] * 4_000))
        assert row["p"] == pytest.approx(exact[row["other"]], abs=4 * 0.5 / 4_000**0.5)
    assert judged(q, replicates=3_999, engine="serial").table("tests").rows() == (
        judged(q, replicates=3_999).table("tests").rows()
    )


def test_sign_flips_need_a_mean_and_say_what_they_ignore():
    q = np.random.default_rng(0).normal(size=(3, 24))
    table = dh.Results(scores=q, better="higher", strata=["x", "y"] * 12)
    with pytest.raises(dh.UsageError, match=r"sign-flip works on .* copeland is not a mean"):
        dh.verdict(table, by="copeland", p_value="sign-flip", replicates=99)
    v = dh.verdict(table, by="mean", p_value="sign-flip", replicates=999)
    assert any("the strata are ignored; resampling keeps them" in said for said in v.warnings)
    assert "999 sign-flips in the tests" in v.grid().notes[0]
    assert v.made["p_value"] == "sign-flip"
    few = dh.verdict(table.of_judges(range(4)), by="mean", p_value="sign-flip", replicates=99)
    assert any("no p-value below 0.0625" in said for said in few.warnings)
