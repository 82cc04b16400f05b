"""Small parts: facts that do not hold, labels and names that do not exist, items from elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generators.auxsolidmath import AuxSolidMathSource, auxiliary_picture, blind_answer
from generators.auxsolidmath.draws import Draws
from generators.auxsolidmath.facts import fact
from generators.auxsolidmath.naming import Naming, draw_naming, labels_in
from generators.auxsolidmath.registry import family_named
from generators.auxsolidmath.solids import CUBOID_FACES, cuboid
from generators.auxsolidmath.view_choice import choose_view

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


def test_labels_are_renamed_with_digits_lowered_and_primes_kept() -> None:
    naming = Naming(letters={"A": "E", "B": "F"})
    assert naming.text("[A1B] ∥ [B'A] and A") == "E₁F ∥ F′E and A"
    assert labels_in("A1B'C") == ("A1", "B'", "C")


def test_a_label_without_a_point_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of the labels A, got 'Q'"):
        Naming(letters={"A": "E"}).text("[AQ]")


@pytest.mark.parametrize("seed", range(40))
def test_no_two_letters_become_one(seed: int) -> None:
    labels = "A B C D P O M N E F G H K Q A1"
    letters = draw_naming(labels.split(), Draws(seed, "names", 0)).letters
    assert len(set(letters.values())) == len(letters) == 14


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(KeyError, match=r"expected a problem family out of G01, .*, got 'G99'"):
        family_named("G99")


def test_lines_along_a_face_are_not_hidden_by_it() -> None:
    from generators.auxsolidmath.figure import faces_of  # noqa: PLC0415 - only here

    solid = faces_of(CUBE, CUBOID_FACES)
    assert solid.chord((1.0, 1.0, 2.0), (1.0, 0.0, 0.0)) == 0.0
    assert solid.chord((1.0, 1.0, 1.0), (1.0, 0.0, 0.0)) == pytest.approx(1.0)


def test_when_no_view_is_free_of_faults_the_least_crowded_is_taken() -> None:
    family = family_named("G02")
    problem = family.build(family.grid()[0])
    seen = []

    def faults(view: object) -> int:
        seen.append(view)
        return 3 if len(seen) == 4 else 5

    view = choose_view(problem, family.view, Draws(0, "test", 0), faults)
    assert view == seen[3]


def test_a_picture_from_elsewhere_has_no_auxiliary_drawing() -> None:
    class Elsewhere:
        key = None

        def png(self) -> bytes:
            return b""

    made = AuxSolidMathSource(easy=1, hard=0)
    item = made.item(made.cases[0])
    foreign = replace(item, picture=Elsewhere())
    with pytest.raises(TypeError, match="expected an item of the generator, got 'auxsolidmath_easy-G01-000'"):
        auxiliary_picture(foreign)


def test_a_claim_is_its_own_blind_answer() -> None:
    source = AuxSolidMathSource(easy=5, hard=0)
    proof = next(source.item(ref) for ref in source.cases if ref.kind == "PROVING")
    assert blind_answer(proof) == proof.truth["answer"]
    assert str(proof.extra["solution"]).endswith(f"Therefore {proof.truth['answer']}.")
