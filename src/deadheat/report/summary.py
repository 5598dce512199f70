"""What a page says first: the answer in a sentence, three facts, and what else is to be said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deadheat.errors import counted, quoted
from deadheat.inference.influence import Influence
from deadheat.inference.official import top
from deadheat.inference.rating_parts import RatingParts
from deadheat.inference.ratings import Ratings
from deadheat.inference.verdict import Verdict
from deadheat.inference.verdict_words import dead_heat, first_places
from deadheat.report.gathering import Gathered
from deadheat.text import percent

PODIUM = 3
# Words that only help on a command line, and what a page says instead.
OF_COMMANDS = (
    (r"Stricter tests of all pairs \(--strict\)", "Stricter tests of all pairs"),
    (r"--strict holds for all pairs", "Stricter tests hold for all pairs"),
    (r": raise --replicates, or --until-settled\.", "."),
    (r"--interval ([a-z-]+) covers", r"\1 intervals cover"),
    (r"--weight can give", "weights can give"),
)


def on_a_page(text: str) -> str:
    """Return a sentence without the names of options."""
    for said, instead in OF_COMMANDS:
        text = re.sub(said, instead, text)
    return text


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Hold a fact that can stand alone: a figure, and what it is the figure of."""

    figure: str
    words: str


@dataclass(frozen=True, kw_only=True)
class Applies:
    """Hold what a table has, and so which parts of a page it gets."""

    official: bool
    runs: bool
    strata: bool
    clusters: bool
    battles: bool
    holes: bool
    uncertainty: bool
    """Whether there is anything to resample."""
    strict: bool


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Hold what a page says first, without any markup."""

    title: str
    headline: str
    facts: tuple[Fact, ...]
    lines: tuple[str, ...]
    cautions: tuple[str, ...]
    applies: Applies

    def told(self) -> str:
        """Return all of it as lines of text."""
        facts = [f"{fact.figure} {fact.words}" for fact in self.facts]
        return "\n".join([self.headline, *facts, *self.lines])


def summary(found: Gathered) -> Summary:
    """Return what a page says first; everything in it is from the results."""
    table = found.table
    applies = Applies(
        official=found.verdict is not None and found.verdict.has_official,
        runs=found.runs is not None,
        strata=table is not None and table.strata is not None,
        clusters=table is not None and table.clusters is not None,
        battles=table is None,
        holes=table is not None and table.has_holes,
        uncertainty=found.ranking is None,
        strict=found.verdict is not None and found.verdict.strictly is not None,
    )
    headline, facts, lines = _said(found)
    return Summary(
        title=found.title,
        headline=headline,
        facts=tuple(facts),
        lines=tuple(map(on_a_page, lines)),
        cautions=tuple(map(on_a_page, found.warnings)),
        applies=applies,
    )


def _said(found: Gathered) -> tuple[str, list[Fact], list[str]]:
    if found.verdict is not None:
        v = found.verdict
        first, *rest = v.verdict.split("\n")
        return dead_heat(v), [*_facts(v, found.influence)], [first_places(v), *rest]
    if found.ranking is not None:
        return _one_judge(found)
    assert found.ratings is not None
    first, *rest = found.ratings.verdict.split("\n")
    return first, [*_facts_of_ratings(found.ratings)], rest


def _facts(v: Verdict, influence: Influence | None) -> Iterator[Fact]:
    n, first = len(v.candidates), len(v.groups[0])
    if first == 1:
        yield Fact(figure=f"1 of {n:,}", words="is alone in the first group")
    else:
        yield Fact(figure=f"{first:,} of {n:,}", words="are in a dead heat for first place")
    yield _winner(v)
    yield from _hangs_on(v, influence)


def _winner(v: Verdict) -> Fact:
    """Say how often the winner is first."""
    winners = [v.candidates[i] for i in top(v.official, 1)] if v.has_official else list(v.winners)
    shares = [v.row(name).first_share for name in winners]
    what = "official winner" if v.has_official else "winner"
    if len(winners) > 1:
        return Fact(
            figure=f"{len(winners):,}",
            words=f"share the first place; each is first in {_range(shares)} of resamples",
        )
    name = quoted(winners[0])[1:-1]
    return Fact(figure=percent(shares[0]), words=f"of resamples put the {what} first, {name}")


def _range(shares: list[float]) -> str:
    low, high = percent(min(shares)), percent(max(shares))
    return low if low == high else f"{low} to {high}"


def _hangs_on(v: Verdict, influence: Influence | None) -> Iterator[Fact]:
    """Say how many judges could change the podium; where that is not known, who is ever first."""
    if influence is None:
        ever = sum(share > 0 for share in v.spread.first.tolist())
        yield Fact(figure=f"{ever:,} of {len(v.candidates):,}", words="are first in some resample")
        return
    facts, parts = influence.facts(), influence.parts
    small = v.evidence.results.n <= PODIUM
    what = "ranking" if small else "podium"
    podium = facts["any"] if small else facts["top3_set"] + facts["top3_order"]
    if not podium:
        yield Fact(figure=f"0 of {len(parts):,}", words=f"{parts.many} decide the {what} alone")
        return
    yield Fact(
        figure=f"{podium:,} of {len(parts):,}",
        words=f"{parts.many} could change the {what} by being left out",
    )


def _one_judge(found: Gathered) -> tuple[str, list[Fact], list[str]]:
    assert found.ranking is not None
    assert found.table is not None
    first = found.ranking.first[found.ranking.functions[0].name]
    who = quoted(first[0])[1:-1] if len(first) == 1 else counted(len(first), "candidate")
    are = "is" if len(first) == 1 else "are"
    headline = (
        f"{who} {are} first, but there is one judge: nothing shows how far its scores would vary, "
        "so nobody can say how sure this is."
    )
    facts = [
        Fact(figure="1", words="judge: too few for any claim; from 20 on tests hold"),
        Fact(figure=f"{found.table.n:,}", words="candidates"),
    ]
    return headline, facts, found.ranking.verdict.split("\n")


def _facts_of_ratings(found: Ratings | RatingParts) -> Iterator[Fact]:
    if isinstance(found, RatingParts):
        yield Fact(figure=f"{len(found.parts):,}", words="tournaments are rated by themselves")
        return
    n, first = len(found.candidates), len(found.groups[0])
    if first == 1:
        yield Fact(figure=f"1 of {n:,}", words="is alone in the first group")
    else:
        yield Fact(figure=f"{first:,} of {n:,}", words="are in a dead heat for first place")
    best, second = (found.candidates[i] for i in found.order[:2])
    chance = found.p_beats(best, second)
    yield Fact(
        figure=percent(chance.p),
        words=f"of the wins against {quoted(second)[1:-1]}, the next, are expected of "
        f"{quoted(best)[1:-1]}",
    )
    battles = found.made.get("battles")
    if battles:
        yield Fact(figure=f"{battles:,}", words="battles were fought")
