"""What an audit of a table found, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from deadheat.axioms.words import ALL, refuted
from deadheat.data.naming import named, short
from deadheat.errors import counted
from deadheat.ranking.function import RankingFunction
from deadheat.result import Column, Grid
from deadheat.typing import Cell

if TYPE_CHECKING:
    from deadheat.axioms.audit import Audited, Finding
    from deadheat.axioms.result import AxiomAudit

MOST_SHOWN = 3
SEVERAL = (
    "How many of the changes that were tried reverse an order; name one function to see which."
)
CHANGES = {
    "consistency": ("joining", "pair of strata", "pairs of strata"),
    "participation": ("the vote of", "judge", "judges"),
    "iia": ("taking away", "candidate", "candidates"),
    "liia": ("keeping alone", "interval of the ranking", "intervals of the ranking"),
    "clones": ("copying", "candidate", "candidates"),
}


def audit_grid(result: AxiomAudit) -> Grid:
    """Return one line per axiom for a single function, else one per function."""
    return _of_several(result) if len(result.functions) > 1 else _of_one(result)


def _of_one(result: AxiomAudit) -> Grid:
    """Return how many changes were tried, and what they turned."""
    names = ("axiom", "tried", "reversed", "ties", "other winner")
    found = result.of(result.functions[0])
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (one.axiom.name, one.searched, *_counts(one)) for one in found
    )
    return Grid(
        columns=tuple(Column(name=name) for name in names),
        cells=cells,
        notes=tuple(findings(result)) if result.examples else (),
    )


def _counts(one: Audited) -> tuple[int | None, ...]:
    return (one.strong, one.weak, one.winner) if one.searched else (None,) * 3


def _of_several(result: AxiomAudit) -> Grid:
    """Return how many of the changes reverse an order, axioms side by side."""
    laws = [one.axiom.name for one in result.of(result.functions[0])]
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (f.name, *(_share(one) for one in result.of(f))) for f in result.functions
    )
    return Grid(
        columns=tuple(Column(name=name) for name in ("function", *laws)),
        cells=cells,
        notes=(SEVERAL,),
    )


def _share(one: Audited) -> str | None:
    return f"{one.strong:,} of {one.searched:,}" if one.searched else None


def findings(result: AxiomAudit) -> Iterator[str]:
    """Yield the worst of what was found of a single function, axiom by axiom."""
    if len(result.functions) > 1:
        return
    for one in result.of(result.functions[0]):
        for finding in one.findings[:MOST_SHOWN]:
            yield f"{one.axiom.name}: {_told(finding)}"
        more = one.strong + one.weak - MOST_SHOWN
        if more > 0:
            yield f"{one.axiom.name}: {more:,} more."


def _told(finding: Finding) -> str:
    weak = "" if finding.case.level > 1 else " (weak)"
    others = finding.number - 1
    more = f" {counted(others, 'more pair')} with it." if others else ""
    names = [finding.case.candidates[i] for i in finding.first or ()]
    winner = f" Then {named(names)} {'is' if len(names) == 1 else 'are'} first." if names else ""
    return f"{finding.case.change}{weak}{more}{winner}"


def audit_verdict(result: AxiomAudit) -> str:
    """Return who the judges ask for and gets it, and how much is turned around."""
    turned = _compared(result) if len(result.functions) > 1 else _turned(result)
    return " ".join(filter(None, (_special(result), *turned)))


def _special(result: AxiomAudit) -> str:
    majority, condorcet = result.special["majority_winner"], result.special["condorcet_winner"]
    if condorcet is None:
        return "Nobody wins every duel: there is no Condorcet winner."
    first = "wins every duel" if majority is None else "is first for a majority of the judges"
    missed = [name for name, who in result.first.items() if condorcet not in who]
    elected = f"not first by {named(missed, most=ALL)}" if missed else "ranked first"
    return f"{short(condorcet)} {first} and is {elected}."


def _turned(result: AxiomAudit) -> Iterator[str]:
    """Say what was found of one function: what reverses orders, or only makes and breaks ties."""
    (f,) = result.functions
    found = result.of(f)
    parts = [
        f"by {verb} {one.strong:,} of {one.searched:,} {noun if one.searched == 1 else nouns} "
        f"({one.axiom.name})"
        for one in found
        if one.strong and one.axiom.name in CHANGES
        for verb, noun, nouns in [CHANGES[one.axiom.name]]
    ]
    if parts:
        yield f"By {f.name}, an order is reversed {named(parts, most=ALL)}."
    else:
        yield f"No change that was tried reverses an order by {f.name}."
    changes = [one for one in found if one.axiom.name in CHANGES]
    ties = sum(one.weak for one in changes)
    if ties:
        only = "make or break a tie" if ties > 1 else "makes or breaks a tie"
        yield f"{ties:,} of {_all(changes)} changes only {only}."
    if any(one.strong for one in found if one.axiom.name == "unanimity"):
        yield f"{f.name} ranks somebody below another whom no judge prefers (unanimity)."
    broken = [one.axiom.name for one in found if one.strong and one.axiom.name in f.satisfies]
    yield refuted(f, broken, " here")


def _all(changes: list[Audited]) -> str:
    return f"{sum(one.searched for one in changes):,}"


def _compared(result: AxiomAudit) -> Iterator[str]:
    """Say under which function most and fewest changes reverse an order."""
    shares = {f.name: _reversals(result, f) for f in result.functions}
    tried = {name: share for name, share in shares.items() if share[1]}
    if not tried:
        return
    if not any(strong for strong, _ in tried.values()):
        yield "No change that was tried reverses an order by any of these functions."
        return
    rates = {name: strong / number for name, (strong, number) in tried.items()}
    fewest = [name for name, rate in rates.items() if rate == min(rates.values())]
    most = [name for name, rate in rates.items() if rate == max(rates.values())]
    if len(fewest) == len(rates):
        yield f"Under every function {_of_changes(*tried[most[0]])} reverse an order."
        return
    yield (
        f"Fewest changes reverse an order under {named(fewest, most=ALL)} "
        f"({_of_changes(*tried[fewest[0]])}), most under {named(most, most=ALL)} "
        f"({_of_changes(*tried[most[0]])})."
    )


def _of_changes(strong: int, tried: int) -> str:
    return f"{strong:,} of {counted(tried, 'change')}"


def _reversals(result: AxiomAudit, f: RankingFunction) -> tuple[int, int]:
    changes = [one for one in result.of(f) if one.axiom.name in CHANGES]
    return sum(one.strong for one in changes), sum(one.searched for one in changes)
