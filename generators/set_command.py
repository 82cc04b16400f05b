"""What the command lines that draw a set on several cores share: whole numbers, how far it is, how it ends."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from generators.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["STOPPING", "at_least", "exit_status", "tell_pictures"]

STOPPING = (OSError, BrokenProcessPool, KeyboardInterrupt)
"""What stops the writing of a set; `exit_status` tells the user of it."""

_FAILED, _INTERRUPTED = 1, 130


def at_least(least: int) -> Callable[[str], int]:
    """Return an argument type: whole numbers from `least` on."""

    def whole_number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number, got {text!r}") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}, got {value}")
        return value

    return whole_number


def tell_pictures(done: int, total: int) -> None:
    """Say on standard error how far the drawing is: in a terminal always, elsewhere at its end.

    In a terminal one line is written over, also by whatever is said next: all that is said here is longer.
    """
    if done == total:
        print(f"{done} of {total} pictures", file=sys.stderr)
    elif sys.stderr.isatty():
        print(f"{done} of {total} pictures", end="\r", file=sys.stderr, flush=True)


def exit_status(error: BaseException, *, program: str, folder: Path) -> int:
    """Say in one line on standard error what stopped the writing of a folder; return 1, or 130 for Ctrl-C."""
    if isinstance(error, KeyboardInterrupt):
        print("interrupted; run the same command again to go on", file=sys.stderr)
        return _INTERRUPTED
    print(f"{program}: {_reason(error, folder)}", file=sys.stderr)
    return _FAILED


def _reason(error: BaseException, folder: Path) -> str:
    if isinstance(error, PictureError):
        return str(error)
    if isinstance(error, OSError):
        where = error.filename or folder
        return f"cannot write {str(where)!r}: {error.strerror or error}; free space or choose another folder"
    return "a drawing process was killed; run the same command again to go on"
