"""Pictures of judges: how much they agree, how they rank, and whom the ranking hangs on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from deadheat.agree.api import Agreement, complete
from deadheat.agree.maps import ClusteredTable, Tree, cluster_table
from deadheat.core.errors import (
    UnknownNameError,
    UsageError,
    command_with,
    counted,
    listed,
    plural_of,
    visible,
)
from deadheat.core.options import HEAT_VALUES
from deadheat.core.types import Floats, Row
from deadheat.data.results import Nouns, Results
from deadheat.influence.api import TOPS, Influence
from deadheat.influence.leave_judges_out import many_of
from deadheat.output.text import number, shorten, shorten_all
from deadheat.rank.words import names_in_words
from deadheat.ranking.function import spoken
from deadheat.ranking.ranks import levels, ranks
from deadheat.report.charts.pixels import (
    LETTER,
    LINE,
    canvas,
    fitting,
    inner,
    label_width,
    text_layer,
)
from deadheat.report.charts.rows import DENSE, height, name_room, names_axis, nouns_of
from deadheat.report.charts.spec import Spec, data, field, framed, layer, lookup, mark, then, tips
from deadheat.report.charts.theme import ROW
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws

MOST_ROWS = 100
TALL = 220
TOLD = 12
TITLE = "mean correlation with the others"
# What a judge does, how it is drawn, and by which shape it is told besides its colour.
LOOKS = ((False, "muted", "circle"), (True, "ink", "triangle-left"))
STEPS = 40  # from -1 to 1


@draws(Agreement, first=True, saved="opposing")
def agreement(found: Agreement | Saved, *, width: int) -> Picture:
    """Show the mean correlation of each judge with the others; those that oppose are marked."""
    facts, nouns = found.facts(), nouns_of(found)
    rows = [row for row in found.rows() if not np.isnan(np.float64(row["mean_spearman"]))]
    few, title = len(rows) <= MOST_ROWS, f"Which {nouns.judges()} agree with the others"
    if not rows:
        none = f"No {nouns.judge} can be compared with another one."
        return Picture.sentence(title, none, width)
    chart = _points(rows, nouns, width) if few else _bins(rows, nouns, width)
    told = [f"{row['judge']} {number(float(row['mean_spearman']), 2)}" for row in rows[:TOLD]]
    opposing = facts["opposing"]
    w = number(facts["kendall_w"], 3)
    return Picture(
        view=chart,
        title=title,
        see=_see(facts, nouns, few=few),
        alt=f"Mean Spearman correlation of each of {nouns.judges(facts['judges'])} with the "
        f"others, the lowest first; Kendall's W is {w}. {', '.join(told) or 'Nothing is defined'}"
        + (f" and {len(rows) - TOLD:,} more" if len(rows) > TOLD else "")
        + (f". Negatively with the rest: {listed(opposing, most=TOLD)}." if opposing else "."),
    )


def _see(facts: Row, nouns: Nouns, *, few: bool) -> str:
    against, silent = len(facts["opposing"]), len(facts["constant"])
    parts = [
        f"The further right, the more alike the {nouns.judge} ranks to the others."
        if few
        else f"A bar counts {nouns.judges()}. The further right, the more alike they rank to the "
        "others."
    ]
    if against:
        where = "Triangle" if few else "Left of the dashed line, dark"
        verb = "goes" if against == 1 else "go"
        parts.append(f"{where}: {nouns.judges(against)} {verb} against the rest.")
    if silent:
        verb = "ties" if silent == 1 else "tie"
        parts.append(f"Left out: {nouns.judges(silent)} that {verb} all {nouns.candidates()}.")
    return " ".join(parts)


def _looks(rows: list[Row]) -> list[tuple[dict[str, Any], str]]:
    """Return how those that oppose, and those that do not, are drawn, with their shapes."""
    there = {bool(row["opposes"]) for row in rows}
    return [
        ({"where": f"(datum.opposes === {str(opposes).lower()})", "style": style}, shape)
        for opposes, style, shape in LOOKS
        if opposes in there
    ]


def _points(rows: list[Row], nouns: Nouns, width: int) -> Spec:
    chart = data(
        {
            "judge": row["judge"],
            "mean": row["mean_spearman"],
            "rest": row["rest_correlation"],
            "opposes": row["opposes"],
            "zero": 0.0,
        }
        for row in rows
    )
    order = [visible(str(row["judge"])) for row in rows]
    y = field("judge:N", title=None, sort=order, axis=names_axis(name_room(width), order))
    tooltip = tips(
        ("judge:N", nouns.judge),
        ("mean:Q", "mean correlation", ".3f"),
        ("rest:Q", "with the ranking of the others", ".3f"),
    )
    both: Spec = {"y": y, "tooltip": tooltip}
    line = {"x": field("zero:Q", title=TITLE), "x2": "mean:Q", "style": "muted", "opacity": 0.6}
    x, point = field("mean:Q", title=TITLE), {"filled": True, "size": 55, "opacity": 1}
    marks = [
        mark("point", chart, x=x, **both, **look, shape=shape, **point)
        for look, shape in _looks(rows)
    ]
    return framed(layer(mark("rule", chart, **line, **both), *marks), width, height(len(rows)))


def _bins(rows: list[Row], nouns: Nouns, width: int) -> Spec:
    bins = agreement_bins(rows)
    chart = data(bins)
    place = {
        "x": field("low:Q", title=TITLE, bin={"binned": True}, axis={"tickCount": 6}),
        "x2": "high:Q",
        "y": field("start:Q", title=nouns.judges(), axis={"tickMinStep": 1, "format": "d"}),
        "y2": "end:Q",
        "tooltip": tips(
            ("judges:Q", nouns.judges()), ("low:Q", "from", ".2f"), ("high:Q", "to", ".2f")
        ),
    }
    zero = mark("rule", data([{"low": 0.0}]), x="low:Q", style="muted", strokeDash=[4, 3])
    bars = (mark("bar", chart, **place, **look) for look, _ in _looks(bins))
    return framed(layer(*bars, zero), width, TALL)


def agreement_bins(judges: list[Row]) -> list[Row]:
    """Return per step of the mean correlation how many judges there are, those opposing apart.

    A step holds its lower end, the last one both; steps without judges are left out. The others
    stand on those that oppose: from ``start`` to ``end``.
    """
    edges = np.linspace(-1, 1, STEPS + 1).round(12)
    rows: list[Row] = []
    start = np.zeros(STEPS, dtype=np.int64)
    for kind in (True, False):
        means = [row["mean_spearman"] for row in judges if row["opposes"] is kind]
        counts, _ = np.histogram(means, bins=edges)
        rows += [
            {
                "low": float(edges[k]),
                "high": float(edges[k + 1]),
                "opposes": kind,
                "judges": int(counts[k]),
                "start": int(start[k]),
                "end": int(start[k] + counts[k]),
            }
            for k in np.flatnonzero(counts).tolist()
        ]
        start += counts
    return rows


# ------------------------------------------------------------------------------

Pair = tuple[float, float]
MOST_ALONE = 200
BLOCKS = 100  # where there are more than that
THINNEST = 2  # pixels of a column
WIDEST = 44
NAMED = 11  # pixels of a column that has room for a name
NAME = 96  # pixels that the name of a judge may take
TREE = 0.09  # of the width
DECADES = 100  # the largest score beside a usual one: then colours go by logarithms
FOOT = 0.2  # below the lowest join of a tree, as a share of the heights of its joins


@draws(Agreement, Results, figure="Pavao et al. (2021), supplement, figures 1 to 3")
def heat_map(found: Agreement | Results, *, width: int, values: str = "scores") -> Picture:
    """Show what each judge gives each candidate, scores or ranks, with trees of what is alike."""
    results = found.results if isinstance(found, Agreement) else complete(found)
    if values not in HEAT_VALUES:
        raise UnknownNameError("value of a heat map", values, HEAT_VALUES)
    scores, nouns = values == "scores", results.nouns
    if scores and not np.isfinite(results.scores).all():
        fact = f"{results.source} has infinite scores, which no colour shows."
        raise UsageError(fact, hint=f"draw ranks: {command_with(values='ranks')}")
    whole, across = results, inner(width)
    results, strata = _by_stratum(results, values)
    n, m = results.n, results.m
    more = label_width(" +99") if n > MOST_ALONE else 0
    names = min(max(map(label_width, results.candidates)) + more, 0.3 * across)
    tree = max(22, TREE * across)
    room = across - names - tree - 10
    clusters = cluster_table(
        results,
        scores=bool(strata) or scores,
        most_judges=min(MOST_ALONE if m <= MOST_ALONE else BLOCKS, int(room / THINNEST)),
        most_candidates=MOST_ALONE if n <= MOST_ALONE else BLOCKS,
    )
    columns = plural_of(strata) if strata else nouns.judges()
    mean = f"A column is the mean over the {nouns.judges()} of a {strata} (in brackets how many)."
    blocks = [mean] if strata else []
    blocks += [
        f"{many:,} {what} are drawn as {len(shown)} blocks of alike ones with their mean {values}."
        for what, many, shown in (
            (nouns.candidates(), n, clusters.candidates),
            (columns, clusters.seen, clusters.judges),
        )
        if many > len(shown)
    ]
    blocks += [f"Only {clusters.seen:,} of {m:,} {columns} are drawn."] if clusters.seen < m else []
    said = "".join(f" {text}" for text in blocks)
    told = [
        f"{_block_name(results.candidates, block)} {number(float(mean), None if scores else 1)}"
        for block, mean in zip(clusters.candidates, clusters.means, strict=True)
    ]
    chart, tall = _chart(results, clusters, across, names, tree, room, scores=scores, strata=strata)
    what = ("Scores", f", {results.direction()}") if scores else ("Ranks", ", 1 is best")
    one = "mean score" if scores else "average rank"
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title=f"Who does well where: {values}",
        see=f"{nouns.candidates().capitalize()} (rows) and {columns} (columns) that are alike "
        f"stand side by side; the shorter the lines that join them, the more alike.{said}",
        alt=f"{what[0]} that {nouns.judges(whole.m)} give {nouns.candidates(n)}{what[1]}.{said} "
        f"From top to bottom with their {one}: {listed(told, most=TOLD)}.",
    )


def _by_stratum(results: Results, values: str) -> tuple[Results, str]:
    """Return the means over each stratum where judges are too many for a column each, and its noun.

    Those of ranks are ranks, and their table is one of costs.
    """
    strata = results.strata or results.clusters
    if results.m <= MOST_ALONE or strata is None or not 1 < len(set(strata)) <= MOST_ALONE:
        return results, ""
    if values == "ranks":
        cells, lower = ranks(levels(results.scores, tolerance=results.tie_tol).T).T, True
    else:
        cells, lower = np.asarray(results.original), bool(results.lower.all())
    names = list(dict.fromkeys(strata))
    of = np.array([names.index(each) for each in strata])
    means = np.stack([cells[:, of == k].mean(axis=1) for k in range(len(names))], axis=1)
    counts = np.bincount(of)
    return Results(
        scores=means,
        candidates=list(results.candidates),
        judges=[f"{name} ({count})" for name, count in zip(names, counts, strict=True)],
        better="lower" if lower else "higher",
        nouns=results.nouns,
    ), results.nouns.stratum if results.strata else results.nouns.cluster


def _block_name(names: Sequence[str], block: tuple[int, ...], room: float = 300) -> str:
    """Return the name of the first of a block, and how many more there are."""
    more = f" +{len(block) - 1:,}" if len(block) > 1 else ""
    return f"{fitting(names[block[0]], room - (label_width(more) if more else 0))}{more}"


def _chart(
    results: Results,
    found: ClusteredTable,
    across: int,
    names: float,
    tree: float,
    room: float,
    *,
    scores: bool,
    strata: str,
) -> tuple[Spec, float]:
    """Return the chart, laid out in pixels, and its height."""
    judges, candidates = found.judges, found.candidates
    column = max(1, min(WIDEST, int(room / len(judges))))
    row = height(len(candidates)) / len(candidates)
    left, top = round(names) + 5, round(tree) + 3 if len(judges) > 1 else 2
    right, bottom = left + column * len(judges), top + height(len(candidates))
    turned: Spec = {"align": "left"}
    room_below: float = LINE
    if column < NAMED:
        below: list[tuple[float, float, str]]
        what = counted(found.seen, strata) if strata else ""
        what = what or results.nouns.judges(found.seen)
        below = [(left, bottom + LINE / 2 + 3, what)]
    else:
        whole = [_block_name(results.judges, block) for block in judges]
        texts = shorten_all(whole, int(NAME / LETTER))
        below = [(left + (k + 0.5) * column, bottom + 4, text) for k, text in enumerate(texts)]
        turned |= {"align": "right", "angle": 270}
        room_below = max(map(label_width, texts))
    tall = bottom + room_below + 6
    x, y = canvas(across, tall)
    trees = (
        [
            (k, step, left + place * column, top - 3 - rise)
            for k, step, place, rise in _corners(found.judge_tree, top - 5)
        ],
        [
            (k, step, right + 3 + rise, top + place * row)
            for k, step, place, rise in _corners(found.candidate_tree, tree)
        ],
    )
    join = {"detail": "line:N", "order": "step:Q", "style": "muted", "strokeWidth": 1}
    lines = [
        data({"line": k, "step": s, "x": round(a, 1), "y": round(b, 1)} for k, s, a, b in corners)
        for corners in trees
        if corners
    ]
    beside = [
        (left - 4, top + (k + 0.5) * row, _block_name(results.candidates, block, names))
        for k, block in enumerate(candidates)
    ]
    chart = layer(
        _cells(results, found, x, y, (left, top), (column, row), scores=scores),
        *(mark("line", rows, x=x, y=y, **join) for rows in lines),
        text_layer(beside, x, y, align="right"),
        text_layer(below, x, y, **turned),
    )
    return chart, tall


def _cells(
    results: Results,
    found: ClusteredTable,
    x: Spec,
    y: Spec,
    corner: Pair,
    size: Pair,
    *,
    scores: bool,
) -> Spec:
    """Return the cells, told in few letters: row by row, scores with four digits.

    Ranks are told as twice the rank, as ties end in .5; means of blocks in hundredths.
    """
    (left, top), (column, row) = corner, size
    whole = all(len(block) == 1 for block in (*found.judges, *found.candidates))
    whole &= scores or bool((2 * found.values == np.rint(2 * found.values)).all())
    times, what, form = (1, "score", ".4~g") if scores else (2 if whole else 100, "rank", "")
    if scores:
        units = np.array([[float(f"{value:.4g}") for value in cells] for cells in found.values])
        looks = _score_scale(results, units)
    else:
        units = np.rint(times * found.values).astype(int)
        looks = {"domain": [1, max(2, results.n)], "nice": False, "reverse": True}
        form = ".1f" if whole else ".2f"
    names = [_block_name(results.candidates, block) for block in found.candidates]
    chart = data(
        {"candidate": name, "row": top + k * row, "units": units[k]} for k, name in enumerate(names)
    )
    chart = then(chart, {"calculate": f"sequence(0, {len(found.judges)})", "as": "place"})
    chart = then(chart, {"flatten": ["units", "place"]})
    for name, formula in {
        what: f"datum.units / {times}",
        "x": f"{left} + datum.place * {column}",
        "x2": f"{left} + (datum.place + 1) * {column}",
        "y2": f"datum.row + {row}",
    }.items():
        chart = then(chart, {"calculate": formula, "as": name})
    judges = (
        {"place": k, "judge": _block_name(results.judges, block)}
        for k, block in enumerate(found.judges)
    )
    best = "1 is best" if not scores else results.direction()
    legend: Spec = {"title": f"{what} ({best})", "orient": "bottom", "direction": "horizontal"}
    legend |= {"gradientLength": round(min(160, x["scale"]["domain"][1] * 0.6)), "tickCount": 4}
    look = {
        "color": field(f"{what}:Q", legend=legend, scale=looks),
        "tooltip": tips(
            ("candidate:N", results.nouns.candidate),
            ("judge:N", results.nouns.judge),
            (f"{what}:Q", what if whole else f"mean {what}", form),
        ),
    }
    chart = lookup(chart, "place", judges)
    return mark("rect", chart, x=x, x2="x2:Q", y={**y, "field": "row"}, y2="y2:Q", **look)


def _score_scale(results: Results, values: Floats) -> Spec:
    """Return how scores are coloured: bright is better, by logarithms where they span decades."""
    low, high = float(values.min()), float(values.max())
    kind = "log" if low > 0 and high > DECADES * low else "linear"
    if low >= 0 and kind == "linear" and high > DECADES * float(np.median(values)) > 0:
        kind = "symlog"
    domain = [low, high if high > low else low + 1]
    scale: Spec = {"type": kind, "domain": domain, "nice": False}
    return scale | ({"reverse": True} if results.lower.all() else {})


def _corners(tree: Tree, size: float) -> list[tuple[int, int, float, float]]:
    """Return join, corner, place and height in pixels of all lines of a tree.

    Its foot stands a little below the lowest join, so that all joins can be seen.
    """
    joins = tree.branches()
    heights = [join[1][1] for join in joins] or [0.0]
    tallest = max(heights)
    foot = max(0.0, min(heights) - FOOT * (tallest - min(heights)))
    unit = size / (tallest - foot) if tallest > foot else 0.0
    return [
        (k, step, place, max(0.0, rise - foot) * unit)
        for k, join in enumerate(joins)
        for step, (place, rise) in enumerate(join)
    ]


# ------------------------------------------------------------------------------

MOST_SHOWN, FEW_SHOWN = 30, 10  # judges; the latter where candidates are as many as ``DENSE``
ID = re.compile("[0-9a-f]{16,}")
DIGITS = 1.08  # times that digits are wider than letters
NARROW = 400
HEAD = 22  # pixels for the names of columns
WIDEST_STEP = 80  # pixels between two columns
SET = "!datum.winner && !datum.order"
# The columns, each where candidates are more than so many, and what a change begins with there.
COLUMNS = {"winner": 0, "podium": 3, "top 10": 10, "others": 0}
SHORT = dict(zip(COLUMNS, ("1st", "top 3", "top 10", "rest"), strict=True))  # in little room
SHORT_STEP = 40
KIND_COLUMNS = dict(zip(("winner", "top3", "top10", "any"), COLUMNS, strict=True))
PLACES = {"podium": "change the podium", "top 10": "change the top 10", "others": "change places"}
MOST_TOLD = 10
# The most important change that a judge makes, in a word.
CHANGES = {
    "winner": "another winner",
    "top3_set": "another podium",
    "top3_order": "podium order",
    "top10_set": "another top 10",
    "top10_order": "top 10 order",
    "any": "other ranks",
}


@draws(Influence, figure="Fawcett et al. (2023), table 1", first=True, saved="unit")
def influence(found: Influence | Saved, *, width: int) -> Picture:
    """Show the judges without whom the ranking changes, by what changes, most decisive first."""
    every, facts, nouns = found.rows(), found.facts(), nouns_of(found)
    rows = [row for row in every if row["any"]]
    idle, one = len(every) - len(rows), facts["unit"]
    many, title = many_of(one), f"What changes without one {one}"
    if not rows:
        none = f"No {one} changes the ranking when it alone is left out."
        return Picture.sentence(title, none, width)
    columns = [KIND_COLUMNS[_most_important(facts, row).split("_")[0]] for row in rows]
    most = MOST_SHOWN if facts["candidates"] <= DENSE else FEW_SHOWN
    shown, more = rows[:most], max(0, len(rows) - most)
    if len(shown) > 1 and {*columns[:most]} in ({"podium"}, {"top 10"}, {"others"}):
        number = columns.count(columns[0])
        what = f"{number:,} of {counted(len(every), one, many)} {PLACES[columns[0]]}"
        none = f"{what} when left out alone; none changes who is first."
        return Picture.sentence(title, none, width)
    changes = [_change(facts, row) for row in shown]
    rest = f" {counted(more, one, many)} more {'changes' if more == 1 else 'change'} it."
    still = f" {counted(idle, 'other')} {'changes' if idle == 1 else 'change'} no rank."
    chart, tall = _change_dots(facts, nouns, shown, changes, inner(width))
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title=title,
        see=f"The most important place that changes without each of these {many}. Dot: others get "
        f"in. Ring: only the order changes.{rest if more else ''}{still if idle else ''}",
        alt=f"The ranking of {nouns.candidates(facts['candidates'])} by {spoken(facts['by'])}, "
        f"with one of {counted(len(every), one, many)} left out at a time. "
        + " ".join(
            f"Without {row['judge']}: {change}."
            for row, change in zip(shown[:MOST_TOLD], changes, strict=False)
        )
        + (f" {len(rows) - MOST_TOLD} more change the ranking." if len(rows) > MOST_TOLD else "")
        + f" {idle:,} of {len(every):,} change no rank.",
    )


def shown_id(name: str) -> str:
    """Return what is shown of a name: of a hash its ends are enough."""
    return shorten(name, 13) if ID.fullmatch(name) else name


def _most_important(facts: Row, row: Row) -> str:
    """Return the most important change that a judge makes, among those there can be."""
    n = facts["candidates"]
    apart = {f"top{k}_{what}" for k in TOPS for what in ("set", "order") if n <= k}
    return next(kind for kind in CHANGES if row[kind] and kind not in apart)


def _change(facts: Row, row: Row) -> str:
    """Return what changes without a judge, in words."""
    what = CHANGES[_most_important(facts, row)]
    for other in facts["winners"]:
        if row["winner"] and row["judge"] in other["without"]:
            what = f"{names_in_words(other['first'])} first"
    return f"{what}, {_moving(row)}"


def _moving(row: Row) -> str:
    return f"{len(row['moved'])} move{'s' if len(row['moved']) == 1 else ''}"


def _change_dots(
    facts: Row, nouns: Nouns, rows: list[Row], changes: list[str], across: int
) -> tuple[Spec, float]:
    """Return a dot for each judge, in the column of what changes without it, and the height."""
    one = facts["unit"]
    told = [
        change if row["winner"] and across > NARROW else _moving(row)
        for change, row in zip(changes, rows, strict=True)
    ]
    columns = [name for name, k in COLUMNS.items() if facts["candidates"] > k]
    words = min(max(map(label_width, told)), 0.4 * across)
    narrow = across <= NARROW
    share = across - words - 6 - SHORT_STEP * len(columns) if narrow else 0.3 * across
    room = min(DIGITS * max(label_width(shown_id(row["judge"])) for row in rows), share)
    step = min(WIDEST_STEP, (across - room - words - 6) / len(columns))
    at = {name: room + 6 + (k + 0.5) * step for k, name in enumerate(columns)}
    height = HEAD + len(rows) * ROW + 4
    kinds = [_most_important(facts, row) for row in rows]
    chart = data(
        {
            "y": HEAD + (k + 0.5) * ROW,
            "judge": fitting(shown_id(row["judge"]), room / DIGITS),
            "name": row["judge"],
            "x": at[KIND_COLUMNS[kinds[k].split("_")[0]]],
            "winner": row["winner"],
            "order": not row["winner"] and not kinds[k].endswith("_set"),
            "told": fitting(told[k], words + 4),
            "changes": changes[k],
            "moved": len(row["moved"]),
            "shift": row["shift"],
            "names": room,
            "label": room + 6 + step * len(columns),
        }
        for k, row in enumerate(rows)
    )
    tooltip = tips(
        ("name:N", f"without {one}"),
        "changes:N",
        ("moved:Q", f"{nouns.candidates()} that move"),
        ("shift:Q", "furthest"),
    )
    x, y = canvas(across, height)
    dot: Spec = {"x": x, "y": y, "tooltip": tooltip, "size": 60, "opacity": 1}
    guides = data({"x": place, "y": HEAD, "y2": height} for place in at.values())
    heads = [(place, HEAD / 2, SHORT[name] if narrow else name) for name, place in at.items()]
    layers = [
        mark("rule", guides, x=x, y=y, y2="y2:Q", style="faint"),
        text_layer(heads, x, y, style="muted"),
        mark("point", chart, where="datum.winner", **dot, style="ink", filled=True),
        mark("point", chart, where="datum.order", **dot, style="muted", strokeWidth=1.5),
        mark("point", chart, where=SET, **dot, style="muted", filled=True),
    ]
    for align, place, text in (("right", "names", "judge:N"), ("left", "label", "told:N")):
        x, y = canvas(across, height, place)
        style = {"tooltip": tooltip, "baseline": "middle", "align": align}
        layers.append(mark("text", chart, x=x, y=y, text=text, **style))
    return layer(*layers), height
