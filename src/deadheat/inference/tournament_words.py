"""What to say when data sets disagree about the settings."""

from __future__ import annotations

import numpy as np

from deadheat.errors import counted, listed, quoted
from deadheat.inference.tournaments import Agreement
from deadheat.ranking.ranks import best_of
from deadheat.text import percent

FEW = 3  # data sets: with fewer, nobody knows which of them is the unusual one
PLURALS = {"data set": "data sets", "category": "categories"}
SETTINGS = {"data set": "settings", "category": "candidates"}
DRAWN = {"data set": "splits", "category": "battles"}
USUAL = {
    "data set": "the labels, the direction of the score and what is special about the data are "
    "the usual places",
    "category": "who fought there, who judged and what is special about it",
}
NOT_TESTED = "; whether that is more than noise was not tested"
MOST_NAMES = 4  # of a camp
UNEQUAL = 3.0  # times the spread of ratings of another data set


def advice(agreement: Agreement, *, noun: str = "data set") -> tuple[str, ...]:
    """Return sentences for a reader: which data set reverses the others, how strongly, how sure.

    They say what the ratings show, and leave the reason to the reader. ``noun`` is what the parts
    are: data sets, or categories of battles.
    """
    if len(agreement.data_sets) < FEW:
        found = [_two(agreement, noun)]
    elif agreement.camps and not agreement.common_order:
        found = [_two_camps(agreement, noun)]
    else:
        found = _reversals(agreement, noun)
    return tuple(sentence for sentence in [*found, _spreads(agreement)] if sentence)


def _two(agreement: Agreement, noun: str) -> str:
    r = agreement.with_others[0]
    if not r < 0:
        return ""
    noise = _noise(agreement, 0, noun)
    return (
        f"The two {PLURALS[noun]} order the {SETTINGS[noun]} in opposite ways (correlation "
        f"{r:.2f}){noise}. With two {PLURALS[noun]} nothing tells which of them is unusual."
    )


def _two_camps(agreement: Agreement, noun: str) -> str:
    one, other = (listed(camp, most=MOST_NAMES) for camp in agreement.camps)
    return (
        f"The {PLURALS[noun]} fall into two camps that order the {SETTINGS[noun]} in opposite "
        f"ways: {one} against {other}{_noise_of_all(agreement, noun)}. There is no common order: "
        f"do not average over {PLURALS[noun]} before you know why they differ."
    )


def _noise_of_all(agreement: Agreement, noun: str) -> str:
    against = [agreement.data_sets.index(name) for name in agreement.reversed_]
    if np.isnan(agreement.p_reversed[against]).any():
        return NOT_TESTED
    noise = f"noise of the {DRAWN[noun]}"
    if len(agreement.beyond_noise) == len(against):
        return f"; that is more than the {noise}"
    return f"; for some of them that may be {noise}"


def _reversals(agreement: Agreement, noun: str) -> list[str]:
    found = []
    for name in agreement.reversed_:
        d = agreement.data_sets.index(name)
        found.append(
            f"{noun.capitalize()} {quoted(name)} goes against the others: its ratings correlate "
            f"{agreement.with_others[d]:.2f} with those of most of them, or less, and it puts "
            f"{percent(float(agreement.discordant[d]))} of the pairs of {SETTINGS[noun]} in the "
            f"other order, on average{_noise(agreement, d, noun)}."
        )
    if agreement.beyond_noise:
        found.append(
            f"Look at {listed(agreement.beyond_noise)} before you average over {PLURALS[noun]}: "
            f"{USUAL[noun]}."
        )
    if not agreement.common_order:
        found.append(
            f"{counted(len(agreement.reversed_), noun, PLURALS[noun])} of "
            f"{len(agreement.data_sets)} go against most of the others, so that there is no common "
            "order to go against."
        )
    return found


def _noise(agreement: Agreement, d: int, noun: str) -> str:
    p = agreement.p_reversed[d]
    if np.isnan(p):
        return NOT_TESTED
    noise = f"noise of the {DRAWN[noun]}"
    interval = (
        f"{100 * (1 - agreement.alpha):g} % of resamples give {agreement.low[d]:.2f} to "
        f"{agreement.high[d]:.2f}"
    )
    more = "is more than the" if p <= agreement.alpha else "may be"
    return f"; that {more} {noise} ({interval})"


def _spreads(agreement: Agreement) -> str:
    """Return a warning where the ratings of one data set are much larger than those of another."""
    spread = agreement.spread
    if not spread.min() * UNEQUAL < spread.max():
        return ""
    wide, narrow = best_of(spread), best_of(-spread)
    return (
        f"Ratings spread {spread[wide]:.2g} on {quoted(agreement.data_sets[wide])} and "
        f"{spread[narrow]:.2g} on {quoted(agreement.data_sets[narrow])}. A rating counts in units "
        "of split noise: the same gain in score is a larger rating where the noise is smaller, so "
        "compare probabilities across data sets and not gains."
    )
