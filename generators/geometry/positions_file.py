"""A picture's positions: CSV with the columns `X_um`, `Y_um`, `Diameter_um`, in micrometres."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from generators.geometry.arrangement import Dot
from generators.geometry.entry_checks import EntryFault, fault
from generators.picture_file import read_inside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generators.geometry.arrangement import Role
    from generators.geometry.canvas import Canvas
    from generators.items import JsonValue

__all__ = ["COLUMNS", "MAX_DOTS", "Row", "checked_dots", "read_positions_file"]

COLUMNS = ("X_um", "Y_um", "Diameter_um")
MAX_DOTS = 10_000
"""More rows than this are refused."""

Row = tuple[float, float, float]

_ROLES: Mapping[str, Role] = {"spot": "spot", "lattice": "lattice", "noise": "noise"}


def read_positions_file(folder: Path, name: str) -> list[Row]:
    """Read x, y and diameter of each row; columns beyond the three are ignored.

    Raises:
        EntryFault: another header, a cell that is no number, too many rows; the message names file and line.
        PictureError: the file is missing or unreadable.
    """
    try:
        content = read_inside(folder, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EntryFault(f"{name}: expected text, got {error}; replace the file") from error
    reader = csv.reader(io.StringIO(content, newline=""))
    header = [cell.strip() for cell in next(reader, [])]
    if any(column not in header for column in COLUMNS):
        raise fault(f"the columns {', '.join(COLUMNS)} in {name}", header, "mend the header")
    places = [header.index(column) for column in COLUMNS]
    rows = [_row(row, places, name, reader.line_num) for row in reader if row]
    if len(rows) > MAX_DOTS:
        raise fault(f"at most {MAX_DOTS} rows in {name}", len(rows), "name a smaller picture")
    return rows


def _row(cells: Sequence[str], places: Sequence[int], name: str, line: int) -> Row:
    try:
        x, y, diameter = (float(cells[place]) for place in places)
    except (ValueError, IndexError):
        raise fault(f"three numbers in line {line} of {name}", cells, "mend the line") from None
    if not all(math.isfinite(value) for value in (x, y, diameter)) or diameter <= 0:
        raise fault(f"finite numbers and a diameter above 0 in line {line} of {name}", cells, "mend the line")
    return x, y, diameter


def checked_dots(
    rows: Sequence[Row], name: str, entry: Mapping[str, JsonValue], canvas: Canvas
) -> tuple[Dot, ...]:
    """Make dots of rows, with the roles that the entry gives (by default: of the lattice where there is one).

    Raises:
        EntryFault: a centre outside the picture, or roles that do not fit the rows.
    """
    for line, (x, y, _) in enumerate(rows, start=2):
        if not (0 <= x <= canvas.width_um and 0 <= y <= canvas.height_um):
            raise fault(
                f"a centre within {canvas.width_um:g} x {canvas.height_um:g} um in row {line} of {name}",
                (x, y),
                "mend the row, or the scale",
            )
    default = "lattice" if str(entry.get("class_name")).startswith("HS") else "spot"
    listed = entry.get("roles", [default] * len(rows))
    roles = (
        [_ROLES[role] for role in listed if isinstance(role, str) and role in _ROLES]
        if isinstance(listed, list)
        else []
    )
    if not isinstance(listed, list) or not len(roles) == len(listed) == len(rows):
        raise fault(f"roles as {len(rows)} of {', '.join(_ROLES)}", listed, "mend them")
    return tuple(
        Dot(x_um=x, y_um=y, diameter_um=diameter, role=role)
        for (x, y, diameter), role in zip(rows, roles, strict=True)
    )
