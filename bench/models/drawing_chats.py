"""Chat models that draw: Gemini and OpenRouter image output.

Follows the google-genai package 3.6.1 (2026-11, `responseModalities`, `inlineData` parts) and the openrouter
package 1.3.84 (2026-10, `modalities`, `message.images`). Both may answer with text alone: that is an answer
without a picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.models.gemini import Gemini, gemini_candidate
from bench.models.json_values import JsonObject, at, count, objects, text_of
from bench.models.openai_images import decode_picture
from bench.models.openrouter import OpenRouter
from bench.models.wire import Unreadable

if TYPE_CHECKING:
    from bench.models.protocol import Ask, Reply, Usage

__all__ = ["GeminiDrawing", "OpenRouterDrawing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiDrawing(Gemini):
    """A Gemini model that may answer with pictures."""

    version: ClassVar[str] = "gemini-drawing/1 v1beta"

    def body(self, ask: Ask) -> JsonObject:
        """Return the request body, with pictures allowed in the answer."""
        body = Gemini.body(self, ask)
        config = body.setdefault("generationConfig", {})
        config.pop("mediaResolution", None)
        config["responseModalities"] = ["TEXT", "IMAGE"]
        return body

    def reply(self, answer: JsonObject) -> Reply:
        """Read the first candidate's text and pictures."""
        parts, reason = gemini_candidate(answer)
        pictures = tuple(decode_picture(data) for part in parts if (data := _inline(part)))
        if pictures and reason in {None, "STOP"}:
            answer = {**answer, "candidates": [_with_text(answer["candidates"][0])]}
        return replace(Gemini.reply(self, answer), pictures=pictures)

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts, those of pictures apart."""
        return replace(Gemini.usage(self, answer), image_output_tokens=_image_tokens(answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRouterDrawing(OpenRouter):
    """A model behind OpenRouter that may answer with pictures."""

    version: ClassVar[str] = "openrouter-drawing/1"

    def body(self, ask: Ask) -> JsonObject:
        """Return the request body, with pictures allowed in the answer."""
        return {**OpenRouter.body(self, ask), "modalities": ["image", "text"]}

    def reply(self, answer: JsonObject) -> Reply:
        """Read the message's text and pictures."""
        pictures = tuple(_from_data_url(url) for url in _image_urls(answer))
        if pictures:
            choice = answer["choices"][0]
            message = {**choice["message"], "content": text_of(choice["message"].get("content")) or ""}
            answer = {**answer, "choices": [{**choice, "message": message}]}
        return replace(OpenRouter.reply(self, answer), pictures=pictures)


def _inline(part: JsonObject) -> str | None:
    return text_of(at(part, "inlineData", "data"))


def _with_text(candidate: JsonObject) -> JsonObject:
    """Return a candidate that counts as ended well: a picture alone is an answer."""
    return {**candidate, "finishReason": "STOP"}


def _image_tokens(answer: JsonObject) -> int | None:
    details = objects(at(answer, "usageMetadata", "candidatesTokensDetails"))
    images = [detail for detail in details if detail.get("modality") == "IMAGE"]
    return count(images[0], "tokenCount") if images else None


def _image_urls(answer: JsonObject) -> list[str]:
    images = objects(at(answer, "choices", 0, "message", "images"))
    urls = (at(image, "image_url", "url") for image in images)
    return [url for url in urls if isinstance(url, str)]


def _from_data_url(url: str) -> bytes:
    head, comma, data = url.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64") and comma):
        raise Unreadable("the answer's picture is an address, not the picture itself")
    return decode_picture(data)
