"""The laws that every ranking function obeys, whoever wrote it.

Each takes the function and what hypothesis drew, so that the functions of the package and those
of a user go through the same code.
"""

from __future__ import annotations

from unittest import mock

import numpy as np

import oracle
from deadheat.ranking import block as blocks
from deadheat.ranking.ranks import ranks

CLOSE = {"rtol": 1e-11, "atol": 1e-12}


def one(f, scores, judges=None, candidates=None):
    """Return the merits of the only replicate."""
    merits = f(scores, judges, candidates)
    assert merits.shape == (1, len(scores))
    return merits[0]


def ranked(f, merits, scores, judges=None):
    """Return the ranks of merits, with the tolerance that the function asks for."""
    return ranks(np.asarray(merits), unit=f.unit(np.asarray(scores), judges))


def sizes(f, scores):
    """Return how large the numbers are that a candidate's merit is made of, said anew here.

    Shares and places are of size 1, everything else is measured by the candidate's own scores; of
    a function without an oracle, nothing is known but what it says.
    """
    if f.scale == "ordinal" or f.name == "relative_difference":
        return np.ones(len(scores))
    own = np.array([np.abs(row[~np.isnan(row)]).max(initial=0.0) for row in scores])
    return own if f.name in oracle.ORACLES else np.maximum(own, f.unit(scores))


def noise(f, scores):
    """Return the relative noise to expect of merits; that of scores only where they are added.

    Logarithms of single scores are added in double precision; only their geometric mean is single.
    """
    if scores.dtype != np.float32 or f.scale == "ordinal":
        return 1e-11
    return 1e-7 if f.name == "geometric_mean" else 1e-5


def the_same(f, table, merits, expected):
    """Assert that merits of all copies agree, each beside the size of its own scores."""
    found = np.repeat(merits, table.candidates)
    size = np.repeat(sizes(f, table.scores), table.candidates)
    assert found.shape == np.shape(expected)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    size = np.maximum(size, np.abs(found))
    wrong = np.abs(found - expected) > noise(f, table.scores) * size
    assert not wrong.any(), f"{found} instead of {np.asarray(expected)}"


def plain_ranks(f, scores, merits):
    """Return the ranks of merits without the package: no tolerance, no unit of it is used.

    On the tables of this suite merits that differ do so by far more than these tolerances.
    """
    size = np.maximum(sizes(f, scores), np.abs(merits))
    apart = 10 * noise(f, scores) * np.maximum.outer(size, size)
    ahead = np.subtract.outer(merits, merits)
    return 1 + (ahead < -apart).sum(axis=1) + ((np.abs(ahead) <= apart).sum(axis=1) - 1) / 2


def whole_scores_only(f):
    """Whether the function takes only whole weights (a function of a plain table)."""
    return f.form == "table"


def labels_decide(f, scores):
    """Whether ties inside the function may be broken by the order of the candidates.

    Functions marked ``by_label`` follow the order of the labels where equal margins contradict
    each other. Only where no two victories have the same margin is their answer free of labels.
    """
    if not f.by_label:
        return False
    won = oracle.margins(scores)
    victories = [margin for row in won for margin in row if margin > 0]
    return len(set(victories)) < len(victories)


def a_weight_is_a_repetition(f, worlds):
    """Weight 2 means «there twice», weight 0 means «not there»."""
    for table, merits in zip(worlds.each, f(*worlds), strict=True):
        the_same(f, table, merits, one(f, table.repeated))
        assert np.isnan(merits[table.candidates == 0]).all()
        assert not np.isnan(merits[table.candidates > 0]).any()


def the_oracle_agrees(f, worlds):
    """Merits are those of the literal formula on the repeated table, and so are the ranks."""
    for table, merits in zip(worlds.each, f(*worlds), strict=True):
        expected = np.array(oracle.ORACLES[f.name](table.repeated.astype(float)), dtype=float)
        the_same(f, table, merits, expected)
        there = table.candidates > 0
        rank = ranked(f, merits, table.scores, table.judges)
        once = expected[np.cumsum(table.candidates)[there] - 1]
        np.testing.assert_array_equal(rank[there], plain_ranks(f, table.scores[there], once))


def only_the_proportions_of_the_judges_count(f, table, factor):
    """Ranks stay when all judge weights are multiplied."""
    factor = 3 if whole_scores_only(f) else factor
    before = one(f, table.scores, table.judges, table.candidates)
    after = one(f, table.scores, table.judges * factor, table.candidates)
    np.testing.assert_array_equal(ranked(f, after, table.scores), ranked(f, before, table.scores))


def candidates_have_no_order(f, table, order):
    """Permuted candidates have their merits permuted.

    Not where a baseline draws a judge by the table alone: two opposite judges are alike but for the
    order of the candidates, so nothing else can choose between them.
    """
    if f.baseline or labels_decide(f, table.repeated):
        return
    before = one(f, table.scores, table.judges, table.candidates)
    after = one(f, table.scores[order], table.judges, table.candidates[order])
    np.testing.assert_allclose(after, before[order], **CLOSE)


def judges_have_no_order(f, table, order):
    """Permuted judges change nothing, not even a tie."""
    before = one(f, table.scores, table.judges, table.candidates)
    after = one(f, table.scores[:, order], table.judges[order], table.candidates)
    np.testing.assert_allclose(after, before, **CLOSE)
    np.testing.assert_array_equal(ranked(f, after, table.scores), ranked(f, before, table.scores))


def the_declared_scale_holds(f, table, maps, factors):
    """What the scale says is without meaning does not change the ranks."""
    scores = table.scores
    if f.scale == "ordinal":
        maps = maps[:1] * len(maps) if f.shared_scale else maps
        mapped = [[maps[k][x] for k, x in enumerate(row)] for row in scores.tolist()]
    elif f.scale == "interval":
        factor, shift = factors[0], (-10.0 if len(factors) % 2 else 7.25)
        mapped = scores * factor + shift
    else:
        factor = factors[:1] * scores.shape[1] if f.shared_scale else factors
        mapped = scores * np.array(factor)
    mapped = np.array(mapped, dtype=float)
    before = one(f, scores, table.judges, table.candidates)
    after = one(f, mapped, table.judges, table.candidates)
    np.testing.assert_array_equal(ranked(f, after, mapped), ranked(f, before, scores))


def a_block_is_its_rows(f, block):
    """Each row of many replicates is what it would be alone, however the work is cut."""
    scores, judges, candidates = block
    rows = np.concatenate([f(scores, *row) for row in zip(judges, candidates, strict=True)])
    np.testing.assert_allclose(f(scores, judges, candidates), rows, rtol=0, atol=1e-12)
    for tiny in (1, 40):
        with mock.patch.object(blocks, "WORKING_SET", tiny):
            np.testing.assert_allclose(f(scores, judges, candidates), rows, rtol=0, atol=1e-12)


def one_row_of_weights_is_for_all(f, block):
    """A single row of weights of one kind goes with every row of the other."""
    scores, judges, candidates = block
    wide = f(scores, judges, candidates[:1])
    np.testing.assert_allclose(
        wide, f(scores, judges, np.repeat(candidates[:1], len(judges), axis=0)), **CLOSE
    )
    np.testing.assert_allclose(
        f(scores, None, candidates), f(scores, np.ones_like(judges), candidates), **CLOSE
    )


def an_additive_merit_is_a_mean_over_judges(f, table):
    """The merit is the weighted mean of what every judge alone would give."""
    alone = f(table.scores, np.eye(table.scores.shape[1]), table.candidates)
    merits = one(f, table.scores, table.judges, table.candidates)
    expected = (table.judges @ alone) / table.judges.sum()
    np.testing.assert_allclose(merits, expected, **CLOSE)
