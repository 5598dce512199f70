"""Ranking functions on a :class:`Results`: may this function rank this table, and if so how."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from deadheat.data.missing import resolved
from deadheat.data.results import Results
from deadheat.errors import DataError, DeadheatError, ScaleError, UsageError, listed
from deadheat.ranking.blocks import Block
from deadheat.ranking.function import RankingFunction, merits
from deadheat.ranking.ranks import levels
from deadheat.ranking.registry import functions
from deadheat.typing import Floats

LARGEST_SCORE = 1e100  # errors and skewness are squares and cubes
LIGHT = 5_000_000  # cells that functions may look at that nobody asked for
PER_CANDIDATE = 500  # what a step in Python costs, in cells; medians take one per candidate
HEAVY = 60_000_000  # comparisons and steps of paths that those may take that go through pairs
TOO_HEAVY = 10_000_000_000  # the same, for those that «all» may take


def require_usable(results: Results, f: RankingFunction) -> None:
    """Raise, with the place and a way out, if the function cannot rank the table."""
    if results.has_holes:
        _require_hole_policy(results, f)
    if f.scale != "ordinal":
        _require_finite(results, f)
    if f.needs:
        _require_sign(results, f)
    if f.form == "table" and (results.weights != np.rint(results.weights)).any():
        raise UsageError(
            f"{f.name} ranks plain tables and cannot weigh judges by parts.",
            hint="give whole judge weights, or register it with ranks_scores.",
        )


def usable(
    results: Results,
    candidates: Sequence[RankingFunction],
    named: Sequence[RankingFunction] = (),
) -> tuple[list[RankingFunction], list[str]]:
    """Return the functions that can rank the table, and a sentence for each that cannot.

    Those that are not ``named`` must also do it in a time that somebody would wait.
    """
    fit, refusals = [], []
    for f in candidates:
        try:
            require_usable(results, f)
            if f not in named:
                _require_quick(results, f)
        except DeadheatError as error:
            refusals.append(f"{f.name} is left out: {error.fact.removeprefix(f.name + ' ')}")
        else:
            fit.append(f)
    return fit, refusals


def affordable(results: Results) -> list[RankingFunction]:
    """Return the functions that may be asked unasked, to say whether they name another winner."""
    light = results.n * (results.m + PER_CANDIDATE) <= LIGHT
    heavy = _steps(results) <= HEAVY
    quick = [f for f in functions() if f.shipped and not f.slow]
    return [f for f in quick if (heavy if f.pairwise else light)]


def merits_of(
    results: Results,
    fs: Sequence[RankingFunction],
    judge_weights: Floats | None = None,
    candidate_weights: Floats | None = None,
    *,
    known: dict[object, Floats] | None = None,
) -> dict[str, Floats]:
    """Return the merits (B, n) of each function, by name, under weights (B, m) and (B, n).

    The judge weights multiply those of the table. Functions that only compare see scores within
    the tie tolerance as equal; functions that break ties by label see the labels in order.
    ``known`` keeps what depends on the table alone from one call to the next.
    """
    base = results.weights[None, :]
    judges = base if judge_weights is None else judge_weights * base
    if candidate_weights is None:
        candidate_weights = np.ones((1, results.n))
    size = max(len(judges), len(candidate_weights))
    judges = np.broadcast_to(judges, (size, results.m))
    candidates = np.broadcast_to(candidate_weights, (size, results.n))
    found: dict[str, Floats] = {}
    kinds = sorted(fs, key=_kind)
    for (_, by_label), group in groupby(kinds, key=_kind):
        members = list(group)
        scores = scores_for(results, members[0])
        shared = {} if known is None or by_label else known
        order = _label_order(results) if by_label else np.arange(results.n)
        back = np.argsort(order)
        block = Block(
            scores if not by_label else scores[order],
            judges,
            candidates if not by_label else candidates[:, order],
            shared,
        )
        for f, rows in zip(members, merits(members, block), strict=True):
            found[f.name] = rows[:, back] if by_label else rows
    return {f.name: found[f.name] for f in fs}


def scores_for(results: Results, f: RankingFunction) -> Floats:
    """Return the scores as a function sees them: with the tie tolerance if it only compares."""
    ordinal = f.scale == "ordinal"
    return levels(results.scores, tolerance=results.tie_tol) if ordinal else results.scores


def remarks_on(results: Results, f: RankingFunction) -> list[str]:
    """Return what the function itself has to say about its ranking of the table."""
    if f.remarks is None:
        return []
    order = _label_order(results)
    scores = levels(results.scores, tolerance=results.tie_tol)[order]
    return list(f.remarks(scores, results.weights))


def _kind(f: RankingFunction) -> tuple[bool, bool]:
    return f.scale == "ordinal", f.by_label


def _label_order(results: Results) -> Floats:
    return np.array(sorted(range(results.n), key=results.candidates.__getitem__))


def _steps(results: Results) -> int:
    """Return how many steps functions take that go through all pairs, and paths between them."""
    return results.n**2 * results.m + results.n**3


def _require_quick(results: Results, f: RankingFunction) -> None:
    if f.pairwise and _steps(results) > TOO_HEAVY:
        raise UsageError(
            f"{results.n:,} candidates take it about {_steps(results):.0e} steps; "
            "name it in --by to wait for it."
        )


def _require_hole_policy(results: Results, f: RankingFunction) -> None:
    if results.missing != "available":
        resolved(results, "error")
    if not f.available:
        able = [other.name for other in functions() if other.available]
        raise DataError(
            f"{f.name} cannot rank a table in which missing scores stay missing "
            f"({int(results.holes.sum()):,} do).",
            hint=f"choose another policy, e.g. --missing worst, or rank by {listed(able)}.",
        )


def _require_finite(results: Results, f: RankingFunction) -> None:
    low, high = float(np.nanmin(results.scores)), float(np.nanmax(results.scores))
    largest = max(-low, high)
    if np.isfinite(largest) and largest and not 1 / LARGEST_SCORE <= largest <= LARGEST_SCORE:
        raise ScaleError(
            f"{f.name} cannot compute with scores as {'large' if largest > 1 else 'small'} as "
            f"{largest:g}.",
            hint="give them in another unit, or rank by a function of the order alone, e.g. "
            "average_rank.",
        )
    infinite = np.isinf(results.scores)
    if infinite.any():
        i, j = np.argwhere(infinite)[0].tolist()
        why = " (policy last-rank)" if results.missing == "last-rank" else ""
        raise ScaleError(
            f"{f.name} cannot use an infinite score{why}; {results.place(i, j)} has one.",
            hint="--missing worst gives a finite score, or rank by a function of the order alone, "
            "e.g. average_rank.",
        )


def _require_sign(results: Results, f: RankingFunction) -> None:
    given = results.scores
    if f.needs == "positive":
        bad = np.where(results.lower, given >= 0, given <= 0)
    else:
        bad = np.where(results.lower, given > 0, given < 0)
    if bad.any():
        i, j = np.argwhere(bad)[0].tolist()
        score = -given[i, j] if results.lower[j] else given[i, j]
        wanted = "scores above 0" if f.needs == "positive" else "scores of at least 0"
        raise ScaleError(
            f"{f.name} needs {wanted}; {results.place(i, j)} has {score + 0.0:g}.",
            hint=f'its scale is "{f.scale}"; rank by average_rank instead'
            + (", or by relative_difference_ranks." if f.needs == "nonnegative" else "."),
        )
