"""Who is first, under how many ranking functions, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deadheat.core.errors import bare, counted, listed
from deadheat.ranking.function import RankingFunction

MANY_NAMES = 3


def winners_in_words(fs: Sequence[RankingFunction], first: Mapping[str, tuple[str, ...]]) -> str:
    """Return who is first, under how many functions, and which ones put somebody else first."""
    if len(fs) > 1:
        return _all_in_words(first)
    lead = first[fs[0].name]
    sentence = f"{_names(lead)} {_are_first(lead)} by {fs[0].name}."
    return f"{sentence} {others_in_words(lead, first)}" if len(first) > 1 else sentence


def _all_in_words(first: Mapping[str, tuple[str, ...]]) -> str:
    ordered = sorted(_by_winner(first).items(), key=lambda item: -len(item[1]))
    lead, names = ordered[0]
    if len(ordered) == 1:
        number = "both" if len(first) == 2 else f"all {len(first)}"
        return f"{_names(lead)} {_are_first(lead)} under {number} ranking functions."
    rest = "; ".join(f"{_names(other)} under {listed(by, most=6)}" for other, by in ordered[1:])
    return (
        f"{_names(lead)} {_are_first(lead)} under {len(names)} of {len(first)} functions; {rest}."
    )


def others_in_words(lead: tuple[str, ...], first: Mapping[str, tuple[str, ...]]) -> str:
    """Return whether the functions in ``first``, that of the lead among them, agree on it."""
    differing = {other: who for other, who in first.items() if who != lead}
    if not differing:
        if len(first) == 2:
            return f"The other function that was tried also puts {_names(lead)} first."
        also = f"also put {_names(lead)} first"
        return f"All {len(first) - 1} other functions that were tried {also}."
    parts = [
        f"{_names(who)}{' tied' if len(who) > 1 else ''} by {listed(by, most=6)}"
        for who, by in _by_winner(differing).items()
    ]
    return f"Another choice would change who is first: {'; '.join(parts)}."


def _by_winner(first: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for name, lead in first.items():
        found.setdefault(lead, []).append(name)
    return found


def _are_first(lead: Sequence[str]) -> str:
    return "is first" if len(lead) == 1 else "are tied for first"


def _names(lead: Sequence[str]) -> str:
    if len(lead) <= MANY_NAMES:
        shown = [bare(name) for name in lead]
        return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return counted(len(lead), "candidate")
