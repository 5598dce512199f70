"""The criteria as the paper states them: tables are copied, scipy correlates, loops count."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
from scipy.stats import kendalltau, rankdata, spearmanr

from oracle import ORACLES


def sigma(a, b, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a constant vector: NaN
        measure = spearmanr if kind == "spearman" else kendalltau
        return float(measure(a, b).statistic)


def rounded(merits):
    """Return merits that are equal where only the order of a sum tells them apart."""
    return np.round(np.asarray(merits, dtype=float), 10)


class World:
    """One resampled table, with every judge and candidate as often as it was drawn."""

    def __init__(self, scores, judges, candidates, name, *, weights=None):
        self.scores = np.asarray(scores, dtype=float)
        own = np.ones(self.scores.shape[1], dtype=int) if weights is None else weights
        self.own = np.asarray(own, dtype=int)
        self.judges = np.asarray(judges, dtype=int)
        self.drawn = np.repeat(np.arange(self.scores.shape[1]), self.judges * self.own)
        self.copies = np.repeat(np.arange(len(self.scores)), np.asarray(candidates, dtype=int))
        self.table = self.scores[self.copies][:, self.drawn]
        self.merits = rounded(ORACLES[name](self.table))
        self.present = sorted(set(self.copies.tolist()))

    def merit(self, i):
        return self.merits[self.copies.tolist().index(i)]

    def winners(self, *, first=False):
        best = max(self.merit(i) for i in self.present)
        found = [i for i in self.present if self.merit(i) == best]
        return found[:1] if first else found

    def winner_rank(self, *, first=False):
        ranks = np.column_stack([rankdata(-column) for column in self.table.T]).mean(axis=1)
        own = [ranks[self.copies.tolist().index(i)] for i in self.winners(first=first)]
        n = len(self.table)
        return 1 - (np.mean(own) - 1) / max(n - 1, 1)

    def wins_most(self, a, b):
        return np.sum(self.table[a] > self.table[b]) > np.sum(self.table[b] > self.table[a])

    def condorcet_winner(self, *, clones=False):
        rows = range(len(self.table)) if clones else self._rows()
        found = [u for u in rows if all(self.wins_most(u, v) for v in rows if v != u)]
        return int(self.copies[found[0]]) if found and len(self.present) > 1 else None

    def majority_winner(self, *, clones=False):
        rows = list(range(len(self.table))) if clones else self._rows()
        for u in rows:
            rest = [v for v in rows if v != u]
            first = sum(all(column[u] > column[v] for v in rest) for column in self.table.T)
            if rest and 2 * first > self.table.shape[1] and len(self.present) > 1:
                return int(self.copies[u])
        return None

    def rate(self, winner, *, first=False):
        if winner is None:
            return np.nan
        elected = self.winners(first=first)
        return (winner in elected) / len(elected)

    def generalization(self, kind, *, clones=False):
        if len(self.present) < 2:
            return np.nan
        rows = list(range(len(self.table))) if clones else self._rows()
        found = []
        for k in range(self.scores.shape[1]):
            if self.judges[k] == 0:
                value = sigma(self.merits[rows], self.scores[self.copies[rows], k], kind)
                found += [value] * int(self.own[k])
        known = [value for value in found if not np.isnan(value)]
        return np.mean(known) if known else np.nan

    def _rows(self):
        order = self.copies.tolist()
        return [order.index(i) for i in self.present]


def mean_over_pairs(worlds, kind):
    """Return the mean correlation over pairs of worlds, over the candidates that both have."""
    found = []
    for a, b in combinations(worlds, 2):
        both = [i for i in a.present if i in b.present]
        if len(both) > 1:
            found.append(sigma([a.merit(i) for i in both], [b.merit(i) for i in both], kind))
    known = [value for value in found if not np.isnan(value)]
    return (np.mean(known) if known else np.nan), len(list(combinations(worlds, 2))) - len(known)


def kendall_w(worlds):
    """Return W with the correction for ties, as the supplement prints it (section 4.2)."""
    rankings = [rankdata([-w.merit(i) for i in w.present]) for w in worlds]
    q, n = len(rankings), len(rankings[0])
    sums = np.sum(rankings, axis=0)
    ties = sum(float(sum(t**3 - t for t in np.unique(r, return_counts=True)[1])) for r in rankings)
    below = q**2 * n * (n**2 - 1) - q * ties
    above = 12 * float((sums**2).sum()) - 3 * q**2 * n * (n + 1) ** 2
    return above / below if below else np.nan
