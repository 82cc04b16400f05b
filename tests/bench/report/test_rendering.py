"""Templates write texts as texts; numbers, invisible characters and links as a reader needs them."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.report import rendering
from bench.report.rendering import (
    INVISIBLE,
    amount_usd,
    case_name,
    data_json,
    duration,
    gallery_link,
    percent,
    shown,
)
from tests.bench.report.pages import Page

TEMPLATES = sorted(Path(rendering.__file__).with_name("templates").iterdir())


def written(source: str, **values: object) -> str:
    return rendering._environment().from_string(source).render(values)


@given(st.text())
def test_what_a_template_writes_reads_back_as_the_text(text: str) -> None:
    read = Page(written('<p title="{{ text }}">{{ text }}</p>', text=text))
    assert [tag for tag, _ in read.tags] == ["p"]
    assert (read.tags[0][1]["title"] or "") == shown(text).replace("\r", "\n")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: str(template.name))
def test_no_template_switches_escaping_off(template: Path) -> None:
    assert not re.search(r"\bsafe\b|autoescape|Markup|javascript:|\son\w+=", template.read_text("utf-8"))


def test_a_value_that_is_not_given_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError, match="shades"):
        rendering.render("families.html.j2", maps=[])


@given(st.text(), st.text())
def test_no_text_closes_a_data_block(name: str, text: str) -> None:
    assert not re.search(r"[<>&\u2028\u2029]", data_json({name: text}))


def test_invisible_characters_are_spelt_out() -> None:
    assert shown("a\u202eb\x00\ufeff\tc\n") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+FEFF⟩\tc\n"
    assert written("{{ a }}{{ b }}", a="\u202e<", b=3) == "⟨U+202E⟩&lt;3"


def test_the_script_spells_out_the_same_characters() -> None:
    assert f"/[{INVISIBLE}]/g" in rendering.asset("report.js")


def test_words() -> None:
    assert [percent(share) for share in (None, 0.0, 1.0, 0.9999, 1e-9, 0.5)] == [
        "–", "0 %", "100 %", "99.9 %", "0.1 %", "50.0 %",
    ]  # fmt: skip
    assert [amount_usd(amount) for amount in (None, 0.0, 0.00123, 12.345)] == ["unknown", "0", "0.0012", "12.35"]
    assert [duration(time) for time in (None, 1.234, 75.0, 7300.0)] == ["–", "1.23 s", "1 min 15 s", "2 h 1 min"]


def test_links_hold_any_text() -> None:
    assert gallery_link(model="a/b c&d=e", suite=None) == "#gallery?model=a%2Fb%20c%26d%3De"
    assert gallery_link(model="\ud800") == "#gallery?model=%EF%BF%BD"


def test_a_task_that_the_item_is_named_after_is_not_said_twice() -> None:
    named = [("i", None), ("d", "COUNT"), ("easy-G02-000", "easy"), ("easy-G02-000", "easy_cot")]
    assert [case_name(*one) for one in named] == ["i", "d-COUNT", "easy-G02-000", "easy-G02-000-easy_cot"]
