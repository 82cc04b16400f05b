"""OpenAI image edits: pictures and a prompt in, one picture out."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bench.errors import UserError
from bench.models.json_values import JsonObject, JsonValue, at, count
from bench.models.keys import bearer_headers
from bench.models.providers.base import Unreadable, decode_picture, media_type
from bench.models.providers.openai import judge_openai
from bench.models.types import Request, Response, SamplingParams, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key
    from bench.models.providers.base import Adaptation
    from bench.models.request_errors import RequestError

__all__ = ["OpenAIImageEdits"]


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

    def body(self, request: Request) -> JsonObject:
        """Return the form's fields; the prompt is the text of all turns."""
        pictures = [picture for message in request.messages for picture in message.pictures]
        prompt = "\n\n".join(message.text for message in request.messages if message.text)
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


def _parts(name: str, value: JsonValue) -> list[bytes]:
    if isinstance(value, str):
        return [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()]
    return [_file(name, index, picture) for index, picture in enumerate(value)]


def _file(name: str, index: int, picture: bytes) -> bytes:
    kind = media_type(picture)
    ending = kind.removeprefix("image/")
    head = f'Content-Disposition: form-data; name="{name}"; filename="{index}.{ending}"\r\nContent-Type: {kind}'
    return f"{head}\r\n\r\n".encode() + picture
