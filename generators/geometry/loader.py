"""Loading a folder in imagegen's layout, ours or imagegen's own."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from generators.errors import ItemDataError, PictureError
from generators.geometry.arrangement import Place
from generators.geometry.canvas import Canvas
from generators.geometry.entry_checks import (
    EntryFault,
    fault,
    file_name,
    number,
    optional_number,
    text,
    whole,
)
from generators.geometry.positions_file import checked_dots, read_positions_file
from generators.geometry.records import PictureRecord, image_item
from generators.geometry.registry import IMAGE_CLASSES
from generators.geometry.spacing import nearest_distance_um
from generators.picture_file import FilePicture, read_inside
from generators.png import check_png

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generators.geometry.arrangement import Dot
    from generators.items import Item, JsonValue

__all__ = ["PATTERNS", "load_suite"]

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "CTRL": ("empty", "single_spot"),
    "USSS": ("uniform_spots",),
    "USDS": ("variable_spots",),
    "HSFR": ("hexagonal",),
    "HSRP": ("hexagonal_perturbed",),
    "HSDN": ("hexagonal_defects",),
}


_MANY = 2


def load_suite(folder: Path) -> list[Item]:
    """Load the pictures of a folder, in the manifest's order.

    Picture files are checked now, and read again when their bytes are asked for.

    Of pictures made elsewhere less is known: without `roles` and `removed_sites` HSDN has no counts of missing
    and extra spots; `spacing_um` of HSFR is then the distance of nearest neighbours in the CSV file. Without
    `csv_file` an entry may have no spot or one; of one the place is then unknown, and nothing but its count asked.

    Raises:
        ItemDataError: one line naming folder, entry, what was expected, what came and what to do.
    """
    manifest = _manifest(folder)
    canvas = _canvas(folder, manifest)
    items: dict[str, Item] = {}
    counts: dict[str, int] = {}
    for place, entry in enumerate(_entries(folder, manifest), start=1):
        name = entry.get("filename", f"number {place}")
        try:
            item = _item(folder, entry, canvas, counts)
            if item.id in items:
                raise fault("file names that differ", item.id, "rename one")
        except (EntryFault, PictureError) as problem:
            raise ItemDataError(f"{folder}: manifest.yaml, entry {name!r}: {problem}") from problem
        items[item.id] = item
    return list(items.values())


def _manifest(folder: Path) -> Mapping[str, JsonValue]:
    from generators.geometry.yaml_file import YamlError, read_yaml  # noqa: PLC0415 - PyYAML only where it reads

    try:
        content = read_yaml(read_inside(folder, "manifest.yaml").decode())
    except PictureError as error:
        raise ItemDataError(
            f"{folder}: expected a folder with manifest.yaml, got: {error}; name another"
        ) from error
    except (YamlError, UnicodeDecodeError) as error:
        raise ItemDataError(f"{folder}: manifest.yaml: {error}; mend the file") from error
    if not isinstance(content, dict):
        raise ItemDataError(
            f"{folder}: manifest.yaml: expected a mapping with `images`, got {content!r:.80}; mend it"
        )
    return content


def _canvas(folder: Path, manifest: Mapping[str, JsonValue]) -> Canvas:
    standard = Canvas()
    try:
        canvas = Canvas(
            width_px=whole(manifest, "image_width", standard.width_px),
            height_px=whole(manifest, "image_height", standard.height_px),
            um_per_px=number(manifest, "scale_inverse", standard.um_per_px),
        )
        if not (canvas.width_px and canvas.height_px and canvas.um_per_px):
            raise fault("image_width, image_height and scale_inverse above 0", canvas, "mend them")
    except EntryFault as problem:
        raise ItemDataError(f"{folder}: manifest.yaml: {problem}") from problem
    return canvas


def _entries(folder: Path, manifest: Mapping[str, JsonValue]) -> Sequence[Mapping[str, JsonValue]]:
    listed = manifest.get("images")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    if not isinstance(listed, list) or len(entries) != len(listed) or not entries:
        raise ItemDataError(
            f"{folder}: manifest.yaml: expected `images` as a list of mappings, got {listed!r:.80}; mend it"
        )
    total = manifest.get("total_images", len(entries))
    if total != len(entries):
        raise ItemDataError(
            f"{folder}: manifest.yaml: expected total_images {total!r} entries, got {len(entries)}; mend either"
        )
    return entries


def _item(folder: Path, entry: Mapping[str, JsonValue], canvas: Canvas, counts: dict[str, int]) -> Item:
    record = _record(folder, entry, canvas, counts)
    relative = file_name(entry, "filename")
    data = read_inside(folder, relative)
    _check_picture(data, entry, canvas)
    item = image_item(record, FilePicture(item_id=record.id, folder=folder, relative_path=relative))
    return _of_unknown_place(item) if entry.get("csv_file") is None and entry.get("spot_count") == 1 else item


def _of_unknown_place(item: Item) -> Item:
    """Return the item with the truth of one spot that no file places: its count and the picture's frame."""
    frame = {name: item.truth[name] for name in ("width_px", "height_px", "um_per_px")}
    return replace(item, truth={**dict.fromkeys(item.truth), **frame, "count": 1, "dots": []})


def _record(folder: Path, entry: Mapping[str, JsonValue], canvas: Canvas, counts: dict[str, int]) -> PictureRecord:
    image_id = PurePosixPath(file_name(entry, "filename")).stem
    image_class, pattern = _class_and_pattern(entry)
    dots = _dots(folder, entry, canvas)
    index = counts.get(image_class, 0)
    counts[image_class] = index + 1
    spacing = optional_number(entry, "spacing_um")
    if spacing is None and image_class == "HSFR":
        spacing = nearest_distance_um(dots)
    return PictureRecord(
        id=image_id,
        image_class=image_class,
        index=index,
        pattern=pattern,
        canvas=canvas,
        dots=dots,
        removed=_removed(entry, image_class),
        spacing_um=spacing,
        displacement_um=optional_number(entry, "displacement_um"),
        settings=_settings(entry),
        seed=whole(entry, "seed") if "seed" in entry else None,
    )


def _class_and_pattern(entry: Mapping[str, JsonValue]) -> tuple[str, str]:
    image_class, pattern = text(entry, "class_name"), text(entry, "pattern")
    if image_class not in IMAGE_CLASSES:
        raise fault(f"class_name out of {', '.join(IMAGE_CLASSES)}", image_class, "mend it")
    if pattern not in PATTERNS[image_class]:
        raise fault(f"pattern of {image_class} out of {', '.join(PATTERNS[image_class])}", pattern, "mend either")
    return image_class, pattern


def _dots(folder: Path, entry: Mapping[str, JsonValue], canvas: Canvas) -> tuple[Dot, ...]:
    if entry.get("csv_file") is None:
        if whole(entry, "spot_count", _MANY) > 1:
            raise fault("csv_file with the positions of the spots", None, "add it, or a spot_count of 0 or 1")
        return ()
    name = file_name(entry, "csv_file")
    dots = checked_dots(read_positions_file(folder, name), name, entry, canvas)
    count = whole(entry, "spot_count", len(dots))
    if count != len(dots):
        raise fault(f"spot_count {count} rows in {name}", len(dots), "mend either")
    return dots


def _removed(entry: Mapping[str, JsonValue], image_class: str) -> tuple[Place, ...] | None:
    listed = entry.get("removed_sites")
    if listed is None:
        return None if image_class == "HSDN" else ()
    rows = [site for site in listed if isinstance(site, list)] if isinstance(listed, list) else []
    places = [
        Place(x_um=float(x), y_um=float(y))
        for x, y in (row for row in rows if len(row) == len(("x", "y")))
        if isinstance(x, int | float) and isinstance(y, int | float)
    ]
    if not isinstance(listed, list) or len(places) != len(listed):
        raise fault("removed_sites as a list of [x, y] in um", listed, "mend it")
    return tuple(places)


def _settings(entry: Mapping[str, JsonValue]) -> dict[str, float]:
    settings = entry.get("settings") or {}
    if not isinstance(settings, dict):
        raise fault("settings as a mapping", settings, "mend it")
    return {key: number(settings, key) for key in settings}


def _check_picture(data: bytes, entry: Mapping[str, JsonValue], canvas: Canvas) -> None:
    try:
        size = check_png(data)
    except ValueError as error:
        raise EntryFault(f"picture: {error}; replace it") from error
    if (size.width, size.height) != (canvas.width_px, canvas.height_px):
        raise EntryFault(
            f"expected a picture of {canvas.width_px} x {canvas.height_px} pixels, "
            f"got {size.width} x {size.height}; replace it, or mend the manifest"
        )
    expected = entry.get("image_sha256")
    found = hashlib.sha256(data).hexdigest()
    if expected is not None and expected != found:
        raise fault(f"a picture of SHA-256 {expected}", found, "restore the file")
