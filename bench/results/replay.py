"""`--replay`: stored raw outputs take the place of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.errors import DataError
from bench.results.raw import StoredReply, read_raw

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.models.protocols import Asked, KnownAnswers
    from bench.models.types import Drawing, Response
    from generators.items import Item

__all__ = ["Replayed", "replayed_models"]


class Replayed:
    """One model's stored outputs; cases that it has none for are skipped."""

    def __init__(self, provider: str, name: str, stored: Sequence[StoredReply]) -> None:
        self.provider = provider
        self.name = name
        self._stored: dict[Asked, dict[int, StoredReply]] = {}
        for reply in stored:
            self._stored.setdefault((reply.item_id, reply.task), {})[reply.repeat] = reply
        self.about = f"{len(stored)} stored outputs, scored again"
        self.has_drawings = any(reply.drawing is not None for reply in stored)

    def answers(self, asked: Asked) -> bool:
        """Whether there is a stored output."""
        return asked in self._stored

    def repeats(self, asked: Asked, wanted: Iterable[int]) -> Iterable[int]:  # noqa: ARG002
        """Return the repeats that are stored: the run that is replayed decides."""
        return sorted(self._stored[asked])

    def reply(self, suite: KnownAnswers, item: Item, asked: Asked, repeat: int) -> Response:  # noqa: ARG002
        """Return the stored reply."""
        return self._stored[asked][repeat].reply

    def stored_answer(self, asked: Asked, repeat: int) -> Mapping[str, object] | None:
        """Return the answer parsed earlier."""
        return self._stored[asked][repeat].stored_answer

    def drawing(self, asked: Asked, repeat: int) -> Drawing | None:
        """Return what came of the first stage, as stored."""
        return self._stored[asked][repeat].drawing


def replayed_models(
    paths: Sequence[Path], known_ids: Collection[str], item: Callable[[str, str | None], Item]
) -> list[Replayed]:
    """Read raw files; one model for each provider and name in them, in the files' order.

    Raises:
        UserError: a file cannot be read.
        DataError: a line cannot be used, or was made from another item of the same id.
    """
    found = read_raw(paths, known_ids)
    for stored in (stored for group in found.values() for stored in group):
        if stored.item_digest is not None and stored.item_digest != item(stored.item_id, stored.task).digest:
            raise DataError(
                f"{stored.place}: {stored.item_id!r} was asked with other parameters, truth or prompt than "
                "this run's; use the options that the file was made with (--item-seed, --plotchain-data)"
            )
    return [Replayed(provider, name, stored) for (provider, name), stored in found.items()]
