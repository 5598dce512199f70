"""What a verdict says, in sentences that claim no more than was tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deadheat.errors import counted, quoted
from deadheat.inference.official import top
from deadheat.inference.strict import cost_of
from deadheat.ranking.words import others_in_words
from deadheat.resampling.plans import Jackknife
from deadheat.text import number

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict

FEW = 4  # names that a sentence can bear
PODIUM = 3


def verdict_in_words(v: Verdict) -> str:
    """Return the verdict, one sentence or two a line."""
    lines = [
        f"{dead_heat(v)} {first_places(v)}",
        *_leaving_out(v),
        *_against_the_official(v),
        *_borderline(v),
        *_strictly(v),
        *_by_others(v),
    ]
    return "\n".join(lines)


def dead_heat(v: Verdict) -> str:
    """Say who is in the first group."""
    first, n = v.groups[0], len(v.candidates)
    if len(first) == 1:
        others = "the other candidate" if n == 2 else f"each of the other {n - 1:,} candidates"
        return f"{_named(first)} is the clear winner: it is shown better than {others}."
    if len(first) == n:
        everybody = "Both" if n == 2 else f"All {n:,}"
        return f"{everybody} candidates are in a dead heat for first place."
    if len(first) <= FEW:
        return f"{_named(first)} are in a dead heat for first place, ahead of {n - len(first):,}."
    return f"{len(first):,} of {n:,} candidates are in a dead heat for first place."


def first_places(v: Verdict) -> str:
    """Say how often the winner is first, and who is first more often, if anybody is."""
    if v.has_official:
        who, what = [v.candidates[i] for i in top(v.official, 1)], "The official winner "
    else:
        who, what = list(v.winners), ""
    shares = {name: v.row(name).first_share for name in v.candidates}
    most = max(shares, key=shares.__getitem__)
    by = "" if v.has_official else f", first by {v.function.name},"
    if len(who) == 1:
        often = f"ranks first in {percent(shares[who[0]])}"
        sentence = f"{what}{_named(who)}{by} {often} of {_worlds(v)}"
    else:
        by = "officially" if v.has_official else f"by {v.function.name}"
        each = [percent(shares[name]) for name in who]
        often = f"they rank first in {_and(each[:FEW])}{' ...' if len(who) > FEW else ''}"
        if len(set(each)) == 1:
            often = f"each ranks first in {each[0]}"
        sentence = f"{_named(who)} are tied for first {by}; {often} of {_worlds(v)}"
    if shares[most] > max(shares[name] for name in who):
        sentence += f", {quoted(most)[1:-1]} in {percent(shares[most])}"
    return sentence + "."


def _worlds(v: Verdict) -> str:
    alone = isinstance(v.evidence.plan, Jackknife)
    return "the tables with one left out" if alone else "resamples"


def percent(share: float) -> str:
    """Return a share as people say it: whole per cent, with a digit where it is small.

    >>> percent(0.3816), percent(0.0123), percent(0.0), percent(0.9996)
    ('38 %', '1.2 %', '0 %', 'over 99.9 %')
    """
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share > 0.999:
        return "over 99.9 %"
    if share < 0.001:
        return "under 0.1 %"
    return f"{100 * share:.1f} %" if share < 0.095 or share > 0.99 else f"{100 * share:.0f} %"


def _leaving_out(v: Verdict) -> Iterator[str]:
    if v.influence is None:
        return
    facts = v.influence.facts()
    of_all, kind = facts["judges"], facts["over"].removesuffix("s")
    kind = "stratum" if kind == "strata" else kind
    podium = facts["top3_set"] + facts["top3_order"]
    if v.evidence.results.n <= PODIUM:
        podium = facts["any"]
    what = "ranking" if v.evidence.results.n <= PODIUM else "podium"
    if podium == 0:
        yield f"No single {kind} decides the {what}: leaving out any one of {of_all:,} keeps it."
        return
    one = f"one {kind} of {of_all:,}"
    if podium > 1:
        plural = "strata" if kind == "stratum" else f"{kind}s"
        one = f"any one of {podium:,} of {of_all:,} {plural}"
    winner = facts["winner"]
    also = f", and {winner:,} of them also the winner" if winner else ", never the winner"
    if winner == podium:
        also = " and the winner"
    elif winner == 1:
        also = ", and one of them also the winner"
    yield f"Leaving out {one} changes the {what}{also}."


def _against_the_official(v: Verdict) -> Iterator[str]:
    if not v.has_official:
        return
    number_of = v.facts()["inversions"]
    if number_of:
        verb = "stands" if number_of == 1 else "stand"
        yield (
            f"{counted(number_of, 'pair')} of candidates {verb} in the groups the other way round "
            "than in the official order."
        )
    else:
        yield "The groups contradict the official order nowhere."


def _borderline(v: Verdict) -> Iterator[str]:
    if v.strictly is not None or not v.paper.borderline:
        return
    close = v.paper.borderline[0]
    names = f"{quoted(v.candidates[close.leader])} against {quoted(v.candidates[close.other])}"
    more = len(v.paper.borderline) - 1
    others = f", and {counted(more, 'other')}" if more else ""
    yield (
        f"Borderline: {names} (p = {close.p:.2g}, threshold {close.threshold:.2g}, Monte-Carlo "
        f"error {close.error:.1g}){others}. More resamples may change the groups: raise "
        "--replicates, or --until-settled."
    )


def _strictly(v: Verdict) -> Iterator[str]:
    if v.strictly is not None:
        paper = [len(group) for group in v.paper.members]
        mine = [len(group) for group in v.members]
        same = _sets(v.paper.members) == _sets(v.members)
        yield (
            "The groups of the paper's procedure are the same."
            if same
            else f"The paper's procedure groups otherwise: {_sizes(paper)} instead of "
            f"{_sizes(mine)}."
        )
        if v.best is not None and len(v.best) < len(v.candidates):
            level = number(100 * (1 - v.alpha))
            who = counted(len(v.best), "candidate")
            names = f": {_named(v.best)}" if len(v.best) <= FEW else ""
            yield f"With {level} % confidence a given best candidate is one of {who}{names}."
        return
    if v.all_pairs is None:
        yield f"Stricter tests of all pairs (--strict) would take {cost_of(v.evidence)} more."
        return
    if _sets(v.all_pairs.members) == _sets(v.members):
        yield "Stricter tests of all pairs (--strict) give the same groups."
        return
    sizes = [len(group) for group in v.all_pairs.members]
    yield (
        f"Stricter tests of all pairs (--strict) group otherwise: {_sizes(sizes)} instead of "
        f"{_sizes([len(group) for group in v.members])}."
    )


def _by_others(v: Verdict) -> Iterator[str]:
    if v.first_by:
        yield others_in_words(v.winners, {v.function.name: v.winners, **v.first_by})


def guarantee(v: Verdict) -> str:
    """Say what the groups guarantee, and what they do not."""
    level = number(100 * v.alpha)
    if v.strictly is not None:
        return (
            f"Groups: all pairs tested at once ({v.test}); the chance that any pair is wrongly "
            f"told apart is about {level} %. A leader is shown better than nobody in its group."
        )
    return (
        "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is shown "
        f"better than all below. A given best candidate misses the first group in about {level} % "
        "of cases; that some equally good one does is likelier (at 5 % among 10 equals: 25-40 %). "
        "--strict holds for all pairs at once."
    )


def _sets(members: Sequence[Sequence[int]]) -> list[frozenset[int]]:
    return [frozenset(group) for group in members]


def _sizes(sizes: Sequence[int]) -> str:
    shown = " + ".join(str(size) for size in sizes[:6])
    return shown + (f" + ... ({len(sizes)} groups)" if len(sizes) > 6 else "")


def _named(names: Sequence[str]) -> str:
    if len(names) > FEW:
        return counted(len(names), "candidate")
    return _and([quoted(name)[1:-1] for name in names])


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
