"""The tie groups as boxes."""

from __future__ import annotations

from typing import Any

from deadheat.core.errors import counted
from deadheat.output.text import percent
from deadheat.report.charts.rows import DENSE, LOWEST, heading, name_of, told
from deadheat.report.charts.spec import data, field, framed, layer, mark, value
from deadheat.report.charts.theme import COLUMN, ROW
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

LEFT = 34  # pixels for the number of a group
GAP, INSIDE = 8, 4  # pixels between two boxes, and between a box and what is in it
LEADER = "★"
TOLD = 12


@draws(Verdict, saved=True, figure="Fawcett et al. (2023), table 4")
def groups(verdict: Verdict | Saved, *, width: int) -> Picture:
    """Show the tie groups as boxes, best on top, with the leader of each."""
    step = ROW if len(verdict.candidates) <= DENSE else LOWEST
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
        names = ", ".join(map(name_of, group[:TOLD]))
        names += f" and {len(group) - TOLD} more" if len(group) > TOLD else ""
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
    x = {at: value(LEFT + at) for at in (-8, 0, 8, 24)}
    shown = "first:N" if slim else "said:N"
    edge, led = value("width"), "datum.leads"
    chart = layer(
        mark("rect", frames, y=upper, y2="bottom:Q", x=x[0], x2=edge, **box),
        mark("text", frames, y=middle_, x=x[-8], text="group:N", **number),
        mark("text", members, y=y, x=x[24], text="candidate:N", tooltip=hint, **name_look),
        mark("text", members, where=led, y=y, x=x[8], text=value(LEADER), **star),
        mark("text", members, y=y, x=edge, text=shown, **share),
        heading("ranked first" if slim else "", dx=-8, align="right"),
    )
    return Picture(
        view=framed(chart, width, tall, stiff=True),
        title="Who is in a dead heat with whom",
        see=_see(verdict),
        alt=f"{len(rows)} candidates in {counted(len(boxes), 'tie group')}, best first. "
        + told(said),
    )


def _see(verdict: Verdict | Saved) -> str:
    n = len(verdict.candidates)
    if verdict.undecided:
        return f"All {n} candidates are in one box: tests were not enough to tell them apart."
    if len(verdict.groups) == 1:
        return f"All {n} candidates are in one box: a dead heat of everybody, led by {LEADER}."
    below = ", and tests put all in the boxes below under it" if verdict.reading.shows else ""
    return f"A box is a dead heat, the best on top; {LEADER} leads its box{below}."
