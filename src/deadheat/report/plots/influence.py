"""The judges that the ranking hangs on."""

from __future__ import annotations

from typing import Any

from deadheat.core.errors import counted
from deadheat.core.types import Row
from deadheat.influence.api import TOPS, Influence
from deadheat.rank.words import names_in_words
from deadheat.report.charts.placement import (
    fitting,
    inner,
    label_width,
    pixels_across,
    pixels_down,
    said,
)
from deadheat.report.charts.spec import View, data, field, framed, layer, mark
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws

MOST = 30
NARROW = 300
TOLD = 10
# The most important change that a judge makes, in a word, and how its bar is drawn.
CHANGES = {
    "winner": ("another winner", "second"),
    "top3_set": ("another podium", "accent"),
    "top3_order": ("podium order", "accent"),
    "top10_set": ("another top 10", "third"),
    "top10_order": ("top 10 order", "third"),
    "any": ("other ranks", "muted"),
}


@draws(Influence, figure="Fawcett et al. (2023), table 1", first=True)
def influence(found: Influence, *, width: int) -> Picture:
    """Show the judges without whom the ranking changes, by what changes, most decisive first."""
    rows = [row for row in found.rows() if row["any"]]
    idle = len(found.parts) - len(rows)
    shown, more = rows[:MOST], max(0, len(rows) - MOST)
    one, many = found.parts.one, found.parts.many
    across = inner(width)
    nothing = fitting(f"no {one} alone changes a rank", across)
    chart = _bars(found, shown, across) if shown else said(nothing, across)
    rest = [f"{found.parts.counted(more)} more change the ranking"] if more > 1 else []
    rest += [f"1 {one} more changes it"] if more == 1 else []
    rest += [f"{idle:,} other{' changes' if idle == 1 else 's change'} no rank"] if idle else []
    see = (
        f"Without any one of these {many} the ranking changes; a bar is as long as the number of "
        "candidates that move"
    )
    none = f"No {one} changes the ranking when it alone is left out"
    by = found.function.called(found.results)
    return Picture(
        view=framed(chart, width, max(1, len(shown)) * ROW + 4, stiff=True),
        title=f"what changes without one {one}",
        see="; ".join([see, *rest] if shown else [none]) + ".",
        alt=f"The ranking of {counted(found.results.n, 'candidate')} by {by}, with one of "
        f"{found.parts.counted(len(found.parts))} left out at a time. "
        + ("" if shown else f"{none}. ")
        + " ".join(f"Without {row['judge']}: {_change(found, row)[0]}." for row in shown[:TOLD])
        + (f" {len(rows) - TOLD} more change the ranking." if len(rows) > TOLD else "")
        + (f" {idle:,} of {len(found.parts):,} change no rank." if shown else ""),
    )


def _change(found: Influence, row: Row) -> tuple[str, str]:
    """Return what changes without a judge, in words, and how its bar is drawn."""
    apart = {f"top{k}_{what}" for k in TOPS for what in ("set", "order") if found.results.n <= k}
    what, look = next(CHANGES[kind] for kind in CHANGES if row[kind] and kind not in apart)
    if row["winner"]:
        winners = {name: w["first"] for w in found.winners() for name in w["without"]}
        what = f"{names_in_words(winners[row['judge']])} first"
    return f"{what}, {len(row['moved'])} move{'s' if len(row['moved']) == 1 else ''}", look


def _bars(found: Influence, rows: list[Row], across: int) -> View:
    room = min(max(label_width(row["judge"]) for row in rows), 0.32 * across)
    changes = [_change(found, row) for row in rows]
    widest = (0.42 if across > NARROW else 0.54) * across
    words = min(max(label_width(change) for change, _ in changes), widest)
    left, right = room + 6, across - words - 6
    most = max(1, *(len(row["moved"]) for row in rows))
    ends = [left + (right - left) * len(row["moved"]) / most for row in rows]
    height = len(rows) * ROW + 4
    chart = data(
        {
            "y": k * ROW + ROW / 2 + 2,
            "top": k * ROW + 5,
            "bottom": k * ROW + ROW - 1,
            "judge": fitting(row["judge"], room),
            "name": row["judge"],
            "start": left,
            "end": ends[k],
            "label": ends[k] + 5,
            "told": fitting(change, words + 4),
            "changes": change,
            "moved": len(row["moved"]),
            "shift": row["shift"],
            "look": look,
            "names": room,
        }
        for k, (row, (change, look)) in enumerate(zip(rows, changes, strict=True))
    )
    tooltip = [
        field("name:N", title=f"without {found.parts.one}"),
        field("changes:N"),
        field("moved:Q", title="candidates that move"),
        field("shift:Q", title="furthest"),
    ]
    bar: dict[str, Any] = {"x": pixels_across(across, "start"), "x2": "end:Q", "tooltip": tooltip}
    bar |= {"y": pixels_down(height, "top"), "y2": "bottom:Q"}
    text = {"y": pixels_down(height), "tooltip": tooltip, "baseline": "middle"}
    looks = dict.fromkeys(look for _, look in CHANGES.values())
    return layer(
        *(mark("bar", chart, where=f"(datum.look === '{k}')", **bar, style=k) for k in looks),
        *(
            mark("text", chart, x=pixels_across(across, place), text=words_, **text, align=align)
            for align, place, words_ in (("right", "names", "judge:N"), ("left", "label", "told:N"))
        ),
    )
