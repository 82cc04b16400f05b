"""Writing a suite into a folder in imagegen's layout: pictures, CSV files and, last, `manifest.yaml`.

The manifest has imagegen's keys (`filename`, `class_name`, `pattern`, `spot_count`, `csv_file`, `spot_size`,
`defect_rate`, `noise_rate`) and, in the same maps, everything else that a picture is made of: seed, settings,
roles, removed sites, spacing, displacement, SHA-256 of the file and of its pixels. Lengths are micrometres,
rates percent; positions have their origin in the top left corner, y downwards.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from generators.files import write_atomically
from generators.geometry.drawing import DotPicture, encode_png
from generators.geometry.layout import STANDARD_CANVAS
from generators.geometry.source import GeometrySource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from generators.geometry.records import PictureRecord
    from generators.items import JsonValue

__all__ = ["write_suite"]

_FORMAT_VERSION = "1.0.0"
_CSV_HEADER = "X_um,Y_um,Diameter_um"


def write_suite(folder: Path, *, seed: int = 0, classes: Sequence[str] | None = None) -> int:
    """Write the suite of a seed in imagegen's layout, and return the number of pictures.

    Every file appears whole or not at all and the manifest last: a folder with a manifest is complete. Files
    that already hold the right bytes are left alone, so that an interrupted run is taken up where it stopped.

    Raises:
        ValueError: an unknown class.
        OSError: the folder cannot be written.
    """
    source = GeometrySource(seed=seed, classes=classes)
    entries = [_write_picture(folder, source.record(ref.id)) for ref in source.refs]
    _write(folder / "manifest.yaml", _manifest_text(entries, seed=seed).encode())
    return len(entries)


def _write_picture(folder: Path, record: PictureRecord) -> dict[str, JsonValue]:
    """Write a picture and its positions, and return its entry in the manifest."""
    rows = DotPicture(dots=record.dots, canvas=record.canvas).rows()
    png = encode_png(rows)
    _write(folder / f"{record.id}.png", png)
    _write(folder / f"{record.id}.csv", _csv_text(record).encode())
    sizes = {dot.diameter_um for dot in record.dots}
    entry: dict[str, JsonValue] = {
        "filename": f"{record.id}.png",
        "class_name": record.image_class,
        "pattern": record.pattern,
        "spot_count": len(record.dots),
        "csv_file": f"{record.id}.csv",
        "spot_size": sizes.pop() if len(sizes) == 1 else None,
        "defect_rate": record.settings.get("defect_percent"),
        "noise_rate": record.settings.get("noise_percent"),
        "seed": record.seed,
        "image_sha256": hashlib.sha256(png).hexdigest(),
        "pixels_sha256": hashlib.sha256(b"".join(rows)).hexdigest(),
        "spacing_um": record.spacing_um,
        "displacement_um": record.displacement_um,
        "settings": {**record.settings},
        "roles": [dot.role for dot in record.dots],
        "removed_sites": [[site.x_um, site.y_um] for site in record.removed or ()],
    }
    return {key: value for key, value in entry.items() if value is not None}


def _csv_text(record: PictureRecord) -> str:
    lines = [f"{dot.x_um:.3f},{dot.y_um:.3f},{dot.diameter_um:.3f}" for dot in record.dots]
    return "\n".join([_CSV_HEADER, *lines, ""])


def _manifest_text(entries: Sequence[Mapping[str, JsonValue]], *, seed: int) -> str:
    """Return the manifest as YAML, lists and maps inside an entry on one line each."""
    head: dict[str, JsonValue] = {
        "version": _FORMAT_VERSION,
        "total_images": len(entries),
        "image_width": STANDARD_CANVAS.width_px,
        "image_height": STANDARD_CANVAS.height_px,
        "scale_inverse": STANDARD_CANVAS.um_per_px,
        "suite_seed": seed,
    }
    lines = [*_lines(head, ("", "")), "images:" if entries else "images: []"]
    for entry in entries:
        lines += _lines(entry, ("- ", "  "))
    return "\n".join([*lines, ""])


def _lines(values: Mapping[str, JsonValue], leads: tuple[str, str]) -> Iterable[str]:
    first, later = leads
    for place, (key, value) in enumerate(values.items()):
        yield f"{later if place else first}{key}: {json.dumps(value)}"


def _write(path: Path, data: bytes) -> None:
    if not (path.is_file() and path.read_bytes() == data):
        write_atomically(path, data)
