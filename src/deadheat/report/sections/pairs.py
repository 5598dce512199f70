"""One candidate against another."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from deadheat.compare.api import Comparison
from deadheat.core.errors import visible
from deadheat.data.results import Nouns, Results
from deadheat.output.text import number, percent
from deadheat.ranking.function import RankingFunction
from deadheat.rate.result import Ratings
from deadheat.report.contents import MOST_PAIRED, Contents
from deadheat.report.live import rule_shown
from deadheat.report.page import Section, Table, isolating, pictures, tells
from deadheat.report.picture import Picture
from deadheat.verdict.result import Verdict

UNCORRECTED = (
    "These comparisons are not corrected for there being many: who picks one because it looks good "
    "finds small p-values by chance."
)
DECIDING = 5
MERITS = 3  # digits of a lead on no scale that is shown
NEIGHBOURS = 20  # candidates of which each meets the next


@tells(50)
def pairs(found: Contents) -> Section | None:
    v, r, budget = found.verdict, found.ratings, found.budget
    notes: list[str] = []
    drawn: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    if v is not None and budget is not None:
        data, whole = _of_verdict(v, budget.paired), v.candidates
        drawn = pictures(v, ("improvement",), top=NEIGHBOURS)
        if budget.listed:
            tables = (Table("pairs", "Every pair", v.table("pairs")),)
        notes.append(UNCORRECTED + " The groups are corrected." * (not v.undecided))
        nouns = v.nouns
        what = f"how they differ, how sure that is, and which {nouns.judges()} decide it"
    elif found.table is None and isinstance(r, Ratings) and len(r.candidates) > 1:
        data, whole = _of_ratings(r), r.candidates
        nouns, what = Nouns(), "how likely one of them is to win against the other"
    else:
        return None
    few = len(data["candidates"])
    if few < len(whole):
        notes.insert(0, f"The {few} best of {nouns.candidates(len(whole))} can be chosen.")
    form = ("pairs.html.j2", {"pairs": data})
    data["nouns"] = [nouns.candidate, nouns.candidates(), nouns.judges()]
    sentence = f"Choose two {nouns.candidates()} to see {what}."
    return Section("pairs", "One against one", sentence, drawn, tables, tuple(notes), *form)


def _of_verdict(v: Verdict, most: int) -> dict[str, Any]:
    """Return what a page embeds: the first candidates of the ranking, and all their pairs.

    There is a record of each (i, k), i < k, in the order of a triangle by rows.
    """
    names = tuple(v.candidates[i] for i in v.order[:most])
    judges = v.evidence.results.judges
    known: dict[int, int] = {}
    isolated = isolating((*names, *judges))
    records = [_record(v.compare(a, b), known) for a, b in combinations(names, 2)]
    records = [{**record, "said": isolated(record["said"])} for record in records]
    deciding = [visible(judges[j]) for j in known]
    chosen = [visible(name) for name in names]
    rule, linear = rule_shown(v), _step(v.function, v.evidence.results) is not None
    unit = rule.unit if rule is not None and linear else ""
    return {
        "candidates": chosen,
        "judges": deciding,
        "pairs": records,
        "digits": v.digits if linear else MERITS,
        "unit": unit,
    }


def _step(function: RankingFunction, results: Results) -> float | None:
    """Return what one unit of merit is on the scale that is shown, where it is the same for all.

    So 0.002 of 500 instances solved is told as 1 instance, as the sentence tells it.
    """
    first, second, third = function.shown(np.array([0.0, 1.0, 2.0]), results).tolist()
    return abs(second - first) if np.isclose(second - first, third - second) else None


def _record(found: Comparison, known: dict[int, int]) -> dict[str, Any]:
    """Return what is said of a pair; ``known`` gives each judge that is named a number."""
    facts = found.facts()
    step = _step(found.function, found.results) or 1.0

    def deciding(sign: int) -> list[int]:
        return [known.setdefault(j, len(known)) for j in found.deciding(sign, DECIDING)]

    ahead = [facts[f"{name}_share"] for name in ("ahead", "tied", "behind")]
    return {
        "said": visible(" ".join(found.sentences)),
        "level": number(100 * (1 - found.paired.alpha)),
        "at": [float(f"{step * facts[name]:.6g}") for name in ("difference", "low", "high")],
        "ahead": [*map(percent, ahead)],
        "wins": [facts["higher"], facts["tied"], facts["lower"]],
        "for_a": deciding(1),
        "for_b": deciding(-1),
    }


def _of_ratings(r: Ratings) -> dict[str, Any]:
    """Return the same for the chances of the candidates with the highest ratings."""
    order = list(r.order[:MOST_PAIRED])
    ratings, chances = r.scale.shown(r.ratings), r.win_matrix()

    def chance(p: float, low: float, high: float) -> str:
        return f"{percent(p)} ({percent(low)} to {percent(high)})"

    records = []
    for i, j in combinations(order, 2):
        p, low, high = (float(each[i, j]) for each in (chances.p, chances.low, chances.high))
        records.append(
            {
                "lead": number(float(ratings[i] - ratings[j]), r.scale.digits),
                "at": [float(f"{100 * x - 50:.6g}") for x in (p, low, high)],
                "chance": [chance(p, low, high), chance(1 - p, 1 - high, 1 - low)],
                "level": number(100 * (1 - r.alpha)),
            }
        )
    names = [visible(r.candidates[i]) for i in order]
    return {"candidates": names, "judges": [], "pairs": records}
