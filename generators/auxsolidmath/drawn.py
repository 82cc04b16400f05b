"""A diagram that is drawn when its bytes are asked for, and the key under which it may be cached."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from generators.auxsolidmath.raster import auxiliary_image, original_image, png_of
from generators.errors import PictureError
from generators.items import canonical_json

if TYPE_CHECKING:
    from generators.auxsolidmath.draft import Draft

__all__ = ["DrawnPicture"]


@dataclass(frozen=True, kw_only=True)
class DrawnPicture:
    """The original diagram of a draft, or the one with the constructions."""

    item_id: str
    draft: Draft
    auxiliary: bool = False

    @cached_property
    def key(self) -> str:
        """SHA-256 over content, drawing sources and library versions, as 64 hex digits; imports none of them."""
        content = {
            "family": self.draft.family,
            "draft": self.draft.json(),
            "auxiliary": self.auxiliary,
            "source": _source_digest(self.draft.family),
            "libraries": [_version("pillow"), _version("matplotlib"), zlib.ZLIB_RUNTIME_VERSION],
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()

    def png(self) -> bytes:
        """Draw the picture and return the PNG file's bytes: the same on every run and in every process.

        Raises:
            PictureError: fonts or Pillow are missing or cannot be used.
        """
        draw = auxiliary_image if self.auxiliary else original_image
        try:
            return png_of(draw(self.draft.diagram()))
        except (ImportError, OSError, MemoryError) as error:
            raise PictureError(f"{self.item_id}: cannot draw the picture: {error}") from error


@cache
def _source_digest(family: str) -> str:
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in (*sorted(here.glob("*.py")), here / "families" / f"{family.lower()}.py", here.parent / "png.py"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _version(distribution: str) -> str:
    return version(distribution)
