"""A model behind HTTP: sends what a wire format builds, and asks again where that can help."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench.models.faults import Fault, Trouble, one_line
from bench.models.json_values import JsonObject, JsonValue, decode_json
from bench.models.retry import Pacing, Persistence
from bench.models.transfer import Exchange, Transfer
from bench.models.wire import Unreadable, Wire

if TYPE_CHECKING:
    from bench.models.keys import Key
    from bench.models.protocol import Ask, Reply
    from bench.models.traffic import Traffic

__all__ = ["HttpModel"]

OK = 200
REDIRECTS = range(300, 400)
ERRORS = range(400, 600)
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "apim-request-id", "x-generation-id")


class HttpModel:
    """One model on one server. One instance serves one run and one event loop."""

    needs_pictures = True
    stores_replies = True

    def __init__(
        self, wire: Wire, *, key: Key | None, traffic: Traffic, pacing: Pacing | None = None
    ) -> None:
        self._wire = wire
        self._key = key
        self._traffic = traffic
        self._pacing = pacing or Pacing()
        self._transfer = Transfer(traffic, secure=wire.url.startswith("https:"))

    def __repr__(self) -> str:
        return f"HttpModel({self.provider}:{self.name})"

    @property
    def provider(self) -> str:
        """Provider as written into tables."""
        return self._wire.provider

    @property
    def name(self) -> str:
        """Model name as written into tables."""
        return self._wire.name

    @property
    def identity(self) -> dict[str, Any]:
        """What besides the Ask decides a reply."""
        return {
            "provider": self.provider,
            "endpoint": self._wire.url,
            "name": self.name,
            "client": self._wire.version,
        }

    async def ask(self, ask: Ask) -> Reply:
        """Ask, again where that can help, and return what came of it; trouble is a failed Reply."""
        persistence = Persistence(self._traffic, self._pacing)
        content, content_type = self._wire.encode(self._wire.body(ask))
        headers = self._headers(content_type)
        sent = 0

        async def attempt() -> Reply:
            nonlocal sent
            sent += 1
            return await self._send(headers, content, persistence.remaining_s)

        try:
            reply = await persistence.run(attempt)
        except Trouble as trouble:
            reply = trouble.fault.reply()
        return self._redacted(reply).after(sent)

    async def close(self) -> None:
        """Release connections."""
        await self._transfer.close()

    def _headers(self, content_type: str) -> dict[str, str]:
        return {
            "content-type": content_type,
            "accept": "application/json",
            "accept-encoding": "gzip",
            "user-agent": "eyechart",
            **self._wire.headers(self._key),
        }

    async def _send(self, headers: dict[str, str], content: bytes, remaining_s: float) -> Reply:
        timeout_s = min(self._traffic.request_timeout_s, remaining_s)
        started = self._pacing.clock()
        exchange = await self._transfer.post(self._wire.url, headers, content, timeout_s=timeout_s)
        reply = self._read(exchange)
        latency_s = self._pacing.clock() - started
        return replace(reply, latency_s=latency_s, request_id=_request_id(exchange))

    def _read(self, exchange: Exchange) -> Reply:
        if exchange.status != OK:
            raise Trouble(self._wire.fault(exchange.status, exchange.headers, _error_content(exchange)))
        try:
            answer = decode_json(exchange.body)
            if not isinstance(answer, dict):
                raise Unreadable(f"the answer is no JSON object but {type(answer).__name__}")  # noqa: TRY301
            if answer.get("error"):
                raise Trouble(self._wire.fault(_status_inside(answer), exchange.headers, answer))
            return self._wire.reply(answer)
        except (ValueError, Unreadable) as error:
            raise Trouble(_unreadable(exchange, error)) from error

    def _redacted(self, reply: Reply) -> Reply:
        if self._key is None or reply.error is None:
            return reply
        return replace(reply, error=self._key.redact(reply.error))


def _request_id(exchange: Exchange) -> str | None:
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
    error = answer["error"]
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and code in ERRORS else OK


def _unreadable(exchange: Exchange, error: Exception) -> Fault:
    kind = exchange.headers.get("content-type", "no content type")
    start = exchange.body[:80].decode("utf-8", "replace")
    message = f"unreadable reply ({kind}): {error}; it begins {start!r}"
    return Fault(kind="protocol", message=one_line(message))
