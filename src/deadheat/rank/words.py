"""Who is first, under how many ranking functions or beyond which errors, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deadheat.core.errors import Words, bare, counted, listed, named, say
from deadheat.core.weights import BLIND, COUNTING, NARROW, SUPPORT
from deadheat.data.results import Nouns
from deadheat.output.text import number
from deadheat.ranking.function import spoken
from deadheat.statistics.group_words import LEVEL, all_others, dead_heat
from deadheat.statistics.own_errors import LeaderTests

MANY_NAMES = 3
First = Mapping[str, tuple[str, ...]]  # who is first, by each function or under each policy


def winners_in_words(first: First, noun: str) -> str:
    """Return who is first under how many functions, and which ones put somebody else first."""
    (lead, names), *others = by_winner(first)
    if not others:
        number = "both" if len(first) == 2 else f"all {len(first)}"
        return f"{are_first(lead, noun)} under {number} ranking functions."
    lead_by = f"{len(names)} of {len(first)} functions"
    rest = {name: who for name, who in first.items() if who != lead}
    return f"{are_first(lead, noun)} under {lead_by}; {who_by_what(rest, 'under', noun)}."


def others_in_words(lead: tuple[str, ...], first: First, noun: str = "candidate") -> Words:
    """Return whether the functions in ``first``, that of the lead among them, agree on it."""
    others = {name: who for name, who in first.items() if who != lead}
    if others:
        said = f"Another choice would change who is first: {who_by_what(others, 'by', noun)}."
        return Words(said, weight=COUNTING, good=False)
    number, puts = f"All {len(first) - 1} other functions that were tried", "put"
    if len(first) == 2:
        number, puts = "The other function that was tried", "puts"
    said = f"{number} also {puts} {names_in_words(lead, noun)} first."
    return Words(said, weight=SUPPORT, good=True)


def who_by_what(first: First, word: str, noun: str = "candidate") -> str:
    """Return who is first by (or under) what, the most frequent first."""
    return "; ".join(
        f"{names_in_words(who, noun)}{' tied' if len(who) > 1 else ''} {word} "
        f"{listed(map(spoken, by), most=6)}"
        for who, by in by_winner(first)
    )


def by_winner(first: First) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return each set of candidates that is first, and by what: the most frequent first."""
    ways: dict[tuple[str, ...], list[str]] = {}
    for name, who in first.items():
        ways.setdefault(who, []).append(name)
    return sorted(ways.items(), key=lambda item: -len(item[1]))


def names_in_words(names: Sequence[str], noun: str = "candidate") -> str:
    return named(names) if len(names) <= MANY_NAMES else counted(len(names), noun)


def are_first(lead: Sequence[str], noun: str) -> str:
    return f"{names_in_words(lead, noun)} {'is first' if len(lead) == 1 else 'are tied for first'}"


# One score each, with standard errors of their own, or without any.

MOST_NAMES = 5
SURE = 4  # digits of a p-value at most


def z_tests(alpha: float, of: str = " of independent scores") -> str:
    return f"one-sided z-tests{of} at {number(100 * alpha)} %"


def with_own_errors(
    names: Sequence[str],
    tests: LeaderTests,
    level: Sequence[str],
    nouns: Nouns,
    called: str,
    alpha: float,
) -> Iterator[str]:
    """Say who wins or ties beyond the errors of scores, what is close, and who was not tested."""
    leader, n = bare(names[tests.leader]), len(names)
    basis = f"({called}, own standard errors)"
    known, unknown = int(tests.tested.sum()), np.flatnonzero(~tests.tested).tolist()
    if known < 2:
        yield f"{leader} is first by {called}."
    elif len(level) > 1:
        yield f"{dead_heat(len(level), n, nouns, 'first place')} {basis}."
    else:
        others = all_others(n, nouns)
        if unknown:
            others = f"{nouns.candidates(known - 1)} that have a standard error"
        yield f"{leader} wins: {z_tests(alpha, of='')} show it better than {others} {basis}."
    if known > 1:
        yield _closest(names, tests, alpha)
    if tests.leader in unknown:
        blind = "The best score has no standard error: nothing shows whether its lead is luck."
        yield Words(blind, weight=BLIND, good=False)
    elif unknown:
        who = listed((bare(names[i]) for i in unknown), most=MOST_NAMES)
        have = f"{'has' if len(unknown) == 1 else 'have'} no standard error and "
        have += "is not tested" if len(unknown) == 1 else "are not tested"
        some = f"{len(unknown):,} of {nouns.candidates(n)}"
        yield Words(f"{some} {have}: {who}.", weight=BLIND, good=False)


def _closest(names: Sequence[str], tests: LeaderTests, alpha: float) -> Words:
    """Say whom the tests come closest to separating, or separate most narrowly."""
    order = [i for i in np.argsort(tests.p, kind="stable").tolist() if not np.isnan(tests.p[i])]
    level = [i for i in order if not tests.worse[i]]
    leader = bare(names[tests.leader])
    if level:
        who, chance = bare(names[level[0]]), _chance(float(tests.p[level[0]]))
        left = f"of {counted(len(order), 'test')} at {number(100 * alpha)} % in all"
        said = f"{leader} is not shown better than {who}: {chance}, {left}."
        return Words(said, weight=NARROW)
    who, chance = bare(names[order[-1]]), _chance(float(tests.p[order[-1]]))
    return Words(f"{who} comes closest to {leader}: {chance}.", weight=SUPPORT, good=True)


def _chance(p: float) -> str:
    least = 10.0**-SURE
    return f"p = {p:.2g}" if p >= least else f"p < {least:.{SURE}f}"


def legend_of_own_errors(
    names: Sequence[str], tests: LeaderTests, level: Sequence[str], alpha: float
) -> Iterator[str]:
    if len(level) > 1:
        first = bare(names[tests.leader])
        yield f"{LEVEL}  level with {first}: {z_tests(alpha)} do not separate them"


def notes_on_own_errors(nouns: Nouns, level: str) -> Iterator[str]:
    yield f"\u00b1 {level}: half of the interval of a score, 1.96 of its standard errors."
    yield (
        "The best score is tested against each other one, by the lead over the root of the sum of "
        "both squared standard errors, one-sided, with Holm's correction for all of them."
    )
    yield (
        "The tests take scores as independent. Those on the same questions go up and down "
        f"together: then fewer {nouns.candidates()} are level, and scores per question show it."
    )


def one_score_each(nouns: Nouns) -> Words:
    """Say that nothing tells how sure a ranking by one score each is, and what would."""
    fact = f"each {nouns.candidate} has one score, and nothing shows how far it would vary"
    errors = f"name a column of standard errors or intervals ({say('standard_error', 'COL')})"
    tasks = nouns.judges(20) if "judge" in nouns.facts() else "20 tasks"
    said = f"{fact}: {errors}, or add scores on {tasks}."
    return Words(said, page=f"{fact}.", weight=BLIND, good=False)
