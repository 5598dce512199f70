"""The best known quality of an instance, and other columns that say one thing of an instance."""

import io

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError
from deadheat.data.reading.read import read

TWO = {"candidate": ["a", "b"], "instance": ["i", "i"], "quality": [10, 20]}
FOUR = {
    "candidate": ["a", "b", "a", "b"],
    "instance": ["i", "i", "j", "j"],
    "quality": [10, 20, 0, 4],
}


@pytest.mark.parametrize("name", ["reference", "weight"])
@pytest.mark.parametrize(
    ("values", "words"),
    [([10, 5], "10 and 5"), ([3, np.nan], "3 and none"), ([np.nan, 3], "none and 3")],
)
def test_an_instance_has_one_value_whatever_the_order(name, values, words):
    with pytest.raises(DataError, match=f"instance 'i' has two values of {name}: {words}") as c:
        read(dh.Runs(**TWO, **{name: values}), rule="ipc-sat")
    assert "the same in all of its runs" in c.value.hint


def test_two_values_in_a_file_are_refused_too():
    content = "solver,instance,cost,best\na,i,10,10\nb,i,20,5\n"
    with pytest.raises(DataError, match="instance 'i' has two values of reference: 10 and 5"):
        read(io.StringIO(content), rule="ipc-sat", reference="best")


@pytest.mark.parametrize("bad", [-1, np.inf])
def test_a_reference_is_a_finite_cost_of_at_least_0(bad, tmp_path):
    words = f"the reference of instance 'i' is {bad:g}"
    with pytest.raises(DataError, match=words):
        read(dh.Runs(**TWO, reference=bad), rule="ipc-sat")
    with pytest.raises(DataError, match=words) as caught:
        read(dh.Runs(**TWO), rule="ipc-sat", reference={"i": bad})
    assert "at least 0" in caught.value.hint
    path = tmp_path / "best.csv"
    path.write_text("instance,cost\ni,-1\n", encoding="utf-8")
    with pytest.raises(DataError, match="the reference of instance 'i' is -1"):
        read(dh.Runs(**TWO), rule="ipc-sat", reference=path)


def test_a_reference_file_names_an_instance_once(tmp_path):
    path = tmp_path / "best.csv"
    path.write_text("instance,cost\ni,5\ni,7\n", encoding="utf-8")
    with pytest.raises(DataError, match="instance 'i' has two values of reference: 5 and 7"):
        read(dh.Runs(**TWO), rule="ipc-sat", reference=path)
    path.write_text("instance,cost\ni,5\ni,5\n", encoding="utf-8")
    found = read(dh.Runs(**TWO), rule="ipc-sat", reference=path)
    assert found.scores.tolist() == [[0.5], [0.25]]


def test_a_reference_that_is_no_number_is_refused():
    with pytest.raises(DataError, match="the reference of instance 'i' is 'five'"):
        read(dh.Runs(**TWO), rule="ipc-sat", reference={"i": "five"})


@pytest.mark.parametrize("reference", [{"i": 5, "j": 0}, {"i": 5}])
def test_a_best_cost_of_0_scores_1_and_everything_else_0(reference):
    found = read(dh.Runs(**FOUR), rule="ipc-sat", reference=reference)
    assert found.scores.tolist() == [[0.5, 1], [0.25, 0]]


def test_a_reference_of_0_that_nobody_reaches_scores_0():
    assert read(dh.Runs(**TWO), rule="ipc-sat", reference={"i": 0}).scores.tolist() == [[0], [0]]
