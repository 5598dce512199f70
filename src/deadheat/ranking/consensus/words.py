"""What a consensus says, in words, and what its reader must be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deadheat.errors import counted, listed, quoted
from deadheat.ranking.consensus.found import Distance, Found

SHOWN = 8  # candidates of a ranking that are named in a sentence


def in_words(distance: Distance, found: Found, lead: Sequence[str], *, n: int, total: float) -> str:
    """Return who is first, how close the ranking is to the judges, and whether that is proven."""
    sentences = [
        _ranking(distance, found, lead),
        _closeness(distance, found, n, total),
    ]
    sentences.append(_others(found))
    return " ".join(filter(None, sentences))


def warnings_on(found: Found, *, time_limit: float) -> Iterator[str]:
    """Warn where the ranking is not proven to be the closest one."""
    gap = found.objective - found.bound
    share = f" ({gap / found.objective:.2%})" if found.objective else ""
    if found.status == "time limit":
        yield (
            f"the time limit of {time_limit:g} s was reached: this ranking is at most "
            f"{_number(gap)}{share} from the optimum."
        )
    elif found.status == "heuristic":
        yield (
            f"no quick method is known for this distance: the ranking comes from a search and is "
            f"at most {_number(gap)}{share} from the optimum."
        )


def _ranking(distance: Distance, found: Found, lead: Sequence[str]) -> str:
    proven = found.status == "optimal"
    what = "The ranking" if proven else "The best ranking found"
    least = "disagrees least with" if proven else "disagrees little with"
    if distance.name != "kendall":
        least = "is closest to" if proven else "is close to"
    if len(lead) > 1:
        return f"{what} that {least} the judges puts {_names(lead)} first, tied."
    return f"{what} that {least} the judges puts {_names(lead)} first."


def _closeness(distance: Distance, found: Found, n: int, total: float) -> str:
    value = f"Its distance to them is {_number(found.objective)} ({distance.unit})"
    if distance.name == "kendall" and n > 1:
        pairs = n * (n - 1) / 2 * total
        value = (
            f"It has {_number(found.objective)} disagreements of {_number(pairs)} possible "
            f"({found.objective / pairs:.1%})"
        )
    if found.status == "optimal":
        return f"{value}, which is proven optimal."
    return f"{value}; no ranking comes below {_number(found.bound)}."


def _others(found: Found) -> str:
    if found.status != "optimal":
        return ""
    if found.number is not None and found.number > 1:
        return f"{counted(found.number, 'optimal ranking')} exist, and this is one of them."
    if found.unique is True:
        return "No other ranking is as good."
    if found.unique is False:
        return "Other rankings are as good."
    return "Whether others are as good is not known."


def _names(names: Sequence[str]) -> str:
    return listed([quoted(name)[1:-1] for name in names], most=SHOWN)


def _number(value: float) -> str:
    """Return a number as people write it: whole ones whole, others to four digits."""
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 1000 else f"{value:.4g}"
