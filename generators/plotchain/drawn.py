"""A picture that is drawn when its bytes are asked for, and the key under which it may be cached."""

from __future__ import annotations

import gc
import hashlib
import importlib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.errors import ItemDataError, PictureError
from generators.items import canonical_json
from generators.plotchain.family import Case
from generators.plotchain.registry import edition_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import JsonValue
    from generators.plotchain.family import Difficulty

__all__ = ["DrawnPicture", "dedicate_process"]

_OBJECTS_BETWEEN_COLLECTIONS = 20_000


@dataclass(frozen=True, kw_only=True)
class DrawnPicture:
    """A picture given by what it is drawn from; equal content has the equal key in every process."""

    item_id: str
    edition: str
    family: str
    params: Mapping[str, JsonValue]
    difficulty: Difficulty
    seed: int

    @cached_property
    def key(self) -> str:
        """SHA-256 over content, drawing sources and library versions, as 64 hex digits; imports neither."""
        content = {
            "edition": self.edition,
            "family": self.family,
            "params": dict(self.params),
            "difficulty": self.difficulty,
            "seed": self.seed,
            "source": _source_digest(self.edition, self.family),
            "matplotlib": _version("matplotlib"),
            "numpy": _version("numpy"),
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()

    def png(self) -> bytes:
        """Draw the picture and return the PNG file's bytes: the same on every run and in every process.

        Raises:
            PictureError: the parameters do not describe a picture of this family.
        """
        rendering = importlib.import_module("generators.plotchain.rendering")
        family = edition_named(self.edition).family(self.family)
        try:
            case: Case[Any] = Case(params=family.restore(self.params), difficulty=self.difficulty, seed=self.seed)
            drawn: bytes = rendering.render_png(family, case)
        except (ItemDataError, ArithmeticError, ValueError, MemoryError) as error:
            raise PictureError(f"{self.item_id}: cannot draw the picture: {error}") from error
        return drawn


def dedicate_process() -> None:
    """Tune a process that only draws: collect garbage seldom, which takes a sixth off each picture.

    A figure is thousands of objects in cycles; the default collects them dozens of times while drawing one.
    """
    importlib.import_module("generators.plotchain.rendering")
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


@cache
def _source_digest(edition_name: str, family: str) -> str:
    here = Path(__file__).parent
    edition = edition_named(edition_name)
    shared = [path for pattern in edition.drawing_sources for path in sorted(here.glob(pattern))]
    digest = hashlib.sha256()
    for path in (*shared, _module_file(edition.modules[family])):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _module_file(module: str) -> Path:
    return Path(__file__).parents[2].joinpath(*module.split(".")).with_suffix(".py")


@cache
def _version(distribution: str) -> str:
    return version(distribution)
