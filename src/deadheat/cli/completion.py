"""``deadheat completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from deadheat.cli.program import COMPLETION, NAME

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    r"""Print the script that completes deadheat in your shell.

    \b
    bash:  eval "$(deadheat completion bash)"     in ~/.bashrc
    zsh:   eval "$(deadheat completion zsh)"      in ~/.zshrc
    fish:  deadheat completion fish > ~/.config/fish/completions/deadheat.fish

    Names of commands, options and ranking functions are then completed by the tab key.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, NAME, COMPLETION).source())
