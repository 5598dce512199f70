"""The JSON of ``deadheat report``."""

from __future__ import annotations

from deadheat.output.schema import (
    ANY,
    DATA,
    GROUP,
    NAMES,
    TEXT,
    Key,
    Object,
    Schema,
    key,
    mapped,
    maybe,
)
from deadheat.output.schemas.rate import MADE as RATED
from deadheat.output.schemas.verdict import MADE


def _either(*keys: Key) -> tuple[Key, ...]:
    """Return keys of which only some are written; what has one name is one of its kinds."""
    found: dict[str, Key] = {}
    for each in keys:
        first = found.setdefault(each.name, each)
        kind = first.kind if first.kind.words == each.kind.words else first.kind | each.kind
        found[each.name] = maybe(each.name, kind, first.meaning)
    return tuple(found.values())


REPORT = Schema(
    name="deadheat.report/1",
    command="report",
    about="One row per section of the page.",
    rows=Object(
        keys=(
            key("section", TEXT, "its name"),
            key("title", TEXT, "as people read it"),
            key("says", TEXT, "its sentence"),
            key("pictures", NAMES, "the kinds of its pictures"),
            key("tables", NAMES, "the names of its tables"),
        )
    ),
    facts=Object(
        keys=(
            key("summary", mapped(ANY, "part"), "the answer, and the facts beneath it"),
            key("results", mapped(ANY, "name"), "every result, each as its own JSON has it"),
        )
    ),
    made=_either(
        key("ranks", TEXT, "as in deadheat.rate/1, deadheat.rank/1 and deadheat.verdict/1"),
        *MADE,
        *RATED,
    ),
)

POLICIES = Schema(
    name="deadheat.policies/1",
    command="report",
    about="One row per policy on missing scores.",
    rows=Object(
        keys=(
            key("policy", TEXT, "its name"),
            key("first", TEXT, "who is then first"),
        )
    ),
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=DATA,
)

GROUPINGS = Schema(
    name="deadheat.groupings/1",
    command="report",
    about="One row per candidate, in the order of the robust ranking.",
    rows=Object(
        keys=(
            key("candidate", TEXT, "its name"),
            key("paper", GROUP, "its group by the procedure of Fawcett et al."),
            key("all_pairs", GROUP, "its group by tests of all pairs"),
        )
    ),
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=MADE,
)

FULL_NAMES = Schema(
    name="deadheat.names/1",
    command="report",
    about="One row per name that is too long for a page.",
    rows=Object(
        keys=(
            key("kind", TEXT, "what is called so: candidate, judge, ..."),
            key("name", TEXT, "the name on the page, cut in the middle"),
            key("in_full", TEXT, "the name in full"),
        ),
        names=("kind", "name"),
    ),
    facts=Object(keys=(key("table", TEXT, "which table it is"),)),
    made=REPORT.made,
)
