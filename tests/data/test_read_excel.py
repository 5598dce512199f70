"""Workbooks as other programs write them, damaged ones and bombs: read whole, or refused."""

import contextlib
import datetime as dt
import io
import re
import zipfile

import numpy as np
import openpyxl
import pytest
from openpyxl.chart import BarChart

from deadheat import read
from deadheat.core.errors import DataError, UsageError

ROWS = [["model", "a", "b"], ["x", 1, 2], ["y", 3, 4], ["z", 5, 6]]
SHEET = "xl/worksheets/sheet1.xml"
XML = '<?xml version="1.0"?>'
SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def workbook(rows=ROWS, title="Sheet"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    return book


@pytest.fixture
def saved(tmp_path):
    """Write a workbook, with some of its parts changed, and return its path."""

    def save(book=None, *, name="t.xlsx", added=(), **changed):
        whole = io.BytesIO()
        (book or workbook()).save(whole)
        path = tmp_path / name
        with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for part in old.namelist():
                content = old.read(part).decode()
                change = changed.get(part.rsplit("/", 1)[-1].partition(".")[0])
                new.writestr(part, change(content) if change else content)
            for part, content in dict(added).items():
                new.writestr(part, content)
        return path

    return save


def refused(path, error=DataError, **options):
    with pytest.raises(error) as caught:
        read(path, better="higher", **options)
    assert "\n" not in caught.value.fact
    assert len(caught.value.fact) < 300
    return caught.value


def dimension(said):
    return lambda xml: re.sub(r'<dimension ref="[^"]*" ?/>', said, xml)


@pytest.mark.parametrize(
    "said",
    [
        "",
        '<dimension ref="A1"/>',
        '<dimension ref="A1:B2"/>',
        '<dimension ref="B2:C3"/>',
        '<dimension ref="A1:XFD1048576"/>',
        '<dimension ref="C3:A1"/>',
    ],
)
def test_a_sheet_is_read_whole_whatever_it_says_of_its_size(saved, said):
    table = read(saved(sheet1=dimension(said)), better="higher")
    assert (table.candidates, table.judges) == (("x", "y", "z"), ("a", "b"))
    np.testing.assert_array_equal(table.scores, [[1, 2], [3, 4], [5, 6]])


def test_rows_far_apart_are_read(saved):
    book = workbook()
    book.active.cell(1_048_576, 1, "w")
    book.active.cell(1_048_576, 2, 7)
    book.active.cell(1_048_576, 3, 8)
    assert read(saved(book), better="higher").candidates == ("x", "y", "z", "w")


def test_a_row_that_no_sheet_has_is_refused(saved):
    path = saved(sheet1=lambda xml: xml.replace('r="4"', 'r="99999999"'))
    assert "more than 1,048,576 rows" in refused(path).fact


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('<row r="4"', '<row r="2"', "row 2 comes after row 3"),
        ('<row r="2"', '<row r="9"', "row 3 comes after row 9"),
        ('r="C3"', 'r="A3"', "in row 3, A comes after B"),
    ],
)
def test_cells_that_openpyxl_would_lose_are_refused(saved, old, new, words):
    assert words in refused(saved(sheet1=lambda xml: xml.replace(old, new))).fact


def test_every_cut_of_a_workbook_is_refused(saved, tmp_path):
    whole = saved().read_bytes()
    cut = tmp_path / "cut.xlsx"
    for size in range(4, len(whole) - 1, len(whole) // 60):
        cut.write_bytes(whole[:size])
        refused(cut)


def test_bytes_that_are_changed_are_refused_or_change_nothing(saved, tmp_path):
    whole = saved().read_bytes()
    broken = tmp_path / "broken.xlsx"
    for place in range(4, len(whole), max(1, len(whole) // 150)):
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            table = read(broken, better="higher")
        except (DataError, UsageError):
            continue
        np.testing.assert_array_equal(table.scores, [[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize("parts", ["sheet1", "workbook", "styles", "[Content_Types]"])
@pytest.mark.parametrize(
    "xml", ["", "<", "<a/>", "\0", f"{XML}<a {SPACE}>", f"{XML}<worksheet {SPACE}/>", "]]>"]
)
def test_parts_that_are_no_parts_are_refused_or_nothing(saved, parts, xml):
    with contextlib.suppress(DataError, UsageError):
        read(saved(**{parts: lambda _: xml}), better="higher")


def test_an_encrypted_workbook_is_named(tmp_path):
    path = tmp_path / "t.xlsx"
    container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1_000)
    path.write_bytes(container + "EncryptedPackage".encode("utf-16-le") + bytes(100))
    assert refused(path).fact == "t.xlsx is encrypted: it opens with a password only."
    path.write_bytes(container)
    assert "(.xls), or encrypted" in refused(path).fact


def test_a_workbook_of_encrypted_parts_is_named(saved):
    path = saved()
    content = bytearray(path.read_bytes())
    start = 0
    while (start := content.find(b"PK\x01\x02", start)) >= 0:
        content[start + 8] |= 1  # the flags of a part in the directory of the archive
        start += 4
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"\.xlsx is encrypted: it opens with a password only\."):
        read(path, better="higher")


def test_a_bomb_is_refused_by_its_size(saved, monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "10MB")
    row = '<row><c t="inlineStr"><is><t>x</t></is></c><c><v>1</v></c></row>'
    rows = saved(sheet1=lambda xml: xml.replace("</sheetData>", row * 100_000 + "</sheetData>"))
    assert rows.stat().st_size < 100_000
    fact = refused(rows).fact
    assert "t.xlsx has a part that unpacks to 6.4 MB (xl/worksheets/sheet1.xml)" in fact
    assert "the budget of 10 MB" in fact
    texts = saved(added={"xl/sharedStrings.xml": "<si><t>x</t></si>" * 99_999})
    assert "sharedStrings.xml" in refused(texts).fact
    cells = '<row r="9">' + "<c><v>1</v></c>" * 20_000 + "</row>"
    wide = saved(sheet1=lambda xml: xml.replace("</sheetData>", f"{cells}</sheetData>"))
    assert "has a row of" in refused(wide).fact
    large = saved()
    monkeypatch.setenv("DEADHEAT_MEMORY", "20KB")
    assert "t.xlsx is larger than 2.5 KB" in refused(large).fact


@pytest.mark.parametrize("before", ["<sheetData>", "<sheetViews", "</sheetData>"])
def test_a_tag_that_is_too_long_is_refused(saved, monkeypatch, before):
    monkeypatch.setattr("deadheat.data.formats.excel.LONGEST", 50_000)
    monkeypatch.setattr("deadheat.data.formats.excel.CHUNK", 10_000)
    tag = f'<row r="5" a="{"x" * 100_000}"/>'
    path = saved(sheet1=lambda xml: xml.replace(before, f"{tag}{before}"))
    error = refused(path)
    assert "t.xlsx has a tag or a text of 5" in error.fact
    assert "(xl/worksheets/sheet1.xml)" in error.fact


def test_many_tags_that_do_not_end_are_seen_once(saved):
    cells = "<c " * 60_000  # many seconds, where each is looked at up to the end
    refused(saved(sheet1=lambda xml: xml.replace("</sheetData>", f"{cells}</sheetData>")))


def test_entities_without_end_are_refused(saved):
    entities = "".join(
        f'<!ENTITY e{k} "{"".join(f"&e{k - 1};" for _ in range(10))}">' for k in range(1, 12)
    )
    bomb = f'<!DOCTYPE worksheet [<!ENTITY e0 "{"x" * 99}">{entities}]>'

    def change(xml):
        return f"{bomb}{xml}".replace("model", "&e11;", 1)

    refused(saved(sheet1=change))


def test_a_text_that_is_not_there_is_refused(saved):
    refused(saved(sheet1=lambda xml: xml.replace('t="n"><v>6', 't="s"><v>6')))


def test_thousands_of_digits_are_refused(saved):
    path = saved(sheet1=lambda xml: xml.replace("<v>6</v>", f"<v>{'9' * 5_000}</v>"))
    assert "digits" in refused(path).fact


def test_a_date_in_the_place_of_a_score_is_named(saved):
    rows = [row[:] for row in ROWS]
    rows[2][1] = dt.date(2024, 2, 1)
    assert "row 3, column 'a': '2024-02-01 00:00:00'" in refused(saved(workbook(rows))).fact


def test_formulas_with_any_prefix_are_found(saved):
    book = workbook()
    book.active["C3"] = "=B3+1"
    prefixed = saved(
        book,
        sheet1=lambda xml: re.sub(r"<(/?)([a-zA-Z]+)", r"<\1x:\2", xml).replace(
            "<x:worksheet xmlns=", "<x:worksheet xmlns:x="
        ),
    )
    assert "cell C3: the formula '=B3+1' has no saved value" in refused(prefixed).fact
    assert "cell C3" in refused(saved(book, sheet1=dimension('<dimension ref="A1"/>'))).fact


@pytest.mark.parametrize("title", ["it's", 'say "hi"', "a&b <c>", "名前", "1", "x=5", "%s {0}"])
def test_a_sheet_may_have_any_name(saved, title):
    book = workbook([["model", "a"], ["no", 0], ["one", 0]], title="first")
    other = book.create_sheet(title)
    for row in ROWS:
        other.append(row)
    path = saved(book)
    assert read(path, better="higher", sheet=title).candidates == ("x", "y", "z")
    assert read(path, better="higher", sheet="2").candidates == ("x", "y", "z")


@pytest.mark.parametrize("asked", ["", "0", "3", "-1", "²", "9" * 5_000, "Chart", "\x1b[31m"])
def test_an_unknown_sheet_is_refused(saved, asked):
    book = workbook()
    book.create_sheet("other")
    book.create_chartsheet("Chart").add_chart(BarChart())
    error = refused(saved(book), UsageError, sheet=asked)
    assert error.fact.startswith("unknown sheet ")
    assert error.hint == "known: Sheet, other."


def test_a_chart_that_comes_first_is_no_table(saved):
    book = workbook()
    book.create_chartsheet("Chart", 0).add_chart(BarChart())
    assert read(saved(book), better="higher").candidates == ("x", "y", "z")


def test_a_workbook_without_sheets_is_refused(saved):
    path = saved(workbook=lambda xml: re.sub(r"<sheets>.*</sheets>", "<sheets/>", xml))
    assert refused(path).fact == "t.xlsx has no sheet with cells."


def test_a_workbook_with_macros_is_read(saved):
    assert read(saved(name="t.xlsm"), better="higher").n == 3


def test_another_sheet_with_cells_is_told_of(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "dev"
    for name in ("dev", "test", "empty"):
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for row in () if name == "empty" else (["model", "a"], ["x", 1], ["y", 2]):
            sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    found = read(tmp_path / "t.xlsx", better="higher").notes
    assert [note for note in found if "sheet='test'" in note]
    assert not any("empty" in note for note in found)
    assert not read(tmp_path / "t.xlsx", better="higher", sheet="dev").notes
