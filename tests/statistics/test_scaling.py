"""Maps from distances, against exact configurations, eigenvectors and a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import pdist, squareform

from deadheat.statistics.embedding import between, classical, scale_to_plane


def distances(k, seed, dimensions):
    return squareform(pdist(np.random.default_rng(seed).normal(size=(k, dimensions))))


@pytest.mark.parametrize("k", [2, 3, 8, 30])
def test_points_of_the_plane_come_back(k):
    wanted = distances(k, k, 2)
    found = scale_to_plane(wanted)
    np.testing.assert_allclose(squareform(pdist(found.points)), wanted, atol=1e-6)
    assert found.stress < 1e-6


def test_the_classical_start_is_that_of_the_double_centred_matrix():
    wanted = distances(7, 1, 5)
    centring = np.eye(7) - 1 / 7
    values, vectors = np.linalg.eigh(-centring @ wanted**2 @ centring / 2)
    oracle = vectors[:, [-1, -2]] * np.sqrt(values[[-1, -2]])
    np.testing.assert_allclose(pdist(classical(wanted)), pdist(oracle), atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_no_optimiser_finds_a_much_better_map_nearby_and_the_start_is_worse(seed):
    wanted = distances(8, seed, 6)
    target = squareform(wanted)

    def loss(flat):
        return float(((pdist(flat.reshape(-1, 2)) - target) ** 2).sum())

    found = scale_to_plane(wanted)
    reached = loss(found.points.ravel())
    assert reached <= loss(classical(wanted).ravel())
    polished = minimize(loss, found.points.ravel(), method="BFGS").fun
    assert reached == pytest.approx(polished, rel=1e-4)
    size = (pdist(found.points) ** 2).sum()
    assert found.stress == pytest.approx(np.sqrt(reached / size))


def test_the_order_of_things_changes_nothing_but_their_order():
    wanted = distances(9, 3, 4)
    order = np.random.default_rng(0).permutation(9)
    first, second = scale_to_plane(wanted), scale_to_plane(wanted[np.ix_(order, order)])
    np.testing.assert_allclose(pdist(second.points), pdist(first.points[order]), atol=1e-4)


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_things_at_no_distance_are_one_point(k):
    found = scale_to_plane(np.zeros((k, k)))
    np.testing.assert_array_equal(found.points, np.zeros((k, 2)))
    assert found.stress == 0


def test_distances_of_points():
    np.testing.assert_array_equal(between(np.array([[0.0, 0], [3, 4]])), [[0, 5], [5, 0]])
