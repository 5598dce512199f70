"""One module per format, each with ``SAMPLES``: files written by us as users have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A file, or a folder (path -> content), the options it needs, and who wins.

    ``options`` has no more than ``better``, where the format does not state it. ``states`` are
    options that must have been stated. A log of battles says ``battles=True``.
    """

    format: str
    name: str
    content: str | bytes | Mapping[str, str | bytes]
    winner: str
    options: Mapping[str, Any] = field(default_factory=dict)
    states: tuple[str, ...] = ()
    size: tuple[int, int] | None = None  # candidates, judges
    battles: bool = False

    def write(self, folder: Path) -> Path:
        path = folder / self.name
        if not isinstance(self.content, Mapping):
            path.write_bytes(_bytes(self.content))
            return path
        for each, content in self.content.items():
            path.joinpath(each).parent.mkdir(parents=True, exist_ok=True)
            path.joinpath(each).write_bytes(_bytes(content))
        return path

    @property
    def files(self) -> dict[str, bytes]:
        """The content of each file by its path."""
        content = self.content if isinstance(self.content, Mapping) else {self.name: self.content}
        return {name: _bytes(each) for name, each in content.items()}


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def all_samples() -> list[Sample]:
    names = sorted(module.name for module in iter_modules(__path__))
    return [s for name in names for s in import_module(f"{__name__}.{name}").SAMPLES]
