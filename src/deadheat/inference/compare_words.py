"""What a comparison of two candidates says, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from deadheat.errors import counted
from deadheat.inference.evidence import Evidence
from deadheat.inference.influence_words import flip_in_words, short
from deadheat.resampling.choice import FEW_CLUSTERS
from deadheat.result import Column, Grid
from deadheat.text import number, percent

if TYPE_CHECKING:
    from deadheat.inference.compare import Comparison

FEW_JUDGES = 20


def verdict(found: Comparison) -> str:
    """Return who is ahead, by how much, how sure that is, and what it would take to change it."""
    parts = (_lead(found), _shares(found), _wins(found), _flip(found))
    return " ".join(filter(None, parts))


def grid(found: Comparison) -> Grid:
    """Return the judges that do most for either candidate, at most five each."""
    a, b = found.scores
    columns = [Column(name="judge"), Column(name=found.a), Column(name=found.b)]
    columns += [Column(name="difference")]
    columns += [Column(name=f"for {found.a}")] if found.contributions is not None else []
    cells = []
    for j in (*found.deciding(1), *found.deciding(-1)[::-1]):
        row = (found.results.judges[j], float(a[j]), float(b[j]), float(found.duel.differences[j]))
        cells.append(row if found.contributions is None else (*row, float(found.gains[j])))
    if not cells:
        return Grid(columns=(), cells=())
    more = found.results.m - len(cells)
    notes = (f"The judges that decide it; {more:,} more in --json and --format csv.",)
    return Grid(columns=tuple(columns), cells=tuple(cells), notes=notes if more else ())


def warnings(evidence: Evidence) -> Iterator[str]:
    """Warn of too few judges for an interval or a p-value; of few clusters the plan warns."""
    units = min(float(evidence.independent), evidence.effective)
    kind = "judges" if getattr(evidence.plan, "clusters", None) is None else "clusters"
    worth = "" if units == evidence.independent else f", worth {number(units)} of equal weight,"
    told = kind == "clusters" and evidence.independent < FEW_CLUSTERS
    if units < FEW_JUDGES and not told:
        yield (
            f"{evidence.independent:,} {kind}{worth} are few: below {FEW_JUDGES} percentile "
            "intervals are too narrow and p-values too small."
        )


def _lead(found: Comparison) -> str:
    a, b = short(found.a), short(found.b)
    values = [number(value) for value in found.shown]
    heading = found.function.heading_for(found.results)
    pair, step = found.paired, _step(found)
    level = f"{number(100 * (1 - pair.alpha))} % interval"
    low, high = sorted(step * (pair.sign or 1) * end for end in (pair.low, pair.high))
    if not pair.sign:
        same = f"{a} and {b} are tied ({heading} {values[0]}"
        return f"{same})." if np.isnan(low) else f"{same}; {level} {_between(low, high)})."
    if pair.sign < 0:
        a, b, values = b, a, values[::-1]
    told = f"{a} ({heading} {values[0]}) is ahead of {b} ({values[1]}) by "
    told += _amount(step * abs(pair.difference))
    return f"{told}." if np.isnan(low) else f"{told} ({level} {_between(low, high)})."


def _step(found: Comparison) -> float:
    """Return what one unit of merit is on the scale that is shown, where that is the same for all.

    So 0.002 of 500 instances solved is told as 1 instance.
    """
    first, second, third = found.function.shown(np.array([0.0, 1.0, 2.0]), found.results).tolist()
    return abs(second - first) if np.isclose(second - first, third - second) else 1.0


def _shares(found: Comparison) -> str:
    pair = found.paired
    first = pair.sign >= 0
    name = short(found.a if first else found.b)
    ahead, behind = (pair.ahead, pair.behind) if first else (pair.behind, pair.ahead)
    p = pair.p_a_better if first else pair.p_b_better
    over = f"of {counted(pair.replicates, 'resample')}"
    if pair.exact:
        over = f"of {pair.replicates:,} cases with one {found.parts.one} left out"
    tied = f", tied in {percent(pair.tied)}" if pair.tied else ""
    test = (
        f"two-sided p = {_p(pair.p)}"
        if not pair.sign
        else f"one-sided p = {_p(p)}, two-sided {_p(pair.p)}"
    )
    return (
        f"{name} is ahead in {percent(ahead)} {over}{tied}, behind in {percent(behind)} "
        f"({test}; not corrected for other comparisons)."
    )


def _wins(found: Comparison) -> str:
    fight = found.duel
    first = found.paired.sign >= 0
    name = short(found.a if first else found.b)
    more, less = (fight.higher, fight.lower) if first else (fight.lower, fight.higher)
    tied = f", the same on {fight.tied:,}" if fight.tied else ""
    once = "" if fight.signs_over == "judges" else " over clusters"
    return (
        f"{name} scores better on {more:,} of {counted(fight.judges, 'judge')}, worse on "
        f"{less:,}{tied} (sign test{once} p = {_p(fight.sign_p)})."
    )


def _flip(found: Comparison) -> str:
    if found.flip is not None:
        return flip_in_words(found.flip, found.results.candidates, found.parts)
    if found.contributions is None or not found.paired.sign:
        return ""
    ahead, behind = (found.a, found.b) if found.paired.sign > 0 else (found.b, found.a)
    return (
        f"Whatever {found.parts.many} are left out, {short(behind)} does not draw level with "
        f"{short(ahead)}."
    )


def _between(low: float, high: float) -> str:
    return f"{_amount(low)} to {_amount(high)}"


def _amount(value: float) -> str:
    """Return a difference for people, without what rounding left in its last digits."""
    return number(float(f"{value:.12g}"))


def _p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-4 else f"{p:.0e}"
