"""The page as text: what it holds, what it leaves out, and that names stay text."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import html
import io
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

import deadheat as dh
from deadheat.output.table import Grid
from deadheat.report import page as page_module
from deadheat.report import page as room
from deadheat.report import page as section_module
from deadheat.report.contents import budget_of
from deadheat.report.sections.resampling import _few_names

OPEN = ["answer", "ranking", "functions", "decided", "pairs"]
FOLDED = ["stricter", "ranks", "judges", "criteria", "ratings", "runs", "what-if", "health", "made"]
ORDER = [*OPEN, *FOLDED]
EVIL = ["<script>alert(1)</script>", "\" onload='x' &", "{{ 7 * 7 }}", "</script>", "=1+1"]


def field(n: int, m: int, names: list[str] | None = None) -> dh.Results:
    rng = np.random.default_rng(n * 1000 + m)
    scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, m))
    return dh.Results(scores=scores, candidates=names or (), better="higher")


def runs() -> dh.Runs:
    rng = np.random.default_rng(0)
    times = rng.exponential(40, (3, 24)).clip(0.1)
    rows = [(f"s{i}", f"i{j}", times[i, j], f"f{j % 2}") for i in range(3) for j in range(24)]
    candidate, instance, time, family = zip(*rows, strict=True)
    return dh.Runs(
        candidate=candidate,
        instance=instance,
        status=["ok" if t < 60 else "timeout" for t in time],
        time=np.minimum(time, 60),
        cutoff=60,
        stratum=family,
    )


def log() -> dh.Battles:
    return dh.Battles(
        left=list("abcabc") * 6, right=list("bcacab") * 6, winner=["left", "right", "left"] * 12
    )


@cache
def made(kind: str) -> tuple[dh.Report, str]:
    sources = {
        "table": lambda: field(5, 24),
        "evil": lambda: field(5, 24, EVIL),
        "one judge": lambda: field(4, 1),
        "runs": runs,
        "battles": log,
    }
    report = dh.report(sources[kind](), replicates=300, title="<b>title</b>")
    return report, report.html()


class Seen(HTMLParser):
    """The elements of a page, with the content of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.in_script = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.in_script = tag == "script"
        if self.in_script:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.in_script = False

    def handle_data(self, data):
        if self.in_script:
            self.scripts[-1] += data


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data = json.loads(found[1], parse_constant=pytest.fail)
    data["tables"] = {name: unpacked(text) for name, text in data["tables"].items()}
    for name in ("pairs", "whole"):
        data[name] = data[name] and json.loads(unpacked(data[name]), parse_constant=pytest.fail)
    return data


def unpacked(text: str) -> str:
    return gzip.decompress(base64.b64decode(text)).decode()


@pytest.mark.parametrize(
    ("kind", "absent"),
    [
        ("table", {"runs"}),
        ("runs", set()),
        ("one judge", {*ORDER} - {"answer", "ranking", "health", "made"}),
        ("battles", {*ORDER} - {"answer", "ranking", "functions", "pairs", "ratings", "made"}),
    ],
)
def test_sections_stand_in_order_and_what_does_not_apply_is_absent(kind, absent):
    report, page = made(kind)
    expected = [name for name in ORDER if name not in absent]
    assert [section.name for section in report.sections] == expected
    assert re.findall(r'<section id="([\w-]+)"', page) == expected
    folded = page.split("For statisticians</h2>")[-1]
    assert re.findall(r'<section id="([\w-]+)"', folded) == [x for x in expected if x in FOLDED]


@pytest.mark.parametrize("kind", ["table", "evil", "runs", "battles", "one judge"])
def test_only_known_scripts_may_run_and_nothing_is_asked_for(kind):
    seen = Seen(made(kind)[1])
    policy = next(a["content"] for tag, a in seen.elements if a.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    allowed = policy.split("script-src ")[1].split(";")[0]
    assert "unsafe-inline" not in allowed
    data, drawing, ours = seen.scripts
    unpacked = gzip.decompress(base64.b64decode(drawing)).decode()
    assert "vegaEmbed" in unpacked
    for program in (unpacked, ours):
        digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in allowed
    for tag, attributes in seen.elements:
        assert tag not in {"img", "iframe", "link", "object", "b"}
        assert not any(name.startswith("on") or name == "src" for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    json.loads(data)


def test_downloads_are_what_the_results_write():
    report, page = made("table")
    data = data_of(page)
    tables = {table.name: table for section in report.sections for table in section.tables}
    assert set(data["tables"]) == set(tables)
    for name, table in tables.items():
        assert data["tables"][name] == table.result.to_csv()
    verdict = report.contents.verdict.document()
    assert data["whole"]["facts"]["results"]["verdict"] == verdict
    assert dh.load(json.dumps(data["whole"])).rows() == report.rows()


def test_every_picture_has_its_sentence_and_its_words():
    report, page = made("table")
    told = {
        kind: html.unescape(words)
        for kind, words in re.findall(r'<p id="words-([\w-]+)">(.*?)</p>', page, re.DOTALL)
    }
    named = [a["aria-labelledby"] for _, a in Seen(page).elements if a.get("role") == "img"]
    assert sorted(named) == sorted(f"words-{kind}" for kind in told)
    pictures = [picture for section in report.sections for picture in section.pictures]
    assert len(pictures) > 3
    assert told == {picture.kind: picture.alt for picture in pictures if picture.shows}


def test_every_pair_is_told_as_compare_tells_it():
    report, page = made("table")
    verdict = report.contents.verdict
    pairs = data_of(page)["pairs"]
    names = pairs["candidates"]
    assert names == [row["candidate"] for row in verdict.rows()]
    place = 0
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            found = verdict.compare(a, b)
            record = pairs["pairs"][place]
            assert record["said"] == found.verdict.replace("\n", " ")
            assert record["wins"] == [found.duel.higher, found.duel.tied, found.duel.lower]
            place += 1
    assert place == len(pairs["pairs"])


def test_the_same_table_gives_the_same_page():
    again = dh.report(field(5, 24), replicates=300, title="<b>title</b>")
    assert again.html() == made("table")[1]


def test_one_judge_says_that_it_cannot_tell():
    assert "one judge" in made("one judge")[0].summary.headline


def test_each_value_of_a_column_has_a_line_as_in_a_verdict(tmp_path):
    rows = [f"t{j},{'uv'[j % 2]},{j % 2 + j / 50},{1 - j % 2 + j / 70},{j / 90}" for j in range(24)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["task,family,x,y,z", *rows]) + "\n")
    how = {"better": "higher", "each": "family", "by": "mean", "replicates": 200}
    page, v = dh.report(path, **how), dh.verdict(path, **how)
    (found,) = (section for section in page.sections if section.name == "boards")
    lines = list(csv.DictReader(io.StringIO(found.tables[0].whole)))
    assert [(line["value"], line["first"]) for line in lines] == [("u", "y"), ("v", "x")]
    assert found.sentence == v.boards.sentence
    assert 'id="boards"' in page.html()


def test_the_official_order_stands_in_the_table():
    table = field(5, 24)
    report = dh.report(table, replicates=300, official=list(table.candidates)[::-1])
    assert any(fact.words.endswith(", the official winner") for fact in report.summary.facts)
    assert "official rank" in report.html()


@pytest.mark.parametrize(("n", "m"), [(2, 2), (3, 5), (30, 500), (300, 80), (30, 100_000)])
def test_the_budget_only_shrinks_with_size_and_says_what_it_leaves_out(n, m):
    here, larger = budget_of(n, m), budget_of(2 * n, 2 * m)
    assert larger.trials <= here.trials
    assert larger.replicates <= here.replicates
    assert larger.ratings <= here.ratings
    assert here.paired <= min(n, 40)
    if here.paired < n:
        assert any("Pairs" in line for line in here.told)
    assert budget_of(n, m, 77).replicates == 77


def test_what_is_too_large_is_left_out_and_said():
    told = budget_of(3000, 100_000).told
    for said in ("criteria", "rate", "check", "agree", "Pairs", "left out one at a time"):
        assert any(said in line for line in told), said


def test_large_downloads_hold_their_first_rows_and_say_so(monkeypatch):
    report = replace(made("table")[0])
    whole = report.contents.verdict.to_csv()
    monkeypatch.setattr(section_module, "LARGEST_CSV", len(whole) - 1)
    monkeypatch.setattr(room, "LARGEST_JSON", 2000)
    page = report.html()
    data = data_of(page)
    assert data["tables"]["ranking"].splitlines() == whole.splitlines()[:-1]
    assert "first rows" in page
    assert "holds only the first rows of verdict" in page
    assert data["whole"]["facts"]["results"]["verdict"]["shortened"]


def held(page: str) -> dict[str, set[str]]:
    """What is inside a page, and what it has buttons or places for."""
    data = json.loads(Seen(page).scripts[0])
    elements = [attributes for _, attributes in Seen(page).elements]
    return {
        "tables": set(data["tables"]),
        "pictures": set(data["pictures"]),
        "table buttons": {a["data-csv"] for a in elements if "data-csv" in a},
        "picture places": {a["data-draw"] for a in elements if "data-draw" in a},
        "others": {name for name in ("pairs", "whole", "live") if data[name]},
    }


@pytest.mark.parametrize("kind", ["table", "runs", "battles"])
def test_the_sum_is_bounded_and_what_is_left_out_is_said(monkeypatch, kind):
    report, whole = made(kind)
    everything = held(whole)
    bare = len(whole) - len(Seen(whole).scripts[0])
    for more in (400_000, 60_000, 30_000, 12_000, 6_000, 3_000):
        largest = bare + page_module.SPARE + more
        monkeypatch.setattr(page_module, "LARGEST", largest)
        page = report.html()
        here = held(page)
        assert len(page.encode()) <= largest
        assert here["table buttons"] == here["tables"]
        assert here["picture places"] == here["pictures"]
        for kind_of_picture in everything["pictures"] - here["pictures"]:
            assert re.search(f"pictures are left out: [^.]*{kind_of_picture}", page)
        for name in everything["tables"] - here["tables"]:
            assert re.search(f"first rows can be downloaded of [^.]*{name}", page)
        if "whole" not in here["others"]:
            assert "the file of everything is left out" in page
            assert not any("data-json" in attributes for _, attributes in Seen(page).elements)
        if "live" in everything["others"] - here["others"]:
            assert "the race cannot be rerun in it" in page
            assert 'id="race"' not in page
        if "pairs" in everything["others"] - here["others"]:
            assert "pairs cannot be chosen" in page
            assert 'id="duel"' not in page
        if page == whole:
            continue
        assert "To keep this file small" in page or "holds only the first rows" in page
    assert here["pictures"] < everything["pictures"]


def test_shown_tables_shrink_until_the_text_has_room(monkeypatch):
    report, whole = made("table")
    monkeypatch.setattr(page_module, "ROWS", (300, 2, 1))
    monkeypatch.setattr(page_module, "WORDS", 10)
    assert "more row" in report.html()
    monkeypatch.setattr(page_module, "WORDS", len(whole))
    assert report.html() == whole


def test_a_long_ranking_shows_its_first_rows_and_holds_all(monkeypatch):
    report = made("table")[0]  # made as it is, before anything changes
    monkeypatch.setattr(page_module, "RANKED", 2)
    page = report.html()
    ranked = page.split('<table id="ranked"')[1].split("</table>")[0]
    assert ranked.count("<tr data-group") == 2
    assert "The 2 best of 5 candidates; the download has all." in page
    lines = unpacked(data_of(page)["lines"])
    names = [row["candidate"] for row in report.contents.verdict.rows()]
    assert re.findall('data-who="([^"]+)"', lines) == names


def test_a_picture_that_fails_is_not_hidden():
    verdict = made("table")[0].contents.verdict
    assert section_module.pictures(None, ("intervals",)) == ()
    assert [p.kind for p in section_module.pictures(verdict, ("intervals",))] == ["intervals"]
    with pytest.raises(dh.UsageError, match="cactus is no picture of Verdict"):
        section_module.pictures(verdict, ("cactus",))


@pytest.mark.parametrize("m", [2, 9, 10])
def test_too_few_judges_have_no_pictures_of_tests(m):
    kinds = held(dh.report(field(4, m), replicates=200).html())["pictures"]
    assert {"critical-difference", "significance"} & kinds == (
        set() if m < 10 else {"critical-difference", "significance"}
    )


@pytest.mark.parametrize("timed", [True, False])
def test_runs_without_times_have_no_curves_over_time(timed):
    given = {"time": np.linspace(1, 50, 24), "cutoff": 60} if timed else {}
    source = dh.Runs(
        candidate=["a", "b"] * 12,
        instance=[f"i{k // 2}" for k in range(24)],
        status=["ok", "timeout", "ok", "ok"] * 6,
        **given,
    )
    page = dh.report(source, replicates=200, rule="solved").html()
    assert ("cactus" in held(page)["pictures"]) == timed
    assert "a fails on 0 of 12 instances, the next on 6." in page  # no families


def test_a_page_names_no_options():
    page = made("table")[1].split('<script type="application/json"')[0]
    assert "--strict" not in page


def test_methods_and_references_are_told_for_papers():
    report, page = made("table")
    assert "For the methods section of a paper" in page
    assert html.escape(report.contents.methods.sentences[1].text, quote=False) in page
    assert "For the methods section" not in made("one judge")[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "m", "letters"),
    [
        *((300, 40, 0), (30, 20_000, 0), (1_000, 8, 0), (3_000, 8, 0), (300, 2_000, 0)),
        *((10, 100_000, 0), (2, 1, 0), (60, 40, 900), (40, 40, 20_000)),
    ],
)
def test_a_page_stays_below_five_megabytes(n, m, letters):
    rng = np.random.default_rng(0)
    alphabet = list('abcdefghijklmnopqrstuvwxyzABCDEFGH "&<\u00e9\u4e2d')
    names = ["".join(rng.choice(alphabet, letters)) + f" {i}" for i in range(n)]
    report = dh.report(field(n, m, names if letters else None))
    page = report.html()
    assert len(page.encode()) < 5_000_000
    assert ("names" in [section.name for section in report.sections]) == (letters > 160)


@pytest.mark.slow
def test_the_page_of_a_race_is_below_a_megabyte_and_a_half():
    assert len(dh.report(dh.examples.load("sat-race")).html().encode()) <= 1_500_000


@pytest.mark.slow
def test_three_thousand_candidates_fit_three_megabytes():
    assert len(dh.report(field(3_000, 6)).html().encode()) < 3_000_000


def test_a_frame_of_runs_has_a_page_with_its_runs():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        [
            {"solver": f"s{i}", "instance": f"i{j}", "time": float(t), "status": "ok"}
            for (i, j), t in np.ndenumerate(rng.uniform(1, 90, (4, 12)))
        ]
    )
    page = dh.report(frame, rule="par2", cutoff=100, replicates=200).html()
    assert "cactus" in held(page)["pictures"]


def test_columns_that_have_nothing_are_not_shown():
    grid = Grid.of(("name", "", "number"), (("a", None, 0), ("b", " ", 0)))
    grid = replace(grid, marked=frozenset({(1, 2)}))
    shown = room._filled(grid)
    assert [column.name for column in shown.columns] == ["name", "number"]
    assert shown.cells == (("a", 0), ("b", 0))
    assert shown.marked == {(1, 1)}


def test_a_page_names_twelve_of_a_group_and_how_many_more():
    names = ", ".join(f"c{i} ({i})" for i in range(40))
    told = _few_names(names)
    assert told.startswith("c0 (0), c1 (1), ")
    assert told.endswith("c11 (11) and 28 more")
    assert _few_names("a (1), b (2)") == "a (1), b (2)"


def test_columns_of_a_heat_map_are_called_by_their_noun(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{c},i{j},{j % 3},{rng.random():.3f}" for c in "abcd" for j in range(300)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["solver,instance,domain,score", *rows]), encoding="utf-8")
    results = dh.read(path, better="higher", stratum="domain")
    see = dh.agreement(results).plot("heat-map").see
    assert "domains (columns)" in see
    assert "the instances of a domain (in brackets how many)" in see
    assert "famil" not in see


def test_negative_numbers_of_the_ranking_have_the_sign_that_pictures_have():
    scores = np.arange(5.0)[:, None] - 2 + np.random.default_rng(0).normal(0, 0.1, (5, 30))
    made = dh.report(dh.Results(scores=scores, better="higher"), by="mean", replicates=99).html()
    table = made.split('id="ranked"')[1].split("</table>")[0]
    cells = re.findall(r"<td[^>]*>([^<]*\d)</td>", table)
    assert sum("\u2212" in cell for cell in cells) >= 4
    assert not any(re.search(r"-\d", cell) for cell in cells)
