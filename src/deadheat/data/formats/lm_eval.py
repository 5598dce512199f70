"""lm-evaluation-harness: its results, one JSON for each model, and its samples, item by item."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from deadheat.core.errors import DataError, counted
from deadheat.core.memory import Meter
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import (
    CELL,
    Score,
    at,
    files_in,
    holding,
    json_in,
    many,
    number_of,
    objects_in,
    of_scores,
    shown_names,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

DATE = r"_\d{4}-\d\d-\d\dT[^/]*"
RESULTS = re.compile(rf"(.*/)?(results[^/]*|[^/]+{DATE})\.json(\.gz)?")  # NAME_DATE if one is said
SAMPLES = re.compile(rf"(?:.*/)?samples_([^/]+?)(?:{DATE})?\.jsonl(?:\.gz)?")
ARGUMENTS = r"(?P<who>(?:[^/]*,)?(?:pretrained|model|engine)__(?P<model>[^/,]+?)(?:,[^/]*?)?)"
OLD = rf"(?:.*/)?{ARGUMENTS}(?<!_)_(?P<task>{{}})\.jsonl(?:\.gz)?"  # versions 0.4.0 to 0.4.2
NAMED = re.compile(OLD.format("(?!_)[^/]+"))
BEGINNING = re.compile(r'\s*\{\s*"results"\s*:\s*\{')
OF_SAMPLES = {"doc_id", "doc", "filtered_resps"}
KNOWN = dict.fromkeys(("acc", "acc_norm", "acc_mutual_info", "exact_match", "f1", "mcc"), True)
KNOWN |= dict.fromkeys(("bleu", "chrf", "rouge1", "rouge2", "rougeL", "likelihood_diff"), True)
KNOWN |= dict.fromkeys(("perplexity", "word_perplexity", "byte_perplexity"), False)
KNOWN |= dict.fromkeys(("bits_per_byte", "brier_score", "ter"), False)
NO_METRICS = {"alias", "name", "sample_len", "sample_count", "doc_id", "doc_hash", "target_hash"}


@reads_format(
    "lm-eval",
    "results of lm-eval (LM Evaluation Harness)",
    known_by="results*.json with results and versions, and metrics such as acc,none",
)
def read_lm_eval(source: Source, options: Options) -> Stream:  # noqa: ARG001
    scores: list[Score] = []
    left_out: set[str] = set()
    names: dict[str, str] = {}
    for name, part in files_in(source, RESULTS.fullmatch):
        if source.listing is None or _is_results(part):
            found = json_in(part)
            scores += _results(name, found, left_out)
            for task, metrics in found["results"].items():
                names.setdefault(task, str(at(metrics, "alias") or task).strip(" -") or task)
    shown = shown_names(names)
    scores = [each._replace(task=shown[each.task]) for each in scores]
    note = f"{counted(len(left_out), 'group')} left out: each is a mean of tasks that are here."
    return of_scores(source, scores, notes=(note,) if left_out else (), newest=True)


@read_lm_eval.recognises
def _is_results(source: Source) -> str:
    if source.listing is not None:
        return holding(source, RESULTS.fullmatch, _is_results)
    named = {"versions", "configs", "higher_is_better"} & source.keys
    measured = any(re.search(r"_stderr(,|$)", key) for key in source.keys)
    known = BEGINNING.match(source.text) and (named or measured)
    known = known or (source.keys >= {"results", "versions"} and {"config", "n-shot"} & source.keys)
    return "it has results and versions of tasks" if known else ""


@reads_format(
    "lm-eval-samples",
    "samples of lm-eval (LM Evaluation Harness)",
    known_by="samples_TASK_DATE.jsonl in a folder for each model, or pretrained__MODEL_TASK.jsonl",
)
def read_samples(source: Source, options: Options) -> Stream:  # noqa: ARG001
    scores: list[Score] = []
    meter = Meter(source.name)
    old = _undated(source)
    for name, part in files_in(source, lambda each: SAMPLES.fullmatch(each) or each in old):
        named = SAMPLES.fullmatch(name)
        task = named[1] if named else name
        model = _unsanitized((f"/{name}").split("/")[-2]) or name
        model, task = old.get(name, (model, task))
        for line in objects_in(part):
            item, metrics = str(line.get("doc_id", "")), line.get("metrics")
            own = {k: v for k, v in line.items() if k not in NO_METRICS}
            wanted = (
                [m for m in map(str, metrics) if m in own] if isinstance(metrics, list) else [*own]
            )
            for metric in wanted:
                value = number_of(own[metric])
                if value is not None:
                    called = _called(metric, line.get("filter"))
                    known = KNOWN.get(metric)
                    scores.append(Score(model, task, item, called, value, None, known))
                    meter.add(8 * CELL)
    return of_scores(source, scores, newest=not old)


@read_samples.recognises
def _is_samples(source: Source) -> str:
    if any(map(SAMPLES.fullmatch, source.listing or ())):
        return "it holds samples_*.jsonl"
    if source.listing is not None:
        return holding(source, NAMED.fullmatch, _is_samples)
    return "its lines have doc_id, doc and filtered_resps" if source.keys >= OF_SAMPLES else ""


def _undated(source: Source) -> dict[str, tuple[str, str]]:
    """Return model and task by the names of files without a date.

    Both may hold ``_``: results beside say which tasks there are, else the first one parts them.
    """
    names = [name for name in source.listing or (source.name,) if NAMED.fullmatch(name)]
    tasks = set[str]()
    for name in filter(RESULTS.fullmatch, (source.listing or ()) if names else ()):
        with source.open(name) as part:
            tasks |= {*(at(json_in(part), "results") or ())}
    known = re.compile(OLD.format("|".join(map(re.escape, sorted(tasks, key=len, reverse=True)))))
    found = {name: known.fullmatch(name) or NAMED.fullmatch(name) for name in names}
    parts = {name: match for name, match in found.items() if match}
    shown = shown_names({match["who"]: _unsanitized(match["model"]) for match in parts.values()})
    return {name: (shown[match["who"]], match["task"]) for name, match in parts.items()}


def _unsanitized(folder: str) -> str:
    return folder.replace("__", "/", 1)


def _called(metric: str, filtered: Any) -> str:
    return metric if str(filtered or "none") == "none" else f"{metric} ({filtered})"


def _results(name: str, found: Any, left_out: set[str]) -> Iterator[Score]:
    results, subtasks = at(found, "results"), at(found, "group_subtasks")
    if not isinstance(results, dict):
        raise DataError(f"{name} holds no results.", hint="was the evaluation finished?")
    arguments = str(at(found, "config", "model_args") or "")
    pretrained = re.search(
        r"(?:pretrained|model|engine)['\"]?\s*[=:]\s*['\"]?([^,'\"]+)", arguments
    )
    folder = _unsanitized(f"/{name}".split("/")[-2])
    model = str(at(found, "model_name") or (pretrained and pretrained[1]) or folder or name)
    for task, metrics in results.items():
        if any(str(each) in results for each in many(subtasks, task) if each != task):
            left_out.add(task)
            continue
        filtered = any("," in key for key in (metrics if isinstance(metrics, dict) else ()))
        for key, cell in metrics.items() if isinstance(metrics, dict) else ():
            metric, comma, kind = key.partition(",")
            beside = metric in NO_METRICS or metric.endswith("_stderr") or (filtered and not comma)
            if beside or number_of(cell) is None:
                continue
            error = number_of(metrics.get(f"{metric}_stderr{comma}{kind}"))
            higher = at(found, "higher_is_better", task, metric)
            higher = higher if isinstance(higher, bool) else KNOWN.get(metric)
            called = _called(metric, kind)
            yield Score(model, task, "", called, number_of(cell), error, higher)
