"""How much the judges agree, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from deadheat.data.naming import named
from deadheat.errors import counted
from deadheat.inference.concordance import UNANIMOUS
from deadheat.ranking.rank_vectors import unit_ranks
from deadheat.result import Column, Grid
from deadheat.text import number

if TYPE_CHECKING:
    from deadheat.inference.agreement import Agreement

MOST_ROWS = 20
NEAR = 0.01  # correlations: closer than this, one is no better than the other
OPPOSITE = -0.3  # mean correlation between two camps
ALPHA = 0.05  # of tables in which chance alone makes somebody oppose the rest, or agree
TURNED = 0.5  # correlation with the others from which on a direction may be wrong
DEGREES = (
    (0.9, "agree almost completely"),
    (0.7, "agree strongly"),
    (0.5, "agree clearly"),
    (0.3, "agree moderately"),
    (0.1, "agree weakly"),
    (0.0, "hardly agree"),
)


def verdict(found: Agreement) -> str:
    """Return whether the judges agree, who opposes them, and what is closest to all."""
    parts = (_lead(found), _opposing(found), _varied(found), _central(found))
    return " ".join(filter(None, parts))


def grid(found: Agreement) -> Grid:
    """Return the judges that have least in common with the others, twenty or all."""
    results = found.results
    shown = found.least_first[: found.longest].tolist()
    tied, weighted = bool(found.tied.any()), bool(np.ptp(results.weights))
    negative = set(found.negative)
    columns = [
        Column(name="judge"),
        Column(name="mean correlation", digits=3),
        Column(name="with the ranking of the rest", digits=3),
    ]
    columns += [Column(name="cluster")] if found.clusters is not None else []
    columns += [Column(name="tied pairs", digits=3)] if tied else []
    columns += [Column(name="weight")] if weighted else []
    cells = []
    for j in shown:
        cell = [results.judges[j], float(found.means[j]), float(found.rest[j])]
        cell += [found.cluster(j)] if found.clusters is not None else []
        cell += [float(found.tied[j])] if tied else []
        cell += [float(results.weights[j])] if weighted else []
        cells.append(tuple(cell))
    marked = frozenset((row, 1) for row, j in enumerate(shown) if j in negative)
    return Grid(columns=tuple(columns), cells=tuple(cells), marked=marked, notes=_notes(found))


def warnings(found: Agreement) -> Iterator[str]:
    """Say what is undefined and why, and what was left out."""
    results, telling = found.results, found.sums.telling
    if results.n == 1:
        yield "1 candidate: nothing is ranked, and agreement is undefined."
    elif not telling.any():
        yield "every judge ties all candidates: agreement is undefined (0/0)."
    elif not telling.all():
        constant = found.names(np.flatnonzero(~telling).tolist())
        yield (
            f"{counted(len(constant), 'judge')} tied all candidates "
            f"({named(constant)}): their correlations are undefined and left out of "
            "the means."
        )
    if results.m == 1:
        yield "1 judge: W is 1 by construction, and there is nobody to agree with."
    elif found.numbers.kendall_w >= UNANIMOUS:
        yield "all judges rank alike: F is infinite, and left out with its p-value."
    if results.n == 2:
        yield "2 candidates: every correlation is 1 or -1."
    if found.clusters is None:
        yield "the table is too large for clusters and a matrix of all pairs of judges."
    if np.isnan(found.mean_tau_b) and telling.sum() > 1 and results.n > 1:
        yield "the table is too large for tau-b, which is left out."
    yield from _turned(found)


def _turned(found: Agreement) -> Iterator[str]:
    """Warn of judges so opposed to a rest that agrees that their direction may be wrong."""
    if not found.numbers.mean_spearman > DEGREES[-2][0]:
        return
    turned = [j for j in found.opposing if found.rest[j] < -TURNED]
    if turned and found.results.m > 2:
        is_it = "is its direction" if len(turned) == 1 else "are their directions"
        verb = "ranks" if len(turned) == 1 else "rank"
        yield (
            f"{_judges(found, turned)} {verb} the other way round than the others: {is_it} right "
            f"({found.results.direction()})?"
        )


def _lead(found: Agreement) -> str:
    numbers, judges = found.numbers, counted(found.results.m, "judge")
    if np.isnan(numbers.kendall_w):
        return f"Whether the {judges} agree is undefined."
    if found.results.m == 1:
        return "One judge agrees with itself: W = 1 by construction."
    w = f"Kendall's W = {numbers.kendall_w:.3f}"
    mean = numbers.mean_spearman
    if np.isnan(mean):
        return f"{w}; fewer than two judges tell candidates apart, so that none correlate."
    tau = f", tau-b {found.mean_tau_b:.2f}" if not np.isnan(found.mean_tau_b) else ""
    figures = f"{w}, mean correlation {number(mean, 2)}{tau}"
    degree = next((words for least, words in DEGREES if mean >= least), "")
    p, told = _test(found)
    if mean < 0:
        return f"The {judges} do not agree ({figures}; {told})."
    chance = "more than chance explains" if p < ALPHA else "no more than chance would explain"
    return f"The {judges} {degree} ({figures}), {chance} ({told})."


def _test(found: Agreement) -> tuple[float, str]:
    """Return the p-value to go by, and its name: the exact one where there is one."""
    shuffle, p = found.permutation, found.numbers.friedman_p
    if shuffle is not None and shuffle.exact:
        return shuffle.p, f"exact p {small(shuffle.p)}"
    return p, f"Friedman's test p {small(p)}"


def _opposing(found: Agreement) -> str:
    against, beyond = found.negative, found.opposing
    if not against or found.results.m < 3:
        return ""
    if not beyond:
        verb = "correlates" if len(against) == 1 else "correlate"
        return (
            f"{_upper(_judges(found, against))} {verb} negatively with the rest, but no further "
            f"than chance may bring a judge of {found.results.n:,} candidates."
        )
    if len(beyond) > found.results.m / 4:
        return _camps(found) or (
            f"No common ranking stands out: {len(beyond):,} of {found.results.m:,} judges "
            "correlate negatively with that of the others."
        )
    verb = "opposes" if len(beyond) == 1 else "oppose"
    lowest = number(float(found.means[beyond[0]]), 2)
    down = "mean correlation" if len(beyond) == 1 else "mean correlations down to"
    return f"{_upper(_judges(found, beyond))} {verb} the rest ({down} {lowest})."


def _camps(found: Agreement) -> str:
    """Say that there are two camps, where the two largest clusters contradict each other."""
    members = [] if found.clusters is None else found.clusters.members()[:2]
    if [len(camp) > 1 for camp in members] != [True, True]:
        return ""
    first, second = (unit_ranks(found.ranks[camp]).mean(axis=0) for camp in members)
    between = float(first @ second)
    if between > OPPOSITE:
        return ""
    sizes = " and ".join(f"{len(camp):,}" for camp in members)
    return (
        f"Two camps of {sizes} judges rank in opposite directions (mean correlation between them "
        f"{number(between, 2)})."
    )


def _varied(found: Agreement) -> str:
    telling = int(found.sums.telling.sum())
    if np.isnan(found.effective) or telling < 3 or found.results.n < 3:
        return ""
    clusters = ""
    if found.clusters is not None:
        members = found.clusters.members()
        several = [c for c in members if len(c) > 1]
        alone = len(members) - len(several)
        if len(members) == 1:
            clusters = "; all are in one cluster"
        elif several:
            stand = "stands" if alone == 1 else "stand"
            rest = f", and {alone:,} {stand} alone" if alone else ""
            clusters = f"; they form {counted(len(several), 'cluster')}{rest}"
    worth = number(found.effective, 1)
    judges = "one judge" if worth == "1.0" else f"{worth} unrelated judges"
    opposite = " (to say the opposite adds none)" if found.opposing else ""
    return f"In variety they are worth {judges}{opposite}{clusters}."


def _central(found: Agreement) -> str:
    values, most = found.centrality.strict(), found.centrality.most_central()
    if not most or found.results.n < 2 or found.results.m < 2:
        return ""
    value = number(values[most[0]], 2)
    if len(values) == 1:
        return f"The ranking by {most[0]} has a mean correlation of {value} with the judges."
    if values[most[0]] < DEGREES[-2][0]:
        return f"No ranking that was tried comes close to the judges ({value} at best)."
    near = [name for name in found.centrality.most_central(NEAR) if name not in most]
    if len(most) + len(near) == len(values):
        within = f", within {NEAR:g} of each other" if near else ""
        return (
            f"The rankings by all {len(values):,} functions that were tried are equally close to "
            f"the judges ({value}){within}."
        )
    which = "ranking" if len(most) == 1 else "rankings"
    verb = "comes" if len(most) == 1 else "come"
    others = f", {counted(len(near), 'other')} within {NEAR:g} of that" if near else ""
    return f"The {which} by {named(most, most=4)} {verb} closest to the judges ({value}){others}."


def _notes(found: Agreement) -> tuple[str, ...]:
    numbers, m = found.numbers, found.results.m
    notes = []
    if found.negative and found.results.m > 1:
        notes.append("* correlates negatively with the rest")
    if found.longest is not None and m > found.longest:
        more = m - found.longest
        notes.append(
            f"{counted(more, 'more judge')} {'has' if more == 1 else 'have'} more in common."
        )
    if not np.isnan(numbers.spearman_from_w):
        mean, follows = (number(x, 3) for x in (numbers.mean_spearman, numbers.spearman_from_w))
        verb = "would be" if found.tied.any() else "is"
        notes.append(
            f"Without ties the mean correlation ({mean}) {verb} (m W - 1)/(m - 1) = {follows}."
        )
    return tuple(notes)


def _judges(found: Agreement, judges: list[int]) -> str:
    names = found.names(judges)
    if len(names) == 1:
        return f"judge {named(names)}"
    return f"{len(names):,} judges ({named(names)})"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def small(p: float) -> str:
    """Return ``= 0.012`` or ``< 0.0001``."""
    return "< 0.0001" if p < 1e-4 else f"= {p:.2g}"
