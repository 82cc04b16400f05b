"""What can go wrong between a question and its reply, and whether asking again can help."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Literal

from bench.models.types import FailureClass, Response, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.json_values import JsonValue

__all__ = [
    "ErrorBody",
    "RequestError",
    "RequestFailed",
    "classify",
    "one_line",
    "read_error",
    "refused_parameter",
    "retry_after_s",
]

Kind = FailureClass | Literal["refused"]

SHOWN_CHARACTERS = 300
RETRYABLE_STATUS = frozenset({408, 409, 429})
SERVER_ERROR = 500
WAIT_IN_TEXT = re.compile(r"(?:try again|retry) in ([0-9]{1,6}(?:\.[0-9]{1,9})?) ?(ms|s|m)", re.IGNORECASE)
DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m|h)")
WAIT_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
STATUS_KINDS: dict[int, Kind] = {
    401: "auth",
    402: "quota",
    403: "auth",
    407: "auth",
    408: "timeout",
    409: "server",
    429: "rate",
    504: "timeout",
    524: "timeout",
}


UNSUPPORTED_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"})
NAMED = r"[\"'`]?([\w.\[\]]+)[\"'`]?"
THING = r"(?:request )?(?:parameter|value|field|name|argument)s?(?: supplied)?:?"
COMPLAINTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:unsupported|unknown|unrecognized) {THING} {NAMED}",
        rf"{NAMED}: extra inputs are not permitted",
        rf"{NAMED} (?:is|are) (?:not supported|deprecated|not permitted|not allowed)",
        r"(system) (?:role|message|instruction)s? (?:is |are )?not (?:supported|enabled|allowed)",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestError:
    """One way in which a request ended without an answer.

    `reached` says whether the server may have seen the request, `wait_s` is the pause it asked for, in seconds.
    `parameter` names a request field that it refuses. `status` is the answer's where that was an error,
    `usage` what the answer counts where there was one.
    """

    kind: Kind
    message: str
    retryable: bool = False
    reached: bool = True
    wait_s: float | None = None
    parameter: str | None = None
    finish_reason: str | None = None
    status: int | None = None
    usage: Usage = field(default_factory=Usage)

    def reply(self) -> Response:
        """Return the reply that a run records for this fault."""
        if self.kind == "refused":
            return Response(
                status="refused", text=self.message, finish_reason=self.finish_reason, usage=self.usage
            )
        return Response(
            status="failed",
            failure=self.kind,
            error=self.message,
            finish_reason=self.finish_reason,
            usage=self.usage,
        )


class RequestFailed(Exception):  # noqa: N818 - control flow between one attempt and the retry loop, never shown
    """Carries a fault from the attempt to the retry loop."""

    def __init__(self, fault: RequestError) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBody:
    """An error as the server put it, whatever its shape; empty strings where it said nothing."""

    message: str = ""
    type: str = ""
    code: str = ""
    param: str = ""

    def says(self, *words: str) -> bool:
        """Return whether type, code or message holds one of `words`, in any case."""
        text = f"{self.type} {self.code} {self.message}".lower()
        return any(word.lower() in text for word in words)


def read_error(body: JsonValue) -> ErrorBody:
    """Read the shapes in use: `{error: {...}}`, `{error: "text"}`, `{detail}`, flat, or in a list of one."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        return ErrorBody(message=body if isinstance(body, str) else "")
    inner = body.get("error", body)
    if isinstance(inner, str):
        return ErrorBody(message=inner)
    if not isinstance(inner, dict):
        return ErrorBody()
    message = inner.get("message") or inner.get("detail") or ""
    return ErrorBody(
        message=message if isinstance(message, str) else json.dumps(message),
        type=_text(inner.get("type") or inner.get("status")),
        code=_text(inner.get("code")),
        param=_text(inner.get("param")),
    )


def classify(status: int, headers: Mapping[str, str], error: ErrorBody, *, server: str) -> RequestError:
    """Judge an error answer by its status alone, and by the headers that say when or whether to ask again."""
    kind = STATUS_KINDS.get(status, "server" if status >= SERVER_ERROR else "protocol")
    retryable = status in RETRYABLE_STATUS or status >= SERVER_ERROR
    override = headers.get("x-should-retry", "").lower()
    if override in {"true", "false"}:
        retryable = override == "true"
    return RequestError(
        kind=kind,
        message=one_line(f"{server} answered {status}{_label(error)}: {error.message or 'no explanation'}"),
        retryable=retryable,
        wait_s=_wait_s(headers, error, kind),
        parameter=refused_parameter(message=error.message, code=error.code, param=error.param),
        finish_reason=error.code or error.type or None,
        status=status,
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the pause asked for by `retry-after-ms` or `retry-after` (seconds or an HTTP date), in seconds.

    A date is measured against the server's own `date` header, so that a wrong clock here does no harm.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        until = parsedate_to_datetime(value)
        return max(0.0, (until - parsedate_to_datetime(headers.get("date", ""))).total_seconds())
    except (ValueError, TypeError):
        return None


def one_line(text: str) -> str:
    """Return `text` as one printable line of bounded length."""
    line = "".join(c if c.isprintable() else " " for c in text[: 4 * SHOWN_CHARACTERS])
    line = " ".join(line.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


def _wait_s(headers: Mapping[str, str], error: ErrorBody, kind: Kind) -> float | None:
    wished = retry_after_s(headers)
    if wished is not None or kind != "rate":
        return wished
    said = WAIT_IN_TEXT.search(error.message)
    return float(said[1]) * WAIT_UNITS_S[said[2].lower()] if said else _reset_s(headers)


def _reset_s(headers: Mapping[str, str]) -> float | None:
    """Return when a spent budget of `x-ratelimit-…` headers is whole again, such as `12ms` or `1m2.5s`."""
    waits = [
        sum(float(number) * WAIT_UNITS_S[unit] for number, unit in DURATION.findall(headers[reset]))
        for budget in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{budget}") == "0"
        and (reset := f"x-ratelimit-reset-{budget}") in headers
    ]
    return max(waits) if waits and max(waits) > 0 else None


def _label(error: ErrorBody) -> str:
    name = error.code or error.type
    return f" ({name})" if name and not name.isdigit() else ""


def _text(value: JsonValue) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _number(value: str | None) -> float | None:
    try:
        number = float(value) if value is not None else -1.0
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def refused_parameter(*, message: str, code: str, param: str) -> str | None:
    """Return the field that an error calls unsupported, list positions as `[]`; None when it names none."""
    if param and code in UNSUPPORTED_CODES:
        return _general(param)
    found = next((match for pattern in COMPLAINTS if (match := pattern.search(message))), None)
    return _general(found[1]) if found else None


def _general(path: str) -> str:
    general = re.sub(r"\[\d+\]|\.\d+(?=\.|$)", "[]", path)
    return "system" if general.lower() == "system" else general
