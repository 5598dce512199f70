"""Rows of one name: several columns name a judge together, or its rows are averaged."""

import io

import pytest

import deadheat as dh
from deadheat.core.errors import DataError, NotOneScoreError, UsageError
from deadheat.data.reading.read import read

# Two data sets x two repetitions x two folds; the means of A, B over d1 are 4, 5, over d2 8, 3.
FOLDS = (
    "db,rep,fold,A,B\n"
    "1,1,1,1.5,4.5\n1,1,2,3.5,4.5\n1,2,1,5,6\n1,2,2,6,5\n"
    "2,1,1,7.5,1\n2,1,2,8.5,2\n2,2,1,8,4\n2,2,2,8,5\n"
)
CASES = (
    "task,algorithm,value,case\n"
    "u,a,1,1\nu,b,2,1\nu,a,3,2\nu,b,1,2\n"
    "v,a,5,1\nv,b,6,1\nv,a,7,2\nv,b,5,2\n"
)


def table_of(content, **options):
    return read(io.StringIO(content), **{"better": "higher", **options})


def hint_of(content, **options):
    with pytest.raises((UsageError, DataError)) as told:
        table_of(content, **options)
    return told.value.hint


def test_several_columns_name_a_judge_together():
    table = table_of(CASES, candidate="algorithm", judge=["task", "case"], score="value")
    assert table.judges == ("u / 1", "u / 2", "v / 1", "v / 2")
    assert table.scores.tolist() == [[1, 3, 5, 7], [2, 1, 6, 5]]
    assert table.nouns.judge == "case"
    turned = table_of(CASES, judge=("case", "task"), stratum="task")
    assert turned.judges == ("1 / u", "2 / u", "1 / v", "2 / v")
    assert turned.strata == ("u", "u", "v", "v")


def test_they_name_the_rows_of_a_wide_table_too():
    table = table_of(FOLDS, judge=["db", "rep", "fold"], cluster="db")
    assert (table.candidates, table.m) == (("A", "B"), 8)
    assert table.judges[:3] == ("1 / 1 / 1", "1 / 1 / 2", "1 / 2 / 1")
    assert table.clusters == ("1",) * 4 + ("2",) * 4
    both = table_of(FOLDS, judge=["db", "rep", "fold"], cluster=["db", "rep"])
    assert both.clusters == ("1 / 1",) * 2 + ("1 / 2",) * 2 + ("2 / 1",) * 2 + ("2 / 2",) * 2
    strata = table_of(FOLDS, candidates="columns", stratum=["db", "rep"], ignore="fold")
    assert strata.strata == both.clusters


def test_one_column_in_a_list_is_one_column():
    assert table_of(CASES, judge=["case"], where="task=u").judges == ("1", "2")


def test_an_empty_part_names_nothing():
    with pytest.raises(DataError, match=r"the judge in line 2, .* has no name"):
        table_of(CASES.replace("u,a,1,1", ",a,1,1"), judge=["task", "case"])


def test_a_part_that_is_no_column_is_refused():
    with pytest.raises(UsageError, match=r"unknown column 'tsk'. Did you mean 'task'"):
        table_of(CASES, judge=["tsk", "case"])
    assert hint_of(CASES, judge="task,case") == "all of them: judge=('task', 'case')"


def test_a_sidecar_names_them_in_a_list(tmp_path):
    (tmp_path / "cases.csv").write_text(CASES)
    (tmp_path / "cases.toml").write_text('better = "higher"\n[columns]\njudge = ["task", "case"]\n')
    assert read(tmp_path / "cases.csv").m == 4


def test_an_ignored_column_cannot_be_part_of_a_name():
    with pytest.raises(UsageError, match="'task' cannot be ignored and hold the judges"):
        table_of(CASES, judge=["task", "case"], ignore="task")


def test_judges_of_several_columns_are_called_by_the_finest():
    rows = "method,dataset,diagram,loss\na,s,p,1\na,s,q,2\nb,s,p,3\nb,s,q,4\n"
    said = {"judge": ["dataset", "diagram"], "cluster": "dataset"}
    table = table_of(rows, better="lower", **said)
    assert (table.judged_on, table.nouns.cluster) == ("2 diagrams", "dataset")
    unnamed = table_of(rows.replace("diagram", "x1"), better="lower", judge=["dataset", "x1"])
    assert unnamed.judged_on == "2 judges"


def test_battles_have_one_column_of_clusters():
    log = io.StringIO("left,right,winner,u,v\na,b,left,1,2\nb,a,left,2,1\n")
    with pytest.raises(UsageError, match="one column of clusters, yet 'u', 'v' are named"):
        dh.read_battles(log, cluster=["u", "v"])


# ------------------------------------------------------------------------------
# Rows of a wide table are averaged, or judges of their own.


@pytest.mark.parametrize("more", [{}, {"candidates": "columns"}, {"ignore": ["rep", "fold"]}])
def test_rows_of_one_judge_are_averaged(more):
    table = table_of(FOLDS, judge="db", combine="mean", **more)
    assert table.judges == ("1", "2")
    assert table.scores.tolist() == [[4, 8], [5, 3]]
    assert dict(table.reading)["repeats"] == "averaged, 4 scores per cell"


def test_rows_of_one_judge_become_judges_in_clusters():
    table = table_of(FOLDS, judge="db", combine="judges")
    assert table.scores.tolist()[0] == [1.5, 3.5, 5, 6, 7.5, 8.5, 8, 8]
    assert table.clusters == ("1",) * 4 + ("2",) * 4
    one = table_of(FOLDS, judge="db", where="rep=1", ignore="rep", combine="judges")
    assert one.judges == ("1 #1", "1 #2", "2 #1", "2 #2")
    assert one.nouns.repeat == "fold"


def test_rows_of_one_candidate_are_averaged():
    rows = "model,seed,x,y\na,1,1,2\na,2,3,6\nb,1,5,5\nb,2,6,6\n"
    table = table_of(rows, combine="mean")
    assert (table.candidates, table.judges) == (("a", "b"), ("x", "y"))
    assert table.scores.tolist() == [[2, 4], [5.5, 5.5]]
    assert hint_of(rows).startswith("to take the mean of rows of one name: candidate='model'")


def test_standard_errors_of_rows_are_combined():
    rows = "task,A,B\nt,1 ± 0.3,2 ± 0.1\nt,3 ± 0.4,4 ± 0.1\nu,1 ± 0.1,2 ± 0.2\n"
    table = table_of(rows, judge="task", combine="mean")
    assert table.scores.tolist() == [[2, 1], [3, 2]]
    assert table.standard_errors[0, 0] == pytest.approx(0.25)  # (0.3^2 + 0.4^2)^(1/2) / 2


def test_a_label_that_differs_between_rows_of_a_judge_is_refused():
    hint = hint_of(FOLDS, judge="db", combine="mean", stratum="rep")
    assert hint.endswith("if 'rep' names judges too: judge=('db', 'rep')")
    table = table_of(FOLDS, judge=("db", "rep"), combine="mean", stratum="rep")
    assert table.strata == ("1", "2", "1", "2")


def test_a_row_without_a_name_is_not_averaged():
    with pytest.raises(DataError, match="the label in line 2, column 'db', has no name"):
        table_of(FOLDS.replace("1,1,1,1.5", ",1,1,1.5"), judge="db", combine="mean")


def test_judges_of_several_columns_stay_apart_whatever_they_hold():
    rows = "model,task,case,acc\n"
    rows += "".join(f"{m},x / y,z,1\n{m},x,y / z,3\n" for m in "ab")
    table = table_of(rows, judge=["task", "case"], combine="mean")
    assert table.judges == ('"x / y" / z', 'x / "y / z"')


def test_columns_put_together_are_never_named_in_a_hint():
    hint = hint_of(FOLDS, candidates="columns", cluster=["db", "rep"])
    assert "judge=('db', 'rep', 'fold')" in hint
    assert "db, rep" not in hint
    twice = hint_of(FOLDS, judge="fold", combine="mean", stratum=["db", "rep"])
    assert twice.endswith("if 'db' and 'rep' name judges too: judge=('fold', 'db', 'rep')")


def test_a_model_averaged_over_kinds_is_told():
    rows = "model,kind,x,y\na,u,1,2\na,v,3,6\nb,u,5,5\nb,v,6,6\n"
    [told] = notes_of(rows, combine="mean", candidate="model", layout="wide", ignore="kind")
    assert told == "each score is a mean over 'kind' ('u', 'v')."


def test_rows_without_names_cannot_be_averaged():
    hint = hint_of(FOLDS, candidates="columns", combine="mean")
    assert hint == "'db' names them: judge='db'\nwithout it: combine=None"


# ------------------------------------------------------------------------------
# What is asked, and what leads on.


def test_no_column_that_groups_rows_is_dropped():
    kept = "to keep every row as a judge: judge=('db', 'rep', 'fold'), cluster='db'"
    mean = "to take the mean of rows of one db: judge='db', combine='mean'"
    for more in ({}, {"candidates": "columns"}, {"judge": "db"}):
        assert hint_of(FOLDS, **more).replace("('db',)", "'db'") == f"{mean}\n{kept}"
    again = hint_of(FOLDS, judge="db", ignore=["rep", "fold"])
    assert again.endswith(f"{kept}, ignore=None")


def test_cases_of_several_tasks_are_kept_apart():
    hint = hint_of(CASES)
    assert hint.endswith("candidate='algorithm', judge=('task', 'case'), score='value'")
    assert "if 'task' names judges too: judge=('case', 'task')\n" in hint_of(CASES, judge="case")
    said = hint_of(CASES, judge="case", combine="judges", stratum="task")
    assert said.endswith("if 'task' names judges too: judge=('case', 'task')")


def test_a_column_that_is_no_judge_leaves_its_rows_in_clusters():
    rows = "method,dataset,diagram,loss\na,s,p,1\na,s,q,2\nb,s,p,3\nb,s,q,4\na,t,p,5\nb,t,p,6\n"
    hint = hint_of(rows, better="lower")
    way = "if 'diagram' names judges too: judge=('dataset', 'diagram'), cluster='dataset'"
    assert hint.splitlines()[0] == way


def test_seeds_are_averaged_as_is_usual():
    rows = "model,dataset,seed,acc\na,s,1,1\na,s,2,2\nb,s,1,3\nb,s,2,4\na,t,1,5\nb,t,1,6\n"
    mean, each = hint_of(rows).splitlines()
    assert each == "make each seed of a dataset a judge: combine='judges', repeat='seed'"
    assert mean == "as is usual, take the mean over seed: combine='mean'"


def notes_of(content, **options):
    return [str(note) for note in table_of(content, **options).notes]


def test_an_average_over_what_is_no_repetition_is_told():
    over = "each score is a mean over 'task' ('u', 'v'); to keep them apart: "
    assert notes_of(CASES, judge="case", combine="mean") == [
        f"{over}judge=('case', 'task'), combine=None"
    ]
    assert notes_of(CASES, judge="case", combine="mean", where="task=u") == []
    seeds = "model,dataset,seed,acc\na,s,1,1\na,s,2,2\nb,s,1,3\nb,s,2,4\n"
    assert notes_of(seeds, combine="mean") == []
    assert notes_of(FOLDS, judge="db", combine="mean") == []
    left_out = FOLDS.replace("rep", "kind")
    assert "mean over 'kind'" in notes_of(left_out, judge="db", combine="mean", ignore="kind")[0]


def test_repeats_that_come_late_are_told_all_the_same():
    """The first of several blocks has one seed only, behind more columns than are looked at."""

    def content(last, unit):
        cells = [",".join(f"{int(k % 7 > j)}{unit}" for j in range(9)) for k in range(7)]
        rows = (
            f"m{k % 2},t{k // 2},{k % 3 / 2},{cells[k % 7]},{each}"
            for each in "uv"
            for k in range(50_000)
        )
        return "\n".join([f"model,task,acc,{','.join('abcdefghi')},{last}", *rows]) + "\n"

    with pytest.raises(NotOneScoreError) as told:
        table_of(content("seed", ""))
    assert told.value.hint.startswith("as is usual, take the mean over seed: combine='mean'")
    [over] = notes_of(content("kind", ".5"), combine="mean", candidate="model", score="acc")
    assert over.startswith("each score is a mean over 'kind' ('u' and 1 more); ")


def test_measurements_beside_scores_are_no_repetitions():
    rows = "model,dataset,seed,acc,seconds\n"
    rows += "".join(f"{m},{d},{s},{s},{s}.5\n" for m in "ab" for d in "st" for s in (1, 2, 3))
    assert notes_of(rows, combine="mean", score="acc") == []


def test_groups_that_are_left_out_are_told():
    content = "size,x,A,B\n" + "".join(
        f"{10 * (k // 4)},{k},{k % 3},{k % 5}.5\n" for k in range(12)
    )
    [told] = notes_of(content, ignore=["size", "x"], candidates="columns")
    assert told.startswith(
        "every row is counted as a judge of its own, though size groups the rows"
    )
    assert notes_of(content, ignore="x", cluster="size", candidates="columns") == []
    assert notes_of(content, ignore=["size"], judge="x") == []


def test_repeats_that_are_judges_are_counted_in_words():
    rows = "model,dataset,seed,acc\n"
    rows += "".join(f"{m},{d},{s},{s}\n" for m in "ab" for d in "stu" for s in (1, 2))
    for more in ({}, {"repeat": "seed"}):
        table = table_of(rows, combine="judges", **more)
        assert table.judged_on == "3 datasets x 2 seeds"
    unnamed = table_of(rows.replace("seed", "zonk"), combine="judges", score="acc")
    assert unnamed.judged_on == "3 datasets x 2 repeats"
    uneven = table_of(rows + "a,u,3,1\nb,u,3,1\n", combine="judges")
    assert uneven.judged_on == "7 dataset runs on 3 datasets"
    assert table_of(rows, combine="mean").judged_on == "3 datasets"
    many = "model,dataset,seed,acc\n" + "".join(
        f"{m},d{d},{s},{s}\n" for m in "ab" for d in range(12) for s in (1, 2)
    )
    v = dh.verdict(table_of(many, combine="judges"), replicates=99)
    assert "(average rank, 12 datasets x 2 seeds)" in v.verdict


# ------------------------------------------------------------------------------
# Published tables.


@pytest.mark.shared
def test_cases_of_challenge_r(shared_data):
    path = shared_data / "challengeR/data_matrix.csv"
    table = dh.read(path, better="higher", judge=["task", "case"], stratum="task")
    assert (table.n, table.m) == (5, 220)
    means = table.scores[:, [name == "c_ideal" for name in table.strata]].mean(axis=1)
    assert means.round(3).tolist() == [0.952, 0.845, 0.742, 0.645, 0.542]  # meta.json
    worst = table.scores[:, [name == "c_worstcase" for name in table.strata]].mean(axis=1)
    assert worst.round(3).tolist() == [0.9] * 5


@pytest.mark.shared
def test_folds_of_scmamp(shared_data):
    path = shared_data / "demsar_garcia_herrera/data.kcv.example.csv"
    table = dh.read(path, better="higher", judge=["DB", "Rep", "Fold"], cluster="DB")
    assert (table.n, table.m, len({*table.clusters})) == (4, 1000, 10)  # meta.json
    means = dh.read(path, better="higher", judge="DB", combine="mean")
    assert (means.n, means.m, means.notes) == (4, 10, ())
    one = [name == "1" for name in table.clusters]
    assert means.scores[:, 0] == pytest.approx(table.scores[:, one].mean(axis=1))


@pytest.mark.shared
def test_graphs_of_blum_2015_are_grouped_by_size_and_radius(shared_data):
    path = shared_data / "demsar_garcia_herrera/data.blum.2015.csv"
    with pytest.raises(UsageError) as told:
        dh.read(path, better="higher")
    assert told.value.remedy == {"candidates": "columns", "cluster": ("Size", "Radius")}
    table = dh.read(path, better="higher", candidates="columns", stratum=["Size", "Radius"])
    assert (table.n, table.m, len({*table.strata})) == (8, 900, 30)  # meta.json
