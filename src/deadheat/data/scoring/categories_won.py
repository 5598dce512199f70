"""Number of categories in which nobody is better."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from deadheat.core.errors import UsageError, command_with
from deadheat.core.types import Floats
from deadheat.data.runs import Runs
from deadheat.data.scoring_rule import ScoringRule, family, rule_of, scores_runs

NAME = "categories-won"
OF_RULE = f"{NAME}-"


@scores_runs("categories-won", total="categories won", by="categories_won", aliases=("categories",))
def categories_won(runs: Runs) -> Floats:
    r"""Count the categories in which the candidate solves most.

    .. math:: f_i = \sum_c [i \text{ has the largest total in } c]\,/\,\#\{\text{tied with it}\}

    Notes
    -----
    Categories are the strata; without strata every instance is one. The scores of the runs are
    those of ``solved``, or of another rule R under the name ``categories-won-R``:
    ``categories-won-accuracy`` is how the detection tracks of ILSVRC were ranked. A category that
    several win is shared equally, as plurality shares a vote; one in which all are tied is won by
    nobody.

    Differs from [1]_, which says nothing about ties.

    References
    ----------
    .. [1] Russakovsky et al. (2015), "ImageNet large scale visual recognition challenge",
           International Journal of Computer Vision 115: winners by the number of object
           categories won.

    Examples
    --------
    >>> categories_won(Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "crash"]))
    array([1., 0.])
    """
    return runs.solved.astype(float)


@family
def categories_won_by(name: str) -> ScoringRule | None:
    """Return the rule that counts categories won by another rule, if the name is one."""
    if not name.startswith(OF_RULE):
        return None
    base = rule_of(name.removeprefix(OF_RULE))
    if base.by == categories_won.by:
        raise UsageError(
            f"{name} counts itself.", hint=f"without the second: {command_with(rule=base.name)}"
        )
    claims: Any = {"total": categories_won.total, "by": categories_won.by}
    claims |= dict.fromkeys(("heading", "replicate"), "")
    return replace(base, name=f"{NAME}-{base.name}", __doc__=categories_won.__doc__, **claims)
