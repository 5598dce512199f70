"""Corrections against their definitions: closed testing, step-up and step-down by loops, scipy."""

from __future__ import annotations

from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.core.errors import UsageError
from deadheat.statistics.corrections import (
    CORRECTIONS,
    METHODS,
    adjusted_p_values,
    holm_rejections,
    rejections,
    require_alpha,
)

families = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.04, 0.05, 1.0])),
    min_size=1,
    max_size=6,
).map(np.array)
levels = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.5])


def simes(p):
    return min(len(p) * value / (i + 1) for i, value in enumerate(sorted(p)))


def closed_testing(p, local):
    """Adjusted p of i = the largest local p-value of all sets of hypotheses that contain i."""
    everybody = range(len(p))
    subsets = list(chain.from_iterable(combinations(everybody, size + 1) for size in everybody))
    return [min(1, max(local([p[j] for j in s]) for s in subsets if i in s)) for i in everybody]


@given(families)
def test_holm_is_closed_testing_with_bonferroni(p):
    expected = closed_testing(p, lambda part: len(part) * min(part))
    np.testing.assert_allclose(adjusted_p_values(p, "holm"), expected)


@given(families)
def test_hommel_is_closed_testing_with_simes(p):
    np.testing.assert_allclose(adjusted_p_values(p, "hommel"), closed_testing(p, simes))


def hochberg_by_hand(p, alpha):
    """Step up: from the largest p, reject this and all smaller at the first p <= alpha/(M+1-i)."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    for i in reversed(range(len(p))):
        if p[order[i]] <= alpha / (len(p) - i):
            return {*order[: i + 1]}
    return set()


@given(families, st.floats(0.001, 0.999))
def test_hochberg_rejects_what_the_step_up_rejects(p, alpha):
    found = adjusted_p_values(p, "hochberg")
    if np.isclose(found, alpha, rtol=1e-9).any():
        return
    assert set(np.flatnonzero(found <= alpha).tolist()) == hochberg_by_hand(p, alpha)


@given(families)
def test_false_discovery_rates_are_those_of_scipy(p):
    for method, name in (("bh", "benjamini-hochberg"), ("by", "benjamini-yekutieli")):
        np.testing.assert_allclose(
            adjusted_p_values(p, name), stats.false_discovery_control(p, method=method)
        )


def test_bonferroni_multiplies_and_none_leaves_alone():
    p = np.array([0.5, 0.01, 0.2])
    np.testing.assert_allclose(adjusted_p_values(p, "bonferroni"), [1, 0.03, 0.6])
    np.testing.assert_array_equal(adjusted_p_values(p, "none"), p)


@given(families)
def test_the_methods_are_ordered_as_their_proofs_say(p):
    """None <= Hommel <= Hochberg <= Holm <= Bonferroni, and BH <= BY (up to rounding)."""
    ladder = ["none", "hommel", "hochberg", "holm", "bonferroni"]
    found = [adjusted_p_values(p, method) for method in ladder]
    for smaller, larger in pairwise(found):
        assert (smaller <= larger + 1e-12).all()
    assert (
        adjusted_p_values(p, "benjamini-hochberg") <= adjusted_p_values(p, "benjamini-yekutieli")
    ).all()


@given(families, st.randoms())
def test_the_order_of_the_tests_does_not_matter(p, random):
    shuffled = list(range(len(p)))
    random.shuffle(shuffled)
    for method in METHODS:
        np.testing.assert_array_equal(
            adjusted_p_values(p[shuffled], method), adjusted_p_values(p, method)[shuffled]
        )


def holm_by_hand(p, alpha):
    """Transcribe spec item 43: ascending p, reject while p <= alpha/(M+1-i), stop at a failure."""
    rejected, thresholds = [False] * len(p), [np.nan] * len(p)
    for i, j in enumerate(sorted(range(len(p)), key=lambda j: p[j]), start=1):
        thresholds[j] = alpha / (len(p) + 1 - i)
        if p[j] > thresholds[j]:
            break
        rejected[j] = True
    return rejected, thresholds


@given(families, levels)
def test_the_step_down_is_the_definition(p, alpha):
    rejected, thresholds = holm_rejections(p, alpha)
    expected, compared = holm_by_hand(p, alpha)
    assert rejected.tolist() == expected
    np.testing.assert_allclose(thresholds, compared)


@given(families, levels)
def test_the_step_down_agrees_with_the_adjusted_p_values(p, alpha):
    found = adjusted_p_values(p, "holm")
    sure = ~np.isclose(found, alpha, rtol=1e-9)
    rejected, _ = holm_rejections(p, alpha)
    np.testing.assert_array_equal(rejected[sure], (found <= alpha)[sure])


def test_the_smallest_p_values_are_rejected_although_the_paper_prints_the_inequality_reversed():
    """Erratum F1: read as printed, i = 1 for p_1 = 0, and nothing would be rejected."""
    rejected, thresholds = holm_rejections(np.array([0.0, 0.0, 0.6, 0.5]), 0.05)
    assert rejected.tolist() == [True, True, False, False]
    np.testing.assert_allclose(thresholds, [0.05 / 4, 0.05 / 3, np.nan, 0.05 / 2])


@pytest.mark.parametrize("tests", range(1, 60))
def test_a_p_value_equal_to_its_threshold_is_rejected_whatever_the_rounding(tests):
    """p = 15/(100 M) and alpha = 0.15: equal as fractions, and for M = 6 not as floats."""
    p = np.array([15 / (100 * tests)] + [1.0] * (tests - 1))
    assert holm_rejections(p, 0.15)[0][0]
    p[0] *= 1 + 1e-9
    assert not holm_rejections(p, 0.15)[0][0]


def test_an_empty_family_has_no_answers():
    rejected, thresholds = holm_rejections(np.array([]), 0.05)
    assert rejected.shape == thresholds.shape == (0,)
    assert all(adjusted_p_values(np.array([]), method).shape == (0,) for method in METHODS)


@pytest.mark.parametrize(
    ("alpha", "hint"), [(5, "alpha=0.05"), (0, "0.05"), (1, "0.01"), (-1, "0.05"), (np.nan, "0.05")]
)
def test_an_impossible_level_is_refused(alpha, hint):
    with pytest.raises(UsageError, match="strictly between 0 and 1") as refused:
        require_alpha(alpha)
    assert hint in refused.value.hint


def rejected_by_definition(p, alpha, correction):
    """Step up from the largest p-value, step down from the smallest, or test all intersections."""
    size, order = len(p), np.argsort(p)
    places = {int(i): k for k, i in enumerate(order)}
    if correction == "hommel":
        sets = [s for k in range(1, size + 1) for s in combinations(range(size), k)]
        return [all(simes(p[list(s)]) <= alpha for s in sets if i in s) for i in range(size)]
    harmonic = sum(1 / k for k in range(1, size + 1))
    thresholds = {
        "bonferroni": [alpha / size] * size,
        "holm": [alpha / (size - k) for k in range(size)],
        "hochberg": [alpha / (size - k) for k in range(size)],
        "benjamini-hochberg": [alpha * (k + 1) / size for k in range(size)],
        "benjamini-yekutieli": [alpha * (k + 1) / size / harmonic for k in range(size)],
    }[correction]
    passed = [p[i] <= x for i, x in zip(order, thresholds, strict=True)]
    if correction == "bonferroni":
        number = sum(passed)
    elif correction == "holm":
        number = next((k for k, fine in enumerate(passed) if not fine), size)
    else:
        number = max((k + 1 for k, fine in enumerate(passed) if fine), default=0)
    return [places[i] < number for i in range(size)]


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_rejections_follow_the_definition_and_their_thresholds_say_the_same(correction):
    rng = np.random.default_rng(1)
    seen = set()
    for size in (1, 2, 5, 7):
        for _ in range(40):
            p = rng.random(size) ** 3
            rejected, thresholds = rejections(p, 0.1, correction)
            assert rejected.tolist() == rejected_by_definition(p, 0.1, correction)
            reached = ~np.isnan(thresholds)
            assert ((p <= thresholds) == rejected)[reached].all()
            assert not rejected[~reached].any()
            seen.update(rejected.tolist())
    assert seen == {True, False}


def test_a_p_value_of_0_is_rejected_under_any_correction():
    for correction in CORRECTIONS:
        assert rejections(np.array([0.0, 0.9]), 0.05, correction)[0].tolist() == [True, False]
