"""The house: rooms are one-way, no two modules import each other, the picture of it is true."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def rooms():
    sys.path.insert(0, str(ROOT / "tools"))
    yield importlib.import_module("rooms")
    sys.path.remove(str(ROOT / "tools"))


def test_no_modules_import_each_other_not_even_late_or_for_typing(rooms):
    assert rooms.circles() == []


def test_every_module_stands_in_a_room_of_the_contract(rooms):
    outside = {"deadheat", "deadheat.__main__"}
    assert {name.split(".")[1] for name in rooms.modules() if name not in outside} == set(
        rooms.rooms()
    )


def test_the_picture_of_the_rooms_is_made_from_the_imports(rooms):
    """``make docs`` writes it."""
    assert (ROOT / "docs" / "rooms.svg").read_text(encoding="utf-8") == rooms.picture()


def test_the_page_about_the_house_names_what_is_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w/]+/\w+)`", text) if not name.startswith("docs")}
    assert len(named) > 15
    house = ROOT / "src" / "deadheat"
    assert [n for n in sorted(named) if not list(house.glob(f"{n}*"))] == []
