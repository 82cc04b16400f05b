"""Bodies: how far rays run through them, what they hide, and which lines are drawn of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from generators.auxsolidmath.drawing.projection import PRESETS, View
from generators.auxsolidmath.families import CUBOID_FACES, cuboid
from generators.auxsolidmath.problem import pairs, solid_figure
from generators.auxsolidmath.space import (
    Frustum,
    Segment,
    Sphere,
    circle,
    hidden_at,
    perpendicular_pair,
    split_by_visibility,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CUBE = cuboid(2, 2, 2)
SOLID = solid_figure(CUBE, CUBOID_FACES).bodies[0]
TOWARDS = View(preset=PRESETS["oblique"][0]).towards_viewer


def test_a_cube_from_the_front_hides_the_three_edges_at_its_far_corner() -> None:
    hidden = {
        frozenset(edge)
        for edge in pairs("AB DA DC DD1 CC1 A1D1 BC")
        if all(
            piece.hidden
            for piece in split_by_visibility(Segment(start=CUBE[edge[0]], end=CUBE[edge[1]]), [SOLID], TOWARDS)
        )
    }
    assert hidden == {frozenset("DA"), frozenset("DC"), frozenset(("D", "D1"))}
    assert hidden_at((1.0, 1.0, 1.0), [SOLID], TOWARDS)
    assert len(SOLID.strokes(TOWARDS)) == 12


def test_a_line_that_leaves_the_solid_is_cut_where_it_comes_into_view() -> None:
    pieces = split_by_visibility(Segment(start=(1.0, 1.0, 1.0), end=(3.0, -3.0, 1.0)), [SOLID], TOWARDS)
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
    for turn in range(150):
        start, way = random.uniform(-3, 4, 3), random.normal(size=3)
        if turn % 5 == 0:
            way[2] = 0.0
        elif turn % 7 == 0:
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
    lower, upper = (
        split_by_visibility(circle((0.0, 0.0, height), 1.0), [cylinder], view.towards_viewer)
        for height in (0.0, 2.0)
    )
    assert sum(piece.end - piece.start for piece in lower if piece.hidden) == pytest.approx(0.5, abs=1e-3)
    assert not any(piece.hidden for piece in upper)


def test_lines_along_a_face_are_not_hidden_by_it() -> None:
    assert SOLID.chord((1.0, 1.0, 2.0), (1.0, 0.0, 0.0)) == 0.0
    assert SOLID.chord((1.0, 1.0, 1.0), (1.0, 0.0, 0.0)) == pytest.approx(1.0)
