"""No warning of Python reaches the terminal."""

LARGE = "model,a,b,c\nx,1e200,1e200,1e200\ny,1e201,1e199,1e200\nz,1e180,1,2\n"
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
