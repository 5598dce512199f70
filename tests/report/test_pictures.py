"""Laws over all pictures: what every file in report/plots must keep."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ET
from functools import cache

import altair as alt
import pytest
from subjects import subject

import deadheat as dh
from deadheat.core.errors import visible
from deadheat.report.charts.spec import whole_spec
from deadheat.report.picture import draw_picture, kinds

ALL = kinds()
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(black|white|red|blue|green|steelblue)\b")
EVIL = "<script>alert(\"x\")</script> & 'q' ${0} 😀 עברית"
LARGEST = 300_000


@pytest.fixture(params=sorted(ALL))
def kind(request):
    return ALL[request.param]


@cache
def picture_of(kind, n):
    return subject(kind.of[0], n).plot(kind.name)


@cache
def evil_column(kind):
    """A picture of one column, with names that mean harm."""
    return subject(kind.of[0], 8, names=EVIL).plot(kind.name, width="column")


@cache
def evil_svg(kind):
    return evil_column(kind).svg()


@pytest.mark.parametrize("n", [2, 30])
def test_says_what_to_see_and_tells_it_in_words(kind, n):
    picture = picture_of(kind, n)
    assert picture.title[0].isupper()
    assert picture.see.endswith(".")
    assert not picture.see.endswith("..")
    assert picture.see.count("\n") == 0
    assert len(picture.alt) > len(picture.title)
    assert kind.summary.endswith(".")


def test_is_what_vega_lite_understands(kind):
    """Pictures are written without this check, which takes longer than all the rest."""
    alt.TopLevelSpec.validate(picture_of(kind, 2).spec())
    alt.TopLevelSpec.validate(evil_column(kind).spec())


def test_has_a_chart_of_altair():
    picture = subject(dh.Verdict, 4).plot("intervals")
    chart = picture.chart
    assert isinstance(chart, alt.LayerChart)
    assert {**chart.to_dict(), "config": 0} == {**whole_spec(picture.view), "config": 0}


@pytest.mark.parametrize("n", [2, 30])
def test_is_drawn_as_svg_with_its_text_alternative(kind, n):
    picture = picture_of(kind, n)
    root = ET.fromstring(picture.svg())
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == visible(picture.alt)


def test_is_small_and_leaves_colours_to_the_theme(kind):
    spec = picture_of(kind, 30).spec()
    assert len(json.dumps(spec, allow_nan=False)) < LARGEST
    del spec["config"], spec["description"], spec["title"]
    spec.pop("datasets", None)
    assert not COLOUR.search(json.dumps(spec))


def test_a_column_is_no_wider_than_asked(kind):
    assert float(ET.fromstring(evil_svg(kind)).attrib["width"]) <= 320


def test_a_file_is_as_wide_on_paper_as_asked_and_has_its_fonts(tmp_path):
    picture = subject(dh.Verdict, 4).plot("intervals", width="3.3in")
    for name in ("fig.svg", "fig.pdf"):
        picture.save(tmp_path / name, titled=False)
    svg = (tmp_path / "fig.svg").read_text(encoding="utf-8")
    assert float(ET.fromstring(svg).attrib["width"]) / 96 == pytest.approx(3.3, abs=0.01)
    assert picture.title not in svg
    font = base64.b64decode(re.search(r"font/ttf;base64,([^)]*)\)", svg)[1])
    assert {b"cmap", b"glyf"} <= {font[12 + 16 * k : 16 + 16 * k] for k in range(font[5])}
    pdf = (tmp_path / "fig.pdf").read_bytes()
    points = float(re.search(rb"/MediaBox \[0 0 ([\d.]+)", pdf)[1])
    assert points / 72 == pytest.approx(3.3, abs=0.01)
    assert b"/FontFile2" in pdf


def test_names_do_no_harm(kind):
    ET.fromstring(evil_svg(kind))
    assert "<script>alert" not in evil_column(kind).html()


def test_every_picture_can_be_asked_for_by_name(kind):
    result = subject(kind.of[0], 2)
    assert dh.plot(result, kind.name).kind == kind.name
    assert draw_picture(result, kind.name.replace("-", "_")).kind == kind.name


def test_a_page_of_a_picture_runs_its_own_scripts_and_nothing_else():
    page = subject(dh.Verdict, 4, names="</script><script>alert(1)").plot().html()
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 2
    policy = re.search('<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)[1]
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert page.index("Content-Security-Policy") < page.index("<script>")


def test_a_picture_in_a_notebook_is_only_a_picture():
    shown = subject(dh.Verdict, 4, names="<script>alert(1)</script>\x1b[31m").plot()._repr_html_()
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert not re.search(r"<[^>]*\son\w+=", shown)
