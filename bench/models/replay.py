"""`--replay`: stored raw outputs take the place of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.errors import DataError
from bench.results.raw import StoredReply, read_raw

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from bench.models.protocol import Reply
    from generators.items import Item

__all__ = ["Replayed", "replayed_models"]


class Replayed:
    """One model's stored outputs; cases that it has none for are skipped."""

    def __init__(self, provider: str, name: str, stored: Sequence[StoredReply]) -> None:
        self.provider = provider
        self.name = name
        self._stored = {reply.item_id: reply for reply in stored}
        self.about = f"{len(self._stored)} stored outputs, scored again"

    def answers(self, item_id: str) -> bool:
        """Whether the item has a stored output."""
        return item_id in self._stored

    def reply(self, item: Item, repeat: int) -> Reply:  # noqa: ARG002
        """Return the stored reply.

        Raises:
            DataError: it was made from another item of the same id.
        """
        stored = self._stored[item.id]
        if stored.item_digest not in {None, item.digest}:
            raise DataError(
                f"{stored.place}: {item.id!r} was asked with other parameters, truth or prompt than "
                "this run's; use the options that the file was made with (--item-seed, --plotchain-data)"
            )
        return stored.reply

    def stored_answer(self, item_id: str, repeat: int) -> Mapping[str, object] | None:  # noqa: ARG002
        """Return the answer parsed earlier."""
        return self._stored[item_id].stored_answer


def replayed_models(paths: Sequence[Path], known_ids: Collection[str]) -> list[Replayed]:
    """Read raw files; one model for each provider and name in them, in the files' order.

    Raises:
        UserError, DataError: a file cannot be read, or a line of it; several repeats of one item.
    """
    found = read_raw(paths, known_ids)
    for stored in found.values():
        again = next((reply for reply in stored if reply.repeat > 0), None)
        if again is not None:
            raise DataError(f"{again.place}: holds repeat {again.repeat}; only single replies are replayed")
    return [Replayed(provider, name, stored) for (provider, name), stored in found.items()]
