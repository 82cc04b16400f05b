"""Metrics over many replies, and their twins in which a missing answer is a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorers.geometry import Task, aggregate, macro_average, score_geometry
from tests.scorers.geometry.truths import dots_truth, full_truth

if TYPE_CHECKING:
    from scorers.geometry import TaskScore


def _scores(task: Task, *replies: tuple[str, dict[str, Any]]) -> list[TaskScore]:
    return [score_geometry(task, text, truth) for text, truth in replies]


def _counts(*replies: tuple[str, int]) -> list[TaskScore]:
    return _scores("COUNT", *((text, full_truth(count=truth)) for text, truth in replies))


def test_counts_over_answered_replies_and_over_all() -> None:
    metrics = aggregate(_counts(("42", 42), ("44", 40), ("8", 10), ("well", 20)))

    assert metrics == {
        "samples": 4,
        "answered": 3,
        "exact_match": pytest.approx(100 / 3),
        "within_n": pytest.approx(200 / 3),
        "mean_error": 2.0,
        "mean_pct_error": pytest.approx(10.0),
        "empty_false_positives": None,
        "exact_match_all": 25.0,
        "within_n_all": 50.0,
        "mean_error_all": 6.5,
        "mean_pct_error_all": pytest.approx(32.5),
        "empty_false_positives_all": None,
    }


def test_false_counts_in_empty_pictures_are_reported_apart() -> None:
    metrics = aggregate(_counts(("0", 0), ("3", 0), ("", 0), ("1", 1)))

    assert metrics["empty_false_positives"] == 50.0
    assert metrics["empty_false_positives_all"] == pytest.approx(200 / 3)
    assert metrics["mean_error_all"] == 1.0


def test_without_any_answer_the_plain_metrics_are_none_and_the_twins_are_wrong() -> None:
    metrics = aggregate(_counts(("", 5), ("well", 10)))

    assert metrics["exact_match"] is None
    assert metrics["exact_match_all"] == 0.0
    assert aggregate([]) == {"samples": 0, "answered": 0}


def _patterns(*replies: tuple[str, str]) -> dict[str, Any]:
    return aggregate(_scores("PATTERN", *((text, full_truth(pattern=truth)) for text, truth in replies)))


def test_patterns_by_label_with_confusion_and_macro_f1() -> None:
    metrics = _patterns(
        ("RANDOM", "RANDOM"), ("RANDOM", "RANDOM"), ("RANDOM", "HEXAGONAL"), ("HEXAGONAL", "HEXAGONAL"),
        ("GRID", "HEXAGONAL"), ("well", "HEXAGONAL"),
    )  # fmt: skip

    assert metrics["accuracy"] == pytest.approx(60.0)
    assert metrics["accuracy_all"] == pytest.approx(50.0)
    assert metrics["per_class_f1"] == {
        "RANDOM": pytest.approx(0.8), "HEXAGONAL": pytest.approx(0.5), "GRID": 0.0, "EMPTY": None, "SINGLE": None,
    }  # fmt: skip
    assert metrics["macro_f1"] == metrics["f1"] == pytest.approx(0.65)
    assert metrics["macro_f1_all"] == pytest.approx((0.8 + 0.4) / 2)
    assert metrics["confusion_all"]["HEXAGONAL"] == {
        "RANDOM": 1, "HEXAGONAL": 1, "GRID": 1, "EMPTY": 0, "SINGLE": 0, "unparsed": 1,
    }  # fmt: skip
    assert list(metrics["confusion"]) == ["RANDOM", "HEXAGONAL"]


def test_a_label_that_is_never_answered_scores_zero() -> None:
    assert _patterns(("RANDOM", "HEXAGONAL"))["macro_f1"] == 0.0


@pytest.mark.parametrize("reply", ["DEFECTS: YES\nMISSING: 3\nEXTRA: 2", "DEFECTS: NO"])
def test_a_constant_verdict_has_balanced_accuracy_one_half(reply: str) -> None:
    clean = full_truth(has_defects=False, missing_count=0, extra_count=0)
    metrics = aggregate(_scores("DEFECT", *[(reply, clean)] * 27, *[(reply, full_truth())] * 18))

    assert metrics["balanced_accuracy"] == metrics["balanced_accuracy_all"] == 0.5


def test_defects_by_detection_and_false_alarm() -> None:
    clean = full_truth(has_defects=False, missing_count=0, extra_count=0)
    metrics = aggregate(
        _scores(
            "DEFECT",
            ("DEFECTS: YES\nMISSING: 3\nEXTRA: 2", full_truth()),
            ("DEFECTS: NO", full_truth()),
            ("well", full_truth()),
            ("DEFECTS: NO", clean),
            ("DEFECTS: YES\nMISSING: 1", clean),
            ("", clean),
        )
    )

    assert metrics["detection_rate"] == metrics["false_pos_rate"] == 50.0
    assert (metrics["precision"], metrics["recall"], metrics["f1_score"]) == (0.5, 0.5, 0.5)
    assert metrics["balanced_accuracy"] == 0.5
    assert metrics["detection_rate_all"] == pytest.approx(100 / 3)
    assert metrics["false_pos_rate_all"] == pytest.approx(200 / 3)
    assert metrics["precision_all"] == pytest.approx(1 / 3)
    assert metrics["missing_count_error"] == pytest.approx((0 + 3 + 0 + 1) / 4)
    assert metrics["missing_count_error_all"] == pytest.approx((0 + 3 + 3 + 0 + 1 + 1) / 6)
    assert metrics["noise_count_error"] == pytest.approx((0 + 2 + 0) / 3)
    assert metrics["noise_count_error_all"] == pytest.approx((0 + 2 + 2 + 0 + 1 + 1) / 6)
    assert metrics["accuracy"] == 50.0


def test_rates_without_positives_or_negatives_or_claims_are_none() -> None:
    clean = full_truth(has_defects=False, missing_count=0, extra_count=0)
    only_clean = aggregate(_scores("DEFECT", ("DEFECTS: NO", clean)))
    unknown = aggregate(_scores("DEFECT", ("YES", full_truth(missing_count=None, extra_count=None))))

    assert [only_clean[name] for name in ("detection_rate", "precision", "f1_score", "balanced_accuracy")] == [
        None
    ] * 4
    assert only_clean["false_pos_rate"] == 0.0
    assert unknown["false_pos_rate"] is None
    assert unknown["missing_count_error"] is None


def test_regularity_is_judged_by_balanced_accuracy() -> None:
    metrics = aggregate(
        _scores(
            "REGULARITY",
            ("PERTURBED", full_truth(regularity="PERTURBED")),
            ("PERTURBED", full_truth(regularity="REGULAR")),
            ("", full_truth(regularity="REGULAR")),
        )
    )

    assert (metrics["accuracy"], metrics["balanced_accuracy"]) == (50.0, 0.5)
    assert metrics["accuracy_all"] == pytest.approx(100 / 3)


def test_lengths_by_error_and_tolerance() -> None:
    metrics = aggregate(_scores("SIZE", ("3.3", full_truth()), ("6", full_truth()), ("well", full_truth())))

    assert metrics["mean_abs_error_um"] == pytest.approx(1.65)
    assert metrics["mean_pct_error"] == pytest.approx(55)
    assert metrics["within_tolerance"] == 50.0
    assert metrics["mean_abs_error_um_all"] == pytest.approx(2.1)
    assert metrics["within_tolerance_all"] == pytest.approx(100 / 3)


def test_positions_by_image_with_the_radius_as_distance_of_no_answer() -> None:
    truth = dots_truth((10.0, 10.0), (50.0, 35.0))
    metrics = aggregate(
        _scores("LOCATE", ("(71.428571, 71.428571), (357.142857, 250)", truth), ("(600, 400)", truth), ("", truth))
    )

    assert metrics["f1"] == metrics["precision"] == metrics["recall"] == 0.5
    assert metrics["detection_rate"] == 50.0
    assert metrics["false_positives"] == 0.5
    assert metrics["mean_distance_um"] == pytest.approx(0, abs=1e-6)
    assert metrics["mean_distance_um_all"] == pytest.approx(2.0, abs=1e-6)
    assert metrics["f1_all"] == pytest.approx(1 / 3)


def test_the_class_average_weighs_classes_equally() -> None:
    few, many = aggregate(_counts(("1", 1))), aggregate(_counts(("1", 2), ("1", 2), ("1", 2)))

    average = macro_average({"CTRL": few, "USSS": many})

    assert average["exact_match"] == 50.0
    assert average["empty_false_positives"] is None
    assert "samples" not in average
    assert "per_class_f1" not in macro_average({"USSS": _patterns(("RANDOM", "RANDOM"))})


def test_scores_of_two_tasks_or_of_none_are_refused() -> None:
    with pytest.raises(TypeError, match=r"expected scores of one task, got \['COUNT', 'SIZE'\]"):
        aggregate([*_counts(("1", 1)), *_scores("SIZE", ("3", full_truth()))])

    class Other:
        task = "COUNT"
        parsed = True

    with pytest.raises(TypeError, match="expected a geometry score, got Other"):
        aggregate([Other()])  # type: ignore[list-item]
