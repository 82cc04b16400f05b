"""What a wire format is: pure functions from an Ask to a request body, and from an answer to a Reply."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Protocol

from bench.models.json_values import Base64

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.adaptation import Adaptation
    from bench.models.faults import Fault
    from bench.models.json_values import JsonObject, JsonValue
    from bench.models.keys import Key
    from bench.models.protocol import Ask, Reply, Sampling, Usage

__all__ = ["Unreadable", "Wire", "base64_text", "data_url", "media_type"]

SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)


class Unreadable(Exception):  # noqa: N818 - becomes a failed Reply, never shown as an exception
    """The answer is JSON but not what this wire format promises; the message says what is wrong."""


class Wire(Protocol):
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
        """Changes whenever the same Ask gives another request; part of the reply store's key."""
        ...

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return headers that carry the key and the API version."""
        ...

    def body(self, ask: Ask) -> JsonObject:
        """Return the request body."""
        ...

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body's bytes and their content type."""
        ...

    def reply(self, answer: JsonObject) -> Reply:
        """Read an answer of status 200.

        Raises:
            Unreadable: The answer has not the promised shape.
        """
        ...

    def usage(self, answer: JsonObject) -> Usage:
        """Read what an answer of status 200 counts as used, also one that cannot be read otherwise."""
        ...

    def adaptation(self, fault: Fault) -> Adaptation | None:
        """Return what to change in the request after this fault, None where nothing can be."""
        ...

    def check(self, sampling: Sampling, *, structured: bool) -> None:
        """Refuse settings that this model cannot be sent, before anything is asked.

        Raises:
            UserError: A reasoning effort, schema mode or picture detail is not supported.
        """
        ...

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> Fault:
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
