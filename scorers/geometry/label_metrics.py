"""Metrics of labels: percent, means, F1 by label, the confusion matrix, detection of one of two labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["UNREAD", "binary_metrics", "confusion_matrix", "f1_by_label", "mean", "percent"]

UNREAD = "unparsed"
"""Column of the confusion matrix for replies without an answer."""


def mean(values: Sequence[float]) -> float | None:
    """Return the mean, None of nothing."""
    return sum(values) / len(values) if values else None


def percent(hits: Sequence[bool]) -> float | None:
    """Return the share of hits in percent, None of nothing."""
    return 100 * sum(hits) / len(hits) if hits else None


def f1_by_label(pairs: Sequence[tuple[str, str | None]], labels: Sequence[str]) -> dict[str, float | None]:
    """Return 2 TP / (2 TP + FP + FN) for each label over pairs of truth and answer.

    None for a label that is neither true nor answered anywhere; 0 for one that is answered but never true.
    """
    found: dict[str, float | None] = {}
    for label in labels:
        hits = sum(truth == said == label for truth, said in pairs)
        wrong = sum((truth == label) != (said == label) for truth, said in pairs)
        found[label] = 2 * hits / (2 * hits + wrong) if hits or wrong else None
    return found


def confusion_matrix(pairs: Sequence[tuple[str, str | None]], labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return truth -> answer -> number of replies, for labels that occur as truth; `UNREAD` for no answer."""
    true_labels = [label for label in labels if any(truth == label for truth, _ in pairs)]
    return {
        label: {
            said: sum(pair == (label, None if said == UNREAD else said) for pair in pairs)
            for said in (*labels, UNREAD)
        }
        for label in true_labels
    }


def binary_metrics(labels: Sequence[tuple[bool, bool]]) -> dict[str, float | None]:
    """Return detection metrics over pairs of truth and answer.

    `detection_rate` (found / positive, percent), `false_pos_rate` (claimed / negative, percent), `precision`,
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
        "false_pos_rate": percent(negatives),
        "precision": hits / (hits + false) if hits + false else None,
        "recall": recall,
        "f1_score": 2 * hits / total if total else None,
        "balanced_accuracy": (None if recall is None or specificity is None else (recall + specificity) / 2),
    }
