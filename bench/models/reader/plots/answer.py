"""The reply to a prompt about a plot: how each field was read, then the JSON object."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.picture import decode
from bench.models.reader.plots.axis_units import in_base_units
from bench.models.reader.plots.plot import measure
from bench.models.reader.plots.prompt_words import said_in
from bench.models.reader.plots.readings import CannotReadError, FieldReading
from bench.models.reader.plots.registry import find_family, find_own_unit_family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.models.reader.picture import Picture

__all__ = ["MOST_RESIDUAL_PX", "answer_plot", "read_fields"]

# A clean curve follows its law to 0.1 px, a noisy one to 1 px; beyond this it is another curve than the law's.
MOST_RESIDUAL_PX = 1.5
SIGNIFICANT = 6


def answer_plot(picture: bytes, prompt: str, fields: Sequence[str]) -> str:
    """Return the reply's text: a line for each field, then a JSON object with exactly these fields.

    A field that cannot be seen is null, with the reason.

    Raises:
        UnreadablePictureError: the bytes cannot be decoded.
    """
    readings = read_fields(picture, prompt, fields)
    lines = [_line(field, readings[field]) for field in fields]
    answer = {field: readings[field].value for field in fields}
    return "\n".join([*lines, json.dumps(answer, ensure_ascii=False)])


def read_fields(picture: bytes, prompt: str, fields: Sequence[str]) -> Mapping[str, FieldReading]:
    """Return a reading for each field asked for.

    Raises:
        UnreadablePictureError: the bytes cannot be decoded.
    """
    pixels = decode(picture)
    try:
        with np.errstate(all="ignore"):  # a law tried far off overflows; what is not finite is no answer below
            found = _read(pixels, prompt, fields)
    except CannotReadError as error:
        return {field: FieldReading(value=None, how="direct", what=str(error)) for field in fields}
    nothing = FieldReading(value=None, how="direct", what="no rule for this field")
    return {field: _checked(found.get(field, nothing)) for field in fields}


def _read(picture: Picture, prompt: str, fields: Sequence[str]) -> Mapping[str, FieldReading]:
    said = said_in(prompt)
    if not said.own_units:
        return find_family(fields).read(measure(picture, said), prompt)
    family = find_own_unit_family(fields)
    return family.read(in_base_units(measure(picture, said), family.axes), prompt)


def _checked(reading: FieldReading) -> FieldReading:
    if reading.value is None:
        return reading
    if not math.isfinite(reading.value):
        return reading.as_null("no finite number follows from what is seen")
    if reading.residual_px is not None and reading.residual_px > MOST_RESIDUAL_PX:
        return reading.as_null(f"the curve lies {reading.residual_px:.1f} px off {reading.what}")
    rounded = float(f"{reading.value:.{SIGNIFICANT}g}")
    return FieldReading(value=rounded, how=reading.how, what=reading.what, residual_px=reading.residual_px)


def _line(field: str, reading: FieldReading) -> str:
    if reading.value is None:
        return f"{field}: cannot be seen: {reading.what}"
    off = "" if reading.residual_px is None else f", median distance {reading.residual_px:.2f} px"
    return f"{field}: {reading.how}, {reading.what}{off}"
