"""Every Eval Ever: records of evaluations, one JSON for each model, that state the direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import (
    Score,
    at,
    files_in,
    json_in,
    number_of,
    of_scores,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

NEEDED = {"schema_version", "evaluation_id", "model_info", "evaluation_results"}


@reads_format(
    "every-eval-ever",
    "records of Every Eval Ever",
    known_by="JSON with evaluation_id, model_info and evaluation_results",
)
def read_records(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Read all records; of several benchmarks, evaluations have their names before their own."""
    scores: list[tuple[str, Score]] = []
    for name, part in files_in(source, _is_json):
        if part.keys >= NEEDED:
            found = json_in(part)
            for record in found if isinstance(found, list) else [found]:
                benchmark = str(at(record, "evaluation_id")).partition("/")[0]
                scores += [(benchmark, score) for score in _scores(name, record)]
    if len({benchmark for benchmark, _ in scores}) < 2:
        return of_scores(source, [score for _, score in scores])
    return of_scores(source, [s._replace(task=f"{name}: {s.task}") for name, s in scores])


@read_records.recognises
def _is_record(source: Source) -> str:
    if source.keys >= NEEDED:
        return "it has evaluation_id, model_info and evaluation_results"
    for name in filter(_is_json, source.listing or ()):
        with source.open(name) as part:
            return f"it holds {name}" if part.keys >= NEEDED else ""
    return ""


def _is_json(name: str) -> bool:
    return name.endswith((".json", ".json.gz"))


def _scores(name: str, record: Any) -> Iterator[Score]:
    model = at(record, "model_info", "id") or at(record, "model_info", "name")
    results = at(record, "evaluation_results")
    if not isinstance(results, list) or not model:
        raise DataError(f"{name} has no results of a model.", hint="see eval.schema.json.")
    for result in results:
        config, details = at(result, "metric_config"), at(result, "score_details")
        lower = at(config, "lower_is_better")
        value = number_of(at(details, "score"))
        unknown = at(config, "has_unknown_level") is True and value == -1
        error = number_of(at(details, "uncertainty", "standard_error", "value"))
        metric = at(config, "metric_id") or at(config, "metric_name") or ""
        task = str(at(result, "evaluation_name"))
        higher = not lower if isinstance(lower, bool) else None
        yield Score(str(model), task, "", str(metric), None if unknown else value, error, higher)
