"""Any bytes give a table or a clear error, within the budget, whatever they pretend to be."""

import bz2
import contextlib
import gzip
import io
import json
import tracemalloc
import zipfile

import pytest
from format_samples import all_samples
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import DeadheatError
from deadheat.data.formats import FORMATS
from deadheat.data.reading.read import read_any

SAMPLES = all_samples()
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.format}-{s.name}")
each_format = pytest.mark.parametrize("name", sorted(FORMATS))


def harmless(source, **options):
    with contextlib.suppress(DeadheatError):
        read_any(source, **{"better": "higher"} | options)


def named(content, name):
    file = io.BytesIO(content)
    file.name = name
    return file


@each_format
@settings(deadline=None, max_examples=60)
@given(content=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_harmless(name, content):
    harmless(named(content, "x.txt"), from_=name)


@each_sample
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_mutations_of_a_sample_are_harmless(sample, data, tmp_path_factory):
    files = dict(sample.files)
    victim = data.draw(st.sampled_from(sorted(files)))
    packed = files[victim].startswith(b"BZh")
    content = bz2.decompress(files[victim]) if packed else files[victim]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))
    patch = data.draw(st.binary(max_size=8) | st.sampled_from([b"", b'"', b"{", b"}", b"<", b"\n"]))
    content = content[:start] + patch + (b"" if data.draw(st.booleans()) else content[end:])
    if isinstance(sample.content, str | bytes):
        harmless(named(content, sample.name), **sample.options)
        return
    files[victim] = bz2.compress(content) if packed else content
    folder = tmp_path_factory.mktemp("fuzz")
    for name, each in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_bytes(each)
    harmless(folder, from_=sample.format)


ODD = [None, True, -1, 0.5, 10**400, 1e308, float("nan"), "", "x", [], [[1]], {}, {"x": [None]}]
IN_JSON = [s for s in SAMPLES if any(name.endswith((".json", ".jsonl")) for name in s.files)]


def places(node, path=()):
    yield path
    below = enumerate(node) if isinstance(node, list) else ()
    for key, each in node.items() if isinstance(node, dict) else below:
        yield from places(each, (*path, key))


@pytest.mark.parametrize("sample", IN_JSON, ids=lambda s: f"{s.format}-{s.name}")
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_documents_with_odd_values_are_harmless(sample, data, tmp_path_factory):
    files = dict(sample.files)
    victim = data.draw(st.sampled_from([n for n in sorted(files) if "json" in n]))
    lines = victim.endswith("l") and files[victim][:1] != b"["
    parts = [json.loads(line) for line in files[victim].splitlines()] if lines else []
    document = parts or json.loads(files[victim])
    *path, last = data.draw(st.sampled_from([each for each in places(document) if each]))
    node = document
    for key in path:
        node = node[key]
    node[last] = data.draw(st.sampled_from(ODD))
    content = "\n".join(map(json.dumps, document)) if lines else json.dumps(document)
    files[victim] = content.encode()
    folder = tmp_path_factory.mktemp("odd")
    for name, each in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_bytes(each)
    alone = isinstance(sample.content, str | bytes)
    harmless(folder / sample.name if alone else folder, from_=sample.format)


def zipped(parts):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


LAUGHS = "<!DOCTYPE r [<!ENTITY a '1'>" + "".join(
    f"<!ENTITY {chr(98 + k)} '{f'&{chr(97 + k)};' * 10}'>" for k in range(9)
)
BOMBS = {
    "zeros.csv.gz": gzip.compress(bytes(30_000_000)),
    "line.csv.bz2": bz2.compress(b"a," * 150_000) * 100,
    "zeros.zip": zipped({"a.csv": bytes(30_000_000)}),
    "two.zip": zipped({"algorithm_runs.arff": b"%" * 30_000_000, "description.txt": b"x"}),
    "nested.zip": zipped({"b.zip": zipped({"c.zip": zipped({"d.csv": bytes(30_000_000)})})}),
    "deep.json": b"[" * 200_000,
    "deep.jsonl": b'{"a":' * 100_000,
    "laughs.xml": f"{LAUGHS}]><result benchmarkname='x'>&j;</result>".encode(),
    "deep.xml": b"<result benchmarkname='x'>" + b"<run>" * 100_000,
    "spans.html": b"<table><tr>" + b"<td colspan=999 rowspan=999>1</td>" * 20_000,
    "bars.md": b"|a|b|\n|-|-|\n" + b"|1|2|\n" * 1_000_000,
    "stars.md": b"|a|b|\n|-|-|\n|x|" + b"*" * 100_000 + b"1|\n",
    "wide.md": b"|" * 400_000 + b"\n" + b"|-" * 200_000 + b"|\n" + b"|1" * 100_000,
    "slashes.tex": b"\\begin{tabular}{ll}" + b"a & 1 \\\\" * 1_000_000,
    "voters.soc": b"# NUMBER ALTERNATIVES: 2\n999999999999999: 1,2\n",
    "many.soc": b"# NUMBER ALTERNATIVES: 999999\n1: 1,2\n",
}


@pytest.mark.parametrize("format_", [None, *sorted(FORMATS)])
def test_bombs_stay_within_the_budget_of_every_reader(format_, tmp_path, monkeypatch):
    monkeypatch.setenv("DEADHEAT_MEMORY", "20MB")
    for name, content in BOMBS.items():
        path = tmp_path / name
        path.write_bytes(content)
        tracemalloc.start()
        try:
            harmless(path, from_=format_)
            assert tracemalloc.get_traced_memory()[1] < 60_000_000, name
        finally:
            tracemalloc.stop()


def test_many_rows_whose_first_cell_is_that_of_the_header_are_read_at_once(tmp_path):
    """The time must not grow with the square of the rows: 200,000 of them took minutes."""
    path = tmp_path / "bars.txt"
    path.write_text("|a|b|\n" + "|1|2|\n" * 200_000)
    with pytest.raises(DeadheatError, match="in the rows or in the columns"):
        dh.read(path, better="higher", delimiter="|")


def test_an_archive_that_needs_a_password_is_named(tmp_path):
    content = bytearray(zipped({"a.csv": "model,a\nx,1\n"}))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(sign) + at] |= 1
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with pytest.raises(DeadheatError, match="encrypted"):
        dh.read(path, better="higher")
