"""What a reader sees never hangs on the last bits: candidates that are equal by symmetry.

Every row of these tables is one row with its judges turned round, so that merits are equal but for
rounding. ``spoilt`` moves merits and ratings by some units in the last place, as other kernels of
linear algebra do.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
import pytest

import deadheat as dh
from deadheat.influence.leave_judges_out import FromSums
from deadheat.models.rating import bradley_terry
from deadheat.models.rating import uncertainty as refits
from deadheat.ranking import function
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.ranks import best_first
from deadheat.report.contents import Contents
from deadheat.report.summary import summary
from deadheat.statistics.units import Units

ROW = np.array([0.91, 0.83, 0.77, 0.62, 0.55, 0.71, 0.68])
TURNED = np.stack([np.roll(ROW, i) for i in range(5)])
EQUAL = np.concatenate([np.roll(TURNED, k, axis=1) for k in range(0, 7, 2)], axis=1)
TABLES = {
    "equal": EQUAL,
    "led": np.concatenate([EQUAL[:3], EQUAL[:1] + 0.2, EQUAL[3:]]),
    "tiny": EQUAL * 1e-9,
}
COMMANDS = [
    "rank --by all",
    "verdict --by mean --replicates 200",
    "verdict --by geometric_mean --replicates 200 --strict",
    "verdict --by mean --plan jackknife",
    "verdict --by mean --replicates 200 --show tests",
    "verdict --by mean --replicates 200 --show pairs",
    "influence --by mean",
    "influence --by geometric_mean",
    "compare c0 c1 --by mean --replicates 200",
    "criteria --by mean,borda,average_rank --trials 60",
    "agree --by mean,average_rank,borda",
    "consensus",
    "rate --model epp --replicates 60",
    "rate --model epp --errors fisher",
]
PICTURES = ["critical-difference", "intervals", "ratings", "influence", "calibration"]


def ulps(numbers, rng):
    """Move numbers by up to three units in the last place."""
    eps = np.finfo(numbers.dtype).eps
    return (numbers * (1 + eps * rng.integers(-3, 4, numbers.shape))).astype(numbers.dtype)


@pytest.fixture
def spoilt(monkeypatch):
    """Return what spoils the last bits of all merits and ratings from now on."""

    def spoil(seed):
        rng = np.random.default_rng(seed)
        kernel, means = function._checked_merits, Contributions.merits
        without, of_units = FromSums.__call__, Units.merits.func
        fitted, again = bradley_terry.estimate, refits.Refitter.__call__

        def left_out(self, k):
            merits, unit = without(self, k)
            return ulps(merits, rng), unit

        def estimate(*args, **options):
            ratings, tie = fitted(*args, **options)
            return ulps(ratings, rng), tie

        merits = cached_property(lambda self: ulps(of_units(self), rng))
        merits.__set_name__(Units, "merits")
        monkeypatch.setattr(function, "_checked_merits", lambda *given: ulps(kernel(*given), rng))
        monkeypatch.setattr(Contributions, "merits", lambda *given: ulps(means(*given), rng))
        monkeypatch.setattr(FromSums, "__call__", left_out)
        monkeypatch.setattr(Units, "merits", merits)
        monkeypatch.setattr(bradley_terry, "estimate", estimate)
        monkeypatch.setattr(refits, "estimate", estimate)
        monkeypatch.setattr(refits.Refitter, "__call__", lambda *given: ulps(again(*given), rng))

    return spoil


def written(scores, folder):
    path = folder / "table.csv"
    judges = ",".join(f"t{j}" for j in range(scores.shape[1]))
    rows = [f"c{i}," + ",".join(f"{x:.6g}" for x in row) for i, row in enumerate(scores)]
    path.write_text("\n".join([f"model,{judges}", *rows]), encoding="utf-8")
    return path


def rounded(text):
    """Return a text with its numbers cut to what a difference of some last bits leaves."""
    text = re.sub("data-[0-9a-f]{32}", "data", text)  # the name of data is a hash of all its digits
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", _short, text)


def _short(found):
    return f"{float(found[0]) + 3e-9:.7f}".replace("-0.0000000", "0.0000000")


@pytest.fixture
def told(run, tmp_path):
    def output(command, scores):
        name, *options = command.split()
        given = [written(scores, tmp_path), *options, "--better", "higher", "--candidates", "rows"]
        if name == "plot":
            given += ["-o", tmp_path / "picture.vl.json"]
        found = run(name, *given)
        assert found.exit_code == 0, found.output
        more = (tmp_path / "picture.vl.json").read_text("utf-8") if name == "plot" else ""
        return rounded(found.output.replace(str(tmp_path), "")), rounded(more)

    return output


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("command", [*COMMANDS, *(f"plot {kind}" for kind in PICTURES)])
def test_what_is_told_of_equals_does_not_hang_on_the_last_bits(told, spoilt, name, command):
    plain = told(command, TABLES[name])
    for seed in (1, 2):
        spoilt(seed)
        assert told(command, TABLES[name]) == plain


def test_nor_does_what_a_page_says_first(spoilt):
    table = dh.Results(scores=TABLES["led"], better="higher")

    def said():
        v = dh.verdict(table, by="mean", replicates=200)
        found = Contents(title="t", table=table, verdict=v)
        return rounded(repr(summary(found)))

    plain = said()
    spoilt(1)
    assert said() == plain


@pytest.mark.slow
def test_nor_does_the_page(run, spoilt, tmp_path):
    def page():
        path = tmp_path / "page.html"
        table = written(TABLES["led"], tmp_path)
        given = (table, "--better", "higher", "--candidates", "rows", "--replicates", 200)
        assert run("report", *given, "-o", path).exit_code == 0
        return rounded(re.sub("<script.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL))

    plain = page()
    spoilt(1)
    assert page() == plain


def test_those_who_are_level_stand_in_the_order_of_the_table():
    near = np.array([0.1 + 0.2, 0.3, np.nan, 0.3 - 1e-16, 0.5])
    assert best_first(near).tolist() == [4, 0, 1, 3, 2]
    assert best_first(-near).tolist() == [0, 1, 3, 4, 2]
    assert best_first(np.array([1e-20, 2e-20]), unit=0.0).tolist() == [1, 0]
