"""Names from right to left move nothing beside them."""

from __future__ import annotations

import re

import numpy as np

import deadheat as dh
from deadheat.core.errors import visible
from deadheat.report.page import END, FIRST_STRONG, isolating

HEBREW, ARABIC = "אבג דהו", "علي"


def test_only_such_names_are_enclosed_and_longest_first():
    told = isolating(["x", HEBREW, HEBREW + " 2", ARABIC])(f"x, {HEBREW} 2 (1), {ARABIC} (2)")
    assert told == f"x, {FIRST_STRONG}{HEBREW} 2{END} (1), {FIRST_STRONG}{ARABIC}{END} (2)"
    assert isolating(["x"])("x") == "x"


def test_every_such_name_of_a_page_is_enclosed():
    rng = np.random.default_rng(0)
    names = [HEBREW, ARABIC, "plain"]
    scores = np.arange(3.0)[:, None] + rng.normal(0, 1, (3, 12))
    table = dh.Results(scores=scores, candidates=names, better="higher")
    page = dh.report(table, replicates=200).html()
    body = re.sub(r"<(script|style|title|bdi|option|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    body = re.sub(r' (data-who|title)="[^"]*"', "", body)  # the name alone
    for name in names[:2]:
        assert visible(name) in body
        assert not re.search(f"(?<!{FIRST_STRONG}){name}", body)
