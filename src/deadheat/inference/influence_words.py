"""What leaving out a judge changes, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deadheat.errors import bare, counted, listed
from deadheat.inference.changes import TOPS, Changes, Original
from deadheat.inference.flips import Flip
from deadheat.inference.parts import Parts
from deadheat.result import Column, Grid

if TYPE_CHECKING:
    from deadheat.inference.influence import Influence

PODIUM = 3
MOST_ROWS = 20
MOST_NAMES = 3
MOST_PARTS = 5


def verdict(found: Influence) -> str:
    """Return how many parts change what, the most decisive one, and what a change would take."""
    return " ".join(filter(None, (_lead(found), _most_decisive(found), _flip(found))))


def grid(found: Influence) -> Grid:
    """Return the parts that change something, the most decisive first, at most twenty."""
    changing = int(found.changes.flag("any").sum())
    if not changing:
        return Grid(columns=(), cells=())
    shown = found.decisive_first[: min(changing, MOST_ROWS)].tolist()
    columns = (
        Column(name=f"without {found.parts.one}"),
        Column(name="first"),
        *(Column(name=f"top {k}") for k in TOPS[::-1] if found.results.n > k),
        Column(name="moved"),
        Column(name="furthest"),
    )
    cells = tuple(
        (
            found.parts.names[k],
            names_in_words(found.names(found.changes.winners[k]))
            if k in found.changes.winners
            else "same",
            *(_top(found, k, place) for place in TOPS[::-1] if found.results.n > place),
            int(found.changes.number[k]),
            float(found.changes.shift[k]),
        )
        for k in shown
    )
    more = changing - len(shown)
    kind = f"more {found.parts.one} changes" if more == 1 else f"more {found.parts.many} change"
    notes = (f"{more:,} {kind} the ranking.",) if more else ()
    return Grid(columns=columns, cells=cells, notes=notes)


def warnings(original: Original, changes: Changes, parts: Parts) -> Iterator[str]:
    """Warn of a tie across the last place of the top 10 or 3, and of candidates without a rank."""
    n = len(original.places)
    for k in TOPS:
        size = original.size_of_top(k)
        if k < n and size > k:
            yield (
                f"the top {k} are {size:,} candidates: a tie across place {k} lets all of them in."
            )
    silent = int((changes.unranked > 0).sum())
    if silent:
        yield (
            f"without {parts.counted(silent)} some candidate has no score left, and no rank: that "
            "counts as a change."
        )


def flip_in_words(flip: Flip, candidates: Sequence[str], parts: Parts) -> str:
    """Return what it takes to put one candidate level with another, or ahead of it."""
    ahead, behind = (short(candidates[i]) for i in (flip.ahead, flip.behind))
    names = listed((parts.names[k] for k in flip.parts), most=MOST_PARTS)
    where = f"ahead of {ahead}" if flip.passed else f"level with {ahead}"
    fewer = "; fewer would not" if len(flip.parts) > 1 else ""
    return (
        f"Leaving out {parts.counted(len(flip.parts))} ({names}) would put {behind} {where}{fewer}."
    )


def names_in_words(names: Sequence[str]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``, ``4 candidates``."""
    if len(names) > MOST_NAMES:
        return counted(len(names), "candidate")
    told = [short(name) for name in names]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def short(name: str) -> str:
    """Return a name on one line, cut where it would fill the screen."""
    return bare(name)


def _top(found: Influence, k: int, place: int) -> str:
    for kind in ("set", "order"):
        if found.changes.flag(f"top{place}_{kind}")[k]:  # type: ignore[arg-type]
            return kind
    return "same"


def _lead(found: Influence) -> str:
    counts = {kind: int(found.changes.flag(kind).sum()) for kind in ("any", "winner")}
    parts, by = found.parts, found.function.called(found.results)
    if not counts["any"]:
        return (
            f"The ranking by {by} is the same whichever one of {parts.counted(len(parts))} is left "
            "out."
        )
    if counts["any"] == 1:
        which = f"{parts.one} {short(found.decisive(1)[0])}, one of {len(parts):,},"
        return f"Leaving out {which} changes the ranking by {by}, {_of_one(found)}."
    number = "the" if counts["any"] == len(parts) else f"{counts['any']:,} of"
    told = [
        f"Leaving out any one of {number} {parts.counted(len(parts))} changes the ranking by {by}"
    ]
    told += [_podium(found)] if found.results.n > PODIUM else []
    told += [f"{_change(counts['winner'])} who is first."]
    return "; ".join(told)


def _podium(found: Influence) -> str:
    members = int(found.changes.flag("top3_set").sum())
    order = int(found.changes.flag("top3_order").sum())
    if not members + order:
        return "none changes the podium"
    return f"{_change(members + order)} the podium ({members:,} who is on it, {order:,} its order)"


def _of_one(found: Influence) -> str:
    """Return what else changes where only one part changes anything."""
    winner = "who is first" if found.changes.flag("winner").any() else ""
    podium = ""
    if found.results.n > PODIUM and found.changes.flag("top3_set").any():
        podium = "who is on the podium"
    elif found.results.n > PODIUM and found.changes.flag("top3_order").any():
        podium = "the order of the podium"
    changed = " and ".join(filter(None, (podium, winner)))
    if not changed:
        return (
            "but neither the podium nor who is first"
            if found.results.n > PODIUM
            else ("but not who is first")
        )
    return f"and with it {changed}" + ("" if winner else ", but not who is first")


def _change(number: int) -> str:
    if not number:
        return "none changes"
    return f"{number:,} {'changes' if number == 1 else 'change'}"


def _most_decisive(found: Influence) -> str:
    if not found.changes.flag("any").any():
        return ""
    k = int(found.decisive_first[0])
    name = "it" if int(found.changes.flag("any").sum()) == 1 else short(found.parts.names[k])
    lead = "" if name == "it" else f"The most decisive is {name}: "
    moved = counted(int(found.changes.number[k]), "candidate")
    verb = "changes its rank" if found.changes.number[k] == 1 else "change their rank"
    if k in found.changes.winners:
        first = found.names(found.changes.winners[k])
        are = "is first" if len(first) == 1 else "are tied for first"
        told = f"without it {names_in_words(first)} {are}, and {moved} {verb}."
    else:
        told = f"without it {moved} {verb}."
    return lead + told if lead else told[:1].upper() + told[1:]


def _flip(found: Influence) -> str:
    if found.flip is not None:
        if len(found.flip.parts) == 1:  # told already: it changes the winner
            return ""
        return flip_in_words(found.flip, found.results.candidates, found.parts)
    if found.additive and len(found.original.first) == 1 and found.results.n > 1:
        name = names_in_words(found.names(found.original.first))
        return f"Whatever {found.parts.many} are left out, {name} stays first alone."
    return ""
