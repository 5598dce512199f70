"""The JSON of ``deadheat agree`` and of its tables."""

from __future__ import annotations

from deadheat.schemas.kinds import Object, key, listed, mapped
from deadheat.schemas.schema import DATA, Schema
from deadheat.schemas.values import INTEGER, NAMES, NULL, NUMBER, TEXT, TRUTH

BY_FUNCTION = mapped(NUMBER | NULL, "function")
JUDGES = Object(
    keys=(
        key("judge", TEXT, "its name"),
        key("mean_spearman", NUMBER | NULL, "the mean correlation with the others"),
        key("rest_correlation", NUMBER | NULL, "the correlation with all others together"),
        key("opposes", TRUTH, "whether it goes against the rest"),
        key("constant", TRUTH, "whether it gives all the same score"),
        key("cluster", INTEGER | TEXT | NULL, "of judges that agree, from 1"),
        key("ties", NUMBER | NULL, "the share of pairs that it ties"),
        key("weight", NUMBER, "how much it counts"),
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
            key("mean_spearman", NUMBER | NULL, "the mean correlation of two judges"),
            key("spearman_from_w", NUMBER | NULL, "the same as W gives it"),
            key("chi2", NUMBER | NULL, "Friedman's statistic"),
            key("df", INTEGER, "its degrees of freedom"),
            key("friedman_p", NUMBER | NULL, "its p-value"),
            key("f", NUMBER | NULL, "the statistic of Iman and Davenport"),
            key("f_p", NUMBER | NULL, "its p-value"),
            key("permutation_p", NUMBER | NULL, "the p-value from permuted rankings"),
            key("permutations", INTEGER | NULL, "how many of these"),
            key("permutation_exact", TRUTH | NULL, "whether these are all there are"),
            key("mean_tau_b", NUMBER | NULL, "the mean of Kendall's tau-b of two judges"),
            key("effective_judges", NUMBER | NULL, "how many independent ones they amount to"),
            key("candidates", INTEGER, "how many there are"),
            key("judges", INTEGER, "how many there are"),
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
                key("cluster", TEXT | INTEGER, "its number"),
                key("size", INTEGER, "how many judges are in it"),
                key("mean_inside", NUMBER | NULL, "the mean correlation inside"),
                key("mean_outside", NUMBER | NULL, "the mean correlation with the rest"),
                key("judges", TEXT, "who"),
            )
        ),
        "functions": Object(
            keys=(
                key("function", TEXT, "the ranking function"),
                key("mean_spearman", NUMBER | NULL, "of its ranking with the judges"),
                key("mean_tau_b", NUMBER | NULL, "the same by tau-b"),
                key("strict_spearman", NUMBER | NULL, "with ties broken"),
                key("strict_tau_b", NUMBER | NULL, "that by tau-b"),
            )
        ),
    },
)
