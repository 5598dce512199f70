"""Who is first, under how many ranking functions, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deadheat.core.errors import Words, counted, listed, named
from deadheat.core.weights import COUNTING
from deadheat.ranking.function import spoken

MANY_NAMES = 3
First = Mapping[str, tuple[str, ...]]  # who is first, by each function or under each policy


def winners_in_words(first: First, noun: str) -> str:
    """Return who is first under how many functions, and which ones put somebody else first."""
    (lead, names), *others = by_winner(first)
    if not others:
        number = "both" if len(first) == 2 else f"all {len(first)}"
        return f"{are_first(lead, noun)} under {number} ranking functions."
    lead_by = f"{len(names)} of {len(first)} functions"
    rest = {name: who for name, who in first.items() if who != lead}
    return f"{are_first(lead, noun)} under {lead_by}; {who_by_what(rest, 'under', noun)}."


def others_in_words(lead: tuple[str, ...], first: First, noun: str = "candidate") -> Words:
    """Return whether the functions in ``first``, that of the lead among them, agree on it."""
    others = {name: who for name, who in first.items() if who != lead}
    if others:
        said = f"Another choice would change who is first: {who_by_what(others, 'by', noun)}."
        return Words(said, weight=COUNTING, good=False)
    number, puts = f"All {len(first) - 1} other functions that were tried", "put"
    if len(first) == 2:
        number, puts = "The other function that was tried", "puts"
    said = f"{number} also {puts} {names_in_words(lead, noun)} first."
    return Words(said, weight=0.4, good=True)


def who_by_what(first: First, word: str, noun: str = "candidate") -> str:
    """Return who is first by (or under) what, the most frequent first."""
    return "; ".join(
        f"{names_in_words(who, noun)}{' tied' if len(who) > 1 else ''} {word} "
        f"{listed(map(spoken, by), most=6)}"
        for who, by in by_winner(first)
    )


def by_winner(first: First) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return each set of candidates that is first, and by what: the most frequent first."""
    ways: dict[tuple[str, ...], list[str]] = {}
    for name, who in first.items():
        ways.setdefault(who, []).append(name)
    return sorted(ways.items(), key=lambda item: -len(item[1]))


def names_in_words(names: Sequence[str], noun: str = "candidate") -> str:
    return named(names) if len(names) <= MANY_NAMES else counted(len(names), noun)


def are_first(lead: Sequence[str], noun: str) -> str:
    return f"{names_in_words(lead, noun)} {'is first' if len(lead) == 1 else 'are tied for first'}"
