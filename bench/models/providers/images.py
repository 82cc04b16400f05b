"""Models that draw: OpenAI image edits (also at Azure), chat models with image output (Gemini, OpenRouter)."""

from __future__ import annotations

import base64
import binascii
import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.errors import UserError
from bench.models.json_values import JsonObject, JsonValue, at, count, objects, text_of
from bench.models.keys import bearer_headers
from bench.models.providers.azure import azure_headers, azure_url
from bench.models.providers.base import Unreadable, media_type
from bench.models.providers.gemini import Gemini, gemini_candidate
from bench.models.providers.openai import judge_openai
from bench.models.providers.openrouter import OpenRouter
from bench.models.types import Request, Response, SamplingParams, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key
    from bench.models.providers.base import Adaptation
    from bench.models.request_errors import RequestError

__all__ = ["AzureImageEdits", "GeminiDrawing", "OpenAIImageEdits", "OpenRouterDrawing", "decode_picture"]


MOST_PICTURES = 16
LONGEST_PROMPT = 32_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIImageEdits:
    """Image edits; `base` is the server's address up to and without `/images/edits`."""

    name: str
    base: str
    provider: str = "openai"
    server: str = "OpenAI"
    size: str = "auto"
    quality: str = "auto"

    version: ClassVar[str] = "openai-image-edits/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base}/images/edits"

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the bearer header, or none without a key."""
        return bearer_headers(key)

    def check(self, sampling: SamplingParams, *, structured: bool) -> None:
        """Refuse what has no meaning for a drawing."""
        if structured or sampling.reasoning_effort is not None:
            raise UserError(f"{self.name} draws: it takes neither --structured nor --reasoning-effort")

    def body(self, ask: Request) -> JsonObject:
        """Return the form's fields; the prompt is the text of all turns."""
        pictures = [picture for turn in ask.turns for picture in turn.pictures]
        prompt = "\n\n".join(turn.text for turn in ask.turns if turn.text)
        if not 1 <= len(pictures) <= MOST_PICTURES:
            raise UserError(f"{self.name} edits 1 to {MOST_PICTURES} pictures, got {len(pictures)}")
        if len(prompt) > LONGEST_PROMPT:
            raise UserError(f"{self.name} takes prompts up to {LONGEST_PROMPT} characters, got {len(prompt)}")
        fields = {"model": self.name, "prompt": prompt, "size": self.size, "quality": self.quality}
        return {**fields, "image[]" if len(pictures) > 1 else "image": pictures}

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the fields as a multipart form."""
        boundary = uuid.uuid4().hex
        parts = [part for name, value in body.items() for part in _parts(name, value)]
        content = b"".join(f"--{boundary}\r\n".encode() + part + b"\r\n" for part in parts)
        return content + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"

    def reply(self, answer: JsonObject) -> Response:
        """Read the picture; it comes in base64, never as an address."""
        if not isinstance(answer.get("data"), list):
            raise Unreadable("the answer has no list of pictures")
        encoded = at(answer, "data", 0, "b64_json")
        if encoded is None and at(answer, "data", 0, "url"):
            raise Unreadable("the answer's picture is an address, not the picture itself")
        pictures = (decode_picture(encoded),) if isinstance(encoded, str) else ()
        return Response(status="answered", pictures=pictures, usage=self.usage(answer))

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts; all output is the picture's."""
        usage = answer.get("usage")
        output = count(usage, "output_tokens")
        return Usage(
            input_tokens=count(usage, "input_tokens"),
            output_tokens=output,
            image_input_tokens=count(usage, "input_tokens_details", "image_tokens"),
            image_output_tokens=output,
        )

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer; a blocked prompt is a refusal."""
        return judge_openai(status, headers, answer, server=self.server)

    def adaptation(self, fault: RequestError) -> Adaptation | None:  # noqa: ARG002 - nothing in the form can be spared
        """Return None: every field of the form is meant."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureImageEdits(OpenAIImageEdits):
    """Image edits of an Azure deployment; `base` is the resource's endpoint."""

    provider: str = "azure"
    server: str = "Azure"
    api_version: str | None = None
    bearer: bool = False

    version: ClassVar[str] = "azure-image-edits/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return azure_url(self.base, self.name, "images/edits", api_version=self.api_version)

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the `api-key` header, or the bearer header of a token."""
        return azure_headers(key, bearer=self.bearer)


def decode_picture(encoded: str) -> bytes:
    """Return the bytes that stand for a picture in base64; whether they are one is for the reader to say.

    Raises:
        Unreadable: It is not base64.
    """
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable("the answer's picture is damaged") from error


def _parts(name: str, value: JsonValue) -> list[bytes]:
    if isinstance(value, str):
        return [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()]
    return [_file(name, index, picture) for index, picture in enumerate(value)]


def _file(name: str, index: int, picture: bytes) -> bytes:
    kind = media_type(picture)
    ending = kind.removeprefix("image/")
    head = f'Content-Disposition: form-data; name="{name}"; filename="{index}.{ending}"\r\nContent-Type: {kind}'
    return f"{head}\r\n\r\n".encode() + picture


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiDrawing(Gemini):
    """A Gemini model that may answer with pictures."""

    version: ClassVar[str] = "gemini-drawing/1 v1beta"

    def body(self, ask: Request) -> JsonObject:
        """Return the request body, with pictures allowed in the answer."""
        body = Gemini.body(self, ask)
        config = body.setdefault("generationConfig", {})
        config.pop("mediaResolution", None)
        config["responseModalities"] = ["TEXT", "IMAGE"]
        return body

    def reply(self, answer: JsonObject) -> Response:
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

    def body(self, ask: Request) -> JsonObject:
        """Return the request body, with pictures allowed in the answer."""
        return {**OpenRouter.body(self, ask), "modalities": ["image", "text"]}

    def reply(self, answer: JsonObject) -> Response:
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
