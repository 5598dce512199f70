"""What a search for counter-examples, and an audit of a table, found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from deadheat.axioms.audit import Audited
from deadheat.axioms.axiom import Axiom
from deadheat.axioms.search import Found
from deadheat.core.errors import counted, named, short
from deadheat.core.files import PathLike, save
from deadheat.core.types import Cell, Row
from deadheat.output import table as markup
from deadheat.output.result import Result
from deadheat.output.table import Column, Grid
from deadheat.ranking.function import RankingFunction

if TYPE_CHECKING:
    from deadheat.axioms.audit import Finding
    from deadheat.axioms.axiom import Case


# ------------------------------------------------------------------------------
# Results whose examples are tables of their own in documents, and left out of spreadsheets.


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Exampled(Result):
    """Write the examples of a result beneath its table; ``grid`` obeys ``examples``."""

    examples: bool = True
    """Whether the notes of the grid tell the examples, which is what terminals want."""

    def told(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield a sentence on each example, and its table where it has one."""
        raise NotImplementedError

    def small_rows(self) -> list[Row]:
        """Return the records without what is nested; whole tables are in the JSON only."""
        return [without_tables(row) for row in self.rows()]

    def to_md(self, path: PathLike | None = None) -> str:
        """Return the grid, what it says, and the examples as Markdown tables."""
        parts = [Result.to_md(self._bare())]
        for sentence, grid in self.told():
            parts.append(f"{markup.in_markdown(sentence)}\n")
            parts += [markup.markdown(grid)] if grid is not None else []
        return _kept("\n".join(parts), path)

    def to_latex(self, path: PathLike | None = None) -> str:
        r"""Return the grid and every example as a ``tabular`` for ``\usepackage{booktabs}``."""
        parts = [Result.to_latex(self._bare())]
        for sentence, grid in self.told():
            parts.append(f"\\par\\medskip\\noindent\n{markup.in_latex(sentence)}\n")
            parts += [f"\\par\\smallskip\n{markup.latex(grid)}"] if grid is not None else []
        return _kept(markup.with_letters("\n".join(parts)), path)

    def _repr_html_(self) -> str:
        """Show the table, the verdict, the warnings and the examples in a notebook."""
        parts = [Result._repr_html_(self._bare())]
        for sentence, grid in self.told():
            parts.append(f"<p>{markup.in_html(sentence)}</p>\n")
            parts += [markup.html(grid)] if grid is not None else []
        return "".join(parts)

    def _bare(self) -> Self:
        return replace(self, examples=False)


def _kept(written: str, path: PathLike | None) -> str:
    if path is not None:
        save(path, written)
    return written


# ------------------------------------------------------------------------------
# What a search found about axioms, in words and as a table.

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


# ------------------------------------------------------------------------------
# What an audit of a table found, in words and as a table.

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


# ------------------------------------------------------------------------------

NESTED = ("counterexample", "weak_example", "findings")


def without_tables(row: Row) -> Row:
    """Return a record without what is nested, but with the worst that happens."""
    example = row["counterexample"] or row.get("weak_example")
    if "findings" in row:
        example = next(iter(row["findings"]), None)
    kept = {key: value for key, value in row.items() if key not in NESTED}
    return {**kept, "change": example and example["change"]}


@dataclass(frozen=True, eq=False, kw_only=True)
class Axioms(Exampled):
    """Hold, for every function and axiom, a counter-example or how hard one was looked for."""

    schema: ClassVar[str] = "deadheat.axioms/1"
    functions: tuple[RankingFunction, ...]
    found: Mapping[tuple[str, str], Found]
    """By the names of function and axiom."""

    def of(self, f: RankingFunction) -> list[Found]:
        """Return what was found of one function, axiom by axiom."""
        return [found for (name, _), found in self.found.items() if name == f.name]

    def rows(self) -> list[Row]:
        """Return one record per function and axiom."""
        return [self._row(f, found) for f in self.functions for found in self.of(f)]

    def _row(self, f: RankingFunction, found: Found) -> Row:
        strong, weak = found.cases.get(2), found.cases.get(1)
        return {
            "function": f.name,
            "axiom": found.axiom.name,
            "holds": found.holds,
            "searched": found.searched,
            "counterexample": strong and strong.as_dict(),
            "tables": found.tables,
            "strong": found.strong,
            "weak": found.weak,
            "weak_example": weak.as_dict() if weak and not strong else None,
            "claimed": claimed(f, found.axiom),
        }

    def facts(self) -> dict[str, Any]:
        """Return the axioms that each function violates, and those of which it was not seen."""
        return {
            "violated": {
                f.name: [found.axiom.name for found in self.of(f) if found.holds is False]
                for f in self.functions
            },
            "not_found": {
                f.name: [found.axiom.name for found in self.of(f) if found.holds]
                for f in self.functions
            },
        }

    def told(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield the counter-examples of a single function."""
        return ((sentence, case.grid()) for sentence, case in examples(self))

    @property
    def verdict(self) -> str:
        """Which axioms are violated, and which were not seen to be."""
        return verdict(self)

    def grid(self) -> Grid:
        """Return a line per function and axiom, and for one function its counter-examples."""
        return grid(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class AxiomAudit(Exampled):
    """Hold, for every function and axiom, how often it is violated on a table."""

    schema: ClassVar[str] = "deadheat.axioms/1"
    functions: tuple[RankingFunction, ...]
    found: Mapping[tuple[str, str], Audited]
    special: Mapping[str, str | None]
    """Who is first for a majority of judges, and who wins every duel."""
    first: Mapping[str, tuple[str, ...]]
    """Who is first by each function."""

    def of(self, f: RankingFunction) -> list[Audited]:
        """Return what was found of one function, axiom by axiom."""
        return [found for (name, _), found in self.found.items() if name == f.name]

    def rows(self) -> list[Row]:
        """Return one record per function and axiom."""
        return [self._row(f, found) for f in self.functions for found in self.of(f)]

    def _row(self, f: RankingFunction, found: Audited) -> Row:
        case = found.case
        return {
            "function": f.name,
            "axiom": found.axiom.name,
            "holds": found.holds,
            "searched": found.searched,
            "counterexample": case.as_dict() if case and found.holds is False else None,
            "strong": found.strong,
            "weak": found.weak,
            "share": found.strong / found.searched if found.searched else None,
            "winner": found.winner,
            "claimed": claimed(f, found.axiom),
            "findings": [finding.as_dict() for finding in found.findings],
        }

    def facts(self) -> dict[str, Any]:
        """Return the winners that the judges ask for, and who is first by each function."""
        return {**self.special, "first": {name: list(who) for name, who in self.first.items()}}

    def told(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield the worst findings of a single function."""
        return ((sentence, None) for sentence in findings(self))

    @property
    def verdict(self) -> str:
        """What taking away or copying a candidate, or a judge, turns around."""
        return audit_verdict(self)

    def grid(self) -> Grid:
        """Return a line per function and axiom, and for one function the worst findings."""
        return audit_grid(self)
