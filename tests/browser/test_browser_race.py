"""The first picture of a page: what a reader counts, draws and weighs is what the package says."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest

import deadheat as dh
from deadheat.output.text import percent
from deadheat.ranking.contributions import contributions
from deadheat.ranking.on_tables import function_for
from deadheat.ranking.ranks import ranks
from deadheat.report import live as room
from deadheat.report.page import RANKED
from deadheat.statistics.groups import robust_groups
from samples import families

TABLE = families()
BEST = 20  # of many, who have a row in the first picture


def order(page) -> list[str]:
    return json.loads(page.locator("#live").get_attribute("data-order"))


def level(page) -> set[str]:
    return set(json.loads(page.locator("#live").get_attribute("data-level")))


def ways(page) -> dict[str, dict]:
    return {way["name"]: way for way in page.evaluate("() => window.deadheat.live.ways")}


def rows(page) -> list[str]:
    """Return who stands where, from the top, as it is drawn."""
    found = page.locator("#live .runner").evaluate_all(
        "(all) => all.map((g) => [g.getBoundingClientRect().top, g.dataset.who])"
    )
    return [who for _, who in sorted(found)]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_screen_has_headline_sentence_facts_and_a_picture(
    browser, pages, reports, width, height
):
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    page = context.new_page()
    page.goto(pages["families"].as_uri())
    page.wait_for_selector("html[data-begun=yes]", state="attached")
    said = reports["families"].summary
    assert page.locator("h1").inner_text() == said.headline
    assert page.locator(".answer .lead").inner_text() == said.sentence
    facts = page.locator(".facts li").all_inner_texts()
    assert [" ".join(f.split()) for f in facts] == [f"{f.figure} {f.words}" for f in said.facts]
    assert any("ways of counting" in fact for fact in facts)
    for place in ("h1", ".answer .lead", ".facts", "#rerun", "#live .runner:nth-of-type(3)"):
        box = page.locator(place).first.bounding_box()
        assert box["y"] + box["height"] <= height, place
    verdict = reports["families"].contents.verdict
    assert rows(page) == [verdict.candidates[i] for i in verdict.order]
    assert level(page) == set(verdict.groups[0])
    context.close()


def test_title_and_preview_are_those_of_the_data_and_name_no_file(tmp_path):
    path = tmp_path / "secret-name.csv"
    path.write_text("solver,a,b,c\nx,3,2,1\ny,1,2,2\n", encoding="utf-8")
    html = dh.report(path, better="higher", replicates=99).html()
    head = html.split("</head>")[0]
    assert "<title>2 solvers on 3 " in head
    assert re.search('property="og:title" content="[^"]+"', head)
    assert re.search('name="description" content="[^"]+"', head)
    assert "secret-name" not in head


def test_merits_in_the_browser_are_those_of_the_package(visit):
    page = visit("families").page
    live = page.evaluate("() => window.deadheat.live")
    weights = np.random.default_rng(0).exponential(1, (40, TABLE.m)) * (
        np.random.default_rng(1).random((40, TABLE.m)) < 0.6
    )
    compared = 0
    for k, way in enumerate(live["ways"]):
        known = contributions(TABLE, function_for(TABLE, way["name"]))
        assert (known is not None) == ("sums" in way)
        if known is None:
            continue
        found = page.evaluate(
            "([w, k]) => w.map((each) => window.deadheat.merits(each, k))", [weights.tolist(), k]
        )
        assert np.allclose(found, known.merits(weights), rtol=1e-9, atol=1e-9)
        compared += 1
    assert compared > 4


def test_who_is_level_in_the_browser_is_who_the_package_tests_so(visit):
    page = visit("families").page
    drawn = page.evaluate(
        "() => Array.from({length: 700}, (_, k) => window.deadheat.drawWeights(k))"
    )
    known = contributions(TABLE, function_for(TABLE, "mean"))
    strata = np.array(TABLE.strata)
    for name in set(strata):  # as the plan draws: the weight of a stratum is its size
        assert np.allclose(np.array(drawn)[:, strata == name].sum(axis=1), (strata == name).sum())
    for some in (drawn, drawn[:200]):
        merits = known.merits(np.array(some))
        observed = known.merits(np.ones((1, TABLE.m)))[0]
        groups = robust_groups(
            (2 * ranks(merits)).astype(int), observed, medians=np.median(merits, axis=0), alpha=0.05
        )
        found = page.evaluate(
            "([m, o]) => window.deadheat.level(m, o)", [merits.tolist(), observed.tolist()]
        )
        assert found["leader"] == groups.leaders[0]
        assert set(found["level"]) == set(groups.members[0])


def test_draws_spread_as_those_of_the_plan(visit, reports):
    """The standard error of each merit over resamples, in the browser and in the package."""
    page = visit("families").page
    drawn = page.evaluate(
        "() => Array.from({length: 3000}, (_, k) => window.deadheat.drawWeights(k))"
    )
    known = contributions(TABLE, function_for(TABLE, "mean"))
    evidence = reports["families"].contents.verdict.evidence
    here, there = known.merits(np.array(drawn)).std(axis=0), evidence.merits.std(axis=0)
    assert np.allclose(here / there, 1, atol=0.08)


def test_another_way_of_counting_shows_what_the_command_says(visit):
    page = visit("families", fresh=True).page
    told = ways(page)
    assert len(told) > 8
    for name, way in told.items():
        page.locator("#by").select_option(label=way["called"])
        verdict = dh.verdict(TABLE, by=name, replicates=way["resamples"])
        by_score = sorted(range(TABLE.n), key=lambda i: verdict.evidence.ranks[i])
        assert order(page) == rows(page) == [TABLE.candidates[i] for i in by_score]
        assert level(page) == set(() if verdict.undecided else verdict.groups[0])
        assert np.allclose(way["shown"], verdict.shown[by_score], rtol=1e-9)
        assert np.allclose(way["first"], verdict.spread.first[by_score])
        ends = np.sort([verdict.shown_as(verdict.low), verdict.shown_as(verdict.high)], axis=0)
        assert np.allclose(way["low"], ends[0][by_score], rtol=1e-5)
        assert np.allclose(way["high"], ends[1][by_score], rtol=1e-5)
    winners = {tuple(way["who"][:1]) for way in told.values()}
    assert len(winners) > 1  # rows climb


def test_fewer_instances_make_the_tie_grow(visit):
    page = visit("families", fresh=True).page
    sizes, widths = [], []
    for number in (60, 30, 8):
        page.locator("#units").fill(str(number))
        sizes.append(len(level(page)))
        line = page.locator("#live .runner line").first
        widths.append(line.evaluate("(l) => l.getBoundingClientRect().width"))
        assert page.locator("#units-said").inner_text() == str(number)
    assert sizes[1] > sizes[0]
    assert sizes[2] == 0  # of so few nobody is tested
    assert f"use={8}" in page.url
    told = page.locator("#tally").inner_text()
    assert told.startswith("With 8 of 60 judges")
    assert told.endswith("too few for a test.")


def test_weights_of_families_move_the_rows_as_the_package_does(visit):
    page = visit("families", fresh=True).page
    page.locator("#weigh summary").click()
    names = page.locator("#weights bdi").all_inner_texts()
    assert set(names) == set(TABLE.strata)
    for name, weight in (("large", 0), ("small", 3), ("middle", 0.2)):
        page.locator("#weights input").nth(names.index(name)).fill(str(weight))
        chosen = [
            1 if float(x) == 1 else float(x)
            for x in page.locator("#weights input").evaluate_all("(all) => all.map((i) => i.value)")
        ]
        own = np.array([chosen[names.index(stratum)] for stratum in TABLE.strata])
        judge_weights = np.where(own == 0, 1e-12, own)
        weighted = TABLE.changed(judge_weights=judge_weights)
        best = dh.rank(weighted, by="mean").rows()
        assert order(page) == [row["candidate"] for row in best]
    page.locator("#reset").click()
    assert order(page) == [TABLE.candidates[i] for i in np.argsort(TABLE.scores.mean(axis=1))[::-1]]


def test_a_rerun_moves_the_dots_and_counts_the_winners(visit):
    page = visit("families", fresh=True, moving=True).page
    before = page.locator("#live circle").evaluate_all("(all) => all.map((c) => c.style.transform)")
    page.locator("#rerun").click()
    page.wait_for_function("() => /wins race 3/.test(document.querySelector('#tally').textContent)")
    page.locator("#rerun").click()
    told = page.locator("#tally").inner_text()
    runs, tally = re.search(r"(\d+) races on redrawn judges: (.*)\.$", told).groups()
    assert sum(int(each.split()[-1]) for each in tally.split(", ")) == int(runs)
    assert (
        page.locator("#live circle").evaluate_all("(all) => all.map((c) => c.style.transform)")
        != before
    )
    assert page.locator("#rerun").inner_text().endswith("Rerun the race")


@pytest.mark.parametrize("name", ["families", "closed"])
def test_without_motion_a_hundred_races_are_counted_at_once(visit, reports, name):
    """Also of resamples that were drawn before, where the page has no table."""
    page = visit(name, fresh=True).page
    place = "(all) => all.map((c) => c.style.transform)"
    before = page.locator("#live circle").evaluate_all(place)
    page.locator("#rerun").click()
    told = page.locator("#tally").inner_text()
    (_, way), *_ = ways(page).items()
    races = 100 if name == "families" else len(way["again"])  # no resample is counted twice
    assert told.startswith(f"{races} races on redrawn judges")
    assert page.locator("#live circle").evaluate_all(place) == before
    counted = Counter({k: int(v) for k, v in re.findall(r"(solver \d+) (\d+)", told)})
    verdict = reports[name].contents.verdict
    for who, number in counted.items():  # five standard errors, and the share by the package
        share = verdict.row(who).first_share
        assert abs(number / races - share) < 5 * (share * (1 - share) / races) ** 0.5 + 0.03


def test_a_page_without_its_table_still_counts_otherwise(visit, reports):
    page = visit("closed", fresh=True).page
    live = page.evaluate("() => window.deadheat.live")
    assert live["totals"] is None
    assert not any("sums" in way for way in live["ways"])
    assert page.locator("#fewer, #weigh").evaluate_all("(all) => all.every((e) => e.hidden)")
    assert page.locator("[data-csv=scores]").count() == 0
    page.locator("#by").select_option("1")
    assert len(order(page)) == TABLE.n


def test_every_control_works_by_keyboard(visit):
    page = visit("families", fresh=True).page
    page.locator("#by").focus()
    before = page.locator("#tally").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#tally").inner_text() != before
    page.locator("#by").select_option("0")
    page.locator("#units").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#units-said").inner_text() == "59"
    page.locator("#weigh summary").focus()
    page.keyboard.press("Enter")
    page.locator("#weights input").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#weights output").first.inner_text() == "\u00d71.1"
    page.locator("#rerun").focus()
    page.keyboard.press("Enter")
    assert "races" in page.locator("#tally").inner_text()
    page.locator("#reset").focus()
    page.keyboard.press("Enter")
    assert page.locator("#units-said").inner_text() == "60"
    page.locator("#ranked .who").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#ranked tr.chosen").count() == 1


def test_links_lead_to_a_state(visit, pages, reports):
    page = visit("families", fresh=True).page
    names = page.locator("#pair-a option").all_inner_texts()
    link = f"#by=average_rank&use=20&pair={names[4]},{names[1]}&who={names[2]}".replace(" ", "%20")
    page.goto("about:blank")
    page.goto(pages["families"].as_uri() + link)
    page.wait_for_selector("html[data-begun=yes]", state="attached")
    assert page.locator("#by").evaluate("(s) => s.selectedOptions[0].text") == "average rank"
    assert page.locator("#units-said").inner_text() == "20"
    chosen = [page.locator(f"#pair-{x}").evaluate("(s) => s.selectedOptions[0].text") for x in "ab"]
    assert chosen == [names[4], names[1]]
    assert page.locator("#duel").evaluate("(d) => d.getBoundingClientRect().top < innerHeight")
    assert page.locator("tr.chosen").get_attribute("data-who") == names[2]
    assert page.locator(".runner.chosen").get_attribute("data-who") == names[2]
    page.locator("#pair-b").select_option(label=names[3])
    assert page.url.endswith(f"pair={names[4]},{names[3]}&who={names[2]}".replace(" ", "%20"))
    page.goto(pages["families"].as_uri() + "#health")
    page.wait_for_function("() => document.querySelector('#health').closest('details').open")


def test_who_is_chosen_is_marked_everywhere(visit):
    page = visit("families", fresh=True).drawn().page
    who = page.locator("#ranked tbody tr").nth(2).get_attribute("data-who")
    page.locator("#ranked .who").nth(2).click()
    assert page.locator(".runner.chosen").get_attribute("data-who") == who
    assert page.locator("[data-draw=rank-lines] text.chosen").count() >= 1
    assert page.locator("[data-draw=rank-lines] .faded").count() > 3
    # in the picture of neighbours it is in two rows, and in the card one of the pair
    rows_ = page.locator("[data-draw=improvement] text.chosen").all_text_contents()
    assert len(rows_) == 2
    assert all(who in row.split(" over ") for row in rows_)
    assert page.locator("[data-draw=improvement] .mark-symbol path.faded").count() == TABLE.n - 3
    assert set(page.locator("#pair bdi.chosen").all_inner_texts()) == {who}
    page.locator(f".runner[data-who='{who}']").click()
    assert page.locator(".chosen, .faded").count() == 0


def test_the_contents_mark_what_is_read(visit):
    page = visit("families", fresh=True).drawn().page
    for name in ("pairs", "ranking"):
        page.evaluate("(id) => document.getElementById(id).scrollIntoView()", name)
        page.wait_for_selector(f".contents a[href='#{name}'][aria-current]")
        assert page.locator(".contents a[aria-current]").count() == 1


def test_the_card_of_a_pair_is_a_dot_with_its_interval_against_zero(visit, reports):
    page = visit("families", fresh=True).page
    names = page.locator("#pair-a option").all_inner_texts()
    found = reports["families"].contents.verdict.compare(names[0], names[1])
    at, low, high = page.evaluate(
        """() => { const s = document.querySelector('.against');
        const [zero, line] = s.querySelectorAll('line');
        const x = (e, k) => Number(e.getAttribute(k)); const o = x(zero, 'x1');
        return [x(s.querySelector('circle'), 'cx') - o, x(line, 'x1') - o, x(line, 'x2') - o]; }"""
    )
    facts = found.facts()
    assert (low < 0 < high) == (facts["low"] < 0 < facts["high"])
    assert np.isclose(
        (at - low) / (high - low),
        (facts["difference"] - facts["low"]) / (facts["high"] - facts["low"]),
        atol=1e-3,
    )
    assert percent(facts["ahead_share"]) in page.locator("#pair").inner_text()


def test_without_scripts_there_are_pictures_and_everything_is_told(browser, pages):
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(pages["families"].as_uri())
    boxes = page.locator("figure.picture:visible")
    assert boxes.count() > 3
    for k in range(boxes.count()):
        assert boxes.nth(k).locator("svg").bounding_box()["height"] > 60
    assert page.locator("h1, .facts li").count() == 4
    assert page.locator("#ranked tbody tr").count() == TABLE.n
    assert not page.locator("#race, #duel, .filters, [data-json]").first.is_visible()
    context.close()


@pytest.mark.parametrize("name", ["families", "plain", "battles", "many"])
def test_a_picture_of_the_whole_page_has_no_blank_one(visit, name):
    page = visit(name, fresh=True).drawn().page  # nothing is scrolled
    boxes = page.locator("figure.picture:visible").evaluate_all(
        """(all) => all.map((f) => [...f.querySelectorAll('svg path, svg circle, svg text')]
        .filter((e) => e.getBoundingClientRect().width).length)"""
    )
    assert boxes
    assert min(boxes) > 5


def test_the_open_page_is_short(visit, reports):
    page = visit("plain", fresh=True, width=1280).drawn().page
    assert page.evaluate("() => document.documentElement.scrollHeight") < 6500
    words = page.evaluate(
        """() => { let n = 0; const walk = (e) => { if (e.matches('svg, select, table')
        || !e.checkVisibility()) return; e.childNodes.forEach((c) => { if (c.nodeType === 3)
        n += c.textContent.split(/\\s+/).filter(Boolean).length;
        else if (c.nodeType === 1) walk(c); }); };
        walk(document.querySelector('main')); return n; }"""
    )
    assert 200 < words < 900
    folded = [section.name for section in reports["plain"].sections if section.folded]
    assert page.locator("details.part:not([open])").count() == len(folded) > 5


def test_a_way_that_is_not_tested_shows_its_scores_alone(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(room, "STEPS", 0)
    report = dh.report(TABLE, tmp_path / "page.html", by="mean", replicates=400)
    page = browser.new_context(offline=True).new_page()
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("html[data-begun=yes]", state="attached")
    assert page.locator("#rerun").is_visible()
    name = next(name for name in report.contents.verdict.first_by if name == "median")
    page.select_option("#by", label="median")
    assert not page.locator("#rerun").is_visible()
    assert "Scores alone" in page.locator("#tally").inner_text()
    ranked = dh.rank(TABLE, by=name)
    assert order(page)[0] in ranked.first[name]
    assert level(page) == set()
    page.select_option("#by", index=0)
    assert page.locator("#rerun").is_visible()
    assert not faults
    page.context.close()


def test_a_battle_log_is_run_again_and_counted_otherwise(visit, reports):
    page = visit("battles", fresh=True).page
    r = reports["battles"].contents.ratings
    assert order(page) == [row["candidate"] for row in r.rows()]
    assert level(page) == {r.candidates[i] for i in r.level}
    page.locator("#rerun").click()
    assert "60 races on redrawn battles" in page.locator("#tally").inner_text()
    page.locator("#by").select_option("share of wins")
    shares = r.shares["share of wins"]
    assert order(page) == [r.candidates[i] for i in np.argsort(-shares, kind="stable")]
    assert page.locator("#fewer, #weigh").evaluate_all("(all) => all.every((e) => e.hidden)")
    assert not page.locator("#rerun").is_visible()
    assert page.locator("#functions tbody tr").count() == len(r.candidates)


def test_what_a_way_of_counting_cannot_say_is_not_taken_from_the_address(visit, pages, reports):
    visit("families")
    live = reports["families"].contents.live
    name = next(way["name"] for way in live["ways"] if "sums" not in way)
    for link, kept in ((f"#by={name}&use=20", "60"), ("#use=20", "20")):
        page = visit("families", fresh=True).page
        page.goto("about:blank")
        page.goto(pages["families"].as_uri() + link)
        page.wait_for_selector("html[data-begun=yes]", state="attached")
        assert page.locator("#units-said").text_content() == kept
    page.locator("#by").select_option(str([way["name"] for way in live["ways"]].index(name)))
    assert page.locator("#units-said").text_content() == "60"  # not slid, so not said


@pytest.mark.parametrize("width", [1200, 380])
def test_controls_that_come_and_go_do_not_move_the_picture(visit, reports, width):
    page = visit("families", fresh=True, width=width).page
    top = "() => document.querySelector('#live').getBoundingClientRect().top"
    before = page.evaluate(top)
    assert not page.locator("#reset").is_visible()
    ways = reports["families"].contents.live["ways"]
    for k in range(len(ways)):
        page.locator("#by").select_option(str(k))
        assert page.evaluate(top) == before
    assert page.locator("#reset").is_visible()
    page.locator("#reset").click()
    assert not page.locator("#reset").is_visible()
    assert page.evaluate(top) == before


def test_shares_stand_in_the_picture_as_in_the_table(visit):
    page = visit("families", fresh=True).page
    table = page.locator("#ranked tbody tr").evaluate_all(
        "(all) => all.map((r) => [r.dataset.who, r.cells[5].textContent.trim()])"
    )
    drawn = page.locator(".runner").evaluate_all(
        "(all) => all.map((g) => [g.dataset.who, g.querySelectorAll('text')[1].textContent])"
    )
    assert sorted(drawn) == sorted(table)


def test_no_letters_are_small_on_a_phone(visit):
    for name in ("families", "battles"):
        page = visit(name, fresh=True, width=380).drawn().page
        small = page.locator("main svg text").evaluate_all(
            """(all) => all.filter((t) => t.textContent.trim() && t.checkVisibility()
            && parseFloat(getComputedStyle(t).fontSize)
            * Math.hypot(t.getScreenCTM().a, t.getScreenCTM().b) < 11.9)
            .map((t) => t.textContent)"""
        )
        assert small == []


def test_a_log_has_dots_drawn_and_nothing_fails(visit, reports):
    seen = visit("battles", fresh=True)
    assert not seen.complaints
    assert seen.page.locator("#live .runner circle").count() == len(rows(seen.page)) == 6
    assert seen.page.locator("#race").is_visible()


def test_what_a_choice_does_is_said_above_the_picture(visit, reports):
    page = visit("families", fresh=True).page
    ways = reports["families"].contents.live["ways"]
    for k, way in enumerate(ways):
        page.locator("#by").select_option(str(k))
        assert page.locator("#tally").inner_text() == way["said"]
        assert page.locator("#more-said").inner_text().startswith(way["more"])
        said, drawn = (page.locator(x).bounding_box() for x in ("#tally", "#live"))
        assert said["y"] + said["height"] <= drawn["y"]


@pytest.mark.parametrize("width", [1280, 380])
def test_nothing_moves_while_races_run(visit, width):
    page = visit("families", fresh=True, width=width).page
    tops = "() => ['#live', '#by', '#units'].map((x) => $(x)).map((r) => [r.left, r.top])"
    tops = tops.replace("$(x)", "document.querySelector(x).getBoundingClientRect()")
    before = page.evaluate(tops)
    page.locator("#rerun").click()
    assert "races" in page.locator("#tally").inner_text()
    assert page.evaluate(tops)[0] == before[0]
    page.locator("#units").fill("20")
    assert page.evaluate(tops) == before


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("#by=nonsense", "a way of counting called nonsense"),
        ("#who=nobody", "somebody called nobody"),
        ("#pair=solver%201,nobody", "the pair solver 1,nobody"),
        ("#use=7000", "as few as 7000"),
        ("#weigh=9:2", "the weights 9:2"),
        ("#colour=red", "colour=red"),
        ("#nowhere", "the part nowhere"),
    ],
)
def test_an_address_that_asks_for_what_is_not_there_is_told(visit, pages, link, told):
    page = visit("families", fresh=True).page
    assert not page.locator("#unknown").is_visible()
    page.goto("about:blank")
    page.goto(pages["families"].as_uri() + link)
    page.wait_for_selector("html[data-begun=yes]", state="attached")
    said = page.locator("#unknown").inner_text()
    assert said == f"The address asks for what this page does not have: {told}."
    page.locator("#by").select_option("1")
    assert "nonsense" not in page.url
    assert "nobody" not in page.url
    page.evaluate("() => { location.hash = '#ranking'; }")
    page.wait_for_function("() => document.querySelector('#unknown').hidden")


def test_a_page_without_sliders_says_so_of_an_address_with_one(visit, pages):
    page = visit("closed", fresh=True).page
    page.goto("about:blank")
    page.goto(pages["closed"].as_uri() + "#use=20")
    page.wait_for_selector("html[data-begun=yes]", state="attached")
    assert page.locator("#unknown").inner_text().endswith("not have: as few as 20.")


def test_somebody_far_down_is_found_by_an_address_and_by_a_choice(visit, pages, reports):
    names = [row["candidate"] for row in reports["many"].contents.verdict.rows()]
    page = visit("many", fresh=True).page
    page.goto("about:blank")
    page.goto(pages["many"].as_uri() + f"#who={names[70]}".replace(" ", "%20"))
    page.wait_for_selector("html[data-begun=yes]", state="attached")
    assert page.locator("tr.chosen").get_attribute("data-who") == names[70]
    assert f"{RANKED + 1} to {2 * RANKED}" in page.locator("#pages").inner_text()
    # it has a row below the others, by every way of counting, with its place
    ways = reports["many"].contents.live["ways"]
    table = reports["many"].contents.table
    who = table.candidates.index(names[70])
    for k in (0, len(ways) - 1):
        page.locator("#by").select_option(str(k))
        (places,) = dh.rank(table, by=ways[k]["name"]).ranks
        place = np.argsort(places, kind="stable").tolist().index(who) + 1
        assert (
            page.locator(".runner.chosen text").first.text_content() == f"{place}\u2002{names[70]}"
        )
        assert len(order(page)) == BEST + 1
    page.locator("#by").select_option("0")
    height = page.locator("#live svg").bounding_box()["height"]
    page.locator(f".runner[data-who='{names[1]}']").click()
    assert len(order(page)) == BEST
    assert page.locator("#live svg").bounding_box()["height"] == height
    assert page.locator("tr.chosen").get_attribute("data-who") == names[1]


def test_where_nobody_is_tested_fewer_judges_take_few_resamples(visit, reports):
    """So that the slider works on thousands of candidates and a handful of judges."""
    page = visit("many", fresh=True).page
    page.locator("#units").fill("3")
    assert "With 3 of 6 judges, " in page.locator("#tally").inner_text()
    assert "too few for a test" in page.locator("#tally").inner_text()
    assert "1,000 resamples, drawn here." in page.locator("#more-said").inner_text()
    v = reports["many"].contents.verdict
    assert order(page)[:BEST] == [
        v.candidates[i] for i in v.order[:BEST]
    ]  # the scores are the same


def test_each_page_of_a_ranking_has_an_axis_on_which_its_lines_differ(visit, reports):
    page = visit("many", fresh=True).page
    rows_ = {row["candidate"]: row for row in reports["many"].contents.verdict.rows()}
    pages = -(-len(rows_) // RANKED)
    for turned_to in range(pages):
        found = page.locator("#ranked tbody tr").evaluate_all(
            """(all) => all.map((r) => { const [line, dot] = r.querySelector('.bar').children;
            return [r.dataset.who, ...[line.style.left, line.style.width, dot.style.left]
            .map(parseFloat), dot.className]; })"""
        )
        dots = {who: at for who, _, _, at, kind in found if kind == "dot"}
        ends = [(left, left + width) for _, left, width, _, _ in found]
        assert min(left for left, _ in ends) < 1  # in hundredths of the width
        assert max(right for _, right in ends) > 99
        shown = [rows_[who]["shown"] for who in dots]  # average ranks: lower is better
        turned = np.corrcoef(shown, list(dots.values()))[0, 1]
        assert turned == pytest.approx(-1, abs=1e-6)
        assert all(
            left <= at <= left + width + 1e-6 for _, left, width, at, k in found if k == "dot"
        )
        if turned_to < pages - 1:
            page.get_by_role("button", name="Next", exact=True).click()
    assert pages > 1


def test_a_page_of_eighteen_takes_six_thousand_pixels_at_most(visit_file, tmp_path):
    """And a megabyte and a half, and on a first screen whatever is asked first."""
    example, path = dh.examples.named("sat-race"), tmp_path / "page.html"
    dh.report(example.load(), path, **example.demo)
    assert path.stat().st_size < 1_500_000
    visited = visit_file(path)
    page = visited.page
    for width in (380, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.reload()
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        for place in ("h1", ".lead", ".facts", "#rerun", "#tally", ".runner:nth-of-type(7)"):
            box = page.locator(place).first.bounding_box()
            assert box["y"] + box["height"] <= 800, place
    assert page.evaluate("() => document.documentElement.scrollHeight") < 6_000
    assert page.title() == "A SAT race on made instances - deadheat report"
    words = page.locator("main").inner_text()
    assert words.count("minisat-gh first") + words.count("crown minisat-gh") == 1
    assert not visited.complaints


def test_without_scripts_nothing_is_blank(browser, pages):
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(pages["plain"].as_uri())
    seen = page.locator(".drawn:visible")
    assert seen.count() > 1
    assert all(seen.nth(k).locator("svg").count() == 1 for k in range(seen.count()))
    context.close()


def test_hovering_brings_a_line_forward(visit):
    page = visit("families", fresh=True).drawn().page
    lines = "[data-draw=rank-lines] svg .mark-line path"
    page.locator("[data-draw=rank-lines]").scroll_into_view_if_needed()
    who = page.evaluate(
        f"""() => {{ const all = [...document.querySelectorAll('{lines}')];
        const one = all.find((p) => p.__data__ && p.__data__.datum && p.__data__.datum.candidate);
        one.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}));
        return one.__data__.datum.candidate; }}"""
    )
    bright = page.evaluate(
        f"""() => [...new Set([...document.querySelectorAll('{lines}:not(.faded)')]
        .map((p) => p.__data__ && p.__data__.datum && p.__data__.datum.candidate)
        .filter(Boolean))]"""
    )
    assert bright == [who]
    page.locator("[data-draw=rank-lines]").evaluate(
        "(b) => b.querySelector('.mark-line path').dispatchEvent("
        "new PointerEvent('pointerout', { bubbles: true }))"
    )
    assert page.locator("[data-draw=rank-lines] .faded").count() == 0
