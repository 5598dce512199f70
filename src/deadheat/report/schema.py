"""What stands in the JSON of ``report``, of the tables of its page, and of ``list``."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, TypedDict

from msgspec import Meta

from deadheat.agree import schema as agree
from deadheat.axioms import schema as axioms
from deadheat.check import schema as check
from deadheat.compare import schema as compare
from deadheat.consensus import schema as consensus
from deadheat.criteria import schema as criteria
from deadheat.influence import schema as influence
from deadheat.output.schema import Group, Names, Nothing, Provenance, Schema, keys_of, words
from deadheat.rank import schema as rank
from deadheat.rate import schema as rate
from deadheat.reproduce import schema as reproduce
from deadheat.score import schema as score
from deadheat.verdict import schema as verdict

QUESTIONS = (rank, score, check, influence, compare, verdict, agree, consensus, criteria, axioms)
ROOMS = (*QUESTIONS, rate, reproduce)


@cache
def schemas() -> dict[str, Schema]:
    rooms = [value for room in ROOMS for value in vars(room).values()]
    found = (each for each in (*rooms, *globals().values()) if isinstance(each, Schema))
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


class ReportRow(TypedDict):
    """One row per section of the page."""

    section: Annotated[str, "its name"]
    title: Annotated[str, "as people read it"]
    says: Annotated[str, "its sentence"]
    pictures: Annotated[Names, "the kinds of its pictures"]
    tables: Annotated[Names, "the names of its tables"]


Part = Annotated[str, Meta(title="part")]
Name = Annotated[str, Meta(title="name")]


class ReportFacts(TypedDict):
    summary: Annotated[dict[Part, Any], "the answer, and the facts beneath it"]
    results: Annotated[dict[Name, Any], "every result as its own JSON has it, without its table"]


def _either(*described: type) -> type:
    """Return an object of which only some keys are written, each of one of its kinds."""
    kinds: dict[str, dict[str, Any]] = {}
    meanings: dict[str, str] = {}
    for key in (key for each in described for key in keys_of(each).values()):
        kinds.setdefault(key.name, {}).setdefault(words(key.kind), key.kind)
        meanings.setdefault(key.name, key.meaning)
    annotated: Any = Annotated
    declare: Any = TypedDict
    keys = {key: annotated[reduce(or_, of.values()), meanings[key]] for key, of in kinds.items()}
    declared: type = declare("ReportMade", keys, total=False)
    return declared


class PoliciesRow(TypedDict):
    """One row per policy on missing scores."""

    policy: Annotated[str, "its name"]
    first: Annotated[str, "who is then first"]


class GroupingsRow(TypedDict):
    """One row per candidate, in the order of the robust ranking."""

    candidate: Annotated[str, "its name"]
    paper: Annotated[Group, "its group by the procedure of Fawcett et al."]
    all_pairs: Annotated[Group, "its group by tests of all pairs"]


class NamesRow(TypedDict):
    """One row per name that is too long for a page."""

    kind: Annotated[str, "what is called so: candidate, judge, ..."]
    name: Annotated[str, "the name on the page, cut in the middle"]
    in_full: Annotated[str, "the name in full"]


class ScoresRow(TypedDict):
    """One row per candidate and judge: the table that the page carries."""

    candidate: Annotated[str, "its name"]
    judge: Annotated[str, "its name"]
    stratum: Annotated[str | None, "of the judge, where there are strata"]
    score: Annotated[float | None, "as it was written; null where it is missing"]


REPORT_MADE = _either(rank.RankProvenance, verdict.VerdictProvenance, rate.RateProvenance)
REPORT = Schema(name="deadheat.report/1", rows=ReportRow, facts=ReportFacts, made=REPORT_MADE)
POLICIES = Schema(name="deadheat.policies/1", command="report", rows=PoliciesRow)
GROUPINGS = Schema(
    name="deadheat.groupings/1", command="report", rows=GroupingsRow, made=verdict.VerdictProvenance
)
SCORES = Schema(name="deadheat.scores/1", command="report", rows=ScoresRow, made=REPORT_MADE)
FULL_NAMES = Schema(name="deadheat.names/1", command="report", rows=NamesRow, made=REPORT_MADE)


class ListProvenance(Provenance):
    kind: Annotated[str, "what is listed"]


class KindsRow(TypedDict):
    kind: Annotated[str, "what can be listed"]
    summary: Annotated[str, "what it is, in one line"]


class Choice(TypedDict):
    name: Annotated[str, "by which it is asked for"]
    summary: Annotated[str, "what it is, in one line"]


class PublishedChoice(Choice):
    formula: Annotated[str, "in TeX"]
    reference: Annotated[str, "the paper"]


class FunctionsRow(PublishedChoice):
    aliases: Annotated[Names, "other names"]
    scale: Annotated[str, "what must hold of the scores: ordinal, interval or ratio"]
    cost: Annotated[str, "of one replicate, for n candidates and m judges"]
    satisfies: Annotated[Names, "axioms"]
    violates: Annotated[Names, "axioms"]
    needs: Annotated[str, "what the scores must be"]
    available: Annotated[bool, "whether it can leave single scores out"]
    slow: Annotated[bool, "whether it is left out unless asked for"]
    heading: Annotated[str, "what its numbers are called"]


class AxiomsRow(PublishedChoice):
    caveat: Annotated[str, "what to know about it"]
    audited: Annotated[bool, "whether a table can be audited for it"]


class CriteriaRow(PublishedChoice):
    over: Annotated[str, "what is resampled"]


class PlotsRow(Choice):
    of: Annotated[Names, "the types of results that it is drawn of"]
    figure: Annotated[str, "of a paper, where it is one"]


class FormatsRow(TypedDict):
    name: Annotated[str, "by which it is asked for"]
    title: Annotated[str, "as people call it"]
    told_by: Annotated[str, "what it is known by"]
    options: Annotated[Names, "that it understands"]


class ScoringRow(PublishedChoice):
    aliases: Annotated[Names, "other names"]
    better: Annotated[str, "which scores are better"]
    needs: Annotated[Names, "columns of the runs"]
    total: Annotated[str, "how scores are added up"]


class ExamplesRow(Choice):
    rows: Annotated[int, "rows of its file"]
    candidates: Annotated[int, "how many candidates it has"]
    size: Annotated[str, "how large its file is"]
    kind: Annotated[str, "`table`, `runs` or `battles`"]
    path: Annotated[str, "where its file is"]


LISTS = (KindsRow, FunctionsRow, AxiomsRow, CriteriaRow, PlotsRow, FormatsRow, ScoringRow)
LIST = Schema(
    name="deadheat.list/1",
    about="What there is to choose from, one row each.",
    facts=Nothing,
    made=ListProvenance,
    tables={row.__name__.removesuffix("Row").lower(): row for row in (*LISTS, ExamplesRow)},
)
