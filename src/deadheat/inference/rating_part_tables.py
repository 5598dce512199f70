"""Tables about the ratings of several tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from deadheat.errors import DataError, UnknownNameError
from deadheat.inference.rating_tables import HEADINGS, KEYS
from deadheat.inference.rating_tables import TABLES as OF_EACH
from deadheat.inference.tournament_words import PLURALS, SETTINGS, advice
from deadheat.result import Listing
from deadheat.typing import Row

if TYPE_CHECKING:
    from deadheat.inference.rating_parts import RatingParts


OWN_HEADINGS = {
    "with_others": "with others",
    "p_reversed": "p reversed",
    "other_order": "other order",
    "split_sd": "split sd",
}
OWN_KEYS = {"tournaments": 1, "embedding": 2}


class PartTable(Listing):
    """Hold one table about the ratings of several tournaments."""

    schema: ClassVar[str] = "deadheat.rate-table/1"


def part_table(r: RatingParts, name: str) -> PartTable:
    """Return a table by name: tournaments, embedding, or one of each tournament's own."""
    if name in TABLES:
        records, sentence = TABLES[name](r)
    elif name in OF_EACH:
        records, sentence = _of_each(r, name)
    else:
        known = (*TABLES, *OF_EACH)
        raise UnknownNameError("table of several tournaments", str(name), known)
    return PartTable(
        made=r.made,
        warnings=r.warnings,
        library=r.library,
        name=name,
        records=tuple(records),
        sentence=sentence,
        keys=OWN_KEYS[name] if name in TABLES else 1 + KEYS.get(name, 1),
        headings=OWN_HEADINGS if name in TABLES else HEADINGS.get(name, {}),
    )


def _of_each(r: RatingParts, name: str) -> tuple[list[Row], str]:
    """Return the rows of the table of each tournament, under the name of the tournament."""
    tables = {part: found.table(name) for part, found in r.parts.items()}
    columns = dict.fromkeys(
        key for table in tables.values() for row in table.records for key in row
    )
    rows: list[Row] = [
        {r.kind: part, **{key: row.get(key) for key in columns}}
        for part, table in tables.items()
        for row in table.records
    ]
    return rows, next(iter(tables.values())).sentence


def _tournaments(r: RatingParts) -> tuple[list[Row], str]:
    agreement = r.agreement
    if agreement is None:
        raise DataError(
            "tournaments with different candidates cannot be compared.",
            hint="rate the candidates that all have in common.",
        )
    rows: list[Row] = [
        {
            r.kind: name,
            "with_others": float(agreement.with_others[d]),
            "low": float(agreement.low[d]),
            "high": float(agreement.high[d]),
            "p_reversed": float(agreement.p_reversed[d]),
            "other_order": float(agreement.discordant[d]),
            "spread": float(agreement.spread[d]),
            "split_sd": r.parts[name].split_sd,
        }
        for d, name in enumerate(agreement.data_sets)
    ]
    return rows, "\n".join(
        advice(agreement, noun=r.noun)
    ) or f"No {r.noun} goes against the others."


def _embedding(r: RatingParts) -> tuple[list[Row], str]:
    found = r.embedding()
    rows: list[Row] = [
        {"kind": kind, "name": name, **{f"pc{c}": float(x) for c, x in enumerate(place, start=1)}}
        for kind, names, places in (
            ("point", found.data_sets, found.points),
            ("loading", found.settings, found.loadings),
        )
        for name, place in zip(names, places, strict=True)
    ]
    shares = ", ".join(f"{100 * share:.0f} %" for share in found.shares)
    return rows, (
        f"The components show {shares} of the variance between the rows of ratings. Points are "
        f"{PLURALS[r.noun]}, loadings the directions of {SETTINGS[r.noun]}."
    )


TABLES: Mapping[str, Callable[[RatingParts], tuple[list[Row], str]]] = {
    "tournaments": _tournaments,
    "embedding": _embedding,
}
