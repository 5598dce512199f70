"""Warnings about directions that look wrong."""

import numpy as np
import pytest

from deadheat.data.reading.column_names import usual_direction
from deadheat.data.reading.directions import direction_warnings
from deadheat.data.reading.read import read
from deadheat.data.results import Results


@pytest.mark.parametrize(
    "name",
    ["error", "test_error", "Loss", "logLoss", "run time", "cpu_time", "RMSE", "mean rank", "PAR10",
     "par2", "log-loss", "latency (ms)", "errorRate"],
)  # fmt: skip
def test_names_of_costs_suggest_lower(name):
    assert usual_direction(name) == "lower"


@pytest.mark.parametrize(
    "name", ["accuracy", "test_acc", "ROC-AUC", "F1", "r2", "solved", "Recall"]
)
def test_names_of_merits_suggest_higher(name):
    assert usual_direction(name) == "higher"


@pytest.mark.parametrize(
    "name", ["iris", "neg_mean_squared_error", "time series", "timeline", "accuracy vs time", ""]
)
def test_other_names_suggest_nothing(name):
    assert usual_direction(name) is None


def test_a_wrong_looking_judge_is_named():
    table = Results(scores=np.eye(2), judges=["error", "accuracy"], better="higher")
    (warning,) = direction_warnings(table)
    assert "'error'" in warning
    assert "better=" in warning
    other = Results(scores=np.eye(2), judges=["error", "accuracy"], better="lower")
    assert "'accuracy'" in direction_warnings(other)[0]
    right = {"error": "lower", "accuracy": "higher"}
    assert not direction_warnings(
        Results(scores=np.eye(2), judges=["error", "accuracy"], better=right)
    )


def test_at_most_three_judges_are_named():
    names = [f"error {k}" for k in range(5)]
    table = Results(scores=np.ones((2, 5)), judges=names, better="higher")
    assert "and 2 more" in direction_warnings(table)[0]


def test_one_of_many_names_is_chance():
    names = ["cooking-time", *(f"d{k}" for k in range(99))]
    assert not direction_warnings(Results(scores=np.ones((2, 100)), judges=names, better="higher"))


def test_the_score_column_of_a_long_table_counts_too(table):
    path = table("model,dataset,loss\na,x,1\nb,x,2\n")
    assert any("'loss'" in note for note in read(path, better="higher").notes)
    assert not read(path, better="lower").notes
