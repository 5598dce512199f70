"""What single formats promise beyond what all do, and real files of the shared development data."""

import csv
import gzip
import json
from datetime import UTC, datetime

import numpy as np
import pytest
from format_samples import all_samples

import deadheat as dh

SAMPLES = {f"{sample.format}-{sample.name}": sample for sample in all_samples()}


def written(name, tmp_path):
    return SAMPLES[name].write(tmp_path)


# ------------------------------------------------------------------------------
# AMLB


def test_amlb_takes_the_direction_of_each_task_from_its_metric(tmp_path):
    path = written("amlb-results.csv", tmp_path)
    table = dh.read(path)
    assert dict(zip(table.judges, table.better, strict=True)) == {"kc9": "higher", "wine9": "lower"}
    path.write_text(path.read_text().replace(",logloss,local", ",neg_logloss,local"))
    assert dh.read(path).better == ("higher", "higher")
    path.write_text(path.read_text().replace(",neg_logloss,local", ",brand_new,local"))
    with pytest.raises(dh.DeadheatError, match="direction"):
        dh.read(path)


def test_a_failed_fold_of_amlb_is_a_missing_score_that_is_asked_about(tmp_path):
    path = written("amlb-results.csv", tmp_path)
    path.write_text(path.read_text().replace("binary,0.82,auc", "binary,,auc"))
    table = dh.read(path)
    assert np.isnan(table.scores).sum() == 1
    with pytest.raises(dh.DeadheatError, match="'beta' on task 'kc9' is missing"):
        dh.rank(table, by="average_rank")


@pytest.mark.shared
@pytest.mark.parametrize(("hours", "complete"), [("1h", 238), ("4h", 264), ("8h", 22)])
def test_amlb_2019_gives_its_published_means(shared_data, hours, complete):
    """``0.74173 (5)`` is a mean of five folds: here such a score is missing."""
    folder = shared_data / "amlb2019"
    table = dh.read(folder / f"all_results_{hours}.csv.gz")
    at = {name: i for i, name in enumerate(table.candidates)}, table.judges
    found = 0
    with (folder / f"published_score_summary_{hours}.csv").open() as file:
        for row in csv.DictReader(file):
            for name in at[0]:
                ours = table.scores[at[0][name], at[1].index(row["task"])]
                whole = row[name] not in {"", "nan"} and "(" not in row[name]
                assert np.isnan(ours) != whole
                assert not whole or ours == pytest.approx(float(row[name]), abs=6e-6)
                found += whole
    assert found == complete


# ------------------------------------------------------------------------------
# lm-evaluation-harness


def test_standard_errors_and_directions_of_lm_eval_are_kept(tmp_path):
    table = dh.read(written("lm-eval-output", tmp_path))
    assert dict(zip(table.judges, table.better, strict=True)) == {
        "arc": "higher", "sums": "higher", "wiki": "lower"
    }  # fmt: skip
    np.testing.assert_array_equal(table.standard_errors[0], [0.01, 0.02, np.nan])
    assert "tiny" not in table.judges
    assert any(note.startswith("1 group left out") for note in table.notes)


@pytest.mark.parametrize("name", ["x.json", "x.csv", "x.txt", "x"])
@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_a_result_of_lm_eval_is_known_whatever_its_name_and_order(tmp_path, name, indent):
    results = {"arc": {"acc": 0.5, "acc_stderr": 0.1}}
    found = {"versions": {"arc": 1}, "results": results, "config": {"model_args": "pretrained=a"}}
    for content in (found, dict(sorted(found.items())), {"results": results, "versions": {}}):
        tmp_path.joinpath(name).write_text(json.dumps(content, indent=indent))
        assert dh.read(tmp_path / name).judges == ("arc",)


def test_a_task_with_several_metrics_is_their_cluster(tmp_path):
    table = dh.read(written("lm-eval-old", tmp_path))
    assert (table.judges, table.clusters) == (("arc acc", "arc acc_norm"), ("arc", "arc"))


def test_a_folder_of_results_and_samples_is_asked_about(tmp_path):
    folder = written("lm-eval-output", tmp_path)
    for name, content in SAMPLES["lm-eval-samples-logged"].files.items():
        folder.joinpath(name).parent.mkdir(exist_ok=True)
        folder.joinpath(name).write_bytes(content)
    with pytest.raises(dh.UsageError, match=r"output could be results .* and samples") as asked:
        dh.read(folder)
    assert "from_='lm-eval-samples'" in asked.value.hint
    assert dh.read(folder, from_="lm-eval").m == 3


def test_results_beside_undated_samples_say_where_the_task_begins(tmp_path):
    """Versions 0.4.0 to 0.4.2: ``"{}_{}".format(re.sub("/|=", "__", model_args), task)``."""
    line = {"doc_id": 0, "doc": {}, "filtered_resps": ["4"], "acc": 1.0}
    for model in ("lab/open_llama_3b", "lab/open_llama_7b"):
        folder = tmp_path / "runs" / model[-2:]
        folder.mkdir(parents=True)
        results = {"results": {"arc_easy": {"acc,none": 1.0}}, "versions": {"arc_easy": 1}}
        folder.joinpath("results.json").write_text(json.dumps(results))
        name = f"pretrained={model}".replace("/", "__").replace("=", "__")
        folder.joinpath(f"{name}_arc_easy.jsonl").write_text(json.dumps([line], indent=2))
    table = dh.read(tmp_path / "runs", from_="lm-eval-samples")
    assert (table.candidates, table.judges) == (
        ("lab/open_llama_3b", "lab/open_llama_7b"),
        ("arc_easy 0",),
    )
    two = tmp_path / "runs" / "3b" / "pretrained__lab__open_llama_3b,dtype__float16_arc_easy.jsonl"
    two.write_text(json.dumps([line]))
    assert (
        dh.read(tmp_path / "runs", from_="lm-eval-samples").n == 3
    )  # nothing is read over another


# ------------------------------------------------------------------------------
# Leaderboards


def test_a_dialect_is_known_in_json_lines_and_frames_too(tmp_path):
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    path = written("kaggle-leaderboard.csv", tmp_path)
    frame = pd.read_csv(path)
    frame.to_json(tmp_path / "board.jsonl", orient="records", lines=True)
    pl.read_csv(path).write_parquet(tmp_path / "board.parquet")
    for source in (frame, pl.read_csv(path), tmp_path / "board.jsonl", tmp_path / "board.parquet"):
        table = dh.read(source, better="higher")
        assert table.candidates == ("The Overfitters", "lone wolf", "baseline")
        assert "a Kaggle leaderboard" in dict(table.reading)["format"]
    with pytest.raises(dh.DataError, match="is not results of AMLB"):
        dh.read(frame, better="higher", from_="amlb")


def test_two_dialects_of_one_table_are_named(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("Username,TeamId,TeamName,Score,T(1)-a\nu,1,x,2,3\nv,2,y,3,4\n")
    with pytest.raises(dh.UsageError, match=r"both\.csv could be a leaderboard .* and a Kaggle"):
        dh.read(path, better="higher")
    assert dh.read(path, better="higher", from_="kaggle").candidates == ("x", "y")
    assert dh.read(path, better="higher", from_="codabench").judges == ("T(1)-a",)


def test_ranks_of_codalab_say_the_direction_of_each_column(tmp_path):
    path = written("codalab-test.csv", tmp_path)
    table = dh.read(path)
    assert (table.judges, table.better) == (
        ("Set 1 AUC", "Set 1 Error", "Set 2 AUC"), ("higher", "lower", "higher")
    )  # fmt: skip
    path.write_text(path.read_text() + path.read_text().replace("Final", "First"))
    with pytest.raises(dh.UsageError, match="2 tables: which one"):
        dh.read(path)
    assert dh.read(path, sheet="First phase").n == 3


OFFICIAL = {
    "codalab-test.csv": {"ana": 1, "bo": 2, "cem": 3},
    "codalab-new.csv": {"ana": 1, "bo": 2, "cem": 3, "dee": 4},
    "codabench-one.csv": {"ana-345": 1, "bo-350": 2},
    "kaggle-leaderboard.csv": {"The Overfitters": 1, "lone wolf": 2, "baseline": 3},
    "sklearn-search-cv_results.csv": {"{'C': 0.1}": 2, "{'C': 10.0}": 1},
    "helm-core.json": {"alpha": 1, "beta": 2},
}


@pytest.mark.parametrize("name", OFFICIAL)
def test_the_official_order_of_a_file_is_taken_from_it(name, tmp_path):
    table = dh.read(written(name, tmp_path), better="higher", missing="worst")
    assert table.official == OFFICIAL[name]
    who = list(OFFICIAL[name])
    if table.m > 1:
        judged = dh.verdict(table, replicates=50)
        assert judged.has_official
        assert {row["candidate"]: row["official"] for row in judged.rows()} == OFFICIAL[name]
        assert not dh.verdict(table, replicates=50, official="none").has_official
        ranks = {name: k for k, name in enumerate(reversed(who), start=1)}
        other = dh.verdict(table, replicates=50, official=ranks)
        assert {row["candidate"]: row["official"] for row in other.rows()} == ranks
    renamed = dh.read(tmp_path / SAMPLES[name].name, better="higher", rename={who[0]: "Zoe"})
    assert renamed.official["Zoe"] == OFFICIAL[name][who[0]]


def test_an_official_order_is_that_of_the_score_that_it_was_made_of(tmp_path):
    path = written("kaggle-leaderboard.csv", tmp_path)
    path.with_name("leaderboard.csv.toml").write_text("[official]\nbaseline = 1\n")
    assert dh.read(path, better="higher").official == {"baseline": 1}


def test_a_dash_of_codalab_is_a_missing_score(tmp_path):
    path = written("codalab-new.csv", tmp_path)
    path.write_text(path.read_text().replace("0.18 (2)", "- (-)"))
    table = dh.read(path, missing="available")
    assert np.isnan(table.scores).sum() == 1
    assert table.better == ("higher", "lower")


def test_teams_of_one_name_have_their_ids_behind_it(tmp_path):
    path = written("kaggle-leaderboard.csv", tmp_path)
    path.write_text(path.read_text().replace("lone wolf", "baseline"))
    table = dh.read(path, better="higher")
    assert table.candidates == ("The Overfitters", "baseline (902)", "baseline (903)")
    assert table.official["baseline (903)"] == 3


def test_the_only_objective_of_a_study_may_have_a_name(tmp_path):
    path = written("optuna-trials.csv", tmp_path)
    path.write_text(path.read_text().replace("number,value,", "number,value_loss,"))
    assert dh.read(path, better="lower").judges == ("value_loss",)


def test_a_search_by_halving_compares_what_had_all_resources(tmp_path):
    path = tmp_path / "halving.csv"
    scores = [(0, 50, "a", 0.5, 0.6), (0, 50, "b", 0.9, 0.9), (0, 50, "c", 0.8, 0.7),
              (1, 150, "b", 0.7, 0.6), (1, 150, "c", 0.8, 0.8)]  # fmt: skip
    header = "iter,n_resources,mean_fit_time,params,split0_test_score,split1_test_score\n"
    rows = (f"{k},{n},0.01,{{'C': '{who}'}},{one},{two}\n" for k, n, who, one, two in scores)
    path.write_text(header + "".join(rows))
    table = dh.read(path)
    assert table.candidates == ("{'C': 'b'}", "{'C': 'c'}")
    np.testing.assert_array_equal(table.scores, [[0.7, 0.6], [0.8, 0.8]])
    assert any("last iteration count (150 n_resources)" in note for note in table.notes)


@pytest.mark.shared
def test_alpaca_eval_gives_its_published_rates(shared_data):
    path = shared_data / "alpaca_eval2" / "leaderboard_official.csv"
    table = dh.read(path)
    with path.open() as file:
        rows = {row["model"]: row for row in csv.DictReader(file)}
    assert table.better == ("higher",)
    for name, score, error in zip(
        table.candidates, table.scores[:, 0], table.standard_errors[:, 0], strict=True
    ):
        assert score == float(rows[name]["length_controlled_winrate"])
        np.testing.assert_equal(error, float(rows[name]["lc_standard_error"] or "nan"))
    wide = dh.read(shared_data / "alpaca_eval2" / "preference_wide.csv.gz", better="higher")
    rates = dict(zip(wide.candidates, 100 * np.nanmean(wide.scores - 1, axis=1), strict=True))
    known = [name for name in rates if name in rows]
    assert len(known) == 57
    for name in known:
        assert rates[name] == pytest.approx(float(rows[name]["win_rate"]), abs=1e-8)


def test_another_score_of_alpaca_eval_has_its_own_error(tmp_path):
    path = written("alpaca-eval-board-leaderboard.csv", tmp_path)
    note = next(note for note in dh.read(path).notes if "official board" in note)
    assert "score='win_rate' standard_error='standard_error'" in note
    table = dh.read(path, score="win_rate", standard_error="standard_error")
    assert (table.scores[0, 0], table.standard_errors[0, 0]) == (55.2, 1.7)
    with pytest.raises(dh.DeadheatError):  # never with the error of another score
        dh.read(path, score="win_rate")


def test_what_a_format_states_of_rows_and_judges_that_are_left_out_is_no_error(tmp_path):
    amlb = written("amlb-results.csv", tmp_path)
    assert dh.read(amlb, where="task=kc9").better == ("higher",)
    with pytest.raises(dh.UsageError, match="direction"):  # that of another score is not stated
        dh.read(amlb, score="duration")
    board = written("codalab-test.csv", tmp_path)
    assert dh.read(board, ignore="Set 1 Error").better == ("higher", "higher")
    study = written("optuna-trials.csv", tmp_path)
    assert dh.read(study, better="higher", where="params_depth>3").candidates == ("2",)


# ------------------------------------------------------------------------------
# Folders of evaluations


def test_mteb_takes_the_mean_over_subsets_and_tells_revisions_apart(tmp_path):
    folder = written("mteb-results", tmp_path)
    table = dh.read(folder)
    assert table.candidates == ("lab/large", "lab/small")
    assert table.notes == ()
    assert dh.read(folder / "lab__small").candidates == ("lab/small",)  # as its meta file says
    np.testing.assert_allclose(table.scores, [[0.66, 0.48], [0.61, 0.45]])
    again = folder / "lab__small" / "cccc3333"
    again.mkdir()
    for name in ("Pairs.json", "Topics.json"):
        again.joinpath(name).write_bytes(folder.joinpath("lab__small/aaaa1111", name).read_bytes())
    assert dh.read(folder).candidates == (
        "lab/large", "lab/small (aaaa111)", "lab/small (cccc333)"
    )  # fmt: skip


def test_records_and_tables_that_state_the_direction(tmp_path):
    assert dh.read(written("every-eval-ever-records", tmp_path)).better == ("higher", "lower")
    table = dh.read(written("helm-core.json", tmp_path))
    assert (table.judges, table.better) == (("Quiz - EM", "Web - BPB"), ("higher", "lower"))


def test_mteb_before_1_11_has_the_scores_that_its_board_took(tmp_path):
    table = dh.read(written("mteb-old", tmp_path))
    assert (table.candidates, table.judges) == (
        ("large", "small"), ("Pairing", "Similar", "Sorted", "Wool")
    )  # fmt: skip
    np.testing.assert_allclose(table.scores, [[0.6, 0.5, 0.3, 0.4], [0.5, 0.4, 0.2, 0.3]])


def test_an_experiment_of_mteb_is_a_candidate_of_its_own(tmp_path):
    folder = written("mteb-results", tmp_path)
    inside = folder / "lab__large" / "bbbb2222" / "experiments" / "dim_64"
    inside.mkdir(parents=True)
    for name in ("Pairs.json", "Topics.json"):
        content = folder.joinpath("lab__small/aaaa1111", name).read_bytes()
        inside.joinpath(name).write_bytes(content)
    assert dh.read(folder).candidates == ("lab/large", "lab/large (dim_64)", "lab/small")


def test_tasks_are_called_by_their_aliases_where_these_differ(tmp_path):
    folder = written("lm-eval-output", tmp_path)
    for path in folder.rglob("*.json"):
        path.write_text(path.read_text().replace('" - arc"', '" - ARC (easy)"'))
    assert dh.read(folder).judges == ("ARC (easy)", "sums", "wiki")


def test_containers_of_a_report_are_no_issues(tmp_path):
    folder = written("swe-bench-reports", tmp_path)
    for path in folder.glob("*.json"):
        more = {"unremoved_images": ["sweb.x"], "unstopped_containers": ["c1"]}
        path.write_text(json.dumps(json.loads(path.read_text()) | more))
    assert dh.read(folder).judges == ("a__a-1", "a__a-2", "b__b-7")


@pytest.mark.parametrize(
    ("details", "error"),
    [
        ({"uncertainty": {"standard_error": {"value": 0.02}}}, 0.02),
        ({"uncertainty": {"standard_deviation": 0.5, "num_samples": 100}}, 0.05),
        ({"uncertainty": {"confidence_interval": {"lower": 0.5, "upper": 0.7}}}, 0.051021),
        ({"confidence_interval": {"lower": 0.5, "upper": 0.7}}, 0.051021),
        ({"details": {"confidence_interval": 0.1}}, 0.051021),
    ],
)
def test_records_of_all_versions_keep_their_uncertainty(details, error, tmp_path):
    folder = written("every-eval-ever-records", tmp_path)
    for path in folder.rglob("*.json"):
        found = json.loads(path.read_text())
        for result in found["evaluation_results"]:
            result["score_details"] = {"score": 0.6, **details}
        found["evaluation_id"] = f"Lab/{found['evaluation_id']}"  # as the first versions did
        path.write_text(json.dumps(found))
    table = dh.read(folder)
    assert table.judges == ("sums", "toxicity")
    np.testing.assert_allclose(table.standard_errors, error, rtol=1e-4)


def test_what_was_evaluated_again_counts_once_if_files_have_dates(tmp_path):
    folder = written("lm-eval-output", tmp_path)
    (first, content), *_ = SAMPLES["lm-eval-output"].files.items()
    later = first.replace("2026-01-05", "2026-02-05")
    folder.joinpath(later).write_bytes(content.replace(b"0.61", b"0.31"))
    table = dh.read(folder)
    assert table.scores[0, 0] == 0.31
    assert any("3 scores measured again" in note for note in table.notes)
    records = written("every-eval-ever-records", tmp_path)
    (first, content), *_ = SAMPLES["every-eval-ever-records"].files.items()
    records.joinpath(first.replace("7f1c", "ffff")).write_bytes(content)
    with pytest.raises(dh.DeadheatError, match="has 2 scores on task 'sums'"):
        dh.read(records)
    other = content.replace(b'"tiny/', b'"large/')
    records.joinpath(first.replace("7f1c", "ffff")).write_bytes(other)
    assert "large: sums" in dh.read(records).judges


def test_an_issue_that_a_report_does_not_name_was_not_given(tmp_path):
    folder = written("swe-bench-reports", tmp_path)
    small = '{"submitted_ids": ["a__a-1"], "resolved_ids": ["a__a-1"]}'
    folder.joinpath("small.json").write_text(small)
    table = dh.read(folder)
    assert np.isnan(table.scores[table.candidates.index("small")]).sum() == 2
    table = dh.read(written("swe-bench-evaluation", tmp_path))
    assert table.scores.tolist() == [[0, 1, 0], [0, 1, 1]]


@pytest.mark.shared
def test_mteb_gives_its_published_averages(shared_data):
    table = dh.read(shared_data / "mteb_en" / "scores_long.csv.gz", better="higher")
    with (shared_data / "mteb_en" / "overall_official.csv").open() as file:
        rows = [(r["Model"], r["Average (56 datasets)"]) for r in csv.DictReader(file)]
    published = {}
    for name, average in rows:
        published.setdefault(name, []).append(float(average or "nan"))
    whole = ~np.isnan(table.scores).any(axis=1)
    means = zip(np.array(table.candidates)[whole], table.scores[whole].mean(axis=1), strict=True)
    off = [min(abs(mean - each) for each in published[name]) for name, mean in means]
    assert len(off) == 206
    assert sum(x < 0.0051 for x in off) == 203
    assert max(off) < 0.028


@pytest.mark.shared
def test_challenger_gives_its_means_by_construction(shared_data):
    table = dh.read(shared_data / "challengeR" / "data_matrix.csv", better="higher")
    assert (table.n, table.m) == (5, 220)
    tasks = {name: [name in judge for judge in table.judges] for name in ("c_ideal", "c_worst")}
    means = {name: table.scores[:, of].mean(axis=1).round(3) for name, of in tasks.items()}
    assert means["c_ideal"].tolist() == [0.952, 0.845, 0.742, 0.645, 0.542]
    assert means["c_worst"].tolist() == [0.9] * 5


# ------------------------------------------------------------------------------
# What is a plain table, long or wide, or a plain log of battles: no reader is needed.

ARENA = """\
{"question_id": "q1", "model_a": "alpha", "model_b": "beta", "winner": "model_a", \
"judge": "arena_user_1", "conversation_a": [{"role": "user", "content": "hi"}], "turn": 1, \
"anony": true, "language": "English", "tstamp": 1760000000.5}
{"question_id": "q2", "model_a": "beta", "model_b": "gamma", "winner": "tie (bothbad)", \
"judge": "arena_user_2", "conversation_a": [{"role": "user", "content": "ho"}], "turn": 1, \
"anony": true, "language": "English", "tstamp": 1760000001.5}
{"question_id": "q3", "model_a": "gamma", "model_b": "alpha", "winner": "model_b", \
"judge": "arena_user_1", "conversation_a": [{"role": "user", "content": "ha"}], "turn": 1, \
"anony": true, "language": "German", "tstamp": 1760000002.5}
"""
ARENA_CSV = """\
model_a,model_b,winner,judge,tstamp
alpha,beta,model_a,u1,1760000000
beta,gamma,both_bad,u2,1760000001
gamma,alpha,model_b,u1,1760000002
"""
EVALICA = "left,right,winner\nalpha,gamma,left\nbeta,alpha,right\ngamma,beta,tie\n"
LOGS = {"arena.jsonl": ARENA, "arena.csv": ARENA_CSV, "evalica.csv": EVALICA}
LOGS["arena.json"] = f"[{','.join(ARENA.splitlines())}]"
ELOML = "player,round,score\ngbm_1,1,0.9\nsvm_1,1,0.8\ngbm_1,2,0.7\nsvm_1,2,0.6\n"


@pytest.mark.parametrize("name", LOGS)
def test_logs_of_lmarena_and_evalica_are_plain(tmp_path, name):
    path = tmp_path / name
    path.write_text(LOGS[name])
    battles = dh.read_battles(path)
    assert battles.candidates == ("alpha", "beta", "gamma")
    assert battles.total == 3
    assert battles.nouns.candidate == ("candidate" if name.startswith("evalica") else "model")
    assert dh.rate(path, replicates=20).rows()[0]["candidate"] == "alpha"


def test_tables_of_eloml_are_plain(tmp_path):
    path = tmp_path / "eloml.csv"
    path.write_text(ELOML)
    table = dh.read(path, better="higher")
    assert (table.candidates, table.judges) == (("gbm_1", "svm_1"), ("1", "2"))
    assert table.nouns.candidate == "player"


@pytest.mark.shared
def test_shared_tables_of_eloml_and_llmfao_need_no_reader(shared_data):
    table = dh.read(shared_data / "epp_auc_scores" / "auc_scores.csv", better="higher")
    assert (table.n, table.m) == (80, 20)
    battles = dh.read_battles(shared_data / "llmfao" / "crowd-comparisons.csv")
    assert (len(battles.candidates), battles.total) == (59, 8931)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["IPC2018", "MAXSAT19-UCMS", "OPENML-WEKA-2017"])
def test_aslib_scenarios_made_of_shared_tables_have_their_counts(shared_data, tmp_path, name):
    """The shared files hold the rows of ``algorithm_runs.arff`` as CSV: they become one again."""
    meta = json.loads((shared_data / "aslib" / "meta.json").read_text())
    about = next(each for each in meta["tables"] if each["file"] == f"{name}.csv.gz")
    with gzip.open(shared_data / "aslib" / about["file"], "rt") as file:
        rows = list(csv.DictReader(file))
    names = ["instance", "repetition", "candidate", about["score"], "runstatus"]
    kinds = {"instance": "instance_id STRING", "candidate": "algorithm STRING"}
    head = [f"@ATTRIBUTE {kinds.get(each, f'{each} NUMERIC')}" for each in names[:-1]]
    body = [",".join(row[each] or "?" for each in names) for row in rows]
    words = "{ok, timeout, memout, not_applicable, crash, other}"
    lines = ["@RELATION R", *head, f"@ATTRIBUTE runstatus {words}", "@DATA", *body]
    tmp_path.joinpath("algorithm_runs.arff").write_text("\n".join(lines))
    runtime = about["score"] == "runtime"
    tmp_path.joinpath("description.txt").write_text(
        f"performance_measures: {about['score']}\nmaximize: {str(not runtime).lower()}\n"
        f"performance_type: {'runtime' if runtime else 'solution_quality'}\n"
        f"algorithm_cutoff_time: {about.get('cutoff', '?')}\n"
    )
    table = dh.read(tmp_path)
    assert (table.n, table.m) == (about["candidates"], about["judges"])
    if runtime:
        assert table.scores.sum() == about["status_counts"]["ok"]
        assert dh.read_runs(tmp_path).cutoff.max() == about["cutoff"]
    else:
        assert set(table.better) == {"higher"}


def test_moments_with_a_time_zone_are_texts_of_parquet(tmp_path):
    pl = pytest.importorskip("polars")
    moment = datetime(2025, 5, 1, 10, tzinfo=UTC)
    columns = {"model": ["a", "b"], "task": ["t", "t"], "score": [1.0, 2.0]}
    columns |= {"when": [moment, moment.replace(day=3)], "inside": [[{"at": moment}]] * 2}
    pl.DataFrame(columns).write_parquet(tmp_path / "runs.parquet")
    table = dh.read(tmp_path / "runs.parquet", better="higher", score="score")
    assert table.scores.tolist() == [[1], [2]]
    later = {"better": "higher", "score": "score", "where": "when>2025-05-02"}
    assert dh.read(tmp_path / "runs.parquet", **later).candidates == ("b",)
