"""PrefLib orders (.soc .soi .toc .toi): each distinct order is a judge who gives ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from deadheat.core.errors import DataError, quoted
from deadheat.core.memory import require
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import CELL, stream, text_in
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import GET_AGAIN, Row, Source, Stream

SUFFIXES = (".soc", ".soi", ".toc", ".toi")
NEW = re.compile(r"(?:#.*\n)*?# NUMBER ALTERNATIVES:")
OLD = re.compile(r"\d{1,4}\s*\n1,.*\n(?:\d+,.*\n)*?\d+,\d+,\d+\s*\n")
NAME = re.compile(r"# ALTERNATIVE NAME (\d+):\s*(.*?)\s*")
NUMBER = re.compile(r"# NUMBER ALTERNATIVES:\s*(\d{1,6})\s*")
ORDER = re.compile(r"\s*(\d{1,15})\s*[:,]\s*([\d,{}\s]*?)\s*")
MOST_CELLS = 5_000_000
Lines: TypeAlias = list[tuple[int, str]]
Order: TypeAlias = tuple[int, int, dict[int, float]]  # its line, its voters, ranks
PLACE = re.compile(r"\{([^{}]*)\}|([^,{}\s]+)")


@reads_format(
    "preflib",
    "a PrefLib file of orders",
    known_by="# NUMBER ALTERNATIVES, or names that end in .soc .soi .toc .toi",
)
def read_preflib(source: Source, options: Options) -> Stream:  # noqa: ARG001
    lines = text_in(source).splitlines()
    names, orders = (_new if lines and lines[0][:1] == "#" else _old)(lines, source.name)
    found = list(_orders(orders, names, source.name))
    if not found or len(names) < 2:
        raise DataError(f"{source.name} has no orders.", hint="an order is a line such as 3: 2,1.")
    labels = list(names.values())
    if len(set(labels)) < len(labels):
        labels = [f"{name} ({number})" for number, name in names.items()]
    voters, states = sum(weight for _, weight, _ in found), dict[str, Any](better="lower")
    states["noun"] = {"candidate": "alternative", "judge": "voter"}
    if voters * len(names) <= MOST_CELLS:  # voters are what is drawn again
        rows, states["judge"] = _each_voter(found, names), "voter"
        return stream(source, ["voter", *labels], rows, unit="line", states=states)
    require(CELL * len(found) * len(names), f"{source.name} has too many orders")
    alike = ((line, [f"order {line}", n, *map(r.get, names)]) for line, n, r in found)
    states |= {"judge": "order", "weight": "voters"}
    note = f"{voters:,} voters are too many to draw again one by one: orders are, by their weights."
    columns = ["order", "voters", *labels]
    return stream(source, columns, alike, unit="line", states=states, notes=(note,))


def _each_voter(found: list[Order], names: dict[int, str]) -> Iterator[Row]:
    number = 0
    for line, voters, ranks in found:
        for _ in range(voters):
            number += 1
            yield line, [f"voter {number}", *map(ranks.get, names)]


@read_preflib.recognises
def _is_preflib(source: Source) -> str:
    text = source.text.replace("\r\n", "\n")
    if NEW.match(text):
        return "its head has # NUMBER ALTERNATIVES"
    if OLD.match(text):
        return "it begins with alternatives and counts of voters"
    named = source.suffix in SUFFIXES
    return f"its name ends in {source.suffix}" if named else ""


def _new(lines: list[str], name: str) -> tuple[dict[int, str], Lines]:
    names, number = {}, 0
    for line in lines:
        if found := NAME.fullmatch(line):
            names[int(found[1])] = found[2] or found[1]
        elif found := NUMBER.fullmatch(line):
            number = int(found[1])
    if number > 10_000 or any(k > max(number, 10_000) for k in names):
        raise DataError(f"{name} says {number:,} alternatives.", hint=GET_AGAIN)
    names = {k: names.get(k, str(k)) for k in range(1, max([number, *names], default=0) + 1)}
    body = [(k, line) for k, line in enumerate(lines, start=1) if line.strip() and line[0] != "#"]
    return names, body


def _old(lines: list[str], name: str) -> tuple[dict[int, str], Lines]:
    first = lines[0].strip() if lines else ""
    number = int(first) if re.fullmatch(r"\d{1,4}", first, re.ASCII) else 0
    heads = [line.partition(",") for line in lines[1 : number + 1]]
    if not number or len(lines) < number + 2 or any(not k.strip().isdecimal() for k, _, _ in heads):
        fact = f"{name} names no alternatives at its beginning."
        raise DataError(fact, hint="see the format of PrefLib: a number, then a name in each line.")
    names = {int(k): label.strip() or k for k, _, label in heads}
    body = enumerate(lines[number + 2 :], start=number + 3)
    return names, [(k, line) for k, line in body if line.strip()]


def _orders(lines: Lines, names: dict[int, str], source: str) -> Iterator[Order]:
    for number, line in lines:
        found, ranks, place = ORDER.fullmatch(line), dict[int, float](), 1
        for group, alone in PLACE.findall(found[2]) if found else ():
            tied = [part.strip() for part in (group or alone).split(",") if part.strip()]
            for each in tied:
                known = int(each) if each.isdecimal() and len(each) < 7 else 0
                if known not in names or known in ranks:
                    why = "twice in an order" if known in ranks else "no alternative"
                    fact = f"{source}: line {number:,}: {quoted(each)} is {why}."
                    raise DataError(fact, hint="an order names each alternative once at most.")
                ranks[known] = place + (len(tied) - 1) / 2
            place += len(tied)
        if found is None or not ranks:
            fact = f"{source}: line {number:,} is no order: {quoted(line[:80])}."
            raise DataError(fact, hint="an order is a line such as 3: 2,{1,4}.")
        yield number, int(found[1]), ranks
