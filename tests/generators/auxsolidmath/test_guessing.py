"""Guessing what a row does not say, by the rules that the module states."""

from __future__ import annotations

import pytest

from generators.auxsolidmath.guessing import allowances, guess_answer_kind, guess_kind

COSINE = "In the cube, find the cosine of the angle between A1B and BD."
ANGLE = "The base is a square. Find the dihedral angle P-BC-A."
ANGLE_ZH = "如图，求二面角P-BC-A的大小。"
VOLUME = "Find the volume of the tetrahedron."
RANGE = "Find the range of λ."


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("Prove that AE is perpendicular to PBC.", "", "PROVING"),
        ("Prove that AE is perpendicular to PBC.", "See the proof.", "PROVING"),
        ("求证：AE⊥平面PBC。", "略", "PROVING"),
        ("Show that PB ∥ AEC.", "Omitted", "PROVING"),
        ("(1) Prove that AE ⊥ PB; (2) find the volume.", "8/3", "CALCULATION"),
        ("(1) 证明AE⊥PB；(2) 求余弦值。", "2√5/5", "CALCULATION"),
        (VOLUME, "8/3", "CALCULATION"),
        (VOLUME, "", "PROVING"),
    ],
)
def test_a_proof_has_no_value(question: str, answer: str, kind: str) -> None:
    assert guess_kind(question, answer) == kind


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (COSINE, "2√5/5", "number"),
        (COSINE, r"\frac{2\sqrt{5}}{5}", "number"),
        (VOLUME, "36π", "number"),
        (VOLUME, r"36\pi", "number"),
        (VOLUME, "1,000", "number"),
        (VOLUME, "12 cm^3", "number"),
        (VOLUME, r"12\text{ cm}^3", "number"),
        (VOLUME, "V = 8/3", "number"),
        ("Find the area of the section.", "π/2", "number"),
        ("底面圆周角为90°，求体积。", "12", "number"),
        (ANGLE, "60°", "angle"),
        (ANGLE, r"60^{\circ}", "angle"),
        (ANGLE, r"\frac{\pi}{3}", "angle"),
        (ANGLE, "60", "angle"),
        (ANGLE, r"\arccos\frac{1}{3}", "angle"),
        (ANGLE, "arctan √2", "angle"),
        (ANGLE, r"\cos^{-1}(1/3)", "angle"),
        (ANGLE_ZH, "π/3", "angle"),
        (ANGLE_ZH, "60度", "angle"),
        ("求直线与平面所成角的正弦值。", "√6/3", "number"),
        ("Find the tangent of the angle.", "2", "number"),
        ("Find λ.", "1/2", "number"),
        ("Find the edge.", "√3a/3", "symbolic"),
        ("Find the edge.", r"\frac{\sqrt{3}}{3}a", "symbolic"),
        ("Find the distance.", "abc/√2", "symbolic"),
        (VOLUME, "4πR³/3", "symbolic"),
        ("Find the ratio of the volumes.", "1:2", "ratio"),
        ("求体积之比。", "1∶2", "ratio"),
        ("Find the ratio of the volumes.", "√2:1", "ratio"),
        ("Find the ratio of the volumes.", "1:2:3", "ratio"),
        (RANGE, "(0, 1]", "interval"),
        (RANGE, r"\left[0,1\right)", "interval"),
        (RANGE, "(0, 1)", "interval"),
        (RANGE, "λ ∈ (0, 1]", "interval"),
        (RANGE, r"0<\lambda\le 1", "interval"),
        (RANGE, "(-∞, 2)", "interval"),
        ("Find the coordinates.", "(0, 1)", "multi"),
        ("Find k.", "±2", "multi"),
        ("Find k.", r"\pm 2", "multi"),
        ("Find k.", "2 or -2", "multi"),
        ("Find both.", "(1) 8/3; (2) 60°", "multi"),
        ("Find both.", "① 8/3 ② 60°", "multi"),
        ("Find both.", "AB = 2, CD = 3", "multi"),
        ("Find both.", "(1) (0, 1]; (2) 3", "multi"),
    ],
)
def test_the_kind_of_an_answer_follows_from_the_gold_and_what_is_asked(
    question: str, answer: str, kind: str
) -> None:
    assert guess_answer_kind(question, answer) == kind


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (VOLUME, {}),
        ("Take π = 3.14. Find the volume.", {"pi_as_3_14": True}),
        ("求体积（π取3.14）。", {"pi_as_3_14": True}),
        ("What percentage of the cube is cut off?", {"asked_percent": True}),
        (ANGLE, {"obtuse_allowed": True}),
        ("π = 3.14159", {}),
    ],
)
def test_what_the_question_allows_is_said_by_it(question: str, found: dict[str, bool]) -> None:
    assert allowances(question) == found
