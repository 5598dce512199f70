"""What stands in the JSON of ``deadheat reproduce``."""

from __future__ import annotations

from typing import Annotated, TypedDict

from deadheat.output.schema import Count, Names, Provenance, Schema, Size


class ReproduceFacts(TypedDict):
    items: Annotated[Names, "the tables and figures"]
    numbers: Annotated[Count, "recomputed"]
    printed: Annotated[Count, "of them that are printed"]
    agree: Annotated[Count, "of those that agree"]
    examples: Annotated[Names, "items that were made of an example: the data are absent"]
    pictures: Annotated[Count, "drawn"]


class ReproduceProvenance(Provenance):
    paper: Annotated[str, "its name"]
    data: Annotated[Names, "the files, where they come from, and their sha256"]
    trials: Annotated[Count, "of the criteria"]
    replicates: Annotated[Count, "of verdicts"]


class ReproduceTableRow(TypedDict):
    what: Annotated[str, "the number"]
    ours: Annotated[float | None, "as it is recomputed"]
    error: Annotated[Size | None, "the Monte-Carlo error of ours; null where nothing is drawn"]
    printed: Annotated[float | None, "as it is printed; null where it is not"]
    agrees: Annotated[bool | None, "whether both agree up to printed digits and noise"]
    why: Annotated[str | None, "the reason of a difference"]


class ReproduceRow(ReproduceTableRow):
    """One row per number, item by item."""

    item: Annotated[str, "the table or figure"]


REPRODUCE = Schema(
    name="deadheat.reproduce/1", rows=ReproduceRow, facts=ReproduceFacts, made=ReproduceProvenance
)
TABLE = Schema(
    name="deadheat.reproduce-table/1",
    about="One table or figure of a paper.",
    rows=ReproduceTableRow,
    made=ReproduceProvenance,
)
