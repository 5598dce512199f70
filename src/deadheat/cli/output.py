"""Where a result goes and in which form: a terminal, a pipe or a file."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Self

import click

from deadheat.cli.exits import say
from deadheat.cli.program import ARGUMENTS
from deadheat.core.errors import UsageError, ask, command_with, quoted, visible
from deadheat.core.files import give_back, promise, promise_standard_output, save

if TYPE_CHECKING:
    from deadheat.models.aggregation.ballots import Watcher
    from deadheat.output.result import Result
    from deadheat.resampling.engines import Progress


READ_BACK = ("tsv", "csv")
FORMATS = ("table", "tsv", "csv", "json", "md", "latex")
BY_SUFFIX = {f".{form}": form for form in ("csv", "tsv", "json", "md")}
BY_SUFFIX |= {".tex": "latex", ".txt": "table"}
STDOUT = STDIN = "-"
PAGES = (".html", ".htm")
ON_A_PAGE = (
    *("check", "rank", "verdict", "compare", "agree", "influence", "consensus", "criteria"),
    *("score", "rate"),
)


@dataclass(frozen=True, kw_only=True)
class Output:
    """Write results; ``plainly`` means a table where nobody said so and no terminal shows it."""

    format: str
    path: Path | None = None
    quiet: bool = False
    by_default: bool = False
    plainly: bool = False
    explain: bool = False
    everything: bool = False
    told: set[str] = field(default_factory=set, compare=False)  # while the result was made

    @classmethod
    def from_flags(
        cls,
        *,
        format: str | None,  # noqa: A002
        json: bool,
        output: str | None,
        quiet: bool,
        explain: bool,
        everything: bool,
    ) -> Self:
        """Return the output that the options mean; refuse what could not be written in the end."""
        if json and format not in {None, "json"}:
            fact = f"--json and --format {format} contradict each other."
            ways = (
                f"as JSON: {command_with(format=None)}",
                f"as {format}: {command_with(json=False)}",
            )
            raise UsageError(fact, hint="\n".join(ways))
        said = "json" if json else format
        if output is None or output == STDOUT:
            promise_standard_output()
            usual = "table" if sys.stdout is not None and sys.stdout.isatty() else "tsv"
            form, unsaid = said or usual, said is None
            more = partial(cls, explain=explain, everything=everything)
            return more(format=form, quiet=quiet, by_default=unsaid)
        path = Path(output)
        promise(output)
        written = said or BY_SUFFIX.get(path.suffix.lower())
        if written is None:
            fact = f"the name {quoted(path.name)} does not say which format to write."
            known = f"or end the name in {', '.join(BY_SUFFIX)}."
            page = _as_page(path)
            raise UsageError(fact, hint=f"{page}as CSV: {command_with(format='csv')}\n{known}")
        return cls(format=written, path=path, quiet=quiet)

    def for_people(self) -> Self:
        """Return an output that is a table also in a pipe, unless the user said otherwise."""
        if not self.by_default or self.format == "table":
            return self
        return replace(self, format="table", plainly=True)

    def write(self, result: Result, *, below: int = 0) -> None:
        """Write the result; what a terminal tells below its table goes to standard error else.

        So many lines come ``below`` it.
        """
        context = click.get_current_context(silent=True)
        if context is not None and ARGUMENTS in context.meta:
            result = result.also_made(command=context.meta[ARGUMENTS])
        if self.path is None and self.format == "table" and not self.plainly:
            from deadheat.cli.terminal import show

            give_back()
            how = {"explain": self.explain, "everything": self.everything, "quiet": self.quiet}
            show(result, **how, below=below)
            return
        watched = self.by_default and sys.stderr is not None and sys.stderr.isatty()
        if watched and not self.plainly and not self.quiet:
            for headline in result.sentences[:1]:  # rows that go elsewhere do not say who won
                say(headline)
        for warning in result.warnings:
            if not self.quiet and warning not in self.told:
                say(f"warning: {warning}")
        content = self._render(result)  # a user's own function may still be asked
        give_back()
        if self.path is None:
            _write_stdout(content)
            return
        save(self.path, _harmless(content) if _is_terminal(self.path) else content)
        written = [str(self.path)]
        if self.format in READ_BACK and (said := result.beside()):
            from deadheat.data.convert import sidecar

            place, about = sidecar(self.path, said)
            promise(place)
            save(place, about)
            written.append(str(place))
        if not self.quiet:
            say(f"wrote {' and '.join(written)}")

    def _render(self, result: Result) -> str:
        if self.format != "table":
            return str(getattr(result, f"to_{self.format}")())
        from deadheat.cli.terminal import page

        return page(result, plainly=self.plainly)

    def note(self, message: str) -> None:
        self.told.add(message)
        if not self.quiet:
            say(f"note: {message}")


def _as_page(path: Path) -> str:
    """Return the line of a hint that writes a page, where the name is of one and there is one."""
    context = click.get_current_context(silent=True)
    asked = context is not None and context.command.name in ON_A_PAGE
    if not asked or path.suffix.lower() not in PAGES:
        return ""
    return f"as a page: {ask('report', 'FILE')} -o {shlex.quote(str(path))}\n"


def _write_stdout(content: str) -> None:
    """Write UTF-8 and line feeds on every system; names are escaped for a terminal alone."""
    if sys.stdout is None:  # closed by the caller
        return
    if sys.stdout.isatty():
        content = _harmless(content)
    sys.stdout.flush()
    sys.stdout.buffer.write(content.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _harmless(content: str) -> str:
    """Return a text of which nothing but line ends and tabs acts on a terminal."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in content.split("\n"))


def _is_terminal(path: Path) -> bool:
    with suppress(OSError):
        if path.is_char_device():
            with path.open("rb", buffering=0) as file:
                return file.isatty()
    return False


# ------------------------------------------------------------------------------
# Signs of life on standard error, where somebody watches and the work takes long enough.

PATIENCE = 1.0  # seconds before a sign appears


@contextmanager
def watching(what: str, *, quiet: bool) -> Iterator[Progress | None]:
    """Yield what is to be told about progress, shown as a bar; None where nobody watches."""
    columns = (what, "BarColumn", "{task.percentage:.0f} %", "TimeRemainingColumn")
    with _sign(*columns, quiet=quiet) as change:
        yield change and (lambda done, number: change(completed=done, total=number))


@contextmanager
def proving(*, limit: float, quiet: bool) -> Iterator[Watcher | None]:
    """Yield what is to be told the best objective and its bound; None where nobody watches."""
    columns = ("{task.description}", "TimeElapsedColumn", f"of at most {limit:g} s")
    with _sign(*columns, quiet=quiet) as change:
        text = "objective {:,.10g}, bound {:,.10g}"
        yield change and (lambda best, bound: change(description=text.format(best, bound)))


@contextmanager
def _sign(*columns: str, quiet: bool) -> Iterator[Callable[..., None] | None]:
    """Yield what changes a line that appears after a second and leaves nothing behind.

    It is None where nobody watches; ``DEADHEAT_PROGRESS=0`` is for terminals that are recorded.
    """
    unwanted = quiet or os.environ.get("DEADHEAT_PROGRESS") == "0"
    if unwanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich import progress
    from rich.console import Console

    shown = [getattr(progress, name)() if name.endswith("Column") else name for name in columns]
    line = progress.Progress(*shown, console=Console(stderr=True), transient=True)
    task = line.add_task("searching", total=None)
    later = Timer(PATIENCE, line.start)  # also where the first block takes longer than that
    later.daemon = True
    later.start()
    try:
        yield partial(line.update, task)
    finally:
        later.cancel()
        later.join()
        if line.live.is_started:
            line.stop()
