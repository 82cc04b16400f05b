"""Views: upright, along the line of sight, and the least crowded one where none is free of faults."""

from __future__ import annotations

import pytest

from generators.auxsolidmath.drawing.projection import PRESETS, View, choose_view
from generators.auxsolidmath.naming import ProblemDraws
from generators.auxsolidmath.registry import family_named


def test_views_keep_the_vertical_upright_and_the_line_of_sight_a_point() -> None:
    for preset in (*PRESETS["oblique"], *PRESETS["axonometric"]):
        view = View(preset=preset, turn_deg=60.0, mirrored=True)
        ((x, y), (across, _)) = view.paper([view.towards_viewer, (0.0, 0.0, 1.0)])
        assert (x, y, across) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_when_no_view_is_free_of_faults_the_least_crowded_is_taken() -> None:
    family = family_named("G02")
    problem = family.build(family.grid()[0])
    seen = []

    def faults(view: object) -> int:
        seen.append(view)
        return 3 if len(seen) == 4 else 5

    view = choose_view(problem, family.view, ProblemDraws(0, "test", 0), faults)
    assert view == seen[3]
