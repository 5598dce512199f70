"""What stands in the JSON of one kind of result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from deadheat.schemas.kinds import INTEGER, NULL, NUMBER, TEXT, Key, Object, key, listed, maybe

TOP = ("schema", "made", "verdict", "warnings", "facts", "rows")
ORIGIN = (
    key("version", TEXT, "of deadheat"),
    maybe("command", listed(TEXT) | NULL, "the arguments, where the command line made it"),
    maybe("seed", INTEGER | NULL, "null where nothing is random"),
    maybe("function", listed(TEXT) | TEXT, "the ranking functions, or the rating model"),
)
DATA = (
    key("source", TEXT | listed(TEXT), "the name of the table, or of several"),
    key("sha256", TEXT | listed(TEXT), "the hash of the data"),
    maybe("candidates", INTEGER | listed(INTEGER), "how many there are"),
    maybe("judges", INTEGER | listed(INTEGER), "how many there are"),
    maybe("better", TEXT | listed(TEXT), "which scores are better: higher, lower, or mixed"),
    maybe("missing", TEXT | listed(TEXT), "the policy about holes"),
    maybe("tie_tol", NUMBER | listed(NUMBER), "up to which difference scores count as equal"),
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

    def faults(self, document: Mapping[str, Any]) -> Iterator[str]:
        """Yield where a document differs from the description."""
        if tuple(document) != TOP:
            yield f"the keys are {', '.join(document)}"
            return
        yield from Object(keys=(*ORIGIN, *self.made)).check(document["made"], "made")
        yield from self.facts.check(document["facts"], "facts")
        rows = self.rows
        if self.tables:
            name = document["facts"].get("table", document["made"].get("kind"))
            if name not in self.tables:
                yield f"no table {name} is described"
                return
            rows = self.tables[name]
        for row in document["rows"]:
            yield from rows.check(row, "rows[]")

    def objects(self) -> dict[str, Object]:
        """Return the descriptions of the facts and of the rows, by their place."""
        tables = {f"rows of {name}": each for name, each in self.tables.items()}
        return {"facts": self.facts, **(tables or {"rows": self.rows})}
