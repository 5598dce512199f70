"""The JSON of ``deadheat rate`` and of its tables."""

from __future__ import annotations

from deadheat.schemas.kinds import Object, key, listed, mapped, maybe, record
from deadheat.schemas.schema import DATA, Schema
from deadheat.schemas.values import (
    COUNT,
    GROUP,
    INTEGER,
    LEVEL,
    NAMES,
    NULL,
    NUMBER,
    PLACE,
    SHARE,
    SIZE,
    TEXT,
    TRUTH,
)

PART = (
    maybe("tournament", TEXT, "the data set, where there are several"),
    maybe("category", TEXT, "the category, where there are several"),
)
OF_PART = tuple(each.name for each in PART)
MADE = (
    key("pairing", TEXT, "which rounds meet: same or all"),
    key("ties", TEXT, "how ties count"),
    key("penalty", TEXT, "what keeps ratings finite"),
    key("strength", NUMBER | NULL, "of the penalty"),
    key("step", NUMBER | NULL, "of Elo"),
    key("shuffles", COUNT | NULL, "orders of the battles that are averaged"),
    key("advantage", TRUTH, "whether the left side may have one"),
    key("teams", TEXT | NULL, "what separates members of a team"),
    key("errors", TEXT, "how errors are found: bootstrap, sandwich ..."),
    key("replicates", COUNT | NULL, "resamples, where there are any"),
    key("plan", TEXT | NULL, "how they were drawn"),
    key("alpha", LEVEL, "the level"),
    key("scale", TEXT, "of the ratings: log-odds, elo ..."),
    key("anchor", TEXT | NULL, "whose rating is fixed"),
    key("base", NUMBER, "of the scale"),
    key("width", NUMBER, "of the scale"),
    key("centre", NUMBER | NULL, "of the scale"),
    key("interval", TEXT | NULL, "as asked"),
    key("strict", TRUTH, "whether groups come from tests of all pairs"),
    key("test", TEXT | NULL, "of all pairs"),
    key("simulations", COUNT, "of the goodness of fit"),
    key("largest_part", TRUTH, "whether only the largest connected part was asked for"),
    key("min_matches", COUNT | NULL, "fewer than which somebody is left out"),
    maybe("battles", SIZE, "that were rated of a log"),
    maybe("tournament_weights", TEXT | mapped(NUMBER, "tournament") | NULL, "as asked"),
    *DATA,
)
OF_TOURNAMENT = record(
    key("candidates", COUNT, "how many it has"),
    key("weight", NUMBER, "how much it counts"),
    key("connected", TRUTH | NULL, "whether matches join everybody"),
    key("strongly_connected", TRUTH | NULL, "whether wins do, both ways"),
    key("separated", TRUTH | NULL, "whether plain ratings do not exist"),
    key("deviance", NUMBER | NULL, "of the fit"),
    key("deviance_p", SHARE | NULL, "of the fit, by simulation"),
    key("groups", listed(GROUP), "the sizes of the tie groups"),
    key("split_sd", SIZE | NULL, "the noise from round to round"),
)

RATE = Schema(
    name="deadheat.rate/1",
    command="rate",
    about="One row per candidate (and tournament or category), the highest rating first.",
    rows=Object(
        keys=(
            *PART,
            key("candidate", TEXT, "its name"),
            key("rating", NUMBER, "on the scale of the facts"),
            key("mle", NUMBER | TEXT | NULL, "the plain rating: a number, +inf, -inf or null"),
            maybe("within", NUMBER | NULL, "the rating inside its strongly connected part"),
            key("se", SIZE | NULL, "the standard error"),
            key("low", NUMBER | NULL, "the lower end of the interval; null: open"),
            key("high", NUMBER | NULL, "the upper end; null: open"),
            key("wins", SIZE, "matches won"),
            key("losses", SIZE, "matches lost"),
            key("ties", SIZE, "matches tied"),
            key("rank", PLACE, "1 is the highest rating"),
            key("rank_low", PLACE | NULL, "the best rank in its range"),
            key("rank_high", PLACE | NULL, "the worst"),
            key("first_share", SHARE | NULL, "of resamples in which it is first"),
            key("group", GROUP, "its tie group, 1 is best"),
            maybe("split_sd", SIZE, "the noise from round to round of the tournament"),
        ),
        names=(*OF_PART, "candidate"),
    ),
    facts=Object(
        keys=(
            maybe("model", TEXT, "of the ratings"),
            maybe("scale", TEXT, "of the ratings"),
            maybe("anchor", TEXT | NULL, "whose rating is fixed"),
            maybe("errors", TEXT, "how they were found"),
            maybe("interval", TEXT, "its kind"),
            maybe("drawn", TEXT, "what was resampled, in words"),
            maybe("groups", listed(GROUP), "the sizes of the tie groups, best first"),
            maybe("members", listed(NAMES), "who is in them"),
            maybe(
                "leader_corrected",
                record(
                    key("candidate", TEXT, "who has the highest rating"),
                    key("rating", NUMBER, "less what the highest of many owes to luck"),
                    key("low", NUMBER, "the lower end of its interval"),
                    key("high", NUMBER, "the upper end"),
                )
                | NULL,
                "what the highest rating is worth, corrected for having been chosen",
            ),
            maybe(
                "detectable",
                SIZE | NULL,
                "the lead that would have been seen in 4 of 5 cases; null without a tie",
            ),
            maybe("split_sd", SIZE | NULL, "the noise from round to round"),
            key("separated", TRUTH | NULL, "whether plain ratings do not exist"),
            maybe("connected", TRUTH | NULL, "whether matches join everybody"),
            maybe("strongly_connected", TRUTH | NULL, "whether wins do, both ways"),
            maybe("undefeated", NAMES, "who never lost"),
            maybe("winless", NAMES, "who never won"),
            maybe("parts", listed(NAMES), "the parts that wins join both ways"),
            maybe("part_sizes", listed(COUNT), "their sizes"),
            maybe("penalty", TEXT, "that was used"),
            maybe("ties_as", TEXT, "how ties were modelled"),
            maybe("tie_parameter", NUMBER | NULL, "of that model"),
            maybe("tie_parameters", mapped(NUMBER, "size"), "of Plackett-Luce, by size of the tie"),
            maybe("log_likelihood", NUMBER | NULL, "of the fit"),
            key("deviance", NUMBER | NULL, "of the fit"),
            maybe("deviance_df", INTEGER, "its degrees of freedom"),
            maybe("deviance_expected", NUMBER | NULL, "its mean where the model is true"),
            maybe("deviance_p", SHARE | NULL, "how often simulations fit worse"),
            maybe("explained", NUMBER | NULL, "the share of the deviance of equal ratings"),
            maybe("cyclic_triples", COUNT, "of candidates, each beating the next"),
            maybe("triples", COUNT, "that could be cyclic"),
            maybe(
                "worst_pair",
                record(
                    key("first", TEXT, "a candidate"),
                    key("second", TEXT, "another one"),
                    key("battles", SIZE, "between them"),
                    key("observed", SHARE, "the share that the first won"),
                    key("fitted", SHARE, "the share that the ratings say"),
                    key("residual", NUMBER, "the difference in standard errors"),
                )
                | NULL,
                "which the ratings fit worst",
            ),
            maybe("simulations", COUNT, "of the fit"),
            maybe("step", NUMBER, "of Elo"),
            maybe("shuffles", COUNT | NULL, "orders of the battles that were averaged"),
            maybe("order_sd", mapped(NUMBER, "candidate") | NULL, "what the order of battles does"),
            maybe("mean", mapped(NUMBER, "candidate"), "of the believed skill"),
            maybe("deviation", mapped(NUMBER, "candidate"), "of the believed skill"),
            maybe("beta", NUMBER, "the noise of a performance"),
            maybe("draw_probability", NUMBER | NULL, "of equals"),
            maybe(
                "circumstances",
                listed(
                    record(
                        key("name", TEXT, "of the covariate, or of the side"),
                        key("log_odds", NUMBER, "that one unit is worth"),
                        key("se", SIZE | NULL, "of that"),
                        key("typical", NUMBER, "difference of the covariate"),
                        key("log_odds_of_typical", NUMBER, "that it is worth"),
                    )
                ),
                "what covariates and sides are worth",
            ),
            maybe("kind", TEXT, "of the parts: tournament or category"),
            maybe("tournaments", mapped(OF_TOURNAMENT, "tournament"), "what is true of each"),
            maybe("left_out", mapped(TEXT, "tournament"), "why it could not be rated"),
            maybe("reversed", NAMES | NULL, "tournaments that go against the others"),
            maybe("reversed_beyond_noise", NAMES | NULL, "of these, more than noise explains"),
        )
    ),
    made=MADE,
)

PAIR = (
    key("first", TEXT, "a candidate"),
    key("second", TEXT, "another one, rated lower"),
    key("difference", NUMBER, "of their ratings"),
    key("low", NUMBER | NULL, "the lower end of its interval"),
    key("high", NUMBER | NULL, "the upper end"),
    key("p_beats", SHARE, "the chance that the first wins"),
    key("p_low", SHARE, "the lower end of that"),
    key("p_high", SHARE, "the upper end"),
    maybe("p_value", SHARE, "of the test of all pairs"),
)

TABLE = Schema(
    name="deadheat.rate-table/1",
    command="rate --show",
    about="One of the tables that ratings can be told in.",
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=MADE,
    tables={
        "matrix": Object(
            keys=(*PART, key("candidate", TEXT, "its name")),
            other=key("<candidate>", NUMBER | NULL, "the chance to beat that one"),
            names=(*OF_PART, "candidate"),
        ),
        "pairs": Object(keys=(*PART, *PAIR), names=(*OF_PART, "first", "second")),
        "groups": Object(
            keys=(
                *PART,
                key("group", GROUP, "its number"),
                key("size", COUNT, "how many are in it"),
                key("candidates", TEXT, "who"),
            ),
            names=(*OF_PART, "group"),
        ),
        "calibration": Object(
            keys=(
                *PART,
                key("low", NUMBER, "from this fitted share on"),
                key("high", NUMBER, "up to this one"),
                key("pairs", COUNT, "of candidates in it"),
                key("matches", SIZE, "between them"),
                key("fitted", SHARE, "what favourites should win"),
                key("observed", SHARE, "what they won"),
            ),
            names=(*OF_PART, "low", "high"),
        ),
        "tunability": Object(
            keys=(
                PART[0],
                key("algorithm", TEXT, "its name"),
                key("settings", COUNT, "how many it has"),
                key("range", SIZE, "between its best and its worst"),
                key("iqr", SIZE, "between its quartiles"),
                key("sd", SIZE | NULL, "of its ratings"),
                key("best", TEXT, "its best setting"),
                key("gain", NUMBER | NULL, "of the best over the first setting"),
                key("p_beats_default", SHARE | NULL, "the chance that it beats the first"),
                key("held_out", NUMBER | NULL, "the gain on rounds that did not choose it"),
                key("p_held_out", SHARE | NULL, "the chance on these"),
            ),
            names=(*OF_PART, "algorithm"),
        ),
        "tournaments": Object(
            keys=(
                *PART,
                key("with_others", NUMBER | NULL, "the correlation with the others"),
                key("low", NUMBER | NULL, "the lower end of its interval"),
                key("high", NUMBER | NULL, "the upper end"),
                key("p_reversed", SHARE | NULL, "that it goes against them by chance"),
                key("other_order", SHARE | NULL, "the share of pairs in another order"),
                key("spread", NUMBER | NULL, "of its ratings"),
                key("split_sd", SIZE | NULL, "the noise from round to round"),
            ),
            names=OF_PART,
        ),
        "embedding": Object(
            keys=(
                key("kind", TEXT, "point or loading"),
                key("name", TEXT, "of the tournament, or of the candidate"),
            ),
            other=key("pc<k>", NUMBER, "the place on the k-th principal component"),
            names=("kind", "name"),
        ),
    },
)
