"""The same plots in another style: other dots per inch, font size, curve colour, file format."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from cycler import cycler
from PIL import Image

from generators.plotchain.family import Case
from generators.plotchain.registry import edition_named
from generators.plotchain.rendering import build_figure, pinned_style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import Item

__all__ = ["STYLES", "Style", "restyled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What differs from the usual picture; `jpeg_quality` None for PNG."""

    dpi: int = 160
    jpeg_quality: int | None = None
    settings: Mapping[Any, Any] = field(default_factory=dict)


STYLES: Mapping[str, Style] = {
    "as drawn": Style(),
    "100 dpi": Style(dpi=100),
    "130 dpi": Style(dpi=130),
    "200 dpi": Style(dpi=200),
    "12 pt": Style(settings={"font.size": 12}),
    "8 pt": Style(settings={"font.size": 8}),
    "red curve": Style(settings={"axes.prop_cycle": cycler(color=["#c81e28", "#2ca02c"])}),
    "green curve": Style(settings={"axes.prop_cycle": cycler(color=["#1a7a3a", "#9467bd"])}),
    "jpeg 90": Style(jpeg_quality=90),
}


def restyled(item: Item, style: Style) -> bytes:
    """Draw an item in another style and return the file's bytes, cropped as usual."""
    picture: Any = item.picture
    family = edition_named("v4").family(item.family)
    case: Case[Any] = Case(params=family.restore(picture.params), difficulty=picture.difficulty, seed=picture.seed)
    content = io.BytesIO()
    with pinned_style(), mpl.rc_context(dict(style.settings)):
        build_figure(family, case).savefig(content, format="png", dpi=style.dpi, bbox_inches="tight")
    if style.jpeg_quality is None:
        return content.getvalue()
    jpeg = io.BytesIO()
    Image.open(content).convert("RGB").save(jpeg, format="JPEG", quality=style.jpeg_quality)
    return jpeg.getvalue()
