"""What the page does in a browser."""

from __future__ import annotations

import json
import re

import pytest

from deadheat.output.text import percent
from deadheat.report.page import RANKED


@pytest.mark.parametrize("name", ["plain", "evil"])
def test_everything_renders_without_complaint_or_request(visit, reports, pages, name):
    opened = visit(name, fresh=True).drawn().unfolded()
    page = opened.page
    for section in reports[name].sections:
        assert page.locator(f"section#{section.name}").count() == 1
        for picture in section.pictures:
            where = "#live" if section.name == "answer" else f"[data-draw={picture.kind}]"
            assert page.locator(f"{where} svg").count() == picture.shows
            if not picture.shows:
                assert page.locator(f"p#picture-{picture.kind}").inner_text()
    assert opened.complaints == []
    assert {url for url in opened.requests if not url.startswith("blob:")} == {pages[name].as_uri()}


def test_hostile_names_are_text_and_nothing_else(visit, reports):
    opened = visit("evil").drawn()
    page = opened.page
    names = page.locator("#ranked tbody th").all_inner_texts()
    assert sorted(
        page.locator("#live .runner").evaluate_all("(each) => each.map((g) => g.dataset.who)")
    ) == sorted(names)
    assert sorted(names) == sorted(row["candidate"] for row in reports["evil"].contents.main.rows())
    assert page.locator("main script, main img, main b").count() == 0
    assert page.title().startswith("<script>alert(2)</script>")


def ranked(page, column: int) -> list[str]:
    return page.locator(f"#ranked tbody tr:visible > :nth-child({column})").all_inner_texts()


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_it(visit):
    page = visit().page
    button = page.locator("#ranked thead button", has_text="average rank")
    head = page.locator("#ranked thead th", has_text="average rank")
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    upwards = [float(text) for text in ranked(page, 3)]
    assert upwards == sorted(upwards)
    button.click()
    assert head.get_attribute("aria-sort") == "descending"
    assert [float(text) for text in ranked(page, 3)] == sorted(upwards, reverse=True)


def test_names_sort_as_people_count(visit):
    page = visit(fresh=True).page
    page.locator("#ranked thead button", has_text="candidate").click()
    assert ranked(page, 1) == [f"candidate {i}" for i in range(12)]


def test_search_and_groups_leave_what_fits(visit, reports):
    page = visit(fresh=True).page
    page.locator("#search").fill("CANDIDATE 1")
    assert sorted(ranked(page, 1)) == ["candidate 1", "candidate 10", "candidate 11"]
    assert page.locator("#count").inner_text() == "3 of 12 candidates"
    page.locator("#search").fill("")
    page.locator("#group").select_option("2")
    assert ranked(page, 1) == list(reports["plain"].contents.verdict.groups[1])


def test_two_selects_show_a_pair(visit, reports):
    verdict = reports["plain"].contents.verdict
    page = visit().page
    names = page.locator("#pair-a option").all_inner_texts()
    for a, b in ((0, 3), (3, 0)):
        page.locator("#pair-a").select_option(str(a))
        page.locator("#pair-b").select_option(str(b))
        found = verdict.compare(names[a], names[b])
        told = page.locator("#pair").inner_text()
        wins = f"{names[a]} wins {found.duel.higher}, {names[b]} {found.duel.lower}"
        assert wins in told
        for sign in (1, -1):
            for judge in found.deciding(sign, 5):
                assert found.results.judges[judge] in told
    page.locator("#pair-b").select_option("3")
    page.locator("#pair-a").select_option("3")
    assert page.locator("#pair").inner_text() == "Choose two different candidates."


def test_a_click_on_neighbours_shows_their_pair(visit):
    page = visit("plain").drawn().page
    marks = page.locator("[data-draw=improvement] svg .mark-symbol path[aria-label]")
    for k in (1, 5, marks.count() - 1):
        marks.nth(k).click(force=True)
        told = marks.nth(k).get_attribute("aria-label").split("; ")
        (pair,) = (part.removeprefix("pair: ") for part in told if part.startswith("pair: "))
        chosen = [
            page.locator(f"#pair-{x}").evaluate("(one) => one.selectedOptions[0].text")
            for x in "ab"
        ]
        assert " over ".join(chosen) == pair


def test_a_long_ranking_is_read_in_pages_and_searched_as_a_whole(visit, reports):
    page = visit("many", fresh=True).page
    names = [row["candidate"] for row in reports["many"].contents.verdict.rows()]
    assert ranked(page, 1) == names[:RANKED]
    turns = (len(names) - 1) // RANKED
    for _ in range(turns):
        page.get_by_role("button", name="Next", exact=True).click()
    assert ranked(page, 1) == names[turns * RANKED :]
    assert page.get_by_role("button", name="Next", exact=True).is_disabled()
    page.fill("#search", names[-1])
    assert ranked(page, 1) == names[-1:]
    assert page.locator("#count").inner_text() == "1 of 130 candidates"
    page.fill("#search", "")
    page.locator("#ranked thead button", has_text="candidate").click()
    assert ranked(page, 1) == [f"candidate {i}" for i in range(RANKED)]


def test_a_battle_log_is_searched_and_compared(visit, reports):
    page = visit("battles").page
    rated = reports["battles"].contents.ratings
    names = [row["candidate"] for row in rated.rows()]
    assert page.locator("#ranked tbody th").all_inner_texts() == names
    page.fill("#search", names[2])
    assert page.locator("#ranked tbody tr:visible").count() == 1
    page.fill("#search", "")
    for i, k in ((0, 3), (4, 1)):
        page.select_option("#pair-a", str(i))
        page.select_option("#pair-b", str(k))
        chance = rated.p_beats(names[i], names[k])
        said = f"{percent(chance.p)} ({percent(chance.low)} to {percent(chance.high)})"
        assert page.locator("#pair dd").first.inner_text() == said


def test_downloads_are_what_the_results_write(visit, reports):
    opened = visit(fresh=True).drawn().unfolded()
    page = opened.page
    tables = [table for section in reports["plain"].sections for table in section.tables]
    for table in tables[::6]:  # Chromium stops a page that saves more than ten files
        button = page.locator(f"[data-csv='{table.name}']").first
        with page.expect_download() as coming:
            button.click()
        assert coming.value.suggested_filename == f"A-plain-table-{table.name}.csv"
        written = coming.value.path().read_text(encoding="utf-8")
        assert written == table.result.to_csv()
    with page.expect_download() as coming:
        page.locator("[data-json]").first.click()
    whole = json.loads(coming.value.path().read_text(encoding="utf-8"))
    assert whole["schema"] == "deadheat.report/1"
    verdict = json.loads(reports["plain"].contents.verdict.to_json())
    assert whole["facts"]["results"]["verdict"]["rows"] == verdict["rows"]


def test_pictures_are_saved_as_svg_and_png(visit):
    page = visit().drawn().page
    for form, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as coming:
            page.locator(f"[data-save={form}][data-live]").click()
        assert coming.value.suggested_filename == f"A-plain-table-intervals.{form}"
        saved = coming.value.path().read_bytes()
        assert saved.startswith(begins)
        assert b"var(" not in saved
        with page.expect_download() as coming:
            page.locator(f"[data-save={form}][data-picture=rank-lines]").click()
        assert coming.value.path().read_bytes().startswith(begins)


@pytest.mark.parametrize(("name", "theme"), [("plain", "light"), ("evil", "dark")])
def test_a_small_screen_scrolls_only_inside_its_boxes(visit, name, theme):
    page = visit(name, width=380, theme=theme).drawn().page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 380
    assert page.evaluate("() => document.body.scrollWidth") <= 380


def background(page) -> str:
    return page.evaluate("() => getComputedStyle(document.body).backgroundColor")


def test_a_phone_shows_candidate_score_first_and_a_cue_for_more(visit):
    page = visit(width=380, fresh=True).page
    heads = page.locator("#ranked thead th:visible").all_inner_texts()
    assert heads == ["candidate", "rank", "average rank", "first"]
    page.locator("#more").click()
    assert page.locator("#ranked thead th:visible").count() > len(heads)


def test_dark_and_light_also_for_pictures(visit):
    page = visit(theme="dark", fresh=True).drawn().page
    dark = background(page)
    drawn = page.locator("[data-draw=rank-lines] svg").inner_html()
    page.locator("#theme").click()
    page.wait_for_function("() => document.documentElement.dataset.theme === 'light'")
    assert background(page) != dark
    page.wait_for_function(
        "() => document.querySelector('[data-draw=rank-lines]').dataset.drawn.startsWith('light')"
    )
    page.wait_for_function(
        "drawn => document.querySelector('[data-draw=rank-lines] svg')?.innerHTML !== drawn",
        arg=drawn,
    )


def test_the_keyboard_reaches_everything(visit):
    page = visit(fresh=True).page
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "main"
    button = page.locator("#ranked thead button").first
    button.focus()
    page.keyboard.press("Enter")
    head = page.locator("#ranked thead th").first
    assert head.get_attribute("aria-sort") == "ascending"
    outline = button.evaluate("node => getComputedStyle(node).outlineStyle")
    assert outline != "none"
    page.locator("#pair-b").focus()
    before = page.locator("#pair").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#pair").inner_text() != before


def test_print_shows_everything_in_light_colours(visit):
    opened = visit(theme="dark", fresh=True).drawn()
    page = opened.page
    page.wait_for_selector("html[data-printable=yes]", state="attached")
    assert page.locator(".paper:visible, .paper svg:visible").count() == 0
    page.emulate_media(media="print")
    page.evaluate("() => { window.dispatchEvent(new Event('beforeprint')); }")
    printed = page.evaluate(
        """() => [...document.querySelectorAll('figure.picture:has(.canvas)')].map((figure) => ({
            dark: figure.querySelector('.canvas').checkVisibility(),
            light: figure.querySelector('.paper svg').checkVisibility(),
            ground: getComputedStyle(figure.querySelector('.paper svg')).backgroundColor,
            wide: figure.querySelector('.paper svg').getBoundingClientRect().right
                > document.documentElement.clientWidth,
        }))"""
    )
    assert len(printed) > 10
    white = {"dark": False, "light": True, "ground": "rgb(255, 255, 255)", "wide": False}
    assert all(each == white for each in printed)
    assert page.locator("#live svg").is_visible()  # its colours are those of the page
    assert not page.locator("#race").is_visible()
    assert page.locator("button:not(th button):visible, select:visible").count() == 0
    long = (
        "[...document.querySelectorAll('.fold')]"
        ".map((fold) => [fold.querySelector('tbody').rows.length, fold.open])"
    )
    folds = page.evaluate(f"() => {long}")
    assert folds
    assert all(is_open == (rows <= 40) for rows, is_open in folds)
    page.evaluate("() => { window.dispatchEvent(new Event('afterprint')); }")
    assert not any(is_open for _, is_open in page.evaluate(f"() => {long}"))
    assert re.findall(r"\d+", background(page)) == ["255", "255", "255"]
    assert opened.complaints == []


def test_what_is_printed_at_once_has_pictures_or_their_words(visit):
    page = visit(fresh=True).page
    page.emulate_media(media="print")
    page.evaluate("() => { window.dispatchEvent(new Event('beforeprint')); }")
    told = page.evaluate(
        """() => [...document.querySelectorAll('figure.picture')].map((figure) =>
            [...figure.querySelectorAll('svg, .words p')].some((each) => each.checkVisibility()))"""
    )
    assert len(told) > 10
    assert all(told)


def test_a_small_screen_has_the_words_of_its_pictures(visit, reports):
    page = visit("numbers", width=380, fresh=True).drawn().unfolded().page
    differ = 0
    for section in reports["numbers"].sections:
        for picture in section.pictures:
            shown = picture.narrow or picture
            if section.name == "answer" or not shown.shows:
                continue
            figure = page.locator(f"#picture-{picture.kind}")
            assert figure.locator("figcaption").inner_text() == shown.see
            assert figure.locator(f"#words-{picture.kind}").inner_text() == shown.alt
            differ += shown.see != picture.see
    assert differ
