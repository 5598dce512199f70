"""What is converted reads back to the same, bit for bit."""

from pathlib import Path

import numpy as np
import pytest
from format_samples import all_samples
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.data.reading.read import read_any

SAMPLES = all_samples()
NAMES = st.lists(
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=6)
    .map(str.strip).filter(bool), min_size=2, max_size=5, unique=True,
)  # fmt: skip
NUMBERS = st.floats(-1e12, 1e12) | st.just(float("nan"))


def same(one, other):
    for name in (
        "candidates",
        "judges",
        "better",
        "strata",
        "clusters",
        "nouns",
        "tie_tol",
        "official",
    ):
        assert getattr(one, name) == getattr(other, name), name
    assert one.scores.tobytes() == other.scores.tobytes()
    assert one.weights.tobytes() == other.weights.tobytes()
    errors = [each.standard_errors for each in (one, other)]
    assert (errors[0] is None) == (errors[1] is None)
    if errors[0] is not None:
        np.testing.assert_array_equal(*errors)


@settings(deadline=None, max_examples=40)
@given(data=st.data(), suffix=st.sampled_from([".csv", ".tsv", ".parquet"]))
def test_a_table_reads_back_bit_for_bit(data, suffix, tmp_path_factory):
    candidates, judges = data.draw(NAMES), data.draw(NAMES)
    n, m = len(candidates), len(judges)
    cells = data.draw(st.lists(NUMBERS, min_size=n * m, max_size=n * m))
    scores = np.array(cells).reshape(n, m)
    labels = st.none() | st.lists(st.sampled_from(["u", "v w", '"']), min_size=m, max_size=m)
    errors = np.abs(scores) / 7 if data.draw(st.booleans()) else None
    table = dh.Results(
        scores=scores,
        candidates=candidates,
        judges=judges,
        better=data.draw(st.lists(st.sampled_from(["higher", "lower"]), min_size=m, max_size=m)),
        strata=data.draw(labels),
        clusters=data.draw(labels),
        judge_weights=data.draw(st.none() | st.lists(st.floats(0.1, 9), min_size=m, max_size=m)),
        standard_errors=None if errors is None or np.isnan(errors).all() else errors,
    )
    path = Path(tmp_path_factory.mktemp("convert"), f"table{suffix}")
    dh.convert(table, path)
    same(table, read_any(path))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.format}-{sample.name}")
def test_a_sample_reads_back_bit_for_bit(sample, suffix, tmp_path):
    read = read_any(sample.write(tmp_path), **sample.options)
    path = tmp_path / f"out{suffix}"
    dh.convert(read, path)
    again = read_any(path)
    assert type(again) is type(read)
    if isinstance(read, dh.Results):
        same(read, again)
    elif isinstance(read, dh.Runs):
        one, other = (dh.read(each, rule="solved", missing="worst") for each in (read, again))
        same(one, other)
        for name in ("time", "quality", "cutoff"):
            arrays = [getattr(each, name) for each in (read, again)]
            assert (arrays[0] is None) == (arrays[1] is None)
            if arrays[0] is not None:
                np.testing.assert_array_equal(*arrays)
    else:
        for name in ("candidates", "left", "right", "outcome", "battles", "weights"):
            np.testing.assert_array_equal(getattr(read, name), getattr(again, name))


def test_a_log_reads_back_with_its_weights(tmp_path):
    log = dh.Battles(
        left=["a", "b", "a", "a"], right=["b", "c", "b", "b"],
        winner=["left", "tie", "left", "right"], weight=[1, 2, 1, 4],
    )  # fmt: skip
    for suffix in (".csv", ".parquet"):
        dh.convert(log, tmp_path / f"log{suffix}")
        again = dh.read_battles(tmp_path / f"log{suffix}", weight="weight")
        for name in ("candidates", "left", "right", "outcome", "battles", "weights"):
            np.testing.assert_array_equal(getattr(log, name), getattr(again, name))


def test_the_official_order_of_runs_stays(tmp_path):
    """It stands in a sidecar alone; ``rule`` asks for scores, and they have it, too."""
    path = tmp_path / "runs.csv"
    path.write_text("solver,instance,status,time\na,i,ok,1\na,j,ok,2\nb,i,ok,3\nb,j,TO,9\n")
    path.with_name("runs.csv.toml").write_text('layout = "runs"\n[official]\nb = 1\na = 2\n')
    dh.convert(path, tmp_path / "out.parquet")
    for each in (path, tmp_path / "out.parquet"):
        assert read_any(each).official == {"b": 1, "a": 2}
        assert dh.read(each, rule="solved", rename={"b": "c"}).official == {"c": 1, "a": 2}
