"""Tables that programs hold: dicts, lists of dicts, arrays of NumPy and of xarray."""

import contextlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import DataError, DeadheatError, UsageError

SCORES = [[0.9, 0.7], [0.8, 0.6]]
COLUMNS = {"model": ["svm", "rf"], "iris": [0.9, 0.8], "wine": np.array([0.7, 0.6])}
ROWS = [{"model": "svm", "iris": 0.9, "wine": 0.7}, {"model": "rf", "iris": 0.8, "wine": 0.6}]
LONG = [
    {"model": row["model"], "task": task, "score": row[task]}
    for row in ROWS
    for task in ("iris", "wine")
]
BY_NAME = {"svm": {"iris": 0.9, "wine": 0.7}, "rf": {"iris": 0.8, "wine": 0.6}}


@dataclass
class DataArray:
    """An array as xarray has it."""

    values: Any
    dims: tuple[str, ...]
    coords: dict[str, Any] = field(default_factory=dict)
    name: str | None = None

    def to_dataset(self):
        raise NotImplementedError


class Coordinate:
    def __init__(self, *labels):
        self.values = np.array(labels)


@pytest.mark.parametrize(
    "held", [COLUMNS, ROWS, LONG, tuple(ROWS)], ids=["columns", "rows", "long", "tuple"]
)
def test_names_come_from_keys(held):
    table = dh.read(held, better="higher")
    assert (table.candidates, table.judges) == (("svm", "rf"), ("iris", "wine"))
    np.testing.assert_array_equal(table.scores, SCORES)
    assert dh.verdict(held, better="higher", replicates=20).rows()[0]["candidate"] == "svm"
    assert dict(table.reading)["format"] in {"Python dict", "Python list", "Python tuple"}


def test_a_dict_of_dicts_asks_which_side_candidates_are():
    with pytest.raises(UsageError, match=r"in the rows .* or in the columns"):
        dh.read(BY_NAME, better="higher")
    table = dh.read(BY_NAME, better="higher", candidates="rows")
    assert table.candidates == ("svm", "rf")
    assert dh.read(BY_NAME, better="higher", candidates="columns").candidates == ("iris", "wine")


def test_an_array_has_no_names():
    table = dh.read(np.array(SCORES), better="higher", candidates="rows")
    assert (table.candidates, table.scores.tolist()) == (("candidate_1", "candidate_2"), SCORES)
    kinds = [("model", "U5"), ("iris", "f8"), ("wine", "f8")]
    named = np.array([("svm", 0.9, 0.7), ("rf", 0.8, 0.6)], dtype=kinds)
    assert dh.read(named, better="higher").candidates == ("svm", "rf")
    with pytest.raises(UsageError, match="the array has 3 dimensions"):
        dh.read(np.zeros((2, 2, 2)), better="higher")


def test_arrays_of_runs_and_tasks_are_averaged_over_runs():
    held = {"dqn": np.array([[1.0, 3.0], [3.0, 5.0]]), "c51": np.array([[0.0, 1.0], [2.0, 3.0]])}
    table = dh.read(held, better="higher")
    assert (table.candidates, table.judges) == (("dqn", "c51"), ("task 1", "task 2"))
    assert table.scores.tolist() == [[2, 4], [1, 2]]


def test_dimensions_of_xarray_name_candidates_and_judges():
    coords = {"model": Coordinate("svm", "rf"), "task": Coordinate("iris", "wine")}
    held = DataArray(np.array(SCORES), ("model", "task"), coords)
    table = dh.read(held, better="higher")
    assert (table.candidates, table.judges) == (("svm", "rf"), ("iris", "wine"))
    turned = DataArray(np.array(SCORES).T, ("task", "model"), coords)
    assert dh.read(turned, better="higher").candidates == ("svm", "rf")
    cube = DataArray(np.stack([SCORES, SCORES]), ("seed", "model", "task"), coords, "accuracy")
    table = dh.read(cube, better="higher", combine="mean")
    assert (table.n, table.m, table.scores.tolist()) == (2, 2, SCORES)
    with pytest.raises(UsageError, match="1 dimension"):
        dh.read(DataArray(np.zeros(2), ("model",)), better="higher")


def test_variables_of_a_dataset_are_judges():
    xr = pytest.importorskip("xarray")
    coords = {"model": ["svm", "rf"]}
    held = xr.Dataset({"iris": ("model", [0.9, 0.8]), "wine": ("model", [0.7, 0.6])}, coords)
    table = dh.read(held, better="higher")
    assert (table.candidates, table.judges) == (("svm", "rf"), ("iris", "wine"))
    assert table.nouns.candidate == "model"
    np.testing.assert_array_equal(table.scores, SCORES)


def test_a_cv_results_of_scikit_learn_is_known_as_a_dict():
    held = {
        "mean_fit_time": np.array([0.1, 0.2]),
        "param_C": np.ma.array([0.1, 10.0], mask=[False, False], dtype=object),
        "params": [{"C": 0.1}, {"C": 10.0}],
        "split0_test_score": np.array([0.8, 0.9]),
        "split1_test_score": np.array([0.7, 0.9]),
        "mean_test_score": np.array([0.75, 0.9]),
    }
    table = dh.read(held)
    assert table.candidates == ("{'C': 0.1}", "{'C': 10.0}")
    assert (table.m, table.better) == (2, ("higher", "higher"))
    several = dh.read(held | {"split0_test_f1": np.array([0.5, 0.6])})
    assert several.strata == ("score", "score", "f1")


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({}, "is empty"),
        ({"a": 1, "b": 2}, "is not a table: 'a' has '1', no cells"),
        ({"a": [1, 2], "b": [1]}, "'b' has 1 cell and 'a' has 2"),
        ([], "empty|not a table|no table"),
    ],
)
def test_what_is_no_table_is_refused(held, said):
    with pytest.raises((UsageError, DataError), match=said):
        dh.read(held, better="higher")


cells = st.none() | st.text(max_size=3) | st.floats() | st.integers(-9, 9)
keys = st.text(max_size=3) | st.integers(0, 3)


@settings(deadline=None, max_examples=200)
@given(
    st.dictionaries(keys, st.lists(cells, max_size=4) | cells, max_size=4)
    | st.lists(st.dictionaries(keys, cells, max_size=4), max_size=4)
    | st.dictionaries(keys, st.dictionaries(keys, cells, max_size=3), max_size=3)
)
def test_any_dict_or_list_gives_a_table_or_a_clear_error(held):
    with contextlib.suppress(DeadheatError):
        dh.read(held, better="higher", candidates="rows")
