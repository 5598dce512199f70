"""What ratings say, in sentences that claim no more than was estimated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from deadheat.core.errors import Words, bare, counted, listed, on_page, say
from deadheat.core.errors import named as joined
from deadheat.core.weights import CAUTION, LITTLE, NARROW, ODDS, STRICTER, SUPPORT, SURE, TRIFLE
from deadheat.data.results import Nouns
from deadheat.models.rating.pair_counts import SIDE
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_of, ranks
from deadheat.rate.estimates import Estimates, RatingFacts, rivals
from deadheat.rate.evidence import RatingGroups, open_ends, rating_groups, rating_tests
from deadheat.rate.options import Options
from deadheat.statistics import group_words
from deadheat.statistics.corrections import fewest_draws
from deadheat.statistics.group_words import FEW, names_or_number
from deadheat.statistics.units import FEWEST_JUDGES

FEW_UNITS = 20
MARGIN = 1.25  # more resamples, where some of them are left out
SAME = 1e-9  # ratings that differ by less are equal

# What the reader of ratings must be warned of.


def rating_cautions(
    rated: Estimates, grouped: RatingGroups, options: Options, nouns: Nouns
) -> Iterator[str]:
    yield from _about_units(rated, options)
    yield from _about_replicates(rated, grouped, options, nouns)
    if rated.errors == "fisher":
        voters = "Where one score or one voter enters many of them, intervals are several times"
        said = f"takes all matches as independent. {voters} too short."
        text = f"{say('errors', 'fisher')} {said}"
        yield Words(text, page=f"errors by fisher {said}", weight=CAUTION)
    yield from rated.cautions
    yield from _about_separation(rated, options.alpha, nouns)
    if grouped.first is not None and np.isnan(grouped.first).any():
        unknown = rated.named(np.flatnonzero(np.isnan(grouped.first)).tolist())
        why = "No resample goes against what sets them apart, and there are too few matches to show"
        said = f"{listed(unknown, most=FEW)}: first_share is empty. {why} who of them is first."
        yield Words(said, weight=LITTLE)


def _about_units(rated: Estimates, options: Options) -> Iterator[str]:
    evidence, linear, n = rated.evidence, rated.evidence.linear, len(rated.candidates)
    holds = options.tests_all_pairs and linear is not None and not evidence.too_few
    if evidence.freedom + 1 < FEW_UNITS:
        few, level = f"{evidence.in_words()} to draw from are few", 100 * (1 - options.alpha)
        told = not (holds or evidence.too_few)  # else there are no groups
        groups = ", and groups tell equals apart more often" if told else ""
        if evidence.replicates is not None and options.interval != "wald":  # that is Student's
            held = f"intervals of {level:g} % hold the truth less often than they say"
            yield f"{few}: {held}{groups}."
        elif told:
            yield f"{few}: groups tell equals apart more often than they say."
    if holds and linear is not None and len(linear.tested) < n:
        who = listed(rated.named(np.setdiff1d(np.arange(n), linear.tested)), most=FEW)
        why = f"fewer than {counted(FEWEST_JUDGES, linear.noun)}, so that nothing is shown about"
        yield f"{who}: {why} them, and they are in a dead heat with the best."


def _about_replicates(
    rated: Estimates, grouped: RatingGroups, options: Options, nouns: Nouns
) -> Iterator[str]:
    replicates, alpha = rated.evidence.replicates, options.alpha
    n = len(rated.candidates)
    tests, whom = n - 1, "one from all others"
    if options.test == "holm" and rated.evidence.linear is None:
        tests, whom = n * (n - 1), "all pairs"
    take = fewest_draws(tests, alpha)
    in_headline = grouped.tests is None and len(grouped.groups.members[0]) > 1
    if replicates is not None and len(replicates) < take:
        if rated.skipped:
            drawn = len(replicates) + rated.skipped
            take = int(np.ceil(take * drawn / len(replicates) * MARGIN))
        few = f"{counted(len(replicates), 'resample')} are too few to tell {whom} among"
        what = f"{nouns.candidates(n)} at alpha = {alpha:g}: groups may be too large. Take"
        more, on_a_page = say("replicates", take), f"{take} resamples"
        if rated.fit is not None:
            more += f", or {say('errors', 'sandwich')}"
            on_a_page += ", or errors by sandwich"
        page, weight = f"{few} {what} {on_a_page}.", 0.1 if in_headline else 0.6
        yield Words(f"{few} {what} {more}.", page=page, weight=weight)
    if rated.skipped:
        some = f"{counted(rated.skipped, 'resample')} left out"
        yield Words(f"{some}: somebody met nobody in them.", weight=LITTLE)
    if rated.penalised:
        how = " (firth)" if rated.fit is not None else ""
        some = counted(rated.penalised, "resample")
        said = f"In {some} plain ratings do not exist; these are penalised{how}."
        yield Words(said, weight=LITTLE)


def _about_separation(rated: Estimates, alpha: float, nouns: Nouns) -> Iterator[str]:
    if rated.fit is None:
        return
    if not rated.fit.pairs.wins.any() and not rated.fit.pairs.losses.any():
        same = f"that the {nouns.candidates()} are equal"
        still = "all matches are ties, so that nothing varies: intervals without width"
        yield f"{still} do not show {same}."
        return
    if np.isfinite(rated.mle).all():
        return
    none = "plain maximum-likelihood ratings do not exist for all: the column mle has +inf or"
    said = f"{none} -inf or nothing, the column rating is penalised ({rated.fit.penalty})."
    yield Words(said, weight=TRIFLE)
    yield from open_ends(rated.evidence.separation)
    few = rated.too_few_matches(alpha)
    if few:
        who, met = listed(rated.named(few), most=FEW), _matches(min(few.values()))
        luck = "So few can be luck, and groups do not tell apart whom nothing else does."
        same = f"{who}: all of as few as {met} with the rest ended the same way."
        yield Words(f"{same} {luck}", weight=CAUTION)
    ratings = rated.evidence.ratings
    for i, did in ((best_of(ratings), "won"), (best_of(-ratings), "lost")):
        thin = rated.thinly_spread(i, alpha)
        if thin is not None and i not in few:
            who = listed([rated.candidates[i]])
            yield f"{who} {did} {_all_thin(thin)} to tell it apart from each of them."


def _matches(met: float) -> str:
    return f"{number(met)} {'match' if met == 1 else 'matches'}"


def _all_thin(thin: tuple[float, float, int]) -> str:
    matches, most, some = thin
    of_one = f"{number(most)} at most with any one of {counted(some, 'rival')}"
    return f"all of {number(matches)} matches, but had {of_one}: too few"


# Who leads, in a headline: alone, or in a dead heat, and why nobody is told apart.

SPOKEN = {"epp": "EPP", "bradley-terry": "Bradley-Terry", "elo": "Elo"}
SPOKEN |= {"gaussian": "Gaussian skills", "plackett-luce": "Plackett-Luce"}
MOST_TESTED = 1_000  # candidates of whom all pairs are tested unasked


def headline(r: RatingFacts, basis: str, *, what: str = "rating") -> Words:
    """Say who is rated highest or ties, by which model, on how much."""
    said = in_front(r, what)
    by = f"({SPOKEN.get(r.model, r.model)}, {basis})"
    return Words(f"{said} {by}.", page=f"{on_page(said)} {by}.")


def in_front(r: RatingFacts, what: str) -> str:
    """Say who is first, as a sentence without its full stop."""
    first, n = r.groups[0], len(r.candidates)
    if r.undecided is not None:
        return group_words.undecided(*r.undecided, n, r.nouns)
    if r.evidence.too_few:
        return _not_tested(r, what)
    if len(first) > 1:
        return group_words.dead_heat(len(first), n, r.nouns, f"the highest {what}")
    who, others = bare(first[0]), group_words.all_others(n, r.nouns)
    tests = tests_in_words(r)
    if r.order[0] != r.leader:  # by resamples
        highest = bare(r.candidates[r.order[0]])
        shown = f"{tests} show {who} better than {others}"
        if not r.shows:
            shown = f"tests {_how_often_unknown(r)} put {who} ahead of {others}"
        return f"{shown}, though {highest} is rated highest"
    mean = what != "rating"
    highest = f"has the highest {what}" if mean else "is rated highest"
    if not r.shows:
        held = [bare(each["name"]) for each in r.circumstances if each["name"] != SIDE]
        held_equal = f" with {joined(held)} held equal" if held else ""
        put = f"tests {_how_often_unknown(r)} put it ahead of {others}"
        return f"{who} {highest}{held_equal}: {put}"
    if confirmed(r):
        return (
            f"{who} {highest} and {'is ' if mean else ''}clearly ahead of the other{'s' * (n > 2)}"
        )
    return f"{who} {highest}: {tests} show it better than {others}"


def _not_tested(r: RatingFacts, what: str) -> str:
    """Say who is rated highest, where units are too few to show more."""
    best = r.order[0]
    first = r.named(i for i in r.order if r.ratings[best] - r.ratings[i] <= SAME)
    are, have, it = ("are", "have", "anybody") if len(first) > 1 else ("is", "has", "it")
    highest = f"{are} rated highest" if what == "rating" else f"{have} the highest {what}"
    who = names_or_number(first, r.nouns.candidate)
    return f"{who} {highest}, but {few_units(r)} are too few to show that {it} is better"


def few_units(r: RatingFacts) -> str:
    return r.evidence.in_words() if r.evidence.too_few else ""


def _how_often_unknown(r: RatingFacts) -> str:
    return f"whose error is not known {r.where_unknown}"


def unknown_error(r: RatingFacts) -> str:
    return f"by tests {_how_often_unknown(r)}" if r.where_unknown else ""


def tests_in_words(r: RatingFacts) -> str:
    kind = "one-sided tests" if r.grouped.tests is None else "tests of all pairs"
    return f"{kind} at {number(100 * r.alpha)} %"


def confirmed(r: RatingFacts) -> bool:
    """Return whether sound tests of all pairs show the leader better than all others."""
    tests, n = r.grouped.tests, len(r.candidates)
    if not r.shows or (tests is None and n > MOST_TESTED):
        return False
    tests = tests or rating_tests(r.evidence, alpha=r.alpha, test="holm")
    return bool(np.delete(tests.better[r.leader], r.leader).all())


def legend(r: RatingFacts) -> Iterator[str]:
    """Say what it means to be level with the leader, and why somebody rated higher is not."""
    if not r.level:
        return
    yield from group_words.legend(
        r.candidates,
        ranks(r.ratings).tolist(),
        r.level,
        r.leader,
        unknown=unknown_error(r),
        tests=tests_in_words(r),
    )


def leader_reasons(r: RatingFacts) -> Iterator[Words]:
    """Say why the best are level, which lead would show, and what the highest rating is worth."""
    yield from _why_level(r)
    if len(r.groups[0]) == 1 and r.grouped.tests is None and r.shows:
        yield from _narrow(r)
        yield from _stricter(r)
    found, best = r.leader_corrected, r.order[0]
    if found is None or r.ratings[best] - r.ratings[r.order[1]] <= SAME:
        return
    shown = r.scale.shown(np.stack([r.ratings, r.bounds.low, r.bounds.high])[:, best])
    value, low, high = shown.tolist()
    own, *ends = (number(found[name], r.scale.digits) for name in ("rating", "low", "high"))
    lucky = value - found["rating"] > group_words.CLEARLY_LUCKY * (high - low)
    if lucky and own != number(value, r.scale.digits):
        n = len(r.candidates)
        yield group_words.lucky_leader(found["candidate"], "rating", own, ends, n)


def _narrow(r: RatingFacts) -> Iterator[Words]:
    """Say why a test shows the leader better whose interval holds an even match."""
    sides = rivals(r.leader, len(r.candidates))
    low = r.differences(*sides).low
    close = sides[1][np.isfinite(low) & (low <= 0)]
    if not len(close):
        return
    tests = r.grouped.groups.rounds[0]
    p = float(tests.p[np.isin(tests.others, close)].max())
    close = close[np.argsort(-r.ratings[close], kind="stable")]
    whom = names_or_number(r.named(close.tolist()), r.nouns.candidate)
    said = f"The lead over {whom} is narrow: one-sided tests show it (p = {p:.2g}), two-sided"
    yield Words(f"{said} intervals still hold an even match.", weight=CAUTION, good=False)


def _stricter(r: RatingFacts) -> Iterator[Words]:
    """Say who is level with the leader by tests of all pairs at once."""
    if len(r.candidates) > MOST_TESTED or confirmed(r):
        return
    strict = rating_groups(r.evidence, alpha=r.alpha, test="holm")
    level = len(strict.groups.members[0])
    if level < 2:
        return
    test = "Stricter tests, of all pairs at once"
    leave = f"leave {r.nouns.candidates(level)} level with first"
    with_option = f"{test} ({say('test', 'holm')}), {leave}."
    yield Words(with_option, page=f"{test}, {leave}.", weight=STRICTER, good=False)


def _why_level(r: RatingFacts) -> Iterator[Words]:
    """Say why the best are in a dead heat where matches are too few, else which lead shows."""
    if not r.level:
        return
    e, parts = r.evidence, r.evidence.separation
    why: Any = {"weight": 0.9, "good": False}
    if e.luckiest > r.alpha:
        yield Words(f"{e.in_words()} are too few to show that anybody is better.", **why)
        return
    if r.fit is not None and parts is not None:
        best = r.order[0]
        who, few = bare(r.candidates[best]), r.too_few_matches(r.alpha).get(best)
        if few is not None and best in r.fit.existence.undefeated:
            met = _matches(few)
            said = f"{who} won all of {met} with the rest, too few to show that it is better."
            yield Words(said, **why)
            return
        thin = r.thinly_spread(best, r.alpha)
        if thin is not None:
            said = f"{who} won {_all_thin(thin)} to show that it is better than each of them."
            yield Words(said, **why)
            return
        tied = np.array(r.level)
        below = r.named(tied[parts.higher(np.full(len(tied), best), tied)].tolist())
        if below:
            never = "never won against the best part of the field"
            many = names_or_number(below, r.nouns.candidate)
            yield Words(f"{many} {never}, in too few matches to show more.", **why)
            return
    if r.detectable is not None:
        lead = group_words.detectable_lead_in_words(r.detectable)
        yield Words(lead, weight=LITTLE)


def about_groups(r: RatingFacts) -> str:
    at, tests = f"{100 * r.alpha:g} %", r.grouped.tests
    if tests is not None:
        told = f"the chance that any pair is wrongly told apart is about {at}"
        if not r.shows:
            told = f"how often they err is not known {r.where_unknown}"
        return f"Groups: all pairs tested at once ({tests.method}); {told}."
    if not r.shows:
        unknown = f"how often that is wrong is not known {r.where_unknown}"
        return f"{group_words.OF_LEADERS} put ahead of all below; {unknown}."
    shown = "shown better than all below, with more errors than"
    return group_words.stricter(f"{group_words.OF_LEADERS} {shown} {at} in all.")


# The whole: the headline, and what bears on it.


def rating_sentences(r: RatingFacts) -> tuple[str, ...]:
    topics = (leader_reasons, _next, _circumstances, _separation, _fit, _cycles)
    basis = r.nouns.judges(r.rounds)
    return (headline(r, basis), *(said for topic in topics for said in topic(r)))


def _next(r: RatingFacts) -> Iterator[Words]:
    """Say how often the highest is expected to beat the next."""
    best, second = r.order[0], r.order[1]
    value = number(float(r.scale.shown(r.ratings)[best]), r.scale.digits)
    shared = [i for i in r.order if r.ratings[best] - r.ratings[i] <= SAME]
    if len(shared) > 1:
        same = f"{names_or_number(r.named(shared), r.nouns.candidate)} have the same rating"
        yield Words(f"{same}, {value}.", weight=CAUTION)
        return
    who, rival = bare(r.candidates[best]), bare(r.candidates[second])
    following = ", the next" if len(r.candidates) > 2 else ""
    comma = following and ","
    chance = r.p_beats(r.candidates[best], r.candidates[second])
    if apart(r, best, second):
        yield Words(_at_least(r, who, f"{rival}{following}", comma), weight=ODDS)
        return
    often = f"{percent(chance.p)} ({percent(chance.low)} to {percent(chance.high)})"
    equal = ", all else equal" if r.circumstances and not r.has_ties else ""
    does = _beats(r, f"{rival}{following}", comma, often)
    yield Words(f"{who} is expected to {does}{equal}.", weight=ODDS)


def _beats(r: RatingFacts, rival: str, comma: str, often: str) -> str:
    if r.has_ties:
        return f"take {often} of the wins against {rival}"
    return f"beat {rival}{comma} in {often} of matches"


def _at_least(r: RatingFacts, who: str, rival: str, comma: str) -> str:
    """Return how often at least the best beats the next, to whom it never lost; rounded down."""
    i, j = np.array([r.order[0]]), np.array([r.order[1]])
    assert r.evidence.separation is not None
    above = r.evidence.separation.higher(i, j)
    nearest = np.where(above, r.evidence.separation.nearest(i, j, r.alpha), -np.inf)
    least = float(np.floor(100 * r.chance(nearest)[0]) / 100)
    if least < 0.5:
        only = f", only that {percent(least)} is the least" if least else ""
        return f"How often {who} beats {rival}{comma} no match tells{only}."
    if nearest[0] > (r.ratings[i] - r.ratings[j])[0]:  # steps of Elo, or a ridge
        beats = f"that {who} beats {rival}{comma} in more than {percent(least)} of matches"
        return f"Matches show {beats}, further than the model has moved the ratings."
    told = _beats(r, rival, comma, f"more than {percent(least)}")
    return f"{who} is expected to {told}; how much more no match tells."


def interval_in_words(r: RatingFacts) -> str:
    found = r.leader_corrected
    if found is None:
        return ""
    low, high = (number(found[end], r.scale.digits) for end in ("low", "high"))
    level, n = f"{100 * (1 - r.alpha):g} %", len(r.candidates)
    return f" ({level} interval {low} to {high}, corrected for being the highest of {n:,})"


def apart(r: RatingFacts, i: int, j: int) -> bool:
    parts = r.evidence.separation
    return parts is not None and bool(parts.apart(np.array([i]), np.array([j]))[0])


def meaning(r: RatingFacts) -> str:
    if not r.has_ties:
        return r.scale.meaning
    share = percent(float(r.chance(np.array([r.scale.step / r.scale.factor]))[0]))
    step = f"{r.scale.step}{'' if r.scale.name == 'logit' else ' points'}"
    return f"A difference of {step} means {share} of the wins, a tie being half a win."


def _circumstances(r: RatingFacts) -> Iterator[Words]:
    for each in r.circumstances:
        name, odds, se, typical, worth = each.values()
        if name == SIDE:
            size = f"log-odds {number(odds, 2)}, standard error {number(se, 2)}"
            wins = percent(float(expit(odds)))
            yield Words(f"Among equals the left side wins {wins} ({size}).", weight=SUPPORT)
        else:
            size = f"log-odds {number(worth, 2)}, standard error {number(se * typical, 2)}"
            more = f"the side with {number(typical)} more {bare(name)}, a typical difference,"
            wins = percent(float(expit(worth)))
            yield Words(f"Among equals {more} wins {wins} ({size}).", weight=SUPPORT)


def _separation(r: RatingFacts) -> Iterator[Words]:
    if r.fit is None or not r.separated:
        return
    strong, why = r.fit.existence.strong, ""
    if len(strong) < 2:
        why = "Wins and ties never contradict each other"
    elif len(strong) > 2:
        why = f"The field falls into {len(strong):,} parts, and none lost a point to one below it"
    else:
        top, bottom = map(r.named, strong)
        who, others = names_or_number(top, r.nouns.candidate), f"the other {len(bottom):,}"
        others = joined(bottom) if len(top) + len(bottom) <= FEW else others
        why = f"{who} never lost a point to {others}"
        if len(bottom) == 1 and len(top) >= FEW:
            why = f"{bare(bottom[0])} never took a point from the other {len(top):,}"
    say_who = "and say who is above, not by how much" if len(strong) > 1 else ""
    penalised = f"Those shown are penalised ({r.fit.penalty}) {say_who}".strip()
    yield Words(f"{why}: plain ratings do not exist. {penalised}.", weight=CAUTION, good=False)


def _fit(r: RatingFacts) -> Iterator[Words]:
    fit = r.goodness
    if fit is None or not fit.simulations or fit.df < 1:
        return
    observed, mean, p = fit.deviance
    if p > r.alpha:
        none = f"The deviance gives no reason to doubt the model (p = {p:.2f})."
        yield Words(none, weight=SURE, good=True)
        return
    ties = "" if r.fit is None or r.fit.ties == "half" else ", with this model of ties,"
    deviance = f"the deviance is {number(observed)} where {number(mean)} is expected (p = {p:.3f})"
    one = f"One number per {r.nouns.candidate}{ties} does not explain the matches: {deviance}."
    yield Words(one, weight=CAUTION, good=False)
    pair = worst_pair(r)
    if pair is not None:
        first, second = bare(pair["first"]), bare(pair["second"])
        half = ", a tie being half a win" if r.has_ties else ""
        of = _matches(pair["battles"])
        seen = f"{first} has {percent(pair['observed'])} of the wins against {second} in {of}{half}"
        worst = f"The worst fit: {seen}; the ratings say {percent(pair['fitted'])}."
        yield Words(worst, weight=NARROW, good=False)


def _cycles(r: RatingFacts) -> Iterator[Words]:
    if r.goodness is None or not r.goodness.triples.number:
        return
    some, of = r.goodness.triples
    circle = "in a circle: a beats b, b beats c, c beats a. No ratings can show that."
    trios = f"Of {of:,} trios with a winner in each pair, {some:,} {'goes' if some == 1 else 'go'}"
    if of == 1:
        trios = "The only trio with a winner in each pair goes"
    yield Words(f"{trios} {circle}", weight=NARROW)


def goodness_facts(r: RatingFacts) -> dict[str, Any]:
    fit = r.goodness
    if fit is None:
        return {"deviance": None}
    return {
        "deviance": fit.deviance.observed,
        "deviance_df": fit.df,
        "deviance_expected": fit.deviance.mean,
        "deviance_p": fit.deviance.p,
        "explained": fit.explained,
        "cyclic_triples": fit.triples.number,
        "triples": fit.triples.triples,
        "worst_pair": worst_pair(r),
        "simulations": fit.simulations,
    }


def worst_pair(r: RatingFacts) -> dict[str, Any] | None:
    c = r.calibration
    if c is None or c.worst is None:
        return None
    first, second = r.named((c.first[c.worst], c.second[c.worst]))
    keys = ("battles", "observed", "fitted", "residual")
    values = (float(column[c.worst]) for column in (c.battles, c.observed, c.fitted, c.residuals))
    return {"first": first, "second": second, **dict(zip(keys, values, strict=True))}
