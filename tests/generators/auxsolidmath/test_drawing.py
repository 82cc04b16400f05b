"""Drawings: hidden lines, clear lettering, constructions red on the same raster, same bytes everywhere."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from generators.auxsolidmath import AuxSolidMathSource, auxiliary_picture
from generators.auxsolidmath.bodies import Frustum, Polyhedron, Segment, Sphere, circle, perpendicular_pair
from generators.auxsolidmath.drawn import DrawnPicture
from generators.auxsolidmath.figure import Figure
from generators.auxsolidmath.label_layout import crossings, segments_of
from generators.auxsolidmath.lettering import (
    _FILES,
    _UNITS_AN_EM,
    _font,
    _font_folder,
    draw_text,
    height_px,
    width_px,
)
from generators.auxsolidmath.projection import PRESETS, View
from generators.auxsolidmath.raster import RED
from generators.auxsolidmath.solids import CUBOID_FACES, cuboid
from generators.auxsolidmath.view_choice import MIN_CLEARANCE, clearance
from generators.auxsolidmath.visibility import hidden_at, split
from generators.errors import PictureError
from generators.png import check_png
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.auxsolidmath.draft import Draft
    from generators.items import Item

SOURCE = AuxSolidMathSource()
FIRST_OF_EACH = [ref for ref in SOURCE.cases if ref.index == 0]
SECOND_OF_EACH = [ref for ref in SOURCE.cases if ref.index == 1]


def pixels(png: bytes) -> Any:
    with Image.open(io.BytesIO(png)) as image:
        assert image.mode == "RGB"
        return np.asarray(image).astype(int)


def draft_of(item: Item) -> Draft:
    assert isinstance(item.picture, DrawnPicture)
    return item.picture.draft


def faults(draft: Draft) -> list[str]:
    """What is wrong with a drawing's layout: lettering on lines or on lettering, lines too near to points."""
    diagram = draft.diagram()
    sketch = diagram.sketch
    lines = segments_of((*sketch.lines, *sketch.marks, *sketch.added_lines, *sketch.added_marks))
    found = [f"{text.text} on a line" for text in diagram.lettering if crossings(text.box, lines, 0.5)]
    for at, text in enumerate(diagram.lettering):
        found += [
            f"{text.text} on {other.text}" for other in diagram.lettering[:at] if text.box.meets(other.box, 0)
        ]
    room = clearance(draft.problem(), draft.view)
    return found if room >= MIN_CLEARANCE else [*found, f"clearance {room}"]


@pytest.mark.parametrize("ref", SECOND_OF_EACH, ids=lambda ref: ref.family)
def test_lettering_is_clear_of_lines_and_points_of_other_lines(ref: Any) -> None:
    assert faults(SOURCE.draft(ref)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_no_drawing_of_ten_seeds_is_crowded(seed: int) -> None:
    source = AuxSolidMathSource(seed=seed)
    assert {ref.id: found for ref in source.cases if (found := faults(source.draft(ref)))} == {}


@pytest.mark.sweep
@pytest.mark.parametrize("ref", FIRST_OF_EACH, ids=lambda ref: ref.family)
def test_constructions_are_red_on_the_same_raster(ref: Any) -> None:
    item = SOURCE.item(ref)
    original, auxiliary = pixels(item.picture.png()), pixels(auxiliary_picture(item).png())
    changed = (original != auxiliary).any(axis=2)
    added = auxiliary[changed]
    assert original.shape == auxiliary.shape
    assert 480 <= original.shape[1] <= 640
    assert changed.sum() > 100
    assert (added[:, 0] >= added[:, 1]).all()
    assert (added == RED).all(axis=1).sum() > 50
    assert (original[:, :, 0] == original[:, :, 1]).all()
    assert (original[:, :, 0] == original[:, :, 2]).all()


def test_another_process_draws_the_same_bytes() -> None:
    refs = FIRST_OF_EACH[::6]
    code = (
        "import hashlib, json\n"
        "from generators.auxsolidmath import AuxSolidMathSource, auxiliary_picture\n"
        "source = AuxSolidMathSource()\n"
        f"items = [source.item(source.case(item_id)) for item_id in {[ref.id for ref in reversed(refs)]!r}]\n"
        "pictures = {item.id: [item.picture, auxiliary_picture(item)] for item in items}\n"
        "print(json.dumps({name: [[p.key, hashlib.sha256(p.png()).hexdigest()] for p in pair]"
        " for name, pair in pictures.items()}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    here = {}
    for ref in refs:
        item = SOURCE.item(ref)
        pair = (item.picture, auxiliary_picture(item))
        here[ref.id] = [[picture.key, hashlib.sha256(picture.png()).hexdigest()] for picture in pair]
    assert json.loads(done.stdout) == here


def test_pictures_hold_size_and_pixels_only() -> None:
    data = SOURCE.item(FIRST_OF_EACH[0]).picture.png()
    assert check_png(data).width >= 480
    assert [kind in data for kind in (b"pHYs", b"tEXt", b"tIME")] == [False, False, False]


def test_a_picture_without_fonts_is_an_error_of_that_item(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = SOURCE.item(FIRST_OF_EACH[0]).picture
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    _font.cache_clear()
    _font_folder.cache_clear()
    with pytest.raises(PictureError, match=r"auxsolidmath_easy-G01-000: cannot draw the picture: .*matplotlib"):
        picture.png()
    _font.cache_clear()
    _font_folder.cache_clear()


def test_listed_widths_are_those_of_the_fonts() -> None:
    from PIL import ImageFont  # noqa: PLC0415 - only here

    upright = ImageFont.truetype(
        str(_font_folder() / _FILES["upright"]), _UNITS_AN_EM, layout_engine=ImageFont.Layout.BASIC
    )
    for text in ("0123456789", "=√°/π:"):
        assert width_px(f"A={text}") - width_px("A=") == pytest.approx(
            upright.getlength(text) * 18 / 2048, abs=0.01
        )
    italic = ImageFont.truetype(
        str(_font_folder() / _FILES["italic"]), _UNITS_AN_EM, layout_engine=ImageFont.Layout.BASIC
    )
    assert width_px("ABQ") == pytest.approx(italic.getlength("ABQ") * 20 / 2048, abs=0.01)
    assert width_px("A'") == pytest.approx(italic.getlength("A′") * 20 / 2048, abs=0.01)
    assert height_px("A1") > height_px("A") == height_px("60°")
    assert draw_text is not None


def cube_view() -> View:
    return View(preset=PRESETS["oblique"][0])


def test_a_cube_from_the_front_hides_the_three_edges_at_its_far_corner() -> None:
    points = cuboid(2, 2, 2)
    view = cube_view()
    solid = Polyhedron(faces=tuple(tuple(points[c] for c in face) for face in _cube_faces()))
    hidden = {
        frozenset((start, end))
        for start, end in (("A", "B"), ("D", "A"), ("D", "C"), ("D", "D1"), ("C", "C1"), ("A1", "D1"), ("B", "C"))
        if all(
            piece.hidden
            for piece in split(Segment(start=points[start], end=points[end]), [solid], view.towards_viewer)
        )
    }
    assert hidden == {frozenset("DA"), frozenset("DC"), frozenset(("D", "D1"))}
    assert hidden_at((1.0, 1.0, 1.0), [solid], view.towards_viewer)
    assert len(solid.strokes(view.towards_viewer)) == 12


def _cube_faces() -> list[tuple[str, ...]]:
    from generators.auxsolidmath.naming import labels_in  # noqa: PLC0415 - only here

    return [labels_in(face) for face in CUBOID_FACES.split()]


def test_a_line_that_leaves_the_solid_is_cut_where_it_comes_into_view() -> None:
    points = cuboid(2, 2, 2)
    solid = Polyhedron(faces=tuple(tuple(points[c] for c in face) for face in _cube_faces()))
    through = Segment(start=(1.0, 1.0, 1.0), end=(3.0, -3.0, 1.0))
    pieces = split(through, [solid], cube_view().towards_viewer)
    assert [piece.hidden for piece in pieces] == [True, False]
    assert pieces[0].end == pytest.approx(0.25, abs=1e-3)


@pytest.mark.parametrize("shape", ["cylinder", "cone", "steep cone", "widening frustum"])
def test_chords_of_round_solids_agree_with_stepping_along_the_ray(shape: str) -> None:
    bottom, top = {"cylinder": (2, 2), "cone": (2, 0), "steep cone": (0.5, 0), "widening frustum": (1, 2)}[shape]
    solid = Frustum(base=(0.0, 0.0, 0.0), height=3.0, base_radius=bottom, top_radius=top)

    def inside(x: Any, y: Any, z: Any) -> Any:
        return (z >= 0) & (z <= 3) & (np.hypot(x, y) <= bottom + (top - bottom) * z / 3)

    compare_chords(solid.chord, inside)


def test_chords_of_a_sphere_agree_with_stepping_along_the_ray() -> None:
    ball = Sphere(centre=(0.3, 0.1, 1.5), radius=1.2)
    compare_chords(ball.chord, lambda x, y, z: (x - 0.3) ** 2 + (y - 0.1) ** 2 + (z - 1.5) ** 2 <= 1.44)


def compare_chords(chord: Callable[[Any, Any], float], inside: Callable[[Any, Any, Any], Any]) -> None:
    random = np.random.default_rng(5)
    steps = np.linspace(0, 12, 4001)
    for _ in range(150):
        start, way = random.uniform(-3, 4, 3), random.normal(size=3)
        if _ % 5 == 0:
            way[2] = 0.0
        elif _ % 7 == 0:
            way[0] = way[1] = 0.0
        way = way / float(np.linalg.norm(way))
        walked = float(inside(*(start[:, None] + way[:, None] * steps)).sum()) * float(steps[1] - steps[0])
        assert chord(tuple(start), tuple(way)) == pytest.approx(walked, abs=0.02)


def test_special_rays_meet_round_solids_as_they_should() -> None:
    cone = Frustum(base=(0.0, 0.0, 0.0), height=2.0, base_radius=2.0, top_radius=0.0)
    assert cone.chord((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)) == pytest.approx(2.0)
    assert cone.chord((0.0, 0.0, 5.0), (1.0, 0.0, 0.0)) == 0.0
    along = (-1.0, 0.0, 1.0)
    assert cone.chord((0.0, 0.0, 0.0), along) == pytest.approx(1.0)
    assert cone.chord((1.0, 0.0, 0.0), along) == pytest.approx(1.5)
    cylinder = Frustum(base=(0.0, 0.0, 0.0), height=2.0, base_radius=1.0, top_radius=1.0)
    assert cylinder.chord((0.5, 0.0, -1.0), (0.0, 0.0, 1.0)) == pytest.approx(2.0)
    assert cylinder.chord((1.5, 0.0, -1.0), (0.0, 0.0, 1.0)) == 0.0
    assert Sphere(centre=(0.0, 0.0, 0.0), radius=1.0).chord((3.0, 3.0, 0.0), (1.0, 0.0, 0.0)) == 0.0


def test_a_flat_cone_seen_from_above_has_no_silhouette() -> None:
    flat = Frustum(base=(0.0, 0.0, 0.0), height=0.5, base_radius=3.0, top_radius=0.0)
    assert flat.silhouette_angles((0.0, -0.5, 0.9)) == ()
    assert len(flat.strokes((0.0, -0.5, 0.9))) == 1
    assert len(flat.strokes((0.0, -1.0, 0.05))) == 3


def test_a_sphere_is_drawn_with_or_without_its_equator() -> None:
    towards = (0.3, -0.9, 0.3)
    assert len(Sphere(centre=(0.0, 0.0, 0.0), radius=1.0).strokes(towards)) == 2
    assert len(Sphere(centre=(0.0, 0.0, 0.0), radius=1.0, equator=False).strokes(towards)) == 1
    assert perpendicular_pair((0.0, 0.0, 1.0)) == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def test_the_rim_of_a_cylinder_is_hidden_behind_it_and_seen_in_front() -> None:
    cylinder = Frustum(base=(0.0, 0.0, 0.0), height=2.0, base_radius=1.0, top_radius=1.0)
    view = View(preset=PRESETS["axonometric"][0], turn_deg=30.0, mirrored=True)
    pieces = split(circle((0.0, 0.0, 0.0), 1.0), [cylinder], view.towards_viewer)
    hidden = sum(piece.end - piece.start for piece in pieces if piece.hidden)
    assert hidden == pytest.approx(0.5, abs=1e-3)
    assert not any(piece.hidden for piece in split(circle((0.0, 0.0, 2.0), 1.0), [cylinder], view.towards_viewer))


def test_views_keep_the_vertical_upright_and_the_line_of_sight_a_point() -> None:
    for kind in ("oblique", "axonometric"):
        for preset in PRESETS[kind]:
            view = View(preset=preset, turn_deg=60.0, mirrored=True)
            ((x, y), (across, _)) = view.paper([view.towards_viewer, (0.0, 0.0, 1.0)])
            assert (x, y, across) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_a_figure_without_a_place_for_a_label_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a place for every label of the figure, got none for B, H"):
        Figure(points={"A": (0.0, 0.0, 0.0)}, shown=("A", "B"), bodies=(), lines=(("A", "H"),))
