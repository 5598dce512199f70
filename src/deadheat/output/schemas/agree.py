"""The JSON of ``deadheat agree`` and of its tables."""

from __future__ import annotations

from deadheat.output.schema import (
    CORRELATION,
    COUNT,
    DATA,
    NAMES,
    NULL,
    NUMBER,
    SHARE,
    SIZE,
    TEXT,
    TRUTH,
    Object,
    Schema,
    key,
    listed,
    mapped,
)

BY_FUNCTION = mapped(NUMBER | NULL, "function")
JUDGES = Object(
    keys=(
        key("judge", TEXT, "its name"),
        key("mean_spearman", CORRELATION | NULL, "the mean correlation with the others"),
        key("rest_correlation", CORRELATION | NULL, "the correlation with all others together"),
        key("opposes", TRUTH, "whether it goes against the rest further than chance explains"),
        key("constant", TRUTH, "whether it gives all the same score"),
        key("cluster", COUNT | TEXT | NULL, "of judges that agree, from 1"),
        key("ties", SHARE | NULL, "the share of pairs that it ties"),
        key("weight", SIZE, "how much it counts"),
    )
)

AGREE = Schema(
    name="deadheat.agree/1",
    command="agree",
    about="One row per judge, those that have least in common with the others first.",
    rows=JUDGES,
    facts=Object(
        keys=(
            key("kendall_w", NUMBER | NULL, "Kendall's W, corrected for ties"),
            key("kendall_w_uncorrected", NUMBER | NULL, "the same without correction"),
            key("mean_spearman", CORRELATION | NULL, "the mean correlation of two judges"),
            key("spearman_from_w", NUMBER | NULL, "the same as W gives it"),
            key("chi2", NUMBER | NULL, "Friedman's statistic"),
            key("df", COUNT, "its degrees of freedom"),
            key("friedman_p", SHARE | NULL, "its p-value"),
            key("f", NUMBER | NULL, "the statistic of Iman and Davenport"),
            key("f_p", SHARE | NULL, "its p-value"),
            key("permutation_p", SHARE | NULL, "the p-value from permuted rankings"),
            key("permutations", COUNT | NULL, "how many of these"),
            key("permutation_exact", TRUTH | NULL, "whether these are all there are"),
            key("mean_tau_b", CORRELATION | NULL, "the mean of Kendall's tau-b of two judges"),
            key("effective_judges", NUMBER | NULL, "how many independent ones they amount to"),
            key("candidates", COUNT, "how many there are"),
            key("judges", COUNT, "how many there are"),
            key("constant", NAMES, "judges that give all the same score"),
            key("opposing", NAMES, "judges that go against the rest"),
            key("clusters", listed(NAMES) | NULL, "judges that agree, together"),
            key("threshold", NUMBER, "of the correlation inside a cluster"),
            key("centrality", BY_FUNCTION, "the mean correlation of a ranking with the judges"),
            key("centrality_tau_b", BY_FUNCTION, "the same by tau-b"),
            key("centrality_strict", BY_FUNCTION, "the same with ties broken"),
            key("centrality_strict_tau_b", BY_FUNCTION, "that by tau-b"),
            key("most_central", NAMES, "the functions with the highest"),
        )
    ),
    made=DATA,
)

TABLE = Schema(
    name="deadheat.agree-table/1",
    command="agree --show",
    about="One of the tables that agreement can be told in.",
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=DATA,
    tables={
        "judges": JUDGES,
        "matrix": Object(
            keys=(key("judge", TEXT, "its name"),),
            other=key("<judge>", NUMBER | NULL, "the correlation with that judge"),
        ),
        "clusters": Object(
            keys=(
                key("cluster", TEXT | COUNT, "its number"),
                key("size", COUNT, "how many judges are in it"),
                key("mean_inside", CORRELATION | NULL, "the mean correlation inside"),
                key("mean_outside", CORRELATION | NULL, "the mean correlation with the rest"),
                key("judges", TEXT, "who"),
            )
        ),
        "functions": Object(
            keys=(
                key("function", TEXT, "the ranking function"),
                key("mean_spearman", CORRELATION | NULL, "of its ranking with the judges"),
                key("mean_tau_b", CORRELATION | NULL, "the same by tau-b"),
                key("strict_spearman", CORRELATION | NULL, "with ties broken"),
                key("strict_tau_b", CORRELATION | NULL, "that by tau-b"),
            )
        ),
    },
)
