"""What a criterion is: a measured quality of ranking functions; one file each, discovered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from deadheat.core.registry import plugins
from deadheat.core.types import Documented, Floats, Integers

Over = Literal["trials", "judges", "candidates"]
ORDER = (
    *("winner_rank", "condorcet_rate", "majority_rate", "generalization"),
    *("stability_judges", "stability_candidates"),
)


@dataclass(frozen=True, eq=False)
class Measured:
    """Hold the values (F, B) of F functions in B trials, NaN where a trial has none.

    ``counts`` says how often something had to be skipped, by reason: in each trial, (B,).
    """

    values: Floats
    counts: Mapping[str, Integers] = field(default_factory=dict)

    def first(self, number: int) -> Measured:
        counts = {reason: each[:number] for reason, each in self.counts.items()}
        return Measured(self.values[:, :number], counts)


Measure = Callable[[Any], Measured]


@dataclass(frozen=True, eq=False, kw_only=True)
class Criterion(Documented):
    """Measure ranking functions; higher is better.

    Parameters
    ----------
    over
        What it is measured on: ``trials``, tables with both axes resampled, or sets of tables
        with the ``judges`` or the ``candidates`` resampled, which it compares with each other.
    of_winners
        Whether it looks at the winner alone.
    certain
        The axiom that makes the best value certain, so that it says nothing about the data.
    led_by
        The functions that are best by definition, whatever their value.
    """

    name: str
    heading: str
    over: Over
    measure: Measure
    of_winners: bool = False
    certain: str = ""
    led_by: tuple[str, ...] = ()
    __doc__: str | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<criterion {self.name}>"


_known: dict[str, Criterion] = {}


def criterion(name: str, **facts: Any) -> Callable[[Measure], Criterion]:
    """Register what a function measures as a criterion, with the facts that it is declared by."""

    def decorate(measure: Measure) -> Criterion:
        new = Criterion(name=name, measure=measure, __doc__=measure.__doc__, **facts)
        return _known.setdefault(name, new)

    return decorate


def all_criteria() -> tuple[Criterion, ...]:
    """Return every criterion: those of the paper in its order, then others by name."""
    plugins("deadheat.criteria.measures")
    place = {name: k for k, name in enumerate(ORDER)}
    return tuple(sorted(_known.values(), key=lambda c: (place.get(c.name, len(place)), c.name)))
