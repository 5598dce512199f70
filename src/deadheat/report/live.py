"""What the first picture of a page needs so that a reader can run the race again in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.errors import bare, counted, plural_of, visible
from deadheat.core.types import Floats, Integers
from deadheat.data.results import Nouns, Results
from deadheat.data.scoring_rule import ScoringRule, known_rule
from deadheat.output.text import number
from deadheat.rank.api import Ranking, rank
from deadheat.rank.words import are_first
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.on_tables import function_for
from deadheat.ranking.ranks import best_first, ranks, winners
from deadheat.rate.result import Ratings
from deadheat.rate.words import SPOKEN
from deadheat.report.charts.rows import SECONDS, accent_in_words, shares_in_words
from deadheat.resampling.plans import Plan
from deadheat.statistics.group_words import names_or_number
from deadheat.verdict.api import verdict
from deadheat.verdict.claims import digits_of
from deadheat.verdict.result import Verdict

CELLS = 100_000  # of a table that a page carries, and again of what other ways make of it
MOST = 30  # candidates of whom a way of counting tells more than the score
ALL = 10_000  # candidates by all ways together, up to which it tells that of everybody
REPLAYED = 60  # resamples that are shown again where a browser cannot draw its own
SLIDERS = 40  # strata, or clusters, that can be weighed
RESAMPLES, FEWEST = 2_000, 400  # of a way that is no mean over the judges
PRODUCTS, STEPS = 4_000_000_000, 1_500_000_000  # of all resamples of a way, a mean or not
MERITS = 3_500_000  # that are sorted
LOOP = 100_000  # what a step of Python costs for a candidate
STEP = 20  # what a cell costs that is no product
FOR_DOTS, EXACT = 4, 10  # figures of a number that moves a dot, and of one that is summed
DECADE = 8.0  # times that the largest number is the smallest: then an axis is logarithmic


def live(v: Verdict, *, data: bool, **asked: Any) -> dict[str, Any]:
    """Return everything by every way of counting, and what each judge adds to it.

    What is told of a way is what ``verdict`` tells. Merits are sums over what the plan draws, so
    that a browser can weigh it: without ``data``, and for ways that are no such sum, there are some
    resamples instead. Beyond ``CELLS`` there are the sums of strata alone. A way
    that takes too long is not resampled: there are its scores.
    """
    e = v.evidence
    plan, m = e.plan, e.results.m
    units, nouns = plan.grouping(m), v.nouns
    cells = v.evidence.results.n * units.number
    kept = data and cells <= CELLS
    of = units.of_judge if kept else units.stratum[units.of_judge]
    labels = plan.strata or (plan.clusters if kept else None)
    noun = nouns.stratum if plan.strata else nouns.cluster
    weighed = _weighed(labels, of, plural_of(noun)) if data else None
    summed = kept or (data and plan.strata is not None)
    drawn = kept and plan.by_units
    ways, left = [_way(v, of if summed else None, drawn=drawn, said=_accent(v))], CELLS
    others = {
        f: _resamples(f, e.results, plan) for f in map(partial(function_for, e.results), v.first_by)
    }
    slow = [f for f, size in others.items() if not size]
    most = 0 if len(v.candidates) * len(others) <= ALL else MOST
    untested = _untested(e.results, rank(e.results, by=slow)) if slow and plan.random else {}
    for f, size in others.items() if plan.random else ():
        if not size:
            ways.append(untested[f.name])
            continue
        left -= cells
        other = verdict(e.results, by=f, plan=plan.with_replicates(size), **asked)
        sums = of if kept and left >= 0 else None
        way = _way(other, sums, drawn=drawn, said=_said(other), most=most)
        way["more"] = visible(" ".join((*behind_in_words(other), way["more"])))
        if len(other.merits) < len(v.merits):
            way["more"] += f" {len(other.merits):,} resamples instead of {len(v.merits):,}."
        ways.append(way)
    one = nouns.unit(plan.unit)
    return {
        "candidates": [visible(name) for name in v.candidates],
        "nouns": [nouns.candidate, nouns.candidates(), one, plural_of(one)],
        "units": units.number,
        "drawn": drawn,
        "fewest": v.fewest,  # below it, tests tell too little
        "same_tests": v.tests_as_usual,  # what a browser makes is what was asked for
        "rao_wu": plan.rao_wu,
        "stratum": units.stratum.tolist() if kept and plan.strata else None,
        "totals": _numbers(np.bincount(of, weights=e.results.weights)) if summed else None,
        "weighed": weighed,
        "alpha": v.alpha,
        "tail": _tail(v),
        "ways": ways,
    }


def rule_shown(v: Verdict) -> ScoringRule | None:
    """Return the rule whose number is shown, which is none if runs are ranked otherwise."""
    rule = known_rule(v.evidence.results.rule or "")
    return rule if rule is not None and rule.heading == v.heading else None


def _accent(v: Verdict) -> str:
    """Say what the accent means, and why somebody grey may stand above."""
    accent = accent_in_words(level=v.says_level, undecided=v.undecided, nouns=v.nouns)
    return " ".join((accent, *behind_in_words(v)))


def _legend(v: Verdict) -> str:
    rule = rule_shown(v)
    meaning = f" ({rule.meaning})" if rule is not None and rule.meaning else ""
    shares = shares_in_words(v.spread.first.tolist())
    return f"Dot: {v.heading}{meaning}. Bar: {v.level} interval.{shares}"


def live_ratings(r: Ratings) -> dict[str, Any] | None:
    """Return the same of a battle log whose resamples were drawn: these are shown again.

    What is counted without a model has no resamples, and so its scores alone.
    """
    drawn = r.evidence.replicates
    if drawn is None:
        return None
    order, scale, first = np.array(r.order), r.scale, r.grouped.first
    again, ends = drawn[:REPLAYED], (scale.shown(end) for end in (r.bounds.low, r.bounds.high))
    low, high = (_numbers(_rounded(end[order])) for end in ends)
    best = order[:MOST]
    accent = accent_in_words(
        level=len(r.level) > 1, undecided=r.undecided is not None, nouns=r.nouns
    )
    bars = f"Dot: the rating. Bar: {number(100 * (1 - r.alpha))} % interval."
    bars += shares_in_words([] if first is None else first.tolist())
    spoken = SPOKEN.get(r.model, r.model)
    own = _told(r.model, spoken, "rating", order, scale.shown(r.ratings), digits=scale.digits) | {
        "low": low,
        "high": high,
        "first": [] if first is None else _numbers(first[order]),
        "level": list(r.level),
        "resamples": len(drawn),
        "said": visible(" ".join((accent, *behind_ratings(r)))),
        "more": bars,
        "won": [np.flatnonzero(winners(row, unit=1.0)).tolist() for row in again],
        "again": [*map(_numbers, _rounded(scale.shown(again[:, best]), FOR_DOTS))],
    }
    others = (
        _without_tests(
            _told(name, name, f"{name} in %", best_first(share), 100 * share, digits=1),
            f"By {name}, {are_first(r.first_by[name], r.nouns.candidate)}.",
        )
        for name, share in r.shares.items()
    )
    return {
        "candidates": [visible(name) for name in r.candidates],
        "nouns": [r.nouns.candidate, r.nouns.candidates(), r.nouns.judge, r.nouns.judges()],
        "units": r.rounds,
        "drawn": False,
        "alpha": r.alpha,
        "ways": [own, *others],
    }


def _weighed(labels: tuple[str, ...] | None, of: Any, what: str) -> dict[str, Any] | None:
    """Return the names of what can be weighed, and which of them each unit belongs to."""
    names = list(dict.fromkeys(labels or ()))
    if labels is None or not 1 < len(names) <= SLIDERS:
        return None
    unit_of = dict(zip(of.tolist(), labels, strict=True))
    places = [names.index(unit_of[unit]) for unit in range(len(unit_of))]
    return {"names": [visible(name) for name in names], "of": places, "what": what}


def _resamples(f: RankingFunction, results: Results, plan: Plan) -> int:
    """Return how many resamples of a way have time; 0 where those are too few for an interval."""
    n, m = results.n, results.m
    number = min(plan.replicates, PRODUCTS // (n * m), MERITS // n)
    if not f.additive or results.has_holes:
        steps = STEP * n * m + n * n * (n + m) * f.pairwise + LOOP * n * f.looped
        number = min(number, RESAMPLES, STEPS // steps)
    return number if number >= min(FEWEST, plan.replicates) else 0


def _way(v: Verdict, of: Any, *, drawn: bool, said: str, most: int = 0) -> dict[str, Any]:
    e, f = v.evidence, v.function
    order = np.argsort(e.ranks, kind="stable")
    told, best = order[: most or None], order[:MOST]
    ends = np.sort([v.shown_as(v.low), v.shown_as(v.high)], axis=0)
    zero, one, two = v.shown_as(np.array([0.0, 1.0, 2.0])).tolist()
    known = e.contributions if of is not None and np.isclose(one - zero, two - one) else None
    lower = v.reading.lower_is_better
    named = f.name, f.called(e.results), f.heading_for(e.results)
    found = _told(*named, order, v.shown, lower=lower, log=_in_decades(f, ends, lower=lower)) | {
        "low": _numbers(_rounded(ends[0][told])),
        "high": _numbers(_rounded(ends[1][told])),
        "first": _numbers(v.spread.first[told]),
        "level": [] if v.undecided else [i for i in order.tolist() if i in v.members[0]],
        "resamples": len(v.merits),
        "said": visible(said),
        "more": visible(_legend(v)),
    }
    rule = rule_shown(v)
    if rule is not None and rule.unit == SECONDS:
        found["unit"] = " s"
    if known is None or not drawn:
        places = v.spread.places[:REPLAYED]
        found["won"] = [np.flatnonzero(row == row.min()).tolist() for row in places]
        again = _rounded(v.shown_as(v.merits[:REPLAYED, best]), FOR_DOTS)
        found["again"] = [*map(_numbers, again)]
    if known is None:
        return found
    sums = np.array([np.bincount(of, weights=row * known.weights) for row in known.values])
    sums = np.round(sums, EXACT - int(np.ceil(np.log10(np.abs(sums).max(initial=1e-300)))))
    return found | {
        "sums": [*map(_numbers, sums)],
        "scale": known.scale,
        "shows": [zero, one - zero],
    }


def _without_tests(way: dict[str, Any], said: str) -> dict[str, Any]:
    return way | {
        **{key: [] for key in ("low", "high", "first", "level", "again", "won")},
        "resamples": 0,
        "said": visible(said),
        "more": f"Dot: {way['heading']}.",
    }


def _untested(results: Results, found: Ranking) -> dict[str, dict[str, Any]]:
    """Return scores and orders by ways whose resamples would take too long, by their names."""
    ways = {}
    for f, merits, places, shown in zip(
        found.functions, found.merits, found.ranks, found.shown, strict=True
    ):
        lowest = float(merits.min())
        ends = f.shown(np.array([lowest, lowest + max(1.0, abs(lowest))]), results).tolist()
        order = np.argsort(places, kind="stable")
        lower, first = ends[0] > ends[1], found.first[f.name]
        named = f.name, f.called(results), f.heading_for(results)
        way = _told(*named, order, shown, lower=lower, log=_in_decades(f, shown, lower=lower))
        said = f"{first_in_words(f, results, first)} Scores alone: resampling them takes long."
        ways[f.name] = _without_tests(way, said)
    return ways


def _told(
    name: str,
    called: str,
    heading: str,
    order: Integers,
    shown: Floats,
    *,
    digits: int | None = None,
    lower: bool = False,
    log: bool = False,
) -> dict[str, Any]:
    return {
        "name": name,
        "called": called,
        "heading": heading,
        "digits": digits_of(shown.tolist()) if digits is None else digits,
        "lower": lower,
        "log": log,
        "who": order.tolist(),
        "shown": _numbers(shown[order[:MOST]])
        + _numbers(_rounded(shown[order[MOST:]], FOR_DOTS + 1)),
    }


def _in_decades(f: RankingFunction, ends: Floats, *, lower: bool) -> bool:
    return bool(lower and f.scale != "ordinal" and 0 < DECADE * ends.min() < ends.max())


def first_in_words(f: RankingFunction, results: Results, first: Sequence[str]) -> str:
    are = "is" if len(first) == 1 else "are"
    who = names_or_number(first, results.nouns.candidate)
    return f"By {f.called(results)}, {who} {are} first."


def _said(v: Verdict) -> str:
    """Say who is first by a way of counting, and how many are level with it, in a line."""
    first = first_in_words(v.function, v.evidence.results, v.winners).removesuffix(".")
    if v.undecided:
        return f"{first}; {v.units if v.too_few else 'these resamples'} are too few for a test."
    others = [v.candidates[i] for i in v.order if i in v.members[0] and i != v.leaders[0]]
    who = bare(others[0]) if len(others) == 1 else counted(len(others), "other")
    leader = v.candidates[v.leaders[0]]
    with_ = "" if v.winners == (leader,) else f" with {bare(leader)}"
    return f"{first}; {who if others else 'nobody'} {'are' if others[1:] else 'is'} level{with_}."


def level_in_words(v: Verdict, tied: str = "") -> Iterator[str]:
    """Say who is level with the leader; ``tied`` stands for the names."""
    first, members = bare(v.candidates[v.leaders[0]]), v.members[0]
    if v.too_few:
        yield f"{v.units} are too few to tell who is level with {first}."
        return
    if v.undecided:
        yield f"{counted(len(v.merits), 'resample')} cannot tell who is level with {first}."
        return
    if len(members) == 1:
        yield f"Nobody is level with {first}."
        return
    others = [v.candidates[i] for i in v.order if i in members and i != v.leaders[0]]
    them = tied or names_or_number(others, v.nouns.candidate)
    are = "is" if len(others) == 1 and not tied else "are"
    if v.why_unknown:
        yield f"{them} {are} level with {first}, {v.why_unknown}."
    else:
        yield f"{them} {are} level with {first}: {v.tests_in_words} do not separate them."


def behind_in_words(v: Verdict) -> Iterator[str]:
    """Say who scores better than somebody level with the leader, and is not level."""
    if v.says_level:
        first, among, often = v.leaders[0], v.members[0], "steadily" if v.shows else "nearly always"
        yield from _behind(v.candidates, v.evidence.ranks, v.order, among, first, v.nouns, often)


def behind_ratings(r: Ratings) -> Iterator[str]:
    if r.level:
        places, often = ranks(r.ratings), "steadily" if r.shows else "nearly always"
        yield from _behind(r.candidates, places, r.order, r.level, r.leader, r.nouns, often)


def _behind(
    names: Sequence[str],
    places: Floats,
    order: Sequence[int],
    level: Sequence[int],
    leader: int,
    nouns: Nouns,
    often: str,
) -> Iterator[str]:
    worst = max(level, key=lambda i: places[i])
    better = [names[i] for i in order if i not in level and places[i] < places[worst]]
    if better:
        who, one = names_or_number(better, nouns.candidate), len(better) == 1
        is_, they = ("is", "it is") if one else ("are", "they are")
        last, first = bare(names[worst]), bare(names[leader])
        yield f"{who} {is_} grey, though better than {last}: {they} {often} behind {first}."


def _tail(v: Verdict) -> float:
    """Return which share of resamples lies below an interval: as the verdict has it, about."""
    from scipy.special import ndtr, stdtrit

    e = v.evidence
    if e.quantiles("percentile") == "percentile":
        return v.alpha / 2
    kept = e.plan.variance_kept(e.results.m)
    return float(ndtr(-stdtrit(e.freedom, 1 - v.alpha / 2) / np.sqrt(kept)))


def _rounded(values: Any, figures: int = 6) -> Floats:
    """Return numbers with so many figures."""
    with np.errstate(divide="ignore", invalid="ignore"):  # of ends that an interval does not have
        size = np.where(np.isfinite(values) & (values != 0), np.floor(np.log10(np.abs(values))), 0)
    unit = 10.0 ** (figures - 1 - size)
    return np.asarray(np.round(values * unit) / unit)


def _numbers(values: Any) -> list[float | None]:
    """Return numbers as JSON has them: whole ones short, and none that is infinite."""
    return [
        None if not np.isfinite(x) else int(x) if x == int(x) else x
        for x in np.asarray(values, dtype=np.float64).tolist()
    ]
