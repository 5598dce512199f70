"""What a consensus says, in words, and what its reader must be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deadheat.data.naming import named
from deadheat.ranking.consensus.found import Distance, Found

SHOWN = 8  # candidates of a ranking that are named in a sentence
COUNTED = 10**15  # rankings: beyond, their number means nothing to anybody


@dataclass(frozen=True, kw_only=True)
class Words:
    """Put a consensus into words.

    Parameters
    ----------
    lead
        Who is first in the ranking that is shown.
    winners
        Who is first in some optimal ranking, None where that is not known.
    pairs
        The weight of all pairs of candidates, over all judges that know both.
    ties
        Whether a judge, or the ranking, ties candidates.
    """

    distance: Distance
    found: Found
    lead: Sequence[str]
    winners: Sequence[str] | None
    pairs: float
    ties: bool

    def __str__(self) -> str:
        """Return who is first, how close the ranking is to the judges, and if that is proven."""
        parts = (self._ranking(), self._closeness(), self._others())
        return " ".join(filter(None, parts))

    def _ranking(self) -> str:
        """Say who is first, unless that is anybody's guess."""
        if self._anybody:
            return f"Every ranking is equally good: {self._indifferent}."
        proven = self.found.status == "optimal"
        if proven and self._disputed:
            return (
                f"{self._several} {self._verb('', few=True)} the judges, and they differ in who "
                f"is first: {self._each}. The one shown puts {named(self.lead, most=SHOWN)} first"
                f"{self._tied}."
            )
        what = "The ranking" if proven else "The best ranking found"
        return (
            f"{what} that {self._verb('s', few=proven)} the judges puts "
            f"{named(self.lead, most=SHOWN)} first{self._tied}."
        )

    @property
    def _anybody(self) -> bool:
        return self.found.every and self.found.unique is not True

    @property
    def _indifferent(self) -> str:
        if self.distance.name == "kendall":
            return "for every two candidates, as much speaks for one order as for the other"
        return "all are as far from the judges"

    @property
    def _disputed(self) -> bool:
        """Whether it is known that optimal rankings have different winners."""
        return self.found.leads is not None and len(self.found.leads) > 1

    @property
    def _several(self) -> str:
        number = self.found.number
        several = "several" if number is None else _counted(number)
        return f"{several[0].upper()}{several[1:]} rankings"

    @property
    def _each(self) -> str:
        winners = self.winners or ()
        if len(winners) > SHOWN:
            return f"each of {len(winners):,} candidates is first in some of them"
        return f"each of {named(winners, most=SHOWN)} is first in some of them"

    @property
    def _tied(self) -> str:
        return ", tied" if len(self.lead) > 1 else ""

    def _verb(self, ending: str, *, few: bool) -> str:
        if self.distance.name == "kendall":
            return f"disagree{ending} {'least' if few else 'little'} with"
        return f"{'is' if ending else 'are'} {'closest' if few else 'close'} to"

    def _closeness(self) -> str:
        found = self.found
        its, it_has = ("The", "Each has") if self._anybody else ("Its", "It has")
        value = f"{its} distance to them is {_number(found.objective)} ({self.distance.unit})"
        if self.distance.name == "kendall" and self.pairs:
            share = f"{found.objective / self.pairs:.1%}"
            share += "; a tie counts one half" if self.ties else ""
            value = (
                f"{it_has} {_number(found.objective)} disagreements of {_number(self.pairs)} "
                f"possible ({share})"
            )
        if found.status == "optimal":
            return f"{value}, which is proven optimal."
        return f"{value}; no ranking comes below {_number(found.bound)}."

    def _others(self) -> str:
        found = self.found
        if found.status != "optimal" or self._anybody or self._disputed:
            return ""
        if found.unique is True:
            return "No other ranking is as good."
        if found.unique is None:
            return "Whether others are as good is not known."
        if found.leads is None:
            return "Other rankings are as good; whether they have the same winner is not known."
        puts = "both put" if found.number == 2 else "all put"
        one = "one of several" if found.number is None else f"one of {_counted(found.number)}"
        return f"It is {one} optimal rankings, which {puts} {named(self.lead, most=SHOWN)} first."


def warnings_on(found: Found, *, time_limit: float, seconds: float) -> Iterator[str]:
    """Warn where the ranking is not proven to be the closest one, or took longer than allowed."""
    gap = found.objective - found.bound
    share = f" ({gap / found.objective:.2%})" if found.objective else ""
    if found.status == "time limit":
        yield (
            f"the time limit of {time_limit:g} s was reached: this ranking is at most "
            f"{_number(gap)}{share} from the optimum."
        )
    elif found.status == "optimal" and seconds > time_limit:
        yield (
            f"it took {seconds:.3g} s, more than the time limit of {time_limit:g} s: this method "
            "cannot be stopped half-way."
        )
    elif found.status == "heuristic":
        yield (
            f"no quick method is known for this distance: the ranking comes from a search and is "
            f"at most {_number(gap)}{share} from the optimum."
        )


def _counted(number: int) -> str:
    return f"{number:,}" if number < COUNTED else "more than 10^15"


def _number(value: float) -> str:
    """Return a number as people write it: whole ones whole, others to four digits."""
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 1000 else f"{value:.4g}"
