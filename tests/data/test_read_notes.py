"""What is read as it stands, yet deserves a sentence."""

import io
import tracemalloc

import numpy as np
import openpyxl
import polars as pl
import pytest

from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.data.reading.beside import _means_of_others
from deadheat.data.reading.read import read


def table_of(content, **options):
    return read(io.StringIO(content), **{"better": "higher", **options})


@pytest.mark.parametrize("name", ["model", "Solver", "systems", "task", "dataset_name", "Question"])
def test_a_label_that_settles_it_gets_none(name):
    assert table_of(f"{name},a,b\nx,1,2\ny,3,4\n").notes == ()


def test_what_is_said_needs_no_note():
    content = "hash,a,b\nx,1,2\ny,3,4\n"
    for options in ({"candidates": "rows"}, {"candidate": "hash"}, {"judge": "hash"}):
        assert table_of(content, **options).notes == ()


@pytest.mark.parametrize(
    "content",
    [
        "model,a,b,,\nx,1,2,,\ny,3,4,,\n",
        "model,a,,b\nx,1,,2\ny,3, ,4\n",
        ",model,a,b\n,x,1,2\n,y,3,4\n",
    ],
)
def test_empty_columns_without_a_name_are_left_out_with_a_note(content):
    results = table_of(content)
    assert (results.candidates, results.judges) == (("x", "y"), ("a", "b"))
    assert results.scores.tolist() == [[1, 2], [3, 4]]
    assert any("empty" in note for note in results.notes)


def test_rows_may_end_with_more_delimiters_than_the_header():
    results = table_of("model,a,b\nx,1,2,,\ny,3,4,,\n")
    assert results.scores.tolist() == [[1, 2], [3, 4]]


def test_empty_columns_of_a_workbook_are_left_out_too(tmp_path):
    book = openpyxl.Workbook()
    for row in [
        [None, "model", "a", None, "b", None],
        [None, "x", 1, None, 2],
        [None, "y", 3, "", 4],
    ]:
        book.active.append(row)
    book.save(tmp_path / "results.xlsx")
    results = read(tmp_path / "results.xlsx", better="higher")
    assert results.scores.tolist() == [[1, 2], [3, 4]]
    assert any("empty columns (1, 4)" in note for note in results.notes)


def test_an_empty_column_with_a_name_stays():
    results = table_of("model,a,b\nx,1,\ny,3,\n")
    assert results.judges == ("a", "b")
    assert results.holes[:, 1].all()


def test_a_column_that_is_empty_only_at_first_is_not_dropped_in_silence(monkeypatch):
    monkeypatch.setattr("deadheat.data.reading.source.CELLS_PER_BLOCK", 8)
    content = "model,a,,b\n" + "".join(f"m{i},1,,2\n" for i in range(8)) + "late,1,7,2\n"
    with pytest.raises(DataError, match="line 10: column 3 has no name, yet holds '7'"):
        table_of(content)


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_the_index_that_pandas_wrote_is_left_out_where_another_column_names_the_rows(name):
    results = table_of(f"{name},model,a,b\n0,x,1,2\n1,y,3,4\n", candidate="model")
    assert (results.candidates, results.judges) == (("x", "y"), ("a", "b"))
    assert any("index" in note for note in results.notes)


@pytest.mark.parametrize(
    "name",
    [
        *("rank", "Rank", "place", "position", "id", "index", "ci_low", "ci_high", "CI lower"),
        *("lower", "upper", "std", "stderr", "acc_stderr", "se", "tokens", "total_tokens", "date"),
        *("release_date", "n", "count", "votes", "num_votes", "n_samples", "params", "mean", "Avg"),
        *("overall", "Total", "median"),
    ],
)
def test_a_column_that_is_clearly_no_judge_is_asked_about(name):
    content = f"model,iris,{name},adult\nx,5,1,9\ny,6,2,7\n"
    with pytest.raises(UsageError) as told:
        table_of(content)
    assert told.value.fact == (
        f"the stream: column {name!r} is counted as a judge, but does not look like one."
    )
    assert told.value.hint == (
        f"to leave it out: ignore={name!r}\nif it holds scores: keep={name!r}"
    )
    assert table_of(content, ignore=name).notes == ()
    assert table_of(content, keep=name).judges == ("iris", name, "adult")
    said = table_of(content, better={"*": "higher", name: "lower"})
    assert said.better == ("higher", "lower", "higher")
    with pytest.raises(UsageError, match="is counted as a candidate"):
        table_of(content.replace("model", "task"))


def asked_about(content, **options):
    with pytest.raises(UsageError) as told:
        table_of(content, **options)
    return told.value.remedy


def test_several_columns_are_left_out_at_once():
    content = "rank,model,iris,adult,n\n1,x,5,8,9\n2,y,6,7,9\n"
    assert asked_about(content, candidate="model") == {"ignore": ["rank", "n"]}
    assert table_of(content, candidate="model", ignore="rank", keep="n").judges[-1] == "n"
    with pytest.raises(UsageError, match="'n' cannot be ignored and kept"):
        table_of(content, candidate="model", ignore=["rank", "n"], keep="n")


def test_a_mean_of_the_others_is_told_by_its_values():
    rows = ["x,5,8,6.5", "y,6,7.5,6.75", "z,1,2,1.5"]
    content = "\n".join(["model,iris,adult,both", *rows]) + "\n"
    assert table_of(content).notes == (
        "judge 'both' is the mean of the others in every row; if it holds no scores: ignore='both'",
    )
    assert table_of(content, keep="both").notes == ()
    lifted = "model,a,b,c\nx,1005,1008,1006.5\ny,1006,1007.5,1006.75\nz,1001,1002,1001.5\n"
    assert len(table_of(lifted).notes) == 1
    alike = table_of("model,a,b,c\nx,1,1,1\ny,2,2,2\nz,3,3,3\n")
    assert alike.notes == ()


def test_numbers_of_rows_in_the_order_of_their_means_are_told():
    rows = ["x,.5,.8,2", "y,.6,.75,1", "w,.2,.3,3", "z,.1,.2,4"]
    content = "\n".join(["model,iris,adult,zonk", *rows]) + "\n"
    [told] = table_of(content).notes
    assert told.startswith("judge 'zonk' numbers the rows in the order of their means; ")
    assert table_of(content, keep="zonk").notes == ()
    assert table_of(content.replace("model", "task")).notes == ()  # tasks have no places
    failures = "model,t1,t2,failures\na,.91,.82,3\nb,.81,.80,1\nc,.85,.9,4\nd,.7,.6,2\n"
    assert table_of(failures, better={"*": "higher", "failures": "lower"}).notes == ()


def test_close_scores_and_constant_baselines_are_no_summaries_and_no_keys():
    close = "fold,svm,forest,mlp,knn\nf0,98.03,98.08,98.03,97.87\nf1,98.09,98.04,97.95,98.06\n"
    close += "f2,98.04,98.03,98.0,98.05\nf3,97.93,97.98,97.95,98.06\n"
    assert (table_of(close).n, table_of(close).notes) == (4, ())
    rows = (
        f"d{d}-fold{k},{majority},.6{(7 * k + 3 * d) % 10},.7{(3 * k + d) % 7},.8{(5 * k + d) % 9}"
        for d, majority in enumerate((0.355, 0.113, 0.512))
        for k in range(4)
    )
    baseline = table_of("\n".join(["instance,majority,svm,forest,mlp", *rows]) + "\n")
    assert (baseline.n, baseline.notes) == (4, ())


def test_numbers_of_blocks_of_rows_are_told():
    rows = [f"{k // 4},{k % 3},{k % 5}.5,{k % 7}" for k in range(12)]
    content = "\n".join(["zonk,A,B,C", *rows]) + "\n"
    [told] = table_of(content, candidates="columns").notes
    assert told == ("candidate 'zonk' numbers blocks of rows; if it holds no scores: ignore='zonk'")


def test_words_of_a_german_board_are_known():
    content = "Modell;Datensatz1;Datensatz2;Rang\nWald;0,87;0,91;1\nNetz;0,85;0,93;2\n"
    assert asked_about(content) == {"ignore": ["Rang"]}
    table = table_of(content, ignore="Rang")
    assert (table.candidates, table.nouns.candidate) == (("Wald", "Netz"), "model")


@pytest.mark.parametrize("name", ["entries", "submissions", "Attempts", "Anzahl"])
def test_counts_of_a_board_are_asked_about(name):
    content = f"team,public,private,{name}\na,.9,.8,22\nb,.8,.7,15\nc,.7,.9,21\n"
    assert asked_about(content) == {"ignore": [name]}


def test_columns_of_which_all_are_such_are_the_scores():
    assert table_of("model,votes\nx,5\ny,6\n").notes == ()
    assert table_of("model,rank\nx,1\ny,2\n", better="lower").notes == ()


@pytest.mark.parametrize("name", ["Total", "sum", "MEAN", "average", "Avg", "overall", "median"])
def test_a_row_that_sums_up_gets_a_note(name):
    [told] = table_of(f"model,a,b\nx,1,2\ny,3,4\n{name},4,6\n").notes
    assert told == (
        f"candidate {name!r} looks like a summary, not a competitor; to leave it out: "
        f"where='model!={name}'"
    )


def test_the_way_out_that_the_note_names_works():
    content = "model,a,b\nx,1,2\nTotal,1,2\n"
    results = table_of(content, where="model!=Total")
    assert (results.candidates, results.notes) == (("x",), ())
    split = "split,model,a\ntest,x,1\ndev,x,2\n"
    assert table_of(split, where="split=test").candidates == ("x",)
    tasks = "task,model,a\nt1,x,1\nt2,x,2\n"
    assert table_of(tasks, where="task=t1").candidates == ("x",)
    both = "model,task,a\nx,t1,1\ny,t2,2\n"
    assert table_of(both, where="model!=y", ignore="task").candidates == ("x",)
    assert not table_of("name of it,totally,a\nx,1,2\n", candidates="rows").notes


def test_columns_can_be_ignored_in_addition_to_the_sidecar(table):
    table('better = "higher"\nignore = ["note"]\n', "results.toml")
    path = table("model,iris,note,extra\nx,1,n,e\ny,2,n,e\n")
    results = read(path, ignore=("extra",))
    assert results.judges == ("iris",)
    assert dict(results.reading)["columns not used"] == "note, extra"
    assert read(path, ignore="extra").judges == ("iris",)
    with pytest.raises(UnknownNameError, match=r"unknown column 'nte'\. Did you mean 'note'"):
        read(path, ignore=["nte"])


def test_an_ignored_column_must_exist_in_a_long_table_too():
    content = "model,task,score,acc\nx,t,1,9\ny,t,2,8\n"
    assert table_of(content, ignore=["acc"]).scores.tolist() == [[1], [2]]
    with pytest.raises(UnknownNameError, match="unknown column 'ac'"):
        table_of(content, ignore=["ac"])
    with pytest.raises(UsageError, match="'model' cannot be ignored"):
        table_of(content, ignore=["model"], candidate="model")


def test_the_guard_is_taken_off_names_of_text_only(table):
    names = {"model": ["'-a", "'=a", "=a"], "'=x": [1.0, 2.0, 3.0], "=x": [1.0, 2.0, 3.0]}
    frame = read(pl.DataFrame(names), better="higher")
    assert frame.candidates == ("'-a", "'=a", "=a")
    assert frame.judges == ("'=x", "=x")
    line = '{"model": "\'=a", "task": "\'+t", "score": 1, "kind": "\'@k"}\n'
    lines = read(table(line, "results.jsonl"), better="higher", stratum="kind", where="task='+t")
    assert (lines.candidates, lines.judges, lines.strata) == (("'=a",), ("'+t",), ("'@k",))
    text = table_of("model,task,score,kind\n'=a,'+t,1,'@k\n", stratum="kind", where="task=+t")
    assert (text.candidates, text.judges, text.strata) == (("=a",), ("+t",), ("@k",))
    wide = table_of("model,a\n'\N{FULLWIDTH EQUALS SIGN}x,1\n")
    assert wide.candidates == ("\N{FULLWIDTH EQUALS SIGN}x",)


def test_a_mean_of_the_others_is_looked_for_in_little_memory():
    scores = np.random.default_rng(0).random((50_000, 20))
    scores[:, 7] = np.delete(scores, 7, axis=1).mean(axis=1)
    tracemalloc.start()
    assert _means_of_others(scores, range(20)) == [7]
    scores[-1, 7] += 0.5
    assert _means_of_others(scores, range(20)) == []
    assert tracemalloc.get_traced_memory()[1] < scores.nbytes / 20
    tracemalloc.stop()


def test_averages_over_fewer_repeats_are_counted_and_their_days_named():
    rows = ["a,t,1,2024-01-01", "a,t,,2024-01-02", "a,u,3,2024-01-01", "a,u,4,2024-01-02"]
    rows += ["b,t,,2024-01-01", "b,t,,2024-01-02", "b,u,1,2024-01-01", "b,u,2,2024-01-02"]
    content = "\n".join(["model,task,accuracy,date", *rows]) + "\n"
    found = table_of(content, combine="mean", missing="available")
    assert found.scores.tolist()[0] == [1, 3.5]
    told = " ".join(found.notes)
    assert "1 cell without any score in its repeats counted as missing." in told
    assert "1 cell averaged over the repeats that are not missing." in told
    assert "2 scores per cell are averaged, whatever their date; fewer: where='date>=" in told


def test_tracks_are_told_where_somebody_is_in_several():
    def told(rows, **options):
        notes = table_of("model,task,division,acc\n" + "".join(rows), **options).notes
        return [str(note) for note in notes if "ranked as one" in note]

    several = [f"{m},t{k},{'uv'[k // 2]},{k}\n" for m in "ab" for k in range(4)]
    way = "a board for each: each='division'"
    assert told(several) == [f"2 divisions are ranked as one (u, v); {way}"]
    own = [f"{m},t{k},{d},{k}\n" for m, d in ("au", "bv") for k in range(4)]
    assert told(own) == []


def test_tasks_of_cases_are_told_to_be_ranked_as_one(tmp_path):
    rows = [f"{m},{t},{k},{k}\n" for m in "ab" for t in "uv" for k in range(4)]
    content = "model,task,case,acc\n" + "".join(rows)
    [told] = table_of(content, judge=["task", "case"]).notes
    assert told == "2 tasks are ranked as one (u, v); a board for each: each='task'"
    assert table_of(content, judge=["task", "case"], cluster="task").notes == ()
    path = tmp_path / "cases.csv"
    path.write_text(content)
    assert len(read(path, better="higher", judge=["task", "case"], each="task").parts) == 2


def test_a_column_to_keep_that_is_not_there_is_refused():
    with pytest.raises(UnknownNameError, match="'nosuch'"):
        table_of("model,a,b\nx,1,2\ny,2,1\n", candidates="rows", keep="nosuch")
