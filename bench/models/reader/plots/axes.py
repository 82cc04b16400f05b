"""The axes: the box of dark spines, the tick marks on it, and the scale that its labels agree on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, overload

import numpy as np

from bench.models.reader.picture import runs_of, weighted_mean
from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.models.reader.picture import DecodedImage, FloatArray, MaskArray

__all__ = ["AxesBox", "AxisScale", "FoundTicks", "Spine", "TickLabel", "find_box", "find_scale", "find_ticks"]

DARKEST = 128
DARKER = 80
MOST_COLOUR = 40
SPINE_SHARE = 0.5
THICKEST_PX = 12

DARK = 0.4
MOST_LENGTH_PX = 40
LEAST_LENGTH_PX = 3
MAJOR_SHARE = 0.8
MINOR_SHARE = (0.4, 0.75)
WIDEST_SHARE = 0.6

TOLERANCE_PX = 1.6
MINOR_TOLERANCE_PX = 1.5
LEAST_AGREEING = 0.6
SHORTEST_PX = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spine:
    """A straight dark line: first and last pixel across it, and its centre."""

    first: int
    last: int

    @property
    def centre(self) -> float:
        """Middle of the line, in pixel indices."""
        return (self.first + self.last) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AxesBox:
    """The four spines, in pixel indices of the picture (row 0 on top)."""

    left: Spine
    right: Spine
    top: Spine
    bottom: Spine

    @property
    def inside(self) -> tuple[slice, slice]:
        """Rows and columns between the spines."""
        return slice(self.top.last + 1, self.bottom.first), slice(self.left.last + 1, self.right.first)

    @property
    def width_px(self) -> float:
        """Distance between the side spines' centres."""
        return self.right.centre - self.left.centre

    @property
    def height_px(self) -> float:
        """Distance between the upper and lower spines' centres."""
        return self.bottom.centre - self.top.centre


def find_box(picture: DecodedImage) -> AxesBox:
    """Find the one box that dark neutral lines make.

    Lines across the whole axes that are greyer than the spines, such as those through zero, are no sides.

    Raises:
        CannotReadError: there is no box, or more than one pair of lines could be its sides.
    """
    rows, columns = _long_lines(picture, DARKEST)
    if min(len(rows), len(columns)) >= 2 and len(rows) + len(columns) > 4:  # noqa: PLR2004
        rows, columns = _long_lines(picture, DARKER)
    if len(rows) != 2 or len(columns) != 2:  # noqa: PLR2004 - two and two make a box
        raise CannotReadError(
            f"no axes box: {len(rows)} long horizontal and {len(columns)} long vertical dark lines"
        )
    box = AxesBox(left=columns[0], right=columns[1], top=rows[0], bottom=rows[1])
    thickest = max(spine.last - spine.first + 1 for spine in (*rows, *columns))
    if thickest > THICKEST_PX or min(box.width_px, box.height_px) < 4 * THICKEST_PX:
        raise CannotReadError("no axes box: the dark lines are too thick or too close together")
    return box


def _long_lines(picture: DecodedImage, darkest: int) -> tuple[list[Spine], list[Spine]]:
    dark = picture.is_ink_of_axes(darkest, MOST_COLOUR)
    return (
        _spines(_longest_runs(dark) > SPINE_SHARE * dark.shape[1]),
        _spines(_longest_runs(dark.T) > SPINE_SHARE * dark.shape[0]),
    )


def _longest_runs(mask: MaskArray) -> FloatArray:
    """Length of the longest unbroken run in each row; one broken pixel ends a run."""
    longest = np.zeros(mask.shape[0])
    likely = np.flatnonzero(mask.sum(axis=1) > 0.4 * mask.shape[1])  # the others cannot hold a long run
    for row in likely:
        longest[row] = max(after - first for first, after in runs_of(mask[row]))
    return longest


def _spines(found: MaskArray) -> list[Spine]:
    return [Spine(first=first, last=after - 1) for first, after in runs_of(found)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTicks:
    """Centres of an axis's ticks along it, in pixel indices, ascending; `length_px` of the major ones."""

    major_px: FloatArray
    minor_px: FloatArray
    length_px: int


def find_ticks(darkness: FloatArray, box: AxesBox) -> tuple[FoundTicks, FoundTicks]:
    """Return the ticks of the x axis and of the y axis.

    Raises:
        CannotReadError: an axis has none.
    """
    below = darkness[box.bottom.last + 1 : box.bottom.last + 1 + MOST_LENGTH_PX]
    beside = darkness[:, max(0, box.left.first - MOST_LENGTH_PX) : box.left.first][:, ::-1].T
    return (
        _ticks_of(below, box.left.first - 1, box.right.last + 1, "x"),
        _ticks_of(beside, box.top.first - 1, box.bottom.last + 1, "y"),
    )


def _ticks_of(strip: FloatArray, first: int, last: int, name: str) -> FoundTicks:
    """Find ticks in a strip whose row 0 touches the spine."""
    reach = _reach(strip > DARK)
    reach[: max(first, 0)] = 0
    reach[last + 1 :] = 0
    longest = int(reach.max(initial=0))
    if longest < LEAST_LENGTH_PX or longest >= MOST_LENGTH_PX:
        raise CannotReadError(f"no ticks on the {name} axis")
    major = _centres(strip[: max(1, longest - 1)], reach >= MAJOR_SHARE * longest, longest)
    low, high = MINOR_SHARE
    minor = _centres(strip[:2], (reach >= low * longest) & (reach <= high * longest), longest)
    apart = np.abs(minor[:, None] - major[None, :]).min(axis=1, initial=np.inf) > 2  # noqa: PLR2004 - its flank
    return FoundTicks(major_px=major, minor_px=minor[apart], length_px=longest)


def _reach(dark: MaskArray) -> FloatArray:
    """How many pixels from the spine on each column is dark without a gap."""
    return np.asarray(np.cumprod(dark, axis=0).sum(axis=0))


def _centres(strip: FloatArray, found: MaskArray, length_px: int) -> FloatArray:
    ink = strip.sum(axis=0)
    centres = []
    for first, after in runs_of(found):
        if after - first <= max(2, WIDEST_SHARE * length_px):
            columns = np.arange(max(first - 1, 0), min(after + 1, ink.size))
            centres.append(weighted_mean(columns, ink[columns]))
    return np.array(centres)


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisScale:
    """A straight axis: px = origin_px + px_per_unit * u, where u is the value or, on a log axis, its log10."""

    log: bool
    origin_px: float
    px_per_unit: float
    residual_px: float

    @overload
    def value(self, px: float) -> float: ...
    @overload
    def value(self, px: FloatArray) -> FloatArray: ...
    def value(self, px: float | FloatArray) -> float | FloatArray:
        """Return the value at a pixel index along the axis."""
        unit = (px - self.origin_px) / self.px_per_unit
        return 10.0**unit if self.log else unit

    @overload
    def px(self, value: float) -> float: ...
    @overload
    def px(self, value: FloatArray) -> FloatArray: ...
    def px(self, value: float | FloatArray) -> float | FloatArray:
        """Return the pixel index at which a value lies."""
        return self.origin_px + self.px_per_unit * (np.log10(value) if self.log else value)


def find_scale(labels: Sequence[TickLabel], ticks: FoundTicks, name: str, *, only_log: bool = False) -> AxisScale:
    """Find the scale, linear or logarithmic, on which most labels stand where their ticks do.

    Two labels fit both kinds; `only_log` says that the prompt names the axis logarithmic.

    On a log axis minor ticks are counted too, as multiples 2 to 9 of powers of ten.

    Raises:
        CannotReadError: fewer than two labels agree, or too many disagree.
    """
    if len(labels) < 2:  # noqa: PLR2004 - a line needs two
        raise CannotReadError(f"{len(labels)} of {ticks.major_px.size} labels of the {name} axis can be read")
    kinds = (True,) if only_log else (False, True)
    found = [agreed for log in kinds if (agreed := _agreed(labels, log=log)) is not None]
    if not found:
        raise CannotReadError(f"the labels of the {name} axis fit no scale")
    powers = sum(label.power for label in labels) >= 2  # noqa: PLR2004 - as a log axis has them
    count, scale = max(found, key=lambda one: (one[0], one[1].log == powers, -one[1].residual_px))
    if count < max(2, LEAST_AGREEING * len(labels)) or abs(_span_px(labels)) < SHORTEST_PX:
        raise CannotReadError(f"only {count} of {len(labels)} labels of the {name} axis fit one scale")
    return _with_minor_ticks(scale, labels, ticks) if scale.log else scale


def _span_px(labels: Sequence[TickLabel]) -> float:
    return max(label.px for label in labels) - min(label.px for label in labels)


def _agreed(labels: Sequence[TickLabel], *, log: bool) -> tuple[int, AxisScale] | None:
    """Return the scale that most labels agree on, and how many do."""
    usable = [label for label in labels if label.value > 0 or not log]
    if len(usable) < 2:  # noqa: PLR2004
        return None
    px = np.array([label.px for label in usable])
    units = np.array([np.log10(label.value) if log else label.value for label in usable])
    best = np.zeros(px.size, dtype=bool)
    for one, other in combinations(range(px.size), 2):
        if units[one] != units[other]:
            per_unit = (px[other] - px[one]) / (units[other] - units[one])
            agree = np.abs(px[one] + per_unit * (units - units[one]) - px) <= TOLERANCE_PX
            best = agree if agree.sum() > best.sum() else best
    if best.sum() < 2:  # noqa: PLR2004
        return None
    return int(best.sum()), _line_through(units[best], px[best], log=log)


def _line_through(units: FloatArray, px: FloatArray, *, log: bool) -> AxisScale:
    centre = units.mean()
    per_unit = float(((units - centre) * (px - px.mean())).sum() / ((units - centre) ** 2).sum())
    origin = float(px.mean() - per_unit * centre)
    residual = float(np.abs(origin + per_unit * units - px).max())
    return AxisScale(log=log, origin_px=origin, px_per_unit=per_unit, residual_px=residual)


def _with_minor_ticks(scale: AxisScale, labels: Sequence[TickLabel], ticks: FoundTicks) -> AxisScale:
    units = np.array([np.log10(label.value) for label in labels if label.value > 0])
    px = np.array([label.px for label in labels if label.value > 0])
    values = scale.value(ticks.minor_px)
    decade = 10.0 ** np.floor(np.log10(values) + 0.02)
    multiple = np.clip(np.round(values / decade), 2, 9)
    minor = np.log10(multiple * decade)
    all_units, all_px = np.concatenate((units, minor)), np.concatenate((px, ticks.minor_px))
    near = np.abs(scale.origin_px + scale.px_per_unit * all_units - all_px) <= MINOR_TOLERANCE_PX
    return _line_through(all_units[near], all_px[near], log=True) if near.sum() >= 2 else scale  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class TickLabel:
    """A number that stands at a tick; `power` when it is written as a power of ten."""

    px: float
    value: float
    power: bool = False
