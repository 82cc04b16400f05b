"""Rewrites of a random value that must match it, and changes of one token that must not."""

from __future__ import annotations

import re
from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorers.auxsolidmath import check_answer

SQUARE_FREE = (2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19, 21, 22, 23, 26, 29, 30, 33, 35, 37, 38, 39, 41, 42)
UNHURRIED = settings(deadline=None, max_examples=12)
"""Other processes may share the machine."""

CHINESE_DIGITS = "零一二三四五六七八九"

surds = st.tuples(st.integers(1, 30), st.sampled_from(SQUARE_FREE), st.integers(2, 30))
"""p, n, q of p√n/q."""


def _matches(text: str, gold: str, kind: str = "number") -> bool:
    known = next(name for name in ("number", "angle", "symbolic", "interval", "multi", "ratio") if name == kind)
    return check_answer(text, gold, answer_kind=known).verdict == "exact"


def _chinese(value: int) -> str:
    tens, ones = divmod(value, 10)
    upper = ("" if tens == 1 else CHINESE_DIGITS[tens]) + "十" if tens else ""
    return upper + (CHINESE_DIGITS[ones] if ones or not tens else "")


def _full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def _surd_forms(p: int, n: int, q: int) -> list[str]:
    """Ways to write p√n/q."""
    return [
        f"\\frac{{{p}\\sqrt{{{n}}}}}{{{q}}}",
        f"\\dfrac{{{p}}}{{{q}}}\\sqrt{{{n}}}",
        f"\\frac{{{p * n}}}{{{q}\\sqrt{{{n}}}}}",
        f"\\sqrt{{\\frac{{{p * p * n}}}{{{q * q}}}}}",
        f"{p}√{n}/{q}",
        f"√{n}·{p}/{q}",
        f"({p}/{q})*sqrt({n})",
        f"√({p * p * n})/{q}",
        f"√({p * p * n}/{q * q})",
        f"\\frac{{\\sqrt{{{4 * p * p * n}}}}}{{{2 * q}}}",
        f"\\sqrt[4]{{\\frac{{{p**4 * n**2}}}{{{q**4}}}}}",
        f"\\frac{{({p}-1)\\sqrt{{{n}}}+\\sqrt{{{n}}}}}{{{q}}}",
        _full_width(f"{p}√{n}/{q}"),
        f"{_chinese(q)}分之{_chinese(p)}倍根号{_chinese(n)}",
    ]


@UNHURRIED
@given(surds, st.integers(0, 13), st.integers(0, 13))
def test_every_form_of_a_surd_matches_every_other(surd: tuple[int, int, int], one: int, other: int) -> None:
    forms = _surd_forms(*surd)

    assert _matches(forms[one], forms[other])


SENTENCES = (
    "\\boxed{%s}", "The answer is $%s$.", "So V = %s, where AB = 2.", "故体积为%s。", "**Answer:** %s",
)  # fmt: skip


@UNHURRIED
@given(surds, st.sampled_from(SENTENCES))
def test_a_surd_is_found_in_a_sentence(surd: tuple[int, int, int], sentence: str) -> None:
    form = _surd_forms(*surd)[0]

    assert _matches(sentence % form, _surd_forms(*surd)[4])


@UNHURRIED
@given(surds, st.integers(0, 5), st.integers(-3, 3))
def test_a_change_of_one_number_does_not_match(surd: tuple[int, int, int], form: int, by: int) -> None:
    text = _surd_forms(*surd)[form]
    numbers = list(re.finditer(r"[0-9]+", text))
    place = numbers[abs(by) % len(numbers)]
    changed = int(place[0]) + by
    assume(by != 0 and changed > 0)

    assert not _matches(text[: place.start()] + str(changed) + text[place.end() :], _surd_forms(*surd)[4])


@UNHURRIED
@given(surds, st.sampled_from(("-%s", "%s π", "%s+1", "2*(%s)", "(%s)^2", "%s a", "%s°", "\\sqrt{%s}")))
def test_an_added_token_does_not_match(surd: tuple[int, int, int], added: str) -> None:
    p, n, q = surd
    assume(p * p * n != q * q)

    assert not _matches("\\boxed{" + added % _surd_forms(*surd)[0] + "}", f"{p}√{n}/{q}")


@UNHURRIED
@given(st.integers(1, 60), st.integers(1, 60))
def test_nested_radicals_match_their_sum(a: int, b: int) -> None:
    gold = f"√{a}+√{b}"

    assert _matches(f"\\sqrt{{{a + b}+2\\sqrt{{{a * b}}}}}", gold)
    assert not _matches(f"\\sqrt{{{a + b}+3\\sqrt{{{a * b}}}}}", gold)
    assert a == b or _matches(f"\\frac{{{a}-{b}}}{{\\sqrt{{{a}}}-\\sqrt{{{b}}}}}", gold)


@UNHURRIED
@given(st.integers(1, 20), st.integers(1, 20), st.integers(2, 21))
def test_mixed_numbers_are_sums(whole: int, upper: int, lower: int) -> None:
    assume(upper < lower)
    gold = f"{whole * lower + upper}/{lower}"
    forms = (
        f"{whole}\\frac{{{upper}}}{{{lower}}}", f"{whole} {upper}/{lower}", f"{whole}+{upper}/{lower}",
        f"{_chinese(whole)}又{_chinese(lower)}分之{_chinese(upper)}",
    )  # fmt: skip

    assert all(_matches(form, gold) for form in forms)
    assert _matches(forms[0], f"{whole * upper}/{lower}") == (
        Fraction(upper, lower) + whole == Fraction(whole * upper, lower)
    )


@UNHURRIED
@given(st.integers(1, 359), st.sampled_from((1, 2, 5, 10)))
def test_degrees_and_radians_are_one_angle(degrees: int, part: int) -> None:
    size = Fraction(degrees, part)
    radians = size / 180
    forms = (
        f"{size}°", f"{float(size)}°", f"\\frac{{{size.numerator}}}{{{size.denominator}}}^\\circ",
        f"{float(size)} degrees", f"\\frac{{{radians.numerator}\\pi}}{{{radians.denominator}}}",
        f"{radians.numerator}π/{radians.denominator} rad",
    )  # fmt: skip

    assert all(_matches(one, forms[0], "angle") and _matches(forms[0], one, "angle") for one in forms)
    assert not _matches(f"{size + 1}°", forms[0], "angle")


@UNHURRIED
@given(st.integers(1, 30), st.integers(1, 30))
def test_arc_functions_of_one_triangle_are_one_angle(a: int, b: int) -> None:
    hypotenuse = f"\\sqrt{{{a * a + b * b}}}"
    forms = (
        f"\\arctan\\frac{{{a}}}{{{b}}}", f"\\arcsin\\frac{{{a}}}{{{hypotenuse}}}",
        f"\\arccos\\frac{{{b}}}{{{hypotenuse}}}",
        f"\\frac{{\\pi}}{{2}}-\\arctan\\frac{{{b}}}{{{a}}}", f"\\tan^{{-1}}({a}/{b})",
    )  # fmt: skip

    assert all(_matches(form, forms[0], "angle") for form in forms)
    assert not _matches(f"\\arctan\\frac{{{a + 1}}}{{{b}}}", forms[0], "angle")


@UNHURRIED
@given(
    surds,
    st.sampled_from(("cm^3", " cm³", "\\text{ cm}^3", " cubic units", "立方厘米", " m^3", "\\ \\mathrm{mm^3}")),
)
def test_a_unit_changes_nothing_where_the_gold_has_none(surd: tuple[int, int, int], unit: str) -> None:
    assert _matches(_surd_forms(*surd)[4] + unit, _surd_forms(*surd)[0])


@UNHURRIED
@given(surds, st.integers(3, 9))
def test_a_decimal_passes_only_correctly_rounded(surd: tuple[int, int, int], places: int) -> None:
    p, n, q = surd
    gold = f"{p}√{n}/{q}"
    scaled = (p * p * n * 4 * 10 ** (2 * places)) // (q * q)
    nearest = (int(scaled**0.5) + 1) // 2
    assume(nearest >= 100)
    nearest = next(
        value for value in range(nearest - 3, nearest + 4) if (2 * value - 1) ** 2 <= scaled < (2 * value + 1) ** 2
    )
    digits = f"{nearest / 10**places:.{places}f}"

    assert check_answer(digits, gold, answer_kind="number").verdict == "numeric"
    off = f"{(nearest + 1) / 10**places:.{places}f}"
    assert check_answer(off, gold, answer_kind="number").verdict == "wrong"


@UNHURRIED
@given(surds, st.sampled_from("abhrxλ"))
def test_a_parameter_must_be_there_and_no_other(surd: tuple[int, int, int], name: str) -> None:
    p, n, q = surd
    gold = f"{p}√{n}{name}/{q}"

    assert _matches(f"\\frac{{{p}\\sqrt{{{n}}}}}{{{q}}}{name}", gold, "symbolic")
    assert _matches(f"\\sqrt{{\\frac{{{p * p * n}{name}^2}}{{{q * q}}}}}", gold, "symbolic")
    assert not _matches(f"{p}√{n}/{q}", gold, "symbolic")
    assert not _matches(f"{p}√{n}k/{q}", gold, "symbolic")


@UNHURRIED
@given(surds, surds)
def test_a_hedge_between_two_values_is_wrong(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    p, n, q = one
    a, b, c = other
    assume(Fraction(p * p * n, q * q) != Fraction(a * a * b, c * c))

    assert not _matches(f"{p}√{n}/{q} or {a}√{b}/{c}", f"{p}√{n}/{q}")
    assert _matches(f"{a}√{b}/{c}, {p}√{n}/{q}", f"{p}√{n}/{q} or {a}√{b}/{c}", "multi")


@UNHURRIED
@given(surds, surds, st.booleans(), st.booleans())
def test_an_interval_s_ends_and_brackets_all_count(
    one: tuple[int, int, int], other: tuple[int, int, int], left: bool, right: bool
) -> None:
    low, high = (f"{p}√{n}/{q}" for p, n, q in (one, other))
    gold = f"{'[' if left else '('}{low}, {high}{']' if right else ')'}"
    same = f"{low} {'≤' if left else '<'} x {'≤' if right else '<'} {high}"
    flipped = f"{'(' if left else '['}{low}, {high}{']' if right else ')'}"

    assert _matches(same, gold, "interval")
    assert not _matches(flipped, gold, "interval")


@UNHURRIED
@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 9))
def test_ratios_are_ordered_and_have_no_common_factor(a: int, b: int, factor: int) -> None:
    assert _matches(f"{a * factor}:{b * factor}", f"{a}:{b}", "ratio")
    assert _matches(f"\\frac{{{a}}}{{{b}}}", f"{a}:{b}", "ratio")
    assert _matches(f"{b}:{a}", f"{a}:{b}", "ratio") == (a == b)
