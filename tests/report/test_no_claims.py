"""Where no test is known to hold, no word anywhere says that one does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import functions
from deadheat.report.contents import Contents
from deadheat.report.methods import methods
from deadheat.report.sections.ranking import ranking
from deadheat.report.sections.resampling import answer, stricter
from deadheat.statistics.error_rates import COPELAND_TOLD_APART, LONG_TAIL_LEFT_OUT

CLAIMS = re.compile(
    r"family-wise|at (?:the )?level|at 5 %|shown better|clear winner|confidence set"
)
HOLDS = ("median",)  # no mean over the judges, and yet at most .06 in docs/validity.md
UNCONTROLLED = [f.name for f in functions() if not f.additive and f.name not in HOLDS]


def scores(m, gaps=(9, 3, 1, 0, 0)):
    rng = np.random.default_rng(1)
    return dh.Results(
        scores=rng.normal(10 + np.array(gaps)[:, None], 1.0, (len(gaps), m)),
        candidates=list("abcde"[: len(gaps)]),
        better="higher",
    )


def told(v):
    """Return everything that a verdict says, on a terminal, in a file and on a page."""
    found = Contents(title="x", table=v.evidence.results, verdict=v)
    sections = [section(found) for section in (answer, ranking, stricter)]
    notes = v.grid().notes
    return "\n".join(
        [str(v), v.verdict, v.guarantee, *v.warnings, *notes, v.to_json(), methods(v).text()]
        + [line for each in sections if each for line in (each.sentence, *each.notes)]
    )


def claims(text):
    """Return the words that claim, but for those that take back: no confidence sets."""
    return CLAIMS.findall(text.replace("no confidence sets", ""))


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("by", UNCONTROLLED)
def test_functions_without_a_test_that_holds_claim_nothing(by, strict):
    v = dh.verdict(scores(40), by=by, strict=strict, replicates=99)
    assert len(v.groups) > 1
    assert claims(told(v)) == []
    assert f"{by.replace('_', ' ')} is not a mean over the judges" in v.guarantee
    assert not json.loads(v.to_json())["facts"]["shows"]


@pytest.mark.parametrize("by", ["mean", "median", "average_rank", "copeland"])
@pytest.mark.parametrize("options", [{"strict": True}, {}, {"official": list("edcba")}])
def test_nine_judges_claim_nothing_and_the_sentence_says_why(by, options):
    v = dh.verdict(scores(9), by=by, replicates=99, **options)
    assert claims(told(v)) == []
    assert v.guarantee.startswith("There are no groups: 9 judges are too few")


@pytest.mark.parametrize("test", ["sign-flip", "t-holm", "wilcoxon-holm", "nemenyi"])
def test_nine_judges_claim_nothing_by_any_test(test):
    v = dh.verdict(scores(9), by="mean", strict=True, test=test, replicates=99)
    assert claims(told(v)) == []


def test_nine_clusters_claim_nothing():
    given = scores(36)
    results = dh.Results(
        scores=given.scores,
        candidates=given.candidates,
        better="higher",
        clusters=np.repeat([f"c{k}" for k in range(9)], 4),
    )
    v = dh.verdict(results, by="mean", strict=True, replicates=99)
    assert claims(told(v)) == []
    assert "9 clusters are too few" in v.guarantee


@pytest.mark.parametrize(("strata", "claimed"), [(3, True), (6, False), (11, False)])
def test_one_judge_of_every_stratum_tells_nothing(strata, claimed):
    """12 judges: in 3 strata 9 tell how far scores vary, in 6 strata 6, in 11 only 1."""
    given = scores(12)
    labels = [f"h{k % strata}" for k in range(12)]
    results = dh.Results(
        scores=given.scores, candidates=given.candidates, better="higher", strata=labels
    )
    v = dh.verdict(results, by="mean", strict=True, replicates=99)
    assert bool(claims(told(v))) == claimed
    few = f"12 judges in {strata} strata are too few, at least {9 + strata} are"
    assert (few in v.guarantee) != claimed
    assert (v.best is None) != claimed


@pytest.mark.parametrize("options", [{"by": "mean"}, {"by": "average_rank"}, {"by": "median"}])
def test_functions_with_a_test_that_holds_claim_what_it_shows(options):
    text = told(dh.verdict(scores(40), strict=True, replicates=99, **options))
    assert {"family-wise", "shown better", "confidence set"} <= set(claims(text))
    assert "16 %" not in text


@pytest.mark.parametrize(
    ("m", "options"), [(40, {"by": "copeland"}), (9, {"by": "mean"})], ids=["copeland", "9 judges"]
)
def test_the_whole_page_claims_nothing(m, options):
    page = dh.report(scores(m, (3, 3, 0)), strict=True, replicates=99, **options)
    html = re.sub(r"<(script|style).*?</\1>", "", page.html(), flags=re.DOTALL)
    parts = re.findall(r"<section id=\"(\w[\w-]*)\".*?</section>", html, flags=re.DOTALL)
    assert {"answer", "ranking", "made", *(["stricter"] if m == 40 else [])} <= {*parts}
    of_ratings = r"<section id=\"ratings\".*?</section>"  # they have a model of their own
    text = re.sub(of_ratings, "", html, flags=re.DOTALL)
    assert claims(re.sub(r"\s+", " ", text)) == []


def test_the_page_of_verdicts_quotes_what_was_measured():
    page = (Path(__file__).parents[2] / "docs/verdict.md").read_text(encoding="utf-8")
    text = re.sub(r"\s+", " ", page)
    few, many = (f"{100 * COPELAND_TOLD_APART[m]:.0f} %" for m in (20, 1_000))
    assert f"apart in {few} of competitions with 20 judges, and still in {many} with 1,000" in text
    held = [f"{100 * (1 - LONG_TAIL_LEFT_OUT[m]):.0f} %" for m in (20, 50)]
    assert f"({held[0]} with 20 judges, {held[1]} with 50;" in text
