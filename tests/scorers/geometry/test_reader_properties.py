"""Any text ends in a verdict; the truth in any accepted form, whatever surrounds it, reads back as the truth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorers.geometry import TASKS, LocateScore, Task, score_geometry
from tests.scorers.geometry.truths import full_truth

PIECES = (
    "COUNT:", "DEFECTS:", "MISSING:", "DIAMETER:", "SMALLEST:", "LARGEST:", "PATTERN:", "random",
    "hexagonal", "or", "not", "no", "spots", "missing", "extra", "1", "12", "3.5", "0.14", "µm", "px",
    "per pixel", "(", ")", "[", "]", "{", "}", '"x":', ",", ";", "-", "to", "between", "and", "|", "\n",
    "*", "`", "```", "<think>", "</think>", "total", "there are", "I see", "image", "cannot see the",
    "twelve", "hundred", "=", "%", "±", "1e999",
    "1.7e308", "1.7e308%", "-1e308", "x=", "y=", "→", "<45>", "2.8um", "several", "-0", "\u2212",
    "\ufeff", "\ud800", "٣", "½",
)  # fmt: skip
WRAPS = (
    "{}",
    "Sure! Let me look at the image carefully.\n\n{}\n\nLet me know if you need anything else.",
    "<think>Maybe it is 77, or random, or 9 µm at (3, 4)...</think>\n{}",
    "```\n{}\n```",
    "**Answer**\n\n{}",
    "Here is what I found in the 700 x 510 image:\n{}",
)
ROW_WRAPS = ("| {} |", "**{}**", "`{}`", "- {}", "> {}", "# {}", "_{}_")


@settings(max_examples=40, deadline=None)
@given(text=st.one_of(st.text(max_size=400), st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join)))
@example(text="hundred " * 500)
@example(text="9" * 500)
@example(text="[" * 400)
@example(text='{"count": 1e999}')
@example(text="1.7e308%, 1%")
@example(text='{"x": 1e308, "y": 1e308}')
def test_any_text_ends_in_a_verdict(text: str) -> None:
    for task in TASKS:
        for truth in (full_truth(), _mixed()):
            score = score_geometry(task, text, truth)
            assert score.parsed or not score.passed
            assert isinstance(score.rule, str)
            assert score == score_geometry(task, text, truth)


def _mixed() -> dict[str, Any]:
    return full_truth(diameter_um=None, smallest_diameter_um=2.0, largest_diameter_um=5.0)


def _passes(task: Task, text: str, truth: dict[str, Any]) -> bool:
    return score_geometry(task, text, truth).passed


@settings(max_examples=30, deadline=None)
@given(
    count=st.integers(0, 9_999),
    form=st.sampled_from(
        ["COUNT: {}", "{}", "There are {} spots.", "I count {} white circular spots in this image.",
         '{{"count": {}}}',
         "Final answer: {}", "COUNT: <{}>", "The total number of spots is {}."]
    ),
    wrap=st.sampled_from(WRAPS),
)  # fmt: skip
def test_counts_read_back(count: int, form: str, wrap: str) -> None:
    assert _passes("COUNT", wrap.format(form.format(count)), full_truth(count=count))


@settings(max_examples=30, deadline=None)
@given(
    label=st.sampled_from(["RANDOM", "HEXAGONAL", "GRID"]),
    form=st.sampled_from(["PATTERN: {}", "{}", '{{"pattern": "{}"}}', "The answer is {}."]),
    wrap=st.sampled_from(WRAPS),
    row=st.sampled_from(ROW_WRAPS),
)
def test_patterns_read_back(label: str, form: str, wrap: str, row: str) -> None:
    text = form.format(label)
    shown = text if "{" in text else row.format(text)

    assert _passes("PATTERN", wrap.format(shown), full_truth(pattern=label))


@settings(max_examples=80, deadline=None)
@given(
    size=st.integers(10, 999),
    form=st.sampled_from(
        ["DIAMETER: {} µm", "{}", "{} um", "about {} micrometers", '{{"diameter_um": {}}}',
         "The diameter is {} μm.", "{}um", "{}µm", "DIAMETER: {}um", '{{"diameter": "{}um"}}', "DIAMETER: <{}> µm",
         "DIAMETER: {} \u00b5m"]
    ),
    wrap=st.sampled_from(WRAPS),
)  # fmt: skip
def test_lengths_read_back(size: int, form: str, wrap: str) -> None:
    truth = full_truth(diameter_um=size / 10)

    score = score_geometry("SIZE", wrap.format(form.format(size / 10)), truth)

    assert score.metrics["abs_error_um"] == pytest.approx(0)


@settings(max_examples=30, deadline=None)
@given(
    missing=st.integers(0, 40),
    extra=st.integers(0, 40),
    form=st.sampled_from(
        ["DEFECTS: {verdict}\nMISSING: {missing}\nEXTRA: {extra}",
         "DEFECTS_FOUND: {verdict}\nMISSING_COUNT: {missing}\nNOISE_COUNT: {extra}",
         '{{"defects": "{verdict}", "missing": {missing}, "extra": {extra}}}',
         "**DEFECTS:** {verdict}\n**MISSING:** {missing}\n**EXTRA:** {extra}",
         "| DEFECTS | {verdict} |\n| MISSING | {missing} |\n| EXTRA | {extra} |"]
    ),
    wrap=st.sampled_from(WRAPS),
)  # fmt: skip
def test_defects_read_back(missing: int, extra: int, form: str, wrap: str) -> None:
    some = bool(missing or extra)
    text = form.format(verdict="YES" if some else "NO", missing=missing, extra=extra)
    truth = full_truth(has_defects=some, missing_count=missing, extra_count=extra)

    score = score_geometry("DEFECT", wrap.format(text), truth)

    assert score.prediction == score.expected


POINTS = st.lists(st.tuples(st.integers(120, 690), st.integers(101, 500)), min_size=2, max_size=40, unique=True)


def _lines(row: str) -> Any:
    return lambda points: "\n".join(row.format(x=x, y=y, n=n) for n, (x, y) in enumerate(points, start=1))


FORMS: dict[str, Any] = {
    "lines": _lines("{x}, {y}"),
    "brackets": _lines("({x}, {y})"),
    "list": _lines("{n}. ({x}, {y})"),
    "bare list": _lines("{n}. {x}, {y}"),
    "radius": _lines("{x}, {y}, 11"),
    "index": _lines("{n}, {x}, {y}"),
    "named": _lines("Spot {n}: x={x}, y={y}"),
    "table": lambda points: "| # | x | y |\n|---|---|---|\n" + _lines("| {n} | {x} | {y} |")(points),
    "glued unit": _lines("{x}px, {y}px"),
    "glued unit in brackets": _lines("({x}px, {y}px)"),
    "y first": _lines("y={y}, x={x}"),
    "behind words": _lines("spot in row {n}: {x}, {y}"),
    "tags": lambda points: "".join(f"<point>{x}, {y}</point>" for x, y in points),
    "one line": lambda points: ", ".join(f"({x}, {y})" for x, y in points),
    "json pairs": lambda points: str([[x, y] for x, y in points]),
    "json objects": lambda points: str([{"x": x, "y": y, "radius": 9} for x, y in points]).replace("'", '"'),
    "percent": lambda points: "\n".join(f"{x / 7:.6f}%, {y / 5.1:.6f}%" for x, y in points),
    "fractions": lambda points: "\n".join(f"{x / 700:.8f}, {y / 510:.8f}" for x, y in points),
}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=10, deadline=None)
@given(points=POINTS, wrap=st.sampled_from(WRAPS))
def test_positions_read_back(form: str, points: list[tuple[int, int]], wrap: str) -> None:
    score = score_geometry("LOCATE", wrap.format(FORMS[form](points)), full_truth())

    assert isinstance(score, LocateScore)
    assert [(round(x), round(y)) for x, y in score.prediction or ()] == points
