"""Where the dots of a picture lie: canvas, dots, image classes, the hexagonal lattice and random placement."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.errors import ItemDataError
from generators.items import RepeatableDraws, item_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = [
    "BORDER_GAP_UM",
    "DECIMALS",
    "DOT_GAP_UM",
    "LATTICE_DOT_UM",
    "LATTICE_SPACINGS_UM",
    "MARGIN_UM",
    "MAX_TRIES",
    "STANDARD_CANVAS",
    "Arrangement",
    "Canvas",
    "Dot",
    "DotDraws",
    "ImageClass",
    "Lattice",
    "Place",
    "PlacementBox",
    "Role",
    "Settings",
    "Variant",
    "dots_at",
    "hexagonal_lattice",
    "image_seed",
    "place_dots",
    "repeated",
    "rounded",
]


BORDER_GAP_UM = 0.42
"""Least distance from a dot's edge to the picture's border: three pixels of black."""

DOT_GAP_UM = 0.42
"""Least distance between the edges of two dots: three pixels of black, so that blurred edges never touch."""

MARGIN_UM = 5.0
"""Lattice sites keep this distance to the border; with it the 12 um lattice has 45 sites, as published."""

LATTICE_DOT_UM = 3.0
"""Diameter of the dots of all lattice classes, noise dots included."""

LATTICE_SPACINGS_UM = (8, 12, 16)
"""Spacings of the standard suite's lattices."""

DECIMALS = 3
"""Positions are rounded to this many decimals of a micrometre (1/140 px) before anything is made of them."""

MAX_TRIES = 100_000
"""Positions tried for one dot before the request counts as impossible (the densest suite needs some dozens)."""

Role = Literal["spot", "lattice", "noise"]
Settings = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """Size in pixels and scale; origin in the top left corner, x to the right, y downwards.

    Pixel column i covers x from i to i + 1, in pixels: its centre lies at i + 0.5.
    """

    width_px: int = 700
    height_px: int = 510
    um_per_px: float = 0.14

    @property
    def width_um(self) -> float:
        """Width of the field of view in micrometres."""
        return self.width_px * self.um_per_px

    @property
    def height_um(self) -> float:
        """Height of the field of view in micrometres."""
        return self.height_px * self.um_per_px


STANDARD_CANVAS = Canvas()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A position in micrometres from the top left corner, y downwards."""

    x_um: float
    y_um: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A dot: centre and diameter in micrometres; `role` says whether it belongs to a lattice."""

    x_um: float
    y_um: float
    diameter_um: float
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """All dots of one picture in the order they were placed.

    `pattern` is imagegen's name for the arrangement. `removed` are the lattice sites whose dot was taken
    out; `spacing_um` is the lattice spacing, None without a lattice; `displacement_um` is the longest way
    that a dot was moved off its site.
    """

    pattern: str
    dots: tuple[Dot, ...]
    removed: tuple[Place, ...] = ()
    spacing_um: float | None = None
    displacement_um: float = 0.0


def rounded(x_um: float, y_um: float) -> Place:
    """Return the position as it is drawn, written and compared."""
    return Place(x_um=round(x_um, DECIMALS), y_um=round(y_um, DECIMALS))


def dots_at(places: Iterable[Place], *, diameter_um: float, role: Role) -> tuple[Dot, ...]:
    """Put equal dots at places."""
    return tuple(Dot(x_um=at.x_um, y_um=at.y_um, diameter_um=diameter_um, role=role) for at in places)


def image_seed(master_seed: int, image_class: str, image_id: str) -> int:
    """Derive a picture's own seed: `item_seed` of master seed, "geometry:" + class, and picture id.

    No picture's draws depend on another's: adding a class or a picture changes none.
    """
    return item_seed(master_seed, f"geometry:{image_class}", image_id)


class DotDraws(RepeatableDraws):
    """Random draws for one picture, from its own generator."""

    def ring(self, inner: float, outer: float) -> tuple[float, float]:
        """Return dx and dy uniform over the area of a ring around zero; no trigonometry, hence exact."""
        while True:
            dx, dy = self.uniform(-outer, outer), self.uniform(-outer, outer)
            if inner * inner <= dx * dx + dy * dy <= outer * outer:
                return dx, dy


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One picture of the standard suite: its id, and the settings it is arranged from (units in the names)."""

    id: str
    settings: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageClass:
    """An image class: `arrange` makes the dots from settings and the picture's own draws.

    `patterns` are imagegen's names for its arrangements.
    """

    name: str
    patterns: tuple[str, ...]
    variants: tuple[Variant, ...]
    arrange: Callable[[Settings, DotDraws], Arrangement]


def repeated(stem: str, times: int, settings: Settings) -> tuple[Variant, ...]:
    """Return variants with equal settings, named `<stem>_wb`, `<stem>_v2_wb`, `<stem>_v3_wb`, ..."""
    names = [f"{stem}_wb", *(f"{stem}_v{number}_wb" for number in range(2, times + 1))]
    return tuple(Variant(id=name, settings=settings) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """All sites, row by row from the top left; `interior` are those with all six neighbours."""

    spacing_um: float
    sites: tuple[Place, ...]
    interior: tuple[Place, ...]


def hexagonal_lattice(spacing_um: float, draws: DotDraws) -> Lattice:
    """Lay the lattice inside the margin, at a random place among those that change no count.

    The count is that of a lattice begun in the corner of the margin (104, 45 and 30 sites for 8, 12 and 16 um);
    what is left over to the right and below is shared out at random.
    """
    pitch = spacing_um * math.sqrt(3) / 2
    rows = _fitting(STANDARD_CANVAS.height_um - 2 * MARGIN_UM, pitch)
    room = STANDARD_CANVAS.width_um - 2 * MARGIN_UM
    lengths = [_fitting(room - _shift(row, spacing_um), spacing_um) for row in range(rows)]
    right = max(_shift(row, spacing_um) + (length - 1) * spacing_um for row, length in enumerate(lengths))
    left = MARGIN_UM + draws.uniform(0, max(0.0, room - right))
    top = MARGIN_UM + draws.uniform(0, STANDARD_CANVAS.height_um - 2 * MARGIN_UM - (rows - 1) * pitch)
    grid = {
        (row, column): rounded(left + _shift(row, spacing_um) + column * spacing_um, top + row * pitch)
        for row, length in enumerate(lengths)
        for column in range(length)
    }
    interior = tuple(site for at, site in grid.items() if all(near in grid for near in _neighbours(*at)))
    return Lattice(spacing_um=spacing_um, sites=tuple(grid.values()), interior=interior)


def _fitting(room: float, step: float) -> int:
    """Return how many points `step` apart fit into a stretch, both ends included."""
    return math.floor(room / step + 1e-9) + 1


def _shift(row: int, spacing_um: float) -> float:
    return spacing_um / 2 if row % 2 else 0.0


def _neighbours(row: int, column: int) -> tuple[tuple[int, int], ...]:
    left = column - 1 + row % 2
    next_rows = ((row + step, left + side) for step in (-1, 1) for side in (0, 1))
    return ((row, column - 1), (row, column + 1), *next_rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementBox:
    """Where centres may lie, in micrometres, bounds inclusive."""

    left_um: float
    right_um: float
    top_um: float
    bottom_um: float


def _whole_dot_box(diameter_um: float) -> PlacementBox:
    """Return where a dot's centre may lie so that the border does not cut it."""
    reach = diameter_um / 2 + BORDER_GAP_UM
    return PlacementBox(
        left_um=reach,
        right_um=STANDARD_CANVAS.width_um - reach,
        top_um=reach,
        bottom_um=STANDARD_CANVAS.height_um - reach,
    )


def place_dots(
    draws: DotDraws,
    diameters_um: Sequence[float],
    *,
    role: Role,
    box: PlacementBox | None = None,
    keep_off: Sequence[Place] = (),
    clearance_um: float = 0.0,
) -> tuple[Dot, ...]:
    """Place one dot for each diameter, largest first, uniformly over what is still free.

    Args:
        draws: the picture's generator.
        diameters_um: diameters in micrometres.
        role: role of all the dots.
        box: where centres may lie; the whole picture without it.
        keep_off: places that centres keep away from (lattice sites).
        clearance_um: how far they keep away.

    Raises:
        ItemDataError: there is no room for that many dots.
    """
    placed: list[Dot] = []
    for diameter in sorted(diameters_um, reverse=True):
        allowed = box or _whole_dot_box(diameter)
        for _ in range(MAX_TRIES):
            at = _random_place(draws, allowed)
            if _is_free(at, diameter, placed) and all(_apart(at, site, clearance_um) for site in keep_off):
                placed.append(Dot(x_um=at.x_um, y_um=at.y_um, diameter_um=diameter, role=role))
                break
        else:
            raise ItemDataError(
                f"expected room for a dot of {diameter} um beside {len(placed)} others, found none in "
                f"{MAX_TRIES} tries; ask for fewer or smaller dots"
            )
    return tuple(placed)


def _random_place(draws: DotDraws, box: PlacementBox) -> Place:
    return rounded(draws.uniform(box.left_um, box.right_um), draws.uniform(box.top_um, box.bottom_um))


def _is_free(at: Place, diameter_um: float, placed: Sequence[Dot]) -> bool:
    return all(_apart(at, dot, (diameter_um + dot.diameter_um) / 2 + DOT_GAP_UM) for dot in placed)


def _apart(at: Place, other: Dot | Place, least: float) -> bool:
    dx, dy = at.x_um - other.x_um, at.y_um - other.y_um
    return dx * dx + dy * dy >= least * least
