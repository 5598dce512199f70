"""The shipped scores of `models`: complete, possible, and as the datasheet tells."""

from __future__ import annotations

import csv
import gzip
import re
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest

import deadheat as dh

PATH = dh.examples.path("models")
ALGORITHMS = ("boosting", "forest", "neighbours", "logistic")
COLUMNS = ["algorithm", "setting", "task", "cluster", "split", "auc", "accuracy", "fit_time"]


@pytest.fixture(scope="module")
def rows():
    with gzip.open(PATH, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def sheet():
    return PATH.with_name("DATASHEET.md").read_text(encoding="utf-8")


def test_the_columns_are_as_promised(rows):
    assert list(rows[0]) == COLUMNS


def test_every_setting_meets_every_split_of_every_task_exactly_once(rows):
    tasks = {row["task"] for row in rows}
    settings = [f"{algorithm}-{k}" for algorithm in ALGORITHMS for k in range(11)]
    wanted = Counter(product(settings, tasks, map(str, range(20))))
    assert Counter((row["setting"], row["task"], row["split"]) for row in rows) == wanted
    assert len(tasks) >= 12
    assert all(row["setting"].rpartition("-")[0] == row["algorithm"] for row in rows)


def test_at_least_eight_data_sets_and_views_share_a_cluster(rows):
    clusters = dict({(row["task"], row["cluster"]) for row in rows})
    assert len({(row["task"], row["cluster"]) for row in rows}) == len(clusters)
    assert len(set(clusters.values())) >= 8
    assert {clusters["digits-8"], clusters["digits-9"]} == {"digits"}
    assert {clusters["glass-float"], clusters["glass-other"]} == {"glass"}


def test_scores_are_shares_and_times_are_times(rows):
    for row in rows:
        if row["auc"]:
            assert 0 <= float(row["auc"]) <= 1
            assert 0 <= float(row["accuracy"]) <= 1
            assert 0 <= float(row["fit_time"]) < 60
        else:
            assert row["accuracy"] == row["fit_time"] == ""


def test_an_accuracy_is_a_count_of_test_rows(rows):
    """All candidates are tested on the same number of rows of a task: 30 % of at most 1,500."""
    found = defaultdict(set)
    for row in rows:
        found[row["task"]].add(float(row["accuracy"] or 0))
    for accuracies in found.values():
        values = np.array(sorted(accuracies))
        fits = [
            n for n in range(30, 451)
            if np.abs(values * n - np.round(values * n)).max() < n * 6e-6
        ]  # fmt: skip
        assert fits


def test_most_tasks_are_not_trivial(rows):
    best = defaultdict(list)
    for row in rows:
        best[row["task"]].append(float(row["auc"] or 0))
    hard = [task for task, scores in best.items() if np.median(scores) < 0.95]
    assert len(hard) >= 12


def test_candidates_judges_and_clusters_are_read_as_the_datasheet_says(rows):
    table = dh.examples.load("models")
    assert (table.n, table.m) == (44, 20 * len({row["task"] for row in rows}))
    assert set(table.clusters) == {row["cluster"] for row in rows}
    row = next(
        r for r in rows if (r["setting"], r["task"], r["split"]) == ("forest-3", "spam", "7")
    )
    cell = table.scores[table.candidates.index("forest-3"), table.judges.index("spam #7")]
    assert cell == float(row["auc"])


def test_the_numbers_of_the_datasheet_are_those_of_the_file(rows, sheet):
    assert f"{len(rows):,} rows: 44 settings of 4 algorithms" in sheet
    assert f"Failed fits: {sum(not row['auc'] for row in rows):,}." in sheet
    lines = dict(re.findall(r"^\| ([a-z0-9-]+) \|.*\| ([\d.]+) \|$", sheet, re.MULTILINE))
    for task in {row["task"] for row in rows}:
        sums = defaultdict(list)
        for row in rows:
            if row["task"] == task and row["auc"]:
                sums[row["setting"]].append(float(row["auc"]))
        assert lines[task] == f"{max(np.mean(found) for found in sums.values()):.3f}"


def test_the_default_settings_are_marked(sheet):
    assert all(f"| {algorithm}-0 | defaults |" in sheet for algorithm in ALGORITHMS)
