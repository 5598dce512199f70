"""What a search for counter-examples, and an audit of a table, found: results and sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from deadheat.axioms.axiom import STRONG, WEAK, AuditResult, Axiom, Case, Finding
from deadheat.axioms.search import SearchResult
from deadheat.core.errors import Words, bare, counted, named
from deadheat.core.types import Row
from deadheat.core.weights import CAUTION
from deadheat.output.result import Result
from deadheat.output.table import Column, Grid
from deadheat.ranking.function import RankingFunction, spoken

MEANING = (
    "Violated means that an order is reversed; one that becomes a tie, or a tie that becomes an "
    "order, is a weak violation. iia and liia speak of scores, not of orders (Arrow); a clone is "
    "an exact copy; a majority or Condorcet winner may share the first place; consistency and "
    "participation leave the candidates as they are."
)
NOT_FOUND = "Not found: no violation was, which proves nothing."
EXAMPLES = "Name one function to see its counter-examples."
SEVERAL = "1/3: of 3 cases that were tried 1 violates it. Name one function to see which."
CHANGES = {
    "consistency": ("joining", "pair of strata", "pairs of strata"),
    "participation": ("the vote of", "judge", "judges"),
    "iia": ("taking away", "candidate", "candidates"),
    "liia": ("keeping alone", "interval of the ranking", "intervals of the ranking"),
    "clones": ("copying", "candidate", "candidates"),
}
VIOLATION = 0.45  # what one weighs: less than what is said of all of them
NOTHING_FOUND = 0.3
IN_FULL = "every counter-example in full"
ALL = 99  # axioms: a sentence names every one
MOST_SHOWN = 3  # findings of an axiom
NESTED = ("counterexample", "weak_example", "findings")


def without_tables(row: Row) -> Row:
    """Return a record without what is nested, but with the worst that happens."""
    example = row["counterexample"] or row.get("weak_example")
    if "findings" in row:
        example = next(iter(row["findings"]), None)
    kept = {key: value for key, value in row.items() if key not in NESTED}
    return {**kept, "change": example and example["change"]}


One = TypeVar("One", SearchResult, AuditResult)


def claim_of(f: RankingFunction, axiom: Axiom) -> str | None:
    """Return what the function says of itself: satisfies, violates, or None."""
    if axiom.name in f.satisfies:
        return "satisfies"
    return "violates" if axiom.name in f.violates else None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AxiomResult(Result, Generic[One]):
    """What was found of every function and axiom; examples are tables of their own in documents."""

    schema: ClassVar[str] = "deadheat.axioms/1"
    functions: tuple[RankingFunction, ...]
    found: Mapping[tuple[str, str], One]  # by the names of function and axiom
    examples: bool = True  # whether the notes of the grid tell them, as terminals want

    @property
    def reasons(self) -> tuple[Words, ...]:
        """What else there is to say, then each violation in a sentence."""
        told = (said for said, _ in self.appendix())
        cases: list[Words] = [Words(said, weight=VIOLATION, good=False) for said in told]
        return tuple(sorted((*super().reasons, *cases), key=lambda said: -said.weight))

    def of(self, f: RankingFunction) -> list[One]:
        return [found for (name, _), found in self.found.items() if name == f.name]

    def rows(self) -> list[Row]:
        return [
            {"function": f.name, "axiom": found.axiom.name, "holds": found.holds}
            | {"searched": found.searched, **self._details(f, found)}
            for f in self.functions
            for found in self.of(f)
        ]

    @abstractmethod
    def _details(self, f: RankingFunction, found: One) -> Row: ...

    @abstractmethod
    def appendix(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield a sentence on each example, and its table where it has one."""

    def small_rows(self) -> list[Row]:
        return [without_tables(row) for row in self.rows()]

    def document_grid(self) -> Grid:
        return replace(self, examples=False).grid()


def _by_function(
    result: AxiomResult[Any], what: str, said: list[str], cells: list[Any], **notes: tuple[str, ...]
) -> Grid:
    """Return a row per function: on a terminal in a sentence, in documents a column per axiom."""
    laws = [found.axiom.name for found in result.of(result.functions[0])]
    terminal = (Column(name="function", key=True), Column(name=what, picture=True))
    columns = (*terminal, *(Column(name=law, on_paper=True) for law in laws))
    rows = zip((f.name for f in result.functions), said, cells, strict=True)
    return Grid.of(columns, ((name, text, *row) for name, text, row in rows), **notes)


def _refuted_claims(f: RankingFunction, names: list[str], where: str = "") -> str:
    them = "it" if len(names) == 1 else "them"
    said = f"{spoken(f.name)} claims {named(names, most=ALL)}, but violates {them}{where}."
    return said if names else ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Axioms(AxiomResult[SearchResult]):
    """Hold, for every function and axiom, a counter-example or how hard one was looked for."""

    def _details(self, f: RankingFunction, found: SearchResult) -> Row:
        strong, weak = found.cases.get(STRONG), found.cases.get(WEAK)
        return {
            "counterexample": strong and strong.as_dict(),
            "tables": found.tables,
            "strong": found.strong,
            "weak": found.weak,
            "weak_example": weak.as_dict() if weak and not strong else None,
            "claimed": claim_of(f, found.axiom),
        }

    def _broken(self, f: RankingFunction) -> list[str]:
        return [found.axiom.name for found in self.of(f) if found.holds is False]

    def facts(self) -> dict[str, Any]:
        return {
            key: {
                f.name: [found.axiom.name for found in self.of(f) if found.holds is holds]
                for f in self.functions
            }
            for key, holds in (("violated", False), ("not_found", True))
        }

    def appendix(self) -> Iterator[tuple[str, Grid | None]]:
        return ((sentence, case.grid()) for sentence, case in self._examples())

    def _examples(self) -> Iterator[tuple[str, Case]]:
        for found in self.of(self.functions[0]) if len(self.functions) == 1 else ():
            if found.case is not None:
                weak = " (weak)" if found.holds else ""
                yield f"{found.axiom.name}{weak}: {found.case.change}", found.case

    def grid(self) -> Grid:
        """Return a line per axiom, or, of several functions, who obeys what: table 2, left."""
        first = self.of(self.functions[0])
        if len(self.functions) > 1:
            answers = [[_answer(f, x) for x in self.of(f)] for f in self.functions]
            broken = [self._broken(f) for f in self.functions]
            said = [", ".join(names) or "none that was found" for names in broken]
            notes: Any = {"legend": (EXAMPLES,), "notes": (NOT_FOUND, MEANING)}
            return _by_function(self, "breaks", said, answers, **notes)
        cells = ((x.axiom.name, _finding(self.functions[0], x), x.searched) for x in first)
        lines: list[str] = []
        for _, case in self._examples() if self.examples else ():
            lines += [f"{case.axiom.name}:", *case.lines(), ""]
        heads = ("axiom", "finding", "cases")
        told = {"explains": IN_FULL} if lines else {}
        return Grid.of(heads, cells, notes=(*lines, MEANING), **told)

    @property
    def sentences(self) -> tuple[str, ...]:
        if len(self.functions) > 1:
            of = counted(len(self.of(self.functions[0])), "axiom")
            sizes = {f.name: len(self._broken(f)) for f in self.functions}
            ends = [min(sizes.values()), max(sizes.values())]
            fewest, most = ([spoken(name) for name in sizes if sizes[name] == end] for end in ends)
            if len(fewest) == len(sizes):
                return (f"Each of the {len(sizes)} functions breaks {ends[0]} of {of}.",)
            few = f"{named(fewest, most=ALL)} {'breaks' if len(fewest) == 1 else 'break'} fewest"
            return (f"Of {of}, {few} ({ends[0]}), {named(most, most=ALL)} most ({ends[1]}).",)
        (f,) = self.functions
        by_answer: dict[bool | None, list[str]] = {True: [], False: [], None: []}
        for one in self.of(f):
            by_answer[one.holds].append(one.axiom.name)
        broken = [name for name in by_answer[False] if name in f.satisfies]
        other = [name for name in by_answer[False] if name not in broken]
        more = f"{spoken(f.name)} violates {named(other, most=ALL)}." if other else ""
        headline = " ".join(filter(None, [_refuted_claims(f, broken), more]))
        said = (headline, _not_found(f, by_answer[True]), _not_asked(by_answer[None]))
        return tuple(filter(None, said))


def _not_found(f: RankingFunction, names: list[str]) -> str:
    said = f"No violation by {spoken(f.name)} was found of {named(names, most=ALL)}."
    return Words(said, weight=NOTHING_FOUND, good=True) if names else ""


def _not_asked(names: list[str]) -> str:
    said = f"Nothing was asked about {named(names, most=ALL)}: raise the budget."
    return Words(said, weight=CAUTION, good=False) if names else ""


def _answer(f: RankingFunction, found: SearchResult) -> str | None:
    if found.holds:
        return "yes" if claim_of(f, found.axiom) == "satisfies" else "not found"
    return None if found.holds is None else "no"


def _finding(f: RankingFunction, found: SearchResult) -> str:
    says = claim_of(f, found.axiom)
    if found.holds is False and found.case is not None:
        n, m, _ = found.case.size
        return f"{'claimed, but ' * (says == 'satisfies')}violated by {n} x {m} scores"
    if found.holds is None:
        return "nothing to ask"
    words = {None: "no violation found", "satisfies": "holds"}
    known = "no violation found, though one is known"
    return words.get(says, known) + ", ties apart" * bool(found.weak)


@dataclass(frozen=True, eq=False, kw_only=True)
class AxiomAudit(AxiomResult[AuditResult]):
    """Hold, for every function and axiom, how often it is violated on a table."""

    special: Mapping[str, str | None]  # who is first for a majority, and who wins every duel
    first: Mapping[str, tuple[str, ...]]  # who is first by each function

    def _details(self, f: RankingFunction, found: AuditResult) -> Row:
        return {
            "counterexample": found.findings[0].case.as_dict() if found.strong else None,
            "strong": found.strong,
            "weak": found.weak,
            "share": found.strong / found.searched if found.searched else None,
            "winner": found.winner,
            "claimed": claim_of(f, found.axiom),
            "findings": [finding.as_dict() for finding in found.findings],
        }

    def facts(self) -> dict[str, Any]:
        return {**self.special, "first": {name: list(who) for name, who in self.first.items()}}

    def appendix(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield the worst findings of a single function, axiom by axiom."""
        for one in self.of(self.functions[0]) if len(self.functions) == 1 else ():
            for finding in one.findings[:MOST_SHOWN]:
                yield f"{one.axiom.name}: {_in_words(finding)}", None
            more = one.strong + one.weak - MOST_SHOWN
            if more > 0:
                yield f"{one.axiom.name}: {more:,} more.", None

    def grid(self) -> Grid:
        """Return a line per axiom with the worst findings, or a line per function."""
        first = self.of(self.functions[0])
        if len(self.functions) > 1:
            shares = [[_share(x) for x in self.of(f)] for f in self.functions]
            every = [[x for x in self.of(f) if x.strong] for f in self.functions]
            short = [[f"{x.axiom.name} {x.strong}/{x.searched}" for x in some] for some in every]
            said = [", ".join(some) or "nothing" for some in short]
            legend = (SEVERAL,) if any(short) else ()
            return _by_function(self, "violates", said, shares, legend=legend)
        names = ("axiom", "tried", "reversed", "ties", "other winner")
        counts = [(x.strong, x.weak, x.winner) if x.searched else (None,) * 3 for x in first]
        cells = ((x.axiom.name, x.searched, *c) for x, c in zip(first, counts, strict=True))
        return Grid.of(names, cells)

    @property
    def sentences(self) -> tuple[str, ...]:
        turned = _reversals_by_function(self) if len(self.functions) > 1 else _reversals(self)
        return tuple(filter(None, (_special(self), *turned)))


def _share(one: AuditResult) -> str | None:
    return f"{one.strong:,} of {one.searched:,}" if one.searched else None


def _in_words(finding: Finding) -> str:
    weak = "" if finding.case.level > 1 else " (weak)"
    others = finding.number - 1
    more = f" {counted(others, 'more pair')} with it." if others else ""
    names = finding.first or []
    winner = f" Then {named(names)} {'is' if len(names) == 1 else 'are'} first." if names else ""
    return f"{finding.case.change}{weak}{more}{winner}"


def _special(result: AxiomAudit) -> str:
    majority, condorcet = result.special["majority_winner"], result.special["condorcet_winner"]
    if condorcet is None:
        return "Nobody wins every duel: there is no Condorcet winner."
    first = "wins every duel" if majority is None else "is first for a majority of the judges"
    missed = [spoken(name) for name, who in result.first.items() if condorcet not in who]
    elected = f"not first by {named(missed, most=ALL)}" if missed else "ranked first"
    return f"{bare(condorcet)} {first} and is {elected}."


def _reversals(result: AxiomAudit) -> Iterator[str]:
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
        yield f"By {spoken(f.name)}, an order is reversed {named(parts, most=ALL)}."
    else:
        yield f"No change that was tried reverses an order by {spoken(f.name)}."
    changes = [one for one in found if one.axiom.name in CHANGES]
    ties = sum(one.weak for one in changes)
    if ties:
        only = "make or break a tie" if ties > 1 else "makes or breaks a tie"
        tried = sum(one.searched for one in changes)
        yield f"{ties:,} of {tried:,} changes only {only}."
    if any(one.strong for one in found if one.axiom.name == "unanimity"):
        yield f"{spoken(f.name)} ranks somebody below another that no judge prefers (unanimity)."
    broken = [one.axiom.name for one in found if one.strong and one.axiom.name in f.satisfies]
    yield _refuted_claims(f, broken, " here")


def _reversals_by_function(result: AxiomAudit) -> Iterator[str]:
    tried: dict[str, tuple[int, int]] = {}
    for f in result.functions:
        changes = [one for one in result.of(f) if one.axiom.name in CHANGES]
        if number := sum(one.searched for one in changes):
            tried[f.name] = sum(one.strong for one in changes), number
    if not tried:
        return
    if not any(strong for strong, _ in tried.values()):
        yield "No change that was tried reverses an order by any of these functions."
        return
    rates = {name: strong / number for name, (strong, number) in tried.items()}
    low, high = min(rates.values()), max(rates.values())
    (fewest, of_fewest, _), (most, of_most, number_of_most) = (
        (named([spoken(name) for name in some], most=ALL), f"{strong:,} of {number:,}", strong)
        for end in (low, high)
        for some in [[name for name in rates if rates[name] == end]]
        for strong, number in [tried[some[0]]]
    )
    change = "changes of the table reverse an order"
    if low == high:
        yield f"Under every function {of_most} {change}."
    elif low == 0:
        do = "does" if number_of_most == 1 else "do"
        none = f"No change of the table reverses an order under {fewest}"
        yield f"{none}; {of_most} {do} under {most}."
    else:
        yield f"Fewest {change} under {fewest} ({of_fewest}), most under {most} ({of_most})."
