"""Every Eval Ever: records of evaluations, one JSON for each model, that state the direction."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import (
    Score,
    at,
    files_in,
    holding,
    is_json,
    json_in,
    many,
    number_of,
    of_scores,
    shown_names,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

LEVEL = 0.95  # of an interval that says none
NEEDED = {"schema_version", "evaluation_id", "model_info", "evaluation_results"}


@reads_format(
    "every-eval-ever",
    "records of Every Eval Ever",
    known_by="JSON with evaluation_id, model_info and evaluation_results",
)
def read_records(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Read all records; of several benchmarks, evaluations have their names before their own."""
    scores: list[tuple[str, Score]] = []
    names: dict[str, str] = {}
    for name, part in files_in(source, is_json):
        if part.keys >= NEEDED:
            found = json_in(part)
            for record in found if isinstance(found, list) else [found]:
                model, called = _model(name, record)
                names.setdefault(model, called)
                benchmark = _benchmark(record)
                scores += [(benchmark, score) for score in _scores(record, model)]
    shown, several = shown_names(names), len({benchmark for benchmark, _ in scores}) > 1
    return of_scores(source, [
        each._replace(model=shown[each.model], task=f"{of}: {each.task}" if several else each.task)
        for of, each in scores
    ])  # fmt: skip


@read_records.recognises
def _is_record(source: Source) -> str:
    if source.keys >= NEEDED:
        return "it has evaluation_id, model_info and evaluation_results"
    return holding(source, is_json, _is_record)


def _model(name: str, record: Any) -> tuple[str, str]:
    """Return by what a model is known, and what it is called."""
    called = at(record, "model_info", "name")
    model = at(record, "model_info", "id") or called
    if not isinstance(at(record, "evaluation_results"), list) or not model:
        raise DataError(f"{name} has no results of a model.", hint="see eval.schema.json.")
    return str(model), str(called or model)


def _benchmark(record: Any) -> str:
    """Return the benchmark, behind the developer in records of the first versions."""
    first, _, rest = str(at(record, "evaluation_id")).partition("/")
    developer = str(at(record, "model_info", "developer"))
    return rest.partition("/")[0] if first.lower() == developer.lower() else first


def _scores(record: Any, model: str) -> Iterator[Score]:
    for result in many(record, "evaluation_results"):
        config, details = at(result, "metric_config"), at(result, "score_details")
        lower = at(config, "lower_is_better")
        value = number_of(at(details, "score"))
        unknown = at(config, "has_unknown_level") is True and value == -1
        metric = at(config, "metric_id") or at(config, "metric_name") or ""
        task, error = str(at(result, "evaluation_name")), _error(details)
        higher = not lower if isinstance(lower, bool) else None
        yield Score(model, task, "", str(metric), None if unknown else value, error, higher)


def _error(details: Any) -> float | None:
    """Return the standard error of a score, or what a deviation or an interval makes of it."""
    known = at(details, "uncertainty")
    deviation, size = (number_of(at(known, k)) for k in ("standard_deviation", "num_samples"))
    interval = at(known, "confidence_interval") or at(details, "confidence_interval")
    low, high = number_of(at(interval, "lower")), number_of(at(interval, "upper"))
    level = number_of(at(interval, "confidence_level")) or LEVEL
    half = number_of(at(details, "details", "confidence_interval"))  # in the first versions
    half = half if low is None or high is None else (high - low) / 2
    error = number_of(at(known, "standard_error", "value"))
    if error is None and deviation is not None and size is not None and size >= 1:
        error = deviation / size**0.5
    if error is None and half is not None and 0 < level < 1:
        error = half / NormalDist().inv_cdf((1 + level) / 2)
    return error if error is not None and error >= 0 else None
