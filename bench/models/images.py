"""What each provider accepts as an image, what a model sees of it at most, and how many tokens that is."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.providers.base import media_type

if TYPE_CHECKING:
    from bench.models.types import Request

__all__ = ["ImageTokenEstimate", "PictureLimits", "image_tokens", "limits_for", "picture_problem", "picture_size"]


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


def picture_problem(request: Request, limits: PictureLimits) -> str | None:
    """Return one line that names the limit `ask` exceeds and both numbers, None when it fits."""
    pictures = [picture for message in request.messages for picture in message.pictures]
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


ANTHROPIC_OVERHEAD = 77
GEMINI_TOKENS = {"low": 280, "medium": 560, "high": 1120, "original": 2240}
GEMINI_TILE_TOKENS = 258
GEMINI_SMALL_PX = 384
LOW_PX = 512
TILE_PX = 512
PATCH_PX = 32
CLAUDE_PATCH_PX = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageTokenEstimate:
    """The largest view a model can have had: pixels and input tokens; None where no rule is known."""

    detail: str | None
    width_px: int | None = None
    height_px: int | None = None
    tokens: int | None = None
    rule: str = "no rule is known for this model"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tiles:
    base: int
    each: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patches:
    factor: float | None
    most: int = 2500
    whole: int | None = None
    by_default: str = "high"


TILE_MODELS: tuple[tuple[str, _Tiles], ...] = (
    (r"gpt-4o-mini", _Tiles(base=2833, each=5667)),
    (r"gpt-4o|chatgpt-4o|gpt-4\.1(?!-)|gpt-4\.1-2025", _Tiles(base=85, each=170)),
    (r"gpt-5(-2025[-\d]*)?$", _Tiles(base=70, each=140)),
    (r"o[13](-\d[-\d]*|-pro.*)?$", _Tiles(base=75, each=150)),
)
PATCH_MODELS: tuple[tuple[str, _Patches], ...] = (
    (r"gpt-4\.1-mini|gpt-5-mini", _Patches(factor=1.62, most=1536)),
    (r"o4-mini", _Patches(factor=1.72, most=1536)),
    (r"gpt-5-nano|gpt-5\.4-nano", _Patches(factor=2.46, most=1536)),
    (r"gpt-5\.2|gpt-5\.4-mini", _Patches(factor=None, most=1536)),
    (r"gpt-5\.4", _Patches(factor=1.2, whole=10_000)),
    (r"gpt-5\.5", _Patches(factor=1.2, whole=10_000, by_default="original")),
    (r"gpt-5\.6|gpt-6", _Patches(factor=1.2, whole=30_000, by_default="original")),
)
CLAUDE = re.compile(r"claude-(?:[a-z]+-)?(\d+)(?:-(\d)(?!\d))?")


def image_tokens(
    provider: str, name: str, width_px: int, height_px: int, *, detail: str | None
) -> ImageTokenEstimate:
    """Return what the model can have seen of a picture of this size when asked for `detail`."""
    if provider == "openai":
        return _openai(name, width_px, height_px, detail)
    if provider == "anthropic":
        return _anthropic(name, width_px, height_px)
    if provider == "gemini":
        return _gemini(name, width_px, height_px, detail)
    return ImageTokenEstimate(detail=detail)


def _openai(name: str, width: int, height: int, detail: str | None) -> ImageTokenEstimate:
    tiles = next((rule for pattern, rule in TILE_MODELS if re.match(pattern, name)), None)
    if tiles is not None:
        return _tiled(width, height, detail or "auto", tiles)
    patches = next((rule for pattern, rule in PATCH_MODELS if re.match(pattern, name)), None)
    return ImageTokenEstimate(detail=detail) if patches is None else _patched(width, height, detail, patches)


def _tiled(width: int, height: int, detail: str, rule: _Tiles) -> ImageTokenEstimate:
    if detail == "low":
        width, height = _within(width, height, LOW_PX)
        return ImageTokenEstimate(detail=detail, width_px=width, height_px=height, tokens=rule.base, rule="512 px")
    width, height = _within(width, height, 2048)
    shrink = min(1.0, 768 / min(width, height))
    width, height = max(1, round(width * shrink)), max(1, round(height * shrink))
    count = math.ceil(width / TILE_PX) * math.ceil(height / TILE_PX)
    tokens = rule.base + rule.each * count
    return ImageTokenEstimate(
        detail=detail, width_px=width, height_px=height, tokens=tokens, rule="within 2048, short side 768"
    )


def _patched(width: int, height: int, detail: str | None, rule: _Patches) -> ImageTokenEstimate:
    effective = rule.by_default if detail in {None, "auto"} else detail
    if effective == "low":
        width, height = _within(width, height, LOW_PX)
        said = "512 px"
    elif effective == "original" and rule.whole is not None:
        width, height = _fit_patches(*_within(width, height, 6000), PATCH_PX, rule.whole)
        said = f"within 6000 px and {rule.whole} patches"
    else:
        width, height = _fit_patches(*_within(width, height, 2048), PATCH_PX, rule.most)
        said = f"within 2048 px and {rule.most} patches"
    patches = math.ceil(width / PATCH_PX) * math.ceil(height / PATCH_PX)
    tokens = None if rule.factor is None else math.ceil(patches * rule.factor)
    return ImageTokenEstimate(detail=detail, width_px=width, height_px=height, tokens=tokens, rule=said)


def _anthropic(name: str, width: int, height: int) -> ImageTokenEstimate:
    found = CLAUDE.match(name)
    version = (int(found[1]), int(found[2] or 0)) if found else None
    if version is None or version >= (5, 5):
        return ImageTokenEstimate(detail=None)
    side, most = (2576, 4784) if version >= (4, 7) else (1568, 1568)
    width, height = _fit_patches(*_within(width, height, side), CLAUDE_PATCH_PX, most)
    tokens = math.ceil(width / CLAUDE_PATCH_PX) * math.ceil(height / CLAUDE_PATCH_PX) + ANTHROPIC_OVERHEAD
    rule = f"within {side} px and {most} tokens; larger is refused, not shrunk"
    return ImageTokenEstimate(detail=None, width_px=width, height_px=height, tokens=tokens, rule=rule)


def _gemini(name: str, width: int, height: int, detail: str | None) -> ImageTokenEstimate:
    if re.match(r"gemini-[34]", name):
        tokens = GEMINI_TOKENS.get(detail or "high", GEMINI_TOKENS["high"])
        return ImageTokenEstimate(detail=detail, tokens=tokens, rule=f"a fixed budget of {tokens} tokens")
    if not name.startswith("gemini-2.5"):
        return ImageTokenEstimate(detail=detail)
    if max(width, height) <= GEMINI_SMALL_PX:
        tiles = 1
    else:
        unit = min(768, max(256, min(width, height) * 2 // 3))
        tiles = math.ceil(width / unit) * math.ceil(height / unit)
    tokens = tiles * GEMINI_TILE_TOKENS
    return ImageTokenEstimate(
        detail=None, width_px=width, height_px=height, tokens=tokens, rule="tiles of up to 768 px"
    )


def _within(width: int, height: int, side: int) -> tuple[int, int]:
    shrink = min(1.0, side / max(width, height))
    return max(1, round(width * shrink)), max(1, round(height * shrink))


def _fit_patches(width: int, height: int, patch: int, most: int) -> tuple[int, int]:
    """Shrink until at most `most` patches cover the picture, keeping its shape."""
    if math.ceil(width / patch) * math.ceil(height / patch) <= most:
        return width, height
    shrink = math.sqrt(patch * patch * most / (width * height))
    across, down = width * shrink / patch, height * shrink / patch
    shrink *= min(math.floor(across) / across, math.floor(down) / down)
    return max(1, int(width * shrink)), max(1, int(height * shrink))
