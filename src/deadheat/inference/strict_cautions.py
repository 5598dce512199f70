"""What the reader of strict groups must be warned of: what each test of all pairs cannot do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.errors import counted
from deadheat.inference.effort import MINUTES
from deadheat.inference.evidence import Evidence
from deadheat.inference.intervals import zero_of
from deadheat.inference.measured import WILCOXON_ERRS_ON_SKEWED
from deadheat.inference.sign_flip import sign_flip_warnings
from deadheat.inference.strict import Strict

FREE = 0.75  # units beyond the first of every stratum, of all: below, max-t has no power
WITHOUT_STRATA = ("sign-flip", "wilcoxon-holm", "nemenyi")


def strict_cautions(evidence: Evidence, strict: Strict, alpha: float) -> Iterator[str]:
    """Yield the warnings about tests of all pairs."""
    names, test = evidence.results.candidates, strict.tests.method
    if strict.tests.flagged:
        i, j = strict.tests.flagged[0]
        number = len(strict.tests.flagged)
        yield (
            f"{counted(number, 'pair')} with the same difference in every resample (such as "
            f"{names[i]} and {names[j]}): told apart without a test."
        )
    drawn, asked = strict.tests.replicates, evidence.size[-1]
    if 0 < drawn < asked and test != "sign-flip":
        yield (
            f"all pairs were tested on {drawn:,} of {asked:,} resamples, as many as "
            f"{MINUTES} minutes of one core allow; --replicates {asked} tests them on all."
        )
    if evidence.contributions is None:
        yield from _of_fixed_errors(evidence)
        return
    if test == "max-t":
        yield from _of_small_strata(evidence)
    if test == "sign-flip":
        yield from sign_flip_warnings(evidence.units, alpha=alpha)
    if test == "wilcoxon-holm":
        yield from _of_wilcoxon(evidence, alpha)
    if test == "nemenyi":
        yield from _of_nemenyi(evidence)
    if test in WITHOUT_STRATA and evidence.units.strata is not None:
        yield f"{test} takes all judges together: the strata are ignored; max-t keeps them."


def _of_small_strata(evidence: Evidence) -> Iterator[str]:
    """Warn that replicates of strata of two or three units hardly have an error of their own."""
    units = evidence.units
    if units.strata is not None and units.freedom < FREE * units.u:
        strata = units.u - units.freedom
        yield (
            f"{counted(strata, 'stratum', 'strata')} with {units.u / strata:.2g} judges on average "
            "are small: max-t hardly tells anybody apart; --test t-holm tells more apart, and "
            "holds for symmetric differences."
        )


def _of_fixed_errors(evidence: Evidence) -> Iterator[str]:
    yield (
        f"{evidence.no_mean}: all pairs are measured by one error over all resamples; where two "
        "medians or a duel are exactly tied, the bootstrap is no guide."
    )


def _of_wilcoxon(evidence: Evidence, alpha: float) -> Iterator[str]:
    yield (
        "wilcoxon-holm tests whether differences are symmetric about 0, and not whether merits are "
        "equal: skewed differences of equal merits are told apart "
        f"({WILCOXON_ERRS_ON_SKEWED} % of tables of 10 candidates on 500 judges)."
    )
    n, units = evidence.results.n, evidence.units.u
    pairs, smallest = n * (n - 1) // 2, 2.0 ** (1 - units)
    if smallest * pairs > alpha * (1 + 1e-9):
        yield (
            f"no exact p-value of Wilcoxon's test on {counted(units, 'judge')} is below "
            f"{smallest:.2g}, and {counted(pairs, 'pair')} need one of {alpha / pairs:.2g}: nobody "
            "can be told apart, except by the approximation for tied differences."
        )


def _of_nemenyi(evidence: Evidence) -> Iterator[str]:
    yield (
        "nemenyi: what it says about a pair depends on which other candidates there are (Benavoli, "
        "Corani, Mangili 2016)."
    )
    if np.isfinite(evidence.results.scores).all() and zero_of(evidence.results.scores) is not None:
        yield "nemenyi has hardly any power on scores of 0 and 1; max-t and sign-flip have."
