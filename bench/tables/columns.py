"""The columns of every table, in order. Published columns come first; ours follow them.

Rates are fractions from 0 to 1. An empty cell means: nothing to compute it from.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "AUXSOLIDMATH_METRICS",
    "AUXSOLIDMATH_PAIRED",
    "AUXSOLIDMATH_PER_ITEM",
    "AUXSOLIDMATH_SUMMARY",
    "CALIBRATION",
    "COMPARISONS",
    "GEOMETRY_LEADERBOARD",
    "GEOMETRY_METRICS",
    "ITEM_LEVEL",
    "LEADERBOARD",
    "OVERALL",
    "PER_ITEM",
    "PUBLISHED",
    "SUMMARY",
]

_PER_ITEM_PUBLISHED: Final = (
    "provider",
    "model",
    "id",
    "type",
    "field",
    "is_checkpoint",
    "pred",
    "gold",
    "abs_err",
    "rel_err",
    "abs_tol",
    "rel_tol",
    "pass",
    "latency_s",
    "error",
)
_ITEM_LEVEL_PUBLISHED: Final = (
    "provider",
    "model",
    "id",
    "type",
    "n_fields",
    "final_n",
    "checkpoint_n",
    "all_final_pass",
    "all_checkpoint_pass",
)
_SUMMARY_PUBLISHED: Final = (
    "provider",
    "model",
    "type",
    "scope",
    "field",
    "n",
    "pass_rate",
    "mean_abs_err",
    "median_abs_err",
    "mean_rel_err",
    "p95_abs_err",
    "mean_latency_s",
)
_OVERALL_PUBLISHED: Final = (
    "provider",
    "model",
    "n",
    "overall_pass_rate",
    "mean_abs_err",
    "mean_rel_err",
    "mean_latency_s",
    "final_n",
    "final_pass_rate",
    "checkpoint_n",
    "checkpoint_pass_rate",
)

PER_ITEM: Final = (
    *_PER_ITEM_PUBLISHED,
    "difficulty",  # clean, moderate, edge
    "status",  # answered, refused, truncated, unparsed, failed
    "repeat",
    "policy",
    "parse_rule",  # how the answer was found in the text
    "why",  # the comparison, or why there is no number
)
ITEM_LEVEL: Final = (
    *_ITEM_LEVEL_PUBLISHED,
    "difficulty",
    "status",
    "repeat",
    "final_null_n",  # final fields without a usable number
    "checkpoint_null_n",
    "finals_pass_checkpoints_fail",
)
SUMMARY: Final = (
    *_SUMMARY_PUBLISHED,
    "null_rate",
    "answered_n",
    "answered_pass_rate",  # over replies with status answered
    "mean_signed_err",  # prediction - truth: a bias has a sign
    "clean_pass_rate",
    "moderate_pass_rate",
    "edge_pass_rate",
)
OVERALL: Final = (
    *_OVERALL_PUBLISHED,
    "policy",
    "replies_n",
    "answered_n",
    "refused_n",
    "truncated_n",
    "unparsed_n",
    "failed_n",
    "answered_pass_rate",
    "item_final_pass_rate",  # over replies: every final field passed
    "item_checkpoint_n",  # replies to items that have checkpoints
    "item_checkpoint_pass_rate",  # over those only
    "finals_pass_checkpoints_fail_n",
    "null_rate",
    "final_null_rate",
    "checkpoint_null_rate",
)
LEADERBOARD: Final = (
    "provider",
    "model",
    "suite",
    "task",
    "edition",
    "policy",
    "items_n",
    "asked_n",  # replies: items times repeats
    "answered_n",
    "refused_n",
    "truncated_n",
    "unparsed_n",
    "failed_n",
    "item_pass_rate",  # passed by a majority of repeats; anything but an answer is wrong
    "item_pass_low",  # 95 % interval
    "item_pass_high",
    "item_pass_rate_answered_only",  # items and repeats without an answer left out
    "field_n",
    "field_pass_rate",
    "field_pass_low",
    "field_pass_high",
    "field_pass_rate_answered_only",
    "final_n",
    "final_pass_rate",
    "final_pass_low",
    "final_pass_high",
    "checkpoint_n",
    "checkpoint_pass_rate",
    "checkpoint_pass_low",
    "checkpoint_pass_high",
    "mean_latency_s",  # over replies
    "input_tokens",
    "output_tokens",  # reasoning included
    "reasoning_tokens",
    "cost_usd",
    "undrawn_n",  # two-stage cases without a usable drawing; wrong
    "unscored_n",  # neither right nor wrong; in no rate
)

COMPARISONS: Final = (
    "first_provider",
    "first_model",
    "second_provider",
    "second_model",
    "suite",  # or "overall"
    "cases_n",  # without those of which a run of either model is missing
    "missing_n",
    "first_rate",
    "second_rate",
    "losses",  # cases that only the first model passes
    "gains",  # cases that only the second one passes
    "delta",  # second - first
    "delta_low",  # 95 % limits
    "delta_high",
    "design_effect",
)

PUBLISHED: Final = {
    "per_item.csv": _PER_ITEM_PUBLISHED,
    "item_level.csv": _ITEM_LEVEL_PUBLISHED,
    "summary.csv": _SUMMARY_PUBLISHED,
    "overall.csv": _OVERALL_PUBLISHED,
}

# Every reply counts; one without an answer is wrong. Rates in percent, F1 and balanced accuracy from 0 to 1.
GEOMETRY_METRICS: Final = (
    ("COUNT", "exact_match_all"),
    ("COUNT", "within_n_all"),
    ("COUNT", "mean_error_all"),
    ("COUNT", "mean_pct_error_all"),
    ("LOCATE", "f1_all"),
    ("LOCATE", "precision_all"),
    ("LOCATE", "recall_all"),
    ("LOCATE", "mean_distance_um_all"),
    ("PATTERN", "accuracy_all"),
    ("PATTERN", "macro_f1_all"),
    ("SIZE", "within_tolerance_all"),
    ("SIZE", "mean_abs_error_um_all"),
    ("DEFECT", "balanced_accuracy_all"),
    ("DEFECT", "f1_score_all"),
    ("SPACING", "within_tolerance_all"),
    ("SPACING", "mean_abs_error_um_all"),
    ("REGULARITY", "balanced_accuracy_all"),
)
GEOMETRY_LEADERBOARD: Final = (
    "provider",
    "model",
    "samples",
    "answered",
    "passed",
    *(f"{task.lower()}_{name}" for task, name in GEOMETRY_METRICS),
    "mean_latency_s",
    "input_tokens",
    "output_tokens",
)

AUXSOLIDMATH_METRICS: Final = ("auxsolidmath_text_acc", "reasoning_rigorous", "conclusion_correct")
AUXSOLIDMATH_PER_ITEM: Final = (
    "provider",
    "model",
    "id",
    "task",
    "family",
    "difficulty",
    "kind",  # CALCULATION, PROVING
    "given_in",  # where the lengths stand: text, figure
    "answer_kind",
    "repeat",
    "policy",  # exact, or the judge
    "status",
    "text_ok",  # both parts; empty where nobody judges the reasoning
    "reasoning_rigorous",
    "conclusion_correct",
    "answer",  # the reference's
    "found",  # what was taken as the final answer
    "verdict",  # of the exact comparison
    "why",
    "unscored",  # design, judge
    "drawing_status",  # the first stage, as are the next seven
    "drawing_source",
    "drawing_note",
    "drawing_path",
    "ink_kept",
    "gold_covered",
    "stray_ink",
    "drawing_latency_s",
    "judge_status",
    "judge_latency_s",
    "latency_s",
    "error",
)
AUXSOLIDMATH_SUMMARY: Final = (
    "provider",
    "model",
    "mode",  # direct, visual_cot
    "policy",
    "group_by",  # all, task, family, difficulty, kind, given_in
    "group",
    "replies",  # all, or of visual_cot with_drawing: those that saw a usable drawing
    "metric",
    "n",  # items
    "by_design_n",  # items that this policy cannot score; out of everything that follows
    "unscored_n",  # items without a usable verdict
    "scored_n",
    "coverage",  # scored of those that could be
    "rate",  # of scored items, by a majority of repeats
    "low",  # 95 % interval
    "high",
    "drawing_ok_n",  # first stages, replies
    "drawing_refused_n",
    "drawing_failed_n",
    "drawing_no_image_n",
    "drawing_not_an_image_n",
    "drawing_identical_n",
    "drawing_blank_n",
)
AUXSOLIDMATH_PAIRED: Final = (
    "provider",
    "model",
    "policy",
    "shown",  # what the second stage was shown: the drawing's source
    "difficulty",  # all, or one
    "replies",  # all, or with_drawing
    "metric",
    "pairs_n",  # items that are scored in both
    "direct_rate",
    "visual_cot_rate",
    "difference",  # visual_cot - direct
    "low",  # 95 % interval, Tango's for paired proportions
    "high",
    "gained",  # items right only with the drawing
    "lost",  # items right only without
)
CALIBRATION: Final = (
    "judge",
    "kind",  # all, or what sort of solution: right, wrong, gap, empty, injection, false_rigour
    "n",
    "unscored_n",  # no usable verdict
    "scored_n",
    "coverage",
    "agreement",  # of text_ok with the label, over scored ones
    "agreement_low",
    "agreement_high",
    "kappa",  # Cohen's
    "should_fail_n",
    "false_accepts",
    "false_accept_rate",
    "false_accept_low",
    "false_accept_high",
    "should_pass_n",
    "false_rejects",
    "false_reject_rate",
    "reasoning_agreement",
    "conclusion_agreement",
)
