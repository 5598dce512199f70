"""Keywords that nobody knows are told with the function that was called."""

from __future__ import annotations

import pytest

import deadheat as dh
from deadheat.data.reading.read import read, require_known

CASES = [
    (lambda t: dh.consensus(t, weak=True), "consensus()", 'output="weak" lets candidates tie'),
    (lambda t: dh.consensus(t, distanse="kendall"), "consensus()", "did you mean distance=?"),
    (lambda t: dh.consensus(t, bettr="higher"), "consensus()", "did you mean better=?"),
    (lambda t: dh.agreement(t, correlation="kendall"), "agreement()", '.matrix("kendall")'),
    (lambda t: dh.agreement(t, xyz=1), "agreement()", "it takes by, threshold, seed, and all of"),
    (lambda t: dh.rank(t, bettr="higher"), "rank()", "did you mean better=?"),
    (lambda t: dh.score(t, rul="solved"), "score()", "did you mean rule=?"),
    (lambda t: dh.check(t, bettr="higher"), "check()", "did you mean better=?"),
    (lambda t: dh.verdict(t, replicate=9), "verdict()", "did you mean replicates=?"),
    (lambda t: dh.compare(t, "1", "2", alfa=0.1), "compare()", "did you mean alpha=?"),
    (lambda t: dh.influence(t, bettr="higher"), "influence()", "did you mean better=?"),
    (lambda t: dh.criteria(t, trails=9), "criteria()", "did you mean trials=?"),
    (lambda t: dh.report(t, titel="x"), "report()", "did you mean title=?"),
    (lambda t: dh.axioms("mean", tabel=t), "axioms()", "did you mean table=?"),
]


@pytest.mark.parametrize(("call", "function", "hint"), CASES)
def test_an_unknown_keyword_names_the_function_and_a_near_word(call, function, hint):
    table = dh.Results(scores=[[1, 2], [2, 1]], better="higher")
    with pytest.raises(TypeError) as caught:
        call(table)
    assert isinstance(caught.value, dh.UsageError)
    assert caught.value.fact.startswith(f"{function} got an unexpected keyword argument ")
    assert hint in caught.value.hint


def test_what_read_takes_is_known():
    import inspect

    options = dict.fromkeys(set(inspect.signature(read).parameters) - {"source", "engine"})
    require_known(dh.consensus, options)
    with pytest.raises(TypeError):
        require_known(dh.consensus, {"source": 1})
