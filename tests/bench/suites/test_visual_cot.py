"""What an image model sends back: usable, or which of the other things."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image, ImageDraw

from bench.models.types import Response
from bench.suites.visual_cot import blank_picture, look_at

SIZE = (480, 360)


def figure(*, added: bool = False, size: tuple[int, int] = SIZE, mode: str = "RGB") -> Image.Image:
    """A box with two dashed edges, perhaps with one red line more."""
    picture = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(picture)
    pen.polygon([(60, 300), (300, 300), (300, 120), (60, 120)], outline="black", width=2)
    pen.line([(60, 120), (140, 60), (380, 60), (300, 120)], fill="black", width=2)
    pen.text((40, 310), "A", fill="black")
    if added:
        pen.line([(60, 300), (380, 60)], fill=(200, 0, 0), width=2)
    return picture.resize(size, Image.Resampling.LANCZOS).convert(mode)


def encoded(picture: Image.Image, kind: str = "PNG", **settings: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **settings)
    return out.getvalue()


ORIGINAL = encoded(figure())


def came(*pictures: bytes, **changes: Any) -> Response:
    return Response(**{"status": "answered", "pictures": pictures, **changes})


def moving() -> bytes:
    return encoded(figure(added=True), "GIF", save_all=True, append_images=[figure()])


def transparent() -> bytes:
    picture = figure(added=True, mode="RGBA")
    picture.putalpha(picture.convert("L").point(lambda level: 255 - level))
    return encoded(picture)


USABLE = {
    "png": encoded(figure(added=True)),
    "jpeg": encoded(figure(added=True), "JPEG", quality=85),
    "webp": encoded(figure(added=True), "WEBP", quality=85),
    "another size": encoded(figure(added=True, size=(1024, 768))),
    "another shape": encoded(figure(size=(1024, 1024))),
    "one thin line more": encoded(figure(added=True, size=SIZE)),
    "grey": encoded(figure(added=True, mode="L")),
    "palette": encoded(figure(added=True, mode="P")),
    "sixteen bits": encoded(figure(added=True, mode="L").convert("I").point(lambda v: v * 257).convert("I;16")),
    "transparent": transparent(),
    "moving": moving(),
}
COPIES = {
    "the same bytes": ORIGINAL,
    "encoded anew": encoded(figure(), compress_level=1),
    "as jpeg": encoded(figure(), "JPEG", quality=75),
    "larger": encoded(figure(size=(1024, 768))),
    "smaller": encoded(figure(size=(400, 300))),
}
NO_IMAGES = {
    "words": b"hello",
    "nothing": b"",
    "cut short": encoded(figure(added=True))[:-200],
    "a signature alone": b"\x89PNG\r\n\x1a\n",
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "a bomb": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100_000).to_bytes(4, "big") * 2 + b"\x08\0\0\0\0" + b"\0" * 8,
    "a bmp": encoded(figure(added=True), "BMP"),
}


@pytest.mark.parametrize("form", USABLE)
def test_a_drawing_with_something_added_is_usable_and_becomes_png(form: str) -> None:
    drawn = look_at(came(USABLE[form]), ORIGINAL)
    assert (drawn.status, drawn.note) == ("ok", "")
    assert drawn.png is not None
    with Image.open(io.BytesIO(drawn.png)) as picture:
        assert picture.format == "PNG"
        assert not picture.has_transparency_data


def test_a_plain_png_is_passed_on_byte_for_byte() -> None:
    assert look_at(came(USABLE["png"]), ORIGINAL).png == USABLE["png"]


def test_transparency_becomes_white_not_black() -> None:
    drawn = look_at(came(USABLE["transparent"]), ORIGINAL)
    assert drawn.png is not None
    with Image.open(io.BytesIO(drawn.png)) as picture:
        assert picture.convert("RGB").getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("form", COPIES)
def test_a_copy_of_the_original_is_identical(form: str) -> None:
    assert look_at(came(COPIES[form]), ORIGINAL).status == "identical"


@pytest.mark.parametrize("form", NO_IMAGES)
def test_what_cannot_be_decoded_is_no_image(form: str) -> None:
    drawn = look_at(came(NO_IMAGES[form]), ORIGINAL)
    assert (drawn.status, drawn.png) == ("not_an_image", None)
    assert drawn.note


@pytest.mark.parametrize("colour", ["white", "black", (250, 250, 245)])
def test_a_picture_without_a_line_is_blank(colour: Any) -> None:
    drawn = look_at(came(encoded(Image.new("RGB", SIZE, colour))), ORIGINAL)
    assert drawn.status == "blank"
    assert look_at(came(blank_picture(ORIGINAL)), ORIGINAL).status == "blank"


@pytest.mark.parametrize(
    ("reply", "status", "note"),
    [
        (came(text="I only have words."), "no_image", "no picture I only have words."),
        (came(status="truncated"), "no_image", "cut off"),
        (came(status="refused", text="not that"), "refused", "not that"),
        (came(ORIGINAL, status="refused", finish_reason="SAFETY"), "refused", "SAFETY"),
        (came(status="failed", failure="server", error="HTTP 500"), "failed", "server: HTTP 500"),
    ],
)
def test_a_reply_without_a_picture_says_why(reply: Response, status: str, note: str) -> None:
    drawn = look_at(reply, ORIGINAL)
    assert (drawn.status, drawn.note, drawn.png) == (status, note, None)


def test_of_several_pictures_the_first_counts() -> None:
    assert look_at(came(ORIGINAL, USABLE["png"]), ORIGINAL).status == "identical"
