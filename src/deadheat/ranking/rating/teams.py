"""Teams and ensembles: sides that are sets of candidates, written with a separator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deadheat.errors import DataError, UsageError, quoted


@dataclass(frozen=True)
class Lineups:
    """The candidates that occur in sides, and the members of each side."""

    candidates: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    """The positions of its members for each side, in the order of the sides given."""

    @property
    def largest(self) -> int:
        """The number of members of the largest side."""
        return max(len(team) for team in self.members)


def lineups(sides: Iterable[str], *, separator: str = "+") -> Lineups:
    """Split the names of sides into members; ``a+b`` is the team of ``a`` and ``b``.

    Hand ``members`` to :func:`~deadheat.ranking.rating.design.design_of` or to
    :func:`~deadheat.ranking.rating.gaussian.gaussian`: a team is as strong as the sum of its
    members.

    Examples
    --------
    >>> lineups(["gpt", "gpt + claude", "claude"])
    Lineups(candidates=('gpt', 'claude'), members=((0,), (0, 1), (1,)))
    """
    if not separator:
        raise UsageError("the separator of members is empty.", hint="write e.g. '+'.")
    places: dict[str, int] = {}
    members: list[tuple[int, ...]] = []
    for side in sides:
        names = _split(side, separator)
        members.append(tuple(places.setdefault(name, len(places)) for name in names))
    if not members:
        raise DataError("there are no sides.", hint="a rating needs at least one battle.")
    return Lineups(tuple(places), tuple(members))


def _split(side: str, separator: str) -> Sequence[str]:
    names = [name.strip() for name in side.split(separator)]
    if not all(names):
        raise DataError(
            f"side {quoted(side)} has an empty member.",
            hint=f"names are separated by {separator!r}; is it part of a name? "
            "Choose another separator.",
        )
    if len(set(names)) < len(names):
        raise DataError(
            f"side {quoted(side)} names a member twice.", hint="each member counts once."
        )
    return names
