"""What a verdict may claim: who was shown better than whom, and where nothing can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deadheat.errors import counted
from deadheat.inference.evidence import drawing, effective_units, present_units
from deadheat.inference.units import FEWEST_JUDGES
from deadheat.resampling.plans import Bayesian, Jackknife, Plan, Subsample
from deadheat.text import number

if TYPE_CHECKING:
    from deadheat.data.results import Results
    from deadheat.inference.verdict import Verdict

OF_RANKS = ("wilcoxon-holm", "nemenyi")  # whether scores are shifted, not whether merits differ
NO_MEANS_THAT_HOLD = ("median",)  # functions that are no mean, and whose tests hold nevertheless


def units(v: Verdict) -> str:
    """Return how many judges or clusters were drawn independently, in words."""
    return units_in_words(v.evidence.results, v.evidence.plan)


def units_in_words(results: Results, plan: Plan) -> str:
    """Return how many judges or clusters a plan draws independently, in words."""
    clustered = getattr(drawing(plan), "clusters", None) is not None
    drawn, strata = present_units(results, plan)
    number = counted(drawn, "cluster" if clustered else "judge")
    if not too_few_units(results, plan):
        return number
    worth = effective_units(results, plan)
    if worth < min(FEWEST_JUDGES, drawn - strata + 1):
        return f"{number}, worth {worth:.2g} of equal weight,"
    return f"{number} in {strata:,} strata" if strata > 1 else number


def too_few_units(results: Results, plan: Plan) -> bool:
    """Return whether a plan draws too few judges or clusters for any claim."""
    drawn, strata = present_units(results, plan)
    return min(drawn - strata + 1, effective_units(results, plan)) < FEWEST_JUDGES


def too_few(v: Verdict) -> bool:
    """Return whether there are too few judges for any claim; one of each stratum tells nothing."""
    return min(v.evidence.freedom + 1, v.evidence.effective) < FEWEST_JUDGES


def fewest(v: Verdict) -> int:
    """Return how many judges or clusters a claim needs in so many strata."""
    _, strata = present_units(v.evidence.results, v.evidence.plan)
    return FEWEST_JUDGES + strata - 1


def why_unknown(v: Verdict) -> str:
    """Return why nobody knows how often the groups err, as a clause; empty where it is known."""
    if v.strictly is None and isinstance(v.evidence.plan, Bayesian | Jackknife | Subsample):
        return "by a plan whose error is not known"
    if v.strictly is None and not _known(v, mean=v.function.additive):
        return f"by resamples whose error is not known, since {v.evidence.no_mean}"
    if v.strictly is not None and not _known(v, mean=_is_mean(v)):
        return f"by resamples that control no error, since {v.evidence.no_mean}"
    return ""


def shows(v: Verdict) -> bool:
    """Return whether the groups may be said to show anybody better."""
    return not (too_few(v) or why_unknown(v))


def tested(v: Verdict) -> bool:
    """Return whether tests of all pairs, where they were made, err as seldom as they say."""
    return not too_few(v) and _known(v, mean=_is_mean(v))


def sound(v: Verdict) -> bool:
    """Return whether tests of all pairs are about the merits and err as seldom as they say."""
    return tested(v) and v.test not in OF_RANKS


def first_leader(v: Verdict) -> int:
    """Return who leads the first group, and was tested against all below."""
    if v.strictly is None:
        return v.paper.rounds[0].leader
    below = _below(v)
    return next(i for i in v.members[0] if v.strictly.tests.better[i, below].all())


def confirmed(v: Verdict) -> bool:
    """Return whether sound tests of all pairs show the first leader better than all below."""
    leader = first_leader(v)
    return all(pair_confirmed(v, leader, other) for other in _below(v))


def tests_in_words(v: Verdict) -> str:
    """Return what kind of tests the groups come from, and their level."""
    level = f"at {number(100 * v.alpha)} %"
    if v.strictly is None:
        return f"one-sided tests {level}"
    return f"tests of ranks {level}" if v.test in OF_RANKS else f"tests of all pairs {level}"


def has_winner(v: Verdict) -> bool:
    """Return whether one candidate may be called the winner: shown better than all others."""
    alone = len(v.members[0]) == 1 and v.winners == v.groups[0]
    return alone and confirmed(v)


def told_apart(v: Verdict, better: int, worse: int) -> bool:
    """Return whether a test showed one candidate better than another."""
    if not shows(v):
        return False
    if v.strictly is not None:
        return bool(v.strictly.tests.better[better, worse])
    tests = (found for found in v.paper.rounds if found.leader == better)
    return any(worse in found.others[found.rejected].tolist() for found in tests)


def pair_confirmed(v: Verdict, better: int, worse: int) -> bool:
    """Return whether sound tests of all pairs show one candidate better than another."""
    stricter = v.all_pairs if sound(v) else None
    return stricter is not None and bool(stricter.tests.better[better, worse])


def _is_mean(v: Verdict) -> bool:
    return v.evidence.contributions is not None


def _known(v: Verdict, *, mean: bool) -> bool:
    """Return whether tests of the merits hold what they say, in simulations."""
    holds = v.function.name in NO_MEANS_THAT_HOLD and not v.evidence.results.has_holes
    return mean or holds


def _below(v: Verdict) -> list[int]:
    return [j for group in v.members[1:] for j in group]
