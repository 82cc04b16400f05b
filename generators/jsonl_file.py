"""JSONL files of data sets: their lines, and JSON in which every number is finite."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from generators.errors import ItemDataError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generators.items import JsonValue

__all__ = ["lines_of", "parse_json"]


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number (from 1) and content of the lines that are not blank; a byte order mark is skipped.

    Raises:
        ItemDataError: the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ItemDataError(f"{path}: expected a readable JSONL file, got: {reason}; name another") from error
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, line


def parse_json(line: bytes) -> JsonValue:
    """Parse one JSON value.

    Raises:
        ValueError: not UTF-8, not JSON (NaN and infinite numbers are not), or a number beyond the largest.
        RecursionError: nested too deep.
    """
    value: JsonValue = json.loads(line.decode(), parse_constant=_refuse, parse_float=_finite)
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is beyond the largest number")
    return value
