"""What axioms say in words, in documents and in spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

import deadheat as dh

TABLE = dh.Results(
    scores=np.random.default_rng(3).integers(0, 6, (6, 7)).astype(float), better="higher"
)


@pytest.fixture(scope="module")
def found():
    return dh.axioms("success_rate", only="majority,clones,unanimity", budget=2_000)


def examples(result):
    return [row["counterexample"] for row in result.rows() if row["counterexample"]]


def test_markdown_has_every_example_as_a_table(found):
    blocks = re.findall(r"(?:^\|.*\|\n)+", found.to_md(), re.MULTILINE)
    assert len(blocks) == 1 + len(examples(found)) == 3
    for block, example in zip(blocks[1:], examples(found), strict=True):
        head, rule, *lines = (
            [c.strip() for c in row.split("|")[1:-1]] for row in block.splitlines()
        )
        ranks = ["rank"] if example["after"] is None else ["before", "after"]
        assert head == ["", *example["judges"], *ranks]
        assert set("".join(rule)) == {":", "-"}
        numbers = [[float(cell) for cell in line[1 : len(head) - len(ranks)]] for line in lines]
        assert numbers == example["scores"]
        assert [line[0] for line in lines] == example["candidates"]
    assert "\n    " not in found.to_md()  # which would be code


def test_latex_has_every_example_as_a_tabular(found):
    written = found.to_latex()
    assert written.count(r"\begin{tabular}") == written.count(r"\end{tabular}") == 3
    for example in examples(found):
        assert example["change"] in written
        assert " & ".join(example["judges"]) in written


def test_a_notebook_has_every_example_as_a_table(found):
    assert found._repr_html_().count("<table>") == 3


def test_the_findings_of_an_audit_are_in_every_document():
    audit = dh.axioms("borda", table=TABLE)
    worst = [row["findings"][0]["change"] for row in audit.rows() if row["findings"]]
    assert worst
    for change in worst:
        for written in (audit.to_md(), audit.to_latex(), audit._repr_html_()):
            assert written.replace(r"\_", "_").count(change) == 1


@pytest.mark.parametrize("table", [None, TABLE])
def test_spreadsheets_have_small_facts_and_json_has_the_tables(table):
    result = dh.axioms("borda", table=table, only="majority,clones,consistency")
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [row["axiom"] for row in rows] == [row["axiom"] for row in result.rows()]
    assert not {"counterexample", "weak_example", "findings"} & rows[0].keys()
    assert not re.search(r"[\[{]", result.to_csv() + result.to_tsv())
    for small, row in zip(rows, result.rows(), strict=True):
        assert int(small["searched"]) == row["searched"]
        if row["counterexample"]:
            assert small["change"] == row["counterexample"]["change"]
    assert any(row["counterexample"] for row in json.loads(result.to_json())["rows"])


def test_a_file_is_written(found, tmp_path):
    for write in (found.to_csv, found.to_tsv, found.to_md, found.to_latex):
        path = tmp_path / write.__name__
        written = write(path)
        assert path.read_text(encoding="utf-8") == written == write()


def test_an_example_of_consistency_names_all_judges_of_both_parts():
    (row,) = dh.axioms("copeland", only="consistency").rows()
    example = row["counterexample"]
    told = re.findall(r"by judges ([^;]*?) alone", example["change"])
    first, second = (re.split(", | and ", part) for part in told)
    assert first == example["judges_before"]
    assert sorted(first + second) == sorted(example["judges"])
    assert "(before)" in example["change"]
    assert "(after)" in example["change"]


def test_an_axiom_that_does_not_apply_neither_holds_nor_fails():
    (row,) = dh.axioms("mean", table=TABLE, only="consistency").rows()
    assert (row["holds"], row["searched"], row["counterexample"]) == (None, 0, None)
    (cells,) = dh.axioms("mean", table=TABLE, only="consistency").grid().cells
    assert cells == ("consistency", 0, None, None, None)


CHANGES = {
    "participation": r"the vote of (\d+) of (\d+) judges \(participation\)",
    "iia": r"taking away (\d+) of (\d+) candidates \(iia\)",
    "liia": r"keeping alone (\d+) of (\d+) intervals of the ranking \(liia\)",
    "clones": r"copying (\d+) of (\d+) candidates \(clones\)",
}


@pytest.mark.parametrize("name", ["borda", "copeland", "median", "mean", "success_rate"])
@pytest.mark.parametrize("seed", range(4))
def test_the_sentence_of_an_audit_says_all_that_was_found_and_no_zeros(name, seed):
    scores = np.random.default_rng(seed).integers(0, 9, (6, 7)).astype(float)
    audit = dh.axioms(name, table=dh.Results(scores=scores, better="higher"))
    rows = {row["axiom"]: row for row in audit.rows()}
    for axiom, pattern in CHANGES.items():
        said = re.search(pattern, audit.verdict)
        row = rows[axiom]
        expected = (row["strong"], row["searched"]) if row["strong"] else None
        assert (tuple(map(int, said.groups())) if said else None) == expected
    quiet = not any(rows[axiom]["strong"] for axiom in CHANGES)
    none = f"No change that was tried reverses an order by {name.replace('_', ' ')}."
    assert (none in audit.verdict) == quiet
    weak = sum(rows[axiom]["weak"] for axiom in CHANGES)
    assert (f"{weak} of " in audit.verdict and "a tie" in audit.verdict) == (weak > 0)


def test_several_functions_are_compared_on_a_table():
    audit = dh.axioms(["mean", "copeland", "borda"], table=TABLE)
    head, *_ = audit.grid().columns
    assert head.name == "function"
    assert [cells[0] for cells in audit.grid().cells] == ["mean", "copeland", "borda"]
    places = {column.name: j for j, column in enumerate(audit.grid().columns)}
    totals = {}
    for row in audit.rows():
        cell = {c[0]: c for c in audit.grid().cells}[row["function"]][places[row["axiom"]]]
        expected = f"{row['strong']} of {row['searched']}" if row["searched"] else None
        assert cell == expected
        if row["axiom"] in CHANGES:
            strong, tried = totals.get(row["function"], (0, 0))
            totals[row["function"]] = (strong + row["strong"], tried + row["searched"])
    fewest = min(totals, key=lambda name: totals[name][0] / totals[name][1])
    assert totals[fewest][0] == 0
    none = "No change of the table reverses an order under mean and copeland"
    assert f"{none}; 1 of 33 does under borda." in audit.verdict
    others = dh.axioms(["borda", "median"], table=TABLE).verdict
    assert "Fewest changes of the table reverse an order under borda (1 of 33), most" in others


def test_functions_that_reverse_nothing_or_equally_much_are_told_so():
    alike = dh.Results(scores=[[3, 3, 3], [2, 2, 2], [1, 1, 1]], better="higher")
    verdict = dh.axioms(["mean", "copeland"], table=alike).verdict
    assert "No change that was tried reverses an order by any of these functions." in verdict
    twice = dh.axioms(["borda", "average_rank"], table=TABLE).verdict
    assert "Under every function " in twice
    majority = dh.axioms(["mean", "copeland"], table=alike, only="majority").verdict
    assert majority == "candidate_1 is first for a majority of the judges and is ranked first."


def test_unanimity_that_is_broken_is_told():
    scores = [[2, 2, 2, 2], [1, 1, 1, 1], [3, 0, 0, 0]]

    @dh.ranks_table("contrary_words", scale="interval")
    def contrary(table):
        return -table.sum(axis=1)

    from deadheat.ranking.function import forget

    try:
        verdict = dh.axioms(contrary, table=dh.Results(scores=scores, better="higher")).verdict
    finally:
        forget("contrary_words")
    assert "contrary words ranks somebody below another that no judge prefers" in verdict


def test_who_reverses_nothing_and_who_reverses_most_are_told_apart():
    scores = [[87, 91, 97, 74, 94], [86, 90, 94, 77, 96], [83, 89, 93, 76, 95]]
    table = dh.Results(scores=scores, candidates=["a", "b", "c"], better="higher")
    only = "majority,condorcet,iia,liia,clones"
    audit = dh.axioms(["mean", "borda", "success_rate"], table=table, only=only)
    said = "No change of the table reverses an order under mean; 2 of 8 do under borda and success"
    assert any(each.startswith(said) for each in audit.sentences)
    assert [c.name for c in audit.grid().columns][1] == "violates"  # a majority is no change
