"""Trees and their leaves, against SciPy's dendrogram and by their laws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage
from scipy.spatial.distance import pdist, squareform

from deadheat.agree import maps as module
from deadheat.agree.maps import bin_points, cluster_table, judge_map, tree_of
from deadheat.data.results import Results
from deadheat.statistics.concordance import JudgeRanks


def apart(k, seed=0):
    return squareform(pdist(np.random.default_rng(seed).normal(size=(k, 3))))


def field(n, m, seed=0):
    rng = np.random.default_rng(seed)
    return Results(scores=rng.normal(size=(n, m)) + np.arange(n)[:, None] / n, better="higher")


@pytest.mark.parametrize("k", [2, 3, 10, 60])
def test_leaves_and_lines_are_those_of_scipy(k):
    joined = linkage(squareform(apart(k)), "average")
    theirs = dendrogram(joined, no_plot=True)
    tree = tree_of(apart(k), keys=np.zeros(k))
    assert tree.order.tolist() == theirs["leaves"]
    lines = sorted(
        tuple(zip((np.array(x) / 10).tolist(), y, strict=True))
        for x, y in zip(theirs["icoord"], theirs["dcoord"], strict=True)
    )
    np.testing.assert_allclose(sorted(tree.branches()), lines)


@pytest.mark.parametrize("kept", [1, 2, 7, 40])
def test_a_cut_tree_has_the_clusters_of_scipy(kept):
    joined = linkage(squareform(apart(40)), "average")
    labels = fcluster(joined, kept, criterion="maxclust")
    tree = tree_of(apart(40), keys=np.zeros(40), most=kept)
    theirs = {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels)}
    assert {frozenset(items) for items in tree.members} == theirs
    np.testing.assert_allclose(tree.merges[:, 2], joined[len(joined) - kept + 1 :, 2])
    assert sorted(tree.order.tolist()) == list(range(kept))


def test_keys_turn_joins_so_that_the_lower_side_is_left_and_no_lines_cross():
    keys = np.random.default_rng(5).normal(size=30)
    tree = tree_of(apart(30), keys=keys)
    place = {leaf: k for k, leaf in enumerate(tree.order.tolist())}
    inside = {i: [i] for i in range(30)}
    for row, (a, b) in enumerate(tree.merges[:, :2].astype(int).tolist()):
        sides = sorted((inside[a], inside[b]), key=lambda side: min(place[i] for i in side))
        assert max(place[i] for i in sides[0]) < min(place[i] for i in sides[1])
        assert keys[sides[0]].mean() <= keys[sides[1]].mean()
        inside[30 + row] = sides[0] + sides[1]


@pytest.mark.parametrize("k", [0, 1])
def test_one_thing_alone_is_a_tree_without_lines(k):
    tree = tree_of(np.zeros((k, k)), keys=np.zeros(k))
    assert tree.order.tolist() == list(range(k))
    assert tree.branches() == []


def test_clustered_ranks_are_the_ranks_in_the_order_of_the_trees():
    results = field(12, 20)
    found = cluster_table(results, scores=False)
    ranks = JudgeRanks(results).whole.T
    rows = [block[0] for block in found.candidates]
    columns = [block[0] for block in found.judges]
    np.testing.assert_array_equal(found.values, ranks[np.ix_(rows, columns)])
    assert sorted(rows) == list(range(12))
    assert sorted(columns) == list(range(20))


def test_blocks_have_the_mean_rank_of_their_members():
    results = field(12, 20)
    found = cluster_table(results, scores=False, most_judges=4, most_candidates=5)
    assert found.values.shape == (5, 4)
    ranks = JudgeRanks(results).whole.T
    for i, candidates in enumerate(found.candidates):
        for j, judges in enumerate(found.judges):
            mean = np.mean([ranks[c, k] for c in candidates for k in judges])
            assert found.values[i, j] == pytest.approx(mean)


def test_huge_tables_are_put_together_before(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_TREE", 10)
    results = field(25, 60)
    found = cluster_table(results, scores=False, most_judges=6, most_candidates=6)
    assert sorted(i for block in found.candidates for i in block) == list(range(25))
    assert sorted(j for block in found.judges for j in block) == list(range(60))
    monkeypatch.setattr(module, "MOST_SEEN", 25 * 30)
    assert cluster_table(results, scores=False).seen == 30
    assert len(judge_map(results).judges) == 30


def test_judges_that_tie_all_stand_together():
    scores = np.random.default_rng(0).normal(size=(6, 5))
    scores[:, [1, 3]] = 0.0
    found = cluster_table(Results(scores=scores, better="higher"), scores=False)
    columns = [block[0] for block in found.judges]
    assert abs(columns.index(1) - columns.index(3)) == 1


def test_the_map_of_judges_has_their_principal_components():
    results = field(7, 40)
    better = -JudgeRanks(results).whole
    centred = better - better.mean(axis=0)
    values = np.sort(np.linalg.eigvalsh(centred.T @ centred))[::-1]
    found = judge_map(results)
    assert found.shares == pytest.approx((values[:2] / values.sum()).tolist())
    np.testing.assert_allclose((found.points**2).sum(axis=0), values[:2])
    direction = found.arrows[:, 0] / np.linalg.norm(found.arrows[:, 0])
    np.testing.assert_allclose(np.abs(centred @ direction), np.abs(found.points[:, 0]))
    assert np.corrcoef(centred @ direction, found.points[:, 0])[0, 1] == pytest.approx(1)


@pytest.mark.parametrize("scores", [[[1.0], [2]], [[1.0, 1], [2, 2]], [[1.0, 1], [1, 1]]])
def test_judges_that_rank_alike_are_one_point(scores):
    found = judge_map(Results(scores=scores, better="higher"))
    assert not found.points.any()
    assert found.shares == (0, 0)


def test_heaps_keep_the_number_and_the_middle_of_points():
    points = np.random.default_rng(1).normal(size=(500, 2))
    places, counts = bin_points(points, cells=8)
    assert counts.sum() == 500
    np.testing.assert_allclose((places * counts[:, None]).sum(axis=0), points.sum(axis=0))
    assert len(places) <= 9 * 9
    side = np.ptp(points, axis=0).max() / 8
    near = np.linalg.norm(points[:, None] - places[None], axis=2).min(axis=1)
    assert near.max() <= side * np.sqrt(2)
    same, number = bin_points(np.zeros((5, 2)), cells=8)
    assert (same.tolist(), number.tolist()) == ([[0, 0]], [5])
