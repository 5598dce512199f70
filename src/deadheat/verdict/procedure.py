"""How a verdict is reached: its level, intervals and tests, and how far tests of all pairs go."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.core.errors import UnknownNameError, UsageError, Words, counted, say
from deadheat.core.memory import free, readable
from deadheat.data.results import Results
from deadheat.ranking.function import RankingFunction
from deadheat.resampling.plans import Plan
from deadheat.statistics import strict_groups as strict
from deadheat.statistics.corrections import CORRECTIONS, require_alpha
from deadheat.statistics.evidence import INTERVALS
from deadheat.statistics.groups import Leader, PValue
from deadheat.statistics.max_t import TOO_MUCH, cost_in_words
from deadheat.verdict.claims import too_few_units, units_in_words

COMPAT = ("fawcett-paper",)
PUBLISHED = {"interval": "percentile", "leader": "plurality", "correction": "holm", "strict": False}


@dataclass(frozen=True, kw_only=True)
class Procedure:
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
            ("test of all pairs", self.test, strict.TESTS),
        ):
            if name not in known:
                raise UnknownNameError(kind, str(name), known)

    @property
    def test_of_pairs(self) -> str | None:
        """The test of all pairs that makes the groups; None where leaders are tested."""
        return self.test if self.strict else None

    def require_published(self, compat: str, plan: str | Plan | None) -> None:
        if compat not in COMPAT:
            raise UnknownNameError("procedure to be compatible with", str(compat), COMPAT)
        choices = {"plan": plan, **{name: getattr(self, name) for name in PUBLISHED}}
        for name, value in choices.items():
            if value != PUBLISHED.get(name):
                raise UsageError(
                    f"{compat} leaves no choice of {name}, got {value!r}.",
                    hint=f"leave out {name}, or leave out compat.",
                )


MINUTES = 3  # times TOO_MUCH: what tests of all pairs may take where nobody chose a number
FEWEST, STEP = 1_000, 250  # resamples: the fewest that are worth a test, and how they are rounded
BYTES_PER_PAIR = 250


@dataclass(frozen=True, kw_only=True)
class Effort:
    most: int | None = None
    """None for all that the plan has."""
    untested: str = ""
    """Why they are not tested, as a clause; empty where they are."""
    decides: int | None = None
    """A number of resamples with which they would be, if there is one."""


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
        untested=Words(f"{said}; {say('replicates', FEWEST)} does it", page=said), decides=FEWEST
    )
