"""The JSON of ``deadheat list``."""

from __future__ import annotations

from deadheat.output.schema import INTEGER, NAMES, TEXT, TRUTH, Object, Schema, key

NAME = key("name", TEXT, "by which it is asked for")
SUMMARY = key("summary", TEXT, "what it is, in one line")
FORMULA = key("formula", TEXT, "in TeX")
REFERENCE = key("reference", TEXT, "the paper")
ALIASES = key("aliases", NAMES, "other names")

LIST = Schema(
    name="deadheat.list/1",
    command="list",
    about="What there is to choose from, one row each.",
    made=(key("kind", TEXT, "what is listed"),),
    tables={
        "kinds": Object(keys=(key("kind", TEXT, "what can be listed"), SUMMARY)),
        "functions": Object(
            keys=(
                NAME,
                ALIASES,
                key("scale", TEXT, "what must hold of the scores: ordinal, interval or ratio"),
                key("cost", TEXT, "of one replicate, for n candidates and m judges"),
                key("satisfies", NAMES, "axioms"),
                key("violates", NAMES, "axioms"),
                key("needs", TEXT, "what the scores must be"),
                key("available", TRUTH, "whether it can leave single scores out"),
                key("slow", TRUTH, "whether it is left out unless asked for"),
                key("heading", TEXT, "what its numbers are called"),
                SUMMARY,
                FORMULA,
                REFERENCE,
            )
        ),
        "axioms": Object(
            keys=(
                NAME,
                SUMMARY,
                FORMULA,
                key("caveat", TEXT, "what to know about it"),
                key("audited", TRUTH, "whether a table can be audited for it"),
                REFERENCE,
            )
        ),
        "criteria": Object(
            keys=(NAME, key("over", TEXT, "what is resampled"), SUMMARY, FORMULA, REFERENCE)
        ),
        "plots": Object(
            keys=(
                NAME,
                key("of", NAMES, "the types of results that it is drawn of"),
                SUMMARY,
                key("figure", TEXT, "of a paper, where it is one"),
            )
        ),
        "formats": Object(
            keys=(
                NAME,
                key("title", TEXT, "as people call it"),
                key("suffixes", NAMES, "of files"),
                key("options", NAMES, "that it understands"),
            )
        ),
        "scoring": Object(
            keys=(
                NAME,
                ALIASES,
                key("better", TEXT, "which scores are better"),
                key("needs", NAMES, "columns of the runs"),
                key("total", TEXT, "how scores are added up"),
                SUMMARY,
                FORMULA,
                REFERENCE,
            )
        ),
        "examples": Object(
            keys=(
                NAME,
                key("rows", INTEGER, "rows of its file"),
                key("candidates", INTEGER, "how many candidates it has"),
                key("size", TEXT, "how large its file is"),
                SUMMARY,
                key("kind", TEXT, "`table`, `runs` or `battles`"),
                key("path", TEXT, "where its file is"),
            )
        ),
    },
)
