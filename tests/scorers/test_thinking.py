"""What is dropped as thinking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.thinking import without_thinking


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("a<think>b</think>c<think>d</think>e", "ace"),
        ("<Thinking>a</THINKING>b", "b"),
        ("[THINK]a[/THINK]b", "b"),
        ("<think>a<think>b</think>c", "c"),
        ("a</think>b", "b"),
        ("a</think>b</think>c", "c"),
        ("a<think>b</think>c</think>d", "d"),
        ("a<think>b", "a"),
        ("<think >a", "<think >a"),
    ],
)
def test_thinking_is_dropped(text: str, kept: str) -> None:
    assert without_thinking(text) == kept


@given(st.text(alphabet=st.characters(exclude_characters="<["), max_size=50))
def test_text_without_tags_stays(text: str) -> None:
    assert without_thinking(text) == text
