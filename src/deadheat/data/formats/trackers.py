"""Runs that trackers of experiments export: MLflow and Weights & Biases."""

from __future__ import annotations

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import stating
from deadheat.data.reading.source import Stream

NAME = "tags.mlflow.runName"
METRIC = "metrics."
OF_PAGE = ("Start Time", "Duration", "Run ID", "Source Type", "Source Name", "User", "Status")
OF_WANDB = ("State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep")
NOUNS = {"candidate": "run", "judge": "metric"}


@reads_dialect(
    "mlflow",
    "runs of MLflow",
    known_by="columns run_id, experiment_id and metrics.NAME, or Run ID, Source Type and Status",
)
def mlflow(stream: Stream) -> Stream | None:
    """Take each metric as a judge; parameters, tags and times are left out.

    What the user interface exports has no prefixes: numbers among the parameters stay in sight.
    """
    columns = stream.columns
    if {"run_id", "experiment_id"} <= {*columns}:
        metrics = [name for name in columns if name.startswith(METRIC)]
        name = NAME if NAME in columns else "run_id"
        others = [each for each in columns if each not in {name, *metrics}]
        if not metrics:
            return None
    elif {"Run ID", "Name", "Source Type", "User", "Status"} <= {*columns}:
        name, others = "Name", [each for each in OF_PAGE if each in columns]
    else:
        return None
    return stating(stream, layout="wide", candidate=name, ignore=tuple(others), noun=NOUNS)


@reads_dialect(
    "wandb",
    "runs of Weights & Biases",
    known_by="columns Name, State, Created, Runtime and Sweep",
)
def wandb(stream: Stream) -> Stream | None:
    """Leave out what describes a run; configuration and summary stand together in such a file."""
    if not {*stream.columns} >= {"Name", "State", "Created", "Runtime", "Sweep"}:
        return None
    others = tuple(name for name in stream.columns if name in OF_WANDB)
    return stating(stream, layout="wide", candidate="Name", ignore=others, noun=NOUNS)
