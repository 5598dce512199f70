"""``deadheat agree``."""

from __future__ import annotations

import json

import pytest

TABLE = (
    "model,p,q,r,s\na,9,8,9,1\nb,7,7,8,3\nc,5,6,4,4\nd,1,2,6,9\ne,0.5,1,0.5,10\nf,0.2,0.5,0.1,11\n"
)


@pytest.fixture
def four(tmp_path):
    path = tmp_path / "four.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_json_has_the_facts_that_others_build_on(run, four):
    done = run("agree", four, "--better", "higher", "--json")
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["schema"] == "deadheat.agree/1"
    facts = whole["facts"]
    for key in ("kendall_w", "kendall_w_uncorrected", "mean_spearman", "friedman_p"):
        assert isinstance(facts[key], float)
    assert facts["opposing"] == ["s"]
    assert whole["rows"][0]["judge"] == "s"


def test_a_pipe_gets_one_line_per_judge(run, four):
    lines = run("agree", four, "--better", "higher").stdout.splitlines()
    keys = "judge mean_spearman rest_correlation opposes constant cluster ties weight"
    assert lines[0].split("\t") == keys.split()
    assert len(lines) == 5


def test_a_table_says_it_in_words(run, four):
    args = ("agree", four, "--better", "higher", "--format", "table")
    written, told = (" ".join(run(*args, *more).stdout.split()) for more in ((), ("--explain",)))
    assert written.startswith("The 4 judges do not agree")
    assert "udge s opposes the rest" in written
    assert "is (m W - 1)/(m - 1) = " in told
    assert "is (m W - 1)/(m - 1) = " not in written  # only for who asks


def test_the_matrix_in_both_correlations(run, four):
    args = ("agree", four, "--better", "higher", "--show", "matrix", "--format", "csv")
    rho, tau = (run(*args, "--correlation", c).stdout for c in ("spearman", "kendall"))
    assert rho.splitlines()[0].startswith("judge,")
    assert len(rho.splitlines()) == 5
    assert rho != tau


def test_clusters_follow_the_threshold(run, four):
    args = ("agree", four, "--better", "higher", "--show", "clusters", "--format", "csv")
    assert len(run(*args).stdout.splitlines()) == 3
    assert len(run(*args, "--threshold", "-1").stdout.splitlines()) == 2


def test_functions_can_be_chosen(run, four):
    args = ("agree", four, "--better", "higher", "--show", "functions", "--format", "csv")
    lines = run(*args, "--by", "mean,copeland").stdout.splitlines()
    assert {line.split(",")[0] for line in lines} == {"function", "mean", "copeland"}


def test_functions_are_ordered_by_the_correlation(run, tmp_path):
    path = tmp_path / "seven.csv"
    rows = [
        "3,1,2,8,7",
        "0,2,4,3,4",
        "5,8,1,0,2",
        "7,3,6,5,5",
        "1,0,8,4,0",
        "2,6,3,7,1",
        "8,5,0,2,6",
    ]
    body = "".join(f"c{i},{row}\n" for i, row in enumerate(rows))
    path.write_text("model,p,q,r,s,t\n" + body, encoding="utf-8")
    args = ("agree", path, "--better", "higher", "--show", "functions", "--format", "csv")
    for correlation, key in (("spearman", "strict_spearman"), ("kendall", "strict_tau_b")):
        head, *lines = run(*args, "--correlation", correlation).stdout.splitlines()
        values = [round(float(line.split(",")[head.split(",").index(key)]), 12) for line in lines]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("show", [(), ("--show", "judges"), ("--show", "clusters")])
def test_a_correlation_that_would_change_nothing_is_refused(run, four, show):
    done = run("agree", four, "--better", "higher", *show, "--correlation", "kendall")
    assert done.exit_code == 2
    assert "changes nothing here" in done.stderr


@pytest.mark.parametrize("suffix", ["md", "tex", "txt", "csv"])
def test_a_file_has_all_judges(run, tmp_path, suffix):
    path, out = tmp_path / "wide.csv", tmp_path / f"out.{suffix}"
    judges = [f"judge{k:02d}" for k in range(40)]
    rows = [
        ",".join([name, *(str((7 * i + 3 * k) % 11) for k in range(40))])
        for i, name in enumerate("abc")
    ]
    path.write_text("\n".join([",".join(["model", *judges]), *rows, ""]), encoding="utf-8")
    assert run("agree", path, "--better", "higher", "-q", "-o", out).exit_code == 0
    written = out.read_text(encoding="utf-8")
    assert all(judge in written for judge in judges)


def test_the_help_says_which_functions_are_the_default(run):
    told = " ".join(run("agree", "--help").stdout.split())
    assert "by default all that fit the table" in told
    assert "average_rank by default" in " ".join(run("rank", "--help").stdout.split())


def test_show_judges_is_the_default(run, four):
    args = ("agree", four, "--better", "higher")
    assert run(*args).stdout == run(*args, "--show", "judges").stdout


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("--show", "nobody"), 2, "--show"),
        (("--threshold", "3"), 2, "between -1 and 1"),
        (("--by", "copland"), 2, "Did you mean 'copeland'"),
        (("--seed", "-1"), 2, "Hint: the same one gives the same answer: deadheat agree"),
    ],
)
def test_what_cannot_be_done_is_told(run, four, args, code, message):
    done = run("agree", four, "--better", "higher", *args)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_holes_are_refused_with_a_way_out(run, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("model,p,q\na,1,\nb,2,3\nc,3,1\n", encoding="utf-8")
    done = run("agree", path, "--better", "higher")
    assert done.exit_code == 3
    assert "--missing" in done.stderr
    done = run("agree", path, "--better", "higher", "--missing", "available")
    assert done.exit_code == 3
    assert "available" not in done.stderr.split("Hint:")[1]
    assert run("agree", path, "--better", "higher", "--missing", "worst").exit_code == 0


def test_several_files_are_one_table(run, four, tmp_path):
    other = tmp_path / "three.csv"
    other.write_text("model,p,q\na,3,3\nb,2,2\nc,1,1\n", encoding="utf-8")
    lines = run("agree", four, other, "--better", "higher").stdout.splitlines()
    assert lines[0].split("\t")[:4] == ["table", "candidates", "judges", "kendall_w"]
    assert lines[2].split("\t")[:4] == ["three.csv", "3", "2", "1.0"]
    done = run("agree", four, other, "--better", "higher", "--show", "matrix")
    assert done.exit_code == 2
    assert "--show is about one table, and 2 files are given" in done.stderr
    for option in (["--by", "mean"], ["--threshold", "0.6"], ["--seed", "1"]):
        done = run("agree", four, other, "--better", "higher", *option)
        assert done.exit_code == 2
        assert f"{option[0]} is about one table, and 2 are given" in done.stderr
    done = run("agree", four, four, "--better", "higher")
    assert done.exit_code == 2
    assert "is named twice" in done.stderr
