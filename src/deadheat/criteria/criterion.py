"""What a criterion is: a measured quality of ranking functions; one file each, discovered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from deadheat.core.registry import Registry, plugins
from deadheat.core.types import Documented, Floats, Integers
from deadheat.data.results import Nouns

Over = Literal["trials", "judges", "candidates"]
ORDER = (  # of the paper
    *("winner_rank", "condorcet_rate", "majority_rate", "generalization"),
    *("stability_judges", "stability_candidates"),
)


@dataclass(frozen=True, eq=False)
class Measurement:
    """The values (F, B) of F functions in B trials, NaN where a trial has none."""

    values: Floats
    counts: Mapping[str, Integers] = field(default_factory=dict)  # what was skipped, by trial


Measure = Callable[[Any], Measurement]


@dataclass(frozen=True, eq=False, kw_only=True)
class Criterion(Documented):
    """Measure ranking functions; higher is better."""

    name: str
    heading: str  # of its column; {judges} stands for what the table calls them
    over: Over  # trials resample both axes; sets of tables with one axis resampled are compared
    measure: Measure
    of_winners: bool = False  # whether it looks at the winner alone
    certain: str = ""  # the axiom that makes the best value certain, whatever the data
    led_by: tuple[str, ...] = ()  # the functions that are best by definition
    __doc__: str | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<criterion {self.name}>"

    def heading_in(self, nouns: Nouns) -> str:
        return self.heading.format(judges=nouns.judges())


def criterion(name: str, **facts: Any) -> Callable[[Measure], Criterion]:
    """Make a criterion of what a function measures, with the facts that it is declared by."""
    return lambda measure: Criterion(name=name, measure=measure, __doc__=measure.__doc__, **facts)


CRITERIA: Registry[Criterion] = Registry(
    "criterion", partial(plugins, "deadheat.criteria.measures", Criterion), first=ORDER
)
