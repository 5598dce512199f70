"""The JSON of ``deadheat verdict``, of its tables, and of ``deadheat demo``."""

from __future__ import annotations

from deadheat.output.schema import (
    COUNT,
    DATA,
    GROUP,
    LEVEL,
    NAMES,
    NULL,
    NUMBER,
    PLACE,
    SHARE,
    SIZE,
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
from deadheat.output.schemas.influence import FACTS as INFLUENCE

COUNTS = (
    key("ties", COUNT, "pairs in one group"),
    key("inversions", COUNT, "pairs that the groups put the other way round than the order"),
    key("mean_iqr", SIZE | NULL, "the mean inter-quartile range of the ranks"),
)
TOP = record(
    key("candidates", COUNT, "how many these are"),
    key("groups", COUNT, "among them"),
    *COUNTS,
)
MADE = (
    key("replicates", COUNT, "how many resamples"),
    maybe("pairs_tested", COUNT, "on how many of them all pairs were tested, where not on all"),
    maybe("tested", COUNT, "on how many of them leaders were tested, where not all were kept"),
    key("plan", TEXT, "how they were drawn"),
    key("alpha", LEVEL, "the level of tests and intervals"),
    key("interval", TEXT, "the kind of interval"),
    key("p_value", TEXT, "plus-one, or paper"),
    key("leader", TEXT, "who leads a group: by first places, or by score"),
    key("correction", TEXT, "of the tests of one leader"),
    key("strict", TEXT | NULL, "the test of all pairs, where the groups come from it"),
    *DATA,
)
ROWS = Object(
    keys=(
        key("candidate", TEXT, "its name"),
        key("merit", NUMBER, "what the function gives it, higher is better"),
        key("low", NUMBER, "the lower end of the interval of the merit"),
        key("high", NUMBER, "the upper end"),
        key("shown", NUMBER, "the merit as people write it"),
        key("rank", PLACE, "by the merits as observed"),
        key("rank_low", PLACE, "the best rank in its range"),
        key("rank_high", PLACE, "the worst rank in its range"),
        key("first_share", SHARE, "of resamples in which it is first, alone or tied"),
        key("group", GROUP, "its tie group, 1 is best"),
        key("fractional_rank", PLACE, "the mean rank of its group"),
        key("median_merit", NUMBER, "over the resamples"),
        key("first_error", SIZE, "the Monte-Carlo error of first_share; 0: nothing is random"),
        key("shown_low", NUMBER, "the lower end of the interval, as people write it"),
        key("shown_high", NUMBER, "the upper end, as people write it"),
        key("official", NUMBER | NULL, "the official rank, where one was given"),
        key("may_be_best", TRUTH | NULL, "whether it is in best; null where there is no such set"),
    )
)
FACTS = Object(
    keys=(
        key("groups", listed(GROUP), "the sizes of the tie groups, best first"),
        key("members", listed(NAMES), "who is in them"),
        *COUNTS,
        key("top10", TOP, "the same among the first ten of the order"),
        key("top3", TOP, "the same among the first three"),
        key(
            "borderline",
            listed(
                record(
                    key("leader", TEXT, "of the group"),
                    key("other", TEXT, "whom it was tested against"),
                    key("p", SHARE, "of the test"),
                    key("threshold", SHARE, "that it was compared with"),
                    key("error", SIZE, "the Monte-Carlo error of p"),
                    key("excluded", TRUTH, "whether the test put the other into a later group"),
                )
            ),
            "decisions within Monte-Carlo error of their threshold",
        ),
        key("winners", NAMES, "who is first by the merits as observed"),
        key(
            "leader_corrected",
            record(
                key("candidate", TEXT, "who has the best merit as observed"),
                key("merit", NUMBER, "less what the best of many owes to luck"),
                key("low", NUMBER, "the lower end of its interval"),
                key("high", NUMBER, "the upper end"),
                key("shown", NUMBER, "the merit as people write it"),
                key("shown_low", NUMBER, "the lower end, as people write it"),
                key("shown_high", NUMBER, "the upper end, as people write it"),
            )
            | NULL,
            "what the observed leader is worth, corrected for having been chosen",
        ),
        key(
            "undecided",
            TRUTH,
            "whether resamples were too few, or tests too long, to tell a tie from a winner",
        ),
        key(
            "detectable",
            SIZE | NULL,
            "the lead, in merits, that would have been seen in 4 of 5 cases; null without a tie",
        ),
        key("heading", TEXT, "what the shown number is called"),
        key("lower_is_better", TRUTH, "whether a smaller shown number is better"),
        key("leaders", NAMES, "who leads each tie group, best group first"),
        key("shows", TRUTH, "whether the groups may be said to show anybody better"),
        key("first_by", mapped(NAMES, "function"), "who is first by other ranking functions"),
        key("leaders_differ", TRUTH, "whether the other kind of leader gives other groups"),
        key("ever_first", COUNT, "how many are first in any resample"),
        key("tied_at_top", COUNT, "how many share the first place as observed"),
        key("guarantee", TEXT, "what the groups guarantee, and what not"),
        key("plan", TEXT, "how was resampled, in words"),
        key("paper_groups", listed(GROUP), "the sizes by the procedure of Fawcett et al."),
        key("strict_groups", listed(GROUP) | NULL, "the sizes by tests of all pairs"),
        key("best", NAMES | NULL, "a given best is among them with confidence 1 - alpha"),
        key("strict_cost", TEXT | NULL, "what tests of all pairs would take, where not done"),
        key(
            "influence",
            record(*INFLUENCE.keys) | NULL,
            "what leaving out one judge changes; null where that takes too long unasked",
        ),
    ),
    other=key("top<k>", TOP, "the same among the first k, where --top asked for it"),
)

VERDICT = Schema(
    name="deadheat.verdict/1",
    command="verdict",
    about="One row per candidate, in the order of the robust ranking.",
    rows=ROWS,
    facts=FACTS,
    made=MADE,
)

DEMO = Schema(
    name="deadheat.demo/1",
    command="demo",
    about="As deadheat.verdict/1, of an example.",
    rows=ROWS,
    facts=FACTS,
    made=MADE,
    as_in="deadheat.verdict/1",
)

TABLE = Schema(
    name="deadheat.verdict-table/1",
    command="verdict --show",
    about="One of the tables that a verdict can be told in.",
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=MADE,
    tables={
        "groups": Object(
            keys=(
                key("group", TEXT, "its number"),
                key("fractional_rank", PLACE, "the mean rank of the group"),
                key("size", COUNT, "how many are in it"),
                key("candidates", TEXT, "who, with the official rank in brackets"),
            )
        ),
        "summary": Object(
            keys=(
                key("among", TEXT, "all, or the top of the order"),
                key("candidates", COUNT, "how many these are"),
                key("groups", COUNT, "among them"),
                *COUNTS,
            )
        ),
        "first": Object(
            keys=(
                key("candidate", TEXT, "its name"),
                key("first_share", SHARE, "of resamples in which it is first"),
                key("monte_carlo_error", SIZE, "of that share"),
            )
        ),
        "intervals": Object(
            keys=(
                key("candidate", TEXT, "its name"),
                key("low", NUMBER, "the lower end, as people write it"),
                key("high", NUMBER, "the upper end"),
                key("median", NUMBER, "over the resamples"),
            ),
            other=key("<heading>", NUMBER, "the merit, under what the function calls it"),
        ),
        "ranks": Object(
            keys=(
                key("candidate", TEXT, "its name"),
                key("rank", PLACE, "as observed"),
                key("mean_rank", PLACE, "over the resamples"),
                *(
                    key(f"q{q}", PLACE, f"the {q} % quantile of the ranks")
                    for q in ("2.5", "25", "50", "75", "97.5")
                ),
                key("iqr", SIZE, "the inter-quartile range"),
                key("top3_share", SHARE, "of resamples in which it is among the first three"),
                key("top10_share", SHARE, "of resamples in which it is among the first ten"),
            )
        ),
        "tests": Object(
            keys=(
                key("group", GROUP, "that was being formed"),
                key("leader", TEXT, "of the group"),
                key("other", TEXT, "whom it was tested against"),
                key("p", SHARE, "one-sided"),
                key("threshold", SHARE | NULL, "of Holm's test; none after the first that failed"),
                key("excluded", TRUTH, "whether the other is not in the group"),
            ),
            names=("group", "leader", "other"),
        ),
        "pairs": Object(
            keys=(
                key("a", TEXT, "a candidate"),
                key("b", TEXT, "another, later in the robust ranking"),
                key("difference", NUMBER, "of the merits as observed, a less b"),
                key("p_a_better", SHARE, "one-sided, not corrected"),
                key("p_b_better", SHARE, "one-sided, not corrected"),
                maybe("p_all_pairs", SHARE, "two-sided, corrected for all pairs"),
            ),
            names=("a", "b"),
        ),
    },
)
