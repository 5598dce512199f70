"""What a search found about axioms, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from deadheat.axioms.axiom import Axiom
from deadheat.data.naming import named
from deadheat.ranking.function import RankingFunction
from deadheat.result import Column, Grid
from deadheat.typing import Cell

if TYPE_CHECKING:
    from deadheat.axioms.case import Case
    from deadheat.axioms.result import Axioms
    from deadheat.axioms.search import Found

MEANING = (
    "Violated means that an order is reversed; one that becomes a tie, or a tie that becomes an "
    "order, is a weak violation. iia and liia speak of scores, not of orders (Arrow); a clone is "
    "an exact copy; a majority or Condorcet winner may share the first place; consistency and "
    "participation leave the candidates as they are."
)
ALL = 99  # axioms: a sentence names every one


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
        (*([f.name] if several else []), found.axiom.name, _finding(f, found), found.searched)
        for f in result.functions
        for found in result.of(f)
    )
    notes = list(_lines(result)) if result.examples else []
    return Grid(columns=tuple(columns), cells=cells, notes=(*notes, MEANING))


def examples(result: Axioms) -> Iterator[tuple[str, Case]]:
    """Yield the counter-examples of a single function, each with what happens in it."""
    if len(result.functions) > 1:
        return
    for found in result.of(result.functions[0]):
        if found.case is not None:
            weak = "" if not found.holds else " (weak)"
            yield f"{found.axiom.name}{weak}: {found.case.change}", found.case


def _lines(result: Axioms) -> Iterator[str]:
    for sentence, case in examples(result):
        yield sentence
        yield from case.lines()
        yield ""


def verdict(result: Axioms) -> str:
    """Return which axioms are violated, for one function by name."""
    if len(result.functions) > 1:
        rows = [found for f in result.functions for found in result.of(f)]
        number = sum(found.holds is False for found in rows)
        return (
            f"{number} of {len(rows)} pairs of function and axiom have a counter-example; name one "
            "function to see its examples."
        )
    (f,) = result.functions
    found = result.of(f)
    bad = [one.axiom.name for one in found if one.holds is False]
    lied = [one.axiom.name for one in found if one.holds is False and one.axiom.name in f.satisfies]
    honest = [name for name in bad if name not in lied]
    good = [one.axiom.name for one in found if one.holds]
    unasked = [one.axiom.name for one in found if one.holds is None]
    parts = [
        refuted(f, lied),
        f"{f.name} violates {named(honest, most=ALL)}." if honest else "",
        f"No violation by {f.name} was found of {named(good, most=ALL)}." if good else "",
        f"Nothing was asked about {named(unasked, most=ALL)}: raise the budget." if unasked else "",
    ]
    return " ".join(filter(None, parts))


def refuted(f: RankingFunction, names: list[str], where: str = "") -> str:
    """Return a sentence on axioms that the function claims and breaks; nothing for none."""
    if not names:
        return ""
    them = "it" if len(names) == 1 else "them"
    return f"{f.name} claims {named(names, most=ALL)}, but violates {them}{where}."


def _finding(f: RankingFunction, found: Found) -> str:
    if found.holds is False and found.case is not None:
        n, m, _ = found.case.size
        claims = "claimed, but " if claimed(f, found.axiom) == "satisfies" else ""
        return f"{claims}violated by {n} x {m} scores"
    if found.holds is None:
        return "nothing to ask"
    says = claimed(f, found.axiom)
    words = "holds" if says == "satisfies" else "no violation found"
    if says == "violates":
        words += ", though one is known"
    return f"{words}, ties apart" if found.weak else words
