"""The JSON of ``deadheat rank``, ``score``, ``consensus`` and ``check``."""

from __future__ import annotations

from deadheat.output.schema import (
    COUNT,
    DATA,
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

RANK = Schema(
    name="deadheat.rank/1",
    command="rank",
    about="One row per candidate and ranking function.",
    rows=Object(
        keys=(
            key("candidate", TEXT, "its name"),
            key("function", TEXT, "the ranking function"),
            key("merit", NUMBER | NULL, "what the function gives it, higher is better"),
            key("shown", NUMBER | NULL, "the same as people write it"),
            key("rank", PLACE, "1 is best; ties share the mean of their ranks"),
        ),
        names=("candidate", "function"),
    ),
    facts=Object(keys=(key("first", mapped(NAMES, "function"), "who is first by each function"),)),
    made=(key("ranks", TEXT, "how ties share ranks: average, min, max or dense"), *DATA),
)

SCORE = Schema(
    name="deadheat.score/1",
    command="score",
    about="One row per run, scored by a rule.",
    rows=Object(
        keys=(
            key("candidate", TEXT, "its name"),
            key("instance", TEXT, "what was run"),
            maybe("seed", TEXT, "which of several runs on the instance"),
            maybe("stratum", TEXT, "the part of the instances it belongs to"),
            key("score", NUMBER | NULL, "what the rule gives the run"),
        ),
        names=("candidate", "instance", "seed"),
    ),
    facts=Object(
        keys=(
            key("rule", TEXT, "the rule"),
            key("better", TEXT, "which scores are better"),
            key("by", TEXT, "the ranking function that goes with the rule"),
            key("shown", TEXT, "what the totals are called"),
            key("totals", mapped(NUMBER | NULL, "candidate"), "what each candidate has in all"),
        )
    ),
    made=DATA,
)

CONSENSUS = Schema(
    name="deadheat.consensus/1",
    command="consensus",
    about="The ranking closest to the judges, best first.",
    rows=Object(
        keys=(
            key("candidate", TEXT, "its name"),
            key("rank", PLACE, "its rank in the consensus"),
        )
    ),
    facts=Object(
        keys=(
            key("distance", TEXT, "between two rankings"),
            key("objective", NUMBER, "the sum of the distances to the judges"),
            key("bound", NUMBER, "below which no ranking can come"),
            key("gap", NUMBER, "objective less bound; 0 where the consensus is proved"),
            key("status", TEXT, "optimal, or how the search ended"),
            key("unique", TRUTH | NULL, "whether no other ranking is as close; null: not known"),
            key("optima", COUNT | NULL, "how many rankings are as close; null: not counted"),
            key("rankings", listed(NAMES) | NULL, "some of these, best candidate first"),
            key("winners", NAMES | NULL, "who is first in any of them"),
            key("all_equal", TRUTH, "whether every ranking is as close as any other"),
            key("mean_distance", NUMBER, "to a judge"),
            key("seconds", SIZE, "that the search took"),
        )
    ),
    made=(
        key("distance", TEXT, "as asked"),
        key("output", TEXT, "whether ties were allowed"),
        key("time_limit", NUMBER | NULL, "of the search, in seconds"),
        *DATA,
    ),
)

CHECK = Schema(
    name="deadheat.check/1",
    command="check",
    about="One row per finding about the data.",
    rows=Object(
        keys=(
            key("topic", TEXT, "what it is about"),
            key("finding", TEXT, "what was found, in words"),
            key("look", TRUTH, "whether it deserves a second look"),
        )
    ),
    facts=Object(
        keys=(
            key(
                "holes",
                listed(
                    record(
                        key("candidate", TEXT, "without a score"),
                        key("judge", TEXT, "that gave none"),
                    )
                ),
                "the first empty cells",
            ),
            key("holes_in_all", COUNT, "how many there are"),
            key("constant_judges", NAMES, "judges that give all the same score"),
            key("identical_judges", listed(NAMES), "judges that say the same, together"),
            key("clones", listed(NAMES), "candidates with equal scores everywhere, together"),
            key(
                "near_clones",
                listed(
                    record(
                        key("candidates", NAMES, "the two"),
                        key("share", SHARE, "of judges that score them equally"),
                    )
                ),
                "pairs that are nearly equal",
            ),
            key(
                "failed_strata",
                listed(
                    record(
                        key("candidate", TEXT, "its name"),
                        key("stratum", TEXT, "in which it has the worst score everywhere"),
                        key("judges", COUNT, "of that stratum"),
                    )
                ),
                "parts of the table on which a candidate failed throughout",
            ),
            key(
                "suspicious",
                listed(
                    record(
                        key("candidate", TEXT, "its name"),
                        key("judge", TEXT, "its name"),
                        key("score", NUMBER, "the cell"),
                        key("why", TEXT, "what is odd about it"),
                    )
                ),
                "scores that look like mistakes",
            ),
            key("tied_share", SHARE | NULL, "of pairs of candidates that a judge ties"),
            key("winners_by_policy", mapped(NAMES | NULL, "policy"), "who wins; null: impossible"),
            key("winners_by_function", mapped(NAMES, "function"), "who wins by each function"),
        )
    ),
    made=DATA,
)
