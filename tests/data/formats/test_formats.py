"""What every format promises, on samples as users have them."""

import gzip
import io
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from format_samples import Sample, all_samples

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.core.errors import DataError, DeadheatError, UsageError
from deadheat.data import formats
from deadheat.data.formats import FORMATS

SAMPLES = all_samples()
NAMES = [f"{sample.format}-{sample.name}" for sample in SAMPLES]
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=NAMES)


def first(sample, path, **more):
    options = {**sample.options, **more}
    if sample.battles:
        return dh.rate(path, replicates=20, **options).rows()[0]["candidate"]
    table = dh.read(path, **options)
    if sample.size:
        assert (table.n, table.m) == sample.size
    ranked = dh.rank(table, by=table.by or "average_rank").rows()
    return min(ranked, key=lambda row: row["rank"])["candidate"]


@each_sample
def test_a_sample_is_read_without_options_and_gives_its_winner(sample, tmp_path):
    assert set(sample.options) <= {"better"}
    path = sample.write(tmp_path)
    assert first(sample, path) == sample.winner
    assert first(sample, path, from_=sample.format) == sample.winner


@each_sample
def test_what_was_recognised_comes_first_and_why(sample, tmp_path):
    path, read = sample.write(tmp_path), dh.read_battles if sample.battles else dh.read
    facts = read(path, **sample.options).reading
    topic, told = facts[0]
    assert topic == "format"
    assert FORMATS[sample.format].title in told
    assert told.endswith(")")
    stated = dict(facts).get("stated", "")
    assert all(f"{option} = " in stated for option in sample.states)


def first_line_of_check(path, sample, given=None):
    better = [part for pair in sample.options.items() for part in (f"--{pair[0]}", pair[1])]
    found = CliRunner().invoke(deadheat, ["check", str(path), *better], input=given)
    assert found.exit_code == 0, found.output
    return found.output.splitlines()[1]


@each_sample
def test_the_first_line_of_check_has_format_reason_and_the_other_command(sample, tmp_path):
    path, archive = sample.write(tmp_path), tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name, content in sample.files.items():
            made.writestr(name, content)
    alone = isinstance(sample.content, str | bytes)
    for source in (path, archive, *(["-"] if alone else [])):
        line = first_line_of_check(source, sample, sample.files[sample.name] if alone else None)
        what = re.escape(FORMATS[sample.format].title)
        assert re.match(rf"format\t{what}.* \(.+\); another: deadheat check FILE --from NAME", line)


LOG = "left,right,winner\na,b,left\nb,c,tie\nc,a,right\n"
LOGS = {
    "log.csv": LOG,
    "log.jsonl": '{"left": "a", "right": "b", "winner": "left"}\n' * 3,
    "folder": {"one.csv": LOG, "two.csv": LOG},
}


@pytest.mark.parametrize("name", [*LOGS, "log.csv.gz", "folder/*.csv", "-"])
def test_so_has_the_first_line_of_a_log(name, tmp_path):
    log = LOGS.get(name, LOGS["folder" if name.startswith("folder") else "log.csv"])
    sample = Sample(format="text", name=name.split("/")[0], content=log, winner="a")
    path = sample.write(tmp_path)
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(LOG.encode()))
    source = name if name == "-" else tmp_path / name
    line = first_line_of_check(source, sample, LOG)
    assert re.match(r"format\t.+ \(.+\); another: deadheat check FILE --from NAME", line)


@each_sample
def test_one_format_alone_knows_a_sample(sample, tmp_path):
    from contextlib import ExitStack

    from deadheat.data.reading.source import open_source

    with ExitStack() as stack:
        source = open_source(sample.write(tmp_path), stack)
        assert [kind.name for kind, _ in formats.specific(source)] == [sample.format]


@each_sample
def test_a_sample_is_read_packed_and_from_an_open_file(sample, tmp_path):
    if isinstance(sample.content, str | bytes):
        packed = tmp_path / f"{sample.name}.gz"
        packed.write_bytes(gzip.compress(sample.files[sample.name]))
        assert first(sample, packed) == sample.winner
    archive = tmp_path / "sample.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name, content in sample.files.items():
            made.writestr(f"top/{name}", content)
    assert first(sample, archive) == sample.winner


def test_every_specific_format_has_a_sample_and_a_line_in_the_list():
    known = {kind.name for kind in FORMATS.values() if not kind.generic}
    assert known == {sample.format for sample in SAMPLES}
    listed = CliRunner().invoke(deadheat, ["list", "formats", "--format", "csv"]).output
    assert all(any(line.startswith(f"{name},") for line in listed.splitlines()) for name in known)


def test_the_page_has_a_row_for_every_format():
    page = Path(__file__).parents[3].joinpath("docs", "reading.md").read_text(encoding="utf-8")
    for kind in FORMATS.values():
        assert f"| `{kind.name}` | {kind.title} | {kind.told_by} |" in page


def test_several_tables_in_one_file_are_asked_for(tmp_path):
    path = tmp_path / "README.md"
    table = "| model | a | b |\n|--|--|--|\n| x | 1 | 2 |\n| y | 3 | 4 |\n"
    path.write_text(f"# One\n\n{table}\n# Two\n\n{table.replace('3', '0').replace('4', '0')}")
    with pytest.raises(UsageError, match=r"README\.md has 2 tables: which one") as caught:
        dh.read(path, better="higher")
    assert "'Two' (model, a, b): sheet='2'" in caught.value.hint
    assert dh.rank(path, better="higher", sheet="Two").rows()[0]["candidate"] == "x"
    assert dh.rank(path, better="higher", sheet=1).rows()[0]["candidate"] == "y"


def test_the_size_of_standard_errors_is_told(tmp_path):
    path = SAMPLES[NAMES.index("markdown-README.md")].write(tmp_path)
    told = {topic: said for topic, said, _ in dh.check(path).findings}["standard errors"]
    assert told.startswith(
        "3 scores have standard errors of about 0.4, and neighbours on one judge"
    )
    assert any(
        "standard errors of about 0.4" in each for each in dh.verdict(path, replicates=50).warnings
    )


def test_two_formats_that_know_a_file_are_named_with_the_option_that_chooses(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_own", [])
    path = tmp_path / "x.dup"
    path.write_text("model,a,b\nx,1,2\ny,3,4\n")
    for name in ("one", "two"):
        made = dh.reads_format(name, f"a file of {name}", suffixes=(".dup",))(FORMATS["text"].read)
        monkeypatch.setitem(FORMATS, name, made)
    with pytest.raises(UsageError, match=r"x\.dup could be a file of one .* and a file of two"):
        dh.read(path, better="higher")
    assert dh.read(path, better="higher", from_="two").candidates == ("x", "y")
    with pytest.raises(UsageError, match="unknown format 'tow'"):
        dh.read(path, better="higher", from_="tow")


def test_what_the_user_or_a_sidecar_says_beats_what_the_format_states(tmp_path):
    path = SAMPLES[NAMES.index("markdown-README.md")].write(tmp_path)
    assert dh.read(path).better == ("higher", "higher", "lower")
    table = dh.read(path, better="lower")
    assert table.better == ("lower",) * 3
    assert any("README.md says" in note and "does not count" in note for note in table.notes)
    path.with_name("README.md.toml").write_text('better = "higher"\n')
    assert dh.read(path).better == ("higher",) * 3


def test_folders_patterns_and_archives_that_no_format_knows_are_named(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("model,x\nu,1\nv,2\n")
    with pytest.raises(DataError, match="is a folder of 2 files"):
        dh.read(tmp_path, better="higher")
    with pytest.raises(DataError, match="is a pattern of 2 files"):
        dh.read(str(tmp_path / "*.csv"), better="higher")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        made.writestr("t.csv", "model,a\nx,1\ny,2\n")
    table = dh.read(io.BytesIO(content.getvalue()), better="higher")
    np.testing.assert_array_equal(table.scores, [[1], [2]])


def test_a_format_of_ones_own_is_named_by_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_own", [])
    (tmp_path / "mine.py").write_text(
        "import deadheat as dh\nfrom deadheat.data.reading.documents import stream, text_in\n"
        "@dh.reads_format('colons_mine', 'a file of colons', suffixes=('.mine',))\n"
        "def read(source, options):\n"
        "    rows = [line.split(':') for line in text_in(source).splitlines()]\n"
        "    return stream(source, rows[0], rows[1:], states={'better': 'higher'})\n"
    )
    path = tmp_path / "x.mine"
    path.write_text("model:a:b\nx:1:2\ny:3:4\n")
    asked = ["rank", str(path), "--from", f"{tmp_path / 'mine.py'}", "--format", "csv"]
    result = CliRunner().invoke(deadheat, asked)
    FORMATS.pop("colons_mine", None)
    assert result.exit_code == 0, result.output
    assert ",".join(result.output.splitlines()[1].split(",")[:1]) == "y"


@pytest.mark.parametrize(
    ("content", "name"),
    [("| a |\n|--|\n", "x.md"), ("| a | b |\n|--|--|\n", "x.md"), ("", "x.zip")],
)
def test_what_holds_no_rows_is_refused(tmp_path, content, name):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(DeadheatError):
        dh.read(path, better="higher")
