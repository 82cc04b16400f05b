"""Writing a suite's manifest and CSV files in imagegen's layout.

`manifest.yaml` has imagegen's keys (`filename`, `class_name`, `pattern`, `spot_count`, `csv_file`, `spot_size`,
`defect_rate`, `noise_rate`) and, in the same maps, everything else that a picture is made of: seed, settings,
roles, removed sites, spacing, displacement, SHA-256 of the file and of its pixels. Lengths are micrometres,
rates percent.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generators.geometry.canvas import Canvas
    from generators.geometry.records import PictureRecord
    from generators.items import JsonValue

__all__ = ["CSV_HEADER", "FORMAT_VERSION", "csv_text", "manifest_entry", "manifest_text"]

FORMAT_VERSION = "1.0.0"

CSV_HEADER = "X_um,Y_um,Diameter_um"


def csv_text(record: PictureRecord) -> str:
    """Return a picture's CSV: one line for each dot; origin in the top left corner, y downwards."""
    lines = [f"{dot.x_um:.3f},{dot.y_um:.3f},{dot.diameter_um:.3f}" for dot in record.dots]
    return "\n".join([CSV_HEADER, *lines, ""])


def manifest_entry(record: PictureRecord, *, image_sha256: str, pixels_sha256: str) -> dict[str, JsonValue]:
    """Return a picture's entry."""
    sizes = {dot.diameter_um for dot in record.dots}
    removed = record.removed or ()
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
        "image_sha256": image_sha256,
        "pixels_sha256": pixels_sha256,
        "spacing_um": record.spacing_um,
        "displacement_um": record.displacement_um,
        "settings": {**record.settings},
        "roles": [dot.role for dot in record.dots],
        "removed_sites": [[site.x_um, site.y_um] for site in removed],
    }
    return {key: value for key, value in entry.items() if value is not None}


def manifest_text(entries: Sequence[Mapping[str, JsonValue]], *, canvas: Canvas, seed: int) -> str:
    """Return the manifest as YAML, lists and maps inside an entry on one line each."""
    head: dict[str, JsonValue] = {
        "version": FORMAT_VERSION,
        "total_images": len(entries),
        "image_width": canvas.width_px,
        "image_height": canvas.height_px,
        "scale_inverse": canvas.um_per_px,
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
