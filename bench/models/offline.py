"""Models that ask nobody: `oracle` writes the truth, `blind` a constant per field, `replay` stored outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.models.types import Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.models.protocols import Asked, KnownAnswers
    from bench.models.types import Drawing
    from generators.items import Item

__all__ = ["OFFLINE_MODELS", "Blind", "Oracle"]


class _Constant:
    provider = "offline"
    has_drawings = False

    def answers(self, asked: Asked) -> bool:  # noqa: ARG002
        return True

    def repeats(self, asked: Asked, wanted: Iterable[int]) -> Iterable[int]:  # noqa: ARG002
        return wanted

    def stored_answer(self, asked: Asked, repeat: int) -> Mapping[str, Any] | None:  # noqa: ARG002
        return None

    def drawing(self, asked: Asked, repeat: int) -> Drawing | None:  # noqa: ARG002
        return None


class Oracle(_Constant):
    """Answers with the truth: must score 100 %, or the scorer is wrong."""

    name = "oracle"
    about = "answers the truth: anything below 100 % is a fault of the benchmark"

    def reply(self, suite: KnownAnswers, item: Item, asked: Asked, repeat: int) -> Response:  # noqa: ARG002
        """Return the truth in the form that the prompt asks for."""
        return Response(status="answered", text=suite.oracle_text(item))


class Blind(_Constant):
    """Answers a constant without looking: the floor every reader must beat."""

    name = "blind"
    about = "never looks: one constant per question, the floor"

    def reply(self, suite: KnownAnswers, item: Item, asked: Asked, repeat: int) -> Response:  # noqa: ARG002
        """Return the constant of the question."""
        return Response(status="answered", text=suite.blind_text(item))


OFFLINE_MODELS: Mapping[str, type[Oracle | Blind]] = {"blind": Blind, "oracle": Oracle}
