"""The page's pictures: made small, kept once each, put into the page or, when they are many, into a folder."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from bench.models.images import picture_size
from generators.errors import PictureError
from generators.pictures import copy_key, small_copy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from bench.report.contents import Picture
    from generators.pictures import PictureCache

__all__ = ["FOLDER", "ImageStore", "has_room", "write_picture"]

FOLDER = "report_pictures"
SPARED_BYTES = 1 << 30
"""How much of a disk is left alone by pictures that are written before all else is."""
_NAME = re.compile(r"[0-9a-f]{20}\.png")


def has_room(folder: Path) -> bool:
    """Whether its disk holds much more than a run leaves behind.

    Raises:
        OSError: there is no such folder.
    """
    return shutil.disk_usage(folder).free > SPARED_BYTES


class ImageStore:
    """Takes pictures and names them; equal pictures get one name.

    `copies` keeps the small copies from run to run: making one takes 10 ms, reading it back a tenth of one.
    `size_ahead` is how many bytes the pictures that were read ahead would be in a page.
    """

    def __init__(self, copies: PictureCache | None = None) -> None:
        self._copies = copies
        self._by_key: dict[str, str | None] = {}
        self._pictures: dict[str, bytes] = {}
        self._ahead: dict[str, str] = {}  # names by key
        self._pictures_ahead: dict[str, bytes] = {}
        self._to_write: list[str] = []
        self._written: set[Path] = set()
        self._writes_ahead = True
        self.size_ahead = 0

    def put(self, picture: Picture | None) -> str | None:
        """Keep a picture and return its name; None where it cannot be had."""
        if picture is None:
            return None
        if picture.key not in self._by_key:
            self._by_key[picture.key] = self._keep(picture)
        return self._by_key[picture.key]

    @property
    def ahead(self) -> int:
        """How many copies were read ahead."""
        return len(self._ahead)

    def read_ahead(self, key: str) -> None:
        """Read the small copy of the picture of this key, if there is one: so much is done when it is put."""
        if key in self._ahead or (copy := self._copied(copy_key(key))) is None:
            return
        name = _name(copy)
        if name not in self._pictures_ahead:
            self._pictures_ahead[name] = copy
            self._to_write.append(name)
            self.size_ahead += _size_embedded(copy)
        self._ahead[key] = name  # last: an interrupt may come in between

    def write_ahead(self, page: Path) -> None:
        """Write what was read ahead beside a page that cannot hold it all.

        Only where so much room is left that replies and tables will find theirs. Where it fails nonetheless, no
        picture stays, and all is left to the page, which tells what is wrong.
        """
        if not self._writes_ahead:
            return
        try:
            while self._to_write and has_room(page.parent):
                name = self._to_write.pop()
                path = _path(page, name)
                self._written.add(path)
                write_picture(path, self._pictures_ahead[name])
        except OSError:
            self._writes_ahead = False
            _remove(self._written)
            self._written.clear()

    def _keep(self, picture: Picture) -> str | None:
        name = self._ahead.get(picture.key)
        png = self._small(picture) if name is None else self._pictures_ahead[name]
        if png is None:
            return None
        name = name or _name(png)
        self._pictures[name] = png
        return name

    def _small(self, picture: Picture) -> bytes | None:
        key = copy_key(picture.key)
        if (known := self._copied(key)) is not None:
            return known
        png = picture.png()
        if png is None:
            return None
        try:
            small = small_copy(png)
        except PictureError:
            return None
        if self._copies is not None:
            self._copies.write(key, small)
        return small

    def _copied(self, key: str) -> bytes | None:
        return None if self._copies is None else self._copies.read(key)

    @property
    def sizes_px(self) -> dict[str, tuple[int, int]]:
        """Width and height of each picture: a page that keeps their places free does not jump when they come."""
        sizes = {name: picture_size(png) for name, png in self._pictures.items()}
        return {name: size for name, size in sizes.items() if size is not None}

    @property
    def size_embedded(self) -> int:
        """How many bytes the pictures are in a page: four for three."""
        return sum(map(_size_embedded, self._pictures.values()))

    def embedded(self) -> list[bytes]:
        """Return the pictures as blocks of the page, which a browser does not read before they are shown."""
        return [
            b'<script type="text/plain" id="p-%b">%b</script>\n' % (name.encode(), base64.b64encode(png))
            for name, png in self._pictures.items()
        ]

    def write_beside(self, page: Path) -> None:
        """Write the pictures into the page's folder of pictures, before the page: it can be made again.

        Pictures that an earlier page had there are removed.

        Raises:
            OSError: it cannot be written; no picture is left.
        """
        _folder(page).mkdir(parents=True, exist_ok=True)
        paths = {_path(page, name): png for name, png in self._pictures.items()}
        written = {path for path, png in paths.items() if path in self._written and _size(path) == len(png)}
        self._clear(page, keep=written)
        try:
            for path, png in paths.items():
                if path not in written:
                    write_picture(path, png)
        except OSError:
            _remove(paths)
            raise

    @classmethod
    def clear_beside(cls, page: Path) -> None:
        """Remove the pictures that an earlier page had beside it.

        Raises:
            OSError: they cannot be removed.
        """
        if _folder(page).is_dir():
            cls._clear(page, keep=())
            if not any(_folder(page).iterdir()) and not _folder(page).is_symlink():
                _folder(page).rmdir()

    @staticmethod
    def _clear(page: Path, *, keep: Collection[Path]) -> None:
        """Remove all other pictures from the page's folder; also what is written anew, for it may be a link."""
        for path in set(_folder(page).iterdir()).difference(keep):
            if _NAME.fullmatch(path.name):
                path.unlink()


def write_picture(path: Path, png: bytes) -> None:
    """Write a picture as a file of its own: what lies there, which may be a link by now, goes.

    Its folder is made, but not the run's own: where that is gone, nothing is written.

    Raises:
        OSError: it cannot be written.
    """
    try:
        file = path.open("xb")
    except FileNotFoundError:
        path.parent.mkdir(exist_ok=True)
        file = path.open("xb")
    except FileExistsError:
        path.unlink(missing_ok=True)
        file = path.open("xb")
    with file:
        file.write(png)


def _folder(page: Path) -> Path:
    return page.parent / FOLDER


def _path(page: Path, name: str) -> Path:
    return _folder(page) / f"{name}.png"


def _size(path: Path) -> int | None:
    """Return a file's size; None where there is none, or a link."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _name(png: bytes) -> str:
    return hashlib.sha256(png).hexdigest()[:20]


def _size_embedded(png: bytes) -> int:
    return len(png) * 4 // 3
