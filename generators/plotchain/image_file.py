"""A picture that a data set file names by its path."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from generators.errors import PictureError
from generators.png import check_png

__all__ = ["MAX_BYTES", "FilePicture", "path_fault"]

MAX_BYTES = 50_000_000
"""Largest picture file read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePicture:
    """A PNG file inside the data set's folder; checked only when its bytes are asked for."""

    item_id: str
    root: Path
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
        path = self.root / self.relative_path
        try:
            data = _read_inside(self.root, path)
            check_png(data)
        except OSError as error:
            raise self._error(f"{error.strerror or error}; put the picture there") from error
        except (ValueError, RuntimeError) as error:  # the latter for a link to itself, before Python 3.13
            raise self._error(f"{error}; replace the picture") from error
        return data

    def _error(self, reason: str) -> PictureError:
        return PictureError(f"{self.item_id}: picture {self.relative_path!r}: {reason}")


def path_fault(text: str) -> str | None:
    """Say what is wrong with an image path as text, or None: it must be relative and stay in its folder."""
    windows = PureWindowsPath(text)
    if PurePosixPath(text).is_absolute() or windows.drive or windows.root:
        return "an absolute path"
    if ".." in windows.parts:
        return "a path that leaves the file's folder"
    if not windows.parts or "\0" in text:
        return "no path"
    return None


def _read_inside(root: Path, path: Path) -> bytes:
    resolved = path.resolve(strict=True)
    if not resolved.is_relative_to(root.resolve()):
        raise ValueError("expected a file in the data set's folder, got a link that leaves it")
    about = resolved.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("expected a file, got a folder or device")
    if about.st_size > MAX_BYTES:
        raise ValueError(f"expected at most {MAX_BYTES} bytes, got {about.st_size}")
    return resolved.read_bytes()
