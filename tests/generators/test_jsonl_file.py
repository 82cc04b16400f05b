"""Lines of JSONL files, and numbers that JSON does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generators.errors import ItemDataError
from generators.jsonl_file import lines_of, parse_json

if TYPE_CHECKING:
    from pathlib import Path


def test_blank_lines_count_but_are_not_given(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\n  \n[2]')

    assert list(lines_of(tmp_path / "set.jsonl")) == [(1, b'{"a": 1}\r'), (4, b"[2]")]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemDataError, match=r"set\.jsonl: expected a readable JSONL file, got: .+; name another"):
        list(lines_of(tmp_path / "set.jsonl"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"NaN", "NaN is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b"-1e999", "-1e999 is beyond the largest number"),
        (b"\xff", "can't decode byte 0xff"),
        (b"{", "line 1 column 2"),
    ],
)
def test_what_is_no_finite_json_is_refused(text: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        parse_json(text)


def test_finite_numbers_are_kept_as_they_are() -> None:
    assert parse_json(b"[1, 1.5, -1e300]") == [1, 1.5, -1e300]
