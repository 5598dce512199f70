"""What ratings may claim: whether it is known how often their tests err."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deadheat.errors import counted
from deadheat.inference.claims import FEWEST_JUDGES

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings


def units(r: Ratings) -> str:
    """Return how many rounds, battles or clusters are independent of each other, in words."""
    linear, number = r.evidence.linear, r.evidence.units
    return counted(number or 0, "unit" if linear is None else linear.noun)


def too_few(r: Ratings) -> bool:
    """Return whether there are too few rounds, battles or clusters for any test."""
    return r.evidence.units is not None and r.evidence.units < FEWEST_JUDGES


def error_is_unknown(r: Ratings) -> bool:
    """Return whether no simulation has shown how often tests of these ratings err."""
    return r.evidence.linear is None


def shows(r: Ratings) -> bool:
    """Return whether the groups may be said to show anybody better."""
    return not (too_few(r) or error_is_unknown(r))


def why_unknown(r: Ratings) -> str:
    """Return where it is not known how often the tests err, as the end of a sentence."""
    if too_few(r):
        noun = "unit" if r.evidence.linear is None else r.evidence.linear.noun
        return f"below {counted(FEWEST_JUDGES, noun)}"
    if r.errors == "fisher":
        return "where all matches are taken as independent"
    if r.model in ("epp", "bradley-terry"):
        return "with covariates, an advantage or teams"
    return f"for the model {r.model}"
