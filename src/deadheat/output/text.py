"""Numbers and names as text: for people, and for other programs, where a name must survive."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from deadheat.core.errors import ACTING

if TYPE_CHECKING:
    from deadheat.core.types import Cell, Row

UNDEFINED = "-"
ELLIPSIS = "…"
LARGEST_PLAIN = 1e15
LAST_BITS = 1e-12  # what a sum may differ by, relatively, on another machine
_FORMULA = re.compile("'*[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # also in full width
_WORD = re.compile(r"[^\s,\"\[\]{}]+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def number(value: float | None, digits: int | None = None) -> str:
    """Write a number for people: whole numbers plain, else ``digits`` decimals or 4 significant."""
    if value is None or value != value:
        return UNDEFINED
    if isinstance(value, int) or math.isinf(value):
        return str(value)
    if digits is not None:
        written = round_half_up(value, f".{digits}f")
        return written.removeprefix("-") if float(written) == 0 else written
    if abs(value) < LARGEST_PLAIN:
        half = round(2 * value) / 2  # ranks of ties end in .5
        if abs(value - half) <= LAST_BITS * min(abs(value), 1e9):
            return f"{half:.1f}".removesuffix(".0")
        if abs(value) >= 1000:
            return round_half_up(value, ".0f")
    written = round_half_up(value, ".4g")
    # 0.99999 must not look like a whole 1
    whole = re.fullmatch(r"-?\d+", written)
    return round_half_up(value, "#.4g").removesuffix(".") if whole else written


def round_half_up(value: float, form: str) -> str:
    """Return a number in a format, rounded as people round: half a step goes up.

    On another machine 0.6125 may be 0.6124999999999999: last bits decide nothing, unless as many
    digits are shown as they could change.
    """
    written, further = f"{value:{form}}", f"{value * (1 + LAST_BITS):{form}}"
    step = abs(float(further) - float(written))
    return further if 1000 * LAST_BITS * abs(value) < step < math.inf else written


def percent(share: float) -> str:
    """Return a share as people say it: whole per cent, with a digit where it is small."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share > 0.999:
        return "over 99.9 %"
    if share < 0.001:
        return "under 0.1 %"
    return round_half_up(100 * share, ".1f" if share < 0.095 or share > 0.99 else ".0f") + " %"


def p_value(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else f"= {p:.2g}"


def cell_text(cell: Cell, digits: int | None = None) -> str:
    """Return a cell as people read it; text stays as it is."""
    value = plain(cell)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else number(value, digits)


def width_of(text: str) -> int:
    if text.isascii():
        return len(text)
    from wcwidth import width

    return width(text)


def shorten(text: str, width: int) -> str:
    """Return a text of at most ``width`` columns, cut in the middle: both ends tell names apart."""
    if len(text) <= width and width_of(text) <= width:
        return text
    head, tail = _fitting(text, width // 2), _fitting(text[::-1], (width - 1) // 2)
    return f"{head}{ELLIPSIS}{tail[::-1]}"


def shorten_all(texts: Sequence[str], width: int) -> list[str]:
    """Return texts of at most ``width`` columns; of those that would look alike, what differs.

    >>> shorten_all(["alpha-LRB-2016-default", "alpha-CHB-2016-default", "beta"], 13)
    ['alph…LRB-201…', 'alph…CHB-201…', 'beta']
    """
    cut = {text: shorten(text, width) for text in texts}
    alike: dict[str, list[str]] = {}
    for text, short in cut.items():
        alike.setdefault(short, []).append(text)
    for short, group in alike.items():
        if len(group) > 1:
            taken = {each for each in cut.values() if each != short}
            cut |= _apart(group, width, taken)
    return [cut[text] for text in texts]


def _apart(group: Sequence[str], width: int, taken: set[str]) -> dict[str, str]:
    """Cut texts so that what differs is seen, if there is room for that: none is one of others."""
    ordered = sorted(group)
    shared = [_shared(*pair) for pair in itertools.pairwise(ordered)]
    own = map(max, [0, *shared], [*shared, 0])  # as long as the beginning of any other
    starts = dict(zip(ordered, own, strict=True))
    everywhere = dict.fromkeys(ordered, min(shared))
    for begins in (everywhere, starts):
        for head in (width // 3, width // 5, 1):
            cut = {text: _from(text, head, begins[text], width) for text in group}
            if len({*cut.values()} - taken) == len(group):
                return cut
    return {}


def _shared(one: str, other: str) -> int:
    """Return how many first letters two texts share."""
    same = (a == b for a, b in zip(one, other, strict=False))
    return sum(itertools.takewhile(bool, same))


WORTH_CUTTING = 4  # letters that all names share


def shared_ends(names: Sequence[str]) -> tuple[str, str]:
    """Return what all names begin with and end with, up to whole words, if that is long.

    >>> shared_ends(["ipc2018-decstar / default", "ipc2018-delfi / default"])
    ('ipc2018-', ' / default')
    """
    first, last = min(names), max(names)  # share what all do
    start = first[: _shared(first, last)]
    backwards = [name[len(start) :][::-1] for name in names]
    end = min(backwards)[: _shared(min(backwards), max(backwards))]
    start, end = _whole_words(start), _whole_words(end)[::-1]
    worth = (each if len(each) >= WORTH_CUTTING else "" for each in (start, end))
    return next(worth), next(worth)


def _whole_words(text: str) -> str:
    """Return a text up to its last letter that belongs to no word."""
    return text[: max((k + 1 for k, c in enumerate(text) if not c.isalnum()), default=0)]


def _from(text: str, head: int, start: int, width: int) -> str:
    """Return the first letters of a text, and those from where it differs."""
    start = min(start, len(text) - 1)
    if start <= head:
        return f"{_fitting(text, width - 1)}{ELLIPSIS}"
    first = f"{_fitting(text, head)}{ELLIPSIS}"
    rest, room = text[start:], width - width_of(first)
    if width_of(rest) <= room:
        return first + _fitting(text[::-1], room)[::-1]
    return f"{first}{_fitting(rest, room - 1)}{ELLIPSIS}"


def _fitting(text: str, width: int) -> str:
    kept = text[: max(width, 0)]
    while width_of(kept) > width:
        kept = kept[:-1]
    return kept


def wrapped(text: str, width: int, indent: str = "  ") -> str:
    """Break a line between words where it exceeds ``width``; too long a word stays whole."""
    line, *words = text.split(" ")
    lines = []
    for word in words:
        if word and width_of(line) + 1 + width_of(word) > width:
            lines.append(line.rstrip())
            line = indent + word
        else:
            line += f" {word}"
    return "\n".join([*lines, line])


def keys(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def plain(value: Any) -> Any:
    """Return a value in the types of JSON; numpy scalars and arrays become Python's own."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return float(value) if isinstance(value, float) else int(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return str(value)


def null_undefined(value: Any) -> tuple[Any, int]:
    """Return a plain value with null for NaN and infinity, and how many there were."""
    if isinstance(value, float) and not math.isfinite(value):
        return None, 1
    if isinstance(value, dict):
        inside = {key: null_undefined(item) for key, item in value.items()}
        return {key: item for key, (item, _) in inside.items()}, sum(n for _, n in inside.values())
    if isinstance(value, list):
        pairs = [null_undefined(item) for item in value]
        return [item for item, _ in pairs], sum(n for _, n in pairs)
    return value, 0


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a plain value as JSON, readable, valid UTF-8, and without letters that act."""
    written = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    # Line ends are those of the layout: all others are escapes already.
    lines = written.split("\n")
    return "\n".join(ACTING.sub(lambda acts: f"\\u{ord(acts[0]):04x}", line) for line in lines)


def flat(value: Any) -> Cell:
    """Return a value that fits one cell; words are listed, all else that is nested is JSON."""
    content = plain(value)
    if not isinstance(content, list | dict):
        return cast("Cell", content)
    words = isinstance(content, list) and all(isinstance(x, str) for x in content)
    if words and all(map(_WORD.fullmatch, content)):
        return ", ".join(content)
    return json_text(null_undefined(content)[0])


def csv_text(rows: Sequence[Row], delimiter: str) -> str:
    """Return rows as CSV (RFC 4180, line feeds), or separated by tabs, for other programs.

    Numbers are written by ``repr``, undefined as empty. A spreadsheet runs a cell of CSV that
    begins with ``= + - @``, a tab or a line end as a formula, so such a text (unless a number)
    gets a leading apostrophe, and so does one that has some already: reading takes one off again.
    """
    # By hand: the csv module of Python before 3.13 leaves a carriage return bare, and none quotes
    # an empty text, which is no undefined number, or spaces at the ends of a name.
    names = keys(rows)
    special = re.compile(f'[{delimiter}"\r\n]|^$|^\\s|\\s$')

    def cell(value: Any) -> str:
        content = flat(value)
        if content is None or content != content:
            return ""
        if not isinstance(content, str):
            return str(content).lower() if isinstance(content, bool) else repr(content)
        if delimiter == "," and _FORMULA.match(content) and not _NUMBER.fullmatch(content):
            content = f"'{content}"
        return '"' + content.replace('"', '""') + '"' if special.search(content) else content

    lines: list[list[Any]] = [names, *([row.get(name) for name in names] for row in rows)]
    return "".join(delimiter.join(map(cell, line)) + "\n" for line in lines if names)
