"""The command in a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys


def in_terminal(*args, folder, columns=80, **env):
    """Run the command in a terminal; return its exit code and all that was written there."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"} | env
    with subprocess.Popen(
        [sys.executable, "-m", "deadheat", *map(str, args)],
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=folder,
    ) as process:
        os.close(theirs)
        written = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while chunk := os.read(ours, 65536):
                written += chunk
    os.close(ours)
    return process.returncode, written.decode().replace("\r\n", "\n")
