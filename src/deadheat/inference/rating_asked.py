"""What is asked of a rating model."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.errors import UsageError
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import Plan
from deadheat.resampling.replicate import Progress

STEP = 4.0  # of online Elo


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
