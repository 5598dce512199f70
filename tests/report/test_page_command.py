"""The command that writes the page."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest
from click.testing import CliRunner

from deadheat.cli.program import deadheat

TABLE = "model,a,b,c,d,e,f\nrf,9,8,7,6,5,4\nsvm,8,7,8,5,4,3\nknn,5,4,3,2,1,0\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def run(*args):
    return CliRunner().invoke(deadheat, ["report", *map(str, args)])


def test_writes_a_page_that_says_how_it_was_made(table, tmp_path):
    out = tmp_path / "page.html"
    done = run(table, "--better", "higher", "--replicates", 300, "--seed", 7, "-o", out)
    assert done.exit_code == 0, done.output
    assert f"wrote {out}" in done.stderr
    page = out.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    whole = gzip.decompress(base64.b64decode(json.loads(found[1])["whole"]))
    made = json.loads(whole)["made"]
    assert made["seed"] == 7
    assert made["command"][:3] == ["deadheat", "report", "results.csv"]
    assert str(tmp_path) not in page + whole.decode()  # nobody's folders are published
    assert made["sha256"] in page


@pytest.mark.parametrize(
    ("name", "said"), [("page.csv", "HTML"), ("nowhere/page.html", "no folder")]
)
def test_refuses_a_name_before_the_work(table, tmp_path, name, said):
    done = run(table, "--better", "higher", "-o", tmp_path / name)
    assert done.exit_code == 2
    assert said in done.stderr


def test_refuses_options_that_say_nothing_about_a_log(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("left,right,winner\na,b,left\nb,c,right\n", encoding="utf-8")
    done = run(path, "--by", "mean", "-o", tmp_path / "page.html")
    assert done.exit_code == 2
    assert "battle log" in done.stderr


def test_a_bundle_is_a_folder_with_the_page_and_every_table(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args = (table, "--better", "higher", "--replicates", 200, "--bundle", "out")
    done = run(*args)
    assert done.exit_code == 0, done.output
    assert "wrote out" in done.stderr
    assert not (tmp_path / "report.html").exists()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    named = {piece["path"] for piece in manifest["files"]}
    assert {"report.html", "report.tex", "tables/verdict.csv", "figures/intervals.pdf"} <= named
    assert all((tmp_path / "out" / name).is_file() for name in named)
    texts = [(tmp_path / "out" / name) for name in named if not name.endswith(".pdf")]
    assert not any(str(tmp_path) in text.read_text(encoding="utf-8") for text in texts)
    again = run(*args)
    assert again.exit_code == 2
    assert "not empty" in again.stderr


def test_several_data_sets_give_a_page_of_ratings(tmp_path):
    rows = [
        f"{model},{data},{split},{quality + (split * 7 + len(data)) % 5}"
        for quality, model in enumerate(("a", "b", "c"))
        for data in ("iris", "mushroom")
        for split in range(6)
    ]
    path, out = tmp_path / "scores.csv", tmp_path / "page.html"
    path.write_text("\n".join(["model,data,split,auc", *rows]), encoding="utf-8")
    columns = ("--candidate", "model", "--score", "auc", "--tournament", "data", "--round", "split")
    done = run(path, *columns, "--better", "higher", "--replicates", 200, "-o", out)
    assert done.exit_code == 0, done.output
    page = out.read_text(encoding="utf-8")
    assert re.findall(r'<section id="([\w-]+)"', page) == ["answer", "ratings", "made"]
    assert "are rated by themselves" in page
    assert "There is no picture of embedding: all 2 data sets give the same ratings" in page
