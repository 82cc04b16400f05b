"""Annotated pictures: what is drawn where, in which colour."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from generators.geometry import GeometrySource
from generators.geometry.annotation import (
    AMBER,
    BAR_PX,
    CYAN,
    GREEN,
    MAGENTA,
    RED,
    SCALE,
    AnswerMarks,
    annotated_picture,
)
from generators.png import PngSize, encode_rgb

ITEM = GeometrySource().item("HSDN_sp12_d10_n5_wb")
PNG = ITEM.picture.png()


def _drawn(task: str, answer: AnswerMarks, *, png: bytes = PNG) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    data = annotated_picture(png, task=task, truth=ITEM.truth, answer=answer)
    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGB"))


def _count(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], colour: tuple[int, int, int]) -> int:
    return int((pixels[: 510 * SCALE] == np.array(colour, dtype=np.uint8)).all(axis=2).sum())


def _truth_px() -> list[tuple[float, float]]:
    dots = ITEM.truth["dots"]
    assert isinstance(dots, list)
    return [(dot["x_um"] / 0.14, dot["y_um"] / 0.14) for dot in dots]  # type: ignore[index,call-overload,operator]


def test_the_size_is_twice_the_pictures_and_a_bar() -> None:
    assert _drawn("COUNT", AnswerMarks(caption="said 41, truth 42")).shape == (
        510 * SCALE + BAR_PX,
        700 * SCALE,
        3,
    )


def test_found_dots_missed_dots_and_false_predictions_have_marks_of_their_own() -> None:
    points = [*_truth_px()[:40], (5.0, 5.0)]
    pairs = [(place, place) for place in range(40)]

    pixels = _drawn("LOCATE", AnswerMarks(points_px=points, pairs=pairs, caption="F1 0.96"))

    for colour in (GREEN, AMBER, CYAN, RED):
        assert _count(pixels, colour) > 20, colour
    assert not _count(
        _drawn("LOCATE", AnswerMarks(points_px=_truth_px(), pairs=[(i, i) for i in range(42)])), AMBER
    )


@pytest.mark.parametrize("point", [(-900.0, 1e9), (float("inf"), float("nan")), (700.0, 510.0)])
def test_a_prediction_outside_is_marked_at_the_border(point: tuple[float, float]) -> None:
    assert _count(_drawn("LOCATE", AnswerMarks(points_px=[point])), RED) > 20


def test_removed_and_extra_dots_are_marked_for_defects() -> None:
    pixels = _drawn("DEFECT", AnswerMarks(caption="said NO"))

    assert _count(pixels, MAGENTA) > 100
    assert _count(pixels, AMBER) > 100


def test_other_tasks_draw_the_text_alone() -> None:
    plain = _drawn("PATTERN", AnswerMarks(caption=""))

    assert np.array_equal(plain[: 510 * SCALE], _drawn("SIZE", AnswerMarks(caption="x"))[: 510 * SCALE])
    assert not np.array_equal(plain, _drawn("SIZE", AnswerMarks(caption="x")))


def test_any_text_fits_the_bar() -> None:
    small = encode_rgb(bytes(3 * 70 * 51), PngSize(width=70, height=51))
    for text in ("long " * 900, "日本語 \x00 \u202e <b>", "µ…", "\n\n"):
        _drawn("COUNT", AnswerMarks(caption=text), png=small)


def test_bytes_that_are_no_picture_and_a_truth_without_scale_are_refused() -> None:
    with pytest.raises(OSError, match="cannot identify"):
        annotated_picture(b"no picture", task="COUNT", truth=ITEM.truth, answer=AnswerMarks())
    with pytest.raises(TypeError, match="um_per_px as a number, got None"):
        annotated_picture(PNG, task="COUNT", truth={"um_per_px": None}, answer=AnswerMarks())
    annotated_picture(PNG, task="DEFECT", truth={"um_per_px": 0.14}, answer=AnswerMarks())
