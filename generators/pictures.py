"""A folder of drawn pictures, shared by processes: whole files or none."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from generators.files import write_atomically
from generators.png import check_png

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PictureCache"]

_SUFFIX = ".png"


class PictureCache:
    """Pictures by content key, one file `<key>.png` each.

    Several processes may read and write the same folder: equal keys mean equal bytes, and a file appears
    under its name only when whole. A damaged file counts as absent and is written anew.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        """Return the file of a key.

        Raises:
            ValueError: the key is not plain letters and digits.
        """
        return self.folder / self._name(key)

    def holds(self, key: str) -> bool:
        """Whether there is a file of that key, whole or not."""
        return os.path.isfile(os.path.join(self.folder, self._name(key)))  # noqa: PTH113, PTH118 - a third of the time

    def keys(self) -> frozenset[str]:
        """Return the keys whose names lie in the folder, whatever is behind them."""
        try:
            names = os.listdir(self.folder)  # noqa: PTH208 - paths are not needed
        except OSError:
            return frozenset()
        return frozenset(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))

    def read(self, key: str) -> bytes | None:
        """Return a picture's bytes, or None when there is no whole file of that key."""
        name = os.path.join(self.folder, self._name(key))  # noqa: PTH118 - as above
        try:
            with io.FileIO(name) as file:
                data = file.readall()
            check_png(data)
        except (OSError, ValueError):
            return None
        return data

    @staticmethod
    def _name(key: str) -> str:
        if not (key.isascii() and key.isalnum()):
            raise ValueError(f"a picture key must be letters and digits, got {key!r}")
        return f"{key}{_SUFFIX}"

    def write(self, key: str, data: bytes) -> None:
        """Store a picture; another process storing the same key at the same time is no error.

        Raises:
            OSError: the folder cannot be made or written.
        """
        path = self.path(key)
        try:
            write_atomically(path, data)
        except PermissionError:
            # Windows refuses to replace a file that another process holds open; its content is the same.
            if self.read(key) is None:
                raise
