"""The JSON of ``deadheat influence`` and ``compare``, and of leaving candidates out."""

from __future__ import annotations

from deadheat.output.schema import (
    COUNT,
    DATA,
    LEVEL,
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
    record,
)

WHAT = {
    "any": "any rank",
    "top10_set": "who is among the first ten",
    "top10_order": "only the order of the first ten",
    "top3_set": "who is on the podium",
    "top3_order": "only the order of the podium",
    "winner": "who is first",
}
FLIP = record(
    key("ahead", TEXT, "who is ahead"),
    key("behind", TEXT, "who is next"),
    key("left_out", NAMES, "the fewest judges without which that changes"),
    key("passed", TRUTH, "whether the other is then ahead, and not only level"),
)
FACTS = Object(
    keys=(
        *(key(name, COUNT, f"judges that change {what}") for name, what in WHAT.items()),
        key("over", TEXT, "what is left out: judges, clusters or strata"),
        key("candidates", COUNT, "how many there are"),
        key("judges", COUNT, "how many there are to leave out"),
        key("first", NAMES, "who is first with all judges"),
        key(
            "winners",
            listed(
                record(
                    key("first", NAMES, "who is then first"),
                    key("without", NAMES, "the judges of which any one is left out"),
                )
            ),
            "the other winners",
        ),
        key("decisive", NAMES, "the judges that matter most"),
        key("redundant", NAMES, "those that matter least"),
        key("flip", FLIP | NULL, "the fewest judges that decide the first place"),
    )
)

INFLUENCE = Schema(
    name="deadheat.influence/1",
    command="influence",
    about="One row per judge (cluster, stratum), the most decisive first.",
    rows=Object(
        keys=(
            key("judge", TEXT, "that is left out"),
            *(key(name, TRUTH, f"whether that changes {what}") for name, what in WHAT.items()),
            key("moved", NAMES, "whose rank changes"),
            key("shift", SIZE, "the largest change of a rank"),
            key("change", SIZE, "the largest change of a difference of two merits"),
        )
    ),
    facts=FACTS,
    made=(key("over", TEXT, "as in the facts"), *DATA),
)

REMOVALS = Schema(
    name="deadheat.removals/1",
    command="report",
    about="One row per candidate that is taken away, those that matter most first.",
    rows=Object(
        keys=(
            key("candidate", TEXT, "that is taken away"),
            key("winner_changes", TRUTH, "whether the first of the others is another one"),
            key("first", NAMES, "who is then first"),
            key("reversed_pairs", COUNT, "pairs of others whose order turns around"),
        )
    ),
    facts=Object(
        keys=(
            key("candidates", COUNT, "how many there are"),
            key("winner", COUNT, "of them change the winner"),
            key("order", COUNT, "of them change the order of others"),
        )
    ),
    made=DATA,
)

COMPARE = Schema(
    name="deadheat.compare/1",
    command="compare",
    about="Two candidates a and b: one row per judge, those that do most for a first.",
    rows=Object(
        keys=(
            key("judge", TEXT, "its name"),
            key("a", NUMBER | NULL, "the score of a"),
            key("b", NUMBER | NULL, "the score of b"),
            key("difference", NUMBER | NULL, "a less b, positive where a is better"),
            key("contribution", NUMBER | NULL, "to the difference of the merits"),
        )
    ),
    facts=Object(
        keys=(
            key("a", TEXT, "the first candidate"),
            key("b", TEXT, "the second"),
            key("merit_a", NUMBER, "the merit of a"),
            key("merit_b", NUMBER, "the merit of b"),
            key("shown_a", NUMBER, "the same as people write it"),
            key("shown_b", NUMBER, "the same as people write it"),
            key("difference", NUMBER, "of the merits, a less b"),
            key("low", NUMBER | NULL, "the lower end of its interval"),
            key("high", NUMBER | NULL, "the upper end"),
            key("alpha", LEVEL, "the level"),
            key("p_a_better", SHARE | NULL, "one-sided p-value"),
            key("p_b_better", SHARE | NULL, "one-sided p-value"),
            key("p", SHARE | NULL, "two-sided p-value"),
            key("ahead_share", SHARE, "of resamples in which a is ahead"),
            key("tied_share", SHARE, "of resamples in which they are level"),
            key("behind_share", SHARE, "of resamples in which b is ahead"),
            key("share_error", SIZE | NULL, "the Monte-Carlo error of these"),
            key("replicates", COUNT, "how many resamples"),
            key("higher", COUNT, "judges that score a better"),
            key("tied", COUNT, "judges that tie them"),
            key("lower", COUNT, "judges that score b better"),
            key("win_rate", SHARE | NULL, "the share of judges that score a better"),
            key("effect", SHARE | NULL, "that share, with half of the ties"),
            key("sign_p", SHARE | NULL, "of the sign test"),
            key("signs_over", TEXT, "what that counts: judges or clusters"),
            key("deciding_for_a", NAMES, "the judges that do most for a"),
            key("deciding_for_b", NAMES, "the judges that do most for b"),
            key("over", TEXT, "what flip leaves out: judges, clusters or strata"),
            key("flip", FLIP | NULL, "the fewest judges that decide who is ahead"),
            key("plan", TEXT, "how was resampled, in words"),
        )
    ),
    made=(
        key("replicates", COUNT, "how many resamples"),
        key("plan", TEXT, "how they were drawn"),
        key("alpha", LEVEL, "the level"),
        *DATA,
    ),
)
