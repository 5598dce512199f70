"""What a verdict says, in sentences that claim no more than was tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from deadheat.core.errors import Words, bare, counted, on_page, quoted, say
from deadheat.core.errors import named as joined
from deadheat.output.text import number, percent
from deadheat.rank.words import others_in_words
from deadheat.ranking.official import official_winners
from deadheat.statistics import error_rates, group_words
from deadheat.statistics.group_words import FEW, all_others, names_or_number
from deadheat.statistics.groups import Groups, Members
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.claims import OF_RANKS, Judgement

FEW_JUDGES = 20  # below, tests err more often than they say
PODIUM = 3
CLEARLY_LUCKY = 1 / 8  # of the length of the leader's interval: about half an error


def verdict_sentences(v: Judgement) -> tuple[str, ...]:
    first, often = dead_heat(v), first_places(v)
    others = {v.function.name: v.winners, **v.first_by}
    topics = (_leader, _leaving_out, _against_the_official, _borderline, _strictly, _best)
    return (
        Words(f"{first} {often}", page=f"{on_page(first)} {often}"),
        *(sentence for topic in topics for sentence in topic(v)),
        *([others_in_words(v.winners, others)] if v.first_by else []),
    )


def dead_heat(v: Judgement) -> str:
    further = ahead_of_others(v)
    return f"{in_front(v)[:-1]}; {further}" if further else in_front(v)


def in_front(v: Judgement) -> str:
    first, n = v.groups[0], len(v.candidates)
    if v.untested:
        return Words(f"Undecided: {v.untested}.", page=f"Undecided: {on_page(v.untested)}.")
    if v.undecided:
        few = f"Undecided: {v.paper.draws:,} resamples cannot separate {n:,} candidates;"
        enough = say("replicates", v.paper.needed)
        return Words(f"{few} {enough} can.", page=f"{few} {v.paper.needed} can.")
    if len(first) > 1:
        return f"{group_words.level(first, n)} are in a dead heat for first place."
    who, others = bare(first[0]), all_others(n)
    if v.too_few or v.why_unknown:
        return f"{_ahead(v, who, others)}."
    if v.confirmed:
        return f"{who} is the clear winner: it is shown better than {others}."
    return f"{who} wins: {_ahead(v, 'it', others)}."


def ahead_of_others(v: Judgement, *, alone: bool = False) -> str:
    """Say whom the leader of a first group of a few is shown better than, as a sentence or not."""
    if not 1 < len(v.groups[0]) <= min(FEW, len(v.candidates) - 1):
        return ""
    below = [name for group in v.groups[1:] for name in group]
    others = bare(below[0]) if len(below) == 1 else f"each of the {len(below):,} below"
    return f"{_ahead(v, bare(v.candidates[v.leaders[0]]), others, alone=alone)}."


def _ahead(v: Judgement, who: str, others: str, *, alone: bool = False) -> str:
    few, tests = v.units if v.too_few else "", "" if v.confirmed else v.tests_in_words
    tests = tests.capitalize() if alone else tests
    return group_words.ahead(who, others, few=few, unknown=v.why_unknown, tests=tests)


def first_places(v: Judgement) -> str:
    official = official_winners(v.official) if v.has_official else []
    who = [v.candidates[i] for i in official] or list(v.winners)
    shares = {name: v.row(name).first_share for name in v.candidates}
    most = max(shares, key=shares.__getitem__)
    each = [percent(shares[name]) for name in who]
    if len(who) == 1:
        name = bare(who[0])
        by = f"The official winner {name}" if official else f"{name}, first by {v.called},"
        sentence = f"{by} ranks first in {each[0]} of {worlds(v)}"
    else:
        by = "officially" if official else f"by {v.called}"
        often = f"they rank first in {joined(each[:FEW])}{' ...' if len(who) > FEW else ''}"
        if len(set(each)) == 1:
            often = f"each ranks first in {each[0]}"
        sentence = f"{names_or_number(who)} are tied for first {by}; {often} of {worlds(v)}"
    if shares[most] > max(shares[name] for name in who):
        sentence += f", {bare(most)} in {percent(shares[most])}"
    return sentence + "."


def worlds(v: Judgement, *, number_of: str = "") -> str:
    """Return what the shares ranked first are shares of; resamples with a number before them."""
    return f"{number_of}resamples" if v.evidence.plan.random else "the tables with one left out"


def _leader(v: Judgement) -> Iterator[str]:
    """Say which lead would have been seen, and what a leader is worth that looks clearly better."""
    if v.detectable is not None:
        merit = float(v.evidence.observed[v.leaders[0]])
        here, there = v.shown_as(np.array([merit, merit - v.detectable])).tolist()
        yield group_words.detectable_lead_in_words(abs(here - there), v.heading)
    found = v.leader_corrected
    if found is None or len(v.winners) > 1:
        return
    leader = v.row(v.winners[0])
    plain, *ends = (number(found[name], v.digits) for name in ("shown", "shown_low", "shown_high"))
    lucky = leader.merit - found["merit"] > CLEARLY_LUCKY * (leader.high - leader.low)
    if lucky and plain != number(leader.shown, v.digits):
        yield (
            f"{bare(leader.candidate)}'s own {v.heading} is probably nearer {plain} "
            f"({' to '.join(ends)}): the best of {len(v.candidates):,} looks better than it is."
        )


def _leaving_out(v: Judgement) -> Iterator[str]:
    if v.influence is None:
        return
    facts, parts = v.influence.facts(), v.influence.parts
    small = v.evidence.results.n <= PODIUM
    podium = facts["any"] if small else facts["top3_set"] + facts["top3_order"]
    what, winner = "ranking" if small else "podium", facts["winner"]
    if podium == 0:
        none = f"No single {parts.one} decides the {what}"
        yield f"{none}: leaving out any one of {len(parts):,} keeps it."
        return
    one = f"one {parts.one} of {len(parts):,}"
    if podium > 1:
        some = "the" if podium == len(parts) else f"{podium:,} of"
        one = f"any one of {some} {parts.in_words(len(parts))}"
    of_them = "one" if winner == 1 else f"{winner:,}"
    also = f", and {of_them} of them also who is first" if winner else ", never who is first"
    also = " and who is first" if winner == podium else also
    yield f"Leaving out {one} changes the {what}{also}."


def _borderline(v: Judgement) -> Iterator[str]:
    if not v.borderline or v.undecided:
        return
    close, more = v.borderline[0], len(v.borderline) - 1
    names = f"{quoted(v.candidates[close.leader])} against {quoted(v.candidates[close.other])}"
    others = f", and {counted(more, 'other')}" if more else ""
    said = (
        f"Borderline: {names} (p = {close.p:.3g}, threshold {close.threshold:.3g}, Monte-Carlo "
        f"error {close.error:.2g}){others}. More resamples may change the groups"
    )
    options = f"raise {say('replicates')}, or {say('until_settled', value=True)}"
    yield Words(f"{said}: {options}.", page=f"{said}.")


def _strictly(v: Judgement) -> Iterator[str]:
    if v.undecided or (v.strictly is None and not v.tested):
        return
    other: Groups | None = v.all_pairs if v.strictly is None else v.paper
    tests, option = "Stricter tests of all pairs", f"({say('strict', value=True)})"
    if other is None:
        yield Words(
            f"{tests} {option} would take {cost_of(v.evidence, v.test)} more.",
            page=f"{tests} were not made: there are many.",
        )
        return
    same = [{*group} for group in other.members] == [{*group} for group in v.members]
    otherwise = f"otherwise: {_sizes(other.members)} instead of {_sizes(v.members)}."
    if v.strictly is None:
        said = "give the same groups." if same else f"group {otherwise}"
        yield Words(f"{tests} {option} {said}", page=f"{tests} {said}")
    elif same:
        yield "The groups of the paper's procedure are the same."
    else:
        yield f"The paper's procedure groups {otherwise}"


def _sizes(members: Members) -> str:
    sizes = " + ".join(str(len(group)) for group in members[:6])
    return sizes + (f" + ... ({len(members)} groups)" if len(members) > 6 else "")


def _best(v: Judgement) -> Iterator[str]:
    """Say who may be the best, unless everybody may and nobody said otherwise."""
    first = v.groups[0]
    if v.best is None or len(v.best) == len(first) == len(v.candidates):
        return
    who = f"{'only ' if len(v.best) == 1 else ''}{names_or_number(v.best)} may be the best"
    how = "Allowing for the choice of the leader,"
    if {*first} <= {*v.best} and v.strictly is None:
        more = [name for name in v.best if name not in first]
        who = (
            f"{names_or_number(more)} may be the best too"
            if more
            else "nobody else may be the best"
        )
        how = "Tests that allow for how the leader was chosen:"
    yield f"{how} {who} ({number(100 * (1 - v.alpha))} %)."


# The order that was official, or observed.


def _against_the_official(v: Judgement) -> Iterator[str]:
    pairs, n = v.inverted, len(v.candidates)
    ranked = v.official[np.isfinite(v.official)]
    known = "" if len(ranked) == n else f" of {len(ranked):,} of {n:,} candidates"
    if pairs:
        what = f"the official order{known}" if v.has_official else f"the ranking by {v.called}"
        stand = f"{counted(len(pairs), 'pair')} {'stands' if len(pairs) == 1 else 'stand'}"
        round_ = f"{stand} in the groups the other way round than in {what}"
        yield f"{round_} {_why_inverted(v, pairs)}"
    elif v.has_official and len(ranked) == 1:
        yield (
            f"Only 1 of {n:,} candidates has an official rank: too few to say whether the groups "
            "contradict the official order."
        )
    elif v.has_official and ranked.min() == ranked.max():
        yield f"The official ranks{known} are all the same: there is no order to contradict."
    elif v.has_official:
        yield f"The groups contradict the official order{known} nowhere."
    yield from _medians(v)


def _why_inverted(v: Judgement, pairs: Sequence[tuple[int, int]]) -> str:
    """Name an inverted pair, one that tests separate if any, and say whether they do."""
    apart = [pair for pair in pairs if v.separates(*pair)]
    better, worse = (bare(v.candidates[i]) for i in (apart or pairs)[0])
    such = f"{'such as ' if len(pairs) > 1 else ''}{better} above {worse}"
    them = "them" if len(pairs) == 1 else "all of them"
    tests = "tests" if all(v.pair_confirmed(*pair) for pair in apart) else v.tests_in_words
    if len(apart) == len(pairs):
        return f"({such}), and {tests} tell {them} apart."
    silent = v.too_few or v.why_unknown
    if v.has_official and not silent:
        number = f"tell {len(apart):,} of them" if apart else f"do not tell {them}"
        return f"({such}): {tests} {number} apart."
    tested = "only the leader of a group is tested against the rest"
    if v.strictly is not None:
        tested = "tests do not tell every pair of two groups apart"
    if silent:
        tested = f"{v.units} are too few for a test" if v.too_few else "resampling is no test here"
    shown = f"; {tests} tell {len(apart):,} of them apart" if apart else ""
    return f"({such}{shown}): {tested}."


def _medians(v: Judgement) -> Iterator[str]:
    """Say where median merits contradict the official order, the highest place first."""
    pairs = v.inverted_by_medians
    if v.has_official and len(pairs):
        first = pairs[np.lexsort(v.official[pairs].T)[0]].tolist()
        both = (f"{bare(v.candidates[i])} ({number(float(v.official[i]))})" for i in first)
        round_ = f"put {counted(len(pairs), 'pair')} the other way round than the official order"
        such = ", such as" if len(pairs) > 1 else ":"
        yield f"The medians over {worlds(v)} {round_}{such} {' above '.join(both)}."


# What the groups guarantee, and what they do not.


def guarantee(v: Judgement) -> str:
    if v.untested:
        none = "There are no groups:"
        return Words(f"{none} {v.untested}.", page=f"{none} {on_page(v.untested)}.")
    if v.too_few:
        few = f"The groups are what resampling gives; {v.units} are too few to show anything"
        return f"{few}: at least {v.fewest} are needed."
    if v.undecided:
        return "There are no groups yet: the resamples are too few for tests of so many candidates."
    return _of_all_pairs(v) if v.strictly is not None else _of_the_paper(v)


def _of_all_pairs(v: Judgement) -> str:
    if not v.tested:
        few, many = min(error_rates.COPELAND_TOLD_APART), max(error_rates.COPELAND_TOLD_APART)
        shares = [percent(error_rates.COPELAND_TOLD_APART[m]) for m in (few, many)]
        return (
            "Groups: what resampling puts apart, with no control of the error, since "
            f"{v.evidence.no_mean} (10 equal candidates by copeland: some are put apart in "
            f"{shares[0]} of tables with {few} judges, in {shares[1]} with {many:,})."
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
            "30 candidates of opposite lognormal scores on 10 judges: "
            f"{percent(error_rates.SKEWED_TOLD_APART)})"
        )
    return (
        f"Groups: all pairs tested at once ({v.test}); the chance that any pair is wrongly told "
        f"apart is about {at} %{skewed}. {leader}"
    )


def _of_the_paper(v: Judgement) -> str:
    plan, put = v.evidence.plan, f"{group_words.OF_LEADERS} put ahead of all below"
    if plan.kind == "bayesian":
        return f"{put}. Shares of resamples are posterior shares here and control no error."
    if not plan.with_replacement:
        return f"{put}, with an error that is not known under this plan."
    if v.why_unknown:
        return f"{put}, {v.why_unknown}."
    few = f", from {FEW_JUDGES} judges on" if v.evidence.independent < FEW_JUDGES else ""
    return group_words.stricter(
        f"{group_words.OF_LEADERS} shown better than all below. A given best candidate misses the "
        f"first group in about {number(100 * v.alpha)} % of cases{few}; that some equally good "
        "one does is likelier (at 5 %, among 10 equals on 50 judges or more: "
        f"{error_rates.per_cent(error_rates.EXCLUDED_OF_10_FROM_50_ON)})."
    )
