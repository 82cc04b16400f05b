"""What a model can have seen of a picture at most, and how many tokens that is, by the providers' own rules.

Follows OpenAI's images and vision guide (mid-2026) for resizing, tiles, patches and multipliers (1.2 for the 5.4
to 6 models is measured, and in one price table), Anthropic's vision page (2026), and the media resolutions of the
Gemini documentation. A model without a known rule has no figures here: nothing is guessed.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

__all__ = ["Sight", "sight"]

ANTHROPIC_OVERHEAD = 77
GEMINI_TOKENS = {"low": 280, "medium": 560, "high": 1120, "original": 2240}
GEMINI_TILE_TOKENS = 258
GEMINI_SMALL_PX = 384
LOW_PX = 512
TILE_PX = 512
PATCH_PX = 32
CLAUDE_PATCH_PX = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
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


def sight(provider: str, name: str, width_px: int, height_px: int, *, detail: str | None) -> Sight:
    """Return what the model can have seen of a picture of this size when asked for `detail`."""
    if provider == "openai":
        return _openai(name, width_px, height_px, detail)
    if provider == "anthropic":
        return _anthropic(name, width_px, height_px)
    if provider == "gemini":
        return _gemini(name, width_px, height_px, detail)
    return Sight(detail=detail)


def _openai(name: str, width: int, height: int, detail: str | None) -> Sight:
    tiles = next((rule for pattern, rule in TILE_MODELS if re.match(pattern, name)), None)
    if tiles is not None:
        return _tiled(width, height, detail or "auto", tiles)
    patches = next((rule for pattern, rule in PATCH_MODELS if re.match(pattern, name)), None)
    return Sight(detail=detail) if patches is None else _patched(width, height, detail, patches)


def _tiled(width: int, height: int, detail: str, rule: _Tiles) -> Sight:
    if detail == "low":
        width, height = _within(width, height, LOW_PX)
        return Sight(detail=detail, width_px=width, height_px=height, tokens=rule.base, rule="512 px")
    width, height = _within(width, height, 2048)
    shrink = min(1.0, 768 / min(width, height))
    width, height = max(1, round(width * shrink)), max(1, round(height * shrink))
    count = math.ceil(width / TILE_PX) * math.ceil(height / TILE_PX)
    tokens = rule.base + rule.each * count
    return Sight(
        detail=detail, width_px=width, height_px=height, tokens=tokens, rule="within 2048, short side 768"
    )


def _patched(width: int, height: int, detail: str | None, rule: _Patches) -> Sight:
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
    return Sight(detail=detail, width_px=width, height_px=height, tokens=tokens, rule=said)


def _anthropic(name: str, width: int, height: int) -> Sight:
    found = CLAUDE.match(name)
    version = (int(found[1]), int(found[2] or 0)) if found else None
    if version is None or version >= (5, 5):
        return Sight(detail=None)
    side, most = (2576, 4784) if version >= (4, 7) else (1568, 1568)
    width, height = _fit_patches(*_within(width, height, side), CLAUDE_PATCH_PX, most)
    tokens = math.ceil(width / CLAUDE_PATCH_PX) * math.ceil(height / CLAUDE_PATCH_PX) + ANTHROPIC_OVERHEAD
    rule = f"within {side} px and {most} tokens; larger is refused, not shrunk"
    return Sight(detail=None, width_px=width, height_px=height, tokens=tokens, rule=rule)


def _gemini(name: str, width: int, height: int, detail: str | None) -> Sight:
    if re.match(r"gemini-[34]", name):
        tokens = GEMINI_TOKENS.get(detail or "high", GEMINI_TOKENS["high"])
        return Sight(detail=detail, tokens=tokens, rule=f"a fixed budget of {tokens} tokens")
    if not name.startswith("gemini-2.5"):
        return Sight(detail=detail)
    if max(width, height) <= GEMINI_SMALL_PX:
        tiles = 1
    else:
        unit = min(768, max(256, min(width, height) * 2 // 3))
        tiles = math.ceil(width / unit) * math.ceil(height / unit)
    tokens = tiles * GEMINI_TILE_TOKENS
    return Sight(detail=None, width_px=width, height_px=height, tokens=tokens, rule="tiles of up to 768 px")


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
