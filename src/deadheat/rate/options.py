"""What may be asked of ``rate``: one object that models read and provenance is written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from deadheat.core.errors import UsageError, say
from deadheat.data.battles import Battles
from deadheat.data.results import Results, made_from
from deadheat.output.result import made
from deadheat.resampling.plans import Plan
from deadheat.resampling.replicate import Engine, Progress

STEP = 4.0  # of online Elo
BY_FORMULA = ("sandwich", "fisher")
WITHOUT_UNITS = ("jackknife", "subsample")  # plans that say how to draw, and not what
NO_PROVENANCE = ("engine", "progress")  # the answer does not depend on them


@dataclass(frozen=True, eq=False, kw_only=True)
class Options:
    """Hold the options of :func:`deadheat.rate.api.rate` in the order of provenance.

    ``model`` and ``replicates`` are those that are used where the caller named none.
    """

    model: str
    pairing: str
    ties: str
    penalty: str
    strength: float | None
    step: float
    shuffles: int | None
    advantage: bool
    teams: str | None
    errors: str
    seed: int
    replicates: int
    plan: str | Plan | None
    alpha: float
    scale: str
    anchor: str | None
    base: float
    width: float
    centre: float | None
    interval: str | None
    strict: bool
    test: str | None
    simulations: int
    largest_part: bool
    min_matches: int | None
    engine: str | Engine
    progress: Progress | None

    def __post_init__(self) -> None:
        if self.errors in BY_FORMULA and self.plan in WITHOUT_UNITS:
            raise UsageError(
                f"{say('errors', self.errors)} draws nothing, so that the plan {self.plan} has "
                "nothing to say.",
                hint=f"leave out {say('plan', self.plan)}; or draw the rounds again: "
                f"{say('errors', 'bootstrap')} with {say('plan', 'bootstrap')}.",
            )

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        """Return the options among the arguments of a call, by their names."""
        return cls(**{option.name: arguments[option.name] for option in fields(cls)})

    @property
    def tests_all_pairs(self) -> bool:
        """Whether tie groups come from tests of all pairs; naming a test asks for them too."""
        return self.strict or self.test is not None

    @property
    def penalty_strength(self) -> dict[str, float]:
        """The strength of the penalty as an argument; none where the model knows the usual one."""
        return {} if self.strength is None else {"strength": self.strength}

    def refuse(self, where: str = "", *, kind: str = "", **usual: object) -> None:
        """Refuse what the model does not know, given what each option is where nobody says it.

        ``where`` says when it does not know it, as the end of a sentence; ``kind`` is the kind of
        data for which no model does.
        """
        for name, value in usual.items():
            if getattr(self, name) == value:
                continue
            said = say(name, getattr(self, name))
            if kind:
                raise UsageError(f"{said} says nothing about {kind}.", hint=f"leave out {said}.")
            raise UsageError(
                f"the model {self.model} knows no {said}{where}.",
                hint=f"leave out {said}, or take another model.",
            )

    def provenance(
        self, data: Results | Battles, *, sha256: str | None = None, **more: Any
    ) -> dict[str, Any]:
        facts = {
            option.name: getattr(self, option.name)
            for option in fields(self)
            if option.name not in NO_PROVENANCE
        }
        facts = {"function": facts.pop("model"), **facts, **more}
        if self.errors != "bootstrap" and not (self.errors == "sandwich" and self.strict):
            facts["replicates"] = None  # nothing was drawn
        if not isinstance(self.plan, str | None):
            facts["plan"] = repr(self.plan)
        if isinstance(data, Results):
            return made_from(data, **facts)
        return made(
            **facts,
            source=data.source,
            sha256=sha256 or data.sha256,
            candidates=data.n,
            battles=data.total,
        )
