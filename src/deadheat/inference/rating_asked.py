"""What is asked of a rating model."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.errors import UsageError
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import Plan
from deadheat.resampling.replicate import Progress

STEP = 4.0  # of online Elo
BY_FORMULA = ("sandwich", "fisher")
WITHOUT_UNITS = ("jackknife", "subsample")  # plans that say how to draw, and not what


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """Hold what was asked of a model; see :func:`deadheat.inference.rate.rate`."""

    model: str
    pairing: str
    ties: str
    penalty: str
    strength: float | None
    errors: str
    replicates: int
    alpha: float
    seed: int
    plan: str | Plan | None
    step: float
    shuffles: int | None
    advantage: bool
    teams: str | None
    engine: str | Engine
    progress: Progress | None

    def __post_init__(self) -> None:
        """Refuse a way of drawing where nothing is drawn."""
        if self.errors in BY_FORMULA and self.plan in WITHOUT_UNITS:
            raise UsageError(
                f"errors={self.errors!r} (--errors {self.errors}) draws nothing, so that the plan "
                f"{self.plan} has nothing to say.",
                hint=f"leave out --plan {self.plan}; or draw the rounds again: errors='bootstrap' "
                "(--errors bootstrap) with plan='bootstrap' (--plan bootstrap).",
            )

    def refuse(self, where: str = "", *, kind: str = "", **usual: object) -> None:
        """Refuse what the model does not know, given what each option is where nobody says it.

        ``where`` says when it does not know it, as the end of a sentence; ``kind`` is the kind of
        data for which no model does.
        """
        for name, value in usual.items():
            given = getattr(self, name)
            if given == value:
                continue
            flag = f"--{name}" if given is True else f"--{name} {given}"
            said = f"{name}={given!r} ({flag})"
            if kind:
                raise UsageError(f"{said} says nothing about {kind}.", hint=f"leave out {flag}.")
            raise UsageError(
                f"the model {self.model} knows no {said}{where}.",
                hint=f"leave out {flag}, or take another model.",
            )
