"""What stands in the JSON of one kind of result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from deadheat.schemas.kinds import Fault, Faults, Key, Object, key, listed, maybe, told
from deadheat.schemas.values import COUNT, INTEGER, NAMES, NULL, OBJECT, SIZE, TEXT

WHOLE = Object(
    keys=(
        key("schema", TEXT, "the name of what is described"),
        key("made", OBJECT, "how it was made"),
        key("verdict", TEXT, "what it says, in words"),
        key("warnings", NAMES, "what to know about it"),
        key("facts", OBJECT, "what is true of the whole"),
        key("rows", listed(OBJECT), "the records"),
    )
)
TOP = tuple(each.name for each in WHOLE.keys)
ORIGIN = (
    key("version", TEXT, "of deadheat"),
    maybe("command", NAMES | NULL, "the arguments, where the command line made it"),
    maybe("seed", INTEGER | NULL, "null where nothing is random"),
    maybe("function", NAMES | TEXT, "the ranking functions, or the rating model"),
)
DATA = (
    key("source", TEXT | NAMES, "the name of the table, or of several"),
    key("sha256", TEXT | NAMES, "the hash of the data"),
    maybe("candidates", COUNT | listed(COUNT), "how many there are"),
    maybe("judges", COUNT | listed(COUNT), "how many there are"),
    maybe("better", TEXT | NAMES, "which scores are better: higher, lower, or mixed"),
    maybe("missing", TEXT | NAMES, "the policy about holes"),
    maybe("tie_tol", SIZE | listed(SIZE), "up to which difference scores count as equal"),
    maybe("rule", TEXT, "the rule that scored runs"),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Schema:
    """Describe the JSON of a result: ``made``, ``facts`` and ``rows``; the rest is always alike.

    ``tables`` describe the rows where one schema has several; ``facts.table`` or ``made.kind``
    says which one it is. ``as_in`` is another schema that has the same facts and rows.
    """

    name: str
    command: str
    about: str
    rows: Object = field(default_factory=lambda: Object(keys=()))
    facts: Object = field(default_factory=lambda: Object(keys=()))
    made: tuple[Key, ...] = ()
    tables: Mapping[str, Object] = field(default_factory=dict)
    as_in: str = ""

    def faults(self, document: Any) -> Faults:
        """Yield where a document differs from the description; keys may stand in any order."""
        whole = list(WHOLE.check(document, ""))
        yield from whole
        if not all(fault.foreign for fault in whole):
            return
        yield from self._made.check(document["made"], "made")
        yield from self.facts.check(document["facts"], "facts")
        place, table = _table(document["made"], document["facts"])
        if self.tables and (not isinstance(table, str) or table not in self.tables):
            yield Fault(place, f"is {told(table)}, and no such table is described")
            return
        rows = self.rows_of(document["made"], document["facts"])
        for k, row in enumerate(document["rows"]):
            yield from rows.check(row, f"rows[{k}]")

    def rows_of(self, made: Mapping[str, Any], facts: Mapping[str, Any]) -> Object:
        """Return the description of the rows of a result of which this is known."""
        return self.tables[_table(made, facts)[1]] if self.tables else self.rows

    @cached_property
    def _made(self) -> Object:
        """What ``made`` holds; a key about the data has one meaning, also where none is asked."""
        about = (maybe(each.name, each.kind, each.meaning) for each in DATA)
        known = {each.name: each for each in (*about, *ORIGIN, *self.made)}
        return Object(keys=tuple(known.values()))

    def objects(self) -> dict[str, Object]:
        """Return the descriptions of the facts and of the rows, by their place."""
        tables = {f"rows of {name}": each for name, each in self.tables.items()}
        return {"facts": self.facts, **(tables or {"rows": self.rows})}


def _table(made: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[str, Any]:
    """Return where a document says which of several tables it is, and what it says."""
    if "table" in facts:
        return "facts.table", facts["table"]
    return "made.kind", made.get("kind")
