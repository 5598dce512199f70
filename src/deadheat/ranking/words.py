"""What a ranking says, in words, and what the reader must be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deadheat.data.results import Results
from deadheat.errors import counted, listed, quoted
from deadheat.ranking.function import RankingFunction
from deadheat.typing import Booleans

SPREAD_LIMIT = 100.0
MANY_NAMES = 3


def winners_in_words(asked: Sequence[RankingFunction], first: Mapping[str, tuple[str, ...]]) -> str:
    """Return who is first, under how many functions, and which name somebody else."""
    name = asked[0].name
    lead = first[name]
    if len(asked) == 1:
        sentence = f"{_names(lead)} {_are_first(lead)} by {name}."
        if len(first) == 1:
            return sentence
        return f"{sentence} {_others_in_words(lead, first)}"
    return _all_in_words(first)


def winner_is_worst(results: Results, winners: Booleans) -> Iterator[str]:
    """Warn where the winner has the worst score of most judges: a sign of a wrong direction."""
    if results.n < 3 or winners.sum() != 1:
        return
    i = int(np.argmax(winners))
    scores = results.scores
    known = ~np.isnan(scores[i]) & (np.nanmax(scores, axis=0) > np.nanmin(scores, axis=0))
    worst = known & (scores[i] <= np.nanmin(scores, axis=0))
    if known.any() and worst.sum() > known.sum() / 2:
        yield (
            f"the winner {quoted(results.candidates[i])} is worst on {worst.sum():,} of "
            f"{counted(int(known.sum()), 'judge')}: is the direction right ({results.direction()})?"
        )


def scale_warnings(results: Results, f: RankingFunction) -> Iterator[str]:
    """Warn where a function compares scores across judges that are plainly on other scales."""
    if not f.shared_scale or f.scale == "ordinal" or results.m < 2:
        return
    with np.errstate(invalid="ignore"):
        spreads = np.nanmax(results.scores, axis=0) - np.nanmin(results.scores, axis=0)
    spreads = np.where(np.isfinite(spreads) & (spreads > 0), spreads, np.nan)
    if np.count_nonzero(~np.isnan(spreads)) < 2:
        return
    widest = int(np.nanargmax(spreads))
    ratio = float(spreads[widest] / np.nanmedian(spreads))
    if ratio >= SPREAD_LIMIT:
        yield (
            f"{f.name} compares scores across judges, but those of judge "
            f"{quoted(results.judges[widest])} spread {ratio:,.0f} times as far as is typical "
            "and may decide alone; average_rank does not depend on the scale."
        )


def _all_in_words(first: Mapping[str, tuple[str, ...]]) -> str:
    by_winner: dict[tuple[str, ...], list[str]] = {}
    for name, lead in first.items():
        by_winner.setdefault(lead, []).append(name)
    ordered = sorted(by_winner.items(), key=lambda item: -len(item[1]))
    lead, names = ordered[0]
    if len(ordered) == 1:
        return f"{_names(lead)} {_are_first(lead)} under all {len(first)} ranking functions."
    rest = "; ".join(f"{_names(other)} under {listed(by, most=6)}" for other, by in ordered[1:])
    return (
        f"{_names(lead)} {_are_first(lead)} under {len(names)} of {len(first)} functions; {rest}."
    )


def _others_in_words(lead: tuple[str, ...], first: Mapping[str, tuple[str, ...]]) -> str:
    differing = {other: who for other, who in first.items() if who != lead}
    if not differing:
        return f"All {len(first) - 1} other functions that were tried agree."
    by_winner: dict[tuple[str, ...], list[str]] = {}
    for other, who in differing.items():
        by_winner.setdefault(who, []).append(other)
    parts = [f"{_names(who)} by {listed(by, most=6)}" for who, by in by_winner.items()]
    return f"Another choice would change the winner: {'; '.join(parts)}."


def _are_first(lead: Sequence[str]) -> str:
    return "is first" if len(lead) == 1 else "are tied for first"


def _names(lead: Sequence[str]) -> str:
    if len(lead) <= MANY_NAMES:
        shown = [quoted(name)[1:-1] for name in lead]
        return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return counted(len(lead), "candidate")
