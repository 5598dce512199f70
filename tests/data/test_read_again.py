"""A table that was read already, read again; and reading that leaves the holes."""

import numpy as np
import pytest

from deadheat.check.api import check
from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.data.reading.read import read, read_with_holes
from deadheat.data.results import Results

NAN = float("nan")
HOLEY = [[1.0, NAN], [3.0, 4.0]]


def holey(**fields):
    return Results(scores=HOLEY, better="higher", **fields)


def test_a_policy_and_a_tolerance_may_be_said_about_a_table_that_is_read_already():
    results = read(holey(), missing="worst", tie_tol=0.5)
    assert results.scores.tolist() == [[1, 4], [3, 4]]
    assert (results.missing, results.tie_tol) == ("worst", 0.5)
    assert read(Results(scores=np.eye(2), better="higher"), missing="worst").missing == "worst"
    with pytest.raises(UnknownNameError, match="missing policy"):
        read(holey(), missing="wurst")
    for wrong in (-1, "x", None):
        if wrong is not None:
            with pytest.raises(UsageError, match="tie tolerance"):
                read(holey(), tie_tol=wrong)


@pytest.mark.parametrize("option", ["better", "layout", "score", "ignore", "sidecar"])
def test_other_options_are_still_refused(option):
    with pytest.raises(UsageError, match=f"{option}= says how to read"):
        read(holey(), **{option: "wide" if option == "layout" else "x"}, missing="worst")


@pytest.mark.parametrize(
    "policy", ["worst", "last-rank", "impute-median", "drop-judges", "drop-candidates"]
)
def test_a_table_that_carries_a_policy_is_resolved_on_the_way(policy):
    results = read(holey(missing=policy))
    assert not results.has_holes
    assert len(results.notes) == 1
    assert read(results) is results


def test_reading_twice_says_it_once():
    once = read(holey(missing="available"))
    assert len(once.notes) == 1
    assert read(once) is once
    plain = holey()
    assert read(plain) is plain


@pytest.mark.parametrize("policy", ["worst", "available", "drop-judges"])
def test_what_is_understood_keeps_its_holes_and_marks_the_policy(table, policy):
    path = table("model,iris,adult\nsvm,1,\nrf,3,4\n")
    results = read_with_holes(path, better="higher", missing=policy)
    assert (results.has_holes, results.missing, results.notes) == (True, policy, ())
    assert read_with_holes(holey(), missing=policy).missing == policy
    whole, again = read(path, better="higher", missing=policy), read(results)
    np.testing.assert_array_equal(whole.scores, again.scores)
    assert whole.notes == again.notes


def test_check_takes_the_options_of_read_and_no_others(table):
    path = table("model,iris,extra\nsvm,1,x\nrf,3,y\n")
    assert read_with_holes(path, better="lower", ignore="extra", where=["model=rf"]).n == 1
    for wrong in ("colour", "weights", "source"):
        with pytest.raises(TypeError, match=wrong):
            check(path, better="lower", **{wrong: "red"})


def test_the_reader_hands_its_own_array_over_without_a_copy(table, monkeypatch):
    handed = []

    class Spied(Results):
        def __post_init__(self):
            handed.append(self.scores)
            super().__post_init__()

    monkeypatch.setattr("deadheat.data.reading.judges.Results", Spied)
    results = read(table("model,a,b\nx,1,2\ny,3,4\n"), better="higher")
    assert np.shares_memory(handed[0], results.scores)
    assert not results.scores.flags.writeable
