"""A model that is asked by this process."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.models.client import DISPATCH, Dispatch
from bench.models.store_key import StoreResult

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from bench.models.store_key import Store, StoreKey
    from bench.models.types import Model, Request

__all__ = ["AskingHere"]


class AskingHere:
    """Asks a model and stores its replies before anything else happens to them; `store` opens the file."""

    def __init__(self, model: Model, store: Callable[[], Store]) -> None:
        self._model = model
        self._store = store
        self._asking: dict[asyncio.Task[Any] | None, Dispatch] = {}
        self.ending = False

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """What was changed in requests because the server refused it."""
        return self._model.adaptations

    async def ask(self, ask: Request, filing: StoreKey | None, *, turn: asyncio.Lock | None = None) -> StoreResult:
        """Ask, store the reply where `filing` says how, and return what came of it.

        Asks that share a `turn` are prepared at once and sent one after the other.
        """
        task, dispatch = asyncio.current_task(), Dispatch(turn=turn or nullcontext(), ending=self.ending)
        self._asking[task] = dispatch
        DISPATCH.set(dispatch)
        try:
            reply = await self._model.ask(ask)
        finally:
            del self._asking[task]
        if filing is None or reply.status == "failed":
            return StoreResult(reply=reply)
        try:
            return self._store().file(reply, filing)
        except UserError as error:
            return StoreResult(reply=reply, trouble=str(error))

    def send_no_more(self, tasks: Collection[asyncio.Task[Any]] | None = None) -> None:
        """Let all asks, now and later, or those of some tasks, send nothing more; cancel what awaits no reply."""
        self.ending = self.ending or tasks is None
        for task, dispatch in self._asking.items():
            if tasks is None or task in tasks:
                dispatch.ending = True
                if task is not None and not dispatch.under_way:
                    task.cancel()

    async def close(self) -> None:
        """Release connections."""
        await self._model.close()

    def end(self) -> None:
        """Nothing was started that needs an end, unless somebody asked."""
