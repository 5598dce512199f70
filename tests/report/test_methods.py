"""The methods paragraph: each sentence where it was done, and only there."""

from __future__ import annotations

import re

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.options import TESTS
from deadheat.criteria.result import has_map
from deadheat.report.methods import _WORKS, WORKS, Methods, Sentence, methods
from samples import samples, scores


def said(table=None, **options):
    v = dh.verdict(
        scores() if table is None else table, **({"by": "mean", "replicates": 99} | options)
    )
    return methods(v).text()


def test_the_plain_verdict_is_told_with_all_that_it_takes():
    text = said(seed=7, alpha=0.1)
    assert text.startswith("The table has 4 candidates and 24 judges. ")
    assert "ranked by mean." in text
    assert "99 resamples: 24 judges, drawn with replacement, seed 7 (Efron, 1979)." in text
    assert "90 % percentile intervals" in text
    assert "level 0.1, correction holm" in text
    assert "(Fawcett et al., 2023; Holm, 1979)" in text
    assert "(k+1)/(B+1)" in text
    assert f"deadheat {dh.__version__}" in text
    assert "significan" not in text
    for absent in ("official", "missing", "stratum", "all pairs", "rule", "Kendall", "Ratings"):
        assert absent not in text


@pytest.mark.parametrize(
    ("options", "there", "absent"),
    [
        ({"plan": "bayesian"}, "(Rubin, 1981)", "Efron"),
        ({"plan": "subsample"}, "(Politis and Romano, 1994)", "Rubin"),
        ({"plan": "jackknife"}, "(Efron and Stein, 1981)", "seed"),
        ({"interval": "bca"}, "bca intervals (Efron, 1987)", "percentile"),
        ({"p_value": "paper"}, "A p-value is k/B", "k+1"),
        ({"leader": "best-score"}, "that has the best merit", "most often first"),
        ({"correction": "bonferroni"}, "correction bonferroni", "Holm"),
        ({"official": ["bob", "ada", "cyd", "dan"]}, "The official order", "rule"),
        (
            {"strict": True},
            "tests of all pairs at once by the stepwise max-T test, at the family-wise level 0.05 ",
            "Tie groups: ",
        ),
        ({"strict": True}, "confidence sets from the same tests (Mogstad et al., 2024)", "BibTeX"),
        ({}, "comparisons with the best, by the studentized bootstrap, and", "sign-flips"),
        ({}, "from the first group (Hsu, 1984)", "BibTeX"),
        ({"strict": True}, "For comparison, groups were also made so: the candidate", "Kendall"),
        ({"strict": True, "by": "copeland"}, "one error over all resamples", "Hsu"),
        ({"strict": True, "test": "nemenyi"}, "(Nemenyi, 1963)", "max-T"),
        ({"strict": True, "test": "wilcoxon-holm"}, "(Wilcoxon, 1945; Holm, 1979)", "max-T"),
    ],
)
def test_each_choice_is_told(options, there, absent):
    text = said(**options)
    assert there in text
    assert absent not in text


@pytest.mark.parametrize(
    ("options", "sound"),
    [
        ({}, True),
        ({"test": "t-holm"}, True),
        ({"test": "sign-flip"}, True),
        ({"test": "nemenyi"}, False),
        ({"test": "wilcoxon-holm"}, False),
        ({"by": "copeland"}, False),
        ({"by": "median"}, True),
        ({"by": "schulze"}, False),
    ],
)
def test_ranges_of_ranks_are_confidence_sets_only_of_tests_that_hold(options, sound):
    text = said(strict=True, **options)
    assert ("simultaneous confidence sets" in text) == sound
    assert ("Mogstad" in text) == sound
    means = options.get("by") != "median"
    assert ("Hsu" in text) == (sound and means)  # else the set is not told either


@pytest.mark.parametrize("test", TESTS)
def test_every_test_of_all_pairs_has_its_words(test):
    assert "two-sided tests of all pairs at once" in said(strict=True, test=test)


def test_strata_rules_and_policies_are_told():
    assert "in 2 strata" in said(scores(strata=["x", "y"] * 12))
    gaps = np.where(np.arange(24) == [[3], [-1], [-1], [-1]], np.nan, scores().scores)
    holes = dh.Results(scores=gaps, candidates=scores().candidates, better="higher")
    assert "The policy on missing scores was worst." in said(holes, missing="worst")


def test_what_else_was_done_is_told_and_nothing_more():
    found = samples()
    every = methods(
        found["verdict"],
        influence=found["influence"],
        criteria=found["criteria"],
        agreement=found["agree"],
        ratings=found["rate"],
    ).text()
    assert "The table has 10 compressors and 16 files. The compressors were ranked by" in every
    assert "Each of 16 files was left out in turn" in every
    assert "on 20 resampled tables by empirical criteria (Pavao et al., 2021)" in every
    assert "Kendall's W" in every
    assert "EPP, the Bradley-Terry model of rounds (Gosiewska et al., 2019; Bradley" in every
    alone = methods(ratings=found["rate by elo"]).text()
    assert alone.startswith("Ratings come from Elo's method (Elo, 1978).")
    assert "ranked by" not in alone


def test_tests_of_all_pairs_are_told_where_they_were_made(monkeypatch):
    told = "All pairs were also tested at once, two-sided, by the stepwise max-T test, at the"
    assert f"{told} family-wise level 0.05 (Romano and Wolf, 2005)." in said()
    monkeypatch.setattr("deadheat.statistics.strict_groups.ASIDE", 1)  # too dear to be made unasked
    assert "also tested" not in said()
    assert "Romano" not in said()


def test_a_page_tells_all_that_it_used_and_no_more():
    page = dh.report(scores(), by="mean", replicates=99)
    told, found = page.contents.methods.text(), page.contents
    assert "max-T" in told
    assert "Each candidate was left out in turn" in told
    assert "multidimensional scaling" in told
    assert "principal components" in told
    assert f"asked of {len(found.verdict.first_by)} other ranking functions" in told
    assert "performance profiles" not in told
    few = dh.report(scores().of_judges(np.arange(24) < 2), by="mean", replicates=99)
    assert ("Kendall" in few.contents.methods.text()) == (few.contents.agreement is not None)
    ratings = methods(ratings=samples()["rate of a log"]).text()
    assert "Groups of ratings: the candidate that is most often first in the resamples" in ratings
    assert "max-T" not in ratings


def test_a_leader_by_plurality_need_not_be_first_in_most():
    assert "the candidate that is most often first in the resamples was tested" in said()
    assert "in most resamples" not in said()


@pytest.mark.parametrize(("by", "mapped"), [(["mean", "median"], True), (["mean"], False)])
def test_a_map_is_told_where_functions_can_be_put_on_it(by, mapped):
    tied = dh.Results(scores=np.ones((3, 10)), better="higher")
    for table, there in ((scores(), mapped), (tied, False)):
        found = dh.criteria(table, by=by, trials=5)
        assert has_map(found) == there
        assert ("de Leeuw" in methods(criteria=found).text()) == there


def test_every_rating_model_has_its_words():
    from deadheat.rate.models import MODELS
    from deadheat.report.methods import MODELS as WORDS

    assert set(WORDS) == set(MODELS)


@pytest.mark.parametrize("work", WORKS.values(), ids=lambda work: work.key)
def test_every_entry_is_balanced_and_cited_by_its_own_key(work):
    entry = work.bibtex()
    assert entry.count("{") == entry.count("}")
    assert re.match(rf"@\w+{{{work.key},\n", entry)
    assert WORKS[work.key] is work
    assert str(work.year) in work.full
    assert ".." not in work.full


def test_what_is_cited_has_an_entry_and_the_other_way_round():
    assert len(WORKS) == _WORKS.count("@")  # no key twice
    told = methods(samples()["strict verdict"], ratings=samples()["rate"])
    cited = {
        key for keys in re.findall(r"\\cite{([^}]*)}", told.latex()) for key in keys.split(",")
    }
    assert cited == set(re.findall(r"@\w+{(\w+),", told.bibtex()))
    assert cited == {one.key for one in told.references}
    assert all(one.full in told.text() for one in told.references)


def test_text_is_escaped_for_each_language():
    odd = Methods((Sentence("by a_b & 5 % <x>"),))
    assert odd.latex() == "by a\\_b \\& 5 \\% \\textless{}x\\textgreater{}.\n"
    assert odd.bibtex() == ""
