"""Ranking functions on tables: which one is meant, whether it fits, its merits, its cautions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, groupby
from weakref import WeakKeyDictionary

import numpy as np

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    ScaleError,
    UsageError,
    Words,
    command_saying,
    command_with,
    listed,
    quoted,
    say,
)
from deadheat.core.memory import allowing, budget, readable
from deadheat.core.types import Floats
from deadheat.core.weights import FEW_DECIDE, MISREAD
from deadheat.data.missing import apply_policy
from deadheat.data.results import POLICIES, Results, read_only
from deadheat.ranking.block import Block
from deadheat.ranking.function import (
    Functions,
    RankingFunction,
    functions,
    functions_named,
    merits,
    spoken,
)
from deadheat.ranking.of_runs import function_for as function_on
from deadheat.ranking.of_runs import function_of_rule
from deadheat.ranking.ranks import RELATIVE_TOLERANCE, levels, winners

DEFAULT = "average_rank"
OF_ONE_SCORE = "mean"  # which is the score itself, and of 0 and 1 orders as average ranks do
PAPER = (  # the functions of Pavao et al. (2021), and the one that its tables show
    *("mean", "median", "average_rank", "success_rate", "relative_difference"),
    *("relative_difference_ranks", "copeland"),
)
LARGEST_SCORE = 1e100  # errors and skewness are squares and cubes
LIGHT = 5_000_000  # cells that functions may look at that nobody asked for
PER_CANDIDATE = 500  # what a step in Python costs, in cells; medians take one per candidate
HEAVY = 60_000_000  # comparisons and steps of paths that those may take that go through pairs
TOO_HEAVY = 10_000_000_000  # the same, for those that «all» may take
BYTES_PER_PAIR = 20  # margins, outcomes and what they are made from, in float32
SPREAD_LIMIT = 100.0
OWN_JUDGES = 0.05  # the share of missing scores beyond which averages are of different judges


def functions_for(results: Results, by: object = None) -> tuple[Functions, Functions]:
    """Return the functions that ``by`` asks for on a table, and which of them it calls by name.

    Without ``by`` it is the one of the rule that scored the runs, else the score itself where each
    candidate has one, the mean where all scores are 0 or 1, else ``average_rank``. A function that
    looks at other candidates' runs belongs to its table, and ``"all"`` includes it.
    """
    own = function_of_rule(results)
    if by is None:
        plain = results.in_percent or _has_one_score(results)
        by = own or results.by or (OF_ONE_SCORE if plain else DEFAULT)
    return functions_named(by, own)


def _has_one_score(results: Results) -> bool:
    """Return whether scores, as they are, rank the candidates: none is infinite or ties others."""
    one = bool(results.only_score) and not results.tie_tol
    largest = np.abs(results.scores[~results.holes]).max(initial=0.0) if one else np.inf
    return bool(one and largest <= LARGEST_SCORE and not results.has_holes)


def function_for(results: Results, by: object = None) -> RankingFunction:
    found = functions_for(results, by)[0]
    if len(found) > 1:
        what = f"one ranking function is needed here, and {len(found)} are named."
        raise UsageError(what, hint=f"by the first: {command_with(by=found[0].name)}")
    return found[0]


def require_usable(results: Results, f: RankingFunction) -> None:
    """Raise, with the place and a way out, if the function cannot rank the table."""
    if results.has_holes and results.missing != "available":
        apply_policy(results, "error")
    for error, fact, way_out in chain(_faults(results, f), _too_many_pairs(results, f)):
        raise error(fact, subject=f.name, hint=way_out)


def usable(
    results: Results, candidates: Sequence[RankingFunction], named: Sequence[RankingFunction] = ()
) -> tuple[list[RankingFunction], list[str]]:
    """Return the functions that can rank the table soon, and why others cannot; ``named`` must."""
    fit, refusals = [], []
    for f in candidates:
        try:
            require_usable(results, f)
            if f not in named and f.pairwise and _steps(results) > TOO_HEAVY:
                raise UsageError(
                    f"{results.n:,} candidates take it about {_steps(results):.0e} steps; "
                    f"name it in {say('by')} to wait for it."
                )
        except DeadheatError as error:
            if f in named:
                raise
            refusals.append(f"{f.name} is left out: {error.predicate}")
        else:
            fit.append(f)
    return fit, refusals


def affordable(results: Results) -> list[RankingFunction]:
    """Return the functions that may be asked unasked, to say whether they name another winner.

    None that adds up scores where their sums say nothing, and none that averages those of each
    candidate where so many are left out that everyone has judges of its own.
    """
    light = results.n * (results.m + PER_CANDIDATE) <= LIGHT
    allowed = {True: _steps(results) <= HEAVY, False: light}
    quick = (f for f in functions() if f.shipped and not (f.slow or f.baseline))
    fit = [f for f in quick if allowed[f.pairwise]]
    if not on_one_scale(results):
        fit = [f for f in fit if not compares_judges(f)]
    own = _of_own_judges(results)
    return [f for f in fit if f.scale == "ordinal" or f.pairwise] if own else fit


def _of_own_judges(results: Results) -> bool:
    """Return whether so many scores are left out that averages are of different judges."""
    comparable = results.rule or results.scaling == "judge"
    return not comparable and float(results.holes.mean()) > OWN_JUDGES


def _steps(results: Results) -> int:
    return results.n**2 * results.m + results.n**3


def _faults(results: Results, f: RankingFunction) -> Iterator[tuple[type[DeadheatError], str, str]]:
    """Yield what a function cannot do with a table, and a way out."""
    scores = results.scores
    if results.has_holes and not f.available:
        fact = "cannot rank a table in which missing scores stay missing"
        ways = [_by(f, DEFAULT)]
        if not results.holes.all(axis=0).any():
            ways.append(f"the worst score instead: {command_with(missing='worst')}")
        yield DataError, f"{fact} ({int(results.holes.sum()):,} do).", "\n".join(ways)
    if f.scale != "ordinal":
        largest = max(-float(np.nanmin(scores)), float(np.nanmax(scores)))
        if np.isfinite(largest) and largest and not 1 / LARGEST_SCORE <= largest <= LARGEST_SCORE:
            fact = f"with scores as {'large' if largest > 1 else 'small'} as {largest:g}"
            yield ScaleError, f"cannot compute {fact}.", f"by the order alone, {_by(f, DEFAULT)}"
        for i, j in np.argwhere(np.isinf(scores))[:1].tolist():
            why = " (policy last-rank)" if results.missing == "last-rank" else ""
            way_out = f"by the order alone, {_by(f, DEFAULT)}"
            if why and not results.holes.all(axis=0).any():
                way_out = f"a finite score: {command_with(missing='worst')}\n{way_out}"
            fact = f"cannot use an infinite score{why}; {results.place(i, j)} has one."
            yield ScaleError, fact, way_out
    if f.needs:
        written = np.where(results.lower, -scores, scores)
        positive = f.needs == "positive"
        needs = "above 0" if positive else "of at least 0"
        ways = [_by(f, name) for name in (f.substitute, DEFAULT) if name]
        for i, j in np.argwhere(written <= 0 if positive else written < 0)[:1].tolist():
            fact = f"needs scores {needs}; {results.place(i, j)} has {written[i, j] + 0.0:g}."
            yield ScaleError, fact, "\n".join(ways)
    if f.form == "table" and (results.weights != np.rint(results.weights)).any():
        way_out = "give whole judge weights, or register it with ranks_scores."
        yield UsageError, "ranks plain tables and cannot weigh judges by parts.", way_out


def _too_many_pairs(
    results: Results, f: RankingFunction
) -> Iterator[tuple[type[DeadheatError], str, str]]:
    exact = (results.weights == np.rint(results.weights)).all()
    size = results.n**2 * BYTES_PER_PAIR * (1 if exact else 2)
    if f.form == "duels" and size > budget():
        pairs = f"compares every pair of {results.nouns.candidates(results.n)}, which would take"
        fact = f"{pairs} about {readable(size)} of memory; the budget is {readable(budget())}."
        yield DataError, fact, f"{_by(f, DEFAULT)}\n{allowing(1.25 * size)}."


def _by(f: RankingFunction, other: str) -> str:
    """Return what ranks by another function, where one is named or said by an option."""
    return f"by {other}: {command_saying({f.name: [other]}, of='by') or command_with(by=other)}"


def merits_of(
    results: Results,
    fs: Sequence[RankingFunction],
    judge_weights: Floats | None = None,
    candidate_weights: Floats | None = None,
    *,
    known: dict[object, Floats] | None = None,
) -> dict[str, Floats]:
    """Return the merits (B, n) of each function, by name, under weights (B, m) and (B, n).

    The judge weights multiply those of the table. Functions that break ties by label see the labels
    in order. ``known`` keeps what depends on the table alone from one call to the next.
    """
    judges = results.weights[None] if judge_weights is None else judge_weights * results.weights
    copies = np.ones((1, results.n)) if candidate_weights is None else candidate_weights
    size = max(len(judges), len(copies))
    judges, copies = (np.broadcast_to(w, (size, w.shape[1])) for w in (judges, copies))
    found: dict[str, Floats] = {}

    def kind(f: RankingFunction) -> tuple[bool, bool]:
        return f.scale == "ordinal", f.by_label

    for (_, by_label), group in groupby(sorted(fs, key=kind), key=kind):
        members = list(group)
        scores = scores_for(results, members[0])
        block = Block(scores, judges, copies, {} if known is None else known)
        if by_label:
            order = _label_order(results)
            block = Block(block.scores[order], judges, copies[:, order])
        for f, rows in zip(members, merits(members, block), strict=True):
            found[f.name] = rows[:, np.argsort(order)] if by_label else rows
    return {f.name: found[f.name] for f in fs}


# What a table gives as it is: a page, a verdict and a check ask for it by all functions.
_OBSERVED = WeakKeyDictionary[Results, dict[RankingFunction, Floats]]()


def observed(results: Results, fs: Sequence[RankingFunction]) -> list[Floats]:
    """Return the merits (n,) by each function; what was once computed of a table is kept."""
    known = _OBSERVED.setdefault(results, {})
    if lacking := [f for f in fs if f not in known]:
        found = merits_of(results, lacking)
        known |= {f: read_only(found[f.name][0]) for f in lacking}
    return [known[f] for f in fs]


def scores_for(results: Results, f: RankingFunction) -> Floats:
    """Return the scores as a function sees them: within the tie tolerance equal if ordinal."""
    ordinal = f.scale == "ordinal"
    return levels(results.scores, tolerance=results.tie_tol) if ordinal else results.scores


def remarks_on(results: Results, f: RankingFunction) -> list[str]:
    if f.remarks is None:
        return []
    scores = levels(results.scores, tolerance=results.tie_tol)[_label_order(results)]
    return list(f.remarks(scores, results.weights))


def first_by(results: Results, fs: Iterable[RankingFunction]) -> dict[str, tuple[str, ...]]:
    """Return who is ranked first by each function: a set, ties are not broken."""
    fs = list(fs)
    found = zip(fs, observed(results, fs), strict=True)
    return {f.name: first_of(results, f, row) for f, row in found}


def first_of(results: Results, f: RankingFunction, merits: Floats) -> tuple[str, ...]:
    first = winners(merits, unit=f.unit(results.scores, results.weights))
    return tuple(compress(results.candidates, first))


def first_by_others(results: Results, own: RankingFunction) -> dict[str, tuple[str, ...]]:
    """Return who is first by the other functions that fit and are quick; all follow one score."""
    if results.m == 1:
        return {}
    others = [f for f in affordable(results) if f is not own]
    return first_by(results, usable(results, others)[0])


def first_of_complete(results: Results) -> tuple[tuple[str, ...], int]:
    """Return who has the best mean of those with all scores, and how many these are.

    Nobody where few scores are missing: then averages of what is there count among the others.
    """
    if results.m == 1 or not _of_own_judges(results) or not on_one_scale(results):
        return (), 0
    complete = results.n - int(results.holes.any(axis=1).sum())
    if complete < 2:
        return (), complete
    same = apply_policy(results, "drop-candidates")
    fit, _ = usable(same, [function_for(same, "mean")])
    return next(iter(first_by(same, fit).values()), ()), complete


def first_by_policy(
    results: Results, f: RankingFunction
) -> tuple[dict[str, tuple[str, ...]], dict[str, DeadheatError]]:
    """Return who is first under each policy for missing scores, and why some are impossible."""
    found: dict[str, tuple[str, ...]] = {}
    impossible: dict[str, DeadheatError] = {}
    for policy in (policy for policy in POLICIES if policy != "error"):
        try:
            settled = apply_policy(results, policy)
            own = function_on(settled, f)  # judges may be gone
            require_usable(settled, own)
            found[policy] = first_by(settled, [own])[f.name]
        except DeadheatError as error:
            impossible[policy] = error
    return found, impossible


def _label_order(results: Results) -> Floats:
    return np.array(sorted(range(results.n), key=results.candidates.__getitem__))


def winner_is_worst(results: Results, first: Sequence[str]) -> Iterator[str]:
    """Warn where the winner has the worst score of most judges: a sign of a wrong direction."""
    if results.n < 3 or len(first) != 1 or results.rule:  # a rule knows its direction
        return
    i = list(results.candidates).index(first[0])
    low, high = lowest_and_highest(results)
    known = ~np.isnan(results.scores[i]) & (high > low)
    worst = known & (results.scores[i] <= low)
    if known.any() and worst.sum() > known.sum() / 2:
        yield Words(
            f"the winner {quoted(results.candidates[i])} is worst on {worst.sum():,} of "
            f"{results.nouns.judges(int(known.sum()))}: is the direction right "
            f"({results.direction()})?",
            weight=MISREAD,
            good=False,
        )


def scale_warnings(results: Results, fs: Sequence[RankingFunction]) -> Iterator[str]:
    """Warn where functions compare scores across judges that are plainly on other scales."""
    others = [f for f in fs if f.name != results.by]  # which compares as the rule wants
    comparing = [f.name for f in others if compares_judges(f)]
    widest, ratio = _widest_spread(results)
    if comparing and ratio >= SPREAD_LIMIT:
        verb, nouns = "compares" if len(comparing) == 1 else "compare", results.nouns
        yield Words(
            f"{listed(map(spoken, comparing))} {verb} scores across {nouns.judges()}, but those of "
            f"{nouns.judge} {quoted(results.judges[widest])} spread {ratio:,.0f} times as far as "
            "is typical and may decide alone; average rank does not depend on the scale.",
            weight=FEW_DECIDE,
        )


def _widest_spread(results: Results) -> tuple[int, float]:
    """Return the judge whose scores spread most, and how many times as far as is typical."""
    low, high = lowest_and_highest(results)
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite or huge scores
        spreads = high - low
        spreads = np.where(np.isfinite(spreads) & (spreads > 0), spreads, 0.0)
        widest, several = int(np.argmax(spreads)), np.count_nonzero(spreads) > 1
        ratio = spreads[widest] / np.median(spreads[spreads > 0]) if several else 1.0
    return widest, float(ratio)


def compares_judges(f: RankingFunction) -> bool:
    """Return whether a function adds up or compares scores of different judges."""
    return f.shared_scale and f.scale != "ordinal"


def on_one_scale(results: Results) -> bool:
    """Return whether sums of scores mean something, as far as the table tells.

    Not where lower is better on some judges only, where some give only positive and all others
    only negative scores (accuracies beside negated losses), or where one spreads far more.
    """
    if results.rule or results.scaling == "judge":
        return True
    low, high = lowest_and_highest(results)
    above, below = (low > 0) & np.isfinite(low), (high < 0) & np.isfinite(high)
    signs = (above | below).all() and above.any() and below.any()
    both = results.lower.any() and not results.lower.all()
    return not (both or signs) and _widest_spread(results)[1] < SPREAD_LIMIT


def size_warnings(results: Results, f: RankingFunction, ranks: Floats) -> Iterator[str]:
    """Warn where scores are so large that two are ranked as equal that every judge orders."""
    tolerance = RELATIVE_TOLERANCE.get(results.scores.dtype, 1e-12)
    low, high = lowest_and_highest(results)
    if f.scale == "ordinal" or max(-low.min(), high.max()) < 1 / tolerance:
        return
    scores = results.scores[:, results.weights > 0]
    sizes = np.abs(scores).max(axis=1)
    order = np.lexsort((-scores[:, 0], ranks))
    above, below = order[:-1], order[1:]
    whole = (scores == np.rint(scores)).all(axis=1)
    gaps = scores[above] - scores[below]
    silent = (gaps > 0).all(axis=1) & (gaps.max(axis=1) <= tolerance * sizes[above])
    silent &= whole[above] & whole[below] & (ranks[above] == ranks[below])
    for k in np.flatnonzero(silent)[:1].tolist():
        a, b = (quoted(results.candidates[i]) for i in (above[k], below[k]))
        yield (
            f"{spoken(f.name)} ranks {a} and {b} as equal, though every {results.nouns.judge} puts "
            f"{a} above {b}: their scores differ by less than {tolerance:g} of the largest; "
            "subtract what all scores have in common, or rank by the order alone, e.g. by average "
            "rank."
        )


def lowest_and_highest(results: Results) -> tuple[Floats, Floats]:
    """Return the worst and the best score of each judge; +inf and -inf where it has none."""
    low = np.fmin.reduce(results.scores, axis=0, dtype=np.float64, initial=np.inf)
    high = np.fmax.reduce(results.scores, axis=0, dtype=np.float64, initial=-np.inf)
    return np.asarray(low), np.asarray(high)
