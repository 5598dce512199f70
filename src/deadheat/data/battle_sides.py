"""Columns that come in pairs, one for each side of a battle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deadheat.data.roles import CANDIDATES, WEAK_CANDIDATES, tokens

# The two sides of a battle, as they stand in names of columns; where several fit, the first wins.
SIDES = (
    ("left", "right"),
    ("a", "b"),
    ("1", "2"),
    ("home", "away"),
    ("white", "black"),
    ("first", "second"),
    ("one", "two"),
    ("x", "y"),
    ("winner", "loser"),
)
WORDS = frozenset(word for pair in SIDES for word in pair)
STEMS = CANDIDATES | WEAK_CANDIDATES | {"", "generator", "option", "side", "item", "opponent"}


def sides_of(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of columns that may name the two candidates, of the best kind only.

    A column that is called just a or 1 is thought of last.
    """
    named = [name for name in columns if not WORDS.isdisjoint(tokens(name))]
    for bare_letters in (False, True):
        for left, right in SIDES:
            others = stems(named, right)
            found = [
                (one, others[stem])
                for stem, one in stems(named, left).items()
                if stem in STEMS and stem in others and (stem or len(left) > 1 or bare_letters)
            ]
            if found:
                return [pair for pair in found if tokens(pair[0]) == [left]] or found
    return []


def stems(columns: Iterable[str], side: str) -> dict[str, str]:
    """Return what is left of the names that tell a side, and those names."""
    found: dict[str, str] = {}
    for name in columns:
        words = tokens(name)
        if len(words) > 2 and words[-1] in {"name", "id"}:
            words.pop()
        if words.count(side) == 1 and len(words) <= 2:
            words.remove(side)
            found.setdefault("".join(words), name)
    return found


def partner_of(name: str, columns: Sequence[str]) -> tuple[str, str] | None:
    """Return a column and that of the other side, left first, where both are there.

    >>> partner_of("tokens_b", ["tokens_a", "tokens_b"])
    ('tokens_a', 'tokens_b')
    """
    words = tokens(name)
    plain = {tuple(tokens(column)): column for column in reversed(columns)}
    for left, right in SIDES:
        for side, other in ((left, right), (right, left)):
            if words.count(side) != 1 or len(words) < 2:
                continue
            there = plain.get(tuple(other if word == side else word for word in words))
            if there is not None:
                return (name, there) if side == left else (there, name)
    return None
