"""Which encoding a text is in, and whether it is text at all."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from deadheat.data.source import Source
from deadheat.data.wording import said_with_all
from deadheat.errors import DataError, UsageError, quoted

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark begins alike
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OF_NO_FILE = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7")
CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b")
MOST_CONTROLS = 0.02
FEW = 4  # stray control characters make no binary file
PLAINLY = 0.4  # of all bytes are the zero half of a UTF-16 unit


def encoding_of(source: Source, asked: str | None) -> str:
    """Return the encoding that was asked for, or the one the first bytes are in."""
    if asked is not None:
        name = _known(asked)
        marked = source.head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return _utf_16(source.head) or name if name == "utf-16" and not marked else name
    head = source.head
    for mark, name in MARKS:
        if head.startswith(mark):
            return name
    wide = _utf_16(head)
    if wide:
        return wide
    refuse_binary(source)
    return "utf-8" if _is_utf_8(head) else _western(head)


def _known(asked: str) -> str:
    """Return the name of an encoding of text; refuse what is unknown, or turns bytes otherwise."""
    try:
        found = codecs.lookup(asked)
    except (LookupError, ValueError, SyntaxError):
        found = None
    if found is None or found.name in OF_NO_FILE or not found._is_text_encoding:  # noqa: SLF001
        what = "unknown encoding" if found is None else "no encoding of text:"
        raise UsageError(
            f"{what} {quoted(asked)}.", hint="for instance utf-8, latin-1 or utf-16."
        ) from None
    return found.name


def _is_utf_8(head: bytes) -> bool:
    try:
        # not final: the head may end inside a character
        codecs.getincrementaldecoder("utf-8")().decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return True


def _western(head: bytes) -> str:
    try:
        head.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _utf_16(head: bytes) -> str:
    """Return UTF-16 where every other byte is zero, as in all western text."""
    size = len(head)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > PLAINLY * size and even < odd / 20:
        return "utf-16-le"
    if even > PLAINLY * size and odd < even / 20:
        return "utf-16-be"
    return ""


def refuse_binary(source: Source) -> None:
    """Refuse bytes that are no text."""
    head = source.head
    controls = len(head) - len(head.translate(None, CONTROLS))
    if b"\0" in head or controls > max(FEW, MOST_CONTROLS * len(head)):
        raise DataError(
            f"{source.name} is a binary file, not a table of text.",
            hint="deadheat reads CSV, TSV, Parquet, JSON lines and Excel (.xlsx).",
        )


def in_utf_8(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines whose bytes were decoded with surrogateescape; refuse the first stray byte."""
    for number, line in enumerate(lines, start=1):
        if not line.isascii():
            try:
                line.encode()
            except UnicodeEncodeError as stray:
                byte = ord(line[stray.start]) - 0xDC00
                way = said_with_all({"encoding": _western(bytes([byte]))})
                raise DataError(
                    f"{name}: line {number:,} is not UTF-8: byte 0x{byte:02x} at character "
                    f"{stray.start + 1:,}.",
                    hint=f"if it is western text: {way}",
                ) from None
        yield line
