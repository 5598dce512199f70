"""What a verdict says, in sentences that claim no more than was tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from deadheat.core.errors import Words, bare, counted, on_page, say
from deadheat.core.errors import named as joined
from deadheat.core.weights import (
    CAUTION,
    COUNTING,
    COUNTING_OF_SOME,
    FEW_DECIDE,
    LITTLE,
    REFUTED,
    STRICTER,
    SUPPORT,
    SURE,
)
from deadheat.output.text import number, percent
from deadheat.rank.words import by_winner
from deadheat.ranking.function import spoken
from deadheat.ranking.official import official_winners, top
from deadheat.statistics import error_rates, group_words
from deadheat.statistics.group_words import FEW, names_or_number
from deadheat.statistics.groups import Groups
from deadheat.statistics.strict_groups import cost_of
from deadheat.statistics.units import FEW_JUDGES, SKEWED, largest_skewness
from deadheat.verdict.claims import OF_RANKS, Judgement, Standing

MOST = 0.8  # of the ways of counting: a winner by so many does not hang on the way
PODIUM = 3
OFTEN_SHARED = 0.5  # beyond one: who adds up such shares of first places wonders
SELDOM = 0.07  # how often the set of the best may miss one without a word, at 5 %


def verdict_sentences(v: Judgement) -> tuple[str, ...]:
    topics = (_counting, _official, _strictly, _leaving_out, _borderline, _settled, _leader)
    return (headline(v), *(sentence for topic in topics for sentence in topic(v)))


def headline(v: Judgement) -> Words:
    """Say who won or ties, by which count, on how much, and who wins by the plain mean instead."""
    results, said, others = v.evidence.results, in_front(v), v.first_by_mean
    told = v.too_few and not v.untested and not v.identical  # by the sentence
    basis, otherwise = "" if told else f" ({v.called}, {results.judged_on})", ""
    if others and len(others) <= FEW:
        plain, some = results.heading or "the plain mean", "mean" not in v.first_by
        if some:
            plain += f" of the {v.nouns.candidates(v.first_of_complete[1])} with all scores"
        are = "is" if len(others) == 1 else "are"
        by_order = not (results.heading or some) and v.function.scale == "ordinal"
        why = ": large differences count for more there" if by_order else ""
        why = why if len(v.groups[0]) == 1 else ""
        otherwise = f" By {plain}, {joined(others)} {are} first{why}."
    return Words(f"{said}{basis}.{otherwise}", page=f"{on_page(said)}{basis}.{otherwise}")


def in_front(v: Judgement) -> str:
    """Say who is first, as a sentence without its full stop."""
    first, n = v.groups[0], len(v.candidates)
    if v.untested:
        return Words(f"Undecided: {v.untested}", page=f"Undecided: {on_page(v.untested)}")
    if v.identical:
        everybody = f"{'both' if n == 2 else f'all {n:,}'} {v.nouns.candidates()}"
        return f"Nobody is ahead: {everybody} have equal scores on every {v.nouns.judge}"
    if v.too_few:
        return _not_tested(v)
    if v.undecided:
        kept, needed = v.paper.draws or 0, v.paper.needed or 0
        return group_words.undecided(kept, needed, n, v.nouns, whole=v.evidence.whole)
    if len(first) > 1:
        return group_words.dead_heat(len(first), n, v.nouns, "first place")
    who, others = bare(first[0]), group_words.all_others(n, v.nouns)
    if v.why_unknown:
        return f"{who} is put ahead of {others}, {v.why_unknown}"
    if v.confirmed and v.first_by_mean:
        return f"{who} wins by {v.called}: tests show it better than {others}"
    if v.confirmed:
        return f"{who} is the clear winner: tests show it better than {others}"
    return f"{who} wins: {v.tests_in_words} show it better than {others}"


def _not_tested(v: Judgement) -> str:
    """Say who is first by score, where judges are too few to show more."""
    who = names_or_number(v.winners, v.nouns.candidate)
    are, it = ("are", "anybody") if len(v.winners) > 1 else ("is", "it")
    few = f"{v.units} are too few to show that {it} is better"
    return f"{who} {are} first by {v.called}, but {few}"


def legend(v: Judgement) -> Iterator[str]:
    """Say what it means to be level with the leader, and why somebody with a better score isn't."""
    if not v.says_level:
        return
    of_ranks = v.strictly is not None and v.test in OF_RANKS
    yield from group_words.legend(
        v.candidates,
        v.evidence.ranks.tolist(),
        v.members[0],
        v.leaders[0],
        unknown=v.why_unknown,
        tests=v.tests_in_words,
        often=v.spread.first.tolist(),
        behind=f"behind on more {v.nouns.judges()}" if of_ranks else "steadily behind",
        among=None if v.shown_top is None else top(v.official, v.shown_top),
    )


def shared_places(shown: Sequence[Standing]) -> Iterator[str]:
    """Say what a shared place means, if one is shown, and a shared first one, if these are many."""
    shared = len({each.rank for each in shown}) < len(shown)
    first = sum(each.first_share for each in shown) > 1 + OFTEN_SHARED
    said = ["ties share their mean rank"] if shared else []
    said += ["first %: a shared first place counts for all who share it"] if first else []
    if said:
        line = "; ".join(said)
        yield f"{line[0].upper()}{line[1:]}."


def first_places(v: Judgement) -> str:
    """Say how often those rank first who are so officially, or by score."""
    official = official_winners(v.official) if v.has_official else []
    who = [v.candidates[i] for i in official] or list(v.winners)
    shares = {name: v.row(name).first_share for name in v.candidates}
    each = [percent(shares[name]) for name in who]
    if len(who) == 1:
        name = bare(who[0])
        by = f"The official winner {name}" if official else f"{name}, first by {v.called},"
        sentence = f"{by} ranks first in {each[0]} of {worlds(v)}"
    else:
        by = "officially" if official else f"by {v.called}"
        often = f"they rank first in {joined(each[:FEW])}{' ...' if len(who) > FEW else ''}"
        often = f"each ranks first in {each[0]}" if len({*each}) == 1 else often
        names = names_or_number(who, v.nouns.candidate)
        sentence = f"{names} are tied for first {by}; {often} of {worlds(v)}"
    most = max(shares, key=shares.__getitem__)
    more = shares[most] > max(shares[name] for name in who)
    return f"{sentence}{f', {bare(most)} in {percent(shares[most])}' if more else ''}."


def worlds(v: Judgement, *, number_of: str = "") -> str:
    """Return what the shares ranked first are shares of; resamples with a number before them."""
    return f"{number_of}resamples" if v.evidence.plan.random else "the tables with one left out"


def _counting(v: Judgement) -> Iterator[Words]:
    """Say whether other ways of counting put others first, and whom most of them do."""
    if not v.first_by or v.identical:
        return
    ways = dict(by_winner(v.first_by))
    agreeing, number = len(ways.pop(v.winners, ())), len(v.first_by)
    same = names_or_number(v.winners, v.nouns.candidate)
    if agreeing >= MOST * number:
        of = f"{agreeing:,} of {number:,}" if ways else f"All {number:,}"
        of = "The 1" if number == 1 else of
        puts = f"other {'way' if number == 1 else 'ways'} of counting also put"
        yield Words(
            f"{of} {puts}{'s' if number == 1 else ''} {same} first.",
            weight=SUPPORT,
            good=True,
            about="ways",
        )
        return
    (who, by), *more = ways.items()
    named = f"{v.nouns.candidates(len(who))} tied first"
    if len(who) <= FEW:
        place = "tied here" if who[0] in v.winners else f"{ordinal(v.row(who[0]).rank)} here"
        named = f"{joined(who)} tied first" if len(who) > 1 else f"{who[0]} first, {place}"
    put = f"{len(by):,} of {number:,} other ways put"
    put = f"all {number:,} other ways put" if len(by) == number else put
    put = f"{spoken(by[0])} puts" if len(by) == 1 else put
    rest = sum(len(each) for _, each in more)
    also = f"; {counted(rest, 'other way')} disagree too" if rest > 1 else ""
    level = all(name in v.groups[0] for others in ways for name in others)
    weight = COUNTING if agreeing < number / 2 and not level else COUNTING_OF_SOME
    said = f"Counting matters: {put} {named}{also}."
    yield Words(said, weight=weight, good=False, about="ways")


def ordinal(rank: float) -> str:
    """Return ``1st``, ``2nd``, ``12th``; shared ranks as they are."""
    if rank != round(rank):
        return f"on rank {number(rank)}"
    n = round(rank)
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def _leader(v: Judgement) -> Iterator[Words]:
    """Say which lead would have been seen, and what a leader is worth that looks clearly better."""
    if v.detectable is not None:
        merit = float(v.evidence.observed[v.leaders[0]])
        here, there = v.shown_as(np.array([merit, merit - v.detectable])).tolist()
        lead = group_words.detectable_lead_in_words(
            abs(here - there), v.noun, unit=" points" if v.unit else ""
        )
        yield Words(lead, weight=LITTLE)
    found = v.leader_corrected
    if found is None or len(v.winners) > 1:
        return
    leader = v.row(v.winners[0])
    plain, *ends = (number(found[name], v.digits) for name in ("shown", "shown_low", "shown_high"))
    length = leader.high - leader.low
    lucky = leader.merit - found["merit"] > group_words.CLEARLY_LUCKY * length
    if lucky and plain != number(leader.shown, v.digits):
        n = len(v.candidates)
        yield group_words.lucky_leader(leader.candidate, v.noun, plain, ends, n, unit=v.unit)


def _leaving_out(v: Judgement) -> Iterator[Words]:
    if v.influence is None:
        return
    facts, parts = v.influence.facts(), v.influence.parts
    small = v.evidence.results.n <= PODIUM
    podium = facts["any"] if small else facts["top3_set"] + facts["top3_order"]
    what, winner = "ranking" if small else "podium", facts["winner"]
    if winner:
        each = f"{winner:,} of {parts.in_words(len(parts))}"
        each = f"Each of the {parts.in_words(winner)}" if winner == len(parts) else each
        decide = "decides" if winner in (1, len(parts)) else "decide"
        yield Words(f"{each} alone {decide} who is first.", weight=FEW_DECIDE, good=False)
    elif podium:
        yield Words(
            f"No single {parts.one} changes who is first; {podium:,} of {len(parts):,} "
            f"{'changes' if podium == 1 else 'change'} the {what}.",
            weight=SURE,
            good=True if 2 * podium <= len(parts) else None,
        )
    else:
        yield Words(f"No single {parts.one} changes the {what}.", weight=SURE, good=True)


def _borderline(v: Judgement) -> Iterator[Words]:
    """Say who might be level with the leader on other resamples; lower groups are no reason."""
    draws = (v.strictly or v.paper).draws or 0
    none = 1 / (1 + draws)  # p where no resample puts the other one level or ahead
    near = (each for each in v.borderline if each.leader == v.leaders[0])
    of_first = [each for each in near if not each.excluded or each.p > none * (1 + 1e-9)]
    if not of_first or v.undecided:
        return
    close = of_first[0]
    p = f"(p = {close.p:.3g}, threshold {close.threshold:.3g})"
    names = f"{bare(v.candidates[close.other])} against {bare(v.candidates[close.leader])}"
    said = f"{names} is borderline {p}"
    if (number := len(of_first)) > 1:
        said = f"{number:,} tests against the leader are borderline, such as {names} {p}"
    decides = say("until_settled", value=True)
    yield Words(f"{said}: {decides} decides.", page=f"{said}.", weight=COUNTING_OF_SOME, good=False)


def _settled(v: Judgement) -> Iterator[Words]:
    """Say what sampling on decided about who is level with the leader."""
    leader, first = v.leaders[0], {*v.members[0]}
    were = {each.other for each in v.were_borderline if each.leader == leader}
    others = were - {each.other for each in v.borderline if each.leader == leader}
    if not others or v.undecided:
        return
    said = [
        f"{names_or_number(names, v.nouns.candidate)} {'are' if names[1:] else 'is'} {what}"
        for some, what in ((others & first, ""), (others - first, "not "))
        if (names := [v.candidates[i] for i in v.order if i in some])
        for what in [f"{what}level with {bare(v.candidates[leader])}"]
    ]
    after = f"Settled after {len(v.merits):,} resamples"
    yield Words(f"{after}: {joined(said)}.", weight=COUNTING_OF_SOME, good=True)


def _strictly(v: Judgement) -> Iterator[Words]:
    """Say who is level with the leader by the tests that did not make the groups, and when."""
    strict = v.strictly is not None
    if v.undecided or not (strict or v.tested):
        return
    other: Groups | None = v.paper if strict else v.all_pairs
    option = say("strict", value=True)
    if other is None:
        said = "Stricter tests of all pairs were not made"
        cost = f"{option} takes {cost_of(v.evidence, v.test)}"
        yield Words(f"{said}: {cost}.", page=f"{said}: there are many.", weight=LITTLE)
        return
    tests, s = ("The procedure of Fawcett et al.", "s") if strict else ("Stricter tests", "")
    level, n = other.members[0], len(v.candidates)
    if {*level} == {*v.members[0]}:
        who = "who is level with first" if len(level) > 1 else "the winner"
        yield Words(f"{tests} agree{s} on {who}.", weight=SURE, good=True)
        return
    some = f"{'all ' if len(level) == n else ''}{len(level):,}"
    some = "both" if len(level) == n == 2 else some
    alone = f"{bare(v.candidates[level[0]])} alone in front"
    front = f"{some} level with first" if len(level) > 1 else alone
    if strict:
        yield Words(f"{tests} leave{s} {front}.", weight=LITTLE, about="all pairs")
        return
    when = "For claims about pairs, take"
    text, page = f"{when} {option}: it leaves", f"{when} stricter tests: they leave"
    said = f"{page} {front}."
    yield Words(f"{text} {front}.", page=said, weight=STRICTER, good=False, about="all pairs")


def may_be_best(v: Judgement) -> Iterator[str]:
    """Say who may be the best, unless everybody may and nobody said otherwise."""
    first = v.groups[0]
    if v.best is None or {*v.best} == {*first}:
        return
    who = names_or_number(v.best, v.nouns.candidate)
    said = f"Allowing for how the leader was chosen, {who} may be the best ({v.level}"
    if share := best_missed(v):
        said += f"; scores are so skewed that {percent(share)} of such sets miss the best"
    yield f"{said})."


def best_missed(v: Judgement) -> float:
    """Return how often the set of the best misses one whose scores have a long tail, if often."""
    shares = error_rates.LONG_TAIL_LEFT_OUT
    like = max((m for m in shares if m <= v.evidence.independent), default=min(shares))
    tail = shares[like] > SELDOM and largest_skewness(v.evidence.units) > SKEWED
    return shares[like] if tail else 0.0


# The order that was official.


def _official(v: Judgement) -> Iterator[Words]:
    """Say how the official order fares, where one was given."""
    if not v.has_official:
        return
    pairs, n = v.inverted, len(v.candidates)
    ranked = v.official[np.isfinite(v.official)]
    known = "" if len(ranked) == n else f" of {len(ranked):,} of {v.nouns.candidates(n)}"
    best, shares = official_winners(v.official), v.spread.first
    level = bool({*best} & {*v.members[0]})
    often = level and bool(shares[best].max() >= shares.max())
    weight = CAUTION if level or not best else REFUTED
    yield Words(first_places(v), weight=weight, good=often if best else None)
    if pairs:
        apart = [pair for pair in pairs if v.separates(*pair)]
        better, worse = (bare(v.candidates[i]) for i in (apart or pairs)[0])
        such = f"{'such as ' if len(pairs) > 1 else ''}{better} above {worse}"
        stand = (
            f"{counted(len(pairs), 'pair')} {'contradicts' if len(pairs) == 1 else 'contradict'}"
        )
        tests = "tests" if all(v.pair_confirmed(*pair) for pair in apart) else v.tests_in_words
        tell = f"{tests} separate {len(apart):,} of them"
        if len(apart) == len(pairs):
            tell = f"{tests} separate {'them' if len(pairs) == 1 else 'all of them'}"
        tell = "no test separates them" if not apart else tell
        tell = "no test can tell" if v.too_few or v.why_unknown else tell
        said = f"In the groups {stand} the official order{known} ({such}); {tell}."
        yield Words(said, weight=CAUTION, good=False)
    elif len(ranked) == 1:
        yield Words(f"Only 1 of {v.nouns.candidates(n)} has an official rank.", weight=CAUTION)
    elif ranked.min() == ranked.max():
        yield Words(f"The official ranks{known} are all the same.", weight=CAUTION)
    else:
        yield Words(f"The groups nowhere contradict the official order{known}.", good=True)
    yield from _medians(v)


def _medians(v: Judgement) -> Iterator[Words]:
    """Say where median merits contradict the official order, the highest place first."""
    pairs = v.inverted_by_medians
    if v.has_official and len(pairs):
        first = pairs[np.lexsort(v.official[pairs].T)[0]].tolist()
        both = (f"{bare(v.candidates[i])} ({number(float(v.official[i]))})" for i in first)
        round_ = f"put {counted(len(pairs), 'pair')} the other way round than the official order"
        such = ", such as" if len(pairs) > 1 else ":"
        yield Words(f"The medians over {worlds(v)} {round_}{such} {' above '.join(both)}.")


# What the groups guarantee, and what they do not.


def guarantee(v: Judgement) -> str:
    if v.untested:
        none = "There are no groups:"
        return Words(f"{none} {v.untested}.", page=f"{none} {on_page(v.untested)}.")
    if v.too_few:
        return f"There are no groups: {v.units} are too few, at least {v.fewest} are needed."
    if v.undecided:
        return f"There are no groups yet: too few resamples to test so many {v.nouns.candidates()}."
    return _of_all_pairs(v) if v.strictly is not None else _of_the_paper(v)


def _of_all_pairs(v: Judgement) -> str:
    if not v.tested:
        few, many = min(error_rates.COPELAND_TOLD_APART), max(error_rates.COPELAND_TOLD_APART)
        shares = [percent(error_rates.COPELAND_TOLD_APART[m]) for m in (few, many)]
        return (
            "Groups: what resampling puts apart, with no control of the error, since "
            f"{v.evidence.no_mean} (10 equal {v.nouns.candidates()} by copeland: some are put "
            f"apart in {shares[0]} of tables with {few} {v.nouns.judges()}, in {shares[1]} with "
            f"{many:,})."
        )
    at, leader = number(100 * v.alpha), "A leader is shown better than nobody in its group."
    if v.test in OF_RANKS:
        return (
            f"Groups: all pairs tested at {at} % ({v.test}), a test of ranks: it answers "
            f"whether scores are shifted, and not whether the merits differ. {leader}"
        )
    skewed = ""
    if v.evidence.independent < FEW_JUDGES:
        skewed = (
            f" for symmetric differences, and with {v.units} more for very skewed ones (at 5 %, "
            f"30 {v.nouns.candidates()} of opposite lognormal scores on 10 {v.nouns.judges()}: "
            f"{percent(error_rates.SKEWED_TOLD_APART)})"
        )
    return (
        f"Groups: all pairs tested at once ({v.test}); the chance that any pair is wrongly "
        f"separated is about {at} %{skewed}. {leader}"
    )


def _of_the_paper(v: Judgement) -> str:
    plan, put = v.evidence.plan, f"{group_words.OF_LEADERS} put ahead of all below"
    if plan.kind == "bayesian":
        return f"{put}. Shares of resamples are posterior shares here and control no error."
    if not plan.with_replacement:
        return f"{put}, with an error that is not known under this plan."
    if v.why_unknown:
        return f"{put}, {v.why_unknown}."
    few, judges = v.evidence.independent < FEW_JUDGES, v.nouns.judges()
    least = f", from {FEW_JUDGES} {judges} on" if few else ""
    often, on = error_rates.EXCLUDED_OF_10_FROM_50_ON, f"50 {judges} or more"
    if v.evidence.independent < 50:
        often, on = error_rates.EXCLUDED_OF_10_ON_20, f"20 {judges}"
    return group_words.stricter(
        f"{group_words.OF_LEADERS} shown better than all below. Of several equally good "
        f"{v.nouns.candidates()} each misses the first group in about {number(100 * v.alpha)} % of "
        f"cases{least}, and some one of 10 in {error_rates.per_cent(often)} (at 5 %, on {on})."
    )
