"""What ratings say, in sentences that claim no more than was estimated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from deadheat.errors import counted
from deadheat.inference.rating_leaders import FEW, first_group, named, plain
from deadheat.ranking.rating.design import SIDE
from deadheat.text import number, percent

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings

SAME = 1e-9  # ratings that differ by less are equal


def ratings_in_words(r: Ratings) -> str:
    """Return what the ratings say, one or two sentences a line."""
    lines = [
        f"{highest(r)} {first_group(r)}",
        _meaning(r),
        *_circumstances(r),
        *_separation(r),
        *_fit(r),
        *_cycles(r),
    ]
    return "\n".join(lines)


def highest(r: Ratings) -> str:
    """Return who has the highest rating, and how often it should beat the next."""
    best, second = r.order[0], r.order[1]
    value = number(float(r.scale.shown(r.ratings)[best]), r.scale.digits)
    shared = [i for i in r.order if r.ratings[best] - r.ratings[i] <= SAME]
    if len(shared) > 1:
        return f"{named([r.candidates[i] for i in shared])} share the highest rating, {value}."
    told = f"{plain(r.candidates[best])} has the highest rating, {value}{interval_in_words(r)}"
    rival = plain(r.candidates[second])
    following = ", the next" if len(r.candidates) > 2 else ""
    comma = following and ","
    chance = r.p_beats(r.candidates[best], r.candidates[second])
    if apart(r, best, second):
        return f"{told}{_at_least(r, f'{rival}{following}', comma)}"
    often = f"{percent(chance.p)} ({percent(chance.low)} to {percent(chance.high)})"
    if has_ties(r):
        return f"{told}, and is expected to take {often} of the wins against {rival}{following}."
    equal = ", all else equal" if r.circumstances else ""
    return (
        f"{told}, and is expected to beat {rival}{following}{comma} in {often} of matches{equal}."
    )


def _at_least(r: Ratings, rival: str, comma: str) -> str:
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
        return (
            f". Its matches show that it beats {rival}{comma} in more than {percent(least)} "
            "of matches, further than the model has moved the ratings."
        )
    often = f"more than {percent(least)}"
    told = (
        f"take {often} of the wins against {rival}"
        if has_ties(r)
        else f"beat {rival}{comma} in {often} of matches"
    )
    return f", and is expected to {told}; how much more no match tells{see}."


def interval_in_words(r: Ratings) -> str:
    """Return the interval of the highest rating in brackets; nothing where it is not known."""
    found = r.leader_corrected
    if found is None:
        return ""
    low, high = (number(found[end], r.scale.digits) for end in ("low", "high"))
    level, n = f"{100 * (1 - r.alpha):g} %", len(r.candidates)
    return f" ({level} interval {low} to {high}, corrected for being the highest of {n:,})"


def apart(r: Ratings, i: int, j: int) -> bool:
    """Return whether two candidates are in different parts of the field."""
    parts = r.evidence.separation
    return parts is not None and bool(parts.apart(np.array([i]), np.array([j]))[0])


def _meaning(r: Ratings) -> str:
    if not has_ties(r):
        return r.scale.meaning
    step = r.scale.step
    share = percent(float(r.chance(np.array([step / r.scale.factor]))[0]))
    points = "" if r.scale.name == "logit" else " points"
    return f"A difference of {step}{points} means {share} of the wins, a tie being half a win."


def has_ties(r: Ratings) -> bool:
    """Return whether there are ties, so that points are no wins."""
    return bool(r.record[2].any())


def _circumstances(r: Ratings) -> Iterator[str]:
    for each in r.circumstances:
        if each["name"] == SIDE:
            share = percent(float(expit(each["log_odds"])))
            yield (
                f"The left side has {number(each['log_odds'], 2)} in log-odds (standard error "
                f"{number(each['se'], 2)}), i.e. wins {share} among equals."
            )
            continue
        yield (
            f"{plain(each['name'])}: a typical difference of {number(each['typical'])} is worth "
            f"{number(each['log_odds_of_typical'], 2)} in log-odds "
            f"(standard error {number(each['se'] * each['typical'], 2)})."
        )


def _separation(r: Ratings) -> Iterator[str]:
    if r.fit is None or not r.separated:
        return
    strong = r.fit.existence.strong
    if len(strong) < 2:
        yield (
            "Plain maximum-likelihood ratings do not exist: wins and ties never contradict each "
            f"other. Ratings are penalised ({r.fit.penalty})."
        )
        return
    top, bottom = strong[0], strong[-1]
    if len(strong) == 2:
        yield f"No finite rating joins all: {_two_parts(r, top, bottom)}."
    else:
        yield (
            f"No finite rating joins the {len(strong):,} parts of the field: of two parts that "
            "met, one never lost a point to the other."
        )
    yield (
        f"Ratings are penalised ({r.fit.penalty}) to be finite: differences between the parts say "
        "who is above, not by how much."
    )


def _two_parts(r: Ratings, top: tuple[int, ...], bottom: tuple[int, ...]) -> str:
    if len(top) + len(bottom) <= FEW:
        return f"{_some(r, top)} never lost a point to {_some(r, bottom)}"
    if len(bottom) == 1:
        return f"{_some(r, bottom)} never took a point from the other {len(top):,}"
    who = _some(r, top) if len(top) == 1 else counted(len(top), "candidate")
    return f"{who} never lost a point to the other {len(bottom):,}"


def _some(r: Ratings, part: tuple[int, ...]) -> str:
    return named([r.candidates[i] for i in part])


def _fit(r: Ratings) -> Iterator[str]:
    fit = r.goodness
    if fit is None or not fit.simulations or fit.df < 1:
        return
    if fit.deviance.p > r.alpha:
        yield f"The deviance gives no reason to doubt the model (p = {fit.deviance.p:.2f})."
        return
    ties = "" if r.fit is None or r.fit.ties == "half" else ", with this model of ties,"
    yield (
        f"One number per candidate{ties} does not explain the matches: the deviance is "
        f"{number(fit.deviance.observed)} where {number(fit.deviance.mean)} is expected "
        f"(p = {fit.deviance.p:.3f})."
    )
    pair = worst_pair(r)
    if pair is not None:
        half = ", a tie being half a win" if has_ties(r) else ""
        yield (
            f"The worst fit: {plain(pair['first'])} has {percent(pair['observed'])} of the wins "
            f"against {plain(pair['second'])}{half}; the ratings say {percent(pair['fitted'])}."
        )


def _cycles(r: Ratings) -> Iterator[str]:
    fit = r.goodness
    if fit is None or not fit.triples.number:
        return
    some, of = fit.triples.number, fit.triples.triples
    which = (
        "The only triple whose three matches are decided goes"
        if of == 1
        else f"{some:,} of {of:,} triples whose three matches are decided "
        f"{'goes' if some == 1 else 'go'}"
    )
    yield f"{which} in a circle, each beating the next, which no ratings can show."


def goodness_facts(r: Ratings) -> dict[str, Any]:
    """Return how well the ratings fit, as facts."""
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


def worst_pair(r: Ratings) -> dict[str, Any] | None:
    """Return the pair that the ratings fit worst: what they say, and what happened."""
    found = r.calibration
    if found is None or found.worst is None:
        return None
    k = found.worst
    return {
        "first": r.candidates[int(found.first[k])],
        "second": r.candidates[int(found.second[k])],
        "battles": float(found.battles[k]),
        "observed": float(found.observed[k]),
        "fitted": float(found.fitted[k]),
        "residual": float(found.residuals[k]),
    }
