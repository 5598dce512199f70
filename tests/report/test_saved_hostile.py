"""Saved results with something wrong in them: refused in words, or good for everything."""

from __future__ import annotations

import json
import random
import zlib

import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.cli.terminal import page
from deadheat.report.load import Saved, load
from deadheat.report.picture import suitable_kinds
from deadheat.report.schema import schemas
from mutants import NUMBER, RAW, mutant, paths
from samples import of_the_page, samples, scores

FEW, MANY = 12, 400  # mutants of each document
RESULTS = samples()


DOCUMENTS = {name: json.loads(r.to_json()) for name, r in (RESULTS | of_the_page()).items()}


def outcome(ask):
    """Return an answer, or the error that says in words why there is none."""
    try:
        return ask()
    except dh.DataError as error:
        return error


def use(back: Saved) -> None:
    """Call every method; only a picture may say that there is nothing to draw."""
    for tell in (back.rows, back.facts, back.grid, back.to_json, back.to_csv, back.to_tsv,
                 back.to_md, back.to_latex, back._repr_html_, back.__repr__):  # fmt: skip
        tell()
    page(back)
    for name in ("verdict", "candidates", "groups", "winners"):
        getattr(back, name, None)
    if back.candidates:
        back.row(back.candidates[-1])
    for kind in suitable_kinds(back):
        found = outcome(lambda kind=kind: back.plot(kind))
        if isinstance(found, dh.DataError):
            assert "different candidates" in found.fact
        else:
            json.dumps(found.spec(), allow_nan=False)


def test_there_is_a_document_of_every_schema():
    assert {document["schema"] for document in DOCUMENTS.values()} == set(schemas())


@pytest.mark.parametrize("number", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_mutant_is_refused_in_words_or_good_for_everything(name, number):
    document = DOCUMENTS[name]
    chosen = random.Random(zlib.crc32(f"{name} {number}".encode()))
    every = [(path, change) for path in paths(document) for change in range(NUMBER)]
    for path, change in chosen.sample(every, min(number, len(every))):
        text = mutant(document, path, change)
        found = outcome(lambda text=text: load(text))
        if isinstance(found, dh.DataError):
            assert found.fact.startswith("the text")
            assert found.hint
        else:
            use(found)


@pytest.mark.parametrize("number", range(len(RAW)))
def test_what_json_allows_and_no_result_has_is_refused(number):
    text = mutant(DOCUMENTS["verdict"], ("rows", 2, "low"), NUMBER - len(RAW) + number)
    with pytest.raises(dh.DataError, match=r"too large|no number of JSON|twice in one object"):
        load(text)


def changed(name, *path, to=None):
    document = json.loads(json.dumps(DOCUMENTS[name]))
    inside = document
    for step in path[:-1]:
        inside = inside[step]
    if to is KeyError:
        del inside[path[-1]]
    else:
        inside[path[-1]] = to
    return json.dumps(document)


@pytest.mark.parametrize(
    ("name", "path", "to", "fact"),
    [
        ("verdict", ("rows", 3, "low"), None, "rows[3].low is null, not a number"),
        ("verdict", ("rows", 3, "low"), "x", 'rows[3].low is "x", not a number'),
        ("verdict", ("rows", 0, "candidate"), {}, "rows[0].candidate is an object, not text"),
        ("verdict", ("facts", "members"), 3, "facts.members is 3, not a list of list of text"),
        ("verdict", ("facts", "members"), [], "facts.members are not the groups of the rows"),
        ("verdict", ("facts", "winners"), None, "facts.winners is null, not a list of text"),
        ("verdict", ("facts", "winners"), ["q"], "facts.winners are not among the candidates"),
        ("verdict", ("facts", "leaders"), [], "facts.leaders are not one of each group"),
        ("verdict", ("facts", "winners"), [], "facts.winners is empty"),
        ("verdict", ("facts", "leader_corrected", "merit"), 1e9, "merit is not from its low to"),
        ("verdict", ("facts", "leader_corrected", "candidate"), "q", "is not one of facts.winners"),
        ("verdict", ("facts", "best"), [], "facts.best are not those of whom rows say may_be_best"),
        ("verdict", ("rows", 0, "may_be_best"), "no", "may_be_best is \"no\", not true/false"),
        ("verdict", ("rows", 0, "first_share"), 5, "first_share is 5, not a number from 0 to 1"),
        ("verdict", ("rows", 0, "first_share"), -1, "first_share is -1, not a number from 0 to 1"),
        ("verdict", ("rows", 0, "first_share"), True, "is true, not a number from 0 to 1"),
        ("verdict", ("rows", 1, "first_error"), -1, "rows[1].first_error is -1, not a number from"),
        ("verdict", ("rows", 1, "rank"), 0, "rows[1].rank is 0, not a number from 1 up"),
        ("verdict", ("rows", 1, "rank"), -4, "rows[1].rank is -4, not a number from 1 up"),
        ("verdict", ("rows", 1, "group"), 0, "rows[1].group is 0, not an integer from 1 up"),
        ("verdict", ("rows", 1, "low"), 1e9, "rows[1].low is 1000000000.0, above high, "),
        ("verdict", ("rows", 1, "rank_low"), 99, "rows[1].rank_low is 99, above rank_high, "),
        ("verdict", ("rows", 1, "shown_high"), -99, "above shown_high, -99"),
        ("verdict", ("made", "alpha"), 7, "made.alpha is 7, not a number between 0 and 1"),
        ("verdict", ("made", "alpha"), 0, "made.alpha is 0, not a number between 0 and 1"),
        ("verdict", ("made", "replicates"), -4, "made.replicates is -4, not an integer from 0 up"),
        ("verdict", ("made", "replicates"), 4.5, "replicates is 4.5, not an integer from 0 up"),
        ("verdict", ("facts", "groups"), [-1], "facts.groups[0] is -1, not an integer from 1 up"),
        ("rate", ("rows", 0, "low"), 1e9, "rows[0].low is 1000000000.0, above high, "),
        ("rate", ("facts", "leader_corrected", "candidate"), "x", 'has "x", who is in no row'),
        ("rate", ("facts", "leader_corrected", "low"), 1e9, "has a rating outside its interval"),
        ("rate", ("rows", 0, "first_share"), 2, "is 2, not a number from 0 to 1 or null"),
        ("rate", ("rows", 0, "wins"), -3, "rows[0].wins is -3, not a number from 0 up"),
        ("compare", ("facts", "p"), 1.5, "facts.p is 1.5, not a number from 0 to 1 or null"),
        ("agree", ("facts", "mean_spearman"), -2, "is -2, not a number from -1 to 1 or null"),
        ("verdict", ("facts", "influence", "flip"), [], "flip is a list, not an object or null"),
        ("verdict", ("rows",), [], "rows is empty"),
        ("verdict", ("made", "alpha"), KeyError, "made.alpha is missing"),
        ("rate", ("rows", 1, "candidate"), KeyError, "rows[1].candidate is missing"),
        ("rate", ("rows", 1, "candidate"), "ada", 'rows[1].candidate is "ada" for a second time'),
        ("rate", ("rows", 1, "group"), 2**70, "rows[1].group is 1180591620717411303424, too large"),
        ("rate", ("made", "scale"), "x", "made has no scale of ratings: unknown rating scale 'x'"),
        ("rate of parts", ("rows", 1, "tournament"), KeyError, "rows[1].tournament is missing"),
        ("rate of parts", ("facts", "tournaments", "d1", "weight"), -1, "has a weight below 0"),
        ("rate of parts", ("facts", "tournaments", "d1"), KeyError, "does not have every"),
        ("rate of parts", ("facts", "kind"), "x", 'facts.kind is "x", neither'),
        ("criteria", ("facts", "correlations"), {}, "not those of the functions of the rows"),
        ("criteria", ("facts", "correlations", "mean", "mean"), 7, "has a number beyond 1"),
        ("axioms", ("rows", 0, "counterexample"), 3, "counterexample is 3, not an object or null"),
        ("axioms", ("rows", 0, "counterexample"), {}, "rows[0].counterexample.scores is missing"),
        ("verdict", ("table", "columns", 0, "of"), 3, "table.columns[0].of is 3, not text"),
        ("verdict", ("table", "columns", 0, "digits"), 99, "not an integer from 0 to 20"),
        ("verdict", ("table", "columns", 0, "decided_by"), 99, "decided_by is no column of ranks"),
        ("verdict", ("table", "columns", 1), {"name": "x"}, "have different numbers of cells"),
        ("verdict", ("table", "marked"), [[1]], "table.marked has a place that is not a line and"),
        ("axioms", ("appendix", 0, "table", "columns", 0), {"name": "x"}, "appendix[0].table.col"),
        ("agree matrix", ("facts", "table"), ["x"], "facts.table is a list, not text"),
        ("agree matrix", ("facts", "table"), "x", 'facts.table is "x", and no such table'),
        ("list plots", ("made", "kind"), None, "made.kind is null, not text"),
        ("rank", ("made", "sha256"), 3, "made.sha256 is 3, not text or a list of text"),
        ("rank", ("facts", "first"), {"a\nb": [1]}, r'facts.first["a\nb"][0] is 1, not text'),
    ],
)  # fmt: skip
def test_the_place_and_the_fault_are_told(name, path, to, fact):
    with pytest.raises(dh.DataError) as raised:
        load(changed(name, *path, to=to))
    assert fact in raised.value.fact


def hint_of(text):
    with pytest.raises(dh.DataError) as raised:
        load(text)
    return raised.value.hint


def test_what_another_version_wrote_is_to_be_made_again():
    older = json.loads(changed("verdict", "facts", "leaders", to=KeyError))
    assert "perhaps another version of deadheat wrote it: make the result again" in hint_of(
        json.dumps(older)
    )
    older["made"]["version"] = "0.0.7"
    assert "deadheat 0.0.7 wrote it, and this is" in hint_of(json.dumps(older))
    contradicting = json.loads(changed("verdict", "facts", "leaders", to=[]))
    contradicting["made"]["version"] = "\x1b[31m" + "9" * 500
    said = hint_of(json.dumps(contradicting))
    assert "deadheat \\x1b[31m999" in said
    assert len(said) < 200
    assert "version" not in hint_of(changed("verdict", "rows", 0, "low", to="x"))


@pytest.mark.parametrize("name", ["verdict", "rate", "rank", "axioms", "list plots"])
def test_the_order_of_keys_is_free_and_a_later_version_may_add_some(name):
    document = DOCUMENTS[name]
    back = load(json.dumps(dict(reversed(document.items()))))
    assert back.to_json() == load(json.dumps(document)).to_json()
    more = json.loads(json.dumps(document))
    for inside in (more["made"], more["facts"], *more["rows"]):
        inside["added_later"] = {"by": ["nobody"]}
    found = load(json.dumps(more))
    assert found.rows()[0]["added_later"] == {"by": ["nobody"]}
    use(found)


def test_names_that_act_on_a_screen_are_kept_and_shown_as_escapes():
    hostile = "\ud800 \x1b[31m\x00 \u202e"
    document = json.dumps(DOCUMENTS["verdict"]).replace(
        json.dumps(RESULTS["verdict"].candidates[0]), json.dumps(hostile)
    )
    back = load(document)
    assert hostile in back.candidates
    assert load(back.to_json()).row(hostile) == back.row(hostile)
    use(back)
    shown = CliRunner().invoke(
        deadheat, ["show", "-", "--format", "table"], input=document, env={"COLUMNS": "120"}
    )
    assert shown.exit_code == 0, shown.output
    assert r"\ud800 \x1b[31m" in shown.output


def test_show_tells_the_file_the_place_and_the_next_step(tmp_path):
    path = tmp_path / "v.json"
    path.write_text(changed("verdict", "rows", 3, "low"))
    found = CliRunner().invoke(deadheat, ["show", str(path)])
    assert found.exit_code == 3
    assert "v.json: rows[3].low is null, not a number." in found.output
    assert "to_json()" in found.output


def test_a_saved_result_of_any_seed_comes_back():
    v = dh.verdict(scores(), by="mean", replicates=99, seed=2**100)
    assert load(v.to_json()).made["seed"] == 2**100
