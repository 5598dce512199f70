"""A row for each candidate: merits, ratings, shares of first places, and tie groups as boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.core.errors import DataError, counted, plural_of
from deadheat.core.types import Row
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first
from deadheat.rate.options import RatingScale
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import KINDS, RatingParts, across_data_sets
from deadheat.report.charts.rows import (
    Rows,
    beside,
    first_rows,
    group_rows,
    groups_in_words,
    heading,
    height,
    name_of,
    parts_of,
    prose,
    scale_of,
)
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark, tips
from deadheat.report.charts.theme import COLUMN
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.statistics.embedding import rating_matrix
from deadheat.verdict.claims import CLOSE, digits_of
from deadheat.verdict.result import Verdict

ROOM = 0.12  # of the axis, for arrows beyond what is finite
MARGIN = 0.02
POINT = {"filled": True, "size": 50, "opacity": 1}


def rank_text(rank: float | None) -> str:
    return "\u2013" if rank is None or rank != rank else number(rank)


@draws(Verdict, saved="leaders", figure="Fawcett et al. (2023), figure 1", first=True)
def intervals(verdict: Verdict | Saved, *, width: int, top: int | None = None) -> Picture:
    """Show how well each candidate does, with the interval of resampling, best score first."""
    (rows, fewer), reading = first_rows(verdict, top), verdict.reading
    tied = {"level": len(verdict.groups[0]) > 1, "undecided": verdict.undecided}
    official = any(row["official"] is not None for row in rows)
    form = f",.{digits_of([row['shown'] for row in rows])}f"
    chart = data(
        {
            **opening,
            "shown": row["shown"],
            "low": row["shown_low"],
            "high": row["shown_high"],
            "first": row["first_share"],
            **({"official": rank_text(row["official"])} if official else {}),
        }
        for opening, row in zip(group_rows(rows, **tied), rows, strict=True)
    )
    table = Rows([row["candidate"] for row in rows], width)
    y, x = table.y, table.across(reading.axis)
    hint = [
        *(field("candidate:N"), field("group:N")),
        field("shown:Q", title=reading.heading, format=form),
        *(field(f"{end}:Q", format=form) for end in ("low", "high")),
        field("first:Q", title="ranked first", format=".0%"),
        *([field("official:N", title="official rank")] if official else []),
    ]
    both: Spec = {"y": y, "tooltip": hint, "style": "accent"}
    layers = [
        table.bands(chart),
        mark("rule", chart, x=field("low:Q", **x), x2="high:Q", **both, strokeWidth=2),
        mark("point", chart, x=field("shown:Q", **x), **both, **POINT),
        table.group_numbers(chart),
    ]
    ranks, n = "", len(verdict.candidates)
    if official:
        layers += [beside(chart, y, "official:N", dx=46, style="muted"), heading("official", dx=46)]
        ranks = " On the right the official rank."
    level = percent(1 - verdict.alpha)
    said = [
        f"{name_of(row['candidate'])}: {number(row['shown'])} "
        f"({number(row['shown_low'])} to {number(row['shown_high'])}), group {row['group']}"
        + (f", officially {rank_text(row['official'])}." if official else ".")
        for row in rows
    ]
    return Picture(
        view=table.framed(layer(*layers)),
        title=f"{reading.heading} with {level} intervals",
        see=f"{groups_in_words(**tied)}; the line is where resampling the judges puts "
        f"{reading.heading}.{fewer}",
        alt=f"{reading.heading} of {len(rows)} candidates with {level} intervals, best first."
        f" The first group has {len(verdict.groups[0])} of {n} candidates.{ranks}{fewer} "
        + prose(said),
    )


@draws(Verdict, saved="first_share", figure="Fawcett et al. (2023), table 3")
def first(verdict: Verdict | Saved, *, width: int, top: int | None = None) -> Picture:
    """Show in what share of resamples each candidate is first, those who ever are."""
    shown, fewer = first_rows(verdict, top)
    every = sorted(shown, key=lambda row: -row["first_share"])
    ever = [row for row in every if row["first_share"] > 0] or every
    random = any(row["first_error"] for row in ever)
    tables = "resamples" if random else "tables"
    chart = data(
        {
            "candidate": row["candidate"],
            "share": row["first_share"],
            "low": max(0.0, row["first_share"] - CLOSE * row["first_error"]),
            "high": min(1.0, row["first_share"] + CLOSE * row["first_error"]),
            "said": percent(row["first_share"]),
        }
        for row in ever
    )
    table = Rows([row["candidate"] for row in ever], width)
    y = table.y
    x: Spec = {
        "title": f"share of {tables} in which it is first",
        "scale": {"domain": [0, 1]},
        "axis": {"format": "%", "orient": table.orient, "tickCount": max(2, width // 90)},
    }
    hint = [field("candidate:N"), field("share:Q", title="first in", format=".1%")]
    if random:
        hint += tips(("low:Q", "from, by Monte-Carlo error", ".1%"), ("high:Q", "to", ".1%"))
    bar = {"style": "accent", "height": {"band": 0.7}, "opacity": 0.75}
    line = {"style": "ink", "strokeWidth": 2}
    layers = [
        mark("bar", chart, x=field("share:Q", **x), y=y, tooltip=hint, **bar),
        mark("rule", chart, x=field("low:Q", **x), x2="high:Q", y=y, tooltip=hint, **line),
        beside(chart, y, "said:N"),
    ]
    if not random:
        del layers[1]
    never = len(every) - len(ever)
    rest = f"{counted(never, 'other')} {'is' if never == 1 else 'are'} never first"
    replicates, plan = verdict.made["replicates"], verdict.made["plan"]
    return Picture(
        view=table.framed(layer(*layers)),
        title="Who is first, and how often",
        see=f"The longer the bar, the more often a candidate comes first in {replicates:,} {tables}"
        f" ({plan})"
        + ("; the thin line at its end is what other random draws might give" if random else "")
        + (f"; {rest}." if never else ".")
        + fewer,
        alt=f"Shares of {replicates:,} {tables} in which a candidate is first; a shared "
        "first place counts for all who share it. "
        + prose([f"{name_of(r['candidate'])}: {percent(r['first_share'])}." for r in ever])
        + (f" {rest}." if never else "")
        + fewer,
    )


@draws(
    Ratings, RatingParts, figure="Gosiewska et al. (2019), section 5", first=True, saved="rating"
)
def ratings(rated: Ratings | RatingParts | Saved, *, width: int) -> Picture:
    """Show the rating of each candidate with its interval, best first."""
    rows, facts, scale = rated.rows(), rated.outline(), scale_of(rated)
    kind, level = facts.get("kind"), percent(1 - rated.alpha)
    if kind is None:
        return _with_intervals(rows, scale, "ratings", level, width)
    parts, means = facts["tournaments"], facts.get("means") or [{"low": None}]
    if any(row["low"] is None or row["group"] is None for row in means):  # of categories
        weights = {name: parts[name]["weight"] for name in parts}
        return _of_several(parts_of(rated), plural_of(KINDS[kind]), weights, scale, width)
    counted_parts = sum(part["weight"] > 0 for part in parts.values())
    rows = [
        {**row, "rating": row["mean"], "within": 0.0, "mle": None if odd else row["mean"]}
        for row in means
        for odd in [row["penalised_on"]]
    ]
    what = f"mean ratings over {counted(counted_parts, 'data set')}"
    return _with_intervals(rows, scale, what, level, width)


def _with_intervals(
    rows: list[Row], scale: RatingScale, what: str, level: str, width: int
) -> Picture:
    # The axis ends at what is finite, with room for arrows.
    known = [row[key] for row in rows for key in ("rating", "low", "high") if row[key] is not None]
    opens = [any(row[key] is None for row in rows) for key in ("low", "high")]
    left, right = (ROOM if is_open else MARGIN for is_open in opens)
    length = (max(known) - min(known)) or 1.0
    ends = [min(known) - left * length, max(known) + right * length]
    margin = MARGIN * (ends[1] - ends[0])
    tied = sum(row["group"] == 1 for row in rows) > 1
    penalised = ["within" in row and not isinstance(row["mle"], float | int) for row in rows]
    source = data(
        {
            **opening,
            "rating": row["rating"],
            "low": row["low"],
            "high": row["high"],
            "from": ends[0] + margin if row["low"] is None else row["low"],
            "to": ends[1] - margin if row["high"] is None else row["high"],
            "open_low": row["low"] is None,
            "open_high": row["high"] is None,
            "penalised": odd,
            **({"won": row["wins"], "lost": row["losses"]} if "wins" in row else {}),
        }
        for opening, row, odd in zip(group_rows(rows, level=tied), rows, penalised, strict=True)
    )
    table = Rows([row["candidate"] for row in rows], width)
    axis = f"rating ({scale.name}, higher is better)"
    y, x = table.y, table.across(axis, domain=ends, nice=False)
    form = f",.{scale.digits}f"
    hint = [
        *(field("candidate:N"), field("group:N")),
        *(field(f"{name}:Q", format=form) for name in ("rating", "low", "high")),
        *(field(f"{name}:Q", format=",~r") for name in ("won", "lost") if "wins" in rows[0]),
    ]
    both: Spec = {"y": y, "tooltip": hint}
    line = {"style": "accent", "strokeWidth": 2}
    arrow = {"style": "accent", "filled": True, "size": 60, "opacity": 1}
    point = {"size": 50, "strokeWidth": 2, "opacity": 1}
    looks = (("!", "accent", True), ("", "paper", True), ("", "accent", False))
    layers = [
        table.bands({}),
        mark("rule", x=field("from:Q", **x), x2="to:Q", **both, **line),
        *(
            mark("point", where=f"datum.open_{end}", x=x_, y=y, shape=f"triangle-{to}", **arrow)
            for end, place, to in (("low", "from", "left"), ("high", "to", "right"))
            for x_ in [field(f"{place}:Q", **x)]
        ),
        *(
            mark("point", where=f"{which} datum.penalised", x=x_, **both, **look, **point)
            for which, style, filled in looks
            for x_, look in [(field("rating:Q", **x), {"style": style, "filled": filled})]
        ),
        table.group_numbers({}),
    ]
    see = [groups_in_words(level=tied), "the point is the rating and the line its interval"]
    see += ["an arrow says that the matches set no limit on that side"] if any(opens) else []
    if any(penalised):
        see += ["a hollow point exists only because extreme ratings were held back"]
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
        see="; ".join(see) + ".",
        alt=f"{what.capitalize()} of {len(rows):,} candidates with {level} intervals, best first. "
        f"{prose(said)}",
    )


def _of_several(
    parts: dict[str, dict[str, float]],
    plural: str,
    weights: dict[str, float],
    scale: RatingScale,
    width: int,
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
        for i in best_first(np.asarray(found.mean)).tolist()
    ]
    base = data(rows)
    table = Rows([row["candidate"] for row in rows], width)
    y, x = table.y, table.across(f"mean rating ({scale.name}, higher is better)")
    form = f",.{scale.digits}f"
    hint = [field("candidate:N"), *(field(f"{name}:Q", format=form) for name in numbers)]
    both: Spec = {"y": y, "tooltip": hint}
    line = {"style": "muted", "strokeWidth": 2}
    chart = layer(
        mark("rule", base, x=field("low:Q", **x), x2="high:Q", **both, **line),
        mark("point", base, x=field("mean:Q", **x), **both, style="accent", **POINT),
    )
    said = [
        f"{name_of(row['candidate'])}: {number(row['mean'], scale.digits)} "
        f"({number(row['low'], scale.digits)} to {number(row['high'], scale.digits)})."
        for row in rows
    ]
    return Picture(
        view=table.framed(chart),
        title=f"mean ratings over {len(parts)} {plural}",
        see=f"The point is the mean rating and the line goes from the lowest to the highest of the "
        f"{plural}: it shows how they differ, and is no interval of the mean.",
        alt=f"Mean ratings over {len(parts)} {plural}, best first. {prose(said)}",
    )


# ------------------------------------------------------------------------------

LEFT = 34  # pixels for the number of a group
GAP, INSIDE = 8, 4  # pixels between two boxes, and between a box and what is in it
LEADER = "★"
MOST_NAMES = 12


@draws(Verdict, saved="members", figure="Fawcett et al. (2023), table 4")
def groups(verdict: Verdict | Saved, *, width: int) -> Picture:
    """Show the tie groups as boxes, best on top, with the leader of each."""
    step = height(len(verdict.candidates)) // len(verdict.candidates)
    shares = {row["candidate"]: percent(row["first_share"]) for row in verdict.rows()}
    boxes: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    said, top = [], 0
    for group, leader in zip(verdict.groups, verdict.reading.leaders, strict=True):
        place, bottom = len(boxes) + 1, top + len(group) * step + 2 * INSIDE
        middle = (top + bottom) / 2
        boxes.append({"group": place, "top": top, "bottom": bottom, "middle": middle})
        rows += [
            {
                "candidate": name,
                "group": place,
                "y": top + INSIDE + (k + 0.5) * step,
                "leads": name == leader,
                "first": shares[name],
                "said": f"first in {shares[name]}",
            }
            for k, name in enumerate(group)
        ]
        names = ", ".join(map(name_of, group[:MOST_NAMES]))
        names += f" and {len(group) - MOST_NAMES} more" if len(group) > MOST_NAMES else ""
        said.append(f"Group {place}: {names}; led by {name_of(leader)}.")
        top = bottom + GAP
    tall, slim = top - GAP, width <= COLUMN
    axis = {"scale": {"domain": [0, tall], "reverse": True, "nice": False}, "axis": None}
    upper, middle_, y = (field(f"{name}:Q", **axis) for name in ("top", "middle", "y"))
    frames, members = data(boxes), data(rows)
    hint = [*map(field, ("candidate:N", "group:N")), field("first:N", title="ranked first in")]
    box = {"style": "faint", "cornerRadius": 4, "opacity": 0.5}
    number = {"style": "ink", "align": "right", "fontSize": 14, "fontWeight": "bold"}
    name_look = {"style": "ink", "align": "left", "limit": width - LEFT - (92 if slim else 132)}
    star = {"style": "accent", "align": "left"}
    share = {"style": "muted", "align": "right", "dx": -8}
    shown = "first:N" if slim else "said:N"
    edge, led = "width", "datum.leads"
    chart = layer(
        mark("rect", frames, y=upper, y2="bottom:Q", x=LEFT, x2=edge, **box),
        mark("text", frames, y=middle_, x=LEFT - 8, text="group:N", **number),
        mark("text", members, y=y, x=LEFT + 24, text="candidate:N", tooltip=hint, **name_look),
        mark("text", members, where=led, y=y, x=LEFT + 8, text=LEADER, **star),
        mark("text", members, y=y, x=edge, text=shown, **share),
        heading("ranked first" if slim else "", dx=-8, align="right"),
    )
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title="Who is in a dead heat with whom",
        see=_see(verdict),
        alt=f"{len(rows)} candidates in {counted(len(boxes), 'tie group')}, best first. "
        + prose(said),
    )


def _see(verdict: Verdict | Saved) -> str:
    n = len(verdict.candidates)
    if verdict.undecided:
        return f"All {n} candidates are in one box: tests were not enough to tell them apart."
    if len(verdict.groups) == 1:
        return f"All {n} candidates are in one box: a dead heat of everybody, led by {LEADER}."
    below = ", and tests put all in the boxes below under it" if verdict.reading.shows else ""
    return f"A box is a dead heat, the best on top; {LEADER} leads its box{below}."
