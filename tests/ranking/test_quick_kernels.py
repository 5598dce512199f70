"""Kernels that take a short way, against the long one: all pairs, all replicates one by one."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from deadheat.ranking import block as quantiles
from deadheat.ranking import duels
from deadheat.ranking.block import Block
from deadheat.ranking.function import get
from deadheat.ranking.functions.relative_difference import LARGEST_RATIO, difference, thin_factors


@pytest.mark.parametrize("ratio", [1.0, 1.001, 2.0, 50.0, 1e3, 9e4])
def test_thin_factors_give_every_quotient(ratio):
    rng = np.random.default_rng(0)
    sizes = 0.37 * np.exp(rng.uniform(0, np.log(ratio), 150))
    near = np.linspace(1.0, 1.1, len(sizes))  # another judge, which needs fewer columns
    (inwards, outwards), _ = thin_factors(np.stack([sizes, near]))
    exact = 2 * sizes[:, None] / (sizes[:, None] + sizes[None, :])
    np.testing.assert_allclose(inwards @ outwards, exact, rtol=0, atol=2e-14)
    assert inwards.shape[1] <= 48


@pytest.mark.parametrize(
    "sizes", [[0.0, 1.0], [1.0, 2 * LARGEST_RATIO], [np.nan, 1.0], [np.inf, 1.0]]
)
def test_thin_factors_are_refused_where_they_would_be_wrong(sizes):
    assert thin_factors(np.array([sizes, [1.0, 2.0]]))[0] is None


@pytest.mark.parametrize("kind", ["scores", "costs", "zeros", "far apart", "signs", "single"])
def test_relative_difference_over_fields_of_their_own(kind):
    rng = np.random.default_rng(1)
    n, m, size = 70, 5, 8
    scores = rng.lognormal(size=(n, m))
    if kind == "costs":
        scores[:, ::2] *= -1
    elif kind == "zeros":
        scores[3:6, 1] = 0.0
    elif kind == "far apart":
        scores[0, 2] = 1e12
    elif kind == "signs":
        scores[::2, 0] *= -1
    elif kind == "single":
        scores = scores.astype(np.float32)
    judges = rng.integers(0, 3, (size, m))
    judges[:, 0] += 1
    copies = rng.poisson(1, (size, n))
    found = get("relative_difference")(scores, judges, copies)
    for w, c, row in zip(judges, copies, found, strict=True):
        table = scores[c > 0].astype(float)
        said = difference(table[:, None, :], table[None, :, :])
        merits = np.einsum("j,ijk,k->i", c[c > 0], said, w) / w.sum() / (c.sum() - 1)
        tolerance = 1e-6 if kind == "single" else 1e-13
        np.testing.assert_allclose(row[c > 0], merits, atol=tolerance)


@pytest.mark.parametrize("cached", [40, 1_000, 400_000])
def test_the_lead_in_slabs_is_that_of_all_duels(cached, monkeypatch):
    monkeypatch.setattr(duels, "CACHED", cached)
    monkeypatch.setattr(duels, "MOST_REPLICATES", 6)
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 5, (23, 9)).astype(float)
    block = Block(scores, rng.integers(0, 3, (6, 9)), rng.integers(0, 3, (6, 23)))
    whole = duels.Duels(block)
    expected = duels.against(whole.outcomes, block.candidate_weights)
    np.testing.assert_array_equal(duels.Duels(block).lead, expected)
    np.testing.assert_array_equal(whole.lead, expected)


def test_the_lead_with_weights_that_are_no_whole_numbers_respects_their_noise():
    scores = np.array([[2.0, 1, 1], [1.0, 2, 1]])
    weights = np.array([[0.1 + 0.2, 0.3, 0.4]])  # equal but for the last digit
    lead = duels.Duels(Block(scores, weights, np.ones((1, 2)))).lead
    assert lead.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("kernel", [quantiles.middle, partial(quantiles.trimmed_means, cut=0.25)])
@pytest.mark.parametrize("holes", [False, True])
def test_quantiles_of_many_candidates_are_those_of_each(kernel, holes):
    rng = np.random.default_rng(2)
    scores, weights = rng.integers(0, 9, (60, 12)) / 10, rng.integers(0, 3, (50, 12))
    if holes:
        scores[rng.random(scores.shape) < 0.4] = np.nan
    weights = weights.astype(np.float32)
    alone = [kernel(row[None], weights) for row in scores]
    np.testing.assert_array_equal(kernel(scores, weights), np.concatenate(alone, axis=-1))


def test_quantiles_go_through_many_candidates_at_a_time(monkeypatch):
    calls, sums = [], quantiles.running_sums
    monkeypatch.setattr(quantiles, "running_sums", lambda rows: calls.append(1) or sums(rows))
    rng = np.random.default_rng(3)
    quantiles.middle(rng.random((400, 40)), rng.integers(0, 3, (200, 40)).astype(np.float32))
    assert len(calls) <= 40
