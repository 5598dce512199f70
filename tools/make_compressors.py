"""Make the example `compressors`: what the standard library's compressors do to 16 seeded inputs.

Run `python tools/make_compressors.py`; it writes compressors/ratios.csv among the examples. The
inputs are generated, so the table depends only on the versions of zlib, bzip2 and liblzma.
"""

from __future__ import annotations

import bz2
import csv
import json
import lzma
import math
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

SIZE = 96 * 1024
TARGET = Path(__file__).parents[1] / "src/deadheat/data/examples/compressors/ratios.csv"
WORDS = (  # noqa: SIM905 - prose reads better as prose
    "the of and a to in is was he for it with as his on be at by had not are but from or have an "
    "they which one you were her all she there would their we him been has when who will more no "
    "if out so said what up its about into than them can only other new some could time these two "
    "judge candidate score rank winner table race heat solver instance"
).split()


def deflate(level: int, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> Callable[[bytes], bytes]:
    def compress(data: bytes) -> bytes:
        packer = zlib.compressobj(level, zlib.DEFLATED, 15, 9, strategy)
        return packer.compress(data) + packer.flush()

    return compress


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "deflate-1": deflate(1),
    "deflate-6": deflate(6),
    "deflate-9": deflate(9),
    "deflate-rle": deflate(9, zlib.Z_RLE),
    "deflate-huffman": deflate(9, zlib.Z_HUFFMAN_ONLY),
    "bzip2-1": lambda data: bz2.compress(data, 1),
    "bzip2-9": lambda data: bz2.compress(data, 9),
    "lzma-0": lambda data: lzma.compress(data, preset=0),
    "lzma-6": lambda data: lzma.compress(data, preset=6),
    "lzma-9e": lambda data: lzma.compress(data, preset=9 | lzma.PRESET_EXTREME),
}


def zipf(rng: random.Random) -> str:
    return WORDS[min(int(rng.paretovariate(0.8)) - 1, len(WORDS) - 1)]


def prose(rng: random.Random) -> bytes:
    words = [zipf(rng) for _ in range(SIZE // 4)]
    return " ".join(words).encode()


def log_lines(rng: random.Random) -> bytes:
    clock, lines = 1_700_000_000.0, []
    for _ in range(SIZE // 60):
        clock += rng.expovariate(2)
        level = rng.choices(["INFO", "WARN", "ERROR"], [90, 8, 2])[0]
        worker = rng.randrange(16)
        lines.append(
            f"{clock:.3f} {level} worker-{worker} {zipf(rng)} took {rng.randrange(900)} ms"
        )
    return "\n".join(lines).encode()


def json_records(rng: random.Random) -> bytes:
    records = []
    for i in range(SIZE // 64):
        name, score = zipf(rng), round(rng.random(), 4)
        records.append({"id": i, "name": name, "score": score, "tags": [zipf(rng), zipf(rng)]})
    return json.dumps(records).encode()


def csv_numbers(rng: random.Random) -> bytes:
    return "\n".join(
        ",".join(f"{rng.gauss(0, 1):.3f}" for _ in range(8)) for _ in range(SIZE // 54)
    ).encode()


def walk_floats(rng: random.Random) -> bytes:
    value, out = 0.0, []
    for _ in range(SIZE // 8):
        value += rng.gauss(0, 1)
        out.append(value)
    return struct.pack(f"<{len(out)}d", *out)


def rounded_floats(rng: random.Random) -> bytes:
    return struct.pack(
        f"<{SIZE // 8}d",
        *(round(20 + 5 * math.sin(i / 40) + rng.gauss(0, 0.2), 1) for i in range(SIZE // 8)),
    )


def audio(rng: random.Random) -> bytes:
    return struct.pack(
        f"<{SIZE // 2}h",
        *(
            int(9000 * math.sin(i / 17) + 4000 * math.sin(i / 5.3) + rng.gauss(0, 60))
            for i in range(SIZE // 2)
        ),
    )


def picture(rng: random.Random) -> bytes:
    width = 320
    return bytes(
        int(128 + 80 * math.sin(x / 30) * math.cos(y / 25) + rng.gauss(0, 1.5)) & 255
        for y in range(SIZE // width) for x in range(width)
    )  # fmt: skip


def scan(rng: random.Random) -> bytes:
    out, ink = bytearray(), 0
    while len(out) < SIZE:
        out += bytes([ink]) * rng.randint(1, 90)
        ink = 255 - ink
    return bytes(out[:SIZE])


def dna(rng: random.Random) -> bytes:
    genome = [rng.choice("ACGT") for _ in range(2_000)]
    out: list[str] = []
    while len(out) < SIZE:
        start = rng.randrange(len(genome) - 400)
        out += [
            base if rng.random() > 0.02 else rng.choice("ACGT")
            for base in genome[start : start + 400]
        ]
    return "".join(out[:SIZE]).encode()


def random_dna(rng: random.Random) -> bytes:
    return "".join(rng.choices("ACGT", k=SIZE)).encode()


def program(rng: random.Random) -> bytes:
    lines = []
    for _ in range(SIZE // 30):
        name = f"{zipf(rng)}_{zipf(rng)}"
        lines.append(
            "    " * rng.randrange(4)
            + rng.choice(
                [
                    f"return {name}",
                    f"if {name}:",
                    f"{name} = {zipf(rng)}({name})",
                    f"for {zipf(rng)} in {name}:",
                ]
            )
        )
    return "\n".join(lines).encode()


def machine_code(rng: random.Random) -> bytes:
    opcodes = [bytes(rng.randrange(256) for _ in range(rng.randint(1, 6))) for _ in range(300)]
    weights = [1 / (i + 1) for i in range(len(opcodes))]
    out = b""
    while len(out) < SIZE:
        out += rng.choices(opcodes, weights)[0] + struct.pack("<H", rng.randrange(4096))
    return out[:SIZE]


def versions(rng: random.Random) -> bytes:
    text = bytearray(prose(rng)[:6_000])
    out = bytearray()
    while len(out) < SIZE:
        for _ in range(12):
            text[rng.randrange(len(text))] = rng.randrange(97, 123)
        out += text
    return bytes(out[:SIZE])


def sparse(rng: random.Random) -> bytes:
    out = bytearray(SIZE)
    for _ in range(SIZE // 60):
        out[rng.randrange(SIZE)] = rng.randrange(256)
    return bytes(out)


def noise(rng: random.Random) -> bytes:
    return rng.randbytes(SIZE)


INPUTS = (
    prose, log_lines, json_records, csv_numbers, walk_floats, rounded_floats, audio, picture,
    scan, dna, random_dna, program, machine_code, versions, sparse, noise,
)  # fmt: skip


def main() -> None:
    """Compress every input with every compressor and write the ratios."""
    data = {make.__name__: make(random.Random(f"deadheat {make.__name__}")) for make in INPUTS}
    with TARGET.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["candidate", *data])
        for name, compress in COMPRESSORS.items():
            ratios = (len(raw) / len(compress(raw)) for raw in data.values())
            writer.writerow([name, *(f"{ratio:.4f}" for ratio in ratios)])


if __name__ == "__main__":
    main()
