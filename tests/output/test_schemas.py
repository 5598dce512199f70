"""What the documentation says about JSON, against what every command writes."""

from __future__ import annotations

import importlib
import json
import sys
from functools import cache
from pathlib import Path
from typing import Annotated, NotRequired, TypedDict

import msgspec
import pytest
from click.testing import CliRunner

from deadheat.cli.program import deadheat
from deadheat.output.schema import OTHER_KEYS, Origin, Provenance, Whole, fault, keys_of, others
from deadheat.report.schema import schemas
from samples import of_the_page, samples

ROOT = Path(__file__).parents[2]
OF_THE_PAGE = ("report", "policies", "groupings", "names", "scores")


@cache
def documents():
    found = samples() | of_the_page()
    return {name: json.loads(result.to_json()) for name, result in found.items()}


def described(value, kind):
    """Return what of an object is described: msgspec leaves out all other keys."""
    other = OTHER_KEYS.get(kind)
    begins = other.name.partition("<")[0] if other else ()
    open_ = {name: item for name, item in value.items() if other and name.startswith(begins)}
    return open_ | msgspec.to_builtins(msgspec.convert(value, kind))


def assert_described(document):
    schema = schemas()[document["schema"]]
    assert schema.fault(document) is None
    whole = keys_of(Whole)
    assert list(document) == [name for name in whole if name in document]
    assert {name for name, key in whole.items() if not key.optional} <= {*document}
    made, facts = document["made"], document["facts"]
    assert described(made, schema.made) == made
    assert described(facts, schema.facts) == facts
    table = facts.get("table") or made.get("kind")
    rows = schema.tables[table] if schema.tables else schema.rows
    assert [described(row, rows) for row in document["rows"]] == document["rows"]


def test_every_key_that_is_written_is_described_and_has_its_type():
    for document in documents().values():
        assert_described(document)


@pytest.mark.parametrize("name", schemas())
def test_every_key_that_is_described_is_written_by_some_command(name):
    schema = schemas()[name]
    mine = [document for document in documents().values() if document["schema"] == name]
    kinds = CliRunner().invoke(deadheat, ["list", "--json"])
    mine += [json.loads(kinds.stdout)] if name == "deadheat.list/1" else []
    assert mine
    for place, described in schema.objects().items():
        table = place.removeprefix("rows of ")
        if place == "facts":
            objects = [document["facts"] for document in mine]
        else:
            told = (
                d
                for d in mine
                if table == "rows" or table == (d["facts"].get("table") or d["made"].get("kind"))
            )
            objects = [row for document in told for row in document["rows"]]
        seen = {key for each in objects for key in each}
        assert set(keys_of(described)) - seen == set(), place
    made = {key for document in mine for key in document["made"]}
    assert {key.name for key in keys_of(schema.made).values() if not key.optional} <= made


def test_what_the_command_line_writes_is_described(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,x,y,z\na,1,2,3\nb,3,2,2\nc,0,1,1\n")
    for command in (
        ["rank"],
        ["verdict", "--replicates", "99"],
        ["verdict", "--replicates", "99", "--top", "2"],
        ["check"],
        ["agree"],
    ):
        written = CliRunner().invoke(
            deadheat, [command[0], str(path), "--better", "higher", "--json", "-q", *command[1:]]
        )
        document = json.loads(written.stdout)
        assert document["made"]["command"]
        assert_described(document)


class Pair(TypedDict):
    p: Annotated[str, "its name"]


class Example(TypedDict):
    a: Annotated[int, "a number"]
    b: NotRequired[Annotated[str | None, "a text"]]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": 1}, None),
        ({"a": 1, "b": None}, None),
        ({"a": 1, "c d\n": 2}, None),  # a later version may add keys
        ({"a": 1.5}, "x.a is 1.5, not an integer"),
        ({"a": True}, "x.a is true, not an integer"),
        ({"a": "\x1b" * 99}, 'x.a is "' + r"\u001b" * 6 + r"\u…, not an integer"),
        ({"b": "t"}, "x.a is missing"),
        ({"a": 1, "b": 2}, "x.b is 2, not text or null"),
        ([], "x is a list, not an object"),
    ],
)
def test_faults_are_found(value, said):
    found = fault(value, Example, "x")
    assert (found and str(found)) == said
    assert (found is not None and found.missing) == (said == "x.a is missing")


def test_other_keys_are_known_by_how_they_begin():
    tops = others("top<k>", int, "")(TypedDict("Tops", {}))
    assert fault({"top7": 1, "new": ""}, tops, "x") is None
    assert str(fault({"top7": ""}, tops, "x")) == 'x.top7 is "", not an integer'
    anything = others("<judge>", int, "")(TypedDict("Anything", {}))
    assert str(fault({"new": ""}, anything, "")) == 'new is "", not an integer'


def test_the_fault_of_one_of_several_kinds_is_told_where_it_is():
    kind = list[Pair] | None
    assert str(fault([{"p": "a"}, {"p": 1}], kind, "x")) == "x[1].p is 1, not text"
    assert str(fault(3, kind, "x")) == "x is 3, not a list of object or null"


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (list[float], [1, 2.5], [[1, "2"], {"a": 1}]),
        (dict[str, bool], {"q": True}, [{"q": 1}, [True]]),
        (list[Pair], [{"p": "x"}], [[{"p": 1}], [{}]]),
    ],
)
def test_nested_kinds_look_inside(kind, right, wrong):
    assert fault(right, kind, "x") is None
    assert all(fault(value, kind, "x") for value in wrong)


@pytest.mark.parametrize("name", schemas())
def test_what_is_said_about_data_has_one_meaning_everywhere(name):
    for key in {**keys_of(Origin), **keys_of(Provenance)}.values():
        assert keys_of(schemas()[name].made)[key.name].meaning == key.meaning


def test_the_page_names_every_schema_and_every_key():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        page = importlib.import_module("make_docs").schemas_page()
    finally:
        sys.path.remove(str(ROOT / "tools"))
    for name, schema in schemas().items():
        assert f"## `{name}`" in page
        for described in schema.objects().values():
            assert all(f"`{key}`" in page for key in keys_of(described))
    assert "| `borderline[].p` | number from 0 to 1 |" in page
    assert "| `influence.flip.left_out` | list of text |" in page
    assert "| `tournaments[tournament].weight` | number |" in page
    assert "[]." in page
    assert "|  |" not in page
