"""No warning of Python reaches the terminal."""

import pytest

LARGE = "model,a,b,c\nx,1e90,1e90,1e90\ny,1e91,1e89,1e90\nz,1e80,1,2\n"
WARNING = """
import warnings
import deadheat
warnings.warn("of a library", UserWarning)
warnings.simplefilter("always")
@deadheat.ranks_table("own", scale="interval", shared_scale=True)
def own(scores):
    warnings.warn("of a library", RuntimeWarning)
    return scores.mean(axis=1)
"""


def test_a_warning_is_not_shown(spawn, table, tmp_path):
    own = tmp_path / "own.py"
    own.write_text(WARNING, encoding="utf-8")
    done = spawn("rank", table, "--better", "higher", "--by", own, env={"PYTHONWARNINGS": ""})
    assert (done.returncode, done.stderr) == (0, b"")


def test_large_scores_cause_none(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(LARGE, encoding="utf-8")
    args = ["--candidate", "model", "--by", "mean", "--replicates", "50"]
    done = run("verdict", path, "--better", "higher", *args)
    assert (done.exit_code, "unexpectedly" in done.stderr) == (0, False)


@pytest.mark.parametrize(
    "command",
    [["check"], ["compare", "x", "y"], ["rate", "--replicates", "20"], ["agree"], ["consensus"]],
)
@pytest.mark.parametrize("size", ["1e308", "1e200", "1e-300"])
def test_scores_near_the_ends_of_the_floats_cause_none(run, tmp_path, command, size):
    path = tmp_path / "t.csv"
    path.write_text(f"model,a,b,c\nx,{size},0,-{size}\ny,-{size},{size},3\nz,0,1,2\n", "utf-8")
    name, *rest = command
    done = run(name, path, *rest, "--better", "higher")
    assert done.exit_code == 0, done.stderr
