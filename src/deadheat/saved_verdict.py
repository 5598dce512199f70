"""A verdict that was saved as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property

from deadheat.grid import Column, Grid
from deadheat.inference.reading import Reading
from deadheat.inference.standing import Standing, digits_of
from deadheat.inference.verdict_grid import bar
from deadheat.saved_result import SavedGroups
from deadheat.text import number
from deadheat.typing import Cell, Row

TOLD = tuple(field.name for field in fields(Standing))
READ = tuple(field.name for field in fields(Reading))


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedVerdict(SavedGroups):
    """Hold a saved verdict: who won, in which groups, and how each candidate stands."""

    def faults(self) -> Iterator[str]:
        """Yield where rows, tie groups, leaders and winners contradict each other."""
        yield from super().faults()
        yield from self.turned("low", "high")
        yield from self.turned("shown_low", "shown_high")
        yield from self.turned("rank_low", "rank_high")
        leaders = self.reading.leaders
        if len(leaders) != len(self.groups) or any(
            leader not in group for leader, group in zip(leaders, self.groups, strict=True)
        ):
            yield "facts.leaders are not one of each group of facts.members"
        if not self.winners:
            yield "facts.winners is empty"
        if not {*self.winners} <= {*self.candidates}:
            yield "facts.winners are not among the candidates of the rows"
        leader = self.whole.get("leader_corrected")
        if leader is not None:
            if leader["candidate"] not in self.winners:
                yield "facts.leader_corrected.candidate is not one of facts.winners"
            for low, inside, high in (
                ("low", "merit", "high"),
                ("shown_low", "shown", "shown_high"),
            ):
                if not leader[low] <= leader[inside] <= leader[high]:
                    yield f"facts.leader_corrected.{inside} is not from its {low} to its {high}"
        may = {each.candidate: each.may_be_best for each in self.standings}
        best = self.whole["best"]
        told = dict.fromkeys(may) if best is None else {name: name in best for name in may}
        if told != may or not {*(best or ())} <= {*may}:
            yield "facts.best are not those of whom rows say may_be_best"

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is ranked first by the merits as observed."""
        return tuple(self.whole["winners"])

    @property
    def undecided(self) -> bool:
        """Whether the resamples were too few to exclude anybody."""
        return bool(self.whole["undecided"])

    @property
    def guarantee(self) -> str:
        """What the groups guarantee, and what they do not."""
        return str(self.whole["guarantee"])

    @property
    def reading(self) -> Reading:
        """How its numbers and groups are read."""
        found = {name: self.whole[name] for name in READ}
        return Reading(**{**found, "leaders": tuple(found["leaders"])})

    @property
    def has_official(self) -> bool:
        """Whether an official ranking was given."""
        return any(each.official is not None for each in self.standings)

    @property
    def digits(self) -> int:
        """How many decimals the shown number deserves."""
        return digits_of([each.shown for each in self.standings])

    def row(self, candidate: str) -> Standing:
        """Return what the verdict says about one candidate."""
        return _standing(self.record(candidate))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """What the verdict says about each, in the order of the robust ranking."""
        return tuple(map(_standing, self.records))

    def grid(self) -> Grid:
        """Return the robust ranking with interval bars."""
        every = self.standings
        left, right = min(each.low for each in every), max(each.high for each in every)
        official, digits = self.has_official, self.digits
        columns = [
            Column(name="group"),
            Column(name="candidate", key=True),
            *([Column(name="official")] if official else []),
            Column(name=self.reading.heading, digits=digits),
            Column(name="interval", picture=True),
            Column(name="low", digits=digits, on_paper=True),
            Column(name="high", digits=digits, on_paper=True),
            Column(name="first %", digits=1),
            Column(name="ranks"),
        ]
        cells: list[tuple[Cell, ...]] = [
            (
                each.group,
                each.candidate,
                *([each.official] if official else []),
                each.shown,
                bar(each.low, each.merit, each.high, left=left, right=right),
                each.shown_low,
                each.shown_high,
                100 * each.first_share,
                "\u2013".join(number(round(end, 1)) for end in (each.rank_low, each.rank_high)),
            )
            for each in every
        ]
        notes = (f"{self.whole['plan']}.", self.guarantee)
        return Grid(columns=tuple(columns), cells=tuple(cells), notes=notes)


def _standing(record: Row) -> Standing:
    return Standing(**{name: record[name] for name in TOLD})
