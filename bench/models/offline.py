"""Models that ask nobody: `oracle` writes the truth, `blind` a constant per field, `replay` stored outputs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bench.errors import DataError
from bench.models.protocol import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generators.items import Item

__all__ = ["OFFLINE_MODELS", "Blind", "OfflineModel", "Oracle", "blind_constants"]

BLIND_CONSTANTS = Path(__file__).with_name("blind_constants.json")


class OfflineModel(Protocol):
    """A model that answers from the item alone, at once and for nothing."""

    @property
    def provider(self) -> str:
        """Provider as written into tables."""
        ...

    @property
    def name(self) -> str:
        """Model name as written into tables."""
        ...

    @property
    def about(self) -> str:
        """One clause for the run's header: what kind of answers to expect."""
        ...

    def answers(self, item_id: str) -> bool:
        """Whether it has an answer for the item; the case is skipped otherwise."""
        ...

    def repeats(self, item_id: str, wanted: Iterable[int]) -> Iterable[int]:
        """Return which repeats it answers, of those wanted."""
        ...

    def reply(self, item: Item, repeat: int) -> Reply:
        """Return the reply, always the same for the same item and repeat."""
        ...

    def stored_answer(self, item_id: str, repeat: int) -> Mapping[str, Any] | None:
        """Return an answer kept beside the text, used only where the text holds none."""
        ...


class _Constant:
    provider = "offline"

    def answers(self, item_id: str) -> bool:
        return bool(item_id)

    def repeats(self, item_id: str, wanted: Iterable[int]) -> Iterable[int]:  # noqa: ARG002
        return wanted

    def stored_answer(self, item_id: str, repeat: int) -> Mapping[str, Any] | None:  # noqa: ARG002
        return None


class Oracle(_Constant):
    """Answers every field with the truth: must score 100 %, or the scorer is wrong."""

    name = "oracle"
    about = "answers the truth: anything below 100 % is a fault of the benchmark"

    def reply(self, item: Item, repeat: int) -> Reply:  # noqa: ARG002
        """Return the truth as the JSON object that the prompt asks for."""
        wanted = (*item.final_fields, *item.checkpoint_fields)
        return Reply(status="answered", text=json.dumps({field: item.truth[field] for field in wanted}))


class Blind(_Constant):
    """Answers one constant per family and field without looking: the floor every reader must beat."""

    name = "blind"
    about = "never looks: one constant per field, the floor"

    def reply(self, item: Item, repeat: int) -> Reply:  # noqa: ARG002
        """Return the constants of the item's family; null for a field that has none."""
        constants = blind_constants().get(item.family, {})
        wanted = (*item.final_fields, *item.checkpoint_fields)
        return Reply(status="answered", text=json.dumps({field: constants.get(field) for field in wanted}))


OFFLINE_MODELS: Mapping[str, type[Oracle | Blind]] = {"blind": Blind, "oracle": Oracle}


@cache
def blind_constants() -> Mapping[str, Mapping[str, float]]:
    """Return family -> field -> constant, as fitted by `python -m bench.models.fit_blind`.

    Raises:
        DataError: the file of constants is missing or damaged.
    """
    try:
        content = json.loads(BLIND_CONSTANTS.read_text(encoding="utf-8"))
        families: Mapping[str, Mapping[str, float]] = content["constants"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"blind constants {BLIND_CONSTANTS.name}: cannot be read ({error})") from error
    return families
