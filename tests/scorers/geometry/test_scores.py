"""Scores: the metrics' definitions, what passes, and the rows that tables are made of."""

from __future__ import annotations

import json
import math

import pytest

from scorers.geometry import TASKS, THRESHOLDS, CountScore, LocateScore, as_score, score_geometry
from scorers.geometry.tasks import dots_of, number_of, text_of, whole_of
from scorers.score import Score
from tests.scorers.geometry.truths import dots_truth, full_truth


@pytest.mark.parametrize(
    ("said", "truth", "error", "percent"),
    [
        (42, 42, 0, 0.0),
        (44, 42, 2, 200 / 42),
        (50, 42, 8, 800 / 42),
        (0, 0, 0, None),
        (1, 0, 1, None),
        (50, 100, 50, 50.0),
    ],
)
def test_count_metrics(said: int, truth: int, error: int, percent: float | None) -> None:
    score = score_geometry("COUNT", str(said), full_truth(count=truth))

    assert score.metrics == {
        "exact_match": said == truth,
        "within_n": error <= 2,
        "abs_error": error,
        "pct_error": percent,
        "false_positive": truth == 0 and said > 0,
    }
    assert score.passed == (said == truth)
    assert (score.prediction, score.expected) == (said, truth)


def test_the_count_tolerance_is_the_callers() -> None:
    assert score_geometry("COUNT", "45", full_truth(count=42), count_tolerance=3).metrics["within_n"] is True
    assert score_geometry("COUNT", "45", full_truth(count=42)).metrics["within_n"] is False


@pytest.mark.parametrize(
    ("said", "truth", "passed"),
    [
        (3.6, 3.0, True),
        (2.4, 2.0, True),
        (6, 5, True),
        (3.61, 3.0, False),
        (4.0, 3.5, True),
        (5.0, 3.5, False),
        (2.4, 3, True),
    ],
)
def test_lengths_within_a_fifth_pass_also_where_binary_fractions_disagree(
    said: float, truth: float, passed: bool
) -> None:
    assert score_geometry("SIZE", f"{said}", full_truth(diameter_um=truth)).passed is passed
    assert score_geometry("SPACING", f"{said}", full_truth(spacing_um=truth)).passed is passed


def test_both_lengths_must_pass_where_two_are_asked_for() -> None:
    truth = full_truth(diameter_um=None, smallest_diameter_um=2.0, largest_diameter_um=5.0)

    good = score_geometry("SIZE", "SMALLEST: 2.2 µm\nLARGEST: 5 µm", truth)
    bad = score_geometry("SIZE", "SMALLEST: 2.5 µm\nLARGEST: 5 µm", truth)
    half = score_geometry("SIZE", '{"smallest": 2, "largest": "?"}', truth)

    assert (good.passed, bad.passed, half.passed, half.parsed) == (True, False, False, False)
    assert good.metrics["abs_error_um"] == pytest.approx(0.1)
    assert good.metrics["pct_error"] == pytest.approx(100 * 0.1 / 3.5)
    assert half.metrics["abs_error_um"] is None
    assert good.expected == {"smallest_diameter_um": 2.0, "largest_diameter_um": 5.0}


@pytest.mark.parametrize(
    ("text", "passed", "missing_error", "extra_error"),
    [
        ("DEFECTS: YES\nMISSING: 3\nEXTRA: 2", True, 0, 0),
        ("DEFECTS: YES\nMISSING: 4\nEXTRA: 1", True, 1, 1),
        ("DEFECTS: YES\nMISSING: 5\nEXTRA: 2", False, 2, 0),
        ("DEFECTS: NO", False, 3, 2),
        ("DEFECTS: YES", False, None, None),
        ("well", False, None, None),
    ],
)
def test_defects_pass_by_verdict_and_both_counts(
    text: str, passed: bool, missing_error: int | None, extra_error: int | None
) -> None:
    score = score_geometry("DEFECT", text, full_truth())

    assert score.passed is passed
    assert score.metrics["missing_count_error"] == missing_error
    assert score.metrics["noise_count_error"] == extra_error


def test_unknown_counts_of_defects_are_not_asked_for() -> None:
    truth = full_truth(missing_count=None, extra_count=None)

    assert score_geometry("DEFECT", "YES", truth).passed
    assert [row.field for row in score_geometry("DEFECT", "YES", truth).rows] == ["has_defects"]
    assert score_geometry("DEFECT", "YES", truth).expected == {
        "has_defects": True,
        "missing_count": None,
        "extra_count": None,
    }


def test_labels_pass_by_equality() -> None:
    assert score_geometry("PATTERN", "hexagonal", full_truth()).passed
    assert not score_geometry("PATTERN", "grid", full_truth()).passed
    assert score_geometry("REGULARITY", "regular", full_truth()).metrics == {"correct": True}
    assert score_geometry("REGULARITY", "", full_truth()).metrics == {"correct": False}
    assert score_geometry("REGULARITY", "regular", full_truth()).expected == "REGULAR"


def _located(text: str, truth: dict[str, object]) -> LocateScore:
    score = score_geometry("LOCATE", text, truth)
    assert isinstance(score, LocateScore)
    return score


def test_location_metrics_count_pairs_misses_and_false_predictions() -> None:
    truth = dots_truth((10.0, 10.0), (50.0, 35.0), (80.0, 60.0))

    score = _located("71.4, 71.4\n357.1, 257.1\n600, 100", truth)

    assert score.metrics == {
        "mean_distance_um": pytest.approx((math.hypot(0.004, 0.004) + math.hypot(0.006, 0.994)) / 2, abs=1e-3),
        "detection_rate": pytest.approx(200 / 3),
        "false_positives": 1,
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(2 / 3),
        "f1": pytest.approx(2 / 3),
    }
    assert not score.passed


def test_twenty_copies_of_one_right_point_are_one_hit_and_nineteen_false() -> None:
    score = _located("71.4, 71.4\n" * 20, dots_truth((10.0, 10.0), (50.0, 35.0)))

    assert (len(score.pairs), score.false_positives) == (1, 19)


def test_silence_is_not_precise() -> None:
    score = _located("NONE", dots_truth((10.0, 10.0)))

    assert (score.parsed, score.precision, score.recall, score.f1, score.false_positives) == (True, 0, 0, 0, 0)
    assert score.mean_distance_um is None


def test_an_empty_picture_is_right_only_without_predictions() -> None:
    right, wrong, none = (_located(text, dots_truth()) for text in ("NONE", "5, 5", "well"))

    assert (right.f1, right.precision, right.recall, right.passed) == (1, 1, 1, True)
    assert (wrong.f1, wrong.precision, wrong.recall, wrong.passed) == (0, 0, 0, False)
    assert (none.f1, none.precision, none.parsed) == (0, 0, False)


@pytest.mark.parametrize(
    ("count", "diameter", "spacing", "radius"),
    [
        (20, 3.0, None, 3.0),
        (100, 3.0, None, math.sqrt(98 * 71.4 / 100) / 4),
        (20, 5.0, None, math.sqrt(98 * 71.4 / 20) / 4),
        (45, 3.0, 8.0, 2.0),
        (45, 3.0, 16.0, 3.0),
    ],
)
def test_the_radius_is_one_diameter_capped_by_how_dense_the_dots_are(
    count: int, diameter: float, spacing: float | None, radius: float
) -> None:
    far = [(4.0 + 8 * (place % 12), 4.0 + 7 * (place // 12)) for place in range(count)]
    truth = dots_truth(*far, diameter_um=diameter, lattice_spacing_um=spacing)
    score = _located("NONE", truth)

    assert score.largest_radius_um == pytest.approx(radius)
    at = f"({(4 + radius) / 0.14!r}, {4 / 0.14!r})", f"({4 / 0.14!r}, {(4 - radius * 1.001) / 0.14!r})"
    assert [len(_located(text, truth).pairs) for text in at] == [1, 0]


def test_distance_is_the_same_in_both_directions() -> None:
    truth = dots_truth((50.0, 35.0))

    across, down = _located("(367, 250)", truth), _located("(357.142857142857, 259.857142857143)", truth)

    assert across.mean_distance_um == pytest.approx(down.mean_distance_um, abs=1e-9)


def test_points_and_dots_are_given_for_drawing() -> None:
    score = _located("71.4, 71.4", dots_truth((10.0, 10.0)))

    assert score.prediction == [[71.4, 71.4]]
    assert score.expected == [[10.0, 10.0, 3.0]]
    assert _located("well", dots_truth()).prediction is None


@pytest.mark.parametrize(
    "text", ["", "5", "DEFECTS: NO", "hexagonal", "irregular", "SMALLEST: 1\nLARGEST: 9", "5, 5"]
)
def test_the_common_form_agrees_with_the_score(text: str) -> None:
    truths = (full_truth(), full_truth(diameter_um=None, smallest_diameter_um=2.0, largest_diameter_um=5.0))
    for task in TASKS:
        for truth in truths:
            score = score_geometry(task, text, truth)
            common = as_score(score)
            assert isinstance(common, Score)
            assert common.passed == score.passed
            assert common.parsed == score.parsed == (common.answer is not None)
            assert all(row.why and (row.prediction is not None or not row.passed) for row in common.fields)
            json.dumps([common.answer, score.metrics, score.expected], allow_nan=False)


def test_no_reply_is_scored_as_wrong() -> None:
    score = score_geometry("COUNT", None, full_truth(count=0))

    assert isinstance(score, CountScore)
    assert (score.parsed, score.passed, score.rule, score.task) == (False, False, "empty", "COUNT")


def test_thresholds_stand_in_one_table() -> None:
    assert (THRESHOLDS.count_within, THRESHOLDS.length_rel, THRESHOLDS.locate_f1) == (2, 0.2, 0.9)
    assert (THRESHOLDS.locate_share, THRESHOLDS.defect_count) == (0.25, 1)


def test_an_unknown_task_or_a_truth_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a task out of COUNT, .*REGULARITY, got 'SMELL'"):
        score_geometry("SMELL", "x", full_truth())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dots as a list, got 3"):
        dots_of({"dots": 3})
    with pytest.raises(TypeError, match="count as a number, got None"):
        number_of({}, "count")
    with pytest.raises(TypeError, match=r"count as a whole number, got 3.5"):
        whole_of({"count": 3.5}, "count")
    with pytest.raises(TypeError, match="pattern as a text, got 3"):
        text_of({"pattern": 3}, "pattern")
