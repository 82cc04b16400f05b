"""Noise in pixels, of two kinds that a reader can average away: a band around a line, or scattered points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.random import Generator

    from generators.plotchain.family import Difficulty
    from generators.plotchain.numeric import FloatArray

__all__ = ["POINTS", "band_px", "points_px"]

POINTS: Final[Mapping[Difficulty, int]] = {"moderate": 60, "edge": 45}
_BAND_PX: Final[Mapping[Difficulty, float]] = {"moderate": 1.2, "edge": 2.5}
_POINTS_PX: Final[Mapping[Difficulty, float]] = {"moderate": 2.0, "edge": 5.0}


def band_px(rng: Generator, difficulty: Difficulty, count: int) -> FloatArray:
    """Draw independent normal noise for `count` samples."""
    return rng.normal(0.0, _BAND_PX[difficulty], count)


def points_px(rng: Generator, difficulty: Difficulty) -> FloatArray:
    """Draw the scatter of all points, its least-squares line taken out, scaled to the exact deviation.

    A straight line under it is therefore exactly the least-squares line of what is drawn.
    """
    count = POINTS[difficulty]
    place = np.arange(count) - (count - 1) / 2.0
    scatter = rng.normal(0.0, 1.0, count)
    scatter = scatter - scatter.mean()
    scatter = scatter - place * ((place @ scatter) / (place @ place))
    scaled: FloatArray = scatter * (_POINTS_PX[difficulty] / scatter.std())
    return scaled
