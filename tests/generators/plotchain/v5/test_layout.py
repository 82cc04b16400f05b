"""Pictures of v5: nothing overlaps, nothing is cut, every mark stands where it can be read."""

from __future__ import annotations

import io
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from generators.plotchain import rendering
from generators.plotchain.family import DIFFICULTIES
from generators.plotchain.v5.plot import V5Plot
from tests.generators.plotchain.v5.conftest import V5, case_of, fresh
from tests.generators.plotchain.v5.seen import HEIGHT, WIDTH, Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item

PICTURE_PX = (960, 576)


def _text_boxes(item: Item) -> dict[str, Any]:
    """Boxes of all texts in the picture, in pixels from its lower left corner."""
    with rendering.pinned_style():
        figure = rendering.build_figure(V5.family(item.family), case_of(item))
        canvas = rendering._Canvas(figure)
        canvas.draw()  # type: ignore[no-untyped-call]
        renderer = canvas.get_renderer()
    axes = figure.axes[0]
    shown = [*axes.texts, *axes.get_xticklabels(), *axes.get_yticklabels()]
    return {f"{rank} {text.get_text()}": text.get_window_extent(renderer) for rank, text in enumerate(shown)}


def _check_texts(item: Item) -> None:
    boxes = {name: box for name, box in _text_boxes(item).items() if name.split(" ", 1)[1]}
    for name, box in boxes.items():
        assert box.x0 >= 0.0, (item.id, name)
        assert box.y0 >= 0.0, (item.id, name)
        assert box.x1 <= PICTURE_PX[0], (item.id, name)
        assert box.y1 <= PICTURE_PX[1], (item.id, name)
    for (first, box), (second, other) in combinations(boxes.items(), 2):
        assert not box.overlaps(other), (item.id, first, second)


@pytest.mark.sweep
@pytest.mark.parametrize("family", V5.families)
def test_texts_neither_overlap_nor_leave_the_picture(family: str) -> None:
    for item in fresh(91, 4, family):
        _check_texts(item)


@pytest.mark.slow
@pytest.mark.parametrize("family", V5.families)
def test_texts_of_many_items_neither_overlap_nor_leave_the_picture(family: str) -> None:
    for item in fresh(92, 150, family):
        _check_texts(item)


@pytest.mark.parametrize("family", V5.families)
def test_a_picture_is_960_by_576_and_its_axes_lie_where_the_recipe_says(family: str) -> None:
    item = fresh(93, 1, family)[0]
    with Image.open(io.BytesIO(item.picture.png())) as image:
        pixels = np.asarray(image.convert("L"), dtype=int)

    assert pixels.shape == (PICTURE_PX[1], PICTURE_PX[0])
    frame_left, frame_bottom = pixels[56:488, 112], pixels[488, 112:922]
    assert np.median(frame_left) < 100
    assert np.median(frame_bottom) < 100


def _plot(family: str) -> V5Plot[Any]:
    plot = V5.family(family)
    assert isinstance(plot, V5Plot)
    return plot


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("family", V5.families)
def test_marks_helpers_and_the_second_curve_are_drawn_as_the_family_says(
    family: str, difficulty: str, v5_items: list[Item], v5_axes: Callable[[Item], Axes]
) -> None:
    item = next(i for i in v5_items if i.family == family and i.difficulty == difficulty)
    plot, axes = _plot(family), v5_axes(item)
    params = plot.restore(item.params)
    colors = ("0.55", "#d62728", "0.15")  # of the second curve, helpers, marks
    lines = {color: [line for line in axes.lines if line.get_color() == color] for color in colors}
    letters = {"A", "B"} & {text.get_text() for text in axes.texts}

    assert (len(lines["0.55"]) > 0) == (letters == {"A", "B"}) == (difficulty == "edge" and plot.has_curve_b)
    assert ("curve_b_seed" in item.params) == plot.has_curve_b
    assert len(lines["#d62728"]) == (len(plot.helpers(params)) if difficulty == "clean" else 0)
    assert len(lines["0.15"]) == sum(mark.look == "dotted" for mark in plot.marks(params))
    for line in lines["0.15"]:
        x, y = (np.asarray(data, dtype=float) for data in (line.get_xdata(), line.get_ydata()))
        across = x if x[0] == x[1] else y
        assert 3.0 < across[0] < (WIDTH if x[0] == x[1] else HEIGHT) - 3.0


@pytest.mark.parametrize("family", ["pump_curve", "torque_speed", "stress_strain"])
def test_a_second_curve_starts_from_the_same_zeros(family: str, v5_axes: Callable[[Item], Axes]) -> None:
    item = next(item for item in fresh(94, 10, family) if item.difficulty == "edge")
    axes = v5_axes(item)
    ours, other = Seen(axes).curve, next(line for line in axes.lines if line.get_color() == "0.55")

    assert float(np.asarray(other.get_xdata())[0]) == pytest.approx(float(ours[0][0]), abs=1e-6)


def test_more_marks_stand_on_easier_axes(v5_items: list[Item]) -> None:
    counts: dict[str, list[int]] = {"clean": [], "moderate": [], "edge": []}
    for item in v5_items:
        axes: Any = item.extra["generation"]
        counts[item.difficulty].append(len(axes["axes"]["y"]["ticks"]))

    assert all(len(found) >= 90 and min(found) >= 2 for found in counts.values())
    assert np.mean(counts["clean"]) > np.mean(counts["moderate"]) + 2 > np.mean(counts["edge"]) + 3


@pytest.mark.parametrize("family", ["iv_diode", "iv_resistor"])
def test_no_point_stands_on_the_frame(family: str) -> None:
    plot = V5.family(family)
    for item in fresh(44, 30, family):
        if item.difficulty != "clean":
            x_px, _ = plot.shown_px(case_of(item))  # type: ignore[attr-defined]
            assert x_px.min() >= 5.0
            assert x_px.max() <= WIDTH - 5.0
