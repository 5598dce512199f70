"""What ratings may claim: whether it is known how often their tests err."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deadheat.errors import counted
from deadheat.inference.claims import FEWEST_JUDGES

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings


def error_is_unknown(r: Ratings) -> bool:
    """Return whether no simulation has shown how often tests of these ratings err."""
    return r.evidence.linear is None


def shows(r: Ratings) -> bool:
    """Return whether the groups may be said to show anybody better."""
    return not (r.evidence.too_few or error_is_unknown(r))


def why_unknown(r: Ratings) -> str:
    """Return where it is not known how often the tests err, as the end of a sentence."""
    if r.evidence.too_few:
        beyond = "" if r.evidence.strata == 1 else " beyond the first of each stratum"
        least = FEWEST_JUDGES - bool(beyond)
        return f"below {counted(least, r.evidence.noun)}{beyond}"
    if r.errors == "fisher":
        return "where all matches are taken as independent"
    if r.model in ("epp", "bradley-terry"):
        return "with covariates, an advantage or teams"
    return f"for the model {r.model}"
