"""Comparing an answer with the gold, by the gold's kind.

* number, ratio, symbolic: equal values, for all positive parameters. A degree sign in the answer alone is another
  quantity. Units are converted where both are known, and must be of one dimension.
* angle: both as angles, in radians; a bare number beyond 2 pi is degrees, in answer and gold.
* A decimal passes when it is the gold correctly rounded at its last digit and has three significant digits; a
  whole number only where the answer itself says "approximately". A percentage counts exactly, rounded only when
  percent are asked for.
* multi: a set matches in any order. Labelled parts are matched by label, named ones ("AB = 2, CD = 3") by name,
  never by order: an answer without the labels that the gold has is ambiguous.
* interval: every end's value counts, and whether it belongs. ratio: term by term, up to a common factor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from scorers.auxsolidmath.exact.value import (
    ENOUGH_DIGITS,
    PI,
    Expression,
    difference,
    letters_of,
    number,
    product,
    quotient,
    rounded,
    rounds_to,
    same_value,
    sign_of_difference,
    value_of,
    walk,
)
from scorers.auxsolidmath.reading.forms import Parts, Ratio
from scorers.auxsolidmath.reading.tokens import scale_between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.auxsolidmath.reading.claims import Claim
    from scorers.auxsolidmath.reading.forms import Answer, AnswerKind, IntervalAnswer, Part

__all__ = ["AnswerComparison", "ComparisonPolicy", "Verdict", "as_double", "compare"]

Verdict = Literal["exact", "numeric", "wrong", "unparsed", "ambiguous", "truncated", "timeout"]

_DEGREE = quotient(PI, number(180))
_PI_AS_WRITTEN = number(Fraction(314, 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPolicy:
    """What the question allows."""

    kind: AnswerKind
    asked_percent: bool = False
    obtuse_allowed: bool = False
    pi_as_3_14: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerComparison:
    """The verdict over one value."""

    verdict: Verdict
    why: str
    flags: tuple[str, ...] = ()

    @property
    def matched(self) -> bool:
        """Whether the value counts as right."""
        return self.verdict in {"exact", "numeric"}


def compare(reading: Answer, gold: Answer, policy: ComparisonPolicy) -> AnswerComparison:
    """Compare an answer with the gold, both read as the gold's kind.

    Raises:
        NoRealValueError: a value of the answer is not real.
        UndecidedError: one is out of reach.
    """
    if isinstance(gold, Parts) and isinstance(reading, Parts):
        return _compared_parts(reading, gold, policy)
    if isinstance(gold, Ratio) and isinstance(reading, Ratio):
        return _compared_ratios(reading, gold, policy)
    if policy.kind == "interval":
        return _compared_unions(reading, gold, policy)  # type: ignore[arg-type]
    return _compared_singles(reading, gold, policy)  # type: ignore[arg-type]


def _compared_claims(claim: Claim, gold: Claim, policy: ComparisonPolicy) -> AnswerComparison:
    """Compare one claimed value with the gold's; of two readings of it the other must be no better."""
    result = _compared(claim, gold, policy)
    if result.matched or claim.quantity.other is None:
        return result
    other = replace(claim, quantity=replace(claim.quantity, expression=claim.quantity.other, other=None))
    if _compared(other, gold, policy).matched:
        return AnswerComparison(
            verdict="ambiguous", why="1/2√3 may mean (1/2)√3 or 1/(2√3), and one of them is right"
        )
    return result


def _compared(claim: Claim, gold: Claim, policy: ComparisonPolicy) -> AnswerComparison:
    if policy.kind == "angle" or gold.quantity.degrees:
        return _compared_angles(claim, gold, policy)
    if claim.quantity.degrees and _ends_in_degrees(claim.quantity.expression):
        return AnswerComparison(verdict="wrong", why="an angle, where another quantity is asked for")
    scale = scale_between(claim.quantity.unit, gold.quantity.unit)
    if scale is None:
        return AnswerComparison(verdict="wrong", why="a unit of another dimension than the gold's")
    ours = claim.quantity.expression
    if scale != 1:
        return _compared_values(product(number(scale), ours), claim, gold, policy)
    return _compared_values(ours, claim, gold, policy)


def _ends_in_degrees(expression: Expression) -> bool:
    """Whether the value itself is in degrees, not merely an angle inside a cosine."""
    if expression.operation in {"cos", "sin", "tan"}:
        return False
    return expression == _DEGREE or any(_ends_in_degrees(part) for part in expression.parts)


def _compared_angles(claim: Claim, gold: Claim, policy: ComparisonPolicy) -> AnswerComparison:
    if claim.quantity.unit is not None:
        return AnswerComparison(verdict="wrong", why="a length, area or volume, where an angle is asked for")
    truth = _radians(gold.quantity.expression, gold)
    ours = _radians(claim.quantity.expression, claim)
    result = _compared_values(
        ours, claim, replace(gold, quantity=replace(gold.quantity, expression=truth)), policy
    )
    if ours is not claim.quantity.expression:
        result = replace(result, flags=(*result.flags, "bare number read as degrees"))
    if not result.matched and not policy.obtuse_allowed and _is_supplement(ours, truth):
        return replace(result, why="the supplement of the right angle, which is not what is asked for")
    return result


def _radians(expression: Expression, claim: Claim) -> Expression:
    """Read a bare number beyond a whole turn as degrees."""
    marked = claim.quantity.degrees or claim.quantity.radians
    if marked or any(node.operation in _OF_ANGLES for node in walk(expression)) or letters_of(expression):
        return expression
    turn = product(number(2), PI)
    return product(expression, _DEGREE) if sign_of_difference(expression, turn) > 0 else expression


_OF_ANGLES = frozenset({"pi", "arccos", "arcsin", "arctan"})


def _is_supplement(ours: Expression, truth: Expression) -> bool:
    decimal = rounded(ours)
    supplement = difference(PI, truth)
    return same_value(ours, supplement) or (decimal is not None and rounds_to(supplement, decimal))


def _compared_values(ours: Expression, claim: Claim, gold: Claim, policy: ComparisonPolicy) -> AnswerComparison:
    truth = gold.quantity.expression
    if same_value(ours, truth):
        return AnswerComparison(verdict="exact", why="equals the gold")
    percent_asked = policy.asked_percent or gold.quantity.percent
    if claim.quantity.percent and not percent_asked:
        return AnswerComparison(verdict="wrong", why="a percentage that is not exactly the gold")
    if _is_rounded(ours, truth, claim):
        return AnswerComparison(verdict="numeric", why="the gold correctly rounded")
    bare_percent = _bare_percent(ours, truth, claim) if percent_asked else None
    return bare_percent or _by_allowance(ours, truth, gold, policy) or _wrong(ours, truth)


def _bare_percent(ours: Expression, truth: Expression, claim: Claim) -> AnswerComparison | None:
    if claim.quantity.percent:
        return None
    hundredfold = product(number(100), truth)
    flags = ("bare number read as percent",)
    if same_value(ours, hundredfold):
        return AnswerComparison(verdict="exact", why="equals the gold in percent", flags=flags)
    if _is_rounded(ours, hundredfold, claim):
        return AnswerComparison(verdict="numeric", why="the gold in percent, correctly rounded", flags=flags)
    return None


def _by_allowance(
    ours: Expression, truth: Expression, gold: Claim, policy: ComparisonPolicy
) -> AnswerComparison | None:
    decimal = rounded(truth) if gold.approximate else None
    if decimal is not None and rounds_to(ours, decimal):
        return AnswerComparison(verdict="numeric", why="rounds to the gold, which is approximate")
    if policy.pi_as_3_14 and same_value(ours, _with_short_pi(truth)):
        return AnswerComparison(verdict="exact", why="equals the gold with π = 3.14, as the question says")
    return None


def _is_rounded(ours: Expression, truth: Expression, claim: Claim) -> bool:
    decimal = rounded(_percent_of(ours) if claim.quantity.percent else ours)
    if decimal is None or decimal.written.significant_digits < ENOUGH_DIGITS:
        return False
    if decimal.is_whole and not claim.approximate:
        return False
    return rounds_to(product(number(100), truth) if claim.quantity.percent else truth, decimal)


def _percent_of(expression: Expression) -> Expression:
    """Return the number that stands before the percent sign."""
    return expression.parts[0] if expression.operation == "divide" else expression


def _with_short_pi(expression: Expression) -> Expression:
    if expression.operation == "pi":
        return _PI_AS_WRITTEN
    return replace(expression, parts=tuple(_with_short_pi(part) for part in expression.parts))


def _wrong(ours: Expression, truth: Expression) -> AnswerComparison:
    return AnswerComparison(verdict="wrong", why=_letters_differ(ours, truth) or _values_differ(ours, truth))


def _letters_differ(ours: Expression, truth: Expression) -> str:
    stray = sorted(letters_of(ours) - letters_of(truth))
    missing = sorted(letters_of(truth) - letters_of(ours))
    if stray:
        return f"a letter that the gold does not have: {', '.join(stray)[:40]}"
    return f"a parameter is missing: {', '.join(missing)[:40]}" if missing else ""


def _values_differ(ours: Expression, truth: Expression) -> str:
    value, true_value = as_double(ours), as_double(truth)
    if value is None or true_value is None:
        return "not equal to the gold"
    decimal = rounded(ours)
    if decimal is not None and decimal.written.significant_digits < ENOUGH_DIGITS and rounds_to(truth, decimal):
        return f"rounded to fewer than {ENOUGH_DIGITS} significant digits"
    return f"{value:.10g} is not {true_value:.10g}"


def as_double(expression: Expression) -> float | None:
    """Return the value as a double, or None where it has none."""
    if letters_of(expression):
        return None
    try:
        value = float(value_of(expression)) + 0.0  # no negative zero
    except ArithmeticError:
        return None
    return value if abs(value) != float("inf") else None


def _compared_singles(
    claims: tuple[Claim, ...], gold: tuple[Claim, ...], policy: ComparisonPolicy
) -> AnswerComparison:
    """Compare the claimed values with a gold of one value; several different ones are a hedge, and wrong."""
    if len(claims) > 1:
        claims = _distinct(claims)
    if len(claims) > 1 and not all(_compared_claims(claim, gold[0], policy).matched for claim in claims):
        return AnswerComparison(verdict="wrong", why=f"{len(claims)} different values, where one is asked for")
    return _compared_claims(claims[0], gold[0], policy)


def _distinct(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims of different value; an approximation of another claim is none of its own."""
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda one: rounded(one.quantity.expression) is not None):
        if not any(_same(claim, other) for other in kept):
            kept.append(claim)
    return tuple(sorted(kept, key=claims.index))


def _same(claim: Claim, other: Claim) -> bool:
    ours, theirs = claim.quantity.expression, other.quantity.expression
    if same_value(ours, theirs):
        return True
    decimal = rounded(ours)
    if decimal is None or (decimal.is_whole and not claim.approximate):
        return False
    return decimal.written.significant_digits > 1 and rounds_to(theirs, decimal)


def _compared_unions(
    ours: Sequence[IntervalAnswer], gold: Sequence[IntervalAnswer], policy: ComparisonPolicy
) -> AnswerComparison:
    """Compare unions of intervals: every end's value and whether it belongs."""
    if len(ours) != len(gold):
        return AnswerComparison(verdict="wrong", why=f"{len(ours)} intervals, where the gold has {len(gold)}")
    if any(end.quantity.degrees for interval in (*ours, *gold) for end in (interval.low, interval.high) if end):
        policy = replace(policy, kind="angle")
    rest = list(ours)
    numeric = False
    why = ""
    for truth in gold:
        results = [_compared_intervals(interval, truth, policy) for interval in rest]
        place = next((at for at, result in enumerate(results) if result.matched), None)
        if place is None:
            return AnswerComparison(verdict="wrong", why=results[0].why)
        numeric = numeric or results[place].verdict == "numeric"
        why = results[place].why
        rest.pop(place)
    return AnswerComparison(verdict="numeric" if numeric else "exact", why=why)


def _compared_intervals(ours: IntervalAnswer, gold: IntervalAnswer, policy: ComparisonPolicy) -> AnswerComparison:
    results = []
    for end, truth, closed, truly_closed, name in (
        (ours.low, gold.low, ours.low_closed, gold.low_closed, "lower"),
        (ours.high, gold.high, ours.high_closed, gold.high_closed, "upper"),
    ):
        if (end is None) != (truth is None):
            return AnswerComparison(verdict="wrong", why=f"the {name} end: one is infinite, the other is not")
        if closed != truly_closed:
            return AnswerComparison(verdict="wrong", why=f"the {name} end belongs to one and not to the other")
        if end is not None and truth is not None:
            results.append(_compared_claims(end, truth, policy))
    wrong = next((result for result in results if not result.matched), None)
    if wrong is not None:
        return wrong
    return max(
        results, key=lambda result: result.verdict, default=AnswerComparison(verdict="exact", why="all numbers")
    )


def _compared_parts(ours: Parts, gold: Parts, policy: ComparisonPolicy) -> AnswerComparison:
    """Compare all parts."""
    if gold.labelled:
        return _by_label(ours.labelled, gold.labelled, policy)
    if gold.named:
        return _by_label(ours.named, gold.named, policy)
    if gold.ordered:
        return _in_order(ours.values, gold.values, policy)
    return _as_sets(ours.all_values, gold.values, policy)


def _by_label(ours: Mapping[str, Part], gold: Mapping[str, Part], policy: ComparisonPolicy) -> AnswerComparison:
    if not ours:
        return AnswerComparison(verdict="ambiguous", why="values without the labels that the gold's parts have")
    if set(ours) != set(gold):
        return AnswerComparison(
            verdict="wrong", why=f"the parts {_listed(ours)}, where the gold has {_listed(gold)}"
        )
    results = {label: _compared_part(ours[label], gold[label], policy) for label in gold}
    return _together(results)


def _listed(parts: Mapping[str, Part]) -> str:
    return ", ".join(sorted(parts))[:60]


def _compared_part(ours: Part, gold: Part, policy: ComparisonPolicy) -> AnswerComparison:
    if bool(ours.intervals) != bool(gold.intervals):
        return AnswerComparison(
            verdict="wrong", why="an interval where a value is asked for, or the other way round"
        )
    if gold.intervals:
        return _compared_unions(ours.intervals, gold.intervals, policy)
    if len(gold.claims) > 1:
        return _as_sets(ours.claims, gold.claims, policy)
    truth = gold.claims[0].quantity
    if ours.claims[0].quantity.degrees and (truth.degrees or truth.radians):
        policy = replace(policy, kind="angle")
    return _compared_singles(ours.claims, gold.claims, policy)


def _together(results: Mapping[str, AnswerComparison]) -> AnswerComparison:
    for label, result in results.items():
        if not result.matched:
            return replace(result, why=f"part {label}: {result.why}")
    verdicts = {result.verdict for result in results.values()}
    flags = tuple(dict.fromkeys(flag for result in results.values() for flag in result.flags))
    if "numeric" in verdicts:
        return AnswerComparison(verdict="numeric", why="all parts, with a decimal correctly rounded", flags=flags)
    return AnswerComparison(verdict="exact", why="all parts equal the gold's", flags=flags)


def _in_order(ours: tuple[Claim, ...], gold: tuple[Claim, ...], policy: ComparisonPolicy) -> AnswerComparison:
    if len(ours) != len(gold):
        return AnswerComparison(verdict="wrong", why=f"{len(ours)} values, where the gold has {len(gold)}")
    pairs = zip(ours, gold, strict=True)
    return _together(
        {str(place): _compared_claims(mine, truth, policy) for place, (mine, truth) in enumerate(pairs, 1)}
    )


def _as_sets(ours: tuple[Claim, ...], gold: tuple[Claim, ...], policy: ComparisonPolicy) -> AnswerComparison:
    mine, rest = _distinct(ours), list(_distinct(gold))
    if len(mine) != len(rest):
        return AnswerComparison(verdict="wrong", why=f"{len(mine)} values, where the gold has {len(rest)}")
    results = {}
    for claim in mine:
        compared_all = [_compared_claims(claim, truth, policy) for truth in rest]
        place = next((at for at, result in enumerate(compared_all) if result.matched), None)
        if place is None:
            return replace(compared_all[0], why=f"{claim.text[:40]}: none of the gold's values")
        results[claim.text] = compared_all[place]
        rest.pop(place)
    return _together(results)


def _compared_ratios(ratio: Ratio, gold: Ratio, policy: ComparisonPolicy) -> AnswerComparison:
    """Compare two ratios term by term; the order counts."""
    if len(ratio.terms) != len(gold.terms):
        return AnswerComparison(verdict="wrong", why="a ratio of another number of terms")
    if not gold.terms:
        return _compared_singles(ratio.claims, gold.claims, policy)
    pairs = zip(ratio.terms[1:], gold.terms[1:], strict=True)
    if all(same_value(product(ratio.terms[0], truth), product(gold.terms[0], ours)) for ours, truth in pairs):
        return AnswerComparison(verdict="exact", why="equals the gold")
    return AnswerComparison(verdict="wrong", why="another ratio")
