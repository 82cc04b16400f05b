"""Axis scales: what a pixel means, from the labels that agree on it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, overload

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.labels import Label
    from bench.models.reader.plots.ticks import Ticks

__all__ = ["Scale", "find_scale"]

TOLERANCE_PX = 1.6
MINOR_TOLERANCE_PX = 1.5
LEAST_SHARE = 0.6
SHORTEST_PX = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
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


def find_scale(labels: Sequence[Label], ticks: Ticks, name: str, *, only_log: bool = False) -> Scale:
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
    if count < max(2, LEAST_SHARE * len(labels)) or abs(_span_px(labels)) < SHORTEST_PX:
        raise CannotReadError(f"only {count} of {len(labels)} labels of the {name} axis fit one scale")
    return _with_minor_ticks(scale, labels, ticks) if scale.log else scale


def _span_px(labels: Sequence[Label]) -> float:
    return max(label.px for label in labels) - min(label.px for label in labels)


def _agreed(labels: Sequence[Label], *, log: bool) -> tuple[int, Scale] | None:
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
    return int(best.sum()), _line(units[best], px[best], log=log)


def _line(units: FloatArray, px: FloatArray, *, log: bool) -> Scale:
    centre = units.mean()
    per_unit = float(((units - centre) * (px - px.mean())).sum() / ((units - centre) ** 2).sum())
    origin = float(px.mean() - per_unit * centre)
    residual = float(np.abs(origin + per_unit * units - px).max())
    return Scale(log=log, origin_px=origin, px_per_unit=per_unit, residual_px=residual)


def _with_minor_ticks(scale: Scale, labels: Sequence[Label], ticks: Ticks) -> Scale:
    units = np.array([np.log10(label.value) for label in labels if label.value > 0])
    px = np.array([label.px for label in labels if label.value > 0])
    values = scale.value(ticks.minor_px)
    decade = 10.0 ** np.floor(np.log10(values) + 0.02)
    multiple = np.clip(np.round(values / decade), 2, 9)
    minor = np.log10(multiple * decade)
    all_units, all_px = np.concatenate((units, minor)), np.concatenate((px, ticks.minor_px))
    near = np.abs(scale.origin_px + scale.px_per_unit * all_units - all_px) <= MINOR_TOLERANCE_PX
    return _line(all_units[near], all_px[near], log=True) if near.sum() >= 2 else scale  # noqa: PLR2004
