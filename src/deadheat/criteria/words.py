"""The criteria in words: what they say for this table, and what they cannot say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from deadheat.criteria.definitions import broken, decided, sure, weighed
from deadheat.errors import counted, listed
from deadheat.inference.agreement_words import small
from deadheat.ranking.ranks import best_of
from deadheat.text import number

if TYPE_CHECKING:
    from deadheat.criteria.criterion import Criterion
    from deadheat.criteria.result import Criteria

NOISE = (
    "Stability is no quality by itself: a ranking that ignores the judges is stable too. Read it "
    "beside the agreement of the judges (Kendall's W) and generalization."
)
HEADINGS = "Cond. rate is the Condorcet rate, unseen judges generalization, redrawn stability."
OPPOSITE = -0.1  # a mean correlation with unseen judges below this is rather the opposite
FEW = 0.1  # and one below this predicts next to nothing
SMALL = 0.01  # a difference that hardly matters
PREDICTED = "generalization"


def legend(criteria: Criteria) -> str:
    """Return what stars and brackets mean."""
    error = "standard error over the tables" if criteria.several else "Monte-Carlo error"
    pairs = "table by table" if criteria.several else "trial by trial"
    return (
        "Starred: best of the column, or not to be told from the best. Functions are compared "
        f"{pairs}, so differences can be real that are smaller than the brackets, which hold the "
        f"{error} in units of the last digit. {HEADINGS}"
    )


def advice(criteria: Criteria) -> str:
    """Return which functions do best by what the tables decide, or why none is to be trusted."""
    if all(criteria.nothing_to_rank):
        reasons = listed(criteria.nothing_to_rank, most=3)
        return f"There is nothing to compare: {reasons}."
    telling = any(criteria.telling)
    parts = [
        *((_best(criteria), _by_definition(criteria)) if telling else ()),
        _of_tables(criteria) if criteria.several else _agreement(criteria),
        _prediction(criteria),
        _claims(criteria),
        _reach(criteria),
    ]
    return " ".join(part for part in parts if part)


def _best(criteria: Criteria) -> str:
    """Return who is best by how many of the criteria that the tables decide, and by how much."""
    names = criteria.names[:-1]
    found = decided(criteria)
    if len(names) < 2:
        return ""
    if not found:
        return (
            f"The criteria do not tell the {len(names)} functions apart here: all differences are "
            "inside the noise, or so by definition."
        )
    if criteria.several:
        return _best_over_tables(criteria)
    tally = Counter(names[i] for _, _, credit in found for i in np.flatnonzero(credit))
    most = max(tally.values())
    top = [name for name in names if tally[name] == most]
    verb = "is" if len(top) == 1 else "are"
    which = _joined([_called(c) for c, _, _ in found])
    text = (
        f"{_joined(top)} {verb} best, or inside the noise of the best, by "
        f"{_of_all(most, len(found))} that the table decides ({which}"
    )
    lacking = [
        f"{_called(c)}, where {names[lead.best]} is"
        for c, lead, credit in found
        if len(top) == 1 and not credit[names.index(top[0])]
    ]
    text += f"; not by {'; '.join(lacking)})." if lacking else ")."
    return f"{text} {_size_of_lead(criteria, top)}".rstrip()


def _best_over_tables(criteria: Criteria) -> str:
    """Return who is best on average by each criterion, and how many are not told from it.

    A function that varies much from table to table is told from the best less easily than one that
    is a little behind on all: to be inside the noise is no merit, and so it is not counted.
    """
    names = criteria.names[:-1]
    by: dict[str, list[str]] = {}
    for c, lead, _ in decided(criteria):
        others = int(lead.level[:-1].sum()) - 1
        undecided = f", {counted(others, 'other')} not told from it" if others else ""
        by.setdefault(names[lead.best], []).append(f"{_called(c)}{undecided}")
    told = [f"{name} is best by {'; by '.join(ways)}" for name, ways in by.items()]
    return f"Over the tables, {'. '.join(told)}."


def _of_all(most: int, number: int) -> str:
    if most < number:
        return f"{most} of {number} criteria"
    return {1: "the one criterion", 2: "both criteria"}.get(number, f"all {number} criteria")


def _size_of_lead(criteria: Criteria, top: list[str]) -> str:
    """Return how far the best are ahead of who is not: a difference may be real and mean little."""
    who = [criteria.names.index(name) for name in top]
    ahead: dict[str, float] = {}
    for c, lead, credit in decided(criteria):
        behind = lead.differences[:-1][~lead.level[:-1]]
        behind = behind[~np.isnan(behind)]
        if credit[who].all() and len(behind):
            ahead[_called(c)] = float(behind.min())
    if not ahead:
        return ""
    sizes = _joined([f"{_size(size)} in {name}" for name, size in ahead.items()])
    verdict = ": real, but small" if max(ahead.values()) < SMALL else ""
    return f"The next function is behind by {sizes}{verdict}."


def _size(difference: float) -> str:
    return "less than 0.001" if difference < 0.0005 else number(difference, 3)


def _by_definition(criteria: Criteria) -> str:
    """Say what is not counted, because no table could change it."""
    texts = []
    for c, _ in weighed(criteria):
        names = sure(criteria, c)
        if names and len(criteria.functions) > 1:
            one = len(names) == 1
            what = (
                ("is best" if one else "are best") if c.led_by else ("has 1" if one else "have 1")
            )
            texts.append(f"{_called(c)} ({_joined(names)} {what})")
    text = f"Not counted, because so by definition: {_joined(texts)}." if texts else ""
    for c, lead, credit in decided(criteria):
        if (credit != lead.level[:-1]).any():
            text += f" {_called(c).capitalize()} counts only for those who predict best too."
    return text.strip()


def _claims(criteria: Criteria) -> str:
    """Name the axioms that a function claims and violates on these very tables."""
    return " ".join(
        f"{name} is claimed to satisfy {c.certain.replace('condorcet', 'Condorcet')}, but violates "
        f"it here: its {_called(c)} is {number(value, 3)}."
        for name, c, value in broken(criteria)
    )


def _agreement(criteria: Criteria) -> str:
    """Say how much the judges of the one table agree, and whether that is more than chance."""
    w, p = criteria.concordance[0], criteria.p_values[0]
    if p != p:
        return "There is one judge, so nothing says which function to trust."
    tested = f"(Kendall's W = {number(w, 3)}, p {small(p)})"
    if criteria.by_chance[0]:
        return (
            f"The judges agree no more than by chance {tested}, so the table cannot say which "
            "function to trust, and stability over judges is bias here, and no quality."
        )
    return f"The judges agree more than by chance {tested}."


def _of_tables(criteria: Criteria) -> str:
    """Say the same of several tables, and which of them say nothing."""
    known = [w for w in criteria.concordance if w == w]
    low, high = number(min(known), 3), number(max(known), 3)
    text = f"Kendall's W of the tables is {low}" + (f" to {high}." if low != high else ".")
    pairs = zip(criteria.measured, criteria.telling, strict=True)
    silent = [table.results.source for table, telling in pairs if not telling]
    if not silent:
        return text
    which = "No table" if len(silent) == len(criteria.measured) else ""
    why = "the judges agree no more than by chance, or no function beats a judge drawn at random"
    if which:
        return f"{text} {which} can say which function to trust: on each, {why}."
    verb = "says" if len(silent) == 1 else "say"
    return f"{text} {_joined(silent)} {verb} nothing about which function to trust: there, {why}."


def _prediction(criteria: Criteria) -> str:
    """Say how well unseen judges are predicted, and whether a judge at random does as well."""
    lead = criteria.leads[PREDICTED]
    if lead is None:
        return ""
    values = criteria.values(PREDICTED)[0]
    base, best = float(values[-1]), float(values[lead.best])
    top = criteria.names[lead.best]
    if not any(criteria.beaten):
        text = (
            "No function predicts unseen judges better, beyond the noise, than one judge drawn at "
            f"random: {number(best, 3)} at best ({top}), {number(base, 3)} by that judge"
        )
        if best < OPPOSITE:
            how = "the opposite" if best < 5 * OPPOSITE else "rather the opposite"
            return f"{text}. That is {how} of what they say: trust none of them here."
        if any(criteria.telling):
            return f"{text}. So much do the judges agree that the choice hardly matters."
        unless = (
            ", unless more trials tell otherwise" if best > base and not criteria.several else ""
        )
        return f"{text}. Trust none of them here{unless}."
    low = best_of(-values[:-1])
    worst = float(values[low])
    text = f"Unseen judges are predicted by {number(best, 3)} at best ({top})"
    if len(criteria.functions) > 1 and best - worst < SMALL:
        text += f", by all functions within {SMALL:g} of each other"
    elif len(criteria.functions) > 1:
        text += f" and {number(worst, 3)} at worst ({criteria.names[low]})"
    text += f", by one judge drawn at random {number(base, 3)}"
    if best < FEW:
        return f"{text}: next to nothing, so to a single judge the choice hardly matters."
    return f"{text}."


def _joined(names: list[str]) -> str:
    """Return names with commas and an «and»."""
    return listed(names) if len(names) < 2 else f"{listed(names[:-1])} and {names[-1]}"


def _called(criterion: Criterion) -> str:
    words = criterion.name.replace("_", " ").replace("condorcet", "Condorcet")
    return words.replace("stability ", "stability over ")


def _reach(criteria: Criteria) -> str:
    trials = criteria.made["trials"]
    if criteria.several:
        return (
            f"Noise is that over the {len(criteria.measured)} tables; other kinds of tables may "
            "order the functions otherwise."
        )
    return (
        f"Noise is that of {counted(trials, 'trial')} on this table; other judges may order the "
        "functions otherwise."
    )
