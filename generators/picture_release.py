"""Picture sets written to a folder on several cores, resumably, and what their command lines share."""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from generators.errors import PictureError
from generators.files import write_atomically
from generators.png import check_png

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from generators.items import Picture

__all__ = [
    "STOPPING",
    "PictureJob",
    "at_least",
    "draw_pictures",
    "exit_status",
    "pictures_to_draw",
    "tell_pictures",
]


STOPPING = (OSError, BrokenProcessPool, KeyboardInterrupt)
"""What stops the writing of a set; `exit_status` tells the user of it."""

_PICTURES_A_TASK = 4
_FAILED, _INTERRUPTED = 1, 130


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureJob:
    """One picture file: where it goes, the name that the ledger has for it, and what draws it."""

    path: Path
    name: str
    picture: Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """One line of the ledger: which content a picture file was drawn from, and the file's SHA-256."""

    id: str
    key: str
    sha256: str


def pictures_to_draw(jobs: Sequence[PictureJob], ledger: Path) -> list[PictureJob]:
    """Return the pictures to draw, and rewrite the ledger so that it names only the others.

    A picture is drawn again unless the ledger says that the file there was drawn from the same content, and the
    file is still that one.

    Raises:
        OSError: the ledger cannot be written.
    """
    entries = _read_ledger(ledger)
    kept: list[_Drawn] = []
    missing: list[PictureJob] = []
    for job in jobs:
        entry = entries.get(job.name)
        if entry is not None and entry.key == job.picture.key and _is_file(job.path, entry.sha256):
            kept.append(entry)
        else:
            missing.append(job)
    write_atomically(ledger, "".join(map(_ledger_line, kept)).encode())
    return missing


def draw_pictures(
    missing: Sequence[PictureJob], ledger: Path, *, processes: int, prepare: Callable[[], None] | None = None
) -> Iterator[int]:
    """Draw pictures, each file whole or not at all, and yield how many are done as they get done.

    Args:
        missing: what to draw.
        ledger: where each picture is noted once its file is written.
        processes: how many draw, at least 1.
        prepare: called once in each drawing process.

    Raises:
        OSError: a file cannot be written.
        PictureError: a picture cannot be drawn.
    """
    done = 0
    with ledger.open("a", encoding="utf-8") as lines:
        for drawn in _drawn_by(missing, processes, prepare):
            lines.writelines(map(_ledger_line, drawn))
            lines.flush()
            done += len(drawn)
            yield done


def _read_ledger(path: Path) -> dict[str, _Drawn]:
    """Read the ledger; a line cut short by a kill is left out."""
    if not path.is_file():
        return {}
    entries = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = _Drawn(**json.loads(line))
        except (TypeError, ValueError):
            continue
        entries[entry.id] = entry
    return entries


def _ledger_line(entry: _Drawn) -> str:
    return json.dumps(asdict(entry)) + "\n"


def _is_file(path: Path, sha256: str) -> bool:
    try:
        data = path.read_bytes()
        check_png(data)
    except (OSError, ValueError):
        return False
    return hashlib.sha256(data).hexdigest() == sha256


def _drawn_by(
    missing: Sequence[PictureJob], processes: int, prepare: Callable[[], None] | None
) -> Iterator[list[_Drawn]]:
    tasks = [missing[at : at + _PICTURES_A_TASK] for at in range(0, len(missing), _PICTURES_A_TASK)]
    if processes == 1 or len(tasks) < 2:  # noqa: PLR2004 - one task needs no second process
        yield from map(_draw, tasks)
        return
    pool = ProcessPoolExecutor(
        min(processes, len(tasks)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(prepare,),
    )
    try:
        for future in as_completed([pool.submit(_draw, task) for task in tasks]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(prepare: Callable[[], None] | None) -> None:
    """Let the parent alone answer Ctrl-C: a worker finishes its pictures and is then stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if prepare is not None:
        prepare()


def _draw(task: Sequence[PictureJob]) -> list[_Drawn]:
    drawn = []
    for job in task:
        data = job.picture.png()
        write_atomically(job.path, data)
        digest = hashlib.sha256(data).hexdigest()
        drawn.append(_Drawn(id=job.name, key=str(job.picture.key), sha256=digest))
    return drawn


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
    reason = "a drawing process was killed; run the same command again to go on"
    if isinstance(error, PictureError):
        reason = str(error)
    elif isinstance(error, OSError):
        where = str(error.filename or folder)
        reason = f"cannot write {where!r}: {error.strerror or error}; free space or choose another folder"
    print(f"{program}: {reason}", file=sys.stderr)
    return _FAILED
