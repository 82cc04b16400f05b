"""The set of problems: ids, order, prefixes, shares of answers, and the frozen standard set."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest

from generators.auxsolidmath.dataset.files import ImportedPicture
from generators.auxsolidmath.exact import labels_in
from generators.auxsolidmath.naming import Naming, ProblemDraws, draw_naming
from generators.auxsolidmath.registry import family_named, list_problems
from generators.auxsolidmath.source import (
    AuxSolidMathSource,
    _Deck,
    allowed_repeats,
    auxiliary_picture,
    blind_answer,
    plan_split,
)
from tests.generators.auxsolidmath.freeze import FIXTURE, frozen_pixels
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
    places = [source.spec(ref).given_in for ref in source.cases if ref.family == "G02"]
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
    for ref in source.cases:
        if ref.kind == "CALCULATION":
            spec, route = source.spec(ref), ROUTES[ref.family]
            answer = family_named(ref.family).answer(spec.params).value
            assert answer is not None
            computed = route.compute(arrays(spec.problem().figure.points), spec.params)
            assert abs(answer - computed) <= route.tolerance * max(1.0, abs(answer)), ref.id


def test_items_have_all_their_parts() -> None:
    source = AuxSolidMathSource(easy=2, hard=1)
    for item in source:
        assert set(item.extra) >= {"question_en", "question_zh", "solution", "aux_ops", "facts", "points3d"}
        assert item.final_fields == ("answer",)
        assert auxiliary_picture(item).key != item.picture.key
        assert blind_answer(item)


@pytest.fixture(scope="module")
def frozen() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))
    return content


@pytest.mark.sweep
def test_digests_are_the_frozen_ones(standard_items: list[Item], frozen: dict[str, Any]) -> None:
    assert {item.id: item.digest for item in standard_items} == frozen["digests"]


def test_digests_of_some_items_are_the_frozen_ones(frozen: dict[str, Any]) -> None:
    source = AuxSolidMathSource()
    some = {ref.id: source.item(ref).digest for ref in source.cases[::23]}
    assert some == {item_id: frozen["digests"][item_id] for item_id in some}


@pytest.mark.sweep
def test_pixels_are_the_frozen_ones(standard_items: list[Item], frozen: dict[str, Any]) -> None:
    for name, held in frozen["pixels"]["versions"].items():
        if version(name) != held:
            pytest.skip(f"picture hashes hold for {name} {held}, installed is {version(name)}")
    assert frozen_pixels(standard_items) == frozen["pixels"]["sha256"]


def test_labels_are_renamed_with_digits_lowered_and_primes_kept() -> None:
    naming = Naming(letters={"A": "E", "B": "F"})
    assert naming.text("[A1B] ∥ [B'A] and A") == "E₁F ∥ F′E and A"
    assert labels_in("A1B'C") == ("A1", "B'", "C")


def test_a_label_without_a_point_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of the labels A, got 'Q'"):
        Naming(letters={"A": "E"}).text("[AQ]")


def test_no_two_letters_become_one() -> None:
    for seed in range(40):
        letters = draw_naming(labels_in("ABCDPOMNEFGHKQA1"), ProblemDraws(seed, "names", 0)).letters
        assert len(set(letters.values())) == len(letters) == 14


def test_a_picture_from_elsewhere_has_no_auxiliary_drawing() -> None:
    made = AuxSolidMathSource(easy=1, hard=0)
    foreign = replace(made.item(made.cases[0]), picture=ImportedPicture(item_id="x", where="x", folder=FIXTURE))
    with pytest.raises(TypeError, match="expected an item of the generator, got 'auxsolidmath_easy-G01-000'"):
        auxiliary_picture(foreign)


def test_a_claim_is_its_own_blind_answer() -> None:
    source = AuxSolidMathSource(easy=5, hard=0)
    proof = next(source.item(ref) for ref in source.cases if ref.kind == "PROVING")
    assert blind_answer(proof) == proof.truth["answer"]
    assert str(proof.extra["solution"]).endswith(f"Therefore {proof.truth['answer']}.")
