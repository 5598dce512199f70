"""Numbers and names as text."""

from __future__ import annotations

import csv
import io
import math
import re
import shutil
import subprocess
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deadheat.core import errors
from deadheat.core.errors import visible
from deadheat.output import table as markup
from deadheat.output import text
from deadheat.output.table import Column, Grid
from nasty import NAMES


def parsed(content, delimiter=","):
    return list(csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True))


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (2.0, None, "2"),
        (2.5, None, "2.5"),
        (1234.5, None, "1234.5"),
        (-0.0, None, "0"),
        (0.123456, None, "0.1235"),
        (0.99999, None, "1.000"),
        (1234.56, None, "1235"),
        (1e20, None, "1e+20"),
        (0.5, 3, "0.500"),
        (-0.0001, 2, "0.00"),
        (0.6124999999999999, 3, "0.613"),  # as 0.6125 on a machine that adds in another order
        (0.6125000000000001, 3, "0.613"),
        (2.4999999999999996, None, "2.5"),
        (1234567890123.0, None, "1234567890123"),
        (1234567890123.0, 3, "1234567890123.000"),
        (1234567890999.0, 4, "1234567890999.0000"),
        (1234567890123.4, None, "1234567890123"),
        (999999999999999.0, None, "999999999999999"),
        (1.7976931348623157e308, None, "1.798e+308"),
        (7, 3, "7"),
        (None, 2, "-"),
        (float("nan"), None, "-"),
        (float("-inf"), None, "-inf"),
    ],
)
def test_a_number_is_written_as_people_write_it(value, digits, expected):
    assert text.number(value, digits) == expected


def written_by_python(value, digits):
    if digits is not None:
        return f"{value:.{digits}f}"
    if 1000 <= abs(value) < 1e15:
        return f"{value:.0f}"
    short = f"{value:.4g}"
    return short if re.search(r"[.e]", short) else f"{value:#.4g}".removesuffix(".")


def is_near_a_half(value, digits):
    """Whether a number is near the middle of two that could be shown, or is a half itself."""
    places = digits
    if digits is None:
        places = 0 if 1000 <= abs(value) < 1e15 else 3 - math.floor(math.log10(abs(value)))
    off = (abs(Fraction(value)) * Fraction(10) ** places) % 1
    near = Fraction(1, 10**6)
    return abs(off - Fraction(1, 2)) < near or (digits is None and (4 * off + near) % 2 < 2 * near)


@given(
    st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1e16, 1e16) | st.floats(-9, 9),
    st.sampled_from([None, 0, 1, 3, 6]),
)
def test_a_number_away_from_a_half_is_rounded_as_python_does(value, digits):
    assume(value != 0 and not is_near_a_half(value, digits))
    assert text.number(value, digits).removeprefix("-") == written_by_python(abs(value), digits)


@given(st.integers(-(2**53), 2**53), st.sampled_from([0, 1, 3, 6]))
def test_a_whole_number_is_shown_whole(value, digits):
    assert text.number(float(value), digits) == f"{value:.{digits}f}"
    if abs(value) < 1e15:
        assert text.number(float(value)) == str(value)


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(-8, 8), st.sampled_from([-1, 1]))
def test_a_half_goes_up_whatever_its_last_bits_are(steps, digits, ulps, sign):
    half = (2 * steps + 1) / (2 * 10**digits)
    moved = sign * (half + ulps * math.ulp(half))
    expected = f"{Decimal(steps + 1).scaleb(-digits):.{digits}f}"
    assert text.number(moved, digits) == ("-" if sign < 0 else "") + expected


@pytest.mark.parametrize("share", [0.125, 0.125 - 2**-54, 0.125 + 2**-53])
def test_a_half_per_cent_goes_up_whatever_its_last_bits_are(share):
    assert text.percent(share) == "13 %"


def test_cells_of_numpy_are_shown_like_those_of_python():
    cells = (np.int64(3), np.float64(0.25), np.bool_(True), np.float32(0.5))
    assert [text.cell_text(cell) for cell in cells] == ["3", "0.25", "yes", "0.5"]


@given(st.text())
def test_what_is_made_visible_cannot_act_on_a_terminal(name):
    shown = visible(name)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize("width", [5, 8, 24])
@pytest.mark.parametrize("name", NAMES)
def test_a_cut_name_keeps_both_ends_and_fits(name, width):
    name = visible(name)
    cut = text.shorten(name, width)
    assert text.width_of(cut) <= width
    head, _, tail = cut.partition(text.ELLIPSIS)
    assert name.startswith(head)
    assert name.endswith(tail)


@given(st.lists(st.tuples(st.text(), st.floats() | st.none()), min_size=1))
def test_tsv_returns_every_name_and_number_as_it_was(pairs):
    rows = [{"name": name, "score": score} for name, score in pairs]
    back = parsed(text.csv_text(rows, "\t"), "\t")
    assert back[0] == ["name", "score"]
    assert [row[0] for row in back[1:]] == [name for name, _ in pairs]
    for (_, score), (_, cell) in zip(pairs, back[1:], strict=True):
        assert cell == "" if score is None or score != score else float(cell) == score


@given(st.lists(st.text(), min_size=1))
def test_csv_returns_every_name_but_for_the_apostrophe_of_a_formula(names):
    back = [row[0] for row in parsed(text.csv_text([{"name": name} for name in names], ","))[1:]]
    assert [cell.removeprefix("'") for cell in back] == [n.removeprefix("'") for n in names]
    assert not any(re.match(r"[=+@\t\r\n]|-\D", cell) for cell in back if not _is_number(cell))


def _is_number(cell):
    return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell) is not None


@pytest.mark.parametrize("name", ["=1", "+a", "-a", "@a", "\t=1", "\r=1", "\uff1d1"])
def test_a_formula_in_csv_is_only_text(name):
    assert parsed(text.csv_text([{"name": name}], ","))[1] == [f"'{name}"]


@pytest.mark.parametrize("name", ["-1.5", "+3", "-.5e-3"])
def test_a_negative_number_is_no_formula(name):
    assert parsed(text.csv_text([{"name": name}], ","))[1] == [name]


def test_a_heading_that_is_a_formula_is_only_text_too():
    assert parsed(text.csv_text([{"=1+1": 1}], ","))[0] == ["'=1+1"]


def test_rows_with_different_keys_share_one_heading():
    assert text.csv_text([{"a": 1}, {"b": True}], ",") == "a,b\n1,\n,true\n"


def test_nested_values_become_words_or_json_in_a_cell():
    assert text.flat(["x", "y"]) == "x, y"
    assert text.flat(["x, z", "y"]) == '["x, z", "y"]'
    assert text.flat({"a": np.array([1.0, np.nan])}) == '{"a": [1.0, null]}'


def grid(*names, best="", numbers=None, marked=()):
    numbers = numbers or range(len(names))
    return Grid(
        columns=(Column(name="name"), Column(name="score", best=best)),
        cells=tuple(zip(names, numbers, strict=True)),
        marked=frozenset(marked),
    )


def test_markdown_has_one_line_of_the_same_width_for_every_row():
    lines = markup.markdown(grid(*NAMES)).splitlines()
    assert len(lines) == len(NAMES) + 2
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {3}


def test_markdown_shows_markup_as_text():
    assert markup.in_markdown("<b>*x*</b>|a_b|_c_") == r"&lt;b&gt;\*x\*&lt;/b&gt;\|a_b\|\_c\_"
    assert markup.in_markdown("a\r\nb") == "a<br>b"


def test_latex_escapes_every_special_letter():
    assert markup.in_latex("&%$#_{}") == r"\&\%\$\#\_\{\}"
    assert markup.in_latex("a\nb") == "a b"
    assert markup.in_latex("[x]") == "{}[x]"
    assert markup.in_latex("--") == "-{}-"
    written = markup.in_latex('~^\\<>|"')
    assert not re.search(r'[~^<>|"]', written)
    assert r"\textbackslash{}" in written
    assert markup.in_latex("naïve 日") == r"naïve \dhletter{65E5}{日}"


def test_latex_has_balanced_braces_and_one_line_per_row():
    written = markup.latex(grid(*NAMES))
    bare = re.sub(r"\\[{}]", "", written)
    assert bare.count("{") == bare.count("}")
    rows = [line for line in written.splitlines() if line.endswith(r" \tabularnewline")]
    assert len(rows) == len(NAMES) + 1
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {1}


def test_latex_prints_the_best_bold_and_the_second_underlined_with_all_ties():
    numbers = [0.3, 0.3, 0.2, 0.2, -0.1]
    written = markup.latex(grid(*"abcde", best="high", numbers=numbers))
    assert [line.split(" & ")[1] for line in written.splitlines()[4:9]] == [
        r"\textbf{0.3} \\",
        r"\textbf{0.3} \\",
        r"\underline{0.2} \\",
        r"\underline{0.2} \\",
        r"$-$0.1 \\",
    ]
    assert r"\textbf{$-$0.1}" in markup.latex(grid(*"abcde", best="low", numbers=numbers))
    assert r"\textbf" not in markup.latex(grid(*"abcde", numbers=numbers))


def test_numbers_that_only_look_alike_are_not_tied():
    assert grid("a", "b", best="high", numbers=[0.3, 0.1 + 0.2]).podium(1) == ({1}, {0})


@pytest.mark.parametrize(
    ("ranks", "podium"),
    [
        ([1.5, 1.5, 3.0], ({0, 1}, {2})),
        ([1.0, 2.5, 2.5], ({0}, {1, 2})),
        ([2.0, 1.0, None], ({1}, {0})),
    ],
)
@pytest.mark.parametrize("best", ["high", "low", ""])
def test_another_column_decides_the_podium_where_it_is_named(ranks, podium, best):
    columns = (Column(name="rank"), Column(name="merit", best=best, decided_by=0))
    cells = tuple(zip(ranks, [0.3, 0.1 + 0.2, 0.2], strict=True))
    assert Grid(columns=columns, cells=cells).podium(1) == podium


def test_marked_cells_are_marked_in_every_language():
    table = grid("a", "b", marked=[(1, 1)])
    assert r"| b | 1\* |" in markup.markdown(table)
    assert r"b & 1\textsuperscript{*}" in markup.latex(table)
    assert "<mark><bdi>1</bdi></mark>" in markup.html(table)


def test_html_is_escaped():
    written = markup.html(grid(*NAMES, best="high"))
    assert "<script" not in written
    assert "&lt;script&gt;" in written
    assert "\x1b" not in written
    assert written.count("<tr>") == len(NAMES) + 1


def test_html_of_a_long_table_says_what_it_leaves_out():
    written = markup.html(grid(*map(str, range(12))), most=10)
    assert written.count("<tr>") == 11
    assert "(2 more)" in written


@pytest.mark.parametrize("width", [1, 10, 20, 40])
def test_wrapped_lines_fit_hang_and_lose_nothing(width):
    line = (
        "warning: 日本語の名前 and a/very/long/path/that/stays/whole  twice spaced, then the end."
    )
    lines = text.wrapped(line, width).split("\n")
    assert " ".join(lines).split() == line.split()
    assert all(part.startswith("  ") for part in lines[1:])
    assert all(text.width_of(part) <= width or len(part.split()) == 1 for part in lines)


def test_a_line_that_fits_is_not_wrapped():
    assert text.wrapped("warning: all is well", 20) == "warning: all is well"


def compiler():
    """Return the command of a LaTeX program on the path, and whether it knows all of Unicode."""
    if shutil.which("tectonic"):
        return ["tectonic", "--chatter", "minimal"], True
    if shutil.which("pdflatex"):
        return ["pdflatex", "-interaction=nonstopmode", "-halt-on-error"], False
    return None


@pytest.mark.skipif(compiler() is None, reason="neither tectonic nor pdflatex is on the path")
def test_a_nasty_table_compiles(tmp_path):
    command, unicode = compiler()
    # pdflatex knows the letters of Latin scripts only
    names = [name for name in NAMES if unicode or visible(name).isascii()]
    table = markup.latex(grid(*names, best="high", marked=[(1, 1)]))
    document = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}"]
    path = tmp_path / "table.tex"
    path.write_text("\n".join([*document, table, r"\end{document}", ""]), encoding="utf-8")
    done = subprocess.run([*command, path.name], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert path.with_suffix(".pdf").stat().st_size > 0


def test_a_name_in_a_sentence_is_as_it_was_written():
    for name in ('O\'Neil "x"', r"a\b", "'", '"', "👩‍👧", "a\u00a0b", "עברית"):
        assert errors.bare(name) == name
        assert errors.quoted(name)[1:-1] == name
    assert errors.quoted("it's") == '"it\'s"'
    assert errors.quoted('say "x"') == "'say \"x\"'"
    assert errors.bare("a\nb\x1b\u202e\udc80") == r"a\nb\x1b\u202e\udc80"
    assert len(errors.bare("x" * 1000)) < errors.LONGEST_QUOTE


ALIKE = [f"MapleCOMSPS_{name}_DRUP / {name}_drup" for name in ("LRB", "CHB", "seq_LRB_VSIDS")]


@pytest.mark.parametrize("width", [10, 12, 16, 24, 60])
def test_names_that_are_cut_alike_show_what_differs(width):
    names = [*ALIKE, "glucose / default", "MapleCOMSPS_LRB2_DRUP / LRB_drup", "a" * 40 + "1"]
    cut = text.shorten_all(names, width)
    assert len({*cut}) == len(names)
    assert max(map(text.width_of, cut)) <= width
    assert all(
        name == short or text.ELLIPSIS in short for name, short in zip(names, cut, strict=True)
    )


def test_what_all_names_share_is_said_once_and_tells_nobody_apart():
    def short(*names):
        grid = markup.without_shared(Grid.of(("model", "x"), ((name, 1.0) for name in names)))
        return [row[0] for row in grid.cells], grid.legend

    names = ["ipc2018-decstar / default", "ipc2018-delfi / default"]
    told = "Names are without 'ipc2018-' and ' / default'."
    assert short(*names) == (["decstar", "delfi"], (told,))
    for whole in (["alpha", "alpine"], ["a-x", "b-x"], ["tabm", "tabm-mini"], ["one / default"]):
        assert short(*whole) == (whole, ())
    assert short("kissat-", "kissat-x")[0] == ["kissat-", "kissat-x"]  # nobody is left nameless


def test_bars_give_way_before_names_are_cut():
    drawn = markup.bar(0, 1, 2, left=0, right=2)
    columns = (Column(name="model"), Column(name="x"), Column(name="bars", picture=True))
    grid = Grid.of(columns, [("n" * 24 + str(k), 1.0, drawn) for k in range(3)])
    sheet = markup.Sheet(across=45, gap=2, measure=len, words=20, narrowest=3, names=10, heading=20)
    used, (panel,) = markup.layout(grid, sheet)
    assert panel[0] == 25
    assert markup.NARROW_BAR <= panel[2] < markup.BAR
    assert not markup.names_cut(grid, used, [panel])
    narrow = markup.layout(grid, replace(sheet, across=30))
    assert markup.names_cut(grid, *narrow)


def test_names_that_nothing_can_tell_apart_are_cut_as_always():
    assert text.shorten_all(["abcdefgh1", "abcdefgh2"], 3) != ["abcdefgh1", "abcdefgh2"]
    assert text.shorten_all(["same name"] * 2, 5) == [text.shorten("same name", 5)] * 2
