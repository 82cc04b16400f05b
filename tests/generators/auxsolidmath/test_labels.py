"""Labels: as wide as the fonts make them, and clear of lines and of other labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from generators.auxsolidmath.drawing.labels import (
    _FILES,
    _UNITS_AN_EM,
    _font_folder,
    crossings,
    height_px,
    segments_of,
    width_px,
)
from generators.auxsolidmath.drawing.projection import MIN_CLEARANCE, clearance
from generators.auxsolidmath.source import AuxSolidMathSource

if TYPE_CHECKING:
    from generators.auxsolidmath.drawing.pictures import ProblemSpec

SOURCE = AuxSolidMathSource()

SECOND_OF_EACH = [ref for ref in SOURCE.cases if ref.index == 1]


def faults(spec: ProblemSpec) -> list[str]:
    """What is wrong with a drawing's layout: lettering on lines or on lettering, lines too near to points."""
    diagram = spec.diagram()
    projected = diagram.projected
    lines = segments_of((*projected.lines, *projected.marks, *projected.added_lines, *projected.added_marks))
    found = [f"{text.text} on a line" for text in diagram.lettering if crossings(text.box, lines, 0.5)]
    for at, text in enumerate(diagram.lettering):
        found += [
            f"{text.text} on {other.text}" for other in diagram.lettering[:at] if text.box.meets(other.box, 0)
        ]
    room = clearance(spec.problem(), spec.view)
    return found if room >= MIN_CLEARANCE else [*found, f"clearance {room}"]


@pytest.mark.parametrize("ref", SECOND_OF_EACH, ids=lambda ref: ref.family)
def test_lettering_is_clear_of_lines_and_points_of_other_lines(ref: Any) -> None:
    assert faults(SOURCE.spec(ref)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_no_drawing_of_ten_seeds_is_crowded(seed: int) -> None:
    source = AuxSolidMathSource(seed=seed)
    assert {ref.id: found for ref in source.cases if (found := faults(source.spec(ref)))} == {}


def test_listed_widths_are_those_of_the_fonts() -> None:
    from PIL import ImageFont  # noqa: PLC0415 - only here

    def font(style: Any) -> ImageFont.FreeTypeFont:
        path = str(_font_folder() / _FILES[style])
        return ImageFont.truetype(path, _UNITS_AN_EM, layout_engine=ImageFont.Layout.BASIC)

    upright, italic = font("upright"), font("italic")
    for text in ("0123456789", "=√°/π:"):
        assert width_px(f"A={text}") - width_px("A=") == pytest.approx(
            upright.getlength(text) * 18 / 2048, abs=0.01
        )
    assert width_px("ABQ") == pytest.approx(italic.getlength("ABQ") * 20 / 2048, abs=0.01)
    assert width_px("A'") == pytest.approx(italic.getlength("A′") * 20 / 2048, abs=0.01)
    assert height_px("A1") > height_px("A") == height_px("60°")
