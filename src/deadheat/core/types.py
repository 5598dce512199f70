"""What a docstring says of a formula: its summary, the formula itself and the first reference."""

from __future__ import annotations

import inspect
import re


class Documented:
    """Read summary, formula and reference from the docstring of an object."""

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return inspect.cleandoc(self.__doc__ or "").partition("\n\n")[0].replace("\n", " ")

    @property
    def formula(self) -> str:
        """The formula, in TeX."""
        found = re.search(r"\.\. math::\s*(.+?)(?:\n\s*\n|$)", self.__doc__ or "", re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    @property
    def reference(self) -> str:
        """The first reference."""
        found = re.search(
            r"\.\. \[1\]\s*(.+?)(?=\n\s*\n|\n\s*\.\. \[|$)", self.__doc__ or "", re.DOTALL
        )
        return " ".join(found[1].split()) if found else ""
