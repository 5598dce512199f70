"""Pages in a real browser without a network: Chromium through playwright, where both are there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from samples import families

NAMES = ("CHROMIUM", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 90_000  # milliseconds: machines that build may be busy
EVIL = [
    "<script>alert(1)</script>",
    "\"quoted\" 'twice' & co",
    "עברית שלום",
    "😀 emoji",
    "=cmd()",
    "</script><b>bold</b>",
    "long" * 50,
    "{{ 7 * 7 }} {% raw %} ${x}",
]


def chromium() -> str | None:
    return next(filter(None, (shutil.which(os.environ.get(n, n)) for n in NAMES)), None)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = chromium()
    if program is None:
        pytest.skip("there is no Chromium here; the variable CHROMIUM may name one")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"], timeout=PATIENCE
        )
        yield opened
        opened.close()


def field(n: int, m: int, candidates: list[str] | None = None, **given) -> dh.Results:
    rng = np.random.default_rng(n * 1000 + m)
    scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, m))
    names = candidates or [f"candidate {i}" for i in range(n)]
    return dh.Results(scores=scores, candidates=names, better="higher", **given)


def battles() -> dh.Battles:
    rng = np.random.default_rng(5)
    left, right = rng.permuted(np.tile(np.arange(6), (600, 1)), axis=1)[:, :2].T
    won = rng.random(600) < 1 / (1 + np.exp((left - right) / 2))
    return dh.Battles(
        left=[f"player {i}" for i in left],
        right=[f"player {i}" for i in right],
        winner=["left" if each else "right" for each in won],
    )


JUDGES = [f'<img src=x onerror=alert({j})> "j{j}"' for j in range(25)]
MADE = {
    "plain": lambda: dh.report(field(12, 30), replicates=500, title="A plain table"),
    "numbers": lambda: dh.report(
        field(36, 12, [str(i) for i in range(36, 0, -1)]), replicates=200, title="Numbers"
    ),
    "battles": lambda: dh.report(battles(), title="Battles"),
    "families": lambda: dh.report(families(), by="mean", replicates=2_000, title="Families"),
    "closed": lambda: dh.report(families(), by="mean", replicates=500, data=False),
    "many": lambda: dh.report(field(130, 6), replicates=99, title="Many"),
    "evil": lambda: dh.report(
        field(8, 25, EVIL, judges=JUDGES), replicates=500, title="<script>alert(2)</script>"
    ),
}


class Lazily(dict):
    """Make what is asked for, once."""

    def __init__(self, make) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, name):
        self[name] = self.make(name)
        return self[name]


@pytest.fixture(scope="session")
def reports() -> dict[str, dh.Report]:
    return Lazily(lambda name: MADE[name]())


@pytest.fixture(scope="session")
def pages(reports, tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")

    def written(name: str) -> Path:
        reports[name].save(folder / f"{name}.html")
        return folder / f"{name}.html"

    return Lazily(written)


class Visit:
    """A page that is open, and everything that it complained about or asked for."""

    def __init__(self, page, path: Path) -> None:
        self.page = page
        self.address = path.as_uri()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.stale = False
        page.set_default_timeout(PATIENCE)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._asked)
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(self.address)

    def _heard(self, message) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _asked(self, dialog) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def ready(self, *, fresh: bool) -> Visit:
        """Return the page as it is, or loaded again: before a test, and so that the next one is."""
        if fresh or self.stale:
            self.page.emulate_media(media="screen")
            self.page.goto("about:blank")  # else the state in the address would stay
            self.page.goto(self.address)
        self.stale = fresh
        self.page.wait_for_selector("html[data-begun=yes]", state="attached")
        return self

    def drawn(self) -> Visit:
        """Wait until all pictures that are not folded are drawn."""
        self.page.wait_for_selector("html[data-ready=yes]", state="attached")
        return self

    def unfolded(self) -> Visit:
        """Open everything, and wait until all pictures are drawn."""
        self.page.evaluate(
            "() => document.querySelectorAll('details').forEach((d) => { d.open = true; })"
        )
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('[data-draw]')]
            .every((box) => box.querySelector('svg'))"""
        )
        return self


@pytest.fixture
def visit_file(browser):
    """Open a file of any kind in a window of its own."""
    opened = []

    def visited(path: Path) -> Visit:
        opened.append(browser.new_context())
        return Visit(opened[-1].new_page(), path)

    yield visited
    for context in opened:
        context.close()


@pytest.fixture(scope="session")
def evil_verdict() -> dh.Verdict:
    names = ["constructor", "__proto__", "toString", *EVIL]
    return dh.verdict(field(len(names), 25, names), replicates=200)


@pytest.fixture(scope="session")
def contexts(browser):
    """One window for each page, width and theme; a page is loaded once and used by many tests."""
    opened: dict[tuple[str, int, str, bool], Visit] = {}
    yield opened
    for visit in opened.values():
        visit.page.context.close()


@pytest.fixture
def visit(browser, pages, contexts):
    def opened(
        name: str = "plain",
        *,
        width: int = 1200,
        theme: str = "light",
        fresh: bool = False,
        moving: bool = False,
    ) -> Visit:
        key = name, width, theme, moving
        if key not in contexts:
            context = browser.new_context(
                viewport={"width": width, "height": 900},
                color_scheme=theme,
                offline=True,
                accept_downloads=True,
                reduced_motion="no-preference" if moving else "reduce",
            )
            contexts[key] = Visit(context.new_page(), pages[name])
        return contexts[key].ready(fresh=fresh)

    return opened
