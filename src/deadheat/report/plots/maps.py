"""Maps, on which what is alike stands close together, with as many names as have room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from deadheat.agree.api import Agreement
from deadheat.agree.maps import bin_points, judge_map
from deadheat.core.errors import counted, listed, plural_of
from deadheat.core.types import Floats, Integers
from deadheat.criteria.result import Criteria, on_the_map
from deadheat.criteria.trials import moments
from deadheat.data.results import Nouns
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first, best_of
from deadheat.rate.tournaments import RatingParts
from deadheat.report.charts.pixels import (
    LINE,
    Frame,
    fitting,
    inner,
    label_layers,
    place_and_label,
    place_labels,
    unlabelled_note,
)
from deadheat.report.charts.rows import called, name_of, nouns_of, prose, table_name
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark, tips
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.statistics.embedding import scale_to_plane

TOLD = 12
AXIS = 56  # pixels that an axis and its title take: of concordance, of judges, of data sets
JUDGES_AXIS = 48
RATINGS_AXIS = 50
SHAPE = 0.8  # height of a map with axes, as a share of its width
DOT = {"style": "muted", "filled": True}
LINES = {"style": "muted", "strokeWidth": 1.2, "opacity": 0.6}


def _point_rows(names: Sequence[str], points: Floats, what: str = "name") -> Spec:
    places = zip(names, points.tolist(), strict=True)
    return data({what: name, "x": x, "y": y} for name, (x, y) in places)


# ------------------------------------------------------------------------------

FLATTEST = 0.62  # height of the map, as a share of its width
LOWEST = 140


@draws(Criteria, saved="correlations", figure="Pavao et al. (2021), supplement, figure 4", trials=0)
def functions_map(found: Criteria | Saved, *, width: int) -> Picture:
    """Show ranking functions as points, close together where they rank alike."""
    correlations = found.facts()["correlations"]
    names = [row["function"] for row in found.rows()[:-1]]
    matrix = np.array([[correlations[a][b] for b in names] for a in names], dtype=np.float64)
    there = on_the_map(matrix)
    kept = [names[k] for k in there]
    apart = 1 - matrix[np.ix_(there, there)]
    title = "Which ways of counting rank alike"
    if not kept or apart.max() < ALIKE:
        alike = "alike" if not kept or not apart.any() else "almost alike"
        same = f"All {counted(len(names), 'way', 'ways')} of counting rank {alike}."
        return Picture.sentence(title, same, width)
    scaling = scale_to_plane(apart)
    points, across = scaling.points, inner(width)
    wide, high = np.ptp(points, axis=0).tolist() if kept else (0.0, 0.0)
    shape = high / wide if wide > 0 else 0.0  # flat where the points are
    tall = round(min(max(across * shape, LOWEST), across * FLATTEST))
    frame = Frame.square(points if kept else np.zeros((1, 2)), across, tall)
    x, y = frame.x(axis=None), frame.y(axis=None)
    spoken_names = [called(found, name) for name in kept]
    labels, boxes = place_and_label(frame, points, spoken_names, 0.45, x, y)
    dots = _point_rows(kept, points, "function")
    chart = layer(
        mark("point", dots, x=x, y=y, tooltip=["function:N"], **DOT, size=70, opacity=0.8),
        *labels,
    )
    error = round(100 * scaling.stress)
    truth = f"with an error of about {error} %" if error else "almost exactly"
    missing = len(names) - len(kept)
    out = f" {counted(missing, 'function')} that tie everybody left out." if missing else ""
    reach = f" The furthest two correlate by {number(1 - float(apart.max()), 2)}."
    kind = "Spearman's rho" if found.made["correlation"] == "spearman" else "Kendall's tau-b"
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title=title,
        see=f"The closer two stand, the more alike they rank; the map is right {truth}.{reach}{out}"
        f"{unlabelled_note(boxes, 'function')}",
        alt=f"A map of {counted(len(kept), 'ranking function')} by distances of 1 - {kind} between "
        f"their rankings, stress {number(scaling.stress, 3)}. {_nearest(spoken_names, apart)}",
    )


def _nearest(names: list[str], apart: Floats) -> str:
    if len(names) < 2:
        return "There is nothing to compare."
    others = apart + np.where(np.eye(len(names), dtype=bool), np.inf, 0)
    near = [
        f"{name} and {names[best_of(-others[k])]} ({number(float(others[k].min()), 3)})"
        for k, name in enumerate(names)
    ]
    a, b = divmod(best_of(apart.ravel()), len(names))
    return (
        f"Furthest apart: {names[a]} and {names[b]} ({number(float(apart[a, b]), 3)}). "
        f"Nearest to each: {listed(near, most=TOLD)}."
    )


# ------------------------------------------------------------------------------

SHORTEST = 260
AGREEMENT = "Where they agree, some predict the others"
ALIKE = 0.005  # of 1 less a correlation, that no map shows


@draws(Criteria, figure="Pavao et al. (2021), supplement, figure 5", saved="by_table")
def concordance(found: Criteria | Saved, *, width: int) -> Picture:
    """Show how much the judges of each table agree, and how well rankings predict unseen ones."""
    facts, judges = found.facts(), nouns_of(found).judges()
    every = [*map(table_name, facts["tables"])]
    w = np.array(facts["kendall_w"], dtype=np.float64)
    if len(every) == 1:
        alone = "This picture compares tables, and there is only one."
        if np.isfinite(w[0]):
            alone += f" On it Kendall's W of the {judges} is {number(float(w[0]), 2)}."
        return Picture.sentence(AGREEMENT, alone, width)
    values = moments(np.array(facts["by_table"]["generalization"], dtype=np.float64)[:, :-1])[0]
    points = np.column_stack([w, values])
    there = np.asarray(np.isfinite(points).all(axis=1))
    names = [name for name, kept in zip(every, there, strict=True) if kept]
    points = points[there]
    low, high = (points[:, 1].min(), points[:, 1].max()) if names else (0.0, 1.0)
    margin = max(0.15 * (high - low), 0.02)
    tall = max(SHORTEST, (len(names) + 1) * LINE)
    frame = Frame(width - AXIS, tall, (0.0, 1.0), (float(low - margin), float(high + margin)))
    x = frame.x(title="Kendall's W", axis={"tickCount": 5})
    y = frame.y(title=f"unseen {judges} predicted")
    labels, boxes = place_and_label(frame, points, names, 0.34, x, y)
    tooltip = tips("name:N", ("x:Q", "Kendall's W", ".3f"), ("y:Q", "generalization", ".3f"))
    chart = layer(
        mark(
            "point",
            _point_rows(names, points),
            x=x,
            y=y,
            tooltip=tooltip,
            **DOT,
            size=60,
            opacity=1,
        ),
        *labels,
    )
    missing = len(every) - len(names)
    said = [
        f"{name}: W {number(w, 3)}, {number(value, 3)}"
        for name, (w, value) in zip(names, points.tolist(), strict=True)
    ]
    see = (
        f"A point: a table. The further right, the more its {judges} agree; the higher, the better "
        f"rankings of some {judges} predict the others"
    )
    see += f"; {counted(missing, 'table')} without a defined value left out" if missing else ""
    return Picture(
        view=framed(chart, width, frame.height, stiff=True),
        title=AGREEMENT,
        see=f"{see}{unlabelled_note(boxes, 'table')}.",
        alt=f"Kendall's W and mean generalization of {counted(len(every), 'table')}. "
        + "; ".join(said[:TOLD])
        + (f"; {len(said) - TOLD} more" if len(said) > TOLD else "")
        + ("." if said else "Nothing is defined."),
    )


# ------------------------------------------------------------------------------

Named = tuple[list[str], Floats]
MOST_POINTS = 400
HEAP = 16  # pixels across a heap of judges
MOST_LABELS = 40
MOST_LINES = 60
MOST_FAMILIES, OTHERS = 6, "others"  # that have a colour each


@draws(Agreement)
def judges_map(found: Agreement, *, width: int) -> Picture:
    """Show judges as points, alike ones close together, and candidates as directions."""
    placing, results = judge_map(found.results), found.results
    nouns = results.nouns
    judges, title = nouns.judges(), f"Which {nouns.judges()} rank alike"
    if not placing.points.any():
        return Picture.sentence(title, f"All {judges} rank alike.", width)
    across = width - JUDGES_AXIS
    places = np.concatenate([placing.points, placing.arrows])
    frame = Frame.square(places, across, max(200, round(across * SHAPE)))
    quiet = {"labels": False, "ticks": False, "grid": False, "domain": False}
    shares = [percent(share) for share in placing.shares]
    x = frame.x(title=f"first component, {shares[0]}", axis=quiet)
    y = frame.y(title=f"second component, {shares[1]}", axis=quiet)
    outer = _furthest(placing.arrows)[:MOST_LINES]
    candidates, ends = [results.candidates[i] for i in outer.tolist()], placing.arrows[outer]
    points = placing.points
    counts: Integers = np.ones(len(points), dtype=np.int64)
    many = len(points) > MOST_POINTS
    if many:
        long = float(np.ptp(points, axis=0).max()) / (frame.across[1] - frame.across[0])
        points, counts = bin_points(points, cells=max(4, int(long * frame.width / HEAP)))
    order = _furthest(points)
    named = [] if many else [results.judges[placing.judges[k]] for k in order.tolist()]
    points = points[order]
    families: list[str] = []
    of = results.strata or results.clusters
    what = "family" if results.strata else nouns.cluster
    if not many and of is not None:
        families = _largest([of[placing.judges[k]] for k in order.tolist()])
    lines = [
        {"candidate": name, "x": 0.0, "y": 0.0, "x2": end[0], "y2": end[1]}
        for name, end in zip(candidates, ends.tolist(), strict=True)
    ]
    zero: list[dict[str, Any]] = [
        {"x": frame.across[0], "x2": frame.across[1], "y": 0.0},
        {"x": 0.0, "y": frame.up[0], "y2": frame.up[1]},
    ]
    chart = layer(
        mark("rule", data(zero[:1]), x=x, x2="x2:Q", y=y, style="faint"),
        mark("rule", data(zero[1:]), x=x, y=y, y2="y2:Q", style="faint"),
        mark("rule", data(lines), x=x, y=y, x2="x2:Q", y2="y2:Q", tooltip=["candidate:N"], **LINES),
        _judges(named, points, counts[order], families, (nouns, what), width, x, y),
        *_names(frame, (candidates, ends), ([] if families else named, points), x, y),
    )
    seen, m, n = len(placing.judges), results.m, results.n
    said = f" Circles are heaps of {judges}." if many else ""
    said += f" {seen:,} of {m:,} {judges} are drawn." if seen < m else ""
    said += f" Lines: the {MOST_LINES} furthest out of {nouns.candidates(n)}." * (n > MOST_LINES)
    said += f" Colour: the {what}." if families else ""
    far = found.names(placing.judges[_furthest(placing.points)[:TOLD]].tolist())
    telling = (
        f"The two axes show {' and '.join(shares)} of the differences. "
        f"{nouns.candidates().capitalize()} that {judges} differ about, furthest out first: "
        f"{listed(candidates[:TOLD], most=TOLD)}. "
        f"{judges.capitalize()} furthest from the middle: {listed(far, most=TOLD)}."
    )
    return Picture(
        view=framed(chart, width, frame.height, stiff=True),
        title=title,
        see=f"{judges.capitalize()} (points) that stand close together rank alike; a "
        f"{nouns.candidate} (line) points to the {judges} that rank it better than the others "
        f"do.{said}",
        alt=f"A map of {nouns.judges(m)} and {nouns.candidates(n)} by ranks. {telling}",
    )


def _furthest(points: Floats) -> Integers:
    return best_first((points**2).sum(axis=1))


def _largest(families: list[str]) -> list[str]:
    """Return the family of each judge, those beyond the largest few as others."""
    large = [name for name, _ in Counter(families).most_common(MOST_FAMILIES)]
    return [name if name in large else OTHERS for name in families]


def _judges(
    named: list[str],
    points: Floats,
    counts: Integers,
    families: list[str],
    called: tuple[Nouns, str],
    width: int,
    x: Spec,
    y: Spec,
) -> Spec:
    nouns, what = called
    names = named or [nouns.judges(int(count)) for count in counts]
    groups = families or [""] * len(names)
    rows = data(
        {"judge": name, "family": group, "count": count, "x": round(at[0], 4), "y": round(at[1], 4)}
        for name, group, count, at in zip(
            names, groups, counts.tolist(), points.tolist(), strict=True
        )
    )
    tooltip = tips(("judge:N", nouns.judge), *([("family:N", what)] if families else []))
    both: Spec = {"x": x, "y": y, "tooltip": tooltip}
    if families:
        known = [name for name, _ in Counter(families).most_common() if name != OTHERS]
        domain = known + [OTHERS] * (OTHERS in families)
        legend = {"title": None, "columns": max(1, width // 140), "symbolOpacity": 1}
        colour = field("family:N", scale={"domain": domain}, legend=legend)
        return mark("point", rows, **both, color=colour, filled=True, size=40, opacity=0.8)
    if named:
        return mark("point", rows, **both, **DOT, size=40, opacity=0.7)
    most = int(counts.max())
    size = field(
        "count:Q",
        title=nouns.judges(),
        scale={"domain": [0, most], "range": [0, HEAP**2]},
        legend={"values": sorted({1, -(-most // 2), most})},
    )
    return mark("circle", rows, **both, size=size, style="muted", opacity=0.6)


def _names(frame: Frame, arrows: Named, judged: Named, x: Spec, y: Spec) -> list[Spec]:
    """Return the names that have room, candidates before judges, those furthest out first."""
    heads, dots = frame.pixels(arrows[1]), frame.pixels(judged[1])
    first, second = arrows[0][:MOST_LABELS], judged[0][:MOST_LABELS]
    pixels = [*heads[:MOST_LABELS], *dots[: len(second)]]
    texts = [fitting(name, 0.3 * frame.width) for name in (*first, *second)]
    boxes = place_labels(
        pixels, texts, width=frame.width, height=frame.height, taken=[*heads, *dots]
    )
    k = len(first)
    below = label_layers(frame, pixels[k:], texts[k:], boxes[k:], x, y, "muted")
    return below + label_layers(frame, pixels[:k], texts[:k], boxes[:k], x, y)


# ------------------------------------------------------------------------------

MOST_ARROWS, FEW_ARROWS = 12, 6  # the second where there is little room
NARROW = 400  # pixels, below which that is so
SQUARE = 1.05  # height of such a map, as a share of its width
LONGEST = 0.3  # of the picture, that a label may take


@draws(RatingParts, figure="Gosiewska et al. (2019), figure 4")
def embedding(rated: RatingParts, *, width: int) -> Picture:
    """Show which data sets rate the settings alike: a map of them, with arrows for settings."""
    found = rated.embedding()
    points, arrows = _plane(found.points), _plane(found.arrows)
    across = width - RATINGS_AXIS
    most, shape = (FEW_ARROWS, SQUARE) if across < NARROW else (MOST_ARROWS, SHAPE)
    tall = across * shape
    far = best_first(np.hypot(*arrows.T))[:most].tolist()
    arrows, settings = arrows[far], [found.settings[k] for k in far]
    frame = Frame.square(np.vstack([points, arrows, [[0.0, 0.0]]]), across, tall)
    order = best_first(np.hypot(*(points - points.mean(axis=0)).T)).tolist()
    k, names = len(order), [*(found.data_sets[d] for d in order), *settings]
    texts = [fitting(name, LONGEST * width) for name in names]
    pixels = frame.pixels(np.vstack([points[order], arrows]))
    boxes = place_labels(pixels, texts, width=across - LINE, height=tall - LINE, far=True)
    shares = [*map(percent, found.shares.tolist()), percent(0.0)]
    axis = {"tickCount": 5, "grid": True}
    x = frame.x(title=f"component 1 ({shares[0]} of the variance)", axis=axis)
    y = frame.y(title=f"component 2 ({shares[1]})", axis=axis)
    places = zip(points.tolist(), found.data_sets, strict=True)
    sets = data({"x": a, "y": b, "name": name} for (a, b), name in places)
    heads = data(
        {"x": 0.0, "y": 0.0, "x2": a, "y2": b, "name": name, "turn": turn}
        for name, (a, b) in zip(settings, arrows.tolist(), strict=True)
        for turn in [float(np.degrees(np.arctan2(a, b)) % 360)]  # from up, to the right
    )
    tip = {"style": "muted", "shape": "triangle", "filled": True, "size": 40, "opacity": 1}
    turned: Spec = {"angle": field("turn:Q", scale=None), "tooltip": "name:N", **tip}
    setting, data_set = (field("name:N", title=title) for title in ("setting", rated.noun))
    dot = {"tooltip": data_set, "style": "muted", "size": 60, "opacity": 1}
    chart = layer(
        mark("rule", heads, x=x, y=y, x2="x2:Q", y2="y2:Q", tooltip=setting, **LINES),
        mark("point", heads, x="x2:Q", y="y2:Q", **turned),
        mark("circle", sets, x=x, y=y, **dot),
        *label_layers(frame, pixels[k:], texts[k:], boxes[k:], x, y, "muted"),
        *label_layers(frame, pixels[:k], texts[:k], boxes[:k], x, y),
    )
    plural = plural_of(rated.noun)
    settled = rated.nouns.candidates()
    whole = len(far) == len(found.settings)
    which = "" if whole else f" of the {len(far)} most telling {settled}"
    said = [
        f"{name_of(name)} at {', '.join(number(v, 2) for v in place)}."
        for name, place in zip(found.data_sets, found.points.tolist(), strict=True)
    ]
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title=f"Which {plural} rate alike",
        see=f"{plural.capitalize()} (points) that stand close together rate the {settled} alike; "
        f"an arrow{which} points to the {plural} where that one does better than elsewhere"
        f"{unlabelled_note(boxes, 'point')}.",
        alt=f"Map of {counted(len(said), rated.noun, plural)}, which shows "
        f"{percent(min(1.0, float(found.shares.sum())))} of the variance of their ratings. "
        + prose(said),
    )


def _plane(places: Any) -> Any:
    """Return places (k, 2), also where there is one component only."""
    return places if places.shape[1] == 2 else np.column_stack([places[:, 0], 0 * places[:, 0]])
