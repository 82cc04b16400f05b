"""How option values are read: each function turns a text into a value or says what was expected."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.gate.margins import parse_margins

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "choice",
    "existing_file",
    "existing_folder",
    "existing_path",
    "integer",
    "margins",
    "nonblank",
    "one_of",
    "or_none",
    "path",
    "real",
    "server_url",
    "switch",
]


def nonblank(text: str) -> str:
    """Accept any text that is not blank."""
    if not text.strip():
        raise ValueError("a value that is not empty")
    return text.strip()


def integer(low: int, high: int) -> Callable[[str], int]:
    """Accept whole numbers, both bounds included."""

    def parse(text: str) -> int:
        expected = f"a whole number from {low} to {high}"
        try:
            value = int(text)
        except ValueError:
            raise ValueError(expected) from None
        if not low <= value <= high:
            raise ValueError(expected)
        return value

    return parse


def margins(text: str) -> str:
    """Accept the gate's margins in points; the text stays as it was typed."""
    parse_margins(text)
    return text.strip()


def real(low: float, high: float) -> Callable[[str], float]:
    """Accept finite numbers, both bounds included."""

    def parse(text: str) -> float:
        expected = f"a number from {low:g} to {high:g}"
        try:
            value = float(text)
        except ValueError:
            raise ValueError(expected) from None
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError(expected)
        return value

    return parse


def or_none(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Accept what `parse` accepts, and "none" as None."""

    def parse_or_none(text: str) -> Any:  # noqa: ANN401
        if text.strip().lower() == "none":
            return None
        try:
            return parse(text)
        except ValueError as error:
            raise ValueError(f"{error}, or none") from None

    return parse_or_none


def choice(*choices: str) -> Callable[[str], str]:
    """Accept one of the words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return text

    return parse


def one_of(*numbers: int) -> Callable[[str], int]:
    """Accept one of the whole numbers."""
    by_name = {str(number): number for number in numbers}

    def parse(text: str) -> int:
        return by_name[choice(*by_name)(text)]

    return parse


def switch(text: str) -> bool:
    """Accept true/false, yes/no, on/off, 1/0."""
    values = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False}
    try:
        return {**values, "off": False}[text.strip().lower()]
    except KeyError:
        raise ValueError("true or false") from None


def existing_file(text: str) -> Path:
    """Accept the path of a file that exists."""
    path = Path(text).expanduser()
    if not path.is_file():
        raise ValueError("an existing file")
    return path


def existing_folder(text: str) -> Path:
    """Accept the path of a folder that exists."""
    path = Path(text).expanduser()
    if not path.is_dir():
        raise ValueError("an existing folder")
    return path


def existing_path(text: str) -> Path:
    """Accept the path of a file or folder that exists."""
    path = Path(text).expanduser()
    if not path.exists():
        raise ValueError("an existing folder or file")
    return path


def path(text: str) -> Path:
    """Accept any path; "~" is expanded."""
    return Path(nonblank(text)).expanduser()


def server_url(text: str) -> str:
    """Accept an http(s) address; a trailing slash is dropped."""
    if not text.lower().startswith(("http://", "https://")):
        raise ValueError("an http:// or https:// address")
    return text.rstrip("/")
