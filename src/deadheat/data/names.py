"""Names of candidates and judges as they stand in cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from deadheat.errors import DataError, quoted

MOST_ALIKE = 5  # pairs that are told one by one

# Our own CSV output guards such names with one more apostrophe; the last four are in full width.
FORMULA = re.compile("'+[-=+@\uff1d\uff0b\uff0d\uff20]")


def name_of(cell: str | None, *, guarded: bool = False) -> str:
    """Return the name in a cell: trimmed, and without the guard where there may be one."""
    name = (cell or "").strip()
    return name[1:] if guarded and FORMULA.match(name) else name


def unique(
    names: Sequence[str], kind: str, source: str, place: Callable[[int], str], *, long: str = ""
) -> Sequence[str]:
    """Return the names; refuse an empty one and the second of two that are equal.

    ``long`` says how to read the table as a long one, where it may be one.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names):
        if not name:
            raise DataError(
                f"{source}: the {kind} in {place(position)} has no name.",
                hint=f"every {kind} needs a name; fill the empty cell or remove it.",
            )
        first = seen.setdefault(name, position)
        if first != position:
            raise DataError(
                f"{source}: {kind} {quoted(name)} appears twice, "
                f"in {place(first)} and {place(position)}.",
                hint=f"every {kind} needs a name of its own; rename or remove one"
                + (f", or, if it is a long table: {long}." if long else "."),
            )
    return names


def look_alikes(
    names: Sequence[str], kind: str, place: Callable[[int], str] | None = None
) -> tuple[str, ...]:
    """Return a sentence for each name that the eye cannot tell from an earlier one.

    >>> look_alikes(["a  b", "b", "a b"], "model")
    ("model 'a  b' and model 'a b' look alike, yet are two names: 'a  b' and 'a b'.",)
    """
    seen: dict[str, int] = {}
    pairs = [
        (first, position)
        for position, name in enumerate(names)
        if (first := seen.setdefault(_look(name), position)) != position
    ]
    told = [_alike(names, pair, kind, place) for pair in pairs[:MOST_ALIKE]]
    more = len(pairs) - MOST_ALIKE
    return (*told, f"{more:,} more {kind}s look like others.") if more > 0 else tuple(told)


def _look(name: str) -> str:
    """Return a name as the eye sees it: one form of each letter, nothing of no width, one blank."""
    if name.isascii():
        return " ".join(name.split())
    folded = unicodedata.normalize("NFKC", name)
    return " ".join("".join(c for c in folded if unicodedata.category(c) != "Cf").split())


def _alike(
    names: Sequence[str],
    pair: tuple[int, int],
    kind: str,
    place: Callable[[int], str] | None,
) -> str:
    one, other = (quoted(names[k]) + (f" in {place(k)}" if place is not None else "") for k in pair)
    spelled = " and ".join(ascii(names[k]) for k in pair)
    return f"{kind} {one} and {kind} {other} look alike, yet are two names: {spelled}."
