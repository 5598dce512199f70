"""What a ranking says, in words, and what the reader must be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deadheat.data.results import Results
from deadheat.errors import bare, counted, listed, quoted
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import RELATIVE_TOLERANCE
from deadheat.typing import Floats

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
