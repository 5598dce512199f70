"""How far tests of all pairs go: on how many resamples, or why not at all."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.core.errors import Words, counted
from deadheat.core.memory import free, readable
from deadheat.data.results import Results
from deadheat.ranking.function import RankingFunction
from deadheat.resampling.plans import Plan
from deadheat.statistics import strict_groups as strict
from deadheat.statistics.max_t import TOO_MUCH, cost_in_words
from deadheat.verdict.claims import too_few_units, units_in_words

MINUTES = 3  # times TOO_MUCH: what tests of all pairs may take where nobody chose a number
FEWEST, STEP = 1_000, 250  # resamples: the fewest that are worth a test, and how they are rounded
BYTES_PER_PAIR = 250


@dataclass(frozen=True, kw_only=True)
class Effort:
    """Hold on how many resamples all pairs are tested.

    Attributes
    ----------
    most
        The number of resamples; None for all that the plan has.
    untested
        Why they are not tested, as a clause; empty where they are.
    decides
        A number of resamples with which they would be, if there is one.
    """

    most: int | None = None
    untested: str = ""
    decides: int | None = None

    @property
    def note(self) -> str:
        """What is known before any work, in a sentence; empty where nothing is unusual."""
        return f"the answer will be undecided: {self.untested}." if self.untested else ""


ALL_RESAMPLES = Effort()


def effort_of(
    results: Results, f: RankingFunction, plan: Plan, test: str, *, chosen: bool
) -> Effort:
    """Return how far tests of all pairs of a table go.

    Tests that take less than a minute are made on all resamples. Beyond, too few judges are not
    tested, since they show nothing anyway. A number of resamples that somebody chose is taken,
    and else as many as three minutes of one core allow: the tests correct for all pairs by
    themselves, so that a thousand are enough.
    """
    units, _ = plan.present(results.weights)
    n, m = results.n, results.m if f.additive and not results.has_holes else 0
    pairs, number = n * (n - 1) // 2, plan.bootstrap().replicates
    if test == "sign-flip":
        number = min(number, 2 ** min(units - 1, 60))
    cost = strict.steps_of(n, m, number, test)
    what = f"testing all pairs of {counted(n, 'candidate')}"
    if cost <= TOO_MUCH:
        return ALL_RESAMPLES
    if too_few_units(results, plan):
        return Effort(
            untested=f"{units_in_words(results, plan)} are too few to show anything, and {what} "
            f"would take {cost_in_words(cost)}"
        )
    size = BYTES_PER_PAIR * pairs
    if size > free():
        return Effort(untested=f"{what} would take {readable(size)} of memory")
    if chosen or cost <= MINUTES * TOO_MUCH or test in strict.PER_DIFFERENCE:
        return ALL_RESAMPLES
    most = int(number * MINUTES * TOO_MUCH / cost) // STEP * STEP
    if most >= FEWEST:
        return Effort(most=most)
    long = cost_in_words(strict.steps_of(n, m, FEWEST, test))
    said = f"{what} in {FEWEST:,} resamples would take {long}"
    return Effort(
        untested=Words(f"{said}; --replicates {FEWEST} does it", page=said), decides=FEWEST
    )
