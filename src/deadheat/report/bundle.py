"""Everything that a report holds as a folder of files, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deadheat.errors import UsageError
from deadheat.report.latex import document
from deadheat.report.methods import Methods
from deadheat.report.picture import Picture
from deadheat.result import Result, free_name
from deadheat.unfinished import unfinished
from deadheat.version import __version__

MANIFEST = "manifest.json"
LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Hold a file of a bundle: where it lies, what is in it, and what it is, in words."""

    path: str
    content: bytes
    what: str


def bundle(
    folder: str | os.PathLike[str],
    *,
    page: str,
    results: Mapping[str, Result],
    pictures: Sequence[Picture] = (),
    title: str = "deadheat report",
    methods: Methods | None = None,
    names: Iterable[str] = (),
) -> list[str]:
    """Write a folder with the page, tables, figures and a LaTeX document; return its files.

    Parameters
    ----------
    folder
        A folder that is not there yet, or that is empty.
    page
        The HTML of the report.
    results
        By name; each becomes a CSV file, a JSON file that :func:`deadheat.load` reads, and a
        section of the document.
    pictures
        Each becomes a file in SVG and one in PDF.
    methods
        The methods paragraph of the document and what it cites.
    names
        Of candidates and judges, which stay as they are in sentences.

    Notes
    -----
    ``manifest.json`` says of each other file what it is, how long, and its sha256.
    """
    target = free_folder(Path(folder))
    pieces = list(_pieces(page, results, pictures, title, methods, names))
    pieces.append(Piece(path="README.txt", content=_readme(title, pieces), what="what lies here"))
    pieces.append(Piece(path=MANIFEST, content=_manifest(title, pieces), what="this list"))
    _write(target, pieces)
    return [piece.path for piece in pieces]


def _pieces(
    page: str,
    results: Mapping[str, Result],
    pictures: Sequence[Picture],
    title: str,
    methods: Methods | None,
    called: Iterable[str],
) -> Iterator[Piece]:
    yield Piece(path="report.html", content=_utf8(page), what="the report, for a browser")
    names = _names(results)
    for name, result in results.items():
        csv = f"tables/{names[name]}.csv"
        yield Piece(path=csv, content=_utf8(result.to_csv()), what=f"the rows of {name}")
        whole = f"json/{names[name]}.json"
        what = f"all of {name}, as {result.schema}"
        yield Piece(path=whole, content=_utf8(result.to_json()), what=what)
    files = _names([picture.kind or picture.title for picture in pictures])
    for picture in pictures:
        name = files[picture.kind or picture.title]
        for form in ("svg", "pdf"):
            written = picture.written(form)
            content = _utf8(written) if isinstance(written, str) else written
            yield Piece(path=f"figures/{name}.{form}", content=content, what=picture.title)
    text = document(results, title=title, methods=methods, names=called)
    yield Piece(path="report.tex", content=_utf8(text), what="the tables, for LaTeX")
    if methods is not None:
        yield Piece(
            path="methods.txt", content=_utf8(methods.text()), what="what was done, for a paper"
        )
        yield Piece(
            path="references.bib", content=_utf8(methods.bibtex()), what="what to cite, for BibTeX"
        )


def _names(titles: Mapping[str, object] | Sequence[str]) -> dict[str, str]:
    """Return a name for each title that is safe and its own on every file system."""
    found: dict[str, str] = {}
    for title in titles:
        plain = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_NAME].strip("-") or "untitled"
        name, more = plain, 1
        while name in found.values():
            more += 1
            name = f"{plain}-{more}"
        found[title] = name
    return found


def _readme(title: str, pieces: Sequence[Piece]) -> bytes:
    width = max(len(piece.path) for piece in pieces)
    lines = [
        title,
        "",
        f"Written by deadheat {__version__}. Begin with report.html: it needs no network.",
        "deadheat show json/NAME.json prints a result again; deadheat.load reads it in Python.",
        f"{MANIFEST} has the sha256 of every file.",
        "",
        *(f"{piece.path:{width}}  {piece.what}" for piece in pieces),
        "",
    ]
    return _utf8("\n".join(" ".join(line.splitlines()) for line in lines) + "\n")


def _manifest(title: str, pieces: Sequence[Piece]) -> bytes:
    files = [
        {
            "path": piece.path,
            "what": piece.what,
            "bytes": len(piece.content),
            "sha256": hashlib.sha256(piece.content).hexdigest(),
        }
        for piece in pieces
    ]
    whole = {"title": title, "version": __version__, "files": files}
    return _utf8(json.dumps(whole, indent=2, ensure_ascii=True) + "\n")


def free_folder(folder: Path) -> Path:
    """Return where a bundle is to be; refuse what would replace or lose something."""
    target = Path(os.path.realpath(folder))
    if target.is_dir():
        if any(target.iterdir()):
            raise UsageError(
                f"the folder {folder} is not empty.", hint="name a new one, or empty it first."
            )
    elif target.exists():
        raise UsageError(f"{folder} is a file, and no folder.", hint="name a new folder.")
    elif not target.parent.is_dir():
        raise UsageError(
            f"cannot make {folder}: there is no folder {target.parent}.", hint="make it first."
        )
    return target


def _write(target: Path, pieces: Sequence[Piece]) -> None:
    """Write the files into a folder beside, which then takes the name."""
    with unfinished(free_name(target)) as beside:
        try:
            beside.mkdir()
            for piece in pieces:
                path = beside / piece.path
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(piece.content)
            if target.is_dir():
                target.rmdir()  # only an empty one can go
            beside.replace(target)
        except OSError as error:
            raise UsageError(
                f"cannot write {target}: {error.strerror or error}.",
                hint="choose a place that you may write to and that has room.",
            ) from None
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
