"""The numbers people read for a rating: log-odds or points, around a mean or an anchor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.core.errors import UnknownNameError, UsageError, say
from deadheat.core.types import Floats
from deadheat.output.text import percent

SCALES = ("logit", "elo")
BASE, WIDTH, CENTRE = 10.0, 400.0, 1500.0  # of Elo points


@dataclass(frozen=True, kw_only=True)
class RatingScale:
    """Turn log-odds into what is shown: ``origin + factor * (b - at)``.

    An anchor only shifts: no difference and no interval of a difference depends on it.
    """

    name: str = "logit"
    factor: float = 1.0
    origin: float = 0.0
    at: float = 0.0
    anchor: str | None = None

    def shown(self, ratings: Floats) -> Floats:
        """Return ratings, or the ends of their intervals, on this scale."""
        found: Floats = self.origin + self.factor * (ratings - self.at)
        return found

    @property
    def digits(self) -> int:
        return 0 if self.factor > 50 else 2

    @property
    def step(self) -> int:
        """A difference that is told as an example."""
        return 100 if self.factor > 50 else 1

    @property
    def meaning(self) -> str:
        if self.name == "logit":
            return "A difference of 1 means odds of 2.7 to 1, a win probability of 73 %."
        chance = percent(1 / (1 + math.exp(-self.step / self.factor)))
        points = "100 points" if self.step == 100 else "1 point"
        return f"A difference of {points} means a win probability of {chance}."


def rating_scale(
    name: str,
    ratings: Floats,
    candidates: Sequence[str],
    *,
    anchor: str | None = None,
    base: float = BASE,
    width: float = WIDTH,
    centre: float | None = None,
) -> RatingScale:
    """Return a scale by name, with the anchor ``NAME`` or ``NAME=VALUE`` where one is given.

    Without an anchor the mean of the ratings is at ``centre``: 0, or 1500 points. An anchor
    without a value is put there itself.
    """
    if name not in SCALES:
        raise UnknownNameError("rating scale", str(name), SCALES)
    if not base > 1 or not width > 0 or not math.isfinite(base) or not math.isfinite(width):
        raise UsageError(
            f"a rating scale needs a base above 1 and a width above 0, got {base:g} and {width:g}.",
            hint="Elo points have base 10 and width 400.",
        )
    elo = name == "elo"
    if not elo and (base, width) != (BASE, WIDTH):
        raise UsageError(
            f"the {name} scale has no base and no width, got {base:g} and {width:g}.",
            hint=f"{say('scale', 'elo')} has both.",
        )
    factor = width / math.log(base) if elo else 1.0
    origin = (CENTRE if elo else 0.0) if centre is None else float(centre)
    if not math.isfinite(origin):
        raise UsageError(f"the centre must be a number, got {origin:g}.", hint="1500 is usual.")
    if anchor is None:
        return RatingScale(name=name, factor=factor, origin=origin)
    who, value = _anchored(str(anchor), candidates)
    if value is not None and centre is not None:
        raise UsageError(
            f"the anchor puts {who} at {value:g}, which leaves no choice of a centre, yet "
            f"centre={origin:g} is given.",
            hint=f"leave out one of them; {say('anchor', who)} beside a centre puts the anchor "
            "there.",
        )
    return RatingScale(
        name=name,
        factor=factor,
        origin=origin if value is None else value,
        at=float(ratings[list(candidates).index(who)]),
        anchor=who,
    )


def _anchored(anchor: str, candidates: Sequence[str]) -> tuple[str, float | None]:
    """Return the candidate, and the value it is given, if any; a name may hold = signs."""
    if anchor in candidates:
        return anchor, None
    who, sign, value = anchor.rpartition("=")
    if not sign or who not in candidates:
        raise UnknownNameError("candidate", anchor, candidates)
    try:
        at = float(value)
    except ValueError:
        at = math.nan
    if not math.isfinite(at):
        raise UsageError(
            f"the anchor {who} must have a number, got {value!r}.", hint=f"e.g. {who}=1000."
        )
    return who, at
