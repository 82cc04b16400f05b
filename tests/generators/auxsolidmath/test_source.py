"""The set of problems: ids, order, prefixes, shares of answers, and the same item from every process."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from generators.auxsolidmath import AuxSolidMathSource, auxiliary_picture, blind_answer, list_problems
from generators.auxsolidmath.plan import _Deck, allowed_repeats, plan_split
from generators.auxsolidmath.registry import family_named
from tests.generators.auxsolidmath.second_route import ROUTES, arrays

if TYPE_CHECKING:
    from generators.items import Item


def test_the_standard_set_has_150_easy_and_152_hard_problems() -> None:
    refs = list_problems()
    assert Counter(ref.difficulty for ref in refs) == {"easy": 150, "hard": 152}
    assert len({ref.id for ref in refs}) == 302


def test_fewer_problems_are_a_part_of_more() -> None:
    few, many = AuxSolidMathSource(easy=20, hard=17), AuxSolidMathSource()
    assert {ref.id for ref in few.cases} < {ref.id for ref in many.cases}
    for ref in few.cases[::5]:
        assert few.item(ref).digest == many.item(ref).digest


def test_a_negative_number_of_problems_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at least 0 easy and 0 hard problems, got -1 and 2"):
        list_problems(easy=-1, hard=2)


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(KeyError, match="no AuxSolidMath problem 'G02' among 302"):
        AuxSolidMathSource().case("G02")


def test_5_percent_bound_holds_for_100_items_and_more() -> None:
    assert all(allowed_repeats(items) <= 0.05 * items for items in range(100, 1000))


@pytest.mark.parametrize("seed", range(10))
def test_no_answer_is_that_of_more_than_5_percent_of_the_items(seed: int) -> None:
    plans = [plan_split(seed, "easy", 150), plan_split(seed, "hard", 152)]
    answers = Counter(
        choice.answer
        for plan in plans
        for choice in plan.values()
        if family_named(choice.family).kind != "PROVING"
    )
    assert max(answers.values()) <= 0.05 * 302


def test_when_every_answer_was_given_too_often_the_rarest_is_taken() -> None:
    family = family_named("G08")
    given = Counter({family.answer(params).text: 9 for params in family.grid()}) | Counter({"9√3": 9})
    given["9√3"] = 5
    assert _Deck("G08", 0).take(0, given, 3).answer == "9√3"


@pytest.mark.sweep
def test_no_two_items_of_a_seed_are_the_same_problem(standard_items: list[Item]) -> None:
    assert len({(item.extra["question_en"], str(item.params)) for item in standard_items}) == len(standard_items)


def test_sizes_are_marked_in_the_figure_for_half_of_a_family() -> None:
    source = AuxSolidMathSource(easy=26, hard=0)
    places = [source.draft(ref).given_in for ref in source.cases if ref.family == "G02"]
    assert sorted(places) == ["figure", "text"]


@pytest.mark.sweep
def test_a_question_whose_sizes_are_in_the_figure_holds_no_number(standard_items: list[Item]) -> None:
    asked = [str(item.extra["question_en"]) for item in standard_items if item.extra["given_in"] == "figure"]
    assert len(asked) > 100
    assert not any(digit in question for question in asked for digit in "0123456789√")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_every_item_of_ten_seeds_agrees_with_its_second_route(seed: int) -> None:
    source = AuxSolidMathSource(seed=seed)
    checked = 0
    for ref in source.cases:
        if ref.kind == "CALCULATION":
            draft, route = source.draft(ref), ROUTES[ref.family]
            answer = family_named(ref.family).answer(draft.params).value
            assert answer is not None
            computed = route.compute(arrays(draft.problem().figure.points), draft.params)
            assert abs(answer - computed) <= route.tolerance * max(1.0, abs(answer)), ref.id
            checked += 1
    print(f"\nseed {seed}: {checked} answers agree")


def test_items_have_all_their_parts() -> None:
    source = AuxSolidMathSource(easy=2, hard=1)
    for item in source:
        assert set(item.extra) >= {"question_en", "question_zh", "solution", "aux_ops", "facts", "points3d"}
        assert item.final_fields == ("answer",)
        assert auxiliary_picture(item).key != item.picture.key
        assert blind_answer(item)
