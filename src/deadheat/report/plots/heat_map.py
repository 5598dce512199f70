"""The rank that each judge gives each candidate, alike ones side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deadheat.agree.api import Agreement
from deadheat.agree.judges import complete
from deadheat.agree.maps import Clustered, Tree, clustered
from deadheat.core.errors import counted, listed
from deadheat.data.results import Results
from deadheat.output.text import number
from deadheat.report.charts.placement import (
    LINE,
    fitting,
    inner,
    label_width,
    pixels_across,
    pixels_down,
    written,
)
from deadheat.report.charts.rows import height
from deadheat.report.charts.spec import View, data, field, framed, layer, looked_up, mark, then
from deadheat.report.picture import Picture, draws

MOST = 200
BLOCKS = 100  # where there are more than that
THINNEST = 2  # pixels of a column
WIDEST = 44
NAMED = 11  # pixels of a column that has room for a name
NAME = 96  # pixels that the name of a judge may take
TREE = 0.09  # of the width
TOLD = 12
FOOT = 0.2  # below the lowest join of a tree, as a share of the heights of its joins


@draws(Agreement, Results, figure="Pavao et al. (2021), supplement, figures 1 to 3")
def heat_map(found: Agreement | Results, *, width: int) -> Picture:
    """Show the rank that each judge gives each candidate, with trees of what is alike."""
    results = found.results if isinstance(found, Agreement) else complete(found)
    n, m, across = results.n, results.m, inner(width)
    more = label_width(" +99") if n > MOST else 0
    names = min(max(map(label_width, results.candidates)) + more, 0.3 * across)
    tree = max(22, TREE * across)
    room = across - names - tree - 10
    clusters = clustered(
        results,
        most_judges=min(MOST if m <= MOST else BLOCKS, int(room / THINNEST)),
        most_candidates=MOST if n <= MOST else BLOCKS,
    )
    blocks = [
        f"{many:,} {what} are shown as {len(shown)} blocks of alike ones with their mean ranks"
        for what, many, shown in (
            ("candidates", n, clusters.candidates),
            ("judges", clusters.seen, clusters.judges),
        )
        if many > len(shown)
    ]
    blocks += [f"only {clusters.seen:,} of {m:,} judges are shown"] if clusters.seen < m else []
    said = "".join(f"; {text}" for text in blocks)
    told = [
        f"{_named(results.candidates, block)} {number(float(mean), 1)}"
        for block, mean in zip(clusters.candidates, clusters.means, strict=True)
    ]
    chart, tall = _chart(results, clusters, across, names, tree, room)
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title="rank by judge and candidate",
        see="Candidates (rows) and judges (columns) that are alike stand side by side, joined by "
        f"lines that are shorter the more alike they are{said}.",
        alt=f"Ranks that {counted(m, 'judge')} give {counted(n, 'candidate')}, 1 is best{said}. "
        f"Candidates from top to bottom with their mean rank: {listed(told, most=TOLD)}.",
    )


def _named(names: Sequence[str], block: tuple[int, ...], room: float = 300) -> str:
    """Return the name of the first of a block, and how many more there are."""
    more = f" +{len(block) - 1:,}" if len(block) > 1 else ""
    return f"{fitting(names[block[0]], room - (label_width(more) if more else 0))}{more}"


def _chart(
    results: Results, found: Clustered, across: int, names: float, tree: float, room: float
) -> tuple[View, float]:
    """Return the chart, laid out in pixels, and its height."""
    judges, candidates = found.judges, found.candidates
    column = max(1, min(WIDEST, int(room / len(judges))))
    row = height(len(candidates)) / len(candidates)
    left, top = round(names) + 5, round(tree) + 3 if len(judges) > 1 else 2
    right, bottom = left + column * len(judges), top + height(len(candidates))
    turned: dict[str, Any] = {"align": "left"}
    room_below: float = LINE
    if column < NAMED:
        text = counted(found.seen, "judge")
        below: list[dict[str, Any]] = [{"x": left, "y": bottom + LINE / 2 + 3, "text": text}]
    else:
        texts = [_named(results.judges, block, NAME) for block in judges]
        below = [
            {"x": left + (k + 0.5) * column, "y": bottom + 4, "text": text}
            for k, text in enumerate(texts)
        ]
        turned |= {"align": "right", "angle": 270}
        room_below = max(map(label_width, texts))
    tall = bottom + room_below + 6
    x, y = pixels_across(across), pixels_down(tall)
    trees = (
        [
            {"line": k, "step": s, "x": left + place * column, "y": top - 3 - rise}
            for k, s, place, rise in _corners(found.judge_tree, top - 5)
        ],
        [
            {"line": k, "step": s, "x": right + 3 + rise, "y": top + place * row}
            for k, s, place, rise in _corners(found.candidate_tree, tree)
        ],
    )
    join = {"detail": "line:N", "order": "step:Q", "style": "muted", "strokeWidth": 1}
    beside = [
        {
            "x": left - 4,
            "y": top + (k + 0.5) * row,
            "text": _named(results.candidates, block, names),
        }
        for k, block in enumerate(candidates)
    ]
    chart = layer(
        _cells(results, found, across, tall, left, top, column, row),
        *(
            mark("line", data({k: round(v, 1) for k, v in r.items()} for r in rows), **at, **join)
            for rows in trees
            if rows
            for at in [{"x": x, "y": y}]
        ),
        written(beside, x, y, align="right"),
        written(below, x, y, **turned),
    )
    return chart, tall


def _cells(
    results: Results,
    found: Clustered,
    across: int,
    tall: float,
    left: int,
    top: int,
    column: int,
    row: float,
) -> View:
    """Return the cells, told in few letters: whole numbers, row by row.

    Ranks are told as twice the rank, as ties end in .5; means of blocks in hundredths.
    """
    whole = all(len(block) == 1 for block in (*found.judges, *found.candidates))
    times = 2 if whole else 100
    units = np.rint(times * found.ranks).astype(int)
    chart = data(
        {
            "candidate": _named(results.candidates, block),
            "row": top + k * row,
            "units": units[k],
        }
        for k, block in enumerate(found.candidates)
    )
    chart = then(chart, {"calculate": f"sequence(0, {len(found.judges)})", "as": "place"})
    chart = then(chart, {"flatten": ["units", "place"]})
    for name, formula in {
        "rank": f"datum.units / {times}",
        "x": f"{left} + datum.place * {column}",
        "x2": f"{left} + (datum.place + 1) * {column}",
        "y2": f"datum.row + {row}",
    }.items():
        chart = then(chart, {"calculate": formula, "as": name})
    judges = (
        {"place": k, "judge": _named(results.judges, block)} for k, block in enumerate(found.judges)
    )
    legend = {"title": "rank (1 is best)", "orient": "bottom", "direction": "horizontal"}
    legend |= {"gradientLength": round(min(160, across * 0.6)), "tickCount": 4}
    scale = {"domain": [1, max(2, results.n)], "nice": False, "reverse": True}
    mean = {"title": "rank", "format": ".1f"} if whole else {"title": "mean rank", "format": ".2f"}
    return mark(
        "rect",
        looked_up(chart, "place", judges),
        x=pixels_across(across),
        x2="x2:Q",
        y=pixels_down(tall, "row"),
        y2="y2:Q",
        color=field("rank:Q", legend=legend, scale=scale),
        tooltip=["candidate:N", "judge:N", field("rank:Q", **mean)],
    )


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
