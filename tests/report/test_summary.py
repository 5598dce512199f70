"""What a page says first: every name and number in it is one of the results."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import on_page
from deadheat.influence.api import removals
from deadheat.output.text import percent
from deadheat.rank.words import by_winner
from deadheat.ranking.function import spoken
from deadheat.report.contents import Contents
from deadheat.report.picture import draw_picture, kinds
from deadheat.report.summary import lead, summary
from deadheat.resampling.plans import Bayesian, Subsample
from samples import battles

ODD = ('O\'Neil "the best"', 'say "it\'s"', "plain", 'd\'Arc "J"')


def table(scores, names="abcdefgh", **more):
    scores = np.asarray(scores, dtype=float)
    return dh.Results(scores=scores, candidates=list(names[: len(scores)]), better="higher", **more)


def steps(*levels, m=40, noise=0.02):
    return np.array(levels)[:, None] + np.random.default_rng(0).normal(0, noise, (len(levels), m))


def contents_of(results, **options):
    v = dh.verdict(results, **{"by": "mean", "replicates": 199} | options)
    return Contents(title="t", table=v.evidence.results, verdict=v)


def said(results, **options):
    return summary(contents_of(results, **options))


def figures(told):
    return {fact.words: fact.figure for fact in told.facts}


@st.composite
def pages(draw):
    n, m = draw(st.integers(2, 5)), draw(st.integers(2, 14))
    levels = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    noise = draw(st.lists(st.integers(0, 3), min_size=n * m, max_size=n * m))
    official = draw(st.none() | st.permutations("abcde"[:n]))
    plan = draw(st.sampled_from([None, None, "bayesian", "subsample"]))
    return contents_of(
        table(np.array(levels)[:, None] + np.reshape(noise, (n, m))),
        strict=draw(st.booleans()) and plan is None,
        official=official and list(official),
        plan=plan,
        replicates=99,
    )


@settings(max_examples=25)
@given(pages())
def test_every_number_of_the_facts_is_one_of_the_results(page):
    v, told = page.verdict, summary(page)
    rows = {row["candidate"]: row for row in v.rows()}
    facts = v.facts()
    assert len(told.facts) == 3
    assert len({fact.words for fact in told.facts}) == 3
    assert sorted(told.facts, key=lambda fact: -fact.surprise) == list(told.facts)
    parts = v.influence.facts()
    podium = parts["any"] if len(rows) <= 3 else parts["top3_set"] + parts["top3_order"]
    same = sum({*first} == {*v.winners} for first in facts["first_by"].values())
    others = Counter(tuple(first) for first in facts["first_by"].values())
    most = max((k for who, k in others.items() if {*who} != {*v.winners}), default=0)
    figures_of = {
        r"other ways of counting crown .*": f"{most} of {len(facts['first_by'])}",
        r"other ways of counting put .*": f"{same} of {len(facts['first_by'])}",
        r"judges (could change|decide) .*": f"{podium} of {v.evidence.results.m}",
        r"candidates (is|are) first in .*": f"{facts['ever_first']} of {len(rows)}",
        r"candidates are level with first .*": f"{facts['strict_groups'][0]} of {len(rows)}",
        r"group.*": f"{len(facts['groups'])}",
        r"share the first place .*": "",
    }
    if parts["flip"]:
        few = f"{len(parts['flip']['left_out'])} of {v.evidence.results.m}"
        figures_of[r"judges(, the right \d+,)? left out, and .*"] = few
    assert any("ways of counting" in fact.words for fact in told.facts)
    for fact in told.facts:
        alone = re.fullmatch(r"of resamples put (\w) first, (.*)", fact.words)
        if alone:
            assert fact.figure == percent(rows[alone[1]]["first_share"])
            leading = [name for name in rows if (rows[name]["official"] or rows[name]["rank"]) == 1]
            assert leading == [alone[1]]
            assert ("winner" in alone[2]) <= (v.has_official or facts["groups"][0] == 1)
            continue
        (figure,) = [
            figure for words, figure in figures_of.items() if re.fullmatch(words, fact.words)
        ]
        assert "share the first place" in fact.words or fact.figure == figure
    for line in told.lines:
        for name, share in re.findall(r"\b(\w), first by mean, ranks first in ([^,]*? %)", line):
            assert share == percent(rows[name]["first_share"])
            assert name in facts["winners"]
        for name, share in re.findall(r", (\w) in ([\w. ]*%)\.$", line):
            assert share == percent(rows[name]["first_share"])


@settings(max_examples=25)
@given(pages())
def test_the_words_agree_with_groups_tests_and_borders(page):
    v, told = page.verdict, summary(page)
    facts, group = v.facts(), v.groups[0]
    level = v.says_level
    assert level == (len(group) > 1 and not v.undecided)
    assert told.headline.startswith("Dead heat: ") == level
    if level and len(group) < len(v.candidates):
        assert f" {len(group)} of {len(v.candidates)} candidates share first place" in told.headline
    few = v.evidence.independent < 6
    tested = facts["strict_groups"][0] == len(group) == 1  # by tests that draw by themselves
    unknown = isinstance(v.evidence.plan, Bayesian | Subsample) and not tested
    claims = " ".join(["\n".join(told.sentences), v.guarantee, *v.grid().notes])
    if few or unknown:
        assert "shown better than" not in claims.replace("shown better than nobody", "")
        assert not re.search(r"(?<!official )winner", claims)
    if few:
        assert v.guarantee.startswith("There are no groups: ")
    for line in told.lines:
        if " borderline" in line:
            close = {(near["other"], near["leader"]): near["p"] for near in facts["borderline"]}
            other, leader, p = re.search(r"\b(\w) against (\w)\b.* \(p = ([^,]+),", line).groups()
            assert p == f"{close[other, leader]:.3g}"
        other = facts["strict_groups"] if v.strictly is None else facts["paper_groups"]
        if size := re.search(r" leaves? (all )?(\d+) candidates level with first", line):
            assert int(size[2]) == other[0]
            assert bool(size[1]) == (other[0] == len(v.candidates))
        if "alone in front" in line:
            assert other[0] == 1
        if re.search(r" agrees? on ", line):
            assert other[0] == len(group)
    draws = (v.strictly or v.paper).draws or 0  # who is level or ahead in none of them is not near
    near = [x for x in v.borderline if not x.excluded or x.p * (1 + draws) > 1.001]
    near = [each for each in near if each.leader == v.leaders[0]] and not v.too_few
    assert any(" borderline" in line for line in told.lines) == bool(near)
    assert "significan" not in claims.lower()


def test_a_clear_winner():
    told = said(table(steps(9, 5, 1)))
    assert told.headline.startswith("a is the clear winner")
    assert any(words.startswith("other ways of counting put a first") for words in figures(told))
    assert "; " in told.sentence  # the next best
    assert re.match(r"a has the best mean, (9\.0|8\.9)\d+; b follows with ", told.sentence)


def test_a_dead_heat_has_no_winner():
    scores = steps(9, 9, 1)
    scores -= scores.mean(axis=1, keepdims=True) - np.array([[9.0], [8.9999], [1]])
    told = said(table(scores))
    assert told.headline.startswith("Dead heat: 2 of 3 ")
    assert "winner" not in "\n".join(told.sentences)
    assert any(w == "of resamples put a first, which leads by mean" for w in figures(told))
    assert told.sentence.endswith("but 40 judges are too few to separate it from b.")
    assert not any("dead heat" in fact.words for fact in told.facts)  # the headline has told it


def test_facts_are_chosen_by_surprise():
    """One judge decides, and places put another one first than means: both before what is usual."""
    scores = np.array([[9.0] + [1.0] * 39, [1.1] * 40, [0.0] * 40])
    scores += np.random.default_rng(0).normal(0, 0.001, scores.shape)
    counting, few, *_ = said(table(scores)).facts
    assert (few.figure, few.words) == ("1 of 40", "judges left out, and b overtakes a")
    assert counting.words == "other ways of counting crown b, 2nd here"


def test_a_reversed_official_order():
    told = said(table(steps(9, 5, 1)), official=["c", "b", "a"])
    assert figures(told)["of resamples put c first, the official winner"] == "0 %"
    assert any("3 pairs contradict the official order" in line for line in told.lines)


def test_few_judges_show_nothing_anywhere():
    page = contents_of(table(steps(9, 5, 1, m=4)))
    v = page.verdict
    everything = " ".join(["\n".join(summary(page).sentences), v.guarantee, *v.grid().notes])
    assert "4 judges are too few to show that it is better" in everything
    why = "There are no groups: 4 judges are too few, at least 10 are needed."
    assert why in v.grid().notes
    assert "shown better" not in everything
    assert "winner" not in everything


def test_all_judges_are_counted_once():
    for seed in range(60):
        scores = np.random.default_rng(seed).normal(size=(3, 3))
        lines = [x for x in said(table(scores)).lines if "alone decide" in x]
        if any("Each of the 3 judges alone decides" in line for line in lines):
            return
        assert not any("3 of 3" in line for line in lines)
    raise AssertionError("no such table")


def test_a_policy_that_decides_who_is_first_is_told():
    rows = [[9.0, 8, 9, 9, np.nan, 9, 9, 9], [7.0] * 8, [1.0, 2, 1, 2, -90, 2, 1, 9]]
    for missing, first in (("worst", "b"), ("available", "a")):
        page = dh.report(table(rows), by="mean", missing=missing, replicates=99)
        (line,) = [x for x in page.summary.lines if "policy" in x]
        assert page.contents.verdict.winners == (first,)
        told = page.contents.check.details["winners_by_policy"]
        for policy in ("worst", "available", "drop-judges"):
            others = told[policy] != [first]
            assert bool(re.search(rf"\b{told[policy][0]} by [^;]*\b{policy}\b", line)) == others
    whole = dh.report(table(steps(9, 5, 1)), by="mean", missing="worst", replicates=99)
    assert not any("policy" in line for line in whole.summary.lines)


def test_the_facts_of_battles_say_how_many_ways_agree_and_what_surprises():
    log = battles()
    r = dh.rate(log, replicates=99)
    told = summary(Contents(title="t", ratings=r))
    best, second = (r.candidates[i] for i in r.order[:2])
    row = r.rows()[0]
    ways = [(best,), *r.first_by.values()]
    agree = sum(who == (best,) for who in ways)
    (counting,) = [fact for fact in told.facts if "ways of counting" in fact.words]
    assert counting.figure == f"{agree} of {len(ways)}"
    assert counting.words.startswith(f"ways of counting put {best} first: Bradley-Terry")
    assert len(told.facts) == 3
    assert figures(told)[f"of resamples rate {best} highest"] == percent(row["first_share"])
    assert told.sentence.startswith(f"{best} has the highest rating, {row['rating']:.2f}")
    level = {r.candidates[i] for i in r.level}
    assert ("too few to separate it" in told.sentence) == (best in level)
    assert second in told.sentence
    assert told.headline == on_page(r.sentences[0])  # what the terminal says
    assert {*told.lines} == {on_page(reason) for reason in r.reasons}


def test_a_log_is_counted_in_shares_of_wins_and_of_rivals_beaten():
    games = [("a", "b")] * 9 + [("b", "a")] + [("c", "a")] * 2 + [("a", "c")] + [("b", "c")] * 9
    games += [("c", "b")] * 10
    left, right = zip(*games, strict=True)
    r = dh.rate(dh.Battles(left=left, right=right, winner=["left"] * len(games)), replicates=99)
    assert r.first_by == {"share of wins": ("a",), "share of rivals beaten": ("c",)}
    assert r.rivals_beaten[0].tolist()[1:] == [1.0, 0.0]


def test_the_sentence_about_functions_has_those_of_the_picture():
    one = np.array([[0.0] * 39 + [60], [1.0] * 40, [0.5] * 40])
    page = dh.report(table(one), by="mean", replicates=99)
    (section,) = [each for each in page.sections if each.name == "functions"]
    others = page.contents.verdict.first_by
    number = f"of {len(others)} other ways of counting"
    assert sum(number in f"{f.figure} {f.words}" for f in page.summary.facts) == 1
    assert number not in " ".join((section.sentence, *(x.see for x in section.pictures)))  # once
    few = {who: by for who, by in by_winner(others) if len(by) <= 3 and who != page.main.winners}
    told = [name for by in few.values() for name in by]
    assert all((spoken(name) in section.sentence) == (name in told) for name in others)


def test_where_all_ways_agree_the_podium_is_told_and_many_lines_are_not_drawn():
    def section(n):
        scores = np.random.default_rng(n).normal(0, 1, (n, 12)) - np.arange(n)[:, None]
        scores[0] += 9.0
        page = dh.report(table(scores, names=[f"c{i}" for i in range(n)]), by="mean", replicates=99)
        return next(each for each in page.sections if each.name == "functions")

    few, many = section(6), section(40)
    assert [picture.kind for picture in many.pictures] == []
    for each in (few, many):
        assert re.fullmatch(r"\d+ of \d+ ways of counting keep the podium\.", each.sentence)


@pytest.fixture(scope="module")
def oddly_named():
    scores = np.random.default_rng(1).normal(size=(4, 12)) + np.array([[0.9], [0.8], [0], [-1]])
    return table(scores, names=ODD, judges=[f"'{k}' \"q\"" for k in range(12)])


def test_no_sentence_has_a_backslash_that_nobody_typed(oddly_named):
    v = dh.verdict(oddly_named, replicates=99, official=list(ODD[::-1]))
    told = "\n".join(summary(Contents(title="t", table=oddly_named, verdict=v)).sentences)
    agreed, rated = dh.agreement(oddly_named), dh.rate(oddly_named, replicates=99)
    results = [v, agreed, rated, v.influence, dh.check(oddly_named), dh.rank(oddly_named)]
    results += [removals(oddly_named), v.compare(*ODD[:2]), oddly_named]
    for result in results:
        for kind in kinds(type(result)):
            picture = draw_picture(result, kind)
            assert "\\" not in picture.see + picture.alt + picture.title, kind
    results.remove(oddly_named)
    every = [told, *(text for r in results for text in (r.verdict, *r.warnings, *r.grid().notes))]
    assert any(ODD[0] in text for text in every)
    assert not [text for text in every if "\\" in text]


def test_a_backslash_that_was_typed_is_there_once():
    scores = steps(9, 5, m=12)
    v = dh.verdict(table(scores, names=(r"a\b", "c")), by="mean", replicates=99)
    assert r"a\b is the clear winner" in v.verdict
    assert "a\\\\b" not in v.verdict


def test_what_a_fact_says_is_not_said_again():
    told = said(table(steps(3.0, 2.0, 1.0)))
    assert any("put a first" in words for words in figures(told))
    assert not any("ranks first in" in line for line in told.lines)
    reversed_order = said(table(steps(3.0, 2.0, 1.0)), official=["b", "a", "c"])
    assert any("a in 100 %" in line for line in reversed_order.lines)


def test_a_page_speaks_of_no_seconds(monkeypatch):
    monkeypatch.setattr("deadheat.statistics.strict_groups.ASIDE", 0)
    told = said(table(steps(3.0, 2.0, 1.0)))
    assert "Stricter tests of all pairs were not made: there are many." in told.lines


def test_an_official_order_without_its_first_place_has_no_winner():
    told = said(table(steps(3.0, 2.0, 1.0)), official={"b": 2})
    assert not any("official winner" in words for words in figures(told))
    assert not any("official winner" in line for line in told.lines)
    known = said(table(steps(3.0, 2.0, 1.0)), official={"b": 1})
    assert any("official winner" in words for words in figures(known))


def test_the_page_has_the_headline_and_the_reasons_of_the_terminal_that_no_fact_tells():
    page = contents_of(table(steps(2.0, 2.0, 1.0)))
    told = summary(page)
    facts = {fact.about for fact in told.facts}
    assert "ways" in facts
    assert any(reason.about == "ways" for reason in page.verdict.reasons)
    assert told.headline == on_page(page.verdict.sentences[0])
    assert told.headline.startswith("Dead heat: 2 of 3 candidates share first place")
    mine = [reason.says for reason in told.reasons]
    terminal = [on_page(each) for each in page.verdict.reasons if each.about not in facts - {""}]
    assert [says for says in mine if says in terminal] == terminal  # in the same order
    marks = {on_page(reason): reason.good for reason in page.verdict.reasons}
    assert all(marks[r.says] == r.good for r in told.reasons if r.says in marks)


def test_no_fact_of_battles_is_infinite():
    log = {"left": ["k"] * 20 + ["a", "b"] * 10, "right": ["a", "b"] * 10 + ["b", "a"] * 10}
    rated = dh.rate(dh.Battles(**log, winner=["left"] * 40), replicates=99)
    told = summary(Contents(title="t", ratings=rated))
    assert told.facts
    assert not any("inf" in f"{fact.figure} {fact.words}".split() for fact in told.facts)
    assert not any("interval" in fact.words for fact in told.facts)  # nothing is known of a leader


def test_the_page_of_runs_says_its_unit_and_calls_ways_of_counting_as_people_do():
    page = dh.report(dh.examples.load("sat-race"), replicates=200)
    assert "has the best PAR2, 0.373 seconds" in page.summary.sentence
    (section,) = [each for each in page.sections if each.name == "criteria"]
    for table in section.tables:
        grid = table.shown
        words = [*(column.name for column in grid.columns), *(str(row[0]) for row in grid.cells)]
        assert "PAR2" in words
        assert not any("_" in word or word == "mean" for word in words)


def test_splits_are_said_to_be_of_data_sets():
    v = dh.verdict(dh.examples.load("models"), replicates=1_000)
    assert "but 400 splits of 18 data sets are too few" in lead(v)
