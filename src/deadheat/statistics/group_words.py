"""What verdicts and ratings say alike about tie groups: who is level, who is ahead, by what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil

from deadheat.core.errors import UnknownNameError, Words, bare, counted, say
from deadheat.core.errors import named as joined
from deadheat.core.weights import SUPPORT
from deadheat.data.results import Nouns
from deadheat.output.text import number

FEW = 4  # names that a sentence can bear
OF_LEADERS = "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is"
SPARE = 1.1  # resamples beyond those that should do, where some are lost by chance
THOUSAND = 1_000  # numbers that a person would say
SEEN = 20  # rows that any terminal shows
LONG = 26  # letters of a name that leave a legend on one line
LEVEL = "="  # the mark of who is level with the leader


def position(candidates: Sequence[str], name: str) -> int:
    try:
        return candidates.index(name)
    except ValueError:
        raise UnknownNameError("candidate", str(name), candidates) from None


def names_or_number(names: Sequence[str], noun: str = "candidate") -> str:
    return counted(len(names), noun) if len(names) > FEW else joined(names)


def dead_heat(size: int, n: int, nouns: Nouns, share: str) -> str:
    """Say that some of n candidates share something, as a sentence without its full stop."""
    some = f"{size:,} of {nouns.candidates(n)}"
    every = "both" if n == 2 else f"all {n:,}"
    return f"Dead heat: {f'{every} {nouns.candidates()}' if size == n else some} share {share}"


def undecided(kept: int, needed: int, n: int, nouns: Nouns, *, whole: float = 1.0) -> Words:
    """Say how many resamples would do; in a share of those drawn everybody has a score."""
    few = f"Undecided: {kept:,} resamples cannot separate {nouns.candidates(n)}"
    if whole < 1:
        few = (
            f"Undecided: only {kept:,} of {round(kept / whole):,} resamples have a score for every "
            f"{nouns.candidate}, which cannot separate {nouns.candidates(n)}"
        )
    enough = enough_resamples(needed, whole=whole)
    return Words(f"{few}; {say('replicates', enough)} can", page=f"{few}; {enough:,} can")


def enough_resamples(needed: int, *, whole: float) -> int:
    """Return how many resamples to draw where only a share of them has a score for everybody."""
    return needed if whole == 1 else ceil(SPARE * needed / whole / THOUSAND) * THOUSAND


def all_others(n: int, nouns: Nouns) -> str:
    return "the other one" if n == 2 else f"each of the {n - 1:,} other {nouns.candidates()}"


def legend(
    names: Sequence[str],
    places: Sequence[float],
    level: Sequence[int],
    leader: int,
    *,
    unknown: str,
    tests: str,
    often: Sequence[float] = (),
    behind: str = "steadily behind",
    among: Collection[int] | None = None,
) -> Iterator[str]:
    """Say what it means to be level with the leader, and why somebody in a better place is not.

    ``behind`` says how that one is behind the leader, ``often`` how often each is first. Only who
    is shown is named: those ``among`` whom a table shows, and of these who stands in rows that a
    small terminal has.
    """
    first = bare(names[leader])
    first = first if len(first) <= LONG else "the leader"
    best = [i for i in range(len(names)) if places[i] == min(places)]
    if leader not in best and often and often[leader] == max(often):
        first = f"{first}, which is first most often"
    elif leader in best[1:]:
        first = "first"
    if unknown:
        yield f"{LEVEL}  level with {first}, {unknown}"
    else:
        yield f"{LEVEL}  level with {first}: {tests} do not separate them"
    shown = sorted(range(len(names)) if among is None else among, key=lambda i: places[i])
    seen, equals = {*shown[:SEEN]}, [i for i in shown if i in level]
    worst = equals[-1] if equals else leader
    ahead = [i for i in shown if i not in level and places[i] < places[worst]]
    if ahead:
        who, whom = counted(len(ahead), "other"), bare(names[worst])
        if ahead[0] in seen:
            more = f" and {counted(len(ahead) - 1, 'other')}" if len(ahead) > 1 else ""
            who = f"{bare(names[ahead[0]])}{more}"
        whom = whom if worst in seen else "some of these"
        yield f"   not {who}: closer than {whom}, but {behind}"


def lucky_leader(
    who: str, heading: str, plain: str, ends: Sequence[str], n: int, *, unit: str = ""
) -> Words:
    """Say what the best of n is worth that was chosen for looking best."""
    span = f"{' to '.join(ends)}{unit}"
    return Words(
        f"{bare(who)}'s own {heading} is probably nearer {plain}{unit} ({span}): the "
        f"best of {n:,} looks better than it is.",
        weight=SUPPORT,
        good=False,
    )


CLEARLY_LUCKY = 1 / 8  # of the length of the leader's interval: about half an error


def detectable_lead_in_words(lead: float, heading: str = "", *, unit: str = "") -> str:
    what = f" in {heading}" if heading else ""
    least = f"{number(float(f'{lead:.2g}'))}{unit}"
    return f"A lead of {least} or more{what} would have been seen (in 4 of 5 cases)."


def stricter(sentence: str) -> Words:
    end = "for all pairs at once: to claim who is better than whom."
    return Words(
        f"{sentence} {say('strict', value=True)} holds {end}",
        page=f"{sentence} Stricter tests hold {end}",
    )
