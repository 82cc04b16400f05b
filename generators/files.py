"""Files written whole or not at all, and the files of a data set: never outside its folder, never endless."""

from __future__ import annotations

import json
import math
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from generators.errors import ItemDataError, PictureError
from generators.png import check_png

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.items import JsonValue

__all__ = ["MAX_BYTES", "FilePicture", "lines_of", "parse_json", "path_fault", "read_inside", "write_atomically"]

MAX_BYTES = 50_000_000
"""Largest file read."""


def write_atomically(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Write a file under a temporary name beside it, then rename: never half a file.

    Missing folders are made. A process killed while writing leaves at most a hidden `.tmp` file.

    Args:
        path: the file; an old one is replaced.
        data: its bytes.
        synced: wait before the rename until the disk holds the bytes, so that the file is whole after a power
            failure, too; needless for what can be made again.

    Raises:
        OSError: the file cannot be written; no temporary file is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number (from 1) and content of the lines that are not blank; a byte order mark is skipped.

    Raises:
        ItemDataError: the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        problem = f"expected a readable JSONL file, got: {_reason(error)}"
        raise ItemDataError(f"{path}: {problem}; name another") from error
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, line


def parse_json(line: bytes) -> JsonValue:
    """Parse one JSON value.

    Raises:
        ValueError: not UTF-8, not JSON (NaN and infinite numbers are not), or a number beyond the largest.
        RecursionError: nested too deep.
    """
    value: JsonValue = json.loads(line.decode(), parse_constant=_refuse, parse_float=_finite)
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is beyond the largest number")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePicture:
    """A PNG file inside the data set's folder; checked only when its bytes are asked for."""

    item_id: str
    folder: Path
    relative_path: str

    @property
    def key(self) -> None:
        """None: a file on disk needs no cache."""
        return

    def png(self) -> bytes:
        """Read the file.

        Raises:
            PictureError: missing, unreadable, outside the data set's folder, no PNG, or too large.
        """
        try:
            data = _contents(self.folder, self.relative_path)
            check_png(data)
        except (OSError, ValueError) as error:
            where = f"{self.item_id}: picture {self.relative_path!r}"
            remedy = "put it there" if isinstance(error, FileNotFoundError) else "replace it"
            raise PictureError(f"{where}: {_reason(error)}; {remedy}") from error
        return data


def read_inside(folder: Path, relative_path: str) -> bytes:
    """Read a file that lies inside the folder.

    Raises:
        PictureError: missing, unreadable, no plain file, too large, or a link that leaves the folder.
    """
    try:
        return _contents(folder, relative_path)
    except (OSError, ValueError) as error:
        raise PictureError(f"file {relative_path!r}: {_reason(error)}; put it there") from error


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


def path_fault(text: str) -> str | None:
    """Say what is wrong with a path as text, or None: it must be relative and stay in its folder."""
    windows = PureWindowsPath(text)
    if PurePosixPath(text).is_absolute() or windows.drive or windows.root:
        return "an absolute path"
    if ".." in windows.parts:
        return "a path that leaves the file's folder"
    if not windows.parts or "\0" in text:
        return "no path"
    return None


def _contents(folder: Path, relative_path: str) -> bytes:
    try:
        path = (folder / relative_path).resolve(strict=True)
    except RuntimeError as error:  # a link to itself, before Python 3.13
        raise ValueError("expected a file, got a link to itself") from error
    if not path.is_relative_to(folder.resolve()):
        raise ValueError("expected a file in the data set's folder, got a link that leaves it")
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("expected a file, got a folder or device")
    if about.st_size > MAX_BYTES:
        raise ValueError(f"expected at most {MAX_BYTES} bytes, got {about.st_size}")
    return path.read_bytes()
