"""Fonts inside an SVG: the glyphs that it uses, as the PDF of the same picture has them.

A PDF holds fonts that know glyphs by number and, beside them, which number is which letter. With a
table of letters a browser can use them, too.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib

OBJECT = re.compile(rb"(\d+) 0 obj(.*?)endobj", re.DOTALL)
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
LETTER = re.compile(rb"<([0-9a-fA-F]{4})> <([0-9a-fA-F]+)>")
FAMILY = re.compile(rb"/BaseFont /[A-Z]{6}\+LiberationSans(-Bold)?\s")
HEIGHTS = (1854, -434, 67)  # of Liberation Sans: ascent, descent and line gap, of 2048


def with_fonts(svg: str, pdf: bytes) -> str:
    """Return an SVG with the fonts of its PDF, under the name by which its texts ask for them."""
    objects = {int(found[1]): found[2] for found in OBJECT.finditer(pdf)}
    faces = []
    for font in objects.values():
        family = FAMILY.search(font)
        if family is None or b"/Type0" not in font:
            continue
        letters = _letters(_stream(objects[_reference(font, b"ToUnicode")]))
        descendant = objects[_reference(font, b"DescendantFonts")]
        descriptor = objects[_reference(descendant, b"FontDescriptor")]
        whole = usable(_stream(objects[_reference(descriptor, b"FontFile2")]), letters)
        weight = "bold" if family[1] else "normal"
        source = base64.b64encode(whole).decode()
        faces.append(
            f"@font-face{{font-family:'Liberation Sans';font-weight:{weight};"
            f"src:url(data:font/ttf;base64,{source})}}"
        )
    begin, end = svg.split(">", 1)
    return f"{begin}><style>{''.join(sorted(faces))}</style>{end}" if faces else svg


def _reference(body: bytes, name: bytes) -> int:
    found = re.search(rb"/" + name + rb" \[?(\d+) 0 R", body)
    assert found is not None
    return int(found[1])


def _stream(body: bytes) -> bytes:
    found = STREAM.search(body)
    assert found is not None
    return zlib.decompress(found[1]) if b"/FlateDecode" in body.split(b"stream")[0] else found[1]


def _letters(cmap: bytes) -> dict[int, int]:
    """Return the glyph of each letter; what stands for several letters is left out."""
    pairs = ((int(glyph, 16), bytes.fromhex(text.decode())) for glyph, text in LETTER.findall(cmap))
    texts = ((glyph, raw.decode("utf-16-be", "replace")) for glyph, raw in pairs)
    return {ord(text): glyph for glyph, text in texts if len(text) == 1}


def usable(font: bytes, letters: dict[int, int]) -> bytes:
    """Return a TrueType font with the two tables that a PDF does without: letters and heights."""
    count = struct.unpack(">H", font[4:6])[0]
    tables = {}
    for k in range(count):
        tag, _, start, size = struct.unpack(">4sIII", font[12 + 16 * k : 28 + 16 * k])
        tables[tag] = font[start : start + size]
    codes = sorted(letters)
    groups = b"".join(struct.pack(">III", code, code, letters[code]) for code in codes)
    inside = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(codes)) + groups
    tables[b"cmap"] = struct.pack(">HHHHI", 0, 1, 3, 10, 12) + inside
    tables[b"OS/2"] = _heights(codes)
    size = 16 * len(tables) + 12
    power = 1 << (len(tables).bit_length() - 1)
    head = struct.pack(
        ">IHHHH",
        0x00010000,
        len(tables),
        16 * power,
        power.bit_length() - 1,
        16 * (len(tables) - power),
    )
    entries, bodies = b"", b""
    for tag, body in sorted(tables.items()):
        padded = body + bytes(-len(body) % 4)
        words = struct.unpack(f">{len(padded) // 4}I", padded)
        checksum = sum(words) & 0xFFFFFFFF
        entries += struct.pack(">4sIII", tag, checksum, size + len(bodies), len(body))
        bodies += padded
    return head + entries + bodies


def _heights(codes: list[int]) -> bytes:
    up, down, gap = HEIGHTS
    ends = [min(code, 0xFFFF) for code in (codes[:1] or [0]) + (codes[-1:] or [0])]
    whole = struct.pack(">HhHHH", 4, 1000, 400, 5, 0) + struct.pack(">10h", *[0] * 10)
    whole += struct.pack(">h", 0) + bytes(10) + bytes(16) + b"    " + struct.pack(">H", 64)
    whole += struct.pack(">HH", *ends) + struct.pack(">hhhHH", up, down, gap, up, -down)
    return whole + struct.pack(">II", 1, 0) + struct.pack(">hhHHH", 1082, 1409, 0, 32, 0)
