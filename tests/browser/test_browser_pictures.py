"""The page of a single picture in a browser: drawn under its policy, whatever the names."""

from __future__ import annotations

import pytest

import deadheat as dh
from deadheat.report.picture import kinds


@pytest.mark.parametrize("kind", kinds(dh.Verdict))
def test_a_picture_is_drawn_under_its_policy(visit_file, evil_verdict, tmp_path, kind):
    path = tmp_path / "picture.html"
    evil_verdict.plot(kind).save(path)
    seen = visit_file(path)
    seen.page.wait_for_selector("#picture svg path", state="attached")
    assert seen.complaints == []
    assert seen.requests == [path.as_uri()]
    actions = seen.page.text_content("#picture .vega-actions")
    assert "Save as SVG" in actions
    assert "Editor" not in actions
