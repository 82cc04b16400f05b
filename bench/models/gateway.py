"""Where a run's requests go out: what is stored is not asked again, what is new is stored and counted."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from bench.errors import UserError
from bench.models.budget import Spending
from bench.models.store_key import StoreKey, StoreResult, reply_key
from bench.models.types import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.protocols import Model, ModelMaker
    from bench.models.resolve import ResolvedModel
    from bench.models.store_key import Store
    from bench.models.types import Request

__all__ = ["ModelGateway", "StopCondition"]

STOPPING_FAILURES = frozenset({"auth", "quota"})
NETWORK_FAILURES_IN_A_ROW = 5
FAILURES_IN_A_ROW = 10


class RequestingCase(Protocol):
    """What the gateway has to know of a case: its test id and its item's."""

    @property
    def id(self) -> str:
        """The parameter part of the test's id."""
        ...

    @property
    def item_id(self) -> str:
        """The item's id."""
        ...


@dataclass(slots=True)
class StopCondition:
    """Why the run should send no more requests, in one line; set once, by the first who sees it.

    `in_a_row` counts, by model, failures since its last response.
    """

    most_in_a_row: int = FAILURES_IN_A_ROW
    line: str | None = None
    in_a_row: dict[str, list[str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def see(self, reply: Response, label: str) -> None:
        """Look at a response: keys and quotas do not mend themselves, and neither does a server that is gone."""
        with self.lock:
            if reply.failure is None:
                self.in_a_row[label] = []
                return
            failures = self.in_a_row.setdefault(label, [])
            failures.append(reply.failure)
            gone = failures[-NETWORK_FAILURES_IN_A_ROW:] == ["network"] * NETWORK_FAILURES_IN_A_ROW
            if reply.failure in STOPPING_FAILURES or gone or len(failures) >= self.most_in_a_row:
                self.line = self.line or f"{label}: {reply.error}"

    def stop(self, line: str) -> None:
        """End the run for another reason."""
        with self.lock:
            self.line = self.line or line


class ModelGateway:
    """The models that this process has opened, and the reply store; both come into being when first needed.

    `open_store` opens the store; with `fresh`, each stored response is requested once more. `most_in_flight`
    failures in a row end the run, where that is more than ten.
    """

    def __init__(self, open_store: Callable[[], Store], *, fresh: bool = False, most_in_flight: int = 1) -> None:
        self._open_store = open_store
        self._fresh = fresh
        self._ending = False
        self.stop_condition = StopCondition(most_in_a_row=max(FAILURES_IN_A_ROW, most_in_flight))
        self.spending = Spending()
        self._opened: dict[str, Model] = {}
        self._one_at_a_time: dict[str, asyncio.Lock] = {}
        self._renewed: set[str] = set()

    async def reply(
        self, model: ResolvedModel, request: Request, *, case: RequestingCase, sent: Request | None = None
    ) -> tuple[Response, bool]:
        """Return the stored response, or send the request; and whether it was stored.

        What two cases request alike at the same time (a drawing for two models) is requested once. `sent` goes out
        where it differs from the request that the response is stored under.
        """
        if not model.remote:
            reply = await self._send(model, request, None)
            self.stop_condition.see(reply, model.label)
            return reply, False
        key = reply_key(_maker(model).identity, request, case.item_id)
        async with self._one_at_a_time.setdefault(key, asyncio.Lock()):
            stored = None if self._is_to_be_renewed(key) else self.store.get(key)
            reply = stored or await self._send(
                model, sent or request, self._store_key(key, model, case, request.repeat)
            )
        self.stop_condition.see(reply, model.label)
        return reply, stored is not None

    def adaptations(self, label: str) -> list[dict[str, str]]:
        """Return what was changed in requests to this model because its server refused it."""
        opened = self._opened.get(label)
        return [] if opened is None else opened.adaptations

    @cached_property
    def store(self) -> Store:
        """The reply store."""
        return self._open_store()

    async def close_models(self) -> None:
        """Release connections."""
        await asyncio.gather(*(model.close() for model in self._opened.values()))

    def send_no_more(self) -> None:
        """Let requests that are under way be answered and send no other: whoever waits to send is cancelled.

        Called in the event loop.
        """
        self._ending = True
        for model in self._opened.values():
            model.send_no_more()

    def close_store(self) -> None:
        """Close the reply store, if it was opened; repeatable."""
        if "store" in self.__dict__:
            self.store.close()

    def _is_to_be_renewed(self, key: str) -> bool:
        return self._fresh and key not in self._renewed

    async def _send(self, model: ResolvedModel, request: Request, key: StoreKey | None) -> Response:
        if self._ending:
            raise asyncio.CancelledError
        if model.remote and self.stop_condition.line is not None:
            return _not_sent(self.stop_condition.line)
        if model.label not in self._opened:
            self._opened[model.label] = _maker(model)()
        reply = await self._opened[model.label].ask(request)
        result = self._keep(reply, key)
        received = result.received or result.reply
        if received.attempts:
            self.spending.book(model.label, received, _maker(model).price)
        if result.trouble is not None:
            self.stop_condition.stop(
                result.trouble
            )  # this response still reaches the tables; none is sent after it
        if key is not None and result.reply.status != "failed":
            self._renewed.add(key.key)
        return result.reply

    def _keep(self, reply: Response, key: StoreKey | None) -> StoreResult:
        """Store a response before anything else happens to it."""
        if key is None or reply.status == "failed":
            return StoreResult(reply=reply)
        try:
            return self.store.file(reply, key)
        except UserError as error:
            return StoreResult(reply=reply, trouble=str(error))

    def _store_key(self, key: str, model: ResolvedModel, case: RequestingCase, repeat: int) -> StoreKey:
        return StoreKey(
            key=key,
            identity=_maker(model).identity,
            case_id=case.id,
            repeat=repeat,
            replace=self._is_to_be_renewed(key),
        )


def _not_sent(line: str) -> Response:
    """Return what stands for a response where the run is to end and a test still waits for one."""
    return Response(status="failed", failure="quota", error=line, attempts=0)


def _maker(model: ResolvedModel) -> ModelMaker:
    if model.factory is None:
        raise TypeError(f"{model.label} answers without being asked")
    return model.factory
