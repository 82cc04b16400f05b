"""A model behind HTTP: sends what a wire format builds, and asks again where that can help."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench.models.adaptation import Adaptation, adapted
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
BAD_REQUEST = 400
REDIRECTS = range(300, 400)
ERRORS = range(400, 600)
STATUS_OF_CODES = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500}
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "apim-request-id", "x-generation-id")


class _Letter:
    """One ask on its way: its bytes, encoded once for each set of adaptations, and how often it was sent."""

    __slots__ = ("_ask", "_wire", "adaptations", "content", "content_type", "sent")

    def __init__(self, wire: Wire, ask: Ask) -> None:
        self._wire = wire
        self._ask = ask
        self.adaptations: tuple[Adaptation, ...] | None = None
        self.content = b""
        self.content_type = ""
        self.sent = 0

    def write(self, adaptations: tuple[Adaptation, ...]) -> None:
        """Encode the body, unless it is encoded with these adaptations already."""
        if adaptations != self.adaptations:
            body = adapted(self._wire.body(self._ask), adaptations)
            self.content, self.content_type = self._wire.encode(body)
            self.adaptations = adaptations


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
        self._adaptations: tuple[Adaptation, ...] = ()
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

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """What was changed in requests because the server refused it, for `run.json`."""
        return [adaptation.as_dict() for adaptation in self._adaptations]

    async def ask(self, ask: Ask) -> Reply:
        """Ask, again where that can help, and return what came of it; trouble is a failed Reply."""
        persistence = Persistence(self._traffic, self._pacing)
        letter = _Letter(self._wire, ask)

        async def attempt() -> Reply:
            return await self._attempt(letter, persistence)

        try:
            reply = await persistence.run(attempt)
        except Trouble as trouble:
            reply = trouble.fault.reply()
        return self._redacted(reply).after(letter.sent)

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

    async def _attempt(self, letter: _Letter, persistence: Persistence) -> Reply:
        """Send once, and again at once for every field that the server refuses and the ask can do without."""
        while True:
            letter.write(self._adaptations)
            try:
                return await self._send(letter, persistence.remaining_s)
            except Trouble as trouble:
                adaptation = self._wire.adaptation(trouble.fault)
                if adaptation is None or adaptation in (letter.adaptations or ()):
                    raise
                if adaptation not in self._adaptations:
                    self._adaptations += (adaptation,)

    async def _send(self, letter: _Letter, remaining_s: float) -> Reply:
        timeout_s = min(self._traffic.request_timeout_s, remaining_s)
        headers = self._headers(letter.content_type)
        letter.sent += 1
        started = self._pacing.clock()
        exchange = await self._transfer.post(self._wire.url, headers, letter.content, timeout_s=timeout_s)
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
    """Return the status that an error inside an answer of status 200 would have had."""
    error = answer["error"]
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and code in ERRORS:
        return code
    return STATUS_OF_CODES.get(str(code), BAD_REQUEST)


def _unreadable(exchange: Exchange, error: Exception) -> Fault:
    kind = exchange.headers.get("content-type", "no content type")
    start = exchange.body[:80].decode("utf-8", "replace")
    message = f"unreadable reply ({kind}): {error}; it begins {start!r}"
    return Fault(kind="protocol", message=one_line(message))
