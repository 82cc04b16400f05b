"""Metrics over many replies to one task: rates in _percent, F1, precision, recall and balanced accuracy in 0..1.

Under its own name a metric counts only replies in which an answer was read; under its name with `_all` every reply
counts, and one without an answer counts as wrong:

* rates and labels: a wrong one (for DEFECT and REGULARITY the opposite of the truth);
* COUNT: as if 0 had been counted, at least an error of 1 (100 %);
* DEFECT counts: as if 0 had been counted, at least an error of 1, also where a verdict was read but no count;
* SIZE, SPACING: an error of the whole truth;
* LOCATE: no prediction at all; in the mean distance every reply without a pair has the picture's largest pairing
  radius. (Under its own name an answer without any pair has no distance.)

A metric is None where nothing counts for it. `samples` and `answered` say over how many replies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorers.geometry.choice import PATTERNS, ChoiceScore
from scorers.geometry.count import CountScore
from scorers.geometry.defects import DefectScore
from scorers.geometry.lengths import LengthScore
from scorers.geometry.locate import LocateScore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "UNREAD",
    "Aggregate",
    "TaskScore",
    "aggregate",
    "macro_average",
]

TaskScore = ChoiceScore | CountScore | DefectScore | LengthScore | LocateScore
"""One scored reply to one task.

`passed` is the verdict, by `THRESHOLDS`; `parsed` whether an answer was read: without one the case failed, and
every prediction is None. `rule` is the reading rule that fired. `prediction` and `expected` are JSON-safe,
`metrics` go by name (None where one has no value), `rows` has one for each field.
"""

UNREAD = "unparsed"
"""Column of the confusion matrix for replies without an answer."""

MetricValue = float | int | None | dict[str, "MetricValue"]
Aggregate = dict[str, MetricValue]


def aggregate(scores: Sequence[TaskScore]) -> Aggregate:
    """Return the metrics of one task's replies, whichever they are.

    Raises:
        TypeError: scores of different tasks, or of none that is known.
    """
    answered = [score for score in scores if score.parsed]
    counted: Aggregate = {"samples": len(scores), "answered": len(answered)}
    if not scores:
        return counted
    everyone = {f"{name}_all": value for name, value in _metrics(scores, every=True).items()}
    return counted | _metrics(answered, like=scores[0]) | everyone


def _metrics(scores: Sequence[TaskScore], like: TaskScore | None = None, *, every: bool = False) -> Aggregate:
    """Return the metrics of scores of one kind; of none, those of `like` without values.

    Args:
        scores: the scores.
        like: names the metrics where there are no scores.
        every: whether what an answer left out counts as wrong.
    """
    if not scores and like is not None:
        return dict.fromkeys(_metrics([like]))
    if len({score.task for score in scores}) > 1:
        raise TypeError(f"expected scores of one task, got {sorted({score.task for score in scores})}")
    match scores[0]:
        case CountScore():
            return _count([score for score in scores if isinstance(score, CountScore)])
        case LocateScore():
            return _locate([score for score in scores if isinstance(score, LocateScore)], every=every)
        case LengthScore():
            return _lengths([score for score in scores if isinstance(score, LengthScore)])
        case DefectScore():
            return _defects([score for score in scores if isinstance(score, DefectScore)], every=every)
        case ChoiceScore():
            return _choices([score for score in scores if isinstance(score, ChoiceScore)])
    raise TypeError(f"expected a geometry score, got {type(scores[0]).__name__}")


def macro_average(by_class: Mapping[str, Aggregate]) -> Aggregate:
    """Return the plain mean over image classes of every single-valued metric; None values are left out."""
    names = dict.fromkeys(name for metrics in by_class.values() for name in metrics)
    averaged: Aggregate = {}
    for name in names:
        values = [metrics[name] for metrics in by_class.values() if name in metrics]
        if name not in {"samples", "answered"} and not any(isinstance(value, dict) for value in values):
            averaged[name] = _mean([value for value in values if isinstance(value, int | float)])
    return averaged


def _count(scores: Sequence[CountScore]) -> Aggregate:
    errors = [max(score.truth, 1) if score.abs_error is None else score.abs_error for score in scores]
    shares = [100.0 if score.pct_error is None else score.pct_error for score in scores if score.truth]
    empty = [score for score in scores if score.truth == 0]
    return {
        "exact_match": _percent([score.exact_match for score in scores]),
        "within_n": _percent([score.within_n for score in scores]),
        "mean_error": _mean(errors),
        "mean_pct_error": _mean(shares),
        "empty_false_positives": _percent([score.false_positive or not score.parsed for score in empty]),
    }


def _locate(scores: Sequence[LocateScore], *, every: bool) -> Aggregate:
    distances = [
        score.largest_radius_um if score.mean_distance_um is None else score.mean_distance_um
        for score in scores
        if score.mean_distance_um is not None or every
    ]
    return {
        "mean_distance_um": _mean(distances),
        "detection_rate": _mean([100 * score.recall for score in scores]),
        "false_positives": _mean([score.false_positives for score in scores]),
        "precision": _mean([score.precision for score in scores]),
        "recall": _mean([score.recall for score in scores]),
        "f1": _mean([score.f1 for score in scores]),
        "passed": _percent([score.passed for score in scores]),
    }


def _lengths(scores: Sequence[LengthScore]) -> Aggregate:
    errors, shares = [], []
    for score in scores:
        truth = sum(length.truth_um for length in score.lengths) / len(score.lengths)
        error = truth if score.mean_abs_error_um is None else score.mean_abs_error_um
        errors.append(error)
        shares.append(100 * error / truth)
    return {
        "mean_abs_error_um": _mean(errors),
        "mean_pct_error": _mean(shares),
        "within_tolerance": _percent([score.passed for score in scores]),
    }


def _defects(scores: Sequence[DefectScore], *, every: bool) -> Aggregate:
    labels = [(score.truth.has_defects, score.truth.has_defects is score.verdict_correct) for score in scores]
    missing = [_count_error(score.missing_count_error, score.truth.missing_count, every) for score in scores]
    extra = [_count_error(score.noise_count_error, score.truth.extra_count, every) for score in scores]
    return {
        **_binary_metrics(labels),
        "accuracy": _percent([score.verdict_correct for score in scores]),
        "missing_count_error": _mean([error for error in missing if error is not None]),
        "noise_count_error": _mean([error for error in extra if error is not None]),
        "passed": _percent([score.passed for score in scores]),
    }


def _count_error(error: int | None, truth: int | None, every: bool) -> int | None:
    """Return the error of a count; under `every` one that was not given misses the whole truth."""
    return max(truth, 1) if every and error is None and truth is not None else error


def _choices(scores: Sequence[ChoiceScore]) -> Aggregate:
    if any(score.task == "REGULARITY" for score in scores):
        true = [score.truth == "PERTURBED" for score in scores]
        labels = [(truth, truth is score.passed) for truth, score in zip(true, scores, strict=True)]
        rates = _binary_metrics(labels)
        return {
            "accuracy": _percent([score.passed for score in scores]),
            "balanced_accuracy": rates["balanced_accuracy"],
        }
    pairs = [(score.truth, score.prediction) for score in scores]
    by_label = _f1_by_label(pairs, PATTERNS)
    macro = _mean([by_label[label] or 0.0 for label in PATTERNS if any(truth == label for truth, _ in pairs)])
    return {
        "accuracy": _percent([score.passed for score in scores]),
        "f1": macro,
        "macro_f1": macro,
        "per_class_f1": {**by_label},
        "confusion": {truth: {**said} for truth, said in _confusion_matrix(pairs, PATTERNS).items()},
    }


def _mean(values: Sequence[float]) -> float | None:
    """Return the mean, None of nothing."""
    return sum(values) / len(values) if values else None


def _percent(hits: Sequence[bool]) -> float | None:
    """Return the share of hits in _percent, None of nothing."""
    return 100 * sum(hits) / len(hits) if hits else None


def _f1_by_label(pairs: Sequence[tuple[str, str | None]], labels: Sequence[str]) -> dict[str, float | None]:
    """Return 2 TP / (2 TP + FP + FN) for each label over pairs of truth and answer.

    None for a label that is neither true nor answered anywhere; 0 for one that is answered but never true.
    """
    found: dict[str, float | None] = {}
    for label in labels:
        hits = sum(truth == said == label for truth, said in pairs)
        wrong = sum((truth == label) != (said == label) for truth, said in pairs)
        found[label] = 2 * hits / (2 * hits + wrong) if hits or wrong else None
    return found


def _confusion_matrix(pairs: Sequence[tuple[str, str | None]], labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return truth -> answer -> number of replies, for labels that occur as truth; `UNREAD` for no answer."""
    true_labels = [label for label in labels if any(truth == label for truth, _ in pairs)]
    return {
        label: {
            said: sum(pair == (label, None if said == UNREAD else said) for pair in pairs)
            for said in (*labels, UNREAD)
        }
        for label in true_labels
    }


def _binary_metrics(labels: Sequence[tuple[bool, bool]]) -> dict[str, float | None]:
    """Return detection metrics over pairs of truth and answer.

    `detection_rate` (found / positive, _percent), `false_pos_rate` (claimed / negative, _percent), `precision`,
    `recall`, `f1_score`, and `balanced_accuracy`: the mean of the shares of right answers among positives and
    among negatives, None unless there are both. A constant answer gets 0.5.
    """
    positives = [said for truth, said in labels if truth]
    negatives = [said for truth, said in labels if not truth]
    hits, false = sum(positives), sum(negatives)
    recall = hits / len(positives) if positives else None
    specificity = 1 - false / len(negatives) if negatives else None
    total = len(positives) + hits + false
    return {
        "detection_rate": None if recall is None else 100 * recall,
        "false_pos_rate": _percent(negatives),
        "precision": hits / (hits + false) if hits + false else None,
        "recall": recall,
        "f1_score": 2 * hits / total if total else None,
        "balanced_accuracy": (None if recall is None or specificity is None else (recall + specificity) / 2),
    }
