"""A page has the title and the nouns of its data, and no name of a file."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.data.results import Nouns
from deadheat.report.live import live

ASKED = {"strict": False, "alpha": 0.05, "engine": "threads"}
SIDECAR = """
title = "Rain or shine"
better = "higher"
repeat = "split"
combine = "judges"
[columns]
candidate = "model"
judge = "city"
score = "skill"
cluster = "{cluster}"
"""


@pytest.fixture
def file(tmp_path):
    def write(cluster, more=""):
        rng = np.random.default_rng(0)
        rows = [
            f"{who},city-{c},{split},land-{c // 2},{rng.normal(c * 0.1 + k):.4f}"
            for k, who in enumerate("abc")
            for c in range(6)
            for split in range(2)
        ]
        path = tmp_path / "secret-name.csv"
        path.write_text("\n".join([f"model,city,split,{cluster},skill", *rows]), "utf-8")
        path.with_suffix(".toml").write_text(SIDECAR.format(cluster=cluster) + more, "utf-8")
        return path

    return write


def test_clusters_are_called_what_their_column_is(file):
    table = dh.read(file("dataset"))
    assert table.nouns.cluster == "dataset"
    v = dh.verdict(table, by="mean", replicates=99)
    assert v.plan_in_words.startswith("3 datasets of 12 ")
    assert v.influence.parts.many == "datasets"
    assert live(v, data=True, **ASKED)["weighed"]["what"] == "datasets"
    assert any("only 3 datasets to draw from" in warning for warning in v.warnings)


def test_a_sidecar_and_a_caller_say_what_clusters_are_called(file):
    path = file("cluster", '[noun]\ncluster = "country"\n')
    assert dh.read(path).nouns == Nouns("model", "split", "country", repeat="split")
    named = dh.read(path, noun={"cluster": "land"})
    assert named.nouns.cluster == "land"
    v = dh.verdict(path, by="mean", replicates=99)
    assert "cluster" not in " ".join((*v.sentences, *v.warnings, v.plan_in_words))


@pytest.mark.parametrize("given", [None, "Mine"])
def test_a_page_is_called_what_its_data_are(file, given):
    page = dh.report(file("dataset"), by="mean", replicates=99, title=given).html()
    title = given or "Rain or shine"
    assert f"<title>{title} - deadheat report</title>" in page
    assert f'<p class="name"><bdi>{title}</bdi></p>' in page
    assert f'property="og:site_name" content="{title}"' in page
    head = page[: page.index("<style>")]
    assert "secret-name" not in head


def test_a_table_without_a_title_is_called_by_its_size():
    table = dh.Results(scores=np.eye(3), candidates=list("abc"), better="higher")
    assert dh.report(table, replicates=99).contents.title == "3 candidates on 3 judges"


@pytest.mark.parametrize("name", dh.examples.names())
def test_examples_have_titles_by_name_and_those_with_a_sidecar_by_path(name):
    title = dh.examples.load(name).title
    assert title
    if name != "arena":
        path = dh.examples.path(name)
        reads = dh.read_runs if name == "sat-race" else dh.read
        assert reads(path).title == title
        if name == "sat-race":
            assert dh.read(path).title == title


def test_a_title_is_converted_with_its_table(file, tmp_path):
    to = tmp_path / "copy.csv"
    dh.convert(file("dataset"), to)
    assert dh.read(to).title == "Rain or shine"
    assert dh.read(to).nouns.cluster == "dataset"
