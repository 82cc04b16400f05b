"""Loading a suite's folder in imagegen's layout, ours or imagegen's own: `manifest.yaml`, pictures and positions.

Positions are CSV files with the columns `X_um`, `Y_um`, `Diameter_um`, in micrometres from the top left corner, y
downwards. Every fault is one line that names folder, entry, what was expected, what came and what to do.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import re
import reprlib
import statistics
import sys
from collections import Counter
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, cast, get_args

import yaml

from generators.errors import ItemDataError, PictureError
from generators.files import FilePicture, read_inside
from generators.geometry.classes import IMAGE_CLASSES
from generators.geometry.layout import STANDARD_CANVAS, Canvas, Dot, Place, Role
from generators.geometry.records import PictureRecord, image_item
from generators.png import check_png

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generators.items import Item, JsonValue

    Entry = Mapping[str, JsonValue]

__all__ = ["MAX_DOTS", "load_suite", "read_yaml"]

MAX_DOTS = 10_000
"""Position files with more rows than this are refused."""

_COLUMNS = ("X_um", "Y_um", "Diameter_um")
_ROLES = get_args(Role)
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_UNKNOWN_COUNT = 2
_MAX_DEPTH = 16
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


class _EntryError(ValueError):
    """One fault: what was expected, what came, what to do; without folder and entry."""


def load_suite(folder: Path) -> list[Item]:
    """Load the pictures of a folder, in the manifest's order.

    Picture files are checked now, and read again when their bytes are asked for.

    Of pictures made elsewhere less is known: without `roles` and `removed_sites` HSDN has no counts of missing
    and extra spots; `spacing_um` of HSFR is then the distance of nearest neighbours in the CSV file. Without
    `csv_file` an entry may have no spot or one; of one the place is then unknown, and nothing but its count asked.

    Raises:
        ItemDataError: one line naming folder, entry, what was expected, what came and what to do.
    """
    where = f"{folder}: manifest.yaml"
    items: dict[str, Item] = {}
    counts: Counter[str] = Counter()
    try:
        manifest = _manifest(folder)
        canvas = _canvas(manifest)
        for place, entry in enumerate(_entries(manifest), start=1):
            where = f"{folder}: manifest.yaml, entry {entry.get('filename', f'number {place}')!r}"
            item = _item(folder, entry, canvas, counts)
            if item.id in items:
                raise _fault("file names that differ", item.id, "rename one")
            items[item.id] = item
    except (_EntryError, PictureError) as problem:
        raise ItemDataError(f"{where}: {problem}") from problem
    return list(items.values())


def _manifest(folder: Path) -> Entry:
    try:
        content = read_yaml(read_inside(folder, "manifest.yaml").decode())
    except PictureError as error:
        problem = f"expected a folder with manifest.yaml, got: {error}; name another"
        raise ItemDataError(f"{folder}: {problem}") from error
    except ValueError as error:
        raise _EntryError(f"{error}; mend the file") from error
    if not isinstance(content, dict):
        raise _fault("a mapping with `images`", content, "mend it")
    return content


def _canvas(manifest: Entry) -> Canvas:
    canvas = Canvas(
        width_px=_whole(manifest, "image_width", STANDARD_CANVAS.width_px),
        height_px=_whole(manifest, "image_height", STANDARD_CANVAS.height_px),
        um_per_px=_number(manifest, "scale_inverse", STANDARD_CANVAS.um_per_px),
    )
    if not (canvas.width_px and canvas.height_px and canvas.um_per_px):
        raise _fault("image_width, image_height and scale_inverse above 0", canvas, "mend them")
    return canvas


def _entries(manifest: Entry) -> Sequence[Entry]:
    listed = manifest.get("images")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    if not isinstance(listed, list) or len(entries) != len(listed) or not entries:
        raise _fault("`images` as a list of mappings", listed, "mend it")
    total = manifest.get("total_images", len(entries))
    if total != len(entries):
        raise _fault(f"total_images {total!r} entries", len(entries), "mend either")
    return entries


def _item(folder: Path, entry: Entry, canvas: Canvas, counts: Counter[str]) -> Item:
    relative = _file_name(entry, "filename")
    record = _record(folder, entry, canvas, counts)
    _check_picture(read_inside(folder, relative), entry, canvas)
    item = image_item(record, FilePicture(item_id=record.id, folder=folder, relative_path=relative))
    return _of_unknown_place(item) if entry.get("csv_file") is None and entry.get("spot_count") == 1 else item


def _of_unknown_place(item: Item) -> Item:
    """Return the item with the truth of one spot that no file places: its count and the picture's frame."""
    frame = {name: item.truth[name] for name in ("width_px", "height_px", "um_per_px")}
    return replace(item, truth={**dict.fromkeys(item.truth), **frame, "count": 1, "dots": []})


def _record(folder: Path, entry: Entry, canvas: Canvas, counts: Counter[str]) -> PictureRecord:
    image_class, pattern = _class_and_pattern(entry)
    dots = _dots(folder, entry, canvas)
    counts[image_class] += 1
    spacing = _optional_number(entry, "spacing_um")
    if spacing is None and image_class == "HSFR":
        spacing = _nearest_distance_um(dots)
    return PictureRecord(
        id=PurePosixPath(_file_name(entry, "filename")).stem,
        image_class=image_class,
        index=counts[image_class] - 1,
        pattern=pattern,
        canvas=canvas,
        dots=dots,
        removed=_removed(entry, image_class),
        spacing_um=spacing,
        displacement_um=_optional_number(entry, "displacement_um"),
        settings=_settings(entry),
        seed=_whole(entry, "seed") if "seed" in entry else None,
    )


def _class_and_pattern(entry: Entry) -> tuple[str, str]:
    image_class, pattern = _text(entry, "class_name"), _text(entry, "pattern")
    if image_class not in IMAGE_CLASSES:
        raise _fault(f"class_name out of {', '.join(IMAGE_CLASSES)}", image_class, "mend it")
    patterns = IMAGE_CLASSES[image_class].patterns
    if pattern not in patterns:
        raise _fault(f"pattern of {image_class} out of {', '.join(patterns)}", pattern, "mend either")
    return image_class, pattern


def _dots(folder: Path, entry: Entry, canvas: Canvas) -> tuple[Dot, ...]:
    if entry.get("csv_file") is None:
        if _whole(entry, "spot_count", _UNKNOWN_COUNT) > 1:
            raise _fault("csv_file with the positions of the spots", None, "add it, or a spot_count of 0 or 1")
        return ()
    name = _file_name(entry, "csv_file")
    rows = _positions(folder, name, canvas)
    roles = _roles(entry, len(rows))
    count = _whole(entry, "spot_count", len(rows))
    if count != len(rows):
        raise _fault(f"spot_count {count} rows in {name}", len(rows), "mend either")
    return tuple(
        Dot(x_um=x, y_um=y, diameter_um=diameter, role=role)
        for (x, y, diameter), role in zip(rows, roles, strict=True)
    )


def _positions(folder: Path, name: str, canvas: Canvas) -> list[tuple[float, float, float]]:
    """Read x, y and diameter of each row; columns beyond the three are ignored."""
    try:
        content = read_inside(folder, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _EntryError(f"{name}: expected text, got {error}; replace the file") from error
    reader = csv.reader(io.StringIO(content, newline=""))
    header = [cell.strip() for cell in next(reader, [])]
    if any(column not in header for column in _COLUMNS):
        raise _fault(f"the columns {', '.join(_COLUMNS)} in {name}", header, "mend the header")
    places = [header.index(column) for column in _COLUMNS]
    rows = [_row(row, places, f"line {reader.line_num} of {name}") for row in reader if row]
    if len(rows) > MAX_DOTS:
        raise _fault(f"at most {MAX_DOTS} rows in {name}", len(rows), "name a smaller picture")
    size = f"{canvas.width_um:g} x {canvas.height_um:g} um"
    for line, (x, y, _) in enumerate(rows, start=2):
        if not (0 <= x <= canvas.width_um and 0 <= y <= canvas.height_um):
            raise _fault(f"a centre within {size} in row {line} of {name}", (x, y), "mend the row, or the scale")
    return rows


def _row(cells: Sequence[str], places: Sequence[int], where: str) -> tuple[float, float, float]:
    try:
        x, y, diameter = (float(cells[place]) for place in places)
    except (ValueError, IndexError):
        raise _fault(f"three numbers in {where}", cells, "mend the line") from None
    if not all(map(math.isfinite, (x, y, diameter))) or diameter <= 0:
        raise _fault(f"finite numbers and a diameter above 0 in {where}", cells, "mend the line")
    return x, y, diameter


def _roles(entry: Entry, count: int) -> list[Role]:
    """Return each dot's role; by default all are of the lattice where there is one."""
    default = "lattice" if _text(entry, "class_name").startswith("HS") else "spot"
    listed = entry.get("roles", [default] * count)
    if not isinstance(listed, list) or len(listed) != count or not all(role in _ROLES for role in listed):
        raise _fault(f"roles as {count} of {', '.join(_ROLES)}", listed, "mend them")
    return cast("list[Role]", listed)


def _nearest_distance_um(dots: Sequence[Dot]) -> float | None:
    """Return the median distance from a dot to its nearest neighbour, rounded to 0.01 um; None below two dots."""
    nearest = [
        min(math.hypot(dot.x_um - other.x_um, dot.y_um - other.y_um) for other in dots if other is not dot)
        for dot in dots
        if len(dots) > 1
    ]
    return round(statistics.median(nearest), 2) if nearest else None


def _removed(entry: Entry, image_class: str) -> tuple[Place, ...] | None:
    listed = entry.get("removed_sites")
    if listed is None:
        return None if image_class == "HSDN" else ()
    if not isinstance(listed, list) or not all(map(_is_site, listed)):
        raise _fault("removed_sites as a list of [x, y] in um", listed, "mend it")
    return tuple(Place(x_um=float(x), y_um=float(y)) for x, y in cast("list[list[float]]", listed))


def _is_site(value: JsonValue) -> bool:
    return isinstance(value, list) and [isinstance(part, int | float) for part in value] == [True, True]


def _settings(entry: Entry) -> dict[str, float]:
    settings = entry.get("settings") or {}
    if not isinstance(settings, dict):
        raise _fault("settings as a mapping", settings, "mend it")
    return {key: _number(settings, key) for key in settings}


def _check_picture(data: bytes, entry: Entry, canvas: Canvas) -> None:
    try:
        size = check_png(data)
    except ValueError as error:
        raise _EntryError(f"picture: {error}; replace it") from error
    if (size.width, size.height) != (canvas.width_px, canvas.height_px):
        raise _EntryError(
            f"expected a picture of {canvas.width_px} x {canvas.height_px} pixels, "
            f"got {size.width} x {size.height}; replace it, or mend the manifest"
        )
    expected, found = entry.get("image_sha256"), hashlib.sha256(data).hexdigest()
    if expected is not None and expected != found:
        raise _fault(f"a picture of SHA-256 {expected}", found, "restore the file")


def _fault(expected: str, got: object, remedy: str) -> _EntryError:
    return _EntryError(f"expected {expected}, got {reprlib.repr(got)}; {remedy}")


def _text(entry: Entry, key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _fault(f"{key} as a text", value, "add it")
    return value


def _file_name(entry: Entry, key: str) -> str:
    """Return a path relative to the folder, of plain names, that stays in it."""
    value = _text(entry, key)
    if not all(_SAFE_NAME.fullmatch(part) for part in value.split("/")):
        expected = f"{key} as a path inside the folder, of letters, digits, '_', '-' and '.'"
        raise _fault(expected, value, "rename the file")
    return value


def _optional_number(entry: Entry, key: str) -> float | None:
    return None if entry.get(key) is None else _number(entry, key)


def _number(entry: Entry, key: str, default: float | None = None) -> float:
    value = entry.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= sys.float_info.max:
        raise _fault(f"{key} as a number of at least 0", value, "mend it")
    return value


def _whole(entry: Entry, key: str, default: int | None = None) -> int:
    value = entry.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _fault(f"{key} as a whole number of at least 0", value, "mend it")
    return value


class _ManifestLoader(yaml.SafeLoader):
    """Builds dictionaries, lists, texts, numbers, booleans and None, and nothing else.

    An alias could make a small file huge, a date would be an object, of a repeated key one value would be lost.
    """

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _refused("found an alias", event)
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _refused(f"found more than {_MAX_DEPTH} levels", event)
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                raise _refused(f"found the key {key.value!r} twice", key)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep=deep)


def _refused(problem: str, at: Any) -> yaml.MarkedYAMLError:  # noqa: ANN401
    return yaml.MarkedYAMLError(problem=problem, problem_mark=at.start_mark)


_ManifestLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text: str) -> JsonValue:
    """Return the value of a YAML document that holds only what a manifest has need of.

    Raises:
        ValueError: it is not well formed, or holds an alias, a tag, a key twice, a number that is not finite, or
            more than 16 levels; the message is one line and names the place.
    """
    try:
        value: JsonValue = yaml.load(text, Loader=_ManifestLoader)  # noqa: S506 - a SafeLoader with less
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(_one_line(error)) from error
    if not _is_finite(value):
        raise ValueError("found a number that is not finite")
    return value


def _one_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    place = "" if mark is None else f"line {mark.line + 1}: "
    return place + " ".join(str(getattr(error, "problem", None) or error).split())


def _is_finite(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)
