"""MTEB: a folder of results, model/revision/Task.json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deadheat.core.errors import DataError, quoted
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import at, files_in, json_in, many, number_of, stream
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

NEEDED = {"task_name", "scores", "mteb_version"}
META = "model_meta.json"


@reads_format(
    "mteb",
    "results of MTEB",
    known_by="Task.json below model/revision, with task_name, scores and mteb_version",
)
def read_mteb(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Score each task by the mean of its main scores over splits and subsets, as MTEB does."""
    rows, names = [], dict[str, str]()
    for name, part in files_in(source, _is_meta) if source.listing else ():
        names[name.rpartition("/")[0]] = str(at(json_in(part), "name") or "")
    for name, part in files_in(source, _is_task):
        model, revision = _place(name)
        model = names.get(name.rpartition("/")[0]) or model
        rows += [[model, revision, *cells] for cells in _scores(name, json_in(part))]
    if not rows:
        raise DataError(f"{source.name} holds no scores.", hint="was the evaluation finished?")
    known: dict[str, set[str]] = {}
    for model, revision, *_ in rows:
        known.setdefault(model, set()).add(revision)
    cells = [[model if len(known[model]) < 2 else f"{model} ({revision[:7]})", *rest]
             for model, revision, *rest in rows]  # fmt: skip
    columns = ["model", "task", "subset", "main_score"]
    states: dict[str, Any] = {"layout": "long", "candidate": "model", "judge": "task"}
    states |= {"score": "main_score", "repeat": "subset", "combine": "mean", "better": "higher"}
    states["noun"] = {"candidate": "model", "judge": "task", "repeat": "subset"}
    return stream(source, columns, cells, states=states)


@read_mteb.recognises
def _is_mteb(source: Source) -> str:
    if source.keys >= NEEDED:
        return "it has task_name, scores and mteb_version"
    for name in filter(_is_task, source.listing or ()):
        with source.open(name) as part:
            return f"it holds {name}" if part.keys >= NEEDED else ""
    return ""


def _is_meta(name: str) -> bool:
    return name.rpartition("/")[2] == META


def _is_task(name: str) -> bool:
    return name.endswith((".json", ".json.gz")) and not _is_meta(name)


def _place(name: str) -> tuple[str, str]:
    """Return model and revision by the folders; slashes of a model are written as two dashes."""
    *_, model, revision = ("", "", *name.split("/")[:-1])
    if not model:
        model, revision = revision, ""
    return model.replace("__", "/", 1) or name, revision


def _scores(name: str, found: Any) -> Iterator[list[Any]]:
    task, splits = at(found, "task_name"), at(found, "scores")
    if not isinstance(task, str) or not isinstance(splits, dict):
        fact = f"{name} is no result of a task."
        raise DataError(fact, hint="MTEB writes task_name and scores since version 1.12.")
    for split in splits:
        for each in many(splits, split):
            score, subset = number_of(at(each, "main_score")), at(each, "hf_subset")
            if score is None:
                fact = f"{name}: {quoted(str(subset))} of {quoted(split)} has no main_score."
                raise DataError(fact, hint="run the task again.")
            yield [task, f"{split} {subset}", score]
