"""What verdicts and ratings say alike about tie groups: who is level, who is ahead, by what."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.core.errors import UnknownNameError, Words, counted, say
from deadheat.core.errors import named as joined
from deadheat.output.text import number

FEW = 4  # names that a sentence can bear
OF_LEADERS = "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is"


def position(candidates: Sequence[str], name: str) -> int:
    try:
        return candidates.index(name)
    except ValueError:
        raise UnknownNameError("candidate", str(name), candidates) from None


def names_or_number(names: Sequence[str], noun: str = "candidate") -> str:
    return counted(len(names), noun) if len(names) > FEW else joined(names)


def level(first: Sequence[str], n: int) -> str:
    """Return who shares the first group of n candidates, as the subject of a sentence."""
    if len(first) == n:
        return "Both candidates" if n == 2 else f"All {n:,} candidates"
    return names_or_number(first) if len(first) <= FEW else f"{len(first):,} of {n:,} candidates"


def all_others(n: int) -> str:
    return "the other one" if n == 2 else f"each of the other {n - 1:,}"


def ahead(who: str, others: str, *, few: str, unknown: str, tests: str) -> str:
    """Say that somebody is shown better than others, or what cannot be said, and why.

    ``few`` are too few units, ``unknown`` says why nobody knows how often the tests err.
    """
    if few:
        return f"{who} is ahead of {others}, but {few} are too few to show that it is better"
    if unknown:
        return f"{who} is put ahead of {others}, {unknown}"
    if tests:
        return f"{tests} show {who} better than {others}"
    return f"{who} is shown better than {others}"


def detectable_lead_in_words(lead: float, heading: str = "") -> str:
    what = f" in {heading}" if heading else ""
    least = number(float(f"{lead:.2g}"))
    return f"A lead of {least} or more{what} would have been seen (in 4 of 5 cases)."


def stricter(sentence: str) -> Words:
    end = "for all pairs at once."
    return Words(
        f"{sentence} {say('strict', value=True)} holds {end}",
        page=f"{sentence} Stricter tests hold {end}",
    )
