"""What passes between the benchmark and a model: Request, Response, drawings, the Model protocol; order of ids."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping  # noqa: TC003 - msgspec reads the fields' types
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "DRAWING_STATUSES",
    "Drawing",
    "DrawingStatus",
    "FailureClass",
    "Message",
    "Request",
    "Response",
    "SamplingParams",
    "Status",
    "Usage",
    "file_part",
    "natural_key",
    "part_names",
    "parts",
    "scorable_text",
]


def parts(record: DataclassInstance) -> dict[str, Any]:
    """Return a record's fields by name, values as they are; `asdict` would copy each, at ten times the cost."""
    return {name: getattr(record, name) for name in part_names(type(record))}


@cache
def part_names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    """Return the names of a kind of record's fields, in their order."""
    return tuple(entry.name for entry in fields(kind))


Status = Literal["answered", "refused", "truncated", "failed"]
FailureClass = Literal["auth", "quota", "rate", "timeout", "network", "server", "protocol", "data"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message: text and then pictures (PNG bytes), said by the user or, in few-shot, the assistant."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """Settings that shape a reply; None means: leave it to the server."""

    temperature: float | None = 0.0
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    image_detail: str | None = "high"

    def with_max_tokens(self, default: int) -> SamplingParams:
        """Return the same settings with the task's token limit where none was chosen."""
        return self if self.max_tokens is not None else replace(self, max_tokens=default)


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question to a model: everything that is sent, and nothing that is not."""

    messages: tuple[Message, ...]
    sampling: SamplingParams
    schema: dict[str, Any] | None = None
    repeat: int = 0

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all that can change a reply on the asking side; pictures by their bytes."""
        content = {
            "turns": [[t.role, t.text, [self.picture_digests[p] for p in t.pictures]] for t in self.messages],
            "sampling": parts(self.sampling),
            "schema": self.schema,
            "repeat": self.repeat,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @cached_property
    def picture_digests(self) -> Mapping[bytes, str]:
        """The SHA-256 of every picture shown, as 64 hex digits."""
        return {
            picture: hashlib.sha256(picture).hexdigest()
            for message in self.messages
            for picture in message.pictures
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts as the server reported them; None where it said nothing.

    `input_tokens` includes cached ones, `output_tokens` includes reasoning. The image counts are parts of them
    that are priced apart. `cost_usd` is what the server itself says it charged.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    image_input_tokens: int | None = None
    image_output_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back. A failure is never an answer: look at `status` before `text`.

    `latency_s` is the wall time of the attempt that ended it, in seconds; `attempts` counts requests.
    `failure` and `error` (one line, no key in it) are set when and only when `status` is "failed".
    `pictures` are images the model made (PNG bytes); text models return none.
    `request_id` is the server's own, for asking its operators.
    """

    status: Status
    text: str = ""
    served_model: str | None = None
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    latency_s: float | None = None
    attempts: int = 1
    failure: FailureClass | None = None
    error: str | None = None
    pictures: tuple[bytes, ...] = ()
    request_id: str | None = None

    def __post_init__(self) -> None:
        if (self.status == "failed") != (self.failure is not None and self.error is not None):
            raise ValueError(
                "a failed reply has a failure class and an error line, and no other reply has: "
                f"status={self.status!r}, failure={self.failure!r}, error={self.error!r}"
            )

    def after(self, attempts: int) -> Response:
        """Return the same reply with the number of requests it took."""
        return replace(self, attempts=attempts)


def scorable_text(reply: Response) -> str | None:
    """Return what a scorer may see of a reply: its text when it was answered, else None.

    A refusal's or a cut-off reply's text can hold an object by chance; it is no answer.
    """
    return reply.text if reply.status == "answered" else None


DrawingStatus = Literal["ok", "refused", "failed", "no_image", "not_an_image", "identical", "blank"]
DRAWING_STATUSES: tuple[DrawingStatus, ...] = get_args(DrawingStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One drawing, or why there is none; the pixels lie in a file.

    `source` is the image model as "provider:name", or "control gold" and the like. `note` says in one clause why
    it is not usable. `path` is relative to the run's folder. `reply` is the image model's, without its pictures;
    None where no model was asked. `diagnostics` maps measures of the drawing to shares from 0 to 1.
    """

    status: DrawingStatus
    source: str
    note: str = ""
    sha256: str | None = None
    path: str | None = None
    reply: Response | None = None
    diagnostics: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status not in DRAWING_STATUSES:
            raise ValueError(f"a drawing's status is one of {', '.join(DRAWING_STATUSES)}, got {self.status!r}")

    @property
    def usable(self) -> bool:
        """Whether the second stage was asked with it."""
        return self.status == "ok"


_DIGITS = re.compile(r"([0-9]+)")


@lru_cache(8192)
def natural_key(name: str) -> tuple[str | tuple[int, str], ...]:
    """Sort key that compares runs of digits as numbers: `x_2` before `x_10`, `x_999` before `x_1000`."""
    parts = _DIGITS.split(name)
    return tuple(
        (len(part.lstrip("0")), part.lstrip("0")) if place % 2 else part for place, part in enumerate(parts)
    )


def file_part(name: str) -> str:
    """Return a name as part of a file's: 60 characters at most, `-` for all but letters, digits and `._-`."""
    return "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)[:60]
