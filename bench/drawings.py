"""What came back when a drawing was asked for: a usable picture, or which of six other things.

Only a usable drawing is shown in the second stage. Pillow is imported where a picture is looked at.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.picture_limits import picture_size

if TYPE_CHECKING:
    from PIL import Image

    from bench.models.protocol import Reply
    from bench.results.drawing import DrawingStatus

__all__ = ["Drawn", "blank_picture", "look_at"]

KINDS = ("PNG", "JPEG", "WEBP", "GIF")
MOST_PIXELS = 50_000_000
MOST_BYTES = 50_000_000
BLANK_INK_SHARE = 0.0002  # a label of one letter covers about so much of a figure
INK_STEP = 24  # grey levels from the background
SAME_SHAPE = 0.02
SAME_BLUR_PX = 2
SAME_STEP = 40  # grey levels: after the blur, a line of 2 px differs by 70 and resampling by less than 30
SAME_PIXELS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decoded:
    """The first frame as RGB on white; `sendable` when the file is a PNG that can be sent as it is."""

    rgb: Image.Image
    sendable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A first stage's outcome; `png` is there when a picture was decoded, usable or not."""

    status: DrawingStatus
    note: str = ""
    png: bytes | None = None


def look_at(reply: Reply, original: bytes) -> Drawn:
    """Say what an image model's reply is worth, compared with the original picture (PNG bytes).

    "identical" is a copy of the original, also resized or encoded anew; "blank" has no line in it. Of several
    pictures the first counts. A picture that is no PNG, is transparent or moves becomes an opaque still PNG.
    """
    if reply.status == "failed":
        return Drawn(status="failed", note=f"{reply.failure}: {reply.error}")
    if reply.status == "refused":
        return Drawn(status="refused", note=" ".join(reply.text.split())[:200] or str(reply.finish_reason or ""))
    if not reply.pictures:
        why = "cut off" if reply.status == "truncated" else "no picture"
        return Drawn(status="no_image", note=" ".join(f"{why} {reply.text}".split())[:200])
    return _look(reply.pictures[0], original)


def blank_picture(original: bytes) -> bytes:
    """Return a white picture (PNG) of the original's size."""
    from PIL import Image  # noqa: PLC0415 - only where drawings are made

    with Image.open(io.BytesIO(original)) as picture:
        return _png(Image.new("RGB", picture.size, "white"))


def _look(data: bytes, original: bytes) -> Drawn:
    try:
        picture = _decoded(data)
    except (OSError, ValueError, SyntaxError) as error:
        return Drawn(status="not_an_image", note=f"{error}"[:200])
    png = data if picture.sendable else _png(picture.rgb)
    grey = picture.rgb.convert("L")
    if _is_blank(grey):
        return Drawn(status="blank", note="no line in it", png=png)
    if _is_copy(grey, _decoded(original).rgb.convert("L")):
        return Drawn(status="identical", note="a copy of the original", png=png)
    return Drawn(status="ok", png=png)


def _decoded(data: bytes) -> _Decoded:
    """Decode a picture onto white.

    Raises:
        OSError, ValueError, SyntaxError: no picture of a known kind, damaged, cut short, or too large.
    """
    from PIL import Image  # noqa: PLC0415

    size = picture_size(data)
    if len(data) > MOST_BYTES or (size is not None and size[0] * size[1] > MOST_PIXELS):
        raise ValueError(f"larger than {MOST_PIXELS} pixels or bytes")
    try:
        with Image.open(io.BytesIO(data), formats=KINDS) as file:
            if file.width * file.height > MOST_PIXELS:
                raise ValueError(f"larger than {MOST_PIXELS} pixels")
            file.load()
            return _opaque(file)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError(f"larger than {MOST_PIXELS} pixels") from error


def _opaque(file: Image.Image) -> _Decoded:
    from PIL import Image  # noqa: PLC0415

    if file.mode.startswith("I"):  # 16 bits a pixel: a plain conversion would cut off, not scale
        return _Decoded(rgb=file.convert("I").point(lambda level: level / 257).convert("RGB"), sendable=False)
    if file.has_transparency_data:
        over = file.convert("RGBA")
        rgb = Image.new("RGB", file.size, "white")
        rgb.paste(over, mask=over.getchannel("A"))
        return _Decoded(rgb=rgb, sendable=False)
    still = getattr(file, "n_frames", 1) == 1
    return _Decoded(rgb=file.convert("RGB"), sendable=file.format == "PNG" and still)


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _is_blank(grey: Image.Image) -> bool:
    counts = grey.histogram()
    ground = max(range(256), key=counts.__getitem__)
    ink = sum(count for level, count in enumerate(counts) if abs(level - ground) >= INK_STEP)
    return ink < BLANK_INK_SHARE * grey.width * grey.height


def _is_copy(grey: Image.Image, original: Image.Image) -> bool:
    from PIL import Image, ImageChops, ImageFilter  # noqa: PLC0415

    shape, wanted = grey.width / grey.height, original.width / original.height
    if abs(shape / wanted - 1) > SAME_SHAPE:
        return False
    resized = grey if grey.size == original.size else grey.resize(original.size, Image.Resampling.LANCZOS)
    blur = ImageFilter.BoxBlur(SAME_BLUR_PX)
    counts = ImageChops.difference(resized.filter(blur), original.filter(blur)).histogram()
    return sum(counts[SAME_STEP:]) < SAME_PIXELS
