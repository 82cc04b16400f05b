"""A model that is asked by this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.errors import UserError
from bench.results.store import Filed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.protocol import Ask, Model
    from bench.results.store import Filing, ReplyStore

__all__ = ["AskingHere"]


class AskingHere:
    """Asks a model and stores its replies before anything else happens to them; `store` opens the file."""

    def __init__(self, model: Model, store: Callable[[], ReplyStore]) -> None:
        self._model = model
        self._store = store

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """What was changed in requests because the server refused it."""
        return self._model.adaptations

    async def ask(self, ask: Ask, filing: Filing | None) -> Filed:
        """Ask, store the reply where `filing` says how, and return what came of it."""
        reply = await self._model.ask(ask)
        if filing is None or reply.status == "failed":
            return Filed(reply=reply)
        try:
            return self._store().file(reply, filing)
        except UserError as error:
            return Filed(reply=reply, trouble=str(error))

    async def close(self) -> None:
        """Release connections."""
        await self._model.close()

    def end(self) -> None:
        """Nothing was started that needs an end, unless somebody asked."""
