"""What is imported when: heavy packages only where they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "altair", "cloudpickle", "dask", "distributed", "duckdb", "fastapi", "narwhals", "openpyxl",
    "pandas", "polars", "pyarrow", "rich", "scipy.stats",
}  # fmt: skip


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize(
    "code",
    [
        "import deadheat as dh; dh.Results",
        "import deadheat as dh; dh.rank(dh.examples.load(), by='all')",
        "import deadheat as dh; dh.check(dh.examples.load())",
        "import deadheat as dh; dh.verdict(dh.examples.load()).facts()",
        "import deadheat.cli",
        "import sys; sys.argv = ['deadheat', '--help']\nfrom deadheat.cli import run; run()",
    ],
)
def test_nothing_heavy_is_imported_for(code):
    assert not loaded_by(code) & HEAVY


def test_ranking_a_file_imports_neither_pictures_nor_clusters(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("model,a,b,c\nrf,9,8,7\nsvm,8,7,5\nknn,5,4,3\n", encoding="utf-8")
    asked = ["deadheat", "rank", str(table), "--better", "higher"]
    loaded = loaded_by(f"import sys; sys.argv = {asked!r}\nfrom deadheat.cli import run; run()")
    assert not loaded & {"altair", "cloudpickle", "dask", "distributed", "scipy.stats"}


def test_a_verdict_on_a_file_goes_through_few_modules_of_ours(tmp_path):
    """One direction, read, rank, resample, judge, print: a reader can walk it.

    Formats are found in their folder and asked one by one: they are more, and one of them reads.
    """
    table = tmp_path / "table.csv"
    table.write_text("model,a,b,c\nrf,9,8,7\nsvm,8,7,5\nknn,5,4,3\n", encoding="utf-8")
    asked = ["deadheat", "verdict", str(table), "--better", "higher", "--format", "table", "-q"]
    loaded = loaded_by(f"import sys; sys.argv = {asked!r}\nfrom deadheat.cli import run; run()")
    ours = {name for name in loaded if name.partition(".")[0] == "deadheat"}
    assert {"deadheat.cli.verdict", "deadheat.verdict.api", "deadheat.cli.terminal"} <= ours
    walked = {name for name in ours if not name.startswith("deadheat.data.formats.")}
    assert len(walked) <= 130 - 11  # so many formats were there when 130 was the limit of all


def test_every_public_name_is_there_and_documented():
    import deadheat

    for name in deadheat.__all__:
        assert getattr(deadheat, name).__doc__, name


def test_the_package_itself_imports_not_even_numpy():
    assert "numpy" not in loaded_by("import deadheat")
    assert "numpy" not in loaded_by("import deadheat.cli")


def test_almost_nothing_is_imported_before_an_interrupt_is_heeded():
    loaded = loaded_by("import deadheat.cli") - loaded_by("")
    assert "deadheat.cli" in loaded
    assert not loaded & {"click", "contextlib", "dataclasses", "importlib", "re", "typing"}


def test_who_watches_over_a_command_loads_little():
    """It works beside the command, so that what it imports is imported twice."""
    loaded = loaded_by("from deadheat.cli.supervisor import supervise; supervise(lambda: 0)")
    assert "deadheat.core.memory" in loaded
    assert not loaded & {"click", "dataclasses", "hashlib", "pathlib", "deadheat.core.files"}


def test_a_name_that_is_not_there_is_an_attribute_error():
    import deadheat

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = deadheat.nothing
    assert {"rank", "read"} <= set(dir(deadheat))
