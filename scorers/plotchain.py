"""Scoring one PlotChain reply, field by field, as the published tables were made.

A field passes when |prediction - truth| <= absolute tolerance, or that error divided by
max(|truth|, 1e-12) <= relative tolerance: bounds included, plain doubles, no slack (a slack of 1e-9
flips seven published verdicts). A field without a usable number fails and is counted.

Numbers that are accepted: JSON numbers; a fraction (`1025/615`); a string that holds one plain
decimal ("200", " -3.5e2 "). Refused: null, true and false, "52%", "200 Hz", "1,000", "1_000",
"1025/615" inside quotes, NaN, infinities, lists and objects.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorers.json_extraction import Extraction, extract_object
from scorers.json_values import decimal_or_none, json_safe
from scorers.score import FieldScore, Scope, Score
from scorers.tolerances import Tolerance, tolerance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.tolerances import Policy

__all__ = ["score_plotchain"]

_CHECKPOINT_PREFIX = "cp_"
_SMALLEST_TRUTH = 1e-12
_QUOTED_CHARS = 40
_MISSING = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A number, or the clause that says why there is none."""

    number: float | None
    why: str = ""


def score_plotchain(
    text: str | None,
    *,
    family: str,
    truth: Mapping[str, object],
    final_fields: Sequence[str],
    checkpoint_fields: Sequence[str],
    policy: Policy,
    stored_answer: Mapping[str, object] | None = None,
    tolerances: Mapping[str, Tolerance] | None = None,
) -> Score:
    """Score a reply's text against the truth; any text gets a score.

    Fields are `final_fields` and then `checkpoint_fields`, those that `truth` has; a name that begins
    with `cp_` is a checkpoint. Without a reply (`text` None) every field fails. `stored_answer` is an
    answer parsed earlier; it stands in when the text holds no object (rule "stored answer").
    `tolerances` are an item's own, by field; the table serves the fields it leaves out.

    Raises:
        ValueError: a truth is not a finite number.
    """
    fields = [name for name in dict.fromkeys([*final_fields, *checkpoint_fields]) if name in truth]
    found = _answer(text, fields, stored_answer)
    own = tolerances or {}
    rows = []
    for name in fields:
        gold = _truth(name, truth[name])
        bound = own.get(name) or tolerance(family, name, truth=gold, policy=policy)
        rows.append(_field_score(name, _reading(found, name, text), gold, bound))
    return Score(fields=tuple(rows), parsed=found.answer is not None, answer=found.answer, rule=found.rule)


def _answer(text: str | None, fields: Sequence[str], stored: Mapping[str, object] | None) -> Extraction:
    if text is None:
        return Extraction(answer=None, rule="no reply")
    found = extract_object(text, fields)
    if found.answer is not None or stored is None:
        return found
    return Extraction(answer={str(name): json_safe(value) for name, value in stored.items()}, rule="stored answer")


def _truth(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"the truth of {name!r} must be a finite number, got {value!r}")
    return float(value)


def _reading(found: Extraction, name: str, text: str | None) -> _Reading:
    if text is None:
        return _Reading(number=None, why="no reply")
    if found.answer is None:
        return _Reading(number=None, why="no JSON object")
    return _number(found.answer.get(name, _MISSING))


def _number(value: object) -> _Reading:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _Reading(number=float(value))
    if isinstance(value, str):
        number = decimal_or_none(value)
        return _Reading(number=number, why=f"no number: {value[:_QUOTED_CHARS]!r}")
    return _Reading(number=None, why=f"no number: {_kind(value)}")


def _kind(value: object) -> str:
    if value is _MISSING:
        return "field missing"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return "null" if value is None else str(value).lower()


def _field_score(name: str, reading: _Reading, truth: float, bound: Tolerance) -> FieldScore:
    scope: Scope = "checkpoint" if name.startswith(_CHECKPOINT_PREFIX) else "final"
    abs_err = rel_err = None
    passed, why = False, reading.why
    if reading.number is not None:
        error = abs(reading.number - truth)
        relative = error / max(abs(truth), _SMALLEST_TRUTH)
        passed = error <= bound.absolute or relative <= bound.relative
        why = _comparison(error, passed, truth, bound)
        abs_err, rel_err = _finite(error), _finite(relative)
    return FieldScore(
        field=name,
        scope=scope,
        prediction=reading.number,
        truth=truth,
        abs_err=abs_err,
        rel_err=rel_err,
        abs_tol=bound.absolute,
        rel_tol=bound.relative,
        passed=passed,
        why=why,
    )


def _comparison(error: float, passed: bool, truth: float, bound: Tolerance) -> str:
    """Compare with the wider of both bounds; all digits where four would look equal."""
    allowed = max(bound.absolute, bound.relative * max(abs(truth), _SMALLEST_TRUTH))
    sign = "<=" if passed else ">"
    if f"{error:.4g}" == f"{allowed:.4g}":
        return f"|error| {error!r} {sign} {allowed!r}"
    return f"|error| {error:.4g} {sign} {allowed:.4g}"


def _finite(error: float) -> float | None:
    """Leave out an error beyond the doubles: it would make every mean infinite."""
    return error if math.isfinite(error) else None
