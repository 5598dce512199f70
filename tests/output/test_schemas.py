"""What the documentation says about JSON, against what every command writes."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from deadheat.cli.program import deadheat
from deadheat.output.schema import (
    INTEGER,
    NULL,
    NUMBER,
    ORIGIN,
    TEXT,
    TOP,
    TRUTH,
    Object,
    key,
    listed,
    mapped,
    maybe,
    record,
    schemas,
)
from samples import of_the_page, samples

ROOT = Path(__file__).parents[2]
FOUND = samples() | of_the_page()
DOCUMENTS = {name: json.loads(result.to_json()) for name, result in FOUND.items()}
OF_THE_PAGE = ("report", "policies", "groupings", "names")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_key_that_is_written_is_described_and_has_its_type(name):
    document = DOCUMENTS[name]
    assert list(schemas()[document["schema"]].faults(document)) == []
    assert tuple(document) == TOP


@pytest.mark.parametrize("name", schemas())
def test_every_key_that_is_described_is_written_by_some_command(name):
    schema = schemas()[name]
    mine = [document for document in DOCUMENTS.values() if document["schema"] == name]
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
        assert {each.name for each in described.keys} - seen == set(), place
    made = {key for document in mine for key in document["made"]}
    optional = {each.name for each in (*ORIGIN, *schema.made) if each.optional}
    assert {each.name for each in schema.made} - made - optional == set()


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
        assert list(schemas()[document["schema"]].faults(document)) == []


OBJECT = Object(keys=(key("a", INTEGER, ""), maybe("b", TEXT | NULL, "")))


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ({"a": 1}, []),
        ({"a": 1, "b": None}, []),
        ({"a": 1.5}, ["x.a is 1.5, not an integer"]),
        ({"a": True}, ["x.a is true, not an integer"]),
        ({"a": "\x1b" * 99}, ['x.a is "' + r"\u001b" * 6 + r"\u…, not an integer"]),
        ({"b": "t"}, ["x.a is missing"]),
        ({"a": 1, "c": 2}, ["x.c is not described"]),
        ({"a": 1, "c d\n": 2}, [r'x["c d\n"] is not described']),
        ({"a": 1, "b": 2}, ["x.b is 2, not text or null"]),
        ([], ["x is a list, not an object"]),
    ],
)
def test_faults_are_found(value, faults):
    found = list(OBJECT.check(value, "x"))
    assert list(map(str, found)) == faults
    assert all(fault.foreign == ("described" in fault.said) for fault in found)


def test_other_keys_are_known_by_how_they_begin():
    tops = Object(keys=(), other=key("top<k>", INTEGER, ""))
    assert not list(tops.check({"top7": 1}, "x"))
    assert [str(fault) for fault in tops.check({"top7": ""}, "x")] == [
        'x.top7 is "", not an integer'
    ]
    assert all(fault.foreign for fault in tops.check({"new": ""}, "x"))
    anything = Object(keys=(), other=key("<judge>", INTEGER, ""))
    assert [str(fault) for fault in anything.check({"new": ""}, "")] == [
        'new is "", not an integer'
    ]


def test_the_fault_of_one_of_several_kinds_is_told_where_it_is():
    kind = listed(record(key("p", TEXT, ""))) | NULL
    assert [str(fault) for fault in kind.check([{"p": "a"}, {"p": 1}], "x")] == [
        "x[1].p is 1, not text"
    ]
    assert [str(fault) for fault in kind.check(3, "x")] == ["x is 3, not a list of object or null"]


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (listed(NUMBER), [1, 2.5], [[1, "2"], {"a": 1}]),
        (mapped(TRUTH, "name"), {"q": True}, [{"q": 1}, [True]]),
        (
            listed(record(key("p", TEXT, ""))),
            [{"p": "x"}],
            [[{"p": 1}], [{}], [{"p": "x", "q": 1}]],
        ),
    ],
)
def test_nested_kinds_look_inside(kind, right, wrong):
    assert not list(kind.check(right, "x"))
    assert all(list(kind.check(value, "x")) for value in wrong)


def test_the_page_names_every_schema_and_every_key():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        page = importlib.import_module("make_docs").schemas_page()
    finally:
        sys.path.remove(str(ROOT / "tools"))
    for name, schema in schemas().items():
        assert f"## `{name}`" in page
        for described in schema.objects().values():
            assert all(f"`{each.name}`" in page for each in described.keys)
    assert "| `borderline[].p` | number from 0 to 1 |" in page
    assert "| `influence.flip.left_out` | list of text |" in page
    assert "| `tournaments[tournament].weight` | number |" in page
    assert "[]." in page
    assert "|  |" not in page
