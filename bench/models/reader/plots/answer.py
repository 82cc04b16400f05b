"""The reply to a prompt about a plot: how each field was read, then the JSON object."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.picture import decode
from bench.models.reader.plots.axis_units import in_base_units
from bench.models.reader.plots.families import find_family
from bench.models.reader.plots.plot import measure, read_hints
from bench.models.reader.plots.readings import CannotReadError, FieldValue, direct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.models.reader.picture import DecodedImage

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


def read_fields(picture: bytes, prompt: str, fields: Sequence[str]) -> Mapping[str, FieldValue]:
    """Return a reading for each field asked for.

    Raises:
        UnreadablePictureError: the bytes cannot be decoded.
    """
    pixels = decode(picture)
    try:
        with np.errstate(all="ignore"):  # a law tried far off overflows; what is not finite is no answer below
            found = _read(pixels, prompt, fields)
    except CannotReadError as error:
        return dict.fromkeys(fields, direct(None, str(error)))
    return {field: _checked(found.get(field) or direct(None, "no rule for this field")) for field in fields}


def _read(picture: DecodedImage, prompt: str, fields: Sequence[str]) -> Mapping[str, FieldValue]:
    hints = read_hints(prompt)
    family = find_family(fields, "V5" if hints.own_units else "V4")
    plot = measure(picture, hints)
    return family.read(plot if family.axes is None else in_base_units(plot, family.axes))


def _checked(reading: FieldValue) -> FieldValue:
    if reading.value is None:
        return reading
    if not math.isfinite(reading.value):
        return reading.as_null("no finite number follows from what is seen")
    if reading.residual_px is not None and reading.residual_px > MOST_RESIDUAL_PX:
        return reading.as_null(f"the curve lies {reading.residual_px:.1f} px off {reading.what}")
    return replace(reading, value=float(f"{reading.value:.{SIGNIFICANT}g}"))


def _line(field: str, reading: FieldValue) -> str:
    if reading.value is None:
        return f"{field}: cannot be seen: {reading.what}"
    off = "" if reading.residual_px is None else f", median distance {reading.residual_px:.2f} px"
    return f"{field}: {reading.how}, {reading.what}{off}"
