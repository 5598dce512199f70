"""Pictures of ratings: are they right, who beats whom, and how settings differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Floats
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first
from deadheat.rate.result import Ratings, no_calibration
from deadheat.rate.tournaments import KINDS, RatingParts, data_set_agreement
from deadheat.rate.tunability import algorithm_of
from deadheat.report.charts.grids import block_means, first_parts, heat, only_some, panels
from deadheat.report.charts.rows import (
    how_many,
    name_of,
    nouns_of,
    only_first,
    parts_of,
    prose,
    scale_of,
)
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark, tips
from deadheat.report.charts.theme import HUES, MATRIX
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.statistics.embedding import rating_matrix
from deadheat.statistics.intervals import share_ends

TALL = 300
TAIL = 0.025  # of intervals, on each side
ROOM = 0.07  # of the share, for the count left of the lowest point
ASIDE = 10  # pixels from the middle of a point to its count, which stands beside the line


@draws(Ratings, saved="calibration")
def calibration(ratings: Ratings | Saved, *, width: int) -> Picture:
    """Show what favourites should win by their ratings against what they won."""
    rows = ratings.facts().get("calibration")
    if rows is None:
        raise no_calibration(ratings)
    shares = [min(1.0, max(0.0, float(row["observed"]))) for row in rows]
    low, high = share_ends(np.array(shares), np.array([row["matches"] for row in rows]), TAIL)
    domain = [max(0.0, min([0.5, *low.tolist()]) - ROOM), 1.0]
    axis = {"scale": {"domain": domain, "nice": True}, "axis": {"format": ".0%", "tickCount": 5}}
    x = field("fitted:Q", title="favourites should win", **axis)
    y = field("observed:Q", title="and won", **axis)
    ends = data([{"fitted": end, "observed": end} for end in domain])
    points = data(
        {**row, "low": below, "high": above}
        for row, below, above in zip(rows, low.tolist(), high.tolist(), strict=True)
    )
    sizes = {"rangeMin": 20, "rangeMax": 220, "zero": True}
    size = field("matches:Q", title="matches", scale=sizes, legend=None)
    hint = tips(
        ("fitted:Q", "should win", ".1%"),
        ("observed:Q", "won", ".1%"),
        ("low:Q", "from", ".1%"),
        ("high:Q", "to", ".1%"),
        ("matches:Q", "", ",~r"),
        ("pairs:Q", "", ","),
    )
    text = field("matches:Q", format=",~r")
    line = {"style": "muted", "strokeWidth": 4, "opacity": 0.35, "tooltip": hint}
    layers = [
        mark("line", ends, x=x, y=y, style="muted", strokeDash=[4, 3]),
        mark("rule", points, x=x, y=field("low:Q", **axis), y2="high:Q", **line),
        mark("circle", points, x=x, y=y, size=size, tooltip=hint, style="muted", opacity=1),
    ]
    for side, align, away in (("", "right", -ASIDE), ("!", "left", ASIDE)):
        where = f"{side} (datum.observed >= datum.fitted)"
        look = {"style": "muted", "align": align, "dx": away, "dy": away / 2}
        layers.append(mark("text", points, where=where, x=x, y=y, text=text, **look))
    said = [
        f"Should win {percent(row['fitted'])}, won {percent(row['observed'])} of "
        f"{number(round(row['matches'], 1))} matches."
        for row in rows
    ]
    return Picture(
        view=framed(layer(*layers), width, min(TALL, width)),
        title="Do the ratings tell who wins?",
        see="On the dashed line favourites win as often as their ratings say; above it more often, "
        "below it less. Bar: 95 % interval. Numbers: matches.",
        alt="What favourites should win and won, in "
        f"{counted(len(rows), 'class', 'classes')}. {prose(said)}",
    )


# ------------------------------------------------------------------------------

MOST_ALONE = 80  # candidates that have a row each
BLOCKS = 40  # rows where there are more
WITH_ENDS = 40  # candidates up to which cells know their intervals
DEEP = "abs(datum.v - 50) > 40"


@draws(Ratings)
def win_matrix(ratings: Ratings, *, width: int, top: int | None = None) -> Picture:
    """Show the probability that the candidate of a row beats that of a column."""
    nouns, order = ratings.nouns, list(ratings.display)
    order = order[: how_many(top, len(order))]
    n = len(order)
    found = ratings.win_matrix()
    alone = n <= MOST_ALONE
    if alone:
        p = found.p[np.ix_(order, order)]
        names = [f"{k}  {ratings.candidates[i]}" for k, i in enumerate(order, start=1)]
        columns = [str(k) for k in range(1, n + 1)]
        see = (
            "The chance in per cent that the row beats the column; columns have the numbers of the "
            "rows."
        )
    else:
        bounds, p = win_blocks(found.p, order, most=BLOCKS)
        names = columns = [f"{low}\u2013{high}" if low < high else f"{low}" for low, high in bounds]
        see = (
            f"{nouns.candidates(n)} in {len(p)} blocks of neighbours by rank; a cell is the mean "
            "chance in per cent that one of the row beats one of the column."
        )
    cells: list[Spec] = [
        {"i": i, "j": j, "v": None if i == j and alone else round(100 * float(p[i, j]), 2)}
        for i, j in np.ndindex(p.shape)
    ]
    hint = tips(("row:N", "the row"), ("column:N", "beats column"), ("v:Q", "chance in %", ".1f"))
    if n <= WITH_ENDS:
        for cell in cells:
            i, j = order[cell["i"]], order[cell["j"]]
            cell["low"] = round(100 * float(found.low[i, j]), 2)
            cell["high"] = round(100 * float(found.high[i, j]), 2)
        hint += [field(f"{end}:Q", format=".1f") for end in ("low", "high")]
    legend: Spec = {"values": [0, 50, 100], "labelExpr": "datum.label + ' %'"}
    legend["gradientLength"] = min(180, width // 3)
    scale = {"domain": [0, 25, 50, 75, 100], "range": "diverging", "interpolate": "rgb"}
    colour = field("v:Q", title=None, scale=scale, legend=legend)
    look = {"color": colour, "deep": DEEP, "text": field("v:Q", format=".0f")}
    said = [
        f"{name_of(ratings.candidates[a])} beats {name_of(ratings.candidates[b])}: "
        f"{percent(float(found.p[a, b]))}."
        for a, b in pairwise(order)
    ]
    return Picture(
        view=heat(cells, names, columns, width, upright=False, tooltip=hint, **look),
        title="Who would beat whom",
        see=f"{see} {MATRIX}{only_first(n, len(ratings.display), nouns)}",
        alt=f"Chance of beating the next one by rating, {nouns.candidates(n)}, best first. "
        + prose(said),
    )


def win_blocks(
    p: Floats, order: Sequence[int], *, most: int
) -> tuple[list[tuple[int, int]], Floats]:
    """Return the bounds of at most so many blocks of neighbours, and the mean chances of each pair.

    Bounds are the first and last place of a block, from 1 on; blocks are as equal in size as can
    be. Within a block the mean is over two different members: 1/2, or NaN where there is one.
    """
    blocks = [block.tolist() for block in np.array_split(order, min(most, len(order)))]
    ends = np.cumsum([len(block) for block in blocks]).tolist()
    bounds = [(end - len(block) + 1, end) for block, end in zip(blocks, ends, strict=True)]
    return bounds, block_means(p, blocks)


# ------------------------------------------------------------------------------

MOST_OUTSIDE = 10  # points beyond a box that are drawn, the farthest on each side
QUARTILES = ("low", "quarter", "median", "three_quarters", "high")
REACH = 1.5  # of the length of a box, as far as its whiskers go at most


@draws(RatingParts, Ratings, figure="Gosiewska et al. (2019), figure 2", saved="origin")
def epp_bars(
    rated: RatingParts | Ratings | Saved, *, width: int, top: int | None = None
) -> Picture:
    """Show the rating of each setting as a bar from the average, a panel per data set."""
    parts, facts, scale = parts_of(rated), rated.outline(), scale_of(rated)
    matrix = rating_matrix(parts)
    names, kind = matrix.best_first, facts.get("kind")
    fewer = only_first(how_many(top, len(names)), len(names), nouns_of(rated))
    against = facts.get("reversed")
    if against is not None and "show_only" in rated.made and len(names) > 1:
        against = data_set_agreement(matrix).reversed_
    names = names[: how_many(top, len(names))]
    place = {name: row for row, name in enumerate(names)}
    shown = {part: parts[part] for part in first_parts(parts, len(names))}
    known = {
        (row[kind] if kind else "", row["candidate"]): (row["low"], row["high"])
        for row in rated.rows()
    }
    records = [
        {
            "panel": panel,
            "row": place[name],
            "rating": float(f"{rating:.6g}"),
            "low": low,
            "high": high,
            "average": facts["origin"],
        }
        for panel, (part, found) in enumerate(shown.items())
        for name, rating in found.items()
        if name in place
        for low, high in [known[part, name]]
    ]
    ends = [row[key] for row in records for key in ("rating", "average", "low", "high")]
    ends = [end for end in ends if end is not None]
    low, high = min(ends), max(ends)
    domain = [low, high] if low < high else [low - 1, high + 1]
    axes = {"axis": {"tickCount": 3}, "scale": {"domain": domain, "nice": True}}
    form = f",.{scale.digits}f"
    numbers = ((f"{key}:Q", "", form) for key in ("rating", "low", "high"))
    hint = tips(("name:N", nouns_of(rated).candidate), ("title:N", "data set"), *numbers)
    bar = {"x": field("rating:Q", title=None, **axes), "x2": "average:Q", "tooltip": hint}
    marks = [
        ("bar", {**bar, "where": f"datum.rating {sign} datum.average", "style": style})
        for sign, style in ((">=", "wins"), ("<", "loses"))
    ]
    both = "isValid(datum.low) && isValid(datum.high)"
    ink: Spec = {"style": "ink", "strokeWidth": 1.2, "tooltip": hint, "where": both}
    marks.append(("rule", {**ink, "x": field("low:Q", title=None, **axes), "x2": "high:Q"}))
    odd = {part for part in shown if part in (against or ())}
    of_parts = facts["tournaments"] if kind else {"": facts}
    penalised = {part for part in shown if of_parts[part]["separated"]}
    several = len(shown) > 1
    titles = [f"{'↔ ' * (n in odd)}{n}{'*' * (n in penalised and several)}" for n in shown]
    centre = name_of(facts["anchor"]) if facts.get("anchor") else "average"
    notes = ""
    if odd:
        notes += "; ↔ marks data sets that put the settings in another order than most"
    if penalised:
        notes += "; * marks where" if several else ";"
        notes += " the largest ratings were held back"
    return Picture(
        view=panels(records, marks, names=names, titles=titles, width=width, unit=scale.name),
        title=f"ratings{f' on each {KINDS[kind]}' if kind else ''}",
        see=f"{HUES['wins']}, to the right: better than {centre}; {HUES['loses'].lower()}, to the "
        f"left: worse. Thin line: the "
        f"interval{only_some(parts, titles)}{notes}.{fewer}",
        alt="Ratings. "
        + prose([_ends_in_words(part, found, scale.digits) for part, found in shown.items()]),
    )


def _ends_in_words(part: str, found: dict[str, float], digits: int) -> str:
    names = list(found)
    best, worst = (
        f"{name_of(name)}, {number(found[name], digits)}" for name in (names[0], names[-1])
    )
    return f"{f'{name_of(part)}: b' if part else 'B'}est {best}, worst {worst}."


@draws(RatingParts, Ratings, figure="Gosiewska et al. (2019), figure 3", saved="rating")
def tunability(rated: RatingParts | Ratings | Saved, *, width: int) -> Picture:
    """Show how much the ratings of each algorithm vary over its settings, as box plots."""
    parts, scale = parts_of(rated), scale_of(rated)
    boxes = {part: tuning_boxes(found) for part, found in parts.items()}
    medians: dict[str, list[float]] = {}
    for each in (each for some in boxes.values() for each in some):
        medians.setdefault(each.algorithm, []).append(each.median)
    known = list(medians)
    names = [known[k] for k in best_first(np.array([np.mean(medians[n]) for n in known]))]
    place = {name: row for row, name in enumerate(names)}
    shown = first_parts(parts, len(names))
    records: list[Spec] = []
    for panel, part in enumerate(shown):
        for box in boxes[part]:
            where = {"panel": panel, "row": place[box.algorithm]}
            numbers = {key: float(f"{getattr(box, key):.6g}") for key in QUARTILES}
            records.append(where | {"kind": "box", "settings": box.settings, **numbers})
            far = box.outside[:MOST_OUTSIDE] + box.outside[MOST_OUTSIDE:][-MOST_OUTSIDE:]
            records += [where | {"kind": "outside", "out": float(f"{v:.6g}")} for v in far]
    hint = tips(("name:N", "algorithm"), ("title:N", "data set"), "settings:Q")
    hint += [field(f"{key}:Q", format=f",.{scale.digits}f") for key in QUARTILES]
    axes = {"title": None, "scale": {"zero": False, "padding": 4}, "axis": {"tickCount": 3}}
    x = {key: field(f"{key}:Q", **axes) for key in (*QUARTILES, "out")}
    whole = {"where": "datum.kind == 'box'", "style": "muted", "tooltip": hint}
    bar = {"opacity": 0.45, "height": {"band": 0.8}}
    tick = {"opacity": 1, "height": {"band": 0.9}, "thickness": 3}
    beyond = {"where": "datum.kind == 'outside'", "style": "muted", "size": 14, "opacity": 1}
    marks: list[tuple[str, Spec]] = [
        ("rule", {"where": whole["where"], "style": "muted", "x": x["low"], "x2": "high:Q"}),
        ("bar", {**whole, **bar, "x": x["quarter"], "x2": "three_quarters:Q"}),
        ("tick", {**whole, **tick, "x": x["median"]}),
    ]
    if any("out" in record for record in records):
        marks.append(("point", {**beyond, "x": x["out"]}))
    single = all(box.settings == 1 for some in boxes.values() for box in some)
    see = (
        "Every algorithm has one setting only, so that its box is a line."
        if single
        else "The longer a box, the more it matters which setting of the algorithm is chosen. Box: "
        "the middle half of the settings, with a line at the middle one. Thin lines: the farthest "
        f"within 1.5 boxes. Circles: settings beyond{only_some(parts, shown)}."
    )
    return Picture(
        view=panels(records, marks, names=names, titles=shown, width=width, unit=scale.name),
        title="How much the setting matters",
        see=see,
        alt="Ratings of the settings. "
        + prose([_box_in_words(part, box, scale.digits) for part in shown for box in boxes[part]]),
    )


def _box_in_words(part: str, box: Box, form: int) -> str:
    where = f" on {name_of(part)}" if part else ""
    return (
        f"{name_of(box.algorithm)}{where}: half of {box.settings} between "
        f"{number(box.quarter, form)} and {number(box.three_quarters, form)}, the middle "
        f"{number(box.median, form)}."
    )


@dataclass(frozen=True, kw_only=True)
class Box:
    """Hold Tukey's box of some numbers.

    ``low`` and ``high`` are the farthest numbers within 1.5 times the length of the box from it;
    ``outside`` are those beyond.
    """

    algorithm: str
    settings: int
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    outside: tuple[float, ...]


def box(algorithm: str, values: Floats) -> Box:
    """Return the box of some numbers; quartiles are interpolated between neighbours.

    >>> box("svm", np.array([1.0, 2.0, 3.0, 4.0, 20.0]))
    Box(algorithm='svm', settings=5, low=1.0, quarter=2.0, median=3.0, three_quarters=4.0, \
high=4.0, outside=(20.0,))
    """
    quarter, median, three = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    reach = REACH * (three - quarter)
    within = (values >= quarter - reach) & (values <= three + reach)
    return Box(
        algorithm=algorithm,
        settings=len(values),
        low=float(values[within].min()),
        quarter=quarter,
        median=median,
        three_quarters=three,
        high=float(values[within].max()),
        outside=tuple(np.sort(values[~within]).tolist()),
    )


def tuning_boxes(ratings: dict[str, float]) -> tuple[Box, ...]:
    """Return the box of the ratings of each algorithm, in the order of first settings."""
    boxes: dict[str, list[float]] = {}
    for name, rating in ratings.items():
        boxes.setdefault(algorithm_of(name), []).append(rating)
    return tuple(box(name, np.array(values)) for name, values in boxes.items())
