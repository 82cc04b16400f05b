"""A model behind HTTP: sends what a provider adapter builds, and retries where that can help."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.models.budget import CostBudget, may_cost
from bench.models.images import limits_for, picture_problem
from bench.models.json_values import JsonObject, JsonValue, at, decode_json
from bench.models.limits import SharedLimits
from bench.models.providers.base import Adaptation, Unreadable, adapted, advice
from bench.models.request_errors import RequestError, RequestFailed, one_line
from bench.models.retry import Backpressure, Clock, RetryPolicy, Throttle
from bench.models.transport import Transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.keys import Key
    from bench.models.limits import ClientLimits
    from bench.models.prices import Price
    from bench.models.providers.base import ProviderAdapter
    from bench.models.transport import Exchange
    from bench.models.types import Request, Response

__all__ = ["HttpModel", "PreparedRequest", "read_exchange", "request_id"]


class PreparedRequest:
    """A request's bytes, encoded once for each set of adaptations, and what became of it.

    `sent` counts how often it went out. `under_way`: the server has it. `may_cost`: it may be charged for.
    """

    __slots__ = ("_wire", "adaptations", "ask", "content", "content_type", "may_cost", "sent", "under_way")

    def __init__(self, wire: ProviderAdapter, ask: Request) -> None:
        self._wire = wire
        self.ask = ask
        self.adaptations: tuple[Adaptation, ...] | None = None
        self.content = b""
        self.content_type = ""
        self.sent = 0
        self.under_way = False
        self.may_cost = False

    def write(self, adaptations: tuple[Adaptation, ...]) -> None:
        """Encode the body, unless it is encoded with these adaptations already."""
        if adaptations != self.adaptations:
            body = adapted(self._wire.body(self.ask), adaptations)
            self.content, self.content_type = self._wire.encode(body)
            self.adaptations = adaptations


OK = 200
BAD_REQUEST = 400
REDIRECTS = range(300, 400)
ERRORS = range(400, 600)
STATUS_OF_CODES = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500}
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "apim-request-id", "x-generation-id")


def read_exchange(wire: ProviderAdapter, exchange: Exchange) -> Response:
    """Return the reply that `exchange` holds.

    Raises:
        Trouble: It holds an error, or nothing that `wire` can read.
    """
    if exchange.status != OK:
        raise RequestFailed(wire.fault(exchange.status, exchange.headers, _error_content(exchange)))
    try:
        answer = decode_json(exchange.body)
    except ValueError as error:
        raise RequestFailed(_unreadable(exchange, error)) from error
    if not isinstance(answer, dict):
        raise RequestFailed(_unreadable(exchange, f"the answer is no JSON object but {type(answer).__name__}"))
    try:
        if answer.get("error"):
            raise RequestFailed(wire.fault(_status_inside(answer), exchange.headers, answer))  # noqa: TRY301
        return wire.reply(answer)
    except RequestFailed as trouble:
        fault, cause = trouble.fault, trouble.__cause__
    except (ValueError, Unreadable) as error:
        fault, cause = _unreadable(exchange, error), error
    raise RequestFailed(replace(fault, usage=wire.usage(answer))) from cause  # it is paid for nonetheless


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


def _unreadable(exchange: Exchange, error: Exception | str) -> RequestError:
    kind = exchange.headers.get("content-type", "no content type")
    start = exchange.body[:80].decode("utf-8", "replace")
    message = f"unreadable reply ({kind}): {error}; it begins {start!r}"
    return RequestError(kind="protocol", message=one_line(message))


class HttpModel:
    """One model on one server. One instance serves one run and one event loop."""

    def __init__(
        self,
        wire: ProviderAdapter,
        *,
        key: Key | None,
        traffic: ClientLimits,
        price: Price | None = None,
        pacing: Clock | None = None,
    ) -> None:
        self._wire = wire
        self._key = key
        self._traffic = traffic
        self._pacing = pacing or Clock()
        self._adaptations: tuple[Adaptation, ...] = ()
        self._crowding = Backpressure()
        self._requests: dict[asyncio.Task[Any] | None, PreparedRequest] = {}
        self._ending = False
        self._limits = SharedLimits(traffic.shared_limits) if traffic.shared_limits else None
        self._purse = self._open_purse(price)
        self._throttle = Throttle(concurrency=traffic.concurrency, pacing=self._pacing, slot_s=self._rpm_queue())
        self._transfer = Transport(traffic, url=wire.url)

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

    async def ask(self, ask: Request) -> Response:
        """Ask, again where that can help, and return what came of it; trouble is a failed Reply."""
        letter = self._requests[asyncio.current_task()] = PreparedRequest(self._wire, ask)
        try:
            reply = await self._paid(letter)
        except RequestFailed as trouble:
            reply = trouble.fault.reply()
        finally:
            del self._requests[asyncio.current_task()]
        return self._redacted(reply).after(letter.sent)

    def send_no_more(self) -> None:
        """Send no further request, now or later; cancel what waits to be sent."""
        self._ending = True
        for task, letter in self._requests.items():
            if task is not None and not letter.under_way:
                task.cancel()

    async def close(self) -> None:
        """Release connections."""
        await self._transfer.close()
        if self._limits is not None:
            self._limits.close()

    def _rpm_queue(self) -> Callable[[], float] | None:
        limits, rpm = self._limits, self._traffic.rpm
        if limits is None or rpm is None:
            return None
        return lambda: limits.next_slot_s(f"{self.provider}:{self.name}", per_minute=rpm)

    def _open_purse(self, price: Price | None) -> CostBudget | None:
        most_usd = self._traffic.max_cost_usd
        if self._limits is None or most_usd is None or price is None:
            return None
        return CostBudget(
            self._limits,
            price=price,
            most_usd=most_usd,
            provider=self.provider,
            name=self.name,
            pacing=self._pacing,
        )

    def _headers(self, content_type: str) -> dict[str, str]:
        return {
            "content-type": content_type,
            "accept": "application/json",
            "accept-encoding": "gzip",
            "user-agent": "eyechart",
            **self._wire.headers(self._key),
        }

    async def _paid(self, letter: PreparedRequest) -> Response:
        problem = picture_problem(letter.ask, limits_for(self.provider))
        if problem is not None:
            raise RequestFailed(RequestError(kind="protocol", message=f"not sent: {problem}"))
        if self._purse is None:
            return await self._persist(letter)
        held_usd, reply = await self._purse.reserve(letter.ask), None
        try:
            reply = await self._persist(letter)
        except RequestFailed as trouble:
            reply = trouble.fault.reply()
        finally:
            self._purse.settle(held_usd, reply, may_cost=letter.may_cost)
        return reply

    async def _persist(self, letter: PreparedRequest) -> Response:
        persistence = RetryPolicy(self._traffic, self._pacing, self._crowding)

        async def attempt() -> Response:
            return await self._attempt(letter, persistence)

        return await persistence.run(attempt)

    async def _attempt(self, letter: PreparedRequest, persistence: RetryPolicy) -> Response:
        """Send once, and again at once for every field that the server refuses and the ask can do without."""
        while True:
            letter.write(self._adaptations)  # while it waits for its place
            try:
                return await self._admitted(letter, persistence)
            except RequestFailed as trouble:
                adaptation = self._wire.adaptation(trouble.fault)
                if adaptation is None or adaptation in (letter.adaptations or ()):
                    fault = trouble.fault
                    raise RequestFailed(
                        replace(fault, message=fault.message + advice(fault, letter.ask))
                    ) from trouble
                if adaptation not in self._adaptations:
                    self._adaptations += (adaptation,)

    async def _admitted(self, letter: PreparedRequest, persistence: RetryPolicy) -> Response:
        asked = self._pacing.clock()
        entered = await self._throttle.enter()
        sent = self._pacing.clock()
        persistence.excuse(sent - asked)
        try:
            if self._ending:
                raise asyncio.CancelledError
            letter.under_way = True
            letter.write(self._adaptations)  # while it waited, the server may have refused a field of another
            reply = await self._send(letter, persistence.remaining_s)
        except RequestFailed as trouble:
            if trouble.fault.kind == "rate":
                self._throttle.throttled(entered)
            if self._ending and trouble.fault.retryable:
                raise asyncio.CancelledError from trouble  # nobody waits for a pause before what is not sent
            raise
        finally:
            letter.under_way = False
            self._throttle.leave()
        self._throttle.answered()
        return reply

    async def _send(self, letter: PreparedRequest, remaining_s: float) -> Response:
        timeout_s = min(self._traffic.request_timeout_s, remaining_s)
        headers = self._headers(letter.content_type)
        letter.sent += 1
        started = self._pacing.clock()
        costs_before, letter.may_cost = letter.may_cost, True  # also where it is cancelled while it is under way
        try:
            exchange = await self._transfer.post(headers, letter.content, timeout_s=timeout_s)
            reply = read_exchange(self._wire, exchange)
        except (RequestFailed, UserError) as error:
            letter.may_cost = costs_before or (isinstance(error, RequestFailed) and may_cost(error.fault))
            raise
        latency_s = self._pacing.clock() - started
        return replace(reply, latency_s=latency_s, request_id=request_id(exchange))

    def _redacted(self, reply: Response) -> Response:
        """Take out the key: of error messages, and of an answer by a gateway that writes it there."""
        if self._key is None:
            return reply
        hide = self._key.hide_in_answer
        return replace(
            reply,
            text=hide(reply.text),
            served_model=reply.served_model and hide(reply.served_model),
            finish_reason=reply.finish_reason and hide(reply.finish_reason),
            request_id=reply.request_id and hide(reply.request_id),
            error=reply.error and self._key.redact(reply.error),
        )
