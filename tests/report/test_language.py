"""One visual language: a hue says one thing, is told beside the picture, and is told apart."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from subjects import subject

from deadheat.report.charts.theme import HUES, config, palette
from deadheat.report.picture import kinds

# Machado, Oliveira and Fernandes (2009), table 1, severity 1: linear RGB as seen by others.
SEEN = {
    "everybody": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
CLEARLY = 20.0  # CIE76; 2.3 can just be noticed
LEGIBLE = 3.0  # contrast of what is no text, WCAG 1.4.11


def linear(colour: str) -> Any:
    value = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(light: Any) -> Any:
    x = np.array(TO_XYZ) @ np.clip(light, 0, 1) / [0.95047, 1.0, 1.08883]
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one: str, other: str) -> float:
    a, b = sorted(float(linear(each) @ TO_XYZ[1]) for each in (one, other))
    return (b + 0.05) / (a + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eyes", SEEN)
def test_what_hues_say_and_the_rest_are_told_apart(theme, eyes):
    styles = config(theme)["style"]
    colours = [styles[name]["color"] for name in (*HUES, "muted")]
    seen = [lab(np.array(SEEN[eyes]) @ linear(colour)) for colour in colours]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > CLEARLY


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hues_stand_out_from_the_background(theme):
    look = config(theme)
    for name in HUES:
        assert contrast(look["style"][name]["color"], look["background"]) > LEGIBLE


def test_the_page_has_the_hues_of_its_pictures():
    for theme in ("light", "dark"):
        for name in HUES:
            assert f"--{name}:{config(theme)['style'][name]['color']};" in palette()


def hues(picture: Any) -> set[str]:
    """Return which hues are seen in a picture: its own, and both of a matrix."""
    drawn, styles = picture.svg(), config()["style"]
    seen = {hue for hue in HUES if styles[hue]["color"] in drawn}
    return seen | ({"wins", "loses"} if '"diverging"' in json.dumps(picture.view) else set())


@pytest.mark.parametrize("name", sorted(kinds()))
@pytest.mark.parametrize("n", [4, 30])
def test_a_caption_names_each_hue_and_no_other(name, n):
    picture = subject(kinds()[name].of[0], n).plot(name)
    told = {hue for hue, word in HUES.items() if word.lower() in picture.see.lower()}
    assert told == (hues(picture) if picture.shows else set())
