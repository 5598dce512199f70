"""Results that are read back from JSON, of every schema there is."""

from __future__ import annotations

import json
import pickle
import re

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.cli.terminal import page
from deadheat.report.load import Saved, load, saved_at
from nasty import NAMES
from samples import samples

FOUND = samples()
DOCUMENT = {
    "schema": "deadheat.rank/1",
    "made": {"version": "0", "ranks": "average", "source": "t", "sha256": "0"},
    "verdict": "",
    "warnings": [],
    "facts": {"first": {}},
    "rows": [],
    "table": {"columns": []},
}


def written(**changes):
    return json.dumps(DOCUMENT | changes)


@pytest.mark.parametrize("name", FOUND)
def test_what_is_read_back_writes_itself_as_before(name):
    result = FOUND[name]
    text = result.to_json()
    back = load(text)
    assert back.to_json() == text
    assert back.to_csv() == result.to_csv()
    assert back.to_tsv() == result.to_tsv()
    assert back.schema == result.schema
    assert back.verdict == result.verdict
    assert list(back.warnings)[: len(result.warnings)] == list(result.warnings)
    assert load(result.to_json(indent=None)).to_json() == text
    assert load(back.to_json()).to_json() == text
    assert page(back) == page(result)
    assert back.to_md() == result.to_md()
    assert back.to_latex() == result.to_latex()
    named = f'title="{type(result).__name__}"', 'title="Saved"'
    assert back._repr_html_() == result._repr_html_().replace(*named)


# Every command that prints a result, on something small.
COMMANDS = """rank {t}; rank {t} --by all; score {r} --rule par2 --cutoff 8; check {t};
verdict {t} --replicates 99; verdict {t} --replicates 99 --by mean --strict; verdict {t} --by mean;
verdict {t} --replicates 99 --show pairs --strict --by mean; verdict {t} --top 2 --replicates 99;
verdict {t} --replicates 99 --show summary; compare {t} a b --by mean --replicates 99;
influence {t} --by copeland; agree {t};
agree {t} --show matrix; consensus {t}; criteria {t} --trials 9 --repeats 2;
criteria {t} --trials 9 --repeats 2 --show correlations; axioms schulze --budget 99;
axioms mean --table {t}; rate {t} --replicates 99; rate {t} --replicates 99 --show pairs;
list; list functions; list plots; demo --data compressors"""


@pytest.mark.parametrize("command", [" ".join(each.split()) for each in COMMANDS.split(";")])
def test_show_prints_what_the_command_printed(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    table, runs = "t.csv", "r.csv"
    head = "model," + ",".join(f"j{k}" for k in range(8))
    values = {"a": "13245867", "b": "24136578", "c": "31452786", "d": "11223344"}
    lines = [f"{name},{','.join(row)}" for name, row in values.items()]
    (tmp_path / table).write_text("\n".join([head, *lines]) + "\n")
    long = [f"{n},j{k},{x}" for n, row in values.items() for k, x in enumerate(row)]
    (tmp_path / runs).write_text("\n".join(["solver,instance,time", *long]) + "\n")
    asked = command.format(t=f"{table} --better higher", r=runs).split()
    run = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"})
    saved = run.invoke(deadheat, [*asked, "-q", "-o", "saved.json"])
    assert saved.exit_code == 0, saved.output
    for form in ("table", "md", "latex"):
        fresh = run.invoke(deadheat, [*asked, "-q", "--format", form])
        assert fresh.exit_code == 0, fresh.output
        shown = run.invoke(deadheat, ["show", "saved.json", "-q", "--format", form])
        assert shown.stdout == fresh.stdout
        assert shown.stdout.count("\n") > 3


def test_a_saved_verdict_answers_as_the_verdict_does():
    v = FOUND["strict verdict"]
    back = load(v.to_json())
    assert back.groups == v.groups
    assert back.winners == v.winners
    assert back.facts()["guarantee"] == v.guarantee
    assert set(back.candidates) == set(v.candidates)
    for name in v.candidates:
        assert back.row(name) == v.row(name)
    with pytest.raises(dh.UsageError, match=r"unknown candidate 'aba'\. Did you mean 'ada'"):
        back.row("aba")


def test_saved_ratings_have_their_rows_and_groups():
    r = FOUND["rate of a log"]
    back = load(r.to_json())
    assert back.groups == r.groups
    assert back.row("bob") == next(row for row in r.rows() if row["candidate"] == "bob")
    assert load(FOUND["rate of parts"].to_json()).groups == ()


def test_a_path_a_text_and_bytes_are_the_same(tmp_path):
    text = FOUND["rank"].to_json()
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    marked = tmp_path / "marked.json"
    marked.write_text(text, encoding="utf-8-sig")
    for source in (path, str(path), text, text.encode(), "\ufeff" + text, "\n " + text, marked):
        assert load(source).to_json() == text


def test_it_survives_the_way_to_another_process_and_more_facts():
    back = load(FOUND["rank"].to_json())
    assert pickle.loads(pickle.dumps(back)).to_json() == back.to_json()
    assert back.also_made(x=1).schema == "deadheat.rank/1"


@settings(max_examples=25)
@given(st.lists(st.sampled_from(NAMES) | st.text(max_size=5), min_size=2, max_size=5, unique=True))
def test_any_names_come_back(names):
    text = dh.Results(
        scores=[[i, 2 * i] for i in range(len(names))], candidates=names, better="higher"
    )
    ranked = dh.rank(text, by="mean")
    back = load(ranked.to_json())
    assert back.to_json() == ranked.to_json()
    assert {row["candidate"] for row in back.rows()} == set(names)


@pytest.mark.parametrize(
    ("text", "fact", "hint"),
    [
        ("{", "the text is no JSON", "cut short"),
        ("", "the text is no JSON", "to_json()"),
        ("[1]", "was not written by deadheat: it names no schema", "to_json()"),
        ('{"a": 1}', "was not written by deadheat: it names no schema", "to_json()"),
        ('{"schema": 3}', "its schema is '3'", "to_json()"),
        (written(schema="other.rank/1"), "its schema is 'other.rank/1'", "to_json()"),
        (written(schema="deadheat.rank/x"), "its schema is 'deadheat.rank/x'", "to_json()"),
        (written(schema="deadheat.rang/1"), "the unknown schema 'deadheat.rang/1'", "known: "),
        (written(schema="deadheat.rank/2"), "this deadheat knows deadheat.rank/1", "upgrade"),
        (written(rows={}), "rows is an object, not a list of object", "to_json()"),
        (written(rows=[1]), r"rows\[0\] is 1, not an object", "to_json()"),
        (written(warnings=[1]), r"warnings\[0\] is 1, not text", "to_json()"),
        (written(more=1), "'more': no key of a result", "leave it out"),
        ('{"schema": "deadheat.rank/1"}', "made is missing", "to_json()"),
        (written(schema="deadheat.rank/" + "9" * 5000), "was not written by deadheat", "to_json()"),
        ("3", "it names no schema|cannot read", "to_json()"),
        (written(rows=[{"x": float("nan")}]), "NaN is no number of JSON", "to_json()"),
        (b"{\xff", "no text in UTF-8: byte 2", "to_json()"),
        ('{"schema":' + "[" * 500 + "]" * 500 + "}", "nested too deeply", "to_json()"),
        ("{" + '"a":[' * 100_000, "nested too deeply|no JSON", "to_json()"),
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused_with_a_reason(text, fact, hint):
    with pytest.raises(dh.DataError, match=fact) as raised:
        load(text)
    assert hint in raised.value.hint


def test_files_that_cannot_be_read_are_refused(tmp_path):
    for path in (tmp_path / "absent.json", tmp_path, "no\0such"):
        with pytest.raises(dh.DataError, match="cannot read"):
            load(path)
    with pytest.raises(dh.UsageError, match="a int is no saved result"):
        load(3)


@pytest.mark.parametrize("form", ["json", "csv", "tsv"])
def test_show_writes_what_the_command_wrote(tmp_path, form):
    table = tmp_path / "t.csv"
    table.write_text("model,x,y,z\na,1,2,3\nb,3,2,2\nc,0,1,1\n")
    asked = ["rank", str(table), "--better", "higher", "-q"]
    saved = tmp_path / "r.json"
    run = CliRunner()
    assert run.invoke(deadheat, [*asked, "-o", str(saved)]).exit_code == 0
    shown = run.invoke(deadheat, ["show", str(saved), "--format", form])
    assert shown.exit_code == 0, shown.output
    direct = run.invoke(deadheat, [*asked, "--format", form])
    expected = saved.read_text() if form == "json" else direct.stdout
    assert shown.stdout == expected
    again = run.invoke(deadheat, ["show", "-", "--format", form], input=saved.read_bytes())
    assert again.stdout == expected


def test_show_says_what_is_wrong(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{}")
    assert isinstance(load(FOUND["rank"].to_json()), Saved)
    found = CliRunner().invoke(deadheat, ["show", str(path)])
    assert found.exit_code == 3
    assert "x.json was not written by deadheat" in found.output


@pytest.mark.parametrize(
    "make",
    [
        lambda t: dh.rank(t, by="mean"),
        dh.check,
        lambda t: dh.verdict(t, by="mean", replicates=60),
        lambda t: dh.verdict(t, by="mean", replicates=60, strict=True).table("pairs"),
        dh.agreement,
        lambda t: dh.influence(t, by="copeland"),
        lambda t: dh.compare(t, *t.candidates[:2], by="mean", replicates=60),
        lambda t: dh.rate(t, replicates=60),
        lambda t: dh.rate(t, replicates=60).table("pairs"),
    ],
)
@settings(max_examples=10)
@given(st.data())
def test_what_can_be_computed_can_be_read_back(make, data):
    n, m = data.draw(st.integers(2, 4)), data.draw(st.integers(1, 5))
    cell = st.sampled_from([0.0, 1.0, 2.0, -3.5, 1e12])
    rows = data.draw(st.lists(st.lists(cell, min_size=m, max_size=m), min_size=n, max_size=n))
    try:
        result = make(dh.Results(scores=rows, better="higher"))
    except dh.DeadheatError:
        return  # nothing to save
    assert load(result.to_json()).to_json() == result.to_json()


def test_a_saved_result_is_told_from_a_table(tmp_path):
    saved, table, log = (tmp_path / name for name in ("v.json", "t.csv", "l.json"))
    saved.write_text(FOUND["verdict"].to_json(), encoding="utf-8-sig")
    table.write_text('model,x\n"schema",1\n')
    log.write_text('{"left": "a", "right": "b", "schema": "deadheat."}\n')
    assert isinstance(saved_at(saved), Saved)
    assert isinstance(saved_at(str(saved)), Saved)
    for other in (table, log, tmp_path, tmp_path / "absent", "no\0such", 3, [str(saved)]):
        assert saved_at(other) is None


def test_a_file_that_does_not_fit_into_memory_is_refused_unread(tmp_path, monkeypatch):
    path = tmp_path / "large.json"
    path.write_text('{"schema": "deadheat.rank/1", "made": "' + "x" * 200_000, encoding="utf-8")
    monkeypatch.setenv("DEADHEAT_MEMORY", "1MB")
    with pytest.raises(dh.DataError, match=r"large.json has 200 KB: it takes about 2 MB") as caught:
        dh.load(path)
    monkeypatch.setenv("DEADHEAT_MEMORY", re.search(r"DEADHEAT_MEMORY=(\w+)", str(caught.value))[1])
    with pytest.raises(dh.DataError, match="is no JSON"):
        dh.load(path)
