"""Judges and candidates side by side with those most like them: the ranks, in blocks if many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.data.results import Results
from deadheat.inference.clustering import Tree, tree_of
from deadheat.inference.concordance import JudgeRanks
from deadheat.ranking.rank_vectors import unit_ranks
from deadheat.typing import Floats, Integers

LARGEST_TREE = 2_000  # things of which all pairs are looked at
MOST_SEEN = 10_000_000  # cells of a table of which all judges are looked at


@dataclass(frozen=True, eq=False, kw_only=True)
class Clustered:
    """Hold mean ranks, candidates down and judges across, with a tree of each.

    Attributes
    ----------
    ranks
        (blocks of candidates, blocks of judges), in the order of the trees.
    candidates, judges
        Who is in each block, in that order, by position in the table.
    seen
        The number of judges looked at: all but in huge tables.
    """

    ranks: Floats
    candidates: list[tuple[int, ...]]
    judges: list[tuple[int, ...]]
    candidate_tree: Tree
    judge_tree: Tree
    seen: int

    @property
    def means(self) -> Floats:
        """The mean rank of each block of candidates, over all judges looked at."""
        sizes = np.array([len(block) for block in self.judges])
        return np.asarray(self.ranks @ sizes / self.seen)


def seen_judges(results: Results) -> Integers:
    """Return the judges that a picture looks at: all, or evenly chosen ones of a huge table."""
    most = max(1, MOST_SEEN // results.n)
    if results.m <= most:
        return np.arange(results.m)
    return np.linspace(0, results.m - 1, most).astype(np.int64)


def ranks_by(results: Results, judges: Integers) -> Floats:
    """Return the ranks (judges, candidates) that some judges of a table give."""
    if len(judges) == results.m:
        return JudgeRanks(results).whole
    return JudgeRanks(results.of_judges(judges)).whole


def clustered(results: Results, *, most_judges: int = 200, most_candidates: int = 200) -> Clustered:
    """Return the ranks of a table without holes, alike judges and alike candidates side by side.

    Judges are as far apart as 1 - Spearman's correlation, candidates as the root mean square
    difference of their ranks; average linkage joins both. Better candidates stand above, judges
    closer to the rest left, as far as the trees allow. Where there are more than ``most``, those
    joined first share a block, which has their mean rank. Of more than 2,000, neighbours (by mean
    rank; along the first principal component) are put together before.
    """
    judges = seen_judges(results)
    ranks = ranks_by(results, judges)
    rows = _neighbours(ranks.mean(axis=0))
    table = _means(ranks.T, rows)
    places = table.mean(axis=1)
    apart = _root_mean_square(table)
    candidate_tree = tree_of(apart, keys=places, most=most_candidates)
    columns = _neighbours(_main_axis(table.T)) if len(ranks) > LARGEST_TREE else _single(len(ranks))
    profiles = _means(ranks, columns)
    units = np.nan_to_num(unit_ranks(profiles))
    judge_tree = tree_of(_uncorrelated(units), keys=-(units @ units.sum(axis=0)), most=most_judges)
    of_candidates = _joined(candidate_tree, rows)
    of_judges = _joined(judge_tree, columns)
    cells = _means(_means(ranks, of_judges).T, of_candidates)
    return Clustered(
        ranks=cells,
        candidates=of_candidates,
        judges=[tuple(judges[list(block)].tolist()) for block in of_judges],
        candidate_tree=candidate_tree,
        judge_tree=judge_tree,
        seen=len(judges),
    )


def _single(size: int) -> list[tuple[int, ...]]:
    return [(i,) for i in range(size)]


def _neighbours(values: Floats) -> list[tuple[int, ...]]:
    """Return everything for itself, or of more than a tree can have runs in the order of values."""
    if len(values) <= LARGEST_TREE:
        return _single(len(values))
    parts = np.array_split(np.argsort(values, kind="stable"), LARGEST_TREE)
    return [tuple(part.tolist()) for part in parts]


def _means(table: Floats, blocks: list[tuple[int, ...]]) -> Floats:
    """Return the mean row of each block."""
    if all(len(block) == 1 for block in blocks):
        return np.asarray(table[[block[0] for block in blocks]])
    return np.stack([table[list(block)].mean(axis=0) for block in blocks])


def _joined(tree: Tree, blocks: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [tuple(i for k in leaf for i in blocks[k]) for leaf in tree.items]


def _main_axis(table: Floats) -> Floats:
    """Return the rows (k, n) along their first principal component."""
    centred = table - table.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return np.asarray(centred @ vectors[:, -1])


def _root_mean_square(table: Floats) -> Floats:
    squares = (table**2).sum(axis=1)
    between = squares[:, None] + squares[None, :] - 2 * table @ table.T
    return np.asarray(np.sqrt(np.maximum(between, 0) / table.shape[1]))


def _uncorrelated(units: Floats) -> Floats:
    """Return 1 - correlation; judges that tie all candidates are 0 apart, and 1 from others."""
    silent = ~units.any(axis=1)
    apart = 1 - np.clip(units @ units.T, -1, 1)
    apart[np.ix_(silent, silent)] = 0
    return np.asarray(apart)
