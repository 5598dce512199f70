"""Every form of a result."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from deadheat.core.errors import UnknownNameError
from deadheat.core.version import __version__
from deadheat.output.result import LIBRARIES, Result, provenance
from nasty import NAMES, SURROGATE, Board, scores


def names_in(content, delimiter):
    rows = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    return [row["candidate"] for row in rows]


def test_made_has_the_version_and_drops_nothing():
    assert provenance(seed=None, function="mean") == {
        "version": __version__,
        "seed": None,
        "function": "mean",
    }


def test_json_is_one_object_with_keys_in_order():
    whole = json.loads(scores("a", "b").to_json())
    own = ["schema", "made", "verdict", "sentences", "warnings", "reasons", "facts", "rows"]
    assert list(whole) == [*own, "table"]
    assert whole["schema"] == "deadheat.scores/1"
    assert whole["made"] == {"version": __version__, "sha256": "abc"}
    assert whole["rows"][1] == {"candidate": "b", "merit": 1}


def test_json_says_null_and_warns_where_a_number_is_undefined():
    numbers = (np.nan, np.inf, -np.inf, 1.5)
    written = scores(*"abcd", numbers=numbers).to_json()
    assert "NaN" not in written
    assert "Infinity" not in written
    whole = json.loads(written)
    assert [row["merit"] for row in whole["rows"]] == [None, None, None, 1.5]
    assert whole["warnings"] == ["3 undefined numbers written as null."]


def test_json_takes_scalars_and_arrays_of_numpy():
    numbers = (np.int32(1), np.float32(0.5), np.array([1, 2]), np.bool_(True))
    rows = json.loads(scores(*"abcd", numbers=numbers).to_json())["rows"]
    assert [row["merit"] for row in rows] == [1, 0.5, [1, 2], True]


def test_every_name_survives_json_csv_and_tsv():
    result = scores()
    assert [row["candidate"] for row in json.loads(result.to_json())["rows"]] == list(NAMES)
    assert names_in(result.to_tsv(), "\t") == list(NAMES)
    formulas = [name for name in NAMES if name[:1] and name[0] in "=+-@\t\uff1d" and name != "-1.5"]
    back = names_in(result.to_csv(), ",")
    assert back == [f"'{name}" if name in formulas else name for name in NAMES]
    assert len(formulas) == 7


def test_a_lone_surrogate_survives_json_and_leaves_every_file_valid(tmp_path):
    result = scores(SURROGATE)
    for form in ("json", "csv", "tsv", "md", "latex"):
        path = tmp_path / form
        getattr(result, f"to_{form}")(path)
        path.read_text(encoding="utf-8")
    whole = json.loads((tmp_path / "json").read_text(encoding="utf-8"))
    assert whole["rows"][0]["candidate"] == SURROGATE


def test_emoji_are_written_as_they_are():
    assert "🦊" in scores("🦊").to_json()


def test_a_file_holds_what_is_returned(tmp_path):
    result = scores(kind=Board)
    for form in ("json", "csv", "tsv", "md", "latex"):
        path = tmp_path / form
        content = getattr(result, f"to_{form}")(path)
        assert path.read_bytes() == content.encode()


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_comes_in_the_library_that_is_asked_for(library):
    frame = scores("a", "b", "c", numbers=(1, 2.5, None)).to_frame(library)
    assert type(frame).__module__.startswith(library)
    import narwhals as nw

    frame = nw.from_native(frame)
    assert frame["candidate"].to_list() == ["a", "b", "c"]
    assert frame["merit"].to_list()[:2] == [1, 2.5]
    assert frame["merit"].is_null().sum() == 1 or np.isnan(frame["merit"].to_list()[2])


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_comes_in_the_library_of_the_caller(library):
    frame = scores("a", library=library).to_frame()
    assert type(frame).__module__.startswith(library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_takes_words_among_numbers_and_nested_values(library):
    frame = scores(*"abc", numbers=(1.5, "+inf", [1, 2])).to_frame(library)
    import narwhals as nw

    assert nw.from_native(frame)["merit"].to_list() == ["1.5", "+inf", "[1, 2]"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_comes_in_the_only_library_that_is_imported(library):
    code = f"import {library}, nasty; print(type(nasty.scores('a').to_frame()).__module__)"
    assert in_a_new_process(code).startswith(library)


def test_without_any_library_the_error_says_what_to_install():
    code = """
import importlib.util, nasty, deadheat.core.errors
importlib.util.find_spec = lambda name: None
try: nasty.scores("a").to_frame()
except deadheat.core.errors.UsageError as error: print(error)
"""
    assert "Hint: install polars, pandas or pyarrow" in in_a_new_process(code)


def in_a_new_process(code):
    here = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([here, *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_an_unknown_library_is_refused():
    with pytest.raises(UnknownNameError, match="pandas"):
        scores("a").to_frame("panda")


def test_markdown_ends_with_the_verdict_and_the_warnings():
    lines = scores("a<b", kind=Board, warnings=("odd",)).to_md().splitlines()
    assert lines[0] == "| candidate | merit\\_% |"
    assert lines[-3:] == ["a&lt;b is first.", "", "warning: odd"]


def test_latex_says_where_it_comes_from_in_comments_only():
    lines = scores("a\nb", kind=Board).to_latex().splitlines()
    assert lines[0] == f"% deadheat {__version__}, sha256 of the data abc"
    assert lines[1] == r"% a\nb is first."
    assert lines[2] == r"\begin{tabular}{lr}"


def test_html_has_table_verdict_and_warnings_but_no_script():
    page = scores(kind=Board, warnings=("<i>odd</i>",))._repr_html_()
    assert "<script" not in page
    assert "plain is first." in page
    assert "warning: <bdi>&lt;i&gt;odd&lt;/i&gt;</bdi>" in page


def test_the_representation_shows_the_first_rows():
    shown = repr(scores(*(f"name {i}" for i in range(50))))
    assert shown == str(scores(*(f"name {i}" for i in range(50))))
    assert "name 9" in shown
    assert "name 10" not in shown
    assert "(40 more)" in shown
    assert len(max(repr(scores(numbers=range(len(NAMES)))).splitlines()[1:12], key=len)) < 100


def test_a_result_without_rows_can_still_be_written():
    class Nothing(Result):
        schema = "deadheat.nothing/1"

        def rows(self):
            return []

    nothing = Nothing(made={})
    assert json.loads(nothing.to_json())["rows"] == []
    assert nothing.to_csv() == ""
    assert nothing._repr_html_()
    assert repr(nothing)
    assert nothing.to_latex()
    assert nothing.to_md() == ""
    assert "tabular" not in nothing.to_latex()  # LaTeX refuses one without columns


def test_a_copy_knows_more_about_how_it_was_made():
    one = scores("a")
    assert one.also_made(command=["x"]).made["command"] == ["x"]
    assert "command" not in one.made
