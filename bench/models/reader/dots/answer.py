"""Answers to questions about dot images, from the picture's pixels and the prompt's words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.dots import parse_question
from bench.models.reader.dots.lattice import LEAST_POINTS, arrangement, find_defects, fit_hexagonal
from bench.models.reader.dots.spots import Spots, UnreadableError, find_spots, spot_coverage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.models.reader.dots import DotQuestion, Question
    from bench.models.reader.dots.lattice import FittedLattice, Symmetry
    from bench.models.reader.picture import FloatArray

__all__ = ["NO_ANSWER", "answer_dots"]

NO_ANSWER = "I cannot "
"""What the replies begin with that are no answers."""

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
    asked = parse_question(prompt)
    if asked is None:
        return "I cannot answer: the question is none of those about spots that I know."
    try:
        return _ANSWERS[asked.question](find_spots(spot_coverage(picture)), asked)
    except UnreadableError as reason:
        return f"I cannot read this picture: {reason}."


def _count(spots: Spots, asked: DotQuestion) -> str:  # noqa: ARG001
    return f"COUNT: {len(spots)}"


def _locate(spots: Spots, asked: DotQuestion) -> str:  # noqa: ARG001
    return "\n".join(f"{x:.2f}, {y:.2f}" for x, y in zip(spots.x_px, spots.y_px, strict=True)) or "NONE"


def _pattern(spots: Spots, asked: DotQuestion) -> str:  # noqa: ARG001
    if len(spots) < LEAST_POINTS:
        raise UnreadableError("it shows too few spots to tell an arrangement")
    found = arrangement(spots.places_px)
    return f"PATTERN: {'RANDOM' if found is None else _PATTERNS[found.symmetry]}"


def _size(spots: Spots, asked: DotQuestion) -> str:
    diameters = _diameters_um(spots, asked)
    return f"DIAMETER: {_length(np.median(diameters))} µm"


def _size_range(spots: Spots, asked: DotQuestion) -> str:
    diameters = _diameters_um(spots, asked)
    return f"SMALLEST: {_length(diameters.min())} µm\nLARGEST: {_length(diameters.max())} µm"


def _defect(spots: Spots, asked: DotQuestion) -> str:  # noqa: ARG001
    found = find_defects(_lattice(spots))
    verdict = "YES" if found.missing or found.extra else "NO"
    return f"DEFECTS: {verdict}\nMISSING: {found.missing}\nEXTRA: {found.extra}"


def _spacing(spots: Spots, asked: DotQuestion) -> str:
    return f"SPACING: {_length(_lattice(spots).spacing * _scale(asked))} µm"


def _regularity(spots: Spots, asked: DotQuestion) -> str:  # noqa: ARG001
    """Judge by the median distance of the spots that have a site from it."""
    lattice = _lattice(spots)
    exact = float(np.median(lattice.offset[lattice.on_site])) <= _EXACT_PX
    return f"REGULARITY: {'REGULAR' if exact else 'PERTURBED'}"


_ANSWERS: Mapping[Question, Callable[[Spots, DotQuestion], str]] = {
    "COUNT": _count,
    "LOCATE": _locate,
    "PATTERN": _pattern,
    "SIZE": _size,
    "SIZE RANGE": _size_range,
    "DEFECT": _defect,
    "SPACING": _spacing,
    "REGULARITY": _regularity,
}


def _lattice(spots: Spots) -> FittedLattice:
    lattice = fit_hexagonal(spots.places_px)
    if lattice is None:
        raise UnreadableError("its spots show no hexagonal grid")
    return lattice


def _diameters_um(spots: Spots, asked: DotQuestion) -> FloatArray:
    whole = spots.diameter_px[spots.whole]
    if not len(whole):
        raise UnreadableError("there is nothing to measure in it")
    return whole * _scale(asked)


def _scale(asked: DotQuestion) -> float:
    if asked.um_per_px is None:
        raise UnreadableError("the question states no scale")
    return asked.um_per_px


def _length(value_um: float) -> str:
    return f"{value_um:.3g}"
