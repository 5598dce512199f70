"""The rooms of the house and what they import: the picture of docs/architecture.md follows."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "deadheat"
CELL, LABEL, TOP, DOT = 26, 118, 96, 6
BLUE, RED, LIGHT = "#1f4e79", "#b91c1c", "#e5e7eb"


def modules() -> dict[str, Path]:
    """Return every module by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports() -> dict[str, set[str]]:
    """Return what each module imports of ours, late and typing-only imports included.

    The face of the package imports everything for the reader's sake and is left out.
    """
    known = modules()
    return {
        name: {other for other in _imported(path, known) if other not in {name, "deadheat"}}
        for name, path in known.items()
        if name not in {"deadheat", "deadheat.__main__"}
    }


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else str(node.module) for name in inside)


def circles() -> list[list[str]]:
    """Return the sets of modules that import one another, directly or not."""
    graph = imports()

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        rest = list(graph[start])
        while rest:
            name = rest.pop()
            if name not in found:
                found.add(name)
                rest += graph.get(name, ())
        return found

    reach = {name: reached(name) for name in graph}
    parts = {frozenset(b for b in reach[a] if a in reach[b]) for a in reach if a in reach[a]}
    return sorted(sorted(part) for part in parts)


def rooms() -> list[str]:
    """Return the rooms, lowest first, as the contract of import-linter has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    names = [name for layer in reversed(layers) for name in layer.split(" | ")]
    return [name.removeprefix("deadheat.") for name in names if not name.startswith("(")]


def between_rooms() -> set[tuple[str, str]]:
    """Return which room imports from which."""
    pairs = {
        (name.split(".")[1], other.split(".")[1])
        for name, others in imports().items()
        for other in others
    }
    return {(here, there) for here, there in pairs if here != there}


def picture() -> str:
    """Return the picture: a row for each room, a dot under each room that it imports from."""
    names = rooms()
    size = len(names) * CELL
    box = f"0 0 {LABEL + size + 8} {TOP + size + 8}"
    style = 'font-family="sans-serif" font-size="12" role="img"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {style}>',
        "<title>What each room imports from: all dots lie on one side of the diagonal.</title>",
    ]
    for k, name in enumerate(names):
        x, y = LABEL + k * CELL + CELL / 2, TOP + k * CELL + CELL / 2
        parts += [
            f'<text x="{LABEL - 8}" y="{y + 4:g}" text-anchor="end">{name}</text>',
            f'<text transform="translate({x + 4:g} {TOP - 8}) rotate(-60)">{name}</text>',
            f'<path d="M{x - CELL / 2:g} {y - CELL / 2:g}h{CELL}v{CELL}h-{CELL}z" fill="{LIGHT}"/>',
        ]
    for here, there in sorted(between_rooms()):
        x = LABEL + names.index(there) * CELL + CELL / 2
        y = TOP + names.index(here) * CELL + CELL / 2
        colour = BLUE if names.index(there) < names.index(here) else RED
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{DOT}" fill="{colour}">'
            f"<title>{here} imports from {there}</title></circle>"
        )
    return "\n".join([*parts, "</svg>", ""])
