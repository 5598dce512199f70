"""Write the pages of the documentation that follow from the code: `make docs`."""

from __future__ import annotations

from pathlib import Path

import deadheat as dh
from deadheat.axioms import registry as laws

ROOT = Path(__file__).parents[1]
AXIOMS = tuple(law.name for law in laws.known().values())
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


def pages() -> dict[str, str]:
    """Return the text of every generated page by its path."""
    return {"docs/functions.md": functions_page()}


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        (ROOT / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
