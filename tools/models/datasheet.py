"""The passages of the datasheet of `models` that follow from its file and from the code."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median

from datasheet import table
from models.settings import ALGORITHMS, settings
from models.tasks import TASKS, load

Row = Mapping[str, str]


def passages(path: Path) -> dict[str, str]:
    """Return the passages by name, from the finished file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {"numbers": numbers(rows), "tasks": tasks(rows), "settings": chosen()}


def numbers(rows: list[dict[str, str]]) -> str:
    """Return how many there are of everything, and how long it took."""
    failed = sum(not row["auc"] for row in rows)
    seconds = sum(float(row["fit_time"] or 0) for row in rows)
    count = {column: len({row[column] for row in rows}) for column in rows[0]}
    return (
        f"{len(rows):,} rows: {count['setting']} settings of {count['algorithm']} algorithms on "
        f"{count['task']} tasks from {count['cluster']} data sets, {count['split']} splits each. "
        f"Failed fits: {failed:,}. CPU time of all fits: {seconds / 60:.1f} minutes."
    )


def tasks(rows: Iterable[Row]) -> str:
    """Return a table of the tasks with the AUC of the settings, each the mean of its splits."""
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["auc"]:
            scores[row["task"]][row["setting"]].append(float(row["auc"]))
    lines = []
    for task in TASKS:
        data = load(task)
        means = sorted(sum(found) / len(found) for found in scores[task.name].values())
        lines.append(
            [
                *(task.name, task.family, task.source, f"{task.target} = {task.positive}"),
                *(*data.features.shape, f"{100 * data.positive.mean():.0f}"),
                *(f"{value:.3f}" for value in (means[0], median(means), means[-1])),
            ]
        )
    source = "source (package, data set)"
    about = ("task", "cluster", source, "positive", "rows", "columns", "positive %")
    return table((*about, "worst AUC", "median", "best"), lines)


def chosen() -> str:
    """Return a table of the settings."""
    lines = [
        [f"{name}-{number}", ", ".join(f"{k}={v}" for k, v in setting.items()) or "defaults"]
        for name in ALGORITHMS
        for number, setting in enumerate(settings(name))
    ]
    return table(("candidate", "what differs from the defaults of scikit-learn"), lines)
