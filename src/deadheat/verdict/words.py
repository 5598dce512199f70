"""What a verdict says, in sentences that claim no more than was tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from deadheat.core.errors import Words, bare, counted, on_page, quoted
from deadheat.core.types import Floats
from deadheat.output.text import number, percent
from deadheat.rank.words import others_in_words
from deadheat.statistics import measured
from deadheat.statistics.groups import Groups, Members
from deadheat.statistics.measured import COPELAND_TOLD_APART, SKEWED_TOLD_APART
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.claims import OF_RANKS, Judgement
from deadheat.verdict.official import official_winners

FEW_JUDGES = 20  # below, tests err more often than they say
FEW = 4  # names that a sentence can bear
PODIUM = 3
CLEARLY_LUCKY = 1 / 8  # of the length of the leader's interval: about half an error


def verdict_sentences(v: Judgement) -> tuple[str, ...]:
    """Return the verdict, one sentence or two each: the answer, then how sure it is."""
    first, often = dead_heat(v), first_places(v)
    others = {v.function.name: v.winners, **v.first_by}
    return (
        Words(f"{first} {often}", page=f"{on_page(first)} {often}"),
        *_detectable(v),
        *_luck_of_the_leader(v),
        *_leaving_out(v),
        *_against_the_official(v),
        *_borderline(v),
        *_strictly(v),
        *_best(v),
        *([others_in_words(v.winners, others)] if v.first_by else []),
    )


def dead_heat(v: Judgement) -> str:
    """Say who is in the first group, and who was shown better than whom."""
    further = ahead_of_others(v)
    return f"{in_front(v)[:-1]}; {further}" if further else in_front(v)


def in_front(v: Judgement) -> str:
    """Say who is in the first group."""
    first, n = v.groups[0], len(v.candidates)
    if v.untested:
        return Words(f"Undecided: {v.untested}.", page=f"Undecided: {on_page(v.untested)}.")
    if v.undecided:
        few = f"Undecided: {v.paper.draws:,} resamples cannot separate {n:,} candidates; "
        enough = f"{v.paper.needed} can."
        return Words(f"{few}--replicates {enough}", page=few + enough)
    if len(first) == 1:
        return _alone(v, first[0])
    who = _named(first)
    if len(first) == n:
        who = "Both candidates" if n == 2 else f"All {n:,} candidates"
    elif len(first) > FEW:
        who = f"{len(first):,} of {n:,} candidates"
    return f"{who} are in a dead heat for first place."


def _detectable(v: Judgement) -> Iterator[str]:
    """Say which lead would have been seen, so that a tie is not taken for equality."""
    if v.detectable is None:
        return
    merit = float(v.evidence.observed[v.leaders[0]])
    ends = v.function.shown(np.array([merit, merit - v.detectable]), v.evidence.results)
    lead = number(float(f"{abs(float(ends[0] - ends[1])):.2g}"))
    yield f"A lead of {lead} or more in {v.heading} would have been seen (in 4 of 5 cases)."


def ahead_of_others(v: Judgement, *, alone: bool = False) -> str:
    """Say whom the leader of a first group of a few is shown better than; empty for others.

    ``alone`` makes it a sentence of its own.
    """
    first, n = v.groups[0], len(v.candidates)
    if not 1 < len(first) <= min(FEW, n - 1):
        return ""
    leader = _named([v.candidates[v.leaders[0]]])
    below = [name for group in v.groups[1:] for name in group]
    others = bare(below[0]) if len(below) == 1 else f"each of the {len(below):,} below"
    return f"{_ahead(v, leader, others, alone=alone)}."


def _ahead(v: Judgement, who: str, others: str, *, alone: bool = False) -> str:
    """Say that somebody is shown better than others, or what cannot be said, and why."""
    if v.too_few:
        return f"{who} is ahead of {others}, but {v.units} are too few to show that it is better"
    if v.why_unknown:
        return f"{who} is put ahead of {others}, {v.why_unknown}"
    if v.confirmed:
        return f"{who} is shown better than {others}"
    tests = v.tests_in_words
    return f"{tests[0].upper() + tests[1:] if alone else tests} show {who} better than {others}"


def _alone(v: Judgement, name: str) -> str:
    """Say what it means that one candidate is alone in the first group."""
    who, number_of = _named([name]), len(v.candidates) - 1
    others = "the other one" if number_of == 1 else f"each of the other {number_of:,}"
    if v.too_few or v.why_unknown:
        return f"{_ahead(v, who, others)}."
    if v.confirmed:
        return f"{who} is the clear winner: it is shown better than {others}."
    return f"{who} wins: {_ahead(v, 'it', others)}."


def first_places(v: Judgement) -> str:
    """Say how often the winner is first, and who is first more often, if anybody is."""
    official = official_winners(v.official) if v.has_official else []
    if official:
        who, what = [v.candidates[i] for i in official], "The official winner "
    else:
        who, what = list(v.winners), ""
    shares = {name: v.row(name).first_share for name in v.candidates}
    most = max(shares, key=shares.__getitem__)
    by = "" if official else f", first by {v.called},"
    if len(who) == 1:
        often = f"ranks first in {percent(shares[who[0]])}"
        sentence = f"{what}{_named(who)}{by} {often} of {worlds(v)}"
    else:
        by = "officially" if official else f"by {v.called}"
        each = [percent(shares[name]) for name in who]
        often = f"they rank first in {_and(each[:FEW])}{' ...' if len(who) > FEW else ''}"
        if len(set(each)) == 1:
            often = f"each ranks first in {each[0]}"
        sentence = f"{_named(who)} are tied for first {by}; {often} of {worlds(v)}"
    if shares[most] > max(shares[name] for name in who):
        sentence += f", {bare(most)} in {percent(shares[most])}"
    return sentence + "."


def worlds(v: Judgement, *, number_of: str = "") -> str:
    """Return what the shares ranked first are shares of; resamples with a number before them."""
    random = v.evidence.plan.random
    return f"{number_of}resamples" if random else "the tables with one left out"


def _luck_of_the_leader(v: Judgement) -> Iterator[str]:
    """Say what the leader is worth, where its having been chosen makes it look clearly better."""
    found = v.leader_corrected
    if found is None or len(v.winners) > 1:
        return
    leader = v.row(v.winners[0])
    plain, *ends = (number(found[name], v.digits) for name in ("shown", "shown_low", "shown_high"))
    lucky = leader.merit - found["merit"] > CLEARLY_LUCKY * (leader.high - leader.low)
    if lucky and plain != number(leader.shown, v.digits):
        yield (
            f"{_named(v.winners)}'s own {v.heading} is probably nearer {plain} "
            f"({' to '.join(ends)}): the best of {len(v.candidates):,} looks better than it is."
        )


def _leaving_out(v: Judgement) -> Iterator[str]:
    if v.influence is None:
        return
    facts, parts = v.influence.facts(), v.influence.parts
    small = v.evidence.results.n <= PODIUM
    podium = facts["any"] if small else facts["top3_set"] + facts["top3_order"]
    what = "ranking" if small else "podium"
    if podium == 0:
        yield (
            f"No single {parts.one} decides the {what}: leaving out any one of {len(parts):,} "
            "keeps it."
        )
        return
    one = f"one {parts.one} of {len(parts):,}"
    if podium > 1:
        some = "the" if podium == len(parts) else f"{podium:,} of"
        one = f"any one of {some} {parts.counted(len(parts))}"
    winner = facts["winner"]
    also = f", and {winner:,} of them also who is first" if winner else ", never who is first"
    if winner == podium:
        also = " and who is first"
    elif winner == 1:
        also = ", and one of them also who is first"
    yield f"Leaving out {one} changes the {what}{also}."


def _borderline(v: Judgement) -> Iterator[str]:
    if not v.borderline or v.undecided:
        return
    close = v.borderline[0]
    names = f"{quoted(v.candidates[close.leader])} against {quoted(v.candidates[close.other])}"
    more = len(v.borderline) - 1
    others = f", and {counted(more, 'other')}" if more else ""
    said = (
        f"Borderline: {names} (p = {close.p:.3g}, threshold {close.threshold:.3g}, Monte-Carlo "
        f"error {close.error:.2g}){others}. More resamples may change the groups"
    )
    yield Words(f"{said}: raise --replicates, or --until-settled.", page=f"{said}.")


def _strictly(v: Judgement) -> Iterator[str]:
    """Say whether the other kind of tests gives other groups."""
    if v.undecided:
        return
    other: Groups | None = v.all_pairs if v.strictly is None else v.paper
    if v.strictly is None and not v.tested:
        return
    if other is None:
        cost = cost_of(v.evidence, v.test)
        yield Words(
            f"Stricter tests of all pairs (--strict) would take {cost} more.",
            page="Stricter tests of all pairs were not made: there are many.",
        )
        return
    same = [{*group} for group in other.members] == [{*group} for group in v.members]
    sizes = f"{_sizes(other.members)} instead of {_sizes(v.members)}."
    if v.strictly is None:
        tests = "Stricter tests of all pairs"
        said = "give the same groups." if same else f"group otherwise: {sizes}"
        yield Words(f"{tests} (--strict) {said}", page=f"{tests} {said}")
    elif same:
        yield "The groups of the paper's procedure are the same."
    else:
        yield f"The paper's procedure groups otherwise: {sizes}"


def _sizes(members: Members) -> str:
    sizes = " + ".join(str(len(group)) for group in members[:6])
    return sizes + (f" + ... ({len(members)} groups)" if len(members) > 6 else "")


def _best(v: Judgement) -> Iterator[str]:
    """Say who may be the best, unless everybody may and nobody said otherwise."""
    first = v.groups[0]
    if v.best is None or len(v.best) == len(first) == len(v.candidates):
        return
    level = number(100 * (1 - v.alpha))
    more = [name for name in v.best if name not in first]
    if {*first} <= {*v.best} and v.strictly is None:
        who = f"{_named(more)} may be the best too" if more else "nobody else may be the best"
        yield f"Tests that allow for how the leader was chosen: {who} ({level} %)."
        return
    who = f"only {_named(v.best)}" if len(v.best) == 1 else _named(v.best)
    yield f"Allowing for the choice of the leader, {who} may be the best ({level} %)."


# The order that was official, or observed.


def _against_the_official(v: Judgement) -> Iterator[str]:
    """Yield which pairs the groups put the other way round, and whether tests say so."""
    pairs = inverted_pairs(v.members, v.official)
    if not pairs:
        if v.has_official:
            yield _not_contradicted(v)
        return
    what = f"the official order{_known(v)}" if v.has_official else f"the ranking by {v.called}"
    verb = "stands" if len(pairs) == 1 else "stand"
    yield (
        f"{counted(len(pairs), 'pair')} {verb} in the groups the other way round than in {what} "
        f"{_why_inverted(v, pairs)}"
    )


def _not_contradicted(v: Judgement) -> str:
    """Say that the groups agree with the official order, as far as there is one."""
    known = v.official[np.isfinite(v.official)]
    if len(known) == 1:
        return (
            f"Only 1 of {len(v.candidates):,} candidates has an official rank: too few to say "
            "whether the groups contradict the official order."
        )
    if known.min() == known.max():
        return f"The official ranks{_known(v)} are all the same: there is no order to contradict."
    return f"The groups contradict the official order{_known(v)} nowhere."


def _known(v: Judgement) -> str:
    """Return how many have an official rank, where not all have."""
    known, n = int(np.isfinite(v.official).sum()), len(v.candidates)
    return "" if known == n else f" of {known:,} of {n:,} candidates"


def _why_inverted(v: Judgement, pairs: Sequence[tuple[int, int]]) -> str:
    """Name a pair, one that a test told apart if there is one, and say whether one did."""
    apart = [pair for pair in pairs if v.separates(*pair)]
    better, worse = (bare(v.candidates[i]) for i in (apart or pairs)[0])
    such = "such as " if len(pairs) > 1 else ""
    them = "them" if len(pairs) == 1 else "all of them"
    tests = "tests" if all(v.pair_confirmed(*pair) for pair in apart) else v.tests_in_words
    if len(apart) == len(pairs):
        return f"({such}{better} above {worse}), and {tests} tell {them} apart."
    silent = v.too_few or v.why_unknown
    if v.has_official and not silent:
        number = f"{len(apart):,} of them" if apart else them
        verb = "tell" if apart else "do not tell"
        return f"({such}{better} above {worse}): {tests} {verb} {number} apart."
    tested = "only the leader of a group is tested against the rest"
    if v.strictly is not None:
        tested = "tests do not tell every pair of two groups apart"
    if silent:
        tested = f"{v.units} are too few for a test" if v.too_few else "resampling is no test here"
    shown = f"; {tests} tell {len(apart):,} of them apart" if apart else ""
    return f"({such}{better} above {worse}{shown}): {tested}."


def inverted_pairs(members: Members, official: Floats) -> list[tuple[int, int]]:
    """Return the pairs of which the first has the better group and the worse official rank."""
    return [
        (i, j)
        for g, group in enumerate(members)
        for i in group
        for later in members[g + 1 :]
        for j in later
        if official[i] > official[j]
    ]


# What the groups guarantee, and what they do not.


def guarantee(v: Judgement) -> str:
    """Say what the groups guarantee, and what they do not."""
    if v.untested:
        why = on_page(v.untested)
        return Words(f"There are no groups: {v.untested}.", page=f"There are no groups: {why}.")
    if v.too_few:
        return (
            f"The groups are what resampling gives; {v.units} are too few to show anything: at "
            f"least {v.fewest} are needed."
        )
    if v.undecided:
        return "There are no groups yet: the resamples are too few for tests of so many candidates."
    return _of_all_pairs(v) if v.strictly is not None else _of_the_paper(v)


def _of_all_pairs(v: Judgement) -> str:
    level = number(100 * v.alpha)
    if not v.tested:
        return uncontrolled(v)
    leader = "A leader is shown better than nobody in its group."
    if v.test in OF_RANKS:
        return (
            f"Groups: all pairs tested at {level} % ({v.test}), a test of ranks: it answers "
            f"whether scores are shifted, and not whether the merits differ. {leader}"
        )
    return (
        f"Groups: all pairs tested at once ({v.test}); the chance that any pair is wrongly told "
        f"apart is about {level} %{_of_few_judges(v)}. {leader}"
    )


def _of_few_judges(v: Judgement) -> str:
    """Say where the level of tests of all pairs does not hold with few judges."""
    if v.evidence.independent >= FEW_JUDGES:
        return ""
    return (
        f" for symmetric differences, and with {v.units} more for very skewed ones (at 5 %, 30 "
        f"candidates of opposite lognormal scores on 10 judges: {percent(SKEWED_TOLD_APART)})"
    )


def uncontrolled(v: Judgement) -> str:
    """Say that tests of all pairs control no error, and how large it may be."""
    few, many = min(COPELAND_TOLD_APART), max(COPELAND_TOLD_APART)
    shares = [percent(COPELAND_TOLD_APART[m]) for m in (few, many)]
    return (
        "Groups: what resampling puts apart, with no control of the error, since "
        f"{v.evidence.no_mean} (10 equal candidates by copeland: some are put apart in {shares[0]} "
        f"of tables with {few} judges, in {shares[1]} with {many:,})."
    )


def _of_the_paper(v: Judgement) -> str:
    level = number(100 * v.alpha)
    plan = v.evidence.plan
    groups = "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is"
    if plan.kind == "bayesian":
        return (
            f"{groups} put ahead of all below. Shares of resamples are posterior shares here and "
            "control no error."
        )
    if not plan.with_replacement:
        return f"{groups} put ahead of all below, with an error that is not known under this plan."
    if v.why_unknown:
        return f"{groups} put ahead of all below, {v.why_unknown}."
    few = f", from {FEW_JUDGES} judges on" if v.evidence.independent < FEW_JUDGES else ""
    said = (
        f"{groups} shown better than all below. A given best candidate misses the first group in "
        f"about {level} % of cases{few}; that some equally good one does is likelier (at 5 %, "
        "among 10 equals on 50 judges or more: "
        f"{measured.per_cent(measured.EXCLUDED_OF_10_FROM_50_ON)})."
    )
    return Words(
        f"{said} --strict holds for all pairs at once.",
        page=f"{said} Stricter tests hold for all pairs at once.",
    )


def _named(names: Sequence[str]) -> str:
    if len(names) > FEW:
        return counted(len(names), "candidate")
    return _and([bare(name) for name in names])


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
