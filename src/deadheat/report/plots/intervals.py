"""A row for each candidate: merits, ratings and shares of first places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.core.errors import DataError, counted, plural_of
from deadheat.core.types import Row
from deadheat.data.results import Nouns
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first
from deadheat.rate.options import RatingScale
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import KINDS, RatingParts, across_data_sets
from deadheat.report.charts.rows import (
    TALLEST,
    Axis,
    Rows,
    accent_in_words,
    beside,
    brief_share,
    first_rows,
    heading,
    how_many,
    name_of,
    nouns_of,
    only_first,
    parts_of,
    prose,
    scale_of,
    shares_in_words,
    unit_of,
)
from deadheat.report.charts.spec import Spec, as_float, data, field, layer, mark
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.statistics.embedding import rating_matrix
from deadheat.verdict.claims import digits_of
from deadheat.verdict.result import Verdict

POINT = {"filled": True, "size": 60, "opacity": 1}
FIRST_COLUMN, OFFICIAL_COLUMN = 12, 62  # pixels right of the rows


def rank_text(rank: float | None) -> str:
    return "\u2013" if rank is None or rank != rank else number(rank)


@draws(Verdict, saved="leaders", figure="Fawcett et al. (2023), figure 1", first=True)
def intervals(verdict: Verdict | Saved, *, width: int, top: int | None = None) -> Picture:
    """Show how well each candidate does, with the interval of resampling, best score first."""
    (rows, fewer), reading, nouns = (
        first_rows(verdict, top, most=TALLEST),
        verdict.reading,
        nouns_of(verdict),
    )
    tied = {"level": len(verdict.groups[0]) > 1, "undecided": verdict.undecided}
    official = any(row["official"] is not None for row in rows)
    axis = axis_of(verdict, rows)
    layers, table = interval_rows(verdict, rows, width)
    chart = {"data": layers[0]["data"]}
    layers += [
        beside(chart, table.y, "first:N", dx=FIRST_COLUMN),
        heading("first in", dx=FIRST_COLUMN),
    ]
    ranks, n = "", len(verdict.candidates)
    if official:
        layers += [
            beside(chart, table.y, "official:N", dx=OFFICIAL_COLUMN, style="muted"),
            heading("official", dx=OFFICIAL_COLUMN),
        ]
        ranks = " On the right the official rank."
    level = percent(1 - verdict.alpha)
    said = [
        f"{name_of(row['candidate'])}: {number(row['shown'])} "
        f"({number(row['shown_low'])} to {number(row['shown_high'])}), group {row['group']}"
        + (f", officially {rank_text(row['official'])}." if official else ".")
        for row in rows
    ]
    off = sum(axis.off(row["shown"]) for row in rows)
    beyond = f" {nouns.candidates(off)} further left, with an arrow." if off else ""
    return Picture(
        view=table.framed(layer(*layers)),
        title="How far each score could move",
        see=f"Dot: {reading.heading}. Bar: where the true {reading.heading} may lie, {level} "
        f"interval. {accent_in_words(**tied, nouns=nouns)}{beyond}"
        f"{shares_in_words(row['first_share'] for row in rows)}{fewer}",
        alt=f"{reading.heading} of {nouns.candidates(len(rows))} with {level} intervals, best "
        f"first. The first group has {len(verdict.groups[0])} of {nouns.candidates(n)}."
        f"{ranks}{fewer} " + prose(said),
    )


def axis_of(verdict: Verdict | Saved, rows: Sequence[Row]) -> Axis:
    return Axis.fitting(
        [(row["shown_low"], row["shown_high"]) for row in rows],
        lower=verdict.reading.lower_is_better,
        unit=unit_of(verdict),
    )


def interval_rows(
    verdict: Verdict | Saved, rows: Sequence[Row], width: int
) -> tuple[list[Spec], Rows]:
    """Return the layers of dots and intervals of some rows of a verdict, and their frame."""
    axis, reading = axis_of(verdict, rows), verdict.reading
    chart = data(_standing(row, axis, undecided=verdict.undecided) for row in rows)
    table = Rows([row["candidate"] for row in rows], width)
    form = f",.{digits_of([row['shown'] for row in rows])}f"
    official = any(row["official"] is not None for row in rows)
    hint = [
        *(field("candidate:N", title=nouns_of(verdict).candidate), field("group:N")),
        field("shown:Q", title=reading.heading, format=form),
        *(field(f"{end}:Q", format=form) for end in ("low", "high")),
        field("first:N", title="ranked first in"),
        *([field("official:N", title="official rank")] if official else []),
    ]
    layers = table.intervals(chart, axis, reading.heading, hint)
    return layers + table.beyond(chart, axis, reading.heading, hint), table


def _standing(row: Row, axis: Axis, *, undecided: bool) -> Row:
    """Return a row as it is drawn: in the accent where it is the leader or level with it."""
    low, high = row["shown_low"], row["shown_high"]
    return {
        "candidate": row["candidate"],
        "group": "\u2013" if undecided else row["group"],
        "level": not undecided and row["group"] == 1,
        "shown": row["shown"],
        "low": low,
        "high": high,
        "at": axis.inside(row["shown"]),
        "from": axis.inside(low),
        "to": axis.inside(high),
        "off": axis.off(row["shown"]),
        "said": number(row["shown"]),
        "first": brief_share(row["first_share"]),
        "official": rank_text(row["official"]),
    }


@draws(Verdict, saved="first_share", figure="Fawcett et al. (2023), table 3")
def first(verdict: Verdict | Saved, *, width: int, top: int | None = None) -> Picture:
    """Show in what share of resamples each candidate is first, those who ever are."""
    (every, fewer), nouns = first_rows(verdict, top, most=TALLEST), nouns_of(verdict)
    ever = [row for row in every if row["first_share"] > 0] or every
    random = any(row["first_error"] for row in ever)
    tables = "rematches" if random else "tables with one left out"
    chart = data(
        {
            "candidate": row["candidate"],
            "share": row["first_share"],
            "said": brief_share(row["first_share"]),
            "level": row["group"] == 1 and not verdict.undecided,
        }
        for row in ever
    )
    table = Rows([row["candidate"] for row in ever], width)
    axis = {"format": "%", "orient": table.orient, "tickCount": max(2, width // 110)}
    x: Spec = {"title": f"share of {tables} won", "scale": {"domain": [0, 1]}, "axis": axis}
    hint = [field("candidate:N", title=nouns.candidate), field("said:N", title="first in")]
    bar: Spec = {"x": field("share:Q", **x), "y": table.y, "tooltip": hint, "height": {"band": 0.7}}
    layers = [
        mark("bar", chart, where=which, **bar, style=style)
        for which, style in (("datum.level", "accent"), ("!datum.level", "muted"))
    ]
    never = len(every) - len(ever)
    rest = f" {nouns.candidates(never)} never {'wins' if never == 1 else 'win'} one."
    rest = rest if never else ""
    replicates, plan = verdict.made["replicates"], f"{nouns.judges()} drawn again"
    what = f"{replicates:,} rematches, {plan}."
    what = what if random else f"{replicates:,} tables: {verdict.made['plan']}."
    tied = {"level": len(verdict.groups[0]) > 1, "undecided": verdict.undecided}
    return Picture(
        view=table.framed(layer(*layers, beside(chart, table.y, "said:N"))),
        title="Who wins the rematch",
        see=f"{what}{rest}{shares_in_words(row['first_share'] for row in ever)} "
        f"{accent_in_words(**tied, nouns=nouns)}{fewer}",
        alt=f"Shares of {replicates:,} {tables} in which a {nouns.candidate} is first; a shared "
        "first place counts for all who share it. "
        + prose([f"{name_of(r['candidate'])}: {percent(r['first_share'])}." for r in ever])
        + f"{rest}{fewer}",
    )


@draws(
    Ratings, RatingParts, figure="Gosiewska et al. (2019), section 5", first=True, saved="rating"
)
def ratings(rated: Ratings | RatingParts | Saved, *, width: int, top: int | None = None) -> Picture:
    """Show the rating of each candidate with its interval, best first."""
    rows, facts, scale, nouns = rated.rows(), rated.outline(), scale_of(rated), nouns_of(rated)
    kind, level = facts.get("kind"), percent(1 - rated.alpha)
    few = slice(how_many(top, len(rows), most=TALLEST))
    if kind is None:
        kept = rows[few]
        more = only_first(len(kept), len(rows), nouns)
        return _with_intervals(kept, scale, "ratings", level, width, nouns, more)
    parts, means = facts["tournaments"], facts.get("means") or [{"low": None}]
    if any(row["low"] is None or row["group"] is None for row in means):  # of categories
        weights = {name: parts[name]["weight"] for name in parts}
        return _of_several(parts_of(rated), plural_of(KINDS[kind]), weights, scale, width, few)
    counted_parts = sum(part["weight"] > 0 for part in parts.values())
    rows = [
        {**row, "rating": row["mean"], "within": 0.0, "mle": None if odd else row["mean"]}
        for row in means
        for odd in [row["penalised_on"]]
    ]
    what, more = (
        f"mean ratings over {counted(counted_parts, 'data set')}",
        only_first(len(rows[few]), len(rows), nouns),
    )
    return _with_intervals(rows[few], scale, what, level, width, nouns, more)


def _with_intervals(
    rows: list[Row], scale: RatingScale, what: str, level: str, width: int, nouns: Nouns, more: str
) -> Picture:
    axis = axis_of_ratings(rows)
    tied = sum(row["group"] == 1 for row in rows) > 1
    penalised = ["within" in row and not isinstance(row["mle"], float | int) for row in rows]
    source = data(
        {
            "candidate": row["candidate"],
            "group": row["group"],
            "level": row["group"] == 1,
            "rating": row["rating"],
            "low": row["low"],
            "high": row["high"],
            "at": axis.inside(row["rating"]),
            "from": axis.low if row["low"] is None else axis.inside(row["low"]),
            "to": axis.high if row["high"] is None else axis.inside(row["high"]),
            "off": axis.off(row["rating"]),
            "said": number(row["rating"], scale.digits),
            "open_low": row["low"] is None and not axis.off(row["rating"]),
            "open_high": row["high"] is None and not axis.off(row["rating"]),
            "penalised": odd,
            **({"won": row["wins"], "lost": row["losses"]} if "wins" in row else {}),
        }
        for row, odd in zip(rows, penalised, strict=True)
    )
    table, title = Rows([row["candidate"] for row in rows], width), f"rating ({scale.name})"
    form = f",.{scale.digits}f"
    hint = [
        *(field("candidate:N", title=nouns.candidate), field("group:N")),
        *(field(f"{name}:Q", format=form) for name in ("rating", "low", "high")),
        *(field(f"{name}:Q", format=",~r") for name in ("won", "lost") if "wins" in rows[0]),
    ]
    x = axis.look(title, width, orient=table.orient)
    hollow = {"where": "datum.penalised && !datum.off", "y": table.y, "tooltip": hint}
    arrow = {"style": "muted", "filled": True, "size": 60, "opacity": 1, "y": table.y}
    layers = [
        *table.intervals({}, axis, title, hint, where="!datum.penalised"),
        *(
            mark("point", where=f"datum.open_{end}", x=x_, shape=f"triangle-{to}", **arrow)
            for end, place, to in (("low", "from", "left"), ("high", "to", "right"))
            for x_ in [field(f"{place}:Q", **x)]
        ),
        mark("point", x=field("at:Q", **x), **hollow, style="paper", **POINT),
        mark("point", x=field("at:Q", **x), **hollow, style="ink", size=50, opacity=1),
        *table.beyond({}, axis, title, hint),
    ]
    see = ["Dot: the rating. Bar: its interval.", accent_in_words(level=tied, nouns=nouns)]
    if any(row[end] is None for row in rows for end in ("low", "high")):
        see += ["An arrow: the matches set no limit on that side."]
    if off := sum(axis.off(row["rating"]) for row in rows):
        see += [f"{nouns.candidates(off)} further left, with a number."]
    if any(penalised):
        see += ["A hollow dot: won or lost everything, so that the rating is held back."]
    said = []
    for row, odd in zip(rows, penalised, strict=True):
        low = "no lower end" if row["low"] is None else number(row["low"], scale.digits)
        high = "no upper end" if row["high"] is None else number(row["high"], scale.digits)
        said.append(
            f"{name_of(row['candidate'])}: {number(row['rating'], scale.digits)} ({low} to {high})"
            f"{', penalised' * odd}, group {row['group']}."
        )
    return Picture(
        view=table.framed(layer(*layers, **source)),
        title=f"{what} with {level} intervals",
        see=" ".join(see) + more,
        alt=f"{what.capitalize()} of {nouns.candidates(len(rows))} with {level} intervals, best "
        f"first.{more} {prose(said)}",
    )


def axis_of_ratings(rows: Sequence[Row]) -> Axis:
    """Return the axis of ratings, best first, some of which have no interval on one side."""
    ends = []
    for row in rows:
        low, at, high = (as_float(row[key]) for key in ("low", "rating", "high"))
        ends.append((min(low, at) if low == low else at, max(high, at) if high == high else at))
    return Axis.fitting(ends)


def _of_several(
    parts: dict[str, dict[str, float]],
    plural: str,
    weights: dict[str, float],
    scale: RatingScale,
    width: int,
    few: slice,
) -> Picture:
    matrix = rating_matrix(parts)
    if np.isnan(matrix.ratings).any():
        raise DataError(
            f"the {plural} have different candidates, so that there are no mean ratings to draw.",
            hint="epp-bars draws each by itself.",
        )
    with np.errstate(over="ignore"):  # of saved numbers that nobody computed
        found = across_data_sets(matrix, weights=np.array([float(weights[name]) for name in parts]))
    numbers = {key: getattr(found, key) for key in ("mean", "low", "high")}
    rows: list[Row] = [
        {"candidate": found.settings[i], **{key: float(of[i]) for key, of in numbers.items()}}
        for i in best_first(np.asarray(found.mean)).tolist()[few]
    ]
    base = data(rows)
    table = Rows([row["candidate"] for row in rows], width)
    axis = Axis.fitting([(row["low"], row["high"]) for row in rows])
    y, x = table.y, axis.look(f"mean rating ({scale.name})", width, orient=table.orient)
    form = f",.{scale.digits}f"
    hint = [field("candidate:N"), *(field(f"{name}:Q", format=form) for name in numbers)]
    both: Spec = {"y": y, "tooltip": hint, "clip": True}
    line = {"style": "muted", "strokeWidth": 2}
    chart = layer(
        mark("rule", base, x=field("low:Q", **x), x2="high:Q", **both, **line),
        mark("point", base, x=field("mean:Q", **x), **both, style="muted", **POINT),
    )
    said = [
        f"{name_of(row['candidate'])}: {number(row['mean'], scale.digits)} "
        f"({number(row['low'], scale.digits)} to {number(row['high'], scale.digits)})."
        for row in rows
    ]
    return Picture(
        view=table.framed(chart),
        title=f"mean ratings over {len(parts)} {plural}",
        see=f"Dot: the mean rating. Line: from the lowest to the highest of the {plural}; it shows "
        "how they differ and is not an interval of the mean.",
        alt=f"Mean ratings over {len(parts)} {plural}, best first. {prose(said)}",
    )
