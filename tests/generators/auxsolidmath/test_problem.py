"""Facts that hold and that do not, and figures without a place for a label."""

from __future__ import annotations

import pytest

from generators.auxsolidmath.families import cuboid
from generators.auxsolidmath.problem import Figure, fact

CUBE = cuboid(2, 2, 2)


@pytest.mark.parametrize(
    ("relation", "labels", "holds"),
    [
        ("parallel", "AB D1C1", True),
        ("parallel", "AB B1C1", False),
        ("parallel_to_plane", "A1B1 ABC", True),
        ("parallel_to_plane", "AB ABCD", False),  # it lies in the plane
        ("parallel_to_plane", "A1B ABC", False),
        ("perpendicular_to_plane", "AA1 ABCD", True),
        ("perpendicular_to_plane", "AB1 ABCD", False),
        ("perpendicular", "AC BD", True),
        ("perpendicular", "AC AB", False),
        ("midpoint", "A BD", False),
        ("on_line", "A BD", False),
        ("on_plane", "C1 ABD", False),
        ("on_plane", "C ABD", True),
        ("equal_lengths", "AC BD", True),
        ("equal_lengths", "AC AB", False),
    ],
)
def test_facts_are_told_from_false_statements(relation: str, labels: str, holds: bool) -> None:
    assert fact(relation, labels).holds(CUBE) is holds  # type: ignore[arg-type]


def test_facts_are_written_with_their_labels() -> None:
    assert fact("perpendicular_to_plane", "AA1 ABCD").text == "[AA1] ⊥ plane [ABCD]"
    assert fact("midpoint", "M AB").text == "[M] is the midpoint of [AB]"


def test_a_fact_of_too_few_points_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at least 4 points for 'perpendicular', got"):
        fact("perpendicular", "ABC")


def test_a_figure_without_a_place_for_a_label_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a place for every label of the figure, got none for B, H"):
        Figure(points={"A": (0.0, 0.0, 0.0)}, bodies=(), lines=(("A", "H"),), dots=("A", "B"))
