"""What a verdict may claim: who was shown better than whom, and where nothing can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deadheat.errors import counted
from deadheat.inference.evidence import drawing
from deadheat.resampling.plans import Bayesian, Jackknife, Subsample

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict

FEWEST_JUDGES = 6  # below, no test can show anything


def units(v: Verdict) -> str:
    """Return how many judges or clusters were drawn independently, in words."""
    clustered = getattr(drawing(v.evidence.plan), "clusters", None) is not None
    return counted(v.evidence.independent, "cluster" if clustered else "judge")


def error_is_unknown(v: Verdict) -> bool:
    """Return whether the groups come from resamples that are no bootstrap."""
    return v.strictly is None and isinstance(v.evidence.plan, Bayesian | Jackknife | Subsample)


def too_few(v: Verdict) -> bool:
    """Return whether there are too few judges for any test to show anything."""
    return v.evidence.independent < FEWEST_JUDGES


def shows(v: Verdict) -> bool:
    """Return whether the groups may be said to show anybody better."""
    return not (too_few(v) or error_is_unknown(v))


def confirmed(v: Verdict) -> bool:
    """Return whether tests of all pairs, which draw by themselves, have the same first group."""
    stricter = v.all_pairs
    return stricter is not None and set(stricter.members[0]) == set(v.members[0])


def has_winner(v: Verdict) -> bool:
    """Return whether one candidate may be called the winner: shown better than all others."""
    alone = len(v.members[0]) == 1 and v.winners == v.groups[0]
    return alone and not too_few(v) and (not error_is_unknown(v) or confirmed(v))


def told_apart(v: Verdict, better: int, worse: int) -> bool:
    """Return whether a test showed one candidate better than another."""
    if not shows(v):
        return False
    if v.strictly is not None:
        return bool(v.strictly.tests.better[better, worse])
    tests = (found for found in v.paper.rounds if found.leader == better)
    return any(worse in found.others[found.rejected].tolist() for found in tests)
