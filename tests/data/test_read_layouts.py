"""Wide and long, guessed or said, and always reported."""

import numpy as np
import pandas as pd
import pytest

from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.read import read, read_battles

LONG = "model,task,score\nsvm,iris,1\nrf,iris,2\nsvm,adult,3\nrf,adult,4\n"


def layout(results):
    return dict(results.reading)["layout"]


@pytest.mark.parametrize(
    "name", ["judge", "Task", "data set", "datasets", "dataset_name", "instance_id", "Problem",
             "items", "fold", "Question", "DatasetName", "TASK_ID", "hash", "id", "seed",
             "replicate", "filename", "file_name", "Benchmark", "case", "prompt", "round", "rep",
             "repeat", "cv", "iteration", "split", "k"]
)  # fmt: skip
def test_a_first_column_named_like_judges_means_that_rows_are_judges(table, name):
    results = read(table(f"{name},a,b\nx,1,2\ny,3,4\nz,5,6\n"), better="higher")
    assert (results.candidates, results.judges) == (("a", "b"), ("x", "y", "z"))
    np.testing.assert_array_equal(results.scores, [[1, 3, 5], [2, 4, 6]])
    assert f"rows are {results.nouns.judges()} (" in layout(results)


@pytest.mark.parametrize("name", ["model", "Solver", "systems", "algorithm_id", "team"])
def test_a_first_column_named_like_candidates_means_that_rows_are_candidates(table, name):
    results = read(table(f"{name},a,b\nx,1,2\ny,3,4\nz,5,6\n"), better="higher")
    assert (results.judges, results.candidates) == (("a", "b"), ("x", "y", "z"))
    assert results.notes == ()


@pytest.mark.parametrize(
    "name", ["", "index", "taskforce", "name", "config", "variant", "entry", "label", "rownames"]
)
def test_where_nothing_says_what_rows_are_it_is_asked_for(table, name):
    path = table(f"{name},a,b\nx,1,2\ny,3,4\nz,5,6\nw,7,8\n")
    with pytest.raises(UsageError) as caught:
        read(path, better="higher")
    why = f"The header '{name}' does not say it" if name else "No header says it"
    assert str(caught.value) == (
        "results.csv: are the candidates in the rows (x, y, z, ...) or in the columns (a, b)? "
        f"{why}.\nHint: in the rows: candidates='rows'\nin the columns: candidates='columns'"
    )
    assert read(path, better="higher", candidates="rows").candidates == ("x", "y", "z", "w")
    assert read(path, better="higher", candidates="columns").candidates == ("a", "b")


def test_judges_that_are_called_by_their_names_say_where_they_are(table):
    path = table(",a,b\nx,1,2\ny,3,4\n")
    assert read(path, better={"a": "lower", "*": "higher"}).candidates == ("x", "y")
    assert read(path, better={"y": "lower", "*": "higher"}).candidates == ("a", "b")
    with pytest.raises(UsageError, match="are the candidates in the rows"):
        read(path, better={"*": "higher"})
    table('better = "higher"\n[strata]\none = ["a", "b"]\n', "results.toml")
    assert read(path).candidates == ("x", "y")


def test_a_column_about_judges_proves_that_rows_are_judges(table):
    path = table("name,kind,a,b\nx,k1,1,2\ny,k2,3,4\n")
    for role in ("stratum", "cluster"):
        assert read(path, better="higher", **{role: "kind"}).judges == ("x", "y")


def test_a_single_column_of_scores_is_a_judge(table):
    assert read(table("name,points\nx,1\ny,2\n"), better="higher").candidates == ("x", "y")


def test_what_a_frame_calls_its_columns_proves_what_they_are():
    models = pd.DataFrame({"model": ["a", "b"], "x": [1, 2], "y": [3, 4]}).set_index("model")
    assert read(models, better="higher").candidates == ("a", "b")
    assert read(models.T, better="higher").candidates == ("a", "b")
    columns = pd.Index(["x", "y"], name="dataset")
    tasks = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=columns)
    assert read(tasks, better="higher").candidates == ("a", "b")
    assert read(tasks.T, better="higher").candidates == ("a", "b")
    with pytest.raises(UsageError, match=r"in the rows \(a, b\) or in the columns \(x, y\)"):
        read(tasks.rename_axis(columns=None), better="higher")


def test_folds_in_rows_are_judges_though_they_are_numbers(table):
    results = read(table("k,AutoML_1,AutoML_2\n1,0.5,0.6\n2,0.7,0.8\n"), better="higher")
    assert (results.candidates, results.judges) == (("AutoML_1", "AutoML_2"), ("1", "2"))


@pytest.mark.parametrize("name", ["round", "seed", "fold", "Split", "rep", "cv", "iteration", "k"])
def test_numbers_of_rounds_are_never_scores(table, name):
    path = table(f"model,{name},a\nx,1,5\ny,2,6\n")
    with pytest.raises(UsageError, match=f"column '{name}' numbers rounds, which are no scores"):
        read(path, better="higher")
    assert read(path, better="higher", ignore=name).judges == ("a",)
    for said in ({"layout": "wide"}, {"candidates": "rows"}, {"candidates": "columns"}):
        with pytest.raises(UsageError, match=f"column '{name}' numbers rounds"):
            read(path, better="higher", **said)


@pytest.mark.parametrize("name", ["k", "fold", "Seed", "cv"])
@pytest.mark.parametrize("said", [{}, {"candidates": "columns"}])
def test_rounds_name_the_judges_where_nothing_else_does(table, name, said):
    for cells in ("123", "xyz"):
        rows = zip("567", "432", cells, strict=True)
        path = table("\n".join([f"A,B,{name}", *map(",".join, rows)]))
        results = read(path, better="higher", **said)
        assert (results.candidates, results.judges) == (("A", "B"), tuple(cells))


def test_rounds_name_the_judges_beside_the_index_that_pandas_wrote(table):
    results = read(table(",A,B,fold\n0,.5,.6,1\n1,.4,.3,2\n"), better="higher")
    assert (results.candidates, results.judges) == (("A", "B"), ("1", "2"))
    assert any("is the index that pandas wrote" in note for note in results.notes)


@pytest.mark.parametrize("name", ["k", "fold", "seed"])
def test_rounds_beside_another_label_are_no_players(table, name):
    for first in ("name", "task"):
        path = table(f"{first},A,B,{name}\nx,.5,.6,1\ny,.4,.3,2\nz,.6,.3,3\n")
        for said in ({}, {"candidates": "columns"}):
            with pytest.raises(UsageError, match=f"'{name}' numbers rounds") as caught:
                read(path, better="higher", **said)
            assert f"ignore='{name}'" in caught.value.hint
        results = read(path, better="higher", ignore=name, candidates="columns")
        assert (results.candidates, results.judges) == (("A", "B"), ("x", "y", "z"))


def test_rounds_that_come_again_alone_are_left_out(table):
    path = table("A,B,fold\n5,4,1\n6,3,2\n7,2,1\n")
    with pytest.raises(UsageError) as caught:
        read(path, better="higher")
    assert caught.value.hint.splitlines()[0] == (
        "leave it out, candidates in the columns: ignore='fold', candidates='columns'"
    )
    assert read(path, better="higher", ignore="fold", candidates="columns").candidates == ("A", "B")
    with pytest.raises(UsageError, match="leave it out: ignore='fold'"):
        read(path, better="higher", candidates="columns")


@pytest.mark.parametrize("header", ["k", "fold", "k,cv", "cv,k", "fold,seed"])
def test_a_table_of_rounds_alone_holds_no_scores(table, header):
    width = header.count(",") + 1
    rows = "".join(f"{name}{f',{number}' * width}\n" for number, name in enumerate("ABC", 1))
    with pytest.raises(UsageError, match="and no other column holds any") as caught:
        read(table(f"model,{header}\n{rows}"), better="higher")
    assert "ignore" not in caught.value.hint


def test_a_k_among_letters_is_a_letter(table):
    path = table("model,i,j,k\nx,1,2,3\ny,3,2,1\n")
    assert read(path, better="higher").judges == ("i", "j", "k")
    columns = table("task,J,K,L\nx,1,2,3\ny,3,2,1\n")
    assert read(columns, better="higher").candidates == ("J", "K", "L")


@pytest.mark.parametrize("name", ["run", "subject", "Subject ID", "no", "#", "trial", "index", ""])
@pytest.mark.parametrize("start", [0, 1])
def test_a_first_column_that_counts_the_rows_names_them(table, name, start):
    rows = "".join(f"{k},0.{9 - k},0.{k}\n" for k in range(start, start + 3))
    path = table(f"{name},AutoML_1,AutoML_2\n{rows}")
    with pytest.raises(UsageError, match=rf"rows \({start}, .* columns \(AutoML_1, AutoML_2\)"):
        read(path, better="higher")
    results = read(path, better="higher", candidates="columns")
    assert results.candidates == ("AutoML_1", "AutoML_2")
    assert results.judges == tuple(str(start + k) for k in range(3))


def test_a_first_column_called_run_that_does_not_count_holds_scores(table):
    path = table("run,jump\n10,3\n12,4\n11,5\n")
    assert read(path, better="higher", candidates="columns").candidates == ("run", "jump")


@pytest.mark.parametrize("name", ["cv", "split", "k", "seed", "round", "iteration"])
def test_what_is_called_as_rounds_and_holds_scores_is_read(table, name):
    path = table(f"model,{name},test\nx,.81,.79\ny,.82,.77\nz,.7,.71\n")
    assert read(path, better="higher").judges == (name, "test")
    columns = table(f"dataset,NB,{name}\nx,81,79\ny,82,77.5\n")
    assert read(columns, better="higher").candidates == ("NB", name)


def test_rounds_in_rows_are_refused_with_what_works(table):
    path = table("dataset,fold,A,B\nd1,1,.8,.7\nd1,2,.8,.7\nd2,1,.7,.6\nd2,2,.7,.8\n")
    with pytest.raises(UsageError) as caught:
        read(path, better="higher")
    assert caught.value.hint == (
        "to take the mean of rows of one dataset: judge='dataset', combine='mean'\n"
        "to keep every row as a judge: judge=('dataset', 'fold'), cluster='dataset'"
    )
    assert read(path, better="higher", where="fold=1").judges == ("d1", "d2")
    path = table("model,fold,A\nx,1,.8\nx,2,.8\ny,1,.7\ny,2,.7\n")
    with pytest.raises(UsageError, match="candidate='model', judge='fold', score='A'"):
        read(path, better="higher")
    said = {"candidate": "model", "judge": "fold", "score": "A"}
    assert read(path, better="higher", **said).judges == ("1", "2")


@pytest.mark.parametrize("other", ["dataset", "stuff"])
def test_rounds_that_come_again_in_the_first_column_do_not_name_the_rows(table, other):
    path = table(f"fold,{other},A,B\n1,d1,3,4\n2,d1,4,5\n1,d2,5,1\n2,d2,1,3\n")
    with pytest.raises(UsageError, match="column 'fold' numbers rounds") as caught:
        read(path, better="higher")
    assert f"judge=('{other}', 'fold'), cluster='{other}'" in caught.value.hint
    results = read(path, better="higher", where="fold=1", candidates="columns")
    assert (results.candidates, results.judges) == (("A", "B"), ("d1", "d2"))


def test_fractions_are_no_judges_of_a_long_table(table):
    path = table("model,cv_score,test\nx,.81,.79\ny,.82,.77\nz,.7,.71\n")
    assert read(path, better="higher").judges == ("cv_score", "test")
    numbered = table("solver,problem,score\nx,1.1,5\nx,1.2,6\ny,1.1,7\ny,1.2,8\n")
    assert read(numbered, better="higher").judges == ("1.1", "1.2")


@pytest.mark.parametrize("name", ["round", "seed", "k", "fold", "cv", "split", "repeat"])
def test_player_round_score_is_a_long_table(table, name):
    results = read(table(f"player,{name},score\nann,1,5\nbob,1,6\nann,2,7\n"), better="higher")
    assert (results.candidates, results.judges) == (("ann", "bob"), ("1", "2"))
    assert layout(results) == f"long (guessed): candidate 'player', judge '{name}', score 'score'"


def test_a_judge_beats_a_round_in_a_long_table(table):
    content = "model,task,fold,score\na,x,1,5\nb,x,1,6\na,y,2,7\nb,y,2,8\n"
    assert read(table(content), better="higher").judges == ("x", "y")


def test_the_orientation_can_be_set(table):
    path = table("stuff,a,b\nx,1,2\ny,3,4\n")
    assert read(path, better="higher", candidates="columns").candidates == ("a", "b")
    assert read(path, better="higher", candidates="rows").candidates == ("x", "y")
    assert read(path, better="higher", judge="stuff").judges == ("x", "y")
    other = table("a,b,who\n1,2,x\n3,4,y\n", "other.csv")
    assert read(other, better="higher", candidate="who").candidates == ("x", "y")


def test_numeric_labels_are_names(table):
    results = read(table("item,a,b\n10,1,2\n20,3,4\n"), better="higher")
    assert results.judges == ("10", "20")


def test_a_table_without_labels_gets_names(table):
    path = table("a,b\n1,2\n3,4\n")
    with pytest.raises(UsageError, match=r"in the rows or in the columns \(a, b\)\?"):
        read(path, better="higher")
    results = read(path, better="higher", candidates="rows")
    assert results.candidates == ("candidate_1", "candidate_2")
    assert read(table("a,b\n1,2\n"), better="higher", candidates="columns").judges == ("judge_1",)


def test_a_table_without_a_header_gets_names(table):
    path = table("0.7795 0.5 0.5178\n 0.1 0.2 0.3 \n", "auto.data")
    results = read(path, better="higher", candidates="columns")
    assert results.candidates == ("candidate_1", "candidate_2", "candidate_3")
    assert results.scores.T.tolist() == [[0.7795, 0.5, 0.5178], [0.1, 0.2, 0.3]]
    assert dict(results.reading)["header"].startswith("none")
    assert read(path, better="higher", candidates="rows").n == 2
    with pytest.raises(UsageError, match="in the rows or in the columns"):
        read(path, better="higher")


def test_labels_are_found_without_a_header(table):
    path = table("svm,0.9,0.8\nrf,0.7,0.6\n")
    with pytest.raises(UsageError, match=r"in the rows \(svm, rf\) or in the columns\?"):
        read(path, better="higher")
    results = read(path, better="higher", candidates="rows")
    assert results.candidates == ("svm", "rf")
    assert any("not a header" in note for note in results.notes)


def test_whole_numbers_in_a_first_row_of_data_are_no_header(table):
    said = {"better": "higher", "candidates": "rows"}
    assert read(table("svm,203,76\nrf,200,71\n"), **said).candidates == ("svm", "rf")
    assert read(table("years,2019,2020\nrf,200,71\n"), **said).candidates == ("rf",)


def test_a_header_of_numbers_is_a_header_where_the_first_cell_says_so(table):
    for first in ("model", "", "name"):
        said = {"better": "higher", "candidates": "rows"}
        results = read(table(f"{first},2019,2020\nsvm,0.9,0.8\n"), **said)
        assert results.judges == ("2019", "2020")
    pandas = read(table("0,1,2\n0.5,0.25,3\n"), **said)
    assert pandas.judges == ("0", "1", "2")


def test_the_header_can_be_set(table):
    path = table("1,2\n3,4\n")
    said = {"better": "higher", "candidates": "rows"}
    assert read(path, **said, header=True).judges == ("1", "2")
    assert read(path, **said, header=False).n == 2
    assert read(table("a,b\n1,2\n"), **said, header=True).judges == ("a", "b")


def test_a_long_table_is_guessed_and_reported(table):
    results = read(table(LONG), better="higher")
    np.testing.assert_array_equal(results.scores, [[1, 3], [2, 4]])
    assert layout(results) == "long (guessed): candidate 'model', judge 'task', score 'score'"


def test_unused_columns_of_a_long_table_are_reported(table):
    content = "run,classifier_name,dataset_name,accuracy,who\n1,a,x,.5,me\n2,b,x,.6,me\n"
    results = read(table(content), better="higher")
    assert dict(results.reading)["columns not used"] == "run, who"


def test_the_columns_of_a_long_table_can_be_named(table):
    content = "who,where,what,other\na,x,1,9\nb,x,2,8\na,y,3,7\n"
    results = read(table(content), better="higher", candidate="who", judge="where", score="what")
    assert results.holes.tolist() == [[False, False], [False, True]]
    with pytest.raises(UsageError, match="which column holds the scores"):
        read(table(content), better="higher", candidate="who", judge="where")


def test_the_only_numeric_column_is_the_score(table):
    content = "who,where,what\na,x,1\nb,x,2\n"
    results = read(table(content), better="higher", candidate="who", judge="where")
    assert "score 'what'" in layout(results)


def test_an_ambiguous_long_table_says_what_it_could_be(table):
    content = "task,model,score,case\nt,a,1,x\nt,b,2,x\n"
    with pytest.raises(UsageError, match=r"which column holds the judges.*'task', 'case'"):
        read(table(content), better="higher", layout="long")
    with pytest.raises(DataError, match="'task' holds text") as asked:
        read(table(content), better="higher")
    assert asked.value.remedy == {"judge": "task"}
    assert read(table(content), better="higher", **asked.value.remedy).candidates == ("a", "b")


def test_rows_are_kept_by_value(table):
    content = LONG.replace("score\n", "score,split\n", 1).replace("1\n", "1,test\n")
    content = content.replace("2\n", "2,test\n").replace("3\n", "3,dev\n").replace("4\n", "4,dev\n")
    path = table(content)
    for where in ("split=test", ["split!=dev"], {"split": "test"}, {"split": ["test", "x"]}):
        assert read(path, better="higher", where=where).judges == ("iris",)
    with pytest.raises(DataError, match=r"no row has split=tst\.\nHint: .*'dev', 'test'"):
        read(path, better="higher", where="split=tst")
    with pytest.raises(DataError, match="no row has split=test and task=adult"):
        read(path, better="higher", where=["split=test", "task=adult"])


DATED = """model,task,score,when,size
a,t1,1,2024-01-31,10
a,t2,2,2024-02-01,9
a,t3,3,2024-02-01T12:00:00+02:00,1e3
a,t4,4,,
a,t5,5,2025-01-01 00:00,-1
"""


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("when<2024-02-01", ("t1",)),
        ("when<=2024-02-01", ("t1", "t2", "t3")),
        ("when>2024-02-01T10:00", ("t5",)),
        ("when>=2024-02-01T10:00", ("t3", "t5")),
        ("size>9", ("t1", "t3")),
        ("size>=9", ("t1", "t2", "t3")),
        (["size<100", "when>=2024-02-01"], ("t2", "t5")),
    ],
)
@pytest.mark.parametrize("as_log", [False, True], ids=["table", "log"])
def test_rows_are_kept_by_order_of_numbers_and_dates(table, where, kept, as_log):
    if as_log:
        path = table(DATED.replace("a,t", "a,b,t").replace("model,task", "left,right,winner"))
        battles = read_battles(path, where=where, outcomes={f"t{k}": "left" for k in range(1, 6)})
        assert battles.total == len(kept)
        return
    assert read(table(DATED), better="higher", score="score", where=where).judges == kept


def test_what_cannot_be_compared_is_refused_with_its_place(table):
    odd = table(DATED.replace("10\n", "ten\n"))
    message = r"line 2: column 'size' holds 'ten', which is no number: where='size>9' cannot"
    with pytest.raises(DataError, match=message):
        read(odd, better="higher", score="score", where="size>9")
    with pytest.raises(UsageError, match=r"'soon' is neither a number nor a date"):
        read(odd, better="higher", score="score", where="when<soon")
    log = table("left,right,winner,when\na,b,a,soon\na,b,b,2024-01-01\n")
    with pytest.raises(DataError, match=r"column 'when' holds 'soon', which is no date"):
        read_battles(log, where="when<2025-01-01")


def test_a_column_may_have_a_sign_in_its_name(table):
    path = table("model,a<b,x\nsvm,1,5\nrf,2,6\n")
    assert read(path, better="higher", where="a<b<2").candidates == ("svm",)
    assert read(path, better="higher", where="a<b>=2").candidates == ("rf",)


def test_rows_are_kept_by_number_and_by_odd_column_names(table):
    results = read(table("model,a=b,x\nsvm,1.0,5\nrf,2.0,6\n"), better="higher", where="a=b=1")
    assert (results.candidates, results.judges) == (("svm",), ("x",))


def test_strata_clusters_and_weights_come_from_columns_of_a_wide_table(table):
    content = "task,kind,w,a,b\nx,k1,2,1,2\ny,k2,1,3,4\nz,,1,5,6\n"
    results = read(table(content), better="higher", stratum="kind", weight="w")
    assert results.strata == ("k1", "k2", "(none)")
    assert results.weights.tolist() == [2, 1, 1]
    assert results.candidates == ("a", "b")
    assert any("without a stratum" in note for note in results.notes)
    clustered = read(table(content), better="higher", cluster="kind", weight="w")
    assert clustered.clusters == ("k1", "k2", "z")


def test_strata_clusters_and_weights_come_from_columns_of_a_long_table(table):
    content = "model,task,score,kind,w\na,x,1,k1,3\nb,x,2,k1,3\na,y,3,k2,1\nb,y,4,k2,1\n"
    results = read(table(content), better="higher", cluster="kind", stratum="kind", weight="w")
    assert results.clusters == results.strata == ("k1", "k2")
    assert results.weights.tolist() == [3, 1]
    with pytest.raises(DataError, match="judge 'x' has two values of stratum: 'k1' and 'other'"):
        read(table(content.replace("2,k1", "2,other")), better="higher", stratum="kind")
    with pytest.raises(DataError, match="the weight of judge 'y' is 'heavy'"):
        read(table(content.replace(",1\n", ",heavy\n")), better="higher", weight="w")
    with pytest.raises(DataError, match="the weight of judge 'y' is ''"):
        read(table(content.replace(",1\n", ",\n")), better="higher", weight="w")


REPEATED = "model,task,seed,score\n" + "".join(
    f"{m},{t},{s},{v}\n"
    for m, t, s, v in [
        ("a", "x", "s1", 1), ("a", "x", "s2", 3), ("b", "x", "s1", 2), ("b", "x", "s2", 6),
        ("a", "y", "s1", 5), ("b", "y", "s1", 7),
    ]
)  # fmt: skip


def test_repeats_are_averaged_on_request(table):
    results = read(table(REPEATED), better="higher", combine="mean")
    assert results.scores.tolist() == [[2, 5], [4, 7]]
    assert "1 to 2 scores" in dict(results.reading)["repeats"]


def test_a_missing_repeat_makes_the_mean_missing_unless_available_is_said(table):
    path = table(REPEATED.replace("s2,3", "s2,"))
    results = read(path, better="higher", combine="mean")
    assert results.holes.tolist() == [[True, False], [False, False]]
    assert any("missing repeat" in note for note in results.notes)
    averaged = read(path, better="higher", combine="mean", missing="available")
    assert averaged.scores.tolist() == [[1, 5], [4, 7]]


@pytest.mark.parametrize("repeat", [None, "seed"])
def test_repeats_become_clustered_judges_on_request(table, repeat):
    results = read(
        table(REPEATED), better={"x": "lower", "y": "higher"}, combine="judges", repeat=repeat
    )
    names = ("x #s1", "x #s2", "y #s1") if repeat else ("x #1", "x #2", "y #1")
    assert results.judges == names
    assert results.clusters == ("x", "x", "y")
    assert results.better == ("lower", "lower", "higher")
    np.testing.assert_array_equal(results.original, [[1, 3, 5], [2, 6, 7]])
    assert any("1 to 2 repeats" in note for note in results.notes)


def test_a_repeat_that_repeats_is_refused(table):
    with pytest.raises(DataError, match=r"2 scores on task 'x #s1' \(rows 2, 3\)"):
        read(table(REPEATED.replace("s2", "s1")), better="higher", combine="judges", repeat="seed")


def test_the_tie_tolerance_is_passed_on(table):
    assert read(table(LONG), better="higher", tie_tol=0.1).tie_tol == 0.1


def test_columns_in_the_middle_can_be_set_aside(table):
    content = "task,a,kind,b\nx,1,k1,2\ny,3,k2,4\n"
    results = read(table(content), better="higher", cluster="kind")
    assert results.candidates == ("a", "b")
    assert results.scores.tolist() == [[1, 3], [2, 4]]


def test_a_condition_on_a_frame_keeps_some_rows():
    frame = pd.DataFrame(
        {"model": ["a", "b", "a"], "task": ["x", "x", "y"], "score": [1.0, 2, 3], "year": [1, 1, 2]}
    )
    assert read(frame, better="higher", where="year=1").judges == ("x",)
    assert read(frame, better="higher", where={"year": 2}).judges == ("y",)


def test_a_column_that_is_asked_for_must_be_the_only_one_of_its_name(table):
    with pytest.raises(DataError, match=r"two columns are called 'score' \(columns 3 and 4\)"):
        read(table("model,task,score,score\na,x,1,2\n"), better="higher", score="score")


def test_one_column_cannot_play_two_roles(table):
    with pytest.raises(UsageError, match=r"cannot hold both|both name"):
        read(table("model,x,y\na,1,2\n"), better="higher", layout="long", judge="x", score="x")


def test_a_table_without_scores_is_refused(table):
    with pytest.raises(DataError, match="holds no scores"):
        read(table("model\nsvm\nrf\n"), better="higher")


def test_mixed_decimal_signs_are_refused(table):
    with pytest.raises(DataError, match=r"'0\.25' is no number where the decimal sign is a comma"):
        read(table("model;a;b\nx;0,5;1\ny;0.25;1\n"), better="higher")


def test_a_judge_that_is_nowhere_proves_nothing(table):
    path = table("name,a,b\nx,1,2\ny,3,4\n")
    better = {"*": "higher"}
    with pytest.raises(UsageError, match="are the candidates in the rows"):
        read(path, better=better | {"zzz": "lower"})
    assert read(path, better=better | {"x": "lower"}).judges == ("x", "y")
    assert read(path, better=better | {"a": "lower"}).judges == ("a", "b")


@pytest.mark.parametrize("first", ["rank", "Place", "position"])
def test_a_leaderboard_is_labelled_by_its_candidates(table, first):
    path = table(f"{first},Model,iris,adult\n1,x,.8,.7\n2,y,.7,.6\n")
    with pytest.raises(UsageError, match=f"column {first!r} is counted as a judge"):
        read(path, better="higher")
    results = read(path, better="higher", keep=first)
    assert (results.candidates, results.judges) == (("x", "y"), (first, "iris", "adult"))


def test_the_index_of_pandas_gives_way_to_a_column_of_candidates(table):
    results = read(table(",Model,iris,adult\n0,x,.8,.7\n1,y,.7,.6\n"), better="higher")
    assert (results.candidates, results.judges) == (("x", "y"), ("iris", "adult"))
    assert "is the index that pandas wrote" in results.notes[0]


def doubts(path, **options):
    """Return the remedy for columns that are no scores, nothing where there are none."""
    try:
        read(path, better="higher", **options)
    except UsageError as error:
        return error.remedy
    return None


@pytest.mark.parametrize(
    ("name", "means", "flagged"),
    [
        ("Average (56 datasets)", [9, 1, 5, 3], True),
        ("Overall", [9, 1, 5, 3], True),
        ("Mean score", [12, 21, 33, 42], True),  # tracks the mean of the others
        ("Total War", [42, 12, 33, 21], False),  # a game
    ],
)
def test_a_column_that_is_called_a_mean_and_behaves_so_is_flagged(table, name, means, flagged):
    rows = "".join(f"m{k},{k},{k + 1},{4 * k},{mean}\n" for k, mean in enumerate(means))
    found = doubts(table(f"model,u,v,w,{name}\n{rows}"), candidates="rows")
    assert found == ({"ignore": [name]} if flagged else None)


@pytest.mark.parametrize(
    ("key", "told"),
    [("{block}", True), ("{k}", False), ("0.{block}", False), ("{fall}", False)],
)
def test_a_column_that_numbers_blocks_of_rows_is_told(table, key, told):
    cells = [key.format(block=1 + k // 5, fall=k // 5 * 3 % 4, k=k) for k in range(20)]
    scores = (f"0.{17 * k % 89 + 10},0.{31 * k % 89 + 10},0.{53 * k % 89 + 10}" for k in range(20))
    rows = "".join(f"{cell},{score}\n" for cell, score in zip(cells, scores, strict=True))
    notes = read(table(f"DB,a,b,c\n{rows}"), better="higher", candidates="columns").notes
    assert any("'DB' numbers blocks of rows" in note for note in notes) == told


def test_a_format_that_names_the_rows_is_not_asked_what_its_columns_are(table):
    path = table("3\n1,A\n2,mean\n3,C\n2,2,2\n1,1,2,3\n1,2,1,3\n", "orders.soc")
    assert read(path).candidates == ("A", "mean", "C")
