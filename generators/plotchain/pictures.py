"""A plot's picture, drawn when its bytes are asked for, and its axes laid out without drawing it."""

from __future__ import annotations

import gc
import hashlib
import importlib
import math
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from generators.errors import ItemDataError, PictureError
from generators.items import canonical_json
from generators.plotchain.family import PlotCase, edition_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import JsonValue
    from generators.plotchain.family import Difficulty, PlotFamily

__all__ = ["AxisName", "DrawnAxes", "DrawnAxis", "PlotPicture", "dedicate_process", "drawn_axes"]

_OBJECTS_BETWEEN_COLLECTIONS = 20_000
_DRAWING_MODULES = (
    "generators.plotchain.family",
    "generators.plotchain.numeric",
    "generators.plotchain.rendering",
    "generators.png",
)
"""What decides the pictures of every edition, besides the modules of its own package and the family's."""


@dataclass(frozen=True, kw_only=True)
class PlotPicture:
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
            case: PlotCase[Any] = PlotCase(
                params=family.restore(self.params), difficulty=self.difficulty, seed=self.seed
            )
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
def _source_digest(edition: str, family: str) -> str:
    """Return a digest of all source files that decide a picture of the family."""
    package = f"{__package__}.{edition}"
    own = _module_file(f"{package}.families.{family}")
    shared = (*map(_module_file, _DRAWING_MODULES), *sorted(own.parents[1].glob("*.py")))
    digest = hashlib.sha256()
    for path in (*shared, own):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _module_file(module: str) -> Path:
    return Path(__file__).parents[2].joinpath(*module.split(".")).with_suffix(".py")


@cache
def _version(distribution: str) -> str:
    return version(distribution)


AxisName = Literal["x", "y"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAxis:
    """One axis: the values at its ends, its length in pixels, and whether its scale is logarithmic.

    Places are in pixels from the low end, and may lie beyond either.

    Raises:
        ValueError: no length, equal ends, or a logarithmic axis that is not positive.
    """

    low: float
    high: float
    length_px: float
    is_log: bool

    def __post_init__(self) -> None:
        if not self.low < self.high or self.length_px <= 0 or (self.is_log and self.low <= 0):
            raise ValueError(f"expected an axis from low to high over some pixels, got {self!r}")

    def place_px(self, value: float) -> float:
        """Return where a value stands; minus infinity for what a logarithmic axis cannot show."""
        if self.is_log:
            if value <= 0:
                return -math.inf
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return share * self.length_px

    def value_at(self, place_px: float) -> float:
        """Return the value at a place."""
        share = place_px / self.length_px
        if self.is_log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAxes:
    """Both axes; y grows upwards."""

    x: DrawnAxis
    y: DrawnAxis

    def named(self, name: AxisName) -> DrawnAxis:
        """Return one axis."""
        return self.x if name == "x" else self.y


def drawn_axes(family: PlotFamily[Any], case: PlotCase[Any]) -> DrawnAxes:
    """Lay out a case as for its picture and return the axes.

    Raises:
        PictureError: the case cannot be drawn.
    """
    from generators.plotchain.rendering import build_figure, pinned_style  # noqa: PLC0415 - loads Matplotlib

    try:
        with pinned_style():
            axes = build_figure(family, case).axes[0]
            box = axes.bbox
            limits = (
                (axes.get_xlim(), axes.get_xscale(), box.width),
                (axes.get_ylim(), axes.get_yscale(), box.height),
            )
        x, y = (
            DrawnAxis(low=float(low), high=float(high), length_px=float(length), is_log=scale == "log")
            for (low, high), scale, length in limits
        )
    except (ArithmeticError, ValueError) as error:
        raise PictureError(f"{family.name}: the axes cannot be laid out: {error}") from error
    return DrawnAxes(x=x, y=y)
