"""Ranking functions on tables: which one is meant, whether it fits, its merits, its cautions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    ScaleError,
    UsageError,
    bare,
    counted,
    listed,
    quoted,
)
from deadheat.core.types import Floats, Integers
from deadheat.data.missing import resolved
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET, Block
from deadheat.ranking.function import (
    RankingFunction,
    as_items,
    as_total,
    chosen,
    functions,
    merits,
    spelled,
)
from deadheat.ranking.ranks import RELATIVE_TOLERANCE, levels, winners

ALIKE = 1e-9  # weights that differ by no more of themselves are the same


def bound_function(results: Results) -> RankingFunction | None:
    """Return the function of the rule that scored the table, where no registered one will do."""
    maker = _MAKERS.get(results.by)
    return None if maker is None else maker(results)


def bound_to(results: Results, f: RankingFunction) -> RankingFunction:
    """Return a function for this table: the same, unless it belongs to one."""
    own = bound_function(results)
    return own if own is not None and own.name == f.name else f


def categories_won(
    scores: Floats,
    judge_weights: Floats,
    candidate_weights: Floats,
    *,
    categories: Integers,
    own_weights: Floats,
) -> Floats:
    r"""Rank by the share of categories won; a shared first place is shared equally.

    .. math:: f_i = \frac{1}{\sum_c t_c}
        \sum_c t_c \frac{[i \text{ is first in } c]}{\#\{\text{first in } c\}}

    A category is won by the largest weighted total of its judges, and counts as often as it was
    drawn, :math:`t_c`. One in which all who are there are tied is won by nobody; one without a
    judge is not there. ``own_weights`` are those of the judges in the table, before any draw: they
    count inside a category alone.

    References
    ----------
    .. [1] Russakovsky et al. (2015), "ImageNet large scale visual recognition challenge",
           International Journal of Computer Vision 115.
    """
    present = candidate_weights > 0
    copies = candidate_weights.sum(axis=1, keepdims=True)
    won = np.zeros(present.shape)
    contests = np.zeros((len(present), 1))
    for category in range(int(categories.max()) + 1):
        its = categories == category
        weights, part = judge_weights[:, its], scores[:, its]
        totals = np.where(present, weights @ part.T, np.nan)
        size = np.abs(part).max(initial=0.0) * weights.sum(axis=1, keepdims=True)
        first = winners(totals, unit=size)
        sharing = (first * candidate_weights).sum(axis=1, keepdims=True)
        decided = (sharing < copies) | (copies == 1)
        times = _times_drawn(weights, own_weights[its])
        won += np.where(first & decided, times / np.maximum(sharing, 1), 0.0)
        contests += times
    return np.asarray(won / np.where(contests > 0, contests, 1.0))


def _times_drawn(weights: Floats, own_weights: Floats) -> Floats:
    """Return how often a category was drawn, (B, 1), given the weights of its judges (B, s).

    One whose judges come and go together was drawn as often as each of them. Of any other, judges
    were drawn or left out one by one: it is there once, or as many whole times as each of them on
    average, which is how often two levels drew it.
    """
    there = own_weights > 0
    if not there.any():
        return np.zeros((len(weights), 1))
    drawn = weights[:, there] / own_weights[there]
    least, most = drawn.min(axis=1, keepdims=True), drawn.max(axis=1, keepdims=True)
    whole_times = np.maximum(np.rint(drawn.mean(axis=1, keepdims=True)), 1.0)
    return np.asarray(np.where(most - least <= ALIKE * most, most, whole_times))


def relative_to_best(
    scores: Floats,
    judge_weights: Floats,
    candidate_weights: Floats,
    *,
    instances: Integers,
    rescaled: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Rank by the mean of scores whose best is looked for among the runs of a replicate.

    The best is that of the instance, over all candidates that are present and all of its seeds
    that are drawn. So it differs from the best of all runs where candidates are absent, or where
    seeds of one instance are drawn apart; a plan that draws instances whole keeps their seeds.
    """
    total = judge_weights.sum(axis=1, keepdims=True)
    fields, which = np.unique(candidate_weights > 0, axis=0, return_inverse=True)
    merits = np.zeros(candidate_weights.shape)
    for k, field in enumerate(fields):
        rows = np.flatnonzero(which.ravel() == k)
        seeds = _Seeds(scores[field].max(axis=0, initial=0.0), instances)
        step = max(1, WORKING_SET // len(instances))
        for start in range(0, len(rows), step):
            chosen = rows[start : start + step]
            for weights, best in seeds.parts(judge_weights[chosen]):
                merits[chosen] += weights @ rescaled(scores, best).T
    return np.asarray(merits / total)


class _Seeds:
    """The seeds of each instance, best first: the first that is drawn sets the best of it."""

    def __init__(self, best: Floats, instances: Integers) -> None:
        self.best, self.instances = best, instances
        self.order = np.lexsort((-best, instances))
        ordered = instances[self.order]
        self.starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])

    def parts(self, judge_weights: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield the weights of the judges whose best is that of the k-th seed, and that best."""
        m = len(self.instances)
        if len(self.starts) == m:
            yield judge_weights, self.best
            return
        drawn = judge_weights[:, self.order] > 0
        first = np.minimum.reduceat(np.where(drawn, np.arange(m), m), self.starts, axis=1)
        k_first = np.where(first < m, first - self.starts, 0)  # none drawn: nothing is weighed
        for k in range(int(k_first.max()) + 1):
            place = self.order[np.minimum(self.starts + k, m - 1)]
            yield (
                judge_weights * (k_first == k)[:, self.instances],
                self.best[place][self.instances],
            )


def ratios(scores: Floats, best: Floats) -> Floats:
    """Return Q*/Q for another Q*: quotients of quotients."""
    return _where_positive(scores, best, lambda y, top: y / top)


def agile(scores: Floats, best: Floats) -> Floats:
    """Return 1 / (1 + log10(T/T*)) for another T*: differences of the logarithms inside."""
    return _where_positive(scores, best, lambda y, top: 1 / (1 + 1 / y - 1 / top))


def _where_positive(
    scores: Floats, best: Floats, rescale: Callable[[Floats, Floats], Floats]
) -> Floats:
    """Rescale solved runs; what is not solved, or penalised, stays as it is."""
    solved = (scores > 0) & (best > 0)
    safe, top = np.where(solved, scores, 1.0), np.where(best > 0, best, 1.0)
    return np.where(solved, rescale(safe, top), scores)


def as_categories(merits: Floats, results: Results) -> Floats:
    """Show a share of the categories as their number."""
    return merits * (int(_categories(results).max()) + 1)


def _categories(results: Results) -> Integers:
    """Return the category of each judge: its stratum, else its instance."""
    return _codes(results.strata or results.instances or results.judges)


def _codes(labels: Sequence[str]) -> Integers:
    known: dict[str, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels])


def _bound_categories(results: Results) -> RankingFunction:
    return RankingFunction(
        name="categories_won",
        kernel=partial(
            categories_won, categories=_categories(results), own_weights=results.weights
        ),
        form="scores",
        scale="interval",
        shared_scale=True,
        shown=as_categories,
        heading="categories won",
        magnitude=_of_share,
        __doc__=categories_won.__doc__,
    )


def _of_share(scores: Floats, judge_weights: Floats) -> float:  # noqa: ARG001 - as Magnitude
    return 1.0


def _bound_to_best(
    results: Results, *, name: str, rescaled: Callable[[Floats, Floats], Floats]
) -> RankingFunction:
    instances = _codes(results.instances or results.judges)
    return RankingFunction(
        name=name,
        kernel=partial(relative_to_best, instances=instances, rescaled=rescaled),
        form="scores",
        scale="interval",
        shared_scale=True,
        shown=as_total,
        heading="mean",
        __doc__=relative_to_best.__doc__,
    )


_MAKERS: dict[str, Callable[[Results], RankingFunction]] = {
    "categories_won": _bound_categories,
    "ipc_sat": partial(_bound_to_best, name="ipc_sat", rescaled=ratios),
    "ipc_agile": partial(_bound_to_best, name="ipc_agile", rescaled=agile),
}


# ------------------------------------------------------------------------------
# The functions that rank one table: those asked for, or the one that suits it.

DEFAULT = "average_rank"


def functions_for(
    results: Results, by: object = None
) -> tuple[list[RankingFunction], list[RankingFunction]]:
    """Return the functions that ``by`` asks for on a table, and which of them it calls by name.

    Without ``by`` it is the one that the table carries, which scored runs do: the mean of their
    rule, shown as people write it, or the function of a rule that looks at other candidates; else
    ``average_rank``. A function of the latter kind belongs to its table: it can be named for that
    table alone, and ``"all"`` includes it.
    """
    own = bound_function(results)
    if by is None:
        by = own or results.by or DEFAULT
    if own is None:
        return chosen(by)
    items: list[str | RankingFunction] = []
    for item in as_items(by):
        items += [own] if isinstance(item, str) and spelled(item) == own.name else [item]
    functions, named = chosen(items)
    if any(isinstance(item, str) and spelled(item) == "all" for item in items):
        functions = functions if own in functions else [*named, own, *functions[len(named) :]]
    return functions, named


def function_for(results: Results, by: object = None) -> RankingFunction:
    """Return the one function that ``by`` names, or the one that suits the table."""
    found = functions_for(results, by)[0]
    if len(found) > 1:
        raise UsageError(
            f"one ranking function is needed here, and {len(found)} are named.",
            hint=f"e.g. by={found[0].name!r}.",
        )
    return found[0]


# ------------------------------------------------------------------------------
# Ranking functions on a :class:`Results`: may this function rank this table, and if so how.

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

    One that was ``named`` must be able to; all others must also do it in a time that somebody would
    wait.
    """
    fit, refusals = [], []
    for f in candidates:
        try:
            require_usable(results, f)
            if f not in named:
                _require_quick(results, f)
        except DeadheatError as error:
            if f in named:
                raise
            refusals.append(f"{f.name} is left out: {error.fact.removeprefix(f.name + ' ')}")
        else:
            fit.append(f)
    return fit, refusals


def first_of(results: Results, f: RankingFunction, merits: Floats) -> tuple[str, ...]:
    """Return who has the best of these merits: all of them, ties are not broken."""
    first = winners(merits, unit=f.unit(results.scores, results.weights))
    return tuple(results.candidates[i] for i in np.flatnonzero(first).tolist())


def first_by(results: Results, fs: Sequence[RankingFunction]) -> dict[str, tuple[str, ...]]:
    """Return who is ranked first by each function."""
    found = merits_of(results, fs)
    return {f.name: first_of(results, f, found[f.name][0]) for f in fs}


def first_by_others(results: Results, but: RankingFunction) -> dict[str, tuple[str, ...]]:
    """Return whom all functions but one put first, if they fit the table and are quick on it.

    Those under which everybody is tied name no winner, and are left out.
    """
    others = [f for f in affordable(results) if f is not but]
    first = first_by(results, usable(results, others)[0])
    return {name: who for name, who in first.items() if len(who) < max(results.n, 2)}


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


# ------------------------------------------------------------------------------
# What a ranking says, in words, and what the reader must be warned of.

SPREAD_LIMIT = 100.0
MANY_NAMES = 3


def winners_in_words(asked: Sequence[RankingFunction], first: Mapping[str, tuple[str, ...]]) -> str:
    """Return who is first, under how many functions, and which ones put somebody else first."""
    name = asked[0].name
    lead = first[name]
    if len(asked) == 1:
        sentence = f"{_names(lead)} {_are_first(lead)} by {name}."
        if len(first) == 1:
            return sentence
        return f"{sentence} {others_in_words(lead, first)}"
    return _all_in_words(first)


def winner_is_worst(results: Results, first: Sequence[str]) -> Iterator[str]:
    """Warn where the winner has the worst score of most judges: a sign of a wrong direction."""
    if results.n < 3 or len(first) != 1 or results.rule:  # a rule knows its direction
        return
    i = list(results.candidates).index(first[0])
    low, high = lowest_and_highest(results)
    known = ~np.isnan(results.scores[i]) & (high > low)
    worst = known & (results.scores[i] <= low)
    if known.any() and worst.sum() > known.sum() / 2:
        yield (
            f"the winner {quoted(results.candidates[i])} is worst on {worst.sum():,} of "
            f"{counted(int(known.sum()), 'judge')}: is the direction right ({results.direction()})?"
        )


def scale_warnings(results: Results, fs: Sequence[RankingFunction]) -> Iterator[str]:
    """Warn where functions compare scores across judges that are plainly on other scales."""
    comparing = [
        f.name
        for f in fs
        if f.shared_scale and f.scale != "ordinal" and f.name != results.by  # as the rule wants
    ]
    low, high = lowest_and_highest(results)
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite or huge scores
        spreads = high - low
    spreads = np.where(np.isfinite(spreads) & (spreads > 0), spreads, 0.0)
    if not comparing or np.count_nonzero(spreads) < 2:
        return
    widest = int(np.argmax(spreads))
    ratio = float(spreads[widest] / np.median(spreads[spreads > 0]))
    if ratio >= SPREAD_LIMIT:
        verb = "compares" if len(comparing) == 1 else "compare"
        yield (
            f"{listed(comparing)} {verb} scores across judges, but those of judge "
            f"{quoted(results.judges[widest])} spread {ratio:,.0f} times as far as is typical "
            "and may decide alone; average_rank does not depend on the scale."
        )


def size_warnings(results: Results, f: RankingFunction, ranks: Floats) -> Iterator[str]:
    """Warn where a function ranks two as equal though every judge tells them apart.

    That is so where scores are whole numbers so large that their difference is below the tolerance
    of ranks.
    """
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
            f"{f.name} ranks {a} and {b} as equal, though every judge puts {a} above {b}: their "
            f"scores differ by less than {tolerance:g} of the largest; subtract what all scores "
            "have in common, or rank by the order alone, e.g. --by average_rank."
        )


def lowest_and_highest(results: Results) -> tuple[Floats, Floats]:
    """Return the worst and the best score of each judge; +inf and -inf where it has none."""
    low, high = np.full(results.m, np.inf), np.full(results.m, -np.inf)
    for row in results.scores:
        low, high = np.fmin(low, row), np.fmax(high, row)
    return low, high


def _all_in_words(first: Mapping[str, tuple[str, ...]]) -> str:
    by_winner: dict[tuple[str, ...], list[str]] = {}
    for name, lead in first.items():
        by_winner.setdefault(lead, []).append(name)
    ordered = sorted(by_winner.items(), key=lambda item: -len(item[1]))
    lead, names = ordered[0]
    if len(ordered) == 1:
        number = "both" if len(first) == 2 else f"all {len(first)}"
        return f"{_names(lead)} {_are_first(lead)} under {number} ranking functions."
    rest = "; ".join(f"{_names(other)} under {listed(by, most=6)}" for other, by in ordered[1:])
    return (
        f"{_names(lead)} {_are_first(lead)} under {len(names)} of {len(first)} functions; {rest}."
    )


def others_in_words(lead: tuple[str, ...], first: Mapping[str, tuple[str, ...]]) -> str:
    """Return whether the functions in ``first``, the asked one among them, agree on the lead."""
    differing = {other: who for other, who in first.items() if who != lead}
    if not differing:
        if len(first) == 2:
            return f"The other function that was tried also puts {_names(lead)} first."
        also = f"also put {_names(lead)} first"
        return f"All {len(first) - 1} other functions that were tried {also}."
    by_winner: dict[tuple[str, ...], list[str]] = {}
    for other, who in differing.items():
        by_winner.setdefault(who, []).append(other)
    tied = {who: f"{_names(who)}{' tied' if len(who) > 1 else ''}" for who in by_winner}
    parts = [f"{tied[who]} by {listed(by, most=6)}" for who, by in by_winner.items()]
    return f"Another choice would change who is first: {'; '.join(parts)}."


def _are_first(lead: Sequence[str]) -> str:
    return "is first" if len(lead) == 1 else "are tied for first"


def _names(lead: Sequence[str]) -> str:
    if len(lead) <= MANY_NAMES:
        shown = [bare(name) for name in lead]
        return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return counted(len(lead), "candidate")
