"""A suite's folder made by hand in the form that imagegen writes, without anything that only our writer adds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from generators.geometry.drawing import draw_grey, encode_png, rgb_rows
from generators.geometry.layout import STANDARD_CANVAS, Dot

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MANIFEST", "foreign_suite"]

MANIFEST = """\
# written by hand
version: 1.0.0
total_images: 4
image_width: 700
image_height: 510
scale_inverse: 0.14
images:
- filename: ctrl_empty.png
  class_name: CTRL
  pattern: empty
  spot_count: 0
- filename: usss_5spots.png
  class_name: USSS
  pattern: uniform_spots
  spot_count: 5
  csv_file: usss_5spots.csv
  spot_size: 3.0
  metadata:
    density: 5
    colours: [white, black]
- filename: hsfr_hex.png
  class_name: HSFR
  pattern: hexagonal
  csv_file: hsfr_hex.csv
- filename: 'hsdn_a.png'
  class_name: "HSDN"
  pattern: hexagonal_defects
  defect_rate: 0.1
  csv_file: hsdn_a.csv
"""


def foreign_suite(folder: Path) -> Path:
    """Write four pictures into the folder and return it."""
    spots = [(10.0 + 15 * place, 20.0 + 5 * place) for place in range(5)]
    pitch = 6 * math.sqrt(3)
    lattice = [(10.0 + 6 * (row % 2) + 12 * column, 10 + pitch * row) for row in range(3) for column in range(4)]
    for name, places in (
        ("ctrl_empty", []),
        ("usss_5spots", spots),
        ("hsfr_hex", lattice),
        ("hsdn_a", lattice[:-1]),
    ):
        dots = [Dot(x_um=x, y_um=y, diameter_um=3.0, role="spot") for x, y in places]
        (folder / f"{name}.png").write_bytes(encode_png(rgb_rows(draw_grey(dots, STANDARD_CANVAS))))
        if places:
            rows = [f"{x},{y},3.0" for x, y in places]
            (folder / f"{name}.csv").write_text("\r\n".join(["X_um,Y_um,Diameter_um", *rows, ""]))
    (folder / "manifest.yaml").write_text(MANIFEST)
    return folder
