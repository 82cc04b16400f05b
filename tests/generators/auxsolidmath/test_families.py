"""What every family promises: right answers, true facts, constructions that are new and well made."""

from __future__ import annotations

import math
import re
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import pytest
import sympy as sp

from generators.auxsolidmath import families
from generators.auxsolidmath.exact import labels_in
from generators.auxsolidmath.registry import DIFFICULTIES, family_kinds, family_named
from generators.auxsolidmath.space import Polyhedron, Vec, cross, distance, dot, norm, sub, unit
from tests.generators.auxsolidmath.exact_route import MEASURES, exact, written
from tests.generators.auxsolidmath.second_route import DISCRETE, ROUTES, arrays

if TYPE_CHECKING:
    from generators.auxsolidmath.problem import Problem, ProblemFamily

KINDS = {name: kind for difficulty in DIFFICULTIES for name, kind in family_kinds(difficulty).items()}

NAMES = list(KINDS)
CALCULATIONS = [name for name, kind in KINDS.items() if kind == "CALCULATION"]


def sampled(family: ProblemFamily[Any]) -> list[Any]:
    grid = list(family.grid())
    return grid[:: max(1, len(grid) // 12)]


def overlaps(a: tuple[Vec, Vec], b: tuple[Vec, Vec]) -> bool:
    """Whether two segments of one line share more than a point."""
    along = unit(sub(a[1], a[0]))
    if any(norm(cross(along, sub(end, a[0]))) > 1e-9 for end in b):
        return False
    low, high = sorted(dot(along, sub(end, a[0])) for end in b)
    return min(high, distance(*a)) - max(low, 0.0) > 1e-9


def drawn_segments(problem: Problem) -> list[tuple[Vec, Vec]]:
    figure = problem.figure
    edges = [
        (face[at - 1], face[at])
        for body in figure.bodies
        if isinstance(body, Polyhedron)
        for face in body.faces
        for at in range(len(face))
    ]
    return edges + [(figure.points[start], figure.points[end]) for start, end in figure.lines]


def test_every_module_of_the_package_is_a_family_that_is_found() -> None:
    assert sorted(NAMES) == sorted(found.name.upper() for found in iter_modules(families.__path__))


@pytest.mark.parametrize("name", NAMES)
def test_the_family_stands_in_its_split(name: str) -> None:
    family = family_named(name)
    assert family.name == name
    assert family_kinds(family.difficulty)[name] == family.kind
    assert (name in ROUTES) == (family.kind == "CALCULATION")


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.sweep), 12])
@pytest.mark.parametrize("name", CALCULATIONS)
def test_answers_agree_with_a_second_route(name: str, every: int) -> None:
    family, route = family_named(name), ROUTES[name]
    for params in sampled(family)[:: max(every, 6) if route.tolerance == DISCRETE else every]:
        answer = family.answer(params).value
        assert answer is not None
        computed = route.compute(arrays(family.build(params).figure.points), params)
        assert abs(answer - computed) <= route.tolerance * max(1.0, abs(answer)), params


@pytest.mark.parametrize("name", CALCULATIONS)
def test_no_answer_is_a_given_number(name: str) -> None:
    family = family_named(name)
    for params in family.grid():
        answer = family.answer(params)
        assert answer.value not in {0.0, 1.0, -1.0}
        sizes = {given.value for given in family.givens(params)}
        assert all(abs(answer.value - size) > 1e-9 for size in sizes if answer.value is not None), params


@pytest.mark.parametrize("name", NAMES)
def test_given_sizes_are_those_of_the_figure(name: str) -> None:
    family = family_named(name)
    for params in sampled(family):
        points = family.build(params).figure.points
        for given in family.givens(params):
            at = [points[label] for label in given.labels]
            if given.kind == "length":
                size = distance(at[0], at[1])
            else:
                arms = [unit(sub(at[end], at[1])) for end in (0, 2)]
                size = math.degrees(math.acos(dot(arms[0], arms[1])))
            assert abs(size - given.value) < 1e-9 * max(1.0, size), (params, given)


@pytest.mark.parametrize("name", NAMES)
def test_all_facts_hold_in_coordinates(name: str) -> None:
    family = family_named(name)
    for params in sampled(family):
        problem = family.build(params)
        stated = [*(fact for step in problem.constructions for fact in step.facts), *problem.facts]
        assert stated or family.kind == "CALCULATION"
        assert [fact for fact in stated if not fact.holds(problem.figure.points)] == [], params


@pytest.mark.parametrize("name", NAMES)
def test_constructions_add_lines_that_are_not_drawn_yet(name: str) -> None:
    family = family_named(name)
    for params in sampled(family):
        problem = family.build(params)
        drawn = drawn_segments(problem)
        for step in problem.constructions:
            for start, end in step.lines:
                new = problem.figure.points[start], problem.figure.points[end]
                assert distance(*new) > 1e-9
                assert not any(overlaps(new, old) for old in drawn), (params, start, end)
                drawn.append(new)


@pytest.mark.parametrize("name", NAMES)
def test_constructions_use_points_that_exist_and_create_new_ones(name: str) -> None:
    family = family_named(name)
    for params in sampled(family):
        problem = family.build(params)
        named = labels_in("".join(re.findall(r"\[[^\]]*\]", problem.question_en)))
        known = set(problem.shown)
        assert known <= {*named, *(label for given in family.givens(params) for label in given.labels)}
        for step in problem.constructions:
            assert not known & set(step.creates)
            known |= set(step.creates)
            assert {end for line in step.lines for end in line} <= known
        assert known == set(problem.figure.points)


@pytest.mark.parametrize("name", NAMES)
def test_the_wording_gives_what_is_needed(name: str) -> None:
    family = family_named(name)
    for params in sampled(family):
        problem = family.build(params)
        for question in (problem.question_en, problem.question_zh):
            assert question.count("{given}") == (1 if family.givens(params) else 0)
        assert len(problem.solution) >= 2
        if "figure" in family.given_in and family.kind == "CALCULATION":
            assert family.givens(params)


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_symbolic_computation_from_coordinates_gives_the_same_number(name: str) -> None:
    family, (labels, measure) = family_named(name), MEASURES[name]
    for params in sampled(family)[::5]:
        points = family.build(params).figure.points
        known = " ".join(label for label in labels.split() if label in points)
        value = measure(exact(points, known), params)
        assert sp.simplify(value - written(family.answer(params).text)) == 0, params


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(KeyError, match=r"expected a problem family out of G01, .*, got 'G99'"):
        family_named("G99")
