"""What was found about axioms, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from deadheat.axioms.axiom import Axiom
from deadheat.axioms.case import named, short
from deadheat.errors import counted
from deadheat.ranking.function import RankingFunction
from deadheat.result import Column, Grid
from deadheat.typing import Cell

if TYPE_CHECKING:
    from deadheat.axioms.audit import Audited, Finding
    from deadheat.axioms.result import AxiomAudit, Axioms
    from deadheat.axioms.search import Found

MEANING = (
    "Violated means that an order is reversed; one that becomes a tie, or a tie that becomes an "
    "order, is a weak violation. iia and liia speak of scores, not of orders (Arrow); a clone is "
    "an exact copy; a majority or Condorcet winner may share the first place; consistency and "
    "participation leave the candidates as they are."
)
MOST_SHOWN = 3


def claimed(f: RankingFunction, axiom: Axiom) -> str | None:
    """Return what the function says of itself: satisfies, violates, or None."""
    if axiom.name in f.satisfies:
        return "satisfies"
    return "violates" if axiom.name in f.violates else None


def grid(result: Axioms) -> Grid:
    """Return one line per function and axiom, with all counter-examples below if it is one."""
    several = len(result.functions) > 1
    columns = [Column(name="function")] if several else []
    columns += [Column(name="axiom"), Column(name="finding"), Column(name="cases")]
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (*_name(f, several), found.axiom.name, _finding(f, found), found.searched)
        for f in result.functions
        for found in result.of(f)
    )
    notes = [] if several else list(_examples(result.of(result.functions[0])))
    return Grid(columns=tuple(columns), cells=cells, notes=(*notes, MEANING))


def _name(f: RankingFunction, several: bool) -> list[str]:  # noqa: FBT001 - one of two kinds
    return [f.name] if several else []


def verdict(result: Axioms) -> str:
    """Return which axioms are violated, for one function by name."""
    if len(result.functions) > 1:
        rows = [found for f in result.functions for found in result.of(f)]
        bad = sum(not found.holds for found in rows)
        return (
            f"{bad} of {len(rows)} pairs of function and axiom have a counter-example; name one "
            "function to see its examples."
        )
    (f,) = result.functions
    found = result.of(f)
    bad_names = [one.axiom.name for one in found if not one.holds]
    good = [one.axiom.name for one in found if one.holds]
    parts = []
    if bad_names:
        parts.append(f"{f.name} violates {_listed(bad_names)}.")
    if good:
        parts.append(f"No violation by {f.name} was found of {_listed(good)}.")
    return " ".join(parts)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _finding(f: RankingFunction, found: Found) -> str:
    if not found.holds and found.case is not None:
        n, m, _ = found.case.size
        return f"violated by {n} x {m} scores"
    says = claimed(f, found.axiom)
    words = "holds" if says == "satisfies" else "no violation found"
    if says == "violates":
        words += ", though one is known"
    return f"{words}, ties apart" if found.weak else words


def _examples(found: list[Found]) -> Iterator[str]:
    for one in found:
        if one.case is not None:
            weak = "" if not one.holds else " (weak)"
            yield f"{one.axiom.name}{weak}: {one.case.change}"
            yield from one.case.lines()
            yield ""


def audit_grid(result: AxiomAudit) -> Grid:
    """Return one line per function and axiom: how many changes were tried, what they turned."""
    several = len(result.functions) > 1
    columns = [Column(name="function")] if several else []
    names = ("axiom", "tried", "reversed", "ties", "other winner")
    columns += [Column(name=name) for name in names]
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (
            *_name(f, several),
            found.axiom.name,
            found.searched,
            found.strong if found.searched else None,
            found.weak if found.searched else None,
            found.winner if found.searched else None,
        )
        for f in result.functions
        for found in result.of(f)
    )
    notes = [] if several else list(_worst(result.of(result.functions[0])))
    return Grid(columns=tuple(columns), cells=cells, notes=tuple(notes))


def _worst(found: list[Audited]) -> Iterator[str]:
    for one in found:
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
    return " ".join(
        filter(None, (_special(result), *(_turned(result, f) for f in result.functions)))
    )


def _special(result: AxiomAudit) -> str:
    majority, condorcet = result.special["majority_winner"], result.special["condorcet_winner"]
    if condorcet is None:
        return "Nobody wins every duel: there is no Condorcet winner."
    first = "wins every duel" if majority is None else "is first for a majority of the judges"
    missed = [name for name, who in result.first.items() if condorcet not in who]
    elected = f"not first by {_listed(missed)}" if missed else "ranked first"
    return f"{short(condorcet)} {first} and is {elected}."


def _turned(result: AxiomAudit, f: RankingFunction) -> str:
    kinds = {
        "iia": ("taking away", "candidates"),
        "clones": ("copying", "candidates"),
        "participation": ("the vote of", "judges"),
    }
    found = {one.axiom.name: one for one in result.of(f)}
    if not any(one.strong for one in found.values()):
        return f"No change that was tried reverses an order by {f.name}."
    parts = [
        f"{verb} {found[name].strong:,} of {found[name].searched:,} {noun}"
        for name, (verb, noun) in kinds.items()
        if name in found and found[name].searched
    ]
    if not parts:
        return ""
    return f"By {f.name}, an order of others is reversed by {'; by '.join(parts)}."
