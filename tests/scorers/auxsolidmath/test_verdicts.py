"""Which verdict an answer gets, by which rule, with which reason and flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorers.auxsolidmath import check_answer

if TYPE_CHECKING:
    from scorers.auxsolidmath import AnswerKind, Verdict

_N = "1" + "0" * 29
_NINES = "9" * 30
_Case = tuple[str, str, "AnswerKind", "Verdict", str]

CASES: tuple[_Case, ...] = (
    # Caps of the grammar.
    ("\\boxed{" + "1+" * 100 + "1}", "101", "number", "unparsed", "more than 200 characters"),
    ("\\boxed{" + "1+" * 250 + "1}", "101", "number", "unparsed", "more than 200 characters"),
    ("\\boxed{" + "+".join("√2" for _ in range(40)) + "}", "40√2", "number", "unparsed", "more than 64 parts"),
    ("\\boxed{" + "(" * 20 + "1" + ")" * 20 + "}", "1", "number", "unparsed", "nested more than 16 deep"),
    ("\\boxed{1" + "0" * 30 + "}", "1", "number", "unparsed", "a number of more than 30 digits"),
    ("\\boxed{2^{13}}", "8192", "number", "unparsed", "an exponent that is no fraction"),
    ("\\boxed{2^{√2}}", "2", "number", "unparsed", "an exponent that is no fraction"),
    ("\\boxed{9^{9^{9}}}", "1", "number", "unparsed", "an exponent that is no fraction"),
    ("\\boxed{\\sqrt[13]{2}}", "2", "number", "unparsed", "a root whose index is no whole number"),
    ("\\boxed{\\sqrt[a]{2}}", "2", "number", "unparsed", "a root whose index is no whole number"),
    ("\\boxed{\\sqrt[3{2}}", "2", "number", "unparsed", "expected ']'"),
    # Syntax.
    ("\\boxed{2^{3}", "8", "number", "exact", "equals the gold"),
    ("\\boxed{2^{3+}", "8", "number", "truncated", "expected a number"),
    ("\\boxed{2^{3)}}", "8", "number", "unparsed", "expected '}'"),
    ("\\boxed{8 \\foo}", "8", "number", "unparsed", "cannot read '\\\\foo'"),
    ("\\boxed{8+千千}", "8", "number", "unparsed", "cannot read the number"),
    ("\\boxed{八点}", "8", "number", "unparsed", "cannot read the number"),
    ("\\boxed{\\frac)3}", "8", "number", "unparsed", "expected a part of a fraction"),
    ("\\boxed{√+3}", "8", "number", "unparsed", "expected what the root is of"),
    ("\\boxed{^2}", "8", "number", "unparsed", "expected a root's index"),
    ("\\boxed{^{3}2}", "8", "number", "unparsed", "expected a root sign"),
    ("\\boxed{|8}", "8", "number", "unparsed", "'|' is missing"),
    ("\\boxed{2³√8}", "4", "number", "unparsed", "two readings"),
    ("\\boxed{根号三分之二}", "2/√3", "number", "unparsed", "two readings"),
    ("\\boxed{2\\frac{3}{2}}", "3", "number", "unparsed", "neither a mixed number nor a product"),
    ("\\boxed{8 square}", "8", "number", "unparsed", "a unit is missing"),
    ("\\boxed{8 cm^{5}}", "8", "number", "unparsed", "a unit has another power"),
    ("\\boxed{8 \\# 9}", "8", "number", "unparsed", "cannot read"),
    ("\\boxed{" + " or ".join(str(n) for n in range(20)) + "}", "8", "number", "unparsed", "more than 12 values"),
    # Notation that few use.
    ("\\boxed{2\\frac12}", "5/2", "number", "exact", ""),
    ("\\boxed{2\\frac1{12}}", "25/12", "number", "exact", ""),
    ("\\boxed{2\\frac1 3}", "7/3", "number", "exact", ""),
    ("\\boxed{2\\frac123}", "7/3", "number", "unparsed", ""),
    ("\\boxed{2\\frac1\\pi}", "2/π", "number", "exact", ""),
    ("\\boxed{2\\frac{1}{\\pi}}", "2/π", "number", "exact", ""),
    ("\\boxed{2\\frac{1}3}", "7/3", "number", "exact", ""),
    ("\\boxed{\\frac\\sqrt{3}{2}}", "√3/2", "number", "exact", ""),
    ("\\boxed{\\frac{\\sqrt3}2}", "√3/2", "number", "exact", ""),
    ("\\boxed{\\frac123}", "1/2", "number", "unparsed", ""),
    ("\\boxed{\\frac12 a}", "a/2", "symbolic", "exact", ""),
    ("\\boxed{√a}", "√a", "symbolic", "exact", ""),
    ("\\boxed{√π}", "√π", "number", "exact", ""),
    ("\\boxed{√\\frac12}", "√2/2", "number", "exact", ""),
    ("\\boxed{∛-}", "2", "number", "unparsed", ""),
    ("\\boxed{2 squared}", "4", "number", "exact", ""),
    ("\\boxed{2 cubed}", "8", "number", "exact", ""),
    ("8 cm squared", "8 cm^2", "number", "exact", ""),
    ("\\boxed{\\sin^2 60^\\circ}", "3/4", "number", "exact", ""),
    ("\\boxed{\\sin² 60°}", "3/4", "number", "exact", ""),
    ("\\boxed{cos squared 60°}", "1/4", "number", "exact", ""),
    ("\\boxed{cot 30°}", "√3", "number", "exact", ""),
    ("\\boxed{csc 30°}", "2", "number", "exact", ""),
    ("\\boxed{sin 2π/3}", "√3/2", "number", "exact", ""),
    ("\\boxed{2cosA}", "2cos A", "symbolic", "exact", ""),
    ("\\boxed{\\sqrt[3]{-8}}", "-2", "number", "exact", ""),
    ("\\boxed{\\sqrt[3]{-2}}", "-∛2", "number", "exact", ""),
    ("\\boxed{\\sqrt[4]{8}}", "2^{3/4}", "number", "exact", ""),
    ("\\boxed{(√2-√2)^2}", "0", "number", "exact", ""),
    ("\\boxed{√(√2-√2)}", "0", "number", "exact", ""),
    ("\\boxed{√(√2*√2-2)}", "0", "number", "exact", ""),
    ("\\boxed{\\sqrt[3]{√2-√2}}", "0", "number", "exact", ""),
    ("\\boxed{\\sqrt[3]{1-1}}", "0", "number", "exact", ""),
    ("\\boxed{\\sqrt[6]{\\sqrt3-1}\\sqrt[6]{\\sqrt3+1}}", "\\sqrt[6]{2}", "number", "exact", ""),
    ("\\boxed{\\sqrt[3]{1/√2+1}}", "\\sqrt[3]{(2+√2)/2}", "number", "exact", ""),
    ("\\boxed{2cos(π/7)}", "2cos(π/7)", "number", "exact", ""),
    ("\\boxed{8cos(π/7)cos(2π/7)cos(3π/7)}", "1", "number", "exact", ""),
    ("\\boxed{8cos(π/7)cos(2π/7)cos(3π/7)cos(π/11)}", "cos(π/11)", "number", "exact", ""),
    ("\\boxed{cos(2π/1009)+cos(0)}", "1+cos(2π/1009)", "number", "exact", ""),
    ("\\boxed{cos(π/2018)}", "cos(π/2018)", "number", "exact", ""),
    ("\\boxed{cos 2}", "cos 2", "number", "exact", ""),
    ("\\boxed{sin(1/2)}", "sin(1/2)", "number", "exact", ""),
    ("\\boxed{sin(1/2)}", "sin(0.5)", "number", "exact", ""),
    ("\\boxed{cos(1/π)}", "cos(1/π)", "number", "exact", ""),
    ("\\boxed{cos(2√2)}", "cos(2√2)", "number", "exact", ""),
    ("\\boxed{e^2}", "e^2", "number", "exact", ""),
    ("\\boxed{cos(½arccos(1/3))}", "√6/3", "number", "exact", ""),
    ("\\boxed{sin(½arccos(1/3))}", "√3/3", "number", "exact", ""),
    ("\\boxed{tan(½arctan√3)}", "√3/3", "number", "exact", ""),
    ("\\boxed{2√3 arccos(1/3)}", "2√3 arccos(1/3)", "number", "exact", ""),
    ("\\boxed{cos(√2 arccos(1/3))}", "cos(√2 arccos(1/3))", "number", "exact", ""),
    ("\\boxed{cos(arccos(1/3)/3)}", "cos(arccos(1/3)/3)", "number", "exact", ""),
    ("\\boxed{cos(arccos(1/3)*(1+1)/2)}", "1/3", "number", "exact", ""),
    ("\\boxed{cos(0*arccos(1/3))}", "1", "number", "exact", ""),
    ("\\boxed{cos(0*2)}", "1", "number", "exact", ""),
    ("\\boxed{cos(0/π)}", "1", "number", "exact", ""),
    ("\\boxed{cos(π-π+0)}", "1", "number", "exact", ""),
    ("\\boxed{sin(θ/2)/cos(θ/2)}", "tan(θ/2)", "symbolic", "exact", ""),
    ("\\boxed{cos(a*θ)}", "cos(θ*a)", "symbolic", "exact", ""),
    ("\\boxed{25arccos(1/3)}", "50arctan(√2/2)", "angle", "exact", ""),
    ("\\boxed{arccos(1/3)/3}", "arccos(1/3)/3", "angle", "exact", ""),
    ("\\boxed{a*arccos(1/3)}", "arccos(1/3)a", "symbolic", "exact", ""),
    ("\\boxed{arccos(1/3)+a}", "a+arccos(1/3)", "symbolic", "exact", ""),
    ("\\boxed{一万零五}", "10005", "number", "exact", ""),
    ("\\boxed{三万}", "30000", "number", "exact", ""),
    ("\\boxed{十二点五}", "25/2", "number", "exact", ""),
    ("\\boxed{二〇}", "20", "number", "exact", ""),
    ("\\boxed{万}", "1", "number", "unparsed", ""),
    ("\\boxed{10^{-12}*10^{12}}", "1", "number", "exact", ""),
    ("\\boxed{" + "9" * 30 + "^{12}}", "1", "number", "wrong", ""),
    ("\\boxed{" + "9" * 30 + "^{3}*(√2+1)}", "√2*" + "9" * 30 + "^3+" + "9" * 30 + "^3", "number", "exact", ""),
    ("\\boxed{" + "9" * 30 + "*" + "9" * 30 + "*√2}", "√2*" + "9" * 30 + "^2", "number", "exact", ""),
    ("\\boxed{√(" + "9" * 30 + "^3)}", "√(" + "9" * 30 + "*" + "9" * 30 + "^2)", "number", "exact", ""),
    # Values that are none, beyond the bounds, or equal beyond what can be proved.
    ("\\boxed{2^{1+1}}", "4", "number", "exact", ""),
    ("\\boxed{2^{1+√2}}", "4", "number", "unparsed", "an exponent that is no fraction"),
    ("\\boxed{√(-1) cm}", "2 m^2", "number", "wrong", "a unit of another dimension"),
    ("\\boxed{1/(2-2)}", "1", "number", "wrong", "no real value: a division by zero"),
    ("\\boxed{0^{-1}}", "1", "number", "wrong", "no real value"),
    ("\\boxed{√(1-2)}", "1", "number", "wrong", "no real value: a root of index 2 of a negative number"),
    ("\\boxed{√(√2-√3)}", "1", "number", "wrong", "no real value"),
    ("\\boxed{arcsin 2}", "30°", "angle", "wrong", "no real value"),
    ("\\boxed{1/(√2√3-√6)}", "1", "number", "wrong", "no real value: a division by zero"),
    ("\\boxed{((9^{12})^{12})^{12}}", "1", "number", "wrong", "not equal to the gold"),
    ("\\boxed{(((9^{12})^{12})^{12})^{12}}", "1", "number", "timeout", "beyond 10^10,000"),
    ("\\boxed{sin(10^{12})}", "1", "number", "timeout", "an angle beyond 10^6"),
    ("\\boxed{\\sqrt[12]{√2+√3}\\sqrt[11]{√5+√7}}", "\\sqrt[12]{√3+√2}\\sqrt[11]{√7+√5}+0", "number", "exact", ""),
    (
        "\\boxed{(\\sqrt[12]{5}+\\sqrt[11]{7}+\\sqrt[7]{3})^2}",
        "(\\sqrt[12]{5}+\\sqrt[11]{7})^2+2\\sqrt[7]{3}(\\sqrt[12]{5}+\\sqrt[11]{7})+(\\sqrt[7]{3})^2",
        "number",
        "exact",
        "",
    ),
    ("\\boxed{2√3arctan√2}", "2√3arccos(√3/3)", "number", "exact", ""),
    ("\\boxed{8√3arctan(√2/2)}", "4√3arccos(1/3)", "number", "exact", ""),
    # Values that agree to many digits, and values beyond the first digits' reach.
    (f"\\boxed{{\\sqrt[3]{{{_N}^3+1}}}}", _N, "number", "wrong", ""),
    (f"\\boxed{{2/(2\\sqrt[3]{{{_N}^3+1}}-2*{_N})}}", f"1/(\\sqrt[3]{{{_N}^3+1}}-{_N})", "number", "exact", ""),
    (f"\\boxed{{{_NINES}^2+{_NINES}^2}}", f"2*{_NINES}^2", "number", "exact", ""),
    ("\\boxed{1/(√2*√2*1.000000000000000000000000000001-2)}", "1", "number", "unparsed", "30 digits"),
    ("\\boxed{1/((√2)^2*(10^{12})^3-2*(10^{12})^3+10^{-2})}", "1", "number", "wrong", "100 is not 1"),
    ("\\boxed{\\sqrt{\\sqrt2/10}}", "\\frac{\\sqrt{10\\sqrt2}}{10}", "number", "exact", ""),
    ("\\boxed{点五}", "1/2", "number", "unparsed", "cannot read the number"),
    ('70°44"', '70°44"', "angle", "exact", ""),
    # Clauses and chains.
    ("V = 8/3 with AB = 2", "8/3", "number", "exact", ""),
    ("x = 9 8, V = 8/3", "8/3", "number", "exact", ""),
    ("9 8, 8/3", "8/3", "number", "unparsed", ""),
    ("≈ 2.67, 8/3", "8/3", "number", "exact", ""),
    ("V = 8.\nConnect A1 and B1.", "8", "number", "exact", ""),
    ("\\boxed{8 or =}", "8", "number", "exact", ""),
    ("2x ≈ 8.00", "8", "number", "unparsed", "no value in it"),
    ("0.894 or 0.8944", "2√5/5", "number", "numeric", ""),
    ("x = ±2. The answer is as above.", "±2", "multi", "exact", ""),
    ("(1) [0, 1, 2]; (2) 9", "(1) 8; (2) 9", "multi", "unparsed", ""),
    ("(1) So λ∈(0,1].\n(2) Hence \\boxed{9}.", "(1) (0,1]; (2) 9", "multi", "exact", ""),
    ("(1) \\boxed{8}. That is wrong. (2) \\boxed{9}", "(1) 8; (2) 9", "multi", "ambiguous", "withdrawn"),
    # Reasons.
    ("\\boxed{2b}", "2a", "symbolic", "wrong", "a letter that the gold does not have: b"),
    ("\\boxed{2}", "2a", "symbolic", "wrong", "a parameter is missing: a"),
    ("\\boxed{60°}", "1/2", "number", "wrong", "an angle, where another quantity is asked for"),
    ("\\boxed{6 cm}", "60°", "angle", "wrong", "a length, area or volume"),
    ("\\boxed{6 cm^2}", "6 cm^3", "number", "wrong", "a unit of another dimension"),
    ("\\boxed{6 cubic units}", "6 cm^3", "number", "exact", ""),
    ("\\boxed{33\\%}", "1/3", "number", "wrong", "a percentage that is not exactly the gold"),
    ("\\boxed{0.33}", "1/3", "number", "wrong", "rounded to fewer than 3 significant digits"),
    ("\\boxed{0.25}", "1/3", "number", "wrong", "0.25 is not 0.3333333333"),
    ("\\boxed{120°}", "60°", "angle", "wrong", "the supplement of the right angle"),
    ("\\boxed{5 or 6}", "5", "number", "wrong", "2 different values, where one is asked for"),
    ("\\boxed{1/2√3}", "1/(2√3)", "number", "ambiguous", "may mean"),
    ("\\boxed{1/2√3}", "7", "number", "wrong", "0.8660254038 is not 7"),
    ("\\boxed{3} That is wrong.", "3", "number", "ambiguous", "the answer was withdrawn, and no other follows"),
    ("\\boxed{3} Wait, no.", "3", "number", "ambiguous", "withdrawn"),
    ("\\boxed{8, 9}", "(1) 8; (2) 9", "multi", "ambiguous", "values without the labels"),
    ("(1) 8; (2) is wrong. Oops, that is wrong.", "(1) 8; (2) 9", "multi", "ambiguous", ""),
    ("(1) 8", "(1) 8; (2) 9", "multi", "wrong", "the parts 1, where the gold has 1, 2"),
    ("(1) 8; (2) 7", "(1) 8; (2) 9", "multi", "wrong", "part 2: 7 is not 9"),
    ("(1) 8; (2) x", "(1) 8; (2) 9", "multi", "unparsed", ""),
    ("(1) (0, 1); (2) 9", "(1) 8; (2) 9", "multi", "wrong", "an interval where a value is asked for"),
    ("(1) ±8; (2) 9", "(1) ±8; (2) 9", "multi", "exact", ""),
    ("(1) 0.333; (2) 9", "(1) 1/3; (2) 9", "multi", "numeric", "all parts, with a decimal correctly rounded"),
    ("(1) [0, 1]; (2) 9", "(1) [0, 1]; (2) 9", "multi", "exact", ""),
    ("(1) (0, foo]; (2) 9", "(1) (0, 1]; (2) 9", "multi", "wrong", "a letter that the gold does not have: f, o"),
    ("\\boxed{8} and then \\boxed{9}", "8, 9", "multi", "exact", ""),
    ("8, 9", "8, 9, 10", "multi", "wrong", "2 values, where the gold has 3"),
    ("8, 7", "8, 9", "multi", "wrong", "7: none of the gold's values"),
    ("0.333, 9", "1/3, 9", "multi", "numeric", ""),
    ("\\boxed{(0, 1), (2, 3)}", "(0, 1)", "interval", "wrong", "2 intervals, where the gold has 1"),
    ("(0, 1) ∪ (2, 3)", "(0, 1)", "interval", "wrong", "2 intervals, where the gold has 1"),
    ("(0, +∞)", "(0, 1)", "interval", "wrong", "the upper end: one is infinite"),
    ("(0, +∞]", "(0, +∞)", "interval", "unparsed", ""),
    ("0 < x > 1", "(0, 1)", "interval", "unparsed", ""),
    ("0 < x < 1 < 2", "(0, 1)", "interval", "unparsed", ""),
    ("x < 1 and x < 0", "(0, 1)", "interval", "unparsed", ""),
    ("x < 1 and x > 0", "(0, 1)", "interval", "exact", ""),
    ("0 < x", "(0, +∞)", "interval", "exact", ""),
    ("x3 > 0", "(0, +∞)", "interval", "exact", ""),
    ("(-∞, +∞)", "(-∞, +∞)", "interval", "exact", "all numbers"),
    ("\\boxed{[0, 1] or 3}", "[0, 1]", "interval", "unparsed", "expected an interval"),
    ("(0.333, 1)", "(1/3, 1)", "interval", "numeric", ""),
    ("1:2:4", "1:2:3", "ratio", "wrong", "another ratio"),
    ("1:2", "1:2:3", "ratio", "wrong", "another number of terms"),
    ("V ≈ 2.67", "≈ 2.67", "number", "exact", ""),
    ("8/3", "≈ 2.67", "number", "numeric", "the gold, which is approximate"),
    ("8/3 = 2.6", "8/3", "number", "wrong", ""),
    ("(1/0) = 2.60", "13/5", "number", "exact", ""),
    ("so V = 2.60", "13/5", "number", "exact", ""),
    ("? ? = 2.60", "13/5", "number", "exact", ""),
)


@pytest.mark.parametrize(
    ("text", "gold", "kind", "verdict", "why"),
    [pytest.param(*case, id=f"{case[2]}-{case[0][:50]}") for case in CASES],
)
def test_the_verdict_and_its_reason(text: str, gold: str, kind: AnswerKind, verdict: Verdict, why: str) -> None:
    check = check_answer(text, gold, answer_kind=kind)

    assert check.verdict == verdict, check
    assert why in check.why


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("\\boxed{8}", "last box"),
        ("\\boxed{8} or \\boxed{9}", "last boxes"),
        ("The answer is 8.", "answer cue"),
        ("V = 8", "last statement"),
        ("Hm.", "none"),
        ("The answer: \n\n It is clear. \n\nV = 8", "answer cue"),
        ("V = 8. The answer is not 9.", "last statement"),
    ],
)
def test_the_rule_that_found_the_answer_is_named(text: str, rule: str) -> None:
    assert check_answer(text, "8", answer_kind="number").rule == rule


@pytest.mark.parametrize(
    ("text", "gold", "options", "verdict", "flags"),
    [
        ("60", "60°", {}, "exact", ("bare number read as degrees",)),
        ("\\boxed{60", "60°", {}, "exact", ("bare number read as degrees", "box left open")),
        ("33.3", "1/3", {"asked_percent": True}, "numeric", ("bare number read as percent",)),
        ("50", "50%", {}, "exact", ("bare number read as percent",)),
        ("49", "50%", {}, "wrong", ()),
        ("49%", "50%", {}, "wrong", ()),
        ("33.3%", "1/3", {"asked_percent": True}, "numeric", ()),
        ("33%", "1/3", {"asked_percent": True}, "wrong", ()),
        ("113.04", "36π", {"pi_as_3_14": True}, "exact", ()),
        ("113.05", "36π", {"pi_as_3_14": True}, "wrong", ()),
        ("2m", "2m", {"parameters": ("m",)}, "exact", ()),
    ],
)
def test_allowances_are_flagged(
    text: str, gold: str, options: dict[str, Any], verdict: str, flags: tuple[str, ...]
) -> None:
    kind: AnswerKind = "angle" if "°" in gold else "number"
    check = check_answer(text, gold, answer_kind=kind, **options)

    assert (check.verdict, check.flags) == (verdict, flags)


def test_found_and_value_are_what_was_read() -> None:
    check = check_answer("Thus V = \\frac{8}{3} ≈ 2.67.", "8/3", answer_kind="number")

    assert check.found == "\\frac{8}{3}"
    assert check.value == pytest.approx(8 / 3)
    assert check_answer("2a", "2a", answer_kind="symbolic").value is None
    assert check_answer("1:2:3", "1:2:3", answer_kind="ratio").value is None
