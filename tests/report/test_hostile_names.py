"""Names that mean something to JavaScript, Vega or HTML change no mark of any picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache
from typing import Any

import numpy as np
import pytest
from subjects import SUBJECTS

import deadheat as dh
from deadheat.core.errors import visible
from deadheat.report.charts import spec as vega
from deadheat.report.picture import draw_picture, kinds

# What every object of JavaScript has, so that a script which looks names up in one finds it.
INHERITED = (
    *("constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "prototype"),
    *("isPrototypeOf", "toLocaleString", "__defineGetter__", "length"),
)
MEANING = (
    *("a[0].b", "x\\y", "datum.x", '"q"', "it's", "null", "undefined", "NaN", "true", "12"),
    *("2020-01-01", "</script>", "{{x}}", "%s", "\u2028x", "<!--", "\u05e2\u05d1", "\u200b"),
    *("&amp;", "x" * 300, "\x1b[31m", "$x_1$", "1e5", "[0]"),
)


def table(names: tuple[str, ...]) -> dh.Results:
    """Candidates and judges of these names; the scores hang on how many there are alone."""
    n, judges = len(names), [*names, *(f"{name}2" for name in names)]
    rng = np.random.default_rng(n)
    scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, len(judges)))
    return dh.Results(scores=scores, candidates=names, judges=judges, better="higher")


@cache
def subject(of: type, names: tuple[str, ...]) -> Any:
    return SUBJECTS[of](table(names))


def svg(kind: Any, names: tuple[str, ...]) -> str:
    of = next(each for each in kind.of if each in SUBJECTS)
    return draw_picture(subject(of, names), kind.name).svg()


def shapes(drawing: str) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Every element with all that it looks like; only words, and the numbers of ids, are left."""
    found = []
    for node in ET.fromstring(re.sub(r"(clip|gradient_)\d+", r"\1", drawing)).iter():
        looks = (item for item in node.attrib.items() if not item[0].startswith("aria"))
        found.append((node.tag, tuple(sorted(looks))))
    return found


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_what_every_object_inherits_is_a_name_like_any_other(kind, monkeypatch):
    """The same letters in the other direction are as wide, and mean nothing."""
    harmless = tuple(name[::-1] for name in INHERITED)
    alike = {name[::-1] for name in vega.INHERITED}  # what makes them free has a hair's width
    monkeypatch.setattr(vega, "INHERITED", vega.INHERITED | alike)
    assert shapes(svg(kind, INHERITED)) == shapes(svg(kind, harmless))


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_names_with_a_meaning_draw_as_many_marks_as_others(kind):
    plain = tuple(chr(ord("a") + i) * len(name) for i, name in enumerate(MEANING))
    found, wanted = (shapes(svg(kind, each)) for each in (MEANING, plain))
    assert _marks(found) == _marks(wanted)


def _marks(found):
    """Words have their own widths, so that a map has room for more of them, or fewer."""
    return [tag for tag, looks in found if tag.endswith("path") and "stroke" in dict(looks)]


def test_names_are_told_as_they_are():
    drawing = ET.fromstring(svg(kinds()["intervals"], MEANING))
    words = {"".join(node.itertext()) for node in drawing.iter()}
    told = {visible(name) for name in MEANING if len(name) < 20 and name.strip("\u200b")}
    assert told <= words
