"""Write docs/papers: every element of a paper, its command, its result: `make papers`.

The data come from the folder that is named, `../shared/data` by default.
"""

from __future__ import annotations

import sys
from pathlib import Path

import deadheat as dh
from deadheat.output.table import markdown
from deadheat.reproduce.paper import PAPERS
from deadheat.reproduce.papers.pavao2021 import AXIOMS, FUNCTIONS, RIGHT, TABLE_1

FOLDER = Path(__file__).parents[1] / "docs" / "papers"
FILES = " ".join(f"{name}.csv" for name in TABLE_1)
READ = "--judge judge --better higher"
BY = f"--by {','.join(FUNCTIONS)}"
COMMANDS = {  # that make an item by themselves, in the folder of the data
    "pavao2021": {
        "table1": f"deadheat agree {FILES} {READ}",
        "table2-left": f"deadheat axioms {' '.join(FUNCTIONS)} --only {','.join(AXIOMS)}",
        "table2-centre": f"deadheat criteria {FILES} {READ} {BY} --compat esann-notebook",
        "table2-right": f"deadheat criteria {FILES} {READ} --by {','.join(RIGHT)} "
        "--show correlations",
        "figures1-3": f"deadheat plot AutoML.csv heat-map {READ} -o fig2.svg",
        "figure4": f"deadheat plot {FILES} functions-map {READ} {BY} -o fig4.svg",
        "figure5": f"deadheat plot {FILES} concordance {READ} {BY} -o fig5.svg",
        "figure6": f"deadheat plot {FILES} stability {READ} {BY} --stability kendall_w -o fig6.svg",
    }
}
HEAD = """# {title}

<!-- Written by tools/make_papers.py: edit reproduce/papers/{name}.py, then make papers. -->

{citation}.

```sh
deadheat reproduce {name} --data DIR --bundle folder
```

{said}

`DIR` has the public data; without it the same items are made of the shipped examples.

| data | origin | sha256 |
|---|---|---|
{data}
"""


def page(name: str, data: Path) -> str:
    """Return the page of a paper, made by recomputing it."""
    paper, found = PAPERS[name], dh.reproduce(name, data=data)
    rows = [
        f"| `{each.name}/{file}` | {each.origin} | `{digest}` |"
        for each in paper.data
        for file, digest in each.files.items()
    ]
    parts = [
        HEAD.format(
            title=f"{paper.authors} ({paper.year})",
            name=name,
            citation=paper.citation,
            said=found.sentences[0],
            data="\n".join(rows),
        )
    ]
    for each in found.items:
        item, grid = each.item, each.grid()
        parts.append(f"## {item.title}\n\n`deadheat reproduce {name} {item.name} --data DIR`\n")
        if command := COMMANDS.get(name, {}).get(item.name):
            parts.append(f"By itself, in the folder of the data:\n\n```sh\n{command}\n```\n")
        if not each.original:
            parts.append(f"The paper's data are not public: made of the example {item.example}.\n")
        if each.numbers:
            parts.append(markdown(grid))
        parts += [f"{note}\n" for note in grid.notes]
        parts += [f"*{picture.title}.* {picture.see}\n" for picture in each.pictures]
    for heading, those in (("Not here", paper.absent), ("Errata", paper.errata)):
        lines = [f"- **{what[:1].upper()}{what[1:]}**: {why}" for what, why in those.items()]
        parts += [f"## {heading}\n", "\n".join(lines) + "\n"] if lines else []
    return "\n".join(parts).replace("\n\n\n", "\n\n")


def main(folder: str = "") -> None:
    data = Path(folder) if folder else Path(__file__).parents[2] / "shared" / "data"
    FOLDER.mkdir(exist_ok=True)
    for name in PAPERS:
        (FOLDER / f"{name}.md").write_text(page(name, data), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
