"""The image classes, one module each, in the order of the suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.geometry.classes.ctrl import CTRL
from generators.geometry.classes.hsdn import HSDN
from generators.geometry.classes.hsfr import HSFR
from generators.geometry.classes.hsrp import HSRP
from generators.geometry.classes.usds import USDS
from generators.geometry.classes.usss import USSS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.geometry.layout import ImageClass

__all__ = ["IMAGE_CLASSES", "class_named"]


IMAGE_CLASSES: Mapping[str, ImageClass] = {
    image_class.name: image_class for image_class in (CTRL, USSS, USDS, HSFR, HSRP, HSDN)
}


def class_named(name: str) -> ImageClass:
    """Return an image class by its name.

    Raises:
        ValueError: there is no such class; the message lists those there are.
    """
    if name not in IMAGE_CLASSES:
        raise ValueError(f"expected an image class out of {', '.join(IMAGE_CLASSES)}, got {name!r}")
    return IMAGE_CLASSES[name]
