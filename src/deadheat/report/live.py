"""What the first picture of a page needs so that a reader can run the race again in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.errors import bare, counted, plural_of, visible
from deadheat.core.types import Floats
from deadheat.data.results import Results
from deadheat.rank.api import Ranking, rank
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.on_tables import function_for
from deadheat.report.charts.rows import BEYOND, LEAST, LONGER, accent_in_words
from deadheat.resampling.plans import Plan
from deadheat.statistics.group_words import names_or_number
from deadheat.verdict.api import verdict
from deadheat.verdict.claims import digits_of
from deadheat.verdict.result import Verdict

CELLS = 100_000  # of a table that a page carries, and again of what other ways make of it
MOST = 30  # candidates that a way of counting tells
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
    weighed = _weighed(labels, of) if data else None
    if weighed:
        weighed["what"] = "families" if plan.strata else plural_of(nouns.cluster)
    summed = kept or (data and plan.strata is not None)
    accent = accent_in_words(level=v.says_level, undecided=v.undecided, nouns=nouns)
    legend = f"{accent} Dot: {v.heading}; bar: {v.level} interval."
    drawn = kept and plan.by_units
    ways, left = [_way(v, of if summed else None, drawn=drawn, said=legend)], CELLS
    others = {
        f: _resamples(f, e.results, plan) for f in map(partial(function_for, e.results), v.first_by)
    }
    slow = [f for f, number in others.items() if not number]
    untested = _untested(e.results, rank(e.results, by=slow)) if slow and plan.random else {}
    for f, number in others.items() if plan.random else ():
        if not number:
            ways.append(untested[f.name])
            continue
        left -= cells
        other = verdict(e.results, by=f, plan=plan.with_replicates(number), **asked)
        said = visible(_said(other))
        if len(other.merits) < len(v.merits):
            said += f" {len(other.merits):,} resamples instead of {len(v.merits):,}."
        ways.append(_way(other, of if kept and left >= 0 else None, drawn=drawn, said=said))
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
        "fit": {"longer": LONGER, "beyond": BEYOND, "least": LEAST},
        "ways": ways,
    }


def _weighed(labels: tuple[str, ...] | None, of: Any) -> dict[str, Any] | None:
    """Return the names of what can be weighed, and which of them each unit belongs to."""
    names = list(dict.fromkeys(labels or ()))
    if labels is None or not 1 < len(names) <= SLIDERS:
        return None
    unit_of = dict(zip(of.tolist(), labels, strict=True))
    places = [names.index(unit_of[unit]) for unit in range(len(unit_of))]
    return {"names": [visible(name) for name in names], "of": places}


def _resamples(f: RankingFunction, results: Results, plan: Plan) -> int:
    """Return how many resamples of a way have time; 0 where those are too few for an interval."""
    n, m = results.n, results.m
    number = min(plan.replicates, PRODUCTS // (n * m), MERITS // n)
    if not f.additive or results.has_holes:
        steps = STEP * n * m + n * n * (n + m) * f.pairwise + LOOP * n * f.looped
        number = min(number, RESAMPLES, STEPS // steps)
    return number if number >= min(FEWEST, plan.replicates) else 0


def _way(v: Verdict, of: Any, *, drawn: bool, said: str) -> dict[str, Any]:
    e, f = v.evidence, v.function
    order = np.argsort(e.ranks, kind="stable")[:MOST].tolist()
    ends = np.sort([v.shown_as(v.low), v.shown_as(v.high)], axis=0)
    zero, one, two = v.shown_as(np.array([0.0, 1.0, 2.0])).tolist()
    known = e.contributions if of is not None and np.isclose(one - zero, two - one) else None
    lower = v.reading.lower_is_better
    found = _counted(f, e.results, order, v.shown, lower=lower) | {
        "log": _in_decades(f, ends, lower=lower),
        "low": _numbers(_rounded(ends[0][order])),
        "high": _numbers(_rounded(ends[1][order])),
        "first": _numbers(v.spread.first[order]),
        "level": [] if v.undecided else [i for i in order if i in v.members[0]],
        "leader": v.leaders[0],
        "resamples": len(v.merits),
        "said": said,
    }
    if known is None or not drawn:
        places = v.spread.places[:REPLAYED]
        found["won"] = [np.flatnonzero(row == row.min()).tolist() for row in places]
        again = _rounded(v.shown_as(v.merits[:REPLAYED, order]), FOR_DOTS)
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


def _untested(results: Results, found: Ranking) -> dict[str, dict[str, Any]]:
    """Return scores and orders by ways whose resamples would take too long, by their names."""
    ways = {}
    for f, merits, ranks, shown in zip(
        found.functions, found.merits, found.ranks, found.shown, strict=True
    ):
        lowest = float(merits.min())
        ends = f.shown(np.array([lowest, lowest + max(1.0, abs(lowest))]), results).tolist()
        order = np.argsort(ranks, kind="stable")[:MOST].tolist()
        said = f"{first_in_words(f, results, found.first[f.name])} Not tested: it takes long."
        ways[f.name] = _counted(f, results, order, shown, lower=ends[0] > ends[1]) | {
            "log": _in_decades(f, shown, lower=ends[0] > ends[1]),
            **{key: [] for key in ("low", "high", "first", "level", "again", "won")},
            "leader": order[0] if len(found.first[f.name]) == 1 else None,
            "resamples": 0,
            "said": visible(said),
        }
    return ways


def _counted(
    f: RankingFunction, results: Results, order: list[int], shown: Floats, *, lower: bool
) -> dict[str, Any]:
    return {
        "name": f.name,
        "called": f.called(results),
        "heading": f.heading_for(results),
        "digits": digits_of(shown.tolist()),
        "lower": lower,
        "who": order,
        "shown": _numbers(shown[order]),
    }


def _in_decades(f: RankingFunction, ends: Floats, *, lower: bool) -> bool:
    return bool(lower and f.scale != "ordinal" and 0 < DECADE * ends.min() < ends.max())


def first_in_words(f: RankingFunction, results: Results, first: Sequence[str]) -> str:
    are = "is" if len(first) == 1 else "are"
    who = names_or_number(first, results.nouns.candidate)
    return f"By {f.called(results)}, {who} {are} first."


def _said(v: Verdict) -> str:
    """Say who is first by a way of counting, and who is level with it."""
    first = first_in_words(v.function, v.evidence.results, v.winners)
    return " ".join((first, *level_in_words(v)))


def level_in_words(v: Verdict, tied: str = "") -> Iterator[str]:
    """Say who is level with the leader, and who scores better than one of them and is not.

    ``tied`` stands for the names.
    """
    first, members = bare(v.candidates[v.leaders[0]]), v.members[0]
    if v.undecided:
        yield f"{counted(len(v.merits), 'resample')} cannot tell who is level with {first}."
        return
    if len(members) == 1:
        yield f"Nobody is level with {first}."
        return
    others = [v.candidates[i] for i in v.order if i in members and i != v.leaders[0]]
    them = tied or names_or_number(others, v.nouns.candidate)
    are = "is" if len(others) == 1 and not tied else "are"
    if v.too_few:
        yield f"{them} {are} not separated from {first}: {v.units} are too few for a test."
    elif v.why_unknown:
        yield f"{them} {are} level with {first}, {v.why_unknown}."
    else:
        yield f"{them} {are} level with {first}: {v.tests_in_words} do not separate them."
    places = v.evidence.ranks
    worst = max(members, key=lambda i: places[i])
    better = [i for i in v.order if i not in members and places[i] < places[worst]]
    if better and v.shows:
        names = names_or_number([v.candidates[i] for i in better], v.nouns.candidate)
        scores, is_ = ("scores", "is") if len(better) == 1 else ("score", "are")
        last = bare(v.candidates[worst])
        yield f"{names} {scores} better than {last}, but {is_} steadily behind {first}."


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
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(values == 0, 0.0, np.floor(np.log10(np.abs(values))))
    unit = 10.0 ** (figures - 1 - np.nan_to_num(size))
    return np.asarray(np.round(values * unit) / unit)


def _numbers(values: Any) -> list[float | None]:
    """Return numbers as JSON has them: whole ones short, and none that is infinite."""
    return [
        None if not np.isfinite(x) else int(x) if x == int(x) else x
        for x in np.asarray(values, dtype=np.float64).tolist()
    ]
