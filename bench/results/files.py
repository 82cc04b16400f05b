"""Files that are there whole or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["json_line", "json_lines", "write_atomically"]


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


_LINE_BREAKS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}


def json_lines(rows: Iterable[object]) -> str:
    """Return one line of JSON for each row, of which no reader takes a character in a text for a line break.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    return "".join(f"{json_line(row)}\n" for row in rows)


def json_line(row: object) -> str:
    """Return a row of `json_lines`, without its end.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    text = _ENCODER.encode(row)
    if text.isascii():
        return text
    for character, escape in _LINE_BREAKS.items():
        text = text.replace(character, escape)
    return without_lone_surrogates(text)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file (text as UTF-8) that is there whole or not at all, also after a power failure.

    Its folder is made; an old file is replaced.

    Raises:
        OSError: it cannot be written; no half-written file is left.
    """
    from generators import files  # noqa: PLC0415 - tables are computed without the generators

    data = content.encode() if isinstance(content, str) else content
    files.write_atomically(path, data, synced=True)
