"""Input that is refused: one or two lines with place, value and hint, and the exit code."""

import bz2
import gzip
import io
import lzma
import os
import sys

import pytest

from deadheat.core.errors import DataError, DeadheatError, UnknownNameError, UsageError
from deadheat.data.reading.read import read

PLAIN = "model,iris,adult\nsvm,0.9,0.8\nrf,0.7,0.95\n"
LONG = "model,task,score\nsvm,iris,1\nrf,iris,2\nsvm,adult,3\nrf,adult,4\n"


def refused(source, message, kind=DataError, **options):
    with pytest.raises(kind, match=message) as caught:
        read(source, **{"better": "higher", **options})
    assert caught.value.exit_code == (2 if issubclass(kind, UsageError) else 3)
    assert "\n" not in caught.value.fact
    return str(caught.value)


@pytest.mark.parametrize("content", ["", "\n\n", "# only a comment\n", "\ufeff"])
def test_an_empty_file(table, content):
    refused(table(content), "results.csv is empty")


def test_a_header_alone(table):
    refused(table("model,iris,adult\n"), "header but no rows")
    refused(table("model,task,score\n"), "header but no rows", score="score")


def test_a_table_of_missing_scores_only(table):
    refused(table("model,a,b\nx,,\ny,-,n/a\n"), "no score at all")


def test_text_in_a_score_cell(table):
    content = "model,iris,adult\nsvm,0.9,oops\nrf,0.7,0.95\n"
    refused(table(content), r"^results.csv: line 2, column 'adult': 'oops' is not a number")
    refused(table(LONG.replace("3", "good")), "line 4, column 'score': 'good'")


def test_underscores_do_not_make_a_number(table):
    refused(table("model,iris\nsvm,1_000\nrf,2\n"), "'1_000' is not a number")


@pytest.mark.parametrize("word", ["inf", "-inf", "Infinity", "1e999", "∞", "+INF"])
def test_an_infinite_score(table, word):
    message = refused(
        table(f"model,iris,adult\nsvm,0.9,{word}\nrf,0.7,0.95\n"),
        "line 2, column 'adult': the score is infinite",
    )
    assert "missing='worst'" in message


def test_duplicate_candidates_and_judges(table):
    refused(
        table("model,iris\nsvm,1\nrf,2\nsvm,3\n"),
        "candidate 'svm' appears twice, in line 2 and line 4",
    )
    refused(
        table("model,iris,adult,iris\nsvm,1,2,3\n"),
        "judge 'iris' appears twice, in column 2 and column 4",
    )
    refused(table("task,a,b\nx,1,2\nx,3,4\n"), "judge 'x' appears twice")


def test_nameless_candidates_and_judges(table):
    refused(table("model,iris\n,1\nrf,2\n"), "the candidate in line 2 has no name")
    refused(table("model,iris,\nsvm,1,2\n"), "the judge in column 3 has no name")
    refused(table(LONG.replace("rf,adult", ",adult")), "the candidate in line 5.* has no name")


def test_several_scores_for_one_candidate_and_judge(table):
    content = "model,task,score\nsvm,iris,1\nrf,iris,2\nsvm,iris,3\nsvm,iris,4\n"
    message = refused(
        table(content),
        r"^results.csv: model 'svm' has 3 scores on task 'iris' \(rows 2, 4, 5\)\.",
    )
    assert "combine='judges'" in message
    assert message.endswith("combine='mean'")


def test_ragged_rows(table):
    refused(table(PLAIN + "knn,1\n"), "line 4 has 2 fields, expected 3 as in line 1")
    refused(table(PLAIN + "knn,1,2,3\n"), "line 4 has 4 fields, expected 3")
    message = refused(table(PLAIN + '"knn,1,2\nlast,1,2\n'), "line 4 has 1 field")
    assert "close or remove the quotation mark" in message


def test_a_directory(tmp_path):
    refused(tmp_path, "holds no file")


def test_a_missing_file_with_the_nearest_name(table):
    path = table(PLAIN)
    assert "did you mean 'results.csv'?" in refused(path.with_name("result.csv"), "no file")
    assert "no folder" in refused(path.parent / "nowhere" / "a.csv", "no file")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission(table):
    path = table(PLAIN)
    path.chmod(0)
    refused(path, "permission denied")


def test_a_file_without_permission_says_so(table, monkeypatch):
    def denied(*_args, **_kwargs):
        raise PermissionError

    path = table(PLAIN)
    monkeypatch.setattr(type(path), "open", denied)
    refused(path, "permission denied")


@pytest.mark.parametrize(
    "content", [bytes(range(256)) * 20, b"\x89PNG\r\n\x1a\n" + bytes(100), b"a,b\n1,\x00\x00\x01\n"]
)
def test_a_binary_file(table, content):
    refused(table(content), "binary file")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_truncated_or_damaged_archive(table, pack):
    packed = pack(os.urandom(4000).hex().encode())
    refused(table(packed[: len(packed) // 2]), "cut off|damaged|cannot be read")
    refused(table(packed[:40] + b"garbage" * 99), "cut off|damaged|cannot be read")


def test_zstd_is_named(table):
    refused(table(b"\x28\xb5\x2f\xfd" + bytes(20)), "zstd")


def test_text_that_does_not_decode(table):
    refused(table("modèle,iris\nsvm,1\n", encoding="latin-1"), "decoded", encoding="ascii")
    refused(table(PLAIN), "unknown encoding", kind=UsageError, encoding="klingon")


def test_a_column_of_text_is_never_dropped_in_silence(table):
    message = refused(table("task,domain,a,b\nx,d1,1,2\ny,d2,3,4\n"), "column 'domain' holds text")
    assert "to use it as the stratum: stratum='domain'\n" in message
    assert "to leave it out: ignore='domain'" in message


def test_an_unknown_column_with_the_nearest_name(table):
    for option in ("score", "stratum", "judge"):
        message = refused(
            table(LONG), "unknown column 'scor'", UnknownNameError, **{option: "scor"}
        )
        assert "Did you mean 'score'?" in message
    refused(
        table(LONG), "unknown column 'tsk'. Did you mean 'task'", UnknownNameError, where="tsk=1"
    )


@pytest.mark.parametrize(
    "options",
    [
        {"score": "score", "layout": "wide"},
        {"candidates": "rows", "layout": "long"},
        {"candidates": "rows", "score": "score"},
        {"candidates": "rows", "judge": "task"},
        {"candidates": "columns", "candidate": "model"},
        {"candidate": "model", "judge": "model"},
        {"candidate": "model", "judge": "task", "layout": "wide"},
        {"score": "score", "weight": "score"},
        {"decimal": ",", "delimiter": ","},
        {"repeat": "task"},
        {"repeat": "task", "combine": "error"},
        {"delimiter": "ab"},
        {"layout": "sideways"},
        {"missing": "worse"},
        {"combine": "sum"},
        {"sheet": "first"},
        {"where": "task"},
        {"better": "bigger"},
        {"tie_tol": -1},
    ],
    ids=str,
)
def test_options_that_contradict_each_other_or_the_table(table, options):
    refused(table(LONG), ".", UsageError, **options)


def test_an_unknown_word_names_the_nearest(table):
    assert "'worst'" in refused(table(PLAIN), "missing policy", UnknownNameError, missing="wort")


def test_contradictions_are_told_before_the_file_is_opened(tmp_path):
    refused(
        tmp_path / "absent.csv", "delimiter and the decimal", UsageError, decimal=",", delimiter=","
    )


def test_per_judge_columns_need_rows_of_judges(table):
    refused(
        table("model,kind,a\nsvm,x,1\n"), "only where rows are judges", UsageError, stratum="kind"
    )


def test_things_that_are_no_tables():
    for thing in (3, [1, 2], {"a": 1}, None):
        with pytest.raises(UsageError, match="not a table"):
            read(thing, better="higher")


def test_closed_streams_and_an_absent_standard_input(monkeypatch):
    stream = io.StringIO(PLAIN)
    stream.close()
    refused(stream, "is closed", UsageError)
    monkeypatch.setattr(sys, "stdin", None)
    refused("-", "no standard input")


def test_conditions_that_are_none(table):
    refused(table(LONG), "needs COL=VALUE, got 3", UsageError, where=[3])


def test_a_nearly_empty_giant_is_refused(table):
    rows = "".join(f"m{i},t{i},1\n" for i in range(20_000))
    refused(table("model,task,score\n" + rows), "20,000 candidates x 20,000 judges")


def test_every_refusal_survives_a_worker_process(table):
    import pickle

    with pytest.raises(DeadheatError) as caught:
        read(table(""), better="higher")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
