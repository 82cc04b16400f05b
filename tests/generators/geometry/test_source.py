"""What the suite consists of, and that nothing but its seed and names decides it."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from generators.geometry import GeometrySource, list_images, task_item, tasks_of
from generators.geometry.classes import IMAGE_CLASSES, class_named
from generators.geometry.layout import DotDraws, image_seed
from generators.geometry.source import make_record
from generators.geometry.tasks import CLASS_TASKS, case_id
from generators.items import item_seed

if TYPE_CHECKING:
    from generators.items import Item


def test_the_standard_suite_has_92_pictures_in_the_published_classes() -> None:
    counts = Counter(ref.family for ref in list_images())

    assert counts == {"CTRL": 2, "USSS": 36, "USDS": 9, "HSFR": 3, "HSRP": 24, "HSDN": 18}
    assert len({ref.id for ref in list_images()}) == 92


@pytest.mark.parametrize(
    "name",
    [
        "CTRL_empty_wb",
        "CTRL_single_wb",
        "USSS_s2_d20_wb",
        "USSS_s3_d20_wb",
        "USSS_s3_d50_wb",
        "USSS_s3_d100_wb",
        "HSFR_sp12_wb",
        "HSDN_sp12_d10_n5_wb",
    ],
)
def test_published_names_are_kept(name: str) -> None:
    assert name in {ref.id for ref in list_images()}


def test_cases_follow_the_table_of_classes_and_tasks(suite_items: tuple[Item, ...]) -> None:
    cases = Counter(task for item in suite_items for task in tasks_of(item))

    assert cases == {
        "COUNT": 92,
        "LOCATE": 91,
        "PATTERN": 90,
        "SIZE": 45,
        "DEFECT": 45,
        "REGULARITY": 45,
        "SPACING": 3,
    }


def test_listing_and_making_agree_about_tasks(suite_items: tuple[Item, ...]) -> None:
    for ref, item in zip(list_images(), suite_items, strict=True):
        assert (item.id, item.family, item.index, item.difficulty) == (
            ref.id,
            ref.family,
            ref.index,
            ref.difficulty,
        )
        assert tasks_of(item) == ref.tasks


def test_balanced_tasks_have_both_answers_so_that_no_constant_wins(suite_items: tuple[Item, ...]) -> None:
    defective = Counter(item.truth["has_defects"] for item in suite_items if "DEFECT" in tasks_of(item))
    regular = Counter(item.truth["regularity"] for item in suite_items if "REGULARITY" in tasks_of(item))

    assert defective == {False: 27, True: 18}
    assert regular == {"REGULAR": 21, "PERTURBED": 24}


def test_only_the_count_is_asked_of_the_empty_picture() -> None:
    assert tasks_of(GeometrySource().item("CTRL_empty_wb")) == ("COUNT",)
    assert tasks_of(GeometrySource().item("CTRL_single_wb")) == ("COUNT", "LOCATE")


def test_a_picture_does_not_depend_on_what_else_was_asked_for() -> None:
    forward = {item.id: item for item in GeometrySource(seed=5)}
    shuffled = list(forward)
    random.Random(1).shuffle(shuffled)
    source = GeometrySource(seed=5, classes=["HSDN", "USSS"])

    for image_id in shuffled:
        if image_id.startswith(("HSDN", "USSS")):
            assert source.item(image_id) == forward[image_id]


def test_seeds_give_different_pictures_except_for_the_controls(items: tuple[Item, ...]) -> None:
    other = GeometrySource(seed=1)

    for item in items:
        same = item.picture.key == other.item(item.id).picture.key
        assert same == (item.family == "CTRL"), item.id


def test_the_seed_derivation_is_the_documented_one() -> None:
    assert image_seed(7, "USSS", "USSS_s2_d20_wb") == item_seed(7, "geometry:USSS", "USSS_s2_d20_wb")


def test_an_unknown_class_or_picture_is_named() -> None:
    with pytest.raises(ValueError, match=r"expected an image class out of CTRL, .*HSDN, got 'XXXX'"):
        list_images(["XXXX"])
    with pytest.raises(ValueError, match="got 'XXXX'"):
        class_named("XXXX")
    with pytest.raises(KeyError, match="no geometry picture 'USSS_x' among 92"):
        GeometrySource().item("USSS_x")
    assert len(GeometrySource(classes=["CTRL"])) == 2


def test_case_items_carry_id_prompt_and_fields_of_their_task() -> None:
    item = GeometrySource().item("HSDN_sp12_d10_n5_wb")

    case = task_item(item, "DEFECT")

    assert case.id == case_id(item.id, "DEFECT") == "HSDN_sp12_d10_n5_wb-DEFECT"
    assert case.suite == "geometry"
    assert case.final_fields == ("has_defects", "missing_count", "extra_count")
    assert case.extra == {"task": "DEFECT", "image_id": item.id}
    assert case.picture is item.picture
    assert case.digest != item.digest != task_item(item, "COUNT").digest


def test_every_class_has_a_row_in_the_table() -> None:
    assert list(CLASS_TASKS) == list(IMAGE_CLASSES)


def test_draws_are_those_that_the_language_promises_for_a_seed() -> None:
    draws, plain = DotDraws(3), random.Random(3)

    assert draws.uniform(2, 4) == 2 + 2 * plain.random()
    assert sorted(draws.shuffled(range(9))) == list(range(9))


def test_one_generator_per_picture_means_a_new_class_changes_no_other(
    monkeypatch: pytest.MonkeyPatch, items: tuple[Item, ...]
) -> None:
    before = {item.id: item.digest for item in items}
    extended = {"NEW": IMAGE_CLASSES["USSS"], **IMAGE_CLASSES}
    monkeypatch.setattr("generators.geometry.source.IMAGE_CLASSES", extended)
    monkeypatch.setattr("generators.geometry.source.CLASS_TASKS", {**CLASS_TASKS, "NEW": ("COUNT",)})
    monkeypatch.setattr("generators.geometry.classes.IMAGE_CLASSES", extended)

    source = GeometrySource(classes=list(CLASS_TASKS))
    assert {image_id: source.item(image_id).digest for image_id in before} == before


def test_settings_off_the_grid_give_pictures_too() -> None:
    record = make_record("USSS", "mine", {"diameter_um": 2.5, "count": 31}, seed=4)

    assert len(record.dots) == 31
