"""What each provider accepts as a picture, checked before anything is sent.

Follows OpenAI's images and vision guide (mid-2026), Anthropic's vision page (2026) with the limits that its error
messages state, and the request limit of the Gemini API.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.wire import media_type

if TYPE_CHECKING:
    from bench.models.protocol import Ask

__all__ = ["PictureLimits", "limits_for", "picture_problem", "picture_size"]

MEGABYTE = 1024 * 1024
PNG_HEAD = struct.Struct(">8x4x4sII")
DEFAULT_REQUEST_BYTES = 512 * MEGABYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLimits:
    """Upper bounds, all inclusive; None where no bound is known. Bytes are counted in base64.

    A request of more than `many` pictures bounds each side to `many_side_px`.
    """

    source: str
    request_bytes: int = DEFAULT_REQUEST_BYTES
    pictures: int | None = None
    picture_bytes: int | None = None
    side_px: int | None = None
    many: int | None = None
    many_side_px: int | None = None


OPENAI = PictureLimits(source="OpenAI's vision guide", request_bytes=512 * MEGABYTE, pictures=1500)
ANTHROPIC = PictureLimits(
    source="Anthropic's vision page",
    request_bytes=32 * MEGABYTE,
    pictures=100,
    picture_bytes=5 * MEGABYTE,
    side_px=8000,
    many=20,
    many_side_px=2000,
)
GEMINI = PictureLimits(source="the Gemini API's request limit", request_bytes=20 * MEGABYTE)
UNKNOWN = PictureLimits(source="eyechart's own bound")

LIMITS = {"openai": OPENAI, "azure": OPENAI, "anthropic": ANTHROPIC, "gemini": GEMINI}


def limits_for(provider: str) -> PictureLimits:
    """Return a provider's limits; a server nobody knows has only our own bound on a request."""
    return LIMITS.get(provider, UNKNOWN)


def picture_problem(ask: Ask, limits: PictureLimits) -> str | None:
    """Return one line that names the limit `ask` exceeds and both numbers, None when it fits."""
    pictures = [picture for turn in ask.turns for picture in turn.pictures]
    if limits.pictures is not None and len(pictures) > limits.pictures:
        return f"{len(pictures)} pictures in one ask; {limits.source} allows {limits.pictures}"
    total = sum(_base64_bytes(picture) for picture in pictures)
    if total > limits.request_bytes:
        return f"pictures of {total} bytes in base64; {limits.source} allows {limits.request_bytes}"
    many = limits.many is not None and len(pictures) > limits.many
    side_px = limits.many_side_px if many else limits.side_px
    problems = (_problem(picture, limits, side_px) for picture in pictures)
    return next((problem for problem in problems if problem), None)


def picture_size(picture: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels as a PNG's header states them, None for other kinds."""
    if len(picture) < PNG_HEAD.size or not picture.startswith(b"\x89PNG"):
        return None
    chunk, width, height = PNG_HEAD.unpack_from(picture)
    return (width, height) if chunk == b"IHDR" else None


def _problem(picture: bytes, limits: PictureLimits, side_px: int | None) -> str | None:
    try:
        media_type(picture)
    except ValueError as error:
        return str(error)
    encoded = _base64_bytes(picture)
    if limits.picture_bytes is not None and encoded > limits.picture_bytes:
        return f"a picture of {encoded} bytes in base64; {limits.source} allows {limits.picture_bytes}"
    size = picture_size(picture)
    if side_px is not None and size is not None and max(size) > side_px:
        return f"a picture of {size[0]} by {size[1]} pixels; {limits.source} allows {side_px} a side here"
    return None


def _base64_bytes(picture: bytes) -> int:
    return 4 * -(-len(picture) // 3)
