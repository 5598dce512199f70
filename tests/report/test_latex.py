"""The LaTeX document: that it compiles, whatever the names hold."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from deadheat.output import table as markup
from deadheat.output.table import Column, Grid
from deadheat.report.api import document, heading
from deadheat.report.methods import methods
from nasty import NAMES, SURROGATE, Board, scores
from samples import samples

ENGINES = ("pdflatex", "lualatex")
ODD = (
    *NAMES,
    SURROGATE,
    *"_&%#{}~^\\<>\"'`|$@*[]-+=!?",
    "?` !` << >> ,, '' --- `` fi",
    "a\u0301 ё λ",
)


SMALLEST = r"""\documentclass{article}
\usepackage{iftex}
\iftutex\usepackage{fontspec}\fi
\begin{document}a\end{document}"""


def run(engine, text, folder):
    (folder / "t.tex").write_bytes(text.encode("utf-8", "backslashreplace"))
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    found = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return found.returncode, found.stdout.decode("utf-8", "replace")


@functools.cache
def works(engine):
    """Return whether an engine has its own fonts: Debian ships lualatex without them."""
    with tempfile.TemporaryDirectory() as folder:
        return run(engine, SMALLEST, Path(folder))[0] == 0


def compiled(text, folder, engine):
    """Return the log of TeX; fail where it did."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed: nothing here can compile LaTeX")
    if not works(engine):
        pytest.skip(f"{engine} is installed without its fonts: it cannot compile one letter")
    status, said = run(engine, text, folder)
    assert status == 0, said[-1500:]
    assert (folder / "t.pdf").stat().st_size > 1000
    return said


def printed(folder):
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: nothing here can read a PDF")
    subprocess.run(["pdftotext", "-layout", "t.pdf"], cwd=folder, check=True)
    return (folder / "t.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("engine", ENGINES)
def test_names_that_break_tables_compile(tmp_path, engine):
    odd = scores(*ODD, kind=Board)
    compiled(
        document({"a_b & 100 % {x}": odd, "": scores("a", "b")}, title="#1 ~ ^"), tmp_path, engine
    )


def test_what_is_printed_is_what_was_meant(tmp_path):
    names = (r"a_b&c%d#e{f}g~h^i\j", 'quote"s<tag>', "dash--es", "日本", "[x]", "*y")
    compiled(document({"names": scores(*names)}, title="t"), tmp_path, "pdflatex")
    text = printed(tmp_path)
    for name in (names[0], 'quote"s<tag>', "dash--es", "[U+65E5][U+672C]", "[x]", "*y"):
        assert name in text


@pytest.mark.parametrize("engine", ENGINES)
def test_every_character_that_is_left_plain_is_one_that_fonts_have(tmp_path, engine):
    plain = "".join(chr(c) for c in range(0xA1, 0x180) if chr(c) not in markup.LATIN_GAPS)
    plain += markup.PUNCTUATION
    names = [plain[k : k + 20] for k in range(0, len(plain), 20)]
    log = compiled(document({"all": scores(*names)}, title="t"), tmp_path, engine)
    assert "Missing character" not in log
    text = document({"all": scores(*names)}, title="t").split("begin{document}")[1]
    assert "\\dhletter" not in text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_whole_report_compiles(tmp_path, engine):
    found = samples()
    chosen = {
        name: found[name]
        for name in (
            "strict verdict",
            "verdict groups",
            "criteria",
            "rate of a log",
            "axioms",
            "agree matrix",
        )
    }
    told = methods(found["strict verdict"], criteria=found["criteria"], ratings=found["rate"])
    text = document(chosen, title="Who won?", methods=told)
    compiled(text, tmp_path, engine)
    log = compiled(text, tmp_path, engine)
    assert "undefined" not in log.lower()


def test_a_long_table_breaks_over_pages_and_a_longer_one_says_so(tmp_path):
    names = [f"n{i}" for i in range(1000)]
    text = document({"long": scores(*names)}, title="t")
    assert r"\begin{longtable}" in text
    assert "The first 400 of 1,000 rows." in text
    assert "n399 &" in text
    assert "n400 &" not in text
    compiled(text, tmp_path, "pdflatex")


LONG = (
    "x" * 60,
    "W" * 60,
    r"gpt_4%turbo&co\n_{x}~^" * 3,
    "\u05e2\u05d1\u05e8\u05d9\u05ea " * 10,
    "\U0001f98a\U0001f469\u200d\U0001f469" * 12,
    'O\'Neil "the" `best` ' + "a" * 40,
    "\u65e5\u672c\u8a9e\u306e\u540d\u524d" * 10,
    "a long name that has many words in it, " * 2,
)
WIDEST = 5.0  # points that a line may be too long


def overfull(log):
    """Return the lines that are too long, as TeX complains of them."""
    found = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)[^\n]*", log)
    return [float(points) for points in found if float(points) > WIDEST]


def names(n):
    return [f"{LONG[i % len(LONG)]}{i}" for i in range(n)]


def judged(n=8, m=8):
    rng = np.random.default_rng(0)
    table = dh.Results(
        scores=rng.normal(size=(n, m)),
        candidates=names(n),
        judges=[f"judge_{'j' * 50}{k}" for k in range(m)],
        better="higher",
    )
    v = dh.verdict(table, replicates=99)
    agreed = dh.agreement(table, by=["mean", "copeland"])
    found = {name: v.table(name) for name in ("pairs", "groups", "tests", "ranks")}
    found |= {"verdict": v, "agreement": agreed, "judges": agreed.table("matrix")}
    return found | {"win-matrix": dh.rate(table, replicates=99).table("matrix")}


def alone(written):
    """Return a fragment in the plainest document that it claims to need."""
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}"
    return "\n".join([head, r"\begin{document}", written, r"\end{document}", ""])


def test_what_is_too_long_is_noticed(tmp_path):
    """The other tests would pass if TeX's complaint were not understood."""
    row = f"{'x' * 200} \\\\"
    log = compiled(alone(f"\\begin{{tabular}}{{l}}{row}\\end{{tabular}}"), tmp_path, "pdflatex")
    assert overfull(log)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_table_of_long_names_leaves_the_page(tmp_path, engine):
    found = judged()
    assert not overfull(compiled(document(found, title=LONG[2]), tmp_path, engine))
    written = "\n\n".join(result.to_latex() for result in found.values())
    assert not overfull(compiled(alone(written), tmp_path, engine))


def test_no_result_that_there_is_leaves_the_page(tmp_path):
    assert not overfull(compiled(document(samples(), title="all"), tmp_path, "pdflatex"))
    written = "\n\n".join(result.to_latex() for result in samples().values())
    assert not overfull(compiled(alone(written), tmp_path, "pdflatex"))


@pytest.mark.parametrize("n", [12, 60])
def test_many_columns_are_told_in_parts_that_name_their_rows(tmp_path, n):
    columns = (Column(name="candidate", key=True), *(Column(name=name) for name in names(n)))
    cells = tuple((name, *np.linspace(-1, 1, n).tolist()) for name in names(5))
    written = markup.latex(Grid(columns=columns, cells=cells))
    parts = written.count(r"\begin{tabular}")
    assert parts > 1
    assert written.count("candidate &") + written.count("candidate}") == parts
    assert written.count("$-$1 ") + written.count("$-$1.000 ") == 5
    log = compiled(alone(f"{markup.LETTER}\n{written}"), tmp_path, "pdflatex")
    assert not overfull(log)


def test_every_cell_is_there_however_a_table_is_split():
    columns = tuple(Column(name=f"column {chr(97 + j)}") for j in range(26))
    cells = tuple(tuple(1000 * i + j for j in range(26)) for i in range(3))
    written = markup.latex(Grid(columns=columns, cells=cells))
    for row in cells:
        for cell in row:
            assert len(re.findall(rf"(?<!\d){cell}(?!\d)(?= [&\\])", written)) == 1


def test_a_table_that_fits_is_plain():
    written = markup.latex(Grid(columns=(Column(name="a"), Column(name="b")), cells=(("x", 1),)))
    assert written.splitlines()[0] == r"\begin{tabular}{lr}"
    assert "begingroup" not in written


def test_a_list_of_names_is_wrapped_and_never_cut(tmp_path):
    group = ", ".join(f"candidate number {i} ({i})" for i in range(60))
    grid = Grid(columns=(Column(name="group"), Column(name="members")), cells=((1, group),))
    written = markup.latex(grid)
    assert all(f"candidate number {i} ({i})" in written for i in range(60))
    assert not overfull(compiled(alone(written), tmp_path, "pdflatex"))


def test_headings_are_words():
    found = judged(4, 6)
    named = {"group-summary": "Ties & inversions"}
    some = {"pairs": found["pairs"], "group-summary": found["groups"]}
    text = document(some, title="t", headings=named)
    assert r"\section*{Pairs}" in text
    assert r"\section*{Ties \& inversions}" in text
    assert "p\\_a\\_better" not in text.split("toprule")[1].split("midrule")[0]
    assert heading("group-summary") == "Group summary"
    assert heading("x_1 results.csv") == "X_1 results.csv"
    first = dh.verdict(dh.examples.load("compressors"), replicates=99).table("first").to_latex()
    assert "share ranked first" in first
    assert "first\\_share" not in first


def test_a_fragment_with_other_letters_compiles_by_itself(tmp_path):
    written = scores("\u05e2\u05d1\u05e8\u05d9\u05ea", "plain").to_latex()
    assert written.count(r"\providecommand{\dhletter}") == 1
    compiled(alone(written), tmp_path, "pdflatex")
    assert "dhletter" not in scores("plain").to_latex()


def test_a_name_is_cut_in_the_middle_and_escaped_afterwards():
    text = document({"x": scores("b" + "_" * 200 + "e")}, title="t")
    table = text.split(r"\midrule")[1].replace(r"\allowbreak ", "")
    assert "b" + r"\_" * 39 in table
    assert r"\_" * 40 not in table


def test_names_that_look_like_options_stay():
    names = ["fast --plan greedy", "slow --plan lazy", "x"]
    levels = np.array([[3.0], [3.0], [1.0]]) + np.random.default_rng(0).normal(0, 0.1, (3, 20))
    table = dh.Results(scores=levels, candidates=names, better="higher")
    found = dh.verdict(table, replicates=99)
    assert "the plan" not in document({"v": found}, title="t")
