"""Input that looks odd and is understood, with a note where one is due."""

import bz2
import csv
import gzip
import io
import lzma
import sys

import numpy as np
import pytest

from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.join import SideTable
from deadheat.data.reading.read import read
from deadheat.data.results import Results

PLAIN = "model,iris,adult\nsvm,0.9,0.8\nrf,0.7,0.95\n"
SCORES = [[0.9, 0.8], [0.7, 0.95]]


def same(results):
    assert results.candidates == ("svm", "rf")
    assert results.judges == ("iris", "adult")
    np.testing.assert_array_equal(results.scores, SCORES)
    return results


def test_a_plain_table_needs_no_note(table):
    results = same(read(table(PLAIN), better="higher"))
    assert results.notes == ()
    assert dict(results.reading)["delimiter"] == "comma"
    assert results.source == "results.csv"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_byte_order_marks_and_wide_encodings_are_understood(table, encoding):
    same(read(table(PLAIN, encoding=encoding), better="higher"))


def test_latin_1_is_understood_and_noted(table):
    content = "modèle,été,naïf\nsvm,0.9,0.8\nrf,0.7,0.95\n"
    results = read(table(content, encoding="latin-1"), better="higher", candidate="modèle")
    assert results.judges == ("été", "naïf")
    assert any("UTF-8" in note for note in results.notes)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_are_understood(table, end):
    same(read(table(PLAIN.replace("\n", end)), better="higher"))


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " ", "   "])
def test_the_delimiter_is_guessed_and_reported(table, delimiter):
    results = same(read(table(PLAIN.replace(",", delimiter)), better="higher"))
    assert dict(results.reading)["delimiter"] != "comma"


def test_the_delimiter_can_be_set(table):
    same(read(table(PLAIN.replace(",", ":")), better="higher", delimiter=":"))
    same(read(table(PLAIN.replace(",", "\t")), better="higher", delimiter="tab"))


def test_spaces_in_names_do_not_make_white_space_the_delimiter(table):
    content = "my model,iris set\nbig svm,0.9\nbig forest,0.7\n"
    assert read(table(content), better="higher").candidates == ("big svm", "big forest")


@pytest.mark.parametrize("sign", [",", "\t", ";", "|"])
@pytest.mark.parametrize(
    "content",
    [
        "model name,score 1\nmodel 1,92\nmodel 2,87\n",
        "name,task 1,task 2\ngpt 4 turbo,1 2,3\nclaude 3 opus,4 5,6\n",
        "my model,my task\na 1,2\nb 3,4\n",
    ],
)
def test_a_sign_that_cuts_every_line_wins_against_blanks(table, content, sign):
    head, *rows = (line.split(",") for line in content.splitlines())
    found = SideTable.of(table(content.replace(",", sign)))
    assert found.columns == {name: [row[k] for row in rows] for k, name in enumerate(head)}


def test_decimal_commas_between_blanks_are_no_delimiters(table):
    found = read(table("0,5 0,6\n0,7 0,1\n"), better="higher", candidates="rows")
    assert found.scores.tolist() == [[0.5, 0.6], [0.7, 0.1]]


def test_spaces_after_commas_and_around_names_do_not_count(table):
    same(read(table('model, iris, adult\n"svm" , 0.9, 0.8\n rf, 0.7, 0.95\n'), better="higher"))


def test_quoted_newlines_and_doubled_quotes_are_part_of_a_name(table):
    content = 'model,iris\n"a\nb",1\n"say ""hi"", ok",2\n'
    results = read(table(content), better="higher")
    assert results.candidates == ("a\nb", 'say "hi", ok')


def test_lines_are_counted_right_after_a_quoted_newline(table):
    with pytest.raises(DataError, match="line 4, column 'iris': 'oops'"):
        read(table('model,iris\n"a\nb",1\nc,oops\n'), better="higher")


def test_a_trailing_delimiter_is_ignored_with_a_note(table):
    results = same(read(table(PLAIN.replace("\n", ",\n")), better="higher"))
    assert "trailing" in results.notes[0]
    late = "model,iris,adult\nsvm,0.9,0.8,\nrf,0.7,0.95,\n"
    assert "delimiter" in same(read(table(late), better="higher")).notes[0]


def test_a_header_without_a_name_for_the_row_names_is_understood(table):
    path = table("iris adult\nsvm 0.9 0.8\nrf 0.7 0.95\n")
    results = same(read(path, better="higher", candidates="rows"))
    assert "one column less" in results.notes[0]


def test_blank_rows_and_comments_are_skipped(table):
    content = "# made by hand\n\nmodel,iris,adult\n\nsvm,0.9,0.8\n,,\nrf,0.7,0.95\n\n"
    results = same(read(table(content), better="higher"))
    assert "comment" in results.notes[0]


def test_the_separator_line_of_spreadsheets_is_understood(table):
    same(read(table("sep=;\n" + PLAIN.replace(",", ";")), better="higher"))


@pytest.mark.parametrize(
    ("pack", "suffix"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2"), (lzma.compress, ".xz")]
)
def test_compressed_files_are_understood_whatever_their_name(table, pack, suffix):
    packed = pack(PLAIN.encode())
    same(read(table(packed, f"results.csv{suffix}"), better="higher"))
    same(read(table(packed, "results.csv"), better="higher"))


def test_decimal_commas_are_understood_and_noted(table):
    content = PLAIN.replace(",", ";").replace(".", ",")
    results = same(read(table(content), better="higher"))
    assert any("decimal" in note for note in results.notes)
    same(read(table(content), better="higher", decimal=","))
    same(read(table(content.replace(";", " ")), better="higher"))


def test_percent_signs_are_understood_and_noted(table):
    results = read(table("model,iris\nsvm,91.2%\nrf,80 %\n"), better="higher")
    assert results.scores[:, 0].tolist() == [91.2, 80]
    assert any("percent" in note for note in results.notes)


@pytest.mark.parametrize("candidates", ["rows", "columns"])
def test_a_judge_with_and_without_percent_signs_is_refused(table, candidates):
    content = "name,a,b\nx,91%,1\ny,80%,2\n"
    if candidates == "rows":
        read(table(content), better="higher", candidates=candidates)
    else:
        with pytest.raises(DataError, match=r"judge 'x' .* with and without a percent sign"):
            read(table(content), better="higher", candidates=candidates)


def test_mixed_percent_signs_are_refused_in_long_tables_too(table):
    content = "model,task,score\na,x,1%\nb,x,2\n"
    with pytest.raises(DataError, match=r"judge 'x' .* percent"):
        read(table(content), better="higher")


def test_thousands_separators_are_understood_and_noted(table):
    content = 'model,time\na,"1,234.5"\nb,"12,000"\n'
    results = read(table(content), better="lower")
    assert results.original[:, 0].tolist() == [1234.5, 12000]
    assert any("thousands" in note for note in results.notes)


def test_ten_thousand_columns_are_read(table):
    names = ",".join(f"t{j}" for j in range(10_000))
    rows = "".join(f"m{i}," + ",".join(["0.5"] * 10_000) + "\n" for i in range(3))
    assert read(table(f"model,{names}\n{rows}"), better="higher").m == 10_000


def test_names_of_ten_thousand_characters_are_read(table):
    long = "x" * 200_000
    results = read(table(f'model,iris\n"{long}",1\nb,2\n'), better="higher")
    assert results.candidates[0] == long


def test_one_judge_and_one_candidate_are_enough(table):
    assert read(table("model,iris\nsvm,1\nrf,2\n"), better="higher").m == 1
    assert read(table("model,iris,adult\nsvm,1,2\n"), better="higher").n == 1


@pytest.mark.parametrize("word", ["", "-", "n/a", "NA", "NaN", "null", "None", "?", "#N/A", "."])
def test_missing_words_are_missing_scores(table, word):
    results = read(table(f"model,iris,adult\nsvm,{word},0.8\nrf,0.7,0.95\n"), better="higher")
    assert results.holes.tolist() == [[True, False], [False, False]]
    assert results.missing == "error"


def test_missing_words_are_good_names(table):
    results = read(table("model,na,none\nnull,1,2\n-,3,4\n"), better="higher")
    assert results.candidates == ("null", "-")
    assert results.judges == ("na", "none")


def test_the_guard_of_our_own_csv_output_is_taken_off_names(table):
    results = read(table("model,'=iris\n'=cmd|x,1\n'quoted',2\n"), better="higher")
    assert results.candidates == ("=cmd|x", "'quoted'")
    assert results.judges == ("=iris",)


def test_standard_input_is_read_as_bytes(monkeypatch):
    packed = gzip.compress(PLAIN.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert same(read("-", better="higher")).source == "standard input"


def test_open_files_are_read_and_left_open(table):
    text, binary = io.StringIO(PLAIN), io.BytesIO(PLAIN.encode())
    same(read(text, better="higher"))
    same(read(binary, better="higher"))
    assert not text.closed
    assert not binary.closed
    with table(PLAIN).open() as file:
        assert same(read(file, better="higher")).source == "results.csv"


def test_a_table_that_is_read_already_passes_through():
    results = Results(scores=np.eye(2), better="higher")
    assert read(results) is results
    with pytest.raises(UsageError, match="better= says how to read"):
        read(results, better="lower")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("race,a,b,c\nx,1,2,3\ny,3,1,2\nz,1,3,2\n", "each row holds 1 to 3 once"),
        ("boat,x,y,z\na,1,3,1\nb,2,1,3\nc,3,2,2\n", "each column holds 1 to 3 once"),
        ("race,a,b,c\nx,1,2,3\ny,3,1,2\nz,1,3,3\n", ""),
        ("race,a,b,c\nx,0,1,2\ny,2,0,1\nz,0,2,1\n", ""),
    ],
)
def test_places_are_seen_and_the_lowest_is_offered_first(table, text, said):
    with pytest.raises(UsageError, match="direction of the scores is not known") as caught:
        read(table(text))
    assert said in caught.value.fact
    first = "better='lower'" if said else "better='higher'"
    assert first in caught.value.hint.splitlines()[0]
    assert ("as places do" in caught.value.fact) is bool(said)


def test_directions_are_required_and_may_differ_per_judge(table):
    with pytest.raises(UsageError, match="direction of the scores is not known"):
        read(table(PLAIN))
    results = read(table(PLAIN), better={"*": "higher", "adult": "lower"})
    assert results.better == ("higher", "lower")
    np.testing.assert_array_equal(results.scores, [[0.9, -0.8], [0.7, -0.95]])


def test_blocks_do_not_change_what_is_read(table, monkeypatch):
    rows = [[f"m{i}", i / 7, "" if i % 5 == 0 else i, f'q"{i}'] for i in range(1, 60)]
    buffer = io.StringIO()
    csv.writer(buffer).writerows([["model", "a", "b", "kind"], *rows])
    path = table(buffer.getvalue())
    whole = read(path, better="higher", where="kind!=x")
    monkeypatch.setattr("deadheat.data.reading.source.CELLS_PER_BLOCK", 12)
    parts = read(path, better="higher", where="kind!=x")
    np.testing.assert_array_equal(whole.scores, parts.scores)
    assert whole.candidates == parts.candidates


def test_a_pipe_with_a_name_is_read_once(tmp_path):
    import os
    import threading

    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(PLAIN,))
    writer.start()
    same(read(path, better="higher"))
    writer.join()


def test_a_long_table_without_a_header_has_numbered_columns(table):
    path = table("T1,case1,A1,0.266\nT1,case1,A2,0.3\n")
    results = read(
        path,
        better="higher",
        header=False,
        candidate="column_3",
        judge="column_2",
        score="column_4",
    )
    assert results.candidates == ("A1", "A2")


@pytest.mark.parametrize(
    ("head", "options"),
    [
        ("#,Team,a,b", {"candidate": "Team", "ignore": ["#"]}),
        ("#Team,rank,a,b", {"ignore": ["rank"]}),
        ("# Team,rank,a,b", {"ignore": ["rank"]}),
        ("# made by hand\n#Team,rank,a,b", {"ignore": ["rank"]}),
        ("# a, b, c\nTeam,rank,a,b", {"ignore": ["rank"]}),
    ],
)
def test_a_header_may_begin_as_a_comment_does(tmp_path, head, options):
    path = tmp_path / "t.csv"
    first = "1,A" if head.startswith("#,") else "A,1"
    path.write_text(f"{head}\n{first},.9,.8\n{first.translate(NEXT)},.8,.7\n", encoding="utf-8")
    found = read(path, better="higher", **options)
    assert (found.candidates, found.judges) == (("A", "B"), ("a", "b"))


NEXT = str.maketrans("1A", "2B")


def test_dashes_are_no_header(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("model a b\n----- --- ---\nx 1 2\ny 2 3\n", encoding="utf-8")
    with pytest.raises(DataError) as refused:
        read(path, better="higher")
    assert "looks like the header" not in str(refused.value)
