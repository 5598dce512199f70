"""The acceleration against loops, and against the jackknife that computes again."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest

from deadheat.ranking.function import get
from deadheat.resampling.plans import plan_for
from deadheat.statistics.evidence import collect_evidence, leaving_out
from deadheat.statistics.intervals import jackknife_accelerations, of_units
from deadheat.statistics.units import units
from verdict_oracle import graded, table

STRATA = ["x"] * 5 + ["y"] * 9
SCORES = np.exp(graded(0, (0.8, 0.5, 0.0), 14)) + 10 * (np.arange(14) < 5)


def by_definition(row, strata):
    """Return the acceleration of a mean: influences within strata, Davison & Hinkley 5.3.2."""
    influence = []
    for h in sorted(set(strata)):
        inside = [x for x, label in zip(row, strata, strict=True) if label == h]
        influence += [x - fmean(inside) for x in inside]
    return sum(x**3 for x in influence) / (6 * sum(x**2 for x in influence) ** 1.5)


def gathered_by(name, **options):
    results = table(SCORES, **options)
    return collect_evidence(results, get(name), plan_for(results, replicates=19))


@pytest.mark.parametrize("strata", [None, STRATA])
def test_units_are_compared_with_those_of_their_stratum(strata):
    """Strata have levels of their own, which are no skewness."""
    found = gathered_by("mean", strata=strata)
    expected = [by_definition(row, strata or ["x"] * 14) for row in SCORES]
    assert of_units(found.units) == pytest.approx(expected)
    alone = leaving_out(found)
    assert jackknife_accelerations(alone.merits, alone.left_out_strata) == pytest.approx(expected)
    if strata:
        pooled = [by_definition(row, ["x"] * 14) for row in SCORES]
        assert np.abs(np.subtract(expected, pooled)).min() > 0.01


def test_a_median_is_computed_again_without_each_judge_and_strata_keep_their_total():
    """Weights of s/(s - 1) are s copies of the others in the stratum, and s - 1 of the rest."""
    alone = leaving_out(gathered_by("median", strata=STRATA))
    labels = np.array(STRATA)
    for u in range(14):
        size = STRATA.count(STRATA[u])
        copies = np.where(labels == STRATA[u], size, size - 1)
        copies[u] = 0
        expected = np.median(np.repeat(SCORES, copies, axis=1), axis=1)
        assert alone.merits[u] == pytest.approx(expected)
    found = jackknife_accelerations(alone.merits, alone.left_out_strata)
    for i in range(3):
        influence = []
        for h in "xy":
            inside = alone.merits[labels == h, i].tolist()
            shrink = (len(inside) - 1) / len(inside)
            influence += [shrink * (fmean(inside) - x) for x in inside]
        cubes, squares = (sum(x**k for x in influence) for k in (3, 2))
        assert found[i] == pytest.approx(cubes / (6 * squares**1.5))


def test_clusters_and_weights_are_units_of_their_own_size():
    weights, clusters = np.array([2.0, 1, 1, 3, 1, 1]), np.array([0, 0, 1, 1, 2, 3])
    q = SCORES[:, :6]
    values = np.stack([(q * weights)[:, clusters == c].sum(axis=1) for c in range(4)], axis=1)
    sizes = np.array([3.0, 4, 1, 1])
    found = of_units(units(q, weights=weights, clusters=clusters))
    for i in range(3):
        merit = values[i].sum() / 9
        influence = [v - merit * s for v, s in zip(values[i], sizes, strict=True)]
        cubes, squares = (sum(x**k for x in influence) for k in (3, 2))
        assert found[i] == pytest.approx(cubes / (6 * squares**1.5))


def test_summation_noise_is_no_skewness():
    noise = np.where(np.arange(30) == 0, np.nextafter(0.1, 1), 0.1)[:, None]
    assert jackknife_accelerations(noise).tolist() == [0]
    single = np.where(np.arange(30) == 0, np.float32(0.1) * (1 + 1e-7), 0.1).astype(np.float32)
    assert len(np.unique(single)) == 2
    assert jackknife_accelerations(single[:, None]).tolist() == [0]
    assert of_units(units(np.stack([noise.T[0], np.arange(30.0)]))) == pytest.approx([0, 0])


def test_parts_of_the_candidates_change_nothing(monkeypatch):
    found = gathered_by("mean", strata=STRATA)
    alone = leaving_out(found)
    whole = of_units(found.units), jackknife_accelerations(alone.merits, alone.left_out_strata)
    monkeypatch.setattr("deadheat.ranking.block.WORKING_SET", 14)
    assert of_units(found.units) == pytest.approx(whole[0], rel=1e-12)
    assert jackknife_accelerations(alone.merits, alone.left_out_strata) == pytest.approx(
        whole[1], rel=1e-12
    )
