"""The tie groups as boxes."""

from __future__ import annotations

from typing import Any

import altair as alt

from deadheat.core.errors import counted
from deadheat.output.text import percent
from deadheat.report.charts.rows import DENSE, LOWEST, data, framed, name_of, told
from deadheat.report.charts.theme import COLUMN, ROW
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

LEFT = 34  # pixels for the number of a group
GAP, INSIDE = 8, 4  # pixels between two boxes, and between a box and what is in it
LEADER = "★"


@draws(Verdict, saved=True, figure="Fawcett et al. (2023), table 4")
def groups(verdict: Verdict | Saved, *, width: int) -> Picture:
    """Show the tie groups as boxes, best on top, with the leader of each."""
    boxes, rows, tall = _laid_out(verdict)
    y: dict[str, Any] = {
        "scale": alt.Scale(domain=[0, tall], reverse=True, nice=False),
        "axis": None,
    }
    frames = data(boxes)
    box = frames.mark_rect(style="faint", cornerRadius=4, opacity=0.5).encode(
        y=alt.Y("top:Q", **y), y2=alt.Y2("bottom:Q"), x=alt.value(LEFT), x2=alt.value("width")
    )
    numbers = frames.mark_text(style="ink", align="right", fontSize=14, fontWeight="bold").encode(
        y=alt.Y("middle:Q", **y), x=alt.value(LEFT - 8), text=alt.Text("group:N")
    )
    members = data(rows)
    hint = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("group:N"),
        alt.Tooltip("first:N", title="ranked first in"),
    ]
    shown = members.mark_text(
        style="ink", align="left", limit=width - LEFT - (92 if width <= COLUMN else 132)
    )
    names = shown.encode(
        y=alt.Y("y:Q", **y), x=alt.value(LEFT + 24), text=alt.Text("candidate:N"), tooltip=hint
    )
    stars = members.transform_filter("datum.leads").mark_text(style="accent", align="left")
    starred = stars.encode(y=alt.Y("y:Q", **y), x=alt.value(LEFT + 8), text=alt.value(LEADER))
    said = members.mark_text(style="muted", align="right", dx=-8)
    text = "first:N" if width <= COLUMN else "said:N"
    shares = said.encode(y=alt.Y("y:Q", **y), x=alt.value("width"), text=text)
    top = data([{"word": "ranked first" if width <= COLUMN else ""}])
    over = top.mark_text(style="muted", align="right", dx=-8, fontSize=10)
    above = over.encode(y=alt.value(-8), x=alt.value("width"), text=alt.Text("word:N"))
    n, parts = len(verdict.candidates), verdict.groups
    return Picture(
        chart=framed(
            alt.layer(box, numbers, names, starred, shares, above), width, tall, stiff=True
        ),
        title="Who is in a dead heat with whom",
        see=_see(verdict),
        alt=f"{n} candidates in {counted(len(parts), 'tie group')}, best first. "
        + told(
            [
                f"Group {place}: {_members(group)}; led by {name_of(leader)}."
                for place, (group, leader) in enumerate(
                    zip(parts, verdict.reading.leaders, strict=True), start=1
                )
            ]
        ),
    )


def _laid_out(
    verdict: Verdict | Saved,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    step = ROW if len(verdict.candidates) <= DENSE else LOWEST
    shares = {row["candidate"]: row["first_share"] for row in verdict.rows()}
    boxes, rows, top = [], [], 0
    for place, (group, leader) in enumerate(
        zip(verdict.groups, verdict.reading.leaders, strict=True), start=1
    ):
        tall = len(group) * step + 2 * INSIDE
        boxes.append({"group": place, "top": top, "bottom": top + tall, "middle": top + tall / 2})
        for k, name in enumerate(group):
            first = percent(shares[name])
            rows.append(
                {
                    "candidate": name,
                    "group": place,
                    "y": top + INSIDE + (k + 0.5) * step,
                    "leads": name == leader,
                    "first": first,
                    "said": f"first in {first}",
                }
            )
        top += tall + GAP
    return boxes, rows, top - GAP


def _see(verdict: Verdict | Saved) -> str:
    n = len(verdict.candidates)
    if verdict.undecided:
        return f"All {n} candidates are in one box: tests were not enough to tell them apart."
    if len(verdict.groups) == 1:
        return f"All {n} candidates are in one box: a dead heat of everybody, led by {LEADER}."
    below = ", and tests put all in the boxes below under it" if verdict.reading.shows else ""
    return f"A box is a dead heat, the best on top; {LEADER} leads its box{below}."


def _members(group: tuple[str, ...]) -> str:
    shown = ", ".join(name_of(name) for name in group[:12])
    return shown if len(group) <= 12 else f"{shown} and {len(group) - 12} more"
