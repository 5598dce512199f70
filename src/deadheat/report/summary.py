"""What a page says first: the headline of the terminal, a sentence, three facts, and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.core.errors import Words, bare, counted, listed, on_page, plural_of
from deadheat.influence.api import Influence
from deadheat.output.text import number, percent
from deadheat.rank.words import by_winner, who_by_what
from deadheat.ranking.official import official_winners
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.rate.words import SPOKEN, apart
from deadheat.report.contents import Contents
from deadheat.report.live import rule_shown
from deadheat.statistics.group_words import names_or_number
from deadheat.verdict.result import Verdict
from deadheat.verdict.words import first_places, ordinal, worlds

PODIUM = 3
TOLD = 3  # facts
EXPECTED = 0.25  # of the surprise of ways that put somebody else first, where most do not
FEW = 0.3  # of the judges: that fewer of them decide is a surprise


@dataclass(frozen=True)
class Fact:
    figure: str
    words: str
    surprise: float = 0.0  # from 0 to 1: how little somebody expects it who has read the headline
    about: str = ""  # as of :class:`Words`, which are not repeated then


@dataclass(frozen=True)
class Reason:
    says: str
    good: bool | None  # whether it supports the headline


@dataclass(frozen=True, kw_only=True)
class Summary:
    title: str
    headline: str
    sentence: str
    facts: tuple[Fact, ...]
    asks: str  # the heading of the reasons
    reasons: tuple[Reason, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(each.says for each in self.reasons)

    @property
    def sentences(self) -> tuple[str, ...]:
        facts = (f"{each.figure} {each.words}" for each in self.facts)
        return tuple(filter(None, (self.headline, self.sentence, *facts, *self.lines)))


def summary(found: Contents) -> Summary:
    headline, facts, more = _headline_and_facts(found)
    facts = tuple(facts)
    told = {fact.about for fact in facts if fact.about}
    own = [Words(said, weight=1.0, good=False) for said in more]
    others = (said for said in found.main.reasons if said.about not in told)
    reasons = sorted((*own, *others), key=lambda said: -said.weight)
    return Summary(
        title=found.title,
        headline=headline,
        sentence=_lead(found),
        facts=facts,
        asks=found.main.asks,
        reasons=tuple(Reason(on_page(said), said.good) for said in reasons),
    )


def _lead(found: Contents) -> str:
    if found.verdict is not None:
        return lead(found.verdict)
    return lead_of_ratings(found.ratings) if isinstance(found.ratings, Ratings) else ""


def judges_in_words(v: Verdict) -> str:
    """Return how many judges there are, and of how many clusters where these are drawn."""
    e, many = v.evidence, v.nouns.judges(v.evidence.results.m)
    if e.plan.unit == "judge":
        return many
    return f"{many} of {counted(e.plan.grouping(e.results.m).number, v.nouns.cluster)}"


def lead(v: Verdict) -> str:
    """Say who has the best score, and from whom that does not separate it."""
    best = v.row(v.winners[0])
    rule = rule_shown(v)
    unit = f" {rule.unit}" if rule is not None and rule.unit else ""
    score = f"{v.heading}, {number(best.shown, v.digits)}{unit}"
    if len(v.winners) > 1:
        return f"{names_or_number(v.winners, v.nouns.candidate)} share the best {score}."
    said = f"{bare(best.candidate)} has the best {score}"
    tied = [v.candidates[i] for i in v.order if i in v.members[0]]
    if best.candidate in tied and v.says_level:
        others = [name for name in tied if name != best.candidate]
        them = names_or_number(others, "other")
        return f"{said}, but {judges_in_words(v)} are too few to separate it from {them}."
    behind = [v.row(v.candidates[i]) for i in v.order if v.candidates[i] != best.candidate]
    second = min(behind, key=lambda who: who.rank)
    return f"{said}; {bare(second.candidate)} follows with {number(second.shown, v.digits)}."


def _headline_and_facts(found: Contents) -> tuple[str, Iterable[Fact], list[str]]:
    """Return the headline, the facts, and what only the page has to say."""
    v, r = found.verdict, found.ratings
    if v is not None:
        lines: list[str] = []
        most = max(row["first_share"] for row in v.rows())
        if not v.has_official and v.row(v.winners[0]).first_share < most:
            lines.append(first_places(v))  # the first fact does not say all of it
        return on_page(v.sentences[0]), _facts(v, found.influence), lines
    if found.ranking is not None:
        return _one_judge(found)
    assert r is not None
    if isinstance(r, RatingParts):
        many = f"{plural_of(r.noun)} are rated by themselves"
        return on_page(r.sentences[0]), [Fact(f"{len(r.parts):,}", many)], []
    return on_page(r.sentences[0]), _facts_of_ratings(r), []


def _policies(found: Contents) -> Iterator[str]:
    winners = {} if found.check is None else found.check.details.get("winners_by_policy", {})
    possible = {policy: tuple(first) for policy, first in winners.items() if first}
    if len(set(possible.values())) > 1 and found.table is not None:
        yield (
            "Scores are missing, and the policy for them decides who is first: "
            f"{who_by_what(possible, 'under')}. "
            f"This page has the policy {found.table.missing}."
        )


def _facts(v: Verdict, influence: Influence | None) -> list[Fact]:
    """Return three facts that the headline does not tell, the most surprising ones first.

    How many ways of counting agree is always among them, and the official winner, if there is one.
    """
    kept, others = (
        [*_counting(v, v.winners)],
        [*_fewest(influence), *_stricter(v), *_left_out(v, influence)],
    )
    (kept if v.has_official else others).append(_first(v))
    others = sorted([*others, *_rest(v)], key=lambda fact: -fact.surprise)
    return sorted((*kept, *others[: TOLD - len(kept)]), key=lambda fact: -fact.surprise)


def _counting(found: Verdict | Ratings, winners: tuple[str, ...], own: str = "") -> Iterator[Fact]:
    """Yield how many other ways of counting agree; with a name of its ``own``, which they are."""
    if not found.first_by:
        return
    noun = found.nouns.candidate
    ways = dict(by_winner(found.first_by))
    same = [*([own] if own else []), *ways.pop(winners, ())]
    agree, every = len(same), bool(own) + len(found.first_by)
    counting = "ways of counting" if own else "other ways of counting"
    words = f"{counting} put {names_or_number(winners, noun)} first"
    words += f": {listed(same)}" if own else ""
    if ways:
        who, by = next(iter(ways.items()))
        (rank,) = (row["rank"] for row in found.rows() if row["candidate"] == who[0])
        here = f", {ordinal(rank)} here" if len(who) == 1 else ""
        if len(by) > agree:
            crowned = f"{counting} crown {names_or_number(who, noun)}{here}"
            yield Fact(f"{len(by):,} of {every:,}", crowned, 1 - agree / every, "ways")
            return
        count = by[0] if own and len(by) == 1 else f"{len(by):,}"
        put = f"{count} {'puts' if len(by) == 1 else 'put'}"
        words += f"; {put} {names_or_number(who, noun)} first{here}"
    yield Fact(f"{agree:,} of {every:,}", words, EXPECTED * (1 - agree / every), "ways")


def _fewest(influence: Influence | None) -> Iterator[Fact]:
    """Yield how few judges, left out together, change who leads."""
    if influence is None or influence.flip is None:
        return
    flip, parts = influence.flip, influence.parts
    ahead, behind = (bare(influence.results.candidates[i]) for i in (flip.ahead, flip.behind))
    few, every = len(flip.parts), len(parts)
    reaches = "overtakes" if flip.passed else "is level with"
    right = f", the right {few:,}," if few > 1 else ""
    words = f"{parts.many}{right} left out, and {behind} {reaches} {ahead}"
    if (alone := influence.facts()["winner"]) > 1 == few:
        few, words = alone, f"{parts.many}, each left out alone, change who is first"
    yield Fact(f"{few:,} of {every:,}", words, 0.9 * max(0.0, 1 - few / (FEW * every)))


def _stricter(v: Verdict) -> Iterator[Fact]:
    """Yield how many stricter tests leave level with first, where that is more."""
    strict = v.all_pairs if v.strictly is None and v.tested and not v.undecided else None
    if strict is None or len(strict.members[0]) <= len(v.members[0]):
        return
    n, size = len(v.candidates), len(strict.members[0])
    words = f"{v.nouns.candidates()} are level with first by a stricter test of all pairs at once"
    surprise = 0.6 * (size - len(v.members[0])) / n
    yield Fact(f"{size:,} of {n:,}", words, surprise, "all pairs")


def _left_out(v: Verdict, influence: Influence | None) -> Iterator[Fact]:
    if influence is None:
        return
    facts, parts = influence.facts(), influence.parts
    small = v.evidence.results.n <= PODIUM
    what = "ranking" if small else "podium"
    change = facts["any"] if small else facts["top3_set"] + facts["top3_order"]
    many = parts.many if len(parts) > 1 else parts.one
    could = f"{many} could change the {what} by being left out"
    words = could if change else f"{many} decide the {what} alone"
    yield Fact(f"{change:,} of {len(parts):,}", words, 0.2 if change else 0.1)


def _rest(v: Verdict) -> Iterator[Fact]:
    """Yield what is told where nothing surprises."""
    ever = sum(share > 0 for share in v.spread.first.tolist())
    are = "is" if ever == 1 else "are"
    every = worlds(v, number_of=f"{len(v.merits):,} ")
    words = f"{v.nouns.candidates()} {are} first in at least one of {every}"
    yield Fact(f"{ever:,} of {len(v.candidates):,}", words, 0.05)
    groups = len(v.members)
    what = f"groups are told apart by {v.tests_in_words}"
    if groups == 1:
        what = "group: nobody is told apart"
    elif not v.shows:
        what = "groups that resampling gives, and no test"
    yield Fact(f"{groups:,}", what, 0.01)


def _first(v: Verdict) -> Fact:
    official = [v.candidates[i] for i in official_winners(v.official)] if v.has_official else []
    leading = official or list(v.winners)
    shares = [v.row(name).first_share for name in leading]
    surprise = 1 - min(shares)
    if len(leading) > 1:
        by = "officially" if official else f"by {v.called}"
        often = " to ".join(dict.fromkeys(percent(end) for end in (min(shares), max(shares))))
        words = f"share the first place {by}; each is first in {often} of {worlds(v)}"
        return Fact(f"{len(leading):,}", words, surprise)
    what = "the winner" if v.has_winner else f"which leads by {v.called}"
    what = "the official winner" if official else what
    words = f"of {worlds(v)} put {bare(leading[0])} first, {what}"
    return Fact(percent(shares[0]), words, surprise)


def _one_judge(found: Contents) -> tuple[str, list[Fact], list[str]]:
    assert found.ranking is not None
    assert found.table is not None
    nouns = found.table.nouns
    if found.ranking.own is not None:
        number, among = len(found.ranking.level), nouns.candidates()
        level = Fact(f"{number:,}", f"of {found.table.n:,} {among} level with the best score")
        return found.ranking.sentences[0], [level] if number else [], [*_policies(found)]
    first = found.ranking.first[found.ranking.functions[0].name]
    who = f"{bare(first[0])} is"
    if len(first) > 1:
        who = f"{nouns.candidates(len(first))} are tied for"
    headline = (
        f"{who} first, but there is one {nouns.judge}: nothing shows how far its scores would "
        "vary, so nobody can say how sure this is."
    )
    few = Fact("1", f"{nouns.judge}: too few for any claim; from 20 on tests hold")
    facts = [few, Fact(f"{found.table.n:,}", nouns.candidates())]
    return headline, facts, [*_policies(found)]


def lead_of_ratings(r: Ratings) -> str:
    """Say who has the highest rating, and from whom that does not separate it."""
    best, second = (r.candidates[i] for i in r.order[:2])
    values = r.scale.shown(r.ratings)[list(r.order[:2])].tolist()
    first, next_ = (number(value, r.scale.digits) for value in values)
    said = f"{bare(best)} has the highest rating, {first}"
    level = [r.candidates[i] for i in r.order if i in r.level and i != r.order[0]]
    if r.order[0] in r.level and r.shows:
        others = names_or_number(level, "other")
        return f"{said}, but {r.evidence.in_words()} are too few to separate it from {others}."
    return f"{said}; {bare(second)} follows with {next_}."


def _facts_of_ratings(r: Ratings) -> list[Fact]:
    best, leader = r.order[0], r.candidates[r.order[0]]
    kept = [*_counting(r, (leader,), SPOKEN.get(r.model, r.model))]
    others = sorted(_rest_of_ratings(r, best, bare(leader)), key=lambda fact: -fact.surprise)
    return sorted((*kept, *others[: TOLD - len(kept)]), key=lambda fact: -fact.surprise)


def _rest_of_ratings(r: Ratings, best: int, leader: str) -> Iterator[Fact]:
    share = next(row["first_share"] for row in r.rows() if bare(row["candidate"]) == leader)
    if share is not None:
        yield Fact(percent(share), f"of resamples rate {leader} highest", 1 - share)
    if r.rivals_beaten is not None:
        against = r.rivals_beaten[best][np.isfinite(r.rivals_beaten[best])]
        lost, met = int((against == 0).sum()), len(against)
        words = f"rivals won more often against {leader} than it won against them"
        yield Fact(f"{lost:,} of {met:,}", words, lost / max(met, 1))
    rival, many = bare(r.candidates[r.order[1]]), len(r.groups)
    if not apart(r, best, r.order[1]):
        chance = r.p_beats(r.candidates[best], r.candidates[r.order[1]])
        ends = f"({percent(chance.low)} to {percent(chance.high)})"
        expected = f"the next, are expected to go to {leader} {ends}"
        what = "wins" if r.has_ties else "matches"
        yield Fact(percent(chance.p), f"of the {what} against {rival}, {expected}", 0.02)
    yield Fact(f"{many:,}", "groups are told apart" if many > 1 else "group: nobody leads", 0.01)
