"""The page's pictures: made small, kept once each, put into the page or, when they are many, into a folder."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING

from bench.models.picture_limits import picture_size
from generators.errors import PictureError
from generators.small_copy import copy_key, small_copy

if TYPE_CHECKING:
    from pathlib import Path

    from bench.leaderboard.report.contents import Picture
    from generators.pictures import PictureCache

__all__ = ["FOLDER", "Shelf"]

FOLDER = "report_pictures"
_NAME = re.compile(r"[0-9a-f]{20}\.png")


class Shelf:
    """Takes pictures and names them; equal pictures get one name.

    `copies` keeps the small copies from run to run: making one takes 10 ms, reading it back a tenth of one.
    """

    def __init__(self, copies: PictureCache | None = None) -> None:
        self._copies = copies
        self._ahead: dict[str, bytes] = {}
        self._by_key: dict[str, str | None] = {}
        self._pictures: dict[str, bytes] = {}

    def put(self, picture: Picture | None) -> str | None:
        """Keep a picture and return its name; None where it cannot be had."""
        if picture is None:
            return None
        if picture.key not in self._by_key:
            small = self._small(picture)
            self._by_key[picture.key] = None if small is None else self._keep(small)
        return self._by_key[picture.key]

    @property
    def ahead(self) -> int:
        """How many copies were read ahead."""
        return len(self._ahead)

    def read_ahead(self, key: str) -> None:
        """Read the small copy of the picture of this key, if there is one: so much is done when it is put."""
        if key not in self._ahead and (copy := self._copied(copy_key(key))) is not None:
            self._ahead[key] = copy

    def _keep(self, png: bytes) -> str:
        name = hashlib.sha256(png).hexdigest()[:20]
        self._pictures[name] = png
        return name

    def _small(self, picture: Picture) -> bytes | None:
        key = copy_key(picture.key)
        known = self._ahead.get(picture.key) or self._copied(key)
        if known is not None:
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
        return sum(map(len, self._pictures.values())) * 4 // 3

    def embedded(self) -> list[bytes]:
        """Return the pictures as blocks of the page, which a browser does not read before they are shown."""
        return [
            b'<script type="text/plain" id="p-%b">%b</script>\n' % (name.encode(), base64.b64encode(png))
            for name, png in self._pictures.items()
        ]

    def write_beside(self, page: Path) -> None:
        """Write the pictures into the page's folder of pictures, before the page: it can be made again.

        Raises:
            OSError: it cannot be written.
        """
        folder = page.parent / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for name, png in self._pictures.items():
            (folder / f"{name}.png").write_bytes(png)

    @staticmethod
    def clear_beside(page: Path) -> None:
        """Remove the pictures that an earlier page had beside it.

        Raises:
            OSError: they cannot be removed.
        """
        folder = page.parent / FOLDER
        if not folder.is_dir():
            return
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name):
                path.unlink()
        if not any(folder.iterdir()):
            folder.rmdir()
