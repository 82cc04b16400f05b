"""Asking the models of one process: what is stored is not asked again, what is new is stored and counted."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bench.asking_elsewhere import NotBegun
from bench.asking_process import start_asking
from bench.asking_shared import AskingShared, reach, share_asking
from bench.models.budget import Spending
from bench.models.gateway_local import AskingHere
from bench.models.store_key import StoreKey, reply_key
from bench.results.store import ReplyStore

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bench.asking_elsewhere import AskingElsewhere
    from bench.asking_shared import SharedProcess
    from bench.models.resolve import ResolvedModel
    from bench.models.store_key import StoreResult
    from bench.models.types import ModelMaker, Request, Response
    from bench.options import Settings
    from bench.suites.base import Case

__all__ = ["ModelGateway", "StopCondition"]

STOPPING_FAILURES = frozenset({"auth", "quota"})
NETWORK_FAILURES_IN_A_ROW = 5
FAILURES_IN_A_ROW = 10


@dataclass(slots=True)
class StopCondition:
    """Why asking should end, in one line; set once, by the first who sees it.

    `in_a_row` counts, by model, failures since its last reply.
    """

    most_in_a_row: int = FAILURES_IN_A_ROW
    line: str | None = None
    in_a_row: dict[str, list[str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def see(self, reply: Response, label: str) -> None:
        """Look at a reply: keys and quotas do not mend themselves, and neither does a server that is gone."""
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
        """End asking for another reason."""
        with self.lock:
            self.line = self.line or line


class ModelGateway:
    """The models that this process has opened, and the reply store; both come into being when first needed.

    `shared` says where processes listen that ask a model for several of the run's processes, by the model's label.
    """

    def __init__(self, settings: Settings, shared: Mapping[str, Path] | None = None) -> None:
        self._settings = settings
        self._shared = {label: address for label, address in (shared or {}).items() if address.exists()}
        self._for_others: list[SharedProcess] = []
        self._ending = False
        self.trouble = StopCondition(most_in_a_row=max(FAILURES_IN_A_ROW, settings.concurrency))
        self.spending = Spending()
        self.apart = False  # whether models that are opened from now on are asked by processes of their own
        self._opened: dict[str, AskingHere | AskingElsewhere] = {}
        self._one_at_a_time: dict[str, asyncio.Lock] = {}
        self._renewed: set[str] = set()

    async def reply(
        self, model: ResolvedModel, ask: Request, *, case: Case, sent: Request | None = None
    ) -> tuple[Response, bool]:
        """Return the stored reply, or ask; and whether it was stored.

        What two cases ask alike at the same time (a drawing for two models) is asked once. `sent` goes out where
        it differs from the ask that the reply is stored under.
        """
        if not model.remote:
            reply = await self._asked(model, ask, None)
            self.trouble.see(reply, model.label)
            return reply, False
        key = reply_key(_factory(model).identity, ask, case.item_id)
        async with self._one_at_a_time.setdefault(key, asyncio.Lock()):
            stored = None if self._is_to_be_asked_again(key) else self.store.get(key)
            reply = stored or await self._asked(model, sent or ask, self._filing(key, model, case, ask.repeat))
        self.trouble.see(reply, model.label)
        return reply, stored is not None

    def adaptations(self, label: str) -> list[dict[str, str]]:
        """Return what was changed in requests to this model because its server refused it."""
        opened = self._opened.get(label)
        return [] if opened is None else opened.adaptations

    @cached_property
    def store(self) -> ReplyStore:
        """The reply store."""
        return ReplyStore(self._settings.replies)

    async def close_models(self) -> None:
        """Release connections."""
        await asyncio.gather(*(model.close() for model in self._opened.values()))

    def end_unused(self) -> None:
        """End the processes of models that nobody came to ask; repeatable."""
        for model in self._opened.values():
            model.end()

    def let_others_send_no_more(self) -> None:
        """Tell the processes that ask for others that the run is over; repeatable.

        With -x and --maxfail xdist lets running tests finish before that, retries included.
        """
        for process in self._for_others:
            process.send_no_more()

    def end_shared(self) -> None:
        """End the processes that asked for others, when these are gone; repeatable."""
        for process in self._for_others:
            process.close()
        for process in self._for_others:
            process.end()

    def send_no_more(self) -> None:
        """Send nothing that is not under way: who waits for it is cancelled. Called in the event loop."""
        self._ending = True
        for model in self._opened.values():
            model.send_no_more()

    def close_store(self) -> None:
        """Close the reply store, if it was opened; repeatable."""
        if "store" in self.__dict__:
            self.store.close()

    def _is_to_be_asked_again(self, key: str) -> bool:
        return self._settings.fresh and key not in self._renewed

    def start(self, model: ResolvedModel) -> None:
        """Start the process that asks the model, where one helps."""
        process = start_asking(_factory(model), self._settings.replies)
        if process is not None:
            self._opened[model.label] = process

    def share(self, model: ResolvedModel, *, workers: int) -> Path | None:
        """Start a process that asks the model for so many others, where one helps; return where it listens."""
        process = share_asking(_factory(model), self._settings.replies, workers=workers)
        if process is None:
            return None
        self._for_others.append(process)
        return process.address

    def is_shared(self, model: str) -> bool:
        """Whether a process that others use too asks the model, of which the label is given."""
        return model in self._shared or isinstance(self._opened.get(model), AskingShared)

    def _open(self, model: ResolvedModel) -> AskingHere | AskingElsewhere:
        """Return who asks the model, made by the first who needs it."""
        address = self._shared.pop(model.label, None)
        if address is not None and (shared := reach(_factory(model), address)) is not None:
            self._opened[model.label] = shared
        if self.apart and model.label not in self._opened:
            self.start(model)
        if model.label not in self._opened:
            self._opened[model.label] = self._here(model)
        return self._opened[model.label]

    def _here(self, model: ResolvedModel) -> AskingHere:
        return AskingHere(_factory(model)(), lambda: self.store)

    async def _filed(self, model: ResolvedModel, ask: Request, filing: StoreKey | None) -> StoreResult:
        if self._ending:
            raise asyncio.CancelledError
        opened = self._open(model)
        try:
            return await opened.ask(ask, filing)
        except NotBegun:
            if self._opened[model.label] is opened:
                self._opened[model.label] = self._here(model)
                await opened.close()
            return await self._opened[model.label].ask(ask, filing)

    async def _asked(self, model: ResolvedModel, ask: Request, filing: StoreKey | None) -> Response:
        filed = await self._filed(model, ask, filing)
        received = filed.received or filed.reply
        if received.attempts:
            self.spending.book(model.label, received, _factory(model).price)
        if filed.trouble is not None:
            self.trouble.stop(filed.trouble)  # this reply still reaches the tables; no further one is asked for
        if filing is not None and filed.reply.status != "failed":
            self._renewed.add(filing.key)
        return filed.reply

    def _filing(self, key: str, model: ResolvedModel, case: Case, repeat: int) -> StoreKey:
        return StoreKey(
            key=key,
            identity=_factory(model).identity,
            case_id=case.id,
            repeat=repeat,
            replace=self._is_to_be_asked_again(key),
        )


def _factory(model: ResolvedModel) -> ModelMaker:
    if model.factory is None:
        raise TypeError(f"{model.label} answers without being asked")
    return model.factory
