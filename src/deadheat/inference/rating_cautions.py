"""What the reader of ratings must be warned of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.errors import counted, listed
from deadheat.inference.claims import FEWEST_JUDGES
from deadheat.inference.rated import Rated
from deadheat.inference.rating_luck import lucky, thinly_spread
from deadheat.inference.rating_separation import open_ends
from deadheat.ranking.ranks import best_of
from deadheat.text import number

FEW_UNITS = 20
MARGIN = 1.25  # more resamples, where some of them are left out
MOST_NAMES = 4


def rating_cautions(
    rated: Rated, *, alpha: float, strict: bool = False, test: str | None = None
) -> Iterator[str]:
    """Warn of few units, of standard errors that are too small, and of what did not exist."""
    yield from _about_units(rated, alpha, strict=strict or test is not None)
    yield from _about_untested(rated, strict=strict or test is not None)
    yield from _about_replicates(rated, alpha, test)
    if rated.errors == "fisher":
        yield (
            "errors='fisher' (--errors fisher) takes all matches as independent. Where one score "
            "or one voter enters many of them, intervals are several times too short."
        )
    yield from rated.cautions
    if rated.fit is None:
        return
    if not rated.fit.pairs.wins.any() and not rated.fit.pairs.losses.any():
        yield (
            "all matches are ties, so that nothing varies: intervals without width do not show "
            "that the candidates are equal."
        )
    elif not np.isfinite(rated.mle).all():
        yield (
            "plain maximum-likelihood ratings do not exist for all: the column mle has +inf or "
            f"-inf or nothing, the column rating is penalised ({rated.fit.penalty})."
        )
        yield from open_ends(rated.evidence.separation)
        yield from _about_luck(rated, alpha)


def _about_units(rated: Rated, alpha: float, *, strict: bool) -> Iterator[str]:
    evidence = rated.evidence
    if evidence.freedom + 1 >= FEW_UNITS:
        return
    few = evidence.in_words()
    holds = strict and evidence.linear is not None and not evidence.too_few
    groups = "" if holds else ", and groups tell equals apart more often"
    if rated.evidence.replicates is not None:
        yield (
            f"{few} to draw from are few: intervals of {100 * (1 - alpha):g} % hold the truth less "
            f"often than they say{groups}."
        )
    elif not holds:
        yield f"{few} to draw from are few: groups tell equals apart more often than they say."


def _about_untested(rated: Rated, *, strict: bool) -> Iterator[str]:
    linear, n = rated.evidence.linear, len(rated.candidates)
    if not strict or linear is None or rated.evidence.too_few or len(linear.tested) == n:
        return
    few = np.setdiff1d(np.arange(n), linear.tested)
    names = listed([rated.candidates[i] for i in few.tolist()], most=MOST_NAMES)
    yield (
        f"{names}: fewer than {counted(FEWEST_JUDGES, linear.noun)}, so that nothing is shown "
        "about them, and they are in a dead heat with the best."
    )


def _about_replicates(rated: Rated, alpha: float, test: str | None) -> Iterator[str]:
    replicates = rated.evidence.replicates
    n = len(rated.candidates)
    tests, whom = n - 1, "one from all others"
    if test == "holm" and rated.evidence.linear is None:
        tests, whom = n * (n - 1), "all pairs"
    needed = least_replicates(tests, alpha)
    if replicates is not None and len(replicates) < needed:
        drawn = len(replicates) + rated.skipped
        take = int(np.ceil(needed * drawn / len(replicates) * MARGIN)) if rated.skipped else needed
        other = ", or errors='sandwich' (--errors sandwich)" if rated.fit is not None else ""
        yield (
            f"{counted(len(replicates), 'resample')} are too few to tell {whom} among "
            f"{counted(n, 'candidate')} at alpha = {alpha:g}: groups may be too large. Take "
            f"replicates={take} (--replicates {take}){other}."
        )
    if rated.skipped:
        yield f"{counted(rated.skipped, 'resample')} left out: somebody met nobody in them."
    if rated.penalised:
        how = " (firth)" if rated.fit is not None else ""
        yield (
            f"in {counted(rated.penalised, 'resample')} plain ratings do not exist; these are "
            f"penalised{how}."
        )


def least_replicates(tests: int, alpha: float) -> int:
    """Return with how many replicates the smallest p-value of so many tests can be small enough.

    >>> least_replicates(3, 0.05)
    59
    """
    return int(np.ceil(tests / alpha - 1e-9)) - 1


def _about_luck(rated: Rated, alpha: float) -> Iterator[str]:
    if rated.fit is None or rated.matches is None:
        return
    few = lucky(rated.fit, rated.matches.independent, units=rated.matches.units, alpha=alpha)
    if few:
        names = listed([rated.candidates[i] for i in few], most=MOST_NAMES)
        least = min(few.values())
        met = f"{number(least)} {'match' if least == 1 else 'matches'}"
        yield (
            f"{names}: all of as few as {met} with the rest ended the same way. So few can be "
            "luck, and groups do not tell apart whom nothing else does."
        )
    independent, parts = rated.matches.independent, rated.evidence.separation
    ratings = rated.evidence.ratings
    ends = (best_of(ratings), "won"), (best_of(-ratings), "lost")
    for i, did in ends:
        thin = thinly_spread(rated.fit, parts, independent, i, alpha=alpha)
        if thin is not None and i not in few:
            yield (
                f"{listed([rated.candidates[i]])} {did} all of {number(thin.matches)} matches, but "
                f"had {number(thin.most)} at most with any one of {counted(thin.rivals, 'rival')}: "
                "too few to tell it apart from each of them."
            )
