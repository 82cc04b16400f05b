"""The page's pictures: made small, kept once each, put into the page or, when they are many, into a folder."""

from __future__ import annotations

import base64
import hashlib
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from markupsafe import Markup

from bench.models.images import picture_size
from generators.errors import PictureError
from generators.pictures import copy_key, small_copy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.report.contents import PagePicture
    from generators.pictures import PictureCache

__all__ = ["FOLDER", "ImageStore"]

FOLDER = "report_pictures"
_NAME = re.compile(r"[0-9a-f]{20}\.png")


class ImageStore:
    """Takes pictures and names them; equal pictures get one name.

    `copies` keeps the small copies from run to run: making one takes 10 ms, reading it back a tenth of one.
    """

    def __init__(self, copies: PictureCache | None = None) -> None:
        self._copies = copies
        self._names: dict[str, str | None] = {}  # by key
        self._pictures: dict[str, bytes] = {}  # by name

    def put(self, picture: PagePicture | None) -> str | None:
        """Keep a picture and return its name; None where it cannot be had."""
        if picture is None:
            return None
        if picture.key not in self._names:
            self._names[picture.key] = self._keep(self._small(picture))
        return self._names[picture.key]

    def _keep(self, png: bytes | None) -> str | None:
        if png is None:
            return None
        name = hashlib.sha256(png).hexdigest()[:20]
        self._pictures[name] = png
        return name

    def _small(self, picture: PagePicture) -> bytes | None:
        key = copy_key(picture.key)
        if self._copies is not None and (known := self._copies.read(key)) is not None:
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

    @property
    def sizes_px(self) -> dict[str, tuple[int, int]]:
        """Width and height of each picture: a page that keeps their places free does not jump when they come."""
        sizes = {name: picture_size(png) for name, png in self._pictures.items()}
        return {name: size for name, size in sizes.items() if size is not None}

    @property
    def size_embedded(self) -> int:
        """How many bytes the pictures are in a page: four for three."""
        return sum(len(png) * 4 // 3 for png in self._pictures.values())

    def embedded(self) -> Iterator[tuple[str, Markup]]:
        """Yield each picture's name and its bytes in base 64, which is text of a page as it stands."""
        for name, png in self._pictures.items():
            yield name, Markup(base64.b64encode(png).decode("ascii"))  # noqa: S704 - nothing in it to escape

    def write_beside(self, page: Path) -> None:
        """Write the pictures into the page's folder of pictures, before the page: it can be made again.

        Pictures that an earlier page had there are removed first: one may be a link by now.

        Raises:
            OSError: one cannot be written; no picture is left.
        """
        folder = page.parent / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        self._clear(folder)
        try:
            for name, png in self._pictures.items():
                with (folder / f"{name}.png").open("xb") as file:
                    file.write(png)
        except OSError:
            with suppress(OSError):
                self._clear(folder)
            raise

    @classmethod
    def clear_beside(cls, page: Path) -> None:
        """Remove the pictures that an earlier page had beside it.

        Raises:
            OSError: they cannot be removed.
        """
        folder = page.parent / FOLDER
        if folder.is_dir():
            cls._clear(folder)
            if not any(folder.iterdir()) and not folder.is_symlink():
                folder.rmdir()

    @staticmethod
    def _clear(folder: Path) -> None:
        """Remove the folder's pictures, and nothing else that lies there."""
        for path in list(folder.iterdir()):
            if _NAME.fullmatch(path.name):
                path.unlink()
