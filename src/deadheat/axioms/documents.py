"""Results whose examples are tables of their own in documents, and left out of spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from deadheat import markup
from deadheat.files import save
from deadheat.result import Grid, PathLike, Result
from deadheat.text import csv, tsv
from deadheat.typing import Row


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Exampled(Result):
    """Write the examples of a result beneath its table; ``grid`` obeys ``examples``."""

    examples: bool = True
    """Whether the notes of the grid tell the examples, which is what terminals want."""

    def told(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield a sentence on each example, and its table where it has one."""
        raise NotImplementedError

    def small_rows(self) -> list[Row]:
        """Return the records without what is nested."""
        raise NotImplementedError

    def to_csv(self, path: PathLike | None = None) -> str:
        """Return the small facts as CSV; whole tables are in the JSON only."""
        return _kept(csv(self.small_rows()), path)

    def to_tsv(self, path: PathLike | None = None) -> str:
        """Return the small facts separated by tabs; whole tables are in the JSON only."""
        return _kept(tsv(self.small_rows()), path)

    def to_md(self, path: PathLike | None = None) -> str:
        """Return the grid, what it says, and the examples as Markdown tables."""
        parts = [Result.to_md(self._bare())]
        for sentence, grid in self.told():
            parts.append(f"{markup.in_markdown(sentence)}\n")
            parts += [markup.markdown(grid)] if grid is not None else []
        return _kept("\n".join(parts), path)

    def to_latex(self, path: PathLike | None = None) -> str:
        r"""Return the grid and every example as a ``tabular`` for ``\usepackage{booktabs}``."""
        parts = [Result.to_latex(self._bare())]
        for sentence, grid in self.told():
            parts.append(f"\\par\\medskip\\noindent\n{markup.in_latex(sentence)}\n")
            parts += [f"\\par\\smallskip\n{markup.latex(grid)}"] if grid is not None else []
        return _kept(markup.with_letters("\n".join(parts)), path)

    def _repr_html_(self) -> str:
        """Show the table, the verdict, the warnings and the examples in a notebook."""
        parts = [Result._repr_html_(self._bare())]
        for sentence, grid in self.told():
            parts.append(f"<p>{markup.in_html(sentence)}</p>\n")
            parts += [markup.html(grid)] if grid is not None else []
        return "".join(parts)

    def _bare(self) -> Self:
        return replace(self, examples=False)


def _kept(written: str, path: PathLike | None) -> str:
    if path is not None:
        save(path, written)
    return written
