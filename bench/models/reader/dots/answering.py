"""Answers to the questions about dot images, from the picture's pixels and the prompt's words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bench.models.reader.dots.asked import asked_in
from bench.models.reader.dots.defects import find_defects
from bench.models.reader.dots.lattice import fit_hexagonal
from bench.models.reader.dots.periodicity import LEAST_POINTS, arrangement
from bench.models.reader.dots.picture import UnreadableError, spot_coverage
from bench.models.reader.dots.spots import Spots, find_spots

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.models.reader.dots.asked import Asked, Question
    from bench.models.reader.dots.lattice import FittedLattice
    from bench.models.reader.dots.periodicity import Symmetry

    Numbers = npt.NDArray[np.float64]

__all__ = ["answer_dots"]

_PATTERNS: Mapping[Symmetry, str] = {"hexagonal": "HEXAGONAL", "square": "GRID"}

_EXACT_PX = 1.0
"""Spots nearer to their sites are exactly there: rounding a centre to whole pixels moves it by up to 0.71."""


def answer_dots(picture: bytes, prompt: str) -> str:
    """Answer a question of the geometry suite about a picture.

    Any bytes and any text get a reply: what cannot be read gives a sentence that says so, which is no answer.

    Args:
        picture: a PNG file's bytes; the last one where several were shown.
        prompt: the question; it tells the task, the form of the answer and the scale.
    """
    asked = asked_in(prompt)
    if asked is None:
        return "I cannot answer: the question is none of those about spots that I know."
    try:
        return _ANSWERS[asked.question](find_spots(spot_coverage(picture)), asked)
    except UnreadableError as reason:
        return f"I cannot read this picture: {reason}."


def _count(spots: Spots, asked: Asked) -> str:  # noqa: ARG001
    return f"COUNT: {len(spots)}"


def _locate(spots: Spots, asked: Asked) -> str:  # noqa: ARG001
    return "\n".join(f"{x:.2f}, {y:.2f}" for x, y in zip(spots.x_px, spots.y_px, strict=True)) or "NONE"


def _pattern(spots: Spots, asked: Asked) -> str:  # noqa: ARG001
    if len(spots) < LEAST_POINTS:
        raise UnreadableError("it shows too few spots to tell an arrangement")
    found = arrangement(_points(spots))
    return f"PATTERN: {'RANDOM' if found is None else _PATTERNS[found.symmetry]}"


def _size(spots: Spots, asked: Asked) -> str:
    diameters = _diameters_um(spots, asked)
    return f"DIAMETER: {_length(np.median(diameters))} µm"


def _size_range(spots: Spots, asked: Asked) -> str:
    diameters = _diameters_um(spots, asked)
    return f"SMALLEST: {_length(diameters.min())} µm\nLARGEST: {_length(diameters.max())} µm"


def _defect(spots: Spots, asked: Asked) -> str:  # noqa: ARG001
    found = find_defects(_lattice(spots))
    verdict = "YES" if found.missing or found.extra else "NO"
    return f"DEFECTS: {verdict}\nMISSING: {found.missing}\nEXTRA: {found.extra}"


def _spacing(spots: Spots, asked: Asked) -> str:
    return f"SPACING: {_length(_lattice(spots).spacing * _scale(asked))} µm"


def _regularity(spots: Spots, asked: Asked) -> str:  # noqa: ARG001
    """Judge by the median distance of the spots that have a site from it."""
    lattice = _lattice(spots)
    exact = float(np.median(lattice.offset[lattice.on_site])) <= _EXACT_PX
    return f"REGULARITY: {'REGULAR' if exact else 'PERTURBED'}"


_ANSWERS: Mapping[Question, Callable[[Spots, Asked], str]] = {
    "COUNT": _count,
    "LOCATE": _locate,
    "PATTERN": _pattern,
    "SIZE": _size,
    "SIZE RANGE": _size_range,
    "DEFECT": _defect,
    "SPACING": _spacing,
    "REGULARITY": _regularity,
}


def _points(spots: Spots) -> Numbers:
    return np.column_stack([spots.x_px, spots.y_px])


def _lattice(spots: Spots) -> FittedLattice:
    lattice = fit_hexagonal(_points(spots))
    if lattice is None:
        raise UnreadableError("its spots show no hexagonal grid")
    return lattice


def _diameters_um(spots: Spots, asked: Asked) -> Numbers:
    whole = spots.diameter_px[spots.whole]
    if not len(whole):
        raise UnreadableError("there is nothing to measure in it")
    return whole * _scale(asked)


def _scale(asked: Asked) -> float:
    if asked.um_per_px is None:
        raise UnreadableError("the question states no scale")
    return asked.um_per_px


def _length(value_um: float) -> str:
    return f"{value_um:.3g}"
