"""The command ``playsim``."""

from __future__ import annotations

import signal
import sys
from typing import Sequence

from . import _playsim

__all__ = ["main", "run"]


def main() -> int:
    """Runs the command that ``sys.argv`` names, as a process of its own, and returns its exit code.

    Ctrl-C ends it as it ends the binary. To run a command within a program, use `run`.
    """
    # Python only looks at signals between its own instructions, and none runs until the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _playsim.run(["playsim", *sys.argv[1:]])


def run(args: Sequence[str]) -> int:
    """Runs a command within a program: ``run(["vast", "ad.xml"])``.

    It reads and writes the standard streams of the process and not ``sys.stdout``; to have its output, use
    ``subprocess``. Ctrl-C raises ``KeyboardInterrupt``; a command that then does not end within two seconds
    goes on in the background.

    Returns:
        The exit code: 0 success, 1 a difference or a finding, 2 invalid input, 3 a file cannot be read or
        written, 4 nothing was selected.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return _playsim.run_shared(["playsim", *args])
