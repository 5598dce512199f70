"""The tests of all pairs that a picture of a verdict shows, or why there are none."""

from __future__ import annotations

from deadheat.errors import UsageError
from deadheat.inference.claims import fewest, tested, too_few, units
from deadheat.inference.strict import Strict, cost_of
from deadheat.inference.verdict import Verdict


def all_pairs_of(verdict: Verdict) -> Strict:
    """Return the tests of all pairs; refuse where the verdict has none."""
    if too_few(verdict):
        raise UsageError(
            f"the picture shows tests of all pairs, and {units(verdict)} are too few for any.",
            hint=f"at least {fewest(verdict)} are needed.",
        )
    if not tested(verdict):
        raise UsageError(
            "the picture shows tests of all pairs, and none is known to hold here: "
            f"{verdict.evidence.no_mean}.",
            hint="rank by mean or average_rank, with all scores there.",
        )
    found = verdict.all_pairs
    if found is None:
        raise UsageError(
            "the picture shows tests of all pairs, and this verdict has none: with "
            f"{len(verdict.candidates):,} candidates they take "
            f"{cost_of(verdict.evidence, verdict.test)} on one core, so that they must be asked "
            "for.",
            hint="make the verdict with strict=True (--strict); with fewer replicates= "
            "(--replicates) it takes less.",
        )
    return found


def level_of(verdict: Verdict) -> str:
    """Return what the tests are called and how sure they are, as a clause."""
    return f"{verdict.test} tests, {100 * verdict.alpha:g} % over all pairs"
