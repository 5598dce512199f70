"""The LaTeX document: that it compiles, whatever the names hold."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from deadheat.markup import in_latex
from deadheat.report import latex
from deadheat.report.latex import document
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


def compiled(text, folder, engine):
    """Return the log of TeX; fail where it did."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed: nothing here can compile LaTeX")
    (folder / "t.tex").write_bytes(text.encode("utf-8", "backslashreplace"))
    found = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    said = found.stdout.decode("utf-8", "replace")
    assert found.returncode == 0, said[-1500:]
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
    plain = "".join(chr(c) for c in range(0xA1, 0x180) if chr(c) not in latex._LATIN_GAPS)
    plain += latex._PUNCTUATION
    names = [plain[k : k + 20] for k in range(0, len(plain), 20)]
    log = compiled(document({"all": scores(*names)}, title="t"), tmp_path, engine)
    assert "Missing character" not in log
    assert "\\other" not in document({"all": scores(*names)}, title="t").split("begin{document}")[1]


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


def test_a_wide_table_stays_on_the_page(tmp_path):
    wide = samples()["agree matrix"]
    log = compiled(document({"wide": wide}, title="t"), tmp_path, "pdflatex")
    assert "Overfull \\hbox" not in log


def test_a_name_is_cut_in_the_middle_and_escaped_afterwards():
    text = document({"x": scores("b" + "_" * 200 + "e")}, title="t")
    assert in_latex("b" + "_" * 19) in text
    assert "_" * 41 not in text
