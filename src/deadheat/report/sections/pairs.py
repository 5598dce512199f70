"""One candidate against another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.compare.api import Comparison
from deadheat.core.errors import visible
from deadheat.output.text import number, percent
from deadheat.rate.result import Ratings
from deadheat.report.contents import MOST_PAIRED, Contents
from deadheat.report.page import Section, Table, isolating, pictures, tells
from deadheat.verdict.result import Verdict

UNCORRECTED = (
    "These comparisons are not corrected for there being many: who picks one because it looks good "
    "finds small p-values by chance. The groups are corrected."
)
DECIDING = 5


@tells(60)
def pairs(found: Contents) -> Section | None:
    v, budget = found.verdict, found.budget
    if v is None or budget is None:
        return _of_battles(found)
    data = paired_data(v, budget.paired)
    shown = len(data.candidates)
    notes = [UNCORRECTED]
    kinds = ["pairs"]
    kinds += ["significance"] if found.has_all_pairs else []
    kinds += ["condorcet"] if budget.graph else []
    if shown < len(v.candidates):
        notes.insert(0, f"The {shown} best of {len(v.candidates):,} candidates can be chosen.")
    return Section(
        name="pairs",
        title="One against one",
        sentence="Choose two candidates to see how they differ, how sure that is, and which judges "
        "decide it.",
        pictures=pictures(v, kinds),
        tables=(Table(name="pairs", title="Every pair", result=v.table("pairs")),)
        if budget.listed
        else (),
        notes=tuple(notes),
        template="pairs.html.j2",
        extra={"pairs": data},
    )


def _of_battles(found: Contents) -> Section | None:
    """Let the reader choose two candidates of a battle log."""
    r = found.ratings
    if found.table is not None or not isinstance(r, Ratings) or len(r.candidates) < 2:
        return None
    data = rated_pairs(r, MOST_PAIRED)
    shown = len(data.candidates)
    few = f"The {shown} best of {len(r.candidates):,} candidates can be chosen."
    return Section(
        name="pairs",
        title="One against one",
        sentence="Choose two candidates to see how likely one of them is to win against the other.",
        notes=(few,) if shown < len(r.candidates) else (),
        template="pairs.html.j2",
        extra={"pairs": data},
    )


@dataclass(frozen=True, kw_only=True)
class PairedData:
    """Hold the candidates that can be chosen, best first, and what is said of each pair of them.

    ``pairs`` has one record for each pair (i, k), i < k, in the order of a triangle by rows.
    Judges are told by their position in ``judges``.
    """

    candidates: tuple[str, ...]
    heading: str
    pairs: tuple[dict[str, Any], ...]
    rated: bool = False
    """Whether chances are told, of candidates in the order of their ratings."""
    judges: tuple[str, ...] = ()

    def embedded(self) -> dict[str, Any]:
        """Return it for a script."""
        return {
            "candidates": [visible(name) for name in self.candidates],
            "judges": [visible(name) for name in self.judges],
            "pairs": list(self.pairs),
            "rated": self.rated,
        }


def paired_data(v: Verdict, most: int) -> PairedData:
    """Return all pairs of the first candidates of the robust ranking."""
    order = [i for group in v.members for i in group][:most]
    names = tuple(v.candidates[i] for i in order)
    known: dict[int, int] = {}
    isolated = isolating((*names, *v.evidence.results.judges))
    pairs = []
    for place, a in enumerate(names):
        for b in names[place + 1 :]:
            record = _record(v.compare(a, b), known)
            pairs.append({**record, "said": isolated(record["said"])})
    judges = tuple(v.evidence.results.judges[j] for j in known)
    return PairedData(candidates=names, heading=v.heading, pairs=tuple(pairs), judges=judges)


def rated_pairs(r: Ratings, most: int) -> PairedData:
    """Return the chances of all pairs of the candidates with the highest ratings."""
    order = list(r.order[:most])
    shown = r.scale.shown(r.ratings)
    chances = r.win_matrix()
    level = number(100 * (1 - r.alpha))
    pairs = []
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            p, low, high = (float(each[i, j]) for each in (chances.p, chances.low, chances.high))
            pairs.append(
                {
                    "lead": number(float(shown[i] - shown[j]), r.scale.digits),
                    "chance": [p, 0, 1 - p],
                    "chance_said": [_chance(p, low, high), _chance(1 - p, 1 - high, 1 - low)],
                    "level": level,
                }
            )
    names = tuple(r.candidates[i] for i in order)
    return PairedData(candidates=names, heading="rating", pairs=tuple(pairs), rated=True)


def _chance(p: float, low: float, high: float) -> str:
    return f"{percent(p)} ({percent(low)} to {percent(high)})"


def _record(found: Comparison, known: dict[int, int]) -> dict[str, Any]:
    """Return what is said of a pair; ``known`` gives each judge that is named a number."""
    told = found.facts()

    def deciding(sign: int) -> list[int]:
        return [known.setdefault(j, len(known)) for j in found.deciding(sign, DECIDING)]

    step = _step(found)
    return {
        "said": visible(found.verdict),
        "lead": _amount(step * told["difference"]),
        "interval": f"{_amount(step * told['low'])} to {_amount(step * told['high'])}",
        "level": number(100 * (1 - found.paired.alpha)),
        "ahead": [told["ahead_share"], told["tied_share"], told["behind_share"]],
        "ahead_said": [percent(told[f"{name}_share"]) for name in ("ahead", "tied", "behind")],
        "wins": [told["higher"], told["tied"], told["lower"]],
        "for_a": deciding(1),
        "for_b": deciding(-1),
    }


def _step(found: Comparison) -> float:
    """Return what one unit of merit is on the scale that is shown, where that is the same for all.

    So 0.002 of 500 instances solved is told as 1 instance, as the sentence tells it.
    """
    first, second, third = found.function.shown(np.array([0.0, 1.0, 2.0]), found.results).tolist()
    return abs(second - first) if np.isclose(second - first, third - second) else 1.0


def _amount(value: float) -> str:
    return number(float(f"{value:.12g}"))
