"""The JSON of ``deadheat axioms``: of a search, and of the audit of a table."""

from __future__ import annotations

from deadheat.output.schema import (
    COUNT,
    DATA,
    NAMES,
    NULL,
    NUMBER,
    SHARE,
    TEXT,
    TRUTH,
    Object,
    Schema,
    key,
    listed,
    mapped,
    maybe,
    record,
)

CASE = record(
    key("scores", listed(listed(NUMBER | NULL)) | NULL, "the table; null where it is large"),
    key("candidates", NAMES, "its rows"),
    key("judges", NAMES, "its columns"),
    key("before", listed(NUMBER | NULL), "the ranks in the first world"),
    key("after", listed(NUMBER | NULL) | NULL, "in the last; null where one says it all"),
    key("judges_before", NAMES, "the judges of the first world"),
    key("judges_after", NAMES | NULL, "those of the last"),
    key("copies_before", listed(NUMBER), "how often each candidate is there in the first"),
    key("copies_after", listed(NUMBER) | NULL, "and in the last"),
    key("pair", NAMES, "whose order is against the axiom"),
    key("strong", TRUTH, "whether an order is turned around, and not only a tie made"),
    key("change", TEXT, "what happens, in words"),
)

AXIOMS = Schema(
    name="deadheat.axioms/1",
    command="axioms",
    about="One row per function and axiom, from a search or, with a table, from its audit.",
    rows=Object(
        keys=(
            key("function", TEXT, "the ranking function"),
            key("axiom", TEXT, "the axiom"),
            key("holds", TRUTH | NULL, "false: violated; true: not seen to be; null: not asked"),
            key("searched", COUNT, "cases that were tried"),
            key("counterexample", CASE | NULL, "the smallest that was found"),
            key("strong", COUNT, "cases in which an order is turned around"),
            key("weak", COUNT, "cases in which only a tie comes or goes"),
            key("claimed", TEXT, "what the documentation of the function says"),
            maybe("tables", COUNT, "tables that were tried (search)"),
            maybe("weak_example", CASE | NULL, "where no strong one was found (search)"),
            maybe("share", SHARE | NULL, "strong cases in all cases (audit)"),
            maybe("winner", COUNT, "cases that change the winner (audit)"),
            maybe(
                "findings",
                listed(
                    record(
                        key("change", TEXT, "what happens, in words"),
                        key("reversed", COUNT, "pairs whose order turns around"),
                        key("ties", COUNT, "pairs that become or stop being tied"),
                        key("pairs", listed(NAMES), "a few of them"),
                        key("first", NAMES | NULL, "who is then first, where that changes"),
                    )
                ),
                "the worst cases (audit)",
            ),
        ),
        names=("function", "axiom"),
    ),
    facts=Object(
        keys=(
            maybe("violated", mapped(NAMES, "function"), "axioms that it violates (search)"),
            maybe("not_found", mapped(NAMES, "function"), "not seen to be violated (search)"),
            maybe("majority_winner", TEXT | NULL, "who is first for most judges (audit)"),
            maybe("condorcet_winner", TEXT | NULL, "who beats every other one (audit)"),
            maybe("first", mapped(NAMES, "function"), "who is first by each function (audit)"),
        )
    ),
    made=(
        maybe("budget", COUNT | mapped(COUNT, "claim"), "cases to try at most"),
        *(key(each.name, each.kind, each.meaning, optional=True) for each in DATA),
    ),
)
