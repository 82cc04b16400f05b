"""Files that a data set names by their path: never outside its folder, never endless."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from generators.errors import PictureError
from generators.png import check_png

__all__ = ["MAX_BYTES", "FilePicture", "path_fault", "read_inside"]

MAX_BYTES = 50_000_000
"""Largest file read."""


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
        except FileNotFoundError as error:
            raise self._error(f"{error.strerror}; put it there") from error
        except (OSError, ValueError) as error:
            raise self._error(f"{getattr(error, 'strerror', None) or error}; replace it") from error
        return data

    def _error(self, reason: str) -> PictureError:
        return PictureError(f"{self.item_id}: picture {self.relative_path!r}: {reason}")


def read_inside(folder: Path, relative_path: str) -> bytes:
    """Read a file that lies inside the folder.

    Raises:
        PictureError: missing, unreadable, no plain file, too large, or a link that leaves the folder.
    """
    try:
        return _contents(folder, relative_path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PictureError(f"file {relative_path!r}: {reason}; put it there") from error


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
