"""HELM: tables of a group of scenarios (groups/GROUP.json), and the folders of runs."""

from __future__ import annotations

import re
from typing import Any

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import (
    at,
    files_in,
    json_in,
    many,
    number_of,
    shown_names,
    stream,
)
from deadheat.data.reading.drawn import Drawn, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream, text_of

NEEDED = {"title", "header", "rows", "value", "lower_is_better"}
ARROW = {"True": "↓", "False": "↑"}
MEANS = ("Mean win rate", "Mean score")  # over the other columns: what the board is ordered by


@reads_format(
    "helm",
    "tables of HELM",
    known_by="JSON with title, header, rows and lower_is_better, in groups/GROUP.json",
    understands=("sheet",),
)
def read_helm(source: Source, options: Options) -> Stream:
    """Read one table of a group; columns without a direction, such as sizes, are left out."""
    found = json_in(source)
    pairs = enumerate(found if isinstance(found, list) else [found])
    return stream_of_drawn(source, [_table(k, each) for k, each in pairs], options)


@read_helm.recognises
def _is_helm(source: Source) -> str:
    return "it has header, rows and lower_is_better" if source.keys >= NEEDED else ""


def _table(k: int, found: Any) -> Drawn:
    header = [each if isinstance(each, dict) else {} for each in many(found, "header")]
    ways = [ARROW.get(str(each.get("lower_is_better"))) for each in header]
    names = [_text(each.get("value")) for each in header]
    kept = [i for i, way in enumerate(ways) if i == 0 or (way and names[i] not in MEANS)]
    rows = [
        (number, [_text(at(row[i], "value")) if i < len(row) else "" for i in kept])
        for number, row in enumerate(many(found, "rows"), start=1)
        if isinstance(row, list) and kept[1:]
    ]
    shown = [f"{names[i]} {ways[i] or ''}".strip() if i else names[i] or "Model" for i in kept]
    caption = _text(at(found, "title"))
    return Drawn(line=k + 1, header=shown, rows=rows, caption=caption,
                 official=_official(found, names))  # fmt: skip


def _official(found: Any, names: list[str]) -> dict[str, float]:
    """Return the places by the mean win rate, or the mean score, of those who have one."""
    k = next((names.index(mean) for mean in MEANS if mean in names), len(names))
    rows = [row for row in many(found, "rows") if isinstance(row, list) and len(row) > k]
    pairs = ((_text(at(row[0], "value")), number_of(at(row[k], "value"))) for row in rows)
    means = {name: mean for name, mean in pairs if mean is not None}
    return {name: 1.0 + sum(other > mean for other in means.values())
            for name, mean in means.items()}  # fmt: skip


def _text(value: Any) -> str:
    return (text_of(value) or "") if isinstance(value, str | int | float) else ""


SCHEMA = re.compile(r"(?:.*/)?schema\.json")
RUNS, MODEL, SPLIT = "stats.json", "model=", "test"
COUNTS = ("num_", "inference_", "training_", "finish_reason_", "estimated_", "batch_", "max_prob")


@reads_format(
    "helm-runs",
    "runs of HELM",
    known_by="folders such as mmlu:subject=anatomy,model=gpt2 that hold stats.json",
)
def read_helm_runs(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Read what each run measured on its test split, undisturbed; each metric is a row."""
    rows, shown = [], _display_names(source)
    for name, part in files_in(source, _is_run):
        scenario, model = _run_of(name)
        for stat in many(json_in(part)):
            metric, mean = at(stat, "name", "name"), number_of(at(stat, "mean"))
            disturbed = at(stat, "name", "perturbation") or at(stat, "name", "sub_split")
            measured = isinstance(metric, str) and not metric.startswith(COUNTS)
            if measured and mean is not None and not disturbed and _split(stat) == SPLIT:
                rows.append([shown.get(model, model), scenario, metric, mean])
    if not rows:
        raise DataError(f"{source.name} holds no scores of a test split.", hint="was it finished?")
    states: dict[str, Any] = {
        "layout": "long",
        "candidate": "model",
        "judge": "scenario",
        "score": "mean",
    }
    states |= {"noun": {"candidate": "model", "judge": "scenario"}}
    return stream(source, ["model", "scenario", "metric", "mean"], rows, states=states)


@read_helm_runs.recognises
def _holds_runs(source: Source) -> str:
    found = next(filter(_is_run, source.listing or ()), "")
    return f"it holds {found}" if found else ""


def _display_names(source: Source) -> dict[str, str]:
    """Return what the schema of a release calls its models."""
    models: list[Any] = []
    for _, part in files_in(source, SCHEMA.fullmatch) if source.listing else ():
        models += many(json_in(part), "models")
    pairs = ((at(each, "name"), at(each, "display_name")) for each in models)
    return shown_names({str(name): str(shown) for name, shown in pairs if name and shown})


def _is_run(name: str) -> bool:
    *_, folder, file = ("", *name.split("/"))
    return file == RUNS and (f":{MODEL}" in folder or f",{MODEL}" in folder)


def _run_of(name: str) -> tuple[str, str]:
    """Return the scenario and the model that the folder of a run names."""
    if not _is_run(name):
        fact = f"{name} lies in no folder of a run, such as mmlu:subject=law,model=gpt2."
        raise DataError(fact, hint="give the folder that holds the runs.")
    scenario, _, said = name.split("/")[-2].partition(":")
    parts = said.split(",")
    model = next((part for part in parts if part.startswith(MODEL)), "").removeprefix(MODEL)
    others = ",".join(part for part in parts if not part.startswith(MODEL))
    return (f"{scenario}:{others}" if others else scenario), model.replace("_", "/", 1)


def _split(stat: Any) -> object:
    return at(stat, "name", "split")
