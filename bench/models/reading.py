"""From what a server sent back to a Reply, or to the fault it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bench.models.faults import Fault, Trouble, one_line
from bench.models.json_values import JsonObject, JsonValue, at, decode_json
from bench.models.wire import Unreadable

if TYPE_CHECKING:
    from bench.models.protocol import Reply
    from bench.models.transfer import Exchange
    from bench.models.wire import Wire

__all__ = ["read_exchange", "request_id"]

OK = 200
BAD_REQUEST = 400
REDIRECTS = range(300, 400)
ERRORS = range(400, 600)
STATUS_OF_CODES = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500}
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "apim-request-id", "x-generation-id")


def read_exchange(wire: Wire, exchange: Exchange) -> Reply:
    """Return the reply that `exchange` holds.

    Raises:
        Trouble: It holds an error, or nothing that `wire` can read.
    """
    if exchange.status != OK:
        raise Trouble(wire.fault(exchange.status, exchange.headers, _error_content(exchange)))
    try:
        answer = decode_json(exchange.body)
    except ValueError as error:
        raise Trouble(_unreadable(exchange, error)) from error
    if not isinstance(answer, dict):
        raise Trouble(_unreadable(exchange, f"the answer is no JSON object but {type(answer).__name__}"))
    try:
        if answer.get("error"):
            raise Trouble(wire.fault(_status_inside(answer), exchange.headers, answer))  # noqa: TRY301
        return wire.reply(answer)
    except Trouble as trouble:
        fault, cause = trouble.fault, trouble.__cause__
    except (ValueError, Unreadable) as error:
        fault, cause = _unreadable(exchange, error), error
    raise Trouble(replace(fault, usage=wire.usage(answer))) from cause  # it is paid for nonetheless


def request_id(exchange: Exchange) -> str | None:
    """Return the server's own name for the request, of bounded length."""
    return next((exchange.headers[h][:200] for h in REQUEST_ID_HEADERS if h in exchange.headers), None)


def _error_content(exchange: Exchange) -> JsonValue:
    if exchange.status in REDIRECTS:
        target = exchange.headers.get("location", "nowhere")
        return f"it redirects to {target!r}; give --api-base the final address"
    try:
        return decode_json(exchange.body)
    except ValueError:
        return exchange.body[:2000].decode("utf-8", "replace")


def _status_inside(answer: JsonObject) -> int:
    """Return the status that an error inside an answer of status 200 would have had."""
    code = at(answer, "error", "code")
    if isinstance(code, int) and code in ERRORS:
        return code
    return STATUS_OF_CODES.get(str(code), BAD_REQUEST)


def _unreadable(exchange: Exchange, error: Exception | str) -> Fault:
    kind = exchange.headers.get("content-type", "no content type")
    start = exchange.body[:80].decode("utf-8", "replace")
    message = f"unreadable reply ({kind}): {error}; it begins {start!r}"
    return Fault(kind="protocol", message=one_line(message))
