"""Provider adapters: pure functions from a Request to a request body and from an answer to a Response."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

from bench.models.json_values import Base64, JsonObject, JsonValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key
    from bench.models.request_errors import RequestError
    from bench.models.types import Request, Response, SamplingParams, Usage

__all__ = [
    "Adaptation",
    "ProviderAdapter",
    "Unreadable",
    "adaptation_for",
    "adapted",
    "advice",
    "base64_text",
    "data_url",
    "decode_picture",
    "media_type",
]


REFUSALS = range(400, 500)
SCHEMA_WORDS = re.compile(
    r"response_?format|schema|mime_?type|output_config|text\.format|structured|guided", re.IGNORECASE
)
EFFORT_WORDS = re.compile(r"reasoning|effort|think", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptation:
    """One lasting change of a request body; `path` is dotted, `[]` stands for every element of a list.

    `reason` is the server's own sentence; two adaptations that do the same are equal whatever the reason.
    """

    action: Literal["drop", "rename", "fold"]
    path: str
    to: str | None = None
    reason: str = field(default="", compare=False)

    def as_dict(self) -> dict[str, str]:
        """Return what `run.json` says about it."""
        said = {"action": self.action, "field": self.path, "reason": self.reason}
        return said if self.to is None else {**said, "to": self.to}


def adaptation_for(fault: RequestError, known: Mapping[str, Adaptation]) -> Adaptation | None:
    """Return what helps against the refusal of a field, with the server's reason; None where nothing is known to.

    `known` is by the field's name as servers give it.
    """
    found = known.get(fault.parameter or "")
    return replace(found, reason=fault.message) if found else None


def advice(fault: RequestError, request: Request) -> str:
    """Say which option to leave out where a server refuses what only that option asks for; else nothing."""
    if fault.kind != "protocol" or fault.status not in REFUSALS:
        return ""
    if request.schema is not None and SCHEMA_WORDS.search(fault.message):
        return "; this server may need to be asked without --structured"
    if request.sampling.reasoning_effort is not None and EFFORT_WORDS.search(fault.message):
        return "; this server may need to be asked without --reasoning-effort"
    return ""


def adapted(body: JsonObject, adaptations: tuple[Adaptation, ...]) -> JsonObject:
    """Change `body`, which nobody else holds, as the adaptations say, and return it."""
    for adaptation in adaptations:
        if adaptation.action == "fold":
            _fold_system(body)
        else:
            *parents, last = re.findall(r"[^.\[\]]+|\[\]", adaptation.path)
            _change(body, parents, last, adaptation.to)
    return body


def _change(place: JsonValue, parents: list[str], last: str, to: str | None) -> None:
    if parents and parents[0] == "[]":
        for element in place if isinstance(place, list) else ():
            _change(element, parents[1:], last, to)
    elif parents:
        if isinstance(place, dict) and parents[0] in place:
            _change(place[parents[0]], parents[1:], last, to)
    elif isinstance(place, dict) and last in place:
        value = place.pop(last)
        if to is not None:
            place[to] = value


def _fold_system(body: JsonObject) -> None:
    """Put the system text of a chat body before the first user text."""
    messages = body.get("messages", [])
    system = [m["content"] for m in messages if m["role"] == "system"]
    rest = [m for m in messages if m["role"] != "system"]
    if not system or not rest:
        return
    lead, content = "\n\n".join(system), rest[0]["content"]
    if isinstance(content, str):
        rest[0]["content"] = f"{lead}\n\n{content}"
    else:
        content.insert(0, {"type": "text", "text": lead})
    body["messages"] = rest


SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)


class Unreadable(Exception):  # noqa: N818 - becomes a failed Response, never shown as an exception
    """The answer is JSON but not what this wire format promises; the message says what is wrong."""


class ProviderAdapter(Protocol):
    """One wire format for one model; holds no key and does no input or output."""

    @property
    def provider(self) -> str:
        """Provider as written into tables."""
        ...

    @property
    def name(self) -> str:
        """Model name as sent and as written into tables."""
        ...

    @property
    def url(self) -> str:
        """Where requests are posted."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same Request gives another body; part of the reply store's key."""
        ...

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return headers that carry the key and the API version."""
        ...

    def body(self, request: Request) -> JsonObject:
        """Return the request body."""
        ...

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body's bytes and their content type."""
        ...

    def reply(self, answer: JsonObject) -> Response:
        """Read an answer of status 200.

        Raises:
            Unreadable: The answer has not the promised shape.
        """
        ...

    def usage(self, answer: JsonObject) -> Usage:
        """Read what an answer of status 200 counts as used, also one that cannot be read otherwise."""
        ...

    def adaptation(self, fault: RequestError) -> Adaptation | None:
        """Return what to change in the request after this fault, None where nothing can be."""
        ...

    def check(self, sampling: SamplingParams, *, structured: bool) -> None:
        """Refuse settings that this model cannot be sent, before anything is asked.

        Raises:
            UserError: A reasoning effort, schema mode or picture detail is not supported.
        """
        ...

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an answer that is an error; `answer` is the decoded JSON, or the text where it is none."""
        ...


def base64_text(picture: bytes) -> Base64:
    """Return the picture's bytes, unmodified, in base64."""
    return Base64(base64.b64encode(picture).decode("ascii"))


def data_url(picture: bytes) -> Base64:
    """Return the picture's bytes, unmodified, as a data URL."""
    return Base64(f"data:{media_type(picture)};base64,{base64_text(picture)}")


def media_type(picture: bytes) -> str:
    """Return the type that the bytes show: servers refuse a picture whose declared type is another.

    Raises:
        ValueError: The bytes are none of the kinds that models take.
    """
    kind = next((kind for start, kind in SIGNATURES if picture.startswith(start)), None)
    if kind is None or (kind == "image/webp" and picture[8:12] != b"WEBP"):
        raise ValueError(f"a picture must be PNG, JPEG, WebP or GIF; it begins {picture[:8]!r}")
    return kind


def decode_picture(encoded: str) -> bytes:
    """Return the bytes that stand for a picture in base64; whether they are one is for the reader to say.

    Raises:
        Unreadable: It is not base64.
    """
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable("the answer's picture is damaged") from error
