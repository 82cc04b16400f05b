"""A model behind HTTP: sends what a wire format builds, and asks again where that can help."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.models.adaptation import advice
from bench.models.dispatch import DISPATCH, Dispatch
from bench.models.faults import Fault, Trouble
from bench.models.letter import Letter
from bench.models.picture_limits import limits_for, picture_problem
from bench.models.purse import Purse, may_cost
from bench.models.reading import read_exchange, request_id
from bench.models.retry import Crowding, Pacing, Persistence
from bench.models.shared_limits import SharedLimits
from bench.models.throttle import Throttle
from bench.models.transfer import Transfer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.adaptation import Adaptation
    from bench.models.keys import Key
    from bench.models.prices import Price
    from bench.models.protocol import Ask, Reply
    from bench.models.traffic import Traffic
    from bench.models.wire import Wire

__all__ = ["HttpModel"]


class HttpModel:
    """One model on one server. One instance serves one run and one event loop."""

    def __init__(
        self,
        wire: Wire,
        *,
        key: Key | None,
        traffic: Traffic,
        price: Price | None = None,
        pacing: Pacing | None = None,
    ) -> None:
        self._wire = wire
        self._key = key
        self._traffic = traffic
        self._pacing = pacing or Pacing()
        self._adaptations: tuple[Adaptation, ...] = ()
        self._crowding = Crowding()
        self._limits = SharedLimits(traffic.shared_limits) if traffic.shared_limits else None
        self._purse = self._open_purse(price)
        self._throttle = Throttle(concurrency=traffic.concurrency, pacing=self._pacing, slot_s=self._rpm_queue())
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
        letter = Letter(self._wire, ask)
        try:
            reply = await self._paid(letter)
        except Trouble as trouble:
            reply = trouble.fault.reply()
        return self._redacted(reply).after(letter.sent)

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

    def _open_purse(self, price: Price | None) -> Purse | None:
        most_usd = self._traffic.max_cost_usd
        if self._limits is None or most_usd is None or price is None:
            return None
        return Purse(
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

    async def _paid(self, letter: Letter) -> Reply:
        problem = picture_problem(letter.ask, limits_for(self.provider))
        if problem is not None:
            raise Trouble(Fault(kind="protocol", message=f"not sent: {problem}"))
        if self._purse is None:
            return await self._persist(letter)
        held_usd, reply = await self._purse.reserve(letter.ask), None
        try:
            reply = await self._persist(letter)
        except Trouble as trouble:
            reply = trouble.fault.reply()
        finally:
            self._purse.settle(held_usd, reply, may_cost=letter.may_cost)
        return reply

    async def _persist(self, letter: Letter) -> Reply:
        persistence = Persistence(self._traffic, self._pacing, self._crowding)

        async def attempt() -> Reply:
            return await self._attempt(letter, persistence)

        return await persistence.run(attempt)

    async def _attempt(self, letter: Letter, persistence: Persistence) -> Reply:
        """Send once, and again at once for every field that the server refuses and the ask can do without."""
        while True:
            letter.write(self._adaptations)  # while it waits for its place
            try:
                return await self._admitted(letter, persistence)
            except Trouble as trouble:
                adaptation = self._wire.adaptation(trouble.fault)
                if adaptation is None or adaptation in (letter.adaptations or ()):
                    fault = trouble.fault
                    raise Trouble(replace(fault, message=fault.message + advice(fault, letter.ask))) from trouble
                if adaptation not in self._adaptations:
                    self._adaptations += (adaptation,)

    async def _admitted(self, letter: Letter, persistence: Persistence) -> Reply:
        asked, dispatch = self._pacing.clock(), DISPATCH.get() or Dispatch()
        async with dispatch.turn:
            entered = await self._throttle.enter()
            sent = self._pacing.clock()
            persistence.excuse(sent - asked)
            try:
                if dispatch.ending:
                    raise asyncio.CancelledError
                dispatch.under_way = True
                letter.write(self._adaptations)  # while it waited, the server may have refused a field of another
                reply = await self._send(letter, persistence.remaining_s)
            except Trouble as trouble:
                if trouble.fault.kind == "rate":
                    self._throttle.throttled(entered)
                if dispatch.ending and trouble.fault.retryable:
                    raise asyncio.CancelledError from trouble  # nobody waits for a pause before what is not sent
                raise
            finally:
                dispatch.under_way = False
                self._throttle.leave()
        self._throttle.answered(self._pacing.clock() - sent)
        return reply

    async def _send(self, letter: Letter, remaining_s: float) -> Reply:
        timeout_s = min(self._traffic.request_timeout_s, remaining_s)
        headers = self._headers(letter.content_type)
        letter.sent += 1
        started = self._pacing.clock()
        costs_before, letter.may_cost = letter.may_cost, True  # also where it is cancelled while it is under way
        try:
            exchange = await self._transfer.post(self._wire.url, headers, letter.content, timeout_s=timeout_s)
            reply = read_exchange(self._wire, exchange)
        except (Trouble, UserError) as error:
            letter.may_cost = costs_before or (isinstance(error, Trouble) and may_cost(error.fault))
            raise
        latency_s = self._pacing.clock() - started
        return replace(reply, latency_s=latency_s, request_id=request_id(exchange))

    def _redacted(self, reply: Reply) -> Reply:
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
