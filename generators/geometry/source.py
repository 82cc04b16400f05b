"""Pictures of a suite, listed without making them and made one by one on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.geometry.classes import IMAGE_CLASSES, class_named
from generators.geometry.drawing import DotPicture
from generators.geometry.layout import STANDARD_CANVAS, DotDraws, image_seed
from generators.geometry.records import PictureRecord, image_item
from generators.geometry.tasks import CLASS_TASKS, Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generators.items import Item

__all__ = ["GeometrySource", "ImageRef", "list_images", "make_record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRef:
    """What is known of a picture before it is made.

    `difficulty` is the image class in lower case; `index` counts within the class; `tasks` are those of its cases.
    """

    id: str
    family: str
    index: int
    difficulty: str
    tasks: tuple[Task, ...]


def list_images(classes: Sequence[str] | None = None) -> list[ImageRef]:
    """List the standard suite's pictures: classes in the order of the suite, then by index.

    Every seed has the same ids; another seed is another, never published suite.

    Args:
        classes: names of image classes; all without it.

    Raises:
        ValueError: an unknown class.
    """
    chosen = list(IMAGE_CLASSES) if classes is None else [class_named(name).name for name in classes]
    return [
        ImageRef(
            id=variant.id,
            family=name,
            index=index,
            difficulty=name.lower(),
            tasks=tuple(
                task for task in CLASS_TASKS[name] if task != "LOCATE" or variant.settings.get("count") != 0
            ),
        )
        for name in IMAGE_CLASSES
        if name in chosen
        for index, variant in enumerate(IMAGE_CLASSES[name].variants)
    ]


def make_record(
    image_class: str, image_id: str, settings: Mapping[str, float], *, seed: int, index: int = 0
) -> PictureRecord:
    """Arrange one picture from its settings and its own seed.

    Raises:
        ValueError: an unknown class.
        ItemDataError: there is no room for the dots that the settings ask for.
    """
    arrangement = class_named(image_class).arrange(settings, DotDraws(seed))
    return PictureRecord(
        id=image_id,
        image_class=image_class,
        index=index,
        pattern=arrangement.pattern,
        canvas=STANDARD_CANVAS,
        dots=arrangement.dots,
        removed=arrangement.removed,
        spacing_um=arrangement.spacing_um,
        displacement_um=arrangement.displacement_um,
        settings=settings,
        seed=seed,
    )


class GeometrySource:
    """A suite's pictures for one master seed; any whole number is a suite of its own.

    Making one is deterministic and independent of the order of requests and of every other picture.
    """

    def __init__(self, *, seed: int = 0, classes: Sequence[str] | None = None) -> None:
        self.seed = seed
        self.refs = list_images(classes)
        self._refs = {ref.id: ref for ref in self.refs}

    def __len__(self) -> int:
        return len(self.refs)

    def __iter__(self) -> Iterator[Item]:
        return (self.item(ref.id) for ref in self.refs)

    def record(self, image_id: str) -> PictureRecord:
        """Arrange one picture.

        Raises:
            KeyError: no picture has this id.
        """
        if image_id not in self._refs:
            raise KeyError(f"no geometry picture {image_id!r} among {len(self.refs)}")
        ref = self._refs[image_id]
        variant = IMAGE_CLASSES[ref.family].variants[ref.index]
        return make_record(
            ref.family,
            ref.id,
            variant.settings,
            seed=image_seed(self.seed, ref.family, ref.id),
            index=ref.index,
        )

    def item(self, image_id: str) -> Item:
        """Make the item of one picture; it is drawn only when the bytes are asked for.

        Raises:
            KeyError: no picture has this id.
        """
        record = self.record(image_id)
        return image_item(record, DotPicture(dots=record.dots, canvas=record.canvas))
