"""The optimum of one component, with a proof: lazy triangles, rounding, then whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.contest import Steps
from deadheat.ranking.consensus.programs import Program, program
from deadheat.ranking.consensus.relation import Relation
from deadheat.typing import Floats, Integers

SHARE = 0.3  # of the time that is left for a better ranking before the proof
WITHIN = 0.9  # steps: nothing lies between two of them


@dataclass(frozen=True, eq=False)
class Bounded:
    """Hold the places of the best ranking found, what it costs, and what none costs less than."""

    places: Integers
    value: float
    bound: float

    def better(self, other: Bounded) -> Bounded:
        """Return the cheaper ranking with the higher bound."""
        best = other if other.value < self.value else self
        return Bounded(best.places, best.value, max(self.bound, other.bound))


Rounding = Callable[[Floats], tuple[Integers, float]]


def proven(
    relation: Relation, first: Bounded, rounded: Rounding, *, steps: Steps, clock: Clock
) -> Bounded:
    """Return the best ranking found and a bound; they meet unless the time is over.

    The linear program starts without a triangle and gets those that its solution violates, again
    and again. Its value, rounded up to the next step, is a bound at any time; ``rounded`` makes a
    ranking of its solution. Where bound and ranking do not meet, what is whole in the solution is
    kept for a better ranking, and then whole numbers decide, and get the triangles that they
    violate.
    """
    growing = program(relation.costs / steps.size)
    clock.tell(first.value, first.bound)
    best, values = _by_fractions(relation, growing, first, rounded, steps=steps, clock=clock)
    if not steps.met(best.value, best.bound) and not clock.is_over():
        completed = growing.completed(clock.left * SHARE, values)
        if completed.values is not None:
            ranking = rounded(relation.matrix(completed.values))
            best = best.better(Bounded(*ranking, best.bound))
            clock.tell(best.value, best.bound)
    while not steps.met(best.value, best.bound) and not clock.is_over():
        start = relation.values(relation.of_places(best.places))
        solved = growing.whole(clock.left, gap=WITHIN, start=start)
        bound = steps.raised(solved.bound)
        if solved.values is None:
            return best.better(Bounded(best.places, best.value, bound))
        places, value = rounded(relation.matrix(np.rint(solved.values)))
        best = best.better(Bounded(places, value, min(bound, best.value, value)))
        clock.tell(best.value, best.bound)
        violated = relation.violated(np.rint(solved.values), clock)
        if not violated or clock.is_over():
            break
        growing.add(*violated)
    return best


def _by_fractions(
    relation: Relation,
    growing: Program,
    best: Bounded,
    rounded: Rounding,
    *,
    steps: Steps,
    clock: Clock,
) -> tuple[Bounded, Floats]:
    """Return the best ranking so far, and the last solution of the linear program."""
    values: Floats = np.zeros(len(relation.costs))
    while not steps.met(best.value, best.bound) and not clock.is_over():
        violated = relation.violated(values, clock)
        if clock.is_over():
            return best, values
        if not violated:
            return best.better(Bounded(*rounded(relation.matrix(values)), best.bound)), values
        growing.add(*violated)
        solved = growing.relaxed(clock.left)
        if not solved.optimal or solved.values is None:
            return best, values
        values = solved.values
        best = best.better(Bounded(best.places, best.value, steps.raised(solved.bound)))
        clock.tell(best.value, best.bound)
    return best, values
