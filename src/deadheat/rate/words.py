"""What ratings say, in sentences that claim no more than was estimated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from deadheat.core.errors import Words, bare, counted, listed, say
from deadheat.models.rating.pair_counts import SIDE
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_of
from deadheat.rate.estimates import Estimates, RatingFacts, rivals
from deadheat.rate.evidence import RatingGroups, open_ends
from deadheat.rate.options import Options
from deadheat.statistics.corrections import fewest_draws
from deadheat.statistics.group_words import (
    FEW,
    OF_LEADERS,
    ahead,
    all_others,
    detectable_lead_in_words,
    level,
    names_or_number,
    stricter,
)
from deadheat.statistics.units import FEWEST_JUDGES

FEW_UNITS = 20
MARGIN = 1.25  # more resamples, where some of them are left out
SAME = 1e-9  # ratings that differ by less are equal

# What the reader of ratings must be warned of.


def rating_cautions(rated: Estimates, grouped: RatingGroups, options: Options) -> Iterator[str]:
    yield from _about_units(rated, options)
    yield from _about_replicates(rated, options)
    if rated.errors == "fisher":
        voters = "Where one score or one voter enters many of them, intervals are several times"
        said = f"takes all matches as independent. {voters} too short."
        yield Words(f"{say('errors', 'fisher')} {said}", page=f"errors by fisher {said}")
    yield from rated.cautions
    yield from _about_separation(rated, options.alpha)
    if grouped.first is not None and np.isnan(grouped.first).any():
        unknown = rated.named(np.flatnonzero(np.isnan(grouped.first)).tolist())
        why = "No resample goes against what sets them apart, and there are too few matches to show"
        yield f"{listed(unknown, most=FEW)}: first_share is empty. {why} who of them is first."


def _about_units(rated: Estimates, options: Options) -> Iterator[str]:
    evidence, linear, n = rated.evidence, rated.evidence.linear, len(rated.candidates)
    holds = options.tests_all_pairs and linear is not None and not evidence.too_few
    if evidence.freedom + 1 < FEW_UNITS:
        few, level = f"{evidence.in_words()} to draw from are few", 100 * (1 - options.alpha)
        groups = "" if holds else ", and groups tell equals apart more often"
        if evidence.replicates is not None and options.interval != "wald":  # that is Student's
            held = f"intervals of {level:g} % hold the truth less often than they say"
            yield f"{few}: {held}{groups}."
        elif not holds:
            yield f"{few}: groups tell equals apart more often than they say."
    if holds and linear is not None and len(linear.tested) < n:
        who = listed(rated.named(np.setdiff1d(np.arange(n), linear.tested)), most=FEW)
        why = f"fewer than {counted(FEWEST_JUDGES, linear.noun)}, so that nothing is shown about"
        yield f"{who}: {why} them, and they are in a dead heat with the best."


def _about_replicates(rated: Estimates, options: Options) -> Iterator[str]:
    replicates, alpha = rated.evidence.replicates, options.alpha
    n = len(rated.candidates)
    tests, whom = n - 1, "one from all others"
    if options.test == "holm" and rated.evidence.linear is None:
        tests, whom = n * (n - 1), "all pairs"
    take = fewest_draws(tests, alpha)
    if replicates is not None and len(replicates) < take:
        if rated.skipped:
            drawn = len(replicates) + rated.skipped
            take = int(np.ceil(take * drawn / len(replicates) * MARGIN))
        few = f"{counted(len(replicates), 'resample')} are too few to tell {whom} among"
        what = f"{counted(n, 'candidate')} at alpha = {alpha:g}: groups may be too large. Take"
        more, on_a_page = say("replicates", take), f"{take} resamples"
        if rated.fit is not None:
            more += f", or {say('errors', 'sandwich')}"
            on_a_page += ", or errors by sandwich"
        yield Words(f"{few} {what} {more}.", page=f"{few} {what} {on_a_page}.")
    if rated.skipped:
        yield f"{counted(rated.skipped, 'resample')} left out: somebody met nobody in them."
    if rated.penalised:
        how = " (firth)" if rated.fit is not None else ""
        some = counted(rated.penalised, "resample")
        yield f"in {some} plain ratings do not exist; these are penalised{how}."


def _about_separation(rated: Estimates, alpha: float) -> Iterator[str]:
    if rated.fit is None:
        return
    if not rated.fit.pairs.wins.any() and not rated.fit.pairs.losses.any():
        still = "all matches are ties, so that nothing varies"
        yield f"{still}: intervals without width do not show that the candidates are equal."
        return
    if np.isfinite(rated.mle).all():
        return
    none = "plain maximum-likelihood ratings do not exist for all: the column mle has +inf or"
    yield f"{none} -inf or nothing, the column rating is penalised ({rated.fit.penalty})."
    yield from open_ends(rated.evidence.separation)
    few = rated.too_few_matches(alpha)
    if few:
        who, met = listed(rated.named(few), most=FEW), _matches(min(few.values()))
        luck = "So few can be luck, and groups do not tell apart whom nothing else does."
        yield f"{who}: all of as few as {met} with the rest ended the same way. {luck}"
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


# Who leads, in a sentence: alone, or in a dead heat, and why nobody is told apart.


def first_group(r: RatingFacts, *, by_name: bool = False) -> str:
    """Return who is shown better than all others, or why nobody is; ``by_name`` where alone."""
    first, n, e = r.groups[0], len(r.candidates), r.evidence
    if len(first) > 1:
        where = "" if len(first) == n else " for first place"
        return _untested_note(r) or f"{level(first, n)} are in a dead heat{where}.{_why_level(r)}"
    leader = r.at(first[0])
    it = r.order[0] == leader and not by_name
    few = e.in_words() if e.too_few else ""
    unknown = f"by tests whose error is not known {r.where_unknown}" if r.where_unknown else ""
    tests = f"One-sided tests at {100 * r.alpha:g} %" if r.grouped.tests is None else ""
    by_tests = bool(tests) and r.shows
    who = ("it" if by_tests else "It") if it else bare(first[0])
    low = r.differences(*rivals(leader, n)).low
    holds_half = (np.isfinite(low) & (low <= 0)).any()  # an interval of a win probability
    wider = "; intervals are two-sided and wider" if by_tests and holds_half else ""
    return f"{ahead(who, all_others(n), few=few, unknown=unknown, tests=tests)}{wider}."


def _untested_note(r: RatingFacts) -> str:
    """Return a sentence where too few resamples were drawn to test the first group."""
    tests, n = r.grouped.tests, len(r.candidates)
    drawn = len(r.evidence.replicates) if r.evidence.replicates is not None else 0
    corrected = n - 1
    if tests is not None:
        drawn, corrected = tests.replicates, 1 if tests.method.startswith("max-t") else n * (n - 1)
    least = fewest_draws(corrected, r.alpha)
    if not 0 < drawn < least:
        return ""
    few = f"{counted(drawn, 'resample')} are too few for that, {least:,} are the least."
    return f"Whether anybody is better than the next was not tested: {few}"


def _why_level(r: RatingFacts) -> str:
    """Return why the best are in a dead heat where matches are too few, else which lead shows."""
    e, parts = r.evidence, r.evidence.separation
    if e.too_few or e.luckiest > r.alpha:
        return f" {e.in_words()} to draw from are too few to show that anybody is better."
    if r.fit is not None and parts is not None:
        best = r.order[0]
        who, few = bare(r.candidates[best]), r.too_few_matches(r.alpha).get(best)
        if few is not None and best in r.fit.existence.undefeated:
            met = _matches(few)
            return f" {who} won all of {met} with the rest, too few to show that it is better."
        thin = r.thinly_spread(best, r.alpha)
        if thin is not None:
            return f" {who} won {_all_thin(thin)} to show that it is better than each of them."
        tied = np.array([r.at(name) for name in r.groups[0]])
        below = r.named(tied[parts.higher(np.full(len(tied), best), tied)].tolist())
        if below:
            never = "never won against the best part of the field"
            return f" {names_or_number(below)} {never}, in too few matches to show more."
    return "" if r.detectable is None else f" {detectable_lead_in_words(r.detectable)}"


def about_groups(r: RatingFacts) -> str:
    at, tests = f"{100 * r.alpha:g} %", r.grouped.tests
    if tests is not None:
        told = f"the chance that any pair is wrongly told apart is about {at}"
        if not r.shows:
            told = f"how often they err is not known {r.where_unknown}"
        return f"Groups: all pairs tested at once ({tests.method}); {told}."
    if not r.shows:
        unknown = f"how often that is wrong is not known {r.where_unknown}"
        return f"{OF_LEADERS} put ahead of all below; {unknown}."
    return stricter(f"{OF_LEADERS} shown better than all below, with more errors than {at} in all.")


# The whole, a sentence or two a line.


def rating_sentences(r: RatingFacts) -> tuple[str, ...]:
    further = (*_circumstances(r), *_separation(r), *_fit(r), *_cycles(r))
    return (f"{highest(r)} {first_group(r)}", _meaning(r), *further)


def highest(r: RatingFacts) -> str:
    best, second = r.order[0], r.order[1]
    value = number(float(r.scale.shown(r.ratings)[best]), r.scale.digits)
    shared = [i for i in r.order if r.ratings[best] - r.ratings[i] <= SAME]
    if len(shared) > 1:
        return f"{names_or_number(r.named(shared))} share the highest rating, {value}."
    told = f"{bare(r.candidates[best])} has the highest rating, {value}{interval_in_words(r)}"
    rival = bare(r.candidates[second])
    following = ", the next" if len(r.candidates) > 2 else ""
    comma = following and ","
    chance = r.p_beats(r.candidates[best], r.candidates[second])
    if apart(r, best, second):
        return f"{told}{_at_least(r, f'{rival}{following}', comma)}"
    often = f"{percent(chance.p)} ({percent(chance.low)} to {percent(chance.high)})"
    equal = ", all else equal" if r.circumstances and not r.has_ties else ""
    does = _beats(r, f"{rival}{following}", comma, often)
    return f"{told}, and is expected to {does}{equal}."


def _beats(r: RatingFacts, rival: str, comma: str, often: str) -> str:
    if r.has_ties:
        return f"take {often} of the wins against {rival}"
    return f"beat {rival}{comma} in {often} of matches"


def _at_least(r: RatingFacts, rival: str, comma: str) -> str:
    """Return how often at least the best beats the next, to whom it never lost; rounded down."""
    i, j = np.array([r.order[0]]), np.array([r.order[1]])
    assert r.evidence.separation is not None
    above = r.evidence.separation.higher(i, j)
    nearest = np.where(above, r.evidence.separation.nearest(i, j, r.alpha), -np.inf)
    least = float(np.floor(100 * r.chance(nearest)[0]) / 100)
    see = "" if r.fit is None else ": see below"
    if least < 0.5:
        only = f", only that {percent(least)} is the least" if least else ""
        return f". How often it beats {rival}{comma} no match tells{only}{see}."
    if nearest[0] > (r.ratings[i] - r.ratings[j])[0]:  # steps of Elo, or a ridge
        beats = f"that it beats {rival}{comma} in more than {percent(least)} of matches"
        return f". Its matches show {beats}, further than the model has moved the ratings."
    told = _beats(r, rival, comma, f"more than {percent(least)}")
    return f", and is expected to {told}; how much more no match tells{see}."


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


def _meaning(r: RatingFacts) -> str:
    if not r.has_ties:
        return r.scale.meaning
    share = percent(float(r.chance(np.array([r.scale.step / r.scale.factor]))[0]))
    step = f"{r.scale.step}{'' if r.scale.name == 'logit' else ' points'}"
    return f"A difference of {step} means {share} of the wins, a tie being half a win."


def _circumstances(r: RatingFacts) -> Iterator[str]:
    for each in r.circumstances:
        name, odds, se, typical, worth = each.values()
        if name == SIDE:
            size = f"{number(odds, 2)} in log-odds (standard error {number(se, 2)})"
            yield f"The left side has {size}, i.e. wins {percent(float(expit(odds)))} among equals."
        else:
            size = f"{number(worth, 2)} in log-odds (standard error {number(se * typical, 2)})"
            yield f"{bare(name)}: a typical difference of {number(typical)} is worth {size}."


def _separation(r: RatingFacts) -> Iterator[str]:
    if r.fit is None or not r.separated:
        return
    strong, penalised = r.fit.existence.strong, f"Ratings are penalised ({r.fit.penalty})"
    if len(strong) < 2:
        none = "Plain maximum-likelihood ratings do not exist: wins and ties never contradict each"
        yield f"{none} other. {penalised}."
        return
    if len(strong) == 2:
        top, bottom = map(r.named, strong)
        who = bare(top[0]) if len(top) == 1 else counted(len(top), "candidate")
        said = f"all: {who} never lost a point to the other {len(bottom):,}"
        if len(top) + len(bottom) <= FEW:
            said = f"all: {names_or_number(top)} never lost a point to {names_or_number(bottom)}"
        elif len(bottom) == 1:
            said = f"all: {bare(bottom[0])} never took a point from the other {len(top):,}"
    else:
        one = "of two parts that met, one never lost a point to the other"
        said = f"the {len(strong):,} parts of the field: {one}"
    yield f"No finite rating joins {said}."
    above = "differences between the parts say who is above, not by how much"
    yield f"{penalised} to be finite: {above}."


def _fit(r: RatingFacts) -> Iterator[str]:
    fit = r.goodness
    if fit is None or not fit.simulations or fit.df < 1:
        return
    observed, mean, p = fit.deviance
    if p > r.alpha:
        yield f"The deviance gives no reason to doubt the model (p = {p:.2f})."
        return
    ties = "" if r.fit is None or r.fit.ties == "half" else ", with this model of ties,"
    deviance = f"the deviance is {number(observed)} where {number(mean)} is expected (p = {p:.3f})"
    yield f"One number per candidate{ties} does not explain the matches: {deviance}."
    pair = worst_pair(r)
    if pair is not None:
        first, second = bare(pair["first"]), bare(pair["second"])
        half = ", a tie being half a win" if r.has_ties else ""
        seen = f"{first} has {percent(pair['observed'])} of the wins against {second}{half}"
        yield f"The worst fit: {seen}; the ratings say {percent(pair['fitted'])}."


def _cycles(r: RatingFacts) -> Iterator[str]:
    if r.goodness is None or not r.goodness.triples.number:
        return
    some, of = r.goodness.triples
    which = f"{some:,} of {of:,} triples whose three matches are decided"
    which += " goes" if some == 1 else " go"
    if of == 1:
        which = "The only triple whose three matches are decided goes"
    yield f"{which} in a circle, each beating the next, which no ratings can show."


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
