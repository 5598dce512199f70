"""MTEB: a folder of results, model/revision/Task.json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deadheat.core.errors import DataError, named, quoted
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import (
    at,
    files_in,
    holding,
    is_json,
    json_in,
    many,
    number_of,
    stream,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

NEEDED = {"task_name", "scores", "mteb_version"}
OLD = {"mteb_dataset_name", "mteb_version"}  # before version 1.11
META, EXPERIMENTS = "model_meta.json", "experiments"
MAIN = "main_score", "cos_sim spearman", "cos_sim ap", "ndcg_at_10", "v_measure", "map", "f1"
MEASURED = {"cos_sim", "dot", "euclidean", "manhattan", "max", "v_measures"}  # no subsets


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
        model, revision, experiment = _place(name)
        model = names.get(name.rpartition("/")[0]) or model
        model = f"{model} ({experiment})" if experiment else model
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
    for needed in (NEEDED, OLD):
        if source.keys >= needed:
            return f"it has {named(sorted(needed))}"
    return holding(source, _is_task, _is_mteb)


def _is_meta(name: str) -> bool:
    return name.rpartition("/")[2] == META


def _is_task(name: str) -> bool:
    return is_json(name) and not _is_meta(name)


def _place(name: str) -> tuple[str, str, str]:
    """Return model, revision and experiment by the folders; a slash is written as two dashes."""
    *folders, _ = name.split("/")
    experiment = folders.pop() if EXPERIMENTS in folders[-2:-1] else ""
    folders = folders[:-1] if experiment else folders
    *_, model, revision = ("", "", *folders)
    if not model:
        model, revision = revision, ""
    return model.replace("__", "/", 1) or name, revision, experiment


def _scores(name: str, found: Any) -> Iterator[list[Any]]:
    task, splits = at(found, "task_name"), at(found, "scores")
    if splits is None and at(found, "mteb_dataset_name") is not None:
        task, splits = at(found, "mteb_dataset_name"), _splits_of_old(found)
    if not isinstance(task, str) or not isinstance(splits, dict):
        fact = f"{name} is no result of a task."
        raise DataError(fact, hint="keep only what MTEB wrote in the folder.")
    for split in splits:
        for each in many(splits, split):
            score, subset = number_of(at(each, "main_score")), at(each, "hf_subset")
            if score is None:
                fact = f"{name}: {quoted(str(subset))} of {quoted(split)} has no main_score."
                raise DataError(fact, hint="run the task again.")
            yield [task, f"{split} {subset}", score]


def _splits_of_old(found: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return what versions before 1.11 wrote as later ones do: lists of subsets for each split."""
    splits: dict[str, list[dict[str, Any]]] = {}
    for split, scores in found.items():
        if isinstance(scores, dict):
            subsets = {k: v for k, v in scores.items() if isinstance(v, dict) and k not in MEASURED}
            splits[split] = [
                {"hf_subset": subset, "main_score": _main(each)}
                for subset, each in (subsets or {"default": scores}).items()
            ]
    return splits


def _main(scores: dict[str, Any]) -> float | None:
    """Return the score that the board of that time took, by the kind of the task."""
    return next(
        (x for keys in MAIN if (x := number_of(at(scores, *keys.split()))) is not None), None
    )
