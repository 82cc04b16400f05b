"""A model behind HTTP: sends what a provider adapter builds, and retries where that can help."""

from __future__ import annotations

import asyncio
from contextlib import suppress
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

    __slots__ = ("_adapter", "adaptations", "content", "content_type", "may_cost", "request", "sent", "under_way")

    def __init__(self, adapter: ProviderAdapter, request: Request) -> None:
        self._adapter = adapter
        self.request = request
        self.adaptations: tuple[Adaptation, ...] | None = None
        self.content = b""
        self.content_type = ""
        self.sent = 0
        self.under_way = False
        self.may_cost = False

    def write(self, adaptations: tuple[Adaptation, ...]) -> None:
        """Encode the body, unless it is encoded with these adaptations already."""
        if adaptations != self.adaptations:
            body = adapted(self._adapter.body(self.request), adaptations)
            self.content, self.content_type = self._adapter.encode(body)
            self.adaptations = adaptations


OK = 200
BAD_REQUEST = 400
REDIRECTS = range(300, 400)
ERRORS = range(400, 600)
STATUS_OF_CODES = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500}
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "apim-request-id", "x-generation-id")


def read_exchange(adapter: ProviderAdapter, exchange: Exchange) -> Response:
    """Return the reply that `exchange` holds.

    Raises:
        RequestFailed: It holds an error, or nothing that the adapter can read.
    """
    if exchange.status != OK:
        raise RequestFailed(adapter.fault(exchange.status, exchange.headers, _error_content(exchange)))
    try:
        answer = decode_json(exchange.body)
    except ValueError as error:
        raise RequestFailed(_unreadable(exchange, error)) from error
    if not isinstance(answer, dict):
        raise RequestFailed(_unreadable(exchange, f"the answer is no JSON object but {type(answer).__name__}"))
    try:
        if answer.get("error"):
            raise RequestFailed(adapter.fault(_status_inside(answer), exchange.headers, answer))  # noqa: TRY301
        return adapter.reply(answer)
    except RequestFailed as trouble:
        fault, cause = trouble.fault, trouble.__cause__
    except (ValueError, Unreadable) as error:
        fault, cause = _unreadable(exchange, error), error
    raise RequestFailed(replace(fault, usage=adapter.usage(answer))) from cause  # it is paid for nonetheless


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
        adapter: ProviderAdapter,
        *,
        key: Key | None,
        client_limits: ClientLimits,
        price: Price | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._adapter = adapter
        self._key = key
        self._client_limits = client_limits
        self._clock = clock or Clock()
        self._adaptations: tuple[Adaptation, ...] = ()
        self._backpressure = Backpressure()
        self._requests: dict[asyncio.Task[Any] | None, PreparedRequest] = {}
        self._ending = False
        self._limits = SharedLimits(client_limits.shared_limits) if client_limits.shared_limits else None
        self._budget = self._open_budget(price)
        self._throttle = Throttle(
            concurrency=client_limits.concurrency, clock=self._clock, slot_s=self._rpm_queue()
        )
        self._transfer = Transport(client_limits, url=adapter.url)

    def __repr__(self) -> str:
        return f"HttpModel({self.provider}:{self.name})"

    @property
    def provider(self) -> str:
        """Provider as written into tables."""
        return self._adapter.provider

    @property
    def name(self) -> str:
        """Model name as written into tables."""
        return self._adapter.name

    @property
    def identity(self) -> dict[str, Any]:
        """What besides the request decides a reply."""
        return {
            "provider": self.provider,
            "endpoint": self._adapter.url,
            "name": self.name,
            "client": self._adapter.version,
        }

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """What was changed in requests because the server refused it, for `run.json`."""
        return [adaptation.as_dict() for adaptation in self._adaptations]

    async def ask(self, request: Request) -> Response:
        """Send the request, again where that can help; trouble is a failed Response."""
        prepared = self._requests[asyncio.current_task()] = PreparedRequest(self._adapter, request)
        try:
            reply = await self._paid(prepared)
        except RequestFailed as trouble:
            reply = trouble.fault.reply()
        finally:
            del self._requests[asyncio.current_task()]
        return self._redacted(reply).after(prepared.sent)

    def send_no_more(self) -> None:
        """Send no further request, now or later; cancel what waits to be sent."""
        self._ending = True
        for task, prepared in self._requests.items():
            if task is not None and not prepared.under_way:
                task.cancel()

    async def close(self) -> None:
        """Release connections."""
        await self._transfer.close()
        if self._limits is not None:
            self._limits.close()

    def _rpm_queue(self) -> Callable[[], float] | None:
        limits, rpm = self._limits, self._client_limits.rpm
        if limits is None or rpm is None:
            return None
        return lambda: limits.next_slot_s(f"{self.provider}:{self.name}", per_minute=rpm)

    def _open_budget(self, price: Price | None) -> CostBudget | None:
        most_usd = self._client_limits.max_cost_usd
        if self._limits is None or most_usd is None or price is None:
            return None
        return CostBudget(
            self._limits,
            price=price,
            most_usd=most_usd,
            provider=self.provider,
            name=self.name,
            clock=self._clock,
        )

    def _headers(self, content_type: str) -> dict[str, str]:
        return {
            "content-type": content_type,
            "accept": "application/json",
            "accept-encoding": "gzip",
            "user-agent": "eyechart",
            **self._adapter.headers(self._key),
        }

    async def _paid(self, prepared: PreparedRequest) -> Response:
        problem = picture_problem(prepared.request, limits_for(self.provider))
        if problem is not None:
            raise RequestFailed(RequestError(kind="protocol", message=f"not sent: {problem}"))
        if self._budget is None:
            return await self._persist(prepared)
        held_usd, reply = await self._budget.reserve(prepared.request), None
        try:
            reply = await self._persist(prepared)
        except RequestFailed as trouble:
            reply = trouble.fault.reply()
        finally:
            with suppress(UserError):  # the reply counts, what is set aside stays so, and the next to reserve ends
                self._budget.settle(held_usd, reply, may_cost=prepared.may_cost)
        return reply

    async def _persist(self, prepared: PreparedRequest) -> Response:
        retry_policy = RetryPolicy(self._client_limits, self._clock, self._backpressure)

        async def attempt() -> Response:
            return await self._attempt(prepared, retry_policy)

        return await retry_policy.run(attempt)

    async def _attempt(self, prepared: PreparedRequest, retry_policy: RetryPolicy) -> Response:
        """Send once, and again at once for every field that the server refuses and the ask can do without."""
        while True:
            prepared.write(self._adaptations)  # while it waits for its place
            try:
                return await self._admitted(prepared, retry_policy)
            except RequestFailed as trouble:
                adaptation = self._adapter.adaptation(trouble.fault)
                if adaptation is None or adaptation in (prepared.adaptations or ()):
                    fault = trouble.fault
                    raise RequestFailed(
                        replace(fault, message=fault.message + advice(fault, prepared.request))
                    ) from trouble
                if adaptation not in self._adaptations:
                    self._adaptations += (adaptation,)

    async def _admitted(self, prepared: PreparedRequest, retry_policy: RetryPolicy) -> Response:
        asked = self._clock.now()
        entered = await self._throttle.enter()
        sent = self._clock.now()
        retry_policy.excuse(sent - asked)
        try:
            if self._ending:
                raise asyncio.CancelledError
            prepared.under_way = True
            prepared.write(self._adaptations)  # while it waited, the server may have refused a field of another
            reply = await self._send(prepared, retry_policy.remaining_s)
        except RequestFailed as trouble:
            if trouble.fault.kind == "rate":
                self._throttle.throttled(entered)
            if self._ending and trouble.fault.retryable:
                raise asyncio.CancelledError from trouble  # nobody waits for a pause before what is not sent
            raise
        finally:
            prepared.under_way = False
            self._throttle.leave()
        self._throttle.answered()
        return reply

    async def _send(self, prepared: PreparedRequest, remaining_s: float) -> Response:
        timeout_s = min(self._client_limits.request_timeout_s, remaining_s)
        headers = self._headers(prepared.content_type)
        prepared.sent += 1
        started = self._clock.now()
        cost_before = prepared.may_cost
        prepared.may_cost = True  # also where it is cancelled while it is under way
        try:
            exchange = await self._transfer.post(headers, prepared.content, timeout_s=timeout_s)
            reply = read_exchange(self._adapter, exchange)
        except (RequestFailed, UserError) as error:
            prepared.may_cost = cost_before or (isinstance(error, RequestFailed) and may_cost(error.fault))
            raise
        latency_s = self._clock.now() - started
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
