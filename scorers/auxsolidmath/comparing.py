"""Comparing one claimed value with the gold, by the gold's kind.

* number, ratio, symbolic: equal values, for all positive parameters. A degree sign in the answer alone is another
  quantity. Units are converted where both are known, and must be of one dimension.
* angle: both as angles, in radians; a bare number beyond 2 pi is degrees, in answer and gold.
* A decimal passes when it is the gold correctly rounded at its last digit and has three significant digits; a
  whole number only where the answer itself says "approximately". A percentage counts exactly, rounded only when
  percent are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from scorers.auxsolidmath.enclosure import NoRealValueError, OutOfReachError, enclose
from scorers.auxsolidmath.equality import same_value, sign_of_difference
from scorers.auxsolidmath.expression import PI, Expression, difference, letters_of, number, product, quotient, walk
from scorers.auxsolidmath.rounding import ENOUGH_DIGITS, rounded, rounds_to
from scorers.auxsolidmath.units import scale_between

if TYPE_CHECKING:
    from scorers.auxsolidmath.reading import Claim
    from scorers.auxsolidmath.records import AnswerKind, Verdict

__all__ = ["Comparison", "Policy", "as_double", "compared", "distinct"]

_DEGREE = quotient(PI, number(180))
_PI_AS_WRITTEN = number(Fraction(314, 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the question allows."""

    kind: AnswerKind
    asked_percent: bool = False
    obtuse_allowed: bool = False
    pi_as_3_14: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The verdict over one value."""

    verdict: Verdict
    why: str
    flags: tuple[str, ...] = ()

    @property
    def matched(self) -> bool:
        """Whether the value counts as right."""
        return self.verdict in {"exact", "numeric"}


def compared(claim: Claim, gold: Claim, policy: Policy) -> Comparison:
    """Compare one claimed value with the gold's.

    Raises:
        NoRealValueError: the claim has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
    result = _compared(claim, gold, policy)
    if result.matched or claim.quantity.other is None:
        return result
    other = replace(claim, quantity=replace(claim.quantity, expression=claim.quantity.other, other=None))
    if _compared(other, gold, policy).matched:
        return Comparison(verdict="ambiguous", why="1/2√3 may mean (1/2)√3 or 1/(2√3), and one of them is right")
    return result


def _compared(claim: Claim, gold: Claim, policy: Policy) -> Comparison:
    if _is_angle(gold, policy):
        return _compared_angles(claim, gold, policy)
    if claim.quantity.degrees and _ends_in_degrees(claim.quantity.expression):
        return Comparison(verdict="wrong", why="an angle, where another quantity is asked for")
    scale = scale_between(claim.quantity.unit, gold.quantity.unit)
    if scale is None:
        return Comparison(verdict="wrong", why="a unit of another dimension than the gold's")
    ours = claim.quantity.expression
    if scale != 1:
        return _compared_values(product(number(scale), ours), claim, gold, policy)
    return _compared_values(ours, claim, gold, policy)


def _is_angle(gold: Claim, policy: Policy) -> bool:
    return policy.kind == "angle" or gold.quantity.degrees


def _ends_in_degrees(expression: Expression) -> bool:
    """Whether the value itself is in degrees, not merely an angle inside a cosine."""
    if expression.operation in {"cos", "sin", "tan"}:
        return False
    return expression == _DEGREE or any(_ends_in_degrees(part) for part in expression.parts)


def _compared_angles(claim: Claim, gold: Claim, policy: Policy) -> Comparison:
    if claim.quantity.unit is not None:
        return Comparison(verdict="wrong", why="a length, area or volume, where an angle is asked for")
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


def _compared_values(ours: Expression, claim: Claim, gold: Claim, policy: Policy) -> Comparison:
    truth = gold.quantity.expression
    if same_value(ours, truth):
        return Comparison(verdict="exact", why="equals the gold")
    percent_asked = policy.asked_percent or gold.quantity.percent
    if claim.quantity.percent and not percent_asked:
        return Comparison(verdict="wrong", why="a percentage that is not exactly the gold")
    if _is_rounded(ours, truth, claim):
        return Comparison(verdict="numeric", why="the gold correctly rounded")
    bare_percent = _bare_percent(ours, truth, claim) if percent_asked else None
    return bare_percent or _by_allowance(ours, truth, gold, policy) or _wrong(ours, truth)


def _bare_percent(ours: Expression, truth: Expression, claim: Claim) -> Comparison | None:
    if claim.quantity.percent:
        return None
    hundredfold = product(number(100), truth)
    flags = ("bare number read as percent",)
    if same_value(ours, hundredfold):
        return Comparison(verdict="exact", why="equals the gold in percent", flags=flags)
    if _is_rounded(ours, hundredfold, claim):
        return Comparison(verdict="numeric", why="the gold in percent, correctly rounded", flags=flags)
    return None


def _by_allowance(ours: Expression, truth: Expression, gold: Claim, policy: Policy) -> Comparison | None:
    decimal = rounded(truth) if gold.approximate else None
    if decimal is not None and rounds_to(ours, decimal):
        return Comparison(verdict="numeric", why="rounds to the gold, which is approximate")
    if policy.pi_as_3_14 and same_value(ours, _with_short_pi(truth)):
        return Comparison(verdict="exact", why="equals the gold with π = 3.14, as the question says")
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


def _wrong(ours: Expression, truth: Expression) -> Comparison:
    return Comparison(verdict="wrong", why=_letters_differ(ours, truth) or _values_differ(ours, truth))


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
        enclosure = enclose(expression, 30)
    except (NoRealValueError, OutOfReachError):
        return None
    value = float(enclosure.high)
    return value if abs(value) != float("inf") else None


def distinct(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims of different value; an approximation of another claim is none of its own.

    Raises:
        NoRealValueError: a claim has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
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
