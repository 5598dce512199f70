"""How a verdict is reached: its level, intervals, leaders and tests, all checked in one place."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.resampling.plans import Plan
from deadheat.statistics.corrections import CORRECTIONS, require_alpha
from deadheat.statistics.evidence import INTERVALS
from deadheat.statistics.groups import Leader, PValue
from deadheat.statistics.strict_groups import TESTS

COMPAT = ("fawcett-paper",)
PUBLISHED = {
    "interval": "percentile",
    "leader": "plurality",
    "correction": "holm",
    "strict": False,
}


@dataclass(frozen=True, kw_only=True)
class Procedure:
    """Hold the choices that :func:`deadheat.verdict` describes."""

    alpha: float
    interval: str
    p_value: PValue
    leader: Leader
    correction: str
    strict: bool
    test: str

    def __post_init__(self) -> None:
        require_alpha(self.alpha)
        for kind, name, known in (
            ("correction", self.correction, CORRECTIONS),
            ("interval", self.interval, INTERVALS),
            ("test of all pairs", self.test, TESTS),
        ):
            if name not in known:
                raise UnknownNameError(kind, str(name), known)

    @property
    def test_of_pairs(self) -> str | None:
        """The test of all pairs that makes the groups; None where leaders are tested."""
        return self.test if self.strict else None

    def require_published(self, compat: str, plan: str | Plan | None) -> None:
        """Refuse what the procedure that was asked for by name does otherwise."""
        if compat not in COMPAT:
            raise UnknownNameError("procedure to be compatible with", str(compat), COMPAT)
        choices = {"plan": plan, **{name: getattr(self, name) for name in PUBLISHED}}
        for name, value in choices.items():
            if value != PUBLISHED.get(name):
                raise UsageError(
                    f"{compat} leaves no choice of {name}, got {value!r}.",
                    hint=f"leave out {name}, or leave out compat.",
                )
