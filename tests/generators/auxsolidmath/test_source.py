"""The set of problems: ids, order, prefixes, shares of answers, and the same item from every process."""

from __future__ import annotations

from collections import Counter

import pytest

from generators.auxsolidmath import AuxSolidMathSource, auxiliary_picture, blind_answer, list_problems
from generators.auxsolidmath.plan import allowed_repeats


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


def test_items_have_all_their_parts() -> None:
    source = AuxSolidMathSource(easy=2, hard=1)
    for item in source:
        assert set(item.extra) >= {"question_en", "question_zh", "solution", "aux_ops", "facts", "points3d"}
        assert item.final_fields == ("answer",)
        assert auxiliary_picture(item).key != item.picture.key
        assert blind_answer(item)
