"""What axe-core finds: no serious fault for people who cannot see, hear or point."""

from __future__ import annotations

from importlib.resources import files

import pytest

GRAVE = ("serious", "critical")


@pytest.fixture(scope="session")
def axe() -> str:
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "width", "theme"),
    [
        ("plain", 1200, "light"),
        ("plain", 1200, "dark"),
        ("plain", 380, "light"),
        ("evil", 1200, "light"),
        ("families", 380, "dark"),
    ],
)
def test_axe_finds_no_grave_fault(visit, axe, name, width, theme):
    page = visit(name, width=width, theme=theme, fresh=True).drawn().unfolded().page
    page.evaluate(f"() => {{ {axe} }}")
    # Drawings are hidden from readers of screens, who get the same in words.
    found = page.evaluate(
        "async () => await window.axe.run({ exclude: [['.canvas svg'], ['#live svg']] })"
    )
    grave = {
        rule["id"]: [node["target"] for node in rule["nodes"]][:3]
        for rule in found["violations"]
        if rule["impact"] in GRAVE
    }
    assert grave == {}
    assert len(found["passes"]) > 10
