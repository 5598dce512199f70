"""Every pair of candidates, small enough to stand inside a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deadheat.inference.compare import Comparison
from deadheat.inference.ratings import Ratings
from deadheat.inference.verdict import Verdict
from deadheat.report.directions import isolating
from deadheat.text import number, percent, visible

DECIDING = 5


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
    judges: tuple[str, ...] = field(default=())

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
            found = v.compare(a, b)
            record = _record(found, known)
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
