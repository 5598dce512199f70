"""Penalised run time: PAR2, PAR10 and every other PAR-k."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from deadheat.core.errors import UsageError, command_with
from deadheat.core.types import Floats
from deadheat.data import scoring_rule
from deadheat.data.runs import Runs
from deadheat.data.scoring_rule import ScoringRule, not_solved, require_of_solved, scores_runs


def penalised_times(runs: Runs, *, k: float) -> Floats:
    r"""Average the time of solved runs and k times the cutoff of all others.

    .. math:: s = T \text{ if solved, else } k \cdot \text{cutoff}

    Notes
    -----
    What a run that is not solved took is not looked at. PAR1 counts it as the cutoff.

    References
    ----------
    .. [1] Hutter, Hoos, Leyton-Brown, Stuetzle (2009), "ParamILS: an automatic algorithm
           configuration framework", JAIR 36, sec. 2; PAR-2 is the score of the SAT Competitions
           since 2017.

    Examples
    --------
    >>> runs = Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "TO"],
    ...             time=[3, 60], cutoff=60)
    >>> penalised_times(runs, k=2)
    array([  3., 120.])
    """
    return not_solved(runs, require_of_solved(runs, "time", f"par{k:g}"), k * runs.cutoff)


def meaning(times: str) -> str:
    return f"mean seconds a run; one not solved counts {times} the limit"


how: dict[str, Any] = {"better": "lower", "unit": "seconds", "needs": ("time", "cutoff")}


@scores_runs("par2", heading="PAR2", meaning=meaning("twice"), **how)
def par2(runs: Runs) -> Floats:
    r"""Average the time of solved runs and twice the cutoff of all others.

    .. math:: s = T \text{ if solved, else } 2 \cdot \text{cutoff}

    Notes
    -----
    ``par10``, and ``par`` with any other number above 0, is the same with that number.

    References
    ----------
    .. [1] Froleyks, Heule, Iser, Jaervisalo, Suda (2021), "SAT Competition 2020", Artificial
           Intelligence 301.
    """
    return penalised_times(runs, k=2)


@scores_runs("par10", heading="PAR10", meaning=meaning("ten times"), **how)
def par10(runs: Runs) -> Floats:
    r"""Average the time of solved runs and ten times the cutoff of all others.

    .. math:: s = T \text{ if solved, else } 10 \cdot \text{cutoff}

    References
    ----------
    .. [1] Bischl et al. (2016), "ASlib: a benchmark library for algorithm selection", Artificial
           Intelligence 237.
    """
    return penalised_times(runs, k=10)


@scoring_rule.family
def par_of_name(name: str) -> ScoringRule | None:
    found = re.fullmatch(r"par-?(\d+(?:\.\d+)?)", name)
    if found is None:
        return None
    k = float(found[1])
    if k <= 0:
        fact = f"par{found[1]} would not penalise a run that is not solved."
        raise UsageError(fact, hint=f"as is usual: {command_with(rule='par2')}")
    return replace(
        par2,
        name=f"par{k:g}",
        heading=f"PAR{k:g}",
        meaning=meaning(f"{k:g} times"),
        kernel=partial(penalised_times, k=k),
        __doc__=penalised_times.__doc__,
    )
