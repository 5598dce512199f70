"""The criteria in words: what they say for this table, and what they cannot say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from deadheat.errors import counted, listed
from deadheat.text import number

if TYPE_CHECKING:
    from deadheat.criteria.criterion import Criterion
    from deadheat.criteria.result import Criteria

KEY = (
    "Starred: best of the column, or not to be told from the best. In brackets the Monte-Carlo "
    "error of the last digit. Cond. rate is the Condorcet rate, unseen judges generalization, "
    "redrawn stability."
)
NOISE = (
    "Stability is no quality by itself: a ranking that ignores the judges is stable too. Read it "
    "beside the agreement of the judges (Kendall's W) and generalization."
)
WEIGHED = (
    *("winner_rank", "condorcet_rate", "generalization", "stability_judges"),
    "stability_candidates",
)
FEW = 0.1  # a mean correlation with unseen judges below this predicts next to nothing


def advice(criteria: Criteria) -> str:
    """Return which functions do best by how many criteria, and what that is worth."""
    parts = [_best(criteria), _certain(criteria), _of_judges(criteria), _reach(criteria)]
    return " ".join(part for part in parts if part)


def _weighed(criteria: Criteria) -> list[Criterion]:
    """Return the criteria of the paper that tell about these data for at least two functions."""
    return [
        c for c in criteria.criteria if c.name in WEIGHED and criteria.leads[c.name] is not None
    ]


def _best(criteria: Criteria) -> str:
    names = criteria.names[:-1]
    weighed = _weighed(criteria)
    if len(names) < 2 or not weighed:
        return ""
    tally: Counter[str] = Counter()
    told = 0
    for c in weighed:
        found = criteria.leads[c.name]
        assert found is not None
        level = found.level[:-1]
        tally.update(name for name, ok in zip(names, level, strict=True) if ok)
        told += not level.all()
    if not told:
        return (
            f"The criteria do not tell the {len(names)} functions apart here: all differences are "
            "inside the noise."
        )
    most = max(tally.values())
    top = [name for name in names if tally[name] == most]
    verb = "is" if len(top) == 1 else "are"
    text = (
        f"{_joined(top)} {verb} best, or inside the noise of the best, by {most} of "
        f"{len(weighed)} criteria"
    )
    lacking = [_lacking(criteria, name, weighed) for name in top[:1]] if len(top) == 1 else []
    return text + (f" (not by {lacking[0]})." if lacking and lacking[0] else ".")


def _lacking(criteria: Criteria, name: str, weighed: list[Criterion]) -> str:
    """Return by which criteria a function is not among the best, and who is."""
    names = criteria.names
    i = names.index(name)
    texts = []
    for c in weighed:
        found = criteria.leads[c.name]
        assert found is not None
        if not found.level[i]:
            texts.append(f"{_called(c)}, where {names[found.best]} is")
    return "; ".join(texts)


def _joined(names: list[str]) -> str:
    """Return names with commas and an «and»."""
    return listed(names) if len(names) < 2 else f"{listed(names[:-1])} and {names[-1]}"


def _called(criterion: Criterion) -> str:
    words = criterion.name.replace("_", " ").replace("condorcet", "Condorcet")
    return words.replace("stability ", "stability over ")


def _certain(criteria: Criteria) -> str:
    """Say which values are so by definition, and so no evidence."""
    texts = []
    for c in _weighed(criteria):
        sure = [f.name for f in criteria.functions if c.certain and c.certain in f.satisfies]
        if sure:
            texts.append(f"the {_called(c)} of {_joined(sure)}")
    if not texts:
        return ""
    text = " and ".join(texts)
    return f"{text[0].upper()}{text[1:]} is 1 by definition, whatever the table."


def _of_judges(criteria: Criteria) -> str:
    """Print the agreement of the judges beside stability, and say when stability is bias."""
    lead = criteria.leads.get("generalization")
    if len(criteria.concordance) > 1:
        low, high = np.nanmin(criteria.concordance), np.nanmax(criteria.concordance)
        agree = f"Kendall's W of the tables is {number(low, 3)} to {number(high, 3)}"
    else:
        agree = f"The judges agree to W = {number(criteria.concordance[0], 3)}"
    if lead is None:
        return f"{agree}."
    best = float(criteria.values("generalization")[0][lead.best])
    name = criteria.names[lead.best]
    text = f"{agree}, and the best prediction of unseen judges is {number(best, 3)} ({name})"
    if best < FEW:
        return f"{text}: next to nothing, so stability over judges is bias here, and no quality."
    return f"{text}; stability beyond what predicts is no quality."


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
