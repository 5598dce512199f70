"""Write the pages of the documentation that follow from the code: `make docs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_origin, is_typeddict

import deadheat as dh
import rooms
from deadheat.axioms import axiom as laws
from deadheat.output.schema import (
    OTHER_KEYS,
    Key,
    Origin,
    PrintedTable,
    Schema,
    choices,
    keys_of,
    words,
)
from deadheat.report.picture import kinds
from deadheat.report.schema import schemas

ROOT = Path(__file__).parents[1]
AXIOMS = tuple(law.name for law in laws.AXIOMS.values())
HEAD = """# Ranking functions

<!-- Written by tools/make_docs.py from the registry: edit the docstrings, then run make docs. -->

A ranking function maps *(scores, judge weights, candidate weights)* to *merits*, higher is better.
**Scale** says what must hold of the scores: *ordinal* functions look at the order only, *interval*
ones at differences, *ratio* ones at quotients; *shared* means that scores of different judges are
compared, so that all judges must be on one scale. **Cost** is that of one replicate with n
candidates and m judges. An axiom is marked ✓ where it holds, ✗ where a
counter-example is known; no mark says that a search found none and that we know no proof.

| axiom | what it asks |
|---|---|
| majority | whoever is first for more than half of the judges is not beaten |
| condorcet | whoever beats every rival on more judges than not is not beaten |
| consistency | two parts of the judges that give the same ranking give it together |
| participation | a judge that prefers u to v never turns the order of the two against u |
| iia | the order of u and v depends on the scores of u and v alone |
| liia | candidates next to each other keep their order when all others leave |
| clones | exact copies of one candidate never turn the order of two others |
| monotonicity | a better score for u never turns the order of u and another against u |
| unanimity | u is not placed below v where every judge prefers u |
| reversal | when every judge reverses its scores, the ranking is reversed |

Only strong violations count: an order that is reversed, not one that becomes a tie. These are the
definitions of Pavao, Vaccaro and Guyon (2021), about whole rankings and about tables with ties, and
so they differ from textbooks on elections, which speak of winners and of strict ballots: there
Schulze and ranked pairs are independent of clones and instant run-off is not consistent. That mean
and median satisfy iia is a statement about scores; no function of the judges' orders alone can.
"""


def functions_page() -> str:
    """Return the page of ranking functions: a table of claims, then one section each."""
    lines = [HEAD, f"| function | scale | cost | {' | '.join(AXIOMS)} |"]
    lines.append("|---|---|---|" + "---|" * len(AXIOMS))
    for f in dh.functions():
        marks = [
            "✓" if axiom in f.satisfies else "✗" if axiom in f.violates else "" for axiom in AXIOMS
        ]
        scale = f"{f.scale}, shared" if f.shared_scale else f.scale
        link = f"[`{f.name}`](#{f.name})"
        lines.append(f"| {link} | {scale} | {f.cost} | {' | '.join(marks)} |")
    for f in dh.functions():
        alias = f" (also `{'`, `'.join(f.aliases)}`)" if f.aliases else ""
        lines += [f"\n## `{f.name}` {{ #{f.name} }}\n", f"{f.summary}{alias}\n"]
        lines += [f"$${f.formula}$$\n", f"{f.reference}"]
    return "\n".join(lines) + "\n"


SCHEMAS = """# JSON

<!-- Written by tools/make_docs.py from the schema.py of each room: edit these, then make docs. -->

Every command writes one JSON object with `--json`, and every result with `to_json()`. It has the
keys `schema` (the name below), `made` (how it was made), `verdict` (what it says, in words),
`warnings` (a list of texts), `facts` (what is true of the whole), `rows` (a list of objects) and
`table` (what is printed). There is no NaN or Infinity: what is undefined is null. `deadheat.load`
and `deadheat show` read it back. The number at the end of a name rises when a key goes or changes
its meaning; keys may be added without that. A key in *italics* is written only where it applies.
`x[].y` is the key `y` of each object in the list `x`, and `x[name].y` that of each object under a
name in `x`.
"""


def schemas_page() -> str:
    """Return the page of the JSON schemas: one section each."""
    lines = [SCHEMAS, "| schema | command | |", "|---|---|---|"]
    lines += [
        f"| [`{each.name}`](#{_anchor(each)}) | `{command}` | {each.about} |"
        for each in schemas().values()
        for command in [each.command.replace("-table", " --show")]
    ]
    lines += ["\n## Made, everywhere\n", *_keys([*keys_of(Origin).values()])]
    lines += ["\n## The table, everywhere\n", *_keys([*keys_of(PrintedTable).values()])]
    lines += ["\n`paper` is the same for documents, where it is another, and `appendix` what these"]
    lines += ["tell below; `undefined` counts the numbers that are null."]
    for each in schemas().values():
        lines += [f"\n## `{each.name}` {{ #{_anchor(each)} }}\n", each.about]
        if each.as_in:
            lines.append(f"Its keys are those of `{each.as_in}`.")
            continue
        for place, described in {"made": each.made, **each.objects()}.items():
            told = set(keys_of(Origin)) if place == "made" else set()
            keys = [key for key in keys_of(described).values() if key.name not in told]
            keys += filter(None, [OTHER_KEYS.get(described)])
            if keys:
                lines += [f"\n### {place[0].upper()}{place[1:]}\n", *_keys(keys)]
    return "\n".join(lines) + "\n"


def _anchor(schema: Schema) -> str:
    return schema.name.partition("/")[0].replace(".", "-")


def _keys(keys: list[Key]) -> list[str]:
    lines = ["| key | type | meaning |", "|---|---|---|"]
    return lines + [line for each in keys for line in _lines(each, "")]


def _lines(each: Key, before: str) -> list[str]:
    name = f"{before}{each.name}"
    shown = f"*`{name}`*" if each.optional else f"`{name}`"
    lines = [f"| {shown} | {words(each.kind)} | {each.meaning} |"]
    return lines + [
        line for inner, step in _inside(each.kind) for line in _lines(inner, name + step)
    ]


def _inside(kind: Any, step: str = "") -> list[tuple[Key, str]]:
    """Return the keys of the objects in a value, and the way to these."""
    found: list[tuple[Key, str]] = []
    for choice in choices(kind):
        if is_typeddict(choice):
            found += [(key, f"{step}.") for key in keys_of(choice).values()]
        elif get_origin(choice) is list:
            found += _inside(get_args(choice)[0], f"{step}[]")
        elif get_origin(choice) is dict:
            name, inner = get_args(choice)
            found += _inside(inner, f"{step}[{words(name)}]")
    return found


PICTURES = """# Pictures

<!-- Written by tools/make_docs.py from the registry: edit the docstrings, then run make docs. -->

`deadheat plot FILE KIND -o fig.svg` draws a picture of a table, and `plot("kind")` one of a result.
The name of the file says the format: SVG, PDF with its fonts inside, PNG, an HTML page that needs
no network, or JSON, the specification in Vega-Lite. `--width column` makes it as wide as a column
of a paper, `--theme dark` is for dark screens. Every picture has a sentence that says what to see
in it (`see`), and a text alternative with the numbers (`alt`). [The report](report.md) has them.

| kind | drawn of | what it shows | figure of |
|---|---|---|---|
"""


def pictures_page() -> str:
    """Return the page of the pictures: one row each."""
    rows = [
        f"| `{kind.name}` | {', '.join(f'`{each.__name__}`' for each in kind.of)} | "
        f"{kind.summary} | {kind.figure} |\n"
        for kind in kinds().values()
    ]
    return PICTURES + "".join(rows)


def pages() -> dict[str, str]:
    """Return the text of every generated page by its path."""
    return {
        "docs/functions.md": functions_page(),
        "docs/schemas.md": schemas_page(),
        "docs/pictures.md": pictures_page(),
        "docs/rooms.svg": rooms.picture(),
    }


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        (ROOT / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
