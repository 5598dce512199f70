"""The registry that every kind of plug-in has."""

from __future__ import annotations

import pytest

from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.core.registry import Registry


def test_a_name_is_known_in_any_spelling_and_the_nearest_is_offered():
    things = Registry("thing", {"b-b": 1, "a": 2, "c": 3}.items, first=("c",))
    assert list(things.items()) == [("c", 3), ("a", 2), ("b-b", 1)]
    assert things.named(" B_b") == things["b b"] == 1
    with pytest.raises(UnknownNameError, match=r"unknown thing 'b-c'. Did you mean 'b-b'\?"):
        things.named("b-c")


def test_two_things_of_one_name_are_refused():
    with pytest.raises(UsageError, match="two different things are called 'A'"):
        list(Registry("thing", {"a": 1, "A": 2}.items))
