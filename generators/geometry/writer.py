"""Writing a suite into a folder: pictures, CSV files and, last, the manifest."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from generators.files import write_atomically
from generators.geometry.canvas import STANDARD_CANVAS
from generators.geometry.drawing import draw_grey, encode_png, pixels_sha256, rgb_rows
from generators.geometry.manifest import csv_text, manifest_entry, manifest_text
from generators.geometry.source import GeometrySource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generators.geometry.records import PictureRecord
    from generators.items import JsonValue

__all__ = ["write_suite"]


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
    text = manifest_text(entries, canvas=STANDARD_CANVAS, seed=seed)
    _write(folder / "manifest.yaml", text.encode())
    return len(entries)


def _write_picture(folder: Path, record: PictureRecord) -> dict[str, JsonValue]:
    rows = rgb_rows(draw_grey(record.dots, record.canvas))
    png = encode_png(rows)
    _write(folder / f"{record.id}.png", png)
    _write(folder / f"{record.id}.csv", csv_text(record).encode())
    return manifest_entry(record, image_sha256=hashlib.sha256(png).hexdigest(), pixels_sha256=pixels_sha256(rows))


def _write(path: Path, data: bytes) -> None:
    if not (path.is_file() and path.read_bytes() == data):
        write_atomically(path, data)
