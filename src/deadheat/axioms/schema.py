"""What stands in the JSON of ``deadheat axioms``: of a search, and of the audit of a table."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from deadheat.output.schema import Count, Function, Names, Provenance, Schema, Share

Claim = Annotated[str, Meta(title="claim")]


class Case(TypedDict):
    scores: Annotated[list[list[float | None]] | None, "the table; null where it is large"]
    candidates: Annotated[Names, "its rows"]
    judges: Annotated[Names, "its columns"]
    before: Annotated[list[float | None], "the ranks in the first world"]
    after: Annotated[list[float | None] | None, "in the last; null where one says it all"]
    judges_before: Annotated[Names, "the judges of the first world"]
    judges_after: Annotated[Names | None, "those of the last"]
    copies_before: Annotated[list[float], "how often each candidate is there in the first"]
    copies_after: Annotated[list[float] | None, "and in the last"]
    pair: Annotated[Names, "whose order is against the axiom"]
    strong: Annotated[bool, "whether an order is turned around, and not only a tie made"]
    change: Annotated[str, "what happens, in words"]


class Finding(TypedDict):
    change: Annotated[str, "what happens, in words"]
    reversed: Annotated[Count, "pairs whose order turns around"]
    ties: Annotated[Count, "pairs that become or stop being tied"]
    pairs: Annotated[list[Names], "a few of them"]
    first: Annotated[Names | None, "who is then first, where that changes"]


class AxiomsRow(TypedDict):
    """One row per function and axiom, from a search or, with a table, from its audit."""

    function: Annotated[str, "the ranking function"]
    axiom: Annotated[str, "the axiom"]
    holds: Annotated[bool | None, "false: violated; true: not seen to be; null: not asked"]
    searched: Annotated[Count, "cases that were tried"]
    counterexample: Annotated[Case | None, "the smallest that was found"]
    strong: Annotated[Count, "cases in which an order is turned around"]
    weak: Annotated[Count, "cases in which only a tie comes or goes"]
    claimed: Annotated[str | None, "what the function says of itself; null where nothing"]
    tables: NotRequired[Annotated[Count, "tables that were tried (search)"]]
    weak_example: NotRequired[Annotated[Case | None, "where no strong one was found (search)"]]
    share: NotRequired[Annotated[Share | None, "strong cases in all cases (audit)"]]
    winner: NotRequired[Annotated[Count, "cases that change the winner (audit)"]]
    findings: NotRequired[Annotated[list[Finding], "the worst cases (audit)"]]


class AxiomsFacts(TypedDict, total=False):
    violated: Annotated[dict[Function, Names], "axioms that it violates (search)"]
    not_found: Annotated[dict[Function, Names], "not seen to be violated (search)"]
    majority_winner: Annotated[str | None, "who is first for most judges (audit)"]
    condorcet_winner: Annotated[str | None, "who beats every other one (audit)"]
    first: Annotated[dict[Function, Names], "who is first by each function (audit)"]


class AxiomsProvenance(Provenance):
    budget: NotRequired[Annotated[Count | dict[Claim, Count], "cases to try at most"]]


AXIOMS = Schema(name="deadheat.axioms/1", rows=AxiomsRow, facts=AxiomsFacts, made=AxiomsProvenance)
