"""Who is first, under how many ranking functions, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deadheat.core.errors import Words, counted, listed, named
from deadheat.ranking.function import RankingFunction, spoken

MANY_NAMES = 3


def winners_in_words(
    fs: Sequence[RankingFunction], first: Mapping[str, tuple[str, ...]], noun: str
) -> tuple[str, ...]:
    """Return who is first, under how many functions, and which ones put somebody else first."""
    if len(fs) == 1:
        lead = first[fs[0].name]
        sentence = f"{_are_first(lead, noun)} by {spoken(fs[0].name)}."
        return (sentence, others_in_words(lead, first, noun)) if len(first) > 1 else (sentence,)
    (lead, names), *others = by_winner(first)
    if not others:
        number = "both" if len(first) == 2 else f"all {len(first)}"
        return (f"{_are_first(lead, noun)} under {number} ranking functions.",)
    rest = (
        f"{names_in_words(who, noun)} under {listed(map(spoken, by), most=6)}" for who, by in others
    )
    lead_by = f"{len(names)} of {len(first)} functions"
    return (f"{_are_first(lead, noun)} under {lead_by}; {'; '.join(rest)}.",)


def others_in_words(
    lead: tuple[str, ...], first: Mapping[str, tuple[str, ...]], noun: str = "candidate"
) -> Words:
    """Return whether the functions in ``first``, that of the lead among them, agree on it."""
    parts = [
        f"{names_in_words(who, noun)}{' tied' if len(who) > 1 else ''} by "
        f"{listed(map(spoken, by), most=6)}"
        for who, by in _ways(first).items()
        if who != lead
    ]
    if parts:
        said = f"Another choice would change who is first: {'; '.join(parts)}."
        return Words(said, weight=0.9, good=False)
    if len(first) == 2:
        said = f"The other function that was tried also puts {names_in_words(lead, noun)} first."
    else:
        every = f"All {len(first) - 1} other functions that were tried"
        said = f"{every} also put {names_in_words(lead, noun)} first."
    return Words(said, weight=0.4, good=True)


def by_winner(first: Mapping[str, tuple[str, ...]]) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return each set of candidates that is first, and by what: the most frequent first."""
    return sorted(_ways(first).items(), key=lambda item: -len(item[1]))


def _ways(first: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, ...], list[str]]:
    ways: dict[tuple[str, ...], list[str]] = {}
    for name, who in first.items():
        ways.setdefault(who, []).append(name)
    return ways


def names_in_words(names: Sequence[str], noun: str = "candidate") -> str:
    return named(names) if len(names) <= MANY_NAMES else counted(len(names), noun)


def _are_first(lead: Sequence[str], noun: str) -> str:
    return f"{names_in_words(lead, noun)} {'is first' if len(lead) == 1 else 'are tied for first'}"
