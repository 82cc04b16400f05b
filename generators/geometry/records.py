"""One picture's record, generated or loaded, and the item made of it: parameters, truth and picture."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from generators.geometry.tasks import Task, case_id, final_fields, prompt_for
from generators.items import Item, JsonValue, Picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generators.geometry.layout import Canvas, Dot, Place

__all__ = ["PictureRecord", "image_item", "params_of", "task_item", "truth_of"]

_RANDOM = frozenset({"uniform_spots", "variable_spots"})
_REGULARITY = {"hexagonal": "REGULAR", "hexagonal_defects": "REGULAR", "hexagonal_perturbed": "PERTURBED"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRecord:
    """All that is known of one picture; lengths in micrometres.

    `pattern` is imagegen's name. `removed` is None when a picture has missing dots and its source does not say
    where. `seed` is the picture's own, None for pictures made elsewhere.
    """

    id: str
    image_class: str
    index: int
    pattern: str
    canvas: Canvas
    dots: tuple[Dot, ...]
    removed: tuple[Place, ...] | None
    spacing_um: float | None
    displacement_um: float | None
    settings: Mapping[str, float]
    seed: int | None


def truth_of(record: PictureRecord) -> dict[str, JsonValue]:
    """Return every quantity that a task asks for; None where it has no meaning or is unknown.

    `diameter_um` is set when all dots are equal, `smallest_diameter_um` and `largest_diameter_um` when not.
    """
    lattice = record.pattern in _REGULARITY
    return {
        "count": len(record.dots),
        "pattern": _pattern_name(record),
        "dots": [{**asdict(dot)} for dot in record.dots],
        **_diameters(record.dots),
        "spacing_um": record.spacing_um if record.pattern == "hexagonal" else None,
        "lattice_spacing_um": record.spacing_um,
        "regularity": _REGULARITY.get(record.pattern),
        **(_defects(record) if lattice else {}),
        "width_px": record.canvas.width_px,
        "height_px": record.canvas.height_px,
        "um_per_px": record.canvas.um_per_px,
    }


def _pattern_name(record: PictureRecord) -> str:
    if len(record.dots) <= 1:
        return "SINGLE" if record.dots else "EMPTY"
    return "RANDOM" if record.pattern in _RANDOM else "HEXAGONAL"


def _diameters(dots: Sequence[Dot]) -> dict[str, JsonValue]:
    sizes = {dot.diameter_um for dot in dots}
    several = len(sizes) > 1
    return {
        "diameter_um": max(sizes) if sizes and not several else None,
        "smallest_diameter_um": min(sizes) if several else None,
        "largest_diameter_um": max(sizes) if several else None,
    }


def _defects(record: PictureRecord) -> dict[str, JsonValue]:
    if record.removed is None:
        return {"has_defects": True, "missing_count": None, "extra_count": None, "missing_sites": None}
    extra = sum(dot.role == "noise" for dot in record.dots)
    return {
        "has_defects": bool(record.removed) or extra > 0,
        "missing_count": len(record.removed),
        "extra_count": extra,
        "missing_sites": [{**asdict(site)} for site in record.removed],
    }


def params_of(record: PictureRecord) -> dict[str, JsonValue]:
    """Return what the picture is drawn from."""
    return {
        "settings": {**record.settings},
        "pattern": record.pattern,
        "seed": record.seed,
        "displacement_um": record.displacement_um,
        "width_px": record.canvas.width_px,
        "height_px": record.canvas.height_px,
        "um_per_px": record.canvas.um_per_px,
        "dots": [[dot.x_um, dot.y_um, dot.diameter_um, dot.role] for dot in record.dots],
    }


def image_item(record: PictureRecord, picture: Picture) -> Item:
    """Make the item of a picture, with all its truth and no task; its family is the image class."""
    return Item(
        id=record.id,
        suite="geometry",
        family=record.image_class,
        index=record.index,
        difficulty=record.image_class.lower(),
        prompt="",
        truth=truth_of(record),
        final_fields=(),
        checkpoint_fields=(),
        params=params_of(record),
        picture=picture,
    )


def task_item(item: Item, task: Task) -> Item:
    """Make the item of one case: a picture's item asked one task, with its prompt and fields."""
    return replace(
        item,
        id=case_id(item.id, task),
        prompt=prompt_for(task, item.truth),
        final_fields=final_fields(task, item.truth),
        extra={**item.extra, "task": task, "image_id": item.id},
    )
