"""The JSON of ``deadheat criteria`` and of its tables."""

from __future__ import annotations

from deadheat.output.schema import (
    COUNT,
    DATA,
    NAMES,
    NULL,
    NUMBER,
    TEXT,
    Key,
    Object,
    Schema,
    key,
    listed,
    mapped,
    maybe,
)

MEASURES = {
    "winner_rank": "the mean rank that judges give the winner, from 0 (best) to 1",
    "condorcet_rate": "how often the Condorcet winner is first",
    "majority_rate": "how often the majority winner is first",
    "generalization": "the correlation with judges that were left out",
    "stability_judges": "how alike rankings are when judges are resampled",
    "stability_candidates": "how alike rankings are when candidates are resampled",
}
MADE = (
    key("trials", COUNT, "resampled tables"),
    key("q", COUNT, "rankings of a measurement of stability"),
    key("repeats", COUNT, "such measurements"),
    key("correlation", TEXT, "spearman or kendall"),
    key("stability", TEXT, "how rankings are compared: mean or kendall_w"),
    key("compat", TEXT | NULL, "the published code that is imitated"),
    key("over", TEXT, "what is resampled: judges, candidates or both"),
    *DATA,
)


def _measured() -> tuple[Key, ...]:
    keys: list[Key] = []
    for name, what in MEASURES.items():
        keys += [
            maybe(name, NUMBER | NULL, what),
            maybe(f"{name}_se", NUMBER | NULL, "its standard error, over the trials"),
            maybe(f"{name}_se_tables", NUMBER | NULL, "the same over several tables"),
        ]
    return tuple(keys)


CRITERIA = Schema(
    name="deadheat.criteria/1",
    command="criteria",
    about="One row per ranking function, and one for a random ranking.",
    rows=Object(keys=(key("function", TEXT, "the ranking function"), *_measured())),
    facts=Object(
        keys=(
            key(
                "correlations",
                mapped(mapped(NUMBER | NULL, "function"), "function"),
                "of the rankings of the whole table",
            ),
            key("baseline", TEXT, "what the row of a random ranking is called"),
            key("kendall_w", listed(NUMBER | NULL), "how much judges agree, for each table"),
            key("kendall_w_p", listed(NUMBER | NULL), "the p-value of that"),
            key("above_baseline", listed(NAMES), "who generalizes better than a random ranking"),
            key("best", mapped(NAMES, "criterion"), "the functions that nobody is ahead of"),
            key("cases", mapped(listed(COUNT), "criterion"), "trials that count, for each table"),
            key("counts", listed(mapped(COUNT, "event")), "what happened, for each table"),
            key("tables", NAMES, "the names of the tables"),
        )
    ),
    made=MADE,
)

TABLE = Schema(
    name="deadheat.criteria-table/1",
    command="criteria --show",
    about="One of the tables that criteria can be told in.",
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=MADE,
    tables={
        "correlations": Object(
            keys=(key("function", TEXT, "a ranking function"),),
            other=key("<function>", NUMBER | NULL, "the correlation with that function"),
        ),
        "tables": Object(
            keys=(
                key("table", TEXT, "its name"),
                key("function", TEXT, "the ranking function"),
                *(maybe(name, NUMBER | NULL, what) for name, what in MEASURES.items()),
                key("kendall_w", NUMBER | NULL, "how much the judges of the table agree"),
            ),
            names=("table", "function"),
        ),
    },
)
