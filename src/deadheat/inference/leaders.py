"""Who leads each tie group of a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deadheat.inference.groups import greedy_groups

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict


def leaders(verdict: Verdict) -> tuple[int, ...]:
    """Return the position of the leader of each tie group, best group first.

    The leader is the one that all below are shown worse than; others of its group are not.
    """
    rounds = verdict.paper.rounds[: 1 if verdict.untested else None]
    if verdict.strictly is not None:
        tests = verdict.strictly.tests
        rounds = greedy_groups(
            tests.better,
            verdict.spread.places,
            -verdict.evidence.ranks,
            medians=-verdict.spread.standing,
            p=np.where(tests.differences > 0, tests.p, 1.0),
            alpha=verdict.alpha,
            leader=verdict.leader,
        ).rounds
    led = [r.leader for r in rounds]
    return (*led, *(group[0] for group in verdict.members[len(led) :]))  # a last one alone
