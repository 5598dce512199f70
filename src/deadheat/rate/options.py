"""What may be asked of ``rate``: one object for models and provenance, and the scale of ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Self

from deadheat.core.errors import (
    UnknownNameError,
    UsageError,
    command_with,
    nearest,
    quoted,
    say,
)
from deadheat.core.options import SCALES
from deadheat.core.types import Floats
from deadheat.data.battles import Battles
from deadheat.data.results import Results, provenance_of
from deadheat.output.result import provenance
from deadheat.output.schema import Count, Level
from deadheat.output.text import percent
from deadheat.resampling.engines import Engine, Progress
from deadheat.resampling.plans import Plan

STEP = 4.0  # of online Elo
IN_ORDER = ("elo", "gaussian")  # models that take the battles as they came
BY_FORMULA = ("sandwich", "fisher")
OF_ORDER: dict[str, object] = {"shuffles": None, "step": STEP}  # as it is without any
OF_CIRCUMSTANCES: dict[str, object] = {"advantage": False, "teams": None}
WITHOUT_UNITS = ("jackknife", "subsample")  # plans that say how to draw, and not what
NO_PROVENANCE = ("engine", "progress")  # the answer does not depend on them


def usual_instead(usual: Mapping[str, object], said: Mapping[str, Any]) -> dict[str, object]:
    """Return the usual values of options that were said otherwise."""
    return {name: value for name, value in usual.items() if said.get(name, value) != value}


@dataclass(frozen=True, eq=False, kw_only=True)
class Options:
    model: str
    pairing: Annotated[str, "which rounds meet: same or all"]
    ties: Annotated[str, "how ties count"]
    penalty: Annotated[str, "what keeps ratings finite"]
    strength: Annotated[float | None, "of the penalty"]
    step: float
    shuffles: Annotated[Count | None, "orders of the battles that are averaged"]
    advantage: Annotated[bool, "whether the left side may have one"]
    teams: Annotated[str | None, "what separates members of a team"]
    errors: Annotated[str, "how errors are found: bootstrap, sandwich ..."]
    seed: int
    replicates: int
    plan: str | Plan | None
    alpha: Annotated[Level, "the level"]
    scale: Annotated[str, "of the ratings: log-odds, elo ..."]
    anchor: Annotated[str | None, "whose rating is fixed"]
    base: Annotated[float, "of the scale"]
    width: Annotated[float, "of the scale"]
    centre: Annotated[float | None, "of the scale"]
    interval: Annotated[str | None, "as asked"]
    strict: Annotated[bool, "whether groups come from tests of all pairs"]
    test: Annotated[str | None, "of all pairs"]
    simulations: Annotated[Count, "of the goodness of fit"]
    largest_part: Annotated[bool, "whether only the largest connected part was asked for"]
    min_matches: Annotated[Count | None, "fewer than which somebody is left out"]
    engine: str | Engine
    progress: Progress | None

    def __post_init__(self) -> None:
        if self.errors in BY_FORMULA and self.plan in WITHOUT_UNITS:
            draw = command_with(errors="bootstrap", plan="bootstrap")
            fact = f"{say('errors', self.errors)} draws nothing: the plan {self.plan} says nothing."
            hint = f"without it: {command_with(plan=None)}\nto draw the rounds again: {draw}"
            raise UsageError(fact, hint=hint)

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        return cls(**{option.name: arguments[option.name] for option in fields(cls)})

    @property
    def tests_all_pairs(self) -> bool:
        """Whether tie groups come from tests of all pairs; naming a test asks for them too."""
        return self.strict or self.test is not None

    @property
    def penalty_strength(self) -> dict[str, float]:
        return {} if self.strength is None else {"strength": self.strength}

    @property
    def without_order(self) -> dict[str, object]:
        """The options of the usual model instead of one that takes the battles as they came."""
        return {"model": None, **usual_instead(OF_ORDER, vars(self))}

    def refuse(self, where: str = "", *, kind: str = "", **usual: object) -> None:
        """Refuse what the model, or any for a ``kind`` of data, does not know, unless usual."""
        for name, value in usual.items():
            if getattr(self, name) == value:
                continue
            said = say(name, getattr(self, name))
            hint = f"without it: {command_with(**{name: value})}"
            if kind:
                raise UsageError(f"{said} says nothing about {kind}.", hint=hint)
            raise UsageError(f"the model {self.model} knows no {said}{where}.", hint=hint)

    def provenance(
        self, data: Results | Battles, *, sha256: str | None = None, **more: Any
    ) -> dict[str, Any]:
        facts = {name: value for name, value in vars(self).items() if name not in NO_PROVENANCE}
        facts = {"function": facts.pop("model"), **facts, **more}
        if self.errors != "bootstrap" and not (self.errors == "sandwich" and self.strict):
            facts["replicates"] = None  # nothing was drawn
        if not isinstance(self.plan, str | None):
            facts["plan"] = repr(self.plan)
        if isinstance(data, Results):
            return provenance_of(data, **facts)
        origin: dict[str, Any] = {"source": data.source, "sha256": sha256 or data.sha256}
        origin |= {"nouns": data.nouns.facts()} if data.nouns.facts() else {}
        return provenance(**facts, **origin, candidates=data.n, battles=data.total)


# The numbers people read for a rating: log-odds or points, around a mean or an anchor.

BASE, WIDTH, CENTRE = 10.0, 400.0, 1500.0  # of Elo points


@dataclass(frozen=True, kw_only=True)
class RatingScale:
    """Turn log-odds into what is shown: ``origin + factor * (b - at)``. An anchor only shifts."""

    name: str = "logit"
    factor: float = 1.0
    origin: float = 0.0
    at: float = 0.0
    anchor: str | None = None

    def shown(self, ratings: Floats) -> Floats:
        found: Floats = self.origin + self.factor * (ratings - self.at)
        return found

    @property
    def digits(self) -> int:
        return 0 if self.factor > 50 else 2

    @property
    def step(self) -> int:
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

    The mean of the ratings, or an anchor without a value, is at ``centre``: 0, or 1500 points.
    """
    if name not in SCALES:
        raise UnknownNameError("rating scale", str(name), SCALES)
    if not (1 < base < math.inf and 0 < width < math.inf):
        raise UsageError(
            f"a rating scale needs a base above 1 and a width above 0, got {base:g} and {width:g}.",
            hint="those of Elo points: " + command_with(base=int(BASE), width=int(WIDTH)),
        )
    elo = name == "elo"
    if not elo and (base, width) != (BASE, WIDTH):
        fact = f"the {name} scale has no base and no width, got {base:g} and {width:g}."
        raise UsageError(fact, hint=f"in points: {command_with(scale='elo')}")
    factor = width / math.log(base) if elo else 1.0
    origin = (CENTRE if elo else 0.0) if centre is None else float(centre)
    if not math.isfinite(origin):
        hint = f"at {CENTRE if elo else 0:g}, as usual: {command_with(centre=None)}"
        raise UsageError(f"the centre must be a number, got {origin:g}.", hint=hint)
    if anchor is None:
        return RatingScale(name=name, factor=factor, origin=origin)
    who, value = _parse_anchor(str(anchor), candidates)
    if value is not None and centre is not None:
        fact = f"the anchor puts {who} at {value:g}: no choice of a centre, yet it is {origin:g}."
        hint = f"at {value:g}: {command_with(centre=None)}\n"
        hint += f"at {origin:g}: {command_with(anchor=who)}"
        raise UsageError(fact, hint=hint)
    at, origin = float(ratings[list(candidates).index(who)]), origin if value is None else value
    return RatingScale(name=name, factor=factor, origin=origin, at=at, anchor=who)


def _parse_anchor(anchor: str, candidates: Sequence[str]) -> tuple[str, float | None]:
    """Return the candidate, and the value it is given, if any; a name may hold = signs."""
    if anchor in candidates:
        return anchor, None
    who, sign, value = anchor.rpartition("=")
    if not sign or who not in candidates:
        for name in nearest(who, candidates) if sign else ():
            fact = f"unknown candidate {quoted(who)}. Did you mean {quoted(name)}?"
            put = command_with(anchor=f"{name}={value}")
            raise UsageError(fact, hint=f"with {quoted(name)}: {put}")
        raise UnknownNameError("candidate", anchor, candidates)
    try:
        at = float(value)
    except ValueError:
        at = math.nan
    if not math.isfinite(at):
        hint = f"without one, at the centre: {command_with(anchor=who)}"
        raise UsageError(f"the anchor {who} must have a number, got {value!r}.", hint=hint)
    return who, at
